// Registers of raw loads that go through blocks, calls and arms of other warps. Each wrong kernel
// faults on the emulator, too.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null
// RUN: %exits_1 tmem-run %s --entry=run_H15_branch_argument --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H15_block_loop --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H15_returned --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2
// RUN: %exits_1 tmem-run %s --entry=run_H15_passed --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E3
// RUN: %exits_1 tmem-run %s --entry=run_H15_some_warps_wait --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E4
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!out = memref<64xi32>

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32

  func.func @load(%p: !llvm.ptr<6>) -> i32 {
    // expected-note @+1 {{loaded here}}
    %v = nvvm.tcgen05.ld %p {shape = #s} : i32
    // expected-error @+3 {{expected a wait::ld between the load and the first use of its registers, but got none}}
    // expected-note @+2 {{rule H15:}}
    // expected-note @+1 {{to fix it, put a wait::ld in front of it}}
    return %v : i32
  }

  func.func @load_waits(%p: !llvm.ptr<6>) -> i32 {
    %v = nvvm.tcgen05.ld %p {shape = #s} : i32
    nvvm.tcgen05.wait <load>
    return %v : i32
  }

  func.func @waits_and_stores(%v: i32, %out: !out, %tid: index) {
    nvvm.tcgen05.wait <load>
    memref.store %v, %out[%tid] : !out
    return
  }

  // E0: error: {{.*}}register read before its wait
  gpu.func @H15_branch_argument(%out: !out, %n: index, %flag: i1) kernel
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
    // expected-note @+1 {{loaded here}}
    %w = nvvm.tcgen05.ld %p {shape = #s} : i32
    cf.br ^next(%w : i32)
  ^next(%v: i32):
    // expected-error @+3 {{expected a wait::ld between the load and the first use of its registers, but got none}}
    // expected-note @+2 {{rule H15:}}
    // expected-note @+1 {{to fix it, put a wait::ld in front of it}}
    %x = arith.addi %v, %n1 : i32
    nvvm.tcgen05.wait <load>
    memref.store %x, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  gpu.func @right_branch_argument(%out: !out, %n: index, %flag: i1) kernel
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
    %w = nvvm.tcgen05.ld %p {shape = #s} : i32
    cf.br ^next(%w : i32)
  ^next(%v: i32):
    nvvm.tcgen05.wait <load>
    %x = arith.addi %v, %n1 : i32
    memref.store %x, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  // E1: error: {{.*}}register read before its wait
  // What the last turn had is complete, the load ahead is not.
  gpu.func @H15_block_loop(%out: !out, %n: index, %flag: i1) kernel
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
    cf.br ^loop(%c0, %v0 : index, i32)
  ^loop(%i: index, %v: i32):
    nvvm.tcgen05.wait <load>
    // expected-note @+1 {{loaded here}}
    %next = nvvm.tcgen05.ld %p {shape = #s} : i32
    memref.store %v, %out[%tid] : !out
    %j = arith.addi %i, %c1 : index
    %more = arith.cmpi ult, %j, %n : index
    cf.cond_br %more, ^loop(%j, %next : index, i32), ^end
  ^end:
    memref.store %v, %out[%tid] : !out
    // expected-error @+3 {{expected a wait::ld between the load and the first use of its registers, but got none}}
    // expected-note @+2 {{rule H15:}}
    // expected-note @+1 {{to fix it, put a wait::ld in front of it}}
    memref.store %next, %out[%tid] : !out
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  gpu.func @right_block_loop(%out: !out, %n: index, %flag: i1) kernel
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
    cf.br ^loop(%c0, %v0 : index, i32)
  ^loop(%i: index, %v: i32):
    nvvm.tcgen05.wait <load>
    %next = nvvm.tcgen05.ld %p {shape = #s} : i32
    memref.store %v, %out[%tid] : !out
    %j = arith.addi %i, %c1 : index
    %more = arith.cmpi ult, %j, %n : index
    cf.cond_br %more, ^loop(%j, %next : index, i32), ^end
  ^end:
    memref.store %v, %out[%tid] : !out
    nvvm.tcgen05.wait <load>
    memref.store %next, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  // E2: error: {{.*}}register read before its wait
  // PTX returns values by instructions, unless the call is inlined before.
  gpu.func @H15_returned(%out: !out, %n: index, %flag: i1) kernel
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
    // expected-note @+1 {{called here}}
    %v = func.call @load(%p) : (!llvm.ptr<6>) -> i32
    nvvm.tcgen05.wait <load>
    memref.store %v, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  gpu.func @right_returned(%out: !out, %n: index, %flag: i1) kernel
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
    %v = func.call @load_waits(%p) : (!llvm.ptr<6>) -> i32
    memref.store %v, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  // E3: error: {{.*}}register read before its wait
  gpu.func @H15_passed(%out: !out, %n: index, %flag: i1) kernel
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
    // expected-note @+1 {{loaded here}}
    %v = nvvm.tcgen05.ld %p {shape = #s} : i32
    // expected-error @+3 {{expected a wait::ld between the load and the first use of its registers, but got none}}
    // expected-note @+2 {{rule H15:}}
    // expected-note @+1 {{to fix it, put a wait::ld in front of it}}
    func.call @waits_and_stores(%v, %out, %tid) : (i32, !out, index) -> ()
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  gpu.func @right_passed(%out: !out, %n: index, %flag: i1) kernel
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
    %v = nvvm.tcgen05.ld %p {shape = #s} : i32
    nvvm.tcgen05.wait <load>
    func.call @waits_and_stores(%v, %out, %tid) : (i32, !out, index) -> ()
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  // E4: error: {{.*}}register read before its wait
  gpu.func @H15_some_warps_wait(%out: !out, %n: index, %flag: i1) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %lane = nvvm.read.ptx.sreg.tid.x : i32
    %first = arith.cmpi ult, %lane, %n32 : i32
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
    // expected-note @+1 {{loaded here}}
    %v = nvvm.tcgen05.ld %q {shape = #s} : i32
    scf.if %first {
      nvvm.tcgen05.wait <load>
    }
    // expected-error @+3 {{expected a wait::ld between the load and the first use of its registers, but got none}}
    // expected-note @+2 {{rule H15:}}
    // expected-note @+1 {{to fix it, put a wait::ld in front of it}}
    memref.store %v, %out[%tid] : !out
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    scf.if %first {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_some_warps_wait(%out: !out, %n: index, %flag: i1) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %lane = nvvm.read.ptx.sreg.tid.x : i32
    %first = arith.cmpi ult, %lane, %n32 : i32
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
    %v = nvvm.tcgen05.ld %q {shape = #s} : i32
    scf.if %first {
      nvvm.tcgen05.wait <load>
      memref.store %v, %out[%tid] : !out
    } else {
      nvvm.tcgen05.wait <load>
      memref.store %v, %out[%tid] : !out
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    scf.if %first {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}

func.func @run_H15_branch_argument() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %out = memref.alloc() : !out
  %unranked = memref.cast %out : !out to memref<*xi32>
  gpu.host_register %unranked : memref<*xi32>
  gpu.launch_func @kernels::@H15_branch_argument blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  return
}

func.func @run_H15_block_loop() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %out = memref.alloc() : !out
  %unranked = memref.cast %out : !out to memref<*xi32>
  gpu.host_register %unranked : memref<*xi32>
  gpu.launch_func @kernels::@H15_block_loop blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  return
}

func.func @run_H15_returned() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %out = memref.alloc() : !out
  %unranked = memref.cast %out : !out to memref<*xi32>
  gpu.host_register %unranked : memref<*xi32>
  gpu.launch_func @kernels::@H15_returned blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  return
}

func.func @run_H15_passed() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %out = memref.alloc() : !out
  %unranked = memref.cast %out : !out to memref<*xi32>
  gpu.host_register %unranked : memref<*xi32>
  gpu.launch_func @kernels::@H15_passed blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  return
}

func.func @run_H15_some_warps_wait() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %true = arith.constant true
  %out = memref.alloc() : !out
  %unranked = memref.cast %out : !out to memref<*xi32>
  gpu.host_register %unranked : memref<*xi32>
  gpu.launch_func @kernels::@H15_some_warps_wait blocks in (%c1, %c1, %c1)
      threads in (%c64, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
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
  gpu.launch_func @kernels::@right_branch_argument blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  gpu.launch_func @kernels::@right_block_loop blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  gpu.launch_func @kernels::@right_returned blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  gpu.launch_func @kernels::@right_passed blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  gpu.launch_func @kernels::@right_some_warps_wait blocks in (%c1, %c1, %c1)
      threads in (%c64, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  // RIGHT: no fault
  vector.print str "no fault\n"
  return
}
}
