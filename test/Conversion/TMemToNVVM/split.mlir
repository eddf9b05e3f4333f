// RUN: tmem-opt %s --convert-tmem-to-nvvm | FileCheck %s

// The immediate of 16x32bx2 is the distance of its two accesses, an encoded
// address: lane << 16 | column.

!low = !tmem.view<64x4xf32, #tmem.datapath<F>>
!high = !tmem.view<64x4xf32, #tmem.datapath<F, half = 1>>
#regs = #tmem.layout<(2, 4, 16, 4) : (16@lane, 1@warp, 1@lane, 1@reg)>

// CHECK-LABEL: func @halves_of_a_slab(
// CHECK: %[[DISTANCE:.*]] = llvm.mlir.constant(1048576 : i64) : i64
// CHECK: llvm.call_intrinsic "llvm.nvvm.tcgen05.st.16x32bx2.x4"(%{{.*}}, %[[DISTANCE]], %{{.*}}, %{{.*}}) : (!llvm.ptr<6>, i64, vector<4xi32>, i1) -> ()
// CHECK: %[[DISTANCE:.*]] = llvm.mlir.constant(1048576 : i64) : i64
// CHECK: llvm.call_intrinsic "llvm.nvvm.tcgen05.ld.16x32bx2.x4"(%{{.*}}, %[[DISTANCE]], %{{.*}}) : (!llvm.ptr<6>, i64, i1) -> vector<4xi32>
func.func @halves_of_a_slab(%base: i32, %src: vector<4xf32>) -> vector<4xf32> {
  %low = tmem.view %base : !low
  %high = tmem.view %base : !high
  %token = tmem.store_split %src, %low, %high registers(#regs)
      atom(<16x32bx2, x4>) immediate(1048576) scope(warpgroup)
      : vector<4xf32>, !low, !high
  tmem.wait_store %token
  %pending = tmem.load_split %low, %high registers(#regs) atom(<16x32bx2, x4>)
      scope(warpgroup) : !low, !high -> !tmem.pending<vector<4xf32>>
  %dst = tmem.wait_load %pending : !tmem.pending<vector<4xf32>>
  return %dst : vector<4xf32>
}

!columns = !tmem.view<64x8xf32, #tmem.datapath<F>>
!left = !tmem.view<64x4xf32, #tmem.layout<(4, 16, 4) : (32@tlane, 1@tlane, 1@tcol)>>
!right = !tmem.view<64x4xf32, #tmem.layout<(4, 16, 4) : (32@tlane, 1@tlane, 1@tcol) + (4@tcol)>>

// CHECK-LABEL: func @columns_of_a_half(
// CHECK: %[[DISTANCE:.*]] = llvm.mlir.constant(4 : i64) : i64
// CHECK: llvm.call_intrinsic "llvm.nvvm.tcgen05.ld.16x32bx2.x4"(%{{.*}}, %[[DISTANCE]], %{{.*}})
func.func @columns_of_a_half(%base: i32) -> vector<4xf32> {
  %mem = tmem.view %base : !columns
  %left = tmem.subview %mem[0, 0] [64, 4] : !columns to !left
  %right = tmem.subview %mem[0, 4] [64, 4] : !columns to !right
  %pending = tmem.load_split %left, %right registers(#regs)
      atom(<16x32bx2, x4>) scope(warpgroup)
      : !left, !right -> !tmem.pending<vector<4xf32>>
  %dst = tmem.wait_load %pending : !tmem.pending<vector<4xf32>>
  return %dst : vector<4xf32>
}
