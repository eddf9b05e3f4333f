// An accumulator of 64x128 floats, two groups of 64 columns stacked in the
// lanes, times a factor and to memory.

gpu.module @kernels {
  gpu.func @epilogue(%base: i32, %scale: f32, %out: memref<64x128xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    acc.drain %base in <2> times %scale to %out : memref<64x128xf32>
    gpu.return
  }
}
