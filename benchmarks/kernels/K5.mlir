// A 64x64 accumulator of M = 64, in half of the lanes (data path F), plus 1 in
// place. Registers that are inferred for both transfers need no shuffle.

!acc = !tmem.view<64x64xf32, #tmem.datapath<F>>

gpu.module @kernels {
  gpu.func @K5(%base: i32) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %one = arith.constant dense<1.0> : vector<32xf32>
    %mem = tmem.view %base : !acc
    %pending = tmem.load %mem scope(warpgroup)
        : !acc -> !tmem.pending<vector<32xf32>>
    %value = tmem.wait_load %pending : !tmem.pending<vector<32xf32>>
    %sum = arith.addf %value, %one : vector<32xf32>
    %token = tmem.store %sum, %mem scope(warpgroup) : vector<32xf32>, !acc
    tmem.wait_store %token
    gpu.return
  }
}
