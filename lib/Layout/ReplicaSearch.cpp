//===- ReplicaSearch.cpp - Choosing among the replicas of a tile ----------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A load whose memory has replicas within a slab may take each word from any of
// them: an exact cover of words by issues. Depth first, always for the first
// class of words that is still wanted, and cut off
//   - by the fewest issues that the wanted words can have, whatever they are;
//   - where the same words were wanted before, after no more issues;
//   - by taking the issues for one class in one order, and one of each set of
//     issues that load the same.
//
//===----------------------------------------------------------------------===//

#include "Tiling.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include <set>
#include <unordered_map>

using namespace mlir::tmem;
using namespace mlir::tmem::detail;

namespace {
/// One issue by the classes of its words, in order.
struct Option {
  Run run;
  llvm::SmallVector<unsigned, 8> classes;
};

struct HashCounts {
  size_t operator()(const std::vector<unsigned> &counts) const {
    return llvm::hash_combine_range(counts.begin(), counts.end());
  }
};

class ReplicaSearch {
public:
  ReplicaSearch(const Tiler &tiler, llvm::ArrayRef<WordClass> classes,
                Budget &budget);

  void run(std::vector<Run> &best);

private:
  /// The ways to cover a class, of which those before `next` have been tried.
  struct Level {
    unsigned rank; ///< Classes of smaller rank are all covered.
    unsigned next;
    bool isTaken = false; ///< The option before `next` is part of the list.
  };

  void findOptions(llvm::ArrayRef<WordClass> classes);
  std::optional<int64_t> getFewestRuns() const;
  bool isCut(const std::vector<Run> &best) const;
  bool isKnown();
  bool take(const Option &option);
  void giveBack(llvm::ArrayRef<unsigned> classes);
  void pushLevel(unsigned rank);
  const Option &getTaken(const Level &level) const {
    return options[optionsOf[classOfRank[level.rank]][level.next - 1]];
  }
  void recordRuns(std::vector<Run> &best) const;

  const Tiler &tiler;
  Budget &budget;
  /// Long ones first; of those that load the same, one.
  std::vector<Option> options;
  std::vector<std::vector<unsigned>> optionsOf; ///< By class, ascending.
  std::set<unsigned> repeats;                   ///< Of all options.
  std::vector<unsigned> classOfRank;
  std::vector<unsigned> wanted; ///< Words of each class that no issue has yet.
  int64_t numWanted = 0;
  std::vector<Level> levels;
  /// The fewest issues with which the same words were left.
  std::unordered_map<std::vector<unsigned>, size_t, HashCounts> known;
};
} // namespace

ReplicaSearch::ReplicaSearch(const Tiler &tiler,
                             llvm::ArrayRef<WordClass> classes, Budget &budget)
    : tiler(tiler), budget(budget), optionsOf(classes.size()) {
  for (auto [index, wordClass] : llvm::enumerate(classes)) {
    classOfRank.push_back(index);
    wanted.push_back(wordClass.words.size());
    numWanted += wanted.back();
  }
  // Those with the least choice first.
  llvm::sort(classOfRank, [&](unsigned a, unsigned b) {
    return std::make_pair(classes[a].positions.size(), a) <
           std::make_pair(classes[b].positions.size(), b);
  });
  findOptions(classes);
}

void ReplicaSearch::findOptions(llvm::ArrayRef<WordClass> classes) {
  PositionGrid classAt = tiler.makeGrid(-1);
  for (auto [index, wordClass] : llvm::enumerate(classes))
    for (Cell position : wordClass.positions)
      classAt[PositionGrid::getIndex(position)] = index;
  std::set<std::vector<unsigned>> seen;
  for (unsigned repeat : llvm::reverse(tiler.getRepeats()))
    for (int64_t start = 0; start < classAt.size(); ++start) {
      if (!tiler.isStart(start))
        continue;
      Option option = {{PositionGrid::getPosition(start), repeat}, {}};
      for (unsigned word = 0; word < tiler.getNumWords(repeat); ++word) {
        int64_t index = start + tiler.getStep(word);
        if (index >= classAt.size() || classAt[index] < 0)
          break;
        option.classes.push_back(classAt[index]);
      }
      budget.spend(option.classes.size() + 1);
      if (option.classes.size() < tiler.getNumWords(repeat) || !take(option))
        continue;
      giveBack(option.classes);
      std::vector<unsigned> loaded(option.classes.begin(),
                                   option.classes.end());
      llvm::sort(loaded);
      if (seen.insert(std::move(loaded)).second)
        options.push_back(std::move(option));
    }
  for (auto [index, option] : llvm::enumerate(options)) {
    repeats.insert(option.run.repeat);
    for (unsigned c :
         std::set<unsigned>(option.classes.begin(), option.classes.end()))
      optionsOf[c].push_back(index);
  }
}

/// Takes the words of an issue, if all of them are wanted.
bool ReplicaSearch::take(const Option &option) {
  for (auto [word, c] : llvm::enumerate(option.classes)) {
    budget.spend(1);
    if (wanted[c] == 0) {
      giveBack(llvm::ArrayRef<unsigned>(option.classes).take_front(word));
      return false;
    }
    --wanted[c];
    --numWanted;
  }
  return true;
}

void ReplicaSearch::giveBack(llvm::ArrayRef<unsigned> classes) {
  for (unsigned c : classes)
    ++wanted[c];
  numWanted += classes.size();
}

/// The fewest issues that the wanted words can have, or nothing when their
/// number alone rules them out.
std::optional<int64_t> ReplicaSearch::getFewestRuns() const {
  int64_t runs = 0, rest = numWanted;
  for (unsigned repeat : llvm::reverse(repeats)) {
    runs += rest / tiler.getNumWords(repeat);
    rest %= tiler.getNumWords(repeat);
  }
  if (rest != 0)
    return std::nullopt;
  return runs;
}

/// True when nothing better than `best` can come of the issues so far.
bool ReplicaSearch::isCut(const std::vector<Run> &best) const {
  std::optional<int64_t> more = getFewestRuns();
  return !more || (!best.empty() && levels.size() + *more >= best.size());
}

/// True when the same words were wanted before, after no more issues.
bool ReplicaSearch::isKnown() {
  budget.spend(wanted.size());
  auto [entry, isNew] = known.insert({wanted, levels.size()});
  if (isNew)
    return false;
  bool isBetter = levels.size() < entry->second;
  entry->second = std::min(entry->second, levels.size());
  return !isBetter;
}

/// Goes on to the next class that is wanted, or with the rest of one.
void ReplicaSearch::pushLevel(unsigned rank) {
  if (!levels.empty() && wanted[classOfRank[rank]] > 0) {
    levels.push_back({rank, levels.back().next - 1});
    return;
  }
  while (wanted[classOfRank[rank]] == 0)
    ++rank;
  if (!isKnown())
    levels.push_back({rank, 0});
}

void ReplicaSearch::recordRuns(std::vector<Run> &best) const {
  best.clear();
  for (const Level &level : levels)
    best.push_back(getTaken(level).run);
}

void ReplicaSearch::run(std::vector<Run> &best) {
  if (isCut(best))
    return;
  size_t fewest = *getFewestRuns();
  pushLevel(0);
  while (!levels.empty() && best.size() != fewest && !budget.isSpent()) {
    Level &level = levels.back();
    if (level.isTaken)
      giveBack(getTaken(level).classes);
    level.isTaken = false;
    if (level.next == optionsOf[classOfRank[level.rank]].size()) {
      levels.pop_back();
      continue;
    }
    ++level.next;
    level.isTaken = take(getTaken(level));
    if (!level.isTaken || isCut(best))
      continue;
    if (numWanted == 0)
      recordRuns(best);
    else
      pushLevel(level.rank);
  }
}

void detail::searchReplicas(const Tiler &tiler,
                            llvm::ArrayRef<WordClass> classes, Budget &budget,
                            std::vector<Run> &best) {
  ReplicaSearch(tiler, classes, budget).run(best);
}
