// An accumulator of 64x128 floats, two groups of 64 columns stacked in the
// lanes, times a factor and to memory.

gpu.module @kernels {
  gpu.func @epilogue(%base: i32, %scale: f32, %out: memref<64x128xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c64 = arith.constant 64 : index
    %acc = acc.read %base as tensor<64x128xf32> in <2> : vector<64xf32>
    %scales = vector.broadcast %scale : f32 to vector<64xf32>
    %scaled = arith.mulf %acc, %scales : vector<64xf32>
    %tid = gpu.thread_id x
    %row = arith.remui %tid, %c64 : index
    %group = arith.divui %tid, %c64 : index
    %column = arith.muli %group, %c64 : index
    vector.store %scaled, %out[%row, %column] : memref<64x128xf32>, vector<64xf32>
    gpu.return
  }
}
