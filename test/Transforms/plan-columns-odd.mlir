// Control flow and uses that planning does not understand in full: an answer that
// is right, if not the tightest.

// RUN: tmem-opt %s --tmem-plan-columns --split-input-file | FileCheck %s

!acc = !tmem.view<128x64xf32, #tmem.datapath<D>>
!vec = vector<64xf32>
gpu.module @kernels {
  // Two blocks that jump into each other, from two sides.
  // CHECK-LABEL: gpu.func @irreducible
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @irreducible(%x: !vec, %c: i1) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
    tmem.wait_store %t
    cf.cond_br %c, ^left, ^right
  ^left:
    %p = tmem.load %a scope(warpgroup) : !acc -> !tmem.pending<!vec>
    %v = tmem.wait_load %p : !tmem.pending<!vec>
    cf.cond_br %c, ^right, ^end
  ^right:
    %u = tmem.store %x, %b scope(warpgroup) : !vec, !acc
    tmem.wait_store %u
    cf.cond_br %c, ^left, ^end
  ^end:
    gpu.return
  }

  // What is never reached takes no columns from others, and is planned all the same.
  // CHECK-LABEL: gpu.func @unreachable
  // CHECK: tmem.alloc %{{.*}}, 64 :
  // CHECK-NOT: tmem.buffer
  gpu.func @unreachable(%x: !vec) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
    tmem.wait_store %t
    gpu.return
  ^never:
    %u = tmem.store %x, %b scope(warpgroup) : !vec, !acc
    tmem.wait_store %u
    cf.br ^never
  }

  // No way out: nothing is freed.
  // CHECK-LABEL: gpu.func @endless
  // CHECK: tmem.alloc %{{.*}}, 64 :
  // CHECK-NOT: tmem.dealloc
  gpu.func @endless(%x: !vec) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tmem.buffer : !acc
    cf.br ^loop
  ^loop:
    %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
    tmem.wait_store %t
    cf.br ^loop
  }

  // A view that a call or a cast takes is alive throughout; a selected one may be
  // either; one that a loop or a branch hands on is followed.
  // CHECK-LABEL: gpu.func @out_of_sight
  // CHECK: tmem.alloc %{{.*}}, 256 :
  gpu.func @out_of_sight(%x: !vec) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %c = tmem.buffer : !acc
    func.call @callee(%a) : (!acc) -> ()
    %address = builtin.unrealized_conversion_cast %b : !acc to i32
    %t = tmem.store %x, %c scope(warpgroup) : !vec, !acc
    tmem.wait_store %t
    gpu.return
  }
  func.func @callee(%a: !acc) {
    func.call @callee(%a) : (!acc) -> ()
    return
  }

  // CHECK-LABEL: gpu.func @select
  // CHECK: tmem.alloc %{{.*}}, 256 :
  gpu.func @select(%x: !vec, %c: i1) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %other = tmem.buffer : !acc
    %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
    %u = tmem.store %x, %b scope(warpgroup) : !vec, !acc
    tmem.wait_store %t, %u
    %either = arith.select %c, %a, %b : !acc
    %s = tmem.store %x, %other scope(warpgroup) : !vec, !acc
    tmem.wait_store %s
    %p = tmem.load %either scope(warpgroup) : !acc -> !tmem.pending<!vec>
    %v = tmem.wait_load %p : !tmem.pending<!vec>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @block_argument
  // CHECK: tmem.alloc %{{.*}}, 64 :
  gpu.func @block_argument(%x: !vec, %c: i1) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    cf.cond_br %c, ^store(%a : !acc), ^other
  ^store(%some: !acc):
    %t = tmem.store %x, %some scope(warpgroup) : !vec, !acc
    tmem.wait_store %t
    %p = tmem.load %some scope(warpgroup) : !acc -> !tmem.pending<!vec>
    %v = tmem.wait_load %p : !tmem.pending<!vec>
    cf.br ^other
  ^other:
    %u = tmem.store %x, %b scope(warpgroup) : !vec, !acc
    tmem.wait_store %u
    gpu.return
  }

  // The last iteration's view is used in the next one: the tile is not a new one.
  // CHECK-LABEL: gpu.func @view_of_the_last_iteration
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @view_of_the_last_iteration(%x: !vec, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %first = tmem.buffer : !acc
    %t = tmem.store %x, %first scope(warpgroup) : !vec, !acc
    tmem.wait_store %t
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%before = %first) -> (!acc) {
      %p = tmem.load %before scope(warpgroup) : !acc -> !tmem.pending<!vec>
      %v = tmem.wait_load %p : !tmem.pending<!vec>
      %own = tmem.buffer : !acc
      %u = tmem.store %v, %own scope(warpgroup) : !vec, !acc
      tmem.wait_store %u
      scf.yield %own : !acc
    }
    %q = tmem.load %last scope(warpgroup) : !acc -> !tmem.pending<!vec>
    %w = tmem.wait_load %q : !tmem.pending<!vec>
    gpu.return
  }

  // Regions that do not say how control flows through them.
  // CHECK-LABEL: gpu.func @unknown_regions
  // CHECK: tmem.alloc %{{.*}}, 64 :
  gpu.func @unknown_regions(%x: !vec, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tmem.buffer : !acc
    scf.execute_region {
      %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
      tmem.wait_store %t
      scf.yield
    }
    affine.for %i = 0 to %n {
      %p = tmem.load %a scope(warpgroup) : !acc -> !tmem.pending<!vec>
      %v = tmem.wait_load %p : !tmem.pending<!vec>
    }
    gpu.return
  }
}
