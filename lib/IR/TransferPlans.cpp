//===- TransferPlans.cpp - Plans of transfers, computed once --------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransferPlans.h"
#include "TransferVerifiers.h"
#include "tmem/IR/TMemOps.h"
#include "tmem/Layout/Selection.h"

using namespace mlir;
using namespace mlir::tmem;

/// An atom to plan with where none is named, to see whether the registers have
/// a fault that shows before the atom plays a part.
static Atom getStandIn(const TransferKey &key) {
  Atom atom;
  atom.shape = key.high ? AtomShape::S16x32bx2 : AtomShape::S32x32b;
  atom.repeats = {1};
  return atom;
}

/// No tile's: planning then ends before the layouts are compared.
static Layout getStandInRegisters(ArrayRef<int64_t> shape) {
  Layout layout;
  layout.modes = {{llvm::product_of(shape) + 1, 0, Axis::Reg}};
  return layout;
}

namespace {
/// What a key says, without attributes.
struct KeyedTransfer {
  explicit KeyedTransfer(const TransferKey &key);

  /// Refers to this.
  Transfer get() const {
    return {key.direction,
            memory,
            *registers,
            shape,
            ViewType(key.view).getElementBits(),
            VectorType(key.vector).getDimSize(0),
            ScopeAttr(key.scope).getScope()};
  }

  const TransferKey &key;
  SmallVector<Layout, 2> memory;
  SmallVector<int64_t> shape;
  FailureOr<Layout> registers;
};
} // namespace

KeyedTransfer::KeyedTransfer(const TransferKey &key)
    : key(key), memory{ViewType(key.view).getExpandedLayout()},
      shape(key.view.getShape()) {
  if (key.high) {
    memory.push_back(ViewType(key.high).getExpandedLayout());
    shape.insert(shape.begin(), 2);
  }
  registers = getStandInRegisters(shape);
  // The verifier of the op reports why there is no layout; here nothing prints.
  if (key.registers)
    registers =
        expandLayout(key.registers, shape, ViewType(key.view).getElementType(),
                     [] { return InFlightDiagnostic(); });
}

static PlanResult createPlan(const TransferKey &key) {
  KeyedTransfer keyed(key);
  if (failed(keyed.registers))
    return Violation{Rule::R1, "expected a register layout for the tile"};
  Atom atom = key.atom ? AtomAttr(key.atom).getAtom() : getStandIn(key);
  if (key.immediate)
    atom.split = Cell{*key.immediate >> 16, *key.immediate & 0xffff};
  return planTransfer(keyed.get(), atom);
}

size_t PlanCache::Hash::operator()(const TransferKey &key) const {
  return llvm::hash_combine(key.direction, key.view, key.high, key.registers,
                            key.vector, key.atom, key.scope,
                            key.immediate.value_or(-1));
}

const PlanResult &PlanCache::getOrCreate(const TransferKey &key) {
  {
    llvm::sys::SmartScopedReader<true> lock(mutex);
    auto it = plans.find(key);
    if (it != plans.end())
      return it->second;
  }
  // Planned outside the lock; of two threads that plan alike, the first wins.
  PlanResult plan = createPlan(key);
  llvm::sys::SmartScopedWriter<true> lock(mutex);
  return plans.try_emplace(key, std::move(plan)).first->second;
}

static TransferKey getKey(TransferOpInterface op, LayoutAttrInterface registers,
                          AtomAttr atom, std::optional<int64_t> immediate) {
  SmallVector<Value, 2> views = op.getViews();
  return {op.getDirection(),
          cast<ViewType>(views.front().getType()),
          views.size() == 2 ? cast<ViewType>(views.back().getType())
                            : ViewType(),
          registers,
          op.getVectorType(),
          atom,
          op.getScope(),
          immediate};
}

static const PlanResult &getPlan(TransferOpInterface op,
                                 LayoutAttrInterface registers, AtomAttr atom,
                                 std::optional<int64_t> immediate) {
  return op->getContext()->getLoadedDialect<TMemDialect>()->getOrCreatePlan(
      getKey(op, registers, atom, immediate));
}

const PlanResult &
mlir::tmem::getTransferPlan(TransferOpInterface op,
                            std::optional<int64_t> immediate) {
  assert(op.isSelected() && "expected registers and an atom");
  return getPlan(op, op.getRegistersAttr(), op.getAtomAttr(), immediate);
}

/// The rules of atoms, whatever the tile, and of the immediate of 16x32bx2.
static bool isAboutAtom(Rule rule) {
  switch (rule) {
  case Rule::A1:
  case Rule::A2:
  case Rule::A3:
  case Rule::A4:
  case Rule::A6:
  case Rule::S2:
    return true;
  default:
    return false;
  }
}

/// The rules of tiles and of registers, whatever the atom.
static bool isAboutLayouts(Rule rule) {
  switch (rule) {
#define TMEM_RULE(ID, TEXT)                                                    \
  case Rule::ID:                                                               \
    return #ID[0] == 'L' || #ID[0] == 'R' || #ID[0] == 'V';
#include "tmem/Layout/Rules.def"
  }
  llvm_unreachable("not a rule");
}

std::optional<Violation> mlir::tmem::findViolation(TransferOpInterface op) {
  const PlanResult &atom =
      getPlan(op, {}, op.getAtomAttr(), op.getSplitImmediate());
  if (auto *violation = std::get_if<Violation>(&atom);
      violation && isAboutAtom(violation->rule))
    return *violation;
  if (!op.getRegistersAttr())
    return std::nullopt;
  const PlanResult &layouts =
      getPlan(op, op.getRegistersAttr(), {}, std::nullopt);
  if (auto *violation = std::get_if<Violation>(&layouts);
      violation && isAboutLayouts(violation->rule))
    return *violation;
  return std::nullopt;
}

std::string mlir::tmem::describeAlternative(TransferOpInterface op, Rule rule) {
  TransferKey key = getKey(op, op.getRegistersAttr(), {}, std::nullopt);
  KeyedTransfer keyed(key);
  if (failed(keyed.registers))
    return "";
  SelectionOptions options;
  if (isa<LoadReduceOp>(op))
    options.shapes.append(LoadReduceOp::getShapes().begin(),
                          LoadReduceOp::getShapes().end());
  return describeAlternative(keyed.get(), rule, options);
}
