//===- EmulationWarpOpsTest.cpp - Shuffles, votes, reductions, emulated ---===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Against models that are written per lane, for random values and masks.
//
//===----------------------------------------------------------------------===//

#include "EmulationTestUtils.h"
#include <cmath>
#include <cstring>
#include <random>

using namespace tmem::emulation::test;

namespace {

using Values = std::array<uint64_t, 32>;
using LaneOp = std::function<uint64_t(TMemEmuThread *)>;

/// Runs one operation on the lanes of `mask`, the others stay away.
Values runOnLanes(uint32_t mask, const LaneOp &op) {
  Values results = {};
  EXPECT_THAT(run(Launch::ofThreads(32),
                  [&](TMemEmuThread *t) {
                    if (mask >> getLane(t) & 1)
                      results[getLane(t)] = op(t);
                  }),
              isClean());
  return results;
}

std::vector<uint32_t> makeMasks() {
  std::vector<uint32_t> masks = {fullMask, 1, 0x80000000, 0xffff, 0xaaaaaaaa};
  std::mt19937 random(1);
  for (int i = 0; i < 5; ++i)
    masks.push_back(random() | 2);
  return masks;
}

Values makeValues(uint32_t range) {
  Values values;
  std::mt19937_64 random(range);
  for (uint64_t &value : values)
    value = range ? random() % range : random() & 0xffffffff;
  return values;
}

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

/// Per lane as PTX describes it: the lane that is read, or -1 when out of
/// range.
int getSource(uint32_t kind, int lane, int offset, uint32_t clamp) {
  int width = 32 - (clamp >> 8 & 31), base = lane / width * width;
  int last = base + int(clamp & 31) % width;
  switch (kind) {
  case TMemEmuShuffleUp:
    return lane - offset >= base + int(clamp & 31) ? lane - offset : -1;
  case TMemEmuShuffleDown:
    return lane + offset <= last ? lane + offset : -1;
  case TMemEmuShuffleBfly:
    return (lane ^ offset) <= last ? lane ^ offset : -1;
  default:
    return base + offset % width <= last ? base + offset % width : -1;
  }
}

TEST(EmulationWarpOps, Shuffle) {
  Values values = makeValues(0);
  for (uint32_t kind = 0; kind < 4; ++kind)
    for (uint32_t width : {32, 16, 8, 4, 2, 1})
      for (uint32_t offset : {0, 1, 2, 3, 5, 7, 16, 31}) {
        uint32_t clamp =
            (32 - width) << 8 | (kind == TMemEmuShuffleUp ? 0 : 31);
        Values results = runOnLanes(fullMask, [&](TMemEmuThread *t) {
          return tmemEmuShuffle(t, AT("shfl", 20), kind, fullMask,
                                values[getLane(t)], offset, clamp);
        });
        for (int lane = 0; lane < 32; ++lane) {
          int source = getSource(kind, lane, offset, clamp);
          uint64_t expected =
              source < 0 ? values[lane] : values[source] | uint64_t(1) << 32;
          ASSERT_EQ(results[lane], expected)
              << "kind " << kind << " width " << width << " offset " << offset
              << " lane " << lane;
        }
      }
}

TEST(EmulationWarpOps, ShuffleHasOffsetsOfItsOwn) {
  Values results = runOnLanes(fullMask, [&](TMemEmuThread *t) {
    return tmemEmuShuffle(t, AT("shfl", 20), TMemEmuShuffleIdx, fullMask,
                          100 + getLane(t), 31 - getLane(t), 31);
  });
  for (uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(uint32_t(results[lane]), 100 + 31 - lane);
}

TEST(EmulationWarpOps, ShuffleOfPartsOfAWarp) {
  // Two halves, each on its own, a different number of times.
  expectClean([](TMemEmuThread *t) {
    bool upper = getLane(t) >= 16;
    for (uint32_t i = 0; i < (upper ? 5 : 3); ++i) {
      uint64_t result =
          tmemEmuShuffle(t, AT("shfl", 20), TMemEmuShuffleBfly,
                         upper ? 0xffff0000 : 0xffff, getLane(t), 1, 31);
      EXPECT_EQ(uint32_t(result), getLane(t) ^ 1);
    }
  });
}

//===----------------------------------------------------------------------===//
// Votes, match, elect, redux
//===----------------------------------------------------------------------===//

TEST(EmulationWarpOps, Vote) {
  for (uint32_t mask : makeMasks())
    for (uint32_t yes : {0u, fullMask, 0x12345678u, mask, ~mask}) {
      auto vote = [&](uint32_t kind) {
        return runOnLanes(mask, [&](TMemEmuThread *t) {
          return tmemEmuVote(t, AT("vote", 20), kind, mask,
                             yes >> getLane(t) & 1);
        });
      };
      Values any = vote(TMemEmuVoteAny), all = vote(TMemEmuVoteAll),
             ballot = vote(TMemEmuVoteBallot), uni = vote(TMemEmuVoteUni);
      for (uint32_t lane = 0; lane < 32; ++lane)
        if (mask >> lane & 1) {
          EXPECT_EQ(any[lane], (yes & mask) != 0);
          EXPECT_EQ(all[lane], (yes & mask) == mask);
          EXPECT_EQ(ballot[lane], yes & mask);
          EXPECT_EQ(uni[lane], (yes & mask) == mask || (yes & mask) == 0);
        }
    }
}

TEST(EmulationWarpOps, Match) {
  for (uint32_t mask : makeMasks())
    for (uint32_t range : {1, 2, 5}) {
      Values values = makeValues(range);
      for (uint64_t &value : values)
        value |= value << 40; // All 64 bits count.
      auto match = [&](uint32_t all) {
        return runOnLanes(mask, [&](TMemEmuThread *t) {
          return tmemEmuMatch(t, AT("match", 20), all, mask,
                              values[getLane(t)]);
        });
      };
      Values any = match(0), all = match(1);
      for (uint32_t lane = 0; lane < 32; ++lane) {
        if (!(mask >> lane & 1))
          continue;
        uint32_t same = 0;
        for (uint32_t other = 0; other < 32; ++other)
          if ((mask >> other & 1) && values[other] == values[lane])
            same |= 1u << other;
        EXPECT_EQ(any[lane], same);
        EXPECT_EQ(all[lane], same == mask ? mask | uint64_t(1) << 32 : 0);
      }
    }
}

TEST(EmulationWarpOps, Elect) {
  for (uint32_t mask : makeMasks()) {
    uint32_t leader = __builtin_ctz(mask);
    Values results = runOnLanes(mask, [&](TMemEmuThread *t) {
      return tmemEmuElect(t, AT("elect", 20), mask);
    });
    for (uint32_t lane = 0; lane < 32; ++lane)
      if (mask >> lane & 1)
        EXPECT_EQ(results[lane], leader | uint64_t(lane == leader) << 32);
  }
}

TEST(EmulationWarpOps, ReduxOfIntegers) {
  std::function<int64_t(int64_t, int64_t)> models[] = {
      [](int64_t a, int64_t b) { return a + b; },
      [](int64_t a, int64_t b) { return std::min(a, b); },
      [](int64_t a, int64_t b) { return std::max(a, b); },
      [](int64_t a, int64_t b) { return std::min(int32_t(a), int32_t(b)); },
      [](int64_t a, int64_t b) { return std::max(int32_t(a), int32_t(b)); },
      [](int64_t a, int64_t b) { return a & b; },
      [](int64_t a, int64_t b) { return a | b; },
      [](int64_t a, int64_t b) { return a ^ b; }};
  Values values = makeValues(0);
  for (uint32_t mask : makeMasks())
    for (uint32_t kind = TMemEmuReduceAdd; kind <= TMemEmuReduceXor; ++kind) {
      Values results = runOnLanes(mask, [&](TMemEmuThread *t) {
        return tmemEmuRedux(t, AT("redux", 20), kind, mask, values[getLane(t)],
                            0, 0);
      });
      int64_t expected = values[__builtin_ctz(mask)];
      for (uint32_t lane = __builtin_ctz(mask) + 1; lane < 32; ++lane)
        if (mask >> lane & 1)
          expected = uint32_t(models[kind](expected, values[lane]));
      for (uint32_t lane = 0; lane < 32; ++lane)
        if (mask >> lane & 1)
          EXPECT_EQ(results[lane], uint32_t(expected)) << "kind " << kind;
    }
}

uint32_t getBits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}

TEST(EmulationWarpOps, ReduxOfFloats) {
  auto redux = [](std::vector<float> values, uint32_t kind, bool abs,
                  bool nan) -> uint32_t {
    return runOnLanes(fullMask, [&](TMemEmuThread *t) {
      return tmemEmuRedux(t, AT("redux", 20), kind, fullMask,
                          getBits(values[getLane(t) % values.size()]), abs,
                          nan);
    })[0];
  };
  constexpr uint32_t min = TMemEmuReduceFMin, max = TMemEmuReduceFMax;
  float none = std::nanf("");
  EXPECT_EQ(redux({1, -3, 2}, min, false, false), getBits(-3));
  EXPECT_EQ(redux({1, -3, 2}, max, false, false), getBits(2));
  EXPECT_EQ(redux({1, -3, 2}, max, true, false), getBits(3));
  EXPECT_EQ(redux({1, -3, 2}, min, true, false), getBits(1));
  EXPECT_EQ(redux({0.f, -0.f}, min, false, false), getBits(-0.f));
  EXPECT_EQ(redux({-0.f, 0.f}, max, false, false), getBits(0.f));
  EXPECT_EQ(redux({none, 5, none}, min, false, false), getBits(5));
  EXPECT_EQ(redux({5, none}, max, false, true), 0x7fffffffu);
  EXPECT_EQ(redux({none}, max, false, false), 0x7fffffffu);
  EXPECT_EQ(redux({INFINITY, 7}, min, false, false), getBits(7));
  EXPECT_EQ(redux({-INFINITY, 7}, min, false, false), getBits(-INFINITY));
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

TEST(EmulationWarpOps, LaneIsInItsMask) {
  expectFault(
      [](TMemEmuThread *t) {
        tmemEmuWarpSync(t, AT("bar.warp.sync", 20), 0xffff);
      },
      "expected a member mask with the lane that names it, but lane ");
}

TEST(EmulationWarpOps, LanesNameOneMask) {
  expectFault(
      [](TMemEmuThread *t) {
        tmemEmuVote(t, AT("vote", 20), TMemEmuVoteAny,
                    getLane(t) < 16 ? fullMask : 0xfffffffe, 1);
      },
      "expected the same member mask in all lanes that it names, but lane ",
      Launch::ofThreads(32));
  EXPECT_THAT(run(Launch::ofThreads(32),
                  [](TMemEmuThread *t) {
                    tmemEmuVote(t, AT("vote", 20), TMemEmuVoteAny,
                                getLane(t) == 31 ? 0xfffffffe : fullMask, 1);
                  }),
              isFault("expected the same member mask in all lanes that it "
                      "names, but lane 31 has 0xfffffffe and lanes 1 to 30 "
                      "0xffffffff"));
  // Lanes that meet on their own before they meet with the others.
  expectClean([](TMemEmuThread *t) {
    if (getLane(t) >= 16)
      tmemEmuVote(t, AT("vote", 20), TMemEmuVoteAny, 0xffff0000, 1);
    tmemEmuVote(t, AT("vote", 21), TMemEmuVoteAny, fullMask, 1);
  });
}

TEST(EmulationWarpOps, MissingLanes) {
  Body kernel = [](TMemEmuThread *t) {
    if (getLane(t) != 7)
      tmemEmuWarpSync(t, AT("bar.warp.sync", 20), fullMask);
    else
      sync(t, AT("bar.sync", 21));
  };
  EXPECT_THAT(
      run(Launch::ofThreads(32), kernel),
      isFault("kernel.mlir:21:3: bar.sync: error: missing lanes: lane 7 "
              "of warp 0 waits for lanes 0 to 6 and 8 to 31"));
  EXPECT_THAT(run(Launch::ofThreads(32), kernel),
              isFault("kernel.mlir:20:3: bar.warp.sync: note: lanes 0 to 6 and "
                      "8 to 31 of warp 0 waiting here"));
  expectFault(kernel, "missing lanes: ");
}

TEST(EmulationWarpOps, ExitedLanesAreNotWaitedFor) {
  expectClean([](TMemEmuThread *t) {
    if (getLane(t) >= 20)
      return;
    EXPECT_EQ(tmemEmuVote(t, AT("vote", 20), TMemEmuVoteBallot, fullMask, 1),
              0xfffffu);
  });
}

TEST(EmulationWarpOps, DifferentOperationsDoNotMeet) {
  expectFault(
      [](TMemEmuThread *t) {
        if (getLane(t) % 2)
          tmemEmuWarpSync(t, AT("bar.warp.sync", 20), fullMask);
        else
          tmemEmuVote(t, AT("vote", 21), TMemEmuVoteAny, fullMask, 1);
      },
      "missing lanes: ");
  // The same one at two places does.
  expectClean([](TMemEmuThread *t) {
    if (getLane(t) % 2)
      tmemEmuWarpSync(t, AT("bar.warp.sync", 20), fullMask);
    else
      tmemEmuWarpSync(t, AT("bar.warp.sync", 21), fullMask);
  });
}

} // namespace
