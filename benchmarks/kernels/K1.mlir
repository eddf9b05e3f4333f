// The round trip of Layout B: global memory, one x64 store, a barrier, one x64
// load, global memory. It allocates its own columns.

!acc = !tmem.view<64x128xf32, #tmem.datapath<B>>

gpu.module @kernels {
  gpu.func @K1(%in: memref<128x64xf32>, %out: memref<128x64xf32>)
      workgroup(%slot: memref<1xi32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %first_warp = arith.cmpi ult, %tid, %c32 : index
    scf.if %first_warp {
      tmem.alloc %slot, 64 : memref<1xi32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %base = memref.load %slot[%c0]
        : memref<1xi32, #gpu.address_space<workgroup>>
    %mem = tmem.view %base : !acc
    %source = vector.load %in[%tid, %c0] {alignment = 32}
        : memref<128x64xf32>, vector<64xf32>
    %token = tmem.store %source, %mem scope(warpgroup) : vector<64xf32>, !acc
    tmem.wait_store %token
    gpu.barrier
    %pending = tmem.load %mem scope(warpgroup)
        : !acc -> !tmem.pending<vector<64xf32>>
    %value = tmem.wait_load %pending : !tmem.pending<vector<64xf32>>
    vector.store %value, %out[%tid, %c0] {alignment = 32}
        : memref<128x64xf32>, vector<64xf32>
    gpu.barrier
    scf.if %first_warp {
      tmem.relinquish_alloc_permit
      tmem.dealloc %base, 64
    }
    gpu.return
  }
}
