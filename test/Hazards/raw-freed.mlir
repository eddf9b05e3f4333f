// Columns that are freed too early, in raw operations: both places and how
// to fix it. Each wrong kernel faults on the emulator, too.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null
// RUN: %exits_1 tmem-run %s --entry=run_H1_raw_freed --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H1_H6_freed_on_a_path --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H2_raw_no_barrier --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2
// RUN: %exits_1 tmem-run %s --entry=run_H2_raw_own_load --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E3
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32

  // E0: error: {{.*}}column 0 is not allocated
  gpu.func @H1_raw_freed() kernel
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
      // expected-note @+1 {{freed here}}
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
      // expected-error @+3 {{expected columns that are allocated, but they have been freed}}
      // expected-note @+2 {{rule H1:}}
      // expected-note @+1 {{to fix it, free them behind the last access}}
      nvvm.tcgen05.st %p, %v {shape = #s} : i32
      nvvm.tcgen05.wait <store>
    }
    gpu.return
  }

  gpu.func @right_H1_raw_freed() kernel
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
      nvvm.tcgen05.st %p, %v {shape = #s} : i32
      nvvm.tcgen05.wait <store>
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // E1: error: {{.*}}column 0 is not allocated
  gpu.func @H1_H6_freed_on_a_path(%flag: i1) kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %v = arith.constant 7 : i32
    scf.if %w0 {
      // expected-error @+3 {{expected the columns to be freed before the kernel ends, but got a path without a dealloc}}
      // expected-note @+2 {{rule H6:}}
      // expected-note @+1 {{to fix it, free them on every path to the end of the kernel}}
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %w0 {
      scf.if %flag {
        // expected-note @+2 {{freed here, on another path}}
        // expected-note @+1 {{freed here}}
        nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
      }
      // expected-error @+3 {{expected columns that are allocated, but they may have been freed}}
      // expected-note @+2 {{rule H1:}}
      // expected-note @+1 {{to fix it, free them behind the last access}}
      nvvm.tcgen05.st %p, %v {shape = #s} : i32
      nvvm.tcgen05.wait <store>
    }
    gpu.return
  }

  gpu.func @right_H1_H6_freed_on_a_path(%flag: i1) kernel
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
      nvvm.tcgen05.st %p, %v {shape = #s} : i32
      nvvm.tcgen05.wait <store>
      scf.if %flag {
        nvvm.tcgen05.st %p, %v {shape = #s} : i32
        nvvm.tcgen05.wait <store>
      }
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // E2: error: {{.*}}{{not ordered after the access of warp 4|dealloc is not ordered|column 0 is not allocated|race|load of cells that a store of warp 4 still accesses}}
  gpu.func @H2_raw_no_barrier() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %n128 = arith.constant 128 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %w4 = arith.cmpi uge, %tid, %n128 : i32
    %v = arith.constant 7 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %w4 {
      // expected-note @+1 {{accessed here by another warp}}
      nvvm.tcgen05.st %p, %v {shape = #s} : i32
      nvvm.tcgen05.wait <store>
    }
    scf.if %w0 {
      // expected-error @+3 {{expected a barrier between this and the store of another warp}}
      // expected-note @+2 {{rule H2:}}
      // expected-note @+1 {{to fix it, put a barrier of all warps in front of the dealloc}}
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_H2_raw_no_barrier() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %n128 = arith.constant 128 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %w4 = arith.cmpi uge, %tid, %n128 : i32
    %v = arith.constant 7 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %w4 {
      nvvm.tcgen05.st %p, %v {shape = #s} : i32
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

  // E3: error: {{.*}}dealloc of columns that a load of warp 0 still
  gpu.func @H2_raw_own_load() kernel
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
      nvvm.tcgen05.st %p, %v {shape = #s} : i32
      nvvm.tcgen05.wait <store>
      // expected-note @+1 {{accessed here}}
      %w = nvvm.tcgen05.ld %p {shape = #s} : i32
      // expected-error @+3 {{expected the load to be waited for before its columns are freed}}
      // expected-note @+2 {{rule H2:}}
      // expected-note @+1 {{to fix it, wait for it before the dealloc}}
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_H2_raw_own_load() kernel
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
      nvvm.tcgen05.st %p, %v {shape = #s} : i32
      nvvm.tcgen05.wait <store>
      %w = nvvm.tcgen05.ld %p {shape = #s} : i32
      nvvm.tcgen05.wait <load>
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}

func.func @run_H1_raw_freed() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H1_raw_freed blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H1_H6_freed_on_a_path() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  %true = arith.constant true
  gpu.launch_func @kernels::@H1_H6_freed_on_a_path blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1) args(%true : i1)
  return
}

func.func @run_H2_raw_no_barrier() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H2_raw_no_barrier blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H2_raw_own_load() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H2_raw_own_load blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @right() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  %true = arith.constant true
  gpu.launch_func @kernels::@right_H1_raw_freed blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H1_H6_freed_on_a_path blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1) args(%true : i1)
  gpu.launch_func @kernels::@right_H2_raw_no_barrier blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H2_raw_own_load blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  // RIGHT: no fault
  vector.print str "no fault\n"
  return
}
}
