// A 128x128 accumulator scaled in place. LLVM makes packed f32x2 arithmetic of
// the vector.

!acc = !tmem.view<128x128xf32, #tmem.datapath<D>>

gpu.module @kernels {
  gpu.func @K2(%base: i32) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %two = arith.constant dense<2.0> : vector<128xf32>
    %mem = tmem.view %base : !acc
    %pending = tmem.load %mem scope(warpgroup)
        : !acc -> !tmem.pending<vector<128xf32>>
    %value = tmem.wait_load %pending : !tmem.pending<vector<128xf32>>
    %scaled = arith.mulf %value, %two : vector<128xf32>
    %token = tmem.store %scaled, %mem scope(warpgroup) : vector<128xf32>, !acc
    tmem.wait_store %token
    gpu.return
  }
}
