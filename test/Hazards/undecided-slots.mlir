// Words of shared memory that get a second address: what became of the first one is not
// always decided.

// RUN: tmem-opt %s --tmem-check-hazards -verify-diagnostics -o /dev/null

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>

gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32
  llvm.mlir.global internal @copy() {addr_space = 3 : i32, alignment = 16 : i64} : i32

  gpu.func @allocated_again(%flags: memref<1xi1>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    // expected-note @+1 {{the other access}}
    tmem.alloc %slot, 32 : !llvm.ptr<3>
    nvvm.barrier0
    %first = llvm.load %slot : !llvm.ptr<3> -> i32
    %flag = memref.load %flags[%c0] : memref<1xi1>
    scf.if %flag {
      // expected-warning @+1 {{undecided: whether the columns of the alloc before are freed}}
      tmem.alloc %slot, 32 : !llvm.ptr<3>
      nvvm.barrier0
    }
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    tmem.dealloc %base, 32
    gpu.return
  }

  gpu.func @right_freed_and_allocated_again(%flags: memref<1xi1>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    tmem.alloc %slot, 32 : !llvm.ptr<3>
    nvvm.barrier0
    %first = llvm.load %slot : !llvm.ptr<3> -> i32
    %flag = memref.load %flags[%c0] : memref<1xi1>
    scf.if %flag {
      tmem.dealloc %first, 32
      tmem.alloc %slot, 32 : !llvm.ptr<3>
      nvvm.barrier0
    }
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    tmem.dealloc %base, 32
    gpu.return
  }

  gpu.func @atomic_before_the_next_alloc(%n: index, %ready: !llvm.ptr) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n1 = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.for %i = %c0 to %n step %c1 {
      scf.if %w0 {
        // expected-warning @+1 {{undecided: whether every warp has read the address that was there before}}
        tmem.alloc %slot, 32 : !llvm.ptr<3>
      }
      nvvm.barrier0
      // expected-note @+1 {{the other access}}
      %base = llvm.load %slot : !llvm.ptr<3> -> i32
      %old = llvm.atomicrmw add %ready, %n1 acq_rel : !llvm.ptr, i32
      scf.if %w0 {
        tmem.dealloc %base, 32
      }
    }
    gpu.return
  }

  gpu.func @right_barrier_before_the_next_alloc(%n: index, %ready: !llvm.ptr) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n1 = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.for %i = %c0 to %n step %c1 {
      scf.if %w0 {
        tmem.alloc %slot, 32 : !llvm.ptr<3>
      }
      nvvm.barrier0
      %base = llvm.load %slot : !llvm.ptr<3> -> i32
      %old = llvm.atomicrmw add %ready, %n1 acq_rel : !llvm.ptr, i32
      nvvm.barrier0
      scf.if %w0 {
        tmem.dealloc %base, 32
      }
    }
    gpu.return
  }

  gpu.func @stored_over(%other: i32, %flags: memref<1xi1>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %c0 = arith.constant 0 : index
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %copy = llvm.mlir.addressof @copy : !llvm.ptr<3>
    tmem.alloc %slot, 32 : !llvm.ptr<3>
    nvvm.barrier0
    %flag = memref.load %flags[%c0] : memref<1xi1>
    scf.if %flag {
      llvm.store %other, %slot : i32, !llvm.ptr<3>
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    // expected-warning @+1 {{undecided: which allocation it accesses: its address may be one of several}}
    %l = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
    nvvm.tcgen05.wait <load>
    // expected-warning @+1 {{undecided: which allocation it frees: its address may be one of several}}
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }

  gpu.func @right_stored_elsewhere(%other: i32, %flags: memref<1xi1>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %c0 = arith.constant 0 : index
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %copy = llvm.mlir.addressof @copy : !llvm.ptr<3>
    tmem.alloc %slot, 32 : !llvm.ptr<3>
    nvvm.barrier0
    %flag = memref.load %flags[%c0] : memref<1xi1>
    scf.if %flag {
      llvm.store %other, %copy : i32, !llvm.ptr<3>
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %l = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }
}
