// Waits between blocks, and in loops and branches of scf.

// RUN: tmem-opt %s --tmem-insert-waits | FileCheck %s --implicit-check-not=tmem.wait_

!part = !tmem.view<128x32xf32, #tmem.layout<(128, 32) : (1@tlane, 1@tcol)>>
!vec = vector<32xf32>
!out = memref<128x32xf32>
gpu.module @kernels {
func.func private @callee()

// One way uses the value and waits there; the other waits at its end.
// CHECK-LABEL: gpu.func @diamond(
// CHECK: %[[A:.*]] = tmem.load %{{.*}}
// CHECK: cf.cond_br
// CHECK: ^bb1
// CHECK: %[[B:.*]] = tmem.wait_load %[[A]]
// CHECK: vector.store %[[B]]
// CHECK: cf.br
// CHECK: ^bb2
// CHECK: %[[C:.*]] = tmem.wait_load %[[A]]
// CHECK: cf.br
// CHECK: ^bb3
// CHECK: gpu.return
gpu.func @diamond(%mem: !part, %out: !out, %i: index, %c: i1) kernel {
  %x = tmem.read %mem scope(warpgroup) : !part -> !vec
  cf.cond_br %c, ^use, ^skip
^use:
  vector.store %x, %out[%i, %i] : !out, !vec
  cf.br ^join
^skip:
  cf.br ^join
^join:
  gpu.return
}

// A use behind both: one wait before the branch serves all.
// CHECK-LABEL: gpu.func @both_and_after(
// CHECK: %[[A:.*]] = tmem.load %{{.*}}
// CHECK: %[[B:.*]] = tmem.wait_load %[[A]]
// CHECK: cf.cond_br
// CHECK: ^bb1
// CHECK: vector.store %[[B]]
// CHECK: cf.br
// CHECK: ^bb2
// CHECK: cf.br
// CHECK: ^bb3
// CHECK: vector.store %[[B]]
// CHECK: gpu.return
gpu.func @both_and_after(%mem: !part, %out: !out, %i: index, %c: i1) kernel {
  %x = tmem.read %mem scope(warpgroup) : !part -> !vec
  cf.cond_br %c, ^use, ^skip
^use:
  vector.store %x, %out[%i, %i] : !out, !vec
  cf.br ^join
^skip:
  cf.br ^join
^join:
  vector.store %x, %out[%i, %i] : !out, !vec
  gpu.return
}

// Two ways that ask for nothing: the wait is where they have met.
// CHECK-LABEL: gpu.func @past_diamond(
// CHECK: %[[A:.*]] = tmem.load %{{.*}}
// CHECK: cf.cond_br
// CHECK: ^bb1
// CHECK: cf.br
// CHECK: ^bb2
// CHECK: cf.br
// CHECK: ^bb3
// CHECK: %[[B:.*]] = tmem.wait_load %[[A]]
// CHECK: vector.store %[[B]]
// CHECK: gpu.return
gpu.func @past_diamond(%mem: !part, %out: !out, %i: index, %c: i1) kernel {
  %x = tmem.read %mem scope(warpgroup) : !part -> !vec
  cf.cond_br %c, ^use, ^skip
^use:
  cf.br ^join
^skip:
  cf.br ^join
^join:
  vector.store %x, %out[%i, %i] : !out, !vec
  gpu.return
}

// Not all lanes of a warp take this branch together.
// CHECK-LABEL: gpu.func @lane_dependent(
// CHECK: %[[A:.*]] = tmem.load %{{.*}}
// CHECK: %[[B:.*]] = tmem.wait_load %[[A]]
// CHECK: cf.cond_br
// CHECK: ^bb1
// CHECK: vector.store %[[B]]
// CHECK: cf.br
// CHECK: ^bb2
// CHECK: cf.br
// CHECK: ^bb3
// CHECK: gpu.return
gpu.func @lane_dependent(%mem: !part, %out: !out, %i: index) kernel {
  %x = tmem.read %mem scope(warpgroup) : !part -> !vec
  %tid = gpu.thread_id x
  %c16 = arith.constant 16 : index
  %c = arith.cmpi ult, %tid, %c16 : index
  cf.cond_br %c, ^use, ^skip
^use:
  vector.store %x, %out[%i, %i] : !out, !vec
  cf.br ^join
^skip:
  cf.br ^join
^join:
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

// Handed on as pending: each iteration waits at its use.
// CHECK-LABEL: gpu.func @cf_loop(
// CHECK: %[[A:.*]] = tmem.load %{{.*}}
// CHECK: cf.br
// CHECK: ^bb1
// CHECK: cf.cond_br
// CHECK: ^bb2
// CHECK: %[[B:.*]] = tmem.wait_load %{{.*}}
// CHECK: vector.store %[[B]]
// CHECK: %[[C:.*]] = tmem.load %{{.*}}
// CHECK: cf.br
// CHECK: ^bb3
// CHECK: %[[D:.*]] = tmem.wait_load %{{.*}}
// CHECK: vector.store %[[D]]
// CHECK: gpu.return
gpu.func @cf_loop(%mem: !part, %out: !out, %n: index) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tmem.read %mem scope(warpgroup) : !part -> !vec
  cf.br ^head(%c0, %x : index, !vec)
^head(%i: index, %v: !vec):
  %c = arith.cmpi slt, %i, %n : index
  cf.cond_br %c, ^body, ^exit
^body:
  vector.store %v, %out[%i, %c0] : !out, !vec
  %y = tmem.read %mem scope(warpgroup) : !part -> !vec
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %y : index, !vec)
^exit:
  vector.store %v, %out[%n, %c0] : !out, !vec
  gpu.return
}

// It is not known that all lanes leave the loop together.
// CHECK-LABEL: gpu.func @past_cf_loop(
// CHECK: %[[A:.*]] = tmem.load %{{.*}}
// CHECK: %[[B:.*]] = tmem.wait_load %[[A]]
// CHECK: cf.br
// CHECK: ^bb1
// CHECK: cf.cond_br
// CHECK: ^bb2
// CHECK: vector.store %[[B]]
// CHECK: gpu.return
gpu.func @past_cf_loop(%mem: !part, %out: !out, %n: index) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tmem.read %mem scope(warpgroup) : !part -> !vec
  cf.br ^head(%c0 : index)
^head(%i: index):
  %c = arith.cmpi slt, %i, %n : index
  %j = arith.addi %i, %c1 : index
  cf.cond_br %c, ^head(%j : index), ^exit
^exit:
  vector.store %x, %out[%n, %c0] : !out, !vec
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
  func.call @callee() : () -> ()
  tmem.write %x, %mem scope(warpgroup) : !vec, !part
  func.call @callee() : () -> ()
  gpu.return
}

// The wait is at the use in the next iteration.
// CHECK-LABEL: gpu.func @pipelined(
// CHECK: %[[A:.*]] = tmem.load %{{.*}}
// CHECK: %[[B:.*]] = tmem.wait_load %{{.*}}
// CHECK: vector.store %[[B]]
// CHECK: %[[C:.*]] = tmem.load %{{.*}}
// CHECK: scf.yield %[[C]]
// CHECK: %[[D:.*]] = tmem.wait_load %{{.*}}
// CHECK: vector.store %[[D]]
// CHECK: gpu.return
gpu.func @pipelined(%mem: !part, %out: !out, %n: index) kernel {
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

// Two values that change places: the one that was read before is waited for.
// CHECK-LABEL: gpu.func @rotation(
// CHECK: %[[A:.*]] = tmem.load %{{.*}}
// CHECK: %[[B:.*]] = tmem.load %{{.*}}
// CHECK: %[[C:.*]] = tmem.wait_load %[[A]]
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

// A value from around the branch cannot be handed on pending.
// CHECK-LABEL: gpu.func @if_outer(
// CHECK: %[[A:.*]] = tmem.load %{{.*}}
// CHECK: %[[B:.*]] = tmem.wait_load %[[A]]
// CHECK: scf.if
// CHECK: scf.yield %[[B]]
// CHECK: %[[C:.*]] = tmem.load %{{.*}}
// CHECK: %[[D:.*]] = tmem.wait_load %[[C]]
// CHECK: scf.yield %[[D]]
// CHECK: vector.store %{{.*}}
// CHECK: gpu.return
gpu.func @if_outer(%mem: !part, %out: !out, %n: index, %c: i1) kernel {
  %x = tmem.read %mem scope(warpgroup) : !part -> !vec
  %k = arith.addi %n, %n : index
  %y = scf.if %c -> !vec {
    scf.yield %x : !vec
  } else {
    %x2 = tmem.read %mem scope(warpgroup) : !part -> !vec
    scf.yield %x2 : !vec
  }
  vector.store %y, %out[%n, %k] : !out, !vec
  gpu.return
}

// CHECK-LABEL: gpu.func @if_inner(
// CHECK: scf.if
// CHECK: %[[A:.*]] = tmem.load %{{.*}}
// CHECK: scf.yield %[[A]]
// CHECK: %[[A]] = tmem.load %{{.*}}
// CHECK: scf.yield %[[A]]
// CHECK: %[[B:.*]] = tmem.wait_load %{{.*}}
// CHECK: vector.store %[[B]]
// CHECK: gpu.return
gpu.func @if_inner(%mem: !part, %out: !out, %n: index, %c: i1) kernel {
  %y = scf.if %c -> !vec {
    %x = tmem.read %mem scope(warpgroup) : !part -> !vec
    scf.yield %x : !vec
  } else {
    %x2 = tmem.read %mem scope(warpgroup) : !part -> !vec
    scf.yield %x2 : !vec
  }
  %k = arith.addi %n, %n : index
  vector.store %y, %out[%n, %k] : !out, !vec
  gpu.return
}

// CHECK-LABEL: gpu.func @switch(
// CHECK: scf.index_switch
// CHECK: %[[A:.*]] = tmem.load %{{.*}}
// CHECK: scf.yield %[[A]]
// CHECK: %[[A]] = tmem.load %{{.*}}
// CHECK: scf.yield %[[A]]
// CHECK: %[[B:.*]] = tmem.wait_load %{{.*}}
// CHECK: vector.store %[[B]]
// CHECK: gpu.return
gpu.func @switch(%mem: !part, %out: !out, %n: index) kernel {
  %y = scf.index_switch %n -> !vec
  case 1 {
    %x = tmem.read %mem scope(warpgroup) : !part -> !vec
    scf.yield %x : !vec
  }
  default {
    %x2 = tmem.read %mem scope(warpgroup) : !part -> !vec
    scf.yield %x2 : !vec
  }
  %k = arith.addi %n, %n : index
  vector.store %y, %out[%n, %k] : !out, !vec
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
