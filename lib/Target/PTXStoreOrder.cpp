//===- PTXStoreOrder.cpp - Loads of cells that stores write ---------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each block is gone through once, which settles the loads that follow a store
// of their block. What is in flight at its end is followed through the blocks
// behind, each store on its own, until a wait or a new value of its base.
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

/// An access whose address holds in other blocks too, as long as the registers
/// in it keep their values.
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

/// What the blocks behind need to know of a block.
struct Summary {
  bool hasWait = false;
  std::vector<Export> loads;  ///< Before the first wait.
  std::vector<Export> stores; ///< In flight at the end.
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

class StoreOrder {
public:
  StoreOrder(const PTXFunction &function, std::vector<bool> waits,
             PTXLintResult &result)
      : function(function), isWait(std::move(waits)), result(result),
        tracker(function), summaries(function.blocks.size()),
        sourceOf(function.instructions.size(), none),
        maxSteps(4000000 + 64 * uint64_t(function.instructions.size())) {}

  void run();

private:
  static constexpr unsigned none = ~0u;

  void scan(unsigned block);
  void visitAccess(unsigned instruction, Summary &summary);
  void addStore(const Access &store, Summary &summary) const;
  void addLoad(const Access &load, Summary &summary) const;
  void findKills();
  bool changes(unsigned block, const Address &address) const;
  void follow(unsigned block, const Export &store);
  void report();

  const PTXFunction &function;
  std::vector<bool> isWait;
  PTXLintResult &result;
  AddressTracker tracker;
  std::vector<Summary> summaries; ///< Of the blocks.
  std::vector<unsigned> sourceOf; ///< The store of each load with a fault.
  Stores inFlight;
  llvm::DenseSet<std::pair<unsigned, unsigned>> kills; ///< Block, register.
  std::vector<unsigned> visited; ///< The store that last saw a block.
  unsigned follower = 0;
  uint64_t steps = 0;
  uint64_t maxSteps;
};
} // namespace

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
// Inside blocks
//===----------------------------------------------------------------------===//

/// Whether an address is made of values that the block starts with.
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
void StoreOrder::addLoad(const Access &load, Summary &summary) const {
  Address direct = tracker.getDirectValue(load.term);
  if (holdsAtStart(load.address))
    summary.loads.push_back({load.instruction, load.address, load.footprint});
  if (holdsAtStart(direct) && !direct.hasBaseOf(load.address))
    summary.loads.push_back({load.instruction, direct, load.footprint});
}

void StoreOrder::visitAccess(unsigned instruction, Summary &summary) {
  const PTXInstruction &inst = function.instructions[instruction];
  std::optional<Term> term = readAddress(function, inst);
  if (!term)
    return;
  Access access{instruction, *term, tracker.getValue(*term),
                getFootprint(function, inst)};
  if (access.footprint.empty())
    return;
  if (isStore(inst)) {
    inFlight.add(std::move(access));
    return;
  }
  if (steps < maxSteps)
    if (const Access *store = inFlight.find(access, steps))
      sourceOf[instruction] = store->instruction;
  if (!summary.hasWait)
    addLoad(access, summary);
}

void StoreOrder::scan(unsigned number) {
  const PTXBlock &block = function.blocks[number];
  Summary &summary = summaries[number];
  tracker.startBlock();
  inFlight.clear();
  // The registers that addresses name, as they are at the stores.
  std::vector<std::pair<unsigned, Access>> direct;
  for (unsigned i = block.begin; i != block.end; ++i) {
    const PTXInstruction &inst = function.instructions[i];
    if (isWait[i] && !inst.isPredicated) {
      inFlight.clear();
      direct.clear();
      summary.hasWait = true;
    }
    if (isStore(inst) || isLoad(inst)) {
      size_t before = inFlight.all.size();
      visitAccess(i, summary);
      if (inFlight.all.size() != before) {
        Access access = inFlight.all.back();
        Address address = tracker.getDirectValue(access.term);
        if (!address.hasBaseOf(access.address)) {
          access.address = address;
          direct.push_back({i, std::move(access)});
        }
      }
    }
    tracker.step(i);
  }
  for (const Access &store : inFlight.all)
    addStore(store, summary);
  for (const auto &[instruction, store] : direct)
    addStore(store, summary);
}

//===----------------------------------------------------------------------===//
// Across blocks
//===----------------------------------------------------------------------===//

/// Where the bases of stores in flight get new values.
void StoreOrder::findKills() {
  llvm::BitVector isBase(function.getNumRegisters());
  for (const Summary &summary : summaries)
    for (const Export &store : summary.stores)
      for (unsigned i = 0; i != store.address.numRoots; ++i)
        isBase.set(store.address.roots[i].reg);
  for (auto [number, block] : llvm::enumerate(function.blocks))
    for (unsigned i = block.begin; i != block.end; ++i)
      for (unsigned reg : function.getDefs(function.instructions[i]))
        if (isBase.test(reg))
          kills.insert({unsigned(number), reg});
}

bool StoreOrder::changes(unsigned block, const Address &address) const {
  for (unsigned i = 0; i != address.numRoots; ++i)
    if (kills.contains({block, address.roots[i].reg}))
      return true;
  return false;
}

void StoreOrder::follow(unsigned block, const Export &store) {
  llvm::SmallVector<unsigned, 8> stack;
  llvm::append_range(stack, function.blocks[block].successors);
  ++follower;
  while (!stack.empty() && steps < maxSteps) {
    unsigned at = stack.pop_back_val();
    if (std::exchange(visited[at], follower) == follower)
      continue;
    const Summary &summary = summaries[at];
    steps += 1 + summary.loads.size() + function.blocks[at].successors.size();
    for (const Export &load : summary.loads)
      if (sourceOf[load.instruction] == none &&
          store.address.hasBaseOf(load.address) &&
          overlap(store.address, store.footprint, load.address, load.footprint))
        sourceOf[load.instruction] = store.instruction;
    if (!summary.hasWait && !changes(at, store.address))
      llvm::append_range(stack, function.blocks[at].successors);
  }
}

void StoreOrder::report() {
  for (auto [instruction, source] : llvm::enumerate(sourceOf)) {
    if (source == none)
      continue;
    const PTXInstruction &load = function.instructions[instruction];
    const PTXInstruction &store = function.instructions[source];
    result.faults.push_back({PTXFault::UnorderedLoad, function.name.str(), "",
                             load.line, store.line, load.text, store.text});
  }
  if (steps >= maxSteps)
    result.remarks.push_back(
        {PTXRemark::StoresNotFollowed, function.name.str(), function.line});
}

void StoreOrder::run() {
  for (unsigned block = 0; block != function.blocks.size(); ++block)
    scan(block);
  findKills();
  visited.resize(function.blocks.size());
  for (auto [block, summary] : llvm::enumerate(summaries))
    for (const Export &store : summary.stores)
      follow(block, store);
  report();
}

void ptx::findUnorderedLoads(const PTXFunction &function, const Waits &waits,
                             PTXLintResult &result) {
  if (llvm::any_of(function.instructions, isStore) &&
      llvm::any_of(function.instructions, isLoad))
    StoreOrder(function, waits.find(function), result).run();
}
