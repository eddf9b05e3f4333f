// Which buffers share columns, by where they are stored to and loaded from.

// RUN: tmem-opt %s --tmem-plan-columns --split-input-file | FileCheck %s

!acc = !tmem.view<128x64xf32, #tmem.datapath<D>>
!part = !tmem.view<128x32xf32, #tmem.datapath<D>>
!vec = vector<64xf32>
#block = array<i32: 128, 1, 1>
gpu.module @kernels {
  // Loaded and waited for, %a is over; a load without its wait is not.
  // CHECK-LABEL: gpu.func @in_sequence
  // CHECK: tmem.alloc %{{.*}}, 64 :
  gpu.func @in_sequence(%x: !vec, %out: memref<64xf32>) kernel
      attributes {known_block_size = #block} {
    %c0 = arith.constant 0 : index
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
    tmem.wait_store %t
    %p = tmem.load %a scope(warpgroup) : !acc -> !tmem.pending<!vec>
    %v = tmem.wait_load %p : !tmem.pending<!vec>
    %u = tmem.store %v, %b scope(warpgroup) : !vec, !acc
    tmem.wait_store %u
    gpu.return
  }

  // CHECK-LABEL: gpu.func @load_under_way
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @load_under_way(%x: !vec) kernel
      attributes {known_block_size = #block} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
    tmem.wait_store %t
    %p = tmem.load %a scope(warpgroup) : !acc -> !tmem.pending<!vec>
    %u = tmem.store %x, %b scope(warpgroup) : !vec, !acc
    tmem.wait_store %u
    %v = tmem.wait_load %p : !tmem.pending<!vec>
    gpu.return
  }

  // So does a store, even one of what nobody loads.
  // CHECK-LABEL: gpu.func @store_under_way
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @store_under_way(%x: !vec) kernel
      attributes {known_block_size = #block} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
    %u = tmem.store %x, %b scope(warpgroup) : !vec, !acc
    tmem.wait_store %t, %u
    gpu.return
  }

  // Only one arm of a branch is executed.
  // CHECK-LABEL: gpu.func @two_arms
  // CHECK: tmem.alloc %{{.*}}, 64 :
  gpu.func @two_arms(%x: !vec, %c: i1) kernel
      attributes {known_block_size = #block} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    scf.if %c {
      %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
      tmem.wait_store %t
      %p = tmem.load %a scope(warpgroup) : !acc -> !tmem.pending<!vec>
      %v = tmem.wait_load %p : !tmem.pending<!vec>
    } else {
      %t = tmem.store %x, %b scope(warpgroup) : !vec, !acc
      tmem.wait_store %t
      %p = tmem.load %b scope(warpgroup) : !acc -> !tmem.pending<!vec>
      %v = tmem.wait_load %p : !tmem.pending<!vec>
    }
    gpu.return
  }

  // %a lives through the loop that loads it; %b and %c each live in a part of an
  // iteration, and not from one to the next.
  // CHECK-LABEL: gpu.func @loop
  // CHECK: tmem.alloc %{{.*}}, 128 :
  // CHECK: %[[BASE:.*]] = memref.load
  // CHECK: tmem.view %[[BASE]]
  // CHECK: %[[B:.*]] = arith.addi %[[BASE]], %c64_i32
  // CHECK: tmem.view %[[B]]
  // CHECK: %[[C:.*]] = arith.addi %[[BASE]], %c64_i32
  // CHECK: tmem.view %[[C]]
  gpu.func @loop(%x: !vec, %n: index) kernel
      attributes {known_block_size = #block} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %c = tmem.buffer : !acc
    %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
    tmem.wait_store %t
    scf.for %i = %c0 to %n step %c1 {
      %p = tmem.load %a scope(warpgroup) : !acc -> !tmem.pending<!vec>
      %v = tmem.wait_load %p : !tmem.pending<!vec>
      %t0 = tmem.store %v, %b scope(warpgroup) : !vec, !acc
      tmem.wait_store %t0
      %q = tmem.load %b scope(warpgroup) : !acc -> !tmem.pending<!vec>
      %w = tmem.wait_load %q : !tmem.pending<!vec>
      %t1 = tmem.store %w, %c scope(warpgroup) : !vec, !acc
      tmem.wait_store %t1
      %r = tmem.load %c scope(warpgroup) : !acc -> !tmem.pending<!vec>
      %y = tmem.wait_load %r : !tmem.pending<!vec>
    }
    gpu.return
  }

  // Loaded in the next iteration, %b lives while %c does.
  // CHECK-LABEL: gpu.func @loop_carried
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @loop_carried(%x: !vec, %n: index) kernel
      attributes {known_block_size = #block} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %b = tmem.buffer : !acc
    %c = tmem.buffer : !acc
    %t = tmem.store %x, %b scope(warpgroup) : !vec, !acc
    tmem.wait_store %t
    scf.for %i = %c0 to %n step %c1 {
      %q = tmem.load %b scope(warpgroup) : !acc -> !tmem.pending<!vec>
      %w = tmem.wait_load %q : !tmem.pending<!vec>
      %t0 = tmem.store %w, %b scope(warpgroup) : !vec, !acc
      tmem.wait_store %t0
      %t1 = tmem.store %w, %c scope(warpgroup) : !vec, !acc
      tmem.wait_store %t1
      %r = tmem.load %c scope(warpgroup) : !acc -> !tmem.pending<!vec>
      %y = tmem.wait_load %r : !tmem.pending<!vec>
    }
    gpu.return
  }

  // A store to a part leaves the rest, which is loaded later.
  // CHECK-LABEL: gpu.func @store_to_a_part
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @store_to_a_part(%x: !vec, %y: vector<32xf32>) kernel
      attributes {known_block_size = #block} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
    tmem.wait_store %t
    %u = tmem.store %x, %b scope(warpgroup) : !vec, !acc
    tmem.wait_store %u
    %w = tmem.subview %a[0, 0] [128, 32] : !acc to !part
    %s = tmem.store %y, %w scope(warpgroup) : vector<32xf32>, !part
    tmem.wait_store %s
    %p = tmem.load %a scope(warpgroup) : !acc -> !tmem.pending<!vec>
    %v = tmem.wait_load %p : !tmem.pending<!vec>
    gpu.return
  }

  // A store to one of two may leave the other as it is.
  // CHECK-LABEL: gpu.func @store_to_either
  // CHECK: tmem.alloc %{{.*}}, 256 :
  gpu.func @store_to_either(%x: !vec, %c: i1) kernel
      attributes {known_block_size = #block} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %other = tmem.buffer : !acc
    %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
    %r = tmem.store %x, %b scope(warpgroup) : !vec, !acc
    tmem.wait_store %t, %r
    %u = tmem.store %x, %other scope(warpgroup) : !vec, !acc
    tmem.wait_store %u
    %either = arith.select %c, %a, %b : !acc
    %s = tmem.store %x, %either scope(warpgroup) : !vec, !acc
    tmem.wait_store %s
    %p = tmem.load %a scope(warpgroup) : !acc -> !tmem.pending<!vec>
    %v = tmem.wait_load %p : !tmem.pending<!vec>
    %q = tmem.load %b scope(warpgroup) : !acc -> !tmem.pending<!vec>
    %w = tmem.wait_load %q : !tmem.pending<!vec>
    gpu.return
  }
}

// -----

// A ring of three stages, of which a loop picks one after the other: the stages
// are side by side. Stored to in parts, a ring that is defined in the outer loop
// does not live from one iteration of it to the next.
!ring = !tmem.view<3x128x16xf32, #tmem.layout<(3, 128, 16) : (16@tcol, 1@tlane, 1@tcol)>>
!window = !tmem.view<1x128x16xf32, #tmem.layout<(128, 16) : (1@tlane, 1@tcol)>>
!stage = !tmem.view<128x16xf32, #tmem.datapath<D>>
!acc = !tmem.view<128x48xf32, #tmem.datapath<D>>
gpu.module @kernels {
  // CHECK-LABEL: gpu.func @ring
  // CHECK: tmem.alloc %{{.*}}, 64 :
  // CHECK: %[[BASE:.*]] = memref.load
  // CHECK: tmem.view %[[BASE]]
  // CHECK: tmem.view %[[BASE]]
  // CHECK: tmem.subview
  gpu.func @ring(%x: vector<16xf32>, %y: vector<48xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %acc = tmem.buffer : !acc
    scf.for %k = %c0 to %n step %c1 {
      %ring = tmem.buffer : !ring
      scf.for %i = %c0 to %c3 step %c1 {
        %w = tmem.subview %ring[%i, 0, 0] [1, 128, 16] : !ring to !window
        %s = tmem.rearrange %w "s r c -> (s r) c" : !window to !stage
        %t = tmem.store %x, %s scope(warpgroup) : vector<16xf32>, !stage
        tmem.wait_store %t
      }
      scf.for %i = %c0 to %c3 step %c1 {
        %w = tmem.subview %ring[%i, 0, 0] [1, 128, 16] : !ring to !window
        %s = tmem.rearrange %w "s r c -> (s r) c" : !window to !stage
        %p = tmem.load %s scope(warpgroup) : !stage -> !tmem.pending<vector<16xf32>>
        %v = tmem.wait_load %p : !tmem.pending<vector<16xf32>>
      }
      %t = tmem.store %y, %acc scope(warpgroup) : vector<48xf32>, !acc
      tmem.wait_store %t
    }
    gpu.return
  }
}
