// What mbarriers count: arrivals of all kinds, and bytes of transactions, phase after
// phase.

// RUN: tmem-run %s | FileCheck %s
// RUN: tmem-run %s --race --seeds=5 | FileCheck %s

// CHECK:      phases: ( 0, 1, 0, 1, 0, 1, 0, 1 )
// CHECK-NEXT: drop: ( 0, 1, 0, 1, 1, 0, 0, 0 )
// CHECK-NEXT: bytes: ( 0, 0, 1, 77, 0, 0, 0, 0 )

!object = memref<1xi64, #gpu.address_space<workgroup>>
!word = memref<1xi32, #gpu.address_space<workgroup>>
!out = memref<8xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    func.func @pointer(%object: !object) -> !llvm.ptr<3> {
      %i = memref.extract_aligned_pointer_as_index %object : !object -> index
      %address = arith.index_cast %i : index to i64
      %b = llvm.inttoptr %address : i64 to !llvm.ptr<3>
      return %b : !llvm.ptr<3>
    }

    // Whether the phase of a parity is complete, into a place.
    func.func @test(%b: !llvm.ptr<3>, %parity: i32, %out: !out, %i: index) {
      %done = nvvm.mbarrier.test.wait %b, %parity : !llvm.ptr<3>, i32 -> i1
      %bit = arith.extui %done : i1 to i32
      memref.store %bit, %out[%i] : !out
      return
    }

    // Two arrivals complete a phase. Before and after each.
    gpu.func @phases(%out: !out) workgroup(%object: !object) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %one = arith.constant 1 : i32
      %two = arith.constant 2 : i32
      %b = func.call @pointer(%object) : (!object) -> !llvm.ptr<3>
      nvvm.mbarrier.init %b, %two : !llvm.ptr<3>, i32
      scf.for %i = %c0 to %c4 step %c1 {
        %number = arith.index_cast %i : index to i32
        %parity = arith.andi %number, %one : i32
        %twice = arith.muli %i, %c2 : index
        %next = arith.addi %twice, %c1 : index
        %s0 = nvvm.mbarrier.arrive %b : !llvm.ptr<3> -> i64
        func.call @test(%b, %parity, %out, %twice)
            : (!llvm.ptr<3>, i32, !out, index) -> ()
        %s1 = nvvm.mbarrier.arrive %b : !llvm.ptr<3> -> i64
        func.call @test(%b, %parity, %out, %next)
            : (!llvm.ptr<3>, i32, !out, index) -> ()
      }
      nvvm.mbarrier.inval %b : !llvm.ptr<3>
      gpu.return
    }

    // Three arrivals at once; one of the three leaves for good; from then on two do.
    gpu.func @drop(%out: !out) workgroup(%object: !object) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c5 = arith.constant 5 : index
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %two = arith.constant 2 : i32
      %three = arith.constant 3 : i32
      %b = func.call @pointer(%object) : (!object) -> !llvm.ptr<3>
      nvvm.mbarrier.init %b, %three : !llvm.ptr<3>, i32
      %s0 = nvvm.mbarrier.arrive %b, %two : !llvm.ptr<3> -> i64
      func.call @test(%b, %zero, %out, %c0) : (!llvm.ptr<3>, i32, !out, index) -> ()
      %s1 = nvvm.mbarrier.arrive_drop %b : !llvm.ptr<3> -> i64
      func.call @test(%b, %zero, %out, %c1) : (!llvm.ptr<3>, i32, !out, index) -> ()
      %s2 = nvvm.mbarrier.arrive.nocomplete %b, %one : !llvm.ptr<3>, i32 -> i64
      func.call @test(%b, %one, %out, %c2) : (!llvm.ptr<3>, i32, !out, index) -> ()
      %s3 = nvvm.mbarrier.arrive %b : !llvm.ptr<3> -> i64
      func.call @test(%b, %one, %out, %c3) : (!llvm.ptr<3>, i32, !out, index) -> ()
      // By state: the phase of s3 is complete, the one after it is not.
      %done = nvvm.mbarrier.test.wait %b, %s3 : !llvm.ptr<3>, i64 -> i1
      %bit = arith.extui %done : i1 to i32
      memref.store %bit, %out[%c4] : !out
      %s4 = nvvm.mbarrier.arrive %b : !llvm.ptr<3> -> i64
      %later = nvvm.mbarrier.test.wait %b, %s4 : !llvm.ptr<3>, i64 -> i1
      %bit4 = arith.extui %later : i1 to i32
      memref.store %bit4, %out[%c5] : !out
      nvvm.mbarrier.inval %b : !llvm.ptr<3>
      // The memory is free for something else, and for another mbarrier.
      nvvm.mbarrier.init %b, %one : !llvm.ptr<3>, i32
      nvvm.mbarrier.inval %b : !llvm.ptr<3>
      gpu.return
    }

    // A phase waits for 64 bytes, too. Thread 32 stands for the copy that brings them.
    gpu.func @bytes(%out: !out) workgroup(%object: !object, %w: !word) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c32 = arith.constant 32 : index
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %half = arith.constant 32 : i32
      %all = arith.constant 64 : i32
      %value = arith.constant 77 : i32
      %ticks = arith.constant 1000 : i32
      %tid = gpu.thread_id x
      %b = func.call @pointer(%object) : (!object) -> !llvm.ptr<3>
      %first = arith.cmpi eq, %tid, %c0 : index
      scf.if %first {
        nvvm.mbarrier.init %b, %one : !llvm.ptr<3>, i32
        %s = nvvm.mbarrier.arrive.expect_tx %b, %all : !llvm.ptr<3>, i32 -> i64
        func.call @test(%b, %zero, %out, %c0)
            : (!llvm.ptr<3>, i32, !out, index) -> ()
      }
      gpu.barrier
      %copies = arith.cmpi eq, %tid, %c32 : index
      scf.if %copies {
        nvvm.mbarrier.complete_tx %b, %half : !llvm.ptr<3>, i32
        func.call @test(%b, %zero, %out, %c1)
            : (!llvm.ptr<3>, i32, !out, index) -> ()
        memref.store %value, %w[%c0] : !word
        nvvm.mbarrier.complete_tx %b, %half : !llvm.ptr<3>, i32
        func.call @test(%b, %zero, %out, %c2)
            : (!llvm.ptr<3>, i32, !out, index) -> ()
      }
      nvvm.mbarrier.try_wait.parity %b, %zero, %ticks : !llvm.ptr<3>, i32, i32
      scf.if %first {
        %brought = memref.load %w[%c0] : !word
        memref.store %brought, %out[%c3] : !out
      }
      gpu.return
    }
  }

  func.func @print(%out: !out) {
    %c0 = arith.constant 0 : index
    %v = vector.load %out[%c0] : !out, vector<8xi32>
    vector.print %v : vector<8xi32>
    %zeros = arith.constant dense<0> : vector<8xi32>
    vector.store %zeros, %out[%c0] : !out, vector<8xi32>
    return
  }

  func.func @main() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c0 = arith.constant 0 : index
    %out = memref.alloc() : !out
    %zeros = arith.constant dense<0> : vector<8xi32>
    vector.store %zeros, %out[%c0] : !out, vector<8xi32>
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>

    vector.print str "phases: "
    gpu.launch_func @kernels::@phases blocks in (%c1, %c1, %c1)
        threads in (%c1, %c1, %c1) args(%out : !out)
    call @print(%out) : (!out) -> ()
    vector.print str "drop: "
    gpu.launch_func @kernels::@drop blocks in (%c1, %c1, %c1)
        threads in (%c1, %c1, %c1) args(%out : !out)
    call @print(%out) : (!out) -> ()
    vector.print str "bytes: "
    gpu.launch_func @kernels::@bytes blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%out : !out)
    call @print(%out) : (!out) -> ()
    return
  }
}
