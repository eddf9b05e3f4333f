//===- FlowColumns.cpp - Columns of accesses and allocations --------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether accesses lie in their allocation, and how many columns are asked for
// and freed. Numbers that are no constants have bounds, or are one of a few;
// what that does not say is left to runs.
//
//===----------------------------------------------------------------------===//

#include "Bounds.h"
#include "Flow.h"
#include "tmem/IR/TMemOps.h"
#include "tmem/Target/Chips.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// The first column outside of `count` columns that an access of the units that
/// execute it reaches at `offset`: the number of it, or none.
std::optional<int64_t> Flow::findOutside(unsigned event,
                                         const ThreadValue &offset,
                                         int64_t count) const {
  Cells inside, outside, everything;
  for (unsigned half = 0; half < numHalves; ++half)
    inside.add(half, 0, count);
  for (unsigned unit = 0; unit < program.unitWarps.size(); ++unit)
    if (units >> unit & 1)
      outside.unite(program.getCells(event, unit, offset));
  outside.subtract(inside);
  everything.addAll();
  int column = outside.findColumn(everything);
  int64_t first = int16_t(offset.get(program.targets[event].thread) & 0xffff);
  if (first < 0)
    return first;
  return column >= 0 ? std::optional<int64_t>(column) : std::nullopt;
}

/// Columns that a loop, a branch or an argument decides. What else is not
/// decided of the access is said first.
void Flow::doubtColumns(unsigned event) {
  const Event &what = graph.events[event];
  const Target &target = program.targets[event];
  const Root &root = program.roots[target.root];
  ThreadValue unknown;
  unknown.terms.assign(target.unknown.begin(), target.unknown.end());
  Evaluator &evaluator = program.evaluator;
  // That lanes may name several is said of the address (checkAgreement).
  if (evaluator.getAgreement(unknown) == Agreement::None)
    return;
  std::optional<Bounds> range = program.findColumns(unknown, what.frame);
  bool isInside = range.has_value();
  if (range && !range->isEmpty())
    for (int64_t more : {range->first, range->last}) {
      ThreadValue offset = target.offset;
      offset.constant += more;
      // Beyond that it would change the lane.
      isInside &= std::abs(more) < int64_t(numColumns) &&
                  !findOutside(event, offset, root.least);
    }
  if (!isInside)
    openColumns.push_back(
        {event,
         "whether the columns that it names, which are computed, lie in the "
         "allocation"});
}

void Flow::checkBounds(unsigned event, const State &state) {
  const Target &target = program.targets[event];
  const Root &root = program.roots[target.root];
  std::string badSplit = findBadSplit(program.evaluator, graph.events[event]);
  if (!badSplit.empty())
    return find(Rule::H17, event, badSplit, -1, "", splitFix);
  std::string misplaced = program.findMisplaced(event, node);
  if (!misplaced.empty()) {
    bool isView = isa<TransferOpInterface>(graph.events[event].op);
    bool isTensor = isOfTensorCore(graph.events[event].kind);
    return find(Rule::H17, event, misplaced, -1, "",
                isTensor ? "add columns only to the address that alloc returned"
                : isView
                    ? "let the address name lane 0, or 16 for a view of the "
                      "lower halves of slabs"
                    : "add 32 * (warp % 4) << 16 to the address");
  }
  if (!isReporting || !root.isAllocated || !root.isSized)
    return;
  if (target.isDynamic)
    return doubtColumns(event);
  std::optional<int64_t> column = findOutside(event, target.offset, root.least);
  if (!column)
    return;
  int alloc = state.allocations[target.root].alloc
                  ? int(state.allocations[target.root].alloc)
                  : -1;
  if (root.columns < 0)
    return doubt(event,
                 "whether its allocation has column " + Twine(*column) +
                     ": how many columns are allocated is no constant",
                 alloc, /*isForRuns=*/root.isBounded);
  find(Rule::H17, event,
       "expected columns 0 to " + Twine(root.columns - 1) +
           " of the allocation, but got column " + Twine(*column),
       alloc, "allocated here", "allocate more columns, or access fewer");
}

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

/// Whether a number is the same wherever it is used: the kernel computes it
/// once.
bool Flow::isFixed(const ThreadValue &number) const {
  Frame *frame = program.evaluator.getKernelFrame();
  Block *entry = &frame->function->getRegion(0).front();
  return !number.table && llvm::all_of(number.terms, [&](Term term) {
    Value value = program.evaluator.getOpaque(term.symbol);
    return value && value.getParentBlock() == entry &&
           !program.evaluator.getContent(term.symbol);
  });
}

/// Whether two numbers are the same, one of them used here.
bool Flow::areSame(const ThreadValue &a, const ThreadValue &b) const {
  return a == b && (!graph.nodes[node].isInLoop || isFixed(a));
}

void Flow::checkColumns(unsigned event) {
  const Event &what = graph.events[event];
  checkAgreement(event, what.columns, "number of columns");
  const Target &target = program.targets[event];
  bool isKnown = what.columns ? target.size.isConstant() : target.columns != -1;
  if (isKnown) {
    if (!isLegalCount(what, target.columns))
      find(describeCount(what, target.columns));
    return;
  }
  if (what.kind != EventKind::Alloc || !what.columns)
    return;
  // What an argument alone decides is up to the launch.
  Evaluator &evaluator = program.evaluator;
  auto constants = findConstants(evaluator, target.size, what.frame);
  bool isLegal = constants && llvm::all_of(*constants, [&](int64_t count) {
                   return isLegalCount(what, count);
                 });
  if (!isLegal && findBounds(evaluator, target.size, what.frame))
    doubt(event, "whether the number of columns is one that there is");
}

/// An alloc behind another one, where one of them has no constant number of
/// columns.
void Flow::doubtGrowth(unsigned event, const State &state) {
  if (!isReporting)
    return;
  const Target &mine = program.targets[event];
  auto getRange = [&](unsigned alloc) {
    Bounds all{32, getMaxColumns()};
    std::optional<Bounds> range =
        findBounds(program.evaluator, program.targets[alloc].size,
                   graph.events[alloc].frame);
    return range && !range->isEmpty() ? *range : all;
  };
  for (const Allocation &allocation : state.allocations) {
    if (allocation.alloc == 0)
      continue;
    const Target &other = program.targets[allocation.alloc];
    if ((mine.columns >= 0 && other.columns >= 0) ||
        areSame(mine.size, other.size))
      continue;
    if (getRange(event).last > getRange(allocation.alloc).first)
      return doubt(event,
                   "whether it asks for more columns than the alloc before",
                   allocation.alloc);
  }
}

/// Frees of another number of columns than were allocated.
void Flow::checkFreedColumns(unsigned event, const Allocation &allocation) {
  const Target &target = program.targets[event];
  if (target.columns >= 0 && allocation.columns >= 0) {
    if (target.columns != allocation.columns)
      find(Rule::H7, event,
           "expected the " + Twine(allocation.columns) +
               " columns that were allocated, but got " + Twine(target.columns),
           allocation.alloc, "allocated here", "free as many columns");
    return;
  }
  if (allocation.alloc &&
      !areSame(target.size, program.targets[allocation.alloc].size))
    doubt(event, "whether it frees as many columns as were allocated",
          allocation.alloc);
}
