// What is undecided of allocations beside the barrier of the cluster, by which kernels
// are not run.

// RUN: tmem-opt %s --tmem-check-hazards -verify-diagnostics -o /dev/null
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT

!slot = memref<1xi32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {
gpu.module @kernels {
  // Kernels with barriers of the cluster are not run.
  gpu.func @permit_in_front_of_the_cluster() workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 96, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %w0 = arith.cmpi eq, %warp, %c0 : index
    %c1 = arith.constant 1 : index
    %w1 = arith.cmpi eq, %warp, %c1 : index
    %c2 = arith.constant 2 : index
    %w2 = arith.cmpi eq, %warp, %c2 : index
    scf.if %w0 {
      nvvm.cluster.arrive
      nvvm.cluster.wait
      // expected-note @+1 {{the other access}}
      tmem.alloc %slot, 32 : !slot
    }
    scf.if %w1 {
      // expected-warning @+1 {{undecided: whether the alloc of another warp, which waits for this one, comes behind it}}
      tmem.relinquish_alloc_permit
      nvvm.cluster.arrive
      nvvm.cluster.wait
    }
    scf.if %w2 {
      nvvm.cluster.arrive
      nvvm.cluster.wait
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base = memref.load %slot[%c0] : !slot
    tmem.fence before
    gpu.barrier
    tmem.fence after
    scf.if %w0 {
      tmem.dealloc %base, 32
    }
    gpu.return
  }

  gpu.func @right_permit_behind_the_cluster() workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 96, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %w0 = arith.cmpi eq, %warp, %c0 : index
    %c1 = arith.constant 1 : index
    %w1 = arith.cmpi eq, %warp, %c1 : index
    %c2 = arith.constant 2 : index
    %w2 = arith.cmpi eq, %warp, %c2 : index
    scf.if %w1 {
      nvvm.cluster.arrive
      nvvm.cluster.wait
      tmem.relinquish_alloc_permit
    }
    scf.if %w2 {
      nvvm.cluster.arrive
      nvvm.cluster.wait
    }
    scf.if %w0 {
      tmem.alloc %slot, 32 : !slot
      nvvm.cluster.arrive
      nvvm.cluster.wait
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base = memref.load %slot[%c0] : !slot
    tmem.fence before
    gpu.barrier
    tmem.fence after
    scf.if %w0 {
      tmem.dealloc %base, 32
    }
    gpu.return
  }

  gpu.func @freed_behind_the_cluster() workgroup(%slot: !slot, %other: !slot) kernel
      attributes {known_block_size = array<i32: 96, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %w0 = arith.cmpi eq, %warp, %c0 : index
    %c1 = arith.constant 1 : index
    %w1 = arith.cmpi eq, %warp, %c1 : index
    %c2 = arith.constant 2 : index
    %w2 = arith.cmpi eq, %warp, %c2 : index
    scf.if %w0 {
      // expected-note @+1 {{the other access}}
      tmem.alloc %slot, 512 : !slot
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base = memref.load %slot[%c0] : !slot
    scf.if %w1 {
      nvvm.cluster.arrive
      nvvm.cluster.wait
      tmem.dealloc %base, 512
    }
    scf.if %w0 {
      // expected-warning @+1 {{undecided: whether the columns that it waits for are freed before}}
      tmem.alloc %other, 512 : !slot
      nvvm.cluster.arrive
      nvvm.cluster.wait
    }
    scf.if %w2 {
      nvvm.cluster.arrive
      nvvm.cluster.wait
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base2 = memref.load %other[%c0] : !slot
    scf.if %w0 {
      tmem.dealloc %base2, 512
    }
    gpu.return
  }

  gpu.func @right_freed_behind_the_cluster() workgroup(%slot: !slot, %other: !slot) kernel
      attributes {known_block_size = array<i32: 96, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %w0 = arith.cmpi eq, %warp, %c0 : index
    %c1 = arith.constant 1 : index
    %w1 = arith.cmpi eq, %warp, %c1 : index
    %c2 = arith.constant 2 : index
    %w2 = arith.cmpi eq, %warp, %c2 : index
    scf.if %w0 {
      tmem.alloc %slot, 512 : !slot
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base = memref.load %slot[%c0] : !slot
    scf.if %w1 {
      nvvm.cluster.arrive
      nvvm.cluster.wait
      tmem.dealloc %base, 512
    }
    scf.if %w0 {
      nvvm.cluster.arrive
      nvvm.cluster.wait
      tmem.alloc %other, 512 : !slot
    }
    scf.if %w2 {
      nvvm.cluster.arrive
      nvvm.cluster.wait
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base2 = memref.load %other[%c0] : !slot
    scf.if %w0 {
      tmem.dealloc %base2, 512
    }
    gpu.return
  }
}

func.func @right() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 96 : index
  gpu.launch_func @kernels::@right_permit_behind_the_cluster blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_freed_behind_the_cluster blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  // RIGHT: no fault
  vector.print str "no fault\n"
  return
}
}
