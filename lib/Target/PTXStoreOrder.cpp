//===- PTXStoreOrder.cpp - Loads of cells that stores write ---------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each segment is gone through once, which settles the loads that follow a
// store of their segment. What is in flight at its end is followed through the
// segments behind, each store on its own, until a wait or a new value of its
// base.
//
// Segments start with the values of registers that all paths agree on. Where
// paths with other values meet, the segment is gone through for some of these,
// too, which settles loads and stores of that segment.
//
//===----------------------------------------------------------------------===//

#include "PTXStoreOrder.h"
#include "PTXAddresses.h"
#include "PTXSegments.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include <deque>

using namespace mlir::tmem;
using namespace mlir::tmem::ptx;

static bool isStore(const PTXInstruction &inst) {
  return isOpcode(inst.opcode, "tcgen05.st");
}

namespace {
struct Access {
  unsigned instruction;
  Term term; ///< What stands in the brackets.
  Address address;
  Footprint footprint;
};

/// An access whose address holds in other segments too, as long as the
/// registers in it keep their values.
struct Export {
  unsigned instruction;
  Address address;
  Footprint footprint;
};

bool overlap(const Address &a, const Footprint &cellsOfA, const Address &b,
             const Footprint &cellsOfB) {
  for (const Rectangle &x : cellsOfA)
    for (const Rectangle &y : cellsOfB)
      if (ptx::overlap(x, a.offset, y, b.offset))
        return true;
  return false;
}

/// What others need to know of a segment.
struct Summary {
  std::vector<Export> loads;                  ///< Before the first wait.
  std::vector<Export> stores;                 ///< In flight at the end.
  std::optional<AddressTracker::Known> known; ///< At the end, once it is seen.
};

/// Stores in flight, by base and by the part of Tensor Memory.
class Stores {
public:
  void clear() { buckets.clear(), all.clear(); }
  void add(Access access);
  /// The last store that has cells of the load.
  const Access *find(const Access &load, uint64_t &steps) const;

  std::deque<Access> all;

private:
  template <typename Fn> void forEachBucket(const Access &access, Fn fn) const;

  llvm::DenseMap<uint64_t, llvm::SmallVector<const Access *, 2>> buckets;
};

/// The accesses of a function, in the order of the text.
struct Accesses {
  explicit Accesses(const PTXFunction &function);
  const Access *find(unsigned instruction) const;

  std::vector<Access> all;
  std::vector<std::pair<unsigned, Term>> terms;
};

class StoreOrder {
public:
  StoreOrder(const PTXFunction &function, const Accesses &accesses,
             const std::vector<bool> &isWait, const Guards &guards,
             const Segments &segments)
      : function(function), accesses(accesses), isWait(isWait), guards(guards),
        segments(segments), tracker(function, accesses.terms),
        summaries(segments.all.size()),
        sourceOf(function.instructions.size(), none),
        maxSteps(4000000 + 64 * uint64_t(function.instructions.size())) {}

  PTXLintResult run();

private:
  static constexpr unsigned none = ~0u;

  using Known = AddressTracker::Known;

  void findPredecessors();
  Known getKnown(const Segment &segment) const;
  void scanAll();
  void scan(const Segment &segment, const Known &known);
  void scanOnPaths(const Segment &segment, const Known &common);
  void visit(const Segment &segment);
  void visitAccess(const Access &access);
  void visitLoad(const Access &load);
  void addStore(const Access &store, Summary &summary) const;
  void addLoad(const Access &load);
  void findKills();
  bool changes(unsigned segment, const Address &address) const;
  void follow(const Segment &from, const Export &store);
  PTXLintResult report() const;

  const PTXFunction &function;
  const Accesses &accesses;
  const std::vector<bool> &isWait;
  const Guards &guards;
  const Segments &segments;
  AddressTracker tracker;
  std::vector<Summary> summaries; ///< Of the segments.
  std::vector<llvm::SmallVector<const Segment *, 2>> predecessors;
  std::vector<unsigned> sourceOf; ///< The store of each load with a fault.
  // Of the segment that is gone through:
  Stores inFlight;
  std::vector<Access> direct; ///< Stores by the register that they name.
  std::vector<Export> *firstLoads = nullptr;           ///< None behind a wait.
  llvm::DenseSet<std::pair<unsigned, unsigned>> kills; ///< Segment, register.
  std::vector<unsigned> visited; ///< The store that last saw a segment.
  unsigned follower = 0;
  uint64_t steps = 0;
  uint64_t maxSteps;
};
} // namespace

Accesses::Accesses(const PTXFunction &function) {
  for (auto [index, inst] : llvm::enumerate(function.instructions)) {
    if (!isStore(inst) && !isLoad(inst))
      continue;
    std::optional<Term> term = readAddress(function, inst);
    Footprint footprint = getFootprint(function, inst);
    if (!term || footprint.empty())
      continue;
    all.push_back({unsigned(index), *term, Address(), std::move(footprint)});
    terms.push_back({unsigned(index), *term});
  }
}

const Access *Accesses::find(unsigned instruction) const {
  auto it = llvm::partition_point(all, [&](const Access &access) {
    return access.instruction < instruction;
  });
  return it != all.end() && it->instruction == instruction ? &*it : nullptr;
}

//===----------------------------------------------------------------------===//
// Stores in flight
//===----------------------------------------------------------------------===//

template <typename Fn>
void Stores::forEachBucket(const Access &access, Fn fn) const {
  // The offsets of accesses with one base share their lane and column fields.
  constexpr int bucketLanes = 32, bucketColumns = 64;
  const Address &address = access.address;
  uint64_t base = address.numRoots;
  for (const Root &root : address.roots)
    base = llvm::hash_combine(base, root.reg, root.version);
  auto floorDiv = [](int a, int b) {
    return a >= 0 ? a / b : -((b - 1 - a) / b);
  };
  for (const Rectangle &cells : access.footprint) {
    uint32_t offset = address.offset + cells.offset;
    int column = int16_t(offset & 0xFFFF);
    int lane = int32_t(offset - uint32_t(column)) >> 16;
    int lastLane = floorDiv(lane + int(cells.lanes) - 1, bucketLanes);
    int lastColumn = floorDiv(column + int(cells.columns) - 1, bucketColumns);
    for (int i = floorDiv(lane, bucketLanes); i <= lastLane; ++i)
      for (int j = floorDiv(column, bucketColumns); j <= lastColumn; ++j)
        // The map keeps two keys for itself.
        fn(uint64_t(llvm::hash_combine(base, i, j)) >> 1);
  }
}

static bool areSame(const Access &a, const Access &b) {
  return a.address.hasBaseOf(b.address) &&
         a.address.offset == b.address.offset && a.term.reg == b.term.reg &&
         a.term.number == b.term.number &&
         llvm::equal(a.footprint, b.footprint,
                     [](const Rectangle &x, const Rectangle &y) {
                       return x.offset == y.offset && x.lanes == y.lanes &&
                              x.columns == y.columns;
                     });
}

void Stores::add(Access access) {
  const Access *added = &all.emplace_back(std::move(access));
  forEachBucket(*added, [&](uint64_t key) {
    auto &bucket = buckets[key];
    // A loop that was unrolled stores to one place again and again.
    if (!bucket.empty() && areSame(*bucket.back(), *added))
      bucket.back() = added;
    else if (bucket.empty() || bucket.back() != added)
      bucket.push_back(added);
  });
}

const Access *Stores::find(const Access &load, uint64_t &steps) const {
  const Access *found = nullptr;
  forEachBucket(load, [&](uint64_t key) {
    auto it = buckets.find(key);
    if (it == buckets.end())
      return;
    for (const Access *store : llvm::reverse(it->second)) {
      ++steps;
      if (found && found->instruction >= store->instruction)
        break;
      if (store->address.hasBaseOf(load.address) &&
          overlap(store->address, store->footprint, load.address,
                  load.footprint))
        found = store;
    }
  });
  return found;
}

//===----------------------------------------------------------------------===//
// Inside segments
//===----------------------------------------------------------------------===//

/// Whether an address is made of values that the segment starts with.
static bool holdsAtStart(const Address &address) {
  return llvm::all_of(
      llvm::ArrayRef(address.roots).take_front(address.numRoots),
      [](const Root &root) { return root.version == 0; });
}

void StoreOrder::addStore(const Access &store, Summary &summary) const {
  if (auto address = tracker.getExported(store.address))
    summary.stores.push_back({store.instruction, *address, store.footprint});
}

/// In terms of the bases and, if that differs, of the register that is named.
void StoreOrder::addLoad(const Access &load) {
  Address direct = tracker.getDirectValue(load.term);
  if (holdsAtStart(load.address))
    firstLoads->push_back({load.instruction, load.address, load.footprint});
  if (holdsAtStart(direct) && !direct.hasBaseOf(load.address))
    firstLoads->push_back({load.instruction, direct, load.footprint});
}

void StoreOrder::visitLoad(const Access &load) {
  if (steps < maxSteps)
    if (const Access *store = inFlight.find(load, steps))
      sourceOf[load.instruction] = store->instruction;
  if (firstLoads)
    addLoad(load);
}

void StoreOrder::visitAccess(const Access &known) {
  Access access = known;
  access.address = tracker.getValue(access.term);
  if (!isStore(function.instructions[access.instruction]))
    return visitLoad(access);
  Access named = access;
  named.address = tracker.getDirectValue(access.term);
  if (!named.address.hasBaseOf(access.address))
    direct.push_back(std::move(named));
  inFlight.add(std::move(access));
}

void StoreOrder::visit(const Segment &segment) {
  inFlight.clear();
  direct.clear();
  auto visit = [&](unsigned i, Executes execution) {
    if (execution == Executes::No)
      return;
    if (isWait[i] && execution == Executes::Yes) {
      inFlight.clear();
      direct.clear();
      firstLoads = nullptr;
    }
    if (const Access *access = isStore(function.instructions[i]) ||
                                       isLoad(function.instructions[i])
                                   ? accesses.find(i)
                                   : nullptr)
      visitAccess(*access);
    tracker.step(i);
  };
  Segments::visit(segment, function, guards, visit);
}

void StoreOrder::scan(const Segment &segment, const Known &known) {
  Summary &summary = summaries[segment.index];
  tracker.startBlock(known);
  firstLoads = &summary.loads;
  visit(segment);
  for (const Access &store : inFlight.all)
    addStore(store, summary);
  for (const Access &store : direct)
    addStore(store, summary);
  summary.known = tracker.getKnown();
}

/// Goes through a segment with what holds on some paths to it, one after the
/// other. There is a limit to their number.
void StoreOrder::scanOnPaths(const Segment &segment, const Known &common) {
  constexpr size_t maxPaths = 4;
  llvm::SmallVector<const Known *, maxPaths> seen;
  for (const Segment *from : predecessors[segment.index]) {
    const std::optional<Known> &known = summaries[from->index].known;
    if (!known || known->size() <= common.size() || seen.size() == maxPaths ||
        llvm::any_of(seen, [&](const Known *o) { return *o == *known; }))
      continue;
    seen.push_back(&*known);
    tracker.startBlock(*known);
    firstLoads = nullptr;
    visit(segment);
  }
}

//===----------------------------------------------------------------------===//
// From segment to segment
//===----------------------------------------------------------------------===//

void StoreOrder::findPredecessors() {
  predecessors.resize(segments.all.size());
  for (const Segment &segment : segments.all) {
    for (const Segment *next : segment.next)
      predecessors[next->index].push_back(&segment);
    if (segment.behindWait)
      predecessors[segment.behindWait->index].push_back(&segment);
  }
}

/// What holds on all paths to a segment. Of the start, and of loops that have
/// not been gone through, nothing is known.
StoreOrder::Known StoreOrder::getKnown(const Segment &segment) const {
  std::optional<Known> common;
  for (const Segment *from : predecessors[segment.index]) {
    const std::optional<Known> &known = summaries[from->index].known;
    if (!known || segment.index == 0)
      return {};
    common = common ? AddressTracker::meet(*common, *known) : *known;
  }
  return common.value_or(Known());
}

void StoreOrder::scanAll() {
  findPredecessors();
  for (const Segment *segment : segments.getFlowOrder()) {
    Known common = getKnown(*segment);
    scan(*segment, common);
    if (predecessors[segment->index].size() > 1)
      scanOnPaths(*segment, common);
  }
}

//===----------------------------------------------------------------------===//
// Across segments
//===----------------------------------------------------------------------===//

/// Where the bases of stores in flight get new values.
void StoreOrder::findKills() {
  llvm::BitVector isBase(function.getNumRegisters());
  for (const Summary &summary : summaries)
    for (const Export &store : summary.stores)
      for (unsigned i = 0; i != store.address.numRoots; ++i)
        isBase.set(store.address.roots[i].reg);
  if (isBase.none())
    return;
  for (const Segment &segment : segments.all)
    Segments::visit(
        segment, function, guards, [&](unsigned i, Executes execution) {
          if (execution == Executes::No)
            return;
          for (unsigned reg : function.getDefs(function.instructions[i]))
            if (isBase.test(reg))
              kills.insert({segment.index, reg});
        });
}

bool StoreOrder::changes(unsigned segment, const Address &address) const {
  for (unsigned i = 0; i != address.numRoots; ++i)
    if (kills.contains({segment, address.roots[i].reg}))
      return true;
  return false;
}

void StoreOrder::follow(const Segment &from, const Export &store) {
  llvm::SmallVector<const Segment *, 8> stack(from.next.begin(),
                                              from.next.end());
  ++follower;
  while (!stack.empty() && steps < maxSteps) {
    const Segment &at = *stack.pop_back_val();
    if (std::exchange(visited[at.index], follower) == follower)
      continue;
    const Summary &summary = summaries[at.index];
    steps += 1 + summary.loads.size() + at.next.size();
    for (const Export &load : summary.loads)
      if (sourceOf[load.instruction] == none &&
          store.address.hasBaseOf(load.address) &&
          overlap(store.address, store.footprint, load.address, load.footprint))
        sourceOf[load.instruction] = store.instruction;
    if (!changes(at.index, store.address))
      stack.append(at.next.begin(), at.next.end());
  }
}

PTXLintResult StoreOrder::report() const {
  PTXLintResult result;
  for (auto [instruction, source] : llvm::enumerate(sourceOf)) {
    if (source == none)
      continue;
    const PTXInstruction &load = function.instructions[instruction];
    const PTXInstruction &store = function.instructions[source];
    result.faults.push_back({PTXFault::UnorderedLoad, function.name, "",
                             load.line, store.line, load.text, store.text});
  }
  if (steps >= maxSteps)
    result.remarks.push_back(
        {PTXRemark::StoresNotFollowed, function.name, function.line});
  return result;
}

PTXLintResult StoreOrder::run() {
  scanAll();
  findKills();
  visited.resize(segments.all.size());
  for (const Segment &segment : segments.all)
    for (const Export &store : summaries[segment.index].stores)
      follow(segment, store);
  return report();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static PTXLintResult run(const PTXFunction &function,
                         const std::vector<bool> &isWait) {
  Accesses accesses(function);
  auto lint = [&](const Guards &guards, const Segments &segments) {
    return StoreOrder(function, accesses, isWait, guards, segments).run();
  };
  Guards blind;
  PTXLintResult result =
      lint(blind, *Segments::create(function, isWait, blind, /*limit=*/2));
  if (result.faults.empty())
    return result;
  std::vector<bool> isEvent = isWait;
  for (const Access &access : accesses.all)
    isEvent[access.instruction] = true;
  for (bool withBranches : {true, false})
    if (auto better =
            followPredicates(function, isWait, isEvent, withBranches, lint))
      return std::move(*better);
  return result;
}

void ptx::findUnorderedLoads(const PTXFunction &function, const Waits &waits,
                             PTXLintResult &result) {
  if (llvm::none_of(function.instructions, isStore) ||
      llvm::none_of(function.instructions, isLoad))
    return;
  PTXLintResult found = run(function, waits.find(function));
  llvm::append_range(result.faults, std::move(found.faults));
  llvm::append_range(result.remarks, std::move(found.remarks));
}
