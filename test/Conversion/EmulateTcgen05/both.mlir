// RUN: tmem-opt %s --pass-pipeline='builtin.module(emulate-tcgen05{mode=both})' | FileCheck %s

// The module stays as it is, for a cubin of its own.

// CHECK: gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
// CHECK-NEXT: llvm.mlir.global internal @slot() {addr_space = 3 : i32} : i32
// CHECK-NEXT: llvm.func @k(%[[SLOT:.*]]: !llvm.ptr<3>, %[[N:.*]]: i32) attributes {gpu.kernel} {
// CHECK-NEXT: nvvm.tcgen05.alloc %[[SLOT]], %[[N]] : !llvm.ptr<3>, i32
// CHECK-NEXT: llvm.return
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NOT: gpu.binary
gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32} : i32
  llvm.func @k(%slot: !llvm.ptr<3>, %n: i32) attributes {gpu.kernel} {
    nvvm.tcgen05.alloc %slot, %n : !llvm.ptr<3>, i32
    llvm.return
  }
}

// CHECK: llvm.func internal @__tmem_emu_kernels_k(
// CHECK: llvm.call @tmemEmuAlloc(
// CHECK: llvm.call @tmemEmuRegister(
// CHECK: llvm.mlir.global_ctors
