//===- RunAllocations.cpp - Columns and their order in a run --------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An alloc that does not fit waits, as at a barrier, until others have freed
// columns. Allocs are in one order, whatever the order of warps, and what is
// freed without waiting for them is freed in every order: so if nobody can go
// on in one run, nobody can in any.
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "tmem/Target/Chips.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

/// Allocs of several warps come one after the other.
void Run::checkOrder(const Effect &effect, unsigned warp) {
  for (auto &[other, alloc] : lastAllocs)
    if (!isBehind(alloc, warp)) {
      report(Rule::H19, effect.op,
             "expected a barrier between the alloc of another warp and this, "
             "but got none",
             alloc.op, "allocated here",
             "let one warp allocate, or put a barrier between the two");
      trial.report.findings.back().otherCalls = getCalls(alloc.frame);
      return;
    }
}

/// An alloc that need not have come before comes too late in another order.
void Run::relinquish(const Effect &effect, unsigned warp) {
  if (!relinquished)
    relinquished = effect.op;
  for (auto &[other, alloc] : lastAllocs)
    if (!isBehind(alloc, warp)) {
      report(Rule::H5, effect.op,
             "expected a barrier between the alloc of another warp and this, "
             "but got none",
             alloc.op, "allocated here",
             "let the warp that allocates relinquish, or put a barrier between "
             "the two");
      trial.report.findings.back().otherCalls = getCalls(alloc.frame);
      return;
    }
}

/// True if the warp waits, or the run ends. Of allocations of which the columns
/// are not known none are counted.
bool Run::awaitColumns(const Effect &effect, const Size &size, unsigned warp) {
  int64_t most = effect.isExclusive ? getMaxColumns() : getMaxPlainColumns();
  bool fits = effect.isExclusive
                  ? numKept == 0
                  : numExclusive == 0 &&
                        (!size.number || keptColumns + *size.number <= most);
  if (fits || numKept == 0)
    return false;
  // It is executed again when it goes on.
  const auto &all = effects[effect.op];
  auto isAlloc = [](const Effect &effect) {
    return effect.kind == EventKind::Alloc;
  };
  if (!isAlloc(all.front()) || llvm::count_if(all, isAlloc) != 1) {
    giveUp(effect.op, "it does something before it waits for columns");
    return true;
  }
  WarpRun &who = warps[warp];
  --who.stack.back().next;
  who.status = WarpRun::AtAlloc;
  who.op = effect.op;
  who.columns = size.number.value_or(0);
  return true;
}

void Run::keepColumns(const Allocated &allocated) {
  ++numKept;
  numExclusive += allocated.isExclusive;
  keptColumns += allocated.size.number.value_or(0);
}

/// Whoever waits for columns looks again.
void Run::freeColumns(const Allocated &allocated) {
  --numKept;
  numExclusive -= allocated.isExclusive;
  keptColumns -= allocated.size.number.value_or(0);
  for (WarpRun &warp : warps)
    if (warp.status == WarpRun::AtAlloc)
      warp.status = WarpRun::Ready;
}

/// An alloc waits until there are columns (PTX ISA, tcgen05.alloc).
void Run::reportFull(unsigned warp) {
  const WarpRun &who = warps[warp];
  Operation *kept = nullptr;
  for (auto &[root, allocated] : allocations)
    if (!allocated.freed)
      kept = allocated.op;
  report(Rule::H23, who.op,
         "expected a dealloc that does not wait for this alloc, but got none: "
         "warp " +
             Twine(warp) + " waits for " + Twine(who.columns) +
             " columns, and " + Twine(keptColumns) + " are allocated",
         kept, "allocated here",
         "free columns before, or let the warp that frees them not wait for "
         "this one");
  Finding &finding = trial.report.findings.back();
  finding.calls = getCalls(who.stack.back().frame);
  llvm::SmallPtrSet<Operation *, 4> told;
  for (auto [number, other] : llvm::enumerate(warps))
    if ((other.status == WarpRun::AtMBarrier ||
         other.status == WarpRun::AtBarrier) &&
        told.insert(other.op).second)
      finding.more.push_back({other.op,
                              "warp " + std::to_string(number) + " waits here",
                              getCalls(other.stack.back().frame)});
}
