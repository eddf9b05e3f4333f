// Ways in which warps hand Tensor Memory to others, and get it back: by mbarriers on
// which all threads arrive, or one of each warp; waited for in the instruction, in a
// loop, by one lane, or by the state that an arrival gave; by named barriers, where
// one side does not wait; and by a flag in global memory. Each is right, in every
// order.

// RUN: tmem-run %s | FileCheck %s
// RUN: tmem-run %s --seeds=10 | FileCheck %s
// RUN: tmem-run %s --race --seeds=10 | FileCheck %s

// CHECK:      all arrive: 12288 elements, 0 wrong
// CHECK-NEXT: one of each warp arrives: 12288 elements, 0 wrong
// CHECK-NEXT: tests in a loop: 12288 elements, 0 wrong
// CHECK-NEXT: one lane waits: 12288 elements, 0 wrong
// CHECK-NEXT: states: 12288 elements, 0 wrong
// CHECK-NEXT: named barriers: 12288 elements, 0 wrong
// CHECK-NEXT: a flag: 12288 elements, 0 wrong

#s32x32b = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!objects = memref<2xi64, #gpu.address_space<workgroup>>
!flags = memref<2xi32>
!out = memref<3x128x32xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    memref.global "private" @slot : !slot
    memref.global "private" @objects : !objects

    // The mbarrier 0 says that warps 0 to 3 have stored, 1 that warps 4 to 7 have
    // loaded.
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

    func.func @sync_warp() {
      %all = arith.constant -1 : i32
      nvvm.bar.warp.sync %all : i32
      return
    }

    func.func @lane() -> index {
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %lane = arith.remui %tid, %c32 : index
      return %lane : index
    }

    func.func @signal_all(%which: i32) {
      %b = func.call @object(%which) : (i32) -> !llvm.ptr<3>
      nvvm.tcgen05.fence <before>
      %state = nvvm.mbarrier.arrive %b : !llvm.ptr<3> -> i64
      return
    }

    // After the fences of all lanes, one of them arrives.
    func.func @signal_one(%which: i32) {
      %b = func.call @object(%which) : (i32) -> !llvm.ptr<3>
      nvvm.tcgen05.fence <before>
      func.call @sync_warp() : () -> ()
      %leads = nvvm.elect.sync -> i1
      scf.if %leads {
        %state = nvvm.mbarrier.arrive %b : !llvm.ptr<3> -> i64
      }
      func.call @sync_warp() : () -> ()
      return
    }

    func.func @await(%which: i32, %parity: i32) {
      %ticks = arith.constant 1000 : i32
      %b = func.call @object(%which) : (i32) -> !llvm.ptr<3>
      nvvm.mbarrier.try_wait.parity %b, %parity, %ticks : !llvm.ptr<3>, i32, i32
      nvvm.tcgen05.fence <after>
      return
    }

    func.func @await_loop(%which: i32, %parity: i32) {
      %true = arith.constant true
      %b = func.call @object(%which) : (i32) -> !llvm.ptr<3>
      scf.while : () -> () {
        %done = nvvm.mbarrier.test.wait %b, %parity : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      nvvm.tcgen05.fence <after>
      return
    }

    func.func @await_one(%which: i32, %parity: i32) {
      %c0 = arith.constant 0 : index
      %ticks = arith.constant 1000 : i32
      %b = func.call @object(%which) : (i32) -> !llvm.ptr<3>
      %lane = func.call @lane() : () -> index
      %first = arith.cmpi eq, %lane, %c0 : index
      scf.if %first {
        nvvm.mbarrier.try_wait.parity %b, %parity, %ticks : !llvm.ptr<3>, i32, i32
      }
      func.call @sync_warp() : () -> ()
      nvvm.tcgen05.fence <after>
      return
    }

    // Everybody arrives, and waits for the phase in which it has arrived.
    func.func @arrive_and_wait(%which: i32) {
      %true = arith.constant true
      %b = func.call @object(%which) : (i32) -> !llvm.ptr<3>
      nvvm.tcgen05.fence <before>
      %state = nvvm.mbarrier.arrive %b : !llvm.ptr<3> -> i64
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %b, %state : !llvm.ptr<3>, i64 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      nvvm.tcgen05.fence <after>
      return
    }

    func.func @arrive_named(%which: i32) {
      %one = arith.constant 1 : i32
      %n = arith.constant 256 : i32
      %id = arith.addi %which, %one : i32
      nvvm.tcgen05.fence <before>
      nvvm.barrier.arrive id = %id number_of_threads = %n
      return
    }

    func.func @await_named(%which: i32) {
      %one = arith.constant 1 : i32
      %n = arith.constant 256 : i32
      %id = arith.addi %which, %one : i32
      nvvm.barrier id = %id number_of_threads = %n
      nvvm.tcgen05.fence <after>
      return
    }

    // 128 threads count up a word of global memory.
    func.func @raise_flag(%flags: !flags, %which: i32) {
      %one = arith.constant 1 : i32
      %i = arith.index_cast %which : i32 to index
      nvvm.tcgen05.fence <before>
      nvvm.memory.barrier #nvvm.mem_scope<gpu>
      %old = memref.atomic_rmw addi %one, %flags[%i] : (i32, !flags) -> i32
      return
    }

    func.func @await_flag(%flags: !flags, %which: i32, %count: i32) {
      %zero = arith.constant 0 : i32
      %i = arith.index_cast %which : i32 to index
      scf.while : () -> () {
        %value = memref.atomic_rmw addi %zero, %flags[%i] : (i32, !flags) -> i32
        %again = arith.cmpi ult, %value, %count : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
      nvvm.memory.barrier #nvvm.mem_scope<gpu>
      nvvm.tcgen05.fence <after>
      return
    }

    func.func @signal(%how: index, %which: i32, %flags: !flags) {
      scf.index_switch %how
      case 1 {
        func.call @signal_one(%which) : (i32) -> ()
        scf.yield
      }
      case 4 {
        func.call @arrive_and_wait(%which) : (i32) -> ()
        scf.yield
      }
      case 5 {
        func.call @arrive_named(%which) : (i32) -> ()
        scf.yield
      }
      case 6 {
        func.call @raise_flag(%flags, %which) : (!flags, i32) -> ()
        scf.yield
      }
      default {
        func.call @signal_all(%which) : (i32) -> ()
      }
      return
    }

    func.func @wait(%how: index, %which: i32, %round: i32, %flags: !flags) {
      %one = arith.constant 1 : i32
      %n128 = arith.constant 128 : i32
      %parity = arith.andi %round, %one : i32
      scf.index_switch %how
      case 2 {
        func.call @await_loop(%which, %parity) : (i32, i32) -> ()
        scf.yield
      }
      case 3 {
        func.call @await_one(%which, %parity) : (i32, i32) -> ()
        scf.yield
      }
      case 4 {
        func.call @arrive_and_wait(%which) : (i32) -> ()
        scf.yield
      }
      case 5 {
        func.call @await_named(%which) : (i32) -> ()
        scf.yield
      }
      case 6 {
        %next = arith.addi %round, %one : i32
        %count = arith.muli %next, %n128 : i32
        func.call @await_flag(%flags, %which, %count) : (!flags, i32, i32) -> ()
        scf.yield
      }
      default {
        func.call @await(%which, %parity) : (i32, i32) -> ()
      }
      return
    }

    // Three rounds: warps 0 to 3 store 4096 round + 32 row + j, and wait until warps
    // 4 to 7 have loaded it.
    gpu.func @rounds(%how: index, %arrivals: i32, %flags: !flags, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %stored = arith.constant 0 : i32
      %loaded = arith.constant 1 : i32
      %c16 = arith.constant 16 : i32
      %c96 = arith.constant 96 : i32
      %n32 = arith.constant 32 : i32
      %n4096 = arith.constant 4096 : i32
      %j = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
        15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]>
        : vector<32xi32>
      %tid = gpu.thread_id x
      %slot = memref.get_global @slot : !slot
      %first = arith.cmpi eq, %tid, %c0 : index
      scf.if %first {
        %b0 = func.call @object(%stored) : (i32) -> !llvm.ptr<3>
        %b1 = func.call @object(%loaded) : (i32) -> !llvm.ptr<3>
        nvvm.mbarrier.init %b0, %arrivals : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %b1, %arrivals : !llvm.ptr<3>, i32
      }
      %first_warp = arith.cmpi ult, %tid, %c32 : index
      scf.if %first_warp {
        tmem.alloc %slot, 32 : !slot
      }
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      %base = memref.load %slot[%c0] : !slot
      %row = arith.remui %tid, %c128 : index
      %lane = arith.index_cast %row : index to i32
      %of_slab = arith.andi %lane, %c96 : i32
      %slab = arith.shli %of_slab, %c16 : i32
      %address = arith.addi %base, %slab : i32
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      %stores = arith.cmpi ult, %tid, %c128 : index
      scf.for %i = %c0 to %c3 step %c1 {
        %round = arith.index_cast %i : index to i32
        scf.if %stores {
          %a = arith.muli %round, %n4096 : i32
          %b = arith.muli %lane, %n32 : i32
          %c = arith.addi %a, %b : i32
          %all = vector.broadcast %c : i32 to vector<32xi32>
          %v = arith.addi %all, %j : vector<32xi32>
          nvvm.tcgen05.st %p, %v {shape = #s32x32b} : vector<32xi32>
          nvvm.tcgen05.wait <store>
          func.call @signal(%how, %stored, %flags) : (index, i32, !flags) -> ()
          func.call @wait(%how, %loaded, %round, %flags)
              : (index, i32, i32, !flags) -> ()
        } else {
          func.call @wait(%how, %stored, %round, %flags)
              : (index, i32, i32, !flags) -> ()
          %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<32xi32>
          nvvm.tcgen05.wait <load>
          func.call @signal(%how, %loaded, %flags) : (index, i32, !flags) -> ()
          vector.store %v, %out[%i, %row, %c0] : !out, vector<32xi32>
        }
      }
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      scf.if %first_warp {
        tmem.dealloc %base, 32
      }
      gpu.return
    }
  }

  func.func @check(%how: index, %arrivals: i32) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %flags = memref.alloc() : !flags
    memref.store %zero, %flags[%c0] : !flags
    memref.store %zero, %flags[%c1] : !flags
    %out = memref.alloc() : !out
    %flags_unranked = memref.cast %flags : !flags to memref<*xi32>
    %out_unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %flags_unranked : memref<*xi32>
    gpu.host_register %out_unranked : memref<*xi32>
    gpu.launch_func @kernels::@rounds blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1)
        args(%how : index, %arrivals : i32, %flags : !flags, %out : !out)
    %counts:2 = scf.for %i = %c0 to %c3 step %c1
        iter_args(%n = %zero, %m = %zero) -> (i32, i32) {
      %row:2 = scf.for %r = %c0 to %c128 step %c1
          iter_args(%a = %n, %b = %m) -> (i32, i32) {
        %all:2 = scf.for %j = %c0 to %c32 step %c1
            iter_args(%should = %a, %wrong = %b) -> (i32, i32) {
          %is = memref.load %out[%i, %r, %j] : !out
          %differs = arith.cmpi ne, %is, %should : i32
          %difference = arith.extui %differs : i1 to i32
          %next = arith.addi %should, %one : i32
          %more = arith.addi %wrong, %difference : i32
          scf.yield %next, %more : i32, i32
        }
        scf.yield %all#0, %all#1 : i32, i32
      }
      scf.yield %row#0, %row#1 : i32, i32
    }
    vector.print %counts#0 : i32 punctuation <no_punctuation>
    vector.print str " elements, "
    vector.print %counts#1 : i32 punctuation <no_punctuation>
    vector.print str " wrong\n"
    return %counts#1 : i32
  }

  func.func @main() -> i32 {
    %sum0 = arith.constant 0 : i32
    %each = arith.constant 128 : i32
    %of_warps = arith.constant 4 : i32
    %both = arith.constant 256 : i32
    %how0 = arith.constant 0 : index
    vector.print str "all arrive: "
    %wrong0 = call @check(%how0, %each) : (index, i32) -> i32
    %sum1 = arith.addi %sum0, %wrong0 : i32
    %how1 = arith.constant 1 : index
    vector.print str "one of each warp arrives: "
    %wrong1 = call @check(%how1, %of_warps) : (index, i32) -> i32
    %sum2 = arith.addi %sum1, %wrong1 : i32
    %how2 = arith.constant 2 : index
    vector.print str "tests in a loop: "
    %wrong2 = call @check(%how2, %each) : (index, i32) -> i32
    %sum3 = arith.addi %sum2, %wrong2 : i32
    %how3 = arith.constant 3 : index
    vector.print str "one lane waits: "
    %wrong3 = call @check(%how3, %each) : (index, i32) -> i32
    %sum4 = arith.addi %sum3, %wrong3 : i32
    %how4 = arith.constant 4 : index
    vector.print str "states: "
    %wrong4 = call @check(%how4, %both) : (index, i32) -> i32
    %sum5 = arith.addi %sum4, %wrong4 : i32
    %how5 = arith.constant 5 : index
    vector.print str "named barriers: "
    %wrong5 = call @check(%how5, %each) : (index, i32) -> i32
    %sum6 = arith.addi %sum5, %wrong5 : i32
    %how6 = arith.constant 6 : index
    vector.print str "a flag: "
    %wrong6 = call @check(%how6, %each) : (index, i32) -> i32
    %sum7 = arith.addi %sum6, %wrong6 : i32
    return %sum7 : i32
  }
}
