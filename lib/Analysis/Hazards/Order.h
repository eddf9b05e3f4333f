//===- Order.h - What happens before what in a run --------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of accesses in one run of a kernel, by vector clocks: what each
// warp knows of each other one, and by which of waits, fences and barriers. It
// says what is wrong in every run with the same order of barriers, not only in
// this one.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_ANALYSIS_HAZARDS_ORDER_H
#define TMEM_LIB_ANALYSIS_HAZARDS_ORDER_H

#include "Findings.h"
#include "State.h"

namespace mlir::tmem::hazards {

inline constexpr unsigned maxWarps = maxThreads / warpSize;
/// Warps, what one lane of each has given to the tensor core, and what other
/// lanes have.
inline constexpr unsigned numOtherLanes = 8;
inline constexpr unsigned numActors = 2 * maxWarps + numOtherLanes;

/// By actor: how many of its accesses.
struct Clock {
  std::array<uint32_t, numActors> at{};

  void join(const Clock &other) {
    for (unsigned i = 0; i < numActors; ++i)
      at[i] = std::max(at[i], other.at[i]);
  }
  bool covers(const Clock &other) const {
    for (unsigned i = 0; i < numActors; ++i)
      if (at[i] < other.at[i])
        return false;
    return true;
  }
};

/// What barriers carry from those who arrive to those who leave.
struct Carried {
  Clock order;               ///< Accesses issued before, and steps.
  Clock loads, stores;       ///< Accesses waited for.
  Clock ledLoads, ledStores; ///< The same, with the fence before.
  Clock fences;              ///< How far each warp was at its fence before.

  void join(const Carried &other) {
    order.join(other.order);
    loads.join(other.loads);
    stores.join(other.stores);
    ledLoads.join(other.ledLoads);
    ledStores.join(other.ledStores);
    fences.join(other.fences);
  }
};

class RunOrder {
public:
  explicit RunOrder(Report &report) : report(report) {}

  /// `lane`: which gave it to the tensor core. `isFollowed`: of a load that
  /// `finish` may complete. Returns its number among those of the warp.
  uint32_t access(unsigned warp, AccessKind kind, unsigned root,
                  const Cells &cells, Operation *op, unsigned lane = 0,
                  bool isFollowed = false);
  /// Every lane has read the registers of a load of the warp.
  void finish(unsigned warp, unsigned root, uint32_t number);
  void free(unsigned warp, unsigned root, Operation *op);
  void wait(unsigned warp, AccessKind kind);
  void fenceBefore(unsigned warp);
  void fenceAfter(unsigned warp);

  /// What an arrival of the warp hands over.
  Carried release(unsigned warp);
  /// What its commit hands over, once the tensor core is done.
  Carried commit(unsigned warp, uint32_t lanes);
  void acquire(unsigned warp, const Carried &carried) {
    warps[warp].has.join(carried);
  }
  /// A point in the run of a warp, and whether it comes before `clock`.
  uint32_t mark(unsigned warp) { return ++warps[warp].has.order.at[warp]; }
  const Clock &getOrder(unsigned warp) const { return warps[warp].has.order; }
  bool isFaulty() const { return !report.findings.empty(); }

private:
  struct Access {
    Cells cells;
    unsigned actor;
    AccessKind kind;
    uint32_t number;
    Operation *op;
    unsigned warp, lane;
    bool isFollowed = false;
    uint32_t finished = 0; ///< When its registers had been read, or 0.
  };
  struct Warp {
    Carried has;
    Clock tookLoads, tookStores; ///< With the fence after, too.
    Clock tookFences;
  };

  unsigned getIssuer(unsigned warp, unsigned lane);
  bool isWaitedFor(const Access &before, unsigned warp) const;
  bool standsFor(const Access &now, const Access &before) const;
  Missing getCompletion(const Access &before) const;
  std::optional<Missing> findMissing(const Access &before, unsigned warp) const;
  void check(const Access &before, const Access &now, unsigned warp);

  Report &report;
  std::array<Warp, maxWarps> warps;
  std::map<unsigned, std::vector<Access>> accesses; ///< By root.
  std::map<unsigned, Operation *> freed;
  /// By warp and lane: the actor.
  std::map<std::pair<unsigned, unsigned>, unsigned> issuers;
  unsigned numIssuers = 0; ///< Beside the first one of each warp.
  std::array<uint32_t, maxWarps> committed{}; ///< By warp: the lanes.
};

} // namespace mlir::tmem::hazards

#endif // TMEM_LIB_ANALYSIS_HAZARDS_ORDER_H
