// A 128x256 accumulator to f16 in global memory, cut by hand into chunks of 64
// columns, so that registers hold a quarter of it at a time. The next load is in
// flight while the columns that arrived are converted and stored.

!acc = !tmem.view<128x256xf32, #tmem.datapath<D>>
!chunk = !tmem.view<128x64xf32, #tmem.datapath<D>>
!pending = !tmem.pending<vector<64xf32>>

gpu.module @kernels {
  gpu.func @K8(%base: i32, %out: memref<128x256xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c192 = arith.constant 192 : index
    %tid = gpu.thread_id x
    %mem = tmem.view %base : !acc
    %chunk0 = tmem.subview %mem[0, %c0] [128, 64] : !acc to !chunk
    %chunk1 = tmem.subview %mem[0, %c64] [128, 64] : !acc to !chunk
    %chunk2 = tmem.subview %mem[0, %c128] [128, 64] : !acc to !chunk
    %chunk3 = tmem.subview %mem[0, %c192] [128, 64] : !acc to !chunk

    %pending0 = tmem.load %chunk0 scope(warpgroup) : !chunk -> !pending

    %value0 = tmem.wait_load %pending0 : !pending
    %pending1 = tmem.load %chunk1 scope(warpgroup) : !chunk -> !pending
    %half0 = arith.truncf %value0 : vector<64xf32> to vector<64xf16>
    vector.store %half0, %out[%tid, %c0] {alignment = 32}
        : memref<128x256xf16>, vector<64xf16>

    %value1 = tmem.wait_load %pending1 : !pending
    %pending2 = tmem.load %chunk2 scope(warpgroup) : !chunk -> !pending
    %half1 = arith.truncf %value1 : vector<64xf32> to vector<64xf16>
    vector.store %half1, %out[%tid, %c64] {alignment = 32}
        : memref<128x256xf16>, vector<64xf16>

    %value2 = tmem.wait_load %pending2 : !pending
    %pending3 = tmem.load %chunk3 scope(warpgroup) : !chunk -> !pending
    %half2 = arith.truncf %value2 : vector<64xf32> to vector<64xf16>
    vector.store %half2, %out[%tid, %c128] {alignment = 32}
        : memref<128x256xf16>, vector<64xf16>

    %value3 = tmem.wait_load %pending3 : !pending
    %half3 = arith.truncf %value3 : vector<64xf32> to vector<64xf16>
    vector.store %half3, %out[%tid, %c192] {alignment = 32}
        : memref<128x256xf16>, vector<64xf16>

    gpu.return
  }
}
