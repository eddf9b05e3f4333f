// Conditions that are tested twice: four are followed at once, so that a wait and a use under
// the same one belong together; more are not.

// RUN: tmem-opt %s --tmem-check-hazards -verify-diagnostics -o /dev/null

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>

gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 16 : i64} : i64

  gpu.func @five(%out: !llvm.ptr, %f0: i1, %f1: i1, %f2: i1, %f3: i1, %f4: i1) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %f0 {
      nvvm.barrier0
    }
    scf.if %f1 {
      nvvm.barrier0
    }
    scf.if %f2 {
      nvvm.barrier0
    }
    scf.if %f3 {
      nvvm.barrier0
    }
    // expected-note @+1 {{the other access}}
    %l = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
    scf.if %f4 {
      nvvm.tcgen05.wait <load>
    }
    scf.if %f4 {
      // expected-warning @+1 {{undecided: whether there is a way to here on which it is wrong: more conditions are tested twice than are followed}}
      llvm.store %l, %out : vector<8xi32>, !llvm.ptr
    }
    nvvm.tcgen05.wait <load>
    scf.if %f0 {
      nvvm.barrier0
    }
    scf.if %f1 {
      nvvm.barrier0
    }
    scf.if %f2 {
      nvvm.barrier0
    }
    scf.if %f3 {
      nvvm.barrier0
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_four(%out: !llvm.ptr, %f0: i1, %f1: i1, %f2: i1, %f3: i1) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %f0 {
      nvvm.barrier0
    }
    scf.if %f1 {
      nvvm.barrier0
    }
    scf.if %f2 {
      nvvm.barrier0
    }
    %l = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
    scf.if %f3 {
      nvvm.tcgen05.wait <load>
    }
    scf.if %f3 {
      llvm.store %l, %out : vector<8xi32>, !llvm.ptr
    }
    nvvm.tcgen05.wait <load>
    scf.if %f0 {
      nvvm.barrier0
    }
    scf.if %f1 {
      nvvm.barrier0
    }
    scf.if %f2 {
      nvvm.barrier0
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // The graph does not follow a condition of the turn, and runs end at the flag, which is
  // not known.
  gpu.func @odd_turns(%flags: memref<1xi1>, %n: i32) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %n1 = arith.constant 1 : i32
    %v = arith.constant dense<7> : vector<8xi32>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %c0 = arith.constant 0 : index
    %flag = memref.load %flags[%c0] : memref<1xi1>
    scf.if %flag {
      nvvm.barrier0
    }
    scf.for %i = %zero to %n step %n1 : i32 {
      %bit = arith.andi %i, %n1 : i32
      %odd = arith.cmpi eq, %bit, %n1 : i32
      scf.if %odd {
        nvvm.tcgen05.st %p, %v {shape = #s} : vector<8xi32>
      }
      scf.if %odd {
        nvvm.tcgen05.wait <store>
      }
    }
    // expected-note @+1 {{the other access}}
    nvvm.tcgen05.st %p, %v {shape = #s} : vector<8xi32>
    // expected-warning @+1 {{undecided: whether there is a way to here on which it is wrong, by conditions that change from turn to turn: expected a wait::st between this and the store to the same cells, but got none}}
    %l = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.wait <store>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_odd_turns(%flags: memref<1xi1>, %n: i32) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %n1 = arith.constant 1 : i32
    %v = arith.constant dense<7> : vector<8xi32>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %c0 = arith.constant 0 : index
    %flag = memref.load %flags[%c0] : memref<1xi1>
    scf.if %flag {
      nvvm.barrier0
    }
    scf.for %i = %zero to %n step %n1 : i32 {
      %bit = arith.andi %i, %n1 : i32
      %odd = arith.cmpi eq, %bit, %n1 : i32
      scf.if %odd {
        nvvm.tcgen05.st %p, %v {shape = #s} : vector<8xi32>
      }
      scf.if %odd {
        nvvm.tcgen05.wait <store>
      }
    }
    nvvm.tcgen05.st %p, %v {shape = #s} : vector<8xi32>
    nvvm.tcgen05.wait <store>
    %l = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.wait <store>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}
