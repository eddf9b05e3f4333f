// Lanes of a warp that have to do the same, and barriers, in raw operations. Each wrong
// kernel faults on the emulator, too.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null
// RUN: %exits_1 tmem-run %s --entry=run_H13_raw_lanes --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H13_lanes_that_ended --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H13_address_by_lane --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2
// RUN: %exits_1 tmem-run %s --entry=run_H13_barrier_of_some_lanes --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E3
// RUN: %exits_1 tmem-run %s --entry=run_H24_no_such_barrier --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E4
// RUN: %exits_1 tmem-run %s --entry=run_H24_part_of_a_warp --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E5
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32

  // E0: error: {{.*}}{{missing lanes|divergent warp}}
  gpu.func @H13_raw_lanes() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n16 = arith.constant 16 : i32
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %low = arith.cmpi ult, %tid, %n16 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %low {
      // expected-error @+3 {{expected all lanes of a warp to execute it, but some lanes of warp 0 do not}}
      // expected-note @+2 {{rule H13:}}
      // expected-note @+1 {{to fix it, branch on the warp, not on the lane}}
      nvvm.tcgen05.wait <load>
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_H13_raw_lanes() kernel
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
    scf.if %w0 {
      nvvm.tcgen05.wait <load>
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // No lane may have ended. A barrier does not wait for those.
  // E1: error: {{.*}}missing lanes: expected all 32 lanes of warp 0, but lanes 0 to 15 have exited
  gpu.func @H13_lanes_that_ended() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n16 = arith.constant 16 : i32
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %low = arith.cmpi ult, %tid, %n16 : i32
    cf.cond_br %low, ^end, ^goon
  ^goon:
    scf.if %w0 {
      // expected-error @+3 {{expected all lanes of a warp to execute it, but some lanes of warp 0 do not}}
      // expected-note @+2 {{rule H13:}}
      // expected-note @+1 {{to fix it, branch on the warp, not on the lane}}
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %w0 {
      // expected-error @+3 {{expected all lanes of a warp to execute it, but some lanes of warp 0 do not}}
      // expected-note @+2 {{rule H13:}}
      // expected-note @+1 {{to fix it, branch on the warp, not on the lane}}
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    cf.br ^end
  ^end:
    gpu.return
  }

  gpu.func @right_H13_lanes_that_ended() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n16 = arith.constant 16 : i32
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %low = arith.cmpi ult, %tid, %n16 : i32
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
    cf.cond_br %low, ^end, ^goon
  ^goon:
    nvvm.barrier0
    cf.br ^end
  ^end:
    gpu.return
  }

  // E2: error: {{.*}}expected the same address in all lanes
  gpu.func @H13_address_by_lane() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %v = arith.constant 7 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %w0 {
      %mine = arith.addi %base, %tid : i32
      %q = llvm.inttoptr %mine : i32 to !llvm.ptr<6>
      // expected-error @+3 {{expected the same address in all lanes of warp 0, but got several}}
      // expected-note @+2 {{rule H13:}}
      // expected-note @+1 {{to fix it, compute it from the warp, not from the lane}}
      nvvm.tcgen05.st %q, %v {shape = #s} : i32
      nvvm.tcgen05.wait <store>
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_H13_address_by_lane() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %v = arith.constant 7 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %w0 {
      %warp = arith.divui %tid, %n32 : i32
      %mine = arith.addi %base, %warp : i32
      %q = llvm.inttoptr %mine : i32 to !llvm.ptr<6>
      nvvm.tcgen05.st %q, %v {shape = #s} : i32
      nvvm.tcgen05.wait <store>
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // `.aligned` promises convergence.
  // E3: error: {{.*}}divergent warp
  gpu.func @H13_barrier_of_some_lanes() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n16 = arith.constant 16 : i32
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %low = arith.cmpi ult, %tid, %n16 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %low {
      // expected-error @+3 {{expected all lanes of a warp to execute it, but some lanes of warp 0 do not}}
      // expected-note @+2 {{rule H13:}}
      // expected-note @+1 {{to fix it, branch on the warp, not on the lane}}
      nvvm.barrier0
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_H13_barrier_of_some_lanes() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n1 = arith.constant 1 : i32
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
    scf.if %w0 {
      nvvm.barrier id = %n1 number_of_threads = %n32
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // E4: error: {{.*}}expected barrier 0 to 15, but got 16
  gpu.func @H24_no_such_barrier() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n16 = arith.constant 16 : i32
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
    scf.if %w0 {
      // expected-error @+3 {{expected a barrier from 0 to 15, but got 16}}
      // expected-note @+2 {{rule H24:}}
      // expected-note @+1 {{to fix it, use one of the 16 barriers of a block}}
      nvvm.barrier id = %n16 number_of_threads = %n32
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_H24_no_such_barrier() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n15 = arith.constant 15 : i32
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
    scf.if %w0 {
      nvvm.barrier id = %n15 number_of_threads = %n32
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // E5: error: {{.*}}expected a multiple of 32 threads at barrier 1, but got 33
  gpu.func @H24_part_of_a_warp() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n1 = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %n33 = arith.constant 33 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %w0 {
      // expected-error @+3 {{expected a multiple of 32 threads at the barrier, but got 33}}
      // expected-note @+2 {{rule H24:}}
      // expected-note @+1 {{to fix it, count the threads of whole warps}}
      nvvm.barrier id = %n1 number_of_threads = %n33
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}

func.func @run_H13_raw_lanes() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H13_raw_lanes blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H13_lanes_that_ended() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H13_lanes_that_ended blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H13_address_by_lane() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H13_address_by_lane blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H13_barrier_of_some_lanes() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H13_barrier_of_some_lanes blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H24_no_such_barrier() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H24_no_such_barrier blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H24_part_of_a_warp() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H24_part_of_a_warp blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @right() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@right_H13_raw_lanes blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H13_lanes_that_ended blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H13_address_by_lane blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H13_barrier_of_some_lanes blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H24_no_such_barrier blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  // RIGHT: no fault
  vector.print str "no fault\n"
  return
}
}
