//===- Transfers.h - One tcgen05.ld or st -----------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_EMULATION_TRANSFERS_H
#define TMEM_LIB_EXECUTIONENGINE_EMULATION_TRANSFERS_H

#include "Meetings.h"

// After Support.h, which makes what Emulation.h declares visible.
#include "tmem/ExecutionEngine/Images.h"

namespace tmem::emulation {

constexpr uint32_t numShapes = 5;

/// One instruction of a warp.
struct Transfer {
  Warp &warp;
  uint32_t shape, count, flags;
  bool store;
  /// Where lanes 0 to 15 and lanes 16 to 31 begin: only 16x32bx2 has two.
  Cell lower, upper;
  Access access;
  Allocation *allocation = nullptr;

  bool isPacked() const { return flags & TMemEmuPack; }
  bool isReducing() const {
    return flags & (TMemEmuReduceMin | TMemEmuReduceMax);
  }
  uint32_t getWords() const { return getNumWords(shape, count); }
  Cell getOrigin(uint32_t lane) const { return lane < 16 ? lower : upper; }
};

/// The rules of shape, count and flags, which come before all else.
void checkForm(const Thread &thread, const Site *site,
               const Operands &operands);
/// All other rules: place, order, and for loads that the cells were written.
/// Finds the allocation.
void checkTransfer(const Thread &thread, Transfer &transfer,
                   const Operands &operands);

/// What is missing between an earlier access of a cell and one of `warp`.
std::string describeMissingOrder(const Warp &warp, const Mark &other);

/// Moves the data of all lanes.
void moveData(TensorMemory &tensor, const Transfer &transfer);
/// ld.red: reduces what each lane has loaded to one register more.
void reduceLoaded(const Transfer &transfer);

} // namespace tmem::emulation

#endif // TMEM_LIB_EXECUTIONENGINE_EMULATION_TRANSFERS_H
