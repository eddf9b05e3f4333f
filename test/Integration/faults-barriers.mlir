// Rules of named barriers, of barriers of a cluster and of member masks, broken and
// kept.

// RUN: tmem-run %s --entry=right | FileCheck %s --check-prefix=RIGHT
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=number_16 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: %exits_1 tmem-run %s --entry=arrive_twice 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: %exits_1 tmem-run %s --entry=reduction_and_sync 2>&1 | FileCheck %s --check-prefix=MIXED
// RUN: %exits_1 tmem-run %s --entry=two_counts 2>&1 | FileCheck %s --check-prefix=COUNTS
// RUN: %exits_1 tmem-run %s --entry=cluster_wait_alone 2>&1 | FileCheck %s --check-prefix=WAIT
// RUN: %exits_1 tmem-run %s --entry=cluster_arrive_twice 2>&1 | FileCheck %s --check-prefix=ARRIVE
// RUN: %exits_1 tmem-run %s --entry=two_masks 2>&1 | FileCheck %s --check-prefix=MASKS
// RUN: %exits_1 tmem-run %s --entry=mask_of_others 2>&1 | FileCheck %s --check-prefix=OTHERS

module attributes {gpu.container_module} {
  // CTAs of two warps.
  gpu.module @kernels {
    func.func @is_first_warp() -> i1 {
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %is_first = arith.cmpi ult, %tid, %c32 : index
      return %is_first : i1
    }

    gpu.func @number(%id: i32) kernel {
      // NUMBER: faults-barriers.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.barrier: error: {{.*}}barrier 0 to 15, but got 16
      nvvm.barrier id = %id
      gpu.return
    }

    // The first warp arrives for the second, and once more before it has come.
    gpu.func @twice(%twice: i1) kernel {
      %c1 = arith.constant 1 : i32
      %c64 = arith.constant 64 : i32
      %first = func.call @is_first_warp() : () -> i1
      scf.if %first {
        nvvm.barrier.arrive id = %c1 number_of_threads = %c64
        scf.if %twice {
          // TWICE: faults-barriers.mlir:[[@LINE+1]]:{{[0-9]+}}: {{.*}}: error: warp 0 arrives at barrier 1 again
          nvvm.barrier.arrive id = %c1 number_of_threads = %c64
        }
      }
      // The order of the two is the same in every run.
      gpu.barrier
      %true = arith.constant true
      %second = arith.xori %first, %true : i1
      scf.if %second {
        nvvm.barrier id = %c1 number_of_threads = %c64
      }
      gpu.return
    }

    gpu.func @mixed(%mixed: i1) kernel {
      %c1 = arith.constant 1 : i32
      %first = func.call @is_first_warp() : () -> i1
      %true = arith.constant true
      %second = arith.xori %first, %true : i1
      %other = arith.andi %second, %mixed : i1
      scf.if %other {
        // MIXED: faults-barriers.mlir:{{[0-9]+}}:{{[0-9]+}}: nvvm.barrier: error: expected .{{red|sync}} at barrier 0
        // MIXED: faults-barriers.mlir:{{[0-9]+}}:{{[0-9]+}}: nvvm.barrier: note:
        nvvm.barrier
      } else {
        %any = nvvm.barrier #nvvm.reduction<or> %c1 -> i32
      }
      gpu.return
    }

    // The second warp means another number of threads.
    gpu.func @counts(%fewer: i32) kernel {
      %c1 = arith.constant 1 : i32
      %c64 = arith.constant 64 : i32
      %first = func.call @is_first_warp() : () -> i1
      %other = arith.subi %c64, %fewer : i32
      %n = arith.select %first, %c64, %other : i32
      // COUNTS: faults-barriers.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.barrier: error: expected {{64|32}} threads at barrier 1
      nvvm.barrier id = %c1 number_of_threads = %n
      gpu.return
    }

    gpu.func @cluster(%arrives: i1, %again: i1) kernel {
      scf.if %arrives {
        nvvm.cluster.arrive
      }
      scf.if %again {
        // ARRIVE: faults-barriers.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.cluster.arrive{{.*}}: error: {{.*}}has arrived at the cluster barrier before
        nvvm.cluster.arrive
      }
      // WAIT: faults-barriers.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.cluster.wait: error: {{.*}}has not arrived at the cluster barrier
      nvvm.cluster.wait
      gpu.return
    }

    // Lanes 0 to 15 name %low, the others %high.
    gpu.func @masks(%low: i32, %high: i32, %out: memref<64xi32>) kernel {
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %lane = arith.remui %tid, %c32 : index
      %is_low = arith.cmpi ult, %lane, %c16 : index
      %mask = arith.select %is_low, %low, %high : i32
      // MASKS: faults-barriers.mlir:[[@LINE+2]]:{{[0-9]+}}: nvvm.vote.sync: error: expected the same member mask
      // OTHERS: faults-barriers.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.vote.sync: error: expected a member mask with the lane that names it
      %ballot = nvvm.vote.sync ballot %mask, %is_low -> i32
      memref.store %ballot, %out[%tid] : memref<64xi32>
      gpu.return
    }
  }

  func.func @number_of(%id: i32) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 64 : index
    gpu.launch_func @kernels::@number blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%id : i32)
    return
  }
  func.func @twice_of(%twice: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 64 : index
    gpu.launch_func @kernels::@twice blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%twice : i1)
    return
  }
  func.func @mixed_of(%mixed: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 64 : index
    gpu.launch_func @kernels::@mixed blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%mixed : i1)
    return
  }
  func.func @counts_of(%fewer: i32) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 64 : index
    gpu.launch_func @kernels::@counts blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%fewer : i32)
    return
  }
  func.func @cluster_of(%arrives: i1, %again: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 64 : index
    gpu.launch_func @kernels::@cluster blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%arrives : i1, %again : i1)
    return
  }
  func.func @masks_of(%low: i32, %high: i32) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 64 : index
    %out = memref.alloc() : memref<64xi32>
    %unranked = memref.cast %out : memref<64xi32> to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@masks blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%low : i32, %high : i32, %out : memref<64xi32>)
    return
  }
  func.func @two_masks() {
    %low = arith.constant 0x0001FFFF : i32
    %high = arith.constant 0xFFFF0001 : i32
    call @masks_of(%low, %high) : (i32, i32) -> ()
    return
  }
  func.func @mask_of_others() {
    %low = arith.constant 0x0000FFFF : i32
    call @masks_of(%low, %low) : (i32, i32) -> ()
    return
  }
  func.func @number_16() {
    %c16 = arith.constant 16 : i32
    call @number_of(%c16) : (i32) -> ()
    return
  }
  func.func @arrive_twice() {
    %true = arith.constant true
    call @twice_of(%true) : (i1) -> ()
    return
  }
  func.func @reduction_and_sync() {
    %true = arith.constant true
    call @mixed_of(%true) : (i1) -> ()
    return
  }
  func.func @two_counts() {
    %c32 = arith.constant 32 : i32
    call @counts_of(%c32) : (i32) -> ()
    return
  }
  func.func @cluster_wait_alone() {
    %false = arith.constant false
    call @cluster_of(%false, %false) : (i1, i1) -> ()
    return
  }
  func.func @cluster_arrive_twice() {
    %true = arith.constant true
    call @cluster_of(%true, %true) : (i1, i1) -> ()
    return
  }

  // RIGHT: no fault
  func.func @right() {
    %c15 = arith.constant 15 : i32
    %c0 = arith.constant 0 : i32
    %false = arith.constant false
    %true = arith.constant true
    call @number_of(%c15) : (i32) -> ()
    call @number_of(%c0) : (i32) -> ()
    call @twice_of(%false) : (i1) -> ()
    call @mixed_of(%false) : (i1) -> ()
    call @counts_of(%c0) : (i32) -> ()
    call @cluster_of(%true, %false) : (i1, i1) -> ()
    call @cluster_of(%false, %true) : (i1, i1) -> ()
    %low = arith.constant 0x0000FFFF : i32
    %high = arith.constant 0xFFFF0000 : i32
    %all = arith.constant 0xFFFFFFFF : i32
    call @masks_of(%low, %high) : (i32, i32) -> ()
    call @masks_of(%all, %all) : (i32, i32) -> ()
    vector.print str "no fault\n"
    return
  }
}
