// What is waited for before what: events that tell other threads that transfers are
// done, and those that do not; other transfers, by their cells; and transfers placed
// by hand.

// RUN: tmem-opt %s --tmem-insert-waits | FileCheck %s --implicit-check-not=tmem.wait_

!half = !tmem.view<16x32xi32, #tmem.layout<(16, 32) : (1@tlane, 1@tcol)>>
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

  // A call may tell other threads anything.
  // CHECK-LABEL: gpu.func @call(
  // CHECK: %[[A:.*]] = tmem.load %{{.*}}
  // CHECK: %[[B:.*]] = tmem.wait_load %[[A]]
  // CHECK: func.call
  // CHECK: %[[C:.*]] = tmem.store %[[B]], %{{.*}}
  // CHECK: tmem.wait_store %[[C]]
  // CHECK: func.call
  // CHECK: gpu.return
  gpu.func @call(%mem: !part, %out: !out, %n: index, %v: !vec) kernel {
    %x = tmem.read %mem scope(warpgroup) : !part -> !vec
    func.call @other() : () -> ()
    tmem.write %x, %mem scope(warpgroup) : !vec, !part
    func.call @other() : () -> ()
    gpu.return
  }

  // 16 lanes on is another half of the slab; an address that is not known may be
  // anywhere.
  // CHECK-LABEL: func @halves(
  // CHECK: %[[S:.*]] = tmem.store
  // CHECK-NEXT: %[[T:.*]] = tmem.store
  // CHECK-NEXT: tmem.wait_store %[[S]], %[[T]]
  // CHECK-NEXT: %[[U:.*]] = tmem.store
  // CHECK-NEXT: tmem.wait_store %[[U]]
  // CHECK-NEXT: %[[A:.*]] = tmem.load
  // CHECK-NEXT: %[[X:.*]] = tmem.wait_load %[[A]]
  // CHECK-NEXT: vector.store %[[X]]
  func.func @halves(%base: i32, %offset: i32, %v: vector<16xi32>, %out: memref<128x32xi32>, %i: index) {
    %c = arith.constant 1048576 : i32
    %more = arith.addi %base, %c : i32
    %any = arith.addi %base, %offset : i32
    %a = tmem.view %base : !half
    %b = tmem.view %more : !half
    %d = tmem.view %any : !half
    tmem.write %v, %a scope(warp 0) : vector<16xi32>, !half
    tmem.write %v, %b scope(warp 0) : vector<16xi32>, !half
    tmem.write %v, %d scope(warp 0) : vector<16xi32>, !half
    %x = tmem.read %a scope(warp 0) : !half -> vector<16xi32>
    vector.store %x, %out[%i, %i] : memref<128x32xi32>, vector<16xi32>
    return
  }

  // CHECK-LABEL: func @reduce(
  // CHECK: %[[A:.*]] = tmem.load
  // CHECK-NEXT: %[[P:.*]], %[[R:.*]] = tmem.load_reduce
  // CHECK-NEXT: %{{.*}}, %{{.*}}, %[[V:.*]] = tmem.wait_load %[[P]], %[[R]], %[[A]]
  // CHECK-NEXT: vector.store %[[V]]
  func.func @reduce(%mem: !part, %out: !out, %i: index) {
    %x = tmem.read %mem scope(warpgroup) : !part -> !vec
    %p, %r = tmem.load_reduce maxnumf %mem scope(warpgroup) : !part -> !tmem.pending<!vec>, !tmem.pending<vector<1xf32>>
    %y, %z = tmem.wait_load %p, %r : !tmem.pending<!vec>, !tmem.pending<vector<1xf32>>
    vector.store %x, %out[%i, %i] : !out, !vec
    return
  }

  // A store to cells that are written is waited for before load_reduce reads them.
  // CHECK-LABEL: func @reduce_stored(
  // CHECK: %[[S:.*]] = tmem.store
  // CHECK-NEXT: tmem.wait_store %[[S]]
  // CHECK-NEXT: tmem.load_reduce
  // CHECK-NEXT: tmem.wait_load
  func.func @reduce_stored(%mem: !part, %v: !vec) {
    tmem.write %v, %mem scope(warpgroup) : !vec, !part
    %p, %r = tmem.load_reduce maxnumf %mem scope(warpgroup) : !part -> !tmem.pending<!vec>, !tmem.pending<vector<1xf32>>
    %y, %z = tmem.wait_load %p, %r : !tmem.pending<!vec>, !tmem.pending<vector<1xf32>>
    return
  }
}
