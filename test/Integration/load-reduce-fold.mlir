// The largest magnitude of each row of a 128x96 tile: by vector.reduction where
// the chip has no tcgen05.ld.red, by it where it has. The host calculates it anew.

// RUN: tmem-run %s --chip=sm_100a | FileCheck %s
// RUN: tmem-run %s --chip=sm_103a | FileCheck %s
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_103a format=isa})' | FileCheck %s --check-prefix=PTX
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_100a format=isa})' | FileCheck %s --check-prefix=OLD

// CHECK: 128 rows, wrong: 0
// PTX-DAG: tcgen05.ld.red.sync.aligned.32x32b.x64.max.abs.f32
// PTX-DAG: tcgen05.ld.red.sync.aligned.32x32b.x32.max.abs.f32
// OLD-NOT: tcgen05.ld.red

!tile = !tmem.view<128x96xf32, #tmem.datapath<D>>
!slot = memref<1xi32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    memref.global "private" @slot : !slot

    gpu.func @largest(%in: memref<128x96xf32>, %out: memref<128xf32>) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %slot = memref.get_global @slot : !slot
      %first_warp = arith.cmpi ult, %tid, %c32 : index
      scf.if %first_warp {
        tmem.alloc %slot, 128 : !slot
        tmem.relinquish_alloc_permit
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !tile
      %row = vector.load %in[%tid, %c0] : memref<128x96xf32>, vector<96xf32>
      %stored = tmem.store %row, %mem scope(warpgroup) : vector<96xf32>, !tile
      tmem.wait_store %stored
      %loading = tmem.load %mem scope(warpgroup)
          : !tile -> !tmem.pending<vector<96xf32>>
      %loaded = tmem.wait_load %loading : !tmem.pending<vector<96xf32>>
      %magnitudes = math.absf %loaded : vector<96xf32>
      %start = arith.constant -1.0 : f32
      %largest = vector.reduction <maxnumf>, %magnitudes, %start
          : vector<96xf32> into f32
      memref.store %largest, %out[%tid] : memref<128xf32>
      gpu.barrier
      scf.if %first_warp {
        tmem.dealloc %base, 128
      }
      gpu.return
    }
  }

  // Element (i, j) is 37 i + 101 j modulo 997, less 700: no row has its largest
  // magnitude where another one has, and many are negative.
  func.func @element(%i: index, %j: index) -> f32 {
    %c37 = arith.constant 37 : index
    %c101 = arith.constant 101 : index
    %c997 = arith.constant 997 : index
    %by_row = arith.muli %i, %c37 : index
    %by_column = arith.muli %j, %c101 : index
    %sum = arith.addi %by_row, %by_column : index
    %rest = arith.remui %sum, %c997 : index
    %integer = arith.index_cast %rest : index to i32
    %float = arith.sitofp %integer : i32 to f32
    %middle = arith.constant 700.0 : f32
    %element = arith.subf %float, %middle : f32
    return %element : f32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c96 = arith.constant 96 : index
    %c128 = arith.constant 128 : index
    %in = memref.alloc() : memref<128x96xf32>
    %out = memref.alloc() : memref<128xf32>
    scf.for %i = %c0 to %c128 step %c1 {
      scf.for %j = %c0 to %c96 step %c1 {
        %element = func.call @element(%i, %j) : (index, index) -> f32
        memref.store %element, %in[%i, %j] : memref<128x96xf32>
      }
    }
    %in_u = memref.cast %in : memref<128x96xf32> to memref<*xf32>
    gpu.host_register %in_u : memref<*xf32>
    %out_u = memref.cast %out : memref<128xf32> to memref<*xf32>
    gpu.host_register %out_u : memref<*xf32>
    gpu.launch_func @kernels::@largest blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1)
        args(%in : memref<128x96xf32>, %out : memref<128xf32>)
    %zero = arith.constant 0 : i32
    %none = arith.constant -1.0 : f32
    %wrong = scf.for %i = %c0 to %c128 step %c1 iter_args(%n = %zero) -> i32 {
      %largest = scf.for %j = %c0 to %c96 step %c1
          iter_args(%so_far = %none) -> f32 {
        %element = func.call @element(%i, %j) : (index, index) -> f32
        %magnitude = math.absf %element : f32
        %next = arith.maximumf %so_far, %magnitude : f32
        scf.yield %next : f32
      }
      %is = memref.load %out[%i] : memref<128xf32>
      %differs = arith.cmpf une, %is, %largest : f32
      %difference = arith.extui %differs : i1 to i32
      %next = arith.addi %n, %difference : i32
      scf.yield %next : i32
    }
    vector.print str "128 rows, wrong: "
    vector.print %wrong : i32
    return %wrong : i32
  }
}
