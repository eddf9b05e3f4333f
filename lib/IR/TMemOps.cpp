//===- TMemOps.cpp - Allocation and completion ----------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/IR/TMemOps.h"
#include "InFlightValues.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "tmem/IR/Diagnostics.h"
#include "tmem/Target/Chips.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace mlir::tmem;

/// `64` or `%columns`
static ParseResult
parseColumns(OpAsmParser &parser,
             std::optional<OpAsmParser::UnresolvedOperand> &columns,
             IntegerAttr &staticColumns) {
  Type i32 = parser.getBuilder().getI32Type();
  OpAsmParser::UnresolvedOperand operand;
  OptionalParseResult result = parser.parseOptionalOperand(operand);
  if (result.has_value()) {
    columns = operand;
    return *result;
  }
  return parser.parseAttribute(staticColumns, i32);
}

static void printColumns(OpAsmPrinter &printer, Operation *, Value columns,
                         IntegerAttr staticColumns) {
  if (columns)
    printer << columns;
  if (staticColumns)
    printer.printAttributeWithoutType(staticColumns);
}

/// `sizes` `(` r `=` 32 `,` ... `)`, sorted by name as dictionaries are.
static ParseResult parseFactorSizes(OpAsmParser &parser,
                                    DictionaryAttr &sizes) {
  Builder &builder = parser.getBuilder();
  NamedAttrList list;
  auto parseSize = [&]() -> ParseResult {
    StringRef name;
    int64_t size = 0;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual() ||
        parser.parseInteger(size))
      return failure();
    if (list.set(name, builder.getI64IntegerAttr(size)))
      return parser.emitError(loc, "expected each factor once, but got ")
             << name << " again";
    return success();
  };
  if (succeeded(parser.parseOptionalKeyword("sizes")) &&
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseSize))
    return failure();
  sizes = list.getDictionary(builder.getContext());
  return success();
}

static void printFactorSizes(OpAsmPrinter &printer, Operation *,
                             DictionaryAttr sizes) {
  if (sizes.empty())
    return;
  printer << " sizes(";
  llvm::interleaveComma(sizes, printer, [&](NamedAttribute size) {
    printer << size.getName().getValue() << " = ";
    if (auto value = dyn_cast<IntegerAttr>(size.getValue()))
      printer << value.getInt();
    else
      printer << size.getValue();
  });
  printer << ")";
}

#include "tmem/IR/TMemOpInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "tmem/IR/TMemOps.cpp.inc"

//===----------------------------------------------------------------------===//
// AllocOp, DeallocOp
//===----------------------------------------------------------------------===//

template <typename OpTy>
static std::optional<int64_t> findConstantColumns(OpTy op) {
  if (IntegerAttr columns = op.getStaticColumnsAttr())
    return columns.getInt();
  APInt value;
  if (op.getColumns() && matchPattern(op.getColumns(), m_ConstantInt(&value)))
    return value.getSExtValue();
  return std::nullopt;
}

static bool isLegalColumnCount(int64_t columns, bool exclusive) {
  if (exclusive)
    return columns >= 32 && columns <= getMaxColumns() && columns % 32 == 0;
  return columns >= 32 && columns <= getMaxPlainColumns() &&
         llvm::isPowerOf2_64(columns);
}

template <typename OpTy> static LogicalResult verifyCount(OpTy op) {
  std::optional<int64_t> columns = op.getConstantColumns();
  if (!columns || isLegalColumnCount(*columns, op.getExclusive()))
    return success();
  return emitViolation([&] { return op.emitOpError(); }, Rule::C1,
                       (op.getExclusive()
                            ? "expected a multiple of 32 from 32 to " +
                                  Twine(getMaxColumns()) + " columns"
                            : "expected a power of two from 32 to " +
                                  Twine(getMaxPlainColumns()) + " columns") +
                           ", but got " + Twine(*columns));
}

template <typename OpTy> static LogicalResult verifyColumns(OpTy op) {
  auto emitError = [&] { return op.emitOpError(); };
  if (static_cast<bool>(op.getColumns()) ==
      static_cast<bool>(op.getStaticColumnsAttr()))
    return emitViolation(emitError, Rule::C2,
                         op.getColumns()
                             ? "expected the number of columns once, but got a "
                               "constant and a value"
                             : "expected a number of columns, but got none");
  return op.getStaticColumnsAttr() ? verifyCount(op) : success();
}

/// Moves a constant number of columns into the attribute, where it is legal.
template <typename OpTy>
static LogicalResult foldColumns(OpTy op, Attribute columns) {
  auto constant = dyn_cast_or_null<IntegerAttr>(columns);
  if (!constant || !isLegalColumnCount(constant.getInt(), op.getExclusive()))
    return failure();
  op.setStaticColumnsAttr(constant);
  op.getColumnsMutable().clear();
  return success();
}

static bool isSharedSlot(Type type) {
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(type))
    return pointer.getAddressSpace() == 3;
  auto memref = dyn_cast<MemRefType>(type);
  return memref && memref.getElementType().isInteger(32) &&
         gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(memref);
}

std::optional<int64_t> AllocOp::getConstantColumns() {
  return findConstantColumns(*this);
}

LogicalResult AllocOp::verifyConstantColumns() { return verifyCount(*this); }

LogicalResult AllocOp::verify() {
  if (!isSharedSlot(getSlot().getType()))
    return emitViolation([&] { return emitOpError(); }, Rule::C3,
                         "expected a memref of i32 in the workgroup address "
                         "space or an !llvm.ptr<3>, but got " +
                             llvm::to_string(getSlot().getType()));
  return verifyColumns(*this);
}

LogicalResult AllocOp::fold(FoldAdaptor adaptor,
                            SmallVectorImpl<OpFoldResult> &) {
  return foldColumns(*this, adaptor.getColumns());
}

std::optional<int64_t> DeallocOp::getConstantColumns() {
  return findConstantColumns(*this);
}

LogicalResult DeallocOp::verifyConstantColumns() { return verifyCount(*this); }

LogicalResult DeallocOp::verify() { return verifyColumns(*this); }

LogicalResult DeallocOp::fold(FoldAdaptor adaptor,
                              SmallVectorImpl<OpFoldResult> &) {
  return foldColumns(*this, adaptor.getColumns());
}

//===----------------------------------------------------------------------===//
// WaitLoadOp, WaitStoreOp
//===----------------------------------------------------------------------===//

static LogicalResult verifyWait(Operation *op) {
  auto emitError = [&] { return op->emitOpError(); };
  if (op->getNumOperands() == 0)
    return emitViolation(emitError, Rule::P2,
                         "expected at least one operand, but got none");
  llvm::SmallPtrSet<Value, 8> seen;
  for (OpOperand &operand : op->getOpOperands()) {
    if (failed(verifyInFlightOperand(operand)))
      return failure();
    if (!seen.insert(operand.get()).second)
      return emitViolation(emitError, Rule::P2,
                           "expected each operand once, but got operand " +
                               Twine(operand.getOperandNumber()) + " again");
  }
  return success();
}

LogicalResult
WaitLoadOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                             ValueRange operands, DictionaryAttr,
                             OpaqueProperties, RegionRange,
                             SmallVectorImpl<Type> &inferredReturnTypes) {
  for (Type type : operands.getTypes()) {
    auto pending = dyn_cast<PendingType>(type);
    if (!pending)
      return emitOptionalError(location, "expected pending values, but got ",
                               type);
    inferredReturnTypes.push_back(pending.getPayload());
  }
  return success();
}

LogicalResult WaitLoadOp::verify() { return verifyWait(*this); }

void WaitLoadOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  for (Value vector : getVectors())
    setName(vector, "regs");
}

LogicalResult WaitStoreOp::verify() { return verifyWait(*this); }
