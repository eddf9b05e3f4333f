// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(tmem-require-block-size))' | FileCheck %s

gpu.module @kernels {
  // CHECK: llvm.func @stated() attributes {gpu.known_block_size = array<i32: 128, 1, 1>, nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>}
  llvm.func @stated() attributes {gpu.known_block_size = array<i32: 128, 1, 1>, nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
    llvm.return
  }
  // CHECK: llvm.func @maximum_of_its_own() attributes {gpu.known_block_size = array<i32: 128, 1, 1>, nvvm.kernel, nvvm.maxntid = array<i32: 256>}
  llvm.func @maximum_of_its_own() attributes {gpu.known_block_size = array<i32: 128, 1, 1>, nvvm.kernel, nvvm.maxntid = array<i32: 256>} {
    llvm.return
  }
  // CHECK: llvm.func @unstated() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>}
  llvm.func @unstated() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
    llvm.return
  }
}
