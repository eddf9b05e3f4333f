//===- CheckHazardsProgram.cpp - Events with what they name ---------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckHazardsProgram.h"
#include "tmem/IR/TMemOps.h"
#include "tmem/Layout/LayoutAlgebra.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

Program::Program(Evaluator &evaluator, Operation *kernel)
    : evaluator(evaluator), graph(buildGraph(evaluator, kernel)) {
  findUnits();
  resolve();
}

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

void Program::findUnits() {
  unsigned numWarps = evaluator.getBlock().getNumWarps();
  unsigned numThreads = evaluator.getBlock().getNumThreads();
  std::vector<uint64_t> signatures(numWarps, 0);
  for (auto [index, node] : llvm::enumerate(graph.nodes)) {
    uint32_t warps = 0, partial = 0;
    for (unsigned warp = 0; warp < numWarps; ++warp) {
      unsigned begin = warp * warpSize;
      unsigned end = std::min(begin + warpSize, numThreads), count = 0;
      for (unsigned t = begin; t < end; ++t)
        count += node.threads[t];
      if (count != 0) {
        warps |= 1u << warp;
        if (!node.events.empty())
          signatures[warp] = llvm::hash_combine(signatures[warp], index);
      }
      if (count != 0 && count != end - begin)
        partial |= 1u << warp;
    }
    nodeWarps.push_back(warps);
    partialWarps.push_back(partial);
  }
  std::map<std::pair<uint64_t, unsigned>, unsigned> units;
  for (unsigned warp = 0; warp < numWarps; ++warp) {
    auto [it, isNew] =
        units.try_emplace({signatures[warp], warp / 4}, unitWarps.size());
    if (isNew)
      unitWarps.push_back(0);
    unitWarps[it->second] |= 1u << warp;
  }
  for (uint32_t warps : nodeWarps) {
    Units set = 0;
    for (auto [unit, members] : llvm::enumerate(unitWarps))
      if (members & warps)
        set |= 1u << unit;
    nodeUnits.push_back(set);
  }
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
  if (isNew)
    roots.push_back({isAllocSlot(slot), -1});
  return it->second;
}

/// The root of an address, whose terms are taken out of it.
int Program::getRoot(ThreadValue &address, bool &isDynamic) {
  address = substitute(address);
  for (Term term : address.terms) {
    std::optional<Slot> slot = evaluator.getContent(term.symbol);
    if (!slot || term.factor != 1 || !isAllocSlot(*slot))
      continue;
    isDynamic = address.terms.size() != 1;
    address.terms.clear();
    return getSlotRoot(*slot);
  }
  std::vector<int64_t> key;
  for (Term term : address.terms) {
    key.push_back(term.symbol);
    key.push_back(term.factor);
  }
  address.terms.clear();
  auto [it, isNew] = otherRoots.try_emplace(key, roots.size());
  if (isNew)
    roots.push_back({});
  return it->second;
}

void Program::resolveAccess(unsigned index) {
  Event &event = graph.events[index];
  Target &target = targets[index];
  target.offset = evaluator.get(event.address, event.frame);
  target.root = getRoot(target.offset, target.isDynamic);
  if (otherRoots.size() > maxOtherRoots && !graph.incompleteAt) {
    graph.incomplete = "there are too many addresses that are not known";
    graph.incompleteAt = event.op;
  }
}

void Program::resolveAllocation(unsigned index) {
  Event &event = graph.events[index];
  Target &target = targets[index];
  target.columns = event.staticColumns;
  if (event.columns) {
    ThreadValue columns = evaluator.get(event.columns, event.frame);
    if (columns.isConstant())
      target.columns = columns.constant;
  }
  if (event.kind == EventKind::Dealloc)
    return resolveAccess(index);
  std::optional<Slot> slot =
      evaluator.getSlot(evaluator.get(event.address, event.frame));
  if (!slot) {
    target.isUnclear = true;
    return;
  }
  target.root = getSlotRoot(*slot);
  Root &root = roots[target.root];
  bool isFirst = graph.writers[*slot].front() == index;
  root.columns =
      isFirst || root.columns == target.columns ? target.columns : -1;
  resolveSlot(index);
}

/// Words that hold the address of an allocation.
void Program::resolveSlot(unsigned index) {
  Event &event = graph.events[index];
  ThreadValue address = event.kind == EventKind::Alloc || event.indices.empty()
                            ? evaluator.get(event.address, event.frame)
                            : evaluator.getElementAddress(
                                  event.address, event.indices, event.frame);
  std::optional<Slot> slot = evaluator.getSlot(address);
  if (!slot)
    return;
  bool matters = isAllocSlot(*slot);
  if (std::optional<ThreadValue> content = getContent(*slot)) {
    ThreadValue value = substitute(*content);
    for (Term term : value.terms)
      if (std::optional<Slot> source = evaluator.getContent(term.symbol))
        matters |= isAllocSlot(*source);
  }
  if (!matters)
    return;
  auto [it, isNew] = slots.try_emplace(*slot, numSlots);
  if (isNew && ++numSlots > maxSlots) {
    graph.incomplete = "there are too many addresses in shared memory";
    graph.incompleteAt = event.op;
    numSlots = maxSlots;
    it->second = -1;
  }
  targets[index].slot = it->second;
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

void Program::useChannel(unsigned index, unsigned node,
                         std::vector<int64_t> key, bool arrives) {
  auto [it, isNew] = channels.try_emplace(key, arrivers.size());
  if (isNew && arrivers.size() == maxChannels) {
    channels.erase(it);
    targets[index].isUnclear = true;
    return;
  }
  if (isNew) {
    arrivers.push_back(0);
    isAmbiguous.push_back(false);
  }
  targets[index].channel = it->second;
  if (arrives)
    arrivers[it->second] |= nodeUnits[node];
}

void Program::resolveBarrier(unsigned index, unsigned node) {
  Event &event = graph.events[index];
  Target &target = targets[index];
  BlockShape block = evaluator.getBlock();
  const Node &where = graph.nodes[node];
  ThreadValue id, count;
  if (event.barrier)
    id = evaluator.get(event.barrier, event.frame);
  if (event.count)
    count = evaluator.get(event.count, event.frame);
  else
    count.constant = block.getNumThreads();
  bool isOther = !id.isKnown() || !count.isConstant();
  if (isOther) {
    target.isUnclear = true;
    return;
  }
  int64_t present = 0;
  for (unsigned t = 0; t < block.getNumThreads(); ++t)
    present += (where.threads | where.exited)[t];
  bool isComplete = event.kind == EventKind::BarrierSync;
  if (!event.count)
    isComplete &= id.isConstant() && present == block.getNumThreads();
  if (event.count) {
    // Each number is met by its own warps, all of which stand here.
    std::map<int64_t, int64_t> members;
    std::map<int64_t, uint32_t> warps;
    for (unsigned t = 0; t < block.getNumThreads(); ++t)
      if (where.threads[t])
        ++members[id.get(t)], warps[id.get(t)] |= 1u << t / warpSize;
    for (auto [number, threads] : members)
      isComplete &= threads == count.constant;
    for (auto [number, group] : warps)
      groups[number].insert(isComplete ? group : 0);
  }
  if (isComplete) {
    target.met = nodeUnits[node];
    target.meetsAll =
        id.isConstant() && (!event.count || nodeWarps[node] == nodeWarps[0]);
    return;
  }
  if (!id.isConstant()) {
    target.isUnclear = true;
    return;
  }
  useChannel(index, node, {-1, id.constant}, /*arrives=*/true);
  if (target.channel < 0)
    return;
  // Meetings of one barrier in several places are one channel only as long as
  // each warp takes part once.
  if (event.kind == EventKind::BarrierSync && !event.count)
    for (unsigned unit = 0; unit < unitWarps.size(); ++unit)
      if (nodeUnits[node] >> unit & 1)
        if (++meetings[{target.channel, unit}] > 1 || where.isInLoop)
          isAmbiguous[target.channel] = true;
}

void Program::resolveMBarrier(unsigned index, unsigned node) {
  Event &event = graph.events[index];
  ThreadValue address = evaluator.get(event.address, event.frame);
  std::optional<unsigned> object = evaluator.getObject(address);
  if (!object) {
    targets[index].isUnclear = true;
    return;
  }
  // Which one of a ring it is may change: rings are one barrier here.
  std::vector<int64_t> key{int64_t(*object), address.constant};
  for (Term term : address.terms)
    if (term.symbol != *object)
      key.push_back(term.factor);
  if (address.table)
    key.push_back(0);
  std::sort(key.begin() + 2, key.end());
  useChannel(index, node, key, event.kind != EventKind::MBarrierWait);
}

/// Named barriers at which now these warps meet, now others: which meeting is
/// which depends on the order of the warps.
void Program::findSharedBarriers() {
  for (auto [node, where] : llvm::enumerate(graph.nodes))
    for (unsigned index : where.events) {
      const Event &event = graph.events[index];
      if (!event.barrier || targets[index].isUnclear)
        continue;
      ThreadValue id = evaluator.get(event.barrier, event.frame);
      for (unsigned t = 0; t < evaluator.getBlock().getNumThreads(); ++t)
        if (where.threads[t] && groups[id.get(t)].size() > 1)
          targets[index].isUnclear = true;
    }
}

/// Barriers of the CTA that some warps do not execute: complete where those
/// warps never come to another one, because they end.
void Program::completeBarriers() {
  auto it = channels.find({-1, 0});
  if (it == channels.end())
    return;
  int channel = it->second;
  std::vector<Units> own(graph.nodes.size(), 0);
  for (auto [node, where] : llvm::enumerate(graph.nodes))
    for (unsigned event : where.events)
      if (targets[event].channel == channel || targets[event].meetsAll)
        own[node] |= nodeUnits[node];
  std::vector<Units> later = own;
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned node = graph.nodes.size(); node-- > 0;)
      for (unsigned successor : graph.nodes[node].successors) {
        changed |= (later[successor] & ~later[node]) != 0;
        later[node] |= later[successor];
      }
  }
  for (auto [node, where] : llvm::enumerate(graph.nodes))
    for (unsigned event : where.events) {
      Target &target = targets[event];
      if (target.channel != channel || graph.events[event].count ||
          arrivers[channel] != nodeUnits[node] ||
          later[node] != nodeUnits[node])
        continue;
      target.channel = -1;
      target.met = nodeUnits[node];
    }
}

//===----------------------------------------------------------------------===//
// Everything
//===----------------------------------------------------------------------===//

void Program::resolve() {
  targets.resize(graph.events.size());
  for (auto [node, where] : llvm::enumerate(graph.nodes)) {
    for (unsigned event : where.events) {
      switch (graph.events[event].kind) {
      case EventKind::Alloc:
      case EventKind::Dealloc:
        resolveAllocation(event);
        break;
      case EventKind::Load:
      case EventKind::Store:
      case EventKind::TensorWrite:
        resolveAccess(event);
        break;
      case EventKind::SlotRead:
      case EventKind::SlotWrite:
        resolveSlot(event);
        break;
      case EventKind::BarrierSync:
      case EventKind::BarrierArrive:
        resolveBarrier(event, node);
        break;
      case EventKind::MBarrierArrive:
      case EventKind::MBarrierWait:
      case EventKind::Commit:
        hasMBarriers = true;
        resolveMBarrier(event, node);
        break;
      case EventKind::OtherSync:
        hasOtherSync = true;
        break;
      case EventKind::Unknown:
        hasUnknown = true;
        break;
      default:
        break;
      }
    }
  }
  findSharedBarriers();
  completeBarriers();
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

/// Where an address points, relative to its root.
static Cell getCell(int64_t offset) {
  return {(offset >> 16) & 0xffff, int64_t(int16_t(offset & 0xffff))};
}

static void addRows(Cells &cells, unsigned slab, unsigned rows, Cell cell,
                    int64_t count) {
  if (rows == 32) {
    cells.add(2 * slab, cell.column, count);
    cells.add(2 * slab + 1, cell.column, count);
    return;
  }
  cells.add(2 * slab + cell.lane % 32 / 16, cell.column, count);
}

static void addIssue(Cells &cells, unsigned slab, AtomShape shape,
                     unsigned repeat, bool packs, Cell cell,
                     std::optional<Cell> split) {
  const NativeImage &image = getNativeImage(shape);
  int64_t count = int64_t(image.columnsPerRepeat) * repeat * (packs ? 2 : 1);
  addRows(cells, slab, image.rows == 32 ? 32 : 16, cell, count);
  if (split)
    addRows(cells, slab, 16, cell + *split, count);
}

static void addPlan(Cells &cells, unsigned warp, const TransferPlan &plan,
                    int64_t column) {
  std::optional<Cell> split;
  if (plan.shape == AtomShape::S16x32bx2)
    split = plan.split;
  column += int64_t(warp / 4) * plan.columnsPerWarpgroup;
  for (const Issue &issue : plan.issues)
    addIssue(cells, warp % 4, plan.shape, issue.repeat,
             plan.packing != Packing::None,
             {16 * issue.half, column + issue.column}, split);
}

/// The cells of a view at column 0.
static Cells getViewCells(ViewType type) {
  Cells cells;
  Footprint footprint;
  if (getFootprint(type.getExpandedLayout(), type.getElementBits(),
                   footprint)) {
    cells.addAll();
    return cells;
  }
  llvm::BitVector columns = footprint.getColumns();
  for (unsigned lane : footprint.lanes.set_bits())
    if (lane % 16 == 0 || !footprint.lanes[lane - 1])
      for (unsigned column : columns.set_bits())
        cells.add(lane / 16, column, 1);
  return cells;
}

static void addShifted(Cells &cells, const Cells &view, unsigned slab,
                       int64_t column) {
  for (unsigned half = 2 * slab; half < 2 * slab + 2; ++half)
    for (unsigned word = 0; word < numColumnWords; ++word)
      for (unsigned bit = 0; bit < 64; ++bit)
        if (view.bits[half][word] >> bit & 1)
          cells.add(half, column + word * 64 + bit, 1);
}

/// Cells that a warp's transfer moves; `offset` is its address within the root.
Cells mlir::tmem::hazards::getTransferCells(Evaluator &evaluator,
                                            const Event &event,
                                            const ThreadValue &offset,
                                            unsigned warp,
                                            ViewCells &viewCells) {
  Cells cells;
  Cell cell = getCell(offset.get(warp * warpSize));
  auto transfer = dyn_cast<TransferOpInterface>(event.op);
  if (!transfer) {
    std::optional<Cell> split;
    if (event.split) {
      ThreadValue distance = evaluator.get(event.split, event.frame);
      if (distance.isConstant())
        split = getCell(distance.constant);
    }
    addIssue(cells, warp % 4, event.shape, event.repeat, event.packs, cell,
             split);
    return cells;
  }
  Scope scope = transfer.getScope().getScope();
  if (scope.kind == ScopeKind::Warp && warp % 4 != scope.warp)
    return cells;
  if (transfer.isSelected()) {
    if (auto *plan = std::get_if<TransferPlan>(&transfer.getPlan()))
      addPlan(cells, warp, *plan, cell.column);
    return cells;
  }
  for (Value view : transfer.getViews()) {
    std::shared_ptr<Cells> &known = viewCells[view.getType()];
    if (!known)
      known =
          std::make_shared<Cells>(getViewCells(cast<ViewType>(view.getType())));
    addShifted(cells, *known, warp % 4, cell.column);
  }
  return cells;
}

Cells Program::getCells(unsigned index, unsigned unit) const {
  const Event &event = graph.events[index];
  const Target &target = targets[index];
  Cells cells;
  if (event.kind == EventKind::TensorWrite) {
    // How far it reaches is in a descriptor; the first column is certain.
    Cell cell = getCell(target.offset.get(0));
    for (unsigned half = 0; half < numHalves; ++half)
      cells.add(half, target.isDynamic ? 0 : cell.column,
                target.isDynamic ? numColumns : 1);
    return cells;
  }
  unsigned numThreads = evaluator.getBlock().getNumThreads();
  for (unsigned warp = 0; warp < 32; ++warp) {
    if (!(unitWarps[unit] >> warp & 1) || warp * warpSize >= numThreads)
      continue;
    if (target.isDynamic) {
      cells.add(2 * (warp % 4), 0, numColumns);
      cells.add(2 * (warp % 4) + 1, 0, numColumns);
      continue;
    }
    cells.unite(
        getTransferCells(evaluator, event, target.offset, warp, viewCells));
  }
  return cells;
}

int Program::findForeignWarp(unsigned index, unsigned node) const {
  const Event &event = graph.events[index];
  const Target &target = targets[index];
  if (!roots[target.root].isAllocated || target.isDynamic ||
      event.kind == EventKind::TensorWrite ||
      isa<TransferOpInterface>(event.op))
    return -1;
  for (unsigned warp = 0; warp < 32; ++warp)
    if (nodeWarps[node] >> warp & 1) {
      Cell cell = getCell(target.offset.get(warp * warpSize));
      if (cell.lane / 32 != warp % 4)
        return warp;
    }
  return -1;
}
