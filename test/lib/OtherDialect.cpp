//===- OtherDialect.cpp - A dialect with layouts of its own ---------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Without TableGen: this is all it takes another dialect.
//
//===----------------------------------------------------------------------===//

#include "OtherDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <atomic>

using namespace mlir;
using tmem::Axis;
using tmem::Layout;
using tmem::Mode;

//===----------------------------------------------------------------------===//
// LayoutAttr
//===----------------------------------------------------------------------===//

class other::LayoutAttrStorage : public AttributeStorage {
public:
  using KeyTy = StringRef;
  explicit LayoutAttrStorage(StringRef kind) : kind(kind) {}
  bool operator==(const KeyTy &key) const { return key == kind; }
  static LayoutAttrStorage *construct(AttributeStorageAllocator &allocator,
                                      const KeyTy &key) {
    return new (allocator.allocate<LayoutAttrStorage>())
        LayoutAttrStorage(allocator.copyInto(key));
  }

  StringRef kind;
};

other::LayoutAttr other::LayoutAttr::get(MLIRContext *context, StringRef kind) {
  return Base::get(context, kind);
}

StringRef other::LayoutAttr::getKind() const { return getImpl()->kind; }

static Layout makeLayout(ArrayRef<Mode> modes) {
  Layout layout;
  layout.modes.append(modes.begin(), modes.end());
  return layout;
}

/// The rows of a tile along one axis, its columns along another.
static Layout makeMatrix(ArrayRef<int64_t> shape, Axis rows, Axis columns) {
  int64_t width = shape.back();
  return makeLayout(
      {{llvm::product_of(shape) / width, 1, rows}, {width, 1, columns}});
}

/// Answers that no attribute should give.
static Layout makeNonsense(StringRef kind, ArrayRef<int64_t> shape) {
  int64_t size = llvm::product_of(shape);
  constexpr int64_t huge = int64_t(1) << 62;
  if (kind == "negative_extent")
    return makeLayout({{-size, 1, Axis::TLane}});
  if (kind == "zero_extent")
    return makeLayout({{0, 1, Axis::TLane}});
  if (kind == "huge_extents")
    return makeLayout({{huge, 1, Axis::TLane}, {huge, 1, Axis::TCol}});
  if (kind == "huge_stride")
    return makeLayout({{size, huge, Axis::TCol}});
  if (kind == "overlapping")
    return makeLayout({{size / 2, 0, Axis::TCol}, {2, 3, Axis::TCol}});
  if (kind == "outside")
    return makeLayout({{size, 1, Axis::TLane}});
  if (kind == "both_axes")
    return makeLayout({{size, 1, Axis::TLane}, {1, 0, Axis::Reg}});
  if (kind == "many_modes") {
    SmallVector<Mode> modes(1 << 20, Mode{1, 1, Axis::TCol});
    return makeLayout(modes);
  }
  return Layout(); // "empty"
}

FailureOr<Layout> other::LayoutAttr::expand(ArrayRef<int64_t> shape,
                                            Type elementType,
                                            tmem::EmitError emitError) const {
  StringRef kind = getKind();
  if (kind == "matrix")
    return makeMatrix(shape, Axis::TLane, Axis::TCol);
  if (kind == "threads")
    return makeMatrix(shape, Axis::Tid, Axis::Reg);
  if (kind == "refuses")
    return emitError() << "expected another tile";
  if (kind == "says_nothing")
    return failure();
  if (kind == "complains") {
    emitError() << "expected nothing in particular";
    return makeMatrix(shape, Axis::TLane, Axis::TCol);
  }
  if (kind == "stands_for_itself")
    return tmem::expandLayout(*this, shape, elementType, emitError);
  // Another answer each time: one column further.
  if (kind == "changes") {
    static std::atomic<int64_t> calls = 0;
    Layout layout = makeMatrix(shape, Axis::TLane, Axis::TCol);
    layout.offsets.push_back({calls++, Axis::TCol});
    return layout;
  }
  return makeNonsense(kind, shape);
}

//===----------------------------------------------------------------------===//
// OtherDialect
//===----------------------------------------------------------------------===//

other::OtherDialect::OtherDialect(MLIRContext *context)
    : Dialect(getDialectNamespace(), context, TypeID::get<OtherDialect>()) {
  // Asking for a layout keeps the answer there.
  context->getOrLoadDialect<tmem::TMemDialect>();
  addAttributes<LayoutAttr>();
}

Attribute other::OtherDialect::parseAttribute(DialectAsmParser &parser,
                                              Type) const {
  StringRef mnemonic, kind;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&mnemonic))
    return {};
  if (mnemonic != "layout") {
    parser.emitError(loc, "expected layout, but got ") << mnemonic;
    return {};
  }
  if (parser.parseLess() || parser.parseKeyword(&kind) || parser.parseGreater())
    return {};
  return LayoutAttr::get(parser.getContext(), kind);
}

void other::OtherDialect::printAttribute(Attribute attr,
                                         DialectAsmPrinter &os) const {
  os << "layout<" << cast<LayoutAttr>(attr).getKind() << ">";
}
