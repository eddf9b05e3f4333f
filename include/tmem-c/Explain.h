//===- Explain.h - What tmem-explain answers, from C --------------*- C -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Requests in text, answers as text, JSON and pictures. No context is needed.
// For plans as structures see Planner.h.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_C_EXPLAIN_H
#define TMEM_C_EXPLAIN_H

#include "tmem-c/Planner.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The options of tmem-explain as they are written there; strings may be empty
/// and numbers 0 for their default. They are copied.
typedef struct TMemRequest {
  MlirStringRef tile;         ///< "64x128xf32"
  MlirStringRef memory;       ///< A layout, in any of the notations.
  MlirStringRef secondMemory; ///< Of a split transfer.
  MlirStringRef registers;    ///< Empty to infer them.
  MlirStringRef scope;        ///< "warpgroup", "cta" or "warp 2".
  MlirStringRef direction;    ///< "load" or "store".
  MlirStringRef atoms;        ///< "32x32b,16x256b" or "32x32b, x64, x32".
  uint32_t warps;
  uint32_t vectorSize;
  uint32_t maxRegistersPerIssue;
  bool registersAlone; ///< There is no memory: for a picture of registers.
} TMemRequest;

/// A request and its answer. Owned by the caller.
typedef struct TMemReport {
  void *ptr;
} TMemReport;

/// How an answer is printed.
typedef enum TMemReportFormat {
  TMemReportText, ///< For people.
  TMemReportJSON, ///< For programs, as one object.
  TMemReportSVG,  ///< A picture.
  TMemReportHTML  ///< A page to explore it.
} TMemReportFormat;

/// What is in a picture.
typedef enum TMemPictureShown {
  TMemPictureTransfer,
  TMemPictureMemory,
  TMemPictureRegisters
} TMemPictureShown;

/// Of pictures; zero is the default of every member.
typedef struct TMemPictureOptions {
  TMemPictureShown shown;
  MlirStringRef colorBy; ///< element, warp, lane, register or issue.
  intptr_t numMarked;    ///< Indices of an element to point at, or 0.
  const int64_t *marked;
} TMemPictureOptions;

/// Answers a request. Always returns an object, to be destroyed, whatever is
/// wrong with the request; null is one that names nothing.
MLIR_CAPI_EXPORTED TMemReport tmemReportCreate(const TMemRequest *request);
/// Ignores null.
MLIR_CAPI_EXPORTED void tmemReportDestroy(TMemReport report);

/// Fills `rejection` in, and returns true, when the request could not be read
/// or the last picture could not be drawn. Its strings live as long as the
/// object, or until the next call of tmemReportPrint; it names no element.
MLIR_CAPI_EXPORTED bool tmemReportGetError(TMemReport report,
                                           TMemRejection *rejection);

/// Whether instructions were found that move the tile; false for null.
MLIR_CAPI_EXPORTED bool tmemReportIsLegal(TMemReport report);

/// Calls back with the answer in one piece. `options` may be null, and counts
/// for pictures alone. Returns false, without a call, for null, a request that
/// could not be read, or a picture that cannot be drawn.
MLIR_CAPI_EXPORTED bool tmemReportPrint(TMemReport report,
                                        TMemReportFormat format,
                                        const TMemPictureOptions *options,
                                        MlirStringCallback callback,
                                        void *userData);

#ifdef __cplusplus
}
#endif

#endif // TMEM_C_EXPLAIN_H
