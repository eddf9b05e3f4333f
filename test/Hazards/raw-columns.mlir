// How many columns, in raw operations: both places of a fault and how to fix it. Each
// wrong kernel faults on the emulator, too.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null
// RUN: %exits_1 tmem-run %s --entry=run_C1_33_columns --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_C1_H7_96_columns_freed --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H8_raw_growing --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2
// RUN: %exits_1 tmem-run %s --entry=run_H23_more_than_there_are --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E3
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32
  llvm.mlir.global internal @slot2() {addr_space = 3 : i32, alignment = 16 : i64} : i32

  // E0: error: {{.*}}expected a power of two from 32 to 512 columns, but got 33
  gpu.func @C1_33_columns() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %n33 = arith.constant 33 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      // expected-error @+3 {{expected a power of two from 32 to 512 columns, but got 33}}
      // expected-note @+2 {{rule C1:}}
      // expected-note @+1 {{to fix it, round it up, and free as many}}
      nvvm.tcgen05.alloc %slot, %n33 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      // expected-error @+3 {{expected a power of two from 32 to 512 columns, but got 33}}
      // expected-note @+2 {{rule C1:}}
      // expected-note @+1 {{to fix it, round it up, and free as many}}
      nvvm.tcgen05.dealloc %p, %n33 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_C1_33_columns() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %n64 = arith.constant 64 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n64 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n64 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // E1: error: {{.*}}expected a power of two from 32 to 512 columns, but got 96
  gpu.func @C1_H7_96_columns_freed() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %n64 = arith.constant 64 : i32
    %n96 = arith.constant 96 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      // expected-note @+1 {{allocated here}}
      nvvm.tcgen05.alloc %slot, %n64 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      // expected-error @+6 {{expected a power of two from 32 to 512 columns, but got 96}}
      // expected-note @+5 {{rule C1:}}
      // expected-note @+4 {{to fix it, round it up, and free as many}}
      // expected-error @+3 {{expected the 64 columns that were allocated, but got 96}}
      // expected-note @+2 {{rule H7:}}
      // expected-note @+1 {{to fix it, free as many columns}}
      nvvm.tcgen05.dealloc %p, %n96 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // E2: error: {{.*}}expected at most 32 columns, as many as the alloc before
  gpu.func @H8_raw_growing() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %n64 = arith.constant 64 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %slot2 = llvm.mlir.addressof @slot2 : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      // expected-note @+1 {{allocated here}}
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
      // expected-error @+3 {{expected at most 32 columns, as the alloc before asks for, but got 64}}
      // expected-note @+2 {{rule H8:}}
      // expected-note @+1 {{to fix it, allocate the most columns first}}
      nvvm.tcgen05.alloc %slot2, %n64 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %base2 = llvm.load %slot2 : !llvm.ptr<3> -> i32
    %p2 = llvm.inttoptr %base2 : i32 to !llvm.ptr<6>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
      nvvm.tcgen05.dealloc %p2, %n64 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_H8_raw_growing() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %n64 = arith.constant 64 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %slot2 = llvm.mlir.addressof @slot2 : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot2, %n64 : !llvm.ptr<3>, i32
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %base2 = llvm.load %slot2 : !llvm.ptr<3> -> i32
    %p2 = llvm.inttoptr %base2 : i32 to !llvm.ptr<6>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
      nvvm.tcgen05.dealloc %p2, %n64 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // An alloc waits until there are columns: here for ever, before the barrier.
  // E3: error: {{.*}}deadlock: no thread of the block can run, with warp 0 waiting here for 32 columns: 512 are allocated
  gpu.func @H23_more_than_there_are() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %n512 = arith.constant 512 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %slot2 = llvm.mlir.addressof @slot2 : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      // expected-note @+1 {{allocated here}}
      nvvm.tcgen05.alloc %slot, %n512 : !llvm.ptr<3>, i32
      // expected-error @+3 {{expected at most 512 columns at one time, but got 544}}
      // expected-note @+2 {{rule H23:}}
      // expected-note @+1 {{to fix it, free columns before, or allocate fewer}}
      nvvm.tcgen05.alloc %slot2, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %base2 = llvm.load %slot2 : !llvm.ptr<3> -> i32
    %p2 = llvm.inttoptr %base2 : i32 to !llvm.ptr<6>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n512 : !llvm.ptr<6>, i32
      nvvm.tcgen05.dealloc %p2, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_H23_more_than_there_are() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %n512 = arith.constant 512 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %slot2 = llvm.mlir.addressof @slot2 : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n512 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n512 : !llvm.ptr<6>, i32
      nvvm.tcgen05.alloc %slot2, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base2 = llvm.load %slot2 : !llvm.ptr<3> -> i32
    %p2 = llvm.inttoptr %base2 : i32 to !llvm.ptr<6>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p2, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}

func.func @run_C1_33_columns() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@C1_33_columns blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_C1_H7_96_columns_freed() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@C1_H7_96_columns_freed blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H8_raw_growing() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H8_raw_growing blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H23_more_than_there_are() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H23_more_than_there_are blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @right() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@right_C1_33_columns blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H8_raw_growing blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H23_more_than_there_are blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  // RIGHT: no fault
  vector.print str "no fault\n"
  return
}
}
