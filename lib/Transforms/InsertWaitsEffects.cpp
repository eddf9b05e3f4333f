//===- InsertWaitsEffects.cpp - What has to be waited for, and before what ===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InsertWaits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tmem/IR/AssemblyEffects.h"
#include "tmem/IR/ViewUtils.h"
#include "tmem/Layout/LayoutAlgebra.h"

using namespace mlir;
using namespace mlir::tmem;

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

bool CellSet::overlaps(const CellSet &other) const {
  for (auto [a, b] : llvm::zip_equal(columns, other.columns))
    if ((a & b).any())
      return true;
  return false;
}

void CellSet::add(const CellSet &other) {
  for (auto [a, b] : llvm::zip_equal(columns, other.columns))
    a |= b;
}

/// Splits constants off an address: what it is computed from, and how far it is
/// from there. Kernels add columns to the base of their allocation.
static std::pair<Value, int64_t> splitAddress(Value address) {
  int64_t offset = 0;
  // Longer chains than this nobody writes; in unreachable code there are
  // cycles.
  for (unsigned i = 0; i < 16; ++i) {
    Operation *op = address.getDefiningOp();
    APInt constant;
    if (!op || !isa<arith::AddIOp, LLVM::AddOp>(op) ||
        !matchPattern(op->getOperand(1), m_ConstantInt(&constant)))
      break;
    offset += constant.getSExtValue();
    address = op->getOperand(0);
  }
  return {address, offset};
}

Places::Address Places::getAddress(Value view) {
  auto it = addresses.find(view);
  if (it != addresses.end())
    return it->second;
  ViewBase found = getViewBase(view);
  auto [root, offset] = splitAddress(found.root);
  std::vector<std::pair<void *, int64_t>> steps;
  for (auto [value, cells] : found.steps)
    steps.emplace_back(value.getAsOpaquePointer(), cells);
  auto [number, isNew] = numbers.try_emplace(
      {root.getAsOpaquePointer(), std::move(steps)}, unsigned(bases.size()));
  if (isNew)
    bases.push_back({root, std::move(found.steps)});
  // PTX ISA, "Tensor Memory Addressing": lane in bits 31..16, column below.
  // A column below the root's borrows from the lane.
  int64_t column = llvm::SignExtend64<16>(offset & 0xffff);
  Address address{number->second, (offset - column) >> 16, column};
  return addresses[view] = address;
}

static bool addFootprint(Value view, int64_t lane, int64_t column,
                         CellSet &cells) {
  auto type = cast<ViewType>(view.getType());
  Footprint footprint;
  if (getFootprint(type.getExpandedLayout(), type.getElementBits(), footprint))
    return false;
  if (lane % 16 != 0 || lane < 0)
    return false;
  std::bitset<CellSet::numColumns> columns;
  llvm::BitVector occupied = footprint.getColumns();
  for (unsigned i : occupied.set_bits()) {
    // Relative to the root, which may stand behind the first column.
    int64_t at = int64_t(i) + column + CellSet::numColumns / 4;
    if (at < 0 || at >= int64_t(CellSet::numColumns))
      return false;
    columns.set(at);
  }
  for (unsigned i : footprint.lanes.set_bits()) {
    if ((i + lane) / 16 >= CellSet::numHalves)
      return false;
    cells.columns[(i + lane) / 16] |= columns;
  }
  return true;
}

const CellSet *Places::getCells(ArrayRef<Value> views, const Address &address) {
  auto [it, isNew] = sets.try_emplace(
      {const_cast<void *>(views.front().getType().getAsOpaquePointer()),
       const_cast<void *>(views.back().getType().getAsOpaquePointer()),
       address.lane, address.column},
      nullptr);
  if (!isNew)
    return it->second;
  CellSet cells;
  for (Value view : views)
    if (!addFootprint(view, address.lane, address.column, cells))
      return nullptr;
  storage.push_back(cells);
  return it->second = &storage.back();
}

Place Places::get(TransferOpInterface op) {
  SmallVector<Value, 2> views = op.getViews();
  Address address = getAddress(views.front());
  // Split transfers have two windows of one base (rule S1).
  const CellSet *cells = getCells(views, address);
  return cells ? Place{address.base, cells} : Place();
}

bool Places::isDefinedIn(unsigned base, Operation *op) const {
  auto isInside = [&](Value value) {
    Region *region = value.getParentRegion();
    return region && op->isAncestor(region->getParentOp());
  };
  const Base &found = bases[base];
  return isInside(found.root) ||
         llvm::any_of(found.steps,
                      [&](const auto &step) { return isInside(step.first); });
}

bool Places::isFixed(unsigned base) const {
  const Base &found = bases[base];
  Value root = found.root;
  if (!found.steps.empty() || !root)
    return false;
  Block *block = root.getParentBlock();
  return block && block->isEntryBlock() &&
         isa<FunctionOpInterface>(block->getParentOp());
}

Place Places::unite(Place a, Place b) {
  if (a.base != b.base || a.base == 0)
    return Place();
  if (a.cells == b.cells)
    return a;
  storage.push_back(*a.cells);
  storage.back().add(*b.cells);
  return {a.base, &storage.back()};
}

//===----------------------------------------------------------------------===//
// Demands
//===----------------------------------------------------------------------===//

/// Operations of other dialects that touch no TMEM and tell no other thread
/// anything, though their effects are unknown to MLIR.
static bool isSilent(StringRef name) {
  static constexpr StringLiteral names[] = {"gpu.printf",
                                            "nvvm.elect.sync",
                                            "nvvm.mbarrier.expect_tx",
                                            "nvvm.mbarrier.init",
                                            "nvvm.mbarrier.test.wait",
                                            "nvvm.mbarrier.wait",
                                            "nvvm.redux.sync",
                                            "nvvm.shfl.sync",
                                            "nvvm.vote.sync"};
  return llvm::is_contained(names, name) ||
         name.starts_with("nvvm.mbarrier.try_wait") ||
         name.starts_with("nvvm.cp.async.bulk.");
}

/// Reads and writes of ordinary memory. Another thread that looks at it without
/// synchronization has no right to conclude anything.
static bool isPlainAccess(Operation *op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return load.getOrdering() == LLVM::AtomicOrdering::not_atomic;
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return store.getOrdering() == LLVM::AtomicOrdering::not_atomic;
  if (isa<memref::LoadOp, memref::StoreOp, memref::CopyOp, memref::AllocaOp,
          vector::LoadOp, vector::StoreOp, vector::TransferReadOp,
          vector::TransferWriteOp, vector::MaskedLoadOp, vector::MaskedStoreOp,
          vector::GatherOp, vector::ScatterOp, vector::PrintOp>(op))
    return true;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return false;
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  return llvm::all_of(instances, [](const auto &effect) {
    return isa<MemoryEffects::Read, MemoryEffects::Allocate>(
        effect.getEffect());
  });
}

/// Whether nothing but what stands in its regions counts.
static bool isTransparent(Operation *op) {
  return op->hasTrait<OpTrait::IsTerminator>() ||
         isa<RegionBranchOpInterface>(op) ||
         op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
}

Demands mlir::tmem::getOwnDemands(Operation *op, Places &places) {
  Demands demands;
  if (auto transfer = dyn_cast<TransferOpInterface>(op)) {
    bool stores = transfer.getDirection() == Direction::Store;
    (stores ? demands.stored : demands.loaded).push_back(places.get(transfer));
  } else if (auto fence = dyn_cast<FenceOp>(op)) {
    demands.everything = fence.getKind() == FenceKind::Before;
  } else if (isa_and_nonnull<TMemDialect>(op->getDialect())) {
    demands.everything = isa<DeallocOp>(op);
  } else if (hasAssemblyEffects(op)) {
    demands.everything = true;
  } else {
    demands.everything = !isTransparent(op) && !isMemoryEffectFree(op) &&
                         !isPlainAccess(op) &&
                         !isSilent(op->getName().getStringRef());
  }
  return demands;
}

/// More places than this in the regions of an operation are as good as any.
static constexpr unsigned maxPlaces = 8;

static void addPlace(SmallVectorImpl<Place> &list, Place place, Operation *op,
                     Places &places) {
  if (place.base != 0 && places.isDefinedIn(place.base, op))
    place = Place();
  if (list.size() == 1 && list.front().base == 0)
    return;
  for (Place &other : list) {
    if (other.base != place.base || place.base == 0)
      continue;
    other = places.unite(other, place);
    return;
  }
  if (place.base == 0 || list.size() == maxPlaces)
    list.assign({Place()});
  else
    list.push_back(place);
}

void Demands::add(const Demands &inner, Operation *op, Places &places) {
  if (everything)
    return;
  everything = inner.everything;
  for (Place place : inner.loaded)
    addPlace(loaded, place, op, places);
  for (Place place : inner.stored)
    addPlace(stored, place, op, places);
}
