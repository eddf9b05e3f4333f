// The tensor core: cells that are read, overwritten or freed while it is under way, or are
// not ready for it.

// RUN: tmem-run %s --entry=right | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=right --race --seeds=20 2>&1 | FileCheck %s --check-prefix=SEEDS
// RUN: %exits_1 tmem-run %s --entry=freed 2>&1 | FileCheck %s --check-prefix=FREED
// RUN: %exits_1 tmem-run %s --entry=freed --seeds=5 2>&1 | FileCheck %s --check-prefix=FREED
// RUN: %exits_1 tmem-run %s --entry=never_committed 2>&1 | FileCheck %s --check-prefix=NEVER-COMMITTED
// RUN: %exits_1 tmem-run %s --entry=overwritten 2>&1 | FileCheck %s --check-prefix=OVERWRITTEN
// RUN: %exits_1 tmem-run %s --entry=overwritten --seeds=5 2>&1 | FileCheck %s --check-prefix=OVERWRITTEN
// RUN: %exits_1 tmem-run %s --entry=stored_before 2>&1 | FileCheck %s --check-prefix=STORED-BEFORE
// RUN: %exits_1 tmem-run %s --entry=loaded_before 2>&1 | FileCheck %s --check-prefix=LOADED-BEFORE
// RUN: %exits_1 tmem-run %s --entry=added_unwritten 2>&1 | FileCheck %s --check-prefix=ADDED-UNWRITTEN
// RUN: %exits_1 tmem-run %s --entry=unwritten_shift 2>&1 | FileCheck %s --check-prefix=UNWRITTEN-SHIFT
// RUN: %exits_1 tmem-run %s --entry=no_barrier 2>&1 | FileCheck %s --check-prefix=NO-BARRIER
// RUN: %exits_1 tmem-run %s --entry=two_groups 2>&1 | FileCheck %s --check-prefix=TWO-GROUPS

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

    gpu.func @freed() kernel {
      %zero = arith.constant 0 : i32
      %no = arith.constant false
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %base = func.call @begin() : () -> i32
      %is_thread = arith.cmpi eq, %tid, %c0 : index
      // FREED: llvm.nvvm.tcgen05.dealloc.cg1: error: dealloc of columns that a tcgen05.mma under way writes: wait for the mbarrier of its tcgen05.commit before this
      // FREED: nvvm.tcgen05.mma: note: tcgen05.mma that lane 0 of warp 0 has issued
      // FREED: nvvm.tcgen05.commit: note: committed here
      scf.if %is_thread {
        func.call @mma(%base, %zero, %no) : (i32, i32, i1) -> ()
        func.call @commit() : () -> ()
      }
      tmem.dealloc %base, 128
      gpu.return
    }

    gpu.func @never_committed() kernel {
      %zero = arith.constant 0 : i32
      %no = arith.constant false
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %base = func.call @begin() : () -> i32
      %is_thread = arith.cmpi eq, %tid, %c0 : index
      // NEVER-COMMITTED: llvm.nvvm.tcgen05.dealloc.cg1: error: dealloc of columns that a tcgen05.mma under way writes: execute tcgen05.commit behind it
      scf.if %is_thread {
        func.call @mma(%base, %zero, %no) : (i32, i32, i1) -> ()
      }
      tmem.dealloc %base, 128
      gpu.return
    }

    gpu.func @overwritten() kernel {
      %zero = arith.constant 0 : i32
      %no = arith.constant false
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %base = func.call @begin() : () -> i32
      %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      %values = arith.constant dense<7> : vector<16xi32>
      %is_thread = arith.cmpi eq, %tid, %c0 : index
      // OVERWRITTEN: nvvm.tcgen05.st: error: store to cells that a tcgen05.mma under way writes
      scf.if %is_thread {
        func.call @mma(%base, %zero, %no) : (i32, i32, i1) -> ()
        func.call @commit() : () -> ()
      }
      nvvm.tcgen05.st %p, %values {shape = #s} : vector<16xi32>
      gpu.return
    }

    gpu.func @stored_before() kernel {
      %zero = arith.constant 0 : i32
      %no = arith.constant false
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %base = func.call @begin() : () -> i32
      %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      %values = arith.constant dense<7> : vector<16xi32>
      %is_thread = arith.cmpi eq, %tid, %c0 : index
      %all = arith.constant -1 : i32
      // STORED-BEFORE: nvvm.tcgen05.mma: error: tcgen05.mma of cells that a store of warp 0 still accesses: execute tcgen05.wait::st between them
      // STORED-BEFORE: nvvm.tcgen05.st: note:
      nvvm.tcgen05.st %p, %values {shape = #s} : vector<16xi32>
      nvvm.bar.warp.sync %all : i32
      scf.if %is_thread {
        func.call @mma(%base, %zero, %no) : (i32, i32, i1) -> ()
      }
      gpu.return
    }

    gpu.func @loaded_before() kernel {
      %zero = arith.constant 0 : i32
      %no = arith.constant false
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %base = func.call @begin() : () -> i32
      %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      %values = arith.constant dense<7> : vector<16xi32>
      %is_thread = arith.cmpi eq, %tid, %c0 : index
      %all = arith.constant -1 : i32
      // LOADED-BEFORE: nvvm.tcgen05.mma: error: tcgen05.mma of cells that a load of warp 0 still accesses: execute tcgen05.wait::ld between them
      nvvm.tcgen05.st %p, %values {shape = #s} : vector<16xi32>
      nvvm.tcgen05.wait <store>
      %v = nvvm.tcgen05.ld %p {shape = #s} : vector<16xi32>
      nvvm.bar.warp.sync %all : i32
      scf.if %is_thread {
        func.call @mma(%base, %zero, %no) : (i32, i32, i1) -> ()
      }
      nvvm.tcgen05.wait <load>
      nvvm.tcgen05.st %p, %v {shape = #s} : vector<16xi32>
      gpu.return
    }

    gpu.func @added_unwritten() kernel {
      %zero = arith.constant 0 : i32
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %base = func.call @begin() : () -> i32
      %is_thread = arith.cmpi eq, %tid, %c0 : index
      // ADDED-UNWRITTEN: nvvm.tcgen05.mma: error: the cell at lane 0, column {{[0-9]+}}, of the accumulator that enable-input-d adds, was never written
      scf.if %is_thread {
        %yes = arith.constant true
        func.call @mma(%base, %zero, %yes) : (i32, i32, i1) -> ()
        func.call @commit() : () -> ()
      }
      func.call @wait() : () -> ()
      gpu.return
    }

    gpu.func @unwritten_shift() kernel {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %base = func.call @begin() : () -> i32
      %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      %is_thread = arith.cmpi eq, %tid, %c0 : index
      // UNWRITTEN-SHIFT: nvvm.tcgen05.shift: error: the cell at lane 0, column {{[0-9]+}} was never written
      scf.if %is_thread {
        nvvm.tcgen05.shift %p : !llvm.ptr<6>
        func.call @commit() : () -> ()
      }
      func.call @wait() : () -> ()
      gpu.return
    }

    gpu.func @no_barrier() kernel {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %base = func.call @begin() : () -> i32
      %is_thread = arith.cmpi eq, %tid, %c0 : index
      // NO-BARRIER: nvvm.tcgen05.commit: error: expected a valid mbarrier
      scf.if %is_thread {
        %object = memref.get_global @object : !object
        %done = func.call @done() : () -> !llvm.ptr<3>
        nvvm.mbarrier.inval %done : !llvm.ptr<3>
        func.call @commit() : () -> ()
      }
      gpu.return
    }

    gpu.func @two_groups() kernel {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %base = func.call @begin() : () -> i32
      %is_thread = arith.cmpi eq, %tid, %c0 : index
      // TWO-GROUPS: nvvm.tcgen05.commit: error: expected .cta_group::1, as everywhere else in the kernel, but got .cta_group::2
      scf.if %is_thread {
        %done = func.call @done() : () -> !llvm.ptr<3>
        nvvm.tcgen05.commit %done {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>
      }
      gpu.return
    }

    // What is right. The tensor core writes late: before the wait, the cells that are
    // read past all rules are as they were.
    func.func private @tmem_emulation_read_cell(i32) -> i32
    gpu.func @right(%out: memref<4xi32>) kernel {
      %zero = arith.constant 0 : i32
      %no = arith.constant false
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %base = func.call @begin() : () -> i32
      %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      %values = arith.constant dense<7> : vector<16xi32>
      %is_thread = arith.cmpi eq, %tid, %c0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %yes = arith.constant true
      %all = arith.constant -1 : i32
      %m = func.call @matrix() : () -> i64
      %matrices = memref.get_global @matrices : !matrices
      %ones = arith.constant 0x3c003c00 : i32
      %ns = arith.constant 20 : i32
      %c32 = arith.constant 32 : index
      %c2048 = arith.constant 2048 : index
      scf.for %i = %tid to %c2048 step %c32 {
        memref.store %ones, %matrices[%i] : !matrices
      }
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      nvvm.tcgen05.st %p, %values {shape = #s} : vector<16xi32>
      nvvm.tcgen05.wait <store>
      func.call @sync() : () -> ()
      %before = func.call @tmem_emulation_read_cell(%base) : (i32) -> i32
      nvvm.bar.warp.sync %all : i32
      scf.if %is_thread {
        // cp, then mma, then mma with the same accumulator are pipelined.
        nvvm.tcgen05.cp %p, %m {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
        func.call @mma(%base, %zero, %no) : (i32, i32, i1) -> ()
        func.call @mma(%base, %zero, %yes) : (i32, i32, i1) -> ()
        func.call @commit() : () -> ()
        nvvm.nanosleep %ns
        nvvm.nanosleep %ns
        nvvm.nanosleep %ns
        %early = func.call @tmem_emulation_read_cell(%base) : (i32) -> i32
        memref.store %early, %out[%c1] : memref<4xi32>
      }
      func.call @wait() : () -> ()
      // The operands may be written now.
      memref.store %zero, %matrices[%tid] : !matrices
      %v = nvvm.tcgen05.ld %p {shape = #s} : vector<16xi32>
      nvvm.tcgen05.wait <load>
      scf.if %is_thread {
        %late = vector.extract %v[15] : i32 from vector<16xi32>
        memref.store %before, %out[%c0] : memref<4xi32>
        memref.store %late, %out[%c2] : memref<4xi32>
        memref.store %zero, %out[%c3] : memref<4xi32>
      }
      func.call @end(%base) : (i32) -> ()
      gpu.return
    }
  }
  func.func @freed() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    gpu.launch_func @kernels::@freed blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
    return
  }
  func.func @never_committed() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    gpu.launch_func @kernels::@never_committed blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
    return
  }
  func.func @overwritten() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    gpu.launch_func @kernels::@overwritten blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
    return
  }
  func.func @stored_before() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    gpu.launch_func @kernels::@stored_before blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
    return
  }
  func.func @loaded_before() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    gpu.launch_func @kernels::@loaded_before blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
    return
  }
  func.func @added_unwritten() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    gpu.launch_func @kernels::@added_unwritten blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
    return
  }
  func.func @unwritten_shift() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    gpu.launch_func @kernels::@unwritten_shift blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
    return
  }
  func.func @no_barrier() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    gpu.launch_func @kernels::@no_barrier blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
    return
  }
  func.func @two_groups() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    gpu.launch_func @kernels::@two_groups blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
    return
  }
  func.func @right() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    %out = memref.alloc() : memref<4xi32>
    gpu.launch_func @kernels::@right blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : memref<4xi32>)
    %v = vector.load %out[%c0] : memref<4xi32>, vector<4xi32>
    // 32.0 as f32.
    // RIGHT: ( 7, 7, 1107296256, 0 )
    // When it writes depends on the seed.
    // SEEDS: prints something else:
    // SEEDS-NEXT: ( 7, 1107296256, 1107296256, 0 )
    // SEEDS: 20 seeds: 20 clean, 0 with a fault
    vector.print %v : vector<4xi32>
    return
  }
}
