//===- TileTransfersWindows.h - Windows for chunks --------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_TRANSFORMS_TILETRANSFERSWINDOWS_H
#define TMEM_LIB_TRANSFORMS_TILETRANSFERSWINDOWS_H

#include "TileTransfers.h"

namespace mlir::tmem {

/// Finds windows of one transfer's tile that have just the registers of a
/// chunk. Chunks are in elements of the transfer's vector.
class WindowFinder {
public:
  explicit WindowFinder(TransferOpInterface op);

  /// A window along one dimension of the tile. Nothing, and `reason`, where
  /// there is none.
  std::optional<TransferWindow> findAlong(unsigned dim, const Chunk &chunk);

  /// The same in all dimensions, which are cut into factors first where the
  /// elements of a chunk lie apart: as in data path B, whose left and right
  /// half are in the same registers of other threads.
  std::optional<TransferWindow> findInFactors(const Chunk &chunk);

  std::string reason;
  bool isTooNarrow = false; ///< Wider chunks may have windows.

private:
  std::optional<TransferWindow> fail(const Twine &why) {
    reason = why.str();
    return std::nullopt;
  }
  std::optional<TransferWindow> finish(TransferWindow window,
                                       const Chunk &chunk, const Twine &name);
  bool selectAtom(TransferWindow &window, int64_t vectorSize);

  TransferOpInterface op;
  ViewType view;
  Layout registers;
};

} // namespace mlir::tmem

#endif // TMEM_LIB_TRANSFORMS_TILETRANSFERSWINDOWS_H
