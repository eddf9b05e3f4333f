// Warp-specialised kernels: one warp fills two stages of Tensor Memory in turn, four
// others drain them, and mbarriers hand the stages over. In the second kernel
// two warpgroups meet at a named barrier each.

// RUN: tmem-run %s | FileCheck %s
// RUN: tmem-run %s --seeds=10 | FileCheck %s
// RUN: tmem-run %s --race --seeds=10 | FileCheck %s

// CHECK: 6 rounds: 24576 elements, 0 wrong
// CHECK: 1 rounds: 4096 elements, 0 wrong
// CHECK: two warpgroups: 16384 elements, 0 wrong

#s32x32b = #nvvm.tcgen05_ldst_shape<shape_32x32b>
#regs = #tmem.layout<(128, 32) : (1@tid, 1@reg)>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!objects = memref<4xi64, #gpu.address_space<workgroup>>
!view = !tmem.view<128x32xi32, #tmem.datapath<D>>
!out = memref<?x128x32xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    memref.global "private" @slot : !slot
    memref.global "private" @objects : !objects

    func.func @object(%which: i32) -> !llvm.ptr<3> {
      %c8 = arith.constant 8 : i64
      %objects = memref.get_global @objects : !objects
      %i = memref.extract_aligned_pointer_as_index %objects : !objects -> index
      %first = arith.index_cast %i : index to i64
      %number = arith.extui %which : i32 to i64
      %bytes = arith.muli %number, %c8 : i64
      %address = arith.addi %first, %bytes : i64
      %b = llvm.inttoptr %address : i64 to !llvm.ptr<3>
      return %b : !llvm.ptr<3>
    }

    func.func @arrive(%which: i32) {
      %b = func.call @object(%which) : (i32) -> !llvm.ptr<3>
      tmem.fence before
      %state = nvvm.mbarrier.arrive %b : !llvm.ptr<3> -> i64
      return
    }

    func.func @wait(%which: i32, %parity: i32) {
      %ticks = arith.constant 1000 : i32
      %b = func.call @object(%which) : (i32) -> !llvm.ptr<3>
      nvvm.mbarrier.try_wait.parity %b, %parity, %ticks : !llvm.ptr<3>, i32, i32
      tmem.fence after
      return
    }

    // Stage s is at column 32 s; mbarrier s says that it is full, 2 + s that it is
    // free.
    gpu.func @pipeline(%rounds: index, %out: !out) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %i0 = arith.constant 0 : i32
      %i1 = arith.constant 1 : i32
      %i2 = arith.constant 2 : i32
      %i3 = arith.constant 3 : i32
      %n32 = arith.constant 32 : i32
      %n128 = arith.constant 128 : i32
      %tid = gpu.thread_id x
      %slot = memref.get_global @slot : !slot
      %first = arith.cmpi eq, %tid, %c0 : index
      scf.if %first {
        %b0 = func.call @object(%i0) : (i32) -> !llvm.ptr<3>
        %b1 = func.call @object(%i1) : (i32) -> !llvm.ptr<3>
        %b2 = func.call @object(%i2) : (i32) -> !llvm.ptr<3>
        %b3 = func.call @object(%i3) : (i32) -> !llvm.ptr<3>
        nvvm.mbarrier.init %b0, %n128 : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %b1, %n128 : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %b2, %n128 : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %b3, %n128 : !llvm.ptr<3>, i32
      }
      %first_warp = arith.cmpi ult, %tid, %c32 : index
      scf.if %first_warp {
        tmem.alloc %slot, 64 : !slot
        tmem.relinquish_alloc_permit
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %drains = arith.cmpi uge, %tid, %c128 : index
      scf.for %round = %c0 to %rounds step %c1 {
        %number = arith.index_cast %round : index to i32
        %stage = arith.andi %number, %i1 : i32
        %turn = arith.divui %number, %i2 : i32
        %parity = arith.andi %turn, %i1 : i32
        %free = arith.addi %stage, %i2 : i32
        %column = arith.muli %stage, %n32 : i32
        %address = arith.addi %base, %column : i32
        %mem = tmem.view %address : !view
        scf.if %drains {
          func.call @wait(%stage, %parity) : (i32, i32) -> ()
          %p = tmem.load %mem registers(#regs) atom(<32x32b, x32>)
              scope(warpgroup) : !view -> !tmem.pending<vector<32xi32>>
          %v = tmem.wait_load %p : !tmem.pending<vector<32xi32>>
          func.call @arrive(%free) : (i32) -> ()
          %row = arith.subi %tid, %c128 : index
          vector.store %v, %out[%round, %row, %c0] : !out, vector<32xi32>
        } else {
          // The first turn of each stage finds it free.
          %other = arith.xori %parity, %i1 : i32
          func.call @wait(%free, %other) : (i32, i32) -> ()
          %v = func.call @values(%round, %tid) : (index, index) -> vector<32xi32>
          %t = tmem.store %v, %mem registers(#regs) atom(<32x32b, x32>)
              scope(warpgroup) : vector<32xi32>, !view
          tmem.wait_store %t
          func.call @arrive(%stage) : (i32) -> ()
        }
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first_warp {
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    // Element (row, j) of a round is 4096 round + 32 row + j.
    func.func @values(%round: index, %row: index) -> vector<32xi32> {
      %c4096 = arith.constant 4096 : index
      %c32 = arith.constant 32 : index
      %a = arith.muli %round, %c4096 : index
      %b = arith.muli %row, %c32 : index
      %c = arith.addi %a, %b : index
      %first = arith.index_cast %c : index to i32
      %all = vector.broadcast %first : i32 to vector<32xi32>
      %j = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
        15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]>
        : vector<32xi32>
      %v = arith.addi %all, %j : vector<32xi32>
      return %v : vector<32xi32>
    }

    // Two warpgroups work on columns of their own, each with a named barrier of its
    // own.
    gpu.func @two_warpgroups(%rounds: index, %out: !out) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %i1 = arith.constant 1 : i32
      %n32 = arith.constant 32 : i32
      %n128 = arith.constant 128 : i32
      %tid = gpu.thread_id x
      %slot = memref.get_global @slot : !slot
      %first_warp = arith.cmpi ult, %tid, %c32 : index
      scf.if %first_warp {
        tmem.alloc %slot, 64 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %group = arith.divui %tid, %c128 : index
      %number = arith.index_cast %group : index to i32
      %id = arith.addi %number, %i1 : i32
      %column = arith.muli %number, %n32 : i32
      %address = arith.addi %base, %column : i32
      %mem = tmem.view %address : !view
      %row = arith.remui %tid, %c128 : index
      scf.for %i = %c0 to %c2 step %c1 {
        %twice = arith.muli %i, %c2 : index
        %round = arith.addi %twice, %group : index
        %v = func.call @values(%round, %row) : (index, index) -> vector<32xi32>
        %t = tmem.store %v, %mem registers(#regs) atom(<32x32b, x32>)
            scope(warpgroup) : vector<32xi32>, !view
        tmem.wait_store %t
        tmem.fence before
        nvvm.barrier id = %id number_of_threads = %n128
        tmem.fence after
        %p = tmem.load %mem registers(#regs) atom(<32x32b, x32>)
            scope(warpgroup) : !view -> !tmem.pending<vector<32xi32>>
        %w = tmem.wait_load %p : !tmem.pending<vector<32xi32>>
        vector.store %w, %out[%round, %row, %c0] : !out, vector<32xi32>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first_warp {
        tmem.dealloc %base, 64
      }
      gpu.return
    }
  }

  func.func @compare(%out: !out) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %rounds = memref.dim %out, %c0 : !out
    %counts:3 = scf.for %i = %c0 to %rounds step %c1
        iter_args(%n = %zero, %m = %zero, %k = %zero) -> (i32, i32, i32) {
      %row:3 = scf.for %r = %c0 to %c128 step %c1
          iter_args(%a = %n, %b = %m, %d = %k) -> (i32, i32, i32) {
        %all:3 = scf.for %j = %c0 to %c32 step %c1
            iter_args(%e = %a, %f = %b, %should = %d) -> (i32, i32, i32) {
          %is = memref.load %out[%i, %r, %j] : !out
          %differs = arith.cmpi ne, %is, %should : i32
          %difference = arith.extui %differs : i1 to i32
          %g = arith.addi %e, %one : i32
          %h = arith.addi %f, %difference : i32
          %next = arith.addi %should, %one : i32
          scf.yield %g, %h, %next : i32, i32, i32
        }
        scf.yield %all#0, %all#1, %all#2 : i32, i32, i32
      }
      scf.yield %row#0, %row#1, %row#2 : i32, i32, i32
    }
    vector.print %counts#0 : i32 punctuation <no_punctuation>
    vector.print str " elements, "
    vector.print %counts#1 : i32 punctuation <no_punctuation>
    vector.print str " wrong\n"
    return %counts#1 : i32
  }

  func.func @check(%rounds: index, %pipeline: i1) -> i32 {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %out = memref.alloc(%rounds) : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    scf.if %pipeline {
      vector.print %rounds : index punctuation <no_punctuation>
      vector.print str " rounds: "
      gpu.launch_func @kernels::@pipeline blocks in (%c1, %c1, %c1)
          threads in (%c256, %c1, %c1) args(%rounds : index, %out : !out)
    } else {
      vector.print str "two warpgroups: "
      gpu.launch_func @kernels::@two_warpgroups blocks in (%c1, %c1, %c1)
          threads in (%c256, %c1, %c1) args(%rounds : index, %out : !out)
    }
    %wrong = call @compare(%out) : (!out) -> i32
    return %wrong : i32
  }

  func.func @main() -> i32 {
    %true = arith.constant true
    %false = arith.constant false
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c6 = arith.constant 6 : index
    %a = call @check(%c6, %true) : (index, i1) -> i32
    %b = call @check(%c1, %true) : (index, i1) -> i32
    %c = call @check(%c4, %false) : (index, i1) -> i32
    %ab = arith.addi %a, %b : i32
    %abc = arith.addi %ab, %c : i32
    return %abc : i32
  }
}
