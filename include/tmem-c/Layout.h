//===- Layout.h - Layouts of tiles from C -------------------------*- C -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// What a layout says, as numbers. `layout` is a #tmem.layout, which
// tmemLayoutExpand makes of any attribute that stands for one.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_C_LAYOUT_H
#define TMEM_C_LAYOUT_H

#include "tmem-c/Attributes.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Whether the attribute stands for a layout: #tmem.layout, #tmem.datapath, or
/// one of another dialect with LayoutAttrInterface.
MLIR_CAPI_EXPORTED bool tmemAttributeStandsForLayout(MlirAttribute attr);

/// The #tmem.layout that `attr` stands for at a tile. Reports why there is none
/// at the location, and returns null.
MLIR_CAPI_EXPORTED MlirAttribute tmemLayoutExpand(MlirLocation location,
                                                  MlirAttribute attr,
                                                  intptr_t rank,
                                                  const int64_t *shape,
                                                  MlirType elementType);

/// Reads `(64, 2) : (1@tlane, 1@tcol) + (16@tlane) * (4 : 32@tlane)`, with or
/// without `#tmem.layout<...>`. Reports errors at the location.
MLIR_CAPI_EXPORTED MlirAttribute tmemLayoutParse(MlirLocation location,
                                                 MlirStringRef text);

/// Calls back with the layout as tmemLayoutParse reads it, without
/// `#tmem.layout<...>`. Does nothing for another attribute.
MLIR_CAPI_EXPORTED void tmemLayoutPrint(MlirAttribute layout,
                                        MlirStringCallback callback,
                                        void *userData);

/// The canonical form: equal for two layouts of one kind without replicas
/// exactly when they put every element at the same place.
MLIR_CAPI_EXPORTED MlirAttribute tmemLayoutCanonicalize(MlirAttribute layout);

/// Of a window of a tile of `shape`: `sizes` elements from `offsets` on in each
/// dimension. Null when that is no layout.
MLIR_CAPI_EXPORTED MlirAttribute tmemLayoutSlice(MlirAttribute layout,
                                                 intptr_t rank,
                                                 const int64_t *shape,
                                                 const int64_t *offsets,
                                                 const int64_t *sizes);

/// Of the tile with its dimensions reordered: dimension i of the result is
/// dimension permutation[i] of `shape`. Null when that is no layout.
MLIR_CAPI_EXPORTED MlirAttribute tmemLayoutPermute(MlirAttribute layout,
                                                   intptr_t rank,
                                                   const int64_t *shape,
                                                   const uint32_t *permutation);

/// Elements of the tile; -1 for another attribute.
MLIR_CAPI_EXPORTED int64_t tmemLayoutGetNumElements(MlirAttribute layout);
/// Places of each element, 1 without replicas; -1 for another attribute.
MLIR_CAPI_EXPORTED int64_t tmemLayoutGetNumReplicas(MlirAttribute layout);
/// Whether it uses the axes of TMEM alone; false for another attribute.
MLIR_CAPI_EXPORTED bool tmemLayoutIsMemory(MlirAttribute layout);
/// Whether it uses the axes of registers alone; false for another attribute.
MLIR_CAPI_EXPORTED bool tmemLayoutIsRegisters(MlirAttribute layout);
/// The smallest and the largest coordinate on an axis over all places. False
/// for another attribute or axis; `low` and `high` then keep their values.
MLIR_CAPI_EXPORTED bool tmemLayoutGetRange(MlirAttribute layout, TMemAxis axis,
                                           int64_t *low, int64_t *high);

/// Where every element of a memory layout is: table[2 * e] is the TMEM lane of
/// element e, in row-major order, and table[2 * e + 1] its first bit, counted
/// from the view's base through the lane (the column is that / 32). `replica`
/// picks one of the places, from 0 on. `capacity` counts entries: at least 2
/// for each element. Fails, and writes nothing, for a layout of registers, too
/// small a buffer, no such replica, or elements not of 4 to 64 bits.
MLIR_CAPI_EXPORTED MlirLogicalResult
tmemLayoutGetMemoryTable(MlirAttribute layout, unsigned elementBits,
                         int64_t replica, intptr_t capacity, int64_t *table);

/// Where every element of a register layout is: table[3 * e] is the warp of the
/// scope, table[3 * e + 1] the lane of the warp, and table[3 * e + 2] the slot
/// of the thread's vector, in elements. Otherwise as above.
MLIR_CAPI_EXPORTED MlirLogicalResult tmemLayoutGetRegisterTable(
    MlirAttribute layout, int64_t replica, intptr_t capacity, int64_t *table);

#ifdef __cplusplus
}
#endif

#endif // TMEM_C_LAYOUT_H
