//===- TileTransfersWindows.cpp - Windows for chunks ----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A chunk is a run of registers of the thread. So its window of the tile has to
// be one whose registers are that run, and each element keeps its place in it.
//
//===----------------------------------------------------------------------===//

#include "TileTransfersWindows.h"
#include "AtomSelector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tmem;

void mlir::tmem::moveLayout(Layout &layout, Axis axis, int64_t distance) {
  for (AxisOffset &offset : layout.offsets)
    if (offset.axis == axis) {
      offset.value += distance;
      return;
    }
  layout.offsets.push_back({distance, axis});
}

WindowFinder::WindowFinder(TransferOpInterface op)
    : op(op), view(cast<ViewType>(op.getViews().front().getType())),
      registers(getNamedRegisters(op).getLayout()) {}

/// An atom that is named keeps its shape, and no instruction gets longer.
bool WindowFinder::selectAtom(TransferWindow &window, int64_t vectorSize) {
  SelectionOptions options;
  if (AtomAttr atom = op.getAtomAttr()) {
    options.shapes = {atom.getShape()};
    options.packing = atom.getPacking();
    size_t longest = 1;
    if (auto *plan = std::get_if<TransferPlan>(&op.getPlan()))
      for (const Issue &issue : plan->issues)
        longest = std::max(longest, issue.words.size());
    options.maxRegistersPerIssue = longest;
  }
  Layout memory = window.type.getExpandedLayout();
  Layout slots = window.registers.getLayout();
  Transfer transfer{op.getDirection(),
                    memory,
                    slots,
                    window.sizes,
                    view.getElementBits(),
                    vectorSize,
                    op.getScope().getScope()};
  SelectionResult result = mlir::tmem::selectAtom(transfer, options);
  if (!result.isFound())
    return false;
  if (op.getAtomAttr())
    window.atom = getAtomAttr(op->getContext(), result.candidates.front().atom);
  return true;
}

/// Fills in the rest of a window of which source, offsets and sizes are known.
std::optional<TransferWindow> WindowFinder::finish(TransferWindow window,
                                                   const Chunk &chunk,
                                                   const Twine &name) {
  FailureOr<ViewType> type =
      SubviewOp::inferType(window.source, window.offsets, window.sizes,
                           [] { return InFlightDiagnostic(); });
  if (failed(type)) {
    // Windows begin and end between cells.
    int64_t bits = window.source.getElementBits();
    isTooNarrow = bits < 32 && (chunk.begin * bits % 32 != 0 ||
                                (chunk.begin + chunk.size) * bits % 32 != 0);
    return fail(name + (isTooNarrow ? ", which are no whole cells"
                                    : ", which are no window of the view"));
  }
  window.type = *type;
  std::optional<Layout> slots =
      slice(registers, window.source.getShape(), window.offsets, window.sizes);
  if (!slots)
    return fail(name + ", whose registers are no layout");
  auto [first, last] = slots->getRange(Axis::Reg);
  if (first < chunk.begin || last >= chunk.begin + chunk.size)
    return fail(name + " in registers " + Twine(first) + " to " + Twine(last) +
                ", not " + Twine(chunk.begin) + " to " +
                Twine(chunk.begin + chunk.size - 1));
  moveLayout(*slots, Axis::Reg, -chunk.begin);
  window.registers = LayoutAttr::get(op->getContext(), canonicalize(*slots));
  if (!selectAtom(window, chunk.size))
    return fail(name + ", which no atom moves to their registers");
  Footprint footprint;
  if (getFootprint(type->getExpandedLayout(), type->getElementBits(),
                   footprint))
    return fail(name + ", which are no window of the view");
  window.cells = CellRuns(footprint);
  return window;
}

//===----------------------------------------------------------------------===//
// Along one dimension
//===----------------------------------------------------------------------===//

std::optional<TransferWindow> WindowFinder::findAlong(unsigned dim,
                                                      const Chunk &chunk) {
  int64_t extent = view.getShape()[dim];
  int64_t length = op.getVectorType().getDimSize(0);
  if (chunk.begin * extent % length != 0 || chunk.size * extent % length != 0)
    return fail("no whole columns of the tile");
  TransferWindow window;
  window.source = view;
  window.offsets.assign(view.getShape().size(), 0);
  window.sizes.assign(view.getShape().begin(), view.getShape().end());
  window.offsets[dim] = chunk.begin * extent / length;
  window.sizes[dim] = chunk.size * extent / length;
  return finish(window, chunk,
                "columns " + Twine(window.offsets[dim]) + " to " +
                    Twine(window.offsets[dim] + window.sizes[dim] - 1));
}

//===----------------------------------------------------------------------===//
// In factors of all dimensions
//===----------------------------------------------------------------------===//

namespace {
/// Consecutive digits of a dimension, and which of their values a window has.
struct Run {
  int64_t extent = 1, offset = 0, size = 1;
};
} // namespace

/// Which values the digits that choose a register have in a chunk. They are the
/// digits of the register's number, the largest stride first: those before one
/// that takes several values are fixed, and those behind it take all. Nothing
/// where a chunk is no such box.
static std::optional<SmallVector<Run>> getBox(const Layout &registers,
                                              Chunk chunk) {
  for (const AxisOffset &offset : registers.offsets)
    if (offset.axis == Axis::Reg)
      chunk.begin -= offset.value;
  SmallVector<Run> box;
  SmallVector<unsigned> digits;
  for (auto [index, mode] : llvm::enumerate(registers.modes)) {
    box.push_back({mode.extent, 0, mode.extent});
    if (mode.axis == Axis::Reg && mode.stride < 0)
      return std::nullopt;
    if (mode.axis == Axis::Reg && mode.stride > 0)
      digits.push_back(index);
  }
  // Registers that are not injective break a rule: strides differ.
  llvm::sort(digits, [&](unsigned a, unsigned b) {
    return registers.modes[a].stride > registers.modes[b].stride;
  });
  int64_t begin = chunk.begin, end = chunk.begin + chunk.size;
  for (unsigned digit : digits) {
    const Mode &mode = registers.modes[digit];
    int64_t first = begin / mode.stride;
    int64_t size = llvm::divideCeil(end, mode.stride) - first;
    if (begin < 0 || size < 1 || first + size > mode.extent)
      return std::nullopt;
    box[digit].offset = first;
    box[digit].size = size;
    begin -= first * mode.stride;
    end -= first * mode.stride;
    if (size == 1)
      continue;
    if (begin != 0 || end % mode.stride != 0)
      return std::nullopt;
    break;
  }
  return box;
}

/// Puts the digits of a dimension together as far as the window stays one run.
static SmallVector<Run> joinDigits(ArrayRef<Run> digits) {
  SmallVector<Run> runs;
  for (const Run &digit : digits) {
    if (!runs.empty() &&
        (runs.back().size == 1 || digit.size == digit.extent)) {
      Run &run = runs.back();
      run.offset = run.offset * digit.extent + digit.offset;
      run.extent *= digit.extent;
      run.size *= digit.size;
    } else {
      runs.push_back(digit);
    }
  }
  return runs;
}

std::optional<TransferWindow> WindowFinder::findInFactors(const Chunk &chunk) {
  constexpr StringLiteral what = "elements that lie apart";
  SmallVector<unsigned, 4> digitsPerDim;
  std::optional<Layout> split =
      splitModes(registers, view.getShape(), digitsPerDim);
  std::optional<SmallVector<Run>> box;
  if (split)
    box = getBox(*split, chunk);
  if (!box)
    return fail(what);
  TransferWindow window;
  SmallVector<int64_t> shape;
  ArrayRef<Run> rest = *box;
  for (unsigned count : digitsPerDim) {
    SmallVector<Run> runs = joinDigits(rest.take_front(count));
    if (runs.empty()) // Of a dimension of one element.
      runs.emplace_back();
    rest = rest.drop_front(count);
    window.factors.push_back(runs.size());
    for (const Run &run : runs) {
      shape.push_back(run.extent);
      window.offsets.push_back(run.offset);
      window.sizes.push_back(run.size);
    }
  }
  if (shape.size() == view.getShape().size()) {
    window.source = view;
    return finish(std::move(window), chunk, what);
  }
  // The same cells in the same order: only dimensions are cut.
  Layout memory = canonicalize(view.getExpandedLayout());
  if (!splitModes(memory, shape, digitsPerDim))
    return fail(what);
  window.source =
      ViewType::get(op->getContext(), shape, view.getElementType(),
                    cast<LayoutAttrInterface>(
                        Attribute(LayoutAttr::get(op->getContext(), memory))));
  return finish(std::move(window), chunk, what);
}
