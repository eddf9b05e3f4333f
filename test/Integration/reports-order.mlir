// What other projects were reported to get wrong in the order of allocation,
// accesses and release, each in its smallest situation: found, and silent when right.

// RUN: tmem-run %s --entry=right --seeds=5 | FileCheck %s --check-prefix=RIGHT
// RUN: tmem-run %s --entry=right --race --seeds=5 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=row4_slot_read_after_no_barrier --race --seeds=5 2>&1 | FileCheck %s --check-prefixes=ROW4,EVERY
// RUN: %exits_1 tmem-run %s --entry=row5_aliasing_store_of_other_warps --race --seeds=5 2>&1 | FileCheck %s --check-prefixes=ROW5,EVERY
// RUN: %exits_1 tmem-run %s --entry=row6_freed_before_the_release --seeds=5 2>&1 | FileCheck %s --check-prefixes=ROW6,EVERY
// RUN: %exits_1 tmem-run %s --entry=row7_freed_while_the_peer_allocates --seeds=5 2>&1 | FileCheck %s --check-prefixes=ROW7,EVERY
// RUN: %exits_1 tmem-run %s --entry=row8_zero_trips --seeds=5 2>&1 | FileCheck %s --check-prefixes=ROW8,EVERY

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

    // mlc-ai/TIRx-kernels PR 7.
    gpu.func @row4(%barrier: i1, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %tid = gpu.thread_id x
      %slot = memref.get_global @slot : !slot
      gpu.barrier
      %owns = func.call @is_warp(%c4) : (index) -> i1
      scf.if %owns {
        tmem.alloc %slot, 32 : !slot
      }
      scf.if %barrier {
        gpu.barrier
      }
      // ROW4: error: {{.*}}warp
      // ROW4: note:
      %address = memref.load %slot[%c0] : !slot
      memref.store %address, %out[%tid, %c0] : !out
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      scf.if %owns {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    // facebookexperimental/triton PR 3277: columns 0 to 15 hold 32 columns of 16
    // bits once their 32-bit values are loaded. %shift 0: each warp overwrites what
    // it has loaded itself, without a barrier. 4: warps 4 to 7 overwrite.
    gpu.func @row5(%shift: index, %barrier: i1) kernel {
      %c4 = arith.constant 4 : index
      %values = arith.constant dense<8> : vector<16xi32>
      %base = func.call @begin() : () -> i32
      %warp = func.call @warp() : () -> index
      %p = func.call @pointer(%base) : (i32) -> !llvm.ptr<6>
      %loads = arith.cmpi ult, %warp, %c4 : index
      scf.if %loads {
        %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<32xi32>
        nvvm.tcgen05.wait <load>
      }
      scf.if %barrier {
        func.call @sync() : () -> ()
      }
      %other = arith.subi %warp, %shift : index
      %stores = arith.cmpi ult, %other, %c4 : index
      scf.if %stores {
        // ROW5: reports-order.mlir:{{[0-9]+}}:{{[0-9]+}}: nvvm.tcgen05.{{st|ld}}: error: {{.*}}warp
        // ROW5: nvvm.tcgen05.{{st|ld}}: note:
        nvvm.tcgen05.st %p, %values {shape = #s32x32b} : vector<16xi32>
        nvvm.tcgen05.wait <store>
      }
      func.call @end(%base) : (i32) -> ()
      gpu.return
    }

    // Dao-AILab/flash-attention PR 2312: whoever writes the accumulator frees it, and
    // has to wait for those who read it, not for its own writing.
    gpu.func @row6(%which: i64, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %full = arith.constant 0 : i64
      %free = arith.constant 1 : i64
      %values = arith.constant dense<8> : vector<32xi32>
      %tid = gpu.thread_id x
      %base = func.call @begin() : () -> i32
      %p = func.call @pointer(%base) : (i32) -> !llvm.ptr<6>
      %writes = func.call @is_warp(%c4) : (index) -> i1
      scf.if %writes {
        nvvm.tcgen05.st %p, %values {shape = #s32x32b} : vector<32xi32>
        nvvm.tcgen05.wait <store>
        func.call @arrive(%full) : (i64) -> ()
        func.call @wait(%which) : (i64) -> ()
        // ROW6: reports-order.mlir:{{[0-9]+}}:{{[0-9]+}}: {{.*}}tcgen05.{{dealloc.*|ld}}: error:
        tmem.dealloc %base, 128
      } else {
        func.call @wait(%full) : (i64) -> ()
        %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<32xi32>
        nvvm.tcgen05.wait <load>
        vector.store %v, %out[%tid, %c0] : !out, vector<32xi32>
        func.call @arrive(%free) : (i64) -> ()
      }
      gpu.return
    }

    // NVIDIA/cutlass 3435: one block of a pair frees while the other allocates.
    gpu.func @row7(%ordered: i1) kernel {
      %c0 = arith.constant 0 : index
      %slot = memref.get_global @slot : !slot
      tmem.alloc %slot, 32 cta_group(2) : !slot
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      scf.if %ordered {
        nvvm.cluster.arrive
        nvvm.cluster.wait
      }
      // ROW7: reports-order.mlir:[[@LINE+1]]:{{[0-9]+}}: {{.*}}tcgen05.dealloc{{.*}}: error: dealloc is not ordered after the alloc of the peer, block {{[01]}},0,0: execute a barrier of the cluster
      tmem.dealloc %base, 32 cta_group(2)
      gpu.return
    }

    // NVIDIA/cutlass PR 2835: a loop that may run no iteration publishes the address.
    gpu.func @row8(%n: index) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0 : i32
      %tid = gpu.thread_id x
      %published = memref.get_global @slot : !slot
      %slot = memref.get_global @own_slot : !slot
      tmem.alloc %slot, 32 : !slot
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      scf.for %i = %c0 to %n step %c1 {
        memref.store %base, %published[%c0] : !slot
      }
      gpu.barrier
      %address = memref.load %published[%c0] : !slot
      // ROW8: reports-order.mlir:[[@LINE+1]]:{{[0-9]+}}: {{.*}}tcgen05.dealloc{{.*}}: error: {{.*}}expected an address that tcgen05.alloc returned
      tmem.dealloc %address, 32
      gpu.return
    }
    memref.global "private" @own_slot : !slot
  }

  func.func @row4_of(%barrier: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 160 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@row4 blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%barrier : i1, %out : !out)
    return
  }
  func.func @row5_of(%shift: index, %barrier: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    gpu.launch_func @kernels::@row5 blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%shift : index, %barrier : i1)
    return
  }
  func.func @row6_of(%which: i64) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 160 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@row6 blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%which : i64, %out : !out)
    return
  }
  func.func @row7_of(%ordered: i1) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %threads = arith.constant 32 : index
    gpu.launch_func @kernels::@row7 clusters in (%c2, %c1, %c1)
        blocks in (%c2, %c1, %c1) threads in (%threads, %c1, %c1)
        args(%ordered : i1)
    return
  }
  func.func @row8_of(%n: index) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    gpu.launch_func @kernels::@row8 blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%n : index)
    return
  }
  func.func @row4_slot_read_after_no_barrier() {
    %false = arith.constant false
    call @row4_of(%false) : (i1) -> ()
    return
  }
  func.func @row5_aliasing_store_of_other_warps() {
    %i4 = arith.constant 4 : index
    %false = arith.constant false
    call @row5_of(%i4, %false) : (index, i1) -> ()
    return
  }
  func.func @row6_freed_before_the_release() {
    %c0_i64 = arith.constant 0 : i64
    call @row6_of(%c0_i64) : (i64) -> ()
    return
  }
  func.func @row7_freed_while_the_peer_allocates() {
    %false = arith.constant false
    call @row7_of(%false) : (i1) -> ()
    return
  }
  func.func @row8_zero_trips() {
    %i0 = arith.constant 0 : index
    call @row8_of(%i0) : (index) -> ()
    return
  }

  // RIGHT: no fault
  func.func @right() {
    %true = arith.constant true
    %i0 = arith.constant 0 : index
    %false = arith.constant false
    %i4 = arith.constant 4 : index
    %c1_i64 = arith.constant 1 : i64
    %i1 = arith.constant 1 : index
    call @row4_of(%true) : (i1) -> ()
    call @row5_of(%i0, %false) : (index, i1) -> ()
    call @row5_of(%i4, %true) : (index, i1) -> ()
    call @row6_of(%c1_i64) : (i64) -> ()
    call @row7_of(%true) : (i1) -> ()
    call @row8_of(%i1) : (index) -> ()
    vector.print str "no fault\n"
    return
  }
}

// EVERY: 5 seeds: 0 clean, 5 with a fault
