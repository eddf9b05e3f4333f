//===- TensorCore.h - Work that is under way --------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tcgen05.mma, cp and shift are asynchronous (PTX ISA, "tcgen05 Memory
// Consistency Model"): each is under way from where a thread issues it until a
// later tcgen05.commit of that thread has completed. Only then does it read and
// write here, so that whoever looks early sees what was there before. Who is to
// know of its completion must wait for the mbarrier of that commit, or come
// after somebody who has.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_EXECUTIONENGINE_EMULATION_TENSORCORE_H
#define TMEM_LIB_EXECUTIONENGINE_EMULATION_TENSORCORE_H

#include "Clocks.h"
#include "Pending.h"
#include "TensorMemory.h"
#include <functional>
#include <vector>

namespace tmem::emulation {

/// Columns of some lanes, which come in groups of 16.
struct Region {
  uint32_t groups; ///< Bit g: lanes 16g to 16g+15.
  uint32_t columnBegin, columnEnd;

  bool overlaps(const Region &other) const;
  bool overlaps(const Box &box) const;
  bool operator==(const Region &other) const {
    return groups == other.groups && columnBegin == other.columnBegin &&
           columnEnd == other.columnEnd;
  }
  /// Calls `fn(box)` for groups that follow each other.
  template <typename Fn> void forEachBox(Fn fn) const {
    for (uint32_t rest = groups; rest;) {
      uint32_t first = getLowest(rest);
      uint32_t end = first + getLowest(~(rest >> first));
      fn(Box{16 * first, 16 * end, columnBegin, columnEnd});
      rest = end < 32 ? rest >> end << end : 0;
    }
  }
};

constexpr uint32_t allGroups = 0xff; ///< 128 lanes.

/// Bytes of shared memory, as offsets from where that of the CTA begins.
struct ByteRange {
  uint32_t begin, end;

  bool operator==(const ByteRange &other) const {
    return begin == other.begin && end == other.end;
  }
};

/// One instruction.
struct TensorOp {
  enum Kind : uint8_t { Mma, Copy, Shift };

  Kind kind;
  const Site *site;
  Thread *thread; ///< Who has issued it.
  Region write;
  Region reads[2];
  uint32_t numReads = 0;
  std::vector<ByteRange> sources; ///< Ascending, apart from each other.
  uint64_t shape = 0; ///< Equal for instructions of one shape and kind.
  std::function<void(Cta &)> run;

  // What the tensor core adds.
  uint32_t issuer = 0;
  uint32_t epoch = 0; ///< Its commit, counted from 1; 0 before that.
  const Site *committed = nullptr;
  bool done = false;
  std::vector<uint8_t> snapshot; ///< Of the sources, when it was issued.

  const char *getName() const;
  template <typename T> bool isReading(const T &cells) const {
    for (uint32_t i = 0; i < numReads; ++i)
      if (reads[i].overlaps(cells))
        return true;
    return false;
  }
};

/// The threads of a cluster that issue instructions.
class Issuers {
public:
  /// The component of clocks that counts the thread's commits.
  uint32_t get(const Thread &thread);
  /// Counts one more.
  uint32_t addCommit(uint32_t issuer) { return ++epochs[issuer]; }

private:
  const Thread *threads[numIssuers] = {};
  uint32_t epochs[numIssuers] = {}; ///< Commits of each.
  uint32_t numUsed = 0;
};

/// That of one CTA.
class TensorCore {
public:
  /// For a new CTA: nothing is under way.
  void reset();

  /// Starts an instruction whose operands are right. Faults if it meets others
  /// that are not ordered with it.
  void issue(TensorOp &&op);
  void commit(Thread &thread, const Site *site, uint64_t *barrier);

  /// Whether `advance` may have something to do.
  bool isBusy() const { return !commits.empty(); }
  /// Lets time pass: commits complete some turns after they were executed, and
  /// at the latest when no thread of the cluster can run.
  void advance(Cta &cta);
  /// The next commit completes.
  void advanceToCommit(Cta &cta);

  /// Fault if an access meets what is under way, or is not known to be
  /// complete.
  void checkTransfer(const Thread &thread, const Warp &warp,
                     const Access &access) const;
  void checkSharedWrite(const Thread &thread, const Site *site, uint64_t begin,
                        uint64_t end) const;
  /// The same for columns that are freed, and forgets what was there.
  void checkDealloc(const Thread &thread, const Site *site,
                    const Allocation &allocation);

private:
  struct Commit {
    const Site *site;
    Thread *thread;
    uint32_t issuer, epoch;
    uint64_t *barrier;
    uint32_t delay; ///< Turns.
    SyncClock clock;
  };

  void complete(Cta &cta, size_t index);
  void forgetSuperseded();
  void forgetKnown(const Cta &cta);

  void checkAgainstOthers(const TensorOp &op) const;

  std::vector<TensorOp> ops; ///< In the order in which they were issued.
  std::vector<Commit> commits;
};

/// The cta_group of an instruction: that of the kernel, and 1.
void checkTensorGroup(const Thread &thread, const Site *site, uint32_t flags);

/// Columns that `what` accesses must lie in one live allocation, which race
/// mode wants ordered before.
void checkAllocated(const Thread &thread, const Site *site, const char *what,
                    const Region &region);
/// Puts ranges in order, and those together that touch.
void mergeSources(std::vector<ByteRange> &sources);
/// Pending and unordered accesses of warps that a new instruction meets.
void checkWarps(const TensorOp &op);
/// Writes to its sources that are not ordered before it.
void checkSources(const TensorOp &op);

} // namespace tmem::emulation

#endif // TMEM_LIB_EXECUTIONENGINE_EMULATION_TENSORCORE_H
