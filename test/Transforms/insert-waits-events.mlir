// RUN: tmem-opt %s --tmem-insert-waits | FileCheck %s

// What tells other threads that transfers are done, and what does not.

!part = !tmem.view<128x32xf32, #tmem.layout<(128, 32) : (1@tlane, 1@tcol)>>
!vec = vector<32xf32>
!out = memref<128x32xf32>

gpu.module @kernels {
  func.func private @other()

  // CHECK-LABEL: gpu.func @barriers(
  // CHECK: tmem.wait_load
  // CHECK-NEXT: gpu.barrier
  // CHECK: tmem.wait_load
  // CHECK-NEXT: nvvm.barrier
  // CHECK: tmem.wait_load
  // CHECK-NEXT: nvvm.bar.warp.sync
  // CHECK: tmem.wait_load
  // CHECK-NEXT: nvvm.cluster.arrive
  gpu.func @barriers(%mem: !part, %out: !out, %mask: i32) {
    %c0 = arith.constant 0 : index
    %a = tmem.read %mem scope(warpgroup) : !part -> !vec
    gpu.barrier
    %b = tmem.read %mem scope(warpgroup) : !part -> !vec
    nvvm.barrier
    %c = tmem.read %mem scope(warpgroup) : !part -> !vec
    nvvm.bar.warp.sync %mask : i32
    %d = tmem.read %mem scope(warpgroup) : !part -> !vec
    nvvm.cluster.arrive
    vector.store %a, %out[%c0, %c0] : !out, !vec
    vector.store %b, %out[%c0, %c0] : !out, !vec
    vector.store %c, %out[%c0, %c0] : !out, !vec
    vector.store %d, %out[%c0, %c0] : !out, !vec
    gpu.return
  }

  // CHECK-LABEL: gpu.func @stores(
  // CHECK: tmem.wait_store
  // CHECK-NEXT: tmem.fence before
  // CHECK: tmem.wait_store
  // CHECK-NEXT: nvvm.mbarrier.arrive
  // CHECK: tmem.wait_store
  // CHECK-NEXT: func.call @other
  // CHECK: tmem.wait_store
  // CHECK-NEXT: tmem.dealloc
  // CHECK: tmem.wait_store
  // CHECK-NEXT: llvm.inline_asm
  // CHECK: tmem.wait_store
  // CHECK-NEXT: gpu.return
  gpu.func @stores(%base: i32, %v: !vec, %bar: !llvm.ptr<3>) {
    %mem = tmem.view %base : !part
    tmem.write %v, %mem scope(warpgroup) : !vec, !part
    tmem.fence before
    tmem.write %v, %mem scope(warpgroup) : !vec, !part
    %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    tmem.write %v, %mem scope(warpgroup) : !vec, !part
    func.call @other() : () -> ()
    tmem.write %v, %mem scope(warpgroup) : !vec, !part
    tmem.dealloc %base, 32
    tmem.write %v, %mem scope(warpgroup) : !vec, !part
    llvm.inline_asm has_side_effects "", "" : () -> ()
    tmem.write %v, %mem scope(warpgroup) : !vec, !part
    gpu.return
  }

  // Ordinary accesses to memory, and waits of this thread for others.
  // CHECK-LABEL: gpu.func @silent(
  // CHECK: tmem.store
  // CHECK-NOT: tmem.wait
  // CHECK: tmem.fence after
  // CHECK-NEXT: tmem.wait_store
  // CHECK-NEXT: gpu.return
  gpu.func @silent(%mem: !part, %v: !vec, %bar: !llvm.ptr<3>, %flags: memref<1xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : i32
    tmem.write %v, %mem scope(warpgroup) : !vec, !part
    memref.store %c1, %flags[%c0] : memref<1xi32>
    %x = memref.load %flags[%c0] : memref<1xi32>
    nvvm.mbarrier.try_wait.parity %bar, %x, %c1 : !llvm.ptr<3>, i32, i32
    tmem.fence after
    gpu.return
  }

  // A barrier inside of an operation counts before it.
  // CHECK-LABEL: gpu.func @inside(
  // CHECK: tmem.wait_load
  // CHECK-NEXT: scf.if
  // CHECK-NEXT: gpu.barrier
  gpu.func @inside(%mem: !part, %out: !out, %c: i1) {
    %c0 = arith.constant 0 : index
    %a = tmem.read %mem scope(warpgroup) : !part -> !vec
    scf.if %c {
      gpu.barrier
    }
    vector.store %a, %out[%c0, %c0] : !out, !vec
    gpu.return
  }
}
