// Waits between blocks.

// RUN: tmem-opt %s --tmem-insert-waits | FileCheck %s --implicit-check-not=tmem.wait_

!part = !tmem.view<128x32xf32, #tmem.layout<(128, 32) : (1@tlane, 1@tcol)>>
!vec = vector<32xf32>
!out = memref<128x32xf32>
gpu.module @kernels {
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
}
