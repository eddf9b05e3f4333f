// Registers of raw loads that are put together, or that loops with conditions of their own hand on.
// Each wrong kernel faults on the emulator, too.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null
// RUN: %exits_1 tmem-run %s --entry=run_H15_while --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H15_put_together --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!out = memref<64xi32>

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32

  // E0: error: {{.*}}register read before its wait
  gpu.func @H15_while(%out: !out, %n: index, %flag: i1) kernel
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
    %r:2 = scf.while (%i = %c0, %v = %v0) : (index, i32) -> (index, i32) {
      %more = arith.cmpi ult, %i, %n : index
      scf.condition(%more) %i, %v : index, i32
    } do {
    ^bb0(%i: index, %v: i32):
      nvvm.tcgen05.wait <load>
      memref.store %v, %out[%tid] : !out
      // expected-note @+1 {{loaded here}}
      %next = nvvm.tcgen05.ld %p {shape = #s} : i32
      %j = arith.addi %i, %c1 : index
      scf.yield %j, %next : index, i32
    }
    // expected-error @+3 {{expected a wait::ld between the load and the first use of its registers, but got none}}
    // expected-note @+2 {{rule H15:}}
    // expected-note @+1 {{to fix it, put a wait::ld in front of it}}
    memref.store %r#1, %out[%tid] : !out
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  gpu.func @right_while(%out: !out, %n: index, %flag: i1) kernel
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
    %r:2 = scf.while (%i = %c0, %v = %v0) : (index, i32) -> (index, i32) {
      %more = arith.cmpi ult, %i, %n : index
      scf.condition(%more) %i, %v : index, i32
    } do {
    ^bb0(%i: index, %v: i32):
      nvvm.tcgen05.wait <load>
      memref.store %v, %out[%tid] : !out
      %next = nvvm.tcgen05.ld %p {shape = #s} : i32
      %j = arith.addi %i, %c1 : index
      scf.yield %j, %next : index, i32
    }
    nvvm.tcgen05.wait <load>
    memref.store %r#1, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  // E1: error: {{.*}}register read before its wait
  gpu.func @H15_put_together(%out: !out, %n: index, %flag: i1) kernel
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
    %a = nvvm.tcgen05.ld %p {shape = #s} : i32
    nvvm.tcgen05.wait <load>
    // expected-note @+1 {{loaded here}}
    %b = nvvm.tcgen05.ld %p {shape = #s} : i32
    %v = vector.from_elements %a, %b : vector<2xi32>
    %first = vector.extract %v[0] : i32 from vector<2xi32>
    memref.store %a, %out[%tid] : !out
    // expected-error @+3 {{expected a wait::ld between the load and the first use of its registers, but got none}}
    // expected-note @+2 {{rule H15:}}
    // expected-note @+1 {{to fix it, put a wait::ld in front of it}}
    %x = arith.addi %v, %v : vector<2xi32>
    nvvm.tcgen05.wait <load>
    %y = vector.extract %x[1] : i32 from vector<2xi32>
    memref.store %y, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  gpu.func @right_put_together(%out: !out, %n: index, %flag: i1) kernel
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
    %a = nvvm.tcgen05.ld %p {shape = #s} : i32
    %b = nvvm.tcgen05.ld %p {shape = #s} : i32
    %v = vector.from_elements %a, %b : vector<2xi32>
    nvvm.tcgen05.wait <load>
    %x = arith.addi %v, %v : vector<2xi32>
    %y = vector.extract %x[1] : i32 from vector<2xi32>
    memref.store %y, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }
}

func.func @run_H15_while() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %out = memref.alloc() : !out
  %unranked = memref.cast %out : !out to memref<*xi32>
  gpu.host_register %unranked : memref<*xi32>
  gpu.launch_func @kernels::@H15_while blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  return
}

func.func @run_H15_put_together() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %out = memref.alloc() : !out
  %unranked = memref.cast %out : !out to memref<*xi32>
  gpu.host_register %unranked : memref<*xi32>
  gpu.launch_func @kernels::@H15_put_together blocks in (%c1, %c1, %c1)
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
  gpu.launch_func @kernels::@right_while blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  gpu.launch_func @kernels::@right_put_together blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  // RIGHT: no fault
  vector.print str "no fault\n"
  return
}
}
