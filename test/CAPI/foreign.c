//===- foreign.c - A host with another copy of MLIR ---------------*- C -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Linked with MLIR's static libraries, and opens the shared one through this
// project's: two copies of MLIR in one process.
//
//===----------------------------------------------------------------------===//

// RUN: tmem-capi-foreign-test %tmem_lib_dir/libTMemCAPI.so 2>&1 | FileCheck %s

#include "mlir-c/BuiltinTypes.h"
#include "tmem-c/Dialects.h"
#include <dlfcn.h>
#include <stdio.h>

static void *library;

static void *find(const char *name) {
  void *symbol = dlsym(library, name);
  if (!symbol)
    printf("no %s\n", name);
  return symbol;
}

int main(int argc, char **argv) {
  setvbuf(stdout, NULL, _IONBF, 0);
  library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!library) {
    printf("%s\n", dlerror());
    return 1;
  }
  TMemRegisterResult (*registerDialect)(MlirContext, MlirTypeID);
  MlirTypeID (*getTheirID)(void);
  *(void **)&registerDialect = find("tmemRegister");
  *(void **)&getTheirID = find("mlirIntegerTypeGetTypeID");
  if (!registerDialect || !getTheirID)
    return 1;
  // CHECK: two copies 1
  MlirTypeID ours = mlirIntegerTypeGetTypeID();
  printf("two copies %d\n", ours.ptr != getTheirID().ptr);
  MlirContext context = mlirContextCreate();
  // CHECK-NEXT: refused 1
  printf("refused %d\n", registerDialect(context, ours) == TMemRegisterForeign);
  // The context is as good as before.
  MlirAttribute attr = mlirAttributeParseGet(
      context, mlirStringRefCreateFromCString("[1 : i7, dense<2> : "
                                              "tensor<3xi32>]"));
  // CHECK-NEXT: untouched 1 1
  printf("untouched %d %d\n", !mlirAttributeIsNull(attr),
         (int)mlirContextGetNumLoadedDialects(context));
  mlirContextDestroy(context);
  // CHECK-NEXT: done
  printf("done\n");
  return 0;
}
