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
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/ScopedPrinter.h"
#include <numeric>

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
  Value mask = {};        ///< Of the vector's elements, or null.
  Value offsets = {};     ///< Of each from the first, where they are no row.
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
      .Case<vector::MaskedLoadOp, vector::MaskedStoreOp>([](auto op) {
        return Access{op.getBase(), op.getIndices(), op.getVectorType(),
                      op.getMask()};
      })
      .Case<vector::GatherOp, vector::ScatterOp>([](auto op) {
        return Access{op.getBase(), op.getOffsets(), op.getVectorType(),
                      op.getMask(), op.getIndices()};
      })
      .Default([](Operation *) { return std::nullopt; });
}

namespace {
/// Asserts what must be true of an operation.
class BoundsBuilder {
public:
  BoundsBuilder(Operation *op, Value memory)
      : builder(op), op(op), loc(op->getLoc()), memory(memory),
        type(cast<MemRefType>(memory.getType())) {}

  void check(const Access &access);
  void check(VectorTransferOpInterface transfer);
  void check(memref::SubViewOp view);

private:
  Value getSize(unsigned dimension);
  Value getIndex(OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(builder, loc, value);
  }
  Value getIndex(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value add(Value a, Value b) {
    return arith::AddIOp::create(builder, loc, a, b);
  }
  Value multiply(Value a, Value b) {
    return arith::MulIOp::create(builder, loc, a, b);
  }
  Value isBelow(Value index, Value size) {
    // Unsigned: what is negative is large.
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, index,
                                 size);
  }
  bool isContiguous() {
    return type.getLayout().isIdentity() ||
           type.areTrailingDimsContiguous(type.getRank());
  }
  void require(Value condition, const Twine &message);
  void checkIndex(unsigned dimension, OpFoldResult index, int64_t reach = 0);
  void checkRow(const Access &access);
  void checkElements(const Access &access);
  Value getFirst(ValueRange indices);
  Value getTotal();

  OpBuilder builder;
  Operation *op;
  Location loc;
  Value memory;
  MemRefType type;
};
} // namespace

Value BoundsBuilder::getSize(unsigned dimension) {
  if (!type.isDynamicDim(dimension))
    return getIndex(type.getDimSize(dimension));
  return memref::DimOp::create(builder, loc, memory, dimension);
}

void BoundsBuilder::require(Value condition, const Twine &message) {
  StringRef name = op->getName().getStringRef();
  cf::AssertOp::create(builder, loc, condition,
                       (name + Twine(checkedSeparator) + message).str());
}

/// So many elements more than the one at `index` are meant, in one dimension.
void BoundsBuilder::checkIndex(unsigned dimension, OpFoldResult index,
                               int64_t reach) {
  bool isDynamic = type.isDynamicDim(dimension);
  int64_t size = isDynamic ? 0 : type.getDimSize(dimension);
  std::optional<int64_t> known = getConstantIntValue(index);
  if (known && !isDynamic && *known >= 0 && *known < size &&
      reach < size - *known)
    return;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "expected " << (reach ? "indices" : "an index") << " below "
     << (isDynamic ? "the size" : llvm::to_string(size)) << " in dimension "
     << dimension << " of the " << type << ", but got ";
  if (known)
    os << *known + reach;
  else
    os << (reach ? "others" : "another one");
  Value first = getIndex(index), bound = getSize(dimension);
  Value condition = isBelow(first, bound);
  if (reach) {
    Value last = isBelow(add(first, getIndex(reach)), bound);
    condition = arith::AndIOp::create(builder, loc, condition, last);
  }
  require(condition, text);
}

/// The number of elements before the one at the indices.
Value BoundsBuilder::getFirst(ValueRange indices) {
  Value first = getIndex(int64_t(0));
  for (auto [i, index] : llvm::enumerate(indices))
    first = add(multiply(first, getSize(i)), index);
  return first;
}

Value BoundsBuilder::getTotal() {
  Value total = getIndex(int64_t(1));
  for (int64_t i = 0; i < type.getRank(); ++i)
    total = multiply(total, getSize(i));
  return total;
}

/// A vector in contiguous memory may reach from one row into the next.
void BoundsBuilder::checkRow(const Access &access) {
  Value last = getFirst(access.indices), step = getIndex(int64_t(1));
  int64_t rank = type.getRank(), extents = access.vector.getRank();
  for (int64_t i = extents; i-- > 0;) {
    Value reach = getIndex(access.vector.getDimSize(i) - 1);
    last = add(last, multiply(step, reach));
    step = multiply(step, getSize(rank - extents + i));
  }
  require(isBelow(last, getTotal()),
          "expected all elements of the " + llvm::to_string(access.vector) +
              " in the " + llvm::to_string(type) + ", but got others");
}

/// Each element that the mask selects: of the memory where it is contiguous, or
/// else of the row.
void BoundsBuilder::checkElements(const Access &access) {
  auto flat = VectorType::get(access.vector.getShape(), builder.getIndexType());
  Value offsets = access.offsets;
  if (!offsets) {
    SmallVector<int64_t> numbers(flat.getNumElements());
    std::iota(numbers.begin(), numbers.end(), 0);
    offsets = arith::ConstantOp::create(builder, loc,
                                        builder.getIndexVectorAttr(numbers));
  } else if (!flat.getElementType().isIndex() ||
             offsets.getType() != Type(flat)) {
    offsets = arith::IndexCastOp::create(builder, loc, flat, offsets);
  }
  auto spread = [&](Value value) {
    return vector::BroadcastOp::create(builder, loc, flat, value).getResult();
  };
  bool isFlat = isContiguous();
  Value first = isFlat ? getFirst(access.indices) : access.indices.back();
  Value bound = isFlat ? getTotal() : getSize(type.getRank() - 1);
  Value outside =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge,
                            add(spread(first), offsets), spread(bound));
  outside = arith::AndIOp::create(builder, loc, outside, access.mask);
  Value any = vector::ReductionOp::create(builder, loc,
                                          vector::CombiningKind::OR, outside);
  Value isTrue =
      arith::ConstantIntOp::create(builder, loc, builder.getI1Type(), 1);
  require(arith::XOrIOp::create(builder, loc, any, isTrue),
          "expected the elements that the mask selects in the " +
              llvm::to_string(type) + ", but got others");
}

void BoundsBuilder::check(const Access &access) {
  int64_t rank = type.getRank();
  VectorType vector = access.vector;
  bool hasElements = vector && rank != 0 && !vector.isScalable() &&
                     !isa<VectorType>(type.getElementType()) &&
                     vector.getRank() <= rank;
  if (access.mask) {
    // Offsets from an element of strided memory may lead anywhere in it.
    bool isRow = !access.offsets || rank == 1;
    if (hasElements && vector.getRank() == 1 && (isContiguous() || isRow))
      checkElements(access);
    return;
  }
  bool isStrided = hasElements && !isContiguous();
  for (int64_t i = 0; i < rank; ++i) {
    int64_t extent = i - (isStrided ? rank - vector.getRank() : rank);
    checkIndex(i, access.indices[i],
               extent < 0 ? 0 : vector.getDimSize(extent) - 1);
  }
  if (hasElements && !isStrided)
    checkRow(access);
}

/// A transfer checks by itself what is not said to be in bounds.
void BoundsBuilder::check(VectorTransferOpInterface transfer) {
  if (transfer.getMask() || transfer.getVectorType().isScalable() ||
      isa<VectorType>(type.getElementType()))
    return;
  SmallVector<int64_t> reaches(type.getRank(), 0);
  AffineMap map = transfer.getPermutationMap();
  for (auto [i, result] : llvm::enumerate(map.getResults()))
    if (auto dimension = dyn_cast<AffineDimExpr>(result))
      reaches[dimension.getPosition()] =
          transfer.isDimInBounds(i) ? transfer.getVectorType().getDimSize(i) - 1
                                    : -1;
  for (auto [i, index] : llvm::enumerate(transfer.getIndices()))
    if (reaches[i] >= 0)
      checkIndex(i, index, reaches[i]);
}

/// A view of no elements may lie anywhere.
void BoundsBuilder::check(memref::SubViewOp view) {
  SmallVector<OpFoldResult> offsets = view.getMixedOffsets(),
                            sizes = view.getMixedSizes(),
                            strides = view.getMixedStrides();
  for (int64_t i = 0; i < type.getRank(); ++i) {
    std::optional<int64_t> size = getConstantIntValue(sizes[i]);
    std::optional<int64_t> stride = getConstantIntValue(strides[i]);
    if (size == 0)
      return;
    if (size && stride && *size > 0 && *stride > 0) {
      checkIndex(i, offsets[i], (*size - 1) * *stride);
      continue;
    }
    Value count = getIndex(sizes[i]), first = getIndex(offsets[i]);
    Value more =
        arith::SubIOp::create(builder, loc, count, getIndex(int64_t(1)));
    Value last = add(first, multiply(more, getIndex(strides[i])));
    Value bound = getSize(i);
    Value isInside = arith::AndIOp::create(builder, loc, isBelow(first, bound),
                                           isBelow(last, bound));
    Value isEmpty = isBelow(count, getIndex(int64_t(1)));
    require(arith::OrIOp::create(builder, loc, isInside, isEmpty),
            "expected a view inside of dimension " + Twine(i) + " of the " +
                llvm::to_string(type) + ", but got another one");
  }
}

static void assertBounds(Operation *op) {
  auto isMemory = [](Value value) { return isa<MemRefType>(value.getType()); };
  if (std::optional<Access> access = readAccess(op)) {
    if (isMemory(access->memory))
      BoundsBuilder(op, access->memory).check(*access);
  } else if (auto view = dyn_cast<memref::SubViewOp>(op)) {
    BoundsBuilder(op, view.getSource()).check(view);
  } else if (auto transfer = dyn_cast<VectorTransferOpInterface>(op)) {
    if (isMemory(transfer.getBase()))
      BoundsBuilder(op, transfer.getBase()).check(transfer);
  }
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
                    memref::MemRefDialect, vector::VectorDialect>();
  }

  void runOnOperation() override {
    getOperation()->walk([](Operation *op) { assertBounds(op); });
  }
};
} // namespace

std::unique_ptr<Pass> mlir::tmem::createCheckBounds() {
  return std::make_unique<CheckBounds>();
}
