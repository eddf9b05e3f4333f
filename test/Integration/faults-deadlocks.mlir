// Threads that wait for what never comes, or never end.

// RUN: tmem-run %s --entry=right | FileCheck %s --check-prefix=RIGHT
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=two_barriers 2>&1 | FileCheck %s --check-prefix=BARRIERS
// RUN: %exits_1 tmem-run %s --entry=too_many_expected 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: %exits_1 tmem-run %s --entry=odd_count 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: %exits_1 tmem-run %s --entry=no_arrival 2>&1 | FileCheck %s --check-prefix=MBARRIER
// RUN: %exits_1 tmem-run %s --entry=wrong_parity 2>&1 | FileCheck %s --check-prefix=PARITY
// RUN: %exits_1 tmem-run %s --entry=no_init 2>&1 | FileCheck %s --check-prefix=INIT
// RUN: %exits_1 tmem-run %s --entry=endless --max-steps=1000 2>&1 | FileCheck %s --check-prefix=ENDLESS
// RUN: %exits_1 tmem-run %s --entry=spins_for_ever --max-steps=1000 2>&1 | FileCheck %s --check-prefix=SPINS
// RUN: tmem-run %s --entry=nine_hundred --max-steps=1000
// RUN: env TMEM_EMULATION_MAX_STEPS=1000 %exits_1 tmem-run %s --entry=endless 2>&1 | FileCheck %s --check-prefix=ENDLESS

!flag = memref<1xi32, #gpu.address_space<workgroup>>
!object = memref<1xi64, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    memref.global "private" @flag : !flag
    memref.global "private" @object : !object

    // Warps from %first on wait at barrier 1, those before at barrier 2.
    gpu.func @barriers(%first: index) kernel {
      %c1 = arith.constant 1 : i32
      %c2 = arith.constant 2 : i32
      %n = arith.constant 128 : i32
      %tid = gpu.thread_id x
      %here = arith.cmpi uge, %tid, %first : index
      scf.if %here {
        // BARRIERS: nvvm.barrier: error: deadlock: {{.*}}warp 0 waiting here for barrier 2: 1 of 4 warps
        // BARRIERS: nvvm.barrier: note: warps 1 to 3 waiting here for barrier 1: 3 of 4 warps
        nvvm.barrier id = %c1 number_of_threads = %n
      } else {
        nvvm.barrier id = %c2 number_of_threads = %n
      }
      gpu.return
    }

    // A barrier of %n threads in a block of 64.
    gpu.func @count(%n: i32) kernel {
      %c1 = arith.constant 1 : i32
      // COUNT: faults-deadlocks.mlir:[[@LINE+2]]:{{[0-9]+}}: nvvm.barrier: error: {{.*}}64 threads of the block{{.*}}but got 128
      // ODD: faults-deadlocks.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.barrier: error: {{.*}}multiple of 32{{.*}}but got 48
      nvvm.barrier id = %c1 number_of_threads = %n
      gpu.return
    }

    // Of 64 threads, those below %arrives arrive.
    gpu.func @mbarrier(%arrives: index, %parity: i32, %inits: i1) kernel {
      %c0 = arith.constant 0 : index
      %c64 = arith.constant 64 : i32
      %ticks = arith.constant 1000 : i32
      %tid = gpu.thread_id x
      %object = memref.get_global @object : !object
      %i = memref.extract_aligned_pointer_as_index %object : !object -> index
      %address = arith.index_cast %i : index to i64
      %b = llvm.inttoptr %address : i64 to !llvm.ptr<3>
      %first = arith.cmpi eq, %tid, %c0 : index
      %init = arith.andi %first, %inits : i1
      scf.if %init {
        nvvm.mbarrier.init %b, %c64 : !llvm.ptr<3>, i32
      }
      gpu.barrier
      %arrive = arith.cmpi ult, %tid, %arrives : index
      scf.if %arrive {
        // INIT: faults-deadlocks.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.mbarrier.arrive: error: {{.*}}init
        %state = nvvm.mbarrier.arrive %b : !llvm.ptr<3> -> i64
      }
      // MBARRIER: faults-deadlocks.mlir:[[@LINE+3]]:{{[0-9]+}}: {{.*}}mbarrier.try_wait{{.*}}: error: deadlock: {{.*}}1 of 64 arrivals
      // PARITY-DAG: no thread of the block can run
      // PARITY-DAG: faults-deadlocks.mlir:[[@LINE+1]]:{{[0-9]+}}: {{.*}}mbarrier.try_wait{{.*}}64 of 64 arrivals
      nvvm.mbarrier.try_wait.parity %b, %parity, %ticks : !llvm.ptr<3>, i32, i32
      gpu.barrier
      scf.if %init {
        nvvm.mbarrier.inval %b : !llvm.ptr<3>
      }
      gpu.return
    }

    gpu.func @steps(%n: index) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %one = arith.constant 1 : i32
      %zero = arith.constant 0 : i32
      %flag = memref.get_global @flag : !flag
      // ENDLESS: faults-deadlocks.mlir:{{[0-9]+}}:{{[0-9]+}}: {{.*}}: error: {{.*}}1000
      scf.for %i = %c0 to %n step %c1 {
        memref.store %one, %flag[%c0] : !flag
      }
      gpu.return
    }

    // The first warp waits for a flag, which the second sets if %sets.
    gpu.func @spin(%sets: i1) kernel {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %one = arith.constant 1 : i32
      %zero = arith.constant 0 : i32
      %tid = gpu.thread_id x
      %flag = memref.get_global @flag : !flag
      %first = arith.cmpi eq, %tid, %c0 : index
      scf.if %first {
        %old = memref.atomic_rmw assign %zero, %flag[%c0] : (i32, !flag) -> i32
      }
      gpu.barrier
      %waits = arith.cmpi ult, %tid, %c32 : index
      scf.if %waits {
        // SPINS: faults-deadlocks.mlir:{{[0-9]+}}:{{[0-9]+}}: {{.*}}: error:
        scf.while : () -> () {
          %value = memref.atomic_rmw addi %zero, %flag[%c0] : (i32, !flag) -> i32
          %again = arith.cmpi eq, %value, %zero : i32
          scf.condition(%again)
        } do {
          scf.yield
        }
      } else {
        scf.if %sets {
          %old = memref.atomic_rmw assign %one, %flag[%c0]
              : (i32, !flag) -> i32
        }
      }
      gpu.return
    }
  }

  func.func @barriers_of(%first: index) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 128 : index
    gpu.launch_func @kernels::@barriers blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%first : index)
    return
  }
  func.func @count_of(%n: i32) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 64 : index
    gpu.launch_func @kernels::@count blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%n : i32)
    return
  }
  func.func @mbarrier_of(%arrives: index, %parity: i32, %inits: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 64 : index
    gpu.launch_func @kernels::@mbarrier blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%arrives : index, %parity : i32, %inits : i1)
    return
  }
  func.func @steps_of(%n: index) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    gpu.launch_func @kernels::@steps blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%n : index)
    return
  }
  func.func @spin_of(%sets: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 64 : index
    gpu.launch_func @kernels::@spin blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%sets : i1)
    return
  }
  func.func @two_barriers() {
    %i32 = arith.constant 32 : index
    call @barriers_of(%i32) : (index) -> ()
    return
  }
  func.func @too_many_expected() {
    %c128 = arith.constant 128 : i32
    call @count_of(%c128) : (i32) -> ()
    return
  }
  func.func @odd_count() {
    %c48 = arith.constant 48 : i32
    call @count_of(%c48) : (i32) -> ()
    return
  }
  func.func @no_arrival() {
    %i63 = arith.constant 63 : index
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    call @mbarrier_of(%i63, %c0, %true) : (index, i32, i1) -> ()
    return
  }
  func.func @wrong_parity() {
    %i64 = arith.constant 64 : index
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    call @mbarrier_of(%i64, %c1, %true) : (index, i32, i1) -> ()
    return
  }
  func.func @no_init() {
    %i64 = arith.constant 64 : index
    %c0 = arith.constant 0 : i32
    %false = arith.constant false
    call @mbarrier_of(%i64, %c0, %false) : (index, i32, i1) -> ()
    return
  }
  func.func @endless() {
    %i9223372036854775807 = arith.constant 9223372036854775807 : index
    call @steps_of(%i9223372036854775807) : (index) -> ()
    return
  }
  func.func @nine_hundred() {
    %i900 = arith.constant 900 : index
    call @steps_of(%i900) : (index) -> ()
    return
  }
  func.func @spins_for_ever() {
    %false = arith.constant false
    call @spin_of(%false) : (i1) -> ()
    return
  }

  // RIGHT: no fault
  func.func @right() {
    %i0 = arith.constant 0 : index
    %i128 = arith.constant 128 : index
    %c64 = arith.constant 64 : i32
    %c32 = arith.constant 32 : i32
    %i64 = arith.constant 64 : index
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    %i10000 = arith.constant 10000 : index
    call @barriers_of(%i0) : (index) -> ()
    call @barriers_of(%i128) : (index) -> ()
    call @count_of(%c64) : (i32) -> ()
    call @count_of(%c32) : (i32) -> ()
    call @mbarrier_of(%i64, %c0, %true) : (index, i32, i1) -> ()
    call @steps_of(%i10000) : (index) -> ()
    call @spin_of(%true) : (i1) -> ()
    vector.print str "no fault\n"
    return
  }
}
