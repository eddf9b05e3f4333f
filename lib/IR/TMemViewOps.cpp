//===- TMemViewOps.cpp - Views and their windows --------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RearrangePattern.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "tmem/IR/TMemOps.h"
#include "tmem/IR/ViewUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ScopedPrinter.h"
#include <set>

using namespace mlir;
using namespace mlir::tmem;

void ViewOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getView(), "view");
}

OpFoldResult ViewOp::fold(FoldAdaptor) {
  auto address = getBase().getDefiningOp<AddressOp>();
  if (address && address.getView().getType() == getType() &&
      getType().getFirstCell() == 0)
    return address.getView();
  return {};
}

void AddressOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getAddress(), "address");
}

OpFoldResult AddressOp::fold(FoldAdaptor) {
  // The first element is the first of every grouping.
  if (auto source = getView().getDefiningOp<RearrangeOp>()) {
    getViewMutable().assign(source.getSource());
    return getAddress();
  }
  auto view = getView().getDefiningOp<ViewOp>();
  if (view && view.getType().getFirstCell() == 0)
    return view.getBase();
  return {};
}

/// At one address the type alone says where each element is.
template <typename OpTy> static bool isSameView(OpTy op) {
  return op.getType() == op.getSource().getType();
}

/// Two types of views that mean the same, however their layouts are written.
static bool areEquivalent(ViewType a, ViewType b) {
  return a == b || (a.getShape() == b.getShape() &&
                    a.getElementType() == b.getElementType() &&
                    canonicalize(a.getExpandedLayout()) ==
                        canonicalize(b.getExpandedLayout()));
}

/// The type of other cells, or another order of the cells, of `source`.
static FailureOr<ViewType> getChecked(EmitError emitError, ViewType source,
                                      ArrayRef<int64_t> shape,
                                      const Layout &layout) {
  MLIRContext *context = source.getContext();
  auto attr = LayoutAttr::getChecked(emitError, context, canonicalize(layout));
  if (!attr)
    return failure();
  auto type =
      ViewType::getChecked(emitError, context, shape, source.getElementType(),
                           cast<LayoutAttrInterface>(attr));
  if (!type)
    return failure();
  return type;
}

//===----------------------------------------------------------------------===//
// SubviewOp: the type of a window
//===----------------------------------------------------------------------===//

std::optional<int64_t> SubviewOp::getCellsPerStep(ViewType source,
                                                  unsigned dim) {
  SmallVector<unsigned> modesPerDim;
  std::optional<Layout> split =
      splitModes(source.getExpandedLayout(), source.getShape(), modesPerDim);
  if (!split)
    return std::nullopt;
  auto *begin = split->modes.begin();
  for (unsigned count : ArrayRef(modesPerDim).take_front(dim))
    begin += count;
  Layout modes;
  modes.modes.append(begin, begin + modesPerDim[dim]);
  modes = canonicalize(modes);
  if (modes.modes.size() != 1 || modes.modes[0].axis != Axis::TCol)
    return std::nullopt;
  int64_t bits = modes.modes[0].stride * source.getElementBits();
  if (bits % 32 != 0)
    return std::nullopt;
  return bits / 32;
}

static LogicalResult verifyWindow(ViewType source,
                                  ArrayRef<int64_t> staticOffsets,
                                  ArrayRef<int64_t> sizes,
                                  EmitError emitError) {
  ArrayRef<int64_t> shape = source.getShape();
  if (staticOffsets.size() != shape.size() || sizes.size() != shape.size())
    return emitViolation(
        emitError, Rule::W1,
        "expected " + Twine(shape.size()) + " offsets and sizes, but got " +
            Twine(staticOffsets.size()) + " and " + Twine(sizes.size()));
  for (auto [dim, offset, size, extent] :
       llvm::enumerate(staticOffsets, sizes, shape)) {
    bool dynamic = ShapedType::isDynamic(offset);
    int64_t start = dynamic ? 0 : offset;
    if (start < 0 || start >= extent || size < 1 || size > extent - start)
      return emitViolation(emitError, Rule::W1,
                           "expected a window within the " + Twine(extent) +
                               " elements of dimension " + Twine(dim) +
                               ", but got " + Twine(size) + " from " +
                               Twine(start) + " on");
    if (dynamic && !SubviewOp::getCellsPerStep(source, dim))
      return emitViolation(
          emitError, Rule::W2,
          "expected a static offset in dimension " + Twine(dim) +
              ", which does not advance by whole cells of one lane; "
              "tmem.rearrange can split it into a dimension that does");
  }
  return success();
}

static SmallVector<int64_t> getIndices(int64_t element,
                                       ArrayRef<int64_t> shape) {
  SmallVector<int64_t> indices(shape.size());
  for (size_t dim = shape.size(); dim-- > 0;) {
    indices[dim] = element % shape[dim];
    element /= shape[dim];
  }
  return indices;
}

/// What decides whether two elements of one cell are both in the window or both
/// out: inside or not for static offsets, the very index for dynamic ones.
static int64_t getWindowKey(ArrayRef<int64_t> indices, ArrayRef<int64_t> shape,
                            ArrayRef<int64_t> staticOffsets,
                            ArrayRef<int64_t> sizes) {
  int64_t key = 0;
  for (auto [index, extent, offset, size] :
       llvm::zip_equal(indices, shape, staticOffsets, sizes)) {
    bool dynamic = ShapedType::isDynamic(offset);
    if (!dynamic && (index < offset || index >= offset + size))
      return -1;
    if (dynamic)
      key = key * extent + index;
  }
  return key;
}

/// What replicas add to the first place, each sum once: of many replicas most
/// sums may be alike.
static std::set<Coordinates> getReplicaShifts(const Layout &layout) {
  std::set<Coordinates> shifts{Coordinates{}};
  for (const Mode &replica : layout.replicas) {
    std::set<Coordinates> before = shifts;
    for (int64_t i = 1; i < replica.extent && replica.stride != 0; ++i)
      for (Coordinates shift : before) {
        shift[unsigned(replica.axis)] += i * replica.stride;
        shifts.insert(shift);
      }
  }
  return shifts;
}

/// The first element whose cell the window cuts in two.
static std::optional<SmallVector<int64_t>>
findCutCell(ViewType source, ArrayRef<int64_t> staticOffsets,
            ArrayRef<int64_t> sizes) {
  int64_t perCell = 32 / std::min(32u, source.getElementBits());
  if (perCell == 1)
    return std::nullopt;
  Layout layout = source.getExpandedLayout();
  constexpr int64_t none = -2;
  std::vector<int64_t> keys(128 * source.getNumColumns(), none);
  std::optional<SmallVector<int64_t>> cut;
  std::set<Coordinates> replicas = getReplicaShifts(layout);
  forEachElement(layout, [&](int64_t element, const Coordinates &place) {
    if (cut)
      return;
    SmallVector<int64_t> indices = getIndices(element, source.getShape());
    int64_t key =
        getWindowKey(indices, source.getShape(), staticOffsets, sizes);
    for (const Coordinates &replica : replicas) {
      int64_t lane =
          place[unsigned(Axis::TLane)] + replica[unsigned(Axis::TLane)];
      int64_t column =
          place[unsigned(Axis::TCol)] + replica[unsigned(Axis::TCol)];
      int64_t &known = keys[lane * source.getNumColumns() + column / perCell];
      if (known != none && known != key)
        cut = indices;
      known = key;
    }
  });
  return cut;
}

FailureOr<ViewType> SubviewOp::inferType(ViewType source,
                                         ArrayRef<int64_t> staticOffsets,
                                         ArrayRef<int64_t> sizes,
                                         EmitError emitError) {
  if (failed(verifyWindow(source, staticOffsets, sizes, emitError)))
    return failure();
  SmallVector<int64_t> offsets =
      llvm::map_to_vector(staticOffsets, [](int64_t offset) {
        return ShapedType::isDynamic(offset) ? 0 : offset;
      });
  std::optional<Layout> window =
      slice(source.getExpandedLayout(), source.getShape(), offsets, sizes);
  if (!window)
    return emitViolation(emitError, Rule::W3,
                         "expected a window along the modes of the layout, but "
                         "got one that cuts through them");
  if (auto cut = findCutCell(source, staticOffsets, sizes))
    return emitViolation(
        emitError, Rule::W3,
        "expected a window of whole cells, but the cell of element (" +
            llvm::join(
                llvm::map_range(
                    *cut, [](int64_t index) { return std::to_string(index); }),
                ", ") +
            ") lies only partly in it");
  return getChecked(emitError, source, sizes, *window);
}

/// Graph regions allow uses before definitions, and so views of themselves, at
/// which everything that follows views to their base would never end.
static LogicalResult verifyOrder(Operation *op) {
  Operation *source = op->getOperand(0).getDefiningOp();
  if (!source || source->getBlock() != op->getBlock() ||
      source->isBeforeInBlock(op))
    return success();
  return op->emitOpError("expected its source to be defined before it");
}

LogicalResult SubviewOp::verify() {
  if (failed(verifyOrder(*this)))
    return failure();
  if (getOffsets().size() !=
      size_t(llvm::count_if(getStaticOffsets(), ShapedType::isDynamic)))
    return emitViolation([&] { return emitOpError(); }, Rule::W1,
                         "expected a value for every dynamic offset, but got " +
                             Twine(getOffsets().size()));
  FailureOr<ViewType> type =
      inferType(getSource().getType(), getStaticOffsets(), getSizes(),
                [&] { return emitOpError(); });
  if (failed(type))
    return failure();
  if (areEquivalent(*type, getType()))
    return success();
  return emitViolation([&] { return emitOpError(); }, Rule::W4,
                       "expected the result type " + llvm::to_string(*type) +
                           ", but got " + llvm::to_string(getType()));
}

void SubviewOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "window");
}

//===----------------------------------------------------------------------===//
// SubviewOp: folding
//===----------------------------------------------------------------------===//

OpFoldResult SubviewOp::fold(FoldAdaptor) {
  if (isSameView(*this) && getOffsets().empty())
    return getSource();
  return {};
}

namespace {
/// A window of a window is a window, where no dimension has two offsets of
/// which one is dynamic, and dynamic ones move along columns of the outer view
/// too.
struct MergeSubviews : public OpRewritePattern<SubviewOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SubviewOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getSource().getDefiningOp<SubviewOp>();
    if (!inner)
      return failure();
    SmallVector<int64_t> offsets;
    SmallVector<Value> values;
    unsigned nextInner = 0, nextOuter = 0;
    for (auto [a, b] :
         llvm::zip_equal(inner.getStaticOffsets(), op.getStaticOffsets())) {
      bool dynamicA = ShapedType::isDynamic(a),
           dynamicB = ShapedType::isDynamic(b);
      if ((dynamicA && b != 0) || (dynamicB && a != 0))
        return failure();
      if (dynamicA)
        values.push_back(inner.getOffsets()[nextInner++]);
      if (dynamicB)
        values.push_back(op.getOffsets()[nextOuter++]);
      offsets.push_back(dynamicA || dynamicB ? ShapedType::kDynamic : a + b);
    }
    auto silent = [] { return InFlightDiagnostic(); };
    FailureOr<ViewType> type = SubviewOp::inferType(
        inner.getSource().getType(), offsets, op.getSizes(), silent);
    if (failed(type) || !areEquivalent(*type, op.getType()))
      return failure();
    rewriter.replaceOpWithNewOp<SubviewOp>(op, op.getType(), inner.getSource(),
                                           values, offsets, op.getSizes());
    return success();
  }
};
} // namespace

void SubviewOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<MergeSubviews>(context);
}

//===----------------------------------------------------------------------===//
// RearrangeOp
//===----------------------------------------------------------------------===//

static FailureOr<RearrangePattern> getPattern(RearrangeOp op,
                                              EmitError emitError) {
  return getRearrangePattern(op.getPattern(), op.getSizes(),
                             op.getSource().getType().getShape(), emitError);
}

LogicalResult RearrangeOp::verify() {
  if (failed(verifyOrder(*this)))
    return failure();
  auto emitError = [&] { return emitOpError(); };
  FailureOr<RearrangePattern> pattern = ::getPattern(*this, emitError);
  if (failed(pattern))
    return failure();
  ViewType source = getSource().getType();
  std::optional<Layout> layout =
      permute(source.getExpandedLayout(), pattern->sizes, pattern->permutation);
  if (!layout)
    return emitViolation(emitError, Rule::E3,
                         "expected factors that the layout's modes divide "
                         "into, but got " +
                             getPattern());
  FailureOr<ViewType> type =
      getChecked(emitError, source, pattern->getResultShape(), *layout);
  if (failed(type))
    return failure();
  if (areEquivalent(*type, getType()))
    return success();
  return emitViolation(emitError, Rule::E4,
                       "expected the result type " + llvm::to_string(*type) +
                           ", but got " + llvm::to_string(getType()));
}

void RearrangeOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "view");
}

OpFoldResult RearrangeOp::fold(FoldAdaptor) {
  if (isSameView(*this))
    return getSource();
  return {};
}

namespace {
/// Two patterns in a row are one, where they split dimensions alike.
struct MergeRearranges : public OpRewritePattern<RearrangeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(RearrangeOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getSource().getDefiningOp<RearrangeOp>();
    if (!inner)
      return failure();
    auto silent = [] { return InFlightDiagnostic(); };
    FailureOr<RearrangePattern> first = getPattern(inner, silent);
    FailureOr<RearrangePattern> second = getPattern(op, silent);
    if (failed(first) || failed(second))
      return failure();
    std::optional<RearrangePattern> merged = first->compose(*second);
    if (!merged)
      return failure();
    rewriter.replaceOpWithNewOp<RearrangeOp>(
        op, op.getType(), inner.getSource(), merged->getText(),
        getSizesAttr(*merged, op.getContext()));
    return success();
  }
};
} // namespace

void RearrangeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<MergeRearranges>(context);
}

//===----------------------------------------------------------------------===//
// Bases
//===----------------------------------------------------------------------===//

ViewBase mlir::tmem::getViewBase(Value view) {
  ViewBase base{view, {}};
  // In a graph region a view may be its own source until it is verified, and
  // transfers before it are verified first.
  SmallPtrSet<Operation *, 8> seen;
  while (Operation *op = base.root.getDefiningOp()) {
    if (!seen.insert(op).second)
      break;
    if (auto subview = dyn_cast<SubviewOp>(op)) {
      unsigned next = 0;
      for (auto [dim, offset] : llvm::enumerate(subview.getStaticOffsets()))
        if (ShapedType::isDynamic(offset))
          base.steps.emplace_back(
              subview.getOffsets()[next++],
              SubviewOp::getCellsPerStep(subview.getSource().getType(), dim)
                  .value_or(0));
      base.root = subview.getSource();
    } else if (auto rearrange = dyn_cast<RearrangeOp>(op)) {
      base.root = rearrange.getSource();
    } else {
      if (auto viewOp = dyn_cast<ViewOp>(op))
        base.root = viewOp.getBase();
      break;
    }
  }
  llvm::sort(base.steps, [](const auto &a, const auto &b) {
    return std::make_pair(a.first.getAsOpaquePointer(), a.second) <
           std::make_pair(b.first.getAsOpaquePointer(), b.second);
  });
  return base;
}

bool mlir::tmem::haveSameBase(Value a, Value b) {
  ViewBase baseA = getViewBase(a), baseB = getViewBase(b);
  return baseA.root == baseB.root && baseA.steps == baseB.steps;
}
