// RUN: tmem-opt %s --convert-tmem-to-nvvm | FileCheck %s

#warp_regs = #tmem.layout<(32, 4) : (1@lane, 1@reg)>
!warp0 = !tmem.view<32x4xf32, #tmem.layout<(32, 4) : (1@tlane, 1@tcol)>>
!warp2 = !tmem.view<32x4xf32, #tmem.layout<(32, 4) : (1@tlane, 1@tcol) + (64@tlane)>>

// A warp that is named needs no thread number: its slab is a constant.

// CHECK-LABEL: func @warp_0(
// CHECK-NOT: tid
// CHECK: llvm.inttoptr %arg0
func.func @warp_0(%base: i32) -> vector<4xf32> {
  %mem = tmem.view %base : !warp0
  %pending = tmem.load %mem registers(#warp_regs) atom(<32x32b, x4>)
      scope(warp 0) : !warp0 -> !tmem.pending<vector<4xf32>>
  %dst = tmem.wait_load %pending : !tmem.pending<vector<4xf32>>
  return %dst : vector<4xf32>
}

// CHECK-LABEL: func @warp_2(
// CHECK-NOT: tid
// CHECK: %[[LANE64:.*]] = llvm.mlir.constant(4194304 : i32) : i32
// CHECK: %[[ADDRESS:.*]] = llvm.add %arg0, %[[LANE64]] : i32
// CHECK: llvm.inttoptr %[[ADDRESS]]
func.func @warp_2(%base: i32) -> vector<4xf32> {
  %mem = tmem.view %base : !warp2
  %pending = tmem.load %mem registers(#warp_regs) atom(<32x32b, x4>)
      scope(warp 2) : !warp2 -> !tmem.pending<vector<4xf32>>
  %dst = tmem.wait_load %pending : !tmem.pending<vector<4xf32>>
  return %dst : vector<4xf32>
}

// Bits 5 and 6 of the thread's number select the slab: lane 32 is bit 21.

#group_regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>
!group = !tmem.view<128x4xf32, #tmem.datapath<D>>

// CHECK-LABEL: func @warpgroup(
// CHECK: %[[X:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK: %[[Y:.*]] = nvvm.read.ptx.sreg.tid.y
// CHECK: %[[Z:.*]] = nvvm.read.ptx.sreg.tid.z
// CHECK: %[[NX:.*]] = nvvm.read.ptx.sreg.ntid.x
// CHECK: %[[NY:.*]] = nvvm.read.ptx.sreg.ntid.y
// CHECK: %[[NYZ:.*]] = llvm.mul %[[NY]], %[[Z]]
// CHECK: %[[ROW:.*]] = llvm.add %[[Y]], %[[NYZ]]
// CHECK: %[[ROWS:.*]] = llvm.mul %[[NX]], %[[ROW]]
// CHECK: %[[TID:.*]] = llvm.add %[[X]], %[[ROWS]]
// CHECK: %[[MASK:.*]] = llvm.mlir.constant(96 : i32) : i32
// CHECK: %[[WARP:.*]] = llvm.and %[[TID]], %[[MASK]]
// CHECK: %[[SHIFT:.*]] = llvm.mlir.constant(16 : i32) : i32
// CHECK: %[[SLAB:.*]] = llvm.shl %[[WARP]], %[[SHIFT]]
// CHECK: llvm.add %arg0, %[[SLAB]]
func.func @warpgroup(%base: i32) -> vector<4xf32> {
  %mem = tmem.view %base : !group
  %pending = tmem.load %mem registers(#group_regs) atom(<32x32b, x4>)
      scope(warpgroup) : !group -> !tmem.pending<vector<4xf32>>
  %dst = tmem.wait_load %pending : !tmem.pending<vector<4xf32>>
  return %dst : vector<4xf32>
}

// In CTA scope warpgroups may be columns apart: 4 here.

#cta_regs = #tmem.layout<(128, 2, 4) : (1@tid, 128@tid, 1@reg)>
!cta = !tmem.view<128x8xf32, #tmem.datapath<D>>

// CHECK-LABEL: func @two_warpgroups(
// CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK-DAG: %[[SLAB:.*]] = llvm.shl
// CHECK-DAG: %[[C7:.*]] = llvm.mlir.constant(7 : i32) : i32
// CHECK-DAG: %[[WARPGROUP:.*]] = llvm.lshr %[[TID]], %[[C7]]
// CHECK-DAG: %[[ADDRESS:.*]] = llvm.add %arg0, %[[SLAB]]
// CHECK: %[[STEP:.*]] = llvm.mlir.constant(4 : i32) : i32
// CHECK: %[[COLUMNS:.*]] = llvm.mul %[[WARPGROUP]], %[[STEP]]
// CHECK: llvm.add %[[ADDRESS]], %[[COLUMNS]]
// CHECK: "llvm.nvvm.tcgen05.ld.32x32b.x4"
// CHECK-NOT: "llvm.nvvm.tcgen05.ld
gpu.module @cta {
  gpu.func @two_warpgroups(%base: i32, %out: memref<256x4xf32>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %mem = tmem.view %base : !cta
    %pending = tmem.load %mem registers(#cta_regs) atom(<32x32b, x4>)
        scope(cta) : !cta -> !tmem.pending<vector<4xf32>>
    %dst = tmem.wait_load %pending : !tmem.pending<vector<4xf32>>
    %c0 = arith.constant 0 : index
    vector.store %dst, %out[%c0, %c0] : memref<256x4xf32>, vector<4xf32>
    gpu.return
  }
}
