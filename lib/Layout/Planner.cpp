//===- Planner.cpp - From two layouts to a list of issues -----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps: enter both layouts in tables (TransferTables), find the positions
// at which register words fit (Matching), cut the positions into issues
// (Tiling), choosing among replicas where there are any (ReplicaSearch). When a
// step fails, look for the element to blame (Diagnosis).
//
//===----------------------------------------------------------------------===//

#include "tmem/Layout/Planner.h"
#include "Diagnosis.h"
#include "Matching.h"
#include "Planning.h"
#include "Tiling.h"
#include "TransferTables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir::tmem;
using namespace mlir::tmem::detail;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// The atom alone
//===----------------------------------------------------------------------===//

static std::optional<Violation> checkRepeats(const Atom &atom) {
  const NativeImage &image = getNativeImage(atom.shape);
  if (atom.repeats.empty())
    return makeViolation(Rule::A1, "expected a repetition count of " +
                                       image.name + ", but got none");
  for (unsigned repeat : atom.repeats)
    if (!isLegalRepeat(atom.shape, repeat))
      return makeViolation(
          Rule::A1, "expected a repetition count of " + image.name +
                        " that is a power of two from 1 to " +
                        Twine(image.maxRepeat) + ", but got " + Twine(repeat));
  return std::nullopt;
}

static std::optional<Violation> checkPacking(const Transfer &transfer,
                                             const Atom &atom) {
  if (atom.packing == Packing::None)
    return std::nullopt;
  bool isPack = atom.packing == Packing::Pack;
  llvm::StringRef name = isPack ? "pack" : "unpack";
  if (isPack != (transfer.direction == Direction::Load))
    return makeViolation(
        Rule::A2, "expected pack on loads and unpack on stores, but got " +
                      name + (isPack ? " on a store" : " on a load"));
  if (transfer.elementBits > 16)
    return makeViolation(Rule::A3, "expected elements of at most 16 bits for " +
                                       name + ", but got " +
                                       Twine(transfer.elementBits));
  return std::nullopt;
}

static std::optional<Violation> checkSplit(const Transfer &transfer,
                                           const Atom &atom) {
  if ((transfer.memory.size() > 1 || atom.split) &&
      atom.shape != AtomShape::S16x32bx2)
    return makeViolation(Rule::A4,
                         "expected 16x32bx2 for a split transfer, but got " +
                             stringifyAtomShape(atom.shape));
  if (atom.split && !isLegalSplit(*atom.split, atom.packing))
    return describeIllegalSplit(*atom.split, atom.packing);
  return std::nullopt;
}

std::optional<Violation> detail::checkAtom(const Transfer &transfer,
                                           const Atom &atom) {
  if (auto violation = checkRepeats(atom))
    return violation;
  if (auto violation = checkPacking(transfer, atom))
    return violation;
  return checkSplit(transfer, atom);
}

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

// Steps spent on looking for a shorter list once there is one.
static constexpr int64_t maxImprovementSteps = int64_t(1) << 22;

namespace {
class TransferPlanner {
public:
  TransferPlanner(const Transfer &transfer, const Atom &atom,
                  const TransferTables &tables)
      : transfer(transfer), atom(atom), tables(tables),
        matcher(tables, atom, budget), tiler(matcher, atom),
        classes(matcher.findClasses()) {}

  PlanResult plan();

private:
  /// A list of issues, and what is needed to name their words.
  struct Candidate {
    std::vector<Run> runs;
    Alignment alignment;
    PositionGrid classAt;
  };

  bool isLoad() const { return transfer.direction == Direction::Load; }
  std::vector<unsigned> findLeadWords() const;
  void tryAlignment(const Alignment &alignment);
  void findPositions();
  std::vector<Run> cutLoad();
  std::vector<Run> cutStore(const PositionGrid &classAt);
  void cutReplicas(unsigned first, unsigned count, std::vector<Run> &best);
  bool isOptimal(llvm::ArrayRef<Run> runs) const;
  TransferPlan makePlan(Candidate &&candidate) const;

  const Transfer &transfer;
  const Atom &atom;
  const TransferTables &tables;
  Budget budget;
  Matcher matcher;
  Tiler tiler;
  std::vector<WordClass> classes;
  std::optional<Candidate> best;
  /// What stopped the first list of issues that was tried.
  std::optional<Gap> firstGap;
};
} // namespace

/// Words of which one must fit, so that their alignments are all there are. A
/// load moves every word. In a store the first cell of the first slab is the
/// first one of an issue, so some word holds it in lane 0, of the first or the
/// last warpgroup.
std::vector<unsigned> TransferPlanner::findLeadWords() const {
  if (isLoad())
    return {classes.front().words.front()};
  const Unit *cell = nullptr;
  for (int64_t column = 0; column < tables.columns && !cell; ++column)
    for (int64_t lane = 0; lane < 32 && !cell; ++lane) {
      auto units = tables.getCell({tables.getSlabLane(0) + lane, column});
      if (!isEmpty(units))
        cell = units.data();
    }
  std::vector<unsigned> words;
  if (!cell)
    return words;
  unsigned lastWarp = 4 * (tables.getNumWarpgroups() - 1);
  for (const WordClass &wordClass : classes) {
    unsigned word = wordClass.words.front();
    if (matcher.matches(tables.getWord(0, 0, word), cell) ||
        matcher.matches(tables.getWord(lastWarp, 0, word), cell))
      words.push_back(word);
  }
  return words;
}

bool TransferPlanner::isOptimal(llvm::ArrayRef<Run> runs) const {
  int64_t numWords = 0;
  for (const Run &run : runs)
    numWords += tiler.getNumWords(run.repeat);
  return !runs.empty() && int64_t(runs.size()) == tiler.getFewestRuns(numWords);
}

void TransferPlanner::findPositions() {
  for (WordClass &wordClass : classes)
    wordClass.positions = matcher.findPositions(wordClass.words.front());
}

/// Cuts a load that takes all words from `count` replicas, the first of which
/// has number `first`: of equal words, as many from each.
void TransferPlanner::cutReplicas(unsigned first, unsigned count,
                                  std::vector<Run> &best) {
  PositionGrid wanted = tiler.makeGrid(0), blocks = tiler.makeGrid(0);
  for (const WordClass &wordClass : classes) {
    if (first + count > wordClass.positions.size() ||
        wordClass.words.size() % count != 0)
      return;
    for (unsigned i = first; i < first + count; ++i)
      wanted[PositionGrid::getIndex(wordClass.positions[i])] =
          wordClass.words.size() / count;
  }
  if (auto gap = tiler.cutBlocks(std::move(wanted), blocks)) {
    if (!firstGap)
      firstGap = gap;
    return;
  }
  std::vector<Run> runs = tiler.joinBlocks(blocks);
  if (best.empty() || runs.size() < best.size())
    best = std::move(runs);
}

std::vector<Run> TransferPlanner::cutLoad() {
  unsigned numReplicas = 0, common = 0;
  for (const WordClass &wordClass : classes) {
    if (wordClass.positions.empty())
      return {};
    numReplicas = std::max<unsigned>(numReplicas, wordClass.positions.size());
    common = std::gcd(common, unsigned(wordClass.words.size()));
  }
  std::vector<Run> runs;
  int64_t allowed = std::min(budget.left, maxImprovementSteps);
  Budget improvement = {allowed};
  for (unsigned count = 1; count <= std::min(numReplicas, common); ++count)
    for (unsigned i = 0; common % count == 0 && i + count <= numReplicas; ++i) {
      if (isOptimal(runs) || improvement.isSpent())
        break;
      improvement.spend(classes.size() * count + tiler.getNumPositions() / 4);
      cutReplicas(i, count, runs);
    }
  bool mayImprove = !isOptimal(runs) && !improvement.isSpent();
  if (numReplicas > 1 && (runs.empty() || mayImprove))
    searchReplicas(tiler, classes, runs.empty() ? budget : improvement, runs);
  budget.spend(allowed - improvement.left);
  return runs;
}

std::vector<Run> TransferPlanner::cutStore(const PositionGrid &classAt) {
  PositionGrid blocks = tiler.makeGrid(0);
  if (auto gap = tiler.coverCells(classAt, blocks)) {
    if (!firstGap)
      firstGap = gap;
    return {};
  }
  return tiler.joinBlocks(blocks);
}

void TransferPlanner::tryAlignment(const Alignment &alignment) {
  matcher.setAlignment(alignment);
  findPositions();
  PositionGrid classAt = tiler.makeGrid(-1);
  for (auto [index, wordClass] : llvm::enumerate(classes))
    for (Cell position : wordClass.positions)
      classAt[PositionGrid::getIndex(position)] = index;
  std::vector<Run> runs = isLoad() ? cutLoad() : cutStore(classAt);
  if (!runs.empty() && (!best || runs.size() < best->runs.size()))
    best = Candidate{std::move(runs), alignment, std::move(classAt)};
}

TransferPlan TransferPlanner::makePlan(Candidate &&candidate) const {
  TransferPlan plan;
  plan.shape = atom.shape;
  plan.packing = atom.packing;
  plan.columnsPerWarpgroup = candidate.alignment.columnsPerWarpgroup;
  plan.split = candidate.alignment.split;
  plan.numWarps = tables.numWarps;
  plan.vectorWords =
      llvm::divideCeil(transfer.vectorSize * tables.elementBits, 32);
  llvm::sort(candidate.runs, [](const Run &a, const Run &b) {
    return std::make_pair(PositionGrid::getIndex(a.start), b.repeat) <
           std::make_pair(PositionGrid::getIndex(b.start), a.repeat);
  });
  // A load takes each of several equal words once, a store always the first.
  std::vector<unsigned> numTaken(classes.size(), 0);
  for (const Run &run : candidate.runs) {
    Issue issue = {
        unsigned(run.start.lane / 16), run.start.column, run.repeat, {}};
    int64_t start = PositionGrid::getIndex(run.start);
    for (unsigned i = 0; i < tiler.getNumWords(run.repeat); ++i) {
      int index = candidate.classAt[start + tiler.getStep(i)];
      issue.words.push_back(classes[index].words[numTaken[index]]);
      numTaken[index] += isLoad();
    }
    plan.issues.push_back(std::move(issue));
  }
  return plan;
}

PlanResult TransferPlanner::plan() {
  for (unsigned word : findLeadWords())
    for (const Alignment &alignment : matcher.findAlignments(word))
      if (!budget.isSpent() && !(best && isOptimal(best->runs)))
        tryAlignment(alignment);
  if (best)
    return makePlan(std::move(*best));
  if (budget.isSpent())
    return makeViolation(Rule::T8,
                         "expected a choice among replicas to be found "
                         "in 2^25 steps, but the search was given up");
  return explainFailure(matcher, transfer, atom, firstGap);
}

PlanResult detail::planInTables(const Transfer &transfer, const Atom &atom,
                                const TransferTables &tables) {
  return TransferPlanner(transfer, atom, tables).plan();
}

PlanResult mlir::tmem::planTransfer(const Transfer &transfer,
                                    const Atom &atom) {
  assert((transfer.memory.size() == 1 || transfer.memory.size() == 2) &&
         "expected one memory layout, or two in a split transfer");
  TransferTables tables;
  if (auto violation = checkAtom(transfer, atom))
    return *violation;
  if (auto violation = buildMemory(transfer.memory, transfer.tileShape,
                                   transfer.elementBits, tables))
    return *violation;
  if (auto violation = buildRegisters(transfer, tables))
    return *violation;
  return planInTables(transfer, atom, tables);
}
