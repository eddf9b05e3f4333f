//===- TMemTypes.cpp - Types of the tmem dialect --------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/IR/TMemTypes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "tmem/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace mlir::tmem;

#define GET_TYPEDEF_CLASSES
#include "tmem/IR/TMemTypes.cpp.inc"

void TMemDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tmem/IR/TMemTypes.cpp.inc"
      >();
}

std::optional<unsigned> mlir::tmem::getElementBitWidth(Type type) {
  if (!type.isIntOrFloat())
    return std::nullopt;
  unsigned bits = type.getIntOrFloatBitWidth();
  if (!llvm::is_contained({4u, 8u, 16u, 32u, 64u}, bits))
    return std::nullopt;
  return bits;
}

LogicalResult mlir::tmem::verifyVectorSize(int64_t size, unsigned bits,
                                           EmitError emitError) {
  int64_t maxSize = maxVectorWords * 32 / bits;
  if (size <= maxSize)
    return success();
  return emitViolation(emitError, Rule::R6,
                       "expected a vector of 1 to " + Twine(maxSize) +
                           " elements, but got " + Twine(size));
}

bool mlir::tmem::isInFlightType(Type type) {
  return isa<PendingType, TokenType>(type);
}

//===----------------------------------------------------------------------===//
// ViewType
//===----------------------------------------------------------------------===//

Layout ViewType::getExpandedLayout() const {
  // Verified at construction, and an answer is kept.
  return *expandLayout(getLayout(), getShape(), getElementType(),
                       [] { return InFlightDiagnostic(); });
}

unsigned ViewType::getElementBits() const {
  return *getElementBitWidth(getElementType());
}

int64_t ViewType::getNumElements() const {
  return llvm::product_of(getShape());
}

int64_t ViewType::getNumColumns() const {
  return tmem::getNumColumns(getExpandedLayout(), getElementBits());
}

int64_t ViewType::getFirstCell() const {
  constexpr unsigned cellBits = 32, laneShift = 16;
  int64_t lane = 0, column = 0;
  for (const AxisOffset &offset : getExpandedLayout().offsets)
    (offset.axis == Axis::TLane ? lane : column) += offset.value;
  return (lane << laneShift) + column * getElementBits() / cellBits;
}

LogicalResult ViewType::verify(EmitError emitError, ArrayRef<int64_t> shape,
                               Type elementType, LayoutAttrInterface layout) {
  if (ShapedType::isDynamicShape(shape))
    return emitViolation(emitError, Rule::V1,
                         "expected dimensions of at least 1, but got ?");
  if (std::optional<Violation> violation = verifyTileShape(shape))
    return emitViolation(emitError, *violation);
  std::optional<unsigned> bits = getElementBitWidth(elementType);
  if (!bits)
    return emitViolation(
        emitError, Rule::V2,
        "expected elements of 4, 8, 16, 32 or 64 bits, but got " +
            llvm::to_string(elementType));
  FailureOr<Layout> expanded =
      expandLayout(layout, shape, elementType, emitError);
  if (failed(expanded))
    return failure();
  if (std::optional<Violation> violation =
          verifyMemoryTile(*expanded, shape, *bits))
    return emitViolation(emitError, *violation);
  return success();
}

Type ViewType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type elementType;
  SMLoc layoutLoc;
  Attribute layout;
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(elementType) || parser.parseComma() ||
      parser.getCurrentLocation(&layoutLoc) || parser.parseAttribute(layout) ||
      parser.parseGreater())
    return {};
  auto layoutInterface = dyn_cast<LayoutAttrInterface>(layout);
  if (!layoutInterface) {
    parser.emitError(layoutLoc, "expected a layout attribute, but got ")
        << layout;
    return {};
  }
  return parser.getChecked<ViewType>(loc, parser.getContext(), shape,
                                     elementType, layoutInterface);
}

void ViewType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList(getShape());
  printer << 'x' << getElementType() << ", " << getLayout() << '>';
}

//===----------------------------------------------------------------------===//
// PendingType
//===----------------------------------------------------------------------===//

LogicalResult PendingType::verify(EmitError emitError, VectorType payload) {
  std::optional<unsigned> bits = getElementBitWidth(payload.getElementType());
  if (payload.getRank() != 1 || payload.isScalable() || !bits)
    return emitViolation(emitError, Rule::P3,
                         "expected a vector of one static dimension of "
                         "elements of 4, 8, 16, 32 or 64 bits, but got " +
                             llvm::to_string(payload));
  // No load has a larger result, and the lowering takes each word on its own.
  return verifyVectorSize(payload.getDimSize(0), *bits, emitError);
}
