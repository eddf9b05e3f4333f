//===- Pipelines.h - Pass pipelines -----------------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_PIPELINES_PIPELINES_H
#define TMEM_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassOptions.h"
#include <string>

namespace mlir {
class OpPassManager;
class Operation;
class PassManager;

namespace tmem {

/// Options of pipelines that lower kernels; those of tmem-tile-transfers, which
/// runs where either is not 0.
template <typename T> struct TilingOptions : public PassPipelineOptions<T> {
  ::mlir::detail::PassOptions::Option<unsigned> tileColumns{
      *this, "tile-columns",
      llvm::cl::desc("Move wide tiles in chunks of so many columns; 0 for as "
                     "many as max-live-registers allows"),
      llvm::cl::init(0)};
  ::mlir::detail::PassOptions::Option<unsigned> maxLiveRegisters{
      *this, "max-live-registers",
      llvm::cl::desc("32-bit registers that tiles of a thread may have live at "
                     "once, or else are moved in chunks; 0 for any number"),
      llvm::cl::init(0)};
};

struct TMemToCubinOptions : public TilingOptions<TMemToCubinOptions> {
  PassOptions::Option<std::string> chip{
      *this, "chip", llvm::cl::desc("The chip to compile for, such as sm_103a"),
      llvm::cl::init("sm_100a")};
  PassOptions::Option<std::string> format{
      *this, "format", llvm::cl::desc("What the binary holds: isa or bin"),
      llvm::cl::init("bin")};
  PassOptions::Option<unsigned> optLevel{
      *this, "opt-level",
      llvm::cl::desc("Optimization level of LLVM and ptxas, 1 to 3"),
      llvm::cl::init(3)};
  PassOptions::Option<std::string> ptxas{
      *this, "ptxas", llvm::cl::desc("Path of ptxas"), llvm::cl::init("")};
};

/// `tmem-to-cubin`: gpu.modules of tmem, gpu, arith, math, vector, memref, scf
/// and cf operations become gpu.binary operations that hold a checked cubin (or
/// PTX) for one chip. Host code stays as it is, but for outlined gpu.launch.
void buildTMemToCubinPipeline(OpPassManager &manager,
                              const TMemToCubinOptions &options);

struct TMemEmulateOptions : public TilingOptions<TMemEmulateOptions> {
  PassOptions::Option<std::string> mode{
      *this, "mode",
      llvm::cl::desc("Where the kernels run: host, device, both for host code "
                     "beside a cubin for `chip`, or none for that cubin alone"),
      llvm::cl::init("host")};
  PassOptions::Option<std::string> chip{
      *this, "chip", llvm::cl::desc("The chip to model, such as sm_103a"),
      llvm::cl::init("sm_100a")};
  PassOptions::Option<std::string> gpuChip{
      *this, "gpu-chip",
      llvm::cl::desc("The GPU that emulates, for mode=device: sm_75 or later"),
      llvm::cl::init("sm_75")};
  PassOptions::Option<std::string> library{
      *this, "library",
      llvm::cl::desc("Path of libtmem_emulation_device.bc, for mode=device"),
      llvm::cl::init("")};
  PassOptions::Option<std::string> ptxas{
      *this, "ptxas", llvm::cl::desc("Path of ptxas, for mode=both"),
      llvm::cl::init("")};
  PassOptions::Option<bool> checkBounds{
      *this, "check-bounds",
      llvm::cl::desc("Assert that accesses of memrefs are inside of them"),
      llvm::cl::init(false)};
  PassOptions::Option<std::string> assertionHandler{
      *this, "assertion-handler",
      llvm::cl::desc(
          "The function that assertions of host code call where they "
          "fail, with the message, the operation, the file, the line "
          "and the column; abort if empty"),
      llvm::cl::init("")};
};

/// `tmem-emulate`: a module of host code and gpu.modules, of the dialects that
/// tmem-to-cubin takes, becomes LLVM operations that mlir-runner executes with
/// libtmem_emulation_runtime.so (mode=host and both) or
/// libtmem_cuda_runtime.so (mode=device, both and none).
void buildTMemEmulatePipeline(OpPassManager &manager,
                              const TMemEmulateOptions &options);

void registerTMemPipelines();

/// Runs the passes. Fails, too, where one of them has reported an error and
/// gone on, as conversions of MLIR do.
LogicalResult runWithoutErrors(PassManager &manager, Operation *op);

} // namespace tmem
} // namespace mlir

#endif // TMEM_PIPELINES_PIPELINES_H
