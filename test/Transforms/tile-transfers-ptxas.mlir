// REQUIRES: ptxas
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{ptxas=%ptxas max-live-registers=192})' | FileCheck %s
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{ptxas=%ptxas max-live-registers=128})' | FileCheck %s
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{ptxas=%ptxas tile-columns=64})' | FileCheck %s
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{ptxas=%ptxas tile-columns=32})' | FileCheck %s
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{ptxas=%ptxas tile-columns=16})' | FileCheck %s
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{ptxas=%ptxas max-live-registers=96})' | FileCheck %s
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{ptxas=%ptxas max-live-registers=64})' | FileCheck %s
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{ptxas=%ptxas})' | FileCheck %s --check-prefix=WHOLE

// Whole, ptxas runs out of registers. (tmem-assemble refuses early reads.)
// CHECK-NOT: spill_stores = {{[1-9]}}
// CHECK: bias = {
// CHECK-SAME: spill_stores = 0 : i64
// CHECK-SAME: divided = {
// CHECK: in_place = {
// CHECK-SAME: spill_stores = 0 : i64
// CHECK-SAME: path_b = {
// CHECK-SAME: path_e = {
// CHECK-SAME: path_g = {
// CHECK-SAME: to_memory = {
// CHECK-SAME: spill_stores = 0 : i64
// CHECK-NOT: spill_stores = {{[1-9]}}
// WHOLE: in_place = {
// WHOLE-SAME: spill_stores = {{[1-9]}}

!acc = !tmem.view<128x256xf32, #tmem.datapath<D>>
!b = !tmem.view<64x256xf32, #tmem.datapath<B>>
!e = !tmem.view<64x256xf32, #tmem.datapath<E>>
!g = !tmem.view<32x512xf32, #tmem.datapath<G>>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // The bias is read chunk by chunk.
    gpu.func @bias(%base: i32, %b: memref<256xf32>,
                   %out: memref<128x256xbf16>)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %zero = arith.constant dense<0.0> : vector<256xf32>
      %bias = vector.load %b[%c0] {alignment = 32}
          : memref<256xf32>, vector<256xf32>
      %mem = tmem.view %base : !acc
      %p = tmem.load %mem scope(warpgroup)
          : !acc -> !tmem.pending<vector<256xf32>>
      %v = tmem.wait_load %p : !tmem.pending<vector<256xf32>>
      %h = arith.addf %v, %bias : vector<256xf32>
      %r = arith.maximumf %h, %zero : vector<256xf32>
      %half = arith.truncf %r : vector<256xf32> to vector<256xbf16>
      vector.store %half, %out[%tid, %c0] {alignment = 32}
          : memref<128x256xbf16>, vector<256xbf16>
      gpu.return
    }

    gpu.func @to_memory(%base: i32, %out: memref<128x256xf16>)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %mem = tmem.view %base : !acc
      %p = tmem.load %mem scope(warpgroup)
          : !acc -> !tmem.pending<vector<256xf32>>
      %v = tmem.wait_load %p : !tmem.pending<vector<256xf32>>
      %h = arith.truncf %v : vector<256xf32> to vector<256xf16>
      vector.store %h, %out[%tid, %c0] {alignment = 32}
          : memref<128x256xf16>, vector<256xf16>
      gpu.return
    }
    gpu.func @in_place(%base: i32)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %two = arith.constant dense<2.0> : vector<256xf32>
      %mem = tmem.view %base : !acc
      %p = tmem.load %mem scope(warpgroup)
          : !acc -> !tmem.pending<vector<256xf32>>
      %v = tmem.wait_load %p : !tmem.pending<vector<256xf32>>
      %w = arith.mulf %v, %two : vector<256xf32>
      %t = tmem.store %w, %mem scope(warpgroup) : vector<256xf32>, !acc
      tmem.wait_store %t
      gpu.return
    }
    gpu.func @divided(%base: i32, %x: f32, %out: memref<128x256xf16>)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %by = vector.broadcast %x : f32 to vector<256xf32>
      %mem = tmem.view %base : !acc
      %p = tmem.load %mem scope(warpgroup)
          : !acc -> !tmem.pending<vector<256xf32>>
      %v = tmem.wait_load %p : !tmem.pending<vector<256xf32>>
      %w = arith.divf %v, %by : vector<256xf32>
      %t = tmem.store %w, %mem scope(warpgroup) : vector<256xf32>, !acc
      tmem.wait_store %t
      gpu.return
    }
    gpu.func @path_b(%base: i32, %x: f32, %out: memref<128x128xf16>)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %by = vector.broadcast %x : f32 to vector<128xf32>
      %mem = tmem.view %base : !b
      %p = tmem.load %mem scope(warpgroup)
          : !b -> !tmem.pending<vector<128xf32>>
      %v = tmem.wait_load %p : !tmem.pending<vector<128xf32>>
      %w = arith.mulf %v, %by : vector<128xf32>
      %t = tmem.store %w, %mem scope(warpgroup) : vector<128xf32>, !b
      tmem.wait_store %t
      gpu.return
    }
    gpu.func @path_e(%base: i32, %x: f32, %out: memref<128x128xf16>)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %by = vector.broadcast %x : f32 to vector<128xf32>
      %mem = tmem.view %base : !e
      %p = tmem.load %mem scope(warpgroup)
          : !e -> !tmem.pending<vector<128xf32>>
      %v = tmem.wait_load %p : !tmem.pending<vector<128xf32>>
      %w = arith.mulf %v, %by : vector<128xf32>
      %h = arith.truncf %w : vector<128xf32> to vector<128xf16>
      vector.store %h, %out[%tid, %c0] {alignment = 32}
          : memref<128x128xf16>, vector<128xf16>
      gpu.return
    }
    gpu.func @path_g(%base: i32, %x: f32, %out: memref<128x128xf16>)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %by = vector.broadcast %x : f32 to vector<128xf32>
      %mem = tmem.view %base : !g
      %p = tmem.load %mem scope(warpgroup)
          : !g -> !tmem.pending<vector<128xf32>>
      %v = tmem.wait_load %p : !tmem.pending<vector<128xf32>>
      %w = arith.mulf %v, %by : vector<128xf32>
      %t = tmem.store %w, %mem scope(warpgroup) : vector<128xf32>, !g
      tmem.wait_store %t
      %h = arith.truncf %w : vector<128xf32> to vector<128xf16>
      vector.store %h, %out[%tid, %c0] {alignment = 32}
          : memref<128x128xf16>, vector<128xf16>
      gpu.return
    }
  }
}
