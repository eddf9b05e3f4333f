// RUN: tmem-opt %s --convert-tmem-to-nvvm | FileCheck %s

#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>
!four = !tmem.view<128x4xf32, #tmem.layout<(128, 4) : (1@tlane, 1@tcol)>>

// What depends on the warp is computed once, before everything else.

// CHECK-LABEL: func @slab_once(
// CHECK: %[[SLAB:.*]] = llvm.shl
// CHECK: scf.if
// CHECK: llvm.add %arg0, %[[SLAB]]
// CHECK: llvm.add %arg0, %[[SLAB]]
// CHECK-NOT: llvm.shl
func.func @slab_once(%base: i32, %cond: i1, %src: vector<4xf32>) {
  %mem = tmem.view %base : !four
  scf.if %cond {
    %t = tmem.store %src, %mem registers(#regs) atom(<32x32b, x4>)
        scope(warpgroup) : vector<4xf32>, !four
    tmem.wait_store %t
  }
  %t = tmem.store %src, %mem registers(#regs) atom(<32x32b, x4>)
      scope(warpgroup) : vector<4xf32>, !four
  tmem.wait_store %t
  return
}

// Blocks of one dimension need tid.x alone.

// CHECK-LABEL: gpu.func @one_dimension(
// CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK-NOT: sreg
// CHECK: llvm.and %[[TID]]
gpu.module @kernels {
  gpu.func @one_dimension(%base: i32, %src: vector<4xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %mem = tmem.view %base : !four
    %t = tmem.store %src, %mem registers(#regs) atom(<32x32b, x4>)
        scope(warpgroup) : vector<4xf32>, !four
    tmem.wait_store %t
    gpu.return
  }
}

// The threads of a launch enter its body, not the function around it.

// CHECK-LABEL: func @launch(
// CHECK-NOT: sreg
// CHECK: gpu.launch
// CHECK: nvvm.read.ptx.sreg.tid.x
// CHECK: gpu.terminator
func.func @launch(%base: i32, %src: vector<4xf32>) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %mem = tmem.view %base : !four
    %t = tmem.store %src, %mem registers(#regs) atom(<32x32b, x4>)
        scope(warpgroup) : vector<4xf32>, !four
    tmem.wait_store %t
    gpu.terminator
  }
  return
}

// Static offsets are part of the layout, and come last.

!wide = !tmem.view<128x64xf32, #tmem.layout<(128, 64) : (1@tlane, 1@tcol)>>
!at_12 = !tmem.view<128x4xf32, #tmem.layout<(128, 4) : (1@tlane, 1@tcol) + (12@tcol)>>

// CHECK-LABEL: func @static_window(
// CHECK: %[[WARP:.*]] = llvm.add %arg0,
// CHECK: %[[C12:.*]] = llvm.mlir.constant(12 : i32) : i32
// CHECK: %[[ADDRESS:.*]] = llvm.add %[[WARP]], %[[C12]]
// CHECK: llvm.inttoptr %[[ADDRESS]]
func.func @static_window(%base: i32, %src: vector<4xf32>) {
  %mem = tmem.view %base : !wide
  %window = tmem.subview %mem[0, 12] [128, 4] : !wide to !at_12
  %t = tmem.store %src, %window registers(#regs) atom(<32x32b, x4>)
      scope(warpgroup) : vector<4xf32>, !at_12
  tmem.wait_store %t
  return
}

// CHECK-LABEL: func @dynamic_window(
// CHECK-SAME: %[[BASE:.*]]: i32, %[[OFFSET:.*]]: index,
// CHECK: %[[CELLS:.*]] = arith.index_cast %[[OFFSET]] : index to i32
// CHECK: %[[WINDOW:.*]] = llvm.add %[[BASE]], %[[CELLS]]
// CHECK: llvm.add %[[WINDOW]], %{{.*}} : i32
func.func @dynamic_window(%base: i32, %offset: index, %src: vector<4xf32>) {
  %mem = tmem.view %base : !wide
  %window = tmem.subview %mem[0, %offset] [128, 4] : !wide to !four
  %t = tmem.store %src, %window registers(#regs) atom(<32x32b, x4>)
      scope(warpgroup) : vector<4xf32>, !four
  tmem.wait_store %t
  return
}

// A step of the first dimension is 16 columns.

!tiles = !tmem.view<4x128x16xf32, #tmem.layout<(4, 128, 16) : (16@tcol, 1@tlane, 1@tcol)>>
!tile = !tmem.view<1x128x4xf32, #tmem.layout<(128, 4) : (1@tlane, 1@tcol)>>

// CHECK-LABEL: func @dynamic_tile(
// CHECK-SAME: %[[BASE:.*]]: i32, %[[TILE:.*]]: index, %[[OFFSET:.*]]: index,
// CHECK: %[[STEPS:.*]] = arith.index_cast %[[TILE]] : index to i32
// CHECK: %[[C16:.*]] = llvm.mlir.constant(16 : i32) : i32
// CHECK: %[[CELLS:.*]] = llvm.mul %[[STEPS]], %[[C16]]
// CHECK: %[[ADDRESS:.*]] = llvm.add %[[BASE]], %[[CELLS]]
// CHECK: %[[CELLS:.*]] = arith.index_cast %[[OFFSET]] : index to i32
// CHECK: llvm.add %[[ADDRESS]], %[[CELLS]]
func.func @dynamic_tile(%base: i32, %tile: index, %offset: index,
                        %src: vector<4xf32>) {
  %mem = tmem.view %base : !tiles
  %window = tmem.subview %mem[%tile, 0, %offset] [1, 128, 4] : !tiles to !tile
  %t = tmem.store %src, %window registers(#regs) atom(<32x32b, x4>)
      scope(warpgroup) : vector<4xf32>, !tile
  tmem.wait_store %t
  return
}

// Regrouped dimensions have the same address.

!acc = !tmem.view<64x8xf32, #tmem.datapath<B>>
!split = !tmem.view<2x64x4xf32, #tmem.layout<(128, 4) : (1@tlane, 1@tcol)>>

// CHECK-LABEL: func @rearrange(
// CHECK: %[[ADDRESS:.*]] = llvm.add %arg0,
// CHECK: llvm.inttoptr %[[ADDRESS]]
func.func @rearrange(%base: i32, %src: vector<4xf32>) {
  %mem = tmem.view %base : !acc
  %split = tmem.rearrange %mem "r (h c) -> h r c" sizes(h = 2) : !acc to !split
  %t = tmem.store %src, %split registers(#regs) atom(<32x32b, x4>)
      scope(warpgroup) : vector<4xf32>, !split
  tmem.wait_store %t
  return
}
