// Of a slab that two warps share, as in a block of 256 threads, only barriers that
// all threads execute order the accesses. Sharing relies on fences, too.

// RUN: tmem-opt %s --tmem-plan-columns --split-input-file | FileCheck %s

!acc = !tmem.view<128x64xf32, #tmem.datapath<D>>
!vec = vector<64xf32>
gpu.module @kernels {
  // CHECK-LABEL: gpu.func @no_barrier
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @no_barrier(%x: !vec) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
    tmem.wait_store %t
    %u = tmem.store %x, %b scope(warpgroup) : !vec, !acc
    tmem.wait_store %u
    gpu.return
  }

  // CHECK-LABEL: gpu.func @barrier
  // CHECK: tmem.alloc %{{.*}}, 64 :
  // CHECK: tmem.wait_store
  // CHECK-NEXT: tmem.fence before
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tmem.fence after
  // CHECK-NEXT: tmem.store
  // CHECK-NEXT: tmem.wait_store
  // CHECK-NEXT: tmem.fence before
  // CHECK-NEXT: gpu.barrier
  gpu.func @barrier(%x: !vec) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
    tmem.wait_store %t
    gpu.barrier
    %u = tmem.store %x, %b scope(warpgroup) : !vec, !acc
    tmem.wait_store %u
    gpu.return
  }

  // A store under way at the barrier is not over.
  // CHECK-LABEL: gpu.func @wait_after_barrier
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @wait_after_barrier(%x: !vec) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
    gpu.barrier
    tmem.wait_store %t
    %u = tmem.store %x, %b scope(warpgroup) : !vec, !acc
    tmem.wait_store %u
    gpu.return
  }

  // Warps that take different ways through the kernel may be anywhere.
  // CHECK-LABEL: gpu.func @barriers_of_some_warps
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @barriers_of_some_warps(%x: !vec) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c128 = arith.constant 128 : index
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %tid = gpu.thread_id x
    %first = arith.cmpi ult, %tid, %c128 : index
    scf.if %first {
      %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
      tmem.wait_store %t
      gpu.barrier
    } else {
      gpu.barrier
      %u = tmem.store %x, %b scope(warpgroup) : !vec, !acc
      tmem.wait_store %u
    }
    gpu.return
  }

  // What is undefined may be something else for each of them.
  // CHECK-LABEL: gpu.func @barriers_by_an_undefined_value
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @barriers_by_an_undefined_value(%x: !vec) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %first = llvm.mlir.undef : i1
    scf.if %first {
      %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
      tmem.wait_store %t
      gpu.barrier
    } else {
      gpu.barrier
      %u = tmem.store %x, %b scope(warpgroup) : !vec, !acc
      tmem.wait_store %u
    }
    gpu.return
  }

  // The trip count of a loop with the barrier comes from the thread id.
  // CHECK-LABEL: gpu.func @barrier_in_divergent_loop
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @barrier_in_divergent_loop(%x: !vec, %in: memref<256xindex>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %tid = gpu.thread_id x
    %n = memref.load %in[%tid] : memref<256xindex>
    %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
    tmem.wait_store %t
    scf.for %i = %c0 to %n step %c1 {
      gpu.barrier
    }
    %u = tmem.store %x, %b scope(warpgroup) : !vec, !acc
    tmem.wait_store %u
    gpu.return
  }

  // A barrier that may be number 0, of other threads.
  // CHECK-LABEL: gpu.func @named_barrier
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @named_barrier(%x: !vec, %id: i32, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
    tmem.wait_store %t
    gpu.barrier
    nvvm.barrier id = %id number_of_threads = %n
    %u = tmem.store %x, %b scope(warpgroup) : !vec, !acc
    tmem.wait_store %u
    gpu.return
  }

  // CHECK-LABEL: gpu.func @barrier_3
  // CHECK: tmem.alloc %{{.*}}, 64 :
  gpu.func @barrier_3(%x: !vec) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %id = llvm.mlir.constant(3 : i32) : i32
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
    tmem.wait_store %t
    nvvm.barrier0
    nvvm.barrier id = %id
    %u = tmem.store %x, %b scope(warpgroup) : !vec, !acc
    tmem.wait_store %u
    gpu.return
  }

  // A buffer lives across the barriers between a store and a load.
  // CHECK-LABEL: gpu.func @across_barriers
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @across_barriers(%x: !vec) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
    tmem.wait_store %t
    gpu.barrier
    %u = tmem.store %x, %b scope(warpgroup) : !vec, !acc
    tmem.wait_store %u
    gpu.barrier
    %p = tmem.load %a scope(warpgroup) : !acc -> !tmem.pending<!vec>
    %v = tmem.wait_load %p : !tmem.pending<!vec>
    gpu.return
  }

  // Barriers of all threads under another number: all threads of the block when
  // none is said, or as many as the block has.
  // CHECK-LABEL: gpu.func @all_threads_by_number
  // CHECK: tmem.alloc %{{.*}}, 64 :
  // CHECK: tmem.fence before
  // CHECK-NEXT: nvvm.barrier id = %{{.*}} number_of_threads = %{{.*}}
  // CHECK-NEXT: tmem.fence after
  // CHECK: tmem.fence before
  // CHECK-NEXT: nvvm.barrier id = %{{[^ ]*$}}
  // CHECK-NEXT: tmem.fence after
  gpu.func @all_threads_by_number(%x: !vec) kernel
      attributes {known_block_size = array<i32: 128, 2, 1>} {
    %id = arith.constant 2 : i32
    %n = arith.constant 256 : i32
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %c = tmem.buffer : !acc
    %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
    tmem.wait_store %t
    nvvm.barrier id = %id number_of_threads = %n
    %u = tmem.store %x, %b scope(warpgroup) : !vec, !acc
    tmem.wait_store %u
    nvvm.barrier id = %id
    %v = tmem.store %x, %c scope(warpgroup) : !vec, !acc
    tmem.wait_store %v
    gpu.return
  }

  // Fewer threads than the block has.
  // CHECK-LABEL: gpu.func @some_threads
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @some_threads(%x: !vec) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %id = arith.constant 2 : i32
    %n = arith.constant 128 : i32
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
    tmem.wait_store %t
    nvvm.barrier id = %id number_of_threads = %n
    %u = tmem.store %x, %b scope(warpgroup) : !vec, !acc
    tmem.wait_store %u
    gpu.return
  }

  // A block size that is not stated.
  // CHECK-LABEL: gpu.func @unknown_block
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @unknown_block(%x: !vec) kernel {
    %id = arith.constant 2 : i32
    %n = arith.constant 256 : i32
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
    tmem.wait_store %t
    nvvm.barrier id = %id number_of_threads = %n
    %u = tmem.store %x, %b scope(warpgroup) : !vec, !acc
    tmem.wait_store %u
    gpu.return
  }
}
