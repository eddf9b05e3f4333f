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

static constexpr StringRef relaxedReason =
    "what is relaxed orders Tensor Memory alone, which is not told apart here";

/// The number that all lanes that are active have.
std::optional<int64_t> Run::getUniform(Value value, unsigned warp) {
  return getUniform(evaluator.get(value, warps[warp].stack.back().frame), warp);
}

std::optional<int64_t> Run::getUniform(const ThreadValue &number,
                                       unsigned warp) {
  Activation &here = warps[warp].stack.back();
  if (!number.isKnown())
    return std::nullopt;
  if (here.lanes != warps[warp].alive)
    evaluator.keepSeparate(number);
  unsigned first = warp * warpSize + llvm::countr_zero(here.lanes);
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if ((here.lanes >> lane & 1) &&
        number.get(warp * warpSize + lane) != number.get(first))
      return std::nullopt;
  return number.get(first);
}

/// Lanes may compute the address each for itself, as long as those that are
/// active name one.
Run::MBarrier *Run::getMBarrier(const Effect &effect, unsigned warp,
                                Slot &slot) {
  Activation &here = warps[warp].stack.back();
  ThreadValue address = getMBarrierAddress(evaluator, effect, here.frame);
  std::optional<unsigned> object = evaluator.getObject(address);
  std::optional<int64_t> offset;
  if (object && address.terms.size() == 1) {
    address.terms.clear();
    offset = getUniform(address, warp);
  }
  if (!offset) {
    giveUp(effect.op, "which mbarrier it names is not known");
    return nullptr;
  }
  slot = {*object, *offset};
  auto it = mbarriers.find(slot);
  if (it == mbarriers.end()) {
    giveUp(effect.op, "where its mbarrier is initialized is not known");
    return nullptr;
  }
  return &it->second;
}

/// False if an mbarrier cannot be made there.
bool Run::checkPlace(const Slot &slot, const Effect &effect, unsigned thread) {
  ThreadValue address = getMBarrierAddress(
      evaluator, effect, warps[thread / warpSize].stack.back().frame);
  std::string misplaced = findMisplacedMBarrier(evaluator, address, thread);
  if (!misplaced.empty())
    report(Rule::H22, effect.op, misplaced, nullptr, "", placeFix);
  auto it =
      mbarriers.upper_bound({slot.object, slot.offset - mbarrierBytes + 1, 0});
  for (; misplaced.empty() && it != mbarriers.end() &&
         it->first.object == slot.object &&
         it->first.offset < slot.offset + mbarrierBytes;
       ++it)
    if (it->second.isValid && !(it->first == slot))
      return reportLife(effect.op,
                        "expected 8 bytes for each mbarrier, but got some of "
                        "another one",
                        it->second.made, "initialized here", placeFix);
  return misplaced.empty();
}

/// Each lane makes one.
void Run::initialize(const Effect &effect, unsigned warp) {
  const Activation &here = warps[warp].stack.back();
  uint32_t lanes = here.lanes;
  if (effect.predicate) {
    std::optional<ThreadValue> taken = resolve(effect.predicate, warp);
    if (!taken) {
      giveUp(effect.op, "which threads execute it is not known");
      return;
    }
    lanes = getTaken(*taken, warp);
  }
  Use made = makeUse(effect.op, warp);
  for (; lanes != 0 && !hasStopped && !order.isFaulty(); lanes &= lanes - 1)
    initialize(effect, made, llvm::countr_zero(lanes));
}

void Run::initialize(const Effect &effect, Use made, unsigned lane) {
  made.lanes = 1u << lane;
  unsigned thread = made.warp * warpSize + lane;
  ThreadValue address = getMBarrierAddress(evaluator, effect, made.frame);
  std::optional<unsigned> object = evaluator.getObject(address);
  if (!object || address.terms.size() != 1) {
    giveUp(effect.op, "which mbarrier it names is not known");
    return;
  }
  evaluator.keepSeparate(address);
  Slot slot{*object, address.get(thread)};
  ThreadValue count;
  if (effect.count)
    count = evaluator.get(effect.count, made.frame);
  if (!count.isKnown() || count.get(thread) < 1) {
    giveUp(effect.op, "the count of its mbarrier is not known");
    return;
  }
  if (isFilled(slot, effect.op) || !checkPlace(slot, effect, thread))
    return;
  MBarrier &barrier = mbarriers[slot];
  if (!checkFree(slot, barrier, made))
    return;
  barrier = MBarrier();
  barrier.isValid = true;
  barrier.made = made;
  barrier.expected = barrier.pending = count.get(thread);
}

/// False if an mbarrier may be valid at a place where one is to be made.
bool Run::checkFree(const Slot &slot, const MBarrier &barrier,
                    const Use &made) {
  const Use &before = barrier.made;
  if (barrier.isValid && before.op == made.op && before.warp == made.warp &&
      before.number == made.number) {
    report(Rule::H22, made.op,
           "expected one thread to initialize the mbarrier, but got several "
           "lanes of warp " +
               Twine(made.warp),
           nullptr, "", "put it under a condition on the thread");
    return false;
  }
  if (barrier.isValid)
    return reportLife(made.op,
                      "expected an mbarrier that is not valid, but got one "
                      "that was initialized before",
                      before, "initialized here",
                      "execute mbarrier.inval before it is initialized again");
  if (before.op && !isBehind(before, made.warp))
    return reportLife(made.op,
                      "expected a barrier between the invalidation of the "
                      "mbarrier and this, but got none",
                      before, "invalidated here", "put a barrier between them");
  if (const Use *store = findStore(slot, made.warp))
    return reportLife(made.op,
                      "expected a barrier between the store to the place of "
                      "the mbarrier and its initialization, but got none",
                      *store, "stored here", "put a barrier between them");
  return true;
}

/// What one lane does is in order; other lanes of its warp come behind it
/// where the warp has met since (PTX ISA, bar.warp.sync).
bool Run::isBehind(const Use &before, unsigned warp) const {
  if (before.warp != warp)
    return order.getOrder(warp).at[before.warp] >= before.number;
  const WarpRun &who = warps[warp];
  return who.syncs > before.syncs || llvm::popcount(before.lanes) != 1 ||
         who.stack.back().lanes == before.lanes;
}

Run::Use Run::makeUse(Operation *op, unsigned warp) {
  const Activation &here = warps[warp].stack.back();
  return {op,         warp,       order.mark(warp),
          here.frame, here.lanes, warps[warp].syncs};
}

/// A store to the place of an mbarrier that may come behind its init; or null.
const Run::Use *Run::findStore(const Slot &place, unsigned warp) const {
  auto it = stores.upper_bound({place.object, place.offset - mostStored, 0});
  for (; it != stores.end() && it->first.object == place.object &&
         it->first.offset < place.offset + mbarrierBytes;
       ++it)
    if (it->first.offset + it->first.bytes > place.offset)
      for (const auto &[other, store] : it->second)
        if (!isBehind(store, warp))
          return &store;
  return nullptr;
}

/// One lane waits for an mbarrier, another one goes on: nothing is known of
/// what comes before that. False if the run ends.
bool Run::checkWaited(Operation *op, unsigned warp) {
  uint32_t lanes = warps[warp].stack.back().lanes;
  if (llvm::popcount(lanes) != 1 || (warps[warp].waited & lanes))
    return true;
  giveUp(op, "whether it comes behind what another lane of its warp has waited "
             "for");
  return false;
}

bool Run::reportLife(Operation *op, StringRef message, const Use &other,
                     StringRef text, StringRef fix) {
  trial.report.findings.push_back(
      {Rule::H22, op, message.str(), other.op, text.str(), fix.str()});
  trial.report.findings.back().otherCalls = getCalls(other.frame);
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
  barrier.uses[warp] = makeUse(op, warp);
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
                 "another " +
                     std::string(other == warp ? "lane" : "warp") +
                     " and this, but got none",
                 last, "used here", "put a barrier between them");
      return;
    }
  Use made = barrier->uses[warp];
  *barrier = MBarrier();
  barrier->made = made;
}

/// An arrival that need not come behind the end of the phase before may be one
/// of that phase. If each one does, and comes behind a wait that has seen the
/// end, every order of warps has the same arrivals in each phase.
bool Run::checkArrival(const MBarrier &barrier, Operation *op, int64_t arrivals,
                       unsigned warp) {
  std::string message, fix;
  if (barrier.phase != 0 && !hasSeen(barrier.last, warp)) {
    message = "expected a wait for the phase of the mbarrier that is complete "
              "before an arrival of the next, but got ";
    message += barrier.passed.empty()
                   ? "none"
                   : "one that may come later: warp " + std::to_string(warp) +
                         " may arrive in the phase before";
    fix = barrier.passed.empty()
              ? "wait for the mbarrier between the two arrivals"
              : "count the arrivals of one phase, or let the warp wait for "
                "the mbarrier before it arrives";
  } else if (arrivals > barrier.pending) {
    message = "expected at most " + std::to_string(barrier.pending) +
              " more arrivals in the phase of the mbarrier, but got " +
              std::to_string(arrivals);
    fix = "count the arrivals of one phase";
  } else {
    return true;
  }
  trial.report.findings.push_back(
      {Rule::H25, op, message, barrier.made.op, "initialized here", fix});
  trial.report.findings.back().otherCalls = getCalls(barrier.made.frame);
  return false;
}

void Run::arrive(const Effect &effect, unsigned warp) {
  if (effect.isUnclear || effect.isRelaxed) {
    giveUp(effect.op, effect.isUnclear ? effect.reason : relaxedReason);
    return;
  }
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
  int64_t arrivals = *count * llvm::popcount(here.lanes);
  if (!checkArrival(*barrier, effect.op, arrivals, warp) ||
      !checkWaited(effect.op, warp))
    return;
  bool isCommit = effect.kind == EventKind::Commit;
  Phase &phase = barrier->current;
  phase.hasCommit |= isCommit;
  phase.carried.join(isCommit ? order.commit(warp, here.lanes)
                              : order.release(warp));
  learn(warp, Clock());
  if (!isCommit && effect.op->getNumResults() == 1) {
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
    if (barrier.current.carried.order.at[pass.warp] < pass.since)
      return reportAmbiguous(pass, slot, barrier, barrier.phase - 1);
  barrier.passed.clear();
  ++barrier.phase;
  barrier.pending = barrier.expected;
  barrier.before = barrier.last;
  barrier.last = barrier.current;
  barrier.current = Phase();
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
  barrier.passed.push_back({warp, since, op, warps[warp].stack.back().frame});
  WarpRun &who = warps[warp];
  uint32_t lanes = who.stack.back().lanes;
  ++who.syncs;
  who.waited = lanes == who.alive ? ~0u : lanes;
  order.acquire(warp, barrier.last.carried);
  // Until here it looked at the mbarrier.
  barrier.uses[warp] = makeUse(op, warp);
  learn(warp, barrier.last.carried.order);
  uint32_t &seen = barrier.last.seen[warp];
  if (seen == 0)
    seen = barrier.uses[warp].number;
}

static std::string describeMBarrier(const Slot &slot) {
  return " of the mbarrier at byte " + std::to_string(slot.offset) +
         " of its variable";
}

/// `phase`: counted from 0, the one of which the end is waited for.
static std::string describeWait(uint64_t phase, const Slot &slot) {
  return " for parity " + std::to_string(phase & 1) + " (phase " +
         std::to_string(phase) + ", counted from 0)" + describeMBarrier(slot);
}

/// Parity tells a phase from the next one only (PTX ISA, mbarrier.test_wait).
void Run::reportAmbiguous(const MBarrier::Pass &pass, const Slot &slot,
                          const MBarrier &barrier, uint64_t phase) {
  reportPhase("expected a phase of the mbarrier that is the same in every "
              "order of warps, but got one that may be the next or the one "
              "before",
              "check the parity, and that whoever arrives waits for this warp "
              "first",
              pass, barrier,
              " for parity " + std::to_string(phase & 1) +
                  describeMBarrier(slot));
}

/// `what`: for which phase of which mbarrier the warp waits.
void Run::reportPhase(StringRef got, StringRef fix, const MBarrier::Pass &pass,
                      const MBarrier &barrier, const std::string &what) {
  std::string where = ": warp " + std::to_string(pass.warp) + " waits" + what;
  trial.report.findings.push_back({Rule::H21, pass.op, got.str() + where,
                                   barrier.made.op, "initialized here",
                                   fix.str()});
  trial.report.findings.back().calls = getCalls(pass.frame);
  trial.report.findings.back().otherCalls = getCalls(barrier.made.frame);
}

/// A wait by parity must not be able to come one phase earlier: it would take
/// the end of the phase before that for the one that it waits for. A state is
/// one of the current phase or of the last (PTX ISA, mbarrier.test_wait).
bool Run::checkPhase(const MBarrier &barrier, const Slot &slot, Operation *op,
                     int64_t phase, bool isState, unsigned warp) {
  bool isOver = (phase & 1) != int64_t(barrier.phase & 1);
  uint64_t numBefore = barrier.phase - (isOver ? 1 : 0);
  bool isClear =
      isState ? uint64_t(phase) + 1 >= barrier.phase
              : barrier.phase == 0 || numBefore == 0 ||
                    isBehindEnd(isOver ? barrier.before : barrier.last, warp);
  if (isClear)
    return true;
  reportAmbiguous({warp, order.mark(warp), op, warps[warp].stack.back().frame},
                  slot, barrier, isState ? phase : numBefore);
  return false;
}

/// Waits by parity, or by the state that an arrival gave.
void Run::await(const Effect &effect, unsigned warp) {
  if (effect.isRelaxed) {
    giveUp(effect.op, relaxedReason);
    return;
  }
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
  Type type = effect.parity.getType();
  bool isState = type.isInteger(64) || !type.isInteger();
  if (!checkPhase(*barrier, slot, effect.op, *phase, isState, warp))
    return;
  bool isOver = isState ? uint64_t(*phase) < barrier->phase
                        : uint64_t(*phase & 1) != (barrier->phase & 1);
  uint32_t since = order.mark(warp);
  if (isOver)
    return pass(*barrier, warp, since, effect.op);
  WarpRun &who = warps[warp];
  who.status = WarpRun::AtMBarrier;
  who.object = slot;
  who.phase = barrier->phase;
  who.since = since;
  who.op = effect.op;
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

/// Who waits at mbarriers besides the first warp that does: each place once.
void Run::addWaits(Finding &finding, unsigned first) {
  constexpr size_t maxPlaces = 8;
  auto getKey = [](const WarpRun &warp) {
    return std::make_tuple(warp.op, getCalls(warp.stack.back().frame),
                           warp.object, warp.phase);
  };
  SmallVector<decltype(getKey(warps[first]))> told{getKey(warps[first])};
  for (unsigned number = first + 1; number < warps.size(); ++number) {
    WarpRun &warp = warps[number];
    if (warp.status != WarpRun::AtMBarrier || told.size() > maxPlaces ||
        llvm::is_contained(told, getKey(warp)))
      continue;
    told.push_back(getKey(warp));
    finding.more.push_back({warp.op,
                            "warp " + std::to_string(number) + " waits here" +
                                describeWait(warp.phase, warp.object),
                            getCalls(warp.stack.back().frame)});
  }
}

/// Nobody can go on: waits for columns that nobody frees, or for a phase which
/// no arrival ends.
bool Run::reportStuck() {
  for (unsigned warp = 0; warp < warps.size() && !unclearMeeting; ++warp)
    if (warps[warp].status == WarpRun::AtAlloc) {
      reportFull(warp);
      return true;
    }
  for (auto [number, warp] : llvm::enumerate(warps)) {
    if (warp.status != WarpRun::AtMBarrier)
      continue;
    reportPhase(
        "expected a phase of the mbarrier that its arrivals end, but "
        "got one that no arrival ends",
        "check the parity, the count of the mbarrier, and that every "
        "warp arrives",
        {unsigned(number), warp.since, warp.op, warp.stack.back().frame},
        mbarriers[warp.object], describeWait(warp.phase, warp.object));
    addWaits(trial.report.findings.back(), number);
    return true;
  }
  if (unclearMeeting)
    return giveUpAtBarrier(unclearMeeting, unclearReason);
  for (WarpRun &warp : warps)
    if (warp.status == WarpRun::AtBarrier)
      return giveUpAtBarrier(warp.op, "not all warps come to the barrier");
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
    finishLoads(warp);
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
    return store(effect, warp);
  case EventKind::SlotRead:
    return readWord(effect, warp);
  case EventKind::WarpSync:
    ++warps[warp].syncs;
    warps[warp].waited = ~0u;
    return joinLanes(warp, here.lanes);
  case EventKind::Relinquish:
    return relinquish(effect, warp);
  case EventKind::End:
    return end(here.lanes, warp);
  case EventKind::ClusterArrive:
  case EventKind::ClusterWait:
    giveUp(effect.op, "other CTAs are not followed");
    return;
  case EventKind::OtherSync:
    giveUp(effect.op, "what atomics and fences order is not followed");
    return;
  case EventKind::Transaction:
  case EventKind::Unknown:
    giveUp(effect.op, effect.reason);
    return;
  default:
    return;
  }
}
