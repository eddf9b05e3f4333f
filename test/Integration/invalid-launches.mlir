// Launches over the limits of the hardware, or of what the kernel says of itself.

// RUN: tmem-run %s --entry=right | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_2 tmem-run %s --entry=threads 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: %exits_2 tmem-run %s --entry=threads_in_z 2>&1 | FileCheck %s --check-prefix=Z
// RUN: %exits_2 tmem-run %s --entry=blocks_in_y 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: %exits_2 tmem-run %s --entry=no_threads 2>&1 | FileCheck %s --check-prefix=NO-THREADS
// RUN: %exits_2 tmem-run %s --entry=most_threads 2>&1 | FileCheck %s --check-prefix=MOST
// RUN: %exits_2 tmem-run %s --entry=required_threads 2>&1 | FileCheck %s --check-prefix=REQUIRED
// RUN: %exits_2 tmem-run %s --entry=registers 2>&1 | FileCheck %s --check-prefix=REGISTERS
// RUN: %exits_2 tmem-run %s --entry=cluster_of_17 2>&1 | FileCheck %s --check-prefix=OF-17
// RUN: %exits_2 tmem-run %s --entry=cluster_of_32 2>&1 | FileCheck %s --check-prefix=OF-32
// RUN: %exits_2 tmem-run %s --entry=parts_of_clusters 2>&1 | FileCheck %s --check-prefix=PARTS
// RUN: %exits_2 tmem-run %s --entry=other_cluster 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: %exits_2 tmem-run %s --entry=odd_grid 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: %exits_2 tmem-run %s --entry=over_max_blocks 2>&1 | FileCheck %s --check-prefix=MAX-BLOCKS
// RUN: %exits_2 tmem-run %s --entry=out_of_memory 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: %exits_2 tmem-run %s --entry=freed_twice 2>&1 | FileCheck %s --check-prefix=FREE
// RUN: %exits_2 tmem-run %s --entry=dynamic_memory 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// RUN: %exits_2 tmem-run %s --entry=both_memories 2>&1 | FileCheck %s --check-prefix=BOTH

!out = memref<4xi32>
!large = memref<10240xi32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @any(%out: !out) kernel {
      gpu.return
    }
    gpu.func @at_most_128(%out: !out) kernel
        attributes {nvvm.maxntid = array<i32: 128, 1, 1>} {
      gpu.return
    }
    gpu.func @exactly_128(%out: !out) kernel
        attributes {nvvm.reqntid = array<i32: 128, 1, 1>} {
      gpu.return
    }
    gpu.func @in_pairs(%out: !out) kernel
        attributes {nvvm.cluster_dim = array<i32: 2>} {
      gpu.return
    }
    gpu.func @at_most_4_blocks(%out: !out) kernel
        attributes {nvvm.cluster_max_blocks = 4 : i32} {
      gpu.return
    }
    gpu.func @with_255_registers(%out: !out) kernel
        attributes {nvvm.maxnreg = 255} {
      gpu.return
    }
    gpu.func @with_static(%out: !out) workgroup(%w : !large) kernel {
      %zero = arith.constant 0 : i32
      %tid = gpu.thread_id x
      memref.store %zero, %w[%tid] : !large
      gpu.return
    }
  }

  func.func @launch(%gx: index, %gy: index, %x: index, %y: index, %z: index,
                    %bytes: i32) {
    %c1 = arith.constant 1 : index
    %out = memref.alloc() : !out
    gpu.launch_func @kernels::@any blocks in (%gx, %gy, %c1)
        threads in (%x, %y, %z) dynamic_shared_memory_size %bytes
        args(%out : !out)
    return
  }
  func.func @launch_at_most_128(%x: index) {
    %c1 = arith.constant 1 : index
    %out = memref.alloc() : !out
    gpu.launch_func @kernels::@at_most_128 blocks in (%c1, %c1, %c1)
        threads in (%x, %c1, %c1) args(%out : !out)
    return
  }
  func.func @launch_exactly_128(%x: index) {
    %c1 = arith.constant 1 : index
    %out = memref.alloc() : !out
    gpu.launch_func @kernels::@exactly_128 blocks in (%c1, %c1, %c1)
        threads in (%x, %c1, %c1) args(%out : !out)
    return
  }
  func.func @launch_registers(%x: index) {
    %c1 = arith.constant 1 : index
    %out = memref.alloc() : !out
    gpu.launch_func @kernels::@with_255_registers blocks in (%c1, %c1, %c1)
        threads in (%x, %c1, %c1) args(%out : !out)
    return
  }
  func.func @launch_static(%bytes: i32) {
    %c1 = arith.constant 1 : index
    %out = memref.alloc() : !out
    gpu.launch_func @kernels::@with_static blocks in (%c1, %c1, %c1)
        threads in (%c1, %c1, %c1) dynamic_shared_memory_size %bytes
        args(%out : !out)
    return
  }

  // THREADS: tmem emulation: error: {{.*}}1024{{.*}}1056
  func.func @threads() {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c11 = arith.constant 11 : index
    %c32 = arith.constant 32 : index
    call @launch(%c1, %c1, %c32, %c11, %c3, %c0)
        : (index, index, index, index, index, i32) -> ()
    return
  }
  // Z: tmem emulation: error: {{.*}}64{{.*}}65
  func.func @threads_in_z() {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : index
    %c65 = arith.constant 65 : index
    call @launch(%c1, %c1, %c1, %c1, %c65, %c0)
        : (index, index, index, index, index, i32) -> ()
    return
  }
  // BLOCKS: tmem emulation: error: {{.*}}65535{{.*}}65536
  func.func @blocks_in_y() {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : index
    %c65536 = arith.constant 65536 : index
    call @launch(%c1, %c65536, %c1, %c1, %c1, %c0)
        : (index, index, index, index, index, i32) -> ()
    return
  }
  // NO-THREADS: tmem emulation: error: {{.*}}but got {{.*}}0
  func.func @no_threads() {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : index
    %none = arith.constant 0 : index
    call @launch(%c1, %c1, %none, %c1, %c1, %c0)
        : (index, index, index, index, index, i32) -> ()
    return
  }
  // MOST: tmem emulation: error: {{.*}}128{{.*}}but got 256
  func.func @most_threads() {
    %c256 = arith.constant 256 : index
    call @launch_at_most_128(%c256) : (index) -> ()
    return
  }
  // REQUIRED: tmem emulation: error: {{.*}}128,1,1{{.*}}but got 64,1,1
  func.func @required_threads() {
    %c64 = arith.constant 64 : index
    call @launch_exactly_128(%c64) : (index) -> ()
    return
  }
  // REGISTERS: tmem emulation: error: {{.*}}65536 registers
  func.func @registers() {
    %c288 = arith.constant 288 : index
    call @launch_registers(%c288) : (index) -> ()
    return
  }
  func.func @launch_clusters(%x: index, %y: index, %blocks: index) {
    %c1 = arith.constant 1 : index
    %out = memref.alloc() : !out
    gpu.launch_func @kernels::@any clusters in (%x, %y, %c1)
        blocks in (%blocks, %y, %c1) threads in (%c1, %c1, %c1) args(%out : !out)
    memref.dealloc %out : !out
    return
  }
  // OF-17: tmem emulation: error: {{.*}}expected clusters of 1 to 16 blocks, but got 17,1,1
  func.func @cluster_of_17() {
    %c1 = arith.constant 1 : index
    %c17 = arith.constant 17 : index
    call @launch_clusters(%c17, %c1, %c17) : (index, index, index) -> ()
    return
  }
  // OF-32: tmem emulation: error: {{.*}}expected clusters of 1 to 16 blocks, but got 8,4,1
  func.func @cluster_of_32() {
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    call @launch_clusters(%c8, %c4, %c8) : (index, index, index) -> ()
    return
  }
  // PARTS: tmem emulation: error: {{.*}}expected a grid of whole clusters: a multiple of 2 blocks in x, but got 3
  func.func @parts_of_clusters() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    call @launch_clusters(%c2, %c1, %c3) : (index, index, index) -> ()
    return
  }
  // OTHER: tmem emulation: error: {{.*}}expected clusters of 2,1,1 blocks as its cluster_dim says, but got 1,1,1
  func.func @other_cluster() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %out = memref.alloc() : !out
    gpu.launch_func @kernels::@in_pairs clusters in (%c1, %c1, %c1)
        blocks in (%c2, %c1, %c1) threads in (%c1, %c1, %c1) args(%out : !out)
    return
  }
  // ODD: tmem emulation: error: {{.*}}a multiple of 2 blocks in x, but got 3
  func.func @odd_grid() {
    %c3 = arith.constant 3 : index
    call @launch_in_pairs(%c3) : (index) -> ()
    return
  }
  func.func @launch_in_pairs(%blocks: index) {
    %c1 = arith.constant 1 : index
    %out = memref.alloc() : !out
    gpu.launch_func @kernels::@in_pairs
        blocks in (%blocks, %c1, %c1) threads in (%c1, %c1, %c1) args(%out : !out)
    memref.dealloc %out : !out
    return
  }
  // MAX-BLOCKS: tmem emulation: error: {{.*}}expected clusters of 1 to 4 blocks as its cluster_max_blocks says, but got 5,1,1
  func.func @over_max_blocks() {
    %c5 = arith.constant 5 : index
    call @launch_at_most_4_blocks(%c5) : (index) -> ()
    return
  }
  func.func @launch_at_most_4_blocks(%blocks: index) {
    %c1 = arith.constant 1 : index
    %out = memref.alloc() : !out
    gpu.launch_func @kernels::@at_most_4_blocks clusters in (%blocks, %c1, %c1)
        blocks in (%blocks, %c1, %c1) threads in (%c1, %c1, %c1) args(%out : !out)
    memref.dealloc %out : !out
    return
  }
  // MEMORY: tmem emulation: error: {{.*}}out of memory
  func.func @out_of_memory() {
    %n = arith.constant 1125899906842624 : index
    %t0 = gpu.wait async
    %m, %t1 = gpu.alloc async [%t0] (%n) : memref<?xi32>
    gpu.wait [%t1]
    return
  }
  // FREE: tmem emulation: error: {{.*}}not freed yet
  func.func @freed_twice() {
    %t0 = gpu.wait async
    %m, %t1 = gpu.alloc async [%t0] () : memref<4xi32>
    %t2 = gpu.dealloc async [%t1] %m : memref<4xi32>
    %t3 = gpu.dealloc async [%t2] %m : memref<4xi32>
    gpu.wait [%t3]
    return
  }
  // DYNAMIC: tmem emulation: error: {{.*}}232448{{.*}}232452
  func.func @dynamic_memory() {
    %bytes = arith.constant 232452 : i32
    %c1 = arith.constant 1 : index
    call @launch(%c1, %c1, %c1, %c1, %c1, %bytes)
        : (index, index, index, index, index, i32) -> ()
    return
  }
  // BOTH: tmem emulation: error: {{.*}}232448
  func.func @both_memories() {
    %bytes = arith.constant 200000 : i32
    call @launch_static(%bytes) : (i32) -> ()
    return
  }

  // RIGHT: no error
  func.func @right() {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %most = arith.constant 232448 : i32
    %rest = arith.constant 191488 : i32
    call @launch(%c1, %c1, %c32, %c16, %c2, %c0)
        : (index, index, index, index, index, i32) -> ()
    call @launch(%c2, %c2, %c1, %c1, %c64, %most)
        : (index, index, index, index, index, i32) -> ()
    call @launch_at_most_128(%c64) : (index) -> ()
    call @launch_exactly_128(%c128) : (index) -> ()
    call @launch_static(%rest) : (i32) -> ()
    call @launch_registers(%c256) : (index) -> ()
    vector.print str "no error\n"
    return
  }
}
