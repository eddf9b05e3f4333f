//===- Reports.cpp - What tmem-explain says, in Python --------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bindings.h"
#include "Report.h"
#include "Request.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::tmem;
using namespace mlir::tmem::explain;
using namespace tmem_python;

static Request read(const RequestText &text) {
  auto request = readRequest(text);
  if (auto *error = std::get_if<RequestError>(&request))
    raise(error->option + ": " + error->message, error->rule);
  return std::move(std::get<Request>(request));
}

static std::string draw(const Request &request, const Report &report,
                        const std::string &format, const std::string &colorBy,
                        const std::vector<int64_t> &marked,
                        const std::string &show) {
  PictureRequest picture = makePicture(request, report);
  if (show == "memory")
    picture.registers.reset();
  if (show == "registers")
    picture.memory.clear();
  auto color = symbolizePictureColor(colorBy);
  if (!color)
    raise(
        "color_by: expected element, warp, lane, register or issue, but got " +
            colorBy,
        std::nullopt);
  picture.color = *color;
  picture.marked.assign(marked.begin(), marked.end());
  PictureResult result =
      format == "svg" ? renderSVG(picture) : renderHTML(picture);
  if (auto *error = std::get_if<PictureError>(&result))
    raise(error->message, error->rule);
  return std::move(std::get<std::string>(result));
}

/// The answer in a format of tmem-explain: text, json, svg or html.
static std::string answer(const RequestText &text, const std::string &format,
                          const std::string &colorBy,
                          const std::vector<int64_t> &marked,
                          const std::string &show) {
  Request request = read(text);
  Report report;
  if (show == "transfer")
    report = makeReport(request);
  else
    report.registers = request.registers;
  if (format == "svg" || format == "html")
    return draw(request, report, format, colorBy, marked, show);
  std::string result;
  llvm::raw_string_ostream os(result);
  if (format == "json")
    printJSON(request, report, os);
  else
    printText(request, report, os);
  return result;
}

/// The fields of tmem.Plan, of which the layout is text; None where there is no
/// plan. What tmem.plan does often, it does without JSON.
static nb::object plan(const RequestText &text) {
  Request request = read(text);
  Report report = makeReport(request);
  if (!report.chosen)
    return nb::none();
  nb::list issues;
  for (const Issue &issue : report.chosen->plan.issues) {
    nb::list words;
    for (unsigned word : issue.words)
      words.append(word);
    issues.append(nb::make_tuple(issue.repeat, issue.half, issue.column,
                                 nb::tuple(words)));
  }
  std::string registers;
  llvm::raw_string_ostream os(registers);
  report.registers->layout.print(os);
  const TransferCost &cost = report.chosen->cost;
  return nb::make_tuple(
      describeAtom(report.chosen->atom), issues, registers,
      report.registers->vectorSize,
      nb::make_tuple(cost.issues, cost.moves, cost.registers));
}

static RequestText
makeText(const std::string &tile, const std::string &memory,
         const std::string &secondMemory, const std::string &registers,
         const std::string &scope, const std::string &direction,
         const std::string &atoms, std::optional<unsigned> warps,
         unsigned maxRegisters, std::optional<unsigned> vectorSize) {
  RequestText text;
  text.tile = tile;
  text.memory = memory;
  text.secondMemory = secondMemory;
  text.registers = registers;
  text.scope = scope;
  text.direction = direction;
  text.atoms = atoms;
  text.warps = warps;
  text.maxRegistersPerIssue = maxRegisters;
  text.vectorSize = vectorSize;
  return text;
}

void tmem_python::populateReports(nb::module_ &m) {
  m.def(
      "explain",
      [](const std::string &tile, const std::string &memory,
         const std::string &secondMemory, const std::string &registers,
         const std::string &scope, const std::string &direction,
         const std::string &atoms, std::optional<unsigned> warps,
         unsigned maxRegisters, std::optional<unsigned> vectorSize,
         const std::string &format, const std::string &colorBy,
         const std::vector<int64_t> &marked, const std::string &show) {
        RequestText text =
            makeText(tile, memory, secondMemory, registers, scope, direction,
                     atoms, warps, maxRegisters, vectorSize);
        text.registersAlone = show == "registers";
        return answer(text, format, colorBy, marked, show);
      },
      nb::arg("tile"), nb::arg("memory"), nb::arg("second_memory"),
      nb::arg("registers"), nb::arg("scope"), nb::arg("direction"),
      nb::arg("atoms"), nb::arg("warps").none(),
      nb::arg("max_registers_per_issue"), nb::arg("vector_size").none(),
      nb::arg("format"), nb::arg("color_by"), nb::arg("mark"), nb::arg("show"),
      "What tmem-explain answers, as text, json, svg or html.");
  m.def(
      "plan",
      [](const std::string &tile, const std::string &memory,
         const std::string &secondMemory, const std::string &registers,
         const std::string &scope, const std::string &direction,
         const std::string &atoms, std::optional<unsigned> warps,
         unsigned maxRegisters, std::optional<unsigned> vectorSize) {
        return plan(makeText(tile, memory, secondMemory, registers, scope,
                             direction, atoms, warps, maxRegisters,
                             vectorSize));
      },
      nb::arg("tile"), nb::arg("memory"), nb::arg("second_memory"),
      nb::arg("registers"), nb::arg("scope"), nb::arg("direction"),
      nb::arg("atoms"), nb::arg("warps").none(),
      nb::arg("max_registers_per_issue"), nb::arg("vector_size").none(),
      "(atom, issues, registers, vector size, costs), or None.");
}
