//===- Reports.cpp - What tmem-explain says, in Python --------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bindings.h"
#include "tmem/Explain/Report.h"
#include "tmem/Explain/Request.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::tmem;
using namespace mlir::tmem::explain;
using namespace tmem_python;

using Reasons =
    nb::typed<nb::list,
              nb::typed<nb::tuple, nb::str, nb::str, nb::str, nb::str>>;

namespace {
/// A transfer to explain; what there is to say of it is found out once.
class Query {
public:
  explicit Query(const RequestText &text) : request(read(text)) {}

  /// The fields of tmem.Plan, of which the layout is text; None where there is
  /// no plan.
  nb::typed<nb::object, nb::any> plan();
  /// (atom, reason, rule, its text) of each that was not chosen; those that the
  /// request leaves out only if asked for.
  Reasons reasons(bool withExcluded);
  std::string text();
  /// As svg or html; `show` is transfer, memory or registers.
  std::string draw(const std::string &format, const std::string &colorBy,
                   const std::vector<int64_t> &marked, const std::string &show);

private:
  static Request read(const RequestText &text);
  const Report &getReport() {
    if (!report)
      report = makeReport(request);
    return *report;
  }

  Request request;
  std::optional<Report> report;
};
} // namespace

static std::string toName(llvm::StringRef option) {
  if (option == "atoms")
    return "atom";
  std::string name = option.str();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

/// Options of the tool, as arguments are called in Python: --vector-size is
/// vector_size.
static std::string toPython(llvm::StringRef text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!text.substr(i).starts_with("--")) {
      result += text[i];
      continue;
    }
    llvm::StringRef name = text.substr(i + 2).take_while(
        [](char c) { return llvm::isAlpha(c) || c == '-'; });
    result += toName(name);
    i += name.size() + 1;
  }
  return result;
}

Request Query::read(const RequestText &text) {
  auto request = readRequest(text);
  if (auto *error = std::get_if<RequestError>(&request))
    raise(toName(error->option) + ": " + toPython(error->message), error->rule);
  return std::move(std::get<Request>(request));
}

nb::typed<nb::object, nb::any> Query::plan() {
  const Report &answer = getReport();
  if (!answer.chosen)
    return nb::none();
  nb::list issues;
  for (const Issue &issue : answer.chosen->plan.issues) {
    nb::list words;
    for (unsigned word : issue.words)
      words.append(word);
    issues.append(nb::make_tuple(issue.repeat, issue.half, issue.column,
                                 nb::tuple(words)));
  }
  std::string registers;
  llvm::raw_string_ostream os(registers);
  answer.registers->layout.print(os);
  const TransferCost &cost = answer.chosen->cost;
  return nb::make_tuple(
      describeAtom(answer.chosen->atom), issues, registers,
      answer.registers->vectorSize,
      nb::make_tuple(cost.issues, cost.moves, cost.registers));
}

Reasons Query::reasons(bool withExcluded) {
  Reasons all;
  for (const SelectionReason &reason : getReport().reasons) {
    if (reason.kind == SelectionReason::Kind::Excluded && !withExcluded)
      continue;
    all.append(nb::make_tuple(
        describeAtom({reason.shape, {}, reason.packing}), reason.message,
        reason.rule ? getRuleId(*reason.rule).str() : "",
        reason.rule ? getRuleText(*reason.rule).str() : ""));
  }
  return all;
}

std::string Query::text() {
  std::string result;
  llvm::raw_string_ostream os(result);
  printText(request, getReport(), os);
  return result;
}

std::string Query::draw(const std::string &format, const std::string &colorBy,
                        const std::vector<int64_t> &marked,
                        const std::string &show) {
  // Of one layout alone there is nothing to find out.
  PictureRequest picture =
      show == "transfer"
          ? makePicture(request, getReport())
          : makePicture(request, {request.registers, std::nullopt, {}});
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

static void initialize(Query *self, const std::string &tile,
                       const std::string &memory,
                       const std::string &secondMemory,
                       const std::string &registers, const std::string &scope,
                       const std::string &direction, const std::string &atoms,
                       std::optional<unsigned> warps, unsigned maxRegisters,
                       std::optional<unsigned> vectorSize,
                       bool registersAlone) {
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
  text.registersAlone = registersAlone;
  new (self) Query(text);
}

void tmem_python::populateReports(nb::module_ &m) {
  nb::class_<Query>(m, "Query")
      .def("__init__", &initialize, nb::arg("tile"), nb::arg("memory"),
           nb::arg("second_memory"), nb::arg("registers"), nb::arg("scope"),
           nb::arg("direction"), nb::arg("atoms"), nb::arg("warps").none(),
           nb::arg("max_registers_per_issue"), nb::arg("vector_size").none(),
           nb::arg("registers_alone"))
      .def("plan", &Query::plan,
           "(atom, issues, registers, vector size, costs), or None.")
      .def("reasons", &Query::reasons, nb::arg("with_excluded"),
           "(atom, reason, rule, its text) of each that was not chosen.")
      .def("text", &Query::text, "What tmem-explain prints.")
      .def("draw", &Query::draw, nb::arg("format"), nb::arg("color_by"),
           nb::arg("mark"), nb::arg("show"), "A picture, as svg or html.");
}
