// Two warps on one cell, or on the slot of an allocation, that nothing orders: found
// in race mode, whatever the order in which they happen to run.

// RUN: tmem-run %s --entry=right | FileCheck %s --check-prefix=RIGHT
// RUN: tmem-run %s --entry=right --race --seeds=10 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=no_barrier --race --seeds=10 2>&1 | FileCheck %s --check-prefixes=BARRIER,EVERY
// RUN: %exits_1 tmem-run %s --entry=no_fences --race --seeds=10 2>&1 | FileCheck %s --check-prefixes=FENCES,EVERY
// RUN: %exits_1 tmem-run %s --entry=only_before --race --seeds=10 2>&1 | FileCheck %s --check-prefixes=BEFORE,EVERY
// RUN: %exits_1 tmem-run %s --entry=only_after --race --seeds=10 2>&1 | FileCheck %s --check-prefixes=AFTER,EVERY
// RUN: %exits_1 tmem-run %s --entry=fences_and_no_barrier --race --seeds=10 2>&1 | FileCheck %s --check-prefixes=BARRIER,EVERY
// RUN: %exits_1 tmem-run %s --entry=mbarrier_without_fences --race --seeds=10 2>&1 | FileCheck %s --check-prefixes=MBARRIER,EVERY
// RUN: %exits_1 tmem-run %s --entry=mbarrier_late_fence --race --seeds=10 2>&1 | FileCheck %s --check-prefixes=LATE,EVERY
// RUN: %exits_1 tmem-run %s --entry=two_stores --race --seeds=10 2>&1 | FileCheck %s --check-prefixes=STORES,EVERY
// RUN: %exits_1 tmem-run %s --entry=store_after_load --race --seeds=10 2>&1 | FileCheck %s --check-prefixes=LOAD,EVERY
// RUN: %exits_1 tmem-run %s --entry=slot --race --seeds=10 2>&1 | FileCheck %s --check-prefixes=SLOT,EVERY
// RUN: %exits_1 tmem-run %s --entry=shared_words --race --seeds=10 2>&1 | FileCheck %s --check-prefixes=WORDS,EVERY

#s32x32b = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!object = memref<1xi64, #gpu.address_space<workgroup>>
!out = memref<256x8xi32>

module attributes {gpu.container_module} {
  // CTAs of eight warps: warps w and w + 4 reach the same lanes.
  gpu.module @kernels {
    memref.global "private" @slot : !slot
    memref.global "private" @object : !object

    func.func @warp() -> index {
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %warp = arith.divui %tid, %c32 : index
      return %warp : index
    }

    func.func @sync() {
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      return
    }

    func.func @pointer(%base: i32) -> !llvm.ptr<6> {
      %c96 = arith.constant 96 : i32
      %c16 = arith.constant 16 : i32
      %tid = gpu.thread_id x
      %thread = arith.index_cast %tid : index to i32
      %lane = arith.andi %thread, %c96 : i32
      %slab = arith.shli %lane, %c16 : i32
      %address = arith.addi %base, %slab : i32
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      return %p : !llvm.ptr<6>
    }

    // Allocates; warps 0 to 3 store to all cells.
    func.func @begin() -> i32 {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %values = arith.constant dense<7> : vector<8xi32>
      %slot = memref.get_global @slot : !slot
      %warp = func.call @warp() : () -> index
      %is_first = arith.cmpi eq, %warp, %c0 : index
      scf.if %is_first {
        tmem.alloc %slot, 32 : !slot
      }
      func.call @sync() : () -> ()
      %base = memref.load %slot[%c0] : !slot
      %stores = arith.cmpi ult, %warp, %c4 : index
      scf.if %stores {
        %p = func.call @pointer(%base) : (i32) -> !llvm.ptr<6>
        nvvm.tcgen05.st %p, %values {shape = #s32x32b} : vector<8xi32>
        nvvm.tcgen05.wait <store>
      }
      func.call @sync() : () -> ()
      return %base : i32
    }

    func.func @end(%base: i32) {
      %c0 = arith.constant 0 : index
      %warp = func.call @warp() : () -> index
      %is_first = arith.cmpi eq, %warp, %c0 : index
      func.call @sync() : () -> ()
      scf.if %is_first {
        tmem.dealloc %base, 32
      }
      return
    }

    // Warps 0 to 3 store, the others load.
    gpu.func @handoff(%before: i1, %barrier: i1, %after: i1, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %tid = gpu.thread_id x
      %values = arith.constant dense<8> : vector<8xi32>
      %base = func.call @begin() : () -> i32
      %p = func.call @pointer(%base) : (i32) -> !llvm.ptr<6>
      %warp = func.call @warp() : () -> index
      %stores = arith.cmpi ult, %warp, %c4 : index
      scf.if %stores {
        nvvm.tcgen05.st %p, %values {shape = #s32x32b} : vector<8xi32>
        nvvm.tcgen05.wait <store>
        scf.if %before {
          nvvm.tcgen05.fence <before>
        }
      }
      scf.if %barrier {
        gpu.barrier
      }
      %loads = arith.cmpi uge, %warp, %c4 : index
      scf.if %loads {
        scf.if %after {
          nvvm.tcgen05.fence <after>
        }
        // BARRIER: faults-races.mlir:{{[0-9]+}}:{{[0-9]+}}: nvvm.tcgen05.{{ld|st}}: error: {{.*}}warp
        // BARRIER: faults-races.mlir:{{[0-9]+}}:{{[0-9]+}}: nvvm.tcgen05.{{ld|st}}: note:
        // FENCES: faults-races.mlir:[[@LINE+5]]:{{[0-9]+}}: nvvm.tcgen05.ld: error: {{.*}}fence
        // FENCES: faults-races.mlir:[[@LINE-17]]:{{[0-9]+}}: nvvm.tcgen05.st: note:
        // AFTER: faults-races.mlir:[[@LINE+3]]:{{[0-9]+}}: nvvm.tcgen05.ld: error: {{.*}}fence::before
        // BEFORE: faults-races.mlir:[[@LINE+2]]:{{[0-9]+}}: nvvm.tcgen05.ld: error: {{.*}}fence::after
        // MBARRIER: nvvm.tcgen05.ld: error: {{.*}}fence
        %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<8xi32>
        nvvm.tcgen05.wait <load>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      func.call @end(%base) : (i32) -> ()
      gpu.return
    }

    // The same through an mbarrier, on which warps 0 to 3 arrive. A fence behind the
    // arrive publishes nothing, although lanes run ahead to it.
    gpu.func @mbarrier(%before: i1, %after: i1, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %zero = arith.constant 0 : i32
      %all = arith.constant -1 : i32
      %c128 = arith.constant 128 : i32
      %ticks = arith.constant 1000 : i32
      %tid = gpu.thread_id x
      %values = arith.constant dense<8> : vector<8xi32>
      %object = memref.get_global @object : !object
      %i = memref.extract_aligned_pointer_as_index %object : !object -> index
      %shared = arith.index_cast %i : index to i64
      %b = llvm.inttoptr %shared : i64 to !llvm.ptr<3>
      %first = arith.cmpi eq, %tid, %c0 : index
      scf.if %first {
        nvvm.mbarrier.init %b, %c128 : !llvm.ptr<3>, i32
      }
      %base = func.call @begin() : () -> i32
      %p = func.call @pointer(%base) : (i32) -> !llvm.ptr<6>
      %warp = func.call @warp() : () -> index
      %stores = arith.cmpi ult, %warp, %c4 : index
      scf.if %stores {
        nvvm.tcgen05.st %p, %values {shape = #s32x32b} : vector<8xi32>
        nvvm.tcgen05.wait <store>
        scf.if %before {
          nvvm.tcgen05.fence <before>
        }
        %state = nvvm.mbarrier.arrive %b : !llvm.ptr<3> -> i64
        nvvm.tcgen05.fence <before>
      } else {
        nvvm.bar.warp.sync %all : i32
        nvvm.mbarrier.try_wait.parity %b, %zero, %ticks : !llvm.ptr<3>, i32, i32
        scf.if %after {
          nvvm.tcgen05.fence <after>
        }
        %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<8xi32>
        nvvm.tcgen05.wait <load>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      func.call @end(%base) : (i32) -> ()
      scf.if %first {
        nvvm.mbarrier.inval %b : !llvm.ptr<3>
      }
      gpu.return
    }

    // Both halves of the CTA store, to the same columns or to columns of their own.
    gpu.func @two_stores(%distance: i32) kernel {
      %c2 = arith.constant 2 : i32
      %c128 = arith.constant 128 : i32
      %tid = gpu.thread_id x
      %thread = arith.index_cast %tid : index to i32
      %values = arith.constant dense<8> : vector<4xi32>
      %base = func.call @begin() : () -> i32
      %half = arith.divui %thread, %c128 : i32
      %column = arith.muli %half, %distance : i32
      %mine = arith.addi %base, %column : i32
      %p = func.call @pointer(%mine) : (i32) -> !llvm.ptr<6>
      // STORES: faults-races.mlir:[[@LINE+2]]:{{[0-9]+}}: nvvm.tcgen05.st: error: {{.*}}warp
      // STORES: faults-races.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.st: note:
      nvvm.tcgen05.st %p, %values {shape = #s32x32b} : vector<4xi32>
      nvvm.tcgen05.wait <store>
      func.call @end(%base) : (i32) -> ()
      gpu.return
    }

    // Warps 4 to 7 load what warps 0 to 3 then overwrite.
    gpu.func @store_after_load(%ordered: i1, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %tid = gpu.thread_id x
      %values = arith.constant dense<8> : vector<8xi32>
      %base = func.call @begin() : () -> i32
      %p = func.call @pointer(%base) : (i32) -> !llvm.ptr<6>
      %warp = func.call @warp() : () -> index
      %loads = arith.cmpi uge, %warp, %c4 : index
      scf.if %loads {
        %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<8xi32>
        nvvm.tcgen05.wait <load>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      scf.if %ordered {
        func.call @sync() : () -> ()
      }
      %stores = arith.cmpi ult, %warp, %c4 : index
      scf.if %stores {
        // LOAD: faults-races.mlir:{{[0-9]+}}:{{[0-9]+}}: nvvm.tcgen05.{{ld|st}}: error: {{.*}}warp
        // LOAD: faults-races.mlir:{{[0-9]+}}:{{[0-9]+}}: nvvm.tcgen05.{{ld|st}}: note:
        nvvm.tcgen05.st %p, %values {shape = #s32x32b} : vector<8xi32>
        nvvm.tcgen05.wait <store>
      }
      func.call @end(%base) : (i32) -> ()
      gpu.return
    }

    // alloc writes its slot, a weak store.
    gpu.func @slot_read(%barrier: i1, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %slot = memref.get_global @slot : !slot
      %warp = func.call @warp() : () -> index
      %is_first = arith.cmpi eq, %warp, %c0 : index
      scf.if %is_first {
        tmem.alloc %slot, 32 : !slot
      }
      scf.if %barrier {
        gpu.barrier
      }
      // SLOT: faults-races.mlir:{{[0-9]+}}:{{[0-9]+}}: {{.*}}: error: {{.*}}warp
      // SLOT: faults-races.mlir:{{[0-9]+}}:{{[0-9]+}}: {{.*}}: note:
      %base = memref.load %slot[%c0] : !slot
      memref.store %base, %out[%tid, %c0] : !out
      gpu.barrier
      %address = memref.load %slot[%c0] : !slot
      scf.if %is_first {
        tmem.dealloc %address, 32
      }
      gpu.return
    }

    // A word of shared memory that is nobody's slot.
    gpu.func @words(%barrier: i1, %out: !out) workgroup(%w : !slot) kernel {
      %c0 = arith.constant 0 : index
      %seven = arith.constant 7 : i32
      %tid = gpu.thread_id x
      %first = arith.cmpi eq, %tid, %c0 : index
      scf.if %first {
        memref.store %seven, %w[%c0] : !slot
      }
      scf.if %barrier {
        gpu.barrier
      }
      // WORDS: faults-races.mlir:{{[0-9]+}}:{{[0-9]+}}: llvm.{{load|store}}: error: {{.*}}warp
      %v = memref.load %w[%c0] : !slot
      memref.store %v, %out[%tid, %c0] : !out
      gpu.return
    }
  }

  func.func @handoff_of(%before: i1, %barrier: i1, %after: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@handoff blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%before : i1, %barrier : i1, %after : i1, %out : !out)
    return
  }
  func.func @mbarrier_of(%before: i1, %after: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@mbarrier blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%before : i1, %after : i1, %out : !out)
    return
  }
  func.func @two_stores_of(%distance: i32) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    gpu.launch_func @kernels::@two_stores blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%distance : i32)
    return
  }
  func.func @store_after_load_of(%ordered: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@store_after_load blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%ordered : i1, %out : !out)
    return
  }
  func.func @slot_read_of(%barrier: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@slot_read blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%barrier : i1, %out : !out)
    return
  }
  func.func @words_of(%barrier: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@words blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%barrier : i1, %out : !out)
    return
  }
  func.func @no_barrier() {
    %false = arith.constant false
    call @handoff_of(%false, %false, %false) : (i1, i1, i1) -> ()
    return
  }
  func.func @no_fences() {
    %false = arith.constant false
    %true = arith.constant true
    call @handoff_of(%false, %true, %false) : (i1, i1, i1) -> ()
    return
  }
  func.func @only_before() {
    %true = arith.constant true
    %false = arith.constant false
    call @handoff_of(%true, %true, %false) : (i1, i1, i1) -> ()
    return
  }
  func.func @only_after() {
    %false = arith.constant false
    %true = arith.constant true
    call @handoff_of(%false, %true, %true) : (i1, i1, i1) -> ()
    return
  }
  func.func @fences_and_no_barrier() {
    %true = arith.constant true
    %false = arith.constant false
    call @handoff_of(%true, %false, %true) : (i1, i1, i1) -> ()
    return
  }
  func.func @mbarrier_without_fences() {
    %false = arith.constant false
    call @mbarrier_of(%false, %false) : (i1, i1) -> ()
    return
  }
  // LATE: tcgen05.fence::before_thread_sync is missing in warp {{[0-3]}}
  func.func @mbarrier_late_fence() {
    %true = arith.constant true
    %false = arith.constant false
    call @mbarrier_of(%false, %true) : (i1, i1) -> ()
    return
  }
  func.func @two_stores() {
    %c0 = arith.constant 0 : i32
    call @two_stores_of(%c0) : (i32) -> ()
    return
  }
  func.func @store_after_load() {
    %false = arith.constant false
    call @store_after_load_of(%false) : (i1) -> ()
    return
  }
  func.func @slot() {
    %false = arith.constant false
    call @slot_read_of(%false) : (i1) -> ()
    return
  }
  func.func @shared_words() {
    %false = arith.constant false
    call @words_of(%false) : (i1) -> ()
    return
  }

  // RIGHT: no fault
  func.func @right() {
    %true = arith.constant true
    %c4 = arith.constant 4 : i32
    call @handoff_of(%true, %true, %true) : (i1, i1, i1) -> ()
    call @mbarrier_of(%true, %true) : (i1, i1) -> ()
    call @two_stores_of(%c4) : (i32) -> ()
    call @store_after_load_of(%true) : (i1) -> ()
    call @slot_read_of(%true) : (i1) -> ()
    call @words_of(%true) : (i1) -> ()
    vector.print str "no fault\n"
    return
  }
}

// EVERY: 10 seeds: 0 clean, 10 with a fault
