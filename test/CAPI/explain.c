//===- explain.c - Reports and pictures through the C API ---------*- C -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: tmem-capi-explain-test | FileCheck %s
// RUN: tmem-capi-explain-test text > %t.text
// RUN: tmem-explain --datapath=F --tile=64x64xf32 | diff - %t.text
// RUN: tmem-capi-explain-test json > %t.json
// RUN: tmem-explain --datapath=F --tile=64x64xf32 --format=json | diff - %t.json
// RUN: tmem-capi-explain-test svg > %t.svg
// RUN: tmem-explain --datapath=F --tile=64x64xf32 --format=svg --color-by=issue --mark=8,40 | diff - %t.svg
// RUN: tmem-capi-explain-test html > %t.html
// RUN: tmem-explain --datapath=F --tile=64x64xf32 --format=html --color-by=issue --mark=8,40 | diff - %t.html

#include "tmem-c/Explain.h"
#include <stdio.h>
#include <string.h>

static void print(MlirStringRef text, void *data) {
  (void)data;
  fwrite(text.data, 1, text.length, stdout);
}

static void printStart(MlirStringRef text, void *data) {
  (void)data;
  printf("%.5s\n", text.length > 5 ? text.data : "short");
}

static MlirStringRef toRef(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

static TMemReport makeReport(const char *tile, const char *memory) {
  TMemRequest request = {0};
  request.tile = toRef(tile);
  request.memory = toRef(memory);
  return tmemReportCreate(&request);
}

static void printError(TMemReport report) {
  TMemRejection rejection;
  if (!tmemReportGetError(report, &rejection)) {
    printf("no error\n");
    return;
  }
  printf("error: %.*s [%.*s]\n", (int)rejection.message.length,
         rejection.message.data, (int)rejection.rule.length,
         rejection.rule.data);
}

static void testErrors(void) {
  TMemReport null = {NULL};
  TMemRejection rejection;
  // CHECK: null 0 0 0
  printf("null %d %d %d\n", tmemReportGetError(null, &rejection),
         tmemReportIsLegal(null),
         tmemReportPrint(null, TMemReportText, NULL, print, NULL));
  tmemReportDestroy(null);

  TMemReport nothing = tmemReportCreate(NULL);
  // CHECK-NEXT: error: expected a tile such as 64x128xf32, but got none []
  printError(nothing);
  // CHECK-NEXT: unreadable 0 0 0
  printf("unreadable %d %d %d\n", tmemReportIsLegal(nothing),
         tmemReportPrint(nothing, TMemReportText, NULL, print, NULL),
         tmemReportGetError(nothing, NULL));
  tmemReportDestroy(nothing);

  TMemReport wrong = makeReport("64x64xf32", "(64, 64) : (1@tlane)");
  // CHECK-NEXT: error: expected as many strides as the 2 extents, but got 1 [L2]
  printError(wrong);
  tmemReportDestroy(wrong);
}

static void testPictures(void) {
  TMemReport report = makeReport("64x64xf32", "#tmem.datapath<F>");
  TMemPictureOptions options = {0};
  // CHECK-NEXT: legal 1
  printf("legal %d\n", tmemReportIsLegal(report));
  // CHECK-NEXT: no error
  printError(report);
  options.colorBy = toRef("taste");
  // CHECK-NEXT: drawn 0
  printf("drawn %d\n",
         tmemReportPrint(report, TMemReportSVG, &options, print, NULL));
  // CHECK-NEXT: error: expected element, warp, lane, register or issue, but got taste []
  printError(report);
  options.colorBy = toRef("");
  options.numMarked = 2;
  // CHECK-NEXT: drawn 0
  printf("drawn %d\n",
         tmemReportPrint(report, TMemReportSVG, &options, print, NULL));
  options.numMarked = 0;
  for (int shown = 0; shown < 3; ++shown) {
    options.shown = (TMemPictureShown)shown;
    // The registers are inferred: alone there are none.
    // CHECK-NEXT: <svg
    // CHECK-NEXT: <svg
    // CHECK-NEXT: drawn 1 1 0
    bool drawn =
        tmemReportPrint(report, TMemReportSVG, &options, printStart, NULL);
    if (shown == 2)
      printf("drawn 1 1 %d\n", drawn);
  }
  tmemReportDestroy(report);
}

/// What tmem-explain prints, too.
static int printAs(const char *format) {
  int64_t marked[] = {8, 40};
  TMemReport report = makeReport("64x64xf32", "#tmem.datapath<F>");
  TMemPictureOptions options = {0};
  options.colorBy = toRef("issue");
  options.numMarked = 2;
  options.marked = marked;
  TMemReportFormat number = !strcmp(format, "json")   ? TMemReportJSON
                            : !strcmp(format, "svg")  ? TMemReportSVG
                            : !strcmp(format, "html") ? TMemReportHTML
                                                      : TMemReportText;
  bool printed = tmemReportPrint(report, number, &options, print, NULL);
  tmemReportDestroy(report);
  return !printed;
}

int main(int argc, char **argv) {
  if (argc > 1)
    return printAs(argv[1]);
  testErrors();
  testPictures();
  return 0;
}
