// What branches take into their arms.

// RUN: tmem-opt %s --tmem-insert-waits | FileCheck %s

!part = !tmem.view<128x32xf32, #tmem.datapath<D>>
!vec = vector<32xf32>
!out = memref<128x32xf32>
gpu.module @kernels {

// One arm uses the first vector, the other loads its own: each way waits once.
// CHECK-LABEL: gpu.func @one_wait_on_each_way(
// CHECK: %[[X:.*]] = tmem.load
// CHECK-NEXT: scf.if
// CHECK-NEXT: %[[A:.*]] = tmem.wait_load %[[X]]
// CHECK-NEXT: vector.store %[[A]]
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[Y:.*]] = tmem.load
// CHECK-NEXT: %{{.*}}, %[[B:.*]] = tmem.wait_load %[[X]], %[[Y]]
// CHECK-NEXT: vector.store %[[B]]
// CHECK-NOT: tmem.wait_load
gpu.func @one_wait_on_each_way(%mem: !part, %out: !out, %c: i1) kernel {
  %c0 = arith.constant 0 : index
  %x = tmem.read %mem scope(warpgroup) : !part -> !vec
  scf.if %c {
    vector.store %x, %out[%c0, %c0] : !out, !vec
  } else {
    %y = tmem.read %mem scope(warpgroup) : !part -> !vec
    vector.store %y, %out[%c0, %c0] : !out, !vec
  }
  gpu.return
}

// Each arm would have to hand the vector back.
// CHECK-LABEL: gpu.func @used_behind(
// CHECK: tmem.load
// CHECK-NEXT: tmem.wait_load
// CHECK-NEXT: scf.if
gpu.func @used_behind(%mem: !part, %out: !out, %c: i1) kernel {
  %c0 = arith.constant 0 : index
  %x = tmem.read %mem scope(warpgroup) : !part -> !vec
  scf.if %c {
    vector.store %x, %out[%c0, %c0] : !out, !vec
  } else {
    gpu.printf "other"
  }
  vector.store %x, %out[%c0, %c0] : !out, !vec
  gpu.return
}

// A wait is for all lanes of a warp, and these part.
// CHECK-LABEL: gpu.func @lanes_part(
// CHECK: tmem.load
// CHECK-NEXT: tmem.wait_load
// CHECK-NEXT: scf.if
gpu.func @lanes_part(%mem: !part, %out: !out) kernel {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %tid = gpu.thread_id x
  %few = arith.cmpi ult, %tid, %c5 : index
  %x = tmem.read %mem scope(warpgroup) : !part -> !vec
  scf.if %few {
    vector.store %x, %out[%c0, %c0] : !out, !vec
  } else {
    gpu.printf "other"
  }
  gpu.return
}

// One arm is not there to wait in.
// CHECK-LABEL: gpu.func @no_other_arm(
// CHECK: tmem.load
// CHECK-NEXT: tmem.wait_load
// CHECK-NEXT: scf.if
gpu.func @no_other_arm(%mem: !part, %out: !out, %c: i1) kernel {
  %c0 = arith.constant 0 : index
  %x = tmem.read %mem scope(warpgroup) : !part -> !vec
  scf.if %c {
    vector.store %x, %out[%c0, %c0] : !out, !vec
  }
  gpu.return
}

// A barrier in one arm publishes the store; the other waits at its end.
// CHECK-LABEL: gpu.func @stores(
// CHECK: %[[T:.*]] = tmem.store
// CHECK-NEXT: scf.if
// CHECK-NEXT: tmem.wait_store %[[T]]
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[U:.*]] = tmem.store
// CHECK-NEXT: tmem.wait_store %[[T]], %[[U]]
// CHECK-NEXT: }
// CHECK-NEXT: gpu.return
gpu.func @stores(%base: i32, %v: !vec, %c: i1) kernel {
  %c32 = arith.constant 32 : i32
  %next = arith.addi %base, %c32 : i32
  %mem = tmem.view %base : !part
  %low = tmem.view %next : !part
  tmem.write %v, %mem scope(warpgroup) : !vec, !part
  scf.if %c {
    gpu.barrier
  } else {
    tmem.write %v, %low scope(warpgroup) : !vec, !part
  }
  gpu.return
}

// Of a switch in an arm, each arm again; a loop there uses the vector inside.
// CHECK-LABEL: gpu.func @nested(
// CHECK: %[[X:.*]] = tmem.load
// CHECK-NEXT: scf.if
// CHECK-NEXT: scf.index_switch
// CHECK-NEXT: case 0 {
// CHECK-NEXT: %[[A:.*]] = tmem.wait_load %[[X]]
// CHECK-NEXT: scf.for
// CHECK-NEXT: vector.store %[[A]]
// CHECK: default {
// CHECK-NEXT: tmem.wait_load %[[X]]
// CHECK: } else {
// CHECK-NEXT: %[[B:.*]] = tmem.wait_load %[[X]]
// CHECK-NEXT: vector.store %[[B]]
gpu.func @nested(%mem: !part, %out: !out, %c: i1, %n: index) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tmem.read %mem scope(warpgroup) : !part -> !vec
  scf.if %c {
    scf.index_switch %n
    case 0 {
      scf.for %i = %c0 to %n step %c1 {
        vector.store %x, %out[%i, %c0] : !out, !vec
      }
      scf.yield
    }
    default {
      scf.yield
    }
  } else {
    vector.store %x, %out[%c0, %c0] : !out, !vec
  }
  gpu.return
}

// The load of an arm takes the registers that a vector is still loaded into: the
// wait comes before it, in that arm alone.
// CHECK-LABEL: gpu.func @same_registers(
// CHECK: scf.for {{.*}} iter_args(%[[V:.*]] = %{{.*}}) -> (!tmem.pending<vector<32xf32>>)
// CHECK-NEXT: scf.if
// CHECK-NEXT: %[[W:.*]] = tmem.wait_load %[[V]]
// CHECK-NEXT: %[[Y:.*]] = tmem.load
// CHECK-NEXT: vector.store %[[W]]
// CHECK-NEXT: scf.yield %[[Y]]
// CHECK-NEXT: } else {
// CHECK-NEXT: tmem.wait_load %[[V]]
// CHECK-NEXT: %[[Z:.*]] = tmem.load
// CHECK-NEXT: scf.yield %[[Z]]
gpu.func @same_registers(%mem: !part, %out: !out, %c: i1, %n: index) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tmem.read %mem scope(warpgroup) : !part -> !vec
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> !vec {
    %next = scf.if %c -> !vec {
      %y = tmem.read %mem scope(warpgroup) : !part -> !vec
      vector.store %v, %out[%i, %c0] : !out, !vec
      scf.yield %y : !vec
    } else {
      %z = tmem.read %mem scope(warpgroup) : !part -> !vec
      scf.yield %z : !vec
    }
    scf.yield %next : !vec
  }
  vector.store %r, %out[%c0, %c0] : !out, !vec
  gpu.return
}

// A wait for the vector that is used would be for the one that is handed on, too: it
// stays pending, and the branch takes nothing in.
// CHECK-LABEL: gpu.func @hands_on(
// CHECK: %[[X:.*]] = tmem.load
// CHECK-NEXT: %[[A:.*]] = tmem.wait_load %[[X]]
// CHECK-NEXT: %[[R:.*]] = scf.if %{{.*}} -> (!tmem.pending<vector<32xf32>>)
// CHECK: } else {
// CHECK: %[[B:.*]] = tmem.wait_load %[[R]]
// CHECK-NEXT: vector.store %[[B]]
gpu.func @hands_on(%mem: !part, %out: !out, %c: i1) kernel {
  %c0 = arith.constant 0 : index
  %x = tmem.read %mem scope(warpgroup) : !part -> !vec
  %r = scf.if %c -> !vec {
    %y = tmem.read %mem scope(warpgroup) : !part -> !vec
    vector.store %x, %out[%c0, %c0] : !out, !vec
    scf.yield %y : !vec
  } else {
    %z = tmem.read %mem scope(warpgroup) : !part -> !vec
    scf.yield %z : !vec
  }
  vector.store %r, %out[%c0, %c0] : !out, !vec
  gpu.return
}

// What comes to the loop of blocks is waited for before it: in flight around the branch
// is nothing, as is found when the block is looked at once more.
// CHECK-LABEL: gpu.func @in_a_loop_of_blocks(
// CHECK: tmem.store
// CHECK-NEXT: tmem.wait_store
// CHECK-NEXT: cf.br
// CHECK: scf.if
// CHECK-NEXT: tmem.store
// CHECK-NEXT: tmem.wait_store
// CHECK-NEXT: } else {
// CHECK-NEXT: }
gpu.func @in_a_loop_of_blocks(%mem: !part, %x: !vec, %c: i1) kernel {
  tmem.write %x, %mem scope(warpgroup) : !vec, !part
  cf.br ^a
^a:
  scf.if %c {
    tmem.write %x, %mem scope(warpgroup) : !vec, !part
  } else {
  }
  cf.cond_br %c, ^a, ^b
^b:
  gpu.return
}
}
