//===- handles.c - Null handles, and handles of another kind ------*- C -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: tmem-capi-handles-test 2>&1 | FileCheck %s

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "tmem-c/Dialects.h"
#include "tmem-c/Layout.h"
#include "tmem-c/Passes.h"
#include "tmem-c/Planner.h"
#include "tmem-c/Runner.h"
#include "tmem-c/Types.h"
#include <stdio.h>
#include <string.h>

static int checked, wrong;

/// Counts, and says which do not hold.
static void check(bool holds, const char *what) {
  ++checked;
  if (holds)
    return;
  ++wrong;
  printf("wrong: %s\n", what);
}
#define CHECK(condition) check(condition, #condition)

static void append(MlirStringRef text, void *data) {
  (void)text;
  ++*(int *)data;
}

static bool isZeroMode(TMemMode mode) {
  return mode.extent == 0 && mode.stride == 0;
}

/// `attr` is null, or of another kind than any of tmem's.
static void testAttribute(MlirAttribute attr) {
  int64_t low = 7, high = 8;
  int calls = 0;
  CHECK(!tmemAttributeIsALayout(attr));
  CHECK(!tmemAttributeIsADatapath(attr));
  CHECK(!tmemAttributeIsAAtom(attr));
  CHECK(!tmemAttributeIsAScope(attr));
  CHECK(!tmemAttributeIsAFenceKind(attr));
  CHECK(!tmemAttributeStandsForLayout(attr));
  CHECK(tmemLayoutAttrGetNumModes(attr) == -1);
  CHECK(tmemLayoutAttrGetNumReplicas(attr) == -1);
  CHECK(tmemLayoutAttrGetNumOffsets(attr) == -1);
  CHECK(isZeroMode(tmemLayoutAttrGetMode(attr, 0)));
  CHECK(isZeroMode(tmemLayoutAttrGetReplica(attr, 0)));
  CHECK(tmemLayoutAttrGetOffset(attr, 0).value == 0);
  CHECK(tmemDatapathAttrGetLetter(attr) == 0);
  CHECK(tmemDatapathAttrGetHalf(attr) == -1);
  CHECK(tmemAtomAttrGetShape(attr) == TMemAtomShapeNone);
  CHECK(tmemAtomAttrGetPacking(attr) == TMemPackingNone);
  CHECK(tmemAtomAttrGetNumRepeats(attr) == -1);
  CHECK(tmemAtomAttrGetRepeat(attr, 0) == 0);
  CHECK(tmemScopeAttrGetKind(attr) == TMemScopeNone);
  CHECK(tmemScopeAttrGetWarp(attr) == -1);
  CHECK(tmemFenceKindAttrIsAfter(attr) == -1);
  CHECK(tmemLayoutGetNumElements(attr) == -1);
  CHECK(tmemLayoutGetNumReplicas(attr) == -1);
  CHECK(!tmemLayoutIsMemory(attr) && !tmemLayoutIsRegisters(attr));
  CHECK(!tmemLayoutGetRange(attr, TMemAxisTLane, &low, &high));
  CHECK(low == 7 && high == 8);
  CHECK(mlirAttributeIsNull(tmemLayoutCanonicalize(attr)));
  CHECK(mlirAttributeIsNull(tmemLayoutSlice(attr, 1, &low, &low, &low)));
  uint32_t permutation = 0;
  CHECK(mlirAttributeIsNull(tmemLayoutPermute(attr, 1, &low, &permutation)));
  tmemLayoutPrint(attr, append, &calls);
  CHECK(calls == 0);
  CHECK(mlirLogicalResultIsFailure(
      tmemLayoutGetMemoryTable(attr, 32, 0, 1, &low)));
  CHECK(
      mlirLogicalResultIsFailure(tmemLayoutGetRegisterTable(attr, 0, 1, &low)));
  CHECK(low == 7);
}

static void testType(MlirType type) {
  CHECK(!tmemTypeIsAView(type));
  CHECK(!tmemTypeIsAPending(type));
  CHECK(!tmemTypeIsAToken(type));
  CHECK(tmemViewTypeGetRank(type) == -1);
  CHECK(tmemViewTypeGetDimSize(type, 0) == -1);
  CHECK(mlirTypeIsNull(tmemViewTypeGetElementType(type)));
  CHECK(tmemViewTypeGetElementBits(type) == 0);
  CHECK(mlirAttributeIsNull(tmemViewTypeGetLayout(type)));
  CHECK(mlirAttributeIsNull(tmemViewTypeGetExpandedLayout(type)));
  CHECK(tmemViewTypeGetNumColumns(type) == -1);
  CHECK(mlirTypeIsNull(tmemPendingTypeGetPayload(type)));
  CHECK(mlirTypeIsNull(tmemPendingTypeGet(type)));
}

/// Null where something is made of.
static void testMaking(void) {
  MlirContext context = {NULL};
  MlirLocation location = {NULL};
  MlirAttribute attr = {NULL};
  MlirType type = {NULL};
  MlirStringRef text = {NULL, 0};
  TMemMode mode = {1, 1, TMemAxisTLane};
  int64_t one = 1;
  uint32_t repeat = 1;
  CHECK(mlirAttributeIsNull(
      tmemLayoutAttrGet(context, 1, &mode, 0, NULL, 0, NULL)));
  CHECK(mlirAttributeIsNull(
      tmemLayoutAttrGetChecked(location, 1, &mode, 0, NULL, 0, NULL)));
  CHECK(mlirAttributeIsNull(tmemDatapathAttrGet(context, 'D', 0)));
  CHECK(mlirAttributeIsNull(tmemDatapathAttrGetChecked(location, 'D', 0)));
  CHECK(mlirAttributeIsNull(tmemAtomAttrGet(context, TMemAtomShape32x32b, 1,
                                            &repeat, TMemPackingNone)));
  CHECK(mlirAttributeIsNull(tmemAtomAttrGetChecked(
      location, TMemAtomShape32x32b, 1, &repeat, TMemPackingNone)));
  CHECK(mlirAttributeIsNull(tmemScopeAttrGet(context, TMemScopeCTA, 0)));
  CHECK(
      mlirAttributeIsNull(tmemScopeAttrGetChecked(location, TMemScopeCTA, 0)));
  CHECK(mlirAttributeIsNull(tmemFenceKindAttrGet(context, true)));
  CHECK(mlirAttributeIsNull(tmemLayoutParse(location, text)));
  CHECK(mlirAttributeIsNull(tmemLayoutExpand(location, attr, 1, &one, type)));
  CHECK(mlirTypeIsNull(tmemViewTypeGet(1, &one, type, attr)));
  CHECK(mlirTypeIsNull(tmemViewTypeGetChecked(location, 1, &one, type, attr)));
  CHECK(mlirTypeIsNull(tmemPendingTypeGetChecked(location, type)));
  CHECK(mlirTypeIsNull(tmemTokenTypeGet(context)));
  CHECK(tmemAtomShapeFromString(text) == TMemAtomShapeNone);
  CHECK(tmemAtomShapeToString(TMemAtomShapeNone) == NULL);
  CHECK(tmemAtomShapeToString((TMemAtomShape)99) == NULL);
  tmemRegisterAllDialects((MlirDialectRegistry){NULL});
  CHECK(tmemRegister(context, (MlirTypeID){NULL}) == TMemRegisterNull);
}

static void testPlanner(void) {
  MlirAttribute attr = {NULL};
  TMemPlan noPlan = {NULL};
  TMemExplanation nothing = {NULL};
  TMemPlanInfo info;
  TMemRejection rejection;
  TMemCandidate candidate;
  TMemReason reason;
  TMemTransfer transfer;
  memset(&transfer, 0, sizeof(transfer));
  CHECK(!tmemPlanIsLegal(noPlan));
  CHECK(!tmemPlanGetInfo(noPlan, &info));
  CHECK(!tmemPlanGetRejection(noPlan, &rejection));
  CHECK(!tmemExplanationGetError(nothing, &rejection));
  CHECK(tmemExplanationGetNumCandidates(nothing) == 0);
  CHECK(!tmemExplanationGetCandidate(nothing, 0, &candidate));
  CHECK(tmemExplanationGetNumReasons(nothing) == 0);
  CHECK(!tmemExplanationGetReason(nothing, 0, &reason));
  tmemPlanDestroy(noPlan);
  tmemExplanationDestroy(nothing);
  for (int i = 0; i < 2; ++i) {
    TMemPlan plan = tmemPlanCreate(i ? &transfer : NULL, attr);
    CHECK(plan.ptr && !tmemPlanIsLegal(plan));
    CHECK(!tmemPlanGetInfo(plan, NULL) && !tmemPlanGetRejection(plan, NULL));
    CHECK(tmemPlanGetRejection(plan, &rejection));
    CHECK(rejection.rule.length == 0 && rejection.message.length > 0);
    tmemPlanDestroy(plan);
    TMemExplanation answer = tmemExplain(i ? &transfer : NULL, NULL);
    CHECK(answer.ptr && tmemExplanationGetError(answer, &rejection));
    CHECK(!tmemExplanationGetError(answer, NULL));
    CHECK(!tmemExplanationGetCandidate(answer, 0, NULL));
    CHECK(!tmemExplanationGetReason(answer, 0, NULL));
    tmemExplanationDestroy(answer);
  }
}

static void testRunner(void) {
  TMemBinaries binaries = {NULL};
  TMemProgram program = {NULL};
  MlirModule module = {NULL};
  TMemKernelResources resources;
  int calls = 0;
  CHECK(tmemCompile(module, NULL).ptr == NULL);
  CHECK(tmemBinariesGetNum(binaries) == 0);
  CHECK(tmemBinariesGetName(binaries, 0).length == 0);
  CHECK(tmemBinariesGetData(binaries, 0).length == 0);
  CHECK(!tmemBinariesIsPTX(binaries, 0));
  CHECK(tmemBinariesGetNumKernels(binaries, 0) == 0);
  CHECK(!tmemBinariesGetKernel(binaries, 0, 0, &resources));
  tmemBinariesDestroy(binaries);
  CHECK(tmemProgramCreate(module, NULL).ptr == NULL);
  CHECK(tmemProgramGetNumArguments(program) == -1);
  tmemProgramGetArgumentType(program, 0, append, &calls);
  CHECK(calls == 0);
  TMemRunResult result = tmemProgramRun(program, 0, NULL, NULL);
  CHECK(result.status == TMemRunUnusable && result.fault);
  tmemFaultDestroy(result.fault);
  tmemFaultDestroy(NULL);
  tmemProgramSetInterrupt(program, true);
  tmemProgramDestroy(program);
  CHECK(tmemGetNumChips() > 0 && tmemGetChipName(-1).length == 0);
  CHECK(tmemGetChipName(tmemGetNumChips()).length == 0);
}

int main(void) {
  testAttribute((MlirAttribute){NULL});
  testType((MlirType){NULL});
  MlirContext context = mlirContextCreate();
  testAttribute(mlirUnitAttrGet(context));
  testType(mlirF32TypeGet(context));
  mlirContextDestroy(context);
  testMaking();
  testPlanner();
  testRunner();
  // CHECK-NOT: wrong:
  // CHECK: {{1[0-9][0-9]}} checked, wrong 0
  printf("%d checked, wrong %d\n", checked, wrong);
  return wrong != 0;
}
