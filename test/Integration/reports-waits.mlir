// What other projects were reported to get wrong about waits before
// a release, each in its smallest situation: found, and silent when right.

// RUN: tmem-run %s --entry=right --seeds=5 | FileCheck %s --check-prefix=RIGHT
// RUN: tmem-run %s --entry=right --race --seeds=5 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=row1_arrive_before_wait --seeds=5 2>&1 | FileCheck %s --check-prefixes=ROW1,EVERY
// RUN: %exits_1 tmem-run %s --entry=row2_release_after_four_loads --seeds=5 2>&1 | FileCheck %s --check-prefixes=ROW2,EVERY
// RUN: %exits_1 tmem-run %s --entry=row2_release_after_one_load --seeds=5 2>&1 | FileCheck %s --check-prefixes=ROW2,EVERY
// RUN: %exits_1 tmem-run %s --entry=row2_release_after_a_ring --seeds=5 2>&1 | FileCheck %s --check-prefixes=ROW2,EVERY
// RUN: %exits_1 tmem-run %s --entry=row3_register_dependence_for_a_wait --seeds=5 2>&1 | FileCheck %s --check-prefixes=ROW3,EVERY

#s32x32b = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!object = memref<2xi64, #gpu.address_space<workgroup>>
!out = memref<256x32xi32>

module attributes {gpu.container_module} {
  // Warps 0 to 3 load and store. Warp 4 allocates and frees, and stands for whoever
  // writes an accumulator.
  gpu.module @kernels {
    memref.global "private" @slot : !slot
    memref.global "private" @objects : !object

    func.func @warp() -> index {
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %warp = arith.divui %tid, %c32 : index
      return %warp : index
    }

    func.func @is_warp(%number: index) -> i1 {
      %warp = func.call @warp() : () -> index
      %is = arith.cmpi eq, %warp, %number : index
      return %is : i1
    }

    // The mbarrier "full" (0) or "free" (1).
    func.func @object(%which: i64) -> !llvm.ptr<3> {
      %c8 = arith.constant 8 : i64
      %objects = memref.get_global @objects : !object
      %i = memref.extract_aligned_pointer_as_index %objects : !object -> index
      %first = arith.index_cast %i : index to i64
      %bytes = arith.muli %which, %c8 : i64
      %address = arith.addi %first, %bytes : i64
      %b = llvm.inttoptr %address : i64 to !llvm.ptr<3>
      return %b : !llvm.ptr<3>
    }

    func.func @arrive(%which: i64) {
      %b = func.call @object(%which) : (i64) -> !llvm.ptr<3>
      nvvm.tcgen05.fence <before>
      %state = nvvm.mbarrier.arrive %b : !llvm.ptr<3> -> i64
      return
    }

    func.func @wait(%which: i64) {
      %zero = arith.constant 0 : i32
      %ticks = arith.constant 1000 : i32
      %b = func.call @object(%which) : (i64) -> !llvm.ptr<3>
      nvvm.mbarrier.try_wait.parity %b, %zero, %ticks : !llvm.ptr<3>, i32, i32
      nvvm.tcgen05.fence <after>
      return
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

    // 128 columns, stored by warps 0 to 3. 128 threads arrive on "free", 32 on
    // "full".
    func.func @begin() -> i32 {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %full = arith.constant 0 : i64
      %free = arith.constant 1 : i64
      %n32 = arith.constant 32 : i32
      %n128 = arith.constant 128 : i32
      %tid = gpu.thread_id x
      %values = arith.constant dense<7> : vector<128xi32>
      %slot = memref.get_global @slot : !slot
      %owns = func.call @is_warp(%c4) : (index) -> i1
      scf.if %owns {
        tmem.alloc %slot, 128 : !slot
      }
      %first = arith.cmpi eq, %tid, %c0 : index
      scf.if %first {
        %b = func.call @object(%full) : (i64) -> !llvm.ptr<3>
        nvvm.mbarrier.init %b, %n32 : !llvm.ptr<3>, i32
        %c = func.call @object(%free) : (i64) -> !llvm.ptr<3>
        nvvm.mbarrier.init %c, %n128 : !llvm.ptr<3>, i32
      }
      func.call @sync() : () -> ()
      %base = memref.load %slot[%c0] : !slot
      %warp = func.call @warp() : () -> index
      %stores = arith.cmpi ult, %warp, %c4 : index
      scf.if %stores {
        %p = func.call @pointer(%base) : (i32) -> !llvm.ptr<6>
        nvvm.tcgen05.st %p, %values {shape = #s32x32b} : vector<128xi32>
        nvvm.tcgen05.wait <store>
      }
      func.call @sync() : () -> ()
      return %base : i32
    }

    func.func @end(%base: i32) {
      %c4 = arith.constant 4 : index
      func.call @sync() : () -> ()
      %owns = func.call @is_warp(%c4) : (index) -> i1
      scf.if %owns {
        tmem.dealloc %base, 128
      }
      return
    }

    // NVIDIA/cutlass 3652.
    gpu.func @row1(%waits: i1, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %free = arith.constant 1 : i64
      %tid = gpu.thread_id x
      %base = func.call @begin() : () -> i32
      %frees = func.call @is_warp(%c4) : (index) -> i1
      scf.if %frees {
        func.call @wait(%free) : (i64) -> ()
        // ROW1: {{.*}}error:
        tmem.dealloc %base, 128
      } else {
        %p = func.call @pointer(%base) : (i32) -> !llvm.ptr<6>
        // ROW1: reports-waits.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.ld: note:
        %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<32xi32>
        scf.if %waits {
          nvvm.tcgen05.wait <load>
        }
        func.call @arrive(%free) : (i64) -> ()
        %bit = arith.andi %tid, %c16 : index
        %uses = arith.cmpi eq, %bit, %c0 : index
        scf.if %uses {
          vector.store %v, %out[%tid, %c0] : !out, vector<32xi32>
        }
      }
      gpu.return
    }

    // vllm-project/flash-attention PR 182: the release lets somebody else store.
    // ROW2: error:
    // ROW2: nvvm.tcgen05.ld: note:
    func.func @released(%base: i32) {
      %free = arith.constant 1 : i64
      %values = arith.constant dense<8> : vector<32xi32>
      func.call @wait(%free) : (i64) -> ()
      %p = func.call @pointer(%base) : (i32) -> !llvm.ptr<6>
      nvvm.tcgen05.st %p, %values {shape = #s32x32b} : vector<32xi32>
      nvvm.tcgen05.wait <store>
      return
    }

    gpu.func @row2_four(%waits: i1) kernel {
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : i32
      %free = arith.constant 1 : i64
      %base = func.call @begin() : () -> i32
      %writes = func.call @is_warp(%c4) : (index) -> i1
      scf.if %writes {
        func.call @released(%base) : (i32) -> ()
      } else {
        %zero = arith.constant 0 : index
        %one = arith.constant 1 : index
        scf.for %i = %zero to %c4 step %one {
          %number = arith.index_cast %i : index to i32
          %column = arith.muli %number, %c32 : i32
          %address = arith.addi %base, %column : i32
          %p = func.call @pointer(%address) : (i32) -> !llvm.ptr<6>
          %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<32xi32>
        }
        scf.if %waits {
          nvvm.tcgen05.wait <load>
        }
        func.call @arrive(%free) : (i64) -> ()
      }
      func.call @end(%base) : (i32) -> ()
      gpu.return
    }

    gpu.func @row2_one(%waits: i1) kernel {
      %c4 = arith.constant 4 : index
      %free = arith.constant 1 : i64
      %base = func.call @begin() : () -> i32
      %writes = func.call @is_warp(%c4) : (index) -> i1
      scf.if %writes {
        func.call @released(%base) : (i32) -> ()
      } else {
        %p = func.call @pointer(%base) : (i32) -> !llvm.ptr<6>
        %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<2xi32>
        scf.if %waits {
          nvvm.tcgen05.wait <load>
        }
        func.call @arrive(%free) : (i64) -> ()
      }
      func.call @end(%base) : (i32) -> ()
      gpu.return
    }

    // Loads what it then stores elsewhere, and once more at the end.
    gpu.func @row2_ring(%waits: i1) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : i32
      %free = arith.constant 1 : i64
      %base = func.call @begin() : () -> i32
      %writes = func.call @is_warp(%c4) : (index) -> i1
      scf.if %writes {
        func.call @released(%base) : (i32) -> ()
      } else {
        %p = func.call @pointer(%base) : (i32) -> !llvm.ptr<6>
        scf.for %i = %c1 to %c4 step %c1 {
          %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<32xi32>
          nvvm.tcgen05.wait <load>
          %number = arith.index_cast %i : index to i32
          %column = arith.muli %number, %c32 : i32
          %address = arith.addi %base, %column : i32
          %q = func.call @pointer(%address) : (i32) -> !llvm.ptr<6>
          nvvm.tcgen05.st %q, %v {shape = #s32x32b} : vector<32xi32>
          nvvm.tcgen05.wait <store>
        }
        %w = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<32xi32>
        scf.if %waits {
          nvvm.tcgen05.wait <load>
        }
        func.call @arrive(%free) : (i64) -> ()
      }
      func.call @end(%base) : (i32) -> ()
      gpu.return
    }

    // mlc-ai/TIRx-kernels PR 122: the strict reading of PTX is the one that counts.
    gpu.func @row3(%waits: i1, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %tid = gpu.thread_id x
      %base = func.call @begin() : () -> i32
      %warp = func.call @warp() : () -> index
      %loads = arith.cmpi ult, %warp, %c4 : index
      scf.if %loads {
        %p = func.call @pointer(%base) : (i32) -> !llvm.ptr<6>
        %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<32xi32>
        scf.if %waits {
          nvvm.tcgen05.wait <load>
        }
        // ROW3: reports-waits.mlir:[[@LINE+1]]:{{[0-9]+}}: {{.*}}: error: {{.*}}register
        vector.store %v, %out[%tid, %c0] : !out, vector<32xi32>
      }
      func.call @end(%base) : (i32) -> ()
      gpu.return
    }
  }

  func.func @row1_of(%waits: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 160 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@row1 blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%waits : i1, %out : !out)
    return
  }
  func.func @row2_four_of(%waits: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 160 : index
    gpu.launch_func @kernels::@row2_four blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%waits : i1)
    return
  }
  func.func @row2_one_of(%waits: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 160 : index
    gpu.launch_func @kernels::@row2_one blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%waits : i1)
    return
  }
  func.func @row2_ring_of(%waits: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 160 : index
    gpu.launch_func @kernels::@row2_ring blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%waits : i1)
    return
  }
  func.func @row3_of(%waits: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 160 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@row3 blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%waits : i1, %out : !out)
    return
  }
  func.func @row1_arrive_before_wait() {
    %false = arith.constant false
    call @row1_of(%false) : (i1) -> ()
    return
  }
  func.func @row2_release_after_four_loads() {
    %false = arith.constant false
    call @row2_four_of(%false) : (i1) -> ()
    return
  }
  func.func @row2_release_after_one_load() {
    %false = arith.constant false
    call @row2_one_of(%false) : (i1) -> ()
    return
  }
  func.func @row2_release_after_a_ring() {
    %false = arith.constant false
    call @row2_ring_of(%false) : (i1) -> ()
    return
  }
  func.func @row3_register_dependence_for_a_wait() {
    %false = arith.constant false
    call @row3_of(%false) : (i1) -> ()
    return
  }

  // RIGHT: no fault
  func.func @right() {
    %true = arith.constant true
    call @row1_of(%true) : (i1) -> ()
    call @row2_four_of(%true) : (i1) -> ()
    call @row2_one_of(%true) : (i1) -> ()
    call @row2_ring_of(%true) : (i1) -> ()
    call @row3_of(%true) : (i1) -> ()
    vector.print str "no fault\n"
    return
  }
}

// EVERY: 5 seeds: 0 clean, 5 with a fault
