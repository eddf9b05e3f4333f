//===- arguments.c - What types, programs and runs are made of ----*- C -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: tmem-capi-arguments-test 2>&1 | FileCheck %s

#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "tmem-c/Attributes.h"
#include "tmem-c/Dialects.h"
#include "tmem-c/Runner.h"
#include "tmem-c/Types.h"
#include <stdio.h>

static void print(MlirStringRef text, void *data) {
  (void)data;
  printf("%.*s", (int)text.length, text.data);
}

static MlirLogicalResult printDiagnostic(MlirDiagnostic diagnostic,
                                         void *data) {
  (void)data;
  printf("error: ");
  mlirDiagnosticPrint(diagnostic, print, NULL);
  printf("\n");
  return mlirLogicalResultSuccess();
}

static MlirContext makeContext(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  tmemRegisterAllDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, true);
  mlirDialectRegistryDestroy(registry);
  mlirContextAttachDiagnosticHandler(context, printDiagnostic, NULL, NULL);
  return context;
}

/// Types and attributes of one context, at a location of another.
static void testContexts(void) {
  MlirContext first = makeContext(), second = makeContext();
  MlirLocation here = mlirLocationUnknownGet(first);
  MlirLocation there = mlirLocationUnknownGet(second);
  int64_t shape[] = {128, 64}, four = 4;
  MlirType number = mlirF32TypeGet(first);
  MlirType vector = mlirVectorTypeGet(1, &four, number);
  MlirAttribute layout = tmemDatapathAttrGet(first, 'D', 0);
  MlirAttribute other = tmemDatapathAttrGet(second, 'D', 0);
  // CHECK: right: 0 0
  printf("right: %d %d\n",
         mlirTypeIsNull(tmemViewTypeGetChecked(here, 2, shape, number, layout)),
         mlirTypeIsNull(tmemPendingTypeGetChecked(here, vector)));
  // CHECK-NEXT: error: expected an element type and a layout of one context, but got those of two
  // CHECK-NEXT: error: expected an element type and a layout of one context, but got those of two
  // CHECK-NEXT: error: expected a vector type of the context of the location, but got one of another
  // CHECK-NEXT: null: 1 1 1 1
  bool isNull[] = {
      mlirTypeIsNull(tmemViewTypeGetChecked(here, 2, shape, number, other)),
      mlirTypeIsNull(tmemViewTypeGetChecked(there, 2, shape, number, layout)),
      mlirTypeIsNull(tmemViewTypeGet(2, shape, number, other)),
      mlirTypeIsNull(tmemPendingTypeGetChecked(there, vector))};
  printf("null: %d %d %d %d\n", isNull[0], isNull[1], isNull[2], isNull[3]);
  mlirContextDestroy(second);
  mlirContextDestroy(first);
}

static TMemProgram makeProgram(MlirContext context, const char *type) {
  char text[256];
  snprintf(text, sizeof(text), "func.func @main(%%a: %s) { return }", type);
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
  TMemProgram program = tmemProgramCreate(module, NULL);
  mlirModuleDestroy(module);
  return program;
}

/// A row of a larger array, as a type that leaves its stride out.
static void testStrides(MlirContext context, const char *type, int64_t rows,
                        int64_t columns, int64_t stride, int64_t step) {
  static float array[64];
  int64_t shape[] = {rows, columns}, strides[] = {stride, step};
  TMemArgument argument = {array, 2, shape, strides};
  TMemProgram program = makeProgram(context, type);
  TMemRunResult result = tmemProgramRun(program, 1, &argument, NULL);
  printf("status %d\n", result.status);
  if (result.fault)
    print(result.fault->text, NULL);
  tmemFaultDestroy(result.fault);
  tmemProgramDestroy(program);
}

int main(void) {
  testContexts();
  MlirContext context = makeContext();
  // Strides that lead nowhere may be any.
  // CHECK-NEXT: status 0
  testStrides(context, "memref<1x4xf32>", 1, 4, 8, 1);
  // CHECK-NEXT: status 0
  testStrides(context, "memref<4x1xf32>", 4, 1, 1, 0);
  // CHECK-NEXT: status 0
  testStrides(context, "memref<?x4xf32>", 0, 4, 17, 5);
  // CHECK-NEXT: status 2
  // CHECK-NEXT: argument 0: expected memref<2x4xf32>, but got the strides 8, 1
  testStrides(context, "memref<2x4xf32>", 2, 4, 8, 1);
  // Scalars that C has no type for.
  // CHECK-NEXT: error: expected memrefs whose elements have strides, integers of 1, 8, 16, 32 or 64 bits, floats of 8, 16, 32 or 64 bits, or indices as arguments, but got 'i0'
  // CHECK-NEXT: error: {{.*}} but got 'i33'
  // CHECK-NEXT: error: {{.*}} but got 'f80'
  // CHECK-NEXT: error: {{.*}} but got 'i16777215'
  const char *types[] = {"i0", "i33", "f80", "i16777215"};
  for (int i = 0; i < 4; ++i)
    if (makeProgram(context, types[i]).ptr)
      printf("a program of %s\n", types[i]);
  mlirContextDestroy(context);
  return 0;
}
