// Unreachable blocks, irreducible loops and recursion have an answer.

// RUN: tmem-opt %s --tmem-insert-waits | FileCheck %s --implicit-check-not=tmem.wait_ --implicit-check-not=tmem.read

!part = !tmem.view<128x32xf32, #tmem.layout<(128, 32) : (1@tlane, 1@tcol)>>
!vec = vector<32xf32>
!out = memref<128x32xf32>

gpu.module @kernels {
  // CHECK-LABEL: func @irreducible(
  // CHECK: %[[A:.*]] = tmem.load
  // CHECK-NEXT: %[[V:.*]] = tmem.wait_load %[[A]]
  // CHECK-NEXT: cf.cond_br
  func.func @irreducible(%mem: !part, %out: !out, %i: index, %c: i1) {
    %x = tmem.read %mem scope(warpgroup) : !part -> !vec
    cf.cond_br %c, ^a, ^b
  ^a:
    vector.store %x, %out[%i, %i] : !out, !vec
    cf.cond_br %c, ^b, ^c
  ^b:
    cf.cond_br %c, ^a, ^c
  ^c:
    return
  }

  // CHECK-LABEL: func @unreachable(
  // CHECK: return
  // CHECK: %[[A:.*]] = tmem.load
  // CHECK: tmem.wait_load %[[A]]
  // CHECK: vector.store
  func.func @unreachable(%mem: !part, %out: !out, %i: index, %c: i1) {
    return
  ^a:
    %x = tmem.read %mem scope(warpgroup) : !part -> !vec
    cf.cond_br %c, ^a, ^b
  ^b:
    vector.store %x, %out[%i, %i] : !out, !vec
    cf.br ^a
  }

  // CHECK-LABEL: func @recursive(
  // CHECK: %[[A:.*]] = tmem.load
  // CHECK-NEXT: %[[V:.*]] = tmem.wait_load %[[A]]
  // CHECK-NEXT: call @recursive
  // CHECK-NEXT: vector.store %[[V]]
  func.func @recursive(%mem: !part, %out: !out, %i: index) {
    %x = tmem.read %mem scope(warpgroup) : !part -> !vec
    func.call @recursive(%mem, %out, %i) : (!part, !out, index) -> ()
    vector.store %x, %out[%i, %i] : !out, !vec
    return
  }
}
