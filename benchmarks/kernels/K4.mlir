// A 128x96 accumulator scaled in place. 96 is no power of two: the fewest
// instructions are one x64 and one x32.

!acc = !tmem.view<128x96xf32, #tmem.datapath<D>>

gpu.module @kernels {
  gpu.func @K4(%base: i32) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %two = arith.constant dense<2.0> : vector<96xf32>
    %mem = tmem.view %base : !acc
    %pending = tmem.load %mem scope(warpgroup)
        : !acc -> !tmem.pending<vector<96xf32>>
    %value = tmem.wait_load %pending : !tmem.pending<vector<96xf32>>
    %scaled = arith.mulf %value, %two : vector<96xf32>
    %token = tmem.store %scaled, %mem scope(warpgroup) : vector<96xf32>, !acc
    tmem.wait_store %token
    gpu.return
  }
}
