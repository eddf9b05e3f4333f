// What is freed on which paths, in raw operations: both places and how to fix it. Each
// wrong kernel faults on the emulator, too.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null
// RUN: %exits_1 tmem-run %s --entry=run_H6_raw_no_dealloc --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H6_raw_on_a_path --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H6_raw_overwritten --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2
// RUN: %exits_1 tmem-run %s --entry=run_H6_raw_two_for_one_slot --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E3
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32

  // E0: error: {{.*}}32 columns at column {{[0-9]+}} were never deallocated
  gpu.func @H6_raw_no_dealloc() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      // expected-error @+3 {{expected the columns to be freed before the kernel ends, but got no dealloc}}
      // expected-note @+2 {{rule H6:}}
      // expected-note @+1 {{to fix it, free them on every path to the end of the kernel}}
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    gpu.return
  }

  gpu.func @right_H6_raw_no_dealloc() kernel
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

  // E1: error: {{.*}}32 columns at column {{[0-9]+}} were never deallocated
  gpu.func @H6_raw_on_a_path(%flag: i1) kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      // expected-error @+3 {{expected the columns to be freed before the kernel ends, but got a path without a dealloc}}
      // expected-note @+2 {{rule H6:}}
      // expected-note @+1 {{to fix it, free them on every path to the end of the kernel}}
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %flag {
    } else {
      scf.if %w0 {
        // expected-note @+1 {{freed here, on another path}}
        nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
      }
    }
    gpu.return
  }

  gpu.func @right_H6_raw_on_a_path(%flag: i1) kernel
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
    scf.if %flag {
      scf.if %w0 {
        nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
      }
    } else {
      scf.if %w0 {
        nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
      }
    }
    gpu.return
  }

  // E2: error: {{.*}}{{were never deallocated}}
  gpu.func @H6_raw_overwritten() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.for %i = %c0 to %c2 step %c1 {
      scf.if %w0 {
        // expected-note @+4 {{allocated here}}
        // expected-error @+3 {{expected the columns of the alloc before to be freed, but the address is overwritten}}
        // expected-note @+2 {{rule H6:}}
        // expected-note @+1 {{to fix it, free them before}}
        nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
      }
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

  gpu.func @right_H6_raw_overwritten() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.for %i = %c0 to %c2 step %c1 {

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
      nvvm.barrier0
    }
    gpu.return
  }

  // E3: error: {{.*}}{{were never deallocated}}
  gpu.func @H6_raw_two_for_one_slot() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      // expected-error @+3 {{expected the columns to be freed before the kernel ends, but got no dealloc}}
      // expected-note @+2 {{rule H6:}}
      // expected-note @+1 {{to fix it, free them on every path to the end of the kernel}}
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
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

  gpu.func @right_H6_raw_two_for_one_slot() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %all = arith.constant -1 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
      nvvm.bar.warp.sync %all : i32
      %first = llvm.load %slot : !llvm.ptr<3> -> i32
      %q = llvm.inttoptr %first : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %q, %n32 : !llvm.ptr<6>, i32
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
}

func.func @run_H6_raw_no_dealloc() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H6_raw_no_dealloc blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H6_raw_on_a_path() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  %true = arith.constant true
  gpu.launch_func @kernels::@H6_raw_on_a_path blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1) args(%true : i1)
  return
}

func.func @run_H6_raw_overwritten() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H6_raw_overwritten blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H6_raw_two_for_one_slot() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H6_raw_two_for_one_slot blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @right() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  %true = arith.constant true
  gpu.launch_func @kernels::@right_H6_raw_no_dealloc blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H6_raw_on_a_path blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1) args(%true : i1)
  gpu.launch_func @kernels::@right_H6_raw_overwritten blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H6_raw_two_for_one_slot blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  // RIGHT: no fault
  vector.print str "no fault\n"
  return
}
}
