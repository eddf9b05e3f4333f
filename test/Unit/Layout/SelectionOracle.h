//===- SelectionOracle.h - Every atom by brute force ------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Searches every shape and packing by brute force and holds a selection against
// the answers. Uses data types of the library and none of its code.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TEST_UNIT_LAYOUT_SELECTIONORACLE_H
#define TMEM_TEST_UNIT_LAYOUT_SELECTIONORACLE_H

#include "PlannerOracleMessages.h"
#include "PlannerOracleRandom.h"
#include "PlannerOracleSimulator.h"
#include "SelectionSearch.h"
#include "tmem/Layout/Selection.h"

namespace mlir::tmem::oracle {

/// What brute force says of one shape and packing.
struct Entry {
  AtomShape shape;
  Packing packing;
  bool isAllowed; ///< Some count has few enough registers.
  Answer answer;
  unsigned issuesInSASS = 0;

  std::string getName() const { return toString(Atom{shape, {}, packing}); }
};

/// ptxas makes two instructions of each 16x32bx2.
inline unsigned countInSASS(AtomShape shape, size_t issues) {
  return unsigned(issues) * (shape == AtomShape::S16x32bx2 ? 2 : 1);
}

inline std::vector<Packing> packingsOf(const Case &c) {
  if (c.bits > 16)
    return {Packing::None};
  return {Packing::None,
          c.direction == Direction::Load ? Packing::Pack : Packing::Unpack};
}

/// Every count of a shape with at most so many registers.
inline std::vector<unsigned> repeatsWithin(AtomShape shape, unsigned most) {
  std::vector<unsigned> repeats;
  for (unsigned n = 1; isRepeat(shape, n); n *= 2)
    if (n * wordsPerRepeat(shape) <= most)
      repeats.push_back(n);
  return repeats;
}

inline std::vector<Entry> searchAll(const Case &c, AtomSearch &search,
                                    unsigned maxRegisters) {
  std::vector<Entry> entries;
  for (AtomShape shape : allShapes)
    for (Packing packing : packingsOf(c)) {
      std::vector<unsigned> repeats = repeatsWithin(shape, maxRegisters);
      Entry entry{shape, packing, !repeats.empty(), {}};
      if (entry.isAllowed)
        entry.answer = search.search(shape, packing != Packing::None, repeats);
      entry.issuesInSASS = countInSASS(shape, entry.answer.fewest);
      entries.push_back(entry);
    }
  return entries;
}

/// Words that do not follow the one before in their issue.
inline unsigned countMoves(const TransferPlan &plan) {
  unsigned moves = 0;
  for (const Issue &issue : plan.issues)
    for (size_t i = 1; i < issue.words.size(); ++i)
      moves += issue.words[i] == issue.words[i - 1] + 1 ? 0 : 1;
  return moves;
}

/// Compares one selection with brute force; what is wrong, or nothing.
class SelectionCheck {
public:
  /// Of messages only one in so many is held against the maps, which is slow.
  SelectionCheck(const Case &c, unsigned maxRegisters,
                 const SelectionResult &result, unsigned messageStride = 1)
      : c(c), result(result), search(c),
        entries(searchAll(c, search, maxRegisters)),
        messageStride(messageStride) {}

  std::string run() {
    for (const Entry &entry : entries)
      checkEntry(entry);
    checkRanking();
    return wrong;
  }

  const std::vector<Entry> &getEntries() const { return entries; }

private:
  void require(bool holds, const std::string &what) {
    if (!holds && wrong.empty())
      wrong = what;
  }

  template <typename Range>
  static int countOf(const Range &range, AtomShape shape, Packing packing) {
    return int(llvm::count_if(range, [&](const SelectionReason &reason) {
      return reason.shape == shape && reason.packing == packing;
    }));
  }

  const SelectionCandidate *findCandidate(const Entry &entry) const {
    for (const SelectionCandidate &candidate : result.candidates)
      if (candidate.atom.shape == entry.shape &&
          candidate.atom.packing == entry.packing)
        return &candidate;
    return nullptr;
  }

  void checkEntry(const Entry &entry) {
    std::string name = entry.getName();
    const SelectionCandidate *candidate = findCandidate(entry);
    bool isChosen = candidate && candidate == &result.candidates.front();
    int reasons = countOf(result.reasons, entry.shape, entry.packing);
    require(reasons == (isChosen ? 0 : 1),
            name + " has " + std::to_string(reasons) + " reasons");
    if (entry.answer.undecided)
      return;
    require(entry.answer.legal == (candidate != nullptr),
            name + (entry.answer.legal ? " is legal, but no candidate"
                                       : " is a candidate, but illegal"));
    if (!wrong.empty())
      return;
    if (candidate)
      checkCandidate(entry, *candidate, name);
    else
      checkReason(entry, name);
  }

  void checkCandidate(const Entry &entry, const SelectionCandidate &candidate,
                      const std::string &name) {
    Case mine = c;
    mine.atom = candidate.atom;
    std::string fault = simulate(mine, candidate.plan);
    require(fault.empty(), name + " has a plan that fails: " + fault);
    require(candidate.cost.issues == entry.issuesInSASS,
            name + " has " + std::to_string(candidate.cost.issues) +
                " issues where " + std::to_string(entry.issuesInSASS) + " do");
    require(candidate.cost.moves == countMoves(candidate.plan),
            name + " has another number of moves");
    std::vector<unsigned> used;
    for (const Issue &issue : candidate.plan.issues)
      used.push_back(issue.repeat);
    std::sort(used.rbegin(), used.rend());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    require(std::equal(used.begin(), used.end(), candidate.atom.repeats.begin(),
                       candidate.atom.repeats.end()),
            name + " names other counts than the plan uses");
  }

  /// Of a well-formed tile: an element, and true words.
  void checkReason(const Entry &entry, const std::string &name) {
    auto reason = llvm::find_if(result.reasons, [&](const auto &other) {
      return other.shape == entry.shape && other.packing == entry.packing;
    });
    if (!entry.isAllowed) {
      require(reason->kind == SelectionReason::Kind::TooManyRegisters,
              name + " has too many registers, but is refused for another "
                     "reason");
      return;
    }
    require(reason->kind == SelectionReason::Kind::Illegal && reason->rule,
            name + " names no rule");
    if (!wrong.empty())
      return;
    // A split transfer has one shape, and no element is to blame.
    bool isOtherShape =
        c.memory.size() == 2 && entry.shape != AtomShape::S16x32bx2;
    require(!search.isWellFormed() || *reason->rule == Rule::T8 ||
                (isOtherShape && *reason->rule == Rule::A4) ||
                llvm::StringRef(reason->message).contains("element ("),
            name + " names no element: " + reason->message);
    if (++numMessages % messageStride != 0)
      return;
    std::string fault = checkMessage(c, {*reason->rule, reason->message});
    require(fault.empty(), name + ": " + fault);
  }

  void checkRanking() {
    auto costOf = [](const SelectionCandidate &candidate) {
      return std::make_tuple(candidate.cost.issues, candidate.cost.moves,
                             candidate.cost.registers, candidate.atom.shape,
                             candidate.atom.packing);
    };
    for (size_t i = 1; i < result.candidates.size(); ++i)
      require(costOf(result.candidates[i - 1]) < costOf(result.candidates[i]),
              "the candidates are not in the order of their costs");
    for (const Entry &entry : entries)
      if (entry.answer.legal && !entry.answer.undecided)
        require(result.candidates.front().cost.issues <= entry.issuesInSASS,
                "a shape has fewer issues than the one that was chosen");
  }

  const Case &c;
  const SelectionResult &result;
  AtomSearch search;
  std::vector<Entry> entries;
  unsigned messageStride;
  unsigned numMessages = 0;
  std::string wrong;
};

} // namespace mlir::tmem::oracle

#endif // TMEM_TEST_UNIT_LAYOUT_SELECTIONORACLE_H
