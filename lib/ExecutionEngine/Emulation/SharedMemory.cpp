//===- SharedMemory.cpp - Accesses to shared memory -----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedMemory.h"
#include "Faults.h"
#include "SharedWindows.h"

using namespace tmem::emulation;

static const char *getKind(bool write, bool atomic) {
  return atomic ? "atomic access" : write ? "store" : "load";
}

[[noreturn]] static void reportRace(const Thread &thread, const Site *site,
                                    const Mark &mine, const Mark &other,
                                    uint64_t offset) {
  const char *kind = getKind(other.write, other.atomic);
  fault(thread, site,
        format("race: %s of warp %u at offset %llu of shared memory, and "
               "nothing orders it after the %s of warp %u: execute a barrier "
               "between them",
               getKind(mine.write, mine.atomic), mine.warp,
               static_cast<unsigned long long>(offset), kind, other.warp),
        {{other.site, format("%s of warp %u", kind, other.warp)}});
}

void tmem::emulation::recordSharedAccess(const Thread &thread, const Site *site,
                                         uint64_t address, uint64_t bytes,
                                         uint32_t flags) {
  if (!bytes)
    return;
  Cta &cta = *thread.cta;
  const Warp &warp = *thread.warp;
  uint64_t begin = address - cta.sharedBegin, end = begin + bytes;
  if (flags & TMemEmuAccessWrite)
    cta.tensorCore.checkSharedWrite(thread, site, begin, end);
  Mark mark = Mark();
  mark.site = site;
  mark.warp = warp.index;
  mark.epoch = mark.order = warp.clocks.order.at[warp.index];
  mark.write = flags & TMemEmuAccessWrite;
  mark.atomic = flags & TMemEmuAccessAtomic;
  auto add = [&](uint32_t firstWord, uint32_t lastWord, uint8_t bytesOfWord) {
    mark.bytes = bytesOfWord;
    cta.sharedShadow.add({firstWord, lastWord - firstWord + 1}, mark,
                         warp.clocks.order, [&](const Mark &other) {
                           reportRace(thread, site, mark, other, begin);
                         });
  };
  // Bytes of the first and of the last word, if these are not whole.
  uint32_t first = begin / 4, last = (end - 1) / 4;
  uint8_t firstBytes = 0xf << begin % 4 & 0xf;
  uint8_t lastBytes = 0xf >> (3 - (end - 1) % 4);
  if (first == last)
    return add(first, first, firstBytes & lastBytes);
  if (firstBytes != 0xf)
    add(first, first, firstBytes), ++first;
  if (lastBytes != 0xf)
    add(last, last, lastBytes), --last;
  if (first <= last)
    add(first, last, 0xf);
}

/// An access that is not in the CTA's own shared memory.
[[noreturn]] static void reportOutOfBounds(const Thread &thread,
                                           const Site *site, uint64_t address,
                                           uint64_t bytes, uint32_t flags) {
  const Cta &cta = *thread.cta;
  auto number = [](uint64_t n) { return static_cast<unsigned long long>(n); };
  const char *kind =
      getKind(flags & TMemEmuAccessWrite, flags & TMemEmuAccessAtomic);
  std::string space =
      format("expected offsets below the %llu bytes of shared memory of the "
             "block",
             number(cta.sharedBytes));
  int64_t offset = address - cta.sharedBegin;
  const SharedZone &zone = getSharedZone();
  // The addresses that follow a window are nobody's.
  constexpr int64_t near = 256 * 1024;
  if (offset > -near && offset < near)
    fault(thread, site,
          format("out of bounds: %s of %llu bytes at offset %lld of shared "
                 "memory: %s",
                 kind, number(bytes), static_cast<long long>(offset),
                 space.c_str()));
  if (address - zone.begin < zone.size)
    fault(thread, site,
          format("out of bounds: %s of %llu bytes at address %#llx, in the "
                 "shared memory of another block: %s",
                 kind, number(bytes), number(address), space.c_str()));
  fault(thread, site,
        format("out of bounds: %s of %llu bytes at address %#llx, which is not "
               "in shared memory: %s",
               kind, number(bytes), number(address), space.c_str()));
}

void tmemEmuSharedAccess(TMemEmuThread *t, const TMemEmuSite *site,
                         uint64_t address, uint64_t bytes, uint32_t flags) {
  Thread &thread = getThread(t);
  const Cta &cta = *thread.cta;
  const SharedZone &zone = getSharedZone();
  if (!isInShared(cta, address, bytes)) {
    // A generic pointer may point to other memory.
    if ((flags & TMemEmuAccessShared) || address - zone.begin < zone.size)
      reportOutOfBounds(thread, site, address, bytes, flags);
    return;
  }
  if (cta.isRacing())
    recordSharedAccess(thread, site, address, bytes, flags);
}
