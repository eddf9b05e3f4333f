//===- Launch.cpp - Limits of a launch ------------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"
// (10.x), and PTX ISA, "Performance-Tuning Directives".
//
//===----------------------------------------------------------------------===//

#include "Launch.h"
#include "Faults.h"
#include "SharedWindows.h"
#include "TensorMemory.h"
#include <atomic>

using namespace tmem::emulation;

static constexpr int64_t maxThreads = 1024;
static constexpr int64_t maxBlock[3] = {1024, 1024, 64};
static constexpr int64_t maxGrid[3] = {2147483647, 65535, 65535};
static constexpr uint64_t maxRegisters = 65536; ///< Of a block.
/// Blocks of a cluster: 8 on any GPU, 16 where a kernel asks for more than is
/// portable.
static constexpr int64_t maxClusterSize = 16;

uint64_t Launch::getSharedBytes() const {
  uint64_t alignment = kernel->sharedAlignment ? kernel->sharedAlignment : 1;
  return dynamicShared
             ? alignTo(kernel->staticSharedBytes, alignment) + dynamicShared
             : kernel->staticSharedBytes;
}

/// An error of a launch.
[[noreturn]] static void launchError(const TMemEmuKernel &kernel,
                                     const std::string &message) {
  std::string place;
  if (kernel.site && kernel.site->file)
    place = format(" (%s:%u:%u)", tmemEmuGetFile(kernel.site),
                   kernel.site->line, kernel.site->column);
  setupError(format("launch of %s%s: %s", kernel.name, place.c_str(),
                    message.c_str()));
}

static void checkDimensions(const TMemEmuKernel &kernel, const char *what,
                            Dimensions given, const int64_t (&most)[3]) {
  int64_t values[3] = {given.x, given.y, given.z};
  for (int i = 0; i < 3; ++i)
    if (values[i] < 1 || values[i] > most[i])
      launchError(kernel, format("expected a %s of 1 to %lld in %c, but got "
                                 "%lld",
                                 what, static_cast<long long>(most[i]),
                                 "xyz"[i], static_cast<long long>(values[i])));
}

static void checkThreads(const TMemEmuKernel &kernel, Dimensions block) {
  checkDimensions(kernel, "block", block, maxBlock);
  int64_t threads = block.x * block.y * block.z;
  if (threads > maxThreads)
    launchError(kernel, format("expected at most %lld threads in a block, but "
                               "got %lld",
                               static_cast<long long>(maxThreads),
                               static_cast<long long>(threads)));
  const uint32_t *required = kernel.requiredThreads;
  uint32_t given[3] = {uint32_t(block.x), uint32_t(block.y), uint32_t(block.z)};
  bool any = required[0] || required[1] || required[2];
  for (int i = 0; any && i < 3; ++i) {
    // Dimensions that the attribute leaves out are 1.
    if (given[i] != (required[i] ? required[i] : 1))
      launchError(kernel, format("expected blocks of %u,%u,%u threads as its "
                                 "reqntid says, but got %u,%u,%u",
                                 required[0] ? required[0] : 1,
                                 required[1] ? required[1] : 1,
                                 required[2] ? required[2] : 1, given[0],
                                 given[1], given[2]));
  }
  if (kernel.maxThreads && threads > kernel.maxThreads)
    launchError(kernel,
                format("expected at most %u threads in a block as its "
                       "maxntid says, but got %lld",
                       kernel.maxThreads, static_cast<long long>(threads)));
  // Registers go to whole warps.
  uint64_t lanes = alignTo(threads, warpSize);
  if (kernel.maxRegisters * lanes > maxRegisters)
    launchError(
        kernel,
        format("expected at most %llu registers in a block, but %llu "
               "threads of %u registers take %llu",
               static_cast<unsigned long long>(maxRegisters),
               static_cast<unsigned long long>(lanes), kernel.maxRegisters,
               static_cast<unsigned long long>(kernel.maxRegisters * lanes)));
}

static void checkShared(const Launch &launch, int64_t dynamicShared) {
  const TMemEmuKernel &kernel = *launch.kernel;
  if (dynamicShared < 0 || dynamicShared > maxSharedBytes ||
      launch.getSharedBytes() > maxSharedBytes)
    launchError(
        kernel,
        format("expected at most %u bytes of shared memory, but got "
               "%llu static and %lld dynamic ones",
               maxSharedBytes,
               static_cast<unsigned long long>(kernel.staticSharedBytes),
               static_cast<long long>(dynamicShared)));
}

static std::string describe(Dimensions size) {
  return format("%lld,%lld,%lld", static_cast<long long>(size.x),
                static_cast<long long>(size.y), static_cast<long long>(size.z));
}

/// Clusters are of the launch, or of the kernel (nvvm.cluster_dim). Dimensions
/// that the attribute leaves out are 1.
static Dimensions getCluster(const TMemEmuKernel &kernel,
                             std::optional<Dimensions> given) {
  const uint32_t *own = kernel.clusterSize;
  if (!own[0] && !own[1] && !own[2])
    return given.value_or(Dimensions{1, 1, 1});
  Dimensions wanted = {own[0] ? own[0] : 1, own[1] ? own[1] : 1,
                       own[2] ? own[2] : 1};
  if (given &&
      (given->x != wanted.x || given->y != wanted.y || given->z != wanted.z))
    launchError(kernel,
                format("expected clusters of %s blocks as its "
                       "cluster_dim says, but got %s",
                       describe(wanted).c_str(), describe(*given).c_str()));
  return wanted;
}

static void checkCluster(const TMemEmuKernel &kernel, Dimensions cluster,
                         Dimensions grid) {
  int64_t sizes[3] = {cluster.x, cluster.y, cluster.z};
  int64_t blocks[3] = {grid.x, grid.y, grid.z};
  int64_t most = kernel.maxClusterBlocks;
  const char *why = " as its cluster_max_blocks says";
  if (most == 0 || most > maxClusterSize) {
    most = maxClusterSize;
    why = "";
  }
  int64_t count = 1;
  for (int64_t size : sizes)
    count = size < 1 || size > most ? most + 1 : count * size;
  if (count > most)
    launchError(kernel, format("expected clusters of 1 to %lld blocks%s, but "
                               "got %s",
                               static_cast<long long>(most), why,
                               describe(cluster).c_str()));
  for (int i = 0; i < 3; ++i)
    if (blocks[i] % sizes[i])
      launchError(kernel,
                  format("expected a grid of whole clusters: a multiple of "
                         "%lld blocks in %c, but got %lld",
                         static_cast<long long>(sizes[i]), "xyz"[i],
                         static_cast<long long>(blocks[i])));
}

/// What the compiler says of the kernel, which this library relies on.
static void checkKernel(const TMemEmuKernel &kernel) {
  for (uint32_t columns : {kernel.columns, kernel.exclusiveColumns})
    if (columns % blockColumns || columns > maxColumns)
      launchError(kernel,
                  format("expected a multiple of %u columns up to %u for chip "
                         "%s, but got %u",
                         blockColumns, maxColumns,
                         kernel.chip ? kernel.chip : "?", columns));
}

void tmem::emulation::launchKernel(const TMemEmuKernel &kernel,
                                   std::optional<Dimensions> givenCluster,
                                   Dimensions grid, Dimensions block,
                                   int64_t dynamicShared, void **params,
                                   uint64_t numParams) {
  static std::atomic<uint64_t> numLaunches{0};
  resetReports();
  checkInterrupt(nullptr, kernel.site);
  checkKernel(kernel);
  Dimensions cluster = getCluster(kernel, givenCluster);
  checkDimensions(kernel, "grid", grid, maxGrid);
  checkCluster(kernel, cluster, grid);
  checkThreads(kernel, block);
  if (numParams != kernel.numParams)
    launchError(kernel,
                format("expected %llu arguments, but got %llu",
                       static_cast<unsigned long long>(kernel.numParams),
                       static_cast<unsigned long long>(numParams)));
  bool isExplicit = givenCluster || kernel.clusterSize[0] ||
                    kernel.clusterSize[1] || kernel.clusterSize[2];
  Launch launch = {
      &kernel,
      {uint32_t(cluster.x), uint32_t(cluster.y), uint32_t(cluster.z)},
      isExplicit,
      {uint32_t(grid.x), uint32_t(grid.y), uint32_t(grid.z)},
      {uint32_t(block.x), uint32_t(block.y), uint32_t(block.z)},
      uint32_t(dynamicShared),
      params,
      getSettings(),
      numLaunches++};
  checkShared(launch, dynamicShared);
  runGrid(launch);
}
