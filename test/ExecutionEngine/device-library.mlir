// What the device library becomes in a kernel: its checks stay functions, the
// transfer is code on registers, and the host finds the library's global.

// REQUIRES: device-library
// RUN: mlir-opt %s --pass-pipeline='builtin.module(nvvm-attach-target{chip=sm_90 O=3},gpu-module-to-binary{l=%device_library format=isa})' | FileCheck %s
// RUN: mlir-opt %s --pass-pipeline='builtin.module(nvvm-attach-target{chip=sm_75 O=2},gpu-module-to-binary{l=%device_library format=isa})' | FileCheck %s

// CHECK: .visible .global .align 8 .b8 tmemEmuDevice[
// CHECK-LABEL: .visible .entry copy(
// The context of the thread, and no array of words.
// CHECK: .local .align 8 .b8 {{[^[]+}}[208];
// CHECK-COUNT-4: ld.global.b32
// CHECK: bar.warp.sync
// CHECK-COUNT-4: st.global.b32
// CHECK: bar.warp.sync
// CHECK: ret;

// A packed load takes two cells for a word.
// CHECK-LABEL: .visible .entry packed(
// CHECK-COUNT-8: ld.global.b{{16|32}}
// CHECK-NOT: ld.global
// CHECK: bar.warp.sync

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @tmemEmuEnter(!llvm.ptr, !llvm.ptr, i32, i32) attributes {convergent}
    llvm.func @tmemEmuLeave(!llvm.ptr, !llvm.ptr) attributes {convergent}
    llvm.func @tmemEmuLoad(!llvm.ptr, !llvm.ptr, i32, i32, i32, i32, i64, !llvm.ptr) -> i64 attributes {convergent}
    llvm.func @tmemEmuStore(!llvm.ptr, !llvm.ptr, i32, i32, i32, i32, i64, !llvm.ptr) attributes {convergent}

    llvm.func @copy(%address: i32, %to: i32) attributes {gpu.kernel, nvvm.kernel} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c4 = llvm.mlir.constant(4 : i32) : i32
      %c26 = llvm.mlir.constant(26 : i32) : i32
      %c512 = llvm.mlir.constant(512 : i32) : i32
      %offset = llvm.mlir.constant(0 : i64) : i64
      %site = llvm.mlir.zero : !llvm.ptr
      %thread = llvm.alloca %c26 x i64 : (i32) -> !llvm.ptr
      %words = llvm.alloca %c4 x i32 : (i32) -> !llvm.ptr
      llvm.call @tmemEmuEnter(%thread, %site, %c512, %c512) : (!llvm.ptr, !llvm.ptr, i32, i32) -> ()
      %load = llvm.call @tmemEmuLoad(%thread, %site, %c0, %c4, %c0, %address, %offset, %words)
          : (!llvm.ptr, !llvm.ptr, i32, i32, i32, i32, i64, !llvm.ptr) -> i64
      llvm.call @tmemEmuStore(%thread, %site, %c0, %c4, %c0, %to, %offset, %words)
          : (!llvm.ptr, !llvm.ptr, i32, i32, i32, i32, i64, !llvm.ptr) -> ()
      llvm.call @tmemEmuLeave(%thread, %site) : (!llvm.ptr, !llvm.ptr) -> ()
      llvm.return
    }

    llvm.func @packed(%address: i32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c4 = llvm.mlir.constant(4 : i32) : i32
      %c26 = llvm.mlir.constant(26 : i32) : i32
      %offset = llvm.mlir.constant(0 : i64) : i64
      %site = llvm.mlir.zero : !llvm.ptr
      %thread = llvm.alloca %c26 x i64 : (i32) -> !llvm.ptr
      %words = llvm.alloca %c4 x i32 : (i32) -> !llvm.ptr
      %load = llvm.call @tmemEmuLoad(%thread, %site, %c1, %c4, %c1, %address, %offset, %words)
          : (!llvm.ptr, !llvm.ptr, i32, i32, i32, i32, i64, !llvm.ptr) -> i64
      %v = llvm.load %words {alignment = 4 : i64} : !llvm.ptr -> vector<4xi32>
      llvm.store %v, %out {alignment = 4 : i64} : vector<4xi32>, !llvm.ptr
      llvm.return
    }
  }
}
