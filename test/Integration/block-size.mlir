// A kernel that states its block runs with no other: a warpgroup's transfer in
// two warps would move half of the tile.

// RUN: tmem-run %s --entry=right | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_2 tmem-run %s --entry=half 2>&1 | FileCheck %s --check-prefix=HALF
// RUN: tmem-opt %s --tmem-to-cubin="chip=sm_100a format=isa" | FileCheck %s --check-prefix=PTX

// RIGHT: 1
// HALF: launch of move ({{.*}}block-size.mlir:16:3): expected blocks of 128,1,1 threads as its reqntid says, but got 64,1,1
// PTX-NOT: .maxntid
// PTX: .reqntid 128, 1, 1

!tile = !tmem.view<128x8xi32, #tmem.datapath<D>>
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @move(%out: memref<128xi32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %mem = tmem.buffer : !tile
    %one = arith.constant dense<1> : vector<8xi32>
    tmem.write %one, %mem scope(warpgroup) : vector<8xi32>, !tile
    %back = tmem.read %mem scope(warpgroup) : !tile -> vector<8xi32>
    %value = vector.extract %back[7] : i32 from vector<8xi32>
    %tid = gpu.thread_id x
    memref.store %value, %out[%tid] : memref<128xi32>
    gpu.return
  }
}
func.func @launch(%threads: index) -> i32 {
  %c1 = arith.constant 1 : index
  %c127 = arith.constant 127 : index
  %out = memref.alloc() : memref<128xi32>
  gpu.launch_func @kernels::@move blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1) args(%out : memref<128xi32>)
  %last = memref.load %out[%c127] : memref<128xi32>
  return %last : i32
}
func.func @right() {
  %c128 = arith.constant 128 : index
  %last = call @launch(%c128) : (index) -> i32
  vector.print %last : i32
  return
}
func.func @half() {
  %c64 = arith.constant 64 : index
  %last = call @launch(%c64) : (index) -> i32
  return
}
}
