//===- PlanColumnsReport.cpp - What was placed where ----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanColumns.h"
#include "tmem/Layout/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tmem;

std::string mlir::tmem::getBufferName(unsigned number) {
  std::string name(1, char('A' + number % 26));
  return number < 26 ? name : name + std::to_string(number / 26);
}

/// "lanes 0 to 15, 32 to 47", or nothing for all of them.
static std::string describeLanes(LaneGroups lanes) {
  if (lanes == allLaneGroups)
    return "";
  std::string text;
  for (unsigned group = 0; group < 8; ++group) {
    if (!(lanes >> group & 1))
      continue;
    unsigned end = group;
    while (end < 8 && lanes >> end & 1)
      ++end;
    text += (text.empty() ? ", lanes " : ", ") + std::to_string(16 * group) +
            " to " + std::to_string(16 * end - 1);
    group = end;
  }
  return text;
}

static std::string describePlace(const PackingItem &item,
                                 const PackingPlace &place) {
  return "columns " + std::to_string(place.column) + " to " +
         std::to_string(place.column + item.columns - 1) +
         describeLanes(item.getLanes(place.isShifted));
}

//===----------------------------------------------------------------------===//
// Pictures
//===----------------------------------------------------------------------===//

namespace {

/// Draws which buffers are where: lanes downwards, columns to the right.
class Picture {
public:
  Picture(ArrayRef<Buffer> buffers, const ColumnPacking &packing,
          unsigned columns)
      : buffers(buffers), packing(packing) {
    constexpr unsigned maxCharacters = 64;
    scale = std::max(1u, columns / maxCharacters);
    width = (columns + scale - 1) / scale;
  }

  void print(llvm::raw_ostream &os, ArrayRef<unsigned> living) const {
    std::string rows[8];
    for (unsigned group = 0; group < 8; ++group)
      rows[group] = getRow(living, group);
    bool slabsAgree = true;
    for (unsigned group = 2; group < 8; ++group)
      slabsAgree &= rows[group] == rows[group % 2];
    if (slabsAgree && rows[0] != rows[1]) {
      os << "\n  " << rows[0] << "  lanes 0 to 15 of each slab";
      os << "\n  " << rows[1] << "  lanes 16 to 31 of each slab";
      return;
    }
    for (unsigned group = 0; group < 8;) {
      unsigned end = group + 1;
      while (end < 8 && rows[end] == rows[group])
        ++end;
      os << "\n  " << rows[group];
      if (end - group < 8)
        os << "  lanes " << 16 * group << " to " << 16 * end - 1;
      group = end;
    }
  }

  unsigned getScale() const { return scale; }

private:
  std::string getRow(ArrayRef<unsigned> living, unsigned group) const {
    std::string row(width, '.');
    for (unsigned buffer : living) {
      const PackingItem &item = buffers[buffer].item;
      const PackingPlace &place = packing.places[buffer];
      if (!(item.getLanes(place.isShifted) >> group & 1))
        continue;
      unsigned end = (place.column + item.columns + scale - 1) / scale;
      for (unsigned x = place.column / scale; x < std::min(end, width); ++x)
        row[x] = row[x] == '.' ? getBufferName(buffer)[0] : '+';
    }
    return row;
  }

  ArrayRef<Buffer> buffers;
  const ColumnPacking &packing;
  unsigned scale, width;
};

} // namespace

//===----------------------------------------------------------------------===//
// Remarks and errors
//===----------------------------------------------------------------------===//

void mlir::tmem::emitReport(gpu::GPUFuncOp kernel, const BufferUses &uses,
                            const ColumnPacking &packing,
                            const Lifetimes &lifetimes,
                            const AllocationRequest &request) {
  InFlightDiagnostic diag = emitRemark(kernel.getLoc());
  diag << "@" << kernel.getName() << ": " << uses.buffers.size()
       << " buffers take " << packing.columns << " columns"
       << (packing.isOptimal ? ", the fewest that there are"
                             : ", the fewest that were found")
       << ", of " << request.columns << " allocated";
  for (auto [number, buffer] : llvm::enumerate(uses.buffers)) {
    Diagnostic &note = diag.attachNote(buffer.op->getLoc());
    note << getBufferName(number) << ": "
         << describePlace(buffer.item, packing.places[number]);
    if (buffer.escape)
      note << "; lives throughout, because '" << buffer.escape->getName()
           << "' takes it out of sight";
  }
  if (lifetimes.ignoredSync)
    diag.attachNote(lifetimes.ignoredSync->getLoc())
        << "'" << lifetimes.ignoredSync->getName()
        << "' orders some of the warps and is not looked at: buffers that only "
           "such operations keep apart have columns of their own";
  Picture picture(uses.buffers, packing, request.columns);
  auto draw = [&](const Moment &moment, StringRef text) {
    std::string drawing;
    llvm::raw_string_ostream os(drawing);
    picture.print(os, moment.buffers);
    diag.attachNote(moment.op->getLoc()) << text << drawing;
  };
  for (const Moment &moment : lifetimes.timeline)
    draw(moment, "from here on");
  if (lifetimes.peak.op)
    draw(lifetimes.peak,
         "the most columns are in use here; one letter stands for " +
             std::to_string(picture.getScale()));
}

/// Where the limit comes from, if not from the columns alone.
static void attachLimit(Diagnostic &diag, const ColumnLimit &limit) {
  if (limit.columns == limit.left)
    return;
  diag.attachNote() << describeCount(limit.left, "column")
                    << (limit.left == 1 ? " is left" : " are left")
                    << ", and an allocation has "
                    << (limit.isExclusive ? "a multiple of 32"
                                          : "a power of two from 32 to 512");
}

void mlir::tmem::emitOversubscription(gpu::GPUFuncOp kernel,
                                      const BufferUses &uses,
                                      const ColumnPacking &packing,
                                      const Lifetimes &lifetimes,
                                      const ColumnLimit &limit) {
  const Moment &peak = lifetimes.peak;
  Operation *op = peak.op ? peak.op : kernel.getOperation();
  // Not the kernel as a whole, which may be large.
  InFlightDiagnostic diag = emitError(op->getLoc());
  diag << "'" << op->getName() << "' op expected ";
  unsigned needed = std::max(packing.columns, peak.columns);
  if (limit.columns == 0)
    diag << "an allocation for the buffers that live here, but got none";
  else
    diag << "the buffers that live here to take at most " << limit.columns
         << " columns, but got " << needed << ": " << needed - limit.columns
         << " too many";
  diag.attachNote() << "rule " << getRuleId(Rule::B3) << ": "
                    << getRuleText(Rule::B3);
  attachLimit(*diag.getUnderlyingDiagnostic(), limit);
  for (unsigned number : peak.buffers) {
    Buffer buffer = uses.buffers[number];
    diag.attachNote(buffer.op->getLoc())
        << "of " << buffer.item.columns << " columns, lives there"
        << describeLanes(buffer.item.lanes);
  }
}

void mlir::tmem::emitWiderAllocation(const OtherAllocations &others,
                                     const ColumnLimit &limit) {
  InFlightDiagnostic diag = others.widestOp->emitOpError();
  diag
      << "expected at most " << limit.columns
      << " columns, as many as the allocation of the buffers may have, but got "
      << others.widest;
  diag.attachNote() << "rule " << getRuleId(Rule::B4) << ": "
                    << getRuleText(Rule::B4);
  attachLimit(*diag.getUnderlyingDiagnostic(), limit);
}
