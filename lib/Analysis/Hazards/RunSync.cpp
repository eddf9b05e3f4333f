//===- RunSync.cpp - Accesses and barriers of a run -----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "tmem/IR/TMemOps.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

//===----------------------------------------------------------------------===//
// Mbarriers
//===----------------------------------------------------------------------===//

/// The number that all lanes that are active have.
std::optional<int64_t> Run::getUniform(Value value, unsigned warp) {
  return getUniform(evaluator.get(value, warps[warp].stack.back().frame), warp);
}

std::optional<int64_t> Run::getUniform(const ThreadValue &number,
                                       unsigned warp) {
  Activation &here = warps[warp].stack.back();
  if (!number.isKnown())
    return std::nullopt;
  unsigned first = warp * warpSize + llvm::countr_zero(here.lanes);
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if ((here.lanes >> lane & 1) &&
        number.get(warp * warpSize + lane) != number.get(first))
      return std::nullopt;
  return number.get(first);
}

Run::MBarrier *Run::getMBarrier(const Effect &effect, unsigned warp,
                                Slot &slot) {
  Activation &here = warps[warp].stack.back();
  ThreadValue address = evaluator.get(effect.address, here.frame);
  std::optional<unsigned> object = evaluator.getObject(address);
  if (!object || address.terms.size() != 1 || address.table) {
    giveUp(effect.op, "which mbarrier it names is not known");
    return nullptr;
  }
  slot = {*object, address.constant};
  auto it = mbarriers.find(slot);
  if (it == mbarriers.end() && effect.kind != EventKind::MBarrierInit) {
    giveUp(effect.op, "where its mbarrier is initialized is not known");
    return nullptr;
  }
  return &mbarriers[slot];
}

void Run::initialize(const Effect &effect, unsigned warp) {
  Slot slot;
  MBarrier *barrier = getMBarrier(effect, warp, slot);
  if (!barrier)
    return;
  std::optional<int64_t> count;
  if (effect.count)
    count = getUniform(effect.count, warp);
  if (!count || *count < 1) {
    giveUp(effect.op, "the count of its mbarrier is not known");
    return;
  }
  if (isFilled(slot, effect.op))
    return;
  Use made{effect.op, warp, order.mark(warp)};
  if (barrier->isValid) {
    reportLife(effect.op,
               "expected an mbarrier that is not valid, but got one that was "
               "initialized before",
               barrier->made, "initialized here",
               "execute mbarrier.inval before it is initialized again");
    return;
  }
  if (barrier->made.op && !isBehind(barrier->made, warp)) {
    reportLife(effect.op,
               "expected a barrier between the invalidation of the mbarrier "
               "and this, but got none",
               barrier->made, "invalidated here", "put a barrier between them");
    return;
  }
  *barrier = MBarrier();
  barrier->isValid = true;
  barrier->made = made;
  barrier->expected = barrier->pending = *count;
}

bool Run::isBehind(const Use &before, unsigned warp) const {
  return before.warp == warp ||
         order.getOrder(warp).at[before.warp] >= before.number;
}

bool Run::reportLife(Operation *op, StringRef message, const Use &other,
                     StringRef text, StringRef fix) {
  trial.report.findings.push_back(
      {Rule::H22, op, message.str(), other.op, text.str(), fix.str()});
  return false;
}

/// What is done with an mbarrier comes behind its init, and before its inval
/// (PTX ISA, mbarrier.init and mbarrier.inval). False if it does not.
bool Run::use(MBarrier &barrier, Operation *op, unsigned warp) {
  if (!barrier.isValid)
    return reportLife(op,
                      "expected a valid mbarrier, but got one that was "
                      "invalidated",
                      barrier.made, "invalidated here",
                      "execute mbarrier.inval behind a barrier, when no warp "
                      "uses it any more");
  if (!isBehind(barrier.made, warp))
    return reportLife(op,
                      "expected a barrier between the initialization of the "
                      "mbarrier and this, but got none",
                      barrier.made, "initialized here",
                      "put a barrier between them");
  barrier.uses[warp] = {op, warp, order.mark(warp)};
  return true;
}

void Run::invalidate(const Effect &effect, unsigned warp) {
  Slot slot;
  MBarrier *barrier = getMBarrier(effect, warp, slot);
  if (!barrier || !use(*barrier, effect.op, warp))
    return;
  for (auto &[other, last] : barrier->uses)
    if (!isBehind(last, warp)) {
      reportLife(effect.op,
                 "expected a barrier between the use of the mbarrier by "
                 "another warp and this, but got none",
                 last, "used here", "put a barrier between them");
      return;
    }
  Use made = barrier->uses[warp];
  *barrier = MBarrier();
  barrier->made = made;
}

void Run::arrive(const Effect &effect, unsigned warp) {
  Slot slot;
  MBarrier *barrier = getMBarrier(effect, warp, slot);
  if (!barrier || !use(*barrier, effect.op, warp))
    return;
  Activation &here = warps[warp].stack.back();
  std::optional<int64_t> count = 1;
  if (effect.count)
    count = getUniform(effect.count, warp);
  if (!count || !effect.reason.empty()) {
    giveUp(effect.op, Twine("how often it arrives is not known") +
                          (effect.reason.empty() ? "" : ": ") + effect.reason);
    return;
  }
  if (barrier->phase != 0 && barrier->passed.empty()) {
    trial.report.findings.push_back(
        {Rule::H25, effect.op,
         "expected a wait for the phase of the mbarrier that is complete "
         "before an arrival of the next, but got none",
         barrier->made.op, "initialized here",
         "wait for the mbarrier between the two arrivals"});
    return;
  }
  int64_t arrivals = *count * llvm::popcount(here.lanes);
  if (arrivals > barrier->pending) {
    giveUp(effect.op, "there are more arrivals than its phase waits for");
    return;
  }
  barrier->arriving.join(effect.kind == EventKind::Commit
                             ? order.commit(warp, here.lanes)
                             : order.release(warp));
  if (effect.kind != EventKind::Commit && effect.op->getNumResults() == 1) {
    ThreadValue state;
    state.constant = barrier->phase;
    evaluator.assign(effect.op->getResult(0), here.frame, state);
  }
  barrier->pending -= arrivals;
  if (barrier->pending == 0)
    complete(slot, *barrier);
}

/// A phase is over. Whoever has seen the end of the one before must have done
/// so before this end, or it could have come too late to see it.
void Run::complete(const Slot &slot, MBarrier &barrier) {
  for (const MBarrier::Pass &pass : barrier.passed)
    if (barrier.arriving.order.at[pass.warp] < pass.since)
      return reportAmbiguous(pass.op);
  barrier.passed.clear();
  ++barrier.phase;
  barrier.pending = barrier.expected;
  barrier.complete = barrier.arriving;
  barrier.arriving = Carried();
  for (unsigned warp = 0; warp < warps.size(); ++warp) {
    WarpRun &other = warps[warp];
    if (other.status != WarpRun::AtMBarrier || !(other.object == slot) ||
        other.phase >= barrier.phase)
      continue;
    other.status = WarpRun::Ready;
    pass(barrier, warp, other.since, other.op);
  }
}

void Run::pass(MBarrier &barrier, unsigned warp, uint32_t since,
               Operation *op) {
  barrier.passed.push_back({warp, since, op});
  ++warps[warp].syncs;
  order.acquire(warp, barrier.complete);
  // Until here it looked at the mbarrier.
  barrier.uses[warp] = {op, warp, order.mark(warp)};
}

/// Parity tells a phase from the next one only (PTX ISA, mbarrier.test_wait).
void Run::reportAmbiguous(Operation *op) {
  trial.report.findings.push_back(
      {Rule::H21, op,
       "expected a phase of the mbarrier that is the same in every order of "
       "warps, but got one that may be the next or the one before",
       nullptr, "",
       "check the parity, and that whoever arrives waits for this warp first"});
}

/// Waits by parity, or by the state that an arrival gave.
void Run::await(const Effect &effect, unsigned warp) {
  Slot slot;
  MBarrier *barrier = getMBarrier(effect, warp, slot);
  if (!barrier || !use(*barrier, effect.op, warp))
    return;
  std::optional<int64_t> phase;
  if (effect.parity)
    phase = getUniform(effect.parity, warp);
  if (!phase) {
    giveUp(effect.op, "which phase it waits for is not known");
    return;
  }
  bool isState = effect.parity.getType().isInteger(64);
  bool isOver = isState ? uint64_t(*phase) < barrier->phase
                        : uint64_t(*phase & 1) != (barrier->phase & 1);
  uint32_t since = order.mark(warp);
  if (isOver)
    return pass(*barrier, warp, since, effect.op);
  // It must not be able to come before the end of the phase before: it would
  // take that for the one that it waits for.
  if (!isState && barrier->phase != 0 &&
      !order.getOrder(warp).covers(barrier->complete.order))
    return reportAmbiguous(effect.op);
  WarpRun &who = warps[warp];
  who.status = WarpRun::AtMBarrier;
  who.object = slot;
  who.phase = barrier->phase;
  who.since = since;
  who.op = effect.op;
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

void Run::meet(const Effect &effect, unsigned warp) {
  std::optional<int64_t> number = 0, count = numThreads;
  if (effect.barrier)
    number = getUniform(effect.barrier, warp);
  if (effect.count)
    count = getUniform(effect.count, warp);
  if (!number || !count) {
    giveUp(effect.op, "which warps meet at the barrier is not known");
    return;
  }
  Barrier &barrier = barriers[*number];
  barrier.members |= 1u << warp;
  if (llvm::popcount(barrier.members) * int64_t(warpSize) >
      std::max<int64_t>(*count, warpSize)) {
    giveUp(effect.op, "which warps meet at the barrier depends on their order");
    return;
  }
  bool isReduced = reduces(effect.op);
  if (barrier.arrived != 0 && isReduced != barrier.isReduced) {
    giveUp(effect.op, "a reduction meets another use of the barrier");
    return;
  }
  barrier.isReduced = isReduced;
  barrier.arriving.join(order.release(warp));
  barrier.arrived += warpSize;
  WarpRun &who = warps[warp];
  if (effect.kind == EventKind::BarrierSync) {
    barrier.waiting |= 1u << warp;
    who.status = WarpRun::AtBarrier;
    who.op = effect.op;
  }
  if (effect.count && barrier.arrived >= *count)
    release(barrier);
}

/// Lets those go who wait; the barrier may be used again.
void Run::release(Barrier &barrier) {
  for (unsigned warp = 0; warp < warps.size(); ++warp)
    if (barrier.waiting >> warp & 1) {
      warps[warp].status = WarpRun::Ready;
      ++warps[warp].syncs;
      order.acquire(warp, barrier.arriving);
    }
  uint32_t members = barrier.members;
  barrier = Barrier();
  barrier.members = members;
}

/// Barriers of the block end when all warps that have not ended are there.
void Run::releaseBarriers() {
  uint32_t alive = 0;
  for (unsigned warp = 0; warp < warps.size(); ++warp)
    if (warps[warp].status != WarpRun::Done)
      alive |= 1u << warp;
  for (auto &[number, barrier] : barriers) {
    if (barrier.waiting != 0 && barrier.waiting == alive)
      release(barrier);
  }
}

/// Nobody can go on: waits that are for a phase which no arrival ends.
bool Run::reportStuck() {
  for (WarpRun &warp : warps) {
    if (warp.status != WarpRun::AtMBarrier)
      continue;
    trial.report.findings.push_back(
        {Rule::H21, warp.op,
         "expected a phase of the mbarrier that its arrivals end, but got one "
         "that no arrival ends",
         nullptr, "",
         "check the parity, the count of the mbarrier, and that every warp "
         "arrives"});
    return true;
  }
  for (WarpRun &warp : warps)
    if (warp.status == WarpRun::AtBarrier)
      return giveUp(warp.op, "not all warps come to the barrier");
  return false;
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

void Run::perform(const Effect &effect, unsigned warp) {
  Activation &here = warps[warp].stack.back();
  switch (effect.kind) {
  case EventKind::Alloc:
    return allocate(effect, warp);
  case EventKind::Dealloc:
    return deallocate(effect, warp);
  case EventKind::Load:
  case EventKind::Store:
  case EventKind::TensorWrite:
  case EventKind::TensorRead:
    return transfer(effect, warp);
  case EventKind::WaitLoad:
    return order.wait(warp, AccessKind::Load);
  case EventKind::WaitStore:
    return order.wait(warp, AccessKind::Store);
  case EventKind::FenceBefore:
    return order.fenceBefore(warp);
  case EventKind::FenceAfter:
    return order.fenceAfter(warp);
  case EventKind::BarrierSync:
  case EventKind::BarrierArrive:
    return meet(effect, warp);
  case EventKind::MBarrierInit:
    return initialize(effect, warp);
  case EventKind::MBarrierInval:
    return invalidate(effect, warp);
  case EventKind::MBarrierArrive:
  case EventKind::Commit:
    return arrive(effect, warp);
  case EventKind::MBarrierWait:
    return await(effect, warp);
  case EventKind::SlotWrite:
    if (std::optional<Slot> slot = getSlot(effect, warp))
      writeWord(*slot, evaluator.get(effect.columns, here.frame), effect, warp);
    return;
  case EventKind::SlotRead:
    return readWord(effect, warp);
  case EventKind::WarpSync:
    ++warps[warp].syncs;
    return;
  case EventKind::Relinquish:
    relinquished = effect.op;
    return;
  case EventKind::ClusterArrive:
  case EventKind::ClusterWait:
    giveUp(effect.op, "other CTAs are not followed");
    return;
  case EventKind::OtherSync:
    giveUp(effect.op, "what atomics and fences order is not followed");
    return;
  case EventKind::Unknown:
    giveUp(effect.op, effect.reason);
    return;
  default:
    return;
  }
}
