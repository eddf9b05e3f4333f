// Who allocates, and when, in raw operations: both places of a fault and how to fix
// it. Each wrong kernel faults on the emulator, too.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null
// RUN: %exits_1 tmem-run %s --entry=run_H5_raw_alloc_behind --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H5_relinquish_of_another_warp --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H19_raw_all_warps --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32
  llvm.mlir.global internal @slot2() {addr_space = 3 : i32, alignment = 16 : i64} : i32

  // E0: error: {{.*}}alloc after the block has given up its permit
  gpu.func @H5_raw_alloc_behind() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      // expected-note @+1 {{given up here}}
      nvvm.tcgen05.relinquish_alloc_permit
      // expected-error @+3 {{expected no alloc after the permit was given up, but got one}}
      // expected-note @+2 {{rule H5:}}
      // expected-note @+1 {{to fix it, relinquish behind the last alloc}}
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_H5_raw_alloc_behind() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
      nvvm.tcgen05.relinquish_alloc_permit
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // The permit is one for all warps.
  // E1: error: {{.*}}alloc after the block has given up its permit
  gpu.func @H5_relinquish_of_another_warp() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %n128 = arith.constant 128 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %w4 = arith.cmpi uge, %tid, %n128 : i32
    scf.if %w0 {
      // expected-note @+1 {{allocated here}}
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    scf.if %w4 {
      // expected-error @+3 {{expected a barrier between the alloc of another warp and this, but got none}}
      // expected-note @+2 {{rule H5:}}
      // expected-note @+1 {{to fix it, let the warp that allocates relinquish, or put a barrier between the two}}
      nvvm.tcgen05.relinquish_alloc_permit
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_H5_relinquish_of_another_warp() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %n128 = arith.constant 128 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %w4 = arith.cmpi uge, %tid, %n128 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %w4 {
      nvvm.tcgen05.relinquish_alloc_permit
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // E2: error: {{.*}}race: store of warp
  gpu.func @H19_raw_all_warps() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    // expected-error @+3 {{expected one warp to allocate, but got 5}}
    // expected-note @+2 {{rule H19:}}
    // expected-note @+1 {{to fix it, put it under a condition on the warp}}
    nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>

    // expected-error @+3 {{expected one warp to free, but got 5}}
    // expected-note @+2 {{rule H19:}}
    // expected-note @+1 {{to fix it, put it under a condition on the warp}}
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  gpu.func @right_H19_raw_all_warps() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // On the emulator either order is right, since both ask for as many columns.
  gpu.func @H19_two_warps_in_any_order() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %n128 = arith.constant 128 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %slot2 = llvm.mlir.addressof @slot2 : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %w4 = arith.cmpi uge, %tid, %n128 : i32
    scf.if %w0 {
      // expected-note @+1 {{allocated here}}
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    scf.if %w4 {
      // expected-error @+3 {{expected a barrier between the alloc of another warp and this, but got none}}
      // expected-note @+2 {{rule H19:}}
      // expected-note @+1 {{to fix it, let one warp allocate, or put a barrier between the two}}
      nvvm.tcgen05.alloc %slot2, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %base2 = llvm.load %slot2 : !llvm.ptr<3> -> i32
    %p2 = llvm.inttoptr %base2 : i32 to !llvm.ptr<6>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    scf.if %w4 {
      nvvm.tcgen05.dealloc %p2, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_H19_two_warps_in_any_order() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %n128 = arith.constant 128 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %slot2 = llvm.mlir.addressof @slot2 : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %w4 = arith.cmpi uge, %tid, %n128 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    scf.if %w4 {
      nvvm.tcgen05.alloc %slot2, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %base2 = llvm.load %slot2 : !llvm.ptr<3> -> i32
    %p2 = llvm.inttoptr %base2 : i32 to !llvm.ptr<6>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    scf.if %w4 {
      nvvm.tcgen05.dealloc %p2, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}

func.func @run_H5_raw_alloc_behind() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H5_raw_alloc_behind blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H5_relinquish_of_another_warp() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H5_relinquish_of_another_warp blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H19_raw_all_warps() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H19_raw_all_warps blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @right() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@right_H5_raw_alloc_behind blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H5_relinquish_of_another_warp blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H19_raw_all_warps blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H19_two_warps_in_any_order blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  // RIGHT: no fault
  vector.print str "no fault\n"
  return
}
}
