// A 128x128 accumulator to f16 in global memory. Stores that are known to be
// aligned to 32 bytes become 256-bit stores.

!acc = !tmem.view<128x128xf32, #tmem.datapath<D>>

gpu.module @kernels {
  gpu.func @K3(%base: i32, %out: memref<128x128xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %tid = gpu.thread_id x
    %mem = tmem.view %base : !acc
    %pending = tmem.load %mem scope(warpgroup)
        : !acc -> !tmem.pending<vector<128xf32>>
    %value = tmem.wait_load %pending : !tmem.pending<vector<128xf32>>
    %half = arith.truncf %value : vector<128xf32> to vector<128xf16>
    vector.store %half, %out[%tid, %c0] {alignment = 32}
        : memref<128x128xf16>, vector<128xf16>
    gpu.return
  }
}
