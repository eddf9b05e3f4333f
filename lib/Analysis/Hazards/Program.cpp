//===- Program.cpp - Events with what they name ---------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "tmem/IR/TMemOps.h"
#include "tmem/Layout/LayoutAlgebra.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

/// Not a function of the device, which is called where more has been done.
static bool isWhole(Operation *kernel) {
  auto function = dyn_cast<gpu::GPUFuncOp>(kernel);
  return isa<gpu::LaunchOp>(kernel) || (function && function.isKernel()) ||
         kernel->hasAttr("nvvm.kernel") || kernel->hasAttr("gpu.kernel");
}

Program::Program(Evaluator &evaluator, Operation *kernel, bool followsCalls)
    : evaluator(evaluator), graph(buildGraph(evaluator, kernel)),
      followsKernel(followsCalls && isWhole(kernel)) {
  findUnits();
  findLanes();
  findOverwrites();
  findVersions();
  resolve();
}

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

/// The warps of which some threads are in a set, and of those the ones of which
/// others are not.
static std::pair<uint32_t, uint32_t> getWarps(const ThreadSet &threads,
                                              unsigned numThreads) {
  uint32_t warps = 0, partial = 0;
  for (unsigned begin = 0; begin < numThreads; begin += warpSize) {
    unsigned end = std::min(begin + warpSize, numThreads), count = 0;
    for (unsigned t = begin; t < end; ++t)
      count += threads[t];
    if (count != 0)
      warps |= 1u << begin / warpSize;
    if (count != 0 && count != end - begin)
      partial |= 1u << begin / warpSize;
  }
  return {warps, partial};
}

void Program::findUnits() {
  unsigned numWarps = evaluator.getBlock().getNumWarps();
  unsigned numThreads = evaluator.getBlock().getNumThreads();
  DenseMap<const ThreadSet *, std::pair<uint32_t, uint32_t>> warpsOf;
  for (const ThreadSet &threads : graph.threadSets)
    warpsOf[&threads] = getWarps(threads, numThreads);
  std::vector<uint64_t> signatures(numWarps, 0);
  for (auto [index, node] : llvm::enumerate(graph.nodes)) {
    auto [warps, partial] = warpsOf.at(node.threads);
    nodeWarps.push_back(warps);
    partialWarps.push_back(partial);
    if (node.events.empty())
      continue;
    for (unsigned warp = 0; warp < numWarps; ++warp)
      if (warps >> warp & 1)
        signatures[warp] = llvm::hash_combine(signatures[warp], index);
  }
  if (numThreads % warpSize != 0)
    shortWarp = 1u << (numWarps - 1);
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
// Barriers
//===----------------------------------------------------------------------===//

static constexpr EventKind barrierKinds[] = {EventKind::BarrierSync,
                                             EventKind::BarrierArrive};

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
  int64_t present = where.getAccountedFor().count();
  bool isComplete = event.kind == EventKind::BarrierSync;
  if (!event.count)
    isComplete &= id.isConstant() && present == block.getNumThreads();
  if (event.count) {
    // Each number is met by its own warps, all of which stand here.
    std::map<int64_t, int64_t> members;
    std::map<int64_t, uint32_t> warps;
    for (unsigned t = 0; t < block.getNumThreads(); ++t)
      if ((*where.threads)[t])
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
  if (event.isUnclear) {
    targets[index].isUnclear = true;
    return;
  }
  ThreadValue address = getMBarrierAddress(evaluator, event, event.frame);
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

/// Whether an arrival may be at the mbarrier of another CTA.
bool Program::mayArriveElsewhere(unsigned event) const {
  const Target &target = targets[event];
  const Event &what = graph.events[event];
  return target.isUnclear || target.channel < 0 ||
         (what.kind == EventKind::Commit && !what.reason.empty());
}

/// Named barriers at which now these warps meet, now others: which meeting is
/// which depends on the order of the warps.
void Program::findSharedBarriers() {
  // Those of the block are number 0.
  auto first = groups.find(0);
  if (first != groups.end())
    for (auto [node, index] : graph.getSites(EventKind::BarrierSync))
      if (!graph.events[index].count && nodeWarps[node] != 0)
        first->second.insert(targets[index].met ? nodeWarps[node] : 0);
  for (EventKind kind : barrierKinds)
    for (auto [node, index] : graph.getSites(kind)) {
      const Event &event = graph.events[index];
      if (!event.barrier || targets[index].isUnclear)
        continue;
      const ThreadSet &threads = *graph.nodes[node].threads;
      ThreadValue id = evaluator.get(event.barrier, event.frame);
      for (unsigned t = 0; t < evaluator.getBlock().getNumThreads(); ++t)
        if (threads[t] && groups[id.get(t)].size() > 1)
          targets[index].isUnclear = true;
    }
}

/// Barriers at which more, or fewer, threads come together than they say: who
/// meets is then up to the order of warps, or nobody goes on.
void Program::findMiscounted() {
  struct Use {
    uint32_t warps = 0;
    std::set<int64_t> counts;
  };
  std::map<int, Use> uses;
  auto visit = [&](auto fn) {
    for (EventKind kind : barrierKinds)
      for (auto [node, index] : graph.getSites(kind))
        if (graph.events[index].count && nodeWarps[node] != 0 &&
            targets[index].channel >= 0 && !targets[index].isUnclear)
          fn(node, index, uses[targets[index].channel]);
  };
  visit([&](unsigned node, unsigned index, Use &use) {
    const Event &event = graph.events[index];
    use.warps |= nodeWarps[node];
    use.counts.insert(evaluator.get(event.count, event.frame).constant);
  });
  visit([&](unsigned, unsigned index, Use &use) {
    // Parts of warps are told of elsewhere.
    int64_t threads = llvm::popcount(use.warps) * int64_t(warpSize);
    targets[index].isMiscounted =
        *use.counts.begin() % warpSize == 0 &&
        (use.counts.size() > 1 || *use.counts.begin() != threads);
  });
}

void Program::findHandoffs() {
  std::map<std::pair<int, unsigned>, unsigned> uses;
  for (EventKind kind : barrierKinds)
    for (auto [node, index] : graph.getSites(kind)) {
      int channel = targets[index].channel;
      if (channel < 0)
        continue;
      hasHandoffs = true;
      for (unsigned unit = 0; unit < unitWarps.size(); ++unit)
        if (nodeUnits[node] >> unit & 1)
          hasReusedHandoffs |=
              graph.nodes[node].isInLoop || ++uses[{channel, unit}] > 1;
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
  for (EventKind kind : barrierKinds)
    for (auto [node, event] : graph.getSites(kind))
      if (targets[event].channel == channel || targets[event].meetsAll)
        own[node] |= nodeUnits[node];
  std::vector<Units> later = own;
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned node = graph.nodes.size(); node-- > 0;)
      for (const Edge &edge : graph.getEdges(node)) {
        changed |= (later[edge.to] & ~later[node]) != 0;
        later[node] |= later[edge.to];
      }
  }
  for (EventKind kind : barrierKinds)
    for (auto [node, event] : graph.getSites(kind)) {
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
    size_t first = where.threads->_Find_first();
    for (unsigned event : where.events) {
      if (first < maxThreads)
        targets[event].thread = first;
      hasPair |= graph.events[event].ctaGroup == 2;
      hasSingle |= graph.events[event].ctaGroup == 1;
      switch (graph.events[event].kind) {
      case EventKind::Alloc:
      case EventKind::Dealloc:
        resolveAllocation(event);
        break;
      case EventKind::Load:
      case EventKind::Store:
      case EventKind::TensorWrite:
      case EventKind::TensorRead:
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
        if (graph.events[event].kind != EventKind::MBarrierWait)
          hasRemoteArrivals |= mayArriveElsewhere(event);
        break;
      case EventKind::Transaction:
        hasMBarriers = true;
        break;
      case EventKind::MBarrierInit: {
        const Event &what = graph.events[event];
        ThreadValue address = getMBarrierAddress(evaluator, what, what.frame);
        if (std::optional<Slot> slot = evaluator.getSlot(address))
          mbarrierPlaces[slot->object].insert(slot->offset);
        if (std::optional<unsigned> object = evaluator.getObject(address))
          evaluator.mbarrierObjects.insert(*object);
        break;
      }
      case EventKind::OtherSync:
        hasOtherSync = true;
        break;
      case EventKind::Unknown:
        hasUnknown = hasRemoteArrivals = true;
        break;
      default:
        break;
      }
    }
  }
  for (EventKind kind : {EventKind::SlotWrite, EventKind::Alloc})
    for (auto [node, event] : graph.getSites(kind))
      if (graph.nodes[node].isInLoop && targets[event].slot >= 0)
        isRewritten[targets[event].slot] = true;
  findMBarrierStores();
  findSharedBarriers();
  completeBarriers();
  findMiscounted();
  resolveClusterBarriers();
  findHandoffs();
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

Cell mlir::tmem::hazards::getCell(int64_t offset) {
  int64_t column = int16_t(offset & 0xffff);
  // Columns before the root borrow nothing from the lane.
  return {int16_t((offset - column) >> 16), column};
}

/// Which half of a slab a lane is in.
static unsigned getHalf(int64_t lane) { return unsigned(lane) % 32 / 16; }

static void addRows(Cells &cells, unsigned slab, unsigned rows, Cell cell,
                    int64_t count) {
  if (rows == 32) {
    cells.add(2 * slab, cell.column, count);
    cells.add(2 * slab + 1, cell.column, count);
    return;
  }
  cells.add(2 * slab + getHalf(cell.lane), cell.column, count);
}

static int64_t getWidth(AtomShape shape, unsigned repeat, bool packs) {
  return int64_t(getNativeImage(shape).columnsPerRepeat) * repeat *
         (packs ? 2 : 1);
}

static void addIssue(Cells &cells, unsigned slab, AtomShape shape,
                     unsigned repeat, bool packs, Cell cell,
                     std::optional<Cell> split) {
  int64_t count = getWidth(shape, repeat, packs);
  addRows(cells, slab, getNativeImage(shape).rows == 32 ? 32 : 16, cell, count);
  if (split)
    addRows(cells, slab, 16, cell + *split, count);
}

static void addPlan(Cells &cells, unsigned warp, const TransferPlan &plan,
                    Cell first) {
  std::optional<Cell> split;
  if (plan.shape == AtomShape::S16x32bx2)
    split = plan.split;
  first.column += int64_t(warp / 4) * plan.columnsPerWarpgroup;
  for (const Issue &issue : plan.issues)
    addIssue(cells, warp % 4, plan.shape, issue.repeat,
             plan.packing != Packing::None,
             first + Cell{16 * issue.half, issue.column}, split);
}

/// The cells of a view at lane 0, column 0.
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
                       Cell first) {
  for (unsigned half : {0, 1})
    for (unsigned column = 0; column < numColumns; ++column)
      if (view.has(2 * slab + half, column))
        cells.add(2 * slab + getHalf(16 * half + first.lane),
                  first.column + column, 1);
}

static const Cells &getKnownCells(ViewCells &viewCells, Type type) {
  std::shared_ptr<Cells> &known = viewCells[type];
  if (!known)
    known = std::make_shared<Cells>(getViewCells(cast<ViewType>(type)));
  return *known;
}

/// The immediate of a raw 16x32bx2, where it is known.
static std::optional<int64_t> getSplit(Evaluator &evaluator,
                                       const Event &event) {
  if (!event.split)
    return std::nullopt;
  ThreadValue distance = evaluator.get(event.split, event.frame);
  if (!distance.isConstant())
    return std::nullopt;
  return distance.constant;
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
    if (std::optional<int64_t> distance = getSplit(evaluator, event))
      split = getCell(*distance);
    addIssue(cells, warp % 4, event.shape, event.repeat, event.packs, cell,
             split);
    return cells;
  }
  Scope scope = transfer.getScope().getScope();
  if (scope.kind == ScopeKind::Warp && warp % 4 != scope.warp)
    return cells;
  if (transfer.isSelected()) {
    if (auto *plan = std::get_if<TransferPlan>(&transfer.getPlan()))
      addPlan(cells, warp, *plan, cell);
    return cells;
  }
  for (Value view : transfer.getViews())
    addShifted(cells, getKnownCells(viewCells, view.getType()), warp % 4, cell);
  return cells;
}

Cells Program::getCells(unsigned index, unsigned unit) const {
  const Target &target = targets[index];
  if (!target.isDynamic)
    return getCells(index, unit, target.offset);
  Cells cells;
  if (isOfTensorCore(graph.events[index].kind)) {
    cells.addAll();
    return cells;
  }
  for (unsigned warp = 0; warp < evaluator.getBlock().getNumWarps(); ++warp)
    if (unitWarps[unit] >> warp & 1) {
      cells.add(2 * (warp % 4), 0, numColumns);
      cells.add(2 * (warp % 4) + 1, 0, numColumns);
    }
  return cells;
}

Cells Program::getCells(unsigned index, unsigned unit,
                        const ThreadValue &offset) const {
  const Event &event = graph.events[index];
  if (isOfTensorCore(event.kind))
    return getTensorCells(evaluator, event, offset.get(targets[index].thread));
  Cells cells;
  for (unsigned warp = 0; warp < evaluator.getBlock().getNumWarps(); ++warp)
    if (unitWarps[unit] >> warp & 1)
      cells.unite(getTransferCells(evaluator, event, offset, warp, viewCells));
  return cells;
}

/// The lanes of the slab of a warp, in words.
static std::string describeLanes(unsigned warp) {
  return (Twine(warp % 4 * 32) + " to " + Twine(warp % 4 * 32 + 31)).str();
}

std::string mlir::tmem::hazards::findBadSplit(Evaluator &evaluator,
                                              const Event &event) {
  std::optional<int64_t> distance = getSplit(evaluator, event);
  if (!distance)
    return "";
  int64_t lanes = *distance >> 16, columns = *distance & 0xffff;
  if ((lanes != 0 && lanes != 16) || columns >= int64_t(numColumns))
    return "expected an immediate of 0 or 16 lanes and 0 to 511 columns for "
           "16x32bx2, but got " +
           std::to_string(*distance);
  if (*distance == 0)
    return "expected an immediate other than 0 for 16x32bx2: both halves of "
           "the warp access the same cells";
  if (event.packs && columns % 2 != 0)
    return "expected an immediate of an even number of columns for 16x32bx2 "
           "with 16-bit packing, but got " +
           std::to_string(columns);
  int64_t count = getWidth(event.shape, event.repeat, event.packs);
  if (event.kind == EventKind::Store && lanes == 0 && columns < count)
    return "expected an immediate of at least " + std::to_string(count) +
           " columns, so that the halves of the warp store to different "
           "cells, but got " +
           std::to_string(columns);
  return "";
}

/// An instruction of a warp: 32x32b starts where the slab does, shapes of 16
/// lanes also in the middle (PTX ISA, tcgen05.ld: access restrictions), unless
/// their second half lies behind it.
static std::string describeMisplaced(const Event &event, unsigned warp,
                                     int64_t lane, int64_t splitLanes) {
  int64_t first = warp % 4 * 32;
  if (lane < first || lane >= first + 32)
    return "expected warp " + std::to_string(warp) + " to access lanes " +
           describeLanes(warp) + ", but the address names others";
  bool isWhole = getNativeImage(event.shape).rows == 32 || splitLanes != 0;
  if (lane == first || (!isWhole && lane == first + 16))
    return "";
  return "expected " + stringifyAtomShape(event.shape).str() + " of warp " +
         std::to_string(warp) + " to start at lane " + std::to_string(first) +
         (isWhole ? "" : " or " + std::to_string(first + 16)) +
         ", but got lane " + std::to_string(lane);
}

/// A view of which the address names lane `lane`: each warp's part of it has to
/// be in the slab of that warp still. `view`: its cells at lane 0.
static std::string describeMisplaced(const Cells &view, unsigned warp,
                                     int64_t lane) {
  bool has[2] = {false, false};
  for (unsigned half : {0, 1})
    for (const CellWord &word : view.words)
      has[half] |= word.halves[warp % 4 * 2 + half] != 0;
  if (lane == 0 || (lane == 16 && !has[1]) || (lane == -16 && !has[0]) ||
      (!has[0] && !has[1]))
    return "";
  if (lane % 16 != 0)
    return "expected a view to start at a multiple of 16 lanes, but got lane " +
           std::to_string(lane);
  return "expected warp " + std::to_string(warp) + " to access lanes " +
         describeLanes(warp) + ", but the address of the view takes it to " +
         "others";
}

std::string mlir::tmem::hazards::findMisplaced(Evaluator &evaluator,
                                               const Event &event,
                                               const ThreadValue &offset,
                                               unsigned warp,
                                               ViewCells &viewCells) {
  Cell cell = getCell(offset.get(warp * warpSize));
  auto transfer = dyn_cast<TransferOpInterface>(event.op);
  if (!transfer)
    return describeMisplaced(event, warp, cell.lane,
                             getSplit(evaluator, event).value_or(0) >> 16);
  Scope scope = transfer.getScope().getScope();
  if (scope.kind == ScopeKind::Warp && warp % 4 != scope.warp)
    return "";
  return describeMisplaced(
      getKnownCells(viewCells, transfer.getViews().front().getType()), warp,
      cell.lane);
}

std::string Program::findMisplaced(unsigned index, unsigned node) const {
  const Event &event = graph.events[index];
  const Target &target = targets[index];
  if (!roots[target.root].isAllocated || target.isDynamic)
    return "";
  // Which thread it is may not be known.
  if (isOfTensorCore(event.kind))
    return target.offset.table && graph.nodes[node].mixed != Mixed::No
               ? ""
               : findTensorMisplaced(evaluator, event,
                                     target.offset.get(target.thread));
  unsigned numWarps = evaluator.getBlock().getNumWarps();
  for (unsigned warp = 0; warp < numWarps; ++warp) {
    if (!(nodeWarps[node] >> warp & 1))
      continue;
    std::string message = hazards::findMisplaced(
        evaluator, event, target.offset, warp, viewCells);
    if (!message.empty())
      return message;
  }
  return "";
}
