// The address that is freed, where it is computed from the thread: what counts is what the
// warp that frees has.

// RUN: tmem-opt %s --tmem-check-hazards -verify-diagnostics -o /dev/null
// RUN: tmem-run %s --entry=right --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=wrong --seeds=3 2>&1 | FileCheck %s --check-prefix=WRONG

// RIGHT: no fault
// WRONG: error: expected the address that tcgen05.alloc returned, {{.*}} (lane 32, column {{[0-9]+}}) inside that allocation

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32

  gpu.func @right_warp_0_frees_the_address_of_its_slab() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
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
    %n96 = arith.constant 96 : i32
    %n16 = arith.constant 16 : i32
    %rows = arith.andi %tid, %n96 : i32
    %slab = arith.shli %rows, %n16 : i32
    %mine = arith.addi %base, %slab : i32
    %m = llvm.inttoptr %mine : i32 to !llvm.ptr<6>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %m, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @warp_1_frees_the_address_of_its_slab() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      // expected-note @+1 {{allocated here}}
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %n96 = arith.constant 96 : i32
    %n16 = arith.constant 16 : i32
    %rows = arith.andi %tid, %n96 : i32
    %slab = arith.shli %rows, %n16 : i32
    %mine = arith.addi %base, %slab : i32
    %m = llvm.inttoptr %mine : i32 to !llvm.ptr<6>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    %n1 = arith.constant 1 : i32
    %warp = arith.divui %tid, %n32 : i32
    %w1 = arith.cmpi eq, %warp, %n1 : i32
    scf.if %w1 {
      // expected-error @+3 {{expected the address that alloc returned, but got 2097152 more}}
      // expected-note @+2 {{rule H7:}}
      // expected-note @+1 {{to fix it, free the address as it stands in the slot}}
      nvvm.tcgen05.dealloc %m, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @each_lane_frees_another() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
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
    %n96 = arith.constant 96 : i32
    %n16 = arith.constant 16 : i32
    %rows = arith.andi %tid, %n96 : i32
    %slab = arith.shli %rows, %n16 : i32
    %mine = arith.addi %base, %slab : i32
    %m = llvm.inttoptr %mine : i32 to !llvm.ptr<6>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    %next = arith.addi %base, %tid : i32
    %l = llvm.inttoptr %next : i32 to !llvm.ptr<6>
    scf.if %w0 {
      // expected-error @+3 {{expected the same address in all lanes of warp 0, but got several}}
      // expected-note @+2 {{rule H13:}}
      // expected-note @+1 {{to fix it, compute it from the warp, not from the lane}}
      nvvm.tcgen05.dealloc %l, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // Warp 1 has the right address.
  gpu.func @some_warp_frees(%who: !llvm.ptr) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
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
    %n96 = arith.constant 96 : i32
    %n16 = arith.constant 16 : i32
    %rows = arith.andi %tid, %n96 : i32
    %slab = arith.shli %rows, %n16 : i32
    %mine = arith.addi %base, %slab : i32
    %m = llvm.inttoptr %mine : i32 to !llvm.ptr<6>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    %factor = arith.constant 0x200000 : i32
    %other = arith.xori %slab, %factor : i32
    %there = arith.addi %base, %other : i32
    %l = llvm.inttoptr %there : i32 to !llvm.ptr<6>
    %one = llvm.load %who : !llvm.ptr -> i32
    %warp = arith.divui %tid, %n32 : i32
    %is = arith.cmpi eq, %warp, %one : i32
    scf.if %is {
      // expected-note @+2 {{freed here, on another path}}
      // expected-warning @+1 {{undecided: which warps execute it}}
      nvvm.tcgen05.dealloc %l, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}

  func.func @right() {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@right_warp_0_frees_the_address_of_its_slab
        blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
    vector.print str "no fault\n"
    return
  }

  func.func @wrong() {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@warp_1_frees_the_address_of_its_slab
        blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
    vector.print str "no fault\n"
    return
  }
}
