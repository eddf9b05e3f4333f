//===- EmulationClusterModelTest.cpp - Races in a cluster -----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random programs of the warps of a cluster, which access each other's shared
// memory, and a model that knows nothing of clocks: it looks for a path of
// barriers and mbarriers between each two accesses. A race that the model finds
// must be reported in every order, and a program without one must run clean.
//
//===----------------------------------------------------------------------===//

#include "EmulationTestUtils.h"
#include <random>

using namespace tmem::emulation::test;

namespace {

enum class Kind { Read, Write, CtaBarrier, ClusterBarrier, Relaxed, HandOver };

struct Step {
  Kind kind;
  uint32_t warp;        ///< Who accesses or arrives, by its number.
  uint32_t cta;         ///< Whose memory, barrier or mbarrier.
  uint32_t begin, size; ///< Bytes, or the mbarrier and the warp that waits.
};

struct Program {
  uint32_t numCtas, warpsPerCta;
  std::vector<Step> steps;

  uint32_t getNumWarps() const { return numCtas * warpsPerCta; }
};

constexpr uint32_t maxHandOvers = 16;
constexpr uint32_t dataOffset = maxHandOvers * 8;

Program makeProgram(uint32_t seed, uint32_t numCtas, uint32_t warpsPerCta) {
  std::mt19937 random(seed);
  auto pick = [&](uint32_t range) { return uint32_t(random() % range); };
  Program program = {numCtas, warpsPerCta, {}};
  uint32_t numHandOvers = 0;
  for (uint32_t i = 4 + pick(16); i; --i) {
    uint32_t warp = pick(program.getNumWarps()), cta = pick(numCtas);
    switch (pick(8)) {
    case 0:
    case 1:
      program.steps.push_back({Kind::Read, warp, cta, pick(8), 1 + pick(4)});
      break;
    case 2:
    case 3:
      program.steps.push_back({Kind::Write, warp, cta, pick(8), 1 + pick(4)});
      break;
    case 4:
      program.steps.push_back({Kind::CtaBarrier, 0, cta, 0, 0});
      break;
    case 5:
      program.steps.push_back(
          {pick(3) ? Kind::ClusterBarrier : Kind::Relaxed, 0, 0, 0, 0});
      break;
    default:
      if (numHandOvers == maxHandOvers)
        break;
      program.steps.push_back({Kind::HandOver, warp, cta, numHandOvers++,
                               cta * warpsPerCta + pick(warpsPerCta)});
    }
  }
  return program;
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

/// Whether step `from` is ordered before step `to`, both accesses.
bool isReached(const Program &program, uint32_t from, uint32_t to) {
  std::vector<bool> reached(program.getNumWarps());
  reached[program.steps[from].warp] = true;
  auto reach = [&](uint32_t begin, uint32_t size) {
    bool any = false;
    for (uint32_t w = begin; w < begin + size; ++w)
      any = any || reached[w];
    for (uint32_t w = begin; w < begin + size && any; ++w)
      reached[w] = true;
  };
  for (uint32_t i = from + 1; i < to; ++i) {
    const Step &step = program.steps[i];
    if (step.kind == Kind::ClusterBarrier)
      reach(0, program.getNumWarps());
    else if (step.kind == Kind::CtaBarrier)
      reach(step.cta * program.warpsPerCta, program.warpsPerCta);
    else if (step.kind == Kind::HandOver && reached[step.warp])
      reached[step.size] = true;
  }
  return reached[program.steps[to].warp];
}

bool hasRace(const Program &program) {
  auto isAccess = [](const Step &step) { return step.kind <= Kind::Write; };
  for (uint32_t to = 0; to < program.steps.size(); ++to)
    for (uint32_t from = 0; from < to; ++from) {
      const Step &a = program.steps[from], &b = program.steps[to];
      bool meet = isAccess(a) && isAccess(b) && a.cta == b.cta &&
                  a.warp != b.warp &&
                  (a.kind == Kind::Write || b.kind == Kind::Write) &&
                  a.begin < b.begin + b.size && b.begin < a.begin + a.size;
      if (meet && !isReached(program, from, to))
        return true;
    }
  return false;
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

uint64_t getAddress(TMemEmuThread *t, uint32_t cta, uint32_t offset) {
  return tmemEmuMapShared(t, AT("mapa", 20), t->sharedBegin + offset, cta);
}

void runStep(TMemEmuThread *t, const Step &step, uint32_t warp) {
  switch (step.kind) {
  case Kind::Read:
  case Kind::Write:
    if (warp == step.warp)
      tmemEmuSharedAccess(
          t, AT("access", 21), getAddress(t, step.cta, dataOffset + step.begin),
          step.size,
          TMemEmuAccessCluster |
              (step.kind == Kind::Write ? uint32_t(TMemEmuAccessWrite) : 0));
    return;
  case Kind::CtaBarrier:
    if (getRank(t) == step.cta)
      sync(t, AT("bar.sync", 22));
    return;
  case Kind::ClusterBarrier:
    return syncCluster(t, TMemEmuClusterAligned);
  case Kind::Relaxed:
    return syncCluster(t, TMemEmuClusterRelaxed);
  case Kind::HandOver:
    auto *barrier =
        reinterpret_cast<uint64_t *>(getAddress(t, step.cta, step.begin * 8));
    // What the other lanes have done is done by then.
    tmemEmuWarpSync(t, AT("bar.warp.sync", 23), fullMask);
    if (warp == step.warp && getLane(t) == 0)
      tmemEmuMBarrierArrive(t, AT("mbarrier.arrive", 24), barrier, 1, 0,
                            TMemEmuArriveCluster);
    if (warp == step.size)
      tmemEmuMBarrierWait(t, AT("mbarrier.try_wait", 25), barrier, 0,
                          TMemEmuWaitParity | TMemEmuWaitBlock);
  }
}

Body makeKernel(const Program &program) {
  return [&program](TMemEmuThread *t) {
    uint32_t warp = getRank(t) * program.warpsPerCta + getWarp(t);
    if (getTid(t) < maxHandOvers)
      tmemEmuMBarrierInit(t, AT("mbarrier.init", 18),
                          getShared<uint64_t>(t, getTid(t) * 8), 1);
    syncCluster(t);
    for (const Step &step : program.steps)
      runStep(t, step, warp);
    syncCluster(t);
  };
}

/// Returns how many of the programs have a race.
uint32_t check(uint32_t numPrograms, uint32_t numCtas, uint32_t warpsPerCta) {
  uint32_t numRaces = 0;
  Launch launch = Launch::ofCluster(numCtas);
  launch.block = {warpsPerCta * 32, 1, 1};
  launch.staticShared = dataOffset + 16;
  launch.race = true;
  for (uint32_t i = 0; i < numPrograms; ++i) {
    Program program = makeProgram(i, numCtas, warpsPerCta);
    bool expected = hasRace(program);
    numRaces += expected;
    for (uint64_t seed : {uint64_t(0), uint64_t(1) + i}) {
      Report report = run(launch.with(seed), makeKernel(program));
      if (expected)
        EXPECT_THAT(report, isFault("race: ")) << "program " << i;
      else
        EXPECT_THAT(report, isClean()) << "program " << i;
    }
  }
  return numRaces;
}

TEST(EmulationClusterModel, RandomPrograms) {
  constexpr uint32_t numPrograms = 400;
  uint32_t numRaces = check(numPrograms, 3, 2);
  EXPECT_GT(numRaces, numPrograms / 5);
  EXPECT_LT(numRaces, numPrograms * 4 / 5);
}

/// More warps than one CTA can have.
TEST(EmulationClusterModel, LargeCluster) { check(30, 5, 8); }

} // namespace
