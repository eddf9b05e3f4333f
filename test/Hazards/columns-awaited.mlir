// Allocs that wait for columns which another warp frees: it may not wait for them.
// Each wrong kernel faults on the emulator, too.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null
// RUN: %exits_1 tmem-run %s --entry=run_H23_freed_behind_a_barrier --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H23_freed_behind_an_mbarrier --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H23_freed_behind_a_named_barrier --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT

!slot = memref<1xi32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 16 : i64} : i64

  // The warp that frees the columns comes to the barrier, but the alloc is in front of it.
  // E0: error: {{.*}}deadlock: no thread of the block can run, with warp 0 waiting here for 512 columns: 512 are allocated
  gpu.func @H23_freed_behind_a_barrier() workgroup(%slot: !slot, %other: !slot) kernel
      attributes {known_block_size = array<i32: 96, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %w0 = arith.cmpi eq, %warp, %c0 : index
    %c1 = arith.constant 1 : index
    %w1 = arith.cmpi eq, %warp, %c1 : index
    scf.if %w0 {
      // expected-note @+1 {{allocated here}}
      tmem.alloc %slot, 512 : !slot
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base = memref.load %slot[%c0] : !slot
    scf.if %w0 {
      // expected-error @+3 {{expected a dealloc that does not wait for this alloc, but got none: warp 0 waits for 512 columns, and 512 are allocated}}
      // expected-note @+2 {{rule H23:}}
      // expected-note @+1 {{to fix it, free columns before, or let the warp that frees them not wait for this one}}
      tmem.alloc %other, 512 : !slot
    }
    tmem.fence before
    // expected-note @+1 {{warp 1 waits here}}
    gpu.barrier
    tmem.fence after
    %base2 = memref.load %other[%c0] : !slot
    scf.if %w1 {
      tmem.dealloc %base, 512
    }
    scf.if %w0 {
      tmem.dealloc %base2, 512
    }
    gpu.return
  }

  // It frees them in front of the barrier.
  gpu.func @right_H23_freed_behind_a_barrier() workgroup(%slot: !slot, %other: !slot) kernel
      attributes {known_block_size = array<i32: 96, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %w0 = arith.cmpi eq, %warp, %c0 : index
    %c1 = arith.constant 1 : index
    %w1 = arith.cmpi eq, %warp, %c1 : index
    scf.if %w0 {
      tmem.alloc %slot, 512 : !slot
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base = memref.load %slot[%c0] : !slot
    scf.if %w0 {
      tmem.alloc %other, 512 : !slot
    }
    scf.if %w1 {
      tmem.dealloc %base, 512
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

  // The arm of the dealloc stands before, but waits.
  // E1: error: {{.*}}deadlock: no thread of the block can run, with warp 0 waiting here for 512 columns: 512 are allocated
  gpu.func @H23_freed_behind_an_mbarrier() workgroup(%slot: !slot, %other: !slot) kernel
      attributes {known_block_size = array<i32: 96, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %zero = arith.constant 0 : i32
    %ticks = arith.constant 1000 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %w0 = arith.cmpi eq, %warp, %c0 : index
    %c1 = arith.constant 1 : index
    %w1 = arith.cmpi eq, %warp, %c1 : index
    %t0 = arith.cmpi eq, %tid, %c0 : index
    %all = arith.constant -1 : i32
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    gpu.barrier
    scf.if %w0 {
      // expected-note @+1 {{allocated here}}
      tmem.alloc %slot, 512 : !slot
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base = memref.load %slot[%c0] : !slot
    scf.if %w1 {
      // expected-note @+1 {{warp 1 waits here}}
      nvvm.mbarrier.try_wait.parity %bar, %zero, %ticks : !llvm.ptr<3>, i32, i32
      tmem.dealloc %base, 512
    }
    scf.if %w0 {
      // expected-error @+3 {{expected a dealloc that does not wait for this alloc, but got none: warp 0 waits for 512 columns, and 512 are allocated}}
      // expected-note @+2 {{rule H23:}}
      // expected-note @+1 {{to fix it, free columns before, or let the warp that frees them not wait for this one}}
      tmem.alloc %other, 512 : !slot
      nvvm.mbarrier.arrive %bar : !llvm.ptr<3>
      nvvm.bar.warp.sync %all : i32
      %base2 = memref.load %other[%c0] : !slot
      tmem.dealloc %base2, 512
    }
    gpu.return
  }

  gpu.func @right_H23_freed_behind_an_mbarrier() workgroup(%slot: !slot, %other: !slot) kernel
      attributes {known_block_size = array<i32: 96, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %zero = arith.constant 0 : i32
    %ticks = arith.constant 1000 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %w0 = arith.cmpi eq, %warp, %c0 : index
    %c1 = arith.constant 1 : index
    %w1 = arith.cmpi eq, %warp, %c1 : index
    %t0 = arith.cmpi eq, %tid, %c0 : index
    %all = arith.constant -1 : i32
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    gpu.barrier
    scf.if %w0 {
      tmem.alloc %slot, 512 : !slot
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base = memref.load %slot[%c0] : !slot
    scf.if %w1 {
      nvvm.mbarrier.try_wait.parity %bar, %zero, %ticks : !llvm.ptr<3>, i32, i32
      tmem.dealloc %base, 512
    }
    scf.if %w0 {
      nvvm.mbarrier.arrive %bar : !llvm.ptr<3>
      tmem.alloc %other, 512 : !slot
      nvvm.bar.warp.sync %all : i32
      %base2 = memref.load %other[%c0] : !slot
      tmem.dealloc %base2, 512
    }
    gpu.return
  }

  // The columns are freed at a barrier of two warps.
  // E2: error: {{.*}}deadlock: no thread of the block can run, with warp 0 waiting here for 512 columns: 512 are allocated
  gpu.func @H23_freed_behind_a_named_barrier() workgroup(%slot: !slot, %other: !slot) kernel
      attributes {known_block_size = array<i32: 96, 1, 1>} {
    %n1 = arith.constant 1 : i32
    %n64 = arith.constant 64 : i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %w0 = arith.cmpi eq, %warp, %c0 : index
    %c1 = arith.constant 1 : index
    %w1 = arith.cmpi eq, %warp, %c1 : index
    %all = arith.constant -1 : i32
    scf.if %w0 {
      // expected-note @+1 {{allocated here}}
      tmem.alloc %slot, 512 : !slot
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base = memref.load %slot[%c0] : !slot
    scf.if %w0 {
      // expected-error @+3 {{expected a dealloc that does not wait for this alloc, but got none: warp 0 waits for 512 columns, and 512 are allocated}}
      // expected-note @+2 {{rule H23:}}
      // expected-note @+1 {{to fix it, free columns before, or let the warp that frees them not wait for this one}}
      tmem.alloc %other, 512 : !slot
      nvvm.barrier id = %n1 number_of_threads = %n64
      nvvm.bar.warp.sync %all : i32
      %base2 = memref.load %other[%c0] : !slot
      tmem.dealloc %base2, 512
    }
    scf.if %w1 {
      // expected-note @+1 {{warp 1 waits here}}
      nvvm.barrier id = %n1 number_of_threads = %n64
      tmem.dealloc %base, 512
    }
    gpu.return
  }

  gpu.func @right_H23_freed_behind_a_named_barrier() workgroup(%slot: !slot, %other: !slot) kernel
      attributes {known_block_size = array<i32: 96, 1, 1>} {
    %n1 = arith.constant 1 : i32
    %n64 = arith.constant 64 : i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %w0 = arith.cmpi eq, %warp, %c0 : index
    %c1 = arith.constant 1 : index
    %w1 = arith.cmpi eq, %warp, %c1 : index
    %all = arith.constant -1 : i32
    scf.if %w0 {
      tmem.alloc %slot, 512 : !slot
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base = memref.load %slot[%c0] : !slot
    scf.if %w0 {
      nvvm.barrier id = %n1 number_of_threads = %n64
      tmem.alloc %other, 512 : !slot
      nvvm.bar.warp.sync %all : i32
      %base2 = memref.load %other[%c0] : !slot
      tmem.dealloc %base2, 512
    }
    scf.if %w1 {
      nvvm.barrier id = %n1 number_of_threads = %n64
      tmem.dealloc %base, 512
    }
    gpu.return
  }
}

func.func @run_H23_freed_behind_a_barrier() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 96 : index
  gpu.launch_func @kernels::@H23_freed_behind_a_barrier blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H23_freed_behind_an_mbarrier() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 96 : index
  gpu.launch_func @kernels::@H23_freed_behind_an_mbarrier blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H23_freed_behind_a_named_barrier() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 96 : index
  gpu.launch_func @kernels::@H23_freed_behind_a_named_barrier blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @right() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 96 : index
  gpu.launch_func @kernels::@right_H23_freed_behind_a_barrier blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H23_freed_behind_an_mbarrier blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H23_freed_behind_a_named_barrier blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  // RIGHT: no fault
  vector.print str "no fault\n"
  return
}
}
