//===- Clocks.h - What is ordered before what -------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vector clocks of the warps of a cluster. A warp's own component counts its
// releases; an event of warp w at count n is ordered before what warp v does
// when v's clock has at least n for w. Warps and not threads: what one lane
// releases holds for its warp, so that no order is ever overlooked. The fences
// of Tensor Memory alone are kept for each thread.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_EMULATION_CLOCKS_H
#define TMEM_LIB_EXECUTIONENGINE_EMULATION_CLOCKS_H

#include "Support.h"
#include <algorithm>
#include <memory>
#include <vector>

namespace tmem::emulation {

/// Threads that issue work to the tensor core are told apart up to this many.
constexpr uint32_t numIssuers = 8;

/// For each of them its count of commits that are known to be complete.
struct IssuerCounts {
  uint32_t at[numIssuers] = {};

  void join(const IssuerCounts &other) {
    for (uint32_t i = 0; i < numIssuers; ++i)
      at[i] = at[i] < other.at[i] ? other.at[i] : at[i];
  }
};

/// A count for each warp, by its number in the cluster. As many as one CTA can
/// have lie here; only large clusters have more.
class Counts {
public:
  Counts() = default;
  Counts(const Counts &other) { *this = other; }
  Counts &operator=(const Counts &other) {
    std::copy_n(other.first, maxWarps, first);
    if (__builtin_expect(rest || other.rest, false))
      copyRest(other);
    return *this;
  }

  uint32_t operator[](uint32_t warp) const {
    if (__builtin_expect(warp < maxWarps, true))
      return first[warp];
    return rest && warp - maxWarps < rest->size() ? (*rest)[warp - maxWarps]
                                                  : 0;
  }
  uint32_t &operator[](uint32_t warp) {
    if (__builtin_expect(warp < maxWarps, true))
      return first[warp];
    return getRest(warp - maxWarps);
  }

  void join(const Counts &other) {
    for (uint32_t i = 0; i < maxWarps; ++i)
      first[i] = first[i] < other.first[i] ? other.first[i] : first[i];
    if (__builtin_expect(other.rest != nullptr, false))
      joinRest(other);
  }

private:
  uint32_t &getRest(uint32_t index);
  void copyRest(const Counts &other);
  void joinRest(const Counts &other);

  uint32_t first[maxWarps] = {};
  std::unique_ptr<std::vector<uint32_t>> rest;
};

struct VectorClock {
  Counts at;
  IssuerCounts issuers;

  void join(const VectorClock &other) {
    at.join(other.at);
    issuers.join(other.issuers);
  }
};

/// The component of a warp when it starts. Who knows this much of any of its
/// warps knows that a CTA has started; what a warp does counts from one more.
constexpr uint32_t startEpoch = 1;

/// What is ordered by barriers, and of that what a fence.proxy.async has made
/// known to the asynchronous proxy, through which the tensor core reads shared
/// memory (PTX ISA, "Proxies").
struct OrderClock : VectorClock {
  VectorClock proxied;

  using VectorClock::join;
  void join(const OrderClock &other) {
    VectorClock::join(other);
    proxied.join(other.proxied);
  }
};

/// What a barrier carries from those who arrive to those who leave.
struct SyncClock {
  OrderClock order;
  VectorClock tensor; ///< What was published for Tensor Memory.
};

/// What the fences of one thread have done.
struct LaneClocks {
  VectorClock published; ///< By fence::before_thread_sync.
  VectorClock carried;   ///< For the next fence::after_thread_sync.
};

/// The clocks of one warp. Accesses of Tensor Memory have one of their own: the
/// tcgen05 fences publish and acquire it, and barriers only carry it (PTX ISA,
/// "tcgen05 Memory Consistency Model"). Fences belong to threads: a lane that
/// has run ahead to its fence publishes nothing for one that is still before
/// it.
struct WarpClocks {
  OrderClock order;
  OrderClock fenced; ///< `order` at the last memory fence.
  VectorClock tensor;
  LaneClocks lanes[warpSize];
  bool isRacing = false; ///< Only then are the lanes looked at.

  void reset(uint32_t warp, bool racing) {
    isRacing = racing;
    order = fenced = OrderClock();
    tensor = VectorClock();
    order.at[warp] = tensor.at[warp] = startEpoch + 1;
    if (isRacing)
      for (LaneClocks &lane : lanes)
        lane = LaneClocks();
  }

  void release(uint32_t warp, uint32_t lane, SyncClock &to) {
    to.order.join(order);
    to.tensor.join(lanes[lane].published);
    to.tensor.join(lanes[lane].carried);
    ++order.at[warp];
  }
  void acquire(uint32_t lane, const SyncClock &from) {
    order.join(from.order);
    lanes[lane].carried.join(from.tensor);
  }
  /// A relaxed arrival: orders what fences have put before it (PTX ISA, Memory
  /// Consistency Model, "Release and Acquire Patterns"), and that the CTA has
  /// started.
  void releaseRelaxed(uint32_t warp, uint32_t lane, SyncClock &to) const {
    to.order.join(fenced);
    uint32_t &own = to.order.at[warp];
    own = own < startEpoch ? startEpoch : own;
    to.tensor.join(lanes[lane].published);
    to.tensor.join(lanes[lane].carried);
  }

  /// Of all lanes at once.
  void releaseAll(uint32_t warp, SyncClock &to) {
    to.order.join(order);
    ++order.at[warp];
    if (!isRacing)
      return;
    for (const LaneClocks &lane : lanes) {
      to.tensor.join(lane.published);
      to.tensor.join(lane.carried);
    }
  }
  void acquireAll(const SyncClock &from) {
    order.join(from.order);
    if (!isRacing)
      return;
    for (LaneClocks &lane : lanes)
      lane.carried.join(from.tensor);
  }

  void fenceBefore(uint32_t warp, uint32_t lane) {
    lanes[lane].published.join(tensor);
    ++tensor.at[warp];
  }
  void fenceAfter(uint32_t lane) { tensor.join(lanes[lane].carried); }
  void fenceProxy(uint32_t warp) {
    order.proxied.join(order);
    ++order.at[warp];
  }

  /// Whether a fence::after_thread_sync would make an event known.
  bool isCarried(uint32_t warp, uint32_t epoch) const {
    for (const LaneClocks &lane : lanes)
      if (lane.carried.at[warp] >= epoch)
        return true;
    return false;
  }
};

} // namespace tmem::emulation

#endif // TMEM_LIB_EXECUTIONENGINE_EMULATION_CLOCKS_H
