// What other projects were reported to miss: a wait before others are told that the
// loads are done. (test/Hazards/reports-waits.mlir has the same by hand, and cites.)

// RUN: tmem-opt %s --tmem-insert-waits | FileCheck %s --implicit-check-not=tmem.wait_

!slot = memref<1xi64, #gpu.address_space<workgroup>>
!part = !tmem.view<128x32xf32, #tmem.layout<(128, 32) : (1@tlane, 1@tcol)>>
!low = !tmem.view<128x2xf32, #tmem.layout<(128, 2) : (1@tlane, 1@tcol)>>
!vec = vector<32xf32>
!out = memref<128x32xf32>

gpu.module @kernels {
  // Only some lanes use the vector, behind the arrive.
  // CHECK-LABEL: func @row1_arrive(
  // CHECK: %[[A:.*]] = tmem.load
  // CHECK: %[[V:.*]] = tmem.wait_load %[[A]]
  // CHECK-NEXT: nvvm.mbarrier.arrive
  // CHECK: scf.if
  // CHECK-NEXT: vector.store %[[V]]
  func.func @row1_arrive(%mem: !part, %object: !llvm.ptr<3>, %out: !out, %i: index, %few: i1) {
    %x = tmem.read %mem scope(warpgroup) : !part -> !vec
    %state = nvvm.mbarrier.arrive %object : !llvm.ptr<3> -> i64
    scf.if %few {
      vector.store %x, %out[%i, %i] : !out, !vec
    }
    return
  }

  // Four loads, then the release: one wait before it.
  // CHECK-LABEL: func @row2_release(
  // CHECK-COUNT-4: tmem.load
  // CHECK: tmem.wait_load %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} :
  // CHECK-NEXT: tmem.dealloc
  func.func @row2_release(%base: i32, %out: !out, %i: index) {
    %mem = tmem.view %base : !part
    %a = tmem.read %mem scope(warpgroup) : !part -> !vec
    %b = tmem.read %mem scope(warpgroup) : !part -> !vec
    %c = tmem.read %mem scope(warpgroup) : !part -> !vec
    %d = tmem.read %mem scope(warpgroup) : !part -> !vec
    tmem.dealloc %base, 32
    vector.store %a, %out[%i, %i] : !out, !vec
    vector.store %b, %out[%i, %i] : !out, !vec
    vector.store %c, %out[%i, %i] : !out, !vec
    vector.store %d, %out[%i, %i] : !out, !vec
    return
  }

  // A ring of loads and stores, then the release.
  // CHECK-LABEL: func @row2_ring(
  // CHECK: scf.for
  // CHECK: %[[A:.*]] = tmem.load
  // CHECK-NEXT: %[[V:.*]] = tmem.wait_load %[[A]]
  // CHECK-NEXT: %[[T:.*]] = tmem.store %[[V]]
  // CHECK-NEXT: tmem.wait_store %[[T]]
  // CHECK-NEXT: }
  // CHECK-NEXT: tmem.dealloc
  func.func @row2_ring(%base: i32, %n: index, %c1: index) {
    %mem = tmem.view %base : !part
    scf.for %i = %c1 to %n step %c1 {
      %x = tmem.read %mem scope(warpgroup) : !part -> !vec
      tmem.write %x, %mem scope(warpgroup) : !vec, !part
    }
    tmem.dealloc %base, 32
    return
  }

  // Uses do not replace the wait: each of both uses stands behind one.
  // CHECK-LABEL: func @row3_register_dependence(
  // CHECK: %[[A:.*]] = tmem.load
  // CHECK-NEXT: %[[V:.*]] = tmem.wait_load %[[A]]
  // CHECK-NEXT: vector.store %[[V]]
  // CHECK-NEXT: gpu.barrier
  func.func @row3_register_dependence(%mem: !part, %out: !out, %i: index) {
    %x = tmem.read %mem scope(warpgroup) : !part -> !vec
    vector.store %x, %out[%i, %i] : !out, !vec
    gpu.barrier
    return
  }
}
