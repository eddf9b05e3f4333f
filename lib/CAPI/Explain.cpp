//===- Explain.cpp - What tmem-explain answers, from C --------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem-c/Explain.h"
#include "Convert.h"
#include "Prepare.h"
#include "tmem/Explain/Report.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::capi;

namespace {

struct OwnedReport {
  explain::Request request;
  explain::Report answer;
  bool isReadable = false;
  std::optional<explain::RequestError> error; ///< Of the request or a picture.
};

} // namespace

static OwnedReport *unwrap(TMemReport report) {
  return static_cast<OwnedReport *>(report.ptr);
}

static std::optional<unsigned> getIfGiven(uint32_t number) {
  return number ? std::optional<unsigned>(number) : std::nullopt;
}

static explain::RequestText readText(const TMemRequest &from) {
  explain::RequestText text;
  text.tile = getString(from.tile, "");
  text.memory = getString(from.memory, "");
  text.secondMemory = getString(from.secondMemory, "");
  text.registers = getString(from.registers, "");
  text.scope = getString(from.scope, "");
  text.direction = getString(from.direction, "");
  text.atoms = getString(from.atoms, "");
  text.warps = getIfGiven(from.warps);
  text.vectorSize = getIfGiven(from.vectorSize);
  if (from.maxRegistersPerIssue)
    text.maxRegistersPerIssue = from.maxRegistersPerIssue;
  text.registersAlone = from.registersAlone;
  return text;
}

TMemReport tmemReportCreate(const TMemRequest *request) {
  auto report = std::make_unique<OwnedReport>();
  auto read =
      explain::readRequest(readText(request ? *request : TMemRequest()));
  if (auto *error = std::get_if<explain::RequestError>(&read)) {
    report->error = std::move(*error);
    return TMemReport{report.release()};
  }
  report->isReadable = true;
  report->request = std::move(std::get<explain::Request>(read));
  if (request->registersAlone)
    report->answer.registers = report->request.registers;
  else
    report->answer = explain::makeReport(report->request);
  return TMemReport{report.release()};
}

void tmemReportDestroy(TMemReport report) { delete unwrap(report); }

bool tmemReportGetError(TMemReport report, TMemRejection *rejection) {
  if (!report.ptr || !rejection || !unwrap(report)->error)
    return false;
  const explain::RequestError &error = *unwrap(report)->error;
  *rejection = {};
  rejection->message = wrap(StringRef(error.message));
  if (error.rule) {
    rejection->rule = wrap(getRuleId(*error.rule));
    rejection->ruleText = wrap(getRuleText(*error.rule));
  }
  return true;
}

bool tmemReportIsLegal(TMemReport report) {
  return report.ptr && unwrap(report)->answer.chosen.has_value();
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// The picture, or why there is none.
static PictureResult draw(const OwnedReport &report, bool isPage,
                          const TMemPictureOptions &options) {
  bool isTransfer = options.shown == TMemPictureTransfer;
  PictureRequest picture = explain::makePicture(
      report.request,
      isTransfer ? report.answer
                 : explain::Report{report.request.registers, std::nullopt, {}});
  if (options.shown == TMemPictureMemory)
    picture.registers.reset();
  if (options.shown == TMemPictureRegisters)
    picture.memory.clear();
  std::string colorBy = getString(options.colorBy, "element");
  auto color = symbolizePictureColor(colorBy);
  auto marked = getList(options.numMarked, options.marked);
  if (!color || !marked)
    return PictureError{
        !color ? "expected element, warp, lane, register or issue, but got " +
                     colorBy
               : "expected the index of an element, but got null"};
  picture.color = *color;
  picture.marked.assign(marked->begin(), marked->end());
  return isPage ? renderHTML(picture) : renderSVG(picture);
}

bool tmemReportPrint(TMemReport report, TMemReportFormat format,
                     const TMemPictureOptions *options,
                     MlirStringCallback callback, void *userData) {
  if (!report.ptr || !callback || !unwrap(report)->isReadable)
    return false;
  OwnedReport &owned = *unwrap(report);
  std::string text;
  llvm::raw_string_ostream os(text);
  owned.error.reset();
  if (format == TMemReportText) {
    explain::printText(owned.request, owned.answer, os);
  } else if (format == TMemReportJSON) {
    explain::printJSON(owned.request, owned.answer, os);
  } else {
    PictureResult picture = draw(owned, format == TMemReportHTML,
                                 options ? *options : TMemPictureOptions());
    if (auto *error = std::get_if<PictureError>(&picture)) {
      owned.error = explain::RequestError{"", error->message, error->rule};
      return false;
    }
    text = std::move(std::get<std::string>(picture));
  }
  callback(wrap(StringRef(text)), userData);
  return true;
}
