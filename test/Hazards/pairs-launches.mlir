// Launches of kernels for pairs of CTAs: the blocks of a cluster are to be an even
// number. What has no peer faults on the emulator.

// RUN: tmem-opt %s --tmem-check-hazards -verify-diagnostics -o /dev/null
// RUN: tmem-run %s --entry=right --race --seeds=2 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=without --seeds=2 2>&1 | FileCheck %s --check-prefix=PEER
// RUN: %exits_1 tmem-run %s --entry=odd --seeds=2 2>&1 | FileCheck %s --check-prefix=PEER

// PEER: error: expected a peer in the cluster for .cta_group::2

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32

    llvm.func @lone() attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
      %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
      // expected-warning @+1 {{undecided: whether each CTA has a peer: a launch has clusters of an odd number of blocks}}
      tmem.alloc %slot, 32 cta_group(2) : !llvm.ptr<3>
      nvvm.barrier0
      %base = llvm.load %slot : !llvm.ptr<3> -> i32
      nvvm.cluster.arrive
      nvvm.cluster.wait
      tmem.dealloc %base, 32 cta_group(2)
      llvm.return
    }

    llvm.func @odd_cluster() attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
      %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
      // expected-warning @+1 {{undecided: whether each CTA has a peer: a launch has clusters of an odd number of blocks}}
      tmem.alloc %slot, 32 cta_group(2) : !llvm.ptr<3>
      nvvm.barrier0
      %base = llvm.load %slot : !llvm.ptr<3> -> i32
      nvvm.cluster.arrive
      nvvm.cluster.wait
      tmem.dealloc %base, 32 cta_group(2)
      llvm.return
    }

    llvm.func @right_pair() attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
      %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
      tmem.alloc %slot, 32 cta_group(2) : !llvm.ptr<3>
      nvvm.barrier0
      %base = llvm.load %slot : !llvm.ptr<3> -> i32
      nvvm.cluster.arrive
      nvvm.cluster.wait
      tmem.dealloc %base, 32 cta_group(2)
      llvm.return
    }
  }

  func.func @without() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@lone
        blocks in (%c2, %c1, %c1) threads in (%c32, %c1, %c1)
    return
  }
  func.func @odd() {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@odd_cluster clusters in (%c3, %c1, %c1)
        blocks in (%c3, %c1, %c1) threads in (%c32, %c1, %c1)
    return
  }
  func.func @right() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@right_pair clusters in (%c1, %c2, %c1)
        blocks in (%c2, %c2, %c1) threads in (%c32, %c1, %c1)
    // RIGHT: no fault
    vector.print str "no fault\n"
    return
  }
}
