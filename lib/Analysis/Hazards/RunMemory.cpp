//===- RunMemory.cpp - Tensor Memory and its addresses in a run -----------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bounds.h"
#include "Run.h"
#include "tmem/IR/TMemOps.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

void Run::report(Rule rule, Operation *op, const Twine &message,
                 Operation *other, StringRef text, StringRef fix) {
  trial.report.findings.push_back(
      {rule, op, message.str(), other, text.str(), fix.str()});
}

/// Aligned instructions are for all lanes of a warp, barriers for those that
/// have not ended (PTX ISA, .sync.aligned and barrier).
bool Run::checkLanes(const Effect &effect, unsigned warp) {
  bool isMeeting = effect.kind == EventKind::BarrierSync ||
                   effect.kind == EventKind::BarrierArrive;
  if (!effect.isAligned && !isMeeting)
    return true;
  const WarpRun &who = warps[warp];
  bool isShort = numThreads - warp * warpSize < warpSize;
  uint32_t needed = isMeeting ? who.alive : ~0u;
  if ((who.stack.back().lanes & needed) == needed)
    return true;
  if (!isMeeting && isShort) {
    trial.report.findings.push_back(
        describeShortWarp(effect.op, evaluator.getBlock()));
    return false;
  }
  if (!effect.isAligned)
    return giveUpAtBarrier(effect.op,
                           "some lanes of a warp do not come to the barrier");
  report(Rule::H13, effect.op,
         "expected all lanes of a warp to execute it, but some lanes of warp " +
             Twine(warp) + " do not",
         nullptr, "", "branch on the warp, not on the lane");
  return false;
}

//===----------------------------------------------------------------------===//
// Words of shared memory
//===----------------------------------------------------------------------===//

std::optional<Slot> Run::getSlot(const Effect &effect, unsigned warp) {
  Frame *frame = warps[warp].stack.back().frame;
  if (effect.isGeneric && !evaluator.namesShared(effect.address, frame))
    return std::nullopt;
  return evaluator.getSlot(getWordAddress(evaluator, effect, frame));
}

bool Run::holdsAddress(const ThreadValue &value) const {
  return llvm::any_of(value.terms, [&](Term term) {
    auto it = roots.find(term.symbol);
    return it != roots.end() && allocations.count(it->second);
  });
}

void Run::writeWord(const Slot &slot, const ThreadValue &value,
                    const Effect &effect, unsigned warp) {
  if (filled.count(slot.object)) {
    // Nothing is known of data; addresses are not to be among it.
    if (effect.kind == EventKind::Alloc || holdsAddress(value))
      isFilled(slot, effect.op);
    return;
  }
  Word &word = memory[slot];
  bool isRace = word.written.op && !isBehind(word.written, warp);
  if (holdsAddress(word.value)) {
    for (auto &[reader, read] : word.reads)
      if (!isBehind(read, warp))
        return report(
            Rule::H4, effect.op,
            "expected a barrier between the read of the address by another "
            "warp and this write over it, but got none",
            read.op, "read here by another warp", "put a barrier between them");
    if (isRace) {
      giveUp(effect.op, "which warp writes the word last is not known");
      return;
    }
  }
  word.value =
      isRace && !(word.value == value) ? evaluator.makeUnknown() : value;
  word.written = makeUse(effect.op, warp);
  word.isOfAlloc = effect.kind == EventKind::Alloc;
  word.reads.clear();
}

/// A store of anything.
void Run::store(const Effect &effect, unsigned warp) {
  Activation &here = warps[warp].stack.back();
  if (effect.isGeneric && !evaluator.namesShared(effect.address, here.frame))
    return;
  ThreadValue address = getWordAddress(evaluator, effect, here.frame);
  std::optional<unsigned> object = evaluator.getObject(address);
  if (!object || address.terms.size() != 1)
    return;
  uint32_t lanes = here.lanes;
  if (lanes != warps[warp].alive || evaluator.mbarrierObjects.contains(*object))
    evaluator.keepSeparate(address);
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    if (!(lanes >> lane & 1))
      continue;
    storeData({*object, address.get(warp * warpSize + lane)}, effect,
              address.table ? 1u << lane : lanes, warp);
    if (!address.table || order.isFaulty() || hasStopped)
      break;
  }
  std::optional<Slot> slot = evaluator.getSlot(address);
  if (effect.columns && slot && !order.isFaulty() && !hasStopped)
    writeWord(*slot, evaluator.get(effect.columns, here.frame), effect, warp);
}

/// Mbarriers and words that bytes from `first` on are a part of.
void Run::storeData(const Slot &first, const Effect &effect, uint32_t lanes,
                    unsigned warp) {
  int64_t end = first.offset + effect.bytes;
  auto isThere = [&](const auto &it, const auto &map) {
    return it != map.end() && it->first.object == first.object &&
           it->first.offset < end;
  };
  auto barrier = mbarriers.upper_bound(
      {first.object, first.offset - mbarrierBytes + 1, 0});
  for (; isThere(barrier, mbarriers); ++barrier) {
    const Use &made = barrier->second.made;
    bool isOver = !barrier->second.isValid && isBehind(made, warp);
    if (made.op && !isOver) {
      reportLife(effect.op,
                 "expected no store over an mbarrier between its init and its "
                 "inval, but got one",
                 made,
                 barrier->second.isValid ? "initialized here"
                                         : "invalidated here",
                 "store elsewhere, or behind its inval and a barrier");
      return;
    }
  }
  if (evaluator.mbarrierObjects.contains(first.object)) {
    Use &last = stores[{first.object, first.offset, effect.bytes}][warp];
    last = makeUse(effect.op, warp);
    last.lanes = lanes;
    mostStored = std::max(mostStored, effect.bytes);
  }
  // What a word gets is put there by whoever knows it.
  bool isWord = effect.columns || effect.kind == EventKind::Alloc;
  SmallVector<Slot> words;
  auto word =
      memory.upper_bound({first.object, first.offset - wordBytes + 1, 0});
  for (; isThere(word, memory); ++word)
    if (!isWord || word->first.offset != first.offset)
      words.push_back(word->first);
  for (const Slot &slot : words)
    if (!order.isFaulty() && !hasStopped)
      writeWord(slot, evaluator.makeUnknown(), effect, warp);
}

void Run::readWord(const Effect &effect, unsigned warp) {
  std::optional<Slot> slot = getSlot(effect, warp);
  auto it = slot ? memory.find(*slot) : memory.end();
  if (it == memory.end())
    return;
  Word &word = it->second;
  // A store's own lanes see it; alloc's need bar.warp.sync.
  bool isThere = isBehind(word.written, warp);
  if (word.written.warp == warp && word.isOfAlloc)
    isThere = warps[warp].syncs > word.written.syncs;
  if (isThere) {
    word.reads[warp] = {effect.op, warp, order.mark(warp)};
    return;
  }
  if (holdsAddress(word.value))
    return report(Rule::H4, effect.op,
                  "expected a barrier between the write of the address and "
                  "this read, but got none",
                  word.written.op, "written here",
                  "put a barrier between them, or bar.warp.sync in one warp");
  evaluator.assign(effect.op->getResult(0), warps[warp].stack.back().frame,
                   evaluator.makeUnknown());
}

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

/// The number of what an address is based on, which is taken out of it.
std::optional<unsigned> Run::getRoot(ThreadValue &address) {
  if (address.terms.size() != 1 || address.terms.front().factor != 1)
    return std::nullopt;
  unsigned symbol = address.terms.front().symbol;
  address.terms.clear();
  return roots.try_emplace(symbol, roots.size()).first->second;
}

/// Numbers without bounds stay open: they may be none that the kernel is for.
Run::Size Run::getSize(const Effect &effect, unsigned warp) {
  Size size;
  size.value.constant = effect.staticColumns;
  if (effect.columns)
    size.value = evaluator.get(effect.columns, warps[warp].stack.back().frame);
  size.number = getUniform(size.value, warp);
  Frame *known = warps[warp].stack.back().known;
  if (!size.number &&
      findBounds(evaluator, evaluator.get(effect.columns, known), known))
    size.number = getNumber(size, warp);
  return size;
}

/// What it is with these inputs.
std::optional<int64_t> Run::getNumber(const Size &size, unsigned warp) {
  if (size.number)
    return size.number;
  std::optional<ThreadValue> value = evaluator.resolve(
      size.value, [&](unsigned symbol) { return getInput(symbol); });
  return value ? getUniform(*value, warp) : std::nullopt;
}

/// False if the run ends.
bool Run::checkGrowth(const Effect &effect, const Size &size, unsigned warp) {
  if (effect.columns && size.number && !isLegalCount(effect, *size.number) &&
      !evaluator.get(effect.columns, warps[warp].stack.back().known)
           .isConstant()) {
    trial.report.findings.push_back(describeCount(effect, *size.number));
    return false;
  }
  if (!lastAlloc || size.value == lastSize.value)
    return true;
  std::optional<int64_t> asked = getNumber(size, warp);
  std::optional<int64_t> before = getNumber(lastSize, warp);
  if (asked && before && *asked <= *before)
    return true;
  if (!size.number || !lastSize.number)
    return giveUp(effect.op,
                  "whether it asks for more columns than the alloc before is "
                  "not known");
  report(Rule::H8, effect.op,
         "expected at most " + Twine(*before) +
             " columns, as the alloc before asks for, but got " + Twine(*asked),
         lastAlloc, "allocated here", "allocate the most columns first");
  return false;
}

/// False if the run ends.
bool Run::checkFreedSize(const Effect &effect, const Allocated &allocated,
                         unsigned warp) {
  Size size = getSize(effect, warp);
  if (size.value == allocated.size.value)
    return true;
  std::optional<int64_t> count = getNumber(size, warp);
  std::optional<int64_t> columns = getNumber(allocated.size, warp);
  if (count && columns && *count == *columns)
    return true;
  if (!size.number || !allocated.size.number)
    return giveUp(effect.op,
                  "whether it frees as many columns as were allocated is not "
                  "known");
  report(Rule::H7, effect.op,
         "expected the " + Twine(*columns) +
             " columns that were allocated, but got " + Twine(*count),
         allocated.op, "allocated here", "free as many columns");
  return false;
}

void Run::allocate(const Effect &effect, unsigned warp) {
  std::optional<Slot> slot = getSlot(effect, warp);
  Size size = getSize(effect, warp);
  if (!slot) {
    giveUp(effect.op, "where it writes the address is not known");
    return;
  }
  auto [first, isNew] = allocators.try_emplace(effect.op, warp);
  if (first->second != warp)
    report(Rule::H19, effect.op,
           "expected one warp to allocate, but got several", nullptr, "",
           "put it under a condition on the warp");
  if (relinquished)
    report(Rule::H5, effect.op,
           "expected no alloc after the permit was given up, but got one",
           relinquished, "given up here", "relinquish behind the last alloc");
  checkOrder(effect, warp);
  if (!checkGrowth(effect, size, warp))
    return;
  // What follows would only say that the run cannot go on.
  if (order.isFaulty() || awaitColumns(effect, size, warp))
    return;
  lastAlloc = effect.op;
  lastSize = size;
  ThreadValue base = evaluator.makeAddress(*slot), address = base;
  storeData(*slot, effect, ~0u, warp);
  if (order.isFaulty() || hasStopped)
    return;
  writeWord(*slot, base, effect, warp);
  Allocated &allocated = allocations[*getRoot(address)];
  allocated = {size, effect.op, nullptr, effect.isExclusive};
  keepColumns(allocated);
  lastAllocs[warp] = {effect.op, warp, order.mark(warp),
                      warps[warp].stack.back().frame};
}

void Run::deallocate(const Effect &effect, unsigned warp) {
  ThreadValue address =
      getAddress(evaluator, effect, warps[warp].stack.back().frame);
  std::optional<unsigned> root = getRoot(address);
  auto it = root ? allocations.find(*root) : allocations.end();
  if (!root || (it == allocations.end() && !allocations.empty())) {
    giveUp(effect.op, "which allocation it frees is not known");
    return;
  }
  if (it != allocations.end()) {
    Allocated &allocated = it->second;
    std::optional<int64_t> offset = getUniform(address, warp);
    if (!offset) {
      giveUp(effect.op, "what it frees is not known");
      return;
    }
    if (*offset != 0)
      report(Rule::H7, effect.op,
             "expected the address that alloc returned, but got " +
                 Twine(*offset) + " more",
             allocated.op, "allocated here",
             "free the address as it stands in the slot");
    else if (allocated.freed)
      report(Rule::H7, effect.op,
             "expected columns that are allocated, but they have been freed",
             allocated.freed, "freed here", "free them once");
    else if (!checkFreedSize(effect, allocated, warp))
      return;
    if (!allocated.freed)
      freeColumns(allocated);
    allocated.freed = effect.op;
  }
  if (!order.isFaulty())
    order.free(warp, *root, effect.op);
}

/// At the end of the kernel.
void Run::checkFreed() {
  for (auto &[root, allocated] : allocations)
    if (!allocated.freed)
      report(Rule::H6, allocated.op,
             "expected the columns to be freed before the kernel ends, but got "
             "a path without a dealloc",
             nullptr, "", "free them on every path to the end of the kernel");
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

/// Columns that inputs choose within bounds, as a flag does, are numbers; those
/// that an argument names are any.
void Run::putNumbers(ThreadValue &address, unsigned warp) {
  if (address.terms.size() < 2)
    return;
  ThreadValue result;
  result.constant = address.constant;
  result.table = address.table;
  Frame *known = warps[warp].stack.back().known;
  for (Term term : address.terms) {
    ThreadValue part;
    part.terms.push_back(term);
    if (!roots.count(term.symbol) && findBounds(evaluator, part, known))
      if (auto number = evaluator.resolve(
              part, [&](unsigned symbol) { return getInput(symbol); }))
        part = *number;
    result = evaluator.add(result, part, 1);
  }
  address = result;
}

void Run::transfer(const Effect &effect, unsigned warp) {
  Activation &here = warps[warp].stack.back();
  ThreadValue address = getAddress(evaluator, effect, here.frame);
  putNumbers(address, warp);
  std::optional<unsigned> root = getRoot(address);
  if (!root || (!allocations.empty() && !allocations.count(*root))) {
    giveUp(effect.op, "the columns that it accesses are not known");
    return;
  }
  AccessKind kind = getAccessKind(effect.kind);
  Event event;
  static_cast<Effect &>(event) = effect;
  event.frame = here.frame;
  Cells cells;
  if (unsigned count = llvm::popcount(here.lanes);
      isTensor(kind) && count > 1) {
    trial.report.findings.push_back(describeIssuers(effect.op, warp, count));
    return;
  }
  if (isTensor(kind)) {
    evaluator.keepSeparate(address);
    if (!checkWaited(effect.op, warp))
      return;
    unsigned thread = warp * warpSize + llvm::countr_zero(here.lanes);
    cells = getTensorCells(evaluator, event, address.get(thread));
  } else {
    if (!address.isKnown()) {
      giveUp(effect.op, "whether lanes of a warp name different addresses is "
                        "not known");
      return;
    }
    if (!getUniform(address, warp))
      return report(Rule::H13, effect.op,
                    "expected the same address in all lanes of warp " +
                        Twine(warp) + ", but got several",
                    nullptr, "", "compute it from the warp, not from the lane");
    cells = getTransferCells(evaluator, event, address, warp, viewCells);
  }
  if (!cells.isEmpty())
    checkBounds(event, *root, address, cells, warp);
  bool isFollowed = followsLoad(effect, warp);
  uint32_t number = order.access(warp, kind, *root, cells, effect.op,
                                 llvm::countr_zero(here.lanes), isFollowed);
  if (isFollowed)
    followLoad(effect.op, warp, *root, number);
}

void Run::checkBounds(const Event &event, unsigned root,
                      const ThreadValue &address, const Cells &cells,
                      unsigned warp) {
  auto it = allocations.find(root);
  if (it == allocations.end() || it->second.size.number.value_or(0) <= 0)
    return;
  std::string badSplit = findBadSplit(evaluator, event);
  if (!badSplit.empty())
    return report(Rule::H17, event.op, badSplit, nullptr, "", splitFix);
  bool isTensor = isOfTensorCore(event.kind);
  unsigned thread = warp * warpSize;
  if (isTensor)
    thread += llvm::countr_zero(warps[warp].stack.back().lanes);
  std::string misplaced =
      isTensor ? findTensorMisplaced(evaluator, event, address.get(thread))
               : findMisplaced(evaluator, event, address, warp, viewCells);
  if (!misplaced.empty())
    return report(Rule::H17, event.op, misplaced, nullptr, "",
                  isTensor
                      ? "add columns only to the address that alloc returned"
                      : "let the address name lanes of the slab of the "
                        "warp");
  int64_t columns = *it->second.size.number;
  int64_t first = int16_t(address.get(thread) & 0xffff);
  Cells outside = cells, inside, everything;
  everything.addAll();
  for (unsigned half = 0; half < numHalves; ++half)
    inside.add(half, 0, columns);
  outside.subtract(inside);
  int64_t column = first < 0 ? first : outside.findColumn(everything);
  if (column < 0 && first >= 0)
    return;
  // How far it reaches may be up to the length of the loop: see Trial.
  auto [place, isNew] = trial.outside.try_emplace(event.op);
  Outside &known = place->second;
  known.first = std::min(known.first, first);
  known.last = std::max(known.last, first);
  if (isNew) {
    known.finding = {Rule::H17,
                     event.op,
                     "expected columns 0 to " + std::to_string(columns - 1) +
                         " of the allocation, but got column " +
                         std::to_string(column),
                     it->second.op,
                     "allocated here",
                     "allocate more columns, or access fewer"};
    known.finding.calls = getCalls(event.frame);
  }
}
