//===- Faults.cpp - How a kernel on a GPU ends in a fault -----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Thread.h"

using namespace tmem::emulation;

// `retain` keeps the name when gpu-module-to-binary links this library: it
// makes all other globals internal, and the host could not find them.
extern "C" {
__attribute__((used, retain,
               visibility("protected"))) DeviceGlobals tmemEmuDevice = {};
}

static void copyText(volatile char *to, const char *from, uint32_t size) {
  uint32_t length = 0;
  for (; from && from[length] && length + 1 < size; ++length)
    to[length] = from[length];
  to[length] = 0;
}

static void copySite(volatile DeviceFaultSite *to, const TMemEmuSite *from) {
  if (!from)
    return;
  copyText(to->op, tmemEmuGetOp(from), sizeof(to->op));
  copyText(to->file, tmemEmuGetFile(from), sizeof(to->file));
  to->line = from->line;
  to->column = from->column;
}

static void copyIndex(volatile uint32_t *to, gpu::Index from) {
  to[0] = from.x;
  to[1] = from.y;
  to[2] = from.z;
}

/// Chooses who writes the record: of the threads that find something at about
/// the same time the first one of the first block, for reports that do not
/// change from run to run. The others end here. They must not trap, which would
/// end the writer, too, and lanes that wait in a loop can block one of their
/// warp that goes on.
static void electWriter() {
  constexpr uint64_t nanoseconds = 50000;
  if (gpu::getLane() != gpu::getFirst(gpu::getActiveMask()))
    gpu::exit();
  gpu::Index block = gpu::getBlock(), blocks = gpu::getGridSize();
  uint64_t linear =
      block.x + uint64_t(blocks.x) * (block.y + uint64_t(blocks.y) * block.z);
  uint64_t key = linear * 1024 + gpu::getLinearThread();
  gpu::minAtomic(&tmemEmuDevice.first, key);
  for (uint64_t begin = gpu::getNanoseconds();
       gpu::getNanoseconds() - begin < nanoseconds;)
    gpu::pause();
  if (gpu::load(&tmemEmuDevice.first) != key ||
      !gpu::claim(&tmemEmuDevice.faulted, 1))
    gpu::exit();
}

TMEM_GPU_OUTLINE void tmem::emulation::reportFault(
    DeviceFaultKind kind, const TMemEmuSite *site, const TMemEmuSite *note,
    uint32_t value0, uint32_t value1, uint32_t value2, uint32_t value3) {
  electWriter();
  volatile DeviceFault *record = tmemEmuDevice.fault;
  copyIndex(record->block, gpu::getBlock());
  copyIndex(record->thread, gpu::getThread());
  record->values[0] = value0;
  record->values[1] = value1;
  record->values[2] = value2;
  record->values[3] = value3;
  copySite(&record->site, site);
  copySite(&record->note, note);
  gpu::fenceSystem();
  record->kind = kind;
  gpu::fenceSystem();
  gpu::trap();
}

TMEM_GPU_OUTLINE bool tmem::emulation::isDeadlock(uint64_t begin) {
  return gpu::getNanoseconds() - begin > tmemEmuDevice.patience;
}
