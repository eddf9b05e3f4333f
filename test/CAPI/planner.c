//===- planner.c - The planner through the C API ------------------*- C -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: tmem-capi-planner-test 2>&1 | FileCheck %s

#include "tmem-c/Planner.h"
#include "mlir-c/BuiltinTypes.h"
#include "tmem-c/Dialects.h"
#include "tmem-c/Layout.h"
#include "tmem-c/Types.h"
#include <stdio.h>

static MlirContext context;

static void printString(MlirStringRef text) {
  printf("%.*s", (int)text.length, text.data);
}

static void print(MlirStringRef text, void *data) {
  (void)data;
  printString(text);
}

static MlirAttribute parse(const char *text) {
  return mlirAttributeParseGet(context, mlirStringRefCreateFromCString(text));
}

static MlirType parseType(const char *text) {
  return mlirTypeParseGet(context, mlirStringRefCreateFromCString(text));
}

static void printPlan(const TMemPlanInfo *plan) {
  printf("%s, packing %d, cost %u %u %u, warps %u, words %u, pitch %d, split "
         "%d %d %d\n",
         tmemAtomShapeToString(plan->shape), plan->packing, plan->cost.issues,
         plan->cost.moves, plan->cost.registers, plan->numWarps,
         plan->vectorWords, (int)plan->columnsPerWarpgroup,
         (int)plan->splitLane, (int)plan->splitColumn,
         (int)plan->splitImmediate);
  for (intptr_t i = 0; i < plan->numIssues; ++i) {
    const TMemIssue *issue = &plan->issues[i];
    printf("  x%u at half %u, column %d, %d words from %u to %u\n",
           issue->repeat, issue->half, (int)issue->column, (int)issue->numWords,
           issue->words[0], issue->words[issue->numWords - 1]);
  }
}

static void printRejection(const TMemRejection *rejection) {
  printf("[");
  printString(rejection->rule);
  printf("] ");
  printString(rejection->message);
  printf(" at");
  for (intptr_t i = 0; i < rejection->elementRank; ++i)
    printf(" %d", (int)rejection->element[i]);
  printf("\n");
}

static void plan(const TMemTransfer *transfer, const char *atom) {
  MlirAttribute attr = {NULL};
  if (atom)
    attr = parse(atom);
  TMemPlan plan = tmemPlanCreate(transfer, attr);
  TMemPlanInfo info;
  TMemRejection rejection;
  bool legal = tmemPlanGetInfo(plan, &info);
  bool refused = tmemPlanGetRejection(plan, &rejection);
  printf("%d%d ", tmemPlanIsLegal(plan), legal);
  if (legal)
    printPlan(&info);
  if (refused)
    printRejection(&rejection);
  tmemPlanDestroy(plan);
}

static void testPlans(void) {
  // CHECK-LABEL: plans
  printf("plans\n");
  TMemTransfer transfer = {0};
  transfer.view = parseType("!tmem.view<64x128xf32, #tmem.datapath<B>>");
  transfer.registers =
      parse("#tmem.layout<(64, 2, 64) : (1@tid, 64@tid, 1@reg)>");
  // CHECK-NEXT: 11 32x32b, packing 0, cost 1 0 64, warps 4, words 64, pitch 0
  // CHECK-NEXT: x64 at half 0, column 0, 64 words from 0 to 63
  plan(&transfer, "#tmem.atom<32x32b, x64>");
  // CHECK-NEXT: 00 [T1] element (1, 0) is in TMEM lane 1, column 0, {{.*}} there at 1 0
  plan(&transfer, "#tmem.atom<16x256b, x16>");
  // The tile of 96 columns; a store.
  transfer.view = parseType("!tmem.view<128x96xf32, #tmem.datapath<D>>");
  transfer.registers = parse("#tmem.layout<(128, 96) : (1@tid, 1@reg)>");
  transfer.isStore = true;
  // CHECK-NEXT: 11 32x32b, packing 0, cost 2 0 96, warps 4, words 96
  // CHECK-NEXT: x64 at half 0, column 0, 64 words from 0 to 63
  // CHECK-NEXT: x32 at half 0, column 64, 32 words from 64 to 95
  plan(&transfer, "#tmem.atom<32x32b, x64, x32>");
  // CHECK-NEXT: 00 [A2]
  plan(&transfer, "#tmem.atom<32x32b, x64, x32, pack>");
  // More slots than elements: those of the layout start at 3.
  transfer.registers =
      parse("#tmem.layout<(128, 96) : (1@tid, 1@reg) + (3@reg)>");
  transfer.vectorSize = 128;
  // CHECK-NEXT: 11 32x32b, packing 0, cost 2 0 128, warps 4, words 128
  // CHECK-NEXT: 64 words from 3 to 66
  // CHECK-NEXT: 32 words from 67 to 98
  plan(&transfer, "#tmem.atom<32x32b, x64, x32>");
  // CHECK-NEXT: 00 [R
  transfer.vectorSize = 98;
  plan(&transfer, "#tmem.atom<32x32b, x64, x32>");
}

static void testSplits(void) {
  // CHECK-LABEL: splits
  printf("splits\n");
  TMemTransfer transfer = {0};
  transfer.view = parseType(
      "!tmem.view<64x8xf32, #tmem.layout<(4, 16, 8) : (32@tlane, 1@tlane, "
      "1@tcol)>>");
  transfer.secondView = parseType(
      "!tmem.view<64x8xf32, #tmem.layout<(4, 16, 8) : (32@tlane, 1@tlane, "
      "1@tcol) + (16@tlane, 40@tcol)>>");
  transfer.registers =
      parse("#tmem.layout<(2, 4, 16, 8) : (16@tid, 32@tid, 1@tid, 1@reg)>");
  // CHECK-NEXT: 11 16x32bx2, packing 0, cost 2 0 8, {{.*}} split 16 40 1048616
  // CHECK-NEXT: x8 at half 0, column 0, 8 words from 0 to 7
  plan(&transfer, "#tmem.atom<16x32bx2, x8>");
  transfer.splitImmediate = 1048616;
  // CHECK-NEXT: 11 16x32bx2
  // CHECK-NEXT: x8
  plan(&transfer, "#tmem.atom<16x32bx2, x8>");
  // CHECK-NEXT: 00 [S3] element (1, 0, 0) {{.*}} at 1 0 0
  transfer.splitImmediate = 16 << 16 | 41;
  plan(&transfer, "#tmem.atom<16x32bx2, x8>");
  // CHECK-NEXT: 00 [S2] expected an immediate of 32 bits
  transfer.splitImmediate = -1;
  plan(&transfer, "#tmem.atom<16x32bx2, x8>");
  // CHECK-NEXT: 00 [A4]
  transfer.splitImmediate = 0;
  plan(&transfer, "#tmem.atom<32x32b, x8>");
  // CHECK-NEXT: 00 [] expected two views of one shape and element type at
  transfer.secondView = parseType("!tmem.view<128x8xf32, #tmem.datapath<D>>");
  plan(&transfer, "#tmem.atom<16x32bx2, x8>");
}

static void testRefusals(void) {
  // CHECK-LABEL: refusals
  printf("refusals\n");
  TMemTransfer transfer = {0};
  TMemRejection rejection;
  // CHECK-NEXT: 00 [] expected a transfer, but got null at
  plan(NULL, "#tmem.atom<32x32b, x64>");
  // CHECK-NEXT: 00 [] expected a !tmem.view, but got another type or null at
  plan(&transfer, "#tmem.atom<32x32b, x64>");
  // CHECK-NEXT: 00 [] expected a !tmem.view, but got another type or null at
  transfer.view = mlirF32TypeGet(context);
  plan(&transfer, "#tmem.atom<32x32b, x64>");
  transfer.view = parseType("!tmem.view<64x128xf32, #tmem.datapath<B>>");
  // CHECK-NEXT: 00 [] expected registers, but got null at
  plan(&transfer, "#tmem.atom<32x32b, x64>");
  // CHECK-NEXT: 00 [] expected a layout as registers, but got another attribute at
  transfer.registers = parse("#tmem.scope<cta>");
  plan(&transfer, "#tmem.atom<32x32b, x64>");
  // CHECK-NEXT: 00 [L5] expected a register layout, but got the axes of a memory layout at
  transfer.registers = parse("#tmem.datapath<B>");
  plan(&transfer, "#tmem.atom<32x32b, x64>");
  transfer.registers =
      parse("#tmem.layout<(64, 2, 64) : (1@tid, 64@tid, 1@reg)>");
  // CHECK-NEXT: 00 [] expected a #tmem.atom, but got another attribute or null at
  plan(&transfer, NULL);
  // CHECK-NEXT: 00 [] expected a #tmem.atom, but got another attribute or null at
  plan(&transfer, "#tmem.scope<cta>");
  // CHECK-NEXT: 00 [] expected a #tmem.scope, but got another attribute at
  transfer.scope = parse("#tmem.atom<32x32b, x64>");
  plan(&transfer, "#tmem.atom<32x32b, x64>");
  // CHECK-NEXT: 00 [A4]
  transfer.scope = parse("#tmem.scope<warpgroup>");
  transfer.splitImmediate = 7;
  plan(&transfer, "#tmem.atom<32x32b, x64>");
  // CHECK-NEXT: 00 [] expected a vector of at least one element, but got -1 at
  transfer.splitImmediate = 0;
  transfer.vectorSize = -1;
  plan(&transfer, "#tmem.atom<32x32b, x64>");
  // CHECK-NEXT: null 0 0 0 0 0 0 0
  TMemPlan none = {NULL};
  TMemPlanInfo info;
  TMemExplanation nothing = {NULL};
  tmemPlanDestroy(none);
  tmemExplanationDestroy(nothing);
  printf("null %d %d %d %d %d %d %d\n", tmemPlanIsLegal(none),
         tmemPlanGetInfo(none, &info), tmemPlanGetRejection(none, &rejection),
         (int)tmemExplanationGetNumCandidates(nothing),
         (int)tmemExplanationGetNumReasons(nothing),
         tmemExplanationGetCandidate(nothing, 0, NULL),
         tmemExplanationGetError(nothing, &rejection));
}

static void explain(const TMemTransfer *transfer,
                    const TMemSelectionOptions *options) {
  TMemExplanation explanation = tmemExplain(transfer, options);
  TMemRejection error;
  if (tmemExplanationGetError(explanation, &error)) {
    printf("error ");
    printRejection(&error);
  }
  printf("%d candidates, %d reasons\n",
         (int)tmemExplanationGetNumCandidates(explanation),
         (int)tmemExplanationGetNumReasons(explanation));
  TMemCandidate candidate;
  // One less and one more than there are: they are not there.
  for (intptr_t i = -1; i <= tmemExplanationGetNumCandidates(explanation); ++i)
    if (tmemExplanationGetCandidate(explanation, i, &candidate)) {
      printf("candidate %d: ", (int)i);
      mlirAttributePrint(candidate.atom, print, NULL);
      printf(" ");
      mlirAttributePrint(candidate.registers, print, NULL);
      printf(" of %d\n  ", (int)candidate.vectorSize);
      printPlan(&candidate.plan);
    }
  TMemReason reason;
  for (intptr_t i = -1; i <= tmemExplanationGetNumReasons(explanation); ++i)
    if (tmemExplanationGetReason(explanation, i, &reason)) {
      printf("%s %d kind %d ", tmemAtomShapeToString(reason.shape),
             reason.packing, reason.kind);
      printRejection(&reason.rejection);
    }
  tmemExplanationDestroy(explanation);
}

static void testExplanations(void) {
  // CHECK-LABEL: explanations
  printf("explanations\n");
  TMemTransfer transfer = {0};
  transfer.view = parseType("!tmem.view<128x96xf32, #tmem.datapath<D>>");
  // CHECK-NEXT: 5 candidates, 4 reasons
  // CHECK-NEXT: candidate 0: #tmem.atom<32x32b, x64, x32> #tmem.layout<(128, 96) : (1@tid, 1@reg)> of 96
  // CHECK-NEXT: 32x32b, packing 0, cost 2 0 96
  // CHECK-NEXT: x64
  // CHECK-NEXT: x32
  // CHECK: 16x64b 0 kind 1 [] costs 4 issues, where 32x32b, x64, x32 costs 2 at
  explain(&transfer, NULL);
  // With registers; and a limit that only some can keep.
  transfer.registers = parse("#tmem.layout<(128, 96) : (1@tid, 1@reg)>");
  TMemAtomShape shapes[] = {TMemAtomShape32x32b, TMemAtomShape16x256b};
  TMemSelectionOptions options = {16, 2, shapes};
  // CHECK: 1 candidates
  // CHECK-NEXT: candidate 0: #tmem.atom<32x32b, x16> {{.*}} of 96
  // CHECK-NEXT: cost 6 0 96
  // CHECK-COUNT-6: x16 at half 0
  // CHECK: 16x64b 0 kind 3
  // CHECK: 16x256b 0 kind 0 [T1] {{.*}} at {{[0-9]+}} {{[0-9]+$}}
  explain(&transfer, &options);
  // CHECK: error [] expected 1 to 128 registers, but got 129 at
  // CHECK-NEXT: 0 candidates, 0 reasons
  options.maxRegistersPerIssue = 129;
  explain(&transfer, &options);
  // CHECK: error [] expected a list of shapes, but got null at
  // CHECK-NEXT: 0 candidates, 0 reasons
  options.maxRegistersPerIssue = 0;
  options.shapes = NULL;
  explain(&transfer, &options);
  // CHECK: error [] expected a shape of an atom, but got none at
  shapes[1] = TMemAtomShapeNone;
  options.shapes = shapes;
  explain(&transfer, &options);
  // CHECK: error [] expected the scope cta with a number of warps, but got warpgroup at
  transfer.numWarps = 4;
  explain(&transfer, NULL);
  // CHECK: error [] expected registers to be inferred with a number of warps, but got a layout at
  transfer.scope = parse("#tmem.scope<cta>");
  explain(&transfer, NULL);
  // CHECK: error [R2] expected 1 to 4 warps in the scope, or a multiple of 4 up to 32, but got 6 at
  transfer.registers = (MlirAttribute){NULL};
  transfer.numWarps = 6;
  explain(&transfer, NULL);
  // One warp reaches 32 of 128 lanes.
  // CHECK: 0 candidates, 5 reasons
  // CHECK-NEXT: 32x32b 0 kind 0 [T4] element (32, 0) is in TMEM lane 32, column 0, but 1 warp reaches TMEM lanes 0 to 31 at 32 0
  transfer.numWarps = 1;
  explain(&transfer, NULL);
  // CHECK: error [] expected a transfer, but got null at
  explain(NULL, NULL);
  // Two warpgroups, each with its half of the columns.
  TMemTransfer both = {0};
  both.view = parseType("!tmem.view<128x64xf32, #tmem.datapath<D>>");
  both.scope = parse("#tmem.scope<cta>");
  both.numWarps = 8;
  // CHECK: candidate 0: {{.*}} of 32
  // CHECK-NEXT: warps 8, words 32, pitch 32
  explain(&both, NULL);
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  context = mlirContextCreate();
  if (tmemRegister(context, mlirIntegerTypeGetTypeID()) != TMemRegistered)
    return 1;
  testPlans();
  testSplits();
  testRefusals();
  testExplanations();
  mlirContextDestroy(context);
  // CHECK: done
  printf("done\n");
  return 0;
}
