//===- NativeImages.cpp - What tcgen05.ld/st move -------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Layout/NativeImages.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>

using namespace mlir::tmem;

// A step is {lanes, cells}. 16x64b is right as it stands: even lanes of the
// warp have rows 0 to 7, odd lanes rows 8 to 15.
static constexpr NativeImage images[] = {
    // clang-format off
    // shape                name        rows  columns  words  max N  steps of the lane id's bits               steps of the word's bits  SASS  source
    {AtomShape::S32x32b,   "32x32b",    32,   1,       1,     128,   {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {16, 0}}, {{0, 0}, {0, 0}},        1,    "PTX ISA, matrix fragments of tcgen05.ld/st .32x32b"},
    {AtomShape::S16x64b,   "16x64b",    16,   2,       1,     128,   {{8, 0}, {0, 1}, {1, 0}, {2, 0}, {4, 0}},  {{0, 0}, {0, 0}},        1,    "PTX ISA, matrix fragments of tcgen05.ld/st .16x64b"},
    {AtomShape::S16x128b,  "16x128b",   16,   4,       2,     64,    {{0, 1}, {0, 2}, {1, 0}, {2, 0}, {4, 0}},  {{8, 0}, {0, 0}},        1,    "PTX ISA, matrix fragments of tcgen05.ld/st .16x128b"},
    {AtomShape::S16x256b,  "16x256b",   16,   8,       4,     32,    {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}},  {{0, 1}, {8, 0}},        1,    "PTX ISA, matrix fragments of tcgen05.ld/st .16x256b"},
    {AtomShape::S16x32bx2, "16x32bx2",  16,   1,       1,     128,   {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {0, 0}},  {{0, 0}, {0, 0}},        2,    "PTX ISA, matrix fragments of tcgen05.ld/st .16x32bx2"},
    // clang-format on
};

llvm::ArrayRef<NativeImage> mlir::tmem::getNativeImages() { return images; }

const NativeImage &mlir::tmem::getNativeImage(AtomShape shape) {
  const NativeImage &image = images[static_cast<unsigned>(shape)];
  assert(image.shape == shape && "rows stand in the order of AtomShape");
  return image;
}

std::optional<AtomShape> mlir::tmem::symbolizeAtomShape(llvm::StringRef name) {
  for (const NativeImage &image : images)
    if (image.name == name)
      return image.shape;
  return std::nullopt;
}

llvm::StringRef mlir::tmem::stringifyAtomShape(AtomShape shape) {
  return getNativeImage(shape).name;
}

bool mlir::tmem::isLegalRepeat(AtomShape shape, int64_t repeat) {
  return repeat >= 1 && repeat <= getNativeImage(shape).maxRepeat &&
         llvm::isPowerOf2_64(repeat);
}

unsigned mlir::tmem::getNumWords(AtomShape shape, unsigned repeat) {
  return getNativeImage(shape).wordsPerRepeat * repeat;
}

/// The steps of the bits that are set in `index`, added up.
static Cell addSteps(llvm::ArrayRef<Cell> steps, unsigned index) {
  Cell cell;
  for (auto [bit, step] : llvm::enumerate(steps))
    if (index >> bit & 1)
      cell = cell + step;
  return cell;
}

/// Packed, an image of columns becomes one of pairs of columns.
static Cell widen(Cell cell, Packing packing) {
  return {cell.lane, packing == Packing::None ? cell.column : cell.column * 2};
}

Cell mlir::tmem::getLaneCell(AtomShape shape, Packing packing, unsigned lane) {
  assert(lane < 32 && "expected a lane of the warp");
  return widen(addSteps(getNativeImage(shape).laneSteps, lane), packing);
}

Cell mlir::tmem::getWordCell(AtomShape shape, Packing packing, unsigned word) {
  const NativeImage &image = getNativeImage(shape);
  Cell cell = addSteps(image.wordSteps, word % image.wordsPerRepeat);
  cell.column += int64_t(word / image.wordsPerRepeat) * image.columnsPerRepeat;
  return widen(cell, packing);
}
