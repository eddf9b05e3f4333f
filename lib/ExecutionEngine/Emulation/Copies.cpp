//===- Copies.cpp - tcgen05.cp and shift ----------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA, "tcgen05.cp" and "tcgen05.shift". The source of a copy is a K-major
// matrix of 32-bit words.
//
//===----------------------------------------------------------------------===//

#include "Descriptors.h"
#include "Faults.h"
#include <cstring>

using namespace tmem::emulation;

namespace {

/// What a copy moves, by TMemEmuCopyShape.
struct CopyShape {
  uint32_t rows, chunks; ///< Of 16 bytes.
  /// For each slab of 32 lanes the first row that it gets.
  uint32_t firstRows[4];
};

} // namespace

/// Warps that form a pair get the same half.
static constexpr CopyShape copyShapes[] = {
    {128, 2, {0, 32, 64, 96}}, {128, 1, {0, 32, 64, 96}},
    {64, 1, {0, 32, 0, 32}},   {64, 1, {0, 0, 32, 32}},
    {32, 1, {0, 0, 0, 0}},
};

/// All lanes of some columns.
static Region getColumns(const Thread &thread, const Site *site,
                         uint32_t address, uint32_t columns) {
  if (address >> 16 != 0)
    fault(thread, site,
          format("expected an address at lane 0, but got %s",
                 describeAddress(address).c_str()));
  uint32_t column = address & 0xffff;
  return {allGroups, column, column + columns};
}

static TensorOp makeOp(Thread &thread, const Site *site, TensorOp::Kind kind,
                       const Region &region) {
  TensorOp op = TensorOp();
  op.kind = kind;
  op.site = site;
  op.thread = &thread;
  op.write = region;
  checkAllocated(thread, site, "the matrix", region);
  return op;
}

//===----------------------------------------------------------------------===//
// cp
//===----------------------------------------------------------------------===//

static void copy(Cta &cta, const CopyShape &shape, const SharedMatrix &source,
                 const Region &region) {
  const uint8_t *shared = reinterpret_cast<const uint8_t *>(cta.sharedBegin);
  for (uint32_t lane = 0; lane < numLanes; ++lane)
    for (uint32_t chunk = 0; chunk < shape.chunks; ++chunk) {
      uint32_t row = shape.firstRows[lane / 32] + lane % 32;
      memcpy(cta.tensor.getCell(lane, region.columnBegin + 4 * chunk),
             shared + source.getKMajor(row, chunk), 16);
    }
  region.forEachBox(
      [&](const Box &box) { cta.tensor.markWritten(box, /*high=*/true); });
}

void tmemEmuTensorCopy(TMemEmuThread *t, const TMemEmuSite *site,
                       uint32_t shapeNumber, uint32_t flags, uint32_t address,
                       uint64_t descriptor) {
  Thread &thread = getThread(t);
  const Cta &cta = *thread.cta;
  checkTensorGroup(thread, site, flags);
  const CopyShape &shape = copyShapes[shapeNumber];
  SharedMatrix source = decodeMatrix(thread, site, "the source", descriptor);
  Region region = getColumns(thread, site, address, 4 * shape.chunks);
  TensorOp op = makeOp(thread, site, TensorOp::Copy, region);
  for (uint32_t row = 0; row < shape.rows; ++row)
    for (uint32_t chunk = 0; chunk < shape.chunks; ++chunk) {
      uint32_t begin = source.getKMajor(row, chunk);
      if (begin + 16 > cta.sharedBytes)
        fault(thread, site,
              format("out of bounds: the source reaches offset %u of shared "
                     "memory, of which the block has %llu bytes",
                     begin + 15,
                     static_cast<unsigned long long>(cta.sharedBytes)));
      op.sources.push_back({begin, begin + 16});
    }
  mergeSources(op.sources);
  op.run = [&shape, source, region](Cta &cta) {
    copy(cta, shape, source, region);
  };
  thread.cta->tensorCore.issue(std::move(op));
}

//===----------------------------------------------------------------------===//
// shift
//===----------------------------------------------------------------------===//

/// In each slab every row but the last takes the row behind it: the shape is
/// 31x256b (PTX ISA, "Data Movement Shape").
static void shift(Cta &cta, const Region &region, const Thread &thread,
                  const Site *site) {
  Box box = {0, numLanes, region.columnBegin, region.columnEnd};
  if (auto missing = cta.tensor.findUnwritten(box, /*high=*/true))
    fault(thread, site,
          format("the cell at lane %u, column %u was never written",
                 missing->lane, missing->column));
  size_t bytes = (region.columnEnd - region.columnBegin) * sizeof(uint32_t);
  for (uint32_t lane = 0; lane < numLanes; ++lane)
    if (lane % 32 != 31)
      memcpy(cta.tensor.getCell(lane, region.columnBegin),
             cta.tensor.getCell(lane + 1, region.columnBegin), bytes);
}

void tmemEmuTensorShift(TMemEmuThread *t, const TMemEmuSite *site,
                        uint32_t flags, uint32_t address) {
  Thread &thread = getThread(t);
  checkTensorGroup(thread, site, flags);
  Region region = getColumns(thread, site, address, 8);
  TensorOp op = makeOp(thread, site, TensorOp::Shift, region);
  op.reads[op.numReads++] = region;
  op.run = [region, &thread, site](Cta &cta) {
    shift(cta, region, thread, site);
  };
  thread.cta->tensorCore.issue(std::move(op));
}
