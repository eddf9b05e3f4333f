//===- TransferPlans.h - Plans of transfers, computed once ------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_IR_TRANSFERPLANS_H
#define TMEM_LIB_IR_TRANSFERPLANS_H

#include "tmem/IR/TMemTypes.h"
#include "llvm/Support/RWMutex.h"
#include <unordered_map>

namespace mlir::tmem {

/// All that a plan depends on. Every member is unique in its context.
struct TransferKey {
  Direction direction;
  ViewType view;
  ViewType high; ///< The second view of a split transfer, or null.
  LayoutAttrInterface registers; ///< Null where not known yet.
  VectorType vector;
  AtomAttr atom; ///< Null where not known yet.
  ScopeAttr scope;
  std::optional<int64_t> immediate; ///< Of a split transfer, where given.

  bool operator==(const TransferKey &other) const {
    return direction == other.direction && view == other.view &&
           high == other.high && registers == other.registers &&
           vector == other.vector && atom == other.atom &&
           scope == other.scope && immediate == other.immediate;
  }
};

/// The plans of a context. Verifiers run on many threads, hence the lock.
class PlanCache {
public:
  const PlanResult &getOrCreate(const TransferKey &key);

private:
  struct Hash {
    size_t operator()(const TransferKey &key) const;
  };
  /// Node-based: references stay valid while others are added.
  std::unordered_map<TransferKey, PlanResult, Hash> plans;
  llvm::sys::SmartRWMutex<true> mutex;
};

} // namespace mlir::tmem

#endif // TMEM_LIB_IR_TRANSFERPLANS_H
