// The place of an mbarrier is not stored to while it is initialized: not before, with no
// barrier between, by another warp or another lane.

// RUN: tmem-opt %s --tmem-check-hazards='report=warning undecided=error' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FOUND --implicit-check-not=warning: --implicit-check-not=error:
// RUN: %exits_1 tmem-run %s --entry=run_H22_stored_before_init --race --seeds=8 2>&1 | FileCheck %s --check-prefix=FAULT
// RUN: tmem-run %s --entry=right --race --seeds=8 | FileCheck %s --check-prefix=RIGHT

// FAULT: error: the mbarrier at offset {{[0-9]+}} of shared memory was overwritten
// RIGHT: 8 seeds: 8 clean

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 16 : i64} : i64

  gpu.func @H22_stored_before_init() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %word = arith.constant 7 : i64
    %c127 = arith.constant 127 : index
    %tid = gpu.thread_id x
    %warp0 = arith.cmpi ult, %tid, %c32 : index
    nvvm.tcgen05.fence <before>
    %last = arith.cmpi eq, %tid, %c127 : index
    scf.if %warp0 {
      llvm.store %word, %bar : i64, !llvm.ptr<3>
    }
    scf.if %last {
      // FOUND: :[[@LINE+1]]:{{[0-9]+}}: warning: 'nvvm.mbarrier.init' op expected a barrier between the store to the place of the mbarrier and its initialization, but got none
      nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32
    }
    scf.if %last {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    nvvm.barrier0
    nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    gpu.return
  }

  gpu.func @right_H22_stored_before_init() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %word = arith.constant 7 : i64
    %c127 = arith.constant 127 : index
    %tid = gpu.thread_id x
    %warp0 = arith.cmpi ult, %tid, %c32 : index
    nvvm.tcgen05.fence <before>
    %last = arith.cmpi eq, %tid, %c127 : index
    scf.if %warp0 {
      llvm.store %word, %bar : i64, !llvm.ptr<3>
    }
    nvvm.barrier0
    scf.if %last {
      nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32
    }
    scf.if %last {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    nvvm.barrier0
    nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    gpu.return
  }

  gpu.func @H22_stored_by_lane_1_before_init() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %word = arith.constant 7 : i64
    %tid = gpu.thread_id x
    %thread0 = arith.cmpi eq, %tid, %c0 : index
    %thread1 = arith.cmpi eq, %tid, %c1 : index
    nvvm.tcgen05.fence <before>
    scf.if %thread1 {
      llvm.store %word, %bar : i64, !llvm.ptr<3>
    }
    scf.if %thread0 {
      // FOUND: :[[@LINE+1]]:{{[0-9]+}}: warning: 'nvvm.mbarrier.init' op expected a barrier between the store to the place of the mbarrier and its initialization, but got none
      nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32
    }
    scf.if %thread0 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    nvvm.barrier0
    nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    gpu.return
  }

  gpu.func @right_H22_stored_by_lane_1_before_init() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %all = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %word = arith.constant 7 : i64
    %tid = gpu.thread_id x
    %thread0 = arith.cmpi eq, %tid, %c0 : index
    %thread1 = arith.cmpi eq, %tid, %c1 : index
    nvvm.tcgen05.fence <before>
    scf.if %thread1 {
      llvm.store %word, %bar : i64, !llvm.ptr<3>
    }
    nvvm.bar.warp.sync %all : i32
    scf.if %thread0 {
      nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32
    }
    scf.if %thread0 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    nvvm.barrier0
    nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    gpu.return
  }
}

func.func @run_H22_stored_before_init() {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch_func @kernels::@H22_stored_before_init blocks in (%c1, %c1, %c1)
      threads in (%c128, %c1, %c1)
  return
}

func.func @right() {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch_func @kernels::@right_H22_stored_before_init blocks in (%c1, %c1, %c1)
      threads in (%c128, %c1, %c1)
  gpu.launch_func @kernels::@right_H22_stored_by_lane_1_before_init blocks in (%c1, %c1, %c1)
      threads in (%c128, %c1, %c1)
  return
}
}
