//===- CheckBounds.cpp - Accesses outside of memrefs ----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wild access would end in a signal that does not say where it comes from, or
// would change memory of somebody else. Here the operation is still known.
//
//===----------------------------------------------------------------------===//

#include "Checks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace mlir::tmem;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

namespace {
/// Elements of a memref: of a vector several for each dimension.
struct Access {
  Value memory;
  ValueRange indices;
  VectorType vector = {}; ///< Null where one element is meant.
};
} // namespace

static std::optional<Access> readAccess(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<Access>>(op)
      .Case([](memref::LoadOp op) {
        return Access{op.getMemRef(), op.getIndices()};
      })
      .Case([](memref::StoreOp op) {
        return Access{op.getMemRef(), op.getIndices()};
      })
      .Case([](memref::AtomicRMWOp op) {
        return Access{op.getMemref(), op.getIndices()};
      })
      .Case([](memref::GenericAtomicRMWOp op) {
        return Access{op.getMemref(), op.getIndices()};
      })
      .Case([](vector::LoadOp op) {
        return Access{op.getBase(), op.getIndices(), op.getVectorType()};
      })
      .Case([](vector::StoreOp op) {
        return Access{op.getBase(), op.getIndices(), op.getVectorType()};
      })
      .Default([](Operation *) { return std::nullopt; });
}

namespace {
/// Builds what must be true of an access.
class BoundsBuilder {
public:
  BoundsBuilder(Operation *op, const Access &access)
      : builder(op), loc(op->getLoc()), access(access),
        type(cast<MemRefType>(access.memory.getType())) {}

  /// Null where nothing can be wrong.
  Value build();

private:
  Value getSize(unsigned dimension);
  Value getIndex(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value isBelow(Value index, Value size) {
    // Unsigned: what is negative is large.
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, index,
                                 size);
  }
  void require(Value condition);
  bool isKnown(unsigned dimension) const;
  void addIndices();
  void addElements();

  OpBuilder builder;
  Location loc;
  const Access &access;
  MemRefType type;
  Value all;
};
} // namespace

Value BoundsBuilder::getSize(unsigned dimension) {
  if (!type.isDynamicDim(dimension))
    return getIndex(type.getDimSize(dimension));
  return memref::DimOp::create(builder, loc, access.memory, dimension);
}

void BoundsBuilder::require(Value condition) {
  all = all ? arith::AndIOp::create(builder, loc, all, condition).getResult()
            : condition;
}

/// Is the index a constant in bounds?
bool BoundsBuilder::isKnown(unsigned dimension) const {
  std::optional<int64_t> index = getConstantIntValue(access.indices[dimension]);
  return index && !type.isDynamicDim(dimension) && *index >= 0 &&
         *index < type.getDimSize(dimension);
}

void BoundsBuilder::addIndices() {
  for (unsigned i = 0; i < access.indices.size(); ++i)
    if (!isKnown(i))
      require(isBelow(access.indices[i], getSize(i)));
}

/// A vector may reach from one row into the next.
void BoundsBuilder::addElements() {
  Value first = getIndex(0), total = getIndex(1);
  for (unsigned i = 0; i < access.indices.size(); ++i) {
    Value size = getSize(i);
    first = arith::MulIOp::create(builder, loc, first, size);
    first = arith::AddIOp::create(builder, loc, first, access.indices[i]);
    total = arith::MulIOp::create(builder, loc, total, size);
  }
  Value last = first, step = getIndex(1);
  int64_t rank = type.getRank(), extents = access.vector.getRank();
  for (int64_t i = extents; i-- > 0;) {
    Value reach = arith::MulIOp::create(
        builder, loc, step, getIndex(access.vector.getDimSize(i) - 1));
    last = arith::AddIOp::create(builder, loc, last, reach);
    step =
        arith::MulIOp::create(builder, loc, step, getSize(rank - extents + i));
  }
  require(isBelow(first, total));
  require(isBelow(last, total));
}

Value BoundsBuilder::build() {
  bool hasElements = access.vector && !access.vector.isScalable() &&
                     !isa<VectorType>(type.getElementType()) &&
                     access.vector.getRank() <= type.getRank() &&
                     type.getLayout().isIdentity();
  if (hasElements && type.getRank() != 0)
    addElements();
  else
    addIndices();
  return all;
}

static void assertBounds(Operation *op) {
  std::optional<Access> access = readAccess(op);
  if (!access || !isa<MemRefType>(access->memory.getType()))
    return;
  Value condition = BoundsBuilder(op, *access).build();
  if (!condition)
    return;
  OpBuilder builder(op);
  std::string name = op->getName().getStringRef().str();
  auto check = cf::AssertOp::create(
      builder, op->getLoc(), condition,
      name + ": expected indices of the " +
          llvm::to_string(access->memory.getType()) + ", but got others");
  check->setAttr(checkedName, builder.getStringAttr(name));
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct CheckBounds : public PassWrapper<CheckBounds, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckBounds)

  StringRef getName() const override { return "CheckBounds"; }

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, cf::ControlFlowDialect,
                    memref::MemRefDialect>();
  }

  void runOnOperation() override {
    getOperation()->walk([](Operation *op) { assertBounds(op); });
  }
};
} // namespace

std::unique_ptr<Pass> mlir::tmem::createCheckBounds() {
  return std::make_unique<CheckBounds>();
}
