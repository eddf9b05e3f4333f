// What atomics, fences and unknown barriers leave undecided of the order of allocs and
// of the permit.

// RUN: tmem-opt %s --tmem-check-hazards -verify-diagnostics -o /dev/null
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT

!slot = memref<1xi32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @flag() {addr_space = 3 : i32, alignment = 16 : i64} : i32

  // Spinning on the word might order the two.
  gpu.func @permit_beside_an_atomic() workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 96, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %w0 = arith.cmpi eq, %warp, %c0 : index
    %c1 = arith.constant 1 : index
    %w1 = arith.cmpi eq, %warp, %c1 : index
    %flag = llvm.mlir.addressof @flag : !llvm.ptr<3>
    %add = arith.constant 1 : i32
    %old = llvm.atomicrmw add %flag, %add monotonic : !llvm.ptr<3>, i32
    scf.if %w0 {
      // expected-note @+1 {{the other access}}
      tmem.alloc %slot, 32 : !slot
    }
    scf.if %w1 {
      // expected-warning @+1 {{undecided: whether the atomics and fences of the kernel order it after the alloc of another warp}}
      tmem.relinquish_alloc_permit
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base = memref.load %slot[%c0] : !slot
    tmem.fence before
    gpu.barrier
    tmem.fence after
    scf.if %w0 {
      tmem.dealloc %base, 32
    }
    gpu.return
  }

  gpu.func @right_permit_beside_an_atomic() workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 96, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %w0 = arith.cmpi eq, %warp, %c0 : index
    %c1 = arith.constant 1 : index
    %w1 = arith.cmpi eq, %warp, %c1 : index
    %flag = llvm.mlir.addressof @flag : !llvm.ptr<3>
    %add = arith.constant 1 : i32
    %old = llvm.atomicrmw add %flag, %add monotonic : !llvm.ptr<3>, i32
    scf.if %w0 {
      tmem.alloc %slot, 32 : !slot
    }
    gpu.barrier
    scf.if %w1 {
      tmem.relinquish_alloc_permit
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base = memref.load %slot[%c0] : !slot
    tmem.fence before
    gpu.barrier
    tmem.fence after
    scf.if %w0 {
      tmem.dealloc %base, 32
    }
    gpu.return
  }

  gpu.func @permit_beside_a_fence() workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 96, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %w0 = arith.cmpi eq, %warp, %c0 : index
    %c1 = arith.constant 1 : index
    %w1 = arith.cmpi eq, %warp, %c1 : index
    nvvm.memory.barrier <gpu>
    scf.if %w0 {
      // expected-note @+1 {{the other access}}
      tmem.alloc %slot, 32 : !slot
    }
    scf.if %w1 {
      // expected-warning @+1 {{undecided: whether the atomics and fences of the kernel order it after the alloc of another warp}}
      tmem.relinquish_alloc_permit
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base = memref.load %slot[%c0] : !slot
    tmem.fence before
    gpu.barrier
    tmem.fence after
    scf.if %w0 {
      tmem.dealloc %base, 32
    }
    gpu.return
  }

  // The arms stand the other way round.
  gpu.func @permit_before_the_alloc() workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 96, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %w0 = arith.cmpi eq, %warp, %c0 : index
    %c1 = arith.constant 1 : index
    %w1 = arith.cmpi eq, %warp, %c1 : index
    %flag = llvm.mlir.addressof @flag : !llvm.ptr<3>
    %add = arith.constant 1 : i32
    %old = llvm.atomicrmw add %flag, %add monotonic : !llvm.ptr<3>, i32
    scf.if %w1 {
      // expected-note @+1 {{the other access}}
      tmem.relinquish_alloc_permit
    }
    scf.if %w0 {
      // expected-warning @+1 {{undecided: whether the atomics and fences of the kernel order it before the permit is given up}}
      tmem.alloc %slot, 32 : !slot
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base = memref.load %slot[%c0] : !slot
    tmem.fence before
    gpu.barrier
    tmem.fence after
    scf.if %w0 {
      tmem.dealloc %base, 32
    }
    gpu.return
  }

  gpu.func @two_allocs_beside_an_atomic() workgroup(%slot: !slot, %other: !slot) kernel
      attributes {known_block_size = array<i32: 96, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %w0 = arith.cmpi eq, %warp, %c0 : index
    %c1 = arith.constant 1 : index
    %w1 = arith.cmpi eq, %warp, %c1 : index
    %flag = llvm.mlir.addressof @flag : !llvm.ptr<3>
    %add = arith.constant 1 : i32
    %old = llvm.atomicrmw add %flag, %add monotonic : !llvm.ptr<3>, i32
    scf.if %w0 {
      // expected-note @+1 {{the other access}}
      tmem.alloc %slot, 64 : !slot
    }
    scf.if %w1 {
      // expected-warning @+1 {{undecided: whether the atomics and fences of the kernel order it after the alloc of another warp}}
      tmem.alloc %other, 32 : !slot
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base = memref.load %slot[%c0] : !slot
    %base2 = memref.load %other[%c0] : !slot
    scf.if %w0 {
      tmem.dealloc %base, 64
    }
    scf.if %w1 {
      tmem.dealloc %base2, 32
    }
    gpu.return
  }

  gpu.func @right_two_allocs_beside_an_atomic() workgroup(%slot: !slot, %other: !slot) kernel
      attributes {known_block_size = array<i32: 96, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %w0 = arith.cmpi eq, %warp, %c0 : index
    %c1 = arith.constant 1 : index
    %w1 = arith.cmpi eq, %warp, %c1 : index
    %flag = llvm.mlir.addressof @flag : !llvm.ptr<3>
    %add = arith.constant 1 : i32
    %old = llvm.atomicrmw add %flag, %add monotonic : !llvm.ptr<3>, i32
    scf.if %w0 {
      tmem.alloc %slot, 64 : !slot
    }
    gpu.barrier
    scf.if %w1 {
      tmem.alloc %other, 32 : !slot
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base = memref.load %slot[%c0] : !slot
    %base2 = memref.load %other[%c0] : !slot
    scf.if %w0 {
      tmem.dealloc %base, 64
    }
    scf.if %w1 {
      tmem.dealloc %base2, 32
    }
    gpu.return
  }

  // Which of the two is the first one, too.
  gpu.func @larger_beside_an_atomic() workgroup(%slot: !slot, %other: !slot) kernel
      attributes {known_block_size = array<i32: 96, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %w0 = arith.cmpi eq, %warp, %c0 : index
    %c1 = arith.constant 1 : index
    %w1 = arith.cmpi eq, %warp, %c1 : index
    %flag = llvm.mlir.addressof @flag : !llvm.ptr<3>
    %add = arith.constant 1 : i32
    %old = llvm.atomicrmw add %flag, %add monotonic : !llvm.ptr<3>, i32
    scf.if %w0 {
      // expected-note @+1 {{the other access}}
      tmem.alloc %other, 32 : !slot
    }
    scf.if %w1 {
      // expected-warning @+1 {{undecided: whether the atomics and fences of the kernel order it after the alloc of another warp}}
      tmem.alloc %slot, 64 : !slot
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base = memref.load %slot[%c0] : !slot
    %base2 = memref.load %other[%c0] : !slot
    scf.if %w1 {
      tmem.dealloc %base, 64
    }
    scf.if %w0 {
      tmem.dealloc %base2, 32
    }
    gpu.return
  }

  gpu.func @permit_behind_an_unknown_barrier() workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 96, 1, 1>} {
    %n64 = arith.constant 64 : i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %w0 = arith.cmpi eq, %warp, %c0 : index
    %c1 = arith.constant 1 : index
    %w1 = arith.cmpi eq, %warp, %c1 : index
    %flag = llvm.mlir.addressof @flag : !llvm.ptr<3>
    %number = llvm.load %flag : !llvm.ptr<3> -> i32
    scf.if %w0 {
      // expected-note @+1 {{the other access}}
      tmem.alloc %slot, 32 : !slot
      // expected-note @+2 {{of this it is not known what it orders}}
    // expected-warning @+1 {{undecided: which warps meet at the barrier}}
    nvvm.barrier id = %number number_of_threads = %n64
    }
    scf.if %w1 {
      // expected-warning @+1 {{undecided: which warps meet at the barrier}}
    nvvm.barrier id = %number number_of_threads = %n64
      // expected-warning @+1 {{undecided: whether something orders it and an access before}}
      tmem.relinquish_alloc_permit
    }
    tmem.fence before
    gpu.barrier
    tmem.fence after
    %base = memref.load %slot[%c0] : !slot
    tmem.fence before
    gpu.barrier
    tmem.fence after
    scf.if %w0 {
      tmem.dealloc %base, 32
    }
    gpu.return
  }
}

func.func @right() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 96 : index
  gpu.launch_func @kernels::@right_permit_beside_an_atomic blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_two_allocs_beside_an_atomic blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  // RIGHT: no fault
  vector.print str "no fault\n"
  return
}
}
