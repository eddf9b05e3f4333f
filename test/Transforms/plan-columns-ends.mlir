// All threads come to the barrier in front of the dealloc, and none of them meets there
// the others at an earlier one.

// RUN: tmem-opt %s --split-input-file --verify-diagnostics --tmem-plan-columns -o /dev/null

!acc = !tmem.view<128x64xf32, #tmem.datapath<D>>
gpu.module @kernels {
  gpu.func @B5_first_warp_exits(%x: vector<64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c32 = arith.constant 32 : index
    %a = tmem.buffer : !acc
    %tid = gpu.thread_id x
    %is_first = arith.cmpi ult, %tid, %c32 : index
    tmem.write %x, %a scope(warpgroup) : vector<64xf32>, !acc
    scf.if %is_first {
      // expected-error @below {{'nvvm.exit' op expected the first warp, which frees the columns of the buffers, to come to the end of the kernel, but it may exit here}}
      // expected-note @below {{rule B5: the threads of a kernel with buffers reach its barriers and its end together}}
      nvvm.exit
    }
    gpu.return
  }
}

// -----

!acc = !tmem.view<128x64xf32, #tmem.datapath<D>>
gpu.module @kernels {
  gpu.func @B5_a_lane_exits(%x: vector<64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c31 = arith.constant 31 : index
    %a = tmem.buffer : !acc
    %tid = gpu.thread_id x
    %is_lane = arith.cmpi eq, %tid, %c31 : index
    tmem.write %x, %a scope(warpgroup) : vector<64xf32>, !acc
    cf.cond_br %is_lane, ^end, ^on
  ^end:
    // expected-error @below {{but it may exit here}}
    // expected-note @below {{rule B5: }}
    llvm.inline_asm has_side_effects "exit;", "" : () -> ()
    cf.br ^on
  ^on:
    gpu.return
  }
}

// -----

// Whose predicate is not read.
!acc = !tmem.view<128x64xf32, #tmem.datapath<D>>
gpu.module @kernels {
  gpu.func @B5_exit_under_predicate(%x: vector<64xf32>, %n: i32) kernel {
    %a = tmem.buffer : !acc
    tmem.write %x, %a scope(warpgroup) : vector<64xf32>, !acc
    // expected-error @below {{but it may exit here}}
    // expected-note @below {{rule B5: }}
    llvm.inline_asm has_side_effects "{ .reg .pred p; setp.eq.u32 p, $0, 0; @p exit; }", "r" %n : (i32) -> ()
    gpu.return
  }
}

// -----

!acc = !tmem.view<128x64xf32, #tmem.datapath<D>>
gpu.module @kernels {
  func.func @leave() {
    llvm.call_intrinsic "llvm.nvvm.exit"() : () -> ()
    return
  }
  gpu.func @B5_callee_exits(%x: vector<64xf32>) kernel {
    %a = tmem.buffer : !acc
    tmem.write %x, %a scope(warpgroup) : vector<64xf32>, !acc
    // expected-error @below {{but it may exit here}}
    // expected-note @below {{rule B5: }}
    func.call @leave() : () -> ()
    gpu.return
  }
}

// -----

// Right without buffers: the first four warps have ended, and are not waited for.
!acc = !tmem.view<128x64xf32, #tmem.datapath<D>>
gpu.module @kernels {
  gpu.func @B5_barrier_of_others(%x: vector<64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c128 = arith.constant 128 : index
    %a = tmem.buffer : !acc
    %tid = gpu.thread_id x
    %is_high = arith.cmpi uge, %tid, %c128 : index
    scf.if %is_high {
      tmem.write %x, %a scope(warpgroup) : vector<64xf32>, !acc
      // expected-error @below {{'nvvm.barrier0' op expected all threads to come to the same barriers, but from here on some come to others: they would meet at the one before the dealloc}}
      // expected-note @below {{rule B5: }}
      nvvm.barrier0
      %v = tmem.read %a scope(warpgroup) : !acc -> vector<64xf32>
    }
    gpu.return
  }
}

// -----

!acc = !tmem.view<128x64xf32, #tmem.datapath<D>>
gpu.module @kernels {
  gpu.func @B5_barrier_in_blocks(%x: vector<64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c128 = arith.constant 128 : index
    %a = tmem.buffer : !acc
    %tid = gpu.thread_id x
    %is_high = arith.cmpi uge, %tid, %c128 : index
    cf.cond_br %is_high, ^high, ^low
  ^high:
    tmem.write %x, %a scope(warpgroup) : vector<64xf32>, !acc
    // expected-error @below {{but from here on some come to others}}
    // expected-note @below {{rule B5: }}
    gpu.barrier
    gpu.barrier
    cf.br ^end
  ^low:
    gpu.barrier
    cf.br ^end
  ^end:
    gpu.return
  }
}

// -----

!acc = !tmem.view<128x64xf32, #tmem.datapath<D>>
gpu.module @kernels {
  gpu.func @B5_turns(%x: vector<64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %a = tmem.buffer : !acc
    %tid = gpu.thread_id x
    %half = arith.divui %tid, %c128 : index
    tmem.write %x, %a scope(warpgroup) : vector<64xf32>, !acc
    scf.for %i = %c0 to %half step %c1 {
      // expected-error @below {{but from here on some come to others}}
      // expected-note @below {{rule B5: }}
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// Data may say that all take it.
!acc = !tmem.view<128x64xf32, #tmem.datapath<D>>
gpu.module @kernels {
  gpu.func @barrier_by_data(%x: vector<64xf32>, %in: memref<256xi1>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %tid = gpu.thread_id x
    %some = memref.load %in[%tid] : memref<256xi1>
    tmem.write %x, %a scope(warpgroup) : vector<64xf32>, !acc
    scf.if %some {
      // expected-warning @below {{undecided: whether all threads come to the same barriers from here on; if not, they would meet at the one before the dealloc}}
      gpu.barrier
    }
    gpu.return
  }
}

// -----

!acc = !tmem.view<128x64xf32, #tmem.datapath<D>>
gpu.module @kernels {
  gpu.func @barrier_by_argument(%x: vector<64xf32>, %id: i32, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    tmem.write %x, %a scope(warpgroup) : vector<64xf32>, !acc
    // expected-warning @below {{undecided: which barrier it is; at the one before the dealloc all threads have to be, and no others}}
    nvvm.barrier id = %id number_of_threads = %n
    gpu.return
  }
}

// -----

// A number that each warpgroup has for itself is none that is added.
!acc = !tmem.view<128x64xf32, #tmem.datapath<D>>
gpu.module @kernels {
  gpu.func @barrier_by_warpgroup(%x: vector<64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %n = arith.constant 128 : i32
    %a = tmem.buffer : !acc
    %tid = gpu.thread_id x
    %group = arith.divui %tid, %c128 : index
    %number = arith.addi %group, %c1 : index
    %id = arith.index_cast %number : index to i32
    tmem.write %x, %a scope(warpgroup) : vector<64xf32>, !acc
    nvvm.barrier id = %id number_of_threads = %n
    gpu.return
  }
}

// -----

!acc = !tmem.view<128x64xf32, #tmem.datapath<D>>
gpu.module @kernels {
  gpu.func @B4_alloc_under_predicate(%x: vector<64xf32>, %slot: !llvm.ptr<3>) kernel {
    %a = tmem.buffer : !acc
    tmem.write %x, %a scope(warpgroup) : vector<64xf32>, !acc
    // expected-error @below {{expected an allocation whose columns can be read beside buffers, but got inline PTX of another form}}
    // expected-note @below {{rule B4: }}
    llvm.inline_asm has_side_effects "@p tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$0], 32;", "r" %slot : (!llvm.ptr<3>) -> ()
    gpu.return
  }
}

// -----

// Each thread gets another number from the atomic; what it adds is the same for all.
!acc = !tmem.view<128x64xf32, #tmem.datapath<D>>
gpu.module @kernels {
  gpu.func @barrier_by_ticket(%x: vector<64xf32>, %n: i32, %count: memref<1xi32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %a = tmem.buffer : !acc
    %ticket = memref.generic_atomic_rmw %count[%c0] : memref<1xi32> {
    ^bb0(%old: i32):
      %new = arith.addi %old, %n : i32
      memref.atomic_yield %new : i32
    }
    tmem.write %x, %a scope(warpgroup) : vector<64xf32>, !acc
    %is_first = arith.cmpi ult, %ticket, %n : i32
    scf.if %is_first {
      // expected-warning @below {{undecided: whether all threads come to the same barriers from here on}}
      gpu.barrier
    }
    gpu.return
  }

  gpu.func @barrier_by_argument(%x: vector<64xf32>, %n: i32, %count: memref<1xi32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %a = tmem.buffer : !acc
    %ticket = memref.generic_atomic_rmw %count[%c0] : memref<1xi32> {
    ^bb0(%old: i32):
      %new = arith.addi %old, %n : i32
      memref.atomic_yield %new : i32
    }
    tmem.write %x, %a scope(warpgroup) : vector<64xf32>, !acc
    %sum = llvm.inline_asm "add.u32 $0, $1, 5;", "=r,r" %n : (i32) -> i32
    %is_first = arith.cmpi ult, %sum, %n : i32
    scf.if %is_first {
      gpu.barrier
    }
    gpu.return
  }
}

// -----

!acc = !tmem.view<128x64xf32, #tmem.datapath<D>>
gpu.module @kernels {
  gpu.func @barrier_by_assembly(%x: vector<64xf32>, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    tmem.write %x, %a scope(warpgroup) : vector<64xf32>, !acc
    %sum = llvm.inline_asm "add.u32 $0, $1, %clock;", "=r,r" %n : (i32) -> i32
    %is_first = arith.cmpi ult, %sum, %n : i32
    scf.if %is_first {
      // expected-warning @below {{undecided: whether all threads come to the same barriers from here on}}
      gpu.barrier
    }
    gpu.return
  }
}
