//===- EmulationRaceModelTest.cpp - Race mode against a model -------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random programs of eight warps, two for each slab, and a model that knows
// nothing of clocks: it looks for a path of fences and barriers between each
// two accesses. A race that the model finds must be reported in every order,
// and a program without one must run clean.
//
//===----------------------------------------------------------------------===//

#include "EmulationTestUtils.h"
#include <random>

using namespace tmem::emulation::test;

namespace {

enum class Kind { Load, Store, Read, Write, Before, After, Barrier };

/// Something that each of `warps` does.
struct Step {
  Kind kind;
  uint32_t warps;
  /// Columns, or bytes of shared memory; the number of a barrier.
  uint32_t begin, size;

  bool isAccess() const { return kind < Kind::Before; }
  bool isTensor() const { return kind == Kind::Load || kind == Kind::Store; }
  bool isWrite() const { return kind == Kind::Store || kind == Kind::Write; }
};

using Program = std::vector<Step>;

constexpr uint32_t numWarps = 8;

class Generator {
public:
  explicit Generator(uint32_t seed) : random(seed) {}

  Program make() {
    Program program;
    uint32_t length = 6 + pick(30);
    for (uint32_t i = 0; i < length; ++i)
      program.push_back(makeStep());
    return program;
  }

private:
  uint32_t pick(uint32_t range) { return random() % range; }

  Step makeStep() {
    uint32_t warp = pick(numWarps);
    // Much that is ordered, so that some programs are free of races.
    switch (pick(12)) {
    case 0:
      return {Kind::Load, 1u << warp, pick(4) * 4, 4};
    case 1:
      return {Kind::Store, 1u << warp, pick(4) * 4, 4};
    case 2:
      return {Kind::Read, 1u << warp, pick(12), 1 + pick(6)};
    case 3:
      return {Kind::Write, 1u << warp, pick(12), 1 + pick(6)};
    case 4:
    case 5:
      return {Kind::Before, pick(2) ? 255 : 1 + pick(255), 0, 0};
    case 6:
    case 7:
      return {Kind::After, pick(2) ? 255 : 1 + pick(255), 0, 0};
    default: {
      // Each at a barrier of its own, as long as there are some.
      if (numBarriers == 15)
        return {Kind::Before, 255, 0, 0};
      uint32_t warps = pick(3) ? 255 : 1 + pick(255);
      return {Kind::Barrier, warps | 1u << warp, ++numBarriers, 0};
    }
    }
  }

  std::mt19937 random;
  uint32_t numBarriers = 0;
};

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

/// Whether what warp `first` has done at step `from` is ordered before what
/// warp `second` does at step `to`: by its own order, and over barriers.
bool isReached(const Program &program, uint32_t from, uint32_t first,
               uint32_t to, uint32_t second) {
  uint32_t reached = 1u << first;
  for (uint32_t i = from + 1; i < to; ++i)
    if (program[i].kind == Kind::Barrier && (program[i].warps & reached))
      reached |= program[i].warps;
  return reached >> second & 1;
}

/// Tensor Memory wants a fence in the first warp before that path, and one in
/// the second warp after it.
bool isFenced(const Program &program, uint32_t from, uint32_t first,
              uint32_t to, uint32_t second) {
  for (uint32_t b = from + 1; b < to; ++b)
    if (program[b].kind == Kind::Before && (program[b].warps >> first & 1))
      for (uint32_t a = b + 1; a < to; ++a)
        if (program[a].kind == Kind::After &&
            (program[a].warps >> second & 1) &&
            isReached(program, b, first, a, second))
          return true;
  return false;
}

/// Accesses have one warp each.
uint32_t getOnlyWarp(const Step &step) { return __builtin_ctz(step.warps); }

bool meets(const Step &a, const Step &b) {
  uint32_t first = getOnlyWarp(a), second = getOnlyWarp(b);
  if (a.isTensor() != b.isTensor() || first == second ||
      !(a.isWrite() || b.isWrite()))
    return false;
  if (a.isTensor() && first % 4 != second % 4)
    return false;
  return a.begin < b.begin + b.size && b.begin < a.begin + a.size;
}

bool hasRace(const Program &program) {
  for (uint32_t to = 0; to < program.size(); ++to)
    for (uint32_t from = 0; from < to; ++from) {
      const Step &a = program[from], &b = program[to];
      if (!a.isAccess() || !b.isAccess() || !meets(a, b))
        continue;
      uint32_t first = getOnlyWarp(a), second = getOnlyWarp(b);
      if (!(a.isTensor() ? isFenced(program, from, first, to, second)
                         : isReached(program, from, first, to, second)))
        return true;
    }
  return false;
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

void runStep(TMemEmuThread *t, const Step &step, uint32_t address) {
  uint32_t words[4] = {};
  switch (step.kind) {
  case Kind::Load:
    load(t, AT("tcgen05.ld", 20), address + step.begin, step.size, words);
    return tmemEmuWaitLoad(t, AT("tcgen05.wait::ld", 21));
  case Kind::Store:
    store(t, AT("tcgen05.st", 22), address + step.begin, step.size, words);
    return tmemEmuWaitStore(t, AT("tcgen05.wait::st", 23));
  case Kind::Read:
  case Kind::Write:
    return tmemEmuSharedAccess(t, AT("shared", 24),
                               t->sharedBegin + 16 + step.begin, step.size,
                               step.isWrite() ? TMemEmuAccessWrite : 0);
  case Kind::Before:
  case Kind::After:
    // By one lane, and done before the others go on: fences count for warps.
    if (getLane(t) == 0)
      tmemEmuFence(t, AT("fence", 25),
                   step.kind == Kind::Before ? TMemEmuFenceBefore
                                             : TMemEmuFenceAfter);
    return tmemEmuWarpSync(t, AT("bar.warp.sync", 26), fullMask);
  case Kind::Barrier:
    tmemEmuBarrier(t, AT("bar.sync", 27), step.begin,
                   __builtin_popcount(step.warps) * 32, TMemEmuBarrierAligned,
                   0);
  }
}

Body makeKernel(const Program &program) {
  return [&program](TMemEmuThread *t) {
    withColumns(t, 32, [&](uint32_t address) {
      if (getWarp(t) < 4)
        fill(t, address, 16, 1);
      fencedSync(t, AT("bar.sync", 15));
      for (const Step &step : program)
        if (step.warps >> getWarp(t) & 1)
          runStep(t, step, address);
    });
  };
}

TEST(EmulationRaceModel, RandomPrograms) {
  uint32_t numRaces = 0;
  constexpr uint32_t numPrograms = 1500;
  Launch launch = Launch::ofThreads(numWarps * 32);
  launch.race = true;
  for (uint32_t i = 0; i < numPrograms; ++i) {
    Program program = Generator(i).make();
    bool expected = hasRace(program);
    numRaces += expected;
    for (uint64_t seed : {uint64_t(0), uint64_t(1) + i}) {
      Report report = run(launch.with(seed), makeKernel(program));
      if (expected)
        // The second way is a race in which the first warp came no further.
        ASSERT_THAT(report, ::testing::AnyOf(isFault("race: "),
                                             isFault(" still accesses")))
            << "program " << i;
      else
        ASSERT_THAT(report, isClean()) << "program " << i;
    }
  }
  EXPECT_GT(numRaces, numPrograms / 5);
  EXPECT_LT(numRaces, numPrograms * 4 / 5);
}

} // namespace
