// Blocks, loops that cannot be structured, code that is never reached, host code.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-check-hazards{report=warning undecided=error})' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:

!slot = memref<1xi32, #gpu.address_space<workgroup>>

// A loop with two entries: on some path there is no dealloc.
gpu.module @irreducible {
  gpu.func @H6_irreducible(%a: i1, %b: i1, %c: i1) workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected the columns to be freed before the kernel ends, but got a path without a dealloc
    // CHECK: note: rule H6:
    tmem.alloc %slot, 32 : !slot
    gpu.barrier
    %base = memref.load %slot[%c0] : !slot
    cf.cond_br %a, ^left, ^right
  ^left:
    cf.cond_br %b, ^right, ^free
  ^right:
    cf.cond_br %c, ^left, ^end
  ^free:
    tmem.dealloc %base, 32
    cf.br ^end
  ^end:
    gpu.return
  }

  gpu.func @right_irreducible(%a: i1, %b: i1, %c: i1) workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    tmem.alloc %slot, 32 : !slot
    gpu.barrier
    %base = memref.load %slot[%c0] : !slot
    cf.cond_br %a, ^left, ^right
  ^left:
    cf.cond_br %b, ^right, ^free
  ^right:
    cf.cond_br %c, ^left, ^free
  ^free:
    tmem.dealloc %base, 32
    gpu.return
  }

  gpu.func @never_reached() workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  ^nobody:
    tmem.alloc %slot, 32 : !slot
    cf.br ^nobody
  }

  // Whole warps leave early; nobody is missing at the barrier of the others.
  gpu.func @early_return() workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %leaves = arith.cmpi uge, %tid, %c32 : index
    cf.cond_br %leaves, ^end, ^stay
  ^stay:
    tmem.alloc %slot, 32 : !slot
    gpu.barrier
    %base = memref.load %slot[%c0] : !slot
    tmem.dealloc %base, 32
    cf.br ^end
  ^end:
    gpu.return
  }

  // The loop of one warp, the other passes by.
  gpu.func @loop_of_one_warp(%n: index) workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %mine = arith.cmpi ult, %tid, %c32 : index
    cf.cond_br %mine, ^loop(%c0 : index), ^end
  ^loop(%i: index):
    tmem.alloc %slot, 32 : !slot
    %all = arith.constant -1 : i32
    nvvm.bar.warp.sync %all : i32
    %base = memref.load %slot[%c0] : !slot
    tmem.dealloc %base, 32
    %next = arith.addi %i, %c1 : index
    %more = arith.cmpi ult, %next, %n : index
    cf.cond_br %more, ^loop(%next : index), ^end
  ^end:
    gpu.return
  }
}

// Helpers are checked where they are called.
module @calls {
  gpu.module @kernels {
    func.func @free(%base: i32) {
      tmem.dealloc %base, 32
      return
    }
    gpu.func @H7_twice_by_calls() workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 32, 1, 1>} {
      %c0 = arith.constant 0 : index
      tmem.alloc %slot, 32 : !slot
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      func.call @free(%base) : (i32) -> ()
      // CHECK: :[[@LINE-10]]:{{[0-9]+}}: warning: {{.*}}expected columns that are allocated, but they have been freed
      // CHECK: note: rule H7:
      func.call @free(%base) : (i32) -> ()
      gpu.return
    }
  }
}
