// Where buffers go: columns, halves of slabs, and the one allocation around them.

// RUN: tmem-opt %s --tmem-plan-columns --split-input-file | FileCheck %s
// RUN: tmem-opt %s --tmem-plan-columns --split-input-file | tmem-opt --split-input-file --tmem-plan-columns | FileCheck %s

!acc = !tmem.view<128x384xf32, #tmem.datapath<D>>
!scale = !tmem.view<128x4xf32, #tmem.datapath<D>>
!vec = vector<384xf32>
!four = vector<4xf32>
gpu.module @kernels {
  // 384 + 4 + 4 + 4 columns are one allocation of 512, widest first.
  // CHECK-LABEL: gpu.func @one_wide_three_scales
  // CHECK-SAME: workgroup(%[[SLOT:.*]] : memref<1xi32, #gpu.address_space<workgroup>>)
  // CHECK: %[[WARP0:.*]] = arith.cmpi ult, %{{.*}}, %c32
  // CHECK: scf.if %[[WARP0]] {
  // CHECK-NEXT: tmem.alloc %[[SLOT]], 512
  // CHECK-NEXT: tmem.relinquish_alloc_permit
  // CHECK-NEXT: }
  // CHECK-NEXT: gpu.barrier
  // CHECK: %[[BASE:.*]] = memref.load %[[SLOT]]
  // CHECK-DAG: %[[S0:.*]] = arith.constant 384 : i32
  // CHECK-DAG: %[[A0:.*]] = arith.addi %[[BASE]], %[[S0]]
  // CHECK-DAG: tmem.view %[[A0]] : !
  // CHECK-DAG: %[[S1:.*]] = arith.constant 388 : i32
  // CHECK-DAG: %[[A1:.*]] = arith.addi %[[BASE]], %[[S1]]
  // CHECK-DAG: tmem.view %[[A1]] : !
  // CHECK-DAG: tmem.view %[[BASE]] : !
  // CHECK-DAG: %[[S2:.*]] = arith.constant 392 : i32
  // CHECK-DAG: %[[A2:.*]] = arith.addi %[[BASE]], %[[S2]]
  // CHECK-DAG: tmem.view %[[A2]] : !
  // CHECK: tmem.fence before
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tmem.fence after
  // CHECK-NEXT: scf.if %[[WARP0]] {
  // CHECK-NEXT: tmem.dealloc %[[BASE]], 512
  // CHECK-NEXT: }
  // CHECK-NEXT: gpu.return
  gpu.func @one_wide_three_scales(%x: !vec, %s: !four) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s0 = tmem.buffer align(4) : !scale
    %s1 = tmem.buffer align(4) : !scale
    %acc = tmem.buffer : !acc
    %s2 = tmem.buffer align(4) : !scale
    %t0 = tmem.store %s, %s0 scope(warpgroup) : !four, !scale
    %t1 = tmem.store %s, %s1 scope(warpgroup) : !four, !scale
    %t2 = tmem.store %s, %s2 scope(warpgroup) : !four, !scale
    %t = tmem.store %x, %acc scope(warpgroup) : !vec, !acc
    tmem.wait_store %t, %t0, %t1, %t2
    gpu.return
  }
}

// -----

!low = !tmem.view<64x32xf32, #tmem.datapath<F>>
!high = !tmem.view<64x32xf32, #tmem.datapath<F, half = 1>>
!vec = vector<16xf32>
gpu.module @kernels {
  // Tiles of 64 rows share columns: one is in lanes 0 to 15 of each slab, the
  // other 16 lanes, which is 16 << 16, further down.
  // CHECK-LABEL: gpu.func @half_slabs
  // CHECK: tmem.alloc %{{.*}}, 64 :
  // CHECK: %[[BASE:.*]] = memref.load
  // CHECK: tmem.view %[[BASE]] : !
  // CHECK: %[[DOWN:.*]] = arith.constant 1048576 : i32
  // CHECK: %[[HALF:.*]] = arith.addi %[[BASE]], %[[DOWN]]
  // CHECK: tmem.view %[[HALF]] : !
  // CHECK: %[[C32:.*]] = arith.constant 32 : i32
  // CHECK: %[[RIGHT:.*]] = arith.addi %[[BASE]], %[[C32]]
  // CHECK: tmem.view %[[RIGHT]] : !
  gpu.func @half_slabs(%x: !vec) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tmem.buffer : !low
    %b = tmem.buffer : !low
    %c = tmem.buffer : !low
    %t0 = tmem.store %x, %a scope(warpgroup) : !vec, !low
    %t1 = tmem.store %x, %b scope(warpgroup) : !vec, !low
    %t2 = tmem.store %x, %c scope(warpgroup) : !vec, !low
    tmem.wait_store %t0, %t1, %t2
    gpu.return
  }

  // A half that the type names stays.
  // CHECK-LABEL: gpu.func @fixed_halves
  // CHECK: tmem.alloc %{{.*}}, 64 :
  // CHECK: %[[BASE:.*]] = memref.load
  // CHECK: tmem.view %[[BASE]] : !
  // CHECK: %[[C32:.*]] = arith.constant 32 : i32
  // CHECK: %[[RIGHT:.*]] = arith.addi %[[BASE]], %[[C32]]
  // CHECK: tmem.view %[[RIGHT]] : !
  // CHECK: tmem.view %[[BASE]] : !
  gpu.func @fixed_halves(%x: !vec) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tmem.buffer : !high
    %b = tmem.buffer : !high
    %c = tmem.buffer : !low
    %t0 = tmem.store %x, %a scope(warpgroup) : !vec, !high
    %t1 = tmem.store %x, %b scope(warpgroup) : !vec, !high
    %t2 = tmem.store %x, %c scope(warpgroup) : !vec, !low
    tmem.wait_store %t0, %t1, %t2
    gpu.return
  }
}

// -----

// Windows of 32 lanes by 4 columns in different slabs share columns, too.
!first = !tmem.view<32x4xf32, #tmem.layout<(32, 4) : (1@tlane, 1@tcol)>>
!third = !tmem.view<32x4xf32, #tmem.layout<(32, 4) : (1@tlane, 1@tcol) + (64@tlane)>>
gpu.module @kernels {
  // CHECK-LABEL: gpu.func @windows_of_warps
  // CHECK: tmem.alloc %{{.*}}, 32 :
  // CHECK: %[[BASE:.*]] = memref.load
  // CHECK: tmem.view %[[BASE]] : !
  // CHECK: tmem.view %[[BASE]] : !
  gpu.func @windows_of_warps(%x: vector<4xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tmem.buffer : !first
    %b = tmem.buffer : !third
    %t0 = tmem.store %x, %a scope(warp 0) : vector<4xf32>, !first
    %t1 = tmem.store %x, %b scope(warp 2) : vector<4xf32>, !third
    tmem.wait_store %t0, %t1
    gpu.return
  }
}

// -----

!acc = !tmem.view<128x32xf32, #tmem.datapath<D>>
!vec = vector<32xf32>
gpu.module @kernels {
  // Without uses there is nothing to allocate.
  // CHECK-LABEL: gpu.func @no_uses
  // CHECK-NEXT: gpu.return
  gpu.func @no_uses() kernel {
    %a = tmem.buffer : !acc
    gpu.return
  }

  // CHECK-LABEL: gpu.func @no_buffers
  // CHECK-NEXT: gpu.return
  gpu.func @no_buffers() kernel {
    gpu.return
  }

  // Every way out leads over one barrier to one dealloc.
  // CHECK-LABEL: gpu.func @two_returns
  // CHECK: cf.cond_br %{{.*}}, ^[[LEFT:.*]], ^[[RIGHT:.*]]
  // CHECK: ^[[LEFT]]:
  // CHECK-NEXT: cf.br ^[[EXIT:.*]]
  // CHECK: ^[[RIGHT]]:
  // CHECK: cf.br ^[[EXIT]]
  // CHECK: ^[[EXIT]]:
  // CHECK: gpu.barrier
  // CHECK: tmem.dealloc
  // CHECK: gpu.return
  gpu.func @two_returns(%x: !vec, %c: i1) kernel {
    %a = tmem.buffer : !acc
    cf.cond_br %c, ^left, ^right
  ^left:
    gpu.return
  ^right:
    %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
    tmem.wait_store %t
    gpu.barrier
    gpu.return
  }

  // Warps follow the linear thread id, of which a block of unknown size has three.
  // CHECK-LABEL: gpu.func @block_of_unknown_size
  // CHECK-DAG: gpu.thread_id z
  // CHECK-DAG: gpu.thread_id y
  // CHECK-DAG: gpu.block_dim x
  // CHECK: %[[LINEAR:.*]] = arith.addi %{{.*}}, %thread_id_x
  // CHECK: arith.cmpi ult, %[[LINEAR]], %c32
  gpu.func @block_of_unknown_size(%x: !vec) kernel {
    %a = tmem.buffer : !acc
    %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
    tmem.wait_store %t
    gpu.return
  }

  // The kernel's own allocation comes after ours, which is at least as wide, and
  // permits are not given up before it.
  // CHECK-LABEL: gpu.func @own_allocation
  // CHECK: scf.if
  // CHECK-NEXT: tmem.alloc %{{.*}}, 128 :
  // CHECK-NEXT: }
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @own_allocation(%slot: !llvm.ptr<3>, %x: !vec) kernel {
    %a = tmem.buffer : !acc
    tmem.alloc %slot, 128 : !llvm.ptr<3>
    tmem.relinquish_alloc_permit
    %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
    tmem.wait_store %t
    gpu.return
  }
}
