// Halves of slabs by an added constant, and a load_reduce placed by hand beside a
// read.

// RUN: tmem-opt %s --tmem-insert-waits | FileCheck %s --implicit-check-not=tmem.wait_

!half = !tmem.view<16x32xi32, #tmem.layout<(16, 32) : (1@tlane, 1@tcol)>>
!full = !tmem.view<128x32xf32, #tmem.layout<(128, 32) : (1@tlane, 1@tcol)>>
!vec = vector<32xf32>
!out = memref<128x32xf32>

gpu.module @kernels {
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
  func.func @reduce(%mem: !full, %out: !out, %i: index) {
    %x = tmem.read %mem scope(warpgroup) : !full -> !vec
    %p, %r = tmem.load_reduce maxnumf %mem scope(warpgroup) : !full -> !tmem.pending<!vec>, !tmem.pending<vector<1xf32>>
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
  func.func @reduce_stored(%mem: !full, %v: !vec) {
    tmem.write %v, %mem scope(warpgroup) : !vec, !full
    %p, %r = tmem.load_reduce maxnumf %mem scope(warpgroup) : !full -> !tmem.pending<!vec>, !tmem.pending<vector<1xf32>>
    %y, %z = tmem.wait_load %p, %r : !tmem.pending<!vec>, !tmem.pending<vector<1xf32>>
    return
  }
}
