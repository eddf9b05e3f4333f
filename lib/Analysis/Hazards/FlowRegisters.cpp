//===- FlowRegisters.cpp - Registers that loads still fill ----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flow.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

/// Sets of registers that are kept apart while loads fill them.
static constexpr size_t maxPendingSets = 2048;

void Flow::setPending(PendingRegisters pending, State &state) {
  auto *it = llvm::lower_bound(
      state.registers, pending,
      [](const PendingRegisters &a, const PendingRegisters &b) {
        return a.set < b.set;
      });
  if (it != state.registers.end() && it->set == pending.set) {
    it->load = pending.load;
    it->units |= pending.units;
  } else if (state.registers.size() < maxPendingSets) {
    state.registers.insert(it, pending);
  } else {
    doubtLoads(pending.load);
  }
}

/// Loads of which nobody uses the registers need not be kept; inline PTX may
/// use them itself.
void Flow::loadRegisters(unsigned event, State &state) {
  Operation *op = graph.events[event].op;
  if (!isa<LLVM::InlineAsmOp>(op) && op->use_empty())
    return;
  for (unsigned set : graph.events[event].registers)
    setPending({set, event, units}, state);
}

/// A wait is for all loads of those who execute it.
void Flow::completeRegisters(State &state) {
  llvm::erase_if(state.registers, [&](PendingRegisters &pending) {
    pending.units &= ~units;
    return pending.units == 0;
  });
}

/// Loads of which every lane has read the registers are complete, and with them
/// those that registers were put together of. What a loop or branch has handed
/// on may be of another load.
void Flow::completeLoads(ArrayRef<unsigned> sets, State &state) {
  SmallVector<unsigned> worklist(sets);
  llvm::SmallDenseSet<uint32_t> loads;
  while (!worklist.empty()) {
    const PendingRegisters *pending =
        state.findPending(worklist.pop_back_val());
    if (!pending || (pending->units & units) == 0)
      continue;
    auto parts = graph.parts.find(pending->set);
    if (parts != graph.parts.end())
      llvm::append_range(worklist, parts->second);
    else if (llvm::is_contained(graph.events[pending->load].registers,
                                pending->set))
      loads.insert(pending->load);
    auto *it = state.registers.begin() + (pending - state.registers.begin());
    it->units &= ~units;
    if (it->units == 0)
      state.registers.erase(it);
  }
  if (loads.empty())
    return;
  for (Fact &fact : state.facts)
    if (loads.contains(fact.order.load) && (units >> fact.order.unit & 1)) {
      fact.order.level = Level::Waited;
      fact.order.load = 0;
    }
  state.normalize();
}

void Flow::useRegisters(unsigned event, State &state) {
  ArrayRef<unsigned> sets = graph.events[event].registers;
  if (followsRegisters) {
    // What a function returns, its caller may not use.
    Operation *op = graph.events[event].op;
    if (graph.nodes[node].mixed == Mixed::No &&
        program.partialWarps[node] == 0 && liveReads.isRead(op) &&
        !op->hasTrait<OpTrait::ReturnLike>())
      completeLoads(sets, state);
    return;
  }
  for (unsigned set : sets) {
    const PendingRegisters *pending = state.findPending(set);
    if (pending && (pending->units & units))
      return find(Rule::H15, event,
                  "expected a wait::ld between the load and the first use of "
                  "its registers, but got none",
                  pending->load, "loaded here",
                  "put a wait::ld in front of it");
  }
}

/// All at once: what is handed over is what was there before. A part of the
/// lanes leaves the other ones what they have.
void Flow::moveRegisters(unsigned event, State &state) {
  ArrayRef<unsigned> moves = graph.events[event].registers;
  if (state.registers.empty())
    return;
  SmallVector<PendingRegisters, 4> handed;
  for (size_t i = 0; i < moves.size(); i += 2)
    if (const PendingRegisters *from = state.findPending(moves[i + 1]))
      if (from->units & units)
        handed.push_back({moves[i], from->load, from->units & units});
  if (program.partialWarps[node] == 0) {
    llvm::SmallDenseSet<unsigned> targets;
    for (size_t i = 0; i < moves.size(); i += 2)
      targets.insert(moves[i]);
    llvm::erase_if(state.registers, [&](PendingRegisters &pending) {
      if (targets.contains(pending.set))
        pending.units &= ~units;
      return pending.units == 0;
    });
  }
  for (const PendingRegisters &pending : handed)
    setPending(pending, state);
}
