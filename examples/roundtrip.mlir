// The Layout-B round trip: a 64x128 accumulator in 128 lanes by 64 columns is
// written from registers and read back, with one store and one load per warp.
//
//   tmem-run roundtrip.mlir
//   tmem-opt roundtrip.mlir --pass-pipeline='builtin.module(tmem-to-cubin)'

#regs = #tmem.layout<(64, 2, 64) : (1@tid, 64@tid, 1@reg)>
!acc = !tmem.view<64x128xf32, #tmem.datapath<B>>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @roundtrip(%in: memref<128x64xf32>, %out: memref<128x64xf32>)
        workgroup(%slot: memref<1xi32, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
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

      %src = vector.load %in[%tid, %c0] {alignment = 32}
          : memref<128x64xf32>, vector<64xf32>
      %token = tmem.store %src, %mem registers(#regs) atom(<32x32b, x64>)
          scope(warpgroup) : vector<64xf32>, !acc
      tmem.wait_store %token
      gpu.barrier
      %pending = tmem.load %mem registers(#regs) atom(<32x32b, x64>)
          scope(warpgroup) : !acc -> !tmem.pending<vector<64xf32>>
      %dst = tmem.wait_load %pending : !tmem.pending<vector<64xf32>>
      vector.store %dst, %out[%tid, %c0] {alignment = 32}
          : memref<128x64xf32>, vector<64xf32>

      gpu.barrier
      scf.if %first_warp {
        tmem.relinquish_alloc_permit
        tmem.dealloc %base, 64
      }
      gpu.return
    }
  }

  // Fills the input, launches one CTA, and counts what came back wrong.
  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %in = memref.alloc() {alignment = 64} : memref<128x64xf32>
    %out = memref.alloc() {alignment = 64} : memref<128x64xf32>
    scf.for %i = %c0 to %c128 step %c1 {
      scf.for %j = %c0 to %c64 step %c1 {
        %value = func.call @element(%i, %j) : (index, index) -> f32
        memref.store %value, %in[%i, %j] : memref<128x64xf32>
      }
    }
    %in_any = memref.cast %in : memref<128x64xf32> to memref<*xf32>
    %out_any = memref.cast %out : memref<128x64xf32> to memref<*xf32>
    gpu.host_register %in_any : memref<*xf32>
    gpu.host_register %out_any : memref<*xf32>
    gpu.launch_func @kernels::@roundtrip blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1)
        args(%in : memref<128x64xf32>, %out : memref<128x64xf32>)

    %none = arith.constant 0 : i32
    %wrong = scf.for %i = %c0 to %c128 step %c1
        iter_args(%rows = %none) -> (i32) {
      %row = scf.for %j = %c0 to %c64 step %c1
          iter_args(%before = %rows) -> (i32) {
        %expected = func.call @element(%i, %j) : (index, index) -> f32
        %got = memref.load %out[%i, %j] : memref<128x64xf32>
        %differs = arith.cmpf une, %got, %expected : f32
        %one = arith.extui %differs : i1 to i32
        %after = arith.addi %before, %one : i32
        scf.yield %after : i32
      }
      scf.yield %row : i32
    }
    vector.print str "8192 floats compared, wrong: "
    vector.print %wrong : i32
    return %wrong : i32
  }

  // A value of its own for each element, half of them negative.
  func.func private @element(%i: index, %j: index) -> f32 {
    %c64 = arith.constant 64 : index
    %c4096 = arith.constant 4096 : index
    %row = arith.muli %i, %c64 : index
    %number = arith.addi %row, %j : index
    %signed = arith.subi %number, %c4096 : index
    %integer = arith.index_cast %signed : index to i32
    %value = arith.sitofp %integer : i32 to f32
    return %value : f32
  }
}
