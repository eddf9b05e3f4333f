//===- guard.c - Which contexts the dialect is registered in ------*- C -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: tmem-capi-guard-test 2>&1 | FileCheck %s

#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Pass.h"
#include "tmem-c/Dialects.h"
#include "tmem-c/Passes.h"
#include <stdio.h>
#include <string.h>

static const char moduleText[] =
    "func.func @f(%mem: !tmem.view<128x96xf32, #tmem.datapath<D>>) {\n"
    "  %p = tmem.load %mem scope(warpgroup)\n"
    "    : !tmem.view<128x96xf32, #tmem.datapath<D>>\n"
    "    -> !tmem.pending<vector<96xf32>>\n"
    "  %v = tmem.wait_load %p : !tmem.pending<vector<96xf32>>\n"
    "  return\n"
    "}\n";

static void print(MlirStringRef text, void *data) {
  (void)data;
  printf("%.*s", (int)text.length, text.data);
}

static void testGuard(void) {
  MlirContext context = mlirContextCreate();
  MlirContext noContext = {NULL};
  MlirTypeID noID = {NULL};
  MlirTypeIDAllocator allocator = mlirTypeIDAllocatorCreate();
  MlirTypeID foreign = mlirTypeIDAllocatorAllocateTypeID(allocator);
  // Nothing is followed: this is no context at all.
  static char rubbish[4096];
  MlirContext notOurs = {rubbish};
  memset(rubbish, 0xa5, sizeof(rubbish));
  // CHECK: foreign 1 1, dialects 1 1
  printf("foreign %d %d, dialects %d ", tmemRegister(context, foreign),
         tmemRegister(notOurs, foreign),
         (int)mlirContextGetNumLoadedDialects(context));
  printf("%d\n", (int)mlirContextGetNumRegisteredDialects(context));
  // CHECK: null 2 2
  printf("null %d %d\n", tmemRegister(noContext, mlirIntegerTypeGetTypeID()),
         tmemRegister(context, noID));
  // CHECK: ours 0 0
  printf("ours %d %d\n", tmemRegister(context, mlirIntegerTypeGetTypeID()),
         tmemRegister(context, mlirIntegerTypeGetTypeID()));
  // CHECK: tmem.alloc known 1
  printf("tmem.alloc known %d\n",
         mlirContextIsRegisteredOperation(
             context, mlirStringRefCreateFromCString("tmem.alloc")));
  mlirTypeIDAllocatorDestroy(allocator);
  mlirContextDestroy(context);
}

static void testHandle(void) {
  MlirContext context = mlirContextCreate();
  MlirDialectHandle handle = mlirGetDialectHandle__tmem__();
  // CHECK: namespace tmem
  printf("namespace ");
  print(mlirDialectHandleGetNamespace(handle), NULL);
  printf("\n");
  MlirDialect dialect = mlirDialectHandleLoadDialect(handle, context);
  // CHECK: loaded 1
  printf("loaded %d\n",
         mlirDialectEqual(
             dialect, mlirContextGetOrLoadDialect(
                          context, mlirStringRefCreateFromCString("tmem"))));
  mlirContextDestroy(context);
}

static void testPasses(void) {
  // Twice: a pipeline of the same name would end the process.
  mlirTMemRegisterPasses();
  mlirTMemRegisterPasses();
  MlirContext context = mlirContextCreate();
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  MlirDialectRegistry noRegistry = {NULL};
  tmemRegisterAllDialects(registry);
  tmemRegisterAllDialects(noRegistry);
  mlirContextAppendDialectRegistry(context, registry);
  mlirDialectRegistryDestroy(registry);
  MlirModule module = mlirModuleCreateParse(
      context, mlirStringRefCreateFromCString(moduleText));
  MlirPassManager manager = mlirPassManagerCreate(context);
  mlirPassManagerAddOwnedPass(manager,
                              mlirCreateTMemTransformsTMemSelectAtoms());
  mlirPassManagerAddOwnedPass(manager,
                              mlirCreateTMemConversionConvertTMemToNVVM());
  // CHECK: built any(tmem-select-atoms{{.*}},convert-tmem-to-nvvm
  printf("built ");
  mlirPrintPassPipeline(mlirPassManagerGetAsOpPassManager(manager), print,
                        NULL);
  printf("\n");
  mlirPassManagerDestroy(manager);
  manager = mlirPassManagerCreate(context);
  MlirLogicalResult parsed = mlirParsePassPipeline(
      mlirPassManagerGetAsOpPassManager(manager),
      mlirStringRefCreateFromCString(
          "builtin.module(tmem-select-atoms{atoms=16x64b})"),
      print, NULL);
  // CHECK: ran 1 1
  printf("ran %d ", mlirLogicalResultIsSuccess(parsed));
  printf("%d\n", mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(
                     manager, mlirModuleGetOperation(module))));
  // CHECK: tmem.load {{.*}} atom(<16x64b, x32, x16>)
  mlirOperationPrint(mlirModuleGetOperation(module), print, NULL);
  printf("\n");
  mlirPassManagerDestroy(manager);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  testGuard();
  testHandle();
  testPasses();
  // CHECK: {{^}}tmem=[[VERSION:[0-9]+\.[0-9]+\.[0-9]+]] llvm=22.1.{{[0-9]+}} assertions={{on|off}} abi-breaking-checks={{on|off$}}
  // CHECK-NEXT: {{^}}[[VERSION]]{{$}}
  printf("%s\n%s\n", tmemBuildInfo(), tmemVersion());
  return 0;
}
