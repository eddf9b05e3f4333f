//===- KernelSource.cpp - Kernels to measure ------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelSource.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

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
