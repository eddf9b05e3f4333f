// Threads that inline PTX ends, and constants that it adds to addresses. Each wrong kernel faults on
// the emulator, too.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null
// RUN: %exits_1 tmem-run %s --entry=run_H13_lanes_that_exit --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H2_exits_before_the_barrier --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H17_offset --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2
// RUN: %exits_1 tmem-run %s --entry=run_H12_offset --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E3
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!out = memref<64xi32>

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32

  // E0: error: {{.*}}missing lanes
  gpu.func @H13_lanes_that_exit(%out: !out, %n: index, %flag: i1) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %lane = nvvm.read.ptx.sreg.tid.x : i32
    %tid = arith.index_cast %lane : i32 to index
    nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %p, %lane {shape = #s} : i32
    nvvm.tcgen05.wait <store>
    %n16 = arith.constant 16 : i32
    %half = arith.cmpi ult, %lane, %n16 : i32
    scf.if %half {
      llvm.inline_asm has_side_effects "exit;", "" : () -> ()
    }
    // expected-error @+3 {{expected all lanes of a warp to execute it, but some lanes of warp 0 do not}}
    // expected-note @+2 {{rule H13:}}
    // expected-note @+1 {{to fix it, branch on the warp, not on the lane}}
    %v = nvvm.tcgen05.ld %p {shape = #s} : i32
    // expected-error @+3 {{expected all lanes of a warp to execute it, but some lanes of warp 0 do not}}
    // expected-note @+2 {{rule H13:}}
    // expected-note @+1 {{to fix it, branch on the warp, not on the lane}}
    nvvm.tcgen05.wait <load>
    memref.store %v, %out[%tid] : !out
    // expected-error @+3 {{expected all lanes of a warp to execute it, but some lanes of warp 0 do not}}
    // expected-note @+2 {{rule H13:}}
    // expected-note @+1 {{to fix it, branch on the warp, not on the lane}}
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  gpu.func @right_lanes_that_exit(%out: !out, %n: index, %flag: i1) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %lane = nvvm.read.ptx.sreg.tid.x : i32
    %tid = arith.index_cast %lane : i32 to index
    nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %p, %lane {shape = #s} : i32
    nvvm.tcgen05.wait <store>
    %n16 = arith.constant 16 : i32
    %half = arith.cmpi ult, %lane, %n16 : i32
    %v = nvvm.tcgen05.ld %p {shape = #s} : i32
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    scf.if %half {
      llvm.inline_asm has_side_effects "exit;", "" : () -> ()
    }
    memref.store %v, %out[%tid] : !out
    gpu.return
  }

  // Who is left meets at the barrier.
  gpu.func @right_warp_that_exits(%out: !out, %n: index, %flag: i1) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %lane = nvvm.read.ptx.sreg.tid.x : i32
    %first = arith.cmpi ult, %lane, %n32 : i32
    %second = arith.cmpi uge, %lane, %n32 : i32
    %tid = arith.index_cast %lane : i32 to index
    scf.if %first {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %n16 = arith.constant 16 : i32
    %row = arith.andi %lane, %n32 : i32
    %slab = arith.shli %row, %n16 : i32
    %own = arith.addi %base, %slab : i32
    %q = llvm.inttoptr %own : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %q, %lane {shape = #s} : i32
    nvvm.tcgen05.wait <store>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %second {
      llvm.inline_asm has_side_effects "exit;", "" : () -> ()
    }
    %v = nvvm.tcgen05.ld %q {shape = #s} : i32
    nvvm.tcgen05.wait <load>
    memref.store %v, %out[%tid] : !out
    nvvm.barrier0
    scf.if %first {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // E1: error: {{.*}}{{.*}}
  // The second warp has not arrived at the barrier: it may still load.
  gpu.func @H2_exits_before_the_barrier(%out: !out, %n: index, %flag: i1) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %lane = nvvm.read.ptx.sreg.tid.x : i32
    %first = arith.cmpi ult, %lane, %n32 : i32
    %second = arith.cmpi uge, %lane, %n32 : i32
    %tid = arith.index_cast %lane : i32 to index
    scf.if %first {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %n16 = arith.constant 16 : i32
    %row = arith.andi %lane, %n32 : i32
    %slab = arith.shli %row, %n16 : i32
    %own = arith.addi %base, %slab : i32
    %q = llvm.inttoptr %own : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %q, %lane {shape = #s} : i32
    nvvm.tcgen05.wait <store>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %second {
      // expected-note @+1 {{accessed here by another warp}}
      %v = nvvm.tcgen05.ld %q {shape = #s} : i32
      nvvm.tcgen05.wait <load>
      memref.store %v, %out[%tid] : !out
      nvvm.tcgen05.fence <before>
      llvm.inline_asm has_side_effects "exit;", "" : () -> ()
    }
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %first {
      // expected-error @+3 {{expected a barrier between this and the load of another warp}}
      // expected-note @+2 {{rule H2:}}
      // expected-note @+1 {{to fix it, put a barrier of all warps in front of the dealloc}}
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_offset(%out: !out, %n: index, %flag: i1) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %lane = nvvm.read.ptx.sreg.tid.x : i32
    %tid = arith.index_cast %lane : i32 to index
    nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %p, %lane {shape = #s} : i32
    nvvm.tcgen05.wait <store>
    %n4 = arith.constant 4 : i32
    %low = arith.subi %base, %n4 : i32
    %v = llvm.inline_asm has_side_effects "tcgen05.ld.sync.aligned.32x32b.x1.b32 {$0}, [$1 + 4];", "=r,r" %low : (i32) -> i32
    nvvm.tcgen05.wait <load>
    memref.store %v, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  // E2: error: {{.*}}column {{[0-9]+}} is not allocated
  gpu.func @H17_offset(%out: !out, %n: index, %flag: i1) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %lane = nvvm.read.ptx.sreg.tid.x : i32
    %tid = arith.index_cast %lane : i32 to index
    // expected-note @+1 {{allocated here}}
    nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %p, %lane {shape = #s} : i32
    nvvm.tcgen05.wait <store>
    // expected-error @+3 {{expected columns 0 to 31 of the allocation, but got column 32}}
    // expected-note @+2 {{rule H17:}}
    // expected-note @+1 {{to fix it, allocate more columns, or access fewer}}
    %v = llvm.inline_asm has_side_effects "tcgen05.ld.sync.aligned.32x32b.x1.b32 {$0}, [$1 + 32];", "=r,r" %base : (i32) -> i32
    nvvm.tcgen05.wait <load>
    memref.store %v, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  // E3: error: {{.*}}
  gpu.func @H12_offset(%out: !out, %n: index, %flag: i1) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %lane = nvvm.read.ptx.sreg.tid.x : i32
    %tid = arith.index_cast %lane : i32 to index
    nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %p, %lane {shape = #s} : i32
    nvvm.tcgen05.wait <store>
    // expected-note @+1 {{stored here}}
    llvm.inline_asm has_side_effects "tcgen05.st.sync.aligned.32x32b.x1.b32 [$0 + 8], {$1};", "r,r" %base, %lane : (i32, i32) -> ()
    %n7 = arith.constant 7 : i32
    %at = arith.addi %base, %n7 : i32
    // expected-error @+3 {{expected a wait::st between this and the store to the same cells, but got none}}
    // expected-note @+2 {{rule H12:}}
    // expected-note @+1 {{to fix it, put a wait::st behind the store}}
    %v = llvm.inline_asm has_side_effects "tcgen05.ld.sync.aligned.32x32b.x1.b32 {$0}, [$1 + 1];", "=r,r" %at : (i32) -> i32
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.wait <store>
    memref.store %v, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  gpu.func @right_negative_offset(%out: !out, %n: index, %flag: i1) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %lane = nvvm.read.ptx.sreg.tid.x : i32
    %tid = arith.index_cast %lane : i32 to index
    nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %p, %lane {shape = #s} : i32
    nvvm.tcgen05.wait <store>
    llvm.inline_asm has_side_effects "tcgen05.st.sync.aligned.32x32b.x1.b32 [$0 + 8], {$1};", "r,r" %base, %lane : (i32, i32) -> ()
    %n9 = arith.constant 9 : i32
    %at = arith.addi %base, %n9 : i32
    %v = llvm.inline_asm has_side_effects "tcgen05.ld.sync.aligned.32x32b.x1.b32 {$0}, [$1 + -9];", "=r,r" %at : (i32) -> i32
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.wait <store>
    memref.store %v, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }
}

func.func @run_H13_lanes_that_exit() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %out = memref.alloc() : !out
  %unranked = memref.cast %out : !out to memref<*xi32>
  gpu.host_register %unranked : memref<*xi32>
  gpu.launch_func @kernels::@H13_lanes_that_exit blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  return
}

func.func @run_H2_exits_before_the_barrier() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %true = arith.constant true
  %out = memref.alloc() : !out
  %unranked = memref.cast %out : !out to memref<*xi32>
  gpu.host_register %unranked : memref<*xi32>
  gpu.launch_func @kernels::@H2_exits_before_the_barrier blocks in (%c1, %c1, %c1)
      threads in (%c64, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  return
}

func.func @run_H17_offset() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %out = memref.alloc() : !out
  %unranked = memref.cast %out : !out to memref<*xi32>
  gpu.host_register %unranked : memref<*xi32>
  gpu.launch_func @kernels::@H17_offset blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  return
}

func.func @run_H12_offset() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %out = memref.alloc() : !out
  %unranked = memref.cast %out : !out to memref<*xi32>
  gpu.host_register %unranked : memref<*xi32>
  gpu.launch_func @kernels::@H12_offset blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  return
}

func.func @right() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %true = arith.constant true
  %out = memref.alloc() : !out
  %unranked = memref.cast %out : !out to memref<*xi32>
  gpu.host_register %unranked : memref<*xi32>
  gpu.launch_func @kernels::@right_lanes_that_exit blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  gpu.launch_func @kernels::@right_warp_that_exits blocks in (%c1, %c1, %c1)
      threads in (%c64, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  gpu.launch_func @kernels::@right_offset blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  gpu.launch_func @kernels::@right_negative_offset blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  // RIGHT: no fault
  vector.print str "no fault\n"
  return
}
}
