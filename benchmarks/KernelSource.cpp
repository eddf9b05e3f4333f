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
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

std::string mlir::tmem::getRoundTripKernel() {
  auto buffer = llvm::MemoryBuffer::getFile(TMEM_ROUNDTRIP_KERNEL);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

static constexpr const char *prologue = R"(
#regs = #tmem.layout<(128, 32) : (1@tid, 1@reg)>
#tile = #tmem.layout<(128, 512) : (1@tlane, 1@tcol)>
!tile = !tmem.view<128x512xf32, #tile>
gpu.module @kernels {
  gpu.func @transfers(%base: i32) kernel {
    %tile = tmem.view %base : !tile
    %init = arith.constant dense<0.0> : vector<32xf32>
    %t = tmem.subview %tile[0, 0] [128, 32] : !tile to !tmem.view<128x32xf32, #tmem.layout<(128, 32) : (1@tlane, 1@tcol)>>
    %token = tmem.store %init, %t registers(#regs) atom(<32x32b, x32>) scope(warpgroup) : vector<32xf32>, !tmem.view<128x32xf32, #tmem.layout<(128, 32) : (1@tlane, 1@tcol)>>
    tmem.wait_store %token
)";

std::string mlir::tmem::makeTransferKernel(unsigned count) {
  std::string text = prologue;
  llvm::raw_string_ostream os(text);
  constexpr unsigned windows = 16, width = 32;
  for (unsigned i = 0; i < count / 2; ++i) {
    unsigned column = width * (i % windows);
    std::string type = llvm::formatv(
        "!tmem.view<128x32xf32, #tmem.layout<(128, 32) : (1@tlane, 1@tcol)"
        "{0}>>",
        column ? llvm::formatv(" + ({0}@tcol)", column).str() : "");
    os << llvm::formatv(
        R"(    %w{0} = tmem.subview %tile[0, {1}] [128, 32] : !tile to {2}
    %p{0} = tmem.load %w{0} registers(#regs) atom(<32x32b, x32>) scope(warpgroup) : {2} -> !tmem.pending<vector<32xf32>>
    %v{0} = tmem.wait_load %p{0} : !tmem.pending<vector<32xf32>>
    %t{0} = tmem.store %v{0}, %w{0} registers(#regs) atom(<32x32b, x32>) scope(warpgroup) : vector<32xf32>, {2}
    tmem.wait_store %t{0}
)",
        i, column, type);
  }
  os << "    gpu.return\n  }\n}\n";
  return text;
}

std::string mlir::tmem::makeUnselectedKernel(unsigned count) {
  constexpr StringRef named = " registers(#regs) atom(<32x32b, x32>)";
  SmallVector<StringRef, 0> parts;
  std::string text = makeTransferKernel(count);
  StringRef(text).split(parts, named);
  return llvm::join(parts, "");
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

std::string mlir::tmem::makeBufferKernel(unsigned count) {
  constexpr unsigned maxBuffers = 1000;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "!acc = !tmem.view<128x4xf32, #tmem.datapath<D>>\n"
     << "!vec = vector<4xf32>\n"
     << "gpu.module @kernels {\n"
     << "gpu.func @kernel(%x: !vec, %c: i1) kernel attributes "
     << "{known_block_size = array<i32: 128, 1, 1>} {\n";
  for (unsigned i = 0; i < std::min(count, maxBuffers); ++i)
    os << "%b" << i << " = tmem.buffer : !acc\n";
  for (unsigned i = 0; i < count; ++i)
    os << "scf.if %c {\n"
       << "%t = tmem.store %x, %b" << i % maxBuffers
       << " scope(warpgroup) : !vec, !acc\n"
       << "tmem.wait_store %t\n"
       << "%p = tmem.load %b" << i % maxBuffers
       << " scope(warpgroup) : !acc -> !tmem.pending<!vec>\n"
       << "%v = tmem.wait_load %p : !tmem.pending<!vec>\n"
       << "}\n";
  os << "gpu.return\n}\n}\n";
  return text;
}

std::string mlir::tmem::makeReadKernel(unsigned count, StringRef shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "!mem = !tmem.view<128x4xi32, #tmem.layout<(128, 4) : (1@tlane, "
        "1@tcol)>>\n!v = vector<4xi32>\n!out = memref<4xi32>\n"
        "gpu.module @kernels {\n"
        "gpu.func @k(%mem: !mem, %out: !out, %c: i1, %n: index) kernel {\n"
        "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n";
  for (unsigned i = 0; i < count; ++i) {
    os << "%x" << i << " = tmem.read %mem scope(warpgroup) : !mem -> !v\n";
    std::string used = "%x" + std::to_string(i);
    if (shape == "loops") {
      os << "%r" << i << " = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x"
         << i << ") -> !v {\nvector.store %a, %out[%c0] : !out, !v\n"
         << "%y = tmem.read %mem scope(warpgroup) : !mem -> !v\n"
         << "scf.yield %y : !v\n}\n";
      used[1] = 'r';
    }
    if (shape == "blocks")
      os << "cf.cond_br %c, ^a" << i << ", ^b" << i << "\n^a" << i
         << ":\ncf.br ^b" << i << "\n^b" << i << ":\n";
    os << "vector.store " << used << ", %out[%c0] : !out, !v\n";
  }
  os << "gpu.return\n}\n}\n";
  return text;
}

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
    return new MLIRContext(registry, MLIRContext::Threading::DISABLED);
  }();
  return *context;
}
