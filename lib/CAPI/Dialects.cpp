//===- Dialects.cpp - The tmem dialect from C -----------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem-c/Dialects.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "tmem/IR/TMemDialect.h"
#include "tmem/InitAll.h"
#include "llvm/Config/abi-breaking.h"
#include "llvm/Config/llvm-config.h"

using namespace mlir;

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(TMem, tmem, mlir::tmem::TMemDialect)

TMemRegisterResult tmemRegister(MlirContext context, MlirTypeID integerTypeID) {
  if (mlirContextIsNull(context) || mlirTypeIDIsNull(integerTypeID))
    return TMemRegisterNull;
  // Compared as addresses: nothing of a foreign copy may be followed.
  if (integerTypeID.ptr != TypeID::get<IntegerType>().getAsOpaquePointer())
    return TMemRegisterForeign;
  DialectRegistry registry;
  mlir::tmem::registerAllDialects(registry);
  unwrap(context)->appendDialectRegistry(registry);
  unwrap(context)->getOrLoadDialect<mlir::tmem::TMemDialect>();
  return TMemRegistered;
}

void tmemRegisterAllDialects(MlirDialectRegistry registry) {
  if (mlirDialectRegistryIsNull(registry))
    return;
  mlir::registerAllDialects(*unwrap(registry));
  registerAllExtensions(*unwrap(registry));
  registerAllToLLVMIRTranslations(*unwrap(registry));
  mlir::tmem::registerAllDialects(*unwrap(registry));
}

#ifdef NDEBUG
#define TMEM_ASSERTIONS "off"
#else
#define TMEM_ASSERTIONS "on"
#endif
#if LLVM_ENABLE_ABI_BREAKING_CHECKS
#define TMEM_ABI_CHECKS "on"
#else
#define TMEM_ABI_CHECKS "off"
#endif

const char *tmemBuildInfo(void) {
  return "tmem=" TMEM_VERSION " llvm=" LLVM_VERSION_STRING
         " assertions=" TMEM_ASSERTIONS " abi-breaking-checks=" TMEM_ABI_CHECKS;
}

const char *tmemVersion(void) { return TMEM_VERSION; }
