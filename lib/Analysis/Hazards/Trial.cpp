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

/// An operation that no run has executed, or a branch that went one way only.
static Operation *findUntried(Operation *kernel, const Coverage &coverage) {
  Operation *untried = nullptr;
  SymbolTableCollection symbolTables;
  SmallVector<Operation *> worklist{kernel};
  DenseSet<Operation *> seen{kernel};
  SmallVector<Effect, 2> effects;
  while (!worklist.empty() && !untried)
    worklist.pop_back_val()->walk([&](Operation *op) {
      effects.clear();
      classify(op, effects);
      bool isTried = effects.empty() || coverage.executed.contains(op);
      auto it = coverage.outcomes.find(op);
      if (it != coverage.outcomes.end() && it->second != 3)
        isTried = false;
      if (!isTried && !untried)
        untried = op;
      if (auto call = dyn_cast<CallOpInterface>(op))
        if (Operation *callee = call.resolveCallableInTable(&symbolTables))
          if (seen.insert(callee).second)
            worklist.push_back(callee);
    });
  return untried;
}

/// One run. True if the kernel came to an end, by a fault or without.
static bool tryOnce(Evaluator &evaluator, Operation *kernel, Inputs inputs,
                    Coverage &coverage, Trial &trial, bool &usesNumber,
                    bool &usesFlag) {
  Run run(evaluator, kernel, inputs, coverage, trial);
  bool hasEnded = run.run();
  usesNumber |= run.usesNumber;
  usesFlag |= run.usesFlag;
  evaluator.dropRunFrames();
  return hasEnded;
}

/// A fault of the first length: is it there for another length, too? Lengths
/// may be none that the kernel is for.
static void judge(Evaluator &evaluator, Operation *kernel, Inputs inputs,
                  bool isFirst, bool isAlone, Coverage &coverage,
                  Trial &trial) {
  Trial again;
  bool ignored = false;
  bool isSure =
      isFirst && (isAlone || (tryOnce(evaluator, kernel, inputs, coverage,
                                      again, ignored, ignored) &&
                              !again.report.findings.empty()));
  if (isSure) {
    trial.verdict = Trial::Faulty;
    return;
  }
  const Finding &finding = trial.report.findings.front();
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
  bool usesFlag = false, isJudged = false;
  std::set<std::pair<Rule, Operation *>> seen;
  for (bool flag : {true, false}) {
    if (!flag && !usesFlag)
      break;
    bool usesNumber = false;
    for (auto [index, number] : llvm::enumerate(numbers)) {
      if (index != 0 && !usesNumber)
        break;
      Trial trial;
      bool hasEnded = tryOnce(evaluator, kernel, {number, flag}, coverage,
                              trial, usesNumber, usesFlag);
      for (const Finding &finding : trial.report.findings)
        seen.insert({finding.rule, finding.op});
      if (!hasEnded || (!trial.report.findings.empty() && !isJudged)) {
        if (hasEnded)
          judge(evaluator, kernel, {numbers[1], flag}, index == 0, !usesNumber,
                coverage, trial);
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
  result.where = findUntried(kernel, coverage);
  if (result.where)
    result.why = "no run came here, or each went the same way";
  else
    result.verdict = Trial::Clean;
  return result;
}
