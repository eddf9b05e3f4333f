// Registers of raw loads that loops and branches hand on: they are read when an operation computes
// with them, not where they are passed on. Each wrong kernel faults on the emulator, too.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null
// RUN: %exits_1 tmem-run %s --entry=run_H15_yielded --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H15_pipelined_late_wait --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H15_behind_the_loop --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2
// RUN: %exits_1 tmem-run %s --entry=run_H15_changes_places --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E3
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!out = memref<64xi32>

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32

  // E0: error: {{.*}}register read before its wait
  gpu.func @H15_yielded(%out: !out, %n: index, %flag: i1) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %n1 = arith.constant 1 : i32
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
    %v = scf.if %flag -> i32 {
      // expected-note @+1 {{loaded here}}
      %w = nvvm.tcgen05.ld %p {shape = #s} : i32
      scf.yield %w : i32
    } else {
      scf.yield %n1 : i32
    }
    // expected-error @+3 {{expected a wait::ld between the load and the first use of its registers, but got none}}
    // expected-note @+2 {{rule H15:}}
    // expected-note @+1 {{to fix it, put a wait::ld in front of it}}
    %x = arith.addi %v, %n1 : i32
    nvvm.tcgen05.wait <load>
    memref.store %x, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  gpu.func @right_yielded(%out: !out, %n: index, %flag: i1) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %n1 = arith.constant 1 : i32
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
    %v = scf.if %flag -> i32 {
      %w = nvvm.tcgen05.ld %p {shape = #s} : i32
      scf.yield %w : i32
    } else {
      scf.yield %n1 : i32
    }
    nvvm.tcgen05.wait <load>
    %x = arith.addi %v, %n1 : i32
    memref.store %x, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  // E1: error: {{.*}}register read before its wait
  gpu.func @H15_pipelined_late_wait(%out: !out, %n: index, %flag: i1) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
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
    %v0 = nvvm.tcgen05.ld %p {shape = #s} : i32
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%v = %v0) -> (i32) {
      // expected-error @+3 {{expected a wait::ld between the load and the first use of its registers, but got none}}
      // expected-note @+2 {{rule H15:}}
      // expected-note @+1 {{to fix it, put a wait::ld in front of it}}
      memref.store %v, %out[%tid] : !out
      nvvm.tcgen05.wait <load>
      // expected-note @+1 {{loaded here}}
      %next = nvvm.tcgen05.ld %p {shape = #s} : i32
      scf.yield %next : i32
    }
    nvvm.tcgen05.wait <load>
    memref.store %last, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  // The next load is under way while the one before is used.
  gpu.func @right_pipelined(%out: !out, %n: index, %flag: i1) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
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
    %v0 = nvvm.tcgen05.ld %p {shape = #s} : i32
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%v = %v0) -> (i32) {
      nvvm.tcgen05.wait <load>
      memref.store %v, %out[%tid] : !out
      %next = nvvm.tcgen05.ld %p {shape = #s} : i32
      scf.yield %next : i32
    }
    nvvm.tcgen05.wait <load>
    memref.store %last, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  gpu.func @right_pipelined_ahead(%out: !out, %n: index, %flag: i1) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
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
    %v0 = nvvm.tcgen05.ld %p {shape = #s} : i32
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%v = %v0) -> (i32) {
      nvvm.tcgen05.wait <load>
      %next = nvvm.tcgen05.ld %p {shape = #s} : i32
      memref.store %v, %out[%tid] : !out
      scf.yield %next : i32
    }
    nvvm.tcgen05.wait <load>
    memref.store %last, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  // E2: error: {{.*}}register read before its wait
  gpu.func @H15_behind_the_loop(%out: !out, %n: index, %flag: i1) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
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
    %v0 = nvvm.tcgen05.ld %p {shape = #s} : i32
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%v = %v0) -> (i32) {
      nvvm.tcgen05.wait <load>
      memref.store %v, %out[%tid] : !out
      // expected-note @+1 {{loaded here}}
      %next = nvvm.tcgen05.ld %p {shape = #s} : i32
      scf.yield %next : i32
    }
    // expected-error @+3 {{expected a wait::ld between the load and the first use of its registers, but got none}}
    // expected-note @+2 {{rule H15:}}
    // expected-note @+1 {{to fix it, put a wait::ld in front of it}}
    memref.store %last, %out[%tid] : !out
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  // E3: error: {{.*}}register read before its wait
  // Read in the second turn.
  gpu.func @H15_changes_places(%out: !out, %n: index, %flag: i1) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n1 = arith.constant 1 : i32
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
    // expected-note @+1 {{loaded here}}
    %v0 = nvvm.tcgen05.ld %p {shape = #s} : i32
    %two:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %n1, %b = %v0) -> (i32, i32) {
      // expected-error @+3 {{expected a wait::ld between the load and the first use of its registers, but got none}}
      // expected-note @+2 {{rule H15:}}
      // expected-note @+1 {{to fix it, put a wait::ld in front of it}}
      memref.store %a, %out[%tid] : !out
      scf.yield %b, %a : i32, i32
    }
    nvvm.tcgen05.wait <load>
    memref.store %two#1, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  // What was waited for moves on, what is under way takes its place.
  gpu.func @right_changes_places(%out: !out, %n: index, %flag: i1) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n1 = arith.constant 1 : i32
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
    %v0 = nvvm.tcgen05.ld %p {shape = #s} : i32
    %two:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %n1, %b = %v0) -> (i32, i32) {
      memref.store %a, %out[%tid] : !out
      nvvm.tcgen05.wait <load>
      %next = nvvm.tcgen05.ld %p {shape = #s} : i32
      scf.yield %b, %next : i32, i32
    }
    memref.store %two#0, %out[%tid] : !out
    nvvm.tcgen05.wait <load>
    memref.store %two#1, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }
}

func.func @run_H15_yielded() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %out = memref.alloc() : !out
  %unranked = memref.cast %out : !out to memref<*xi32>
  gpu.host_register %unranked : memref<*xi32>
  gpu.launch_func @kernels::@H15_yielded blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  return
}

func.func @run_H15_pipelined_late_wait() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %out = memref.alloc() : !out
  %unranked = memref.cast %out : !out to memref<*xi32>
  gpu.host_register %unranked : memref<*xi32>
  gpu.launch_func @kernels::@H15_pipelined_late_wait blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  return
}

func.func @run_H15_behind_the_loop() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %out = memref.alloc() : !out
  %unranked = memref.cast %out : !out to memref<*xi32>
  gpu.host_register %unranked : memref<*xi32>
  gpu.launch_func @kernels::@H15_behind_the_loop blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  return
}

func.func @run_H15_changes_places() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %out = memref.alloc() : !out
  %unranked = memref.cast %out : !out to memref<*xi32>
  gpu.host_register %unranked : memref<*xi32>
  gpu.launch_func @kernels::@H15_changes_places blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  return
}

func.func @right() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %out = memref.alloc() : !out
  %unranked = memref.cast %out : !out to memref<*xi32>
  gpu.host_register %unranked : memref<*xi32>
  gpu.launch_func @kernels::@right_yielded blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  gpu.launch_func @kernels::@right_pipelined blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  gpu.launch_func @kernels::@right_pipelined_ahead blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  gpu.launch_func @kernels::@right_changes_places blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  // RIGHT: no fault
  vector.print str "no fault\n"
  return
}
}
