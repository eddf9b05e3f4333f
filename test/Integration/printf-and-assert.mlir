// gpu.printf, assertions, traps, and what a thread does to itself.

// RUN: tmem-run %s | FileCheck %s
// RUN: %exits_1 tmem-run %s --entry=assertion 2>&1 | FileCheck %s --check-prefix=ASSERT
// RUN: %exits_1 tmem-run %s --entry=trap 2>&1 | FileCheck %s --check-prefix=TRAP
// RUN: %exits_1 tmem-run %s --entry=null 2>&1 | FileCheck %s --check-prefix=NULL
// RUN: %exits_1 tmem-run %s --entry=recursion 2>&1 | FileCheck %s --check-prefix=STACK
// RUN: %exits_1 tmem-run %s --entry=result

// CHECK-DAG: block 1 thread 3: 7 -8 12345678901 1.500000 2.25 ff c
// CHECK-DAG: 100%
// CHECK-DAG: no arguments
// CHECK: end of the program

!out = memref<4xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @prints(%v: i32, %w: i32, %long: i64, %f: f32, %d: f64) kernel {
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %block = gpu.block_id x
      %tid = gpu.thread_id x
      %is_block = arith.cmpi eq, %block, %c1 : index
      %is_thread = arith.cmpi eq, %tid, %c3 : index
      %is = arith.andi %is_block, %is_thread : i1
      %hex = arith.constant 255 : i32
      %letter = arith.constant 99 : i32
      scf.if %is {
        gpu.printf "block %lld thread %lld: %d %i %lld %f %g %x %c\n", %block, %tid, %v, %w, %long, %f, %d, %hex, %letter : index, index, i32, i32, i64, f32, f64, i32, i32
        gpu.printf "100%%\n"
        gpu.printf "no arguments\n"
      }
      gpu.return
    }

    gpu.func @asserts(%limit: index) kernel {
      %tid = gpu.thread_id x
      %small = arith.cmpi ult, %tid, %limit : index
      // ASSERT: error: {{.*}}thread is small
      // ASSERT-SAME: thread 5,0,0
      cf.assert %small, "thread is small"
      gpu.return
    }

    gpu.func @traps(%which: index) kernel {
      %tid = gpu.thread_id x
      %is = arith.cmpi eq, %tid, %which : index
      scf.if %is {
        // TRAP: printf-and-assert.mlir:[[@LINE+1]]:{{[0-9]+}}: {{.*}}trap{{.*}}: error: {{.*}}thread 7,0,0
        llvm.intr.trap
      }
      gpu.return
    }

    // NULL: error: {{.*}}kernel writes_null, block 0,0,0
    gpu.func @writes_null(%address: i64) kernel {
      %zero = arith.constant 0 : i32
      %p = llvm.inttoptr %address : i64 to !llvm.ptr
      llvm.store volatile %zero, %p : i32, !llvm.ptr
      gpu.return
    }

    func.func @deep(%n: i64, %p: !llvm.ptr) -> i64 {
      %c0 = arith.constant 0 : i64
      %c1 = arith.constant 1 : i64
      %c512 = arith.constant 512 : i32
      %more = arith.cmpi ne, %n, %c0 : i64
      %r = scf.if %more -> i64 {
        // Each level keeps 4 KiB that the next one writes to.
        %q = llvm.alloca %c512 x i64 : (i32) -> !llvm.ptr
        llvm.store volatile %n, %q : i64, !llvm.ptr
        %m = arith.subi %n, %c1 : i64
        %s = func.call @deep(%m, %q) : (i64, !llvm.ptr) -> i64
        %t = llvm.load volatile %q : !llvm.ptr -> i64
        %u = arith.addi %s, %t : i64
        scf.yield %u : i64
      } else {
        llvm.store volatile %c0, %p : i64, !llvm.ptr
        scf.yield %c0 : i64
      }
      return %r : i64
    }

    // STACK: error: {{.*}}stack
    // STACK-SAME: kernel deep_calls, block 0,0,0
    gpu.func @deep_calls(%n: i64, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : i32
      %q = llvm.alloca %c1 x i64 : (i32) -> !llvm.ptr
      %r = func.call @deep(%n, %q) : (i64, !llvm.ptr) -> i64
      %s = arith.trunci %r : i64 to i32
      memref.store %s, %out[%c0] : !out
      gpu.return
    }
  }

  func.func @main() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %v = arith.constant 7 : i32
    %w = arith.constant -8 : i32
    %long = arith.constant 12345678901 : i64
    %f = arith.constant 1.5 : f32
    %d = arith.constant 2.25 : f64
    gpu.launch_func @kernels::@prints blocks in (%c2, %c1, %c1)
        threads in (%c32, %c1, %c1)
        args(%v : i32, %w : i32, %long : i64, %f : f32, %d : f64)
    gpu.launch_func @kernels::@asserts blocks in (%c2, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%c32 : index)
    gpu.launch_func @kernels::@traps blocks in (%c2, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%c32 : index)
    %n = arith.constant 4 : i64
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@deep_calls blocks in (%c1, %c1, %c1)
        threads in (%c1, %c1, %c1) args(%n : i64, %out : !out)
    vector.print str "end of the program\n"
    return
  }
  func.func @assertion() {
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@asserts blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%c5 : index)
    return
  }
  func.func @trap() {
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@traps blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%c7 : index)
    return
  }
  func.func @null() {
    %c1 = arith.constant 1 : index
    %address = arith.constant 8 : i64
    gpu.launch_func @kernels::@writes_null blocks in (%c1, %c1, %c1)
        threads in (%c1, %c1, %c1) args(%address : i64)
    return
  }
  func.func @recursion() {
    %c1 = arith.constant 1 : index
    %n = arith.constant 1000000 : i64
    %out = memref.alloc() : !out
    gpu.launch_func @kernels::@deep_calls blocks in (%c1, %c1, %c1)
        threads in (%c1, %c1, %c1) args(%n : i64, %out : !out)
    return
  }
  // What the program returns is its status.
  func.func @result() -> i32 {
    %c3 = arith.constant 3 : i32
    return %c3 : i32
  }
}
