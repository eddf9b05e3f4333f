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

#include "Program.h"

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
         " to begin at lane 0" + (mayBeHalved ? ", or 16 with 64 rows," : "") +
         " but got lane " + std::to_string(lane);
}
