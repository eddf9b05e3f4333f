//===- PlannerOracle.h - A brute-force twin of the planner ------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides the rule of verification by trying everything: every placement of an
// instruction against the maps, then an exact cover of the destinations. It
// uses the planner's data types and none of its code, so that each checks the
// other.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TEST_UNIT_LAYOUT_PLANNERORACLE_H
#define TMEM_TEST_UNIT_LAYOUT_PLANNERORACLE_H

#include "PlannerOracleMaps.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <unordered_map>

namespace mlir::tmem::oracle {

//===----------------------------------------------------------------------===//
// Exact cover
//===----------------------------------------------------------------------===//

/// One instruction that moves nothing wrong: what it fills, and how often.
struct Placement {
  Issue issue;
  std::vector<int> classOfWord;           ///< The class that word r must be of.
  std::vector<std::pair<int, int>> fills; ///< (destination, times)
};

/// Covers every destination exactly as often as it wants, with the fewest
/// placements: backtracking over the first destination that still wants
/// something, remembering what was found for each state.
class Cover {
public:
  static constexpr int none = 1 << 20;

  Cover(std::vector<uint8_t> wanted, const std::vector<Placement> &placements,
        bool anyWillDo)
      : state(wanted.begin(), wanted.end()), placements(placements),
        anyWillDo(anyWillDo), filledBy(wanted.size()) {
    for (size_t i = 0; i < placements.size(); ++i)
      for (auto [destination, times] : placements[i].fills)
        filledBy[destination].push_back(int(i));
  }

  /// The number of placements, or `none`.
  int solve() {
    for (const std::vector<int> &candidates : filledBy)
      if (candidates.empty())
        return none;
    return search();
  }

  bool ranOut() const { return nodes > maxNodes; }

  /// The placements of the solution found, in order.
  std::vector<int> solution() {
    std::vector<int> chosen;
    for (auto it = known.find(state);
         it != known.end() && it->second.second >= 0; it = known.find(state)) {
      chosen.push_back(it->second.second);
      take(placements[chosen.back()], -1);
    }
    return chosen;
  }

private:
  static constexpr int maxNodes = 100000;

  /// Adds `sign` times what the placement fills; false when that is too much.
  bool take(const Placement &placement, int sign) {
    bool fits = true;
    for (auto [destination, times] : placement.fills) {
      int left = uint8_t(state[destination]) + sign * times;
      fits &= left >= 0;
      state[destination] = char(left);
    }
    return fits;
  }

  int search() {
    size_t first = state.find_first_not_of('\0');
    if (first == std::string::npos)
      return 0;
    auto it = known.find(state);
    if (it != known.end())
      return it->second.first;
    std::pair<int, int> best{none, -1};
    for (int candidate : filledBy[first]) {
      if (++nodes > maxNodes)
        break;
      bool fits = take(placements[candidate], -1);
      int cost = fits ? 1 + search() : none;
      take(placements[candidate], +1);
      if (cost < best.first)
        best = {cost, candidate};
      if (anyWillDo && best.first < none)
        break;
    }
    known[state] = best;
    return best.first;
  }

  std::string state; ///< What each destination still wants.
  const std::vector<Placement> &placements;
  bool anyWillDo;
  int nodes = 0;
  std::vector<std::vector<int>> filledBy;
  std::unordered_map<std::string, std::pair<int, int>> known;
};

//===----------------------------------------------------------------------===//
// The oracle
//===----------------------------------------------------------------------===//

struct Verdict {
  bool legal = false;
  bool wellFormed = false; ///< Only the images can be in the way.
  bool undecided = false;  ///< The search ran out of nodes.
  const char *reason = ""; ///< Why not.
  TransferPlan plan;       ///< With the fewest issues.
};

struct BitsHash {
  size_t operator()(const Bits &bits) const {
    return llvm::hash_combine_range(bits.begin(), bits.end());
  }
};

/// The search for one case.
class Oracle {
public:
  explicit Oracle(const Case &c) : c(c) {}

  Verdict decide() {
    if ((verdict.reason = checkAtom()) || (verdict.reason = buildMaps(c, maps)))
      return verdict;
    verdict.wellFormed = true;
    verdict.reason = "no list of issues";
    numberCells();
    numberWords();
    numberDestinations();
    for (Cell split : splits()) {
      std::vector<Issue> issues = issuesOfFirstGroup(split);
      for (int64_t step : warpgroupSteps())
        tryWith(issues, step, split);
    }
    return verdict;
  }

private:
  bool isPacked() const { return c.atom.packing != Packing::None; }
  bool isStore() const { return c.direction == Direction::Store; }
  bool hasTwoRegions() const { return c.atom.shape == AtomShape::S16x32bx2; }
  int numThreads() const { return int(maps.warps * lanesPerWarp); }

  bool isSplit(Cell split) const {
    return (split.lane == 0 || split.lane == 16) && split.column >= 0 &&
           split.column <= 511 && split != Cell{0, 0} &&
           !(isPacked() && split.column % 2);
  }

  const char *checkAtom() const {
    for (unsigned n : c.atom.repeats)
      if (!isRepeat(c.atom.shape, n) || llvm::count(c.atom.repeats, n) != 1)
        return "no such repeat, or twice";
    if (c.memory.size() == 2 && !hasTwoRegions())
      return "split transfer of one region";
    if (c.atom.split && !isSplit(*c.atom.split))
      return "no such split";
    if (c.atom.packing == (isStore() ? Packing::Pack : Packing::Unpack))
      return "packing of the other direction";
    if (isPacked() && c.bits > 16)
      return "packing of wide elements";
    return nullptr;
  }

  int number(const Bits &bits) {
    return contents.try_emplace(bits, int(contents.size())).first->second;
  }

  /// What the word is that an access at (lane, column) moves: no number when
  /// the access is not allowed.
  int numberCell(int64_t lane, int64_t column) {
    const Bits &cell = maps.cell(lane, column);
    if (isEmpty(cell))
      return -1;
    if (!isPacked())
      return number(cell);
    if (column + 1 == maps.columns || isEmpty(maps.cell(lane, column + 1)))
      return -1;
    const Bits &next = maps.cell(lane, column + 1);
    // Unpack leaves undefined bits in the high halves.
    if (isStore() && !(isHighHalfEmpty(cell) && isHighHalfEmpty(next)))
      return -1;
    Bits word = cell;
    std::copy(next.begin(), next.begin() + 4, word.begin() + 4);
    return number(word);
  }

  void numberCells() {
    number(emptyBits());
    for (int64_t lane = 0; lane < 4 * lanesPerWarp; ++lane)
      for (int64_t column = 0; column < maps.columns; ++column)
        moved.push_back(numberCell(lane, column));
  }

  /// Words with the same contents in every thread are one class.
  void numberWords() {
    std::map<std::vector<int>, int> classOf;
    for (int64_t k = 0; k < maps.words; ++k) {
      std::vector<int> signature;
      bool empty = true;
      for (int thread = 0; thread < numThreads(); ++thread) {
        signature.push_back(number(maps.word(thread, k)));
        empty &= isEmpty(maps.word(thread, k));
      }
      if (empty)
        continue;
      auto [it, isNew] = classOf.try_emplace(signature, int(signatures.size()));
      if (isNew) {
        classesByFirst[signature.front()].push_back(it->second);
        signatures.push_back(std::move(signature));
        wordsOfClass.emplace_back();
      }
      wordsOfClass[it->second].push_back(unsigned(k));
    }
  }

  /// A load fills words, a store fills cells.
  void numberDestinations() {
    if (!isStore()) {
      for (const std::vector<unsigned> &words : wordsOfClass)
        wanted.push_back(uint8_t(words.size()));
      return;
    }
    for (const Bits &cell : maps.memory) {
      destinationOf.push_back(isEmpty(cell) ? -1 : int(wanted.size()));
      if (!isEmpty(cell))
        wanted.push_back(1);
    }
  }

  std::vector<int64_t> warpgroupSteps() const {
    if (maps.warps <= 4)
      return {0};
    std::vector<int64_t> steps;
    for (int64_t step = 1 - maps.columns; step < maps.columns; ++step)
      steps.push_back(step);
    return steps;
  }

  std::vector<Cell> splits() const {
    if (!hasTwoRegions())
      return {{0, 0}};
    std::vector<Cell> all;
    int64_t last = std::min<int64_t>(511, maps.columns - 1);
    for (int64_t lane : {0, 16})
      for (int64_t column = 0; column <= last; column += isPacked() ? 2 : 1)
        if (lane || column)
          all.push_back({lane, column});
    if (c.atom.split)
      all = {*c.atom.split};
    return all;
  }

  void tryWith(const std::vector<Issue> &issues, int64_t step, Cell split) {
    bool anyWillDo = c.atom.repeats.size() == 1;
    if (anyWillDo && verdict.legal)
      return;
    std::vector<Placement> placements;
    for (const Issue &issue : issues) {
      Placement placement{issue, {}, {}};
      if (match(placement, step, split, numThreads()))
        placements.push_back(std::move(placement));
    }
    if (placements.empty())
      return;
    for (Placement &placement : placements)
      countFills(placement, step, split);
    Cover cover(wanted, placements, anyWillDo);
    int count = cover.solve();
    verdict.undecided |= cover.ranOut();
    if (count >= Cover::none ||
        (verdict.legal && size_t(count) >= verdict.plan.issues.size()))
      return;
    verdict.legal = true;
    keep(cover.solution(), placements, step, split);
  }

  /// Every issue that is right for the first four warps, which know nothing of
  /// the step to the next warpgroup.
  std::vector<Issue> issuesOfFirstGroup(Cell split) const {
    std::vector<Issue> issues;
    for (unsigned half = 0; half < (has16Rows(c.atom.shape) ? 2 : 1); ++half) {
      if (half && split.lane)
        continue; // The second region would leave the slab.
      for (int64_t column = 0; column < maps.columns; ++column)
        for (unsigned repeat : c.atom.repeats) {
          Placement placement{{half, column, repeat, {}}, {}, {}};
          if (match(placement, 0, split, std::min(128, numThreads())))
            issues.push_back(placement.issue);
        }
    }
    return issues;
  }

  /// The cell (packed: the first of two) of word r in a lane.
  Cell locate(const Issue &issue, int64_t step, Cell split, int thread,
              int r) const {
    int warp = thread / lanesPerWarp, lane = thread % lanesPerWarp;
    Cell cell = image(c.atom.shape, lane, r);
    if (isPacked())
      cell.column *= 2;
    if (hasTwoRegions() && lane >= 16)
      cell = cell + split;
    cell.lane += maps.slabLane(warp) + 16 * issue.half;
    cell.column += issue.column + step * (warp / 4);
    return cell;
  }

  int movedAt(Cell cell) const {
    if (cell.column < 0 || cell.column >= maps.columns)
      return -1;
    return moved[cell.lane * maps.columns + cell.column];
  }

  /// Finds the class of every word, by what the first `threads` threads hold.
  bool match(Placement &placement, int64_t step, Cell split,
             int threads) const {
    int words = int(placement.issue.repeat) * wordsPerRepeat(c.atom.shape);
    for (int r = 0; r < words; ++r) {
      int found = findClass(placement.issue, step, split, r, threads);
      if (found < 0)
        return false;
      placement.classOfWord.push_back(found);
    }
    return true;
  }

  int findClass(const Issue &issue, int64_t step, Cell split, int r,
                int threads) const {
    auto it = classesByFirst.find(movedAt(locate(issue, step, split, 0, r)));
    if (it == classesByFirst.end())
      return -1;
    auto agrees = [&](int candidate) {
      for (int thread = 0; thread < threads; ++thread)
        if (movedAt(locate(issue, step, split, thread, r)) !=
            signatures[candidate][thread])
          return false;
      return true;
    };
    auto found = std::find_if(it->second.begin(), it->second.end(), agrees);
    return found == it->second.end() ? -1 : *found;
  }

  void countFills(Placement &placement, int64_t step, Cell split) const {
    std::map<int, int> times;
    for (int r = 0; r < int(placement.classOfWord.size()); ++r) {
      if (!isStore()) {
        ++times[placement.classOfWord[r]];
        continue;
      }
      for (int thread = 0; thread < numThreads(); ++thread) {
        Cell cell = locate(placement.issue, step, split, thread, r);
        int64_t index = cell.lane * maps.columns + cell.column;
        for (int half = 0; half < (isPacked() ? 2 : 1); ++half)
          ++times[destinationOf[index + half]];
      }
    }
    placement.fills.assign(times.begin(), times.end());
  }

  void keep(const std::vector<int> &chosen,
            const std::vector<Placement> &placements, int64_t step,
            Cell split) {
    TransferPlan plan{c.atom.shape, c.atom.packing,      {}, step, split,
                      maps.warps,   unsigned(maps.words)};
    std::vector<size_t> used(wordsOfClass.size());
    for (int i : chosen) {
      Issue issue = placements[i].issue;
      for (int word : placements[i].classOfWord)
        issue.words.push_back(wordsOfClass[word][isStore() ? 0 : used[word]++]);
      plan.issues.push_back(std::move(issue));
    }
    verdict.plan = std::move(plan);
  }

  const Case &c;
  Maps maps;
  Verdict verdict;
  std::unordered_map<Bits, int, BitsHash>
      contents;                   ///< A number for each different word.
  std::vector<int> moved;         ///< [lane][column]
  std::vector<int> destinationOf; ///< [lane][column]
  std::vector<std::vector<int>> signatures; ///< Of each class, by thread.
  std::vector<std::vector<unsigned>> wordsOfClass;
  std::unordered_map<int, std::vector<int>> classesByFirst;
  std::vector<uint8_t> wanted;
};

inline Verdict decide(const Case &c) { return Oracle(c).decide(); }

} // namespace mlir::tmem::oracle

#endif // TMEM_TEST_UNIT_LAYOUT_PLANNERORACLE_H
