//===- Types.h - Types of the tmem dialect from C -----------------*- C -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Get and GetChecked differ as those of attributes do (tmem-c/Attributes.h).
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_C_TYPES_H
#define TMEM_C_TYPES_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// !tmem.view
//===----------------------------------------------------------------------===//

/// Whether it is a !tmem.view; false for null.
MLIR_CAPI_EXPORTED bool tmemTypeIsAView(MlirType type);
/// The id of the type's class, for casts of bindings.
MLIR_CAPI_EXPORTED MlirTypeID tmemViewTypeGetTypeID(void);

/// A tile in TMEM. `layout` is #tmem.layout, #tmem.datapath or any attribute
/// that stands for a layout. Rules V1 to V6. The context is that of
/// `elementType`.
MLIR_CAPI_EXPORTED MlirType tmemViewTypeGet(intptr_t rank, const int64_t *shape,
                                            MlirType elementType,
                                            MlirAttribute layout);
/// The same, and the broken rule is a diagnostic at the location.
MLIR_CAPI_EXPORTED MlirType tmemViewTypeGetChecked(MlirLocation location,
                                                   intptr_t rank,
                                                   const int64_t *shape,
                                                   MlirType elementType,
                                                   MlirAttribute layout);

/// The number of dimensions; -1 for another type.
MLIR_CAPI_EXPORTED intptr_t tmemViewTypeGetRank(MlirType view);
/// One extent; -1 for another type, or where there is none at `dim`.
MLIR_CAPI_EXPORTED int64_t tmemViewTypeGetDimSize(MlirType view, intptr_t dim);
/// The type of elements; null for another type.
MLIR_CAPI_EXPORTED MlirType tmemViewTypeGetElementType(MlirType view);
/// The bits of an element, 4, 8, 16, 32 or 64; 0 for another type.
MLIR_CAPI_EXPORTED unsigned tmemViewTypeGetElementBits(MlirType view);
/// The layout as it is written.
MLIR_CAPI_EXPORTED MlirAttribute tmemViewTypeGetLayout(MlirType view);
/// The #tmem.layout that it stands for.
MLIR_CAPI_EXPORTED MlirAttribute tmemViewTypeGetExpandedLayout(MlirType view);
/// Cells (32-bit columns) from the base to one past the last; -1 for another
/// type.
MLIR_CAPI_EXPORTED int64_t tmemViewTypeGetNumColumns(MlirType view);

//===----------------------------------------------------------------------===//
// !tmem.pending
//===----------------------------------------------------------------------===//

/// Whether it is a !tmem.pending; false for null.
MLIR_CAPI_EXPORTED bool tmemTypeIsAPending(MlirType type);
/// The id of the type's class, for casts of bindings.
MLIR_CAPI_EXPORTED MlirTypeID tmemPendingTypeGetTypeID(void);

/// Loaded registers before their wait: `payload` is a vector (rules P3, R6).
MLIR_CAPI_EXPORTED MlirType tmemPendingTypeGet(MlirType payload);
/// The same, and what is wrong is a diagnostic at the location.
MLIR_CAPI_EXPORTED MlirType tmemPendingTypeGetChecked(MlirLocation location,
                                                      MlirType payload);
/// The vector; null for another type.
MLIR_CAPI_EXPORTED MlirType tmemPendingTypeGetPayload(MlirType pending);

//===----------------------------------------------------------------------===//
// !tmem.token
//===----------------------------------------------------------------------===//

/// Whether it is a !tmem.token; false for null.
MLIR_CAPI_EXPORTED bool tmemTypeIsAToken(MlirType type);
/// The id of the type's class, for casts of bindings.
MLIR_CAPI_EXPORTED MlirTypeID tmemTokenTypeGetTypeID(void);

/// A store that has not been waited for.
MLIR_CAPI_EXPORTED MlirType tmemTokenTypeGet(MlirContext context);

#ifdef __cplusplus
}
#endif

#endif // TMEM_C_TYPES_H
