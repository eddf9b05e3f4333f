//===- Types.cpp - Types of the tmem dialect from C -----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem-c/Types.h"
#include "Convert.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::capi;

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

bool tmemTypeIsAView(MlirType type) {
  return static_cast<bool>(getType<ViewType>(type));
}

MlirTypeID tmemViewTypeGetTypeID(void) { return wrap(ViewType::getTypeID()); }

static MlirType makeView(const Reporter &reporter, intptr_t rank,
                         const int64_t *shape, MlirType elementType,
                         MlirAttribute layout) {
  if (!reporter.getContext())
    return MlirType{nullptr};
  if (!isOf(reporter.getContext(), elementType) ||
      !isOf(reporter.getContext(), layout)) {
    reporter() << "expected an element type and a layout of one context, but "
                  "got those of two";
    return MlirType{nullptr};
  }
  auto sizes = getList(rank, shape);
  auto layoutInterface = getAttr<LayoutAttrInterface>(layout);
  if (!sizes || mlirTypeIsNull(elementType) || !layoutInterface) {
    reporter() << "expected "
               << (!sizes             ? "a shape, but got null"
                   : !layoutInterface ? "a layout attribute, but got none"
                                      : "an element type, but got null");
    return MlirType{nullptr};
  }
  return wrap(ViewType::getChecked(reporter, reporter.getContext(), *sizes,
                                   unwrap(elementType), layoutInterface));
}

MlirType tmemViewTypeGet(intptr_t rank, const int64_t *shape,
                         MlirType elementType, MlirAttribute layout) {
  if (mlirTypeIsNull(elementType))
    return MlirType{nullptr};
  return makeView(Reporter(unwrap(elementType).getContext()), rank, shape,
                  elementType, layout);
}

MlirType tmemViewTypeGetChecked(MlirLocation location, intptr_t rank,
                                const int64_t *shape, MlirType elementType,
                                MlirAttribute layout) {
  return makeView(Reporter(location), rank, shape, elementType, layout);
}

intptr_t tmemViewTypeGetRank(MlirType view) {
  auto type = getType<ViewType>(view);
  return type ? type.getShape().size() : -1;
}

int64_t tmemViewTypeGetDimSize(MlirType view, intptr_t dim) {
  auto type = getType<ViewType>(view);
  if (!type || dim < 0 || dim >= intptr_t(type.getShape().size()))
    return -1;
  return type.getShape()[dim];
}

MlirType tmemViewTypeGetElementType(MlirType view) {
  auto type = getType<ViewType>(view);
  return type ? wrap(type.getElementType()) : MlirType{nullptr};
}

unsigned tmemViewTypeGetElementBits(MlirType view) {
  auto type = getType<ViewType>(view);
  return type ? type.getElementBits() : 0;
}

MlirAttribute tmemViewTypeGetLayout(MlirType view) {
  auto type = getType<ViewType>(view);
  return type ? wrap(Attribute(type.getLayout())) : MlirAttribute{nullptr};
}

MlirAttribute tmemViewTypeGetExpandedLayout(MlirType view) {
  auto type = getType<ViewType>(view);
  if (!type)
    return MlirAttribute{nullptr};
  return wrap(LayoutAttr::get(type.getContext(), type.getExpandedLayout()));
}

int64_t tmemViewTypeGetNumColumns(MlirType view) {
  auto type = getType<ViewType>(view);
  return type ? type.getNumColumns() : -1;
}

//===----------------------------------------------------------------------===//
// Pending values
//===----------------------------------------------------------------------===//

bool tmemTypeIsAPending(MlirType type) {
  return static_cast<bool>(getType<PendingType>(type));
}

MlirTypeID tmemPendingTypeGetTypeID(void) {
  return wrap(PendingType::getTypeID());
}

static MlirType makePending(const Reporter &reporter, MlirType payload) {
  if (!reporter.getContext())
    return MlirType{nullptr};
  if (!isOf(reporter.getContext(), payload)) {
    reporter() << "expected a vector type of the context of the location, but "
                  "got one of another";
    return MlirType{nullptr};
  }
  auto vector = getType<VectorType>(payload);
  if (!vector) {
    reporter() << "expected a vector type, but got "
               << (mlirTypeIsNull(payload) ? "null" : "another type");
    return MlirType{nullptr};
  }
  return wrap(PendingType::getChecked(reporter, reporter.getContext(), vector));
}

MlirType tmemPendingTypeGet(MlirType payload) {
  if (mlirTypeIsNull(payload))
    return MlirType{nullptr};
  return makePending(Reporter(unwrap(payload).getContext()), payload);
}

MlirType tmemPendingTypeGetChecked(MlirLocation location, MlirType payload) {
  return makePending(Reporter(location), payload);
}

MlirType tmemPendingTypeGetPayload(MlirType pending) {
  auto type = getType<PendingType>(pending);
  return type ? wrap(Type(type.getPayload())) : MlirType{nullptr};
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

bool tmemTypeIsAToken(MlirType type) {
  return static_cast<bool>(getType<TokenType>(type));
}

MlirTypeID tmemTokenTypeGetTypeID(void) { return wrap(TokenType::getTypeID()); }

MlirType tmemTokenTypeGet(MlirContext context) {
  Reporter reporter(context);
  if (!reporter.getContext())
    return MlirType{nullptr};
  return wrap(Type(TokenType::get(reporter.getContext())));
}
