//===- Dialects.h - The tmem dialect from C -----------------------*- C -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// How a program or a binding gets the tmem dialect into its contexts. Like the
// rest of this API, for use from C; link TMemCAPI, which also has MLIR's C API.
//
// Throughout: handles are those of mlir-c. A null handle, or an attribute or
// type of another kind, is never followed: predicates answer false, getters the
// value that their comment names, and what makes something returns null.
// Strings that are returned live as long as the comment says, and have no
// terminating null character unless it says so.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_C_DIALECTS_H
#define TMEM_C_DIALECTS_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// mlirGetDialectHandle__tmem__(): registers or loads the dialect alone. Only
/// for a program that is linked with the same MLIR; others ask tmemRegister.
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(TMem, tmem);

/// What tmemRegister returns.
typedef enum TMemRegisterResult {
  TMemRegistered = 0,
  /// The context comes from another copy of MLIR than this library uses, or
  /// from another version. It was not touched.
  TMemRegisterForeign = 1,
  /// A handle was null.
  TMemRegisterNull = 2
} TMemRegisterResult;

/// Makes the dialect, its lowering to LLVM and its translation known to a
/// context, and loads it. Two copies of MLIR in one process disagree about
/// every type, and a dialect of the one hangs or crashes in the other. So the
/// caller passes the id that IntegerType has in the copy it uses itself,
/// mlirIntegerTypeGetTypeID(), and nothing is done when that is not the id of
/// the copy of this library. May be called again. Not while other threads use
/// the context, as for any dialect that is loaded.
MLIR_CAPI_EXPORTED TMemRegisterResult tmemRegister(MlirContext context,
                                                   MlirTypeID integerTypeID);

/// Adds to a registry what compiling and running kernels takes: MLIR's
/// dialects, extensions and translations to LLVM, and this dialect with its
/// own. Ignores a null registry.
MLIR_CAPI_EXPORTED void tmemRegisterAllDialects(MlirDialectRegistry registry);

/// What this library was built as and with, for reports of problems and to
/// compare with another library: `tmem=0.1.0 llvm=22.1.8 assertions=off
/// abi-breaking-checks=off`. Null-terminated, never freed.
MLIR_CAPI_EXPORTED const char *tmemBuildInfo(void);

/// The version of this library, "0.1.0". Null-terminated, never freed.
MLIR_CAPI_EXPORTED const char *tmemVersion(void);

#ifdef __cplusplus
}
#endif

#endif // TMEM_C_DIALECTS_H
