// Vectors that loops and branches of scf hand on, and waits before and in them.

// RUN: tmem-opt %s --tmem-insert-waits | FileCheck %s --implicit-check-not=tmem.wait_

!part = !tmem.view<128x32xf32, #tmem.layout<(128, 32) : (1@tlane, 1@tcol)>>
!vec = vector<32xf32>
!out = memref<128x32xf32>
gpu.module @kernels {
// The wait is where the value is used; since it shares registers with the next
// one, that is before the next load at latest.
// CHECK-LABEL: gpu.func @pipelined_for(
// CHECK: %[[FIRST:.*]] = tmem.load
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[P:.*]] = %[[FIRST]]) -> (!tmem.pending<vector<32xf32>>)
// CHECK-NEXT: %[[V:.*]] = tmem.wait_load %[[P]]
// CHECK-NEXT: %[[NEXT:.*]] = tmem.load
// CHECK-NEXT: vector.store %[[V]]
// CHECK-NEXT: scf.yield %[[NEXT]]
// CHECK: %[[LAST:.*]] = tmem.wait_load %[[R]]
// CHECK-NEXT: vector.store %[[LAST]]
gpu.func @pipelined_for(%mem: !part, %out: !out, %n: index) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = tmem.read %mem scope(warpgroup) : !part -> !vec
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%v = %first) -> (!vec) {
    %next = tmem.read %mem scope(warpgroup) : !part -> !vec
    vector.store %v, %out[%c0, %c0] : !out, !vec
    scf.yield %next : !vec
  }
  vector.store %r, %out[%c0, %c0] : !out, !vec
  gpu.return
}

// The wait is at the use in the next iteration.
// CHECK-LABEL: gpu.func @pipelined_used_first(
// CHECK: %[[A:.*]] = tmem.load %{{.*}}
// CHECK: %[[B:.*]] = tmem.wait_load %{{.*}}
// CHECK: vector.store %[[B]]
// CHECK: %[[C:.*]] = tmem.load %{{.*}}
// CHECK: scf.yield %[[C]]
// CHECK: %[[D:.*]] = tmem.wait_load %{{.*}}
// CHECK: vector.store %[[D]]
// CHECK: gpu.return
gpu.func @pipelined_used_first(%mem: !part, %out: !out, %n: index) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tmem.read %mem scope(warpgroup) : !part -> !vec
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> !vec {
    %k = arith.addi %i, %i : index
    vector.store %v, %out[%i, %k] : !out, !vec
    %y = tmem.read %mem scope(warpgroup) : !part -> !vec
    %l = arith.addi %i, %k : index
    scf.yield %y : !vec
  }
  %k = arith.addi %n, %n : index
  vector.store %r, %out[%k, %c0] : !out, !vec
  gpu.return
}

// What rotates would have to be copied while it is pending: the older one of the
// two is waited for, which PTX does for all loads before at once anyway.
// CHECK-LABEL: gpu.func @rotation(
// CHECK: %[[A:.*]] = tmem.load %{{.*}}
// CHECK: %[[B:.*]] = tmem.load %{{.*}}
// CHECK: %[[C:.*]] = tmem.wait_load %[[A]]
// CHECK: scf.for {{.*}} -> (vector<32xf32>, !tmem.pending<vector<32xf32>>)
// CHECK: vector.store %{{.*}}
// CHECK: %[[D:.*]] = tmem.wait_load %{{.*}}
// CHECK: %[[E:.*]] = tmem.load %{{.*}}
// CHECK: scf.yield %[[D]], %[[E]]
// CHECK: vector.store %{{.*}}
// CHECK: %[[F:.*]] = tmem.wait_load %{{.*}}#1
// CHECK: vector.store %[[F]]
// CHECK: gpu.return
gpu.func @rotation(%mem: !part, %out: !out, %n: index) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tmem.read %mem scope(warpgroup) : !part -> !vec
  %x2 = tmem.read %mem scope(warpgroup) : !part -> !vec
  %r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x, %w = %x2) -> (!vec, !vec) {
    vector.store %v, %out[%i, %c0] : !out, !vec
    %y = tmem.read %mem scope(warpgroup) : !part -> !vec
    scf.yield %w, %y : !vec, !vec
  }
  vector.store %r, %out[%n, %c0] : !out, !vec
  vector.store %s, %out[%n, %c0] : !out, !vec
  gpu.return
}

// A barrier in the loop waits for the next value: nothing is left to hand on.
// CHECK-LABEL: gpu.func @barrier_in_loop(
// CHECK: %[[FIRST:.*]] = tmem.load
// CHECK-NEXT: %[[V:.*]] = tmem.wait_load %[[FIRST]]
// CHECK-NEXT: scf.for {{.*}} -> (vector<32xf32>)
// CHECK: %[[NEXT:.*]] = tmem.load
// CHECK-NEXT: vector.store
// CHECK-NEXT: tmem.wait_load %[[NEXT]]
// CHECK-NEXT: gpu.barrier
gpu.func @barrier_in_loop(%mem: !part, %out: !out, %n: index) kernel {
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
  gpu.return
}

// CHECK-LABEL: gpu.func @while_loop(
// CHECK: scf.while (%{{.*}} = %{{.*}}) : (!tmem.pending<vector<32xf32>>) -> !tmem.pending<vector<32xf32>>
// CHECK: scf.condition(%{{.*}}) %{{.*}} : !tmem.pending<vector<32xf32>>
// CHECK: ^bb0(%[[P:.*]]: !tmem.pending<vector<32xf32>>):
// CHECK-NEXT: %[[V:.*]] = tmem.wait_load %[[P]]
// CHECK-NEXT: vector.store %[[V]]
// CHECK: %[[LAST:.*]] = tmem.wait_load
// CHECK-NEXT: vector.store %[[LAST]]
gpu.func @while_loop(%mem: !part, %out: !out, %flag: memref<i1>) kernel {
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
  gpu.return
}

// CHECK-LABEL: gpu.func @while(
// CHECK: %[[A:.*]] = tmem.load %{{.*}}
// CHECK: scf.condition(%1)
// CHECK: ^bb0
// CHECK: %[[B:.*]] = tmem.wait_load %{{.*}}
// CHECK: vector.store %[[B]]
// CHECK: %[[C:.*]] = tmem.load %{{.*}}
// CHECK: scf.yield %{{.*}}, %[[C]]
// CHECK: %[[D:.*]] = tmem.wait_load %{{.*}}#1
// CHECK: vector.store %[[D]]
// CHECK: gpu.return
gpu.func @while(%mem: !part, %out: !out, %n: index) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tmem.read %mem scope(warpgroup) : !part -> !vec
  %k, %r = scf.while (%i = %c0, %v = %x) : (index, !vec) -> (index, !vec) {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %i, %v : index, !vec
  } do {
  ^bb0(%i: index, %v: !vec):
    %j = arith.addi %i, %c1 : index
    vector.store %v, %out[%i, %c0] : !out, !vec
    %y = tmem.read %mem scope(warpgroup) : !part -> !vec
    scf.yield %j, %y : index, !vec
  }
  vector.store %r, %out[%k, %c0] : !out, !vec
  gpu.return
}

// CHECK-LABEL: gpu.func @arms(
// CHECK: %[[I:.*]] = scf.if %{{.*}} -> (!tmem.pending<vector<32xf32>>)
// CHECK: %[[S:.*]] = scf.index_switch %{{.*}} -> !tmem.pending<vector<32xf32>>
// CHECK: tmem.wait_load %[[I]], %[[S]]
gpu.func @arms(%mem: !part, %out: !out, %c: i1, %i: index) kernel {
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
  gpu.return
}

// Merges of what is not read here, or is used elsewhere, are waited for before.
// CHECK-LABEL: gpu.func @merges(
// CHECK: %[[P:.*]] = tmem.load
// CHECK-NEXT: %[[V:.*]] = tmem.wait_load %[[P]]
// CHECK-NEXT: scf.if %{{.*}} -> (vector<32xf32>)
// CHECK: tmem.wait_load
// CHECK: scf.yield
// CHECK: arith.select %{{.*}}, %[[V]]
gpu.func @merges(%mem: !part, %out: !out, %c: i1, %v: !vec) kernel {
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
  gpu.return
}

// A select is a use.
// CHECK-LABEL: gpu.func @select(
// CHECK: %[[A:.*]] = tmem.load %{{.*}}
// CHECK: %[[B:.*]] = tmem.load %{{.*}}
// CHECK: %[[C:.*]], %[[D:.*]] = tmem.wait_load %[[A]], %[[B]]
// CHECK: %{{.*}} = arith.select %{{.*}}, %[[C]], %[[D]]
// CHECK: vector.store %{{.*}}
// CHECK: gpu.return
gpu.func @select(%mem: !part, %out: !out, %n: index, %c: i1) kernel {
  %x = tmem.read %mem scope(warpgroup) : !part -> !vec
  %x2 = tmem.read %mem scope(warpgroup) : !part -> !vec
  %k = arith.addi %n, %n : index
  %y = arith.select %c, %x, %x2 : !vec
  vector.store %y, %out[%n, %k] : !out, !vec
  gpu.return
}

// What an inner region uses is waited for before it, all else passes by.
// CHECK-LABEL: gpu.func @around(
// CHECK: %[[P:.*]] = tmem.load
// CHECK-NEXT: scf.if
// CHECK: vector.store %arg3
// CHECK: tmem.wait_load %[[P]]
// CHECK-NEXT: scf.if
// CHECK-NEXT: vector.store
gpu.func @around(%mem: !part, %out: !out, %c: i1, %v: !vec) kernel {
  %c0 = arith.constant 0 : index
  %a = tmem.read %mem scope(warpgroup) : !part -> !vec
  scf.if %c {
    vector.store %v, %out[%c0, %c0] : !out, !vec
  }
  scf.if %c {
    vector.store %a, %out[%c0, %c0] : !out, !vec
  }
  gpu.return
}

// CHECK-LABEL: gpu.func @lane_dependent_if(
// CHECK: %[[A:.*]] = tmem.load %{{.*}}
// CHECK: %[[B:.*]] = tmem.wait_load %[[A]]
// CHECK: scf.if
// CHECK: vector.store %[[B]]
// CHECK: gpu.return
gpu.func @lane_dependent_if(%mem: !part, %out: !out, %i: index) kernel {
  %x = tmem.read %mem scope(warpgroup) : !part -> !vec
  %tid = gpu.thread_id x
  %c16 = arith.constant 16 : index
  %c = arith.cmpi ult, %tid, %c16 : index
  %k = arith.addi %i, %i : index
  scf.if %c {
    vector.store %x, %out[%i, %k] : !out, !vec
  }
  gpu.return
}

// A store is waited for at the end of its region, and before its cells are stored to.
// CHECK-LABEL: gpu.func @store_tokens(
// CHECK: %[[A:.*]] = tmem.store %{{.*}}, %{{.*}}
// CHECK: tmem.wait_store %[[A]]
// CHECK: scf.if
// CHECK: %[[A]] = tmem.store %{{.*}}, %{{.*}}
// CHECK: tmem.wait_store %[[A]]
// CHECK: %[[B:.*]] = tmem.store %{{.*}}, %{{.*}}
// CHECK: tmem.wait_store %[[B]]
// CHECK: gpu.barrier
// CHECK: gpu.return
gpu.func @store_tokens(%mem: !part, %v: !vec, %n: index, %c: i1) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    tmem.write %v, %mem scope(warpgroup) : !vec, !part
    %k = arith.addi %i, %i : index
  }
  scf.if %c {
    tmem.write %v, %mem scope(warpgroup) : !vec, !part
  }
  tmem.write %v, %mem scope(warpgroup) : !vec, !part
  gpu.barrier
  gpu.return
}
}
