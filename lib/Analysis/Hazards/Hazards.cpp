//===- Hazards.cpp - What goes wrong across operations --------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From operations to events (Events), to a graph of them (Graph), to what they
// name (Program), to the order in which they may happen (Flow). Where phases of
// mbarriers decide, the kernel is run (Run, Trial).
//
//===----------------------------------------------------------------------===//

#include "tmem/Analysis/Hazards.h"
#include "Flow.h"
#include "Run.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

/// Rules on the order of accesses, which runs decide as well.
static bool isOrderRule(Rule rule) {
  switch (rule) {
  case Rule::H1:
  case Rule::H2:
  case Rule::H3:
  case Rule::H10:
  case Rule::H11:
  case Rule::H12:
  case Rule::H18:
    return true;
  default:
    return false;
  }
}

/// Where phases of mbarriers decide, runs say more than the graph.
static void decideByRuns(Evaluator &evaluator, Operation *kernel,
                         bool followsRegisters, Report &found) {
  Trial trial = tryKernel(evaluator, kernel);
  // Runs do not see which loads the use of their registers completes.
  bool isStrict =
      llvm::any_of(trial.report.findings, [](const Finding &finding) {
        return finding.rule == Rule::H2 || finding.rule == Rule::H3 ||
               finding.rule == Rule::H10 || finding.rule == Rule::H12;
      });
  if (followsRegisters && isStrict)
    return;
  if (trial.verdict == Trial::Unknown) {
    bool isKnown = llvm::any_of(found.undecided, [&](const Undecided &doubt) {
      return doubt.op == trial.where;
    });
    if (trial.where && !isKnown)
      found.undecided.push_back(
          {trial.where, "phases of mbarriers: " + trial.why, nullptr});
    return;
  }
  found.undecided.clear();
  // A run ends at its first fault. If the graph has that one, it is right about
  // the others as well.
  bool isSame = llvm::any_of(found.findings, [&](const Finding &finding) {
    return llvm::any_of(trial.report.findings, [&](const Finding &other) {
      return finding.rule == other.rule && finding.op == other.op;
    });
  });
  if (isSame)
    return;
  llvm::erase_if(found.findings, [](const Finding &finding) {
    return isOrderRule(finding.rule);
  });
  for (Finding &finding : trial.report.findings)
    found.findings.push_back(std::move(finding));
}

Report hazards::findHazards(Operation *kernel, BlockShape block,
                            Options options) {
  auto evaluator =
      std::make_unique<Evaluator>(kernel, block, options.followsCalls);
  auto program = std::make_unique<Program>(*evaluator, kernel);
  if (!program->changingSlots.empty()) {
    auto again =
        std::make_unique<Evaluator>(kernel, block, options.followsCalls);
    again->followLoads(*evaluator, program->changingSlots);
    program = std::make_unique<Program>(*again, kernel);
    evaluator = std::move(again);
  }
  Report found;
  Flow(*program, options.followsRegisters, found).run();
  if (program->hasMBarriers)
    decideByRuns(*evaluator, kernel, options.followsRegisters, found);
  return found;
}
