// Arrivals of lanes behind a wait of another lane of their warp: every fault with both
// places and how to fix it. The wrong kernel faults on the emulator, too.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null
// RUN: %exits_1 tmem-run %s --entry=run_H25_one_lane_waits --race --seeds=10 2>&1 | FileCheck %s --check-prefix=E0
// RUN: tmem-run %s --entry=right --race --seeds=10 | FileCheck %s --check-prefix=RIGHT

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 16 : i64} : i64

  // E0: error: {{.*}}{{is complete, but no thread has waited for it|race}}
  // Other lanes do not wait for lane 0.
  gpu.func @H25_one_lane_waits() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %warp = arith.divui %tid, %n32 : i32
    %lane = arith.remui %tid, %n32 : i32
    %i1 = arith.constant 1 : i32
    %w1 = arith.cmpi eq, %warp, %i1 : i32
    %l0 = arith.cmpi eq, %lane, %zero : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    nvvm.tcgen05.fence <before>
    scf.if %t0 {
      // expected-note @+1 {{initialized here}}
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    scf.if %w1 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      scf.if %l0 {
        nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
      }
      // expected-error @+3 {{expected a wait for the phase of the mbarrier that is complete before an arrival of the next, but got one that may come later: warp 1 may arrive in the phase before}}
      // expected-note @+2 {{rule H25:}}
      // expected-note @+1 {{to fix it, count the arrivals of one phase, or let the warp wait for the mbarrier before it arrives}}
      %s2 = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    gpu.return
  }

  gpu.func @right_H25_one_lane_waits() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %all = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %warp = arith.divui %tid, %n32 : i32
    %lane = arith.remui %tid, %n32 : i32
    %i1 = arith.constant 1 : i32
    %w1 = arith.cmpi eq, %warp, %i1 : i32
    %l0 = arith.cmpi eq, %lane, %zero : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    nvvm.tcgen05.fence <before>
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    scf.if %w1 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      scf.if %l0 {
        nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
      }
      nvvm.bar.warp.sync %all : i32
      %s2 = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    gpu.return
  }
}

func.func @run_H25_one_lane_waits() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H25_one_lane_waits blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @right() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@right_H25_one_lane_waits blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  // RIGHT: no fault
  vector.print str "no fault\n"
  return
}
}
