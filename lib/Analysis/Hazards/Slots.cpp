//===- Slots.cpp - Where addresses come from ------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The words of shared memory that hold addresses, and the allocations that
// addresses name. A word may be written more than once: by several allocs, or
// by a store over what an alloc has written. Then each load of it gives what
// reaches that load.
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

//===----------------------------------------------------------------------===//
// Stores of data
//===----------------------------------------------------------------------===//

/// Words that are written as such, which a store of so many bytes touches.
void Program::findOverlaps(const ThreadValue &address, int64_t bytes,
                           const ThreadSet &threads,
                           std::set<Slot> &found) const {
  unsigned object = address.terms.front().symbol;
  std::set<int64_t> offsets;
  for (unsigned t = 0; t < evaluator.getBlock().getNumThreads(); ++t) {
    if (threads[t])
      offsets.insert(address.get(t));
    if (!address.table && !offsets.empty())
      break;
  }
  if (offsets.empty())
    return;
  int64_t end = *offsets.rbegin() + bytes;
  auto it = graph.writers.upper_bound({object, *offsets.begin() - wordBytes});
  for (; it != graph.writers.end() && it->first.object == object &&
         it->first.offset < end;
       ++it) {
    // The first store that ends behind where the word begins.
    auto store = offsets.upper_bound(it->first.offset - bytes);
    if (store != offsets.end() && *store < it->first.offset + wordBytes)
      found.insert(it->first);
  }
}

/// Whether words of a variable are written as such.
bool Program::holdsWords(unsigned object) const {
  auto it = graph.writers.lower_bound({object, INT64_MIN});
  return it != graph.writers.end() && it->first.object == object;
}

/// Stores of data, or of words that lie across: after them, a word holds no
/// address that is known.
void Program::findOverwrites() {
  for (auto [node, index] : graph.getSites(EventKind::SlotWrite)) {
    const Event &event = graph.events[index];
    std::optional<unsigned> object =
        evaluator.getObject(evaluator.get(event.address, event.frame));
    if (!object || !holdsWords(*object))
      continue;
    ThreadValue address = getWordAddress(evaluator, event, event.frame);
    if (address.terms.size() != 1 || !evaluator.getObject(address))
      continue; // Not known where.
    std::set<Slot> found;
    findOverlaps(address, event.bytes, *graph.nodes[node].threads, found);
    std::optional<Slot> own = evaluator.getSlot(address);
    if (event.columns && own)
      found.erase(*own);
    if (!found.empty())
      overwrites[index] = std::move(found);
  }
  for (auto &[index, slots] : overwrites)
    for (const Slot &slot : slots) {
      graph.writers[slot].push_back(index);
      overwritten.insert(slot);
    }
}

/// Stores over places where mbarriers are made, in this kernel.
void Program::findMBarrierStores() {
  if (mbarrierPlaces.empty())
    return;
  for (EventKind kind : {EventKind::SlotWrite, EventKind::Alloc})
    for (auto [node, index] : graph.getSites(kind)) {
      const Event &event = graph.events[index];
      const ThreadSet &threads = *graph.nodes[node].threads;
      ThreadValue address = getWordAddress(evaluator, event, event.frame);
      std::optional<unsigned> object = evaluator.getObject(address);
      auto it = object && address.terms.size() == 1
                    ? mbarrierPlaces.find(*object)
                    : mbarrierPlaces.end();
      if (it == mbarrierPlaces.end())
        continue;
      for (unsigned t = 0; t < evaluator.getBlock().getNumThreads(); ++t) {
        if (!threads[t])
          continue;
        int64_t first = address.get(t);
        auto place = it->second.upper_bound(first - mbarrierBytes);
        if (place != it->second.end() && *place < first + event.bytes)
          mbarrierStores.insert(index);
        if (!address.table)
          break;
      }
    }
}

bool Program::isData(unsigned event, const Slot &slot) const {
  auto it = overwrites.find(event);
  return it != overwrites.end() && it->second.count(slot);
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

bool Program::isAllocSlot(const Slot &slot) const {
  auto it = graph.writers.find(slot);
  return it != graph.writers.end() &&
         llvm::any_of(it->second, [&](unsigned writer) {
           return graph.events[writer].kind == EventKind::Alloc;
         });
}

/// What every store to a slot writes, if that is one value.
std::optional<ThreadValue> Program::getContent(const Slot &slot) {
  auto it = graph.writers.find(slot);
  if (it == graph.writers.end() || isAllocSlot(slot))
    return std::nullopt;
  std::optional<ThreadValue> content;
  for (unsigned writer : it->second) {
    if (isData(writer, slot))
      return std::nullopt;
    const Event &event = graph.events[writer];
    ThreadValue value = evaluator.get(event.columns, event.frame);
    if (content && !(*content == value))
      return std::nullopt;
    content = value;
  }
  return content;
}

/// Looks through words of shared memory that hold one value.
ThreadValue Program::substitute(ThreadValue value) {
  constexpr unsigned maxSteps = 8;
  for (unsigned step = 0; step < maxSteps; ++step) {
    auto *it = llvm::find_if(value.terms, [&](Term term) {
      std::optional<Slot> slot = evaluator.getContent(term.symbol);
      return slot && term.factor == 1 && getContent(*slot);
    });
    if (it == value.terms.end())
      return value;
    ThreadValue content = *getContent(*evaluator.getContent(it->symbol));
    value.terms.erase(it);
    value.terms.append(content.terms.begin(), content.terms.end());
    value.constant += content.constant;
    if (content.table)
      value.table = content.table;
  }
  return value;
}

int Program::getSlotRoot(const Slot &slot) {
  auto [it, isNew] = slotRoots.try_emplace(slot, roots.size());
  if (isNew) {
    roots.emplace_back().isAllocated = isAllocSlot(slot);
    roots.back().isOverwritten = overwritten.count(slot);
  }
  return it->second;
}

SmallVector<Value> mlir::tmem::hazards::getChoices(Value value) {
  auto getYielded = [](Region &region, unsigned index) -> Value {
    if (region.empty() || !region.back().mightHaveTerminator())
      return {};
    Operation *yield = region.back().getTerminator();
    return index < yield->getNumOperands() ? yield->getOperand(index) : Value();
  };
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    unsigned index = argument.getArgNumber();
    Block *block = argument.getOwner();
    if (auto loop = dyn_cast<scf::ForOp>(block->getParentOp());
        loop && index > 0)
      return {loop.getInitArgs()[index - 1],
              getYielded(loop.getRegion(), index - 1)};
    SmallVector<Value> choices;
    for (auto it = block->pred_begin(); it != block->pred_end(); ++it) {
      auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
      if (!branch || block->isEntryBlock())
        return {};
      choices.push_back(
          branch.getSuccessorOperands(it.getSuccessorIndex())[index]);
    }
    return choices;
  }
  Operation *op = value.getDefiningOp();
  unsigned index = cast<OpResult>(value).getResultNumber();
  StringRef name = op->getName().getStringRef();
  if (name == "arith.select" || name == "llvm.select")
    return {op->getOperand(1), op->getOperand(2)};
  if (isa<scf::IfOp>(op))
    return {getYielded(op->getRegion(0), index),
            getYielded(op->getRegion(1), index)};
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return {loop.getInitArgs()[index], getYielded(loop.getRegion(), index)};
  return {};
}

/// Whether bits of the first operand are changed by something known.
static bool changesBits(Operation *op) {
  return op && llvm::is_contained({"arith.andi", "arith.ori", "arith.xori",
                                   "llvm.and", "llvm.or", "llvm.xor"},
                                  op->getName().getStringRef());
}

/// The root of an address that may be any of several, or has some bits
/// changed, if it is always an address of one allocation; else -1.
static int
findOneRoot(Program &program, const ThreadValue &address,
            llvm::function_ref<int(const ThreadValue &)> getPlainRoot) {
  constexpr unsigned maxSteps = 64;
  Evaluator &evaluator = program.evaluator;
  SmallVector<ThreadValue> worklist{address};
  DenseSet<Value> seen;
  int root = -1;
  for (unsigned step = 0; !worklist.empty(); ++step) {
    ThreadValue value = worklist.pop_back_val();
    if (step == maxSteps)
      return -1;
    int here = getPlainRoot(value);
    if (here >= 0) {
      if (root >= 0 && root != here)
        return -1;
      root = here;
      continue;
    }
    // One part of the sum is an address; others are numbers.
    bool isFollowed = false;
    for (Term term : value.terms) {
      Value opaque = evaluator.getOpaque(term.symbol);
      Frame *frame = evaluator.getFrame(term.symbol);
      if (!opaque || !frame || term.factor != 1)
        continue;
      SmallVector<Value> choices = getChoices(opaque);
      Operation *op = opaque.getDefiningOp();
      if (changesBits(op))
        for (unsigned side : {0, 1})
          if (evaluator.get(op->getOperand(1 - side), frame).isKnown())
            choices = {op->getOperand(side)};
      if (choices.empty() || llvm::is_contained(choices, Value()))
        continue;
      if (isFollowed)
        return -1;
      isFollowed = true;
      if (seen.insert(opaque).second)
        for (Value choice : choices)
          worklist.push_back(evaluator.get(choice, frame));
    }
    if (!isFollowed)
      return -1;
  }
  return root;
}

/// The root of an address, whose terms are taken out of it.
int Program::getRoot(ThreadValue &address, bool &isDynamic,
                     SmallVectorImpl<Term> *rest, unsigned depth) {
  constexpr unsigned maxDepth = 8;
  address = substitute(address);
  for (auto [index, term] : llvm::enumerate(address.terms)) {
    std::optional<Slot> slot = evaluator.getContent(term.symbol);
    if (!slot || term.factor != 1 || !isAllocSlot(*slot))
      continue;
    int root;
    if (versionsOf.count(*slot)) {
      std::optional<int> version = getVersion(address, index, *slot);
      if (!version && depth < maxDepth)
        return getRoot(address, isDynamic, rest, depth + 1);
      if (!version)
        break;
      root = *version;
    } else {
      root = getSlotRoot(*slot);
    }
    isDynamic = address.terms.size() != 1;
    address.terms.erase(address.terms.begin() + index);
    if (rest)
      rest->assign(address.terms.begin(), address.terms.end());
    address.terms.clear();
    return root;
  }
  int one =
      depth != 0 ? -1 : findOneRoot(*this, address, [&](ThreadValue value) {
        bool ignored;
        int root = getRoot(value, ignored, nullptr, maxDepth);
        return root >= 0 && roots[root].isAllocated ? root : -1;
      });
  if (one >= 0) {
    isDynamic = true;
    if (rest)
      rest->assign(address.terms.begin(), address.terms.end());
    address.terms.clear();
    return one;
  }
  if (depth == maxDepth)
    return -1;
  std::vector<int64_t> key;
  for (Term term : address.terms) {
    key.push_back(term.symbol);
    key.push_back(term.factor);
  }
  address.terms.clear();
  if (!key.empty() && otherRoots.size() >= maxOtherRoots &&
      !otherRoots.count(key)) {
    isDynamic = true;
    if (restRoot < 0) {
      restRoot = roots.size();
      roots.push_back({});
    }
    return restRoot;
  }
  auto [it, isNew] = otherRoots.try_emplace(key, roots.size());
  if (isNew) {
    roots.push_back({});
    roots.back().isUnwritten = isUnwritten(key);
  }
  return it->second;
}

/// Whether an address is what a word of shared memory holds that nothing is
/// seen to write. Functions may be called where it has been written.
bool Program::isUnwritten(ArrayRef<int64_t> key) const {
  if (key.size() != 2 || key[1] != 1 || !followsKernel)
    return false;
  std::optional<Slot> slot = evaluator.getContent(key[0]);
  Value word = evaluator.getOpaque(key[0]);
  Operation *load = word ? word.getDefiningOp() : nullptr;
  return slot && !graph.writers.count(*slot) && load &&
         load->getNumOperands() != 0 && isShared(load->getOperand(0).getType());
}

/// Addresses of allocations count as 0.
std::optional<Bounds> Program::findColumns(const ThreadValue &unknown,
                                           Frame *frame) {
  return findBounds(evaluator, unknown, frame, [&](unsigned symbol) {
    std::optional<Slot> slot = evaluator.getContent(symbol);
    return slot && isAllocSlot(*slot);
  });
}

void Program::resolveAccess(unsigned index) {
  Event &event = graph.events[index];
  Target &target = targets[index];
  target.offset = getAddress(evaluator, event, event.frame);
  target.root = getRoot(target.offset, target.isDynamic, &target.unknown);
  hasComputedColumns |= target.isDynamic && roots[target.root].isAllocated;
}

void Program::resolveAllocation(unsigned index) {
  Event &event = graph.events[index];
  Target &target = targets[index];
  target.columns = target.size.constant = event.staticColumns;
  if (event.columns) {
    target.size = evaluator.get(event.columns, event.frame);
    if (target.size.isConstant())
      target.columns = target.size.constant;
  }
  if (event.kind == EventKind::Dealloc)
    return resolveAccess(index);
  std::optional<Slot> slot =
      evaluator.getSlot(getAddress(evaluator, event, event.frame));
  if (!slot) {
    target.isUnclear = true;
    return;
  }
  target.root = getAllocRoot(*slot, index);
  Root &root = roots[target.root];
  root.columns =
      !root.isSized || root.columns == target.columns ? target.columns : -1;
  root.isSized = true;
  std::optional<Bounds> range = findBounds(evaluator, target.size, event.frame);
  bool isBounded = range && !range->isEmpty();
  root.isBounded &= isBounded;
  root.least = std::min<int64_t>(root.least, isBounded ? range->first : 32);
  resolveSlot(index);
}

/// The word that an alloc, a load or a store accesses.
std::optional<Slot> Program::getSlotOf(unsigned index) {
  const Event &event = graph.events[index];
  return evaluator.getSlot(getWordAddress(evaluator, event, event.frame));
}

/// Words that hold the address of an allocation.
void Program::resolveSlot(unsigned index) {
  const Event &event = graph.events[index];
  bool isData = event.kind == EventKind::SlotWrite && !event.columns;
  std::optional<Slot> own = isData ? std::nullopt : getSlotOf(index);
  if (own)
    resolveSlot(index, *own);
  auto it = overwrites.find(index);
  if (it == overwrites.end())
    return;
  for (const Slot &slot : it->second)
    if (!own || !(slot == *own))
      resolveSlot(index, slot);
}

void Program::resolveSlot(unsigned index, const Slot &slot) {
  bool matters = isAllocSlot(slot);
  if (std::optional<ThreadValue> content = getContent(slot)) {
    ThreadValue value = substitute(*content);
    for (Term term : value.terms)
      if (std::optional<Slot> source = evaluator.getContent(term.symbol))
        matters |= isAllocSlot(*source);
  }
  if (!matters)
    return;
  if (classifyOther(graph.events[index].op))
    evaluator.otherAccesses.insert(graph.events[index].op);
  auto [it, isNew] = slots.try_emplace(slot, numSlots);
  if (isNew && ++numSlots > maxSlots) {
    graph.incomplete = "there are too many addresses in shared memory";
    graph.incompleteAt = graph.events[index].op;
    numSlots = maxSlots;
    it->second = -1;
  }
  if (isNew)
    isRewritten.push_back(false);
  if (it->second >= 0)
    isRewritten[it->second] = graph.writers[slot].size() > 1;
  if (targets[index].slot < 0)
    targets[index].slot = it->second;
  else if (it->second >= 0)
    moreSlots[index].push_back(it->second);
}
