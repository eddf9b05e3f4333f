// Registers that inline PTX loads and reads itself. Each wrong kernel faults on the emulator, too.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null
// RUN: %exits_1 tmem-run %s --entry=run_H15_inside --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H15_own_register --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H15_read_before_the_wait_of_the_text --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!out = memref<64xi32>

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32

  // E0: error: {{.*}}register read before its wait
  gpu.func @H15_inside(%out: !out, %n: index, %flag: i1) kernel
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
    // expected-error @+4 {{expected a wait::ld between the load and the first use of its registers, but got none}}
    // expected-note @+3 {{loaded here}}
    // expected-note @+2 {{rule H15:}}
    // expected-note @+1 {{to fix it, put a wait::ld in front of it}}
    %v = llvm.inline_asm has_side_effects "tcgen05.ld.sync.aligned.32x32b.x1.b32 {$0}, [$1]; mov.b32 $0, $0; tcgen05.wait::ld.sync.aligned;", "=r,r" %base : (i32) -> i32
    memref.store %v, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  gpu.func @right_inside(%out: !out, %n: index, %flag: i1) kernel
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
    %v = llvm.inline_asm has_side_effects "tcgen05.ld.sync.aligned.32x32b.x1.b32 {$0}, [$1]; tcgen05.wait::ld.sync.aligned; mov.b32 $0, $0;", "=r,r" %base : (i32) -> i32
    memref.store %v, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  // E1: error: {{.*}}register read before its wait
  gpu.func @H15_own_register(%out: !out, %n: index, %flag: i1) kernel
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
    // expected-error @+4 {{expected a wait::ld between the load and the first use of its registers, but got none}}
    // expected-note @+3 {{loaded here}}
    // expected-note @+2 {{rule H15:}}
    // expected-note @+1 {{to fix it, put a wait::ld in front of it}}
    %v = llvm.inline_asm has_side_effects "{ .reg .b32 t; tcgen05.ld.sync.aligned.32x32b.x1.b32 {t}, [$1]; mov.b32 $0, t; tcgen05.wait::ld.sync.aligned; }", "=r,r" %base : (i32) -> i32
    memref.store %v, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  gpu.func @right_own_register(%out: !out, %n: index, %flag: i1) kernel
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
    %v = llvm.inline_asm has_side_effects "{ .reg .b32 t; tcgen05.ld.sync.aligned.32x32b.x1.b32 {t}, [$1]; tcgen05.wait::ld.sync.aligned; mov.b32 $0, t; }", "=r,r" %base : (i32) -> i32
    memref.store %v, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  // E2: error: {{.*}}register read before its wait
  gpu.func @H15_read_before_the_wait_of_the_text(%out: !out, %n: index, %flag: i1) kernel
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
    %w = nvvm.tcgen05.ld %p {shape = #s} : i32
    // expected-error @+3 {{expected a wait::ld between the load and the first use of its registers, but got none}}
    // expected-note @+2 {{rule H15:}}
    // expected-note @+1 {{to fix it, put a wait::ld in front of it}}
    %v = llvm.inline_asm has_side_effects "mov.b32 $0, $1; tcgen05.wait::ld.sync.aligned;", "=&r,r" %w : (i32) -> i32
    memref.store %v, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  // The text waits first.
  gpu.func @right_read_behind_the_wait_of_the_text(%out: !out, %n: index, %flag: i1) kernel
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
    %w = nvvm.tcgen05.ld %p {shape = #s} : i32
    %v = llvm.inline_asm has_side_effects "tcgen05.wait::ld.sync.aligned; mov.b32 $0, $1;", "=&r,r" %w : (i32) -> i32
    memref.store %v, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  // As C writes it with "+r".
  gpu.func @right_wait_that_holds_the_register(%out: !out, %n: index, %flag: i1) kernel
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
    %w = nvvm.tcgen05.ld %p {shape = #s} : i32
    %v = llvm.inline_asm has_side_effects "tcgen05.wait::ld.sync.aligned;", "=r,0" %w : (i32) -> i32
    memref.store %v, %out[%tid] : !out
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }
}

func.func @run_H15_inside() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %out = memref.alloc() : !out
  %unranked = memref.cast %out : !out to memref<*xi32>
  gpu.host_register %unranked : memref<*xi32>
  gpu.launch_func @kernels::@H15_inside blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  return
}

func.func @run_H15_own_register() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %out = memref.alloc() : !out
  %unranked = memref.cast %out : !out to memref<*xi32>
  gpu.host_register %unranked : memref<*xi32>
  gpu.launch_func @kernels::@H15_own_register blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  return
}

func.func @run_H15_read_before_the_wait_of_the_text() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %true = arith.constant true
  %out = memref.alloc() : !out
  %unranked = memref.cast %out : !out to memref<*xi32>
  gpu.host_register %unranked : memref<*xi32>
  gpu.launch_func @kernels::@H15_read_before_the_wait_of_the_text blocks in (%c1, %c1, %c1)
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
  gpu.launch_func @kernels::@right_inside blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  gpu.launch_func @kernels::@right_own_register blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  gpu.launch_func @kernels::@right_read_behind_the_wait_of_the_text blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  gpu.launch_func @kernels::@right_wait_that_holds_the_register blocks in (%c1, %c1, %c1)
      threads in (%c32, %c1, %c1) args(%out : !out, %c3 : index, %true : i1)
  // RIGHT: no fault
  vector.print str "no fault\n"
  return
}
}
