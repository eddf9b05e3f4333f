// double.mlir
!acc = !tmem.view<128x96xf32, #tmem.datapath<D>>
!rows = memref<128x96xf32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @double(%rows: !rows) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %row = vector.load %rows[%tid, %c0] : !rows, vector<96xf32>
      %mem = tmem.buffer : !acc
      tmem.write %row, %mem scope(warpgroup) : vector<96xf32>, !acc
      %back = tmem.read %mem scope(warpgroup) : !acc -> vector<96xf32>
      %sum = arith.addf %back, %back : vector<96xf32>
      vector.store %sum, %rows[%tid, %c0] : !rows, vector<96xf32>
      gpu.return
    }
  }
  func.func @main(%rows: !rows) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@double blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%rows : !rows)
    return
  }
}
