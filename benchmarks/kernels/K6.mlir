// A 128x64 accumulator of 16-bit numbers, one in each cell, times 2 in place:
// packed as it is loaded, unpacked as it is stored.

!acc = !tmem.view<128x64xf16, #tmem.datapath<D>>

gpu.module @kernels {
  gpu.func @K6(%base: i32) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %two = arith.constant dense<2.0> : vector<64xf16>
    %mem = tmem.view %base : !acc
    %pending = tmem.load %mem scope(warpgroup)
        : !acc -> !tmem.pending<vector<64xf16>>
    %value = tmem.wait_load %pending : !tmem.pending<vector<64xf16>>
    %scaled = arith.mulf %value, %two : vector<64xf16>
    %token = tmem.store %scaled, %mem scope(warpgroup) : vector<64xf16>, !acc
    tmem.wait_store %token
    gpu.return
  }
}
