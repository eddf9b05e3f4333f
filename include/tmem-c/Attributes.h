//===- Attributes.h - Attributes of the tmem dialect from C -------*- C -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// In every pair tmemXAttrGet and tmemXAttrGetChecked the former takes a context
// and returns null for parameters that break a rule; the latter takes a
// location and also reports the rule there, as MLIR's diagnostics do. Both load
// the dialect into the context if it is not. Attributes live as long as their
// context, and so do strings and lists that they return.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_C_ATTRIBUTES_H
#define TMEM_C_ATTRIBUTES_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// #tmem.layout
//===----------------------------------------------------------------------===//

/// The axes of TMEM (lanes; columns, counted in elements) and of registers
/// (warp, lane of the warp, element slot of a thread's vector, and
/// tid = 32 * warp + lane).
typedef enum TMemAxis {
  TMemAxisTLane,
  TMemAxisTCol,
  TMemAxisWarp,
  TMemAxisLane,
  TMemAxisReg,
  TMemAxisTid
} TMemAxis;

/// One digit of the element's row-major number, or one replica: `extent` steps
/// of `stride` on `axis`.
typedef struct TMemMode {
  int64_t extent;
  int64_t stride;
  TMemAxis axis;
} TMemMode;

/// A shift of the whole layout along one axis.
typedef struct TMemAxisOffset {
  int64_t value;
  TMemAxis axis;
} TMemAxisOffset;

/// Whether it is a #tmem.layout; false for null.
MLIR_CAPI_EXPORTED bool tmemAttributeIsALayout(MlirAttribute attr);
/// The id of the attribute's class, for casts of bindings.
MLIR_CAPI_EXPORTED MlirTypeID tmemLayoutAttrGetTypeID(void);

/// The lists may be null where their number is 0. An axis that is none, or a
/// negative number, is refused like a broken rule (L1 to L6).
MLIR_CAPI_EXPORTED MlirAttribute
tmemLayoutAttrGet(MlirContext context, intptr_t numModes, const TMemMode *modes,
                  intptr_t numReplicas, const TMemMode *replicas,
                  intptr_t numOffsets, const TMemAxisOffset *offsets);
/// The same, and the broken rule is a diagnostic at the location.
MLIR_CAPI_EXPORTED MlirAttribute tmemLayoutAttrGetChecked(
    MlirLocation location, intptr_t numModes, const TMemMode *modes,
    intptr_t numReplicas, const TMemMode *replicas, intptr_t numOffsets,
    const TMemAxisOffset *offsets);

/// The modes that it is written with; -1 when `layout` is no #tmem.layout.
MLIR_CAPI_EXPORTED intptr_t tmemLayoutAttrGetNumModes(MlirAttribute layout);
/// The replicas that it is written with; -1 for another attribute.
MLIR_CAPI_EXPORTED intptr_t tmemLayoutAttrGetNumReplicas(MlirAttribute layout);
/// The offsets that it is written with; -1 for another attribute.
MLIR_CAPI_EXPORTED intptr_t tmemLayoutAttrGetNumOffsets(MlirAttribute layout);
/// One mode; all zero when there is none at `position`.
MLIR_CAPI_EXPORTED TMemMode tmemLayoutAttrGetMode(MlirAttribute layout,
                                                  intptr_t position);
/// One replica; all zero when there is none at `position`.
MLIR_CAPI_EXPORTED TMemMode tmemLayoutAttrGetReplica(MlirAttribute layout,
                                                     intptr_t position);
/// One offset; all zero when there is none at `position`.
MLIR_CAPI_EXPORTED TMemAxisOffset tmemLayoutAttrGetOffset(MlirAttribute layout,
                                                          intptr_t position);

//===----------------------------------------------------------------------===//
// #tmem.datapath
//===----------------------------------------------------------------------===//

/// Whether it is a #tmem.datapath; false for null.
MLIR_CAPI_EXPORTED bool tmemAttributeIsADatapath(MlirAttribute attr);
/// The id of the attribute's class, for casts of bindings.
MLIR_CAPI_EXPORTED MlirTypeID tmemDatapathAttrGetTypeID(void);

/// `letter` from 'A' to 'G'; `half` 1 for C and F alone (rule D3).
MLIR_CAPI_EXPORTED MlirAttribute tmemDatapathAttrGet(MlirContext context,
                                                     char letter, int64_t half);
/// The same, and the broken rule is a diagnostic at the location.
MLIR_CAPI_EXPORTED MlirAttribute
tmemDatapathAttrGetChecked(MlirLocation location, char letter, int64_t half);

/// The letter, 'A' to 'G'; 0 for another attribute.
MLIR_CAPI_EXPORTED char tmemDatapathAttrGetLetter(MlirAttribute datapath);
/// The half, 0 or 1; -1 for another attribute.
MLIR_CAPI_EXPORTED int64_t tmemDatapathAttrGetHalf(MlirAttribute datapath);

//===----------------------------------------------------------------------===//
// #tmem.atom
//===----------------------------------------------------------------------===//

/// Shapes of tcgen05.ld and tcgen05.st.
typedef enum TMemAtomShape {
  TMemAtomShape32x32b,
  TMemAtomShape16x64b,
  TMemAtomShape16x128b,
  TMemAtomShape16x256b,
  TMemAtomShape16x32bx2,
  TMemAtomShapeNone ///< No shape; what getters answer for other attributes.
} TMemAtomShape;

typedef enum TMemPacking {
  TMemPackingNone,
  TMemPackingPack,  ///< .pack::16b of loads
  TMemPackingUnpack ///< .unpack::16b of stores
} TMemPacking;

/// As PTX spells it, "16x64b"; null-terminated, never freed. Null for none.
MLIR_CAPI_EXPORTED const char *tmemAtomShapeToString(TMemAtomShape shape);
/// The shape of that name, or TMemAtomShapeNone.
MLIR_CAPI_EXPORTED TMemAtomShape tmemAtomShapeFromString(MlirStringRef name);

/// Whether it is a #tmem.atom; false for null.
MLIR_CAPI_EXPORTED bool tmemAttributeIsAAtom(MlirAttribute attr);
/// The id of the attribute's class, for casts of bindings.
MLIR_CAPI_EXPORTED MlirTypeID tmemAtomAttrGetTypeID(void);

/// Repetition counts N of .xN: at least one, each once, powers of two that the
/// shape has (rules A1 and A6).
MLIR_CAPI_EXPORTED MlirAttribute tmemAtomAttrGet(MlirContext context,
                                                 TMemAtomShape shape,
                                                 intptr_t numRepeats,
                                                 const uint32_t *repeats,
                                                 TMemPacking packing);
/// The same, and the broken rule is a diagnostic at the location.
MLIR_CAPI_EXPORTED MlirAttribute tmemAtomAttrGetChecked(MlirLocation location,
                                                        TMemAtomShape shape,
                                                        intptr_t numRepeats,
                                                        const uint32_t *repeats,
                                                        TMemPacking packing);

/// The shape; TMemAtomShapeNone for another attribute.
MLIR_CAPI_EXPORTED TMemAtomShape tmemAtomAttrGetShape(MlirAttribute atom);
/// The packing; TMemPackingNone for another attribute, too.
MLIR_CAPI_EXPORTED TMemPacking tmemAtomAttrGetPacking(MlirAttribute atom);
/// How many counts there are; -1 for another attribute.
MLIR_CAPI_EXPORTED intptr_t tmemAtomAttrGetNumRepeats(MlirAttribute atom);
/// One count; 0 when there is none at `position`.
MLIR_CAPI_EXPORTED uint32_t tmemAtomAttrGetRepeat(MlirAttribute atom,
                                                  intptr_t position);

//===----------------------------------------------------------------------===//
// #tmem.scope
//===----------------------------------------------------------------------===//

typedef enum TMemScopeKind {
  TMemScopeWarp,
  TMemScopeWarpgroup,
  TMemScopeCTA,
  TMemScopeNone ///< What getters answer for other attributes.
} TMemScopeKind;

/// Whether it is a #tmem.scope; false for null.
MLIR_CAPI_EXPORTED bool tmemAttributeIsAScope(MlirAttribute attr);
/// The id of the attribute's class, for casts of bindings.
MLIR_CAPI_EXPORTED MlirTypeID tmemScopeAttrGetTypeID(void);

/// `warp` from 0 to 3 in warp scope, else 0 (rule A5).
MLIR_CAPI_EXPORTED MlirAttribute tmemScopeAttrGet(MlirContext context,
                                                  TMemScopeKind kind,
                                                  int64_t warp);
/// The same, and the broken rule is a diagnostic at the location.
MLIR_CAPI_EXPORTED MlirAttribute tmemScopeAttrGetChecked(MlirLocation location,
                                                         TMemScopeKind kind,
                                                         int64_t warp);

/// The kind; TMemScopeNone for another attribute.
MLIR_CAPI_EXPORTED TMemScopeKind tmemScopeAttrGetKind(MlirAttribute scope);
/// The warp, or -1.
MLIR_CAPI_EXPORTED int64_t tmemScopeAttrGetWarp(MlirAttribute scope);

//===----------------------------------------------------------------------===//
// #tmem.fence_kind
//===----------------------------------------------------------------------===//

/// Whether it is a #tmem.fence_kind; false for null.
MLIR_CAPI_EXPORTED bool tmemAttributeIsAFenceKind(MlirAttribute attr);
/// The side of a thread synchronization: after it, or before it.
MLIR_CAPI_EXPORTED MlirAttribute tmemFenceKindAttrGet(MlirContext context,
                                                      bool isAfter);
/// 1 for after, 0 for before, -1 for another attribute.
MLIR_CAPI_EXPORTED int tmemFenceKindAttrIsAfter(MlirAttribute fenceKind);

#ifdef __cplusplus
}
#endif

#endif // TMEM_C_ATTRIBUTES_H
