// RUN: tmem-opt %s --split-input-file --verify-diagnostics --tmem-plan-columns=columns=256 -o /dev/null

!acc = !tmem.view<128x32xf32, #tmem.datapath<D>>
func.func @B1_alignment_of_3() {
  // expected-error @below {{expected a power of two from 1 to 512 as alignment, but got 3}}
  // expected-note @below {{rule B1: the alignment of a buffer}}
  %a = tmem.buffer align(3) : !acc
  return
}

// -----

!acc = !tmem.view<128x32xf32, #tmem.datapath<D>>
func.func @B1_alignment_of_0() {
  // expected-error @below {{expected a power of two from 1 to 512 as alignment, but got 0}}
  // expected-note @below {{rule B1: }}
  %a = tmem.buffer align(0) : !acc
  return
}

// -----

!acc = !tmem.view<128x32xf32, #tmem.datapath<D>>
func.func @B2_host_code() {
  // expected-error @below {{expected to be in a gpu.func with the attribute kernel, but got 'func.func'}}
  // expected-note @below {{rule B2: a buffer belongs to a kernel}}
  %a = tmem.buffer : !acc
  return
}

// -----

!acc = !tmem.view<128x32xf32, #tmem.datapath<D>>
gpu.module @kernels {
  gpu.func @B2_callee() {
    // expected-error @below {{but got 'gpu.func'}}
    // expected-note @below {{rule B2: }}
    %a = tmem.buffer : !acc
    gpu.return
  }
  gpu.func @kernel() kernel {
    gpu.return
  }
}

// -----

!acc = !tmem.view<128x32xf32, #tmem.datapath<D>>
func.func @B2_launch(%one: index) {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
      threads(%tx, %ty, %tz) in (%x = %one, %y = %one, %z = %one) {
    // expected-error @below {{but got 'gpu.launch'}}
    // expected-note @below {{rule B2: }}
    %a = tmem.buffer : !acc
    gpu.terminator
  }
  return
}

// -----

!acc = !tmem.view<128x192xf32, #tmem.datapath<D>>
!vec = vector<192xf32>
gpu.module @kernels {
  gpu.func @B3_128_too_many(%x: !vec) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-note @below {{of 192 columns, lives there}}
    %a = tmem.buffer : !acc
    // expected-note @below {{of 192 columns, lives there}}
    %b = tmem.buffer : !acc
    %c = tmem.buffer : !acc
    %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
    // expected-error @below {{'tmem.store' op expected the buffers that live here to take at most 256 columns, but got 384: 128 too many}}
    // expected-note @below {{rule B3: buffers that live at the same time}}
    %u = tmem.store %x, %b scope(warpgroup) : !vec, !acc
    tmem.wait_store %t, %u
    %p = tmem.load %a scope(warpgroup) : !acc -> !tmem.pending<!vec>
    %v = tmem.wait_load %p : !tmem.pending<!vec>
    %s = tmem.store %x, %c scope(warpgroup) : !vec, !acc
    tmem.wait_store %s
    gpu.return
  }
}

// -----

// 128 of 256 columns, 64 of them for the buffers: of 96 that are left.
!acc = !tmem.view<128x32xf32, #tmem.datapath<D>>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
gpu.module @kernels {
  gpu.func @B4_larger_than_that_of_the_buffers(%slot: !slot, %x: vector<32xf32>) kernel {
    %a = tmem.buffer : !acc
    // expected-error @below {{'tmem.alloc' op expected at most 64 columns, as many as the allocation of the buffers may have, but got 128}}
    // expected-note @below {{rule B4: }}
    // expected-note @below {{96 columns are left, and an allocation has a power of two from 32 to 512}}
    tmem.alloc %slot, 128 : !slot
    tmem.alloc %slot, 32 : !slot
    %t = tmem.store %x, %a scope(warpgroup) : vector<32xf32>, !acc
    tmem.wait_store %t
    gpu.return
  }
}

// -----

!acc = !tmem.view<128x32xf32, #tmem.datapath<D>>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
gpu.module @kernels {
  gpu.func @B4_dynamic_columns(%n: i32, %slot: !slot, %x: vector<32xf32>) kernel {
    %a = tmem.buffer : !acc
    %t = tmem.store %x, %a scope(warpgroup) : vector<32xf32>, !acc
    tmem.wait_store %t
    // expected-error @below {{expected a constant number of columns beside buffers, but got a value}}
    // expected-note @below {{rule B4: }}
    tmem.alloc %slot, %n : !slot
    gpu.return
  }
}

// -----

!acc = !tmem.view<128x32xf32, #tmem.datapath<D>>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
gpu.module @kernels {
  func.func @callee(%slot: !slot) {
    // expected-error @below {{expected no exclusive allocation beside another one in a kernel with buffers}}
    // expected-note @below {{rule B4: }}
    tmem.alloc exclusive %slot, 96 : !slot
    func.call @callee(%slot) : (!slot) -> ()
    return
  }
  gpu.func @B4_exclusive_in_recursive_callee(%slot: !slot, %x: vector<32xf32>) kernel {
    %a = tmem.buffer : !acc
    %t = tmem.store %x, %a scope(warpgroup) : vector<32xf32>, !acc
    tmem.wait_store %t
    func.call @callee(%slot) : (!slot) -> ()
    gpu.return
  }
}

// -----

!acc = !tmem.view<128x32xf32, #tmem.datapath<D>>
gpu.module @kernels {
  gpu.func @B4_other_cta_group(%slot: !llvm.ptr<3>, %x: vector<32xf32>) kernel {
    %a = tmem.buffer : !acc
    %t = tmem.store %x, %a scope(warpgroup) : vector<32xf32>, !acc
    tmem.wait_store %t
    %n = llvm.mlir.constant(32 : i32) : i32
    // expected-error @below {{expected cta_group 1, that of the buffers, but got 2}}
    // expected-note @below {{rule B4: }}
    nvvm.tcgen05.alloc %slot, %n {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i32
    gpu.return
  }
}

// -----

// Threads that return early do not come to the barrier of the others, and would
// free what these still use.
!acc = !tmem.view<128x32xf32, #tmem.datapath<D>>
gpu.module @kernels {
  gpu.func @B5_early_return(%x: vector<32xf32>) kernel {
    %c64 = arith.constant 64 : index
    %a = tmem.buffer : !acc
    %tid = gpu.thread_id x
    %few = arith.cmpi ult, %tid, %c64 : index
    cf.cond_br %few, ^early, ^late
  ^early:
    // expected-error @below {{expected all threads to end together, but got a return that only some may reach, while others may be at a barrier}}
    // expected-note @below {{rule B5: }}
    gpu.return
  ^late:
    %t = tmem.store %x, %a scope(warpgroup) : vector<32xf32>, !acc
    tmem.wait_store %t
    gpu.barrier
    gpu.return
  }
}
