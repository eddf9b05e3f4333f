// The Layout-B round trip with a program around it: 8192 floats go to Tensor Memory
// and come back. In memory that the host shares, and in the device's.

// RUN: tmem-run %s | FileCheck %s
// RUN: tmem-run %s --race --seeds=5 | FileCheck %s
// RUN: tmem-run %s -O0 | FileCheck %s
// RUN: tmem-run %s --chip=sm_100f | FileCheck %s
// RUN: tmem-run %s --chip=sm_103a | FileCheck %s
// RUN: tmem-run %s --chip=sm_103f | FileCheck %s
// RUN: tmem-run %s --chip=sm_107a | FileCheck %s
// RUN: tmem-run %s --chip=sm_107f | FileCheck %s
// RUN: tmem-run %s --chip=sm_110a | FileCheck %s
// RUN: tmem-run %s --chip=sm_110f | FileCheck %s
// RUN: tmem-run %s --entry=device_memory | FileCheck %s

// CHECK: 8192 floats, 0 wrong

#regs = #tmem.layout<(64, 2, 64) : (1@tid, 64@tid, 1@reg)>
!acc = !tmem.view<64x128xf32, #tmem.datapath<B>>
!tile = memref<128x64xf32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @roundtrip(%in: !tile, %out: !tile)
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
      %src = vector.load %in[%tid, %c0] : !tile, vector<64xf32>
      %token = tmem.store %src, %mem registers(#regs) atom(<32x32b, x64>)
          scope(warpgroup) : vector<64xf32>, !acc
      tmem.wait_store %token
      gpu.barrier
      %pending = tmem.load %mem registers(#regs) atom(<32x32b, x64>)
          scope(warpgroup) : !acc -> !tmem.pending<vector<64xf32>>
      %dst = tmem.wait_load %pending : !tmem.pending<vector<64xf32>>
      vector.store %dst, %out[%tid, %c0] : !tile, vector<64xf32>
      gpu.barrier
      scf.if %first_warp {
        tmem.relinquish_alloc_permit
        tmem.dealloc %base, 64
      }
      gpu.return
    }
  }

  // Element (i, j) is i * 64 + j.
  func.func @fill(%tile: !tile) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    scf.for %i = %c0 to %c128 step %c1 {
      scf.for %j = %c0 to %c64 step %c1 {
        %row = arith.muli %i, %c64 : index
        %n = arith.addi %row, %j : index
        %word = arith.index_cast %n : index to i32
        %value = arith.sitofp %word : i32 to f32
        memref.store %value, %tile[%i, %j] : !tile
      }
    }
    return
  }

  func.func @compare(%a: !tile, %b: !tile) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %counts:2 = scf.for %i = %c0 to %c128 step %c1
        iter_args(%n = %zero, %m = %zero) -> (i32, i32) {
      %row:2 = scf.for %j = %c0 to %c64 step %c1
          iter_args(%p = %n, %q = %m) -> (i32, i32) {
        %x = memref.load %a[%i, %j] : !tile
        %y = memref.load %b[%i, %j] : !tile
        %differs = arith.cmpf une, %x, %y : f32
        %difference = arith.extui %differs : i1 to i32
        %all = arith.addi %p, %one : i32
        %wrong = arith.addi %q, %difference : i32
        scf.yield %all, %wrong : i32, i32
      }
      scf.yield %row#0, %row#1 : i32, i32
    }
    vector.print %counts#0 : i32 punctuation <no_punctuation>
    vector.print str " floats, "
    vector.print %counts#1 : i32 punctuation <no_punctuation>
    vector.print str " wrong\n"
    return %counts#1 : i32
  }

  func.func @main() -> i32 {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %in = memref.alloc() : !tile
    %out = memref.alloc() : !tile
    call @fill(%in) : (!tile) -> ()
    %in_unranked = memref.cast %in : !tile to memref<*xf32>
    %out_unranked = memref.cast %out : !tile to memref<*xf32>
    gpu.host_register %in_unranked : memref<*xf32>
    gpu.host_register %out_unranked : memref<*xf32>
    gpu.launch_func @kernels::@roundtrip blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%in : !tile, %out : !tile)
    %wrong = call @compare(%in, %out) : (!tile, !tile) -> i32
    gpu.host_unregister %in_unranked : memref<*xf32>
    gpu.host_unregister %out_unranked : memref<*xf32>
    memref.dealloc %in : !tile
    memref.dealloc %out : !tile
    return %wrong : i32
  }

  func.func @device_memory() -> i32 {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %in = memref.alloc() : !tile
    %out = memref.alloc() : !tile
    call @fill(%in) : (!tile) -> ()
    %t0 = gpu.wait async
    %device_in, %t1 = gpu.alloc async [%t0] () : !tile
    %device_out, %t2 = gpu.alloc async [%t1] () : !tile
    %t3 = gpu.memcpy async [%t2] %device_in, %in : !tile, !tile
    %t4 = gpu.launch_func async [%t3] @kernels::@roundtrip
        blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
        args(%device_in : !tile, %device_out : !tile)
    %t5 = gpu.memcpy async [%t4] %out, %device_out : !tile, !tile
    %t6 = gpu.dealloc async [%t5] %device_in : !tile
    %t7 = gpu.dealloc async [%t6] %device_out : !tile
    gpu.wait [%t7]
    %wrong = call @compare(%in, %out) : (!tile, !tile) -> i32
    return %wrong : i32
  }
}
