//===- PlanColumnsWays.h - Barriers on ways through a kernel ----*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_TRANSFORMS_PLANCOLUMNSWAYS_H
#define TMEM_LIB_TRANSFORMS_PLANCOLUMNSWAYS_H

#include "mlir/IR/Dominance.h"
#include "mlir/IR/SymbolTable.h"
#include "tmem/Analysis/Threads.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::tmem {

/// The barriers on a way, in order. A loop or a choice is told by what decides
/// it, so that ways with the same parts have the same barriers.
class Way {
public:
  Operation *first = nullptr; ///< The first barrier.
  bool isKnown = true;        ///< Not: there are others that cannot be told.
  bool isExact = true;        ///< Without loops and choices.
  bool hasCertain = false;    ///< With a barrier outside of these.
  bool mayExit = false;       ///< Threads may end on it.

  bool isEmpty() const { return isKnown && size == 0; }
  bool hasPartsOf(const Way &other) const {
    return size == other.size && hash == other.hash;
  }

  void append(const Way &other) {
    hash = multiply(hash, other.power) + other.hash;
    hash -= hash >= prime ? prime : 0;
    power = multiply(power, other.power);
    size += other.size;
    first = first ? first : other.first;
    isKnown &= other.isKnown;
    isExact &= other.isExact;
    hasCertain |= other.hasCertain;
    mayExit |= other.mayExit;
  }

  void append(uint64_t part) {
    Way way;
    way.hash = part % prime;
    way.power = base;
    way.size = 1;
    append(way);
  }

private:
  static constexpr uint64_t prime = (uint64_t(1) << 61) - 1;
  static constexpr uint64_t base = 0x9e3779b97f4a7c1 % prime;

  static uint64_t multiply(uint64_t a, uint64_t b) {
    return (unsigned __int128)a * b % prime;
  }

  /// The parts as digits: ways of any length are put together at once.
  uint64_t hash = 0, power = 1, size = 0;
};

enum class Answer { Same, Different, Unknown };

/// Whether two ways have the same barriers.
Answer compare(const Way &a, const Way &b);

/// Finds the barriers of all threads on ways through a kernel.
class WayFinder {
public:
  /// Where threads that part at a branch or at an operation with regions go.
  SmallVector<Way> getArms(Operation *divider);

private:
  Block *getMeeting(Block *block);
  Way walk(Block *begin, Block *meeting);
  Way getWay(Block &block);
  Way getWay(Region &region);
  Way getWay(Operation *op);
  Way getCallee(Operation *callee, Operation *call);
  Way getWayOfRegions(Operation *op);

  PostDominanceInfo postDominance;
  SymbolTableCollection symbols;
  llvm::DenseMap<Block *, Way> blockWays;
  llvm::DenseMap<Operation *, Way> calleeWays;
};

} // namespace mlir::tmem

#endif // TMEM_LIB_TRANSFORMS_PLANCOLUMNSWAYS_H
