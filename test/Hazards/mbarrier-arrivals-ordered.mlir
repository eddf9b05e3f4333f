// Arrivals that something orders, but not behind a wait for the phase before, and
// some that are too many at once: every fault with both places and how to fix it. Each
// wrong kernel faults on the emulator, too.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null
// RUN: %exits_1 tmem-run %s --entry=run_H25_behind_the_arrivals_alone --race --seeds=6 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H25_producer_that_does_not_wait --race --seeds=6 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H25_a_part_of_a_warp_too_many --race --seeds=6 2>&1 | FileCheck %s --check-prefix=E2
// RUN: tmem-run %s --entry=right --race --seeds=6 | FileCheck %s --check-prefix=RIGHT

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 16 : i64} : i64
  llvm.mlir.global internal @bar2() {addr_space = 3 : i32, alignment = 16 : i64} : i64

  // E0: error: {{.*}}{{is complete, but no thread has waited for it|race}}
  // The phase is over, but the wait for it may still be to come.
  gpu.func @H25_behind_the_arrivals_alone() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %all = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %n40 = arith.constant 40 : i32
    %n64 = arith.constant 64 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %warp = arith.divui %tid, %n32 : i32
    %w0 = arith.cmpi eq, %warp, %zero : i32
    %i1 = arith.constant 1 : i32
    %w1 = arith.cmpi eq, %warp, %i1 : i32
    %i2 = arith.constant 2 : i32
    %w2 = arith.cmpi eq, %warp, %i2 : i32
    %i3 = arith.constant 3 : i32
    %w3 = arith.cmpi eq, %warp, %i3 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    nvvm.tcgen05.fence <before>
    scf.if %t0 {
      // expected-note @+1 {{initialized here}}
      nvvm.mbarrier.init %bar, %n64 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    scf.if %w0 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    scf.if %w2 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    nvvm.barrier0
    scf.if %w1 {
      scf.for %i = %zero to %n40 step %one : i32 {
        nvvm.bar.warp.sync %all : i32
      }
      nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    }
    scf.if %w3 {
      // expected-error @+3 {{expected a wait for the phase of the mbarrier that is complete before an arrival of the next, but got one that may come later: warp 3 may arrive in the phase before}}
      // expected-note @+2 {{rule H25:}}
      // expected-note @+1 {{to fix it, count the arrivals of one phase, or let the warp wait for the mbarrier before it arrives}}
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    gpu.return
  }

  gpu.func @right_H25_behind_the_arrivals_alone() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %n64 = arith.constant 64 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %warp = arith.divui %tid, %n32 : i32
    %w0 = arith.cmpi eq, %warp, %zero : i32
    %i1 = arith.constant 1 : i32
    %w1 = arith.cmpi eq, %warp, %i1 : i32
    %i2 = arith.constant 2 : i32
    %w2 = arith.cmpi eq, %warp, %i2 : i32
    %i3 = arith.constant 3 : i32
    %w3 = arith.cmpi eq, %warp, %i3 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    nvvm.tcgen05.fence <before>
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n64 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    scf.if %w0 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    scf.if %w2 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    scf.if %w1 {
      nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    }
    nvvm.barrier0
    scf.if %w3 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    gpu.return
  }

  // E1: error: {{.*}}{{is complete, but no thread has waited for it|race}}
  // Two warps fill, one empties.
  gpu.func @H25_producer_that_does_not_wait() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %all = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %n40 = arith.constant 40 : i32
    %n64 = arith.constant 64 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %bar2 = llvm.mlir.addressof @bar2 : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %warp = arith.divui %tid, %n32 : i32
    %w0 = arith.cmpi eq, %warp, %zero : i32
    %i1 = arith.constant 1 : i32
    %w1 = arith.cmpi eq, %warp, %i1 : i32
    %i2 = arith.constant 2 : i32
    %w2 = arith.cmpi eq, %warp, %i2 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    nvvm.tcgen05.fence <before>
    scf.if %t0 {
      // expected-note @+1 {{initialized here}}
      nvvm.mbarrier.init %bar, %n64 : !llvm.ptr<3>, i32
    }
    scf.if %t0 {
      nvvm.mbarrier.init %bar2, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    scf.if %w0 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bar2, %zero, %n32 : !llvm.ptr<3>, i32, i32
      %s2 = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    scf.if %w1 {
      scf.for %i = %zero to %n40 step %one : i32 {
        nvvm.bar.warp.sync %all : i32
      }
      nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
      %s = nvvm.mbarrier.arrive %bar2 : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bar, %one, %n32 : !llvm.ptr<3>, i32, i32
    }
    scf.if %w2 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      // expected-error @+3 {{expected a wait for the phase of the mbarrier that is complete before an arrival of the next, but got one that may come later: warp 2 may arrive in the phase before}}
      // expected-note @+2 {{rule H25:}}
      // expected-note @+1 {{to fix it, count the arrivals of one phase, or let the warp wait for the mbarrier before it arrives}}
      %s2 = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    gpu.return
  }

  gpu.func @right_H25_producer_that_does_not_wait() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %all = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %n40 = arith.constant 40 : i32
    %n64 = arith.constant 64 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %bar2 = llvm.mlir.addressof @bar2 : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %warp = arith.divui %tid, %n32 : i32
    %w0 = arith.cmpi eq, %warp, %zero : i32
    %i1 = arith.constant 1 : i32
    %w1 = arith.cmpi eq, %warp, %i1 : i32
    %i2 = arith.constant 2 : i32
    %w2 = arith.cmpi eq, %warp, %i2 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    nvvm.tcgen05.fence <before>
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n64 : !llvm.ptr<3>, i32
    }
    scf.if %t0 {
      nvvm.mbarrier.init %bar2, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    scf.if %w0 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bar2, %zero, %n32 : !llvm.ptr<3>, i32, i32
      %s2 = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    scf.if %w1 {
      scf.for %i = %zero to %n40 step %one : i32 {
        nvvm.bar.warp.sync %all : i32
      }
      nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
      %s = nvvm.mbarrier.arrive %bar2 : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bar, %one, %n32 : !llvm.ptr<3>, i32, i32
    }
    scf.if %w2 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bar2, %zero, %n32 : !llvm.ptr<3>, i32, i32
      %s2 = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    gpu.return
  }

  // E2: error: {{.*}}{{is complete, but no thread has waited for it|race}}
  gpu.func @H25_a_part_of_a_warp_too_many() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %all = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %n40 = arith.constant 40 : i32
    %n48 = arith.constant 48 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %warp = arith.divui %tid, %n32 : i32
    %w0 = arith.cmpi eq, %warp, %zero : i32
    %i1 = arith.constant 1 : i32
    %w1 = arith.cmpi eq, %warp, %i1 : i32
    %i2 = arith.constant 2 : i32
    %w2 = arith.cmpi eq, %warp, %i2 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    nvvm.tcgen05.fence <before>
    scf.if %t0 {
      // expected-note @+1 {{initialized here}}
      nvvm.mbarrier.init %bar, %n48 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    scf.if %w0 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    scf.if %w1 {
      // expected-error @+3 {{expected at most 16 more arrivals in the phase of the mbarrier, but got 32}}
      // expected-note @+2 {{rule H25:}}
      // expected-note @+1 {{to fix it, count the arrivals of one phase}}
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    scf.if %w2 {
      scf.for %i = %zero to %n40 step %one : i32 {
        nvvm.bar.warp.sync %all : i32
      }
      nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    }
    gpu.return
  }

  gpu.func @right_H25_a_part_of_a_warp_too_many() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %all = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %n40 = arith.constant 40 : i32
    %n64 = arith.constant 64 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %warp = arith.divui %tid, %n32 : i32
    %w0 = arith.cmpi eq, %warp, %zero : i32
    %i1 = arith.constant 1 : i32
    %w1 = arith.cmpi eq, %warp, %i1 : i32
    %i2 = arith.constant 2 : i32
    %w2 = arith.cmpi eq, %warp, %i2 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    nvvm.tcgen05.fence <before>
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n64 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    scf.if %w0 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    scf.if %w1 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    scf.if %w2 {
      scf.for %i = %zero to %n40 step %one : i32 {
        nvvm.bar.warp.sync %all : i32
      }
      nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    }
    gpu.return
  }
}

func.func @run_H25_behind_the_arrivals_alone() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H25_behind_the_arrivals_alone blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H25_producer_that_does_not_wait() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H25_producer_that_does_not_wait blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H25_a_part_of_a_warp_too_many() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H25_a_part_of_a_warp_too_many blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @right() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@right_H25_behind_the_arrivals_alone blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H25_producer_that_does_not_wait blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H25_a_part_of_a_warp_too_many blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  // RIGHT: no fault
  vector.print str "no fault\n"
  return
}
}
