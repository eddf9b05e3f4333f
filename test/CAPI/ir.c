//===- ir.c - Attributes, types and layouts through the C API -----*- C -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: tmem-capi-ir-test 2>&1 | FileCheck %s

#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "tmem-c/Attributes.h"
#include "tmem-c/Dialects.h"
#include "tmem-c/Layout.h"
#include "tmem-c/Types.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print(MlirStringRef text, void *data) {
  (void)data;
  printf("%.*s", (int)text.length, text.data);
}

static void printAttr(const char *name, MlirAttribute attr) {
  printf("%s: ", name);
  if (mlirAttributeIsNull(attr))
    printf("null");
  else
    mlirAttributePrint(attr, print, NULL);
  printf("\n");
}

static void printType(const char *name, MlirType type) {
  printf("%s: ", name);
  if (mlirTypeIsNull(type))
    printf("null");
  else
    mlirTypePrint(type, print, NULL);
  printf("\n");
}

static MlirLogicalResult printDiagnostic(MlirDiagnostic diagnostic,
                                         void *data) {
  printf("error: ");
  mlirDiagnosticPrint(diagnostic, print, data);
  for (intptr_t i = 0; i < mlirDiagnosticGetNumNotes(diagnostic); ++i) {
    printf("\n  note: ");
    mlirDiagnosticPrint(mlirDiagnosticGetNote(diagnostic, i), print, data);
  }
  printf("\n");
  return mlirLogicalResultSuccess();
}

static const MlirAttribute noAttr = {NULL};
static const MlirType noType = {NULL};
static const MlirContext noContext = {NULL};
static const MlirLocation noLocation = {NULL};

/// 64x128 over two groups of lanes, as an accumulator of data path B.
static MlirAttribute makeB(MlirContext context) {
  TMemMode modes[] = {
      {64, 1, TMemAxisTLane}, {2, 64, TMemAxisTLane}, {64, 1, TMemAxisTCol}};
  return tmemLayoutAttrGet(context, 3, modes, 0, NULL, 0, NULL);
}

static void testLayouts(MlirContext context, MlirLocation location) {
  // CHECK-LABEL: layouts
  printf("layouts\n");
  TMemMode modes[] = {{32, 1, TMemAxisTLane}, {4, -7, TMemAxisTCol}};
  TMemMode replicas[] = {{4, 32, TMemAxisTLane}};
  TMemAxisOffset offsets[] = {{21, TMemAxisTCol}};
  MlirAttribute layout =
      tmemLayoutAttrGetChecked(location, 2, modes, 1, replicas, 1, offsets);
  // CHECK-NEXT: made: #tmem.layout<(32, 4) : (1@tlane, -7@tcol) + (21@tcol) * (4 : 32@tlane)>
  printAttr("made", layout);
  // CHECK-NEXT: 2 modes, 1 replicas, 1 offsets
  printf("%d modes, %d replicas, %d offsets\n",
         (int)tmemLayoutAttrGetNumModes(layout),
         (int)tmemLayoutAttrGetNumReplicas(layout),
         (int)tmemLayoutAttrGetNumOffsets(layout));
  TMemMode mode = tmemLayoutAttrGetMode(layout, 1);
  TMemMode replica = tmemLayoutAttrGetReplica(layout, 0);
  TMemAxisOffset offset = tmemLayoutAttrGetOffset(layout, 0);
  // CHECK-NEXT: mode 4:-7@1, replica 4:32@0, offset 21@1
  printf("mode %d:%d@%d, replica %d:%d@%d, offset %d@%d\n", (int)mode.extent,
         (int)mode.stride, mode.axis, (int)replica.extent, (int)replica.stride,
         replica.axis, (int)offset.value, offset.axis);
  // CHECK-NEXT: out of range 0 0 0
  printf("out of range %d %d %d\n",
         (int)tmemLayoutAttrGetMode(layout, 2).extent,
         (int)tmemLayoutAttrGetReplica(layout, -1).extent,
         (int)tmemLayoutAttrGetOffset(layout, 1).value);
  // CHECK-NEXT: is 1 0 0, id 1
  printf("is %d %d %d, id %d\n", tmemAttributeIsALayout(layout),
         tmemAttributeIsADatapath(layout), tmemAttributeIsALayout(noAttr),
         mlirTypeIDEqual(mlirAttributeGetTypeID(layout),
                         tmemLayoutAttrGetTypeID()));

  // CHECK-NEXT: error: expected
  // CHECK-NEXT: note: rule L1:
  // CHECK-NEXT: empty extent: null
  TMemMode empty[] = {{0, 1, TMemAxisTLane}};
  printAttr("empty extent",
            tmemLayoutAttrGetChecked(location, 1, empty, 0, NULL, 0, NULL));
  // The other one says nothing.
  // CHECK-NEXT: quietly: null
  printAttr("quietly", tmemLayoutAttrGet(context, 1, empty, 0, NULL, 0, NULL));
  // CHECK-NEXT: error: expected tlane, tcol, warp, lane, reg or tid, but got axis 77
  // CHECK-NEXT: note: rule L5:
  // CHECK-NEXT: no axis: null
  TMemMode noAxis[] = {{2, 1, (TMemAxis)77}};
  printAttr("no axis",
            tmemLayoutAttrGetChecked(location, 1, noAxis, 0, NULL, 0, NULL));
  // CHECK-NEXT: error: expected a list of modes, but got null
  // CHECK-NEXT: no list: null
  printAttr("no list",
            tmemLayoutAttrGetChecked(location, 3, NULL, 0, NULL, 0, NULL));
  // CHECK-NEXT: null context: null
  printAttr("null context",
            tmemLayoutAttrGet(noContext, 2, modes, 0, NULL, 0, NULL));
  // CHECK-NEXT: null location: null
  printAttr("null location",
            tmemLayoutAttrGetChecked(noLocation, 2, modes, 0, NULL, 0, NULL));
  // CHECK-NEXT: of null -1 -1 -1 0
  printf("of null %d %d %d %d\n", (int)tmemLayoutAttrGetNumModes(noAttr),
         (int)tmemLayoutAttrGetNumReplicas(noAttr),
         (int)tmemLayoutAttrGetNumOffsets(noAttr),
         (int)tmemLayoutAttrGetMode(noAttr, 0).extent);
}

static void testAttributes(MlirContext context, MlirLocation location) {
  // CHECK-LABEL: attributes
  printf("attributes\n");
  MlirAttribute datapath = tmemDatapathAttrGet(context, 'F', 1);
  // CHECK-NEXT: datapath: #tmem.datapath<F, half = 1>
  printAttr("datapath", datapath);
  // CHECK-NEXT: F 1 1 1
  printf("%c %d %d %d\n", tmemDatapathAttrGetLetter(datapath),
         (int)tmemDatapathAttrGetHalf(datapath),
         tmemAttributeIsADatapath(datapath),
         mlirTypeIDEqual(mlirAttributeGetTypeID(datapath),
                         tmemDatapathAttrGetTypeID()));
  // CHECK-NEXT: error: expected no half for datapath B, but got 1
  // CHECK-NEXT: note: rule D3:
  // CHECK-NEXT: half of B: null
  printAttr("half of B", tmemDatapathAttrGetChecked(location, 'B', 1));
  // CHECK-NEXT: error: expected a datapath from A to G, but got 'h'
  // CHECK-NEXT: no letter: null
  printAttr("no letter", tmemDatapathAttrGetChecked(location, 'h', 0));
  // CHECK-NEXT: of null 0 -1
  printf("of null %d %d\n", tmemDatapathAttrGetLetter(noAttr),
         (int)tmemDatapathAttrGetHalf(noAttr));

  uint32_t repeats[] = {64, 32};
  MlirAttribute atom = tmemAtomAttrGet(
      context,
      tmemAtomShapeFromString(mlirStringRefCreateFromCString("16x64b")), 2,
      repeats, TMemPackingPack);
  // CHECK-NEXT: atom: #tmem.atom<16x64b, x64, x32, pack>
  printAttr("atom", atom);
  // CHECK-NEXT: 16x64b 1, 2 counts, 64 32 0, 1
  printf(
      "%s %d, %d counts, %u %u %u, %d\n",
      tmemAtomShapeToString(tmemAtomAttrGetShape(atom)),
      tmemAtomAttrGetPacking(atom), (int)tmemAtomAttrGetNumRepeats(atom),
      tmemAtomAttrGetRepeat(atom, 0), tmemAtomAttrGetRepeat(atom, 1),
      tmemAtomAttrGetRepeat(atom, 2),
      mlirTypeIDEqual(mlirAttributeGetTypeID(atom), tmemAtomAttrGetTypeID()));
  // CHECK-NEXT: error: expected a power of two from x1 to x32 for 16x256b, but got x64
  // CHECK-NEXT: note: rule A1:
  // CHECK-NEXT: x64: null
  printAttr("x64", tmemAtomAttrGetChecked(location, TMemAtomShape16x256b, 1,
                                          repeats, TMemPackingNone));
  // CHECK-NEXT: error: expected a shape of an atom, but got none
  // CHECK-NEXT: no shape: null
  printAttr("no shape", tmemAtomAttrGetChecked(location, TMemAtomShapeNone, 1,
                                               repeats, TMemPackingNone));
  // CHECK-NEXT: error: expected a packing of an atom, but got none
  // CHECK-NEXT: no packing: null
  printAttr("no packing", tmemAtomAttrGetChecked(location, TMemAtomShape16x64b,
                                                 1, repeats, (TMemPacking)3));
  // CHECK-NEXT: error: expected a repetition count, such as x4
  // CHECK-NEXT: note: rule A1:
  // CHECK-NEXT: no count: null
  printAttr("no count", tmemAtomAttrGetChecked(location, TMemAtomShape32x32b, 0,
                                               NULL, TMemPackingNone));
  // CHECK-NEXT: of null 5 (null) -1 0
  printf(
      "of null %d %s %d %u\n", tmemAtomAttrGetShape(noAttr),
      tmemAtomShapeToString(tmemAtomAttrGetShape(noAttr)) ? "name" : "(null)",
      (int)tmemAtomAttrGetNumRepeats(noAttr), tmemAtomAttrGetRepeat(noAttr, 0));

  MlirAttribute scope = tmemScopeAttrGet(context, TMemScopeWarp, 3);
  // CHECK-NEXT: scope: #tmem.scope<warp 3>
  printAttr("scope", scope);
  // CHECK-NEXT: 0 3 1
  printf(
      "%d %d %d\n", tmemScopeAttrGetKind(scope),
      (int)tmemScopeAttrGetWarp(scope),
      mlirTypeIDEqual(mlirAttributeGetTypeID(scope), tmemScopeAttrGetTypeID()));
  // CHECK-NEXT: error: expected a warp from 0 to 3, but got 4
  // CHECK-NEXT: note: rule A5:
  // CHECK-NEXT: warp 4: null
  printAttr("warp 4", tmemScopeAttrGetChecked(location, TMemScopeWarp, 4));
  // CHECK-NEXT: error: expected a warp in warp scope alone, but got warp 1 in warpgroup scope
  // CHECK-NEXT: note: rule A5: a warp's number is 0 to 3, and only warp scope has one
  // CHECK-NEXT: no warp: null
  printAttr("no warp",
            tmemScopeAttrGetChecked(location, TMemScopeWarpgroup, 1));
  // CHECK-NEXT: error: expected a warp in warp scope alone, but got warp -1 in cta scope
  // CHECK-NEXT: note: rule A5:
  // CHECK-NEXT: no warp: null
  printAttr("no warp", tmemScopeAttrGetChecked(location, TMemScopeCTA, -1));
  // CHECK-NEXT: of null 3 -1
  printf("of null %d %d\n", tmemScopeAttrGetKind(noAttr),
         (int)tmemScopeAttrGetWarp(noAttr));
  MlirAttribute fence = tmemFenceKindAttrGet(context, true);
  // CHECK-NEXT: fence: #tmem<fence_kind after>
  printAttr("fence", fence);
  // CHECK-NEXT: 1 -1
  printf("%d %d\n", tmemFenceKindAttrIsAfter(fence),
         tmemFenceKindAttrIsAfter(scope));
}

static void testTypes(MlirContext context, MlirLocation location) {
  // CHECK-LABEL: types
  printf("types\n");
  int64_t shape[] = {64, 128};
  MlirType f32 = mlirF32TypeGet(context);
  MlirType view = tmemViewTypeGetChecked(location, 2, shape, f32,
                                         tmemDatapathAttrGet(context, 'B', 0));
  // CHECK-NEXT: view: !tmem.view<64x128xf32, #tmem.datapath<B>>
  printType("view", view);
  // CHECK-NEXT: rank 2, 64x128 -1, 32 bits, 64 columns, 1 1
  printf("rank %d, %dx%d %d, %u bits, %d columns, %d %d\n",
         (int)tmemViewTypeGetRank(view), (int)tmemViewTypeGetDimSize(view, 0),
         (int)tmemViewTypeGetDimSize(view, 1),
         (int)tmemViewTypeGetDimSize(view, 2), tmemViewTypeGetElementBits(view),
         (int)tmemViewTypeGetNumColumns(view), tmemTypeIsAView(view),
         mlirTypeIDEqual(mlirTypeGetTypeID(view), tmemViewTypeGetTypeID()));
  // CHECK-NEXT: of: f32
  printType("of", tmemViewTypeGetElementType(view));
  // CHECK-NEXT: layout: #tmem.datapath<B>
  printAttr("layout", tmemViewTypeGetLayout(view));
  // CHECK-NEXT: expanded: #tmem.layout<(64, 2, 64) : (1@tlane, 64@tlane, 1@tcol)>
  printAttr("expanded", tmemViewTypeGetExpandedLayout(view));
  // CHECK-NEXT: error: expected a tile of 64 rows and some columns for datapath B, but got the shape 128x64
  // CHECK-NEXT: note: rule D
  // CHECK-NEXT: 128 rows: null
  int64_t tall[] = {128, 64};
  printType("128 rows",
            tmemViewTypeGetChecked(location, 2, tall, f32,
                                   tmemDatapathAttrGet(context, 'B', 0)));
  // CHECK-NEXT: quietly: null
  printType("quietly", tmemViewTypeGet(2, tall, f32,
                                       tmemDatapathAttrGet(context, 'B', 0)));
  // CHECK-NEXT: error: expected a layout attribute, but got none
  // CHECK-NEXT: a scope: null
  printType("a scope",
            tmemViewTypeGetChecked(location, 2, shape, f32,
                                   tmemScopeAttrGet(context, TMemScopeCTA, 0)));
  // CHECK-NEXT: error: expected an element type, but got null
  // CHECK-NEXT: no elements: null
  printType("no elements",
            tmemViewTypeGetChecked(location, 2, shape, noType, makeB(context)));
  // CHECK-NEXT: error: expected a shape, but got null
  // CHECK-NEXT: no shape: null
  printType("no shape",
            tmemViewTypeGetChecked(location, 2, NULL, f32, makeB(context)));
  // CHECK-NEXT: of null -1 -1 0 -1 1 1 1
  printf("of null %d %d %u %d %d %d %d\n", (int)tmemViewTypeGetRank(noType),
         (int)tmemViewTypeGetDimSize(noType, 0),
         tmemViewTypeGetElementBits(noType),
         (int)tmemViewTypeGetNumColumns(noType),
         mlirTypeIsNull(tmemViewTypeGetElementType(noType)),
         mlirAttributeIsNull(tmemViewTypeGetLayout(noType)),
         mlirAttributeIsNull(tmemViewTypeGetExpandedLayout(f32)));

  int64_t size = 64;
  MlirType vector = mlirVectorTypeGet(1, &size, f32);
  MlirType pending = tmemPendingTypeGet(vector);
  // CHECK-NEXT: pending: !tmem.pending<vector<64xf32>>
  printType("pending", pending);
  // CHECK-NEXT: payload: vector<64xf32>
  printType("payload", tmemPendingTypeGetPayload(pending));
  // CHECK-NEXT: error: expected a vector type, but got another type
  // CHECK-NEXT: no vector: null
  printType("no vector", tmemPendingTypeGetChecked(location, f32));
  // CHECK-NEXT: error: expected a vector
  // CHECK-NEXT: note: rule P3:
  // CHECK-NEXT: two dimensions: null
  printType("two dimensions", tmemPendingTypeGetChecked(
                                  location, mlirVectorTypeGet(2, shape, f32)));
  // CHECK-NEXT: null: null
  printType("null", tmemPendingTypeGet(noType));
  MlirType token = tmemTokenTypeGet(context);
  // CHECK-NEXT: token: !tmem.token
  printType("token", token);
  // CHECK-NEXT: 1 0 1 0 1 1
  printf(
      "%d %d %d %d %d %d\n", tmemTypeIsAToken(token), tmemTypeIsAToken(pending),
      tmemTypeIsAPending(pending), tmemTypeIsAPending(noType),
      mlirTypeIDEqual(mlirTypeGetTypeID(token), tmemTokenTypeGetTypeID()),
      mlirTypeIDEqual(mlirTypeGetTypeID(pending), tmemPendingTypeGetTypeID()));
}

/// The tables against the layouts' definition, element by element.
static void testTables(MlirContext context, MlirLocation location) {
  // CHECK-LABEL: tables
  printf("tables\n");
  enum { Rows = 64, Columns = 128, Size = Rows * Columns };
  static int64_t memory[2 * Size], registers[3 * Size];
  MlirAttribute b = makeB(context);
  int wrong = 0;
  // Elements of 16 bits in cells of their own lie 32 bits apart.
  MlirAttribute half = tmemLayoutParse(
      location, mlirStringRefCreateFromCString(
                    "(64, 2, 64) : (1@tlane, 64@tlane, 2@tcol)"));
  for (int pass = 0; pass < 2; ++pass) {
    if (mlirLogicalResultIsFailure(tmemLayoutGetMemoryTable(
            pass ? half : b, pass ? 16 : 32, 0, 2 * Size, memory)))
      ++wrong;
    for (int i = 0; i < Rows; ++i)
      for (int j = 0; j < Columns; ++j) {
        const int64_t *place = memory + 2 * (i * Columns + j);
        wrong += place[0] != i + 64 * (j / 64) || place[1] != 32 * (j % 64);
      }
  }
  MlirAttribute threads = tmemLayoutParse(
      location, mlirStringRefCreateFromCString(
                    "#tmem.layout<(64, 2, 64) : (1@tid, 64@tid, 1@reg)>"));
  if (mlirLogicalResultIsFailure(
          tmemLayoutGetRegisterTable(threads, 0, 3 * Size, registers)))
    ++wrong;
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < Columns; ++j) {
      const int64_t *place = registers + 3 * (i * Columns + j);
      int thread = i + 64 * (j / 64);
      wrong += place[0] != thread / 32 || place[1] != thread % 32 ||
               place[2] != j % 64;
    }
  // CHECK-NEXT: wrong: 0
  printf("wrong: %d\n", wrong);

  // Replicas, an offset, a negative stride; warp and lane instead of tid.
  MlirAttribute copies = tmemLayoutParse(
      location, mlirStringRefCreateFromCString(
                    "(2, 3) : (1@lane, -1@reg) + (5@reg) * (2 : 1@warp)"));
  // CHECK-NEXT: (0,0,5) (0,0,4) (0,0,3) (0,1,5) (0,1,4) (0,1,3)
  // CHECK-NEXT: (1,0,5) (1,0,4) (1,0,3) (1,1,5) (1,1,4) (1,1,3)
  for (int replica = 0; replica < 2; ++replica) {
    tmemLayoutGetRegisterTable(copies, replica, 18, registers);
    for (int e = 0; e < 6; ++e)
      printf("(%d,%d,%d)%c", (int)registers[3 * e], (int)registers[3 * e + 1],
             (int)registers[3 * e + 2], e == 5 ? '\n' : ' ');
  }
  // CHECK-NEXT: refused 1 1 1 1 1 1 1
  printf("refused %d %d %d %d %d %d %d\n",
         mlirLogicalResultIsFailure(
             tmemLayoutGetRegisterTable(copies, 2, 18, registers)),
         mlirLogicalResultIsFailure(
             tmemLayoutGetRegisterTable(copies, 0, 17, registers)),
         mlirLogicalResultIsFailure(
             tmemLayoutGetRegisterTable(copies, -1, 18, registers)),
         mlirLogicalResultIsFailure(
             tmemLayoutGetRegisterTable(b, 0, 3 * Size, registers)),
         mlirLogicalResultIsFailure(
             tmemLayoutGetMemoryTable(b, 24, 0, 2 * Size, memory)),
         mlirLogicalResultIsFailure(
             tmemLayoutGetMemoryTable(noAttr, 32, 0, 2 * Size, memory)),
         mlirLogicalResultIsFailure(
             tmemLayoutGetMemoryTable(b, 32, 0, 2 * Size, NULL)));
}

static void testAlgebra(MlirContext context, MlirLocation location) {
  // CHECK-LABEL: algebra
  printf("algebra\n");
  MlirAttribute b = makeB(context);
  int64_t shape[] = {64, 128}, offsets[] = {16, 64}, sizes[] = {32, 64};
  uint32_t order[] = {1, 0}, twice[] = {1, 1};
  // CHECK-NEXT: window: #tmem.layout<(32, 64) : (1@tlane, 1@tcol) + (80@tlane)>
  // CHECK-NEXT: canonical: #tmem.layout<(32, 64) : (1@tlane, 1@tcol) + (80@tlane)>
  MlirAttribute window = tmemLayoutSlice(b, 2, shape, offsets, sizes);
  printAttr("window", window);
  printAttr("canonical", tmemLayoutCanonicalize(window));
  // CHECK-NEXT: outside: null
  sizes[0] = 49;
  printAttr("outside", tmemLayoutSlice(b, 2, shape, offsets, sizes));
  // CHECK-NEXT: transposed: #tmem.layout<(2, 64, 64) : (64@tlane, 1@tcol, 1@tlane)>
  printAttr("transposed", tmemLayoutPermute(b, 2, shape, order));
  // CHECK-NEXT: no permutation: null
  printAttr("no permutation", tmemLayoutPermute(b, 2, shape, twice));
  // CHECK-NEXT: another shape: null
  shape[0] = 63;
  printAttr("another shape", tmemLayoutPermute(b, 2, shape, order));
  int64_t low = -1, high = -1;
  // CHECK-NEXT: 8192 elements, 1 replicas, memory 1 0, lanes 1: 0 to 127
  bool found = tmemLayoutGetRange(b, TMemAxisTLane, &low, &high);
  printf("%d elements, %d replicas, memory %d %d, lanes %d: %d to %d\n",
         (int)tmemLayoutGetNumElements(b), (int)tmemLayoutGetNumReplicas(b),
         tmemLayoutIsMemory(b), tmemLayoutIsRegisters(b), found, (int)low,
         (int)high);
  // CHECK-NEXT: text: (64, 2, 64) : (1@tlane, 64@tlane, 1@tcol)
  printf("text: ");
  tmemLayoutPrint(b, print, NULL);
  printf("\n");
  shape[0] = 64;
  // CHECK-NEXT: expanded: #tmem.layout<(64, 2, 64) : (1@tlane, 64@tlane, 1@tcol)>
  printAttr("expanded",
            tmemLayoutExpand(location, tmemDatapathAttrGet(context, 'B', 0), 2,
                             shape, mlirF32TypeGet(context)));
  // CHECK-NEXT: error: expected
  // CHECK-NEXT: note: rule D
  // CHECK-NEXT: no expansion: null
  shape[0] = 63;
  printAttr("no expansion",
            tmemLayoutExpand(location, tmemDatapathAttrGet(context, 'B', 0), 2,
                             shape, mlirF32TypeGet(context)));
  // Columns that no layout has.
  shape[0] = 64;
  // CHECK-NEXT: error: expected dimensions of at least 1, but got -128
  // CHECK-NEXT: note: rule V1
  // CHECK-NEXT: columns: null
  // CHECK-NEXT: error: expected dimensions of at least 1, but got 0
  // CHECK-NEXT: note: rule V1
  // CHECK-NEXT: columns: null
  // CHECK-NEXT: error: expected a tile of less than 2^31 elements, but got 64x1099511627776
  // CHECK-NEXT: note: rule L3
  // CHECK-NEXT: columns: null
  // CHECK-NEXT: error: expected a tile of less than 2^31 elements, but got 64x4611686018427387904
  // CHECK-NEXT: note: rule L3
  // CHECK-NEXT: columns: null
  const int64_t columns[] = {-128, 0, (int64_t)1 << 40, (int64_t)1 << 62};
  for (int i = 0; i < 4; ++i) {
    shape[1] = columns[i];
    printAttr("columns",
              tmemLayoutExpand(location, tmemDatapathAttrGet(context, 'B', 0),
                               2, shape, mlirF32TypeGet(context)));
  }
  // CHECK-NEXT: error: expected
  // CHECK-NEXT: no text: null
  printAttr("no text",
            tmemLayoutParse(location, mlirStringRefCreateFromCString("(64")));
  MlirStringRef nothing = {NULL, 0};
  // CHECK-NEXT: error: expected
  // CHECK-NEXT: null text: null
  printAttr("null text", tmemLayoutParse(location, nothing));
  // CHECK-NEXT: of null -1 -1 0 0 0 1 1
  printf(
      "of null %d %d %d %d %d %d %d\n", (int)tmemLayoutGetNumElements(noAttr),
      (int)tmemLayoutGetNumReplicas(noAttr), tmemLayoutIsMemory(noAttr),
      tmemLayoutIsRegisters(noAttr),
      tmemLayoutGetRange(noAttr, TMemAxisReg, &low, &high),
      mlirAttributeIsNull(tmemLayoutCanonicalize(noAttr)),
      mlirAttributeIsNull(tmemLayoutSlice(noAttr, 2, shape, offsets, sizes)));
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  MlirContext context = mlirContextCreate();
  mlirContextAttachDiagnosticHandler(context, printDiagnostic, NULL, NULL);
  MlirLocation location = mlirLocationUnknownGet(context);
  testLayouts(context, location);
  testAttributes(context, location);
  testTypes(context, location);
  testTables(context, location);
  testAlgebra(context, location);
  mlirContextDestroy(context);
  // CHECK-LABEL: done
  printf("done\n");
  return 0;
}
