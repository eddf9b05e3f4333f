// Who gives up the permit to allocate: each warp that does it is to be behind every
// alloc. Each wrong kernel faults on the emulator, too.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null
// RUN: %exits_1 tmem-run %s --entry=run_H5_all_warps_relinquish --race --seeds=6 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H5_one_of_two_is_ordered --race --seeds=6 2>&1 | FileCheck %s --check-prefix=E1
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT

!slot = memref<1xi32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {
gpu.module @kernels {
  // E0: error: {{.*}}alloc after the block has given up its permit
  gpu.func @H5_all_warps_relinquish() workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 96, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %w0 = arith.cmpi eq, %warp, %c0 : index
    scf.if %w0 {
      // expected-note @+1 {{allocated here}}
      tmem.alloc %slot, 32 : !slot
    }
    // expected-error @+3 {{expected a barrier between the alloc of another warp and this}}
    // expected-note @+2 {{rule H5:}}
    // expected-note @+1 {{to fix it, let the warp that allocates relinquish, or put a barrier between the two}}
    tmem.relinquish_alloc_permit
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

  // Each warp is behind the alloc.
  gpu.func @right_H5_all_warps_relinquish() workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 96, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %w0 = arith.cmpi eq, %warp, %c0 : index
    scf.if %w0 {
      tmem.alloc %slot, 32 : !slot
    }
    gpu.barrier
    tmem.relinquish_alloc_permit
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

  // The barrier is one of warps 0 and 1; warp 2 gives up the permit as well.
  // E1: error: {{.*}}alloc after the block has given up its permit
  gpu.func @H5_one_of_two_is_ordered() workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 96, 1, 1>} {
    %n1 = arith.constant 1 : i32
    %n64 = arith.constant 64 : i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %w0 = arith.cmpi eq, %warp, %c0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %early = arith.cmpi ult, %warp, %c2 : index
    %late = arith.cmpi uge, %warp, %c1 : index
    scf.if %w0 {
      // expected-note @+1 {{allocated here}}
      tmem.alloc %slot, 32 : !slot
    }
    scf.if %early {
      nvvm.barrier id = %n1 number_of_threads = %n64
    }
    scf.if %late {
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
    scf.if %w0 {
      tmem.dealloc %base, 32
    }
    gpu.return
  }

  gpu.func @right_H5_one_of_two_is_ordered() workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 96, 1, 1>} {
    %n1 = arith.constant 1 : i32
    %n64 = arith.constant 64 : i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %w0 = arith.cmpi eq, %warp, %c0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %early = arith.cmpi ult, %warp, %c2 : index
    %late = arith.cmpi eq, %warp, %c1 : index
    scf.if %w0 {
      tmem.alloc %slot, 32 : !slot
    }
    scf.if %early {
      nvvm.barrier id = %n1 number_of_threads = %n64
    }
    scf.if %late {
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

func.func @run_H5_all_warps_relinquish() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 96 : index
  gpu.launch_func @kernels::@H5_all_warps_relinquish blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H5_one_of_two_is_ordered() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 96 : index
  gpu.launch_func @kernels::@H5_one_of_two_is_ordered blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @right() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 96 : index
  gpu.launch_func @kernels::@right_H5_all_warps_relinquish blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H5_one_of_two_is_ordered blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  // RIGHT: no fault
  vector.print str "no fault\n"
  return
}
}
