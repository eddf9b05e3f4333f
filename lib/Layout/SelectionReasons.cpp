//===- SelectionReasons.cpp - Why an atom was not chosen ------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Matching.h"
#include "Planning.h"
#include "SelectionDetail.h"
#include "tmem/Layout/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>
#include <tuple>

using namespace mlir::tmem;
using namespace mlir::tmem::detail;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

llvm::StringRef mlir::tmem::stringifyPacking(Packing packing) {
  switch (packing) {
  case Packing::None:
    return "";
  case Packing::Pack:
    return "pack";
  case Packing::Unpack:
    return "unpack";
  }
  llvm_unreachable("not a packing");
}

llvm::StringRef mlir::tmem::stringifyReasonKind(SelectionReason::Kind kind) {
  switch (kind) {
  case SelectionReason::Kind::Illegal:
    return "illegal";
  case SelectionReason::Kind::Costlier:
    return "costlier";
  case SelectionReason::Kind::TooManyRegisters:
    return "registers";
  case SelectionReason::Kind::Excluded:
    return "excluded";
  }
  llvm_unreachable("not a kind of reason");
}

std::string mlir::tmem::describeAtom(const Atom &atom) {
  std::string text = stringifyAtomShape(atom.shape).str();
  for (unsigned repeat : atom.repeats)
    text += ", x" + std::to_string(repeat);
  if (atom.packing != Packing::None)
    text += ", " + stringifyPacking(atom.packing).str();
  return text;
}

//===----------------------------------------------------------------------===//
// Several atoms
//===----------------------------------------------------------------------===//

llvm::SmallVector<llvm::SmallVector<const SelectionReason *, 5>, 9>
mlir::tmem::groupReasons(llvm::ArrayRef<SelectionReason> reasons) {
  llvm::SmallVector<llvm::SmallVector<const SelectionReason *, 5>, 9> groups;
  for (const SelectionReason &reason : reasons) {
    auto *same = llvm::find_if(groups, [&](const auto &group) {
      const SelectionReason &first = *group.front();
      return reason.kind == SelectionReason::Kind::Illegal &&
             first.kind == reason.kind && first.rule == reason.rule &&
             first.message == reason.message;
    });
    if (same == groups.end())
      same = &groups.emplace_back();
    same->push_back(&reason);
  }
  return groups;
}

std::string
mlir::tmem::describeAtoms(llvm::ArrayRef<const SelectionReason *> group,
                          size_t total) {
  if (group.size() > 1 && group.size() == total)
    return "every atom";
  return llvm::join(llvm::map_range(group,
                                    [](const SelectionReason *reason) {
                                      return describeAtom(
                                          {reason->shape, {}, reason->packing});
                                    }),
                    "; ");
}

//===----------------------------------------------------------------------===//
// What is legal, and costs more
//===----------------------------------------------------------------------===//

SelectionReason detail::explainCost(const SelectionCandidate &loser,
                                    const SelectionCandidate &winner) {
  auto compare = [&](unsigned mine, unsigned best, llvm::StringRef what) {
    return "costs " + describeCount(mine, what) + ", where " +
           describeAtom(winner.atom) + " costs " + std::to_string(best);
  };
  const TransferCost &mine = loser.cost, &best = winner.cost;
  std::string message;
  if (mine.issues != best.issues)
    message = compare(mine.issues, best.issues, "issue");
  else if (mine.moves != best.moves)
    message = compare(mine.moves, best.moves, "register move");
  else if (mine.registers != best.registers)
    message = compare(mine.registers, best.registers, "register");
  else
    message = "costs as much as " + describeAtom(winner.atom) +
              ", which comes first in the fixed order";
  return {loser.atom.shape, loser.atom.packing, SelectionReason::Kind::Costlier,
          std::nullopt, std::move(message)};
}

void detail::sortReasons(llvm::SmallVectorImpl<SelectionReason> &reasons) {
  llvm::sort(reasons, [](const auto &a, const auto &b) {
    return std::tie(a.shape, a.packing) < std::tie(b.shape, b.packing);
  });
}

//===----------------------------------------------------------------------===//
// What is not legal
//===----------------------------------------------------------------------===//

SelectionReason detail::makeIllegal(AtomKind kind, Violation violation) {
  return {kind.shape,
          kind.packing,
          SelectionReason::Kind::Illegal,
          violation.rule,
          std::move(violation.message),
          violation.misfit};
}

/// The rules that words and issues break, of which some message speak of
/// registers and cells alone.
static bool isAboutWords(Rule rule) {
  switch (rule) {
  case Rule::T1:
  case Rule::T2:
  case Rule::T3:
  case Rule::T4:
  case Rule::T5:
  case Rule::T6:
  case Rule::T7:
  case Rule::S2:
  case Rule::S3:
    return true;
  default:
    return false;
  }
}

/// The smallest unit that a word holds in any thread.
static std::optional<Unit> findFirstUnit(const TransferTables &tables,
                                         unsigned word) {
  std::optional<Unit> first;
  for (unsigned warp = 0; warp < tables.numWarps; ++warp)
    for (unsigned lane = 0; lane < warpSize; ++lane)
      for (Unit unit : tables.getWord(warp, lane, word))
        if (unit != emptyUnit && (!first || unit < *first))
          first = unit;
  return first;
}

/// The first element of the tile in a word that fits nowhere, beside the word
/// that holds the first one; or else the first.
static Unit findStuckUnit(const Atom &atom, const TransferTables &tables) {
  Budget budget;
  Matcher matcher(tables, atom, budget);
  std::vector<WordClass> classes = matcher.findClasses();
  auto alignments = matcher.findAlignments(classes.front().words.front());
  std::optional<Unit> stuck;
  if (!alignments.empty())
    matcher.setAlignment(alignments.front());
  for (const WordClass &wordClass : classes) {
    unsigned word = wordClass.words.front();
    if (!alignments.empty() && !matcher.findPositions(word).empty())
      continue;
    std::optional<Unit> first = findFirstUnit(tables, word);
    if (first && (!stuck || *first < *stuck))
      stuck = first;
  }
  return stuck.value_or(0);
}

/// Adds an element to a message without one.
static void nameElement(Violation &violation, const Atom &atom,
                        const TransferTables &tables) {
  if (!isAboutWords(violation.rule) ||
      llvm::StringRef(violation.message).contains("element ("))
    return;
  Unit unit = findStuckUnit(atom, tables);
  violation.message += ", so no issue moves element " + tables.getName(unit);
  if (!violation.misfit)
    violation.misfit.emplace();
  violation.misfit->element = tables.getElement(unit);
}

std::string mlir::tmem::describeAlternative(const Transfer &transfer, Rule rule,
                                            const SelectionOptions &options) {
  if (!isAboutWords(rule))
    return "";
  SelectionResult result = selectAtom(transfer, options);
  return "these registers fit " +
         (result.isFound() ? describeAtom(result.candidates.front().atom)
                           : "no atom");
}

//===----------------------------------------------------------------------===//
// Trying
//===----------------------------------------------------------------------===//

/// The counts that a plan uses, the largest first.
static llvm::SmallVector<unsigned, 1> getRepeats(const TransferPlan &plan) {
  std::set<unsigned, std::greater<unsigned>> repeats;
  for (const Issue &issue : plan.issues)
    repeats.insert(issue.repeat);
  return {repeats.begin(), repeats.end()};
}

CandidateResult detail::tryAtom(const Transfer &transfer, const Atom &atom,
                                const TransferTables &tables) {
  AtomKind kind{atom.shape, atom.packing};
  if (std::optional<Violation> violation = checkAtom(transfer, atom))
    return makeIllegal(kind, *violation);
  PlanResult result = planInTables(transfer, atom, tables);
  if (auto *violation = std::get_if<Violation>(&result)) {
    nameElement(*violation, atom, tables);
    return makeIllegal(kind, *violation);
  }
  SelectionCandidate candidate{
      atom, std::move(std::get<TransferPlan>(result)), {}};
  candidate.atom.repeats = getRepeats(candidate.plan);
  candidate.cost = getCost(candidate.plan);
  return candidate;
}
