//===- runner.c - Compiling and running through the C API ---------*- C -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: tmem-capi-runner-test %S/Inputs/run.mlir 2>&1 | FileCheck %s

#include "tmem-c/Runner.h"
#include "mlir-c/Diagnostics.h"
#include "tmem-c/Dialects.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Rows = 128, Columns = 64, Pitch = 80 };
static float in[Rows * Columns], out[Rows * Pitch];

static void print(MlirStringRef text, void *data) {
  (void)data;
  printf("%.*s", (int)text.length, text.data);
}

static MlirLogicalResult printDiagnostic(MlirDiagnostic diagnostic,
                                         void *data) {
  printf("error: ");
  mlirDiagnosticPrint(diagnostic, print, data);
  printf("\n");
  return mlirLogicalResultSuccess();
}

static MlirModule readModule(MlirContext context, const char *path) {
  FILE *file = fopen(path, "rb");
  static char text[1 << 16];
  size_t size = file ? fread(text, 1, sizeof(text) - 1, file) : 0;
  if (file)
    fclose(file);
  text[size] = 0;
  // A name for locations: the path differs from machine to machine.
  MlirOperation op =
      mlirOperationCreateParse(context, mlirStringRefCreateFromCString(text),
                               mlirStringRefCreateFromCString("run.mlir"));
  return mlirModuleFromOperation(op);
}

static TMemProgram create(MlirModule module, const char *entry) {
  TMemRunOptions options = {0};
  options.entry = mlirStringRefCreateFromCString(entry);
  return tmemProgramCreate(module, &options);
}

static void printResult(const char *name, TMemRunResult result) {
  printf("%s: status %d, value %d\n", name, result.status, result.value);
  if (result.fault)
    print(result.fault->text, NULL);
  tmemFaultDestroy(result.fault);
}

/// Counts what is not in[i] * factor, or has been written beside the rows.
static int countWrong(float factor) {
  int wrong = 0;
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < Pitch; ++j)
      wrong += out[i * Pitch + j] !=
               (j < Columns ? in[i * Columns + j] * factor : -1);
  return wrong;
}

static void testScale(MlirModule module) {
  // CHECK-LABEL: scale
  printf("scale\n");
  TMemProgram program = create(module, "scale");
  // CHECK-NEXT: memref<128x64xf32>; memref<128x64xf32, strided<[?, 1]>>; f32; index; i32; 5
  for (intptr_t i = -1; i < 7; ++i) {
    tmemProgramGetArgumentType(program, i, print, NULL);
    if (i >= 0 && i < 5)
      printf("; ");
  }
  printf("%d\n", (int)tmemProgramGetNumArguments(program));

  int64_t shape[] = {Rows, Columns}, strides[] = {Pitch, 1};
  float factor = -3;
  int64_t blocks = 1;
  int32_t value = -123456789;
  TMemArgument arguments[] = {{in, 2, shape, NULL},
                              {out, 2, shape, strides},
                              {&factor, -1, NULL, NULL},
                              {&blocks, -1, NULL, NULL},
                              {&value, -1, NULL, NULL}};
  TMemRunSettings settings = {0};
  settings.race = true;
  // CHECK-NEXT: run: status 0, value -123456789
  printResult("run", tmemProgramRun(program, 5, arguments, &settings));
  // CHECK-NEXT: wrong: 0
  printf("wrong: %d\n", countWrong(factor));
  // Again, with another seed and other arguments.
  settings.seed = 77;
  factor = 0.5f;
  value = 1;
  // CHECK-NEXT: again: status 0, value 1
  printResult("again", tmemProgramRun(program, 5, arguments, &settings));
  // CHECK-NEXT: wrong: 0
  printf("wrong: %d\n", countWrong(factor));

  // CHECK-NEXT: too few: status 2, value 0
  // CHECK-NEXT: {{^}}expected 5 arguments, but got 4
  printResult("too few", tmemProgramRun(program, 4, arguments, NULL));
  // CHECK-NEXT: none: status 2, value 0
  // CHECK-NEXT: {{^}}expected 5 arguments, but got 0
  printResult("none", tmemProgramRun(program, 5, NULL, NULL));
  // CHECK-NEXT: rank: status 2, value 0
  // CHECK-NEXT: {{^}}argument 0: expected memref<128x64xf32>, but got rank 1
  arguments[0].rank = 1;
  printResult("rank", tmemProgramRun(program, 5, arguments, NULL));
  // CHECK-NEXT: a scalar: status 2, value 0
  // CHECK-NEXT: {{^}}argument 0: expected memref<128x64xf32>, but got a scalar
  arguments[0].rank = -1;
  printResult("a scalar", tmemProgramRun(program, 5, arguments, NULL));
  arguments[0].rank = 2;
  // CHECK-NEXT: strides: status 2, value 0
  // CHECK-NEXT: {{^}}argument 0: expected memref<128x64xf32>, but got the strides 80, 1
  arguments[0].strides = strides;
  printResult("strides", tmemProgramRun(program, 5, arguments, NULL));
  arguments[0].strides = NULL;
  // CHECK-NEXT: null data: status 2, value 0
  // CHECK-NEXT: {{^}}argument 0: expected memref<128x64xf32>, but got null
  arguments[0].data = NULL;
  printResult("null data", tmemProgramRun(program, 5, arguments, NULL));
  arguments[0].data = in;
  // CHECK-NEXT: an array: status 2, value 0
  // CHECK-NEXT: {{^}}argument 2: expected f32, but got an array of rank 0
  arguments[2].rank = 0;
  printResult("an array", tmemProgramRun(program, 5, arguments, NULL));
  arguments[2].rank = -1;
  // CHECK-NEXT: shape: status 2, value 0
  // CHECK-NEXT: {{^}}argument 0: expected memref<128x64xf32>, but got the shape 127x64
  shape[0] = 127;
  printResult("shape", tmemProgramRun(program, 5, arguments, NULL));
  shape[0] = Rows;

  // A launch that cannot be, and then one that can.
  // CHECK-NEXT: no blocks: status 2, value 0
  // CHECK-NEXT: expected
  blocks = 0;
  printResult("no blocks", tmemProgramRun(program, 5, arguments, NULL));
  blocks = 1;
  // CHECK-NEXT: after: status 0, value 1
  printResult("after", tmemProgramRun(program, 5, arguments, NULL));
  tmemProgramDestroy(program);
}

static void testFaults(MlirModule module) {
  // CHECK-LABEL: faults
  printf("faults\n");
  // Two at once, with kernels of one name.
  TMemProgram fault = create(module, "fault"), other = create(module, "fault");
  for (int i = 0; i < 2; ++i) {
    // CHECK-NEXT: fault: status 1, value 0
    // CHECK-NEXT: run.mlir:48:18: llvm.nvvm.tcgen05.ld.32x32b.x64: error: column 64 is not allocated [kernel unallocated, block 0,0,0, thread
    // CHECK-NEXT: fault: status 1, value 0
    // CHECK-NEXT: run.mlir:48:18: llvm.nvvm.tcgen05.ld.32x32b.x64: error: column 64 is not allocated
    printResult("fault", tmemProgramRun(i ? other : fault, 0, NULL, NULL));
  }
  tmemProgramDestroy(fault);
  // CHECK-NEXT: still: status 1, value 0
  // CHECK-NEXT: column 64 is not allocated
  printResult("still", tmemProgramRun(other, 0, NULL, NULL));
  tmemProgramDestroy(other);

  TMemProgram aborts = create(module, "aborts");
  char condition = 0;
  TMemArgument argument = {&condition, -1, NULL, NULL};
  // CHECK-NEXT: abort: status 1, value 0
  // CHECK-NEXT: run.mlir:{{[0-9]+}}:{{[0-9]+}}: cf.assert: error: assertion failed: as asked [host code]
  printResult("abort", tmemProgramRun(aborts, 1, &argument, NULL));
  condition = 1;
  // CHECK-NEXT: no abort: status 0, value 7
  printResult("no abort", tmemProgramRun(aborts, 1, &argument, NULL));
  tmemProgramDestroy(aborts);
}

static void printRemark(const char *kind, TMemFaultRemark remark) {
  printf("%s '%.*s', operation '%.*s', place %.*s %u %u\n", kind,
         (int)remark.message.length, remark.message.data,
         (int)remark.operation.length, remark.operation.data,
         (int)remark.file.length, remark.file.data, remark.line, remark.column);
}

/// A fault outlives the program.
static void testFields(MlirModule module) {
  // CHECK-LABEL: fields
  printf("fields\n");
  TMemProgram program = create(module, "fault");
  TMemFault *fault = tmemProgramRun(program, 0, NULL, NULL).fault;
  // Another run leaves the first one's fault alone.
  tmemFaultDestroy(tmemProgramRun(program, 0, NULL, NULL).fault);
  tmemProgramDestroy(program);
  // CHECK-NEXT: error 'column 64 is not allocated', operation 'llvm.nvvm.tcgen05.ld.32x32b.x64', place run.mlir 48 18
  printRemark("error", fault->error);
  // CHECK-NEXT: kernel unallocated, block 0,0,0, thread 1 {{[0-9]+}},0,0, notes 0
  printf("kernel %.*s, block %u,%u,%u, thread %d %u,%u,%u, notes %d\n",
         (int)fault->kernel.length, fault->kernel.data, fault->block[0],
         fault->block[1], fault->block[2], fault->hasThread, fault->thread[0],
         fault->thread[1], fault->thread[2], (int)fault->numNotes);
  tmemFaultDestroy(fault);
  tmemFaultDestroy(NULL);

  // Columns that are never freed: a fault of the block, with a place of its
  // own.
  program = create(module, "leak");
  fault = tmemProgramRun(program, 0, NULL, NULL).fault;
  // CHECK-NEXT: error '{{.*}}', operation '{{.*}}', place run.mlir {{[0-9]+ [0-9]+}}
  printRemark("error", fault->error);
  // CHECK-NEXT: thread 0, notes {{[0-9]}}
  printf("thread %d, notes %d\n", fault->hasThread, (int)fault->numNotes);
  for (intptr_t i = 0; i < fault->numNotes; ++i)
    printRemark("note", fault->notes[i]);
  tmemFaultDestroy(fault);
  tmemProgramDestroy(program);
}

static void testInterrupt(MlirModule module) {
  // CHECK-LABEL: interrupt
  printf("interrupt\n");
  TMemProgram program = create(module, "fault"), null = {NULL};
  tmemProgramSetInterrupt(null, true);
  tmemProgramSetInterrupt(program, true);
  // CHECK-NEXT: set: status 3, value 0
  // CHECK-NEXT: run.mlir:{{.*}}: error: interrupted
  printResult("set", tmemProgramRun(program, 0, NULL, NULL));
  tmemProgramSetInterrupt(program, false);
  // CHECK-NEXT: unset: status 1, value 0
  // CHECK-NEXT: column 64 is not allocated
  printResult("unset", tmemProgramRun(program, 0, NULL, NULL));
  tmemProgramDestroy(program);
}

static void testErrors(MlirModule module) {
  // CHECK-LABEL: errors
  printf("errors\n");
  TMemProgram program;
  // CHECK-NEXT: error: expected a function @absent to run, but got none
  // CHECK-NEXT: 1
  program = create(module, "absent");
  printf("%d\n", program.ptr == NULL);
  // CHECK-NEXT: error: expected memrefs whose elements have strides, integers of 1, 8, 16, 32 or 64 bits, floats of 8, 16, 32 or 64 bits, or indices as arguments, but got 'memref<*xf32>'
  // CHECK-NEXT: 1
  program = create(module, "unranked");
  printf("%d\n", program.ptr == NULL);
  TMemRunOptions options = {0};
  options.entry = mlirStringRefCreateFromCString("fault");
  options.optLevel = 4;
  // CHECK-NEXT: error: expected an optimization level from 1 to 3, but got 4
  // CHECK-NEXT: 1
  printf("%d\n", tmemProgramCreate(module, &options).ptr == NULL);
  options.optLevel = 0;
  options.chip = mlirStringRefCreateFromCString("sm_90");
  // CHECK-NEXT: error: expected
  // CHECK-SAME: sm_90
  // CHECK-NEXT: 1
  printf("%d\n", tmemProgramCreate(module, &options).ptr == NULL);
  options.chip = mlirStringRefCreateFromCString("");
  options.libraryDir = mlirStringRefCreateFromCString("/nowhere");
  // CHECK-NEXT: error: expected the run-time library /nowhere/libtmem_emulation_runtime.so, but there is no such file
  // CHECK-NEXT: 1
  printf("%d\n", tmemProgramCreate(module, &options).ptr == NULL);
  // Null handles.
  TMemProgram null = {NULL};
  MlirModule noModule = {NULL};
  // CHECK-NEXT: null: status 2, value 0
  // CHECK-NEXT: expected a program
  printResult("null", tmemProgramRun(null, 0, NULL, NULL));
  // CHECK-NEXT: 1 -1 1 0
  tmemProgramDestroy(null);
  tmemProgramGetArgumentType(null, 0, print, NULL);
  printf("%d %d %d %d\n", tmemProgramCreate(noModule, NULL).ptr == NULL,
         (int)tmemProgramGetNumArguments(null),
         tmemCompile(noModule, NULL).ptr == NULL,
         (int)tmemBinariesGetNum(tmemCompile(noModule, NULL)));
}

static void testCompile(MlirModule module) {
  // CHECK-LABEL: compile
  printf("compile\n");
  TMemCompileOptions options = {0};
  options.ptxOnly = true;
  for (intptr_t i = 0; i < tmemGetNumChips(); ++i) {
    options.chip = tmemGetChipName(i);
    TMemBinaries binaries = tmemCompile(module, &options);
    MlirStringRef data = tmemBinariesGetData(binaries, 0);
    MlirStringRef name = tmemBinariesGetName(binaries, 0);
    const char *target = strstr(data.data ? data.data : "", ".target ");
    // CHECK-NEXT: 1 kernels, PTX 1, 0 kernels, .target sm_100a
    // CHECK: .target sm_107f
    printf("%d %.*s, PTX %d, %d kernels, %.15s\n",
           (int)tmemBinariesGetNum(binaries), (int)name.length, name.data,
           tmemBinariesIsPTX(binaries, 0),
           (int)tmemBinariesGetNumKernels(binaries, 0), target);
    tmemBinariesDestroy(binaries);
  }
  // CHECK: chips 0 0
  printf("chips %d %d\n", (int)tmemGetChipName(-1).length,
         (int)tmemGetChipName(1000).length);
  options.chip = mlirStringRefCreateFromCString("sm_90");
  // CHECK-NEXT: error: expected
  // CHECK-SAME: sm_90
  // CHECK-NEXT: 1
  printf("%d\n", tmemCompile(module, &options).ptr == NULL);
  options.chip = mlirStringRefCreateFromCString("sm_100a");
  options.optLevel = 4;
  // CHECK-NEXT: error: expected an optimization level from 1 to 3, but got 4
  // CHECK-NEXT: 1
  printf("%d\n", tmemCompile(module, &options).ptr == NULL);
  TMemBinaries null = {NULL};
  TMemKernelResources resources;
  tmemBinariesDestroy(null);
  // CHECK-NEXT: 0 0 0 0 0 0
  printf("%d %d %d %d %d %d\n", (int)tmemBinariesGetNum(null),
         (int)tmemBinariesGetName(null, 0).length,
         (int)tmemBinariesGetData(null, 0).length, tmemBinariesIsPTX(null, 0),
         (int)tmemBinariesGetNumKernels(null, 0),
         tmemBinariesGetKernel(null, 0, 0, &resources));
}

/// Needs ptxas: runner-ptxas.test looks at what this prints.
static void testCubin(MlirModule module) {
  TMemBinaries binaries = tmemCompile(module, NULL);
  MlirStringRef data = tmemBinariesGetData(binaries, 0);
  printf("PTX %d, ELF %d, %d kernels\n", tmemBinariesIsPTX(binaries, 0),
         data.length > 4 && memcmp(data.data, "\177ELF", 4) == 0,
         (int)tmemBinariesGetNumKernels(binaries, 0));
  for (intptr_t i = 0; i < tmemBinariesGetNumKernels(binaries, 0); ++i) {
    TMemKernelResources kernel;
    if (tmemBinariesGetKernel(binaries, 0, i, &kernel))
      printf("%.*s: registers %d, spills %d %d, stack %d, shared %d\n",
             (int)kernel.name.length, kernel.name.data, (int)kernel.registers,
             (int)kernel.spillStoreBytes, (int)kernel.spillLoadBytes,
             (int)kernel.stackBytes, (int)kernel.sharedBytes);
  }
  tmemBinariesDestroy(binaries);
  TMemCompileOptions options = {0};
  options.ptxas = mlirStringRefCreateFromCString("/nowhere/ptxas");
  binaries = tmemCompile(module, &options);
  printf("null %d\n", binaries.ptr == NULL);
}

int main(int argc, char **argv) {
  setvbuf(stdout, NULL, _IONBF, 0);
  if (argc < 2)
    return 2;
  for (int i = 0; i < Rows * Columns; ++i)
    in[i] = (float)(i - 4096);
  for (int i = 0; i < Rows * Pitch; ++i)
    out[i] = -1;
  // The dialect alone: the rest is added by what needs it.
  MlirContext context = mlirContextCreate();
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  tmemRegisterAllDialects(registry);
  mlirContextAppendDialectRegistry(context, registry);
  mlirDialectRegistryDestroy(registry);
  mlirContextAttachDiagnosticHandler(context, printDiagnostic, NULL, NULL);
  MlirModule module = readModule(context, argv[1]);
  if (mlirModuleIsNull(module))
    return 1;
  if (argc > 2) {
    testCubin(module);
    return 0;
  }
  testScale(module);
  testFaults(module);
  testFields(module);
  testInterrupt(module);
  testErrors(module);
  testCompile(module);
  // A program is free of the context it was compiled in.
  TMemProgram survivor = create(module, "fault");
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  // CHECK: survivor: status 1
  printResult("survivor", tmemProgramRun(survivor, 0, NULL, NULL));
  tmemProgramDestroy(survivor);
  // CHECK: done
  printf("done\n");
  return 0;
}
