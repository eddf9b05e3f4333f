//===- picture.c - Pictures through the C API ---------------------*- C -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: tmem-capi-picture-test svg > %t.svg
// RUN: tmem-explain --datapath=B --tile=64x128xf32 --mark=8,70 --format=svg > %t.other.svg
// RUN: cmp %t.svg %t.other.svg
// RUN: tmem-capi-picture-test html > %t.html
// RUN: tmem-explain --datapath=B --tile=64x128xf32 --mark=8,70 --format=html > %t.other.html
// RUN: cmp %t.html %t.other.html
// RUN: tmem-capi-picture-test | FileCheck %s

#include "tmem-c/Picture.h"
#include "mlir-c/BuiltinTypes.h"
#include "tmem-c/Dialects.h"
#include <stdio.h>
#include <string.h>

static MlirContext context;

static MlirType parseType(const char *text) {
  return mlirTypeParseGet(context, mlirStringRefCreateFromCString(text));
}

static MlirAttribute parse(const char *text) {
  return mlirAttributeParseGet(context, mlirStringRefCreateFromCString(text));
}

static void print(MlirStringRef text, void *data) {
  fwrite(text.data, 1, text.length, (FILE *)data);
}

/// Prints an error, or of a document its title.
static void printTitle(MlirStringRef text, void *data) {
  const char *begin = "<title>", *end = "</title>";
  size_t i = 0;
  (void)data;
  while (i + 8 < text.length && strncmp(text.data + i, begin, 7) != 0)
    ++i;
  if (i + 8 >= text.length) {
    printf("error: %.*s\n", (int)text.length, text.data);
    return;
  }
  for (i += 7; strncmp(text.data + i, end, 8) != 0; ++i)
    putchar(text.data[i]);
  putchar('\n');
}

static TMemExplanation explain(const char *view, MlirAttribute registers,
                               TMemAtomShape shape) {
  TMemTransfer transfer = {0};
  TMemSelectionOptions options = {0};
  transfer.view = parseType(view);
  transfer.registers = registers;
  options.numShapes = shape == TMemAtomShapeNone ? 0 : 1;
  options.shapes = &shape;
  return tmemExplain(&transfer, &options);
}

static void check(const char *what, TMemExplanation explanation,
                  const TMemPictureOptions *options) {
  printf("%s: ", what);
  fflush(stdout);
  bool drawn = tmemExplanationDraw(explanation, options, printTitle, NULL);
  printf("  drawn %d\n", drawn);
}

static void checkAll(TMemExplanation found) {
  TMemPictureOptions options = {0};
  // CHECK: default: load of 64x128xf32, scope warpgroup
  // CHECK-NEXT: drawn 1
  check("default", found, NULL);
  // CHECK: memory: 64x128xf32 in Tensor Memory
  options.sides = TMemPictureMemory;
  check("memory", found, &options);
  // CHECK: memory by warp: error: expected a register layout to colour by warp
  // CHECK-NEXT: drawn 0
  options.color = TMemPictureWarp;
  check("memory by warp", found, &options);
  // CHECK: registers: 64x128xf32 in registers
  // CHECK-NEXT: drawn 1
  options.sides = TMemPictureRegisters;
  check("registers", found, &options);
  // CHECK: titled: mine &amp; yours
  options.title = mlirStringRefCreateFromCString("mine & yours");
  check("titled", found, &options);

  int64_t outside[] = {64, 0};
  TMemPictureOptions marked = {0};
  marked.markedRank = 2;
  // CHECK: null index: error: expected an index to mark, but got null
  check("null index", found, &marked);
  marked.marked = outside;
  // CHECK: outside: error: expected an index of 0 to 63 of an element to mark, but got 64
  // CHECK-NEXT: drawn 0
  check("outside", found, &marked);
  TMemPictureOptions other = {0};
  other.format = (TMemPictureFormat)7;
  // CHECK: format: error: expected the format SVG or HTML
  check("format", found, &other);
  // CHECK: no callback: 0 0
  printf("no callback: %d %d\n", tmemExplanationDraw(found, NULL, NULL, NULL),
         tmemExplanationDraw((TMemExplanation){NULL}, NULL, printTitle, NULL));
}

int main(int argc, char **argv) {
  const char *view = "!tmem.view<64x128xf32, #tmem.datapath<B>>";
  MlirAttribute none = {NULL};
  context = mlirContextCreate();
  if (tmemRegister(context, mlirIntegerTypeGetTypeID()) != TMemRegistered)
    return 1;
  TMemExplanation found = explain(view, none, TMemAtomShapeNone);
  if (argc > 1) {
    int64_t element[] = {8, 70};
    TMemPictureOptions options = {0};
    options.format =
        strcmp(argv[1], "svg") == 0 ? TMemPictureSVG : TMemPictureHTML;
    options.markedRank = 2;
    options.marked = element;
    if (!tmemExplanationDraw(found, &options, print, stdout))
      return 1;
  } else {
    checkAll(found);
    // CHECK: refused: load of 64x128xf32, scope warpgroup
    // CHECK-NEXT: drawn 1
    TMemExplanation refused = explain(
        view, parse("#tmem.layout<(64, 2, 64) : (1@tid, 64@tid, 1@reg)>"),
        TMemAtomShape16x64b);
    check("refused", refused, NULL);
    tmemExplanationDestroy(refused);
    // CHECK: no view: error: expected a !tmem.view, but got another type or null
    TMemExplanation unusable = explain("i32", none, TMemAtomShapeNone);
    check("no view", unusable, NULL);
    tmemExplanationDestroy(unusable);
  }
  tmemExplanationDestroy(found);
  mlirContextDestroy(context);
  return 0;
}
