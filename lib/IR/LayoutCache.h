//===- LayoutCache.h - Layouts of other dialects' attributes ----*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_IR_LAYOUTCACHE_H
#define TMEM_LIB_IR_LAYOUTCACHE_H

#include "tmem/IR/TMemAttributes.h"
#include "llvm/Support/RWMutex.h"
#include <unordered_map>
#include <vector>

namespace mlir::tmem {

/// What attributes of other dialects stand for, asked once for each tile of a
/// context: a type that was verified keeps its meaning, whatever the attribute
/// would answer next. Verifiers run on many threads, hence the lock.
class LayoutCache {
public:
  struct Key {
    Attribute attr;
    Type elementType;
    std::vector<int64_t> shape;

    bool operator==(const Key &other) const {
      return attr == other.attr && elementType == other.elementType &&
             shape == other.shape;
    }
  };

  /// The layout, if there is one yet.
  std::optional<Layout> lookUp(const Key &key);
  /// Adds a layout that follows the rules; of two threads the first one wins.
  Layout insert(Key key, Layout layout);

private:
  struct Hash {
    size_t operator()(const Key &key) const;
  };
  std::unordered_map<Key, Layout, Hash> layouts;
  llvm::sys::SmartRWMutex<true> mutex;
};

} // namespace mlir::tmem

#endif // TMEM_LIB_IR_LAYOUTCACHE_H
