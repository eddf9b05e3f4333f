//===- Trial.cpp - Runs of a kernel, and what they say --------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

/// One run. True if the kernel came to an end, by a fault or without.
static bool tryOnce(Evaluator &evaluator, Operation *kernel, Inputs inputs,
                    Coverage &coverage, Trial &trial, bool &usesNumber) {
  Run run(evaluator, kernel, inputs, coverage, trial);
  bool hasEnded = run.run();
  usesNumber |= run.usesNumber;
  evaluator.dropRunFrames();
  if (trial.report.findings.empty() && !trial.outside.empty())
    trial.report.findings.push_back(trial.outside.front().second.finding);
  return hasEnded;
}

/// Whether longer loops reach further: how long they are is then up to whoever
/// launches the kernel.
static bool isGrowing(const Trial &trial, const Trial &again) {
  if (trial.report.findings.front().rule != Rule::H17 || trial.outside.empty())
    return false;
  const auto &[op, here] = trial.outside.front();
  auto there = again.outside.find(op);
  return there == again.outside.end() || there->second.first != here.first ||
         there->second.last != here.last;
}

/// A fault of the first length: is it there for another length, too? Lengths
/// may be none that the kernel is for.
static void judge(Evaluator &evaluator, Operation *kernel, Inputs inputs,
                  bool isFirst, bool isAlone, Coverage &coverage,
                  Trial &trial) {
  Trial again;
  bool ignored = false;
  bool isSure =
      isFirst &&
      (isAlone ||
       (tryOnce(evaluator, kernel, inputs, coverage, again, ignored) &&
        !again.report.findings.empty() && !isGrowing(trial, again)));
  if (isSure) {
    trial.verdict = Trial::Faulty;
    return;
  }
  const Finding &finding = trial.report.findings.front();
  if (finding.rule == Rule::H17 && !trial.outside.empty()) {
    trial.report.findings.clear();
    return;
  }
  trial.where = finding.op;
  trial.why = "it is wrong for some lengths of loops: " + finding.message;
  trial.isSometimesFaulty = true;
  trial.report.findings.clear();
}

Trial mlir::tmem::hazards::tryKernel(Evaluator &evaluator, Operation *kernel,
                                     bool sees) {
  // Numbers with many divisors come first: loops may share a length.
  static constexpr int64_t numbers[] = {24, 12, 0, 1, 2, 3, 5};
  Coverage coverage;
  Trial result;
  bool isJudged = false;
  std::set<std::pair<Rule, Operation *>> seen;
  auto getNumWays = [&] {
    return 1u << std::min<size_t>(coverage.flags.size(), maxFlags);
  };
  for (unsigned way = 0; way < getNumWays(); ++way) {
    bool usesNumber = false, isUniform = way == 0 || way + 1 == getNumWays();
    uint32_t flags = ~way;
    for (auto [index, number] : llvm::enumerate(numbers)) {
      if (index != 0 && !usesNumber)
        break;
      // Flags that differ are tried for a few lengths.
      if (!isUniform && index != 0 && number != 1)
        continue;
      Trial trial;
      bool hasEnded = tryOnce(evaluator, kernel, {number, flags}, coverage,
                              trial, usesNumber);
      for (const Finding &finding : trial.report.findings)
        if (trial.outside.empty())
          seen.insert({finding.rule, finding.op});
      if (!hasEnded || (!trial.report.findings.empty() && !isJudged)) {
        if (hasEnded)
          judge(evaluator, kernel, {numbers[1], flags}, index == 0, !usesNumber,
                coverage, trial);
        if (hasEnded && trial.verdict != Trial::Faulty && !trial.where)
          continue;
        isJudged = true;
        result = std::move(trial);
        if (!hasEnded || !sees) {
          result.seen = std::move(seen);
          return result;
        }
      }
    }
  }
  result.seen = std::move(seen);
  if (isJudged)
    return result;
  result.where = findUntried(evaluator, kernel, coverage);
  if (result.where)
    result.why = "no run came here, or each went the same way";
  else
    result.verdict = Trial::Clean;
  return result;
}
