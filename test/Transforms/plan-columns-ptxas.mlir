// REQUIRES: ptxas

// What is planned assembles; addresses carry columns and halves of slabs.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_100a})' | FileCheck %s
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_100a format=isa})' | FileCheck %s --check-prefix=PTX

// CHECK: gpu.binary @kernels
// PTX: tcgen05.alloc.cta_group::1
// PTX: tcgen05.relinquish_alloc_permit
// PTX: bar
// PTX: tcgen05.st
// PTX: tcgen05.dealloc

!half = !tmem.view<64x32xf32, #tmem.datapath<F>>
!acc = !tmem.view<128x96xf32, #tmem.datapath<D>>
gpu.module @kernels {
  gpu.func @kernel(%out: memref<128x96xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %tid = gpu.thread_id x
    %a = tmem.buffer : !half
    %b = tmem.buffer : !half
    %c = tmem.buffer : !acc
    %x = vector.load %out[%tid, %c0] : memref<128x96xf32>, vector<16xf32>
    %y = vector.load %out[%tid, %c0] : memref<128x96xf32>, vector<96xf32>
    %t0 = tmem.store %x, %a scope(warpgroup) : vector<16xf32>, !half
    %t1 = tmem.store %x, %b scope(warpgroup) : vector<16xf32>, !half
    %t2 = tmem.store %y, %c scope(warpgroup) : vector<96xf32>, !acc
    tmem.wait_store %t0, %t1, %t2
    %p = tmem.load %c scope(warpgroup) : !acc -> !tmem.pending<vector<96xf32>>
    %v = tmem.wait_load %p : !tmem.pending<vector<96xf32>>
    vector.store %v, %out[%tid, %c0] : memref<128x96xf32>, vector<96xf32>
    gpu.return
  }
}
