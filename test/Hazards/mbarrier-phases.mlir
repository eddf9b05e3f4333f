// What an mbarrier counts, and phases: every fault with both places and how to fix it.
// Each wrong kernel faults on the emulator, too.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null
// RUN: %exits_1 tmem-run %s --entry=run_H25_no_arrivals --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H25_too_many_arrivals --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H25_phase_that_nobody_saw --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2
// RUN: %exits_1 tmem-run %s --entry=run_H21_raw_wrong_parity --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E3
// RUN: %exits_1 tmem-run %s --entry=run_H11_test_that_nobody_looks_at --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E4
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32
  llvm.mlir.global internal @slot2() {addr_space = 3 : i32, alignment = 16 : i64} : i32
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 16 : i64} : i64

  // E0: error: {{.*}}expected an arrival count from 1 to 1048575, but got 0
  gpu.func @H25_no_arrivals() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    nvvm.tcgen05.fence <before>
    scf.if %t0 {
      // expected-error @+3 {{expected from 1 to 1048575 arrivals, but got 0}}
      // expected-note @+2 {{rule H25:}}
      // expected-note @+1 {{to fix it, count the arrivals of one phase}}
      nvvm.mbarrier.init %bar, %zero : !llvm.ptr<3>, i32
    }
    gpu.return
  }

  gpu.func @right_H25_no_arrivals() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    nvvm.tcgen05.fence <before>
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    gpu.return
  }

  // E1: error: {{.*}}expected an arrival count from 1 to 1048575, but got 1048576
  gpu.func @H25_too_many_arrivals() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n1048576 = arith.constant 1048576 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    nvvm.tcgen05.fence <before>
    scf.if %t0 {
      // expected-error @+3 {{expected from 1 to 1048575 arrivals, but got 1048576}}
      // expected-note @+2 {{rule H25:}}
      // expected-note @+1 {{to fix it, count the arrivals of one phase}}
      nvvm.mbarrier.init %bar, %n1048576 : !llvm.ptr<3>, i32
    }
    gpu.return
  }

  // A phase has been seen by a wait before an arrival of the next.
  // E2: error: {{.*}}is complete, but no thread has waited for it
  gpu.func @H25_phase_that_nobody_saw() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n1 = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %n128 = arith.constant 128 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w4 = arith.cmpi uge, %tid, %n128 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    nvvm.tcgen05.fence <before>
    scf.if %t0 {
      // expected-note @+1 {{initialized here}}
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    scf.if %w4 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      // expected-error @+3 {{expected a wait for the phase of the mbarrier that is complete before an arrival of the next, but got none}}
      // expected-note @+2 {{rule H25:}}
      // expected-note @+1 {{to fix it, wait for the mbarrier between the two arrivals}}
      %s2 = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bar, %n1, %n32 : !llvm.ptr<3>, i32, i32
    }
    gpu.return
  }

  gpu.func @right_H25_phase_that_nobody_saw() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n1 = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %n128 = arith.constant 128 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w4 = arith.cmpi uge, %tid, %n128 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    nvvm.tcgen05.fence <before>
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    scf.if %w4 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
      %s2 = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bar, %n1, %n32 : !llvm.ptr<3>, i32, i32
    }
    gpu.return
  }

  // E3: error: {{.*}}{{deadlock|does not complete}}
  gpu.func @H21_raw_wrong_parity() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n1 = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %n128 = arith.constant 128 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w4 = arith.cmpi uge, %tid, %n128 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    nvvm.tcgen05.fence <before>
    scf.if %t0 {
      // expected-note @+1 {{initialized here}}
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    scf.if %w4 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
      // expected-error @+3 {{expected a phase of the mbarrier that its arrivals end, but got one that no arrival ends: warp 4 waits for parity 1 (phase 1, counted from 0) of the mbarrier at byte 0 of its variable}}
      // expected-note @+2 {{rule H21:}}
      // expected-note @+1 {{to fix it, check the parity, the count of the mbarrier, and that every warp arrives}}
      nvvm.mbarrier.try_wait.parity %bar, %n1, %n32 : !llvm.ptr<3>, i32, i32
    }
    gpu.return
  }

  gpu.func @right_H21_raw_wrong_parity() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n1 = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %n128 = arith.constant 128 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w4 = arith.cmpi uge, %tid, %n128 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    nvvm.tcgen05.fence <before>
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    scf.if %w4 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
      %s2 = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bar, %n1, %n32 : !llvm.ptr<3>, i32, i32
    }
    gpu.return
  }

  // A test may say no at any time: callers loop.
  // E4: error: {{.*}}{{was never written|race|still accesses}}
  gpu.func @H11_test_that_nobody_looks_at() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %n128 = arith.constant 128 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %slot2 = llvm.mlir.addressof @slot2 : !llvm.ptr<3>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %w4 = arith.cmpi uge, %tid, %n128 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    %v = arith.constant 7 : i32
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }

    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %w0 {
      // expected-note @+1 {{accessed here by another warp}}
      nvvm.tcgen05.st %p, %v {shape = #s} : i32
      nvvm.tcgen05.wait <store>
      nvvm.tcgen05.fence <before>
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    scf.if %w4 {
      %done = nvvm.mbarrier.test.wait %bar, %zero : !llvm.ptr<3>, i32 -> i1
      %word = arith.extui %done : i1 to i32
      llvm.store %word, %slot2 : i32, !llvm.ptr<3>
      nvvm.tcgen05.fence <after>
      // expected-error @+3 {{expected a barrier between this and the store of another warp of the same cells, but got none}}
      // expected-note @+2 {{rule H11:}}
      // expected-note @+1 {{to fix it, put tmem.fence before, a barrier and tmem.fence after between the two}}
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

  gpu.func @right_H11_test_that_nobody_looks_at() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %n128 = arith.constant 128 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %w4 = arith.cmpi uge, %tid, %n128 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    %v = arith.constant 7 : i32
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }

    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %w0 {
      nvvm.tcgen05.st %p, %v {shape = #s} : i32
      nvvm.tcgen05.wait <store>
      nvvm.tcgen05.fence <before>
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    scf.if %w4 {
      scf.while : () -> () {
        %true = arith.constant true
        %done = nvvm.mbarrier.test.wait %bar, %zero : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
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
}

func.func @run_H25_no_arrivals() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H25_no_arrivals blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H25_too_many_arrivals() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H25_too_many_arrivals blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H25_phase_that_nobody_saw() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H25_phase_that_nobody_saw blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H21_raw_wrong_parity() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H21_raw_wrong_parity blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H11_test_that_nobody_looks_at() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H11_test_that_nobody_looks_at blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @right() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@right_H25_no_arrivals blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H25_phase_that_nobody_saw blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H21_raw_wrong_parity blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H11_test_that_nobody_looks_at blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  // RIGHT: no fault
  vector.print str "no fault\n"
  return
}
}
