// What runner.c compiles and runs.

#regs = #tmem.layout<(64, 2, 64) : (1@tid, 64@tid, 1@reg)>
!acc = !tmem.view<64x128xf32, #tmem.datapath<B>>
!slot = memref<1xi32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // Through Tensor Memory and back, times a factor.
    gpu.func @scale(%in: memref<128x64xf32>,
                    %out: memref<128x64xf32, strided<[?, 1]>>, %factor: f32)
        workgroup(%slot: !slot)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      scf.if %first {
        tmem.alloc %slot, 64 : !slot
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !acc
      %src = vector.load %in[%tid, %c0] : memref<128x64xf32>, vector<64xf32>
      %token = tmem.store %src, %mem registers(#regs) atom(<32x32b, x64>)
          scope(warpgroup) : vector<64xf32>, !acc
      tmem.wait_store %token
      %pending = tmem.load %mem registers(#regs) atom(<32x32b, x64>)
          scope(warpgroup) : !acc -> !tmem.pending<vector<64xf32>>
      %loaded = tmem.wait_load %pending : !tmem.pending<vector<64xf32>>
      %factors = vector.broadcast %factor : f32 to vector<64xf32>
      %scaled = arith.mulf %loaded, %factors : vector<64xf32>
      vector.store %scaled, %out[%tid, %c0]
          : memref<128x64xf32, strided<[?, 1]>>, vector<64xf32>
      gpu.barrier
      scf.if %first {
        tmem.relinquish_alloc_permit
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    // Reads what nobody allocated.
    gpu.func @unallocated() kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      %base = arith.constant 64 : i32
      %mem = tmem.view %base : !acc
      %pending = tmem.load %mem registers(#regs) atom(<32x32b, x64>)
          scope(warpgroup) : !acc -> !tmem.pending<vector<64xf32>>
      %loaded = tmem.wait_load %pending : !tmem.pending<vector<64xf32>>
      gpu.return
    }

    // Frees nothing.
    gpu.func @leaking() workgroup(%slot : !slot) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      scf.if %first {
        tmem.alloc %slot, 64 : !slot
      }
      gpu.return
    }
  }

  func.func @scale(%in: memref<128x64xf32>,
                   %out: memref<128x64xf32, strided<[?, 1]>>,
                   %factor: f32, %blocks: index, %result: i32) -> i32 {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@scale blocks in (%blocks, %c1, %c1)
        threads in (%c128, %c1, %c1)
        args(%in : memref<128x64xf32>,
             %out : memref<128x64xf32, strided<[?, 1]>>, %factor : f32)
    return %result : i32
  }

  func.func @fault() {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@unallocated blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1)
    return
  }

  func.func @leak() {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@leaking blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1)
    return
  }

  func.func @aborts(%condition: i1) -> i32 {
    cf.assert %condition, "as asked"
    %c7 = arith.constant 7 : i32
    return %c7 : i32
  }

  func.func @unranked(%any: memref<*xf32>) {
    return
  }
}
