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
#include "llvm/Support/Format.h"

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

static void eraseDecided(Report &found) {
  llvm::erase_if(found.undecided,
                 [](const Undecided &doubt) { return doubt.isForRuns; });
}

/// What the graph has found, but may be wrong about. `hasPhases`: which phase
/// of an mbarrier, or which meeting of some warps, decides.
static bool mayBeWrong(const Finding &finding, bool hasPhases) {
  return finding.isLoose ||
         (hasPhases && (finding.isOfOrder || isOrderRule(finding.rule)));
}

/// Says of findings that they are undecided.
static void doubt(Report &found,
                  llvm::function_ref<bool(const Finding &)> isDoubtful,
                  llvm::function_ref<std::string(const Finding &)> describe) {
  for (const Finding &finding : found.findings)
    if (isDoubtful(finding))
      found.undecided.push_back({finding.op, describe(finding), finding.other});
  llvm::erase_if(found.findings, isDoubtful);
}

/// No run has met what may be on no way: that is said.
static void doubtLoose(const Trial &trial, Report &found) {
  if (llvm::any_of(found.findings, [&](const Finding &finding) {
        return trial.seen.count({finding.rule, finding.op});
      }))
    return;
  doubt(
      found, [](const Finding &finding) { return finding.isLoose; },
      [](const Finding &finding) {
        return "whether there is a way to here on which it is wrong, by "
               "conditions that change from turn to turn: " +
               finding.message;
      });
}

/// What is wrong for some inputs only may be what the graph has found: runs
/// without a fault have come past it. The kernel may never get those inputs.
static void doubtSometimes(const Trial &trial, bool hasPhases, Report &found) {
  doubt(
      found,
      [&](const Finding &finding) {
        return mayBeWrong(finding, hasPhases) &&
               trial.clean.contains(finding.op) &&
               (!finding.other || trial.clean.contains(finding.other));
      },
      [&](const Finding &finding) {
        return finding.op == trial.where
                   ? trial.why
                   : "it is wrong for some inputs of the kernel, and runs for "
                     "others have met no fault: " +
                         finding.message;
      });
}

/// The graph takes the meetings of a barrier for one, and no run tells them
/// apart.
static void doubtMeetings(Report &found) {
  doubt(
      found,
      [](const Finding &finding) {
        return finding.rule == Rule::H1 || finding.rule == Rule::H2 ||
               finding.rule == Rule::H10 || finding.rule == Rule::H11;
      },
      [](const Finding &finding) {
        return "which meeting of the barriers of some warps comes before: " +
               finding.message;
      });
}

/// Runs have met no fault, but not all that the graph stands for.
static void doubtUncovered(const Trial &trial, Operation *kernel,
                           bool hasPhases, Report &found) {
  size_t numKnown = found.undecided.size();
  doubt(
      found,
      [&](const Finding &finding) { return mayBeWrong(finding, hasPhases); },
      [](const Finding &finding) {
        return "whether it is wrong for a combination of conditions on inputs "
               "of the kernel that was not run: " +
               finding.message;
      });
  bool isSilent = found.undecided.size() == numKnown && numKnown == 0;
  if (isSilent && hasPhases && trial.hasTooManyChoices)
    found.undecided.push_back({kernel,
                               "what happens for some combinations of "
                               "conditions on inputs: there are too many",
                               nullptr});
}

/// Whether a run has met what the graph has found. Of two that nothing orders,
/// a run may come to the other one last: columns that nothing keeps from being
/// freed too early (H2) may be freed already where it comes to the access (H1).
static bool hasMet(const Trial &trial, const Finding &finding) {
  return trial.seen.count({finding.rule, finding.op}) ||
         llvm::any_of(trial.report.findings, [&](const Finding &met) {
           bool isSame = finding.isOfOrder
                             ? met.rule == finding.rule
                             : finding.rule == Rule::H2 && met.rule == Rule::H1;
           return isSame && met.op == finding.other && met.other == finding.op;
         });
}

/// Whether it is said already of a barrier that it is not decided.
static bool doubtsBarrier(const Report &found) {
  SmallVector<Effect, 2> effects;
  return llvm::any_of(found.undecided, [&](const Undecided &doubt) {
    classify(doubt.op, effects);
    return llvm::any_of(effects, [](const Effect &effect) {
      return effect.kind == EventKind::BarrierSync ||
             effect.kind == EventKind::BarrierArrive;
    });
  });
}

/// Where phases of mbarriers, meetings of some warps, or numbers that change
/// from turn to turn, decide, runs say more than the graph.
static void decideByRuns(const Program &program, Operation *kernel,
                         CountedReads counted, Report &found) {
  bool hasMBarriers = program.hasMBarriers;
  bool hasPhases = hasMBarriers || program.hasHandoffs;
  bool hasLoose = llvm::any_of(
      found.findings, [](const Finding &finding) { return finding.isLoose; });
  if (!hasPhases && !hasLoose && !program.hasComputedColumns &&
      llvm::none_of(found.undecided,
                    [](const Undecided &doubt) { return doubt.isForRuns; }))
    return;
  Trial trial = tryKernel(program.evaluator, kernel, hasLoose, counted);
  if (trial.verdict == Trial::Unknown) {
    doubtLoose(trial, found);
    if (program.hasReusedHandoffs && !hasMBarriers && trial.seen.empty())
      doubtMeetings(found);
    if (trial.isSometimesFaulty)
      doubtSometimes(trial, hasPhases, found);
    bool isKnown = llvm::any_of(found.undecided, [&](const Undecided &doubt) {
      return doubt.op == trial.where;
    });
    // The graph may have said that already.
    bool hasMeetings =
        program.hasReusedHandoffs &&
        llvm::none_of(found.undecided,
                      [](const Undecided &doubt) { return doubt.isForRuns; });
    if (trial.where && !isKnown &&
        (hasMBarriers || hasMeetings || trial.isSometimesFaulty ||
         (trial.isAtBarrier && found.findings.empty() &&
          !doubtsBarrier(found))))
      found.undecided.push_back({trial.where,
                                 (hasMBarriers  ? "phases of mbarriers: "
                                  : hasMeetings ? "meetings at barriers: "
                                                : "") +
                                     trial.why,
                                 nullptr});
    return;
  }
  if (trial.verdict == Trial::Clean && !trial.isCovered)
    return doubtUncovered(trial, kernel, hasPhases, found);
  eraseDecided(found);
  // A run ends at its first fault. If the graph has that one, it is right about
  // the others as well.
  if (llvm::any_of(found.findings, [&](const Finding &finding) {
        return hasMet(trial, finding);
      }))
    return;
  llvm::erase_if(found.findings, [&](const Finding &finding) {
    return mayBeWrong(finding, hasPhases);
  });
  for (Finding &finding : trial.report.findings)
    if (llvm::none_of(found.findings, [&](const Finding &known) {
          return known.rule == finding.rule && known.op == finding.op;
        }))
      found.findings.push_back(std::move(finding));
}

static Report check(Program &program, Operation *kernel, CountedReads counted,
                    bool &hasDoubtful) {
  Report found;
  found.pair = program.findPair();
  Flow flow(program, counted, found);
  flow.run();
  hasDoubtful = flow.hasDoubtfulReads();
  decideByRuns(program, kernel, counted, found);
  return found;
}

/// What is wrong if a compiler drops reads that it may drop.
static void doubtReads(const Report &strict, Report &found) {
  std::set<std::pair<Rule, Operation *>> known;
  for (const Finding &finding : found.findings)
    known.insert({finding.rule, finding.op});
  for (const Finding &finding : strict.findings)
    if (!known.count({finding.rule, finding.op}))
      found.undecided.push_back(
          {finding.op,
           "whether a compiler keeps what reads the registers before: " +
               finding.message,
           finding.other});
}

/// For lanes that elect.sync names as `election` has it; keeps what was looked
/// at.
static Report findForLanes(Operation *kernel, BlockShape block, Options options,
                           const Election &election, Elections &elections) {
  auto evaluator =
      std::make_unique<Evaluator>(kernel, block, options.followsCalls);
  evaluator->election = election;
  auto program =
      std::make_unique<Program>(*evaluator, kernel, options.followsCalls);
  if (!program->changingSlots.empty()) {
    auto again =
        std::make_unique<Evaluator>(kernel, block, options.followsCalls);
    again->election = evaluator->election;
    again->followLoads(*evaluator, program->changingSlots);
    program = std::make_unique<Program>(*again, kernel, options.followsCalls);
    evaluator = std::move(again);
  }
  bool ignored = false, hasDoubtful = false;
  CountedReads counted =
      options.followsRegisters ? CountedReads::Any : CountedReads::None;
  Report found = check(*program, kernel, counted, hasDoubtful);
  if (options.followsRegisters && hasDoubtful)
    doubtReads(check(*program, kernel, CountedReads::Sure, ignored), found);
  if (evaluator->election.op)
    elections.keep(evaluator->election, evaluator->findLaneClasses());
  return found;
}

static std::string describe(const Election &election) {
  std::string text = "any lane of the mask may be named here";
  llvm::raw_string_ostream os(text);
  if (election.lanes.size() == 1) {
    os << ", as lane " << election.lanes.begin()->second << " is";
    return text;
  }
  StringRef separator = ": ";
  for (auto [mask, lane] : election.lanes) {
    os << separator << "lane " << lane << " of " << llvm::format_hex(mask, 1);
    separator = ", ";
  }
  return text;
}

/// Adds what is wrong where elections name other lanes.
static void addForLanes(const Election &election, Report &&others,
                        Report &found) {
  std::set<std::pair<Rule, Operation *>> known;
  for (const Finding &finding : found.findings)
    known.insert({finding.rule, finding.op});
  std::set<std::pair<Operation *, std::string>> doubts;
  for (const Undecided &doubt : found.undecided)
    doubts.insert({doubt.op, doubt.message});
  std::string where = describe(election);
  for (Finding &finding : others.findings) {
    if (known.count({finding.rule, finding.op}))
      continue;
    finding.more.push_back({election.op, where, {}});
    found.findings.push_back(std::move(finding));
  }
  for (Undecided &doubt : others.undecided)
    if (!doubts.count({doubt.op, doubt.message}))
      found.undecided.push_back(std::move(doubt));
}

Report hazards::findHazards(Operation *kernel, BlockShape block,
                            Options options) {
  Elections elections;
  Report found = findForLanes(kernel, block, options, Election(), elections);
  while (std::optional<Election> next = elections.findNext())
    addForLanes(*next, findForLanes(kernel, block, options, *next, elections),
                found);
  if (elections.hasTooMany())
    found.undecided.push_back(
        {elections.getOp(),
         "what happens for all lanes that elections by different masks may "
         "name: there are too many",
         nullptr});
  return found;
}
