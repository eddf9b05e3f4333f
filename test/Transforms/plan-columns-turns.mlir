// Loops that all threads go through alike, and what they give: the same for all threads.
// Where threads may part, 128 columns.

// RUN: tmem-opt %s --tmem-plan-columns | FileCheck %s

!acc = !tmem.view<128x64xf32, #tmem.datapath<D>>
!vec = vector<64xf32>
gpu.module @kernels {
  // CHECK-LABEL: gpu.func @while(
  // CHECK: tmem.alloc %{{.*}}, 64 :
  gpu.func @while(%x: !vec, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %one = arith.constant 1 : i32
    %v = scf.while (%i = %n) : (i32) -> i32 {
      %c = arith.cmpi ugt, %i, %one : i32
      scf.condition(%c) %i : i32
    } do {
    ^bb0(%i: i32):
      %half = arith.shrui %i, %one : i32
      scf.yield %half : i32
    }
    %q = arith.cmpi eq, %v, %n : i32
    scf.if %q {
      gpu.barrier
      tmem.write %x, %a scope(warpgroup) : !vec, !acc
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b scope(warpgroup) : !vec, !acc
      gpu.barrier
    }
    gpu.return
  }

  // Some threads take more turns.
  // CHECK-LABEL: gpu.func @while_by_id(
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @while_by_id(%x: !vec, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %one = arith.constant 1 : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %v = scf.while (%i = %n) : (i32) -> i32 {
      %c = arith.cmpi ugt, %i, %tid : i32
      scf.condition(%c) %i : i32
    } do {
    ^bb0(%i: i32):
      %half = arith.shrui %i, %one : i32
      scf.yield %half : i32
    }
    %q = arith.cmpi eq, %v, %n : i32
    scf.if %q {
      gpu.barrier
      tmem.write %x, %a scope(warpgroup) : !vec, !acc
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b scope(warpgroup) : !vec, !acc
      gpu.barrier
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @forall(
  // CHECK: tmem.alloc %{{.*}}, 64 :
  gpu.func @forall(%x: !vec, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    scf.forall (%i) in (2) {
      gpu.barrier
    }
    %q = arith.cmpi eq, %n, %n : i32
    scf.if %q {
      gpu.barrier
      tmem.write %x, %a scope(warpgroup) : !vec, !acc
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b scope(warpgroup) : !vec, !acc
      gpu.barrier
    }
    gpu.return
  }

  // Each thread has an iteration, or none.
  // CHECK-LABEL: gpu.func @forall_threads(
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @forall_threads(%x: !vec, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    scf.forall (%i) in (2) {
      gpu.barrier
    } {mapping = [#gpu.thread<x>]}
    %q = arith.cmpi eq, %n, %n : i32
    scf.if %q {
      gpu.barrier
      tmem.write %x, %a scope(warpgroup) : !vec, !acc
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b scope(warpgroup) : !vec, !acc
      gpu.barrier
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @parallel(
  // CHECK: tmem.alloc %{{.*}}, 64 :
  gpu.func @parallel(%x: !vec, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %zero = arith.constant 0 : index
    %four = arith.constant 4 : index
    %one = arith.constant 1 : index
    %v = scf.parallel (%i) = (%zero) to (%four) step (%one) init (%n) -> i32 {
      scf.reduce(%n : i32) {
      ^bb0(%l: i32, %r: i32):
        %sum = arith.addi %l, %r : i32
        scf.reduce.return %sum : i32
      }
    }
    %q = arith.cmpi eq, %v, %n : i32
    scf.if %q {
      gpu.barrier
      tmem.write %x, %a scope(warpgroup) : !vec, !acc
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b scope(warpgroup) : !vec, !acc
      gpu.barrier
    }
    gpu.return
  }

  // Only what the reduction does differs.
  // CHECK-LABEL: gpu.func @parallel_reduces_with_id(
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @parallel_reduces_with_id(%x: !vec, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %zero = arith.constant 0 : index
    %four = arith.constant 4 : index
    %one = arith.constant 1 : index
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %v = scf.parallel (%i) = (%zero) to (%four) step (%one) init (%n) -> i32 {
      scf.reduce(%n : i32) {
      ^bb0(%l: i32, %r: i32):
        %sum = arith.addi %l, %tid : i32
        scf.reduce.return %sum : i32
      }
    }
    %q = arith.cmpi eq, %v, %n : i32
    scf.if %q {
      gpu.barrier
      tmem.write %x, %a scope(warpgroup) : !vec, !acc
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b scope(warpgroup) : !vec, !acc
      gpu.barrier
    }
    gpu.return
  }
}
