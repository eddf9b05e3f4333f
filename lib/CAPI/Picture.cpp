//===- Picture.cpp - Pictures of transfers from C -------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem-c/Picture.h"
#include "Convert.h"
#include "Explanation.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::capi;

/// Reads the options into `request`, or says what is wrong with them.
static std::optional<PictureError>
readOptions(const TMemPictureOptions &options, PictureRequest &request) {
  if (unsigned(options.format) > TMemPictureHTML)
    return PictureError{"expected the format SVG or HTML, but got another"};
  if (unsigned(options.sides) > TMemPictureRegisters)
    return PictureError{"expected a transfer, memory or registers to draw, but "
                        "got something else"};
  if (unsigned(options.color) > TMemPictureIssue)
    return PictureError{"expected colours that stand for an element, a warp, a "
                        "lane, a register or an issue, but got others"};
  auto marked = getList(options.markedRank, options.marked);
  if (!marked)
    return PictureError{"expected an index to mark, but got null"};
  if (options.sides == TMemPictureMemory)
    request.registers.reset();
  if (options.sides == TMemPictureRegisters)
    request.memory.clear();
  if (options.sides != TMemPictureTransfer) {
    request.chosen.reset();
    request.reasons.clear();
  }
  request.color = PictureColor(options.color);
  request.marked.assign(marked->begin(), marked->end());
  if (options.title.data)
    request.title = unwrap(options.title).str();
  return std::nullopt;
}

static PictureResult draw(TMemExplanation explanation,
                          const TMemPictureOptions &options) {
  auto found = getPictureRequest(explanation);
  if (auto *error = std::get_if<PictureError>(&found))
    return *error;
  auto &request = std::get<PictureRequest>(found);
  if (auto error = readOptions(options, request))
    return *error;
  return options.format == TMemPictureSVG ? renderSVG(request)
                                          : renderHTML(request);
}

bool tmemExplanationDraw(TMemExplanation explanation,
                         const TMemPictureOptions *options,
                         MlirStringCallback callback, void *userData) {
  if (!explanation.ptr || !callback)
    return false;
  PictureResult result =
      draw(explanation, options ? *options : TMemPictureOptions{});
  auto *error = std::get_if<PictureError>(&result);
  callback(
      wrap(StringRef(error ? error->message : std::get<std::string>(result))),
      userData);
  return !error;
}
