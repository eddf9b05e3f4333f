//===- Report.cpp - What tmem-explain answers -----------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Explain/Report.h"
#include "tmem/Layout/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::tmem;
using namespace mlir::tmem::explain;

/// Of a request with registers.
static Transfer getTransfer(const Request &request) {
  return {request.direction,
          request.memory,
          request.registers->layout,
          request.tile.shape,
          request.tile.elementBits,
          request.registers->vectorSize,
          request.scope};
}

Report explain::makeReport(const Request &request) {
  Report report;
  if (request.registers) {
    report.registers = request.registers;
    SelectionResult result = selectAtom(getTransfer(request), request.options);
    if (result.isFound())
      report.chosen = std::move(result.candidates.front());
    report.reasons = std::move(result.reasons);
    return report;
  }
  InferenceResult result = inferRegisterLayout(
      {request.memory, request.tile.shape, request.tile.elementBits,
       request.scope, request.numWarps, request.direction},
      std::nullopt, request.options);
  if (result.isFound()) {
    report.registers = std::move(result.candidates.front().registers);
    report.chosen = std::move(result.candidates.front().choice);
  }
  report.reasons = std::move(result.reasons);
  return report;
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

static std::string toString(const Layout &layout) {
  std::string text;
  llvm::raw_string_ostream os(text);
  layout.print(os);
  return text;
}

static std::string getTile(const Request &request) {
  std::string text;
  for (int64_t size : request.tile.shape)
    text += std::to_string(size) + "x";
  return text + request.tile.elementType;
}

static std::string getScope(const Request &request) {
  switch (request.scope.kind) {
  case ScopeKind::Warp:
    return "warp " + std::to_string(request.scope.warp);
  case ScopeKind::Warpgroup:
    return "warpgroup";
  case ScopeKind::CTA:
    return "cta";
  }
  llvm_unreachable("not a scope");
}

static llvm::StringRef getDirection(const Request &request) {
  return request.direction == Direction::Load ? "load" : "store";
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// 32-bit registers of a thread. (CUDA programming guide, "Compute
/// Capabilities".)
static constexpr unsigned maxThreadRegisters = 255;

/// "registers 0 to 63", "register 2".
static void printWords(llvm::raw_ostream &os, llvm::ArrayRef<unsigned> words) {
  os << (words.size() == 1 ? "register " : "registers ") << describeRuns(words);
}

static void printChosen(const SelectionCandidate &chosen,
                        llvm::raw_ostream &os) {
  const TransferPlan &plan = chosen.plan;
  os << "chosen: " << describeAtom(chosen.atom) << "\n  cost: ";
  os << describeCount(chosen.cost.issues, "issue") << ", "
     << describeCount(chosen.cost.moves, "register move") << ", "
     << describeCount(chosen.cost.registers, "register");
  if (chosen.cost.registers > maxThreadRegisters)
    os << " (a thread has " << maxThreadRegisters
       << ": cut the tile, or have tmem-tile-transfers cut it)";
  os << '\n';
  if (plan.shape == AtomShape::S16x32bx2)
    os << "  second access: " << plan.split.lane << " lanes and "
       << plan.split.column << " columns after the first\n";
  if (plan.columnsPerWarpgroup != 0)
    os << "  columns from one warpgroup to the next: "
       << plan.columnsPerWarpgroup << '\n';
  for (auto [index, issue] : llvm::enumerate(plan.issues)) {
    os << "  issue " << index << ": x" << issue.repeat << " at half "
       << issue.half << ", column " << issue.column << ", ";
    printWords(os, issue.words);
    os << '\n';
  }
}

/// What to allow instead of shapes that do not fit the registers.
static std::string findAlternative(const Request &request,
                                   const Report &report) {
  if (report.chosen || !request.registers || request.options.shapes.empty())
    return "";
  const auto *reason = llvm::find_if(
      report.reasons, [](const auto &other) { return other.rule.has_value(); });
  if (reason == report.reasons.end())
    return "";
  return describeAlternative(getTransfer(request), *reason->rule);
}

void explain::printText(const Request &request, const Report &report,
                        llvm::raw_ostream &os) {
  os << getDirection(request) << " of " << getTile(request) << ", scope "
     << getScope(request) << '\n';
  for (const Layout &layout : request.memory)
    os << "memory: " << toString(layout) << '\n';
  if (report.registers) {
    os << (request.registers ? "registers: " : "registers (inferred): ")
       << toString(report.registers->layout) << ", "
       << describeCount(report.registers->vectorSize, "element")
       << " a thread\n";
  }
  if (report.chosen)
    printChosen(*report.chosen, os);
  else
    os << "chosen: none\n";
  os << (report.reasons.empty() ? "" : "not chosen:\n");
  for (const auto &group : groupReasons(report.reasons)) {
    const SelectionReason &reason = *group.front();
    os << "  " << describeAtoms(group, report.reasons.size()) << ": "
       << reason.message;
    if (reason.rule)
      os << " [" << getRuleId(*reason.rule) << ']';
    os << '\n';
  }
  std::string alternative = findAlternative(request, report);
  if (!alternative.empty())
    os << alternative << '\n';
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void writeTransfer(llvm::json::OStream &json, const Request &request,
                          const Report &report) {
  json.attribute("direction", getDirection(request));
  json.attribute("tile", getTile(request));
  json.attribute("scope", getScope(request));
  json.attributeArray("memory", [&] {
    for (const Layout &layout : request.memory)
      json.value(toString(layout));
  });
  if (!report.registers) {
    json.attribute("registers", nullptr);
    return;
  }
  json.attributeObject("registers", [&] {
    json.attribute("layout", toString(report.registers->layout));
    json.attribute("elements", report.registers->vectorSize);
    json.attribute("inferred", !request.registers);
  });
}

static void writeAtom(llvm::json::OStream &json, AtomShape shape,
                      Packing packing) {
  json.attribute("shape", stringifyAtomShape(shape));
  if (packing == Packing::None)
    json.attribute("packing", nullptr);
  else
    json.attribute("packing", stringifyPacking(packing));
}

static void writeIssue(llvm::json::OStream &json, const Issue &issue) {
  json.object([&] {
    json.attribute("half", issue.half);
    json.attribute("column", issue.column);
    json.attribute("repeat", issue.repeat);
    // In one line: there are up to 128.
    json.attributeBegin("registers");
    json.rawValue([&](llvm::raw_ostream &os) {
      os << '[';
      llvm::interleaveComma(issue.words, os);
      os << ']';
    });
    json.attributeEnd();
  });
}

static void writeChosen(llvm::json::OStream &json,
                        const SelectionCandidate &chosen) {
  const TransferPlan &plan = chosen.plan;
  writeAtom(json, plan.shape, plan.packing);
  json.attributeArray("repeats", [&] {
    for (unsigned repeat : chosen.atom.repeats)
      json.value(repeat);
  });
  json.attributeObject("cost", [&] {
    json.attribute("issues", chosen.cost.issues);
    json.attribute("moves", chosen.cost.moves);
    json.attribute("registers", chosen.cost.registers);
  });
  json.attribute("warps", plan.numWarps);
  json.attribute("columns_per_warpgroup", plan.columnsPerWarpgroup);
  if (plan.shape == AtomShape::S16x32bx2)
    json.attributeObject("second_access", [&] {
      json.attribute("lanes", plan.split.lane);
      json.attribute("columns", plan.split.column);
      json.attribute("immediate", plan.getSplitImmediate());
    });
  json.attributeArray("issues", [&] {
    for (const Issue &issue : plan.issues)
      writeIssue(json, issue);
  });
}

static void writeReason(llvm::json::OStream &json,
                        const SelectionReason &reason) {
  json.object([&] {
    writeAtom(json, reason.shape, reason.packing);
    json.attribute("kind", stringifyReasonKind(reason.kind));
    if (reason.rule)
      json.attribute("rule", getRuleId(*reason.rule));
    json.attribute("reason", reason.message);
  });
}

void explain::printJSON(const Request &request, const Report &report,
                        llvm::raw_ostream &os) {
  llvm::json::OStream json(os, 2);
  json.object([&] {
    json.attributeObject("transfer",
                         [&] { writeTransfer(json, request, report); });
    if (report.chosen)
      json.attributeObject("chosen",
                           [&] { writeChosen(json, *report.chosen); });
    else
      json.attribute("chosen", nullptr);
    json.attributeArray("not_chosen", [&] {
      for (const SelectionReason &reason : report.reasons)
        writeReason(json, reason);
    });
  });
  os << '\n';
}

//===----------------------------------------------------------------------===//
// Pictures
//===----------------------------------------------------------------------===//

PictureRequest explain::makePicture(const Request &request,
                                    const Report &report) {
  PictureRequest picture;
  picture.tileShape = request.tile.shape;
  picture.elementBits = request.tile.elementBits;
  picture.elementType = request.tile.elementType;
  picture.memory = request.memory;
  picture.registers = report.registers;
  picture.scope = request.scope;
  picture.direction = request.direction;
  picture.chosen = report.chosen;
  picture.reasons.append(report.reasons.begin(), report.reasons.end());
  return picture;
}
