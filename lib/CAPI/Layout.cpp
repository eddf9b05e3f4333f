//===- Layout.cpp - Layouts of tiles from C -------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem-c/Layout.h"
#include "Convert.h"
#include "mlir/CAPI/Utils.h"
#include "tmem/Layout/LayoutParser.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::capi;

bool tmemAttributeStandsForLayout(MlirAttribute attr) {
  return static_cast<bool>(getAttr<LayoutAttrInterface>(attr));
}

//===----------------------------------------------------------------------===//
// From attributes and text
//===----------------------------------------------------------------------===//

MlirAttribute tmemLayoutExpand(MlirLocation location, MlirAttribute attr,
                               intptr_t rank, const int64_t *shape,
                               MlirType elementType) {
  Reporter reporter(location);
  auto sizes = getList(rank, shape);
  auto layout = getAttr<LayoutAttrInterface>(attr);
  if (!reporter.getContext())
    return MlirAttribute{nullptr};
  if (!layout || !sizes || mlirTypeIsNull(elementType)) {
    reporter() << "expected a layout attribute, a shape and an element type, "
                  "but got null";
    return MlirAttribute{nullptr};
  }
  FailureOr<Layout> expanded =
      expandLayout(layout, *sizes, unwrap(elementType), reporter);
  if (failed(expanded))
    return MlirAttribute{nullptr};
  return wrap(LayoutAttr::get(reporter.getContext(), *expanded));
}

MlirAttribute tmemLayoutParse(MlirLocation location, MlirStringRef text) {
  Reporter reporter(location);
  if (!reporter.getContext())
    return MlirAttribute{nullptr};
  auto layout = parseLayoutText(text.data ? unwrap(text) : StringRef());
  if (auto *error = std::get_if<ParseError>(&layout)) {
    if (error->rule)
      (void)emitViolation(reporter, *error->rule, error->message);
    else
      reporter() << error->message;
    return MlirAttribute{nullptr};
  }
  return wrap(LayoutAttr::get(reporter.getContext(), std::get<Layout>(layout)));
}

void tmemLayoutPrint(MlirAttribute layout, MlirStringCallback callback,
                     void *userData) {
  auto attr = getAttr<LayoutAttr>(layout);
  if (!attr || !callback)
    return;
  mlir::detail::CallbackOstream stream(callback, userData);
  attr.getLayout().print(stream);
}

//===----------------------------------------------------------------------===//
// From layouts to layouts
//===----------------------------------------------------------------------===//

static MlirAttribute wrapLayout(LayoutAttr from,
                                const std::optional<Layout> &layout) {
  // What comes of a layout that verifies may yet not: say nothing, then.
  if (!layout || verifyLayout(*layout))
    return MlirAttribute{nullptr};
  return wrap(LayoutAttr::get(from.getContext(), *layout));
}

MlirAttribute tmemLayoutCanonicalize(MlirAttribute layout) {
  auto attr = getAttr<LayoutAttr>(layout);
  if (!attr)
    return MlirAttribute{nullptr};
  return wrapLayout(attr, canonicalize(attr.getLayout()));
}

/// Whether `shape` is that of a tile with the elements of the layout.
static bool isShapeOf(LayoutAttr layout, ArrayRef<int64_t> shape) {
  int64_t rest = layout.getLayout().getNumElements();
  for (int64_t size : shape) {
    if (size < 1 || rest % size != 0)
      return false;
    rest /= size;
  }
  return rest == 1;
}

MlirAttribute tmemLayoutSlice(MlirAttribute layout, intptr_t rank,
                              const int64_t *shape, const int64_t *offsets,
                              const int64_t *sizes) {
  auto attr = getAttr<LayoutAttr>(layout);
  auto shapeList = getList(rank, shape), offsetList = getList(rank, offsets),
       sizeList = getList(rank, sizes);
  if (!attr || !shapeList || !offsetList || !sizeList ||
      !isShapeOf(attr, *shapeList))
    return MlirAttribute{nullptr};
  for (auto [whole, offset, size] :
       llvm::zip_equal(*shapeList, *offsetList, *sizeList))
    if (offset < 0 || size < 1 || size > whole || offset > whole - size)
      return MlirAttribute{nullptr};
  return wrapLayout(
      attr, slice(attr.getLayout(), *shapeList, *offsetList, *sizeList));
}

MlirAttribute tmemLayoutPermute(MlirAttribute layout, intptr_t rank,
                                const int64_t *shape,
                                const uint32_t *permutation) {
  auto attr = getAttr<LayoutAttr>(layout);
  auto shapeList = getList(rank, shape);
  auto order = getList(rank, permutation);
  if (!attr || !shapeList || !order || !isShapeOf(attr, *shapeList))
    return MlirAttribute{nullptr};
  SmallVector<bool> seen(rank);
  for (uint32_t dim : *order) {
    if (dim >= seen.size() || seen[dim])
      return MlirAttribute{nullptr};
    seen[dim] = true;
  }
  return wrapLayout(
      attr, permute(attr.getLayout(), *shapeList, ArrayRef<unsigned>(*order)));
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

int64_t tmemLayoutGetNumElements(MlirAttribute layout) {
  auto attr = getAttr<LayoutAttr>(layout);
  return attr ? attr.getLayout().getNumElements() : -1;
}

int64_t tmemLayoutGetNumReplicas(MlirAttribute layout) {
  auto attr = getAttr<LayoutAttr>(layout);
  return attr ? attr.getLayout().getNumReplicas() : -1;
}

bool tmemLayoutIsMemory(MlirAttribute layout) {
  auto attr = getAttr<LayoutAttr>(layout);
  return attr && attr.getLayout().isMemoryLayout();
}

bool tmemLayoutIsRegisters(MlirAttribute layout) {
  auto attr = getAttr<LayoutAttr>(layout);
  return attr && attr.getLayout().isRegisterLayout();
}

bool tmemLayoutGetRange(MlirAttribute layout, TMemAxis axis, int64_t *low,
                        int64_t *high) {
  auto attr = getAttr<LayoutAttr>(layout);
  if (!attr || unsigned(axis) >= numAxes || !low || !high)
    return false;
  std::tie(*low, *high) = attr.getLayout().getRange(Axis(axis));
  return true;
}

/// Calls `fn` with every element and its place in a replica. False, without a
/// call, when a table of `width` entries an element does not fit, or there is
/// no such replica.
static bool forEachPlace(const Layout &layout, int64_t replica, int64_t width,
                         intptr_t capacity,
                         function_ref<void(int64_t, const Coordinates &)> fn) {
  if (replica < 0 || replica >= layout.getNumReplicas() ||
      capacity / width < layout.getNumElements())
    return false;
  Coordinates shift = layout.getReplicaOffsets()[replica];
  forEachElement(layout, [&](int64_t element, const Coordinates &first) {
    Coordinates place = first;
    for (unsigned axis = 0; axis < numAxes; ++axis)
      place[axis] += shift[axis];
    fn(element, place);
  });
  return true;
}

MlirLogicalResult tmemLayoutGetMemoryTable(MlirAttribute layout,
                                           unsigned elementBits,
                                           int64_t replica, intptr_t capacity,
                                           int64_t *table) {
  auto attr = getAttr<LayoutAttr>(layout);
  bool isWidth =
      elementBits >= 4 && elementBits <= 64 && llvm::isPowerOf2_32(elementBits);
  if (!attr || !table || !isWidth || !attr.getLayout().isMemoryLayout())
    return mlirLogicalResultFailure();
  bool done = forEachPlace(attr.getLayout(), replica, 2, capacity,
                           [&](int64_t element, const Coordinates &place) {
                             table[2 * element] = place[unsigned(Axis::TLane)];
                             table[2 * element + 1] =
                                 place[unsigned(Axis::TCol)] * elementBits;
                           });
  return done ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

MlirLogicalResult tmemLayoutGetRegisterTable(MlirAttribute layout,
                                             int64_t replica, intptr_t capacity,
                                             int64_t *table) {
  auto attr = getAttr<LayoutAttr>(layout);
  if (!attr || !table || !attr.getLayout().isRegisterLayout())
    return mlirLogicalResultFailure();
  bool done = forEachPlace(attr.getLayout(), replica, 3, capacity,
                           [&](int64_t element, const Coordinates &place) {
                             // Threads are tid + 32 * warp + lane, whichever
                             // axes are used.
                             int64_t thread = place[unsigned(Axis::Tid)] +
                                              32 * place[unsigned(Axis::Warp)] +
                                              place[unsigned(Axis::Lane)];
                             table[3 * element] = thread >> 5;
                             table[3 * element + 1] = thread & 31;
                             table[3 * element + 2] =
                                 place[unsigned(Axis::Reg)];
                           });
  return done ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}
