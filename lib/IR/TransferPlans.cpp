//===- TransferPlans.cpp - Plans of transfers, computed once --------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransferPlans.h"
#include "tmem/IR/TMemOps.h"

using namespace mlir;
using namespace mlir::tmem;

static PlanResult createPlan(const TransferKey &key) {
  SmallVector<Layout, 2> memory{ViewType(key.view).getExpandedLayout()};
  SmallVector<int64_t> shape(key.view.getShape());
  if (key.high) {
    memory.push_back(ViewType(key.high).getExpandedLayout());
    shape.insert(shape.begin(), 2);
  }
  // The verifier of the op reports why there is no layout; here nothing prints.
  FailureOr<Layout> registers =
      LayoutAttrInterface(key.registers)
          .expand(shape, ViewType(key.view).getElementType(),
                  [] { return InFlightDiagnostic(); });
  if (failed(registers))
    return Violation{Rule::R1, "expected a register layout for the tile"};
  Transfer transfer{key.direction,
                    memory,
                    *registers,
                    shape,
                    ViewType(key.view).getElementBits(),
                    VectorType(key.vector).getDimSize(0),
                    ScopeAttr(key.scope).getScope()};
  Atom atom = AtomAttr(key.atom).getAtom();
  if (key.immediate)
    atom.split = Cell{*key.immediate >> 16, *key.immediate & 0xffff};
  return planTransfer(transfer, atom);
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

const PlanResult &
mlir::tmem::getTransferPlan(TransferOpInterface op,
                            std::optional<int64_t> immediate) {
  SmallVector<Value, 2> views = op.getViews();
  TransferKey key{op.getDirection(),
                  cast<ViewType>(views.front().getType()),
                  views.size() == 2 ? cast<ViewType>(views.back().getType())
                                    : ViewType(),
                  op.getRegisters(),
                  op.getVectorType(),
                  op.getAtom(),
                  op.getScope(),
                  immediate};
  return op->getContext()->getLoadedDialect<TMemDialect>()->getOrCreatePlan(
      key);
}
