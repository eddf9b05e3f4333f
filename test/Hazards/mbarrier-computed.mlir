// Mbarriers that lanes and warps compute: every fault with both places and how to fix
// it. What is wrong faults on the emulator, too, where it is run.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null
// RUN: %exits_1 tmem-run %s --entry=run_H22_mbarrier_of_each_warp --race --seeds=6 2>&1 | FileCheck %s --check-prefix=E0
// RUN: tmem-run %s --entry=right --race --seeds=6 | FileCheck %s --check-prefix=RIGHT

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @bars() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<8 x i64>

  // E0: error: {{.*}}is valid already
  gpu.func @H22_mbarrier_of_each_warp() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %bars = llvm.mlir.addressof @bars : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %warp = arith.divui %tid, %n32 : i32
    nvvm.tcgen05.fence <before>
    %b = llvm.getelementptr %bars[%warp] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    // expected-error @+3 {{expected one thread to initialize the mbarrier, but got several lanes of warp 0}}
    // expected-note @+2 {{rule H22:}}
    // expected-note @+1 {{to fix it, put it under a condition on the thread}}
    nvvm.mbarrier.init %b, %n32 : !llvm.ptr<3>, i32
    nvvm.barrier0
    %s = nvvm.mbarrier.arrive %b : !llvm.ptr<3> -> i64
    nvvm.mbarrier.try_wait.parity %b, %zero, %n32 : !llvm.ptr<3>, i32, i32
    gpu.return
  }

  gpu.func @right_H22_mbarrier_of_each_warp() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %bars = llvm.mlir.addressof @bars : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %warp = arith.divui %tid, %n32 : i32
    %lane = arith.remui %tid, %n32 : i32
    %l0 = arith.cmpi eq, %lane, %zero : i32
    nvvm.tcgen05.fence <before>
    %b = llvm.getelementptr %bars[%warp] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    scf.if %l0 {
      nvvm.mbarrier.init %b, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %s = nvvm.mbarrier.arrive %b : !llvm.ptr<3> -> i64
    nvvm.mbarrier.try_wait.parity %b, %zero, %n32 : !llvm.ptr<3>, i32, i32
    gpu.return
  }

  // Warps 0 and 1 meet at the first one, warps 2 and 3 at the second.
  gpu.func @H25_mbarrier_of_each_group() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n2 = arith.constant 2 : i32
    %n32 = arith.constant 32 : i32
    %n128 = arith.constant 128 : i32
    %bars = llvm.mlir.addressof @bars : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %warp = arith.divui %tid, %n32 : i32
    nvvm.tcgen05.fence <before>
    %k = arith.cmpi ult, %tid, %n2 : i32
    %mine = llvm.getelementptr %bars[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    scf.if %k {
      // expected-note @+1 {{initialized here}}
      nvvm.mbarrier.init %mine, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %group = arith.divui %warp, %n2 : i32
    %four = arith.cmpi ult, %tid, %n128 : i32
    %b = llvm.getelementptr %bars[%group] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    scf.if %four {
      // expected-error @+3 {{expected a wait for the phase of the mbarrier that is complete before an arrival of the next, but got one that may come later: warp 1 may arrive in the phase before}}
      // expected-note @+2 {{rule H25:}}
      // expected-note @+1 {{to fix it, count the arrivals of one phase, or let the warp wait for the mbarrier before it arrives}}
      %s = nvvm.mbarrier.arrive %b : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %b, %zero, %n32 : !llvm.ptr<3>, i32, i32
    }
    gpu.return
  }

  gpu.func @right_H25_mbarrier_of_each_group() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n2 = arith.constant 2 : i32
    %n32 = arith.constant 32 : i32
    %n64 = arith.constant 64 : i32
    %n128 = arith.constant 128 : i32
    %bars = llvm.mlir.addressof @bars : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %warp = arith.divui %tid, %n32 : i32
    nvvm.tcgen05.fence <before>
    %k = arith.cmpi ult, %tid, %n2 : i32
    %mine = llvm.getelementptr %bars[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    scf.if %k {
      nvvm.mbarrier.init %mine, %n64 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %group = arith.divui %warp, %n2 : i32
    %four = arith.cmpi ult, %tid, %n128 : i32
    %b = llvm.getelementptr %bars[%group] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    scf.if %four {
      %s = nvvm.mbarrier.arrive %b : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %b, %zero, %n32 : !llvm.ptr<3>, i32, i32
    }
    gpu.return
  }
}

func.func @run_H22_mbarrier_of_each_warp() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H22_mbarrier_of_each_warp blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @right() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@right_H22_mbarrier_of_each_warp blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H25_mbarrier_of_each_group blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  // RIGHT: no fault
  vector.print str "no fault\n"
  return
}
}
