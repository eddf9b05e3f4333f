//===- TensorCore.cpp - What the tensor core accesses ---------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where matrices D and A of tcgen05.mma lie, as far as a constant instruction
// descriptor tells.
//
//===----------------------------------------------------------------------===//

#include "Flow.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

/// 32-bit columns of a matrix A in Tensor Memory: K elements are 32 bytes of
/// each row, for all kinds (PTX ISA, tcgen05.mma: shapes and kinds).
static constexpr int64_t columnsOfA = 8;

namespace {
struct Shape {
  int64_t m, n;
};
} // namespace

/// Of a constant descriptor (PTX ISA, tcgen05.mma: instruction descriptor).
static std::optional<Shape> getShape(Evaluator &evaluator, const Event &event) {
  if (!event.descriptor)
    return std::nullopt;
  ThreadValue value = evaluator.get(event.descriptor, event.frame);
  if (!value.isConstant())
    return std::nullopt;
  Shape shape{(value.constant >> 24 & 0x1f) * 16,
              (value.constant >> 17 & 0x3f) * 8};
  bool isLegal = shape.n > 0 && shape.n <= 256 &&
                 (shape.m == 64 || shape.m == 128 || shape.m == 256);
  return isLegal ? std::optional(shape) : std::nullopt;
}

/// Layouts of which the rows begin at lane 0 or 16: 64 rows of one CTA.
static bool isHalved(const std::optional<Shape> &shape, const Event &event) {
  return shape && shape->m == 64 && event.ctaGroup != 2;
}

Cells mlir::tmem::hazards::getTensorCells(Evaluator &evaluator,
                                          const Event &event, int64_t offset) {
  Cell cell = getCell(offset);
  std::optional<Shape> shape = getShape(evaluator, event);
  int64_t count = 1;
  if (event.kind == EventKind::TensorRead)
    count = columnsOfA;
  // The two halves of 128 rows of a pair lie beside each other.
  else if (shape)
    count = event.ctaGroup == 2 && shape->m == 128 ? shape->n / 2 : shape->n;
  Cells cells;
  bool isUpper = cell.lane % 32 == 16;
  for (unsigned half = 0; half < numHalves; ++half)
    if (!isHalved(shape, event) || half % 2 == isUpper)
      cells.add(half, cell.column, count);
  return cells;
}

std::string mlir::tmem::hazards::findTensorMisplaced(Evaluator &evaluator,
                                                     const Event &event,
                                                     int64_t offset) {
  // cp, shift, and mma with other layouts.
  if (!event.descriptor)
    return "";
  int64_t lane = getCell(offset).lane;
  std::optional<Shape> shape = getShape(evaluator, event);
  bool mayBeHalved = event.ctaGroup != 2 && (!shape || shape->m == 64);
  if (lane == 0 || (lane == 16 && mayBeHalved))
    return "";
  return std::string("expected matrix ") +
         (event.kind == EventKind::TensorRead ? "A" : "D") +
         " to begin at lane 0" + (mayBeHalved ? ", or 16 with 64 rows" : "") +
         ", but got lane " + std::to_string(lane);
}

/// One thread issues, or each lane multiplies anew (PTX ISA, tcgen05: issue
/// granularity).
void Flow::checkIssuer(unsigned event) {
  const Node &where = graph.nodes[node];
  if (where.mixed != Mixed::No)
    return;
  unsigned numThreads = program.evaluator.getBlock().getNumThreads();
  for (unsigned warp = 0; warp * warpSize < numThreads; ++warp) {
    unsigned count = 0;
    unsigned end = std::min((warp + 1) * warpSize, numThreads);
    for (unsigned thread = warp * warpSize; thread < end; ++thread)
      count += (*where.threads)[thread];
    if (count > 1)
      return find(describeIssuers(graph.events[event].op, warp, count));
  }
}

/// The lane that issues, of each warp of a node; where it is known, and one.
void Program::findLanes() {
  for (const Node &where : graph.nodes) {
    unsigned lane = noLane;
    uint32_t seen = 0;
    bool isOne = where.mixed == Mixed::No;
    for (size_t thread = where.threads->_Find_first();
         isOne && thread < maxThreads;
         thread = where.threads->_Find_next(thread)) {
      isOne = !(seen >> thread / warpSize & 1) &&
              (lane == noLane || lane == thread % warpSize);
      seen |= 1u << thread / warpSize;
      lane = thread % warpSize;
    }
    nodeLanes.push_back(isOne ? lane : noLane);
  }
  committingLanes.assign(unitWarps.size(), 0);
  for (auto [node, event] : graph.getSites(EventKind::Commit))
    for (unsigned unit = 0; unit < unitWarps.size(); ++unit)
      if (nodeUnits[node] >> unit & 1)
        committingLanes[unit] |=
            nodeLanes[node] == noLane ? ~0u : 1u << nodeLanes[node];
}

Missing Program::getCompletion(const Order &order) const {
  uint32_t lanes = committingLanes[order.unit];
  bool isOther =
      order.lane != noLane && lanes != 0 && !(lanes >> order.lane & 1);
  return isOther ? Missing::Issuer : Missing::Completion;
}
