//===- Reads.cpp - Which reads of registers count -------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiler drops what is computed for nothing, and with it the read of a
// loaded register: only what an effect comes of completes a load. So it does
// with what is the same whatever was read: `v & 0`, or `v >> 31 >> 1`. Here a
// read is sure if at most one operation on the way loses bits, since the
// constants of one alone show whether anything is left.
//
//===----------------------------------------------------------------------===//

#include "Reads.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tmem::hazards;

//===----------------------------------------------------------------------===//
// Numbers that do not depend on what is read
//===----------------------------------------------------------------------===//

/// The name of an operation on integers, as arith has it.
static StringRef getIntegerName(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (op->getNumOperands() == 0 ||
      !getElementTypeOrSelf(op->getOperands().back().getType()).isIntOrIndex())
    return "";
  if (name.consume_front("arith."))
    return name;
  if (!name.consume_front("llvm."))
    return "";
  return llvm::StringSwitch<StringRef>(name)
      .Case("and", "andi")
      .Case("or", "ori")
      .Case("xor", "xori")
      .Case("add", "addi")
      .Case("sub", "subi")
      .Case("mul", "muli")
      .Case("shl", "shli")
      .Case("lshr", "shrui")
      .Case("ashr", "shrsi")
      .Case("udiv", "divui")
      .Case("sdiv", "divsi")
      .Case("urem", "remui")
      .Case("srem", "remsi")
      .Case("intr.umin", "minui")
      .Case("intr.umax", "maxui")
      .Case("intr.smin", "minsi")
      .Case("intr.smax", "maxsi")
      .Case("icmp", "cmpi")
      .Case("trunc", "trunci")
      .Case("select", "select")
      .Default("");
}

/// Whether a constant on one side, or on either, decides the result.
static bool isAbsorbed(Operation *op, StringRef name) {
  auto is = [&](unsigned side, auto holds) {
    APInt constant;
    return matchPattern(op->getOperand(side), m_ConstantInt(&constant)) &&
           holds(constant);
  };
  auto isZero = [](const APInt &c) { return c.isZero(); };
  auto isOnes = [](const APInt &c) { return c.isAllOnes(); };
  auto isEither = [&](auto holds) { return is(0, holds) || is(1, holds); };
  if (name == "andi" || name == "muli" || name == "minui")
    return isEither(isZero);
  if (name == "ori" || name == "maxui")
    return isEither(isOnes);
  if (name == "minsi")
    return isEither([](const APInt &c) { return c.isMinSignedValue(); });
  if (name == "maxsi")
    return isEither([](const APInt &c) { return c.isMaxSignedValue(); });
  if (name == "shli" || name == "shrui" || name == "shrsi")
    return is(0, isZero) ||
           is(1, [](const APInt &c) { return c.uge(c.getBitWidth()); });
  if (name == "divui" || name == "divsi")
    return is(0, isZero);
  if (name == "remui" || name == "remsi")
    return is(0, isZero) || is(1, [&](const APInt &c) {
             return c.isOne() || (name == "remsi" && c.isAllOnes());
           });
  return false;
}

/// Comparisons that always, or never, hold.
static bool isDecided(Operation *op) {
  APInt bound;
  if (!matchPattern(op->getOperand(1), m_ConstantInt(&bound)))
    return false;
  switch (op->getAttrOfType<IntegerAttr>("predicate").getInt()) {
  case 2: // slt
  case 5: // sge
    return bound.isMinSignedValue();
  case 3: // sle
  case 4: // sgt
    return bound.isMaxSignedValue();
  case 6: // ult
  case 9: // uge
    return bound.isZero();
  case 7: // ule
  case 8: // ugt
    return bound.isAllOnes();
  default:
    return false;
  }
}

/// Whether an operation gives the same number whatever it reads.
static bool ignoresOperands(Operation *op) {
  StringRef name = getIntegerName(op);
  if (op->getNumOperands() != 2 || name.empty())
    return false;
  bool isSame = op->getOperand(0) == op->getOperand(1);
  if (isSame &&
      (name == "subi" || name == "xori" || name == "cmpi" || name == "remui" ||
       name == "remsi" || name == "divui" || name == "divsi"))
    return true;
  return name == "cmpi" ? isDecided(op) : isAbsorbed(op, name);
}

/// What a value was before constants were added to it, and the like.
static Value getOrigin(Value value) {
  constexpr unsigned maxSteps = 16;
  for (unsigned step = 0; step < maxSteps; ++step) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getNumOperands() == 0 || op->getNumOperands() > 2 ||
        getIntegerName(op).empty())
      return value;
    if (op->getNumOperands() == 2 &&
        !matchPattern(op->getOperand(1), m_Constant()))
      return value;
    value = op->getOperand(0);
  }
  return value;
}

/// Whether several values of what is read may give the same result.
static bool losesBits(Operation *op) {
  StringRef name = getIntegerName(op);
  if (llvm::is_contained(ArrayRef<StringRef>{"trunci", "cmpi", "shli", "shrui",
                                             "shrsi", "divui", "divsi", "remui",
                                             "remsi"},
                         name))
    return true;
  if (name.empty() || op->getNumOperands() != 2)
    return false;
  Value a = op->getOperand(0), b = op->getOperand(1);
  if (name == "subi" || name == "xori")
    return false;
  if (name == "addi")
    return a == b;
  return matchPattern(a, m_Constant()) || matchPattern(b, m_Constant()) ||
         (name == "muli" && getOrigin(a) == getOrigin(b));
}

/// Whether what is read may be gone: `(v + 1) - v`.
static bool mayCancel(Operation *op) {
  return llvm::is_contained(ArrayRef<StringRef>{"addi", "subi", "xori", "andi",
                                                "ori", "cmpi", "divui", "divsi",
                                                "remui", "remsi"},
                            getIntegerName(op)) &&
         op->getOperand(0) != op->getOperand(1) &&
         getOrigin(op->getOperand(0)) == getOrigin(op->getOperand(1));
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

namespace {
/// What becomes of an operand.
enum class Becomes : uint8_t {
  Nothing,
  Effect,   ///< It is certainly read.
  Doubtful, ///< An effect that a compiler may drop.
  Values,   ///< Other ones.
  Parts,    ///< The same, with bits lost.
  Unsure,   ///< Values that may not depend on it.
};
} // namespace

/// The memory of the thread alone that an address lies in, if it is known.
static Operation *getOwnMemory(Value address) {
  while (Operation *op = address.getDefiningOp()) {
    if (isa<memref::AllocaOp, LLVM::AllocaOp>(op))
      return op;
    if (!isa<ViewLikeOpInterface, LLVM::GEPOp, LLVM::AddrSpaceCastOp>(op) ||
        op->getNumOperands() == 0)
      return nullptr;
    address = op->getOperand(0);
  }
  return nullptr;
}

/// Whether something but stores uses memory.
static bool isMemoryRead(Operation *memory) {
  constexpr size_t maxUses = 256;
  SmallVector<Value> worklist(memory->getResults());
  size_t numUses = 0;
  while (!worklist.empty())
    for (OpOperand &use : worklist.pop_back_val().getUses()) {
      Operation *op = use.getOwner();
      bool isAddress =
          isa<ViewLikeOpInterface, LLVM::GEPOp, LLVM::AddrSpaceCastOp>(op);
      bool isStored = isa<memref::StoreOp, vector::StoreOp, LLVM::StoreOp>(op);
      if (++numUses > maxUses || (!isAddress && !isStored) ||
          (isStored && use.getOperandNumber() == 0))
        return true;
      if (isAddress)
        llvm::append_range(worklist, op->getResults());
    }
  return false;
}

/// Whether a store writes no element.
static bool isMaskedOff(Operation *op) {
  Value mask;
  if (auto store = dyn_cast<vector::MaskedStoreOp>(op))
    mask = store.getMask();
  else if (auto store = dyn_cast<vector::CompressStoreOp>(op))
    mask = store.getMask();
  else if (auto store = dyn_cast<vector::ScatterOp>(op))
    mask = store.getMask();
  else if (auto write = dyn_cast<vector::TransferWriteOp>(op))
    mask = write.getMask();
  return mask && matchPattern(mask, m_Zero());
}

static Becomes classifyEffect(Operation *op) {
  if (isMaskedOff(op))
    return Becomes::Nothing;
  Value address;
  if (isa<memref::StoreOp, vector::StoreOp, LLVM::StoreOp>(op))
    address = op->getOperand(1);
  Operation *memory = address ? getOwnMemory(address) : nullptr;
  if (!memory)
    return Becomes::Effect;
  return isMemoryRead(memory) ? Becomes::Doubtful : Becomes::Nothing;
}

static Becomes classifyOperation(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>())
    return Becomes::Effect;
  if (!isMemoryEffectFree(op))
    return op->getNumRegions() != 0 ? Becomes::Effect : classifyEffect(op);
  if (op->getNumRegions() != 0 || mayCancel(op))
    return ignoresOperands(op) ? Becomes::Nothing : Becomes::Unsure;
  if (ignoresOperands(op))
    return Becomes::Nothing;
  return losesBits(op) ? Becomes::Parts : Becomes::Values;
}

/// A select by a constant reads one side.
static Becomes classifyUse(OpOperand &use) {
  Operation *op = use.getOwner();
  APInt chosen;
  if (getIntegerName(op) == "select" &&
      matchPattern(op->getOperand(0), m_ConstantInt(&chosen)))
    return use.getOperandNumber() == (chosen.isZero() ? 2 : 1)
               ? Becomes::Values
               : Becomes::Nothing;
  return classifyOperation(op);
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

bool LiveReads::isLive(Value root, Way firstWay) {
  using Place = std::pair<Value, unsigned>;
  Place first{root, firstWay};
  if (auto it = known.find(first); it != known.end())
    return it->second;
  // Values on the way from the root to where the search stands are live if
  // that is; all that was seen is dead if nothing is found.
  struct Step {
    Place place;
    SmallVector<Place> next;
  };
  SmallVector<Step> path{{first, {}}};
  SmallVector<Place> seen{first};
  DenseSet<Place> isSeen{first};
  SmallVector<Value> handed;
  bool isLive = false, isNew = true;
  // False if an effect comes of it.
  auto follow = [&](OpOperand &use, unsigned way,
                    SmallVectorImpl<Place> &next) {
    handed.clear();
    if (handsOn(use, handed)) {
      for (Value value : handed)
        next.push_back({value, way});
      return true;
    }
    Becomes becomes = classifyUse(use);
    if (becomes == Becomes::Effect)
      return false;
    if (becomes == Becomes::Doubtful)
      return way != Anyhow;
    if (becomes == Becomes::Parts && way != Anyhow)
      ++way;
    bool isLost = way != Anyhow && becomes == Becomes::Unsure;
    isLost |= way == Anyhow && firstWay != Anyhow;
    if (becomes != Becomes::Nothing && !isLost)
      for (Value result : use.getOwner()->getResults())
        next.push_back({result, way});
    return true;
  };
  while (!path.empty() && !isLive) {
    auto [value, way] = path.back().place;
    if (isNew)
      for (OpOperand &use : value.getUses())
        isLive |= !follow(use, way, path.back().next);
    isNew = false;
    if (isLive)
      break;
    if (path.back().next.empty()) {
      path.pop_back();
      continue;
    }
    Place next = path.back().next.pop_back_val();
    auto it = known.find(next);
    if (it != known.end()) {
      isLive = it->second;
    } else if (isSeen.insert(next).second) {
      seen.push_back(next);
      path.push_back({next, {}});
      isNew = true;
    }
  }
  for (const Step &step : path)
    known[step.place] = true;
  if (!isLive)
    for (Place place : seen)
      known[place] = false;
  return isLive;
}

bool LiveReads::isRead(Operation *op, Way way) {
  Becomes becomes =
      op->getNumRegions() != 0 ? Becomes::Effect : classifyOperation(op);
  // Which side it is that was read is not told.
  if (getIntegerName(op) == "select" &&
      matchPattern(op->getOperand(0), m_Constant()))
    becomes = Becomes::Unsure;
  switch (becomes) {
  case Becomes::Nothing:
    return false;
  case Becomes::Effect:
    return true;
  case Becomes::Doubtful:
    return way == Anyhow;
  case Becomes::Unsure:
    if (way != Anyhow)
      return false;
    break;
  case Becomes::Parts:
    if (way == Whole)
      way = Part;
    break;
  case Becomes::Values:
    break;
  }
  return llvm::any_of(op->getResults(),
                      [&](Value result) { return isLive(result, way); });
}

bool LiveReads::isRead(Operation *op) {
  // They hand it on.
  if (isa<scf::ForOp, scf::WhileOp>(op))
    return false;
  if (isRead(op, Whole))
    return true;
  if (!isRead(op, Anyhow))
    return false;
  hasDoubtful = true;
  return counted == CountedReads::Any;
}
