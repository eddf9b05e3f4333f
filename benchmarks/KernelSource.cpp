//===- KernelSource.cpp - Kernels to measure ------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelSource.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "tmem/InitAll.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

std::string mlir::tmem::getRoundTripKernel() {
  auto buffer = llvm::MemoryBuffer::getFile(TMEM_ROUNDTRIP_KERNEL);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

std::string mlir::tmem::getLargestTileKernel() {
  return R"(
!tile = !tmem.view<128x512xf32, #tmem.datapath<D>>
gpu.module @kernels {
  gpu.func @load(%base: i32) kernel {
    %tile = tmem.view %base : !tile
    %p = tmem.load %tile scope(warpgroup)
        : !tile -> !tmem.pending<vector<512xf32>>
    %v = tmem.wait_load %p : !tmem.pending<vector<512xf32>>
    gpu.return
  }
}
)";
}

static constexpr const char *emulatorProgram = R"(
#regs = #tmem.layout<(128, 64) : (1@tid, 1@reg)>
!acc = !tmem.view<128x64xf32, #tmem.datapath<D>>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @move(%count: index)
        workgroup(%slot: memref<1xi32, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      scf.if %first {
        tmem.alloc %slot, 64 : memref<1xi32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %base = memref.load %slot[%c0]
          : memref<1xi32, #gpu.address_space<workgroup>>
      %mem = tmem.view %base : !acc
      %init = arith.constant dense<1.0> : vector<64xf32>
      scf.for %i = %c0 to %count step %c1 iter_args(%v = %init)
          -> vector<64xf32> {
        %t = tmem.store %v, %mem registers(#regs) atom(<32x32b, x64>)
            scope(warpgroup) : vector<64xf32>, !acc
        tmem.wait_store %t
        %p = tmem.load %mem registers(#regs) atom(<32x32b, x64>)
            scope(warpgroup) : !acc -> !tmem.pending<vector<64xf32>>
        %w = tmem.wait_load %p : !tmem.pending<vector<64xf32>>
        scf.yield %w : vector<64xf32>
      }
      gpu.barrier
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 128 : index
    %ctas = arith.constant {0} : index
    %count = arith.constant {1} : index
    gpu.launch_func @kernels::@move blocks in (%ctas, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%count : index)
    return
  }
}
)";

std::string mlir::tmem::makeEmulatorProgram(unsigned numCTAs,
                                            unsigned iterations) {
  std::string text = emulatorProgram;
  auto replace = [&](StringRef mark, unsigned value) {
    text.replace(text.find(mark), mark.size(), std::to_string(value));
  };
  replace("{0}", numCTAs);
  replace("{1}", iterations);
  return text;
}

MLIRContext &mlir::tmem::getBenchmarkContext() {
  static MLIRContext *context = [] {
    DialectRegistry registry;
    mlir::registerAllDialects(registry);
    registerAllExtensions(registry);
    registerAllToLLVMIRTranslations(registry);
    tmem::registerAllDialects(registry);
    auto *context = new MLIRContext(registry, MLIRContext::Threading::DISABLED);
    // Each remark would number and print the whole kernel.
    context->printOpOnDiagnostic(false);
    return context;
  }();
  return *context;
}
