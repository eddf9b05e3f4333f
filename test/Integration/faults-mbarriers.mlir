// What one must not do to an mbarrier, and the right thing beside it.

// RUN: tmem-run %s --entry=right | FileCheck %s --check-prefix=RIGHT
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=outside 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: %exits_1 tmem-run %s --entry=unaligned 2>&1 | FileCheck %s --check-prefix=UNALIGNED
// RUN: %exits_1 tmem-run %s --entry=init_twice 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: %exits_1 tmem-run %s --entry=count_of_0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: %exits_1 tmem-run %s --entry=after_inval 2>&1 | FileCheck %s --check-prefix=INVAL
// RUN: %exits_1 tmem-run %s --entry=too_many_arrivals 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: %exits_1 tmem-run %s --entry=no_arrivals 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %exits_1 tmem-run %s --entry=overwritten 2>&1 | FileCheck %s --check-prefix=OVERWRITTEN
// RUN: %exits_1 tmem-run %s --entry=phase_nobody_waited_for 2>&1 | FileCheck %s --check-prefix=UNSEEN
// RUN: %exits_1 tmem-run %s --entry=no_complete_completes 2>&1 | FileCheck %s --check-prefix=COMPLETES
// RUN: %exits_1 tmem-run %s --entry=state_of_old_phase 2>&1 | FileCheck %s --check-prefix=STATE
// RUN: %exits_1 tmem-run %s --entry=too_many_bytes 2>&1 | FileCheck %s --check-prefix=BYTES
// RUN: %exits_1 tmem-run %s --entry=init_not_ordered --race --seeds=5 2>&1 | FileCheck %s --check-prefix=RACE

!object = memref<2xi64, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    func.func @pointer(%object: !object, %bytes: i64) -> !llvm.ptr<3> {
      %i = memref.extract_aligned_pointer_as_index %object : !object -> index
      %first = arith.index_cast %i : index to i64
      %address = arith.addi %first, %bytes : i64
      %b = llvm.inttoptr %address : i64 to !llvm.ptr<3>
      return %b : !llvm.ptr<3>
    }

    gpu.func @place(%bytes: i64) workgroup(%object: !object) kernel {
      %one = arith.constant 1 : i32
      %b = func.call @pointer(%object, %bytes) : (!object, i64) -> !llvm.ptr<3>
      // OUTSIDE: faults-mbarriers.mlir:[[@LINE+2]]:{{[0-9]+}}: nvvm.mbarrier.init: error: {{.*}}16 bytes of shared memory
      // UNALIGNED: faults-mbarriers.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.mbarrier.init: error: {{.*}}aligned to 8 bytes, but got offset 4
      nvvm.mbarrier.init %b, %one : !llvm.ptr<3>, i32
      nvvm.mbarrier.inval %b : !llvm.ptr<3>
      gpu.return
    }

    // Initialises, perhaps invalidates, initialises again or overwrites; then arrives.
    gpu.func @valid(%count: i32, %invalidates: i1, %again: i1, %overwrites: i1,
                    %arrivals: i32) workgroup(%object: !object) kernel {
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0 : i64
      %garbage = arith.constant 1234567 : i64
      %b = func.call @pointer(%object, %zero) : (!object, i64) -> !llvm.ptr<3>
      // ZERO: faults-mbarriers.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.mbarrier.init: error: {{.*}}from 1 to 1048575, but got 0
      nvvm.mbarrier.init %b, %count : !llvm.ptr<3>, i32
      scf.if %invalidates {
        nvvm.mbarrier.inval %b : !llvm.ptr<3>
      }
      scf.if %again {
        // TWICE: faults-mbarriers.mlir:[[@LINE+2]]:{{[0-9]+}}: nvvm.mbarrier.init: error: {{.*}}valid already
        // TWICE: faults-mbarriers.mlir:[[@LINE-6]]:{{[0-9]+}}: nvvm.mbarrier.init: note:
        nvvm.mbarrier.init %b, %count : !llvm.ptr<3>, i32
      }
      scf.if %overwrites {
        memref.store %garbage, %object[%c0] : !object
      }
      // INVAL: faults-mbarriers.mlir:[[@LINE+4]]:{{[0-9]+}}: nvvm.mbarrier.arrive: error: {{.*}}valid mbarrier
      // MANY: faults-mbarriers.mlir:[[@LINE+3]]:{{[0-9]+}}: nvvm.mbarrier.arrive: error: {{.*}}at most the 2 arrivals{{.*}}but got 3
      // NONE: faults-mbarriers.mlir:[[@LINE+2]]:{{[0-9]+}}: nvvm.mbarrier.arrive: error: {{.*}}1 to 1048575 arrivals, but got 0
      // OVERWRITTEN: faults-mbarriers.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.mbarrier.arrive: error: {{.*}}overwritten
      %s = nvvm.mbarrier.arrive %b, %arrivals : !llvm.ptr<3> -> i64
      nvvm.mbarrier.inval %b : !llvm.ptr<3>
      gpu.return
    }

    // Each arrival completes a phase of one.
    gpu.func @phases(%waits: i1, %old: i1) workgroup(%object: !object) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i32
      %b = func.call @pointer(%object, %zero) : (!object, i64) -> !llvm.ptr<3>
      nvvm.mbarrier.init %b, %one : !llvm.ptr<3>, i32
      %first = nvvm.mbarrier.arrive %b : !llvm.ptr<3> -> i64
      scf.for %i = %c0 to %c2 step %c1 {
        scf.if %waits {
          %number = arith.index_cast %i : index to i32
          %done = nvvm.mbarrier.test.wait %b, %number : !llvm.ptr<3>, i32 -> i1
        }
        // UNSEEN: faults-mbarriers.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.mbarrier.arrive: error: phase 0 of the mbarrier is complete, but no thread has waited for it
        %next = nvvm.mbarrier.arrive %b : !llvm.ptr<3> -> i64
        %same = nvvm.mbarrier.test.wait %b, %next : !llvm.ptr<3>, i64 -> i1
      }
      scf.if %old {
        // STATE: faults-mbarriers.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.mbarrier.test.wait: error: expected a state of the current phase 3 or the previous one, but got one of phase 0
        %done = nvvm.mbarrier.test.wait %b, %first : !llvm.ptr<3>, i64 -> i1
      }
      nvvm.mbarrier.inval %b : !llvm.ptr<3>
      gpu.return
    }

    gpu.func @no_complete(%arrivals: i32) workgroup(%object: !object) kernel {
      %zero = arith.constant 0 : i64
      %two = arith.constant 2 : i32
      %b = func.call @pointer(%object, %zero) : (!object, i64) -> !llvm.ptr<3>
      nvvm.mbarrier.init %b, %two : !llvm.ptr<3>, i32
      // COMPLETES: faults-mbarriers.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.mbarrier.arrive.nocomplete: error: expected that phase 0
      %s = nvvm.mbarrier.arrive.nocomplete %b, %arrivals : !llvm.ptr<3>, i32 -> i64
      nvvm.mbarrier.inval %b : !llvm.ptr<3>
      gpu.return
    }

    gpu.func @bytes(%bytes: i32) workgroup(%object: !object) kernel {
      %zero = arith.constant 0 : i64
      %two = arith.constant 2 : i32
      %b = func.call @pointer(%object, %zero) : (!object, i64) -> !llvm.ptr<3>
      nvvm.mbarrier.init %b, %two : !llvm.ptr<3>, i32
      nvvm.mbarrier.expect_tx %b, %bytes : !llvm.ptr<3>, i32
      // BYTES: faults-mbarriers.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.mbarrier.expect_tx: error: expected a tx-count from -1048575 to 1048575
      nvvm.mbarrier.expect_tx %b, %bytes : !llvm.ptr<3>, i32
      nvvm.mbarrier.inval %b : !llvm.ptr<3>
      gpu.return
    }

    // One thread initialises, all arrive.
    gpu.func @ordered(%barrier: i1) workgroup(%object: !object) kernel {
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0 : i64
      %n = arith.constant 64 : i32
      %tid = gpu.thread_id x
      %b = func.call @pointer(%object, %zero) : (!object, i64) -> !llvm.ptr<3>
      %first = arith.cmpi eq, %tid, %c0 : index
      scf.if %first {
        nvvm.mbarrier.init %b, %n : !llvm.ptr<3>, i32
      }
      scf.if %barrier {
        gpu.barrier
      }
      // RACE: seed 0:
      // RACE: nvvm.mbarrier.arrive: error:
      // RACE: 5 seeds: 0 clean, 5 with a fault
      %s = nvvm.mbarrier.arrive %b : !llvm.ptr<3> -> i64
      gpu.return
    }
  }

  func.func @place_of(%bytes: i64) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 1 : index
    gpu.launch_func @kernels::@place blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%bytes : i64)
    return
  }
  func.func @valid_of(%count: i32, %invalidates: i1, %again: i1, %overwrites: i1, %arrivals: i32) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 1 : index
    gpu.launch_func @kernels::@valid blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%count : i32, %invalidates : i1, %again : i1, %overwrites : i1, %arrivals : i32)
    return
  }
  func.func @phases_of(%waits: i1, %old: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 1 : index
    gpu.launch_func @kernels::@phases blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%waits : i1, %old : i1)
    return
  }
  func.func @no_complete_of(%arrivals: i32) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 1 : index
    gpu.launch_func @kernels::@no_complete blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%arrivals : i32)
    return
  }
  func.func @bytes_of(%bytes: i32) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 1 : index
    gpu.launch_func @kernels::@bytes blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%bytes : i32)
    return
  }
  func.func @ordered_of(%barrier: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 64 : index
    gpu.launch_func @kernels::@ordered blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%barrier : i1)
    return
  }
  func.func @outside() {
    %c16_i64 = arith.constant 16 : i64
    call @place_of(%c16_i64) : (i64) -> ()
    return
  }
  func.func @unaligned() {
    %c4_i64 = arith.constant 4 : i64
    call @place_of(%c4_i64) : (i64) -> ()
    return
  }
  func.func @init_twice() {
    %c2 = arith.constant 2 : i32
    %false = arith.constant false
    %true = arith.constant true
    call @valid_of(%c2, %false, %true, %false, %c2) : (i32, i1, i1, i1, i32) -> ()
    return
  }
  func.func @count_of_0() {
    %c0 = arith.constant 0 : i32
    %false = arith.constant false
    %c2 = arith.constant 2 : i32
    call @valid_of(%c0, %false, %false, %false, %c2) : (i32, i1, i1, i1, i32) -> ()
    return
  }
  func.func @after_inval() {
    %c2 = arith.constant 2 : i32
    %true = arith.constant true
    %false = arith.constant false
    call @valid_of(%c2, %true, %false, %false, %c2) : (i32, i1, i1, i1, i32) -> ()
    return
  }
  func.func @too_many_arrivals() {
    %c2 = arith.constant 2 : i32
    %false = arith.constant false
    %c3 = arith.constant 3 : i32
    call @valid_of(%c2, %false, %false, %false, %c3) : (i32, i1, i1, i1, i32) -> ()
    return
  }
  func.func @no_arrivals() {
    %c2 = arith.constant 2 : i32
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    call @valid_of(%c2, %false, %false, %false, %c0) : (i32, i1, i1, i1, i32) -> ()
    return
  }
  func.func @overwritten() {
    %c2 = arith.constant 2 : i32
    %false = arith.constant false
    %true = arith.constant true
    call @valid_of(%c2, %false, %false, %true, %c2) : (i32, i1, i1, i1, i32) -> ()
    return
  }
  func.func @phase_nobody_waited_for() {
    %false = arith.constant false
    call @phases_of(%false, %false) : (i1, i1) -> ()
    return
  }
  func.func @no_complete_completes() {
    %c2 = arith.constant 2 : i32
    call @no_complete_of(%c2) : (i32) -> ()
    return
  }
  func.func @state_of_old_phase() {
    %true = arith.constant true
    call @phases_of(%true, %true) : (i1, i1) -> ()
    return
  }
  func.func @too_many_bytes() {
    %c600000 = arith.constant 600000 : i32
    call @bytes_of(%c600000) : (i32) -> ()
    return
  }
  func.func @init_not_ordered() {
    %false = arith.constant false
    call @ordered_of(%false) : (i1) -> ()
    return
  }

  // RIGHT: no fault
  func.func @right() {
    %c0_i64 = arith.constant 0 : i64
    %c8_i64 = arith.constant 8 : i64
    %c2 = arith.constant 2 : i32
    %false = arith.constant false
    %true = arith.constant true
    %c1 = arith.constant 1 : i32
    %c500000 = arith.constant 500000 : i32
    call @place_of(%c0_i64) : (i64) -> ()
    call @place_of(%c8_i64) : (i64) -> ()
    call @valid_of(%c2, %false, %false, %false, %c2) : (i32, i1, i1, i1, i32) -> ()
    call @valid_of(%c2, %true, %true, %false, %c1) : (i32, i1, i1, i1, i32) -> ()
    call @phases_of(%true, %false) : (i1, i1) -> ()
    call @no_complete_of(%c1) : (i32) -> ()
    call @bytes_of(%c500000) : (i32) -> ()
    call @ordered_of(%true) : (i1) -> ()
    vector.print str "no fault\n"
    return
  }
}
