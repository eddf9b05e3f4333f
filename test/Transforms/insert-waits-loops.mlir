// RUN: tmem-opt %s --tmem-insert-waits | FileCheck %s

// Vectors that loops and branches hand on.

!part = !tmem.view<128x32xf32, #tmem.layout<(128, 32) : (1@tlane, 1@tcol)>>
!vec = vector<32xf32>
!out = memref<128x32xf32>

// The wait is where the value is used; since it shares registers with the next
// one, that is before the next load at latest.
// CHECK-LABEL: func.func @pipelined_for(
// CHECK: %[[FIRST:.*]] = tmem.load
// CHECK-NOT: wait
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[P:.*]] = %[[FIRST]]) -> (!tmem.pending<vector<32xf32>>)
// CHECK-NEXT: %[[V:.*]] = tmem.wait_load %[[P]]
// CHECK-NEXT: %[[NEXT:.*]] = tmem.load
// CHECK-NEXT: vector.store %[[V]]
// CHECK-NEXT: scf.yield %[[NEXT]]
// CHECK: %[[LAST:.*]] = tmem.wait_load %[[R]]
// CHECK-NEXT: vector.store %[[LAST]]
func.func @pipelined_for(%mem: !part, %out: !out, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = tmem.read %mem scope(warpgroup) : !part -> !vec
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%v = %first) -> (!vec) {
    %next = tmem.read %mem scope(warpgroup) : !part -> !vec
    vector.store %v, %out[%c0, %c0] : !out, !vec
    scf.yield %next : !vec
  }
  vector.store %r, %out[%c0, %c0] : !out, !vec
  return
}

// What rotates would have to be copied while it is pending: the older one of the
// two is waited for, which PTX does for all loads before at once anyway.
// CHECK-LABEL: func.func @rotation(
// CHECK: scf.for {{.*}} -> (vector<32xf32>, !tmem.pending<vector<32xf32>>)
// CHECK-NEXT: %[[V:.*]] = tmem.wait_load
// CHECK-NEXT: %[[NEXT:.*]] = tmem.load
// CHECK-NOT: wait
// CHECK: scf.yield %[[V]], %[[NEXT]]
func.func @rotation(%mem: !part, %out: !out, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tmem.read %mem scope(warpgroup) : !part -> !vec
  %b = tmem.read %mem scope(warpgroup) : !part -> !vec
  %r:2 = scf.for %j = %c0 to %n step %c1 iter_args(%v = %a, %w = %b) -> (!vec, !vec) {
    %next = tmem.read %mem scope(warpgroup) : !part -> !vec
    vector.store %v, %out[%c0, %c0] : !out, !vec
    scf.yield %w, %next : !vec, !vec
  }
  vector.store %r#0, %out[%c0, %c0] : !out, !vec
  vector.store %r#1, %out[%c0, %c0] : !out, !vec
  return
}

// A barrier in the loop waits for the next value: nothing is left to hand on.
// CHECK-LABEL: func.func @barrier_in_loop(
// CHECK: %[[FIRST:.*]] = tmem.load
// CHECK-NEXT: %[[V:.*]] = tmem.wait_load %[[FIRST]]
// CHECK-NEXT: scf.for {{.*}} -> (vector<32xf32>)
// CHECK: %[[NEXT:.*]] = tmem.load
// CHECK-NEXT: vector.store
// CHECK-NEXT: tmem.wait_load %[[NEXT]]
// CHECK-NEXT: gpu.barrier
func.func @barrier_in_loop(%mem: !part, %out: !out, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = tmem.read %mem scope(warpgroup) : !part -> !vec
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%v = %first) -> (!vec) {
    %next = tmem.read %mem scope(warpgroup) : !part -> !vec
    vector.store %v, %out[%c0, %c0] : !out, !vec
    gpu.barrier
    scf.yield %next : !vec
  }
  vector.store %r, %out[%c0, %c0] : !out, !vec
  return
}

// CHECK-LABEL: func.func @while_loop(
// CHECK: scf.while (%{{.*}} = %{{.*}}) : (!tmem.pending<vector<32xf32>>) -> !tmem.pending<vector<32xf32>>
// CHECK: scf.condition(%{{.*}}) %{{.*}} : !tmem.pending<vector<32xf32>>
// CHECK: ^bb0(%[[P:.*]]: !tmem.pending<vector<32xf32>>):
// CHECK-NEXT: %[[V:.*]] = tmem.wait_load %[[P]]
// CHECK-NEXT: vector.store %[[V]]
func.func @while_loop(%mem: !part, %out: !out, %flag: memref<i1>) {
  %c0 = arith.constant 0 : index
  %first = tmem.read %mem scope(warpgroup) : !part -> !vec
  %r = scf.while (%v = %first) : (!vec) -> !vec {
    %more = memref.load %flag[] : memref<i1>
    scf.condition(%more) %v : !vec
  } do {
  ^bb0(%v: !vec):
    vector.store %v, %out[%c0, %c0] : !out, !vec
    %next = tmem.read %mem scope(warpgroup) : !part -> !vec
    scf.yield %next : !vec
  }
  vector.store %r, %out[%c0, %c0] : !out, !vec
  return
}

// CHECK-LABEL: func.func @arms(
// CHECK: %[[I:.*]] = scf.if %{{.*}} -> (!tmem.pending<vector<32xf32>>)
// CHECK: %[[S:.*]] = scf.index_switch %{{.*}} -> !tmem.pending<vector<32xf32>>
// CHECK: tmem.wait_load %[[I]], %[[S]]
func.func @arms(%mem: !part, %out: !out, %c: i1, %i: index) {
  %c0 = arith.constant 0 : index
  %a = scf.if %c -> (!vec) {
    %x = tmem.read %mem scope(warpgroup) : !part -> !vec
    scf.yield %x : !vec
  } else {
    %x = tmem.read %mem scope(warpgroup) : !part -> !vec
    scf.yield %x : !vec
  }
  %b = scf.index_switch %i -> !vec
  case 0 {
    %x = tmem.read %mem scope(warpgroup) : !part -> !vec
    scf.yield %x : !vec
  }
  default {
    %x = tmem.read %mem scope(warpgroup) : !part -> !vec
    scf.yield %x : !vec
  }
  %s = arith.addf %a, %b : !vec
  vector.store %s, %out[%c0, %c0] : !out, !vec
  return
}

// Merges of what is not read here, or is used elsewhere, are waited for before.
// CHECK-LABEL: func.func @merges(
// CHECK: %[[P:.*]] = tmem.load
// CHECK-NEXT: %[[V:.*]] = tmem.wait_load %[[P]]
// CHECK-NEXT: scf.if %{{.*}} -> (vector<32xf32>)
// CHECK: tmem.wait_load
// CHECK: scf.yield
// CHECK: arith.select %{{.*}}, %[[V]]
func.func @merges(%mem: !part, %out: !out, %c: i1, %v: !vec) {
  %c0 = arith.constant 0 : index
  %a = tmem.read %mem scope(warpgroup) : !part -> !vec
  %b = scf.if %c -> (!vec) {
    scf.yield %a : !vec
  } else {
    %x = tmem.read %mem scope(warpgroup) : !part -> !vec
    scf.yield %x : !vec
  }
  %s = arith.select %c, %a, %b : !vec
  vector.store %s, %out[%c0, %c0] : !out, !vec
  return
}

// What an inner region uses is waited for before it, all else passes by.
// CHECK-LABEL: func.func @around(
// CHECK: %[[P:.*]] = tmem.load
// CHECK-NEXT: scf.if
// CHECK: vector.store %arg3
// CHECK: tmem.wait_load %[[P]]
// CHECK-NEXT: scf.if
// CHECK-NEXT: vector.store
func.func @around(%mem: !part, %out: !out, %c: i1, %v: !vec) {
  %c0 = arith.constant 0 : index
  %a = tmem.read %mem scope(warpgroup) : !part -> !vec
  scf.if %c {
    vector.store %v, %out[%c0, %c0] : !out, !vec
  }
  scf.if %c {
    vector.store %a, %out[%c0, %c0] : !out, !vec
  }
  return
}
