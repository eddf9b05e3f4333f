//===- plan.c - Which instructions move a tile, asked from C ------*- C -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <stdio.h>
#include <tmem-c/Dialects.h>
#include <tmem-c/Planner.h>
#include <tmem-c/Types.h>

#include <mlir-c/BuiltinTypes.h>

/// Accumulators of 64x128 floats that two CTAs have computed together.
static MlirType makeTile(MlirContext context) {
  int64_t shape[] = {64, 128};
  MlirAttribute layout = tmemDatapathAttrGet(context, 'B', 0);
  return tmemViewTypeGet(2, shape, mlirF32TypeGet(context), layout);
}

/// Row i and column j are in register j mod 64 of thread i + 64 * (j / 64).
static MlirAttribute makeRegisters(MlirContext context) {
  TMemMode modes[] = {
      {64, 1, TMemAxisTid}, {2, 64, TMemAxisTid}, {64, 1, TMemAxisReg}};
  return tmemLayoutAttrGet(context, 3, modes, 0, NULL, 0, NULL);
}

static void printCandidates(TMemExplanation explanation) {
  TMemCandidate candidate;
  for (intptr_t i = 0; tmemExplanationGetCandidate(explanation, i, &candidate);
       ++i) {
    printf("%s: issues: %u\n", tmemAtomShapeToString(candidate.plan.shape),
           candidate.plan.cost.issues);
    for (intptr_t k = 0; k < candidate.plan.numIssues; ++k)
      printf("  x%u at column %d\n", candidate.plan.issues[k].repeat,
             (int)candidate.plan.issues[k].column);
  }
}

static void printReasons(TMemExplanation explanation) {
  TMemReason reason;
  for (intptr_t i = 0; tmemExplanationGetReason(explanation, i, &reason); ++i)
    printf("not %s: %.*s\n", tmemAtomShapeToString(reason.shape),
           (int)reason.rejection.message.length, reason.rejection.message.data);
}

int main(void) {
  MlirContext context = mlirContextCreate();
  if (tmemRegister(context, mlirIntegerTypeGetTypeID()) != TMemRegistered) {
    fprintf(stderr, "another copy of MLIR than that of %s\n", tmemBuildInfo());
    return 1;
  }
  TMemTransfer transfer = {0};
  transfer.view = makeTile(context);
  transfer.registers = makeRegisters(context);
  TMemExplanation explanation = tmemExplain(&transfer, NULL);
  printCandidates(explanation);
  printReasons(explanation);
  tmemExplanationDestroy(explanation);
  mlirContextDestroy(context);
  return 0;
}
