// When the permit to allocate is given up, beside mbarriers. Each wrong kernel faults
// on the emulator, too.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null
// RUN: %exits_1 tmem-run %s --entry=run_H5_before_the_arrive_of_the_allocator --race --seeds=6 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H5_alloc_waits_for_it --race --seeds=6 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H5_second_of_two_waits --race --seeds=6 2>&1 | FileCheck %s --check-prefix=E2
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT

!slot = memref<1xi32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 16 : i64} : i64

  // Beside mbarriers the kernel is run: warp 0 comes before warp 1 there.
  // E0: error: {{.*}}alloc after the block has given up its permit
  gpu.func @H5_before_the_arrive_of_the_allocator() workgroup(%slot: !slot) kernel
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
    %c2 = arith.constant 2 : index
    %w2 = arith.cmpi eq, %warp, %c2 : index
    %t0 = arith.cmpi eq, %tid, %c0 : index
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    gpu.barrier
    scf.if %w1 {
      // expected-note @+1 {{allocated here}}
      tmem.alloc %slot, 32 : !slot
      nvvm.mbarrier.arrive %bar : !llvm.ptr<3>
    }
    scf.if %w2 {
      nvvm.mbarrier.try_wait.parity %bar, %zero, %ticks : !llvm.ptr<3>, i32, i32
    }
    scf.if %w0 {
      // expected-error @+3 {{expected a barrier between the alloc of another warp and this}}
      // expected-note @+2 {{rule H5:}}
      // expected-note @+1 {{to fix it, let the warp that allocates relinquish, or put a barrier between the two}}
      tmem.relinquish_alloc_permit
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base = memref.load %slot[%c0] : !slot
    tmem.fence before
    gpu.barrier
    tmem.fence after
    scf.if %w1 {
      tmem.dealloc %base, 32
    }
    gpu.return
  }

  gpu.func @right_H5_before_the_arrive_of_the_allocator() workgroup(%slot: !slot) kernel
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
    %c2 = arith.constant 2 : index
    %w2 = arith.cmpi eq, %warp, %c2 : index
    %t0 = arith.cmpi eq, %tid, %c0 : index
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    gpu.barrier
    scf.if %w1 {
      tmem.alloc %slot, 32 : !slot
      nvvm.mbarrier.arrive %bar : !llvm.ptr<3>
    }
    scf.if %w2 {
      nvvm.mbarrier.try_wait.parity %bar, %zero, %ticks : !llvm.ptr<3>, i32, i32
    }
    scf.if %w0 {
      nvvm.mbarrier.try_wait.parity %bar, %zero, %ticks : !llvm.ptr<3>, i32, i32
      tmem.relinquish_alloc_permit
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base = memref.load %slot[%c0] : !slot
    tmem.fence before
    gpu.barrier
    tmem.fence after
    scf.if %w1 {
      tmem.dealloc %base, 32
    }
    gpu.return
  }

  // The arm of the alloc stands before, but waits.
  // E1: error: {{.*}}alloc after the block has given up its permit
  gpu.func @H5_alloc_waits_for_it() workgroup(%slot: !slot) kernel
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
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    gpu.barrier
    scf.if %w0 {
      nvvm.mbarrier.try_wait.parity %bar, %zero, %ticks : !llvm.ptr<3>, i32, i32
      // expected-error @+3 {{expected no alloc after the permit was given up}}
      // expected-note @+2 {{rule H5:}}
      // expected-note @+1 {{to fix it, relinquish behind the last alloc}}
      tmem.alloc %slot, 32 : !slot
    }
    scf.if %w1 {
      // expected-note @+1 {{given up here}}
      tmem.relinquish_alloc_permit
      nvvm.mbarrier.arrive %bar : !llvm.ptr<3>
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

  // The arm of the alloc stands behind, but does not wait.
  gpu.func @right_H5_alloc_waits_for_it() workgroup(%slot: !slot) kernel
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
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    gpu.barrier
    scf.if %w1 {
      nvvm.mbarrier.try_wait.parity %bar, %zero, %ticks : !llvm.ptr<3>, i32, i32
      tmem.relinquish_alloc_permit
    }
    scf.if %w0 {
      tmem.alloc %slot, 32 : !slot
      nvvm.mbarrier.arrive %bar : !llvm.ptr<3>
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

  // Warp 2 gives up the permit behind the alloc, warp 1 does not.
  // E2: error: {{.*}}alloc after the block has given up its permit
  gpu.func @H5_second_of_two_waits() workgroup(%slot: !slot) kernel
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
    %c2 = arith.constant 2 : index
    %w2 = arith.cmpi eq, %warp, %c2 : index
    %t0 = arith.cmpi eq, %tid, %c0 : index
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    gpu.barrier
    scf.if %w1 {
      // expected-note @+1 {{given up here}}
      tmem.relinquish_alloc_permit
    }
    scf.if %w2 {
      nvvm.mbarrier.try_wait.parity %bar, %zero, %ticks : !llvm.ptr<3>, i32, i32
      tmem.relinquish_alloc_permit
    }
    scf.if %w0 {
      // expected-error @+3 {{expected no alloc after the permit was given up}}
      // expected-note @+2 {{rule H5:}}
      // expected-note @+1 {{to fix it, relinquish behind the last alloc}}
      tmem.alloc %slot, 32 : !slot
      nvvm.mbarrier.arrive %bar : !llvm.ptr<3>
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

  // The second phase of the mbarrier is the one behind the alloc.
  gpu.func @right_H5_second_phase() workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 96, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
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
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    gpu.barrier
    scf.if %w0 {
      nvvm.mbarrier.arrive %bar : !llvm.ptr<3>
    }
    scf.if %w1 {
      nvvm.mbarrier.try_wait.parity %bar, %zero, %ticks : !llvm.ptr<3>, i32, i32
    }
    gpu.barrier
    scf.if %w0 {
      tmem.alloc %slot, 32 : !slot
      nvvm.mbarrier.arrive %bar : !llvm.ptr<3>
    }
    scf.if %w1 {
      nvvm.mbarrier.try_wait.parity %bar, %one, %ticks : !llvm.ptr<3>, i32, i32
      tmem.relinquish_alloc_permit
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
}

func.func @run_H5_before_the_arrive_of_the_allocator() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 96 : index
  gpu.launch_func @kernels::@H5_before_the_arrive_of_the_allocator blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H5_alloc_waits_for_it() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 96 : index
  gpu.launch_func @kernels::@H5_alloc_waits_for_it blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H5_second_of_two_waits() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 96 : index
  gpu.launch_func @kernels::@H5_second_of_two_waits blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @right() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 96 : index
  gpu.launch_func @kernels::@right_H5_before_the_arrive_of_the_allocator blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H5_alloc_waits_for_it blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H5_second_phase blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  // RIGHT: no fault
  vector.print str "no fault\n"
  return
}
}
