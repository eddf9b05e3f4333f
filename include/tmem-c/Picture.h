//===- Picture.h - Pictures of transfers from C -------------------*- C -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Tensor Memory and registers as SVG or HTML, with the elements that they hold.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_C_PICTURE_H
#define TMEM_C_PICTURE_H

#include "tmem-c/Planner.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TMemPictureFormat {
  TMemPictureSVG, ///< A picture, with a title on each block.
  TMemPictureHTML ///< A page to explore, without outside parts.
} TMemPictureFormat;

typedef enum TMemPictureSides {
  TMemPictureTransfer,
  TMemPictureMemory,   ///< The memory layout alone.
  TMemPictureRegisters ///< The register layout alone.
} TMemPictureSides;

/// What colours stand for: the element, or who has it.
typedef enum TMemPictureColor {
  TMemPictureElement,
  TMemPictureWarp,
  TMemPictureLane,
  TMemPictureRegister,
  TMemPictureIssue
} TMemPictureColor;

/// Zero is the default of every member.
typedef struct TMemPictureOptions {
  TMemPictureFormat format;
  TMemPictureSides sides;
  TMemPictureColor color;
  /// The index of an element to point at, one number for each dimension of the
  /// tile (of a split transfer 2 leads); none where the rank is 0.
  intptr_t markedRank;
  const int64_t *marked;
  /// The heading; made from the tile if empty.
  MlirStringRef title;
} TMemPictureOptions;

/// Draws what was explained: the first candidate, or where nothing is legal,
/// what the first reason names. Calls back with the document and returns true;
/// where there is no picture (unusable arguments of the explanation, options
/// that the transfer has nothing for), calls back with why, in the style of
/// diagnostics, and returns false. `options` may be null. The explanation stays
/// as it is and the caller's. Returns false at once for a null explanation or
/// callback.
MLIR_CAPI_EXPORTED bool tmemExplanationDraw(TMemExplanation explanation,
                                            const TMemPictureOptions *options,
                                            MlirStringCallback callback,
                                            void *userData);

#ifdef __cplusplus
}
#endif

#endif // TMEM_C_PICTURE_H
