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

std::string tmem::emulation::describeSharedAddress(const Thread &thread,
                                                   uint64_t address) {
  const Cta &own = *thread.cta;
  const Cta *owner = own.cluster->findOwner(address);
  auto number = [](uint64_t n) { return static_cast<unsigned long long>(n); };
  if (!owner || address - owner->sharedBegin >= owner->sharedBytes)
    return format("%#llx", number(address));
  std::string text = format("offset %llu of shared memory",
                            number(address - owner->sharedBegin));
  return owner == &own ? text : text + " of " + describeCta(*owner);
}

[[noreturn]] static void reportRace(const Thread &thread, const Site *site,
                                    const Mark &mine, const Mark &other,
                                    uint64_t address) {
  const char *kind = getKind(other.write, other.atomic);
  std::string who = describeWarp(*thread.cta, other.warp);
  const char *barrier =
      thread.cta->cluster->getWarp(other.warp).cta == thread.cta
          ? "barrier"
          : "barrier of the cluster";
  fault(thread, site,
        format("race: %s of warp %u at %s, and nothing orders it after the %s "
               "of %s: execute a %s between them",
               getKind(mine.write, mine.atomic), thread.warp->index,
               describeSharedAddress(thread, address).c_str(), kind,
               who.c_str(), barrier),
        {{other.site, format("%s of %s", kind, who.c_str())}});
}

void tmem::emulation::recordSharedAccess(const Thread &thread, const Site *site,
                                         Cta &owner, uint64_t address,
                                         uint64_t bytes, uint32_t flags) {
  if (!bytes)
    return;
  const Warp &warp = *thread.warp;
  uint64_t begin = address - owner.sharedBegin, end = begin + bytes;
  if (flags & TMemEmuAccessWrite)
    owner.tensorCore.checkSharedWrite(thread, site, begin, end);
  Mark mark = Mark();
  mark.site = site;
  mark.warp = warp.id;
  mark.epoch = mark.order = warp.clocks.order.at[warp.id];
  mark.write = flags & TMemEmuAccessWrite;
  mark.atomic = flags & TMemEmuAccessAtomic;
  auto add = [&](uint32_t firstWord, uint32_t lastWord, uint8_t bytesOfWord) {
    mark.bytes = bytesOfWord;
    owner.sharedShadow.add({firstWord, lastWord - firstWord + 1}, mark,
                           warp.clocks.order, [&](const Mark &other) {
                             reportRace(thread, site, mark, other, address);
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

static unsigned long long number(uint64_t n) { return n; }

/// An access that is not in shared memory of the CTA or its cluster.
[[noreturn]] static void reportOutOfBounds(const Thread &thread,
                                           const Site *site, uint64_t address,
                                           uint64_t bytes, uint32_t flags) {
  const Cta &cta = *thread.cta;
  const char *kind =
      getKind(flags & TMemEmuAccessWrite, flags & TMemEmuAccessAtomic);
  std::string space =
      format("expected offsets below the %llu bytes of shared memory of the "
             "block",
             number(cta.sharedBytes));
  int64_t offset = address - cta.sharedBegin;
  const SharedZone &zone = getSharedZone();
  // The addresses that follow a window are nobody's.
  constexpr int64_t near = sharedWindowStride;
  bool isSmall = cta.cluster->ctas.size() == 1 && offset > -near;
  if ((isSmall || offset >= 0) && offset < near)
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

/// An access to the window of another CTA of the cluster.
static void accessRemote(const Thread &thread, const Site *site, Cta &owner,
                         uint64_t address, uint64_t bytes, uint32_t flags) {
  const char *kind =
      getKind(flags & TMemEmuAccessWrite, flags & TMemEmuAccessAtomic);
  std::string who = describeCta(owner);
  if (flags & TMemEmuAccessShared)
    fault(thread, site,
          format("out of bounds: %s of %llu bytes through a pointer to "
                 ".shared::cta, in the shared memory of %s: expected a pointer "
                 "to .shared::cluster",
                 kind, number(bytes), who.c_str()));
  if (!isInShared(owner, address, bytes))
    fault(thread, site,
          format("out of bounds: %s of %llu bytes at offset %llu of the shared "
                 "memory of %s: expected offsets below its %llu bytes",
                 kind, number(bytes), number(address - owner.sharedBegin),
                 who.c_str(), number(owner.sharedBytes)));
  checkRemoteAccess(thread, site, owner, kind);
  if (owner.isRacing())
    recordSharedAccess(thread, site, owner, address, bytes, flags);
}

void tmemEmuSharedAccess(TMemEmuThread *t, const TMemEmuSite *site,
                         uint64_t address, uint64_t bytes, uint32_t flags) {
  Thread &thread = getThread(t);
  Cta &cta = *thread.cta;
  if (isInShared(cta, address, bytes)) {
    if (cta.isRacing())
      recordSharedAccess(thread, site, cta, address, bytes, flags);
    return;
  }
  Cta *owner = cta.cluster->findOwner(address);
  if (owner && owner != &cta)
    return accessRemote(thread, site, *owner, address, bytes, flags);
  // A generic pointer may point to other memory.
  const SharedZone &zone = getSharedZone();
  if ((flags & (TMemEmuAccessShared | TMemEmuAccessCluster)) ||
      address - zone.begin < zone.size)
    reportOutOfBounds(thread, site, address, bytes, flags);
}

//===----------------------------------------------------------------------===//
// Addresses in a cluster
//===----------------------------------------------------------------------===//

static const Cta &getOwner(const Thread &thread, const TMemEmuSite *site,
                           uint64_t address) {
  const Cta *owner = thread.cta->cluster->findOwner(address);
  if (!owner)
    fault(thread, site,
          format("expected an address in shared memory of the cluster, but got "
                 "%#llx",
                 number(address)));
  return *owner;
}

uint64_t tmemEmuMapShared(TMemEmuThread *t, const TMemEmuSite *site,
                          uint64_t address, uint32_t rank) {
  Thread &thread = getThread(t);
  const Cluster &cluster = *thread.cta->cluster;
  const Cta &owner = getOwner(thread, site, address);
  if (rank >= cluster.ctas.size())
    fault(thread, site,
          format("expected a rank below the %u blocks of the cluster, but got "
                 "%u",
                 unsigned(cluster.ctas.size()), rank));
  return cluster.ctas[rank]->sharedBegin + (address - owner.sharedBegin);
}

uint32_t tmemEmuGetCtaRank(TMemEmuThread *t, const TMemEmuSite *site,
                           uint64_t address) {
  return getOwner(getThread(t), site, address).rank;
}
