// REQUIRES: ptxas
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{format=isa tile-columns=32})' | %python %tmem_src_root/utils/ptx-of.py | FileCheck %s
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{ptxas=%ptxas tile-columns=32})' | FileCheck %s --check-prefix=CUBIN

// A 128x256 accumulator to 8-bit floats in global memory.
// CHECK: .entry e4m3
// CHECK: cvt.rn.satfinite.e4m3x2.f32
// CHECK-NOT: cvt.rn.satfinite.e5m2x2
// CHECK: .entry e5m2
// CHECK: cvt.rn.satfinite.e5m2x2.f32
// CUBIN-NOT: spill_stores = {{[1-9]}}

!acc = !tmem.view<128x256xf32, #tmem.datapath<D>>

gpu.module @kernels {
  gpu.func @e4m3(%base: i32, %out: memref<128x256xf8E4M3FN>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %tid = gpu.thread_id x
    %mem = tmem.view %base : !acc
    %p = tmem.load %mem scope(warpgroup)
        : !acc -> !tmem.pending<vector<256xf32>>
    %v = tmem.wait_load %p : !tmem.pending<vector<256xf32>>
    %h = arith.truncf %v : vector<256xf32> to vector<256xf8E4M3FN>
    vector.store %h, %out[%tid, %c0] {alignment = 32}
        : memref<128x256xf8E4M3FN>, vector<256xf8E4M3FN>
    gpu.return
  }
  // Half of it back to TMEM, without gaps.
  gpu.func @e5m2(%base: i32) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %from = tmem.view %base : !acc
    %to = tmem.view %base : !tmem.view<128x256xf8E5M2, #tmem.layout<(128, 256) : (1@tlane, 1@tcol) + (1024@tcol)>>
    %p = tmem.load %from scope(warpgroup)
        : !acc -> !tmem.pending<vector<256xf32>>
    %v = tmem.wait_load %p : !tmem.pending<vector<256xf32>>
    %h = arith.truncf %v : vector<256xf32> to vector<256xf8E5M2>
    %t = tmem.store %h, %to scope(warpgroup) : vector<256xf8E5M2>,
        !tmem.view<128x256xf8E5M2, #tmem.layout<(128, 256) : (1@tlane, 1@tcol) + (1024@tcol)>>
    tmem.wait_store %t
    gpu.return
  }
}
