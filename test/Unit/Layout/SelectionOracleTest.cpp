//===- SelectionOracleTest.cpp - Selection against brute force ------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// selectAtom must find the shapes that brute force finds legal, each with the
// fewest issues, and give a reason for every other one.
//
//===----------------------------------------------------------------------===//

#include "SelectionOracle.h"
#include <gtest/gtest.h>
#include <iostream>
#include <map>

using namespace mlir::tmem;
using namespace mlir::tmem::oracle;

namespace {

uint64_t fromEnvironment(const char *name, uint64_t otherwise) {
  const char *value = std::getenv(name);
  return value ? std::strtoull(value, nullptr, 10) : otherwise;
}

/// What was tried, counted by shape, packing, width and number of legal atoms.
struct Tally {
  std::map<std::string, int> legal, illegal;
  std::map<int, int> choices;
  int total = 0, undecided = 0, failures = 0;

  void add(const Case &c, const std::vector<Entry> &entries) {
    ++total;
    int found = 0;
    for (const Entry &entry : entries) {
      undecided += entry.answer.undecided;
      found += entry.answer.legal;
      std::string bits = std::to_string(c.bits) + " bits";
      for (const std::string &topic : {entry.getName(), bits})
        ++(entry.answer.legal ? legal : illegal)[topic];
    }
    ++choices[found];
  }

  void report(const char *title) const {
    std::cout << title << ": " << total << " cases, " << undecided
              << " atoms undecided\n";
    for (auto [topic, count] : legal) {
      auto other = illegal.find(topic);
      std::cout << "  " << topic << ": " << count << " legal, "
                << (other == illegal.end() ? 0 : other->second) << " illegal\n";
    }
    for (auto [found, count] : choices)
      std::cout << "  " << found << " legal atoms: " << count << " cases\n";
  }
};

/// The next case from `seed` on; of large ones, one in eight.
Case nextCase(uint64_t &seed) {
  while (true) {
    Case c = makeRandomCase(seed++);
    if (countElements(c.registers) <= 256 || seed % 8 == 0)
      return c;
  }
}

void check(const Case &c, unsigned maxRegisters, Tally &tally,
           const std::string &name) {
  if (tally.failures >= 20)
    return;
  SelectionOptions options;
  options.maxRegistersPerIssue = maxRegisters;
  SelectionResult result = selectAtom(c.transfer(), options);
  SelectionCheck checker(c, maxRegisters, result, 8);
  std::string wrong = checker.run();
  tally.add(c, checker.getEntries());
  if (wrong.empty())
    return;
  ++tally.failures;
  ADD_FAILURE() << name << ": " << wrong << '\n' << toString(c);
}

unsigned randomLimit(Random &random) {
  return random.oneIn(3) ? 1u << random.between(0, 6) : 128;
}

/// The search and the planner's oracle know nothing of each other's order.
TEST(SelectionOracle, TheSearchAgreesWithTheOracleOfThePlanner) {
  uint64_t seed = 6000000;
  for (int i = 0; i < 400; ++i) {
    Case c = nextCase(seed);
    c.atom.split = std::nullopt;
    Verdict verdict = decide(c);
    bool isRightPacking = llvm::is_contained(packingsOf(c), c.atom.packing);
    bool isRightRepeat = llvm::all_of(c.atom.repeats, [&](unsigned n) {
      return isRepeat(c.atom.shape, n) && llvm::count(c.atom.repeats, n) == 1;
    });
    if (verdict.undecided || !isRightPacking || !isRightRepeat)
      continue;
    AtomSearch search(c);
    Answer answer = search.search(
        c.atom.shape, c.atom.packing != Packing::None,
        std::vector<unsigned>(c.atom.repeats.begin(), c.atom.repeats.end()));
    EXPECT_EQ(answer.legal, verdict.legal) << toString(c);
    if (answer.legal) {
      EXPECT_EQ(answer.fewest, verdict.plan.issues.size()) << toString(c);
    }
  }
}

TEST(SelectionOracle, Random) {
  Tally tally;
  uint64_t seed = fromEnvironment("TMEM_ORACLE_SEED", 5000000);
  uint64_t count = fromEnvironment("TMEM_ORACLE_COUNT", 20000);
  for (uint64_t i = 0; i < count; ++i) {
    Case c = nextCase(seed);
    Random random(seed);
    check(c, randomLimit(random), tally, "seed " + std::to_string(seed - 1));
  }
  tally.report("random");
  EXPECT_LE(tally.undecided, tally.total / 100);
  if (count < 20000)
    return;
  // Guards against a generator that makes one kind alone.
  EXPECT_EQ(tally.legal.size(), 20u) << "shapes by packings, and widths";
  for (auto [topic, number] : tally.legal)
    EXPECT_GE(number, 100) << topic;
  EXPECT_GE(tally.choices[0], 1000);
  EXPECT_GE(tally.choices[1], 1000);
  EXPECT_GE(tally.choices[2], 1000);
}

//===----------------------------------------------------------------------===//
// Lists of counts
//===----------------------------------------------------------------------===//

/// Tries every list of counts that is there. The fewest issues of all
/// lists, or 0 when none is legal.
size_t countFewest(AtomSearch &search, AtomShape shape, bool isPacked,
                   const std::vector<unsigned> &all,
                   llvm::ArrayRef<unsigned> chosen, size_t &chosenIssues) {
  size_t fewest = 0;
  for (unsigned mask = 1; mask < 1u << all.size(); ++mask) {
    std::vector<unsigned> repeats;
    for (size_t i = all.size(); i-- > 0;)
      if (mask >> i & 1)
        repeats.push_back(all[i]);
    Answer answer = search.search(shape, isPacked, repeats);
    if (!answer.legal)
      continue;
    fewest = fewest ? std::min(fewest, answer.fewest) : answer.fewest;
    if (llvm::ArrayRef<unsigned>(repeats) == chosen)
      chosenIssues = answer.fewest;
  }
  return fewest;
}

/// No list of counts is better than the one that is chosen, and that one is
/// legal as it stands.
TEST(SelectionOracle, EveryListOfCounts) {
  int legal = 0, illegal = 0, lists = 0;
  uint64_t seed = 7000000;
  for (int i = 0; i < 200; ++i) {
    Case c = nextCase(seed);
    SelectionOptions options;
    options.maxRegistersPerIssue = 8;
    SelectionResult result = selectAtom(c.transfer(), options);
    AtomSearch search(c);
    for (AtomShape shape : allShapes)
      for (Packing packing : packingsOf(c)) {
        auto candidate = llvm::find_if(result.candidates, [&](const auto &it) {
          return it.atom.shape == shape && it.atom.packing == packing;
        });
        bool isFound = candidate != result.candidates.end();
        llvm::ArrayRef<unsigned> chosen;
        if (isFound)
          chosen = candidate->atom.repeats;
        std::vector<unsigned> all = repeatsWithin(shape, 8);
        size_t chosenIssues = 0;
        size_t fewest = countFewest(search, shape, packing != Packing::None,
                                    all, chosen, chosenIssues);
        EXPECT_EQ(isFound ? candidate->plan.issues.size() : 0, fewest)
            << "seed " << seed << ", " << toString(Atom{shape, {}, packing});
        EXPECT_EQ(chosenIssues, fewest) << "seed " << seed;
        ++(fewest ? legal : illegal);
        lists += (1 << all.size()) - 1;
      }
  }
  std::cout << lists << " lists of counts for " << legal << " legal and "
            << illegal << " illegal atoms\n";
  EXPECT_GE(legal, 100);
}

} // namespace
