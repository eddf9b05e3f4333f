// ptxas takes the device library for each generation, optimized or not.

// REQUIRES: device-library, ptxas
// RUN: mlir-opt %s --pass-pipeline='builtin.module(nvvm-attach-target{chip=sm_75 O=3},gpu-module-to-binary{l=%device_library format=bin})' | FileCheck %s -DCHIP=sm_75
// RUN: mlir-opt %s --pass-pipeline='builtin.module(nvvm-attach-target{chip=sm_80 O=2},gpu-module-to-binary{l=%device_library format=bin})' | FileCheck %s -DCHIP=sm_80
// RUN: mlir-opt %s --pass-pipeline='builtin.module(nvvm-attach-target{chip=sm_90 O=3},gpu-module-to-binary{l=%device_library format=bin})' | FileCheck %s -DCHIP=sm_90
// RUN: mlir-opt %s --pass-pipeline='builtin.module(nvvm-attach-target{chip=sm_90 O=0},gpu-module-to-binary{l=%device_library format=bin})' | FileCheck %s -DCHIP=sm_90

// CHECK: gpu.binary @kernels
// CHECK-SAME: chip = "[[CHIP]]"
// CHECK-SAME: bin = "\7FELF

// Every function of the contract.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @tmemEmuEnter(!llvm.ptr, !llvm.ptr, i32, i32) attributes {convergent}
    llvm.func @tmemEmuLeave(!llvm.ptr, !llvm.ptr) attributes {convergent}
    llvm.func @tmemEmuLoad(!llvm.ptr, !llvm.ptr, i32, i32, i32, i32, i64, !llvm.ptr) -> i64 attributes {convergent}
    llvm.func @tmemEmuStore(!llvm.ptr, !llvm.ptr, i32, i32, i32, i32, i64, !llvm.ptr) attributes {convergent}
    llvm.func @tmemEmuWaitLoad(!llvm.ptr, !llvm.ptr) attributes {convergent}
    llvm.func @tmemEmuWaitStore(!llvm.ptr, !llvm.ptr) attributes {convergent}
    llvm.func @tmemEmuFence(!llvm.ptr, !llvm.ptr, i32) attributes {convergent}
    llvm.func @tmemEmuAlloc(!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, i32) attributes {convergent}
    llvm.func @tmemEmuDealloc(!llvm.ptr, !llvm.ptr, i32, i32, i32) attributes {convergent}
    llvm.func @tmemEmuRelinquish(!llvm.ptr, !llvm.ptr, i32) attributes {convergent}
    llvm.func @tmemEmuReadCell(!llvm.ptr, !llvm.ptr, i32) -> i32 attributes {convergent}
    llvm.func @tmemEmuWriteCell(!llvm.ptr, !llvm.ptr, i32, i32) attributes {convergent}
    llvm.func @tmemEmuPendingRead(!llvm.ptr, !llvm.ptr, i64) attributes {convergent}

    llvm.func @all(%address: i32, %slot: !llvm.ptr, %flags: i32) attributes {gpu.kernel, nvvm.kernel} {
      %c2 = llvm.mlir.constant(2 : i32) : i32
      %c4 = llvm.mlir.constant(4 : i32) : i32
      %c26 = llvm.mlir.constant(26 : i32) : i32
      %c130 = llvm.mlir.constant(130 : i32) : i32
      %c512 = llvm.mlir.constant(512 : i32) : i32
      %offset = llvm.mlir.constant(0 : i64) : i64
      %site = llvm.mlir.zero : !llvm.ptr
      %thread = llvm.alloca %c26 x i64 : (i32) -> !llvm.ptr
      %words = llvm.alloca %c130 x i32 : (i32) -> !llvm.ptr
      llvm.call @tmemEmuEnter(%thread, %site, %c512, %c512) : (!llvm.ptr, !llvm.ptr, i32, i32) -> ()
      llvm.call @tmemEmuAlloc(%thread, %site, %slot, %c512, %flags) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, i32) -> ()
      llvm.call @tmemEmuRelinquish(%thread, %site, %flags) : (!llvm.ptr, !llvm.ptr, i32) -> ()
      llvm.call @tmemEmuWriteCell(%thread, %site, %address, %flags) : (!llvm.ptr, !llvm.ptr, i32, i32) -> ()
      %cell = llvm.call @tmemEmuReadCell(%thread, %site, %address) : (!llvm.ptr, !llvm.ptr, i32) -> i32
      llvm.call @tmemEmuStore(%thread, %site, %c2, %c4, %flags, %cell, %offset, %words)
          : (!llvm.ptr, !llvm.ptr, i32, i32, i32, i32, i64, !llvm.ptr) -> ()
      llvm.call @tmemEmuWaitStore(%thread, %site) : (!llvm.ptr, !llvm.ptr) -> ()
      // Neither shape nor count nor flags are known here: the loops stay.
      %load = llvm.call @tmemEmuLoad(%thread, %site, %flags, %cell, %flags, %address, %offset, %words)
          : (!llvm.ptr, !llvm.ptr, i32, i32, i32, i32, i64, !llvm.ptr) -> i64
      llvm.call @tmemEmuPendingRead(%thread, %site, %load) : (!llvm.ptr, !llvm.ptr, i64) -> ()
      llvm.call @tmemEmuWaitLoad(%thread, %site) : (!llvm.ptr, !llvm.ptr) -> ()
      llvm.call @tmemEmuFence(%thread, %site, %flags) : (!llvm.ptr, !llvm.ptr, i32) -> ()
      llvm.call @tmemEmuDealloc(%thread, %site, %cell, %c512, %flags) : (!llvm.ptr, !llvm.ptr, i32, i32, i32) -> ()
      llvm.call @tmemEmuLeave(%thread, %site) : (!llvm.ptr, !llvm.ptr) -> ()
      llvm.return
    }
  }
}
