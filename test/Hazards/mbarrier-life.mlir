// The life of an mbarrier: every fault with both places and how to fix it. Each wrong
// kernel faults on the emulator, too.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null
// RUN: %exits_1 tmem-run %s --entry=run_H22_raw_no_barrier --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H22_raw_invalidated --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H22_raw_invalidated_while_used --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2
// RUN: %exits_1 tmem-run %s --entry=run_H22_raw_twice --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E3
// RUN: %exits_1 tmem-run %s --entry=run_H22_all_lanes_of_a_warp --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E4
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 16 : i64} : i64

  // E0: error: {{.*}}{{uses an mbarrier|expected a valid mbarrier}}
  gpu.func @H22_raw_no_barrier() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : i32
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
    scf.if %w4 {
      // expected-error @+3 {{expected a barrier between the initialization of the mbarrier and this, but got none}}
      // expected-note @+2 {{rule H22:}}
      // expected-note @+1 {{to fix it, put a barrier between them}}
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    }
    gpu.return
  }

  gpu.func @right_H22_raw_no_barrier() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : i32
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
    }
    gpu.return
  }

  // E1: error: {{.*}}expected a valid mbarrier
  gpu.func @H22_raw_invalidated() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : i32
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
    }
    nvvm.barrier0
    scf.if %t0 {
      // expected-note @+1 {{invalidated here}}
      nvvm.mbarrier.inval %bar : !llvm.ptr<3>
    }
    nvvm.barrier0
    scf.if %w4 {
      // expected-error @+3 {{expected a valid mbarrier, but got one that was invalidated}}
      // expected-note @+2 {{rule H22:}}
      // expected-note @+1 {{to fix it, execute mbarrier.inval behind a barrier, when no warp uses it any more}}
      nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    }
    gpu.return
  }

  gpu.func @right_H22_raw_invalidated() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : i32
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
      nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    }
    nvvm.barrier0
    scf.if %t0 {
      nvvm.mbarrier.inval %bar : !llvm.ptr<3>
    }
    gpu.return
  }

  // E2: error: {{.*}}{{expected a valid mbarrier|expected an mbarrier that no thread waits for|race}}
  gpu.func @H22_raw_invalidated_while_used() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %n128 = arith.constant 128 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    nvvm.tcgen05.fence <before>
    %last = arith.cmpi eq, %tid, %n128 : i32
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    scf.if %w0 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      // expected-note @+1 {{used here}}
      nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    }
    scf.if %last {
      // expected-error @+3 {{expected a barrier between the use of the mbarrier by another warp and this, but got none}}
      // expected-note @+2 {{rule H22:}}
      // expected-note @+1 {{to fix it, put a barrier between them}}
      nvvm.mbarrier.inval %bar : !llvm.ptr<3>
    }
    gpu.return
  }

  // E3: error: {{.*}}is valid already
  gpu.func @H22_raw_twice() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : i32
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
      // expected-error @+3 {{expected an mbarrier that is not valid, but got one that was initialized before}}
      // expected-note @+2 {{rule H22:}}
      // expected-note @+1 {{to fix it, execute mbarrier.inval before it is initialized again}}
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    scf.if %w4 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    }
    gpu.return
  }

  gpu.func @right_H22_raw_twice() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %n128 = arith.constant 128 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w4 = arith.cmpi uge, %tid, %n128 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    nvvm.tcgen05.fence <before>
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
      nvvm.mbarrier.inval %bar : !llvm.ptr<3>
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    scf.if %w4 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    }
    gpu.return
  }

  // The emulator does not look at the order of inval and init.
  gpu.func @H22_again_without_a_barrier() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %n128 = arith.constant 128 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    nvvm.tcgen05.fence <before>
    %last = arith.cmpi eq, %tid, %n128 : i32
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    scf.if %w0 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    }
    nvvm.barrier0
    scf.if %t0 {
      // expected-note @+1 {{invalidated here}}
      nvvm.mbarrier.inval %bar : !llvm.ptr<3>
    }
    scf.if %last {
      // expected-error @+3 {{expected a barrier between the invalidation of the mbarrier and this, but got none}}
      // expected-note @+2 {{rule H22:}}
      // expected-note @+1 {{to fix it, put a barrier between them}}
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    gpu.return
  }

  gpu.func @right_H22_again_without_a_barrier() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %n128 = arith.constant 128 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    nvvm.tcgen05.fence <before>
    %last = arith.cmpi eq, %tid, %n128 : i32
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    scf.if %w0 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    }
    nvvm.barrier0
    scf.if %t0 {
      nvvm.mbarrier.inval %bar : !llvm.ptr<3>
    }
    nvvm.barrier0
    scf.if %last {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    gpu.return
  }

  // E4: error: {{.*}}is valid already
  gpu.func @H22_all_lanes_of_a_warp() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %n128 = arith.constant 128 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %w4 = arith.cmpi uge, %tid, %n128 : i32
    nvvm.tcgen05.fence <before>
    scf.if %w0 {
      // expected-error @+3 {{expected one thread to initialize the mbarrier, but got 32}}
      // expected-note @+2 {{rule H22:}}
      // expected-note @+1 {{to fix it, put it under a condition on the thread}}
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    scf.if %w4 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    }
    nvvm.barrier0
    scf.if %w0 {
      // expected-error @+3 {{expected one thread to invalidate the mbarrier, but got 32}}
      // expected-note @+2 {{rule H22:}}
      // expected-note @+1 {{to fix it, put it under a condition on the thread}}
      nvvm.mbarrier.inval %bar : !llvm.ptr<3>
    }
    gpu.return
  }

  gpu.func @right_H22_all_lanes_of_a_warp() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : i32
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
    }
    nvvm.barrier0
    scf.if %t0 {
      nvvm.mbarrier.inval %bar : !llvm.ptr<3>
    }
    gpu.return
  }
}

func.func @run_H22_raw_no_barrier() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H22_raw_no_barrier blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H22_raw_invalidated() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H22_raw_invalidated blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H22_raw_invalidated_while_used() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H22_raw_invalidated_while_used blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H22_raw_twice() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H22_raw_twice blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H22_all_lanes_of_a_warp() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H22_all_lanes_of_a_warp blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @right() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@right_H22_raw_no_barrier blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H22_raw_invalidated blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H22_raw_twice blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H22_again_without_a_barrier blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H22_all_lanes_of_a_warp blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  // RIGHT: no fault
  vector.print str "no fault\n"
  return
}
}
