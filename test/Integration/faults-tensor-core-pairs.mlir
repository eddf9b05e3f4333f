// The tensor core: operands that change while they are read, and instructions that are not
// pipelined.

// RUN: tmem-run %s --entry=right --race --seeds=10 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=operand_changed 2>&1 | FileCheck %s --check-prefix=OPERAND-CHANGED
// RUN: %exits_1 tmem-run %s --entry=operand_raced --race --seeds=3 2>&1 | FileCheck %s --check-prefix=OPERAND-RACED
// RUN: %exits_1 tmem-run %s --entry=operand_of_another_warp --race --seeds=3 2>&1 | FileCheck %s --check-prefix=OPERAND-OF-ANOTHER-WARP
// RUN: %exits_1 tmem-run %s --entry=no_proxy_fence --race --seeds=3 2>&1 | FileCheck %s --check-prefix=NO-PROXY-FENCE
// RUN: %exits_1 tmem-run %s --entry=proxy_fence_before --race 2>&1 | FileCheck %s --check-prefix=PROXY-FENCE-BEFORE
// RUN: %exits_1 tmem-run %s --entry=other_thread 2>&1 | FileCheck %s --check-prefix=OTHER-THREAD
// RUN: %exits_1 tmem-run %s --entry=two_copies 2>&1 | FileCheck %s --check-prefix=TWO-COPIES
// RUN: %exits_1 tmem-run %s --entry=copy_behind_mma 2>&1 | FileCheck %s --check-prefix=COPY-BEHIND-MMA
// RUN: %exits_1 tmem-run %s --entry=other_accumulator 2>&1 | FileCheck %s --check-prefix=OTHER-ACCUMULATOR
// RUN: %exits_1 tmem-run %s --entry=every_lane 2>&1 | FileCheck %s --check-prefix=EVERY-LANE

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
#f16 = #nvvm.tcgen05_mma_kind<f16>
#one = #nvvm.cta_group<cta_1>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!object = memref<1xi64, #gpu.address_space<workgroup>>
!matrices = memref<2048xi32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    memref.global "private" @slot : !slot
    memref.global "private" @object : !object
    memref.global "private" @matrices : !matrices

    // 128 columns and an mbarrier for one arrival.
    func.func @begin() -> i32 {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %one = arith.constant 1 : i32
      %tid = gpu.thread_id x
      %slot = memref.get_global @slot : !slot
      %is_first = arith.cmpi ult, %tid, %c32 : index
      %is_thread = arith.cmpi eq, %tid, %c0 : index
      scf.if %is_first {
        tmem.alloc %slot, 128 : !slot
      }
      scf.if %is_thread {
        %done = func.call @done() : () -> !llvm.ptr<3>
        nvvm.mbarrier.init %done, %one : !llvm.ptr<3>, i32
      }
      func.call @sync() : () -> ()
      %base = memref.load %slot[%c0] : !slot
      return %base : i32
    }
    func.func @end(%base: i32) {
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %is_first = arith.cmpi ult, %tid, %c32 : index
      func.call @sync() : () -> ()
      scf.if %is_first {
        tmem.dealloc %base, 128
      }
      return
    }
    func.func @sync() {
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      return
    }
    func.func @done() -> !llvm.ptr<3> {
      %object = memref.get_global @object : !object
      %at = memref.extract_aligned_pointer_as_index %object : !object -> index
      %address = arith.index_cast %at : index to i64
      %done = llvm.inttoptr %address : i64 to !llvm.ptr<3>
      return %done : !llvm.ptr<3>
    }
    func.func @wait() {
      %zero = arith.constant 0 : i32
      %ticks = arith.constant 1000 : i32
      %done = func.call @done() : () -> !llvm.ptr<3>
      nvvm.mbarrier.try_wait.parity %done, %zero, %ticks : !llvm.ptr<3>, i32, i32
      nvvm.tcgen05.fence <after>
      return
    }
    // K-major without swizzling: core matrices 128 bytes apart, eight rows 256.
    func.func @matrix() -> i64 {
      %matrices = memref.get_global @matrices : !matrices
      %at = memref.extract_aligned_pointer_as_index %matrices : !matrices -> index
      %address = arith.index_cast %at : index to i64
      %four = arith.constant 4 : i64
      %low = arith.constant 0x3ffff : i64
      %strides = arith.constant 0x401000080000 : i64
      %in = arith.andi %address, %low : i64
      %start = arith.shrui %in, %four : i64
      %descriptor = arith.addi %start, %strides : i64
      return %descriptor : i64
    }
    // f32 128x16 += f16 128x16 * 16x16 at some columns of D.
    func.func @mma(%base: i32, %column: i32, %add: i1) {
      %shape = arith.constant 0x8040010 : i32
      %m = func.call @matrix() : () -> i64
      %at = arith.addi %base, %column : i32
      %d = llvm.inttoptr %at : i32 to !llvm.ptr<6>
      nvvm.tcgen05.mma %d, %m, %m, %shape, %add {kind = #f16, ctaGroup = #one} : (!llvm.ptr<6>, i64, i64, i32, i1)
      return
    }
    func.func @commit() {
      %done = func.call @done() : () -> !llvm.ptr<3>
      nvvm.tcgen05.commit %done : !llvm.ptr<3>
      return
    }

    gpu.func @operand_changed() kernel {
      %zero = arith.constant 0 : i32
      %no = arith.constant false
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %base = func.call @begin() : () -> i32
      %is_thread = arith.cmpi eq, %tid, %c0 : index
      // OPERAND-CHANGED: nvvm.tcgen05.mma: error: offset {{[0-9]+}} of shared memory has changed while this tcgen05.mma was reading it: expected a wait for the mbarrier of its tcgen05.commit before the store
      scf.if %is_thread {
        func.call @mma(%base, %zero, %no) : (i32, i32, i1) -> ()
        func.call @commit() : () -> ()
        %m = memref.get_global @matrices : !matrices
        %c5 = arith.constant 5 : index
        memref.store %zero, %m[%c5] : !matrices
      }
      func.call @wait() : () -> ()
      gpu.return
    }

    gpu.func @operand_raced() kernel {
      %zero = arith.constant 0 : i32
      %no = arith.constant false
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %base = func.call @begin() : () -> i32
      %is_thread = arith.cmpi eq, %tid, %c0 : index
      // OPERAND-RACED: error: race: store to offset {{[0-9]+}} of shared memory that a tcgen05.mma under way reads: wait for the mbarrier
      // OPERAND-RACED: nvvm.tcgen05.mma: note:
      scf.if %is_thread {
        func.call @mma(%base, %zero, %no) : (i32, i32, i1) -> ()
        func.call @commit() : () -> ()
        %m = memref.get_global @matrices : !matrices
        %c5 = arith.constant 5 : index
        memref.store %zero, %m[%c5] : !matrices
      }
      func.call @wait() : () -> ()
      gpu.return
    }

    gpu.func @operand_of_another_warp() kernel {
      %zero = arith.constant 0 : i32
      %no = arith.constant false
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %base = func.call @begin() : () -> i32
      %is_thread = arith.cmpi eq, %tid, %c0 : index
      // OPERAND-OF-ANOTHER-WARP: error: race: {{.*}}of shared memory
      // OPERAND-OF-ANOTHER-WARP: 3 seeds: 0 clean, 3 with a fault
      %m = memref.get_global @matrices : !matrices
      %c32 = arith.constant 32 : index
      %is_other = arith.cmpi eq, %tid, %c32 : index
      scf.if %is_other {
        memref.store %zero, %m[%c32] : !matrices
      }
      scf.if %is_thread {
        func.call @mma(%base, %zero, %no) : (i32, i32, i1) -> ()
        func.call @commit() : () -> ()
      }
      func.call @wait() : () -> ()
      func.call @end(%base) : (i32) -> ()
      gpu.return
    }

    gpu.func @no_proxy_fence() kernel {
      %zero = arith.constant 0 : i32
      %no = arith.constant false
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %base = func.call @begin() : () -> i32
      %is_thread = arith.cmpi eq, %tid, %c0 : index
      // NO-PROXY-FENCE: nvvm.tcgen05.mma: error: race: tcgen05.mma of shared memory from offset {{[0-9]+}} on, which it reads through the asynchronous proxy, but fence.proxy.async is missing behind the store of warp {{[01]}}
      // NO-PROXY-FENCE: note: store of warp
      // NO-PROXY-FENCE: 3 seeds: 0 clean, 3 with a fault
      %m = memref.get_global @matrices : !matrices
      memref.store %zero, %m[%tid] : !matrices
      func.call @sync() : () -> ()
      scf.if %is_thread {
        func.call @mma(%base, %zero, %no) : (i32, i32, i1) -> ()
        func.call @commit() : () -> ()
      }
      func.call @wait() : () -> ()
      func.call @end(%base) : (i32) -> ()
      gpu.return
    }

    gpu.func @proxy_fence_before() kernel {
      %zero = arith.constant 0 : i32
      %no = arith.constant false
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %base = func.call @begin() : () -> i32
      %is_thread = arith.cmpi eq, %tid, %c0 : index
      // PROXY-FENCE-BEFORE: nvvm.tcgen05.mma: error: race: {{.*}}fence.proxy.async is missing behind the store of warp 0
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      %m = memref.get_global @matrices : !matrices
      memref.store %zero, %m[%tid] : !matrices
      scf.if %is_thread {
        func.call @mma(%base, %zero, %no) : (i32, i32, i1) -> ()
      }
      gpu.return
    }

    gpu.func @other_thread() kernel {
      %zero = arith.constant 0 : i32
      %no = arith.constant false
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %base = func.call @begin() : () -> i32
      %is_thread = arith.cmpi eq, %tid, %c0 : index
      // OTHER-THREAD: nvvm.tcgen05.mma: error: tcgen05.mma of cells that a tcgen05.mma under way writes: wait for the mbarrier of its tcgen05.commit before this
      %c32 = arith.constant 32 : index
      %is_other = arith.cmpi eq, %tid, %c32 : index
      scf.if %is_thread {
        func.call @mma(%base, %zero, %no) : (i32, i32, i1) -> ()
        func.call @commit() : () -> ()
      }
      func.call @sync() : () -> ()
      scf.if %is_other {
        func.call @mma(%base, %zero, %no) : (i32, i32, i1) -> ()
      }
      gpu.return
    }

    gpu.func @two_copies() kernel {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %base = func.call @begin() : () -> i32
      %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      %is_thread = arith.cmpi eq, %tid, %c0 : index
      // TWO-COPIES: nvvm.tcgen05.cp: error: these two are not pipelined: tcgen05.cp of cells that a tcgen05.cp under way writes: execute tcgen05.commit
      scf.if %is_thread {
        %m = func.call @matrix() : () -> i64
        nvvm.tcgen05.cp %p, %m {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
        nvvm.tcgen05.cp %p, %m {shape = #nvvm.tcgen05_cp_shape<shape_128x128b>}
        func.call @commit() : () -> ()
      }
      gpu.return
    }

    gpu.func @copy_behind_mma() kernel {
      %zero = arith.constant 0 : i32
      %no = arith.constant false
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %base = func.call @begin() : () -> i32
      %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      %is_thread = arith.cmpi eq, %tid, %c0 : index
      // COPY-BEHIND-MMA: nvvm.tcgen05.cp: error: these two are not pipelined: tcgen05.cp of cells that a tcgen05.mma under way writes: wait for the mbarrier
      scf.if %is_thread {
        %m = func.call @matrix() : () -> i64
        func.call @mma(%base, %zero, %no) : (i32, i32, i1) -> ()
        func.call @commit() : () -> ()
        nvvm.tcgen05.cp %p, %m {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
      }
      gpu.return
    }

    gpu.func @other_accumulator() kernel {
      %zero = arith.constant 0 : i32
      %no = arith.constant false
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %base = func.call @begin() : () -> i32
      %is_thread = arith.cmpi eq, %tid, %c0 : index
      // OTHER-ACCUMULATOR: nvvm.tcgen05.mma: error: these two are not pipelined: tcgen05.mma of cells that a tcgen05.mma under way writes
      scf.if %is_thread {
        %eight = arith.constant 8 : i32
        func.call @mma(%base, %zero, %no) : (i32, i32, i1) -> ()
        func.call @mma(%base, %eight, %no) : (i32, i32, i1) -> ()
        func.call @commit() : () -> ()
      }
      gpu.return
    }

    gpu.func @every_lane() kernel {
      %zero = arith.constant 0 : i32
      %no = arith.constant false
      %base = func.call @begin() : () -> i32
      // EVERY-LANE: nvvm.tcgen05.mma: error: tcgen05.mma of cells that a tcgen05.mma under way writes: execute tcgen05.commit behind it in the same thread
      // EVERY-LANE: nvvm.tcgen05.mma: note: tcgen05.mma that lane {{[0-9]+}} of warp 0 has issued
      func.call @mma(%base, %zero, %no) : (i32, i32, i1) -> ()
      gpu.return
    }

    // What is right. Warps come behind what one of them has waited for by a barrier;
    // fences of the proxy stand on either side of it; and mma, shift, mma and cp, mma of
    // one thread are pipelined.
    gpu.func @right(%out: memref<64xi32>) kernel {
      %zero = arith.constant 0 : i32
      %no = arith.constant false
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %base = func.call @begin() : () -> i32
      %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      %is_thread = arith.cmpi eq, %tid, %c0 : index
      %c32 = arith.constant 32 : index
      %c2048 = arith.constant 2048 : index
      %c64 = arith.constant 64 : index
      %yes = arith.constant true
      %n64 = arith.constant 64 : i32
      %one = arith.constant 1 : i32
      %ticks = arith.constant 1000 : i32
      %ones = arith.constant 0x3c003c00 : i32
      %m = func.call @matrix() : () -> i64
      %done = func.call @done() : () -> !llvm.ptr<3>
      %matrices = memref.get_global @matrices : !matrices
      %is_first = arith.cmpi ult, %tid, %c32 : index
      %is_other = arith.cmpi eq, %tid, %c32 : index
      scf.for %i = %tid to %c2048 step %c64 {
        memref.store %ones, %matrices[%i] : !matrices
      }
      func.call @sync() : () -> ()
      scf.if %is_thread {
        nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
        nvvm.tcgen05.cp %p, %m {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
        func.call @mma(%base, %zero, %no) : (i32, i32, i1) -> ()
        nvvm.tcgen05.shift %p : !llvm.ptr<6>
        func.call @mma(%base, %zero, %yes) : (i32, i32, i1) -> ()
        // Elsewhere there is no order to keep.
        func.call @mma(%base, %n64, %no) : (i32, i32, i1) -> ()
        nvvm.tcgen05.commit %done : !llvm.ptr<3>
      }
      scf.if %is_first {
        func.call @wait() : () -> ()
      }
      func.call @sync() : () -> ()
      scf.if %is_other {
        func.call @mma(%base, %zero, %yes) : (i32, i32, i1) -> ()
        nvvm.tcgen05.commit %done : !llvm.ptr<3>
        nvvm.mbarrier.try_wait.parity %done, %one, %ticks : !llvm.ptr<3>, i32, i32
      }
      func.call @sync() : () -> ()
      // Warps reach their own lanes.
      %n5 = arith.constant 5 : i32
      %n16 = arith.constant 16 : i32
      %thread = arith.index_cast %tid : index to i32
      %number = arith.shrui %thread, %n5 : i32
      %rows = arith.shli %number, %n5 : i32
      %slab = arith.shli %rows, %n16 : i32
      %mine = arith.addi %base, %slab : i32
      %pointer = llvm.inttoptr %mine : i32 to !llvm.ptr<6>
      %v = nvvm.tcgen05.ld %pointer {shape = #s} : vector<16xi32>
      nvvm.tcgen05.wait <load>
      %word = vector.extract %v[15] : i32 from vector<16xi32>
      memref.store %word, %out[%tid] : memref<64xi32>
      func.call @end(%base) : (i32) -> ()
      gpu.return
    }
  }
  func.func @operand_changed() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    gpu.launch_func @kernels::@operand_changed blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
    return
  }
  func.func @operand_raced() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    gpu.launch_func @kernels::@operand_raced blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
    return
  }
  func.func @operand_of_another_warp() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 64 : index
    gpu.launch_func @kernels::@operand_of_another_warp blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
    return
  }
  func.func @no_proxy_fence() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 64 : index
    gpu.launch_func @kernels::@no_proxy_fence blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
    return
  }
  func.func @proxy_fence_before() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    gpu.launch_func @kernels::@proxy_fence_before blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
    return
  }
  func.func @other_thread() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 64 : index
    gpu.launch_func @kernels::@other_thread blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
    return
  }
  func.func @two_copies() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    gpu.launch_func @kernels::@two_copies blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
    return
  }
  func.func @copy_behind_mma() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    gpu.launch_func @kernels::@copy_behind_mma blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
    return
  }
  func.func @other_accumulator() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    gpu.launch_func @kernels::@other_accumulator blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
    return
  }
  func.func @every_lane() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    gpu.launch_func @kernels::@every_lane blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
    return
  }
  func.func @right() {
    %c1 = arith.constant 1 : index
    %c40 = arith.constant 40 : index
    %threads = arith.constant 64 : index
    %out = memref.alloc() : memref<64xi32>
    gpu.launch_func @kernels::@right blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : memref<64xi32>)
    %word = memref.load %out[%c40] : memref<64xi32>
    // Three times 16.0, as f32.
    // RIGHT: 1111490560
    vector.print %word : i32
    return
  }
}
