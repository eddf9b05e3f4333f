// What goes wrong in a function that a kernel calls is told with the calls that lead to it, and of
// an mbarrier with the warp, the phase, and where it is initialized. Each wrong kernel faults on the
// emulator, too.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null
// RUN: %exits_1 tmem-run %s --entry=run_H21_in_functions --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H12_in_a_function --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!out = memref<32xi32>

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32
  llvm.mlir.global internal @bars() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<2 x i64>

  func.func @wait(%bar: !llvm.ptr<3>, %parity: i32) {
    %ticks = arith.constant 1000 : i32
    // expected-error @+4 {{but got one that no arrival ends: warp 0 waits for parity 0 (phase 0, counted from 0) of the mbarrier at byte 8 of its variable}}
    // expected-note @+3 {{warp 1 waits here for parity 1 (phase 1, counted from 0) of the mbarrier at byte 0 of its variable}}
    // expected-note @+2 {{rule H21:}}
    // expected-note @+1 {{to fix it, check the parity, the count of the mbarrier, and that every warp arrives}}
    nvvm.mbarrier.try_wait.parity %bar, %parity, %ticks : !llvm.ptr<3>, i32, i32
    return
  }

  func.func @wait_for_first(%bar: !llvm.ptr<3>) {
    %zero = arith.constant 0 : i32
    // expected-note @+1 {{called here}}
    func.call @wait(%bar, %zero) : (!llvm.ptr<3>, i32) -> ()
    return
  }

  // E0: error: {{.*}}{{deadlock|does not complete}}
  gpu.func @H21_in_functions() kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n1 = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %bar = llvm.mlir.addressof @bars : !llvm.ptr<3>
    %bar8 = llvm.getelementptr %bar[8] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    nvvm.tcgen05.fence <before>
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
      // expected-note @+1 {{initialized here}}
      nvvm.mbarrier.init %bar8, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    scf.if %w0 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      // expected-note @+1 {{called here}}
      func.call @wait_for_first(%bar8) : (!llvm.ptr<3>) -> ()
    } else {
      func.call @wait(%bar, %zero) : (!llvm.ptr<3>, i32) -> ()
      // expected-note @+1 {{called here}}
      func.call @wait(%bar, %n1) : (!llvm.ptr<3>, i32) -> ()
      %s = nvvm.mbarrier.arrive %bar8 : !llvm.ptr<3> -> i64
    }
    gpu.return
  }

  func.func @right_wait(%bar: !llvm.ptr<3>, %parity: i32) {
    %ticks = arith.constant 1000 : i32
    nvvm.mbarrier.try_wait.parity %bar, %parity, %ticks : !llvm.ptr<3>, i32, i32
    return
  }

  gpu.func @right_in_functions() kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %bar = llvm.mlir.addressof @bars : !llvm.ptr<3>
    %bar8 = llvm.getelementptr %bar[8] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    nvvm.tcgen05.fence <before>
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %bar8, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    scf.if %w0 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      func.call @right_wait(%bar8, %zero) : (!llvm.ptr<3>, i32) -> ()
    } else {
      func.call @right_wait(%bar, %zero) : (!llvm.ptr<3>, i32) -> ()
      %s = nvvm.mbarrier.arrive %bar8 : !llvm.ptr<3> -> i64
    }
    gpu.return
  }

  func.func @store(%p: !llvm.ptr<6>, %v: i32) {
    // expected-note @+1 {{stored here}}
    nvvm.tcgen05.st %p, %v {shape = #s} : i32
    return
  }

  func.func @load(%p: !llvm.ptr<6>) -> i32 {
    // expected-error @+3 {{expected a wait::st between this and the store to the same cells, but got none}}
    // expected-note @+2 {{rule H12:}}
    // expected-note @+1 {{to fix it, put a wait::st behind the store}}
    %v = nvvm.tcgen05.ld %p {shape = #s} : i32
    nvvm.tcgen05.wait <load>
    return %v : i32
  }

  // E1: error: {{.*}}load of cells that a store of this warp still accesses
  gpu.func @H12_in_a_function(%out: !out) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %lane = nvvm.read.ptx.sreg.tid.x : i32
    %tid = arith.index_cast %lane : i32 to index
    nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    // expected-note @+1 {{called here}}
    func.call @store(%p, %lane) : (!llvm.ptr<6>, i32) -> ()
    // expected-note @+1 {{called here}}
    %v = func.call @load(%p) : (!llvm.ptr<6>) -> i32
    nvvm.tcgen05.wait <store>
    memref.store %v, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  gpu.func @right_in_a_function(%out: !out) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %lane = nvvm.read.ptx.sreg.tid.x : i32
    %tid = arith.index_cast %lane : i32 to index
    nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    func.call @store(%p, %lane) : (!llvm.ptr<6>, i32) -> ()
    nvvm.tcgen05.wait <store>
    %v = func.call @load(%p) : (!llvm.ptr<6>) -> i32
    memref.store %v, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }
}

func.func @run_H21_in_functions() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 64 : index
  gpu.launch_func @kernels::@H21_in_functions blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H12_in_a_function() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 32 : index
  %out = memref.alloc() : !out
  %unranked = memref.cast %out : !out to memref<*xi32>
  gpu.host_register %unranked : memref<*xi32>
  gpu.launch_func @kernels::@H12_in_a_function blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1) args(%out : !out)
  return
}

func.func @right() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 64 : index
  %lanes = arith.constant 32 : index
  %out = memref.alloc() : !out
  %unranked = memref.cast %out : !out to memref<*xi32>
  gpu.host_register %unranked : memref<*xi32>
  gpu.launch_func @kernels::@right_in_functions blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_in_a_function blocks in (%c1, %c1, %c1)
      threads in (%lanes, %c1, %c1) args(%out : !out)
  // RIGHT: no fault
  vector.print str "no fault\n"
  return
}
}
