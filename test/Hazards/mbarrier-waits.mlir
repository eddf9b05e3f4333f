// Waits that may come for another phase in some order of warps: every fault with both
// places and how to fix it. Each wrong kernel faults on the emulator, too.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null
// RUN: %exits_1 tmem-run %s --entry=run_H21_wait_that_may_come_a_phase_early --race --seeds=6 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H21_behind_a_commit_alone --race --seeds=6 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H21_state_of_an_old_phase --race --seeds=6 2>&1 | FileCheck %s --check-prefix=E2
// RUN: tmem-run %s --entry=right --race --seeds=6 | FileCheck %s --check-prefix=RIGHT

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 16 : i64} : i64

  // E0: error: {{.*}}{{race|was never written|still accesses}}
  // Before phase 0 ends, a wait for phase 1 sees the end of the one before.
  gpu.func @H21_wait_that_may_come_a_phase_early() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %all = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %n40 = arith.constant 40 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %warp = arith.divui %tid, %n32 : i32
    %w0 = arith.cmpi eq, %warp, %zero : i32
    %i4 = arith.constant 4 : i32
    %w4 = arith.cmpi eq, %warp, %i4 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    %v = arith.constant 7 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    scf.if %t0 {
      // expected-note @+1 {{initialized here}}
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %w0 {
      scf.for %i = %zero to %n40 step %one : i32 {
        nvvm.bar.warp.sync %all : i32
      }
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
      nvvm.tcgen05.st %p, %v {shape = #s} : i32
      nvvm.tcgen05.wait <store>
      nvvm.tcgen05.fence <before>
      %s2 = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    scf.if %w4 {
      // expected-error @+3 {{expected a phase of the mbarrier that is the same in every order of warps, but got one that may be the next or the one before: warp 4 waits for parity 1 of the mbarrier at byte 0 of its variable}}
      // expected-note @+2 {{rule H21:}}
      // expected-note @+1 {{to fix it, check the parity, and that whoever arrives waits for this warp first}}
      nvvm.mbarrier.try_wait.parity %bar, %one, %n32 : !llvm.ptr<3>, i32, i32
      nvvm.tcgen05.fence <after>
      %w = nvvm.tcgen05.ld %p {shape = #s} : i32
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

  gpu.func @right_H21_wait_that_may_come_a_phase_early() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %all = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %n40 = arith.constant 40 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %warp = arith.divui %tid, %n32 : i32
    %w0 = arith.cmpi eq, %warp, %zero : i32
    %i4 = arith.constant 4 : i32
    %w4 = arith.cmpi eq, %warp, %i4 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    %v = arith.constant 7 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %w0 {
      scf.for %i = %zero to %n40 step %one : i32 {
        nvvm.bar.warp.sync %all : i32
      }
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    }
    nvvm.barrier0
    scf.if %w0 {
      nvvm.tcgen05.st %p, %v {shape = #s} : i32
      nvvm.tcgen05.wait <store>
      nvvm.tcgen05.fence <before>
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    scf.if %w4 {
      nvvm.mbarrier.try_wait.parity %bar, %one, %n32 : !llvm.ptr<3>, i32, i32
      nvvm.tcgen05.fence <after>
      %w = nvvm.tcgen05.ld %p {shape = #s} : i32
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

  // E1: error: {{.*}}{{race|was never written|still accesses}}
  // A barrier behind a commit says nothing of its arrival.
  gpu.func @H21_behind_a_commit_alone() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %all = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %n40 = arith.constant 40 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %warp = arith.divui %tid, %n32 : i32
    %lane = arith.remui %tid, %n32 : i32
    %w0 = arith.cmpi eq, %warp, %zero : i32
    %i4 = arith.constant 4 : i32
    %w4 = arith.cmpi eq, %warp, %i4 : i32
    %l0 = arith.cmpi eq, %lane, %zero : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    %v = arith.constant 7 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    scf.if %t0 {
      // expected-note @+1 {{initialized here}}
      nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %w0 {
      scf.if %l0 {
        nvvm.tcgen05.commit %bar : !llvm.ptr<3>
      }
    }
    nvvm.barrier0
    scf.if %w0 {
      nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
      scf.for %i = %zero to %n40 step %one : i32 {
        nvvm.bar.warp.sync %all : i32
      }
      nvvm.tcgen05.st %p, %v {shape = #s} : i32
      nvvm.tcgen05.wait <store>
      nvvm.tcgen05.fence <before>
      scf.if %l0 {
        %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      }
    }
    scf.if %w4 {
      // expected-error @+3 {{expected a phase of the mbarrier that is the same in every order of warps, but got one that may be the next or the one before: warp 4 waits for parity 1 of the mbarrier at byte 0 of its variable}}
      // expected-note @+2 {{rule H21:}}
      // expected-note @+1 {{to fix it, check the parity, and that whoever arrives waits for this warp first}}
      nvvm.mbarrier.try_wait.parity %bar, %one, %n32 : !llvm.ptr<3>, i32, i32
      nvvm.tcgen05.fence <after>
      %w = nvvm.tcgen05.ld %p {shape = #s} : i32
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

  gpu.func @right_H21_behind_a_commit_alone() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %all = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %n40 = arith.constant 40 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %warp = arith.divui %tid, %n32 : i32
    %lane = arith.remui %tid, %n32 : i32
    %w0 = arith.cmpi eq, %warp, %zero : i32
    %i4 = arith.constant 4 : i32
    %w4 = arith.cmpi eq, %warp, %i4 : i32
    %l0 = arith.cmpi eq, %lane, %zero : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    %v = arith.constant 7 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %w0 {
      scf.if %l0 {
        nvvm.tcgen05.commit %bar : !llvm.ptr<3>
      }
    }
    scf.if %w0 {
      nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    }
    nvvm.barrier0
    scf.if %w0 {
      scf.for %i = %zero to %n40 step %one : i32 {
        nvvm.bar.warp.sync %all : i32
      }
      nvvm.tcgen05.st %p, %v {shape = #s} : i32
      nvvm.tcgen05.wait <store>
      nvvm.tcgen05.fence <before>
      scf.if %l0 {
        %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      }
    }
    scf.if %w4 {
      nvvm.mbarrier.try_wait.parity %bar, %one, %n32 : !llvm.ptr<3>, i32, i32
      nvvm.tcgen05.fence <after>
      %w = nvvm.tcgen05.ld %p {shape = #s} : i32
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

  // E2: error: {{.*}}expected a state of the current phase
  gpu.func @H21_state_of_an_old_phase() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %warp = arith.divui %tid, %n32 : i32
    %i1 = arith.constant 1 : i32
    %w1 = arith.cmpi eq, %warp, %i1 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    nvvm.tcgen05.fence <before>
    scf.if %t0 {
      // expected-note @+1 {{initialized here}}
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    scf.if %w1 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
      %s2 = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bar, %one, %n32 : !llvm.ptr<3>, i32, i32
      scf.while : () -> () {
        %true = arith.constant true
        // expected-error @+3 {{expected a phase of the mbarrier that is the same in every order of warps, but got one that may be the next or the one before: warp 1 waits for parity 0 of the mbarrier at byte 0 of its variable}}
        // expected-note @+2 {{rule H21:}}
        // expected-note @+1 {{to fix it, check the parity, and that whoever arrives waits for this warp first}}
        %d = nvvm.mbarrier.test.wait %bar, %s : !llvm.ptr<3>, i64 -> i1
        %again = arith.xori %d, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
    }
    gpu.return
  }

  gpu.func @right_H21_state_of_an_old_phase() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %warp = arith.divui %tid, %n32 : i32
    %i1 = arith.constant 1 : i32
    %w1 = arith.cmpi eq, %warp, %i1 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    nvvm.tcgen05.fence <before>
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    scf.if %w1 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
      scf.while : () -> () {
        %true = arith.constant true
        %d = nvvm.mbarrier.test.wait %bar, %s : !llvm.ptr<3>, i64 -> i1
        %again = arith.xori %d, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      %s2 = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bar, %one, %n32 : !llvm.ptr<3>, i32, i32
    }
    gpu.return
  }
}

func.func @run_H21_wait_that_may_come_a_phase_early() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H21_wait_that_may_come_a_phase_early blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H21_behind_a_commit_alone() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H21_behind_a_commit_alone blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H21_state_of_an_old_phase() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H21_state_of_an_old_phase blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @right() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@right_H21_wait_that_may_come_a_phase_early blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H21_behind_a_commit_alone blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H21_state_of_an_old_phase blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  // RIGHT: no fault
  vector.print str "no fault\n"
  return
}
}
