// A 128x256 accumulator to f16 in global memory, in one piece. The pipeline cuts it
// into chunks (max-live-registers=128), so that registers hold a quarter of it at a
// time, and the next load is under way while a chunk is converted and stored.

!acc = !tmem.view<128x256xf32, #tmem.datapath<D>>

gpu.module @kernels {
  gpu.func @K8(%base: i32, %out: memref<128x256xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %tid = gpu.thread_id x
    %mem = tmem.view %base : !acc
    %pending = tmem.load %mem scope(warpgroup)
        : !acc -> !tmem.pending<vector<256xf32>>
    %value = tmem.wait_load %pending : !tmem.pending<vector<256xf32>>
    %half = arith.truncf %value : vector<256xf32> to vector<256xf16>
    vector.store %half, %out[%tid, %c0] {alignment = 32}
        : memref<128x256xf16>, vector<256xf16>
    gpu.return
  }
}
