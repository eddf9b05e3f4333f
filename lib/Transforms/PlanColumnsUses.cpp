//===- PlanColumnsUses.cpp - Who uses each buffer -------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanColumns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include <bitset>

using namespace mlir;
using namespace mlir::tmem;

//===----------------------------------------------------------------------===//
// Where values are passed on
//===----------------------------------------------------------------------===//

/// The input of `successor` that the operand becomes, where `operands` are what
/// is passed to it.
static Value getInput(OpOperand &use, OperandRange operands,
                      RegionSuccessor successor) {
  if (operands.empty())
    return {};
  unsigned begin = operands.getBeginOperandIndex();
  unsigned number = use.getOperandNumber();
  ValueRange inputs = successor.getSuccessorInputs();
  if (number < begin || number - begin >= operands.size() ||
      number - begin >= inputs.size())
    return {};
  return inputs[number - begin];
}

static bool forwardIntoRegions(OpOperand &use, RegionBranchOpInterface branch,
                               RegionBranchPoint point,
                               llvm::function_ref<void(Value)> fn) {
  SmallVector<RegionSuccessor> successors;
  branch.getSuccessorRegions(point, successors);
  bool isForwarded = false;
  for (RegionSuccessor successor : successors)
    if (Value input = getInput(
            use, branch.getSuccessorOperands(point, successor), successor)) {
      isForwarded = true;
      fn(input);
    }
  return isForwarded;
}

bool mlir::tmem::forEachForwarded(OpOperand &use,
                                  llvm::function_ref<void(Value)> fn) {
  Operation *op = use.getOwner();
  if (auto branch = dyn_cast<BranchOpInterface>(op)) {
    auto argument = branch.getSuccessorBlockArgument(use.getOperandNumber());
    if (argument)
      fn(*argument);
    return argument.has_value();
  }
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
    return forwardIntoRegions(use, branch, RegionBranchPoint::parent(), fn);
  auto terminator = dyn_cast<RegionBranchTerminatorOpInterface>(op);
  auto parent = dyn_cast_or_null<RegionBranchOpInterface>(op->getParentOp());
  return terminator && parent &&
         forwardIntoRegions(use, parent, RegionBranchPoint(terminator), fn);
}

//===----------------------------------------------------------------------===//
// Footprints
//===----------------------------------------------------------------------===//

/// Adds what the digits of a mode add. Each sum on the way is the place of an
/// element, with zeros as its other digits, and so within bounds (rule V4).
static void addSteps(std::bitset<128> &lanes, const Mode &mode) {
  if (mode.axis != Axis::TLane || mode.stride == 0)
    return;
  std::bitset<128> before = lanes;
  for (int64_t i = 1; i < mode.extent; ++i) {
    int64_t distance = i * mode.stride;
    lanes |= distance > 0 ? before << distance : before >> -distance;
  }
}

/// The lanes of a tile, in groups of 16.
static LaneGroups getLaneGroups(const Layout &layout) {
  int64_t first = 0;
  for (const AxisOffset &offset : layout.offsets)
    if (offset.axis == Axis::TLane)
      first += offset.value;
  std::bitset<128> lanes;
  lanes.set(first);
  for (const Mode &mode : layout.modes)
    addSteps(lanes, mode);
  for (const Mode &mode : layout.replicas)
    addSteps(lanes, mode);
  LaneGroups groups = 0;
  constexpr unsigned groupSize = 16;
  for (unsigned lane = 0; lane < lanes.size(); ++lane)
    if (lanes[lane])
      groups |= 1 << lane / groupSize;
  return groups;
}

static PackingItem getItem(BufferOp op) {
  ViewType type = op.getView().getType();
  return {unsigned(type.getNumColumns()), unsigned(op.getAlignment()),
          getLaneGroups(type.getExpandedLayout())};
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

namespace {

/// Follows the views of all buffers through the program, in its order: what
/// lies in memory one behind the other is looked at one behind the other.
class UseCollector {
public:
  explicit UseCollector(BufferUses &uses) : uses(uses) {}

  void collect(gpu::GPUFuncOp kernel) {
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto buffer = dyn_cast<BufferOp>(op); buffer && !op->use_empty())
        define(buffer);
      for (OpOperand &use : op->getOpOperands())
        if (isa<ViewType>(use.get().getType()))
          visit(use);
      finish();
    });
    if (pending.empty())
      return;
    isLate = true;
    while (!pending.empty())
      for (OpOperand &use : pending.pop_back_val().getUses())
        visit(use);
    mergeLate(kernel);
  }

private:
  /// A buffer that a view may be of.
  struct Origin {
    unsigned buffer;
    bool isWhole; ///< The view has all cells of the buffer.
  };
  struct View {
    SmallVector<Origin, 1> origins;
    bool isUsed = false; ///< Some use has been visited.
  };

  void define(BufferOp op) {
    buffer = uses.buffers.size();
    uses.buffers.push_back({op, getItem(op)});
    add(op.getView(), /*isWhole=*/true);
  }

  /// Uses that came before what is found out now are visited again: those of
  /// loops, and of blocks that are not in the order of control flow.
  void add(Value value, bool isWhole) {
    View &view = views[value];
    auto *origin = llvm::find_if(
        view.origins, [&](Origin &other) { return other.buffer == buffer; });
    if (origin == view.origins.end())
      view.origins.push_back({buffer, isWhole});
    else if (origin->isWhole && !isWhole)
      origin->isWhole = false;
    else
      return;
    if (view.isUsed)
      pending.push_back(value);
  }

  void visit(OpOperand &use) {
    View &view = views[use.get()];
    view.isUsed = true;
    // Others are added on the way.
    SmallVector<Origin, 1> origins = view.origins;
    for (Origin origin : origins) {
      buffer = origin.buffer;
      if (stepsLeft == 0) {
        escape(use.getOwner());
        continue;
      }
      --stepsLeft;
      visit(use, origin.isWhole);
    }
  }

  void escape(Operation *op) {
    if (!uses.buffers[buffer].escape)
      uses.buffers[buffer].escape = op;
  }

  void addCarried(Value view) {
    uses.buffers[buffer].isCarried = true;
    add(view, /*isWhole=*/false);
  }

  void visit(OpOperand &use, bool isWhole) {
    Operation *op = use.getOwner();
    if (isa<SubviewOp>(op))
      return add(op->getResult(0), /*isWhole=*/false);
    if (isa<RearrangeOp>(op))
      return add(op->getResult(0), isWhole);
    if (isa<arith::SelectOp>(op))
      return addCarried(op->getResult(0));
    // Where the address goes is not followed; one that nobody uses goes
    // nowhere.
    if (isa<AddressOp>(op) && op->use_empty())
      return;
    if (!visitAccess(op, isWhole) &&
        !forEachForwarded(use, [&](Value input) { addCarried(input); }))
      escape(op);
  }

  /// An operation of the dialect that says by its effects what it does.
  bool visitAccess(Operation *op, bool isWhole) {
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (!effects || !isa_and_nonnull<TMemDialect>(op->getDialect()) ||
        llvm::any_of(op->getResultTypes(), llvm::IsaPred<ViewType>))
      return false;
    auto *resource = TensorMemoryResource::get();
    bool reads = false, writes = false;
    SmallVector<MemoryEffects::EffectInstance> instances;
    effects.getEffects(instances);
    for (const MemoryEffects::EffectInstance &effect : instances) {
      if (effect.getResource() != resource)
        continue;
      reads |= isa<MemoryEffects::Read>(effect.getEffect());
      writes |= isa<MemoryEffects::Write>(effect.getEffect());
    }
    auto transfer = dyn_cast<TransferOpInterface>(op);
    bool overwrites = isWhole && writes && !reads && transfer &&
                      transfer.getViews().size() == 1;
    if (reads)
      record(op, AccessKind::Read);
    if (writes)
      record(op, overwrites ? AccessKind::Overwrite : AccessKind::Write);
    return reads || writes;
  }

  using Accesses = SmallVector<BufferAccess, 1>;

  void record(Operation *op, AccessKind kind) {
    InFlight inFlight = InFlight::Nothing;
    if (llvm::any_of(op->getResultTypes(), llvm::IsaPred<PendingType>))
      inFlight = InFlight::Load;
    else if (llvm::any_of(op->getResultTypes(), llvm::IsaPred<TokenType>))
      inFlight = InFlight::Store;
    current = op;
    addTo(isLate ? late[op] : accesses, {buffer, kind, inFlight});
  }

  /// An operation seen again, as one that does not overwrite, counts as that.
  static void addTo(Accesses &list, BufferAccess access) {
    for (BufferAccess &other : list)
      if (other.buffer == access.buffer &&
          (other.kind == AccessKind::Read) ==
              (access.kind == AccessKind::Read)) {
        other = access;
        return;
      }
    list.push_back(access);
  }

  /// Ends what the operation at hand accesses.
  void finish() {
    // Of one buffer, what is read comes first.
    llvm::sort(accesses, [](const BufferAccess &a, const BufferAccess &b) {
      return std::pair(a.buffer, a.kind) < std::pair(b.buffer, b.kind);
    });
    for (const BufferAccess &access : accesses)
      uses.accesses.emplace_back(current, access);
    accesses.clear();
  }

  /// Puts what was found later where it belongs.
  void mergeLate(gpu::GPUFuncOp kernel) {
    auto early = std::move(uses.accesses);
    uses.accesses.clear();
    auto next = early.begin();
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      current = op;
      for (; next != early.end() && next->first == op; ++next)
        accesses.push_back(next->second);
      if (auto it = late.find(op); it != late.end())
        for (const BufferAccess &access : it->second)
          addTo(accesses, access);
      finish();
    });
  }

  BufferUses &uses;
  unsigned buffer = 0; ///< Whose view is looked at.
  llvm::DenseMap<Value, View> views;
  SmallVector<Value> pending;
  Operation *current = nullptr;
  Accesses accesses; ///< Of the current operation.
  bool isLate = false;
  llvm::DenseMap<Operation *, Accesses> late;
  /// Many buffers that all pass through many block arguments would take the
  /// product of their numbers.
  size_t stepsLeft = 10'000'000;
};

} // namespace

BufferUses mlir::tmem::collectUses(gpu::GPUFuncOp kernel) {
  BufferUses uses;
  UseCollector(uses).collect(kernel);
  return uses;
}
