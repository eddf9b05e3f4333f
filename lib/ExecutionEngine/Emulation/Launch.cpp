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
    place = format(" (%s:%u:%u)", kernel.site->file, kernel.site->line,
                   kernel.site->column);
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

/// Clusters are of the launch, or of the kernel.
static void checkCluster(const TMemEmuKernel &kernel, Dimensions cluster) {
  const uint32_t *own = kernel.clusterSize;
  Dimensions wanted = {own[0] ? own[0] : 1, own[1] ? own[1] : 1,
                       own[2] ? own[2] : 1};
  for (Dimensions size : {cluster, wanted})
    if (size.x != 1 || size.y != 1 || size.z != 1)
      launchError(kernel,
                  format("clusters of %lld,%lld,%lld blocks are not emulated "
                         "yet: expected clusters of one block",
                         static_cast<long long>(size.x),
                         static_cast<long long>(size.y),
                         static_cast<long long>(size.z)));
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
                                   Dimensions cluster, Dimensions grid,
                                   Dimensions block, int64_t dynamicShared,
                                   void **params, uint64_t numParams) {
  static std::atomic<uint64_t> numLaunches{0};
  resetReports();
  checkInterrupt(nullptr, kernel.site);
  checkKernel(kernel);
  checkCluster(kernel, cluster);
  checkDimensions(kernel, "grid", grid, maxGrid);
  checkThreads(kernel, block);
  if (numParams != kernel.numParams)
    launchError(kernel,
                format("expected %llu arguments, but got %llu",
                       static_cast<unsigned long long>(kernel.numParams),
                       static_cast<unsigned long long>(numParams)));
  Launch launch = {&kernel,
                   {uint32_t(grid.x), uint32_t(grid.y), uint32_t(grid.z)},
                   {uint32_t(block.x), uint32_t(block.y), uint32_t(block.z)},
                   uint32_t(dynamicShared),
                   params,
                   getSettings(),
                   numLaunches++};
  checkShared(launch, dynamicShared);
  runGrid(launch);
}
