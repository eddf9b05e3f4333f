// Pairs of CTAs. Each kernel is wrong, is found, and faults on the emulator; each has a
// twin that is right.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(llvm.func(tmem-check-hazards{report=warning undecided=error})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=run_H20_row7_freed_while_the_peer_allocates --seeds=3 2>&1 | FileCheck %s --check-prefixes=E0,EVERY
// RUN: %exits_1 tmem-run %s --entry=run_H20_arrives_before_the_alloc --seeds=3 2>&1 | FileCheck %s --check-prefixes=E3,EVERY
// RUN: %exits_1 tmem-run %s --entry=run_H9_two_groups_in_a_pair --seeds=3 2>&1 | FileCheck %s --check-prefixes=E1,EVERY
// RUN: %exits_1 tmem-run %s --entry=run_H6_pair_never_frees --seeds=3 2>&1 | FileCheck %s --check-prefixes=E2,EVERY

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32

    llvm.func @H20_row7_freed_while_the_peer_allocates()
        attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
      %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
      tmem.alloc %slot, 32 cta_group(2) : !llvm.ptr<3>
      nvvm.barrier0
      %base = llvm.load %slot : !llvm.ptr<3> -> i32
      // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected a barrier of the cluster between the alloc and the dealloc
      // CHECK: note: rule H20:
      // E0: pairs.mlir:[[@LINE+1]]:{{[0-9]+}}: {{.*}}tcgen05.dealloc{{.*}}: error: dealloc is not ordered after the alloc of the peer
      tmem.dealloc %base, 32 cta_group(2)
      llvm.return
    }

    llvm.func @right_H20_row7()
        attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
      %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
      tmem.alloc %slot, 32 cta_group(2) : !llvm.ptr<3>
      nvvm.barrier0
      %base = llvm.load %slot : !llvm.ptr<3> -> i32
      nvvm.cluster.arrive
      nvvm.cluster.wait
      tmem.dealloc %base, 32 cta_group(2)
      llvm.return
    }

    llvm.func @H20_arrives_before_the_alloc()
        attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
      %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
      nvvm.cluster.arrive
      tmem.alloc %slot, 32 cta_group(2) : !llvm.ptr<3>
      nvvm.cluster.wait
      nvvm.barrier0
      %base = llvm.load %slot : !llvm.ptr<3> -> i32
      // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected a barrier of the cluster between the alloc and the dealloc
      // CHECK: note: rule H20:
      // E3: pairs.mlir:[[@LINE+1]]:{{[0-9]+}}: {{.*}}tcgen05.dealloc{{.*}}: error: dealloc is not ordered after the alloc of the peer
      tmem.dealloc %base, 32 cta_group(2)
      llvm.return
    }

    // One warp allocates, another one waits for the cluster and frees.
    llvm.func @right_H20_other_warp()
        attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
      %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
      %i32 = llvm.mlir.constant(32 : i32) : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %first = llvm.icmp "ult" %tid, %i32 : i32
      scf.if %first {
        tmem.alloc %slot, 32 cta_group(2) : !llvm.ptr<3>
        nvvm.cluster.arrive
        nvvm.cluster.wait
      } else {
        nvvm.cluster.arrive
        nvvm.cluster.wait
        %base = llvm.load %slot : !llvm.ptr<3> -> i32
        tmem.dealloc %base, 32 cta_group(2)
      }
      llvm.return
    }

    llvm.func @H9_two_groups_in_a_pair()
        attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
      %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
      tmem.alloc %slot, 32 cta_group(2) : !llvm.ptr<3>
      // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected cta_group::2 as everywhere in the kernel, but got cta_group::1
      // CHECK: note: rule H9:
      // E1: pairs.mlir:[[@LINE+1]]:{{[0-9]+}}: {{.*}}tcgen05.relinq{{.*}}: error: expected .cta_group::2, as everywhere else in the kernel, but got .cta_group::1
      tmem.relinquish_alloc_permit
      nvvm.barrier0
      %base = llvm.load %slot : !llvm.ptr<3> -> i32
      nvvm.cluster.arrive
      nvvm.cluster.wait
      tmem.dealloc %base, 32 cta_group(2)
      llvm.return
    }

    llvm.func @right_H9_in_a_pair()
        attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
      %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
      tmem.alloc %slot, 32 cta_group(2) : !llvm.ptr<3>
      tmem.relinquish_alloc_permit cta_group(2)
      nvvm.barrier0
      %base = llvm.load %slot : !llvm.ptr<3> -> i32
      nvvm.cluster.arrive
      nvvm.cluster.wait
      tmem.dealloc %base, 32 cta_group(2)
      llvm.return
    }

    llvm.func @H6_pair_never_frees()
        attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
      %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
      // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected the columns to be freed before the kernel ends
      // CHECK: note: rule H6:
      // E2: pairs.mlir:[[@LINE+1]]:{{[0-9]+}}: {{.*}}tcgen05.alloc{{.*}}: error: 32 columns at column {{[0-9]+}} were never deallocated
      tmem.alloc %slot, 32 cta_group(2) : !llvm.ptr<3>
      llvm.return
    }
  }

  func.func @run_H20_row7_freed_while_the_peer_allocates() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@H20_row7_freed_while_the_peer_allocates
        clusters in (%c2, %c1, %c1)
        blocks in (%c2, %c1, %c1) threads in (%c32, %c1, %c1)
    return
  }
  func.func @run_H20_arrives_before_the_alloc() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@H20_arrives_before_the_alloc
        clusters in (%c2, %c1, %c1)
        blocks in (%c2, %c1, %c1) threads in (%c32, %c1, %c1)
    return
  }
  func.func @run_H9_two_groups_in_a_pair() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@H9_two_groups_in_a_pair
        clusters in (%c2, %c1, %c1)
        blocks in (%c2, %c1, %c1) threads in (%c32, %c1, %c1)
    return
  }
  func.func @run_H6_pair_never_frees() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@H6_pair_never_frees
        clusters in (%c2, %c1, %c1)
        blocks in (%c2, %c1, %c1) threads in (%c32, %c1, %c1)
    return
  }

  // RIGHT: no fault
  func.func @right() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@right_H20_row7 clusters in (%c2, %c1, %c1)
        blocks in (%c4, %c1, %c1) threads in (%c32, %c1, %c1)
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@right_H20_other_warp clusters in (%c2, %c1, %c1)
        blocks in (%c2, %c1, %c1) threads in (%c64, %c1, %c1)
    gpu.launch_func @kernels::@right_H9_in_a_pair clusters in (%c4, %c1, %c1)
        blocks in (%c4, %c2, %c1) threads in (%c32, %c1, %c1)
    vector.print str "no fault\n"
    return
  }
}

// EVERY: 3 seeds: 0 clean, 3 with a fault
