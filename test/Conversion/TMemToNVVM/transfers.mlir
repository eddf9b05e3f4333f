// RUN: tmem-opt %s --convert-tmem-to-nvvm | FileCheck %s

// One intrinsic for each instruction of the plan: its name has the shape and the
// count, its last operand says whether it packs.

!d4 = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs32x32b = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

// CHECK-LABEL: func @shape_32x32b(
// CHECK: %[[FALSE:.*]] = llvm.mlir.constant(false) : i1
// CHECK: llvm.call_intrinsic "llvm.nvvm.tcgen05.st.32x32b.x4"(%{{.*}}, %{{.*}}, %[[FALSE]]) : (!llvm.ptr<6>, vector<4xi32>, i1) -> ()
// CHECK: %[[FALSE:.*]] = llvm.mlir.constant(false) : i1
// CHECK: llvm.call_intrinsic "llvm.nvvm.tcgen05.ld.32x32b.x4"(%{{.*}}, %[[FALSE]]) : (!llvm.ptr<6>, i1) -> vector<4xi32>
// CHECK-NOT: tcgen05.{{(ld|st)}}
func.func @shape_32x32b(%base: i32, %src: vector<4xf32>) -> vector<4xf32> {
  %mem = tmem.view %base : !d4
  %token = tmem.store %src, %mem registers(#regs32x32b) atom(<32x32b, x4>)
      scope(warpgroup) : vector<4xf32>, !d4
  tmem.wait_store %token
  %pending = tmem.load %mem registers(#regs32x32b) atom(<32x32b, x4>)
      scope(warpgroup) : !d4 -> !tmem.pending<vector<4xf32>>
  %dst = tmem.wait_load %pending : !tmem.pending<vector<4xf32>>
  return %dst : vector<4xf32>
}

!f4 = !tmem.view<64x4xf32, #tmem.datapath<F>>
#regs16x64b = #tmem.layout<(4, 2, 8, 2, 2) : (1@warp, 1@lane, 4@lane, 1@reg, 2@lane)>

// CHECK-LABEL: func @shape_16x64b(
// CHECK: llvm.call_intrinsic "llvm.nvvm.tcgen05.st.16x64b.x2"({{.*}}) : (!llvm.ptr<6>, vector<2xi32>, i1) -> ()
// CHECK: llvm.call_intrinsic "llvm.nvvm.tcgen05.ld.16x64b.x2"({{.*}}) : (!llvm.ptr<6>, i1) -> vector<2xi32>
func.func @shape_16x64b(%base: i32, %src: vector<2xf32>) -> vector<2xf32> {
  %mem = tmem.view %base : !f4
  %token = tmem.store %src, %mem registers(#regs16x64b) atom(<16x64b, x2>)
      scope(warpgroup) : vector<2xf32>, !f4
  tmem.wait_store %token
  %pending = tmem.load %mem registers(#regs16x64b) atom(<16x64b, x2>)
      scope(warpgroup) : !f4 -> !tmem.pending<vector<2xf32>>
  %dst = tmem.wait_load %pending : !tmem.pending<vector<2xf32>>
  return %dst : vector<2xf32>
}

#regs16x128b = #tmem.layout<(4, 2, 8, 4) : (1@warp, 1@reg, 4@lane, 1@lane)>

// CHECK-LABEL: func @shape_16x128b(
// CHECK: llvm.call_intrinsic "llvm.nvvm.tcgen05.st.16x128b.x1"({{.*}}) : (!llvm.ptr<6>, vector<2xi32>, i1) -> ()
// CHECK: llvm.call_intrinsic "llvm.nvvm.tcgen05.ld.16x128b.x1"({{.*}}) : (!llvm.ptr<6>, i1) -> vector<2xi32>
func.func @shape_16x128b(%base: i32, %src: vector<2xf32>) -> vector<2xf32> {
  %mem = tmem.view %base : !f4
  %token = tmem.store %src, %mem registers(#regs16x128b) atom(<16x128b, x1>)
      scope(warpgroup) : vector<2xf32>, !f4
  tmem.wait_store %token
  %pending = tmem.load %mem registers(#regs16x128b) atom(<16x128b, x1>)
      scope(warpgroup) : !f4 -> !tmem.pending<vector<2xf32>>
  %dst = tmem.wait_load %pending : !tmem.pending<vector<2xf32>>
  return %dst : vector<2xf32>
}

!f8 = !tmem.view<64x8xf32, #tmem.datapath<F>>
#regs16x256b = #tmem.layout<(4, 2, 8, 4, 2) : (1@warp, 2@reg, 4@lane, 1@lane, 1@reg)>

// CHECK-LABEL: func @shape_16x256b(
// CHECK: llvm.call_intrinsic "llvm.nvvm.tcgen05.st.16x256b.x1"({{.*}}) : (!llvm.ptr<6>, vector<4xi32>, i1) -> ()
// CHECK: llvm.call_intrinsic "llvm.nvvm.tcgen05.ld.16x256b.x1"({{.*}}) : (!llvm.ptr<6>, i1) -> vector<4xi32>
func.func @shape_16x256b(%base: i32, %src: vector<4xf32>) -> vector<4xf32> {
  %mem = tmem.view %base : !f8
  %token = tmem.store %src, %mem registers(#regs16x256b) atom(<16x256b, x1>)
      scope(warpgroup) : vector<4xf32>, !f8
  tmem.wait_store %token
  %pending = tmem.load %mem registers(#regs16x256b) atom(<16x256b, x1>)
      scope(warpgroup) : !f8 -> !tmem.pending<vector<4xf32>>
  %dst = tmem.wait_load %pending : !tmem.pending<vector<4xf32>>
  return %dst : vector<4xf32>
}

// One word is an i32, not a vector.

!d1 = !tmem.view<128x1xi32, #tmem.datapath<D>>
#regs1 = #tmem.layout<(128) : (1@tid)>

// CHECK-LABEL: func @one_word(
// CHECK: llvm.call_intrinsic "llvm.nvvm.tcgen05.st.32x32b.x1"({{.*}}) : (!llvm.ptr<6>, i32, i1) -> ()
// CHECK: llvm.call_intrinsic "llvm.nvvm.tcgen05.ld.32x32b.x1"({{.*}}) : (!llvm.ptr<6>, i1) -> i32
func.func @one_word(%base: i32, %src: vector<1xi32>) -> vector<1xi32> {
  %mem = tmem.view %base : !d1
  %token = tmem.store %src, %mem registers(#regs1) atom(<32x32b, x1>)
      scope(warpgroup) : vector<1xi32>, !d1
  tmem.wait_store %token
  %pending = tmem.load %mem registers(#regs1) atom(<32x32b, x1>)
      scope(warpgroup) : !d1 -> !tmem.pending<vector<1xi32>>
  %dst = tmem.wait_load %pending : !tmem.pending<vector<1xi32>>
  return %dst : vector<1xi32>
}

// 16-bit accumulators have one element in each cell; packed, two of them come to
// one register.

!half = !tmem.view<128x8xf16, #tmem.datapath<D>>
#regs_packed = #tmem.layout<(128, 8) : (1@tid, 1@reg)>

// CHECK-LABEL: func @pack_unpack(
// CHECK: %[[TRUE:.*]] = llvm.mlir.constant(true) : i1
// CHECK: llvm.call_intrinsic "llvm.nvvm.tcgen05.st.32x32b.x4"(%{{.*}}, %{{.*}}, %[[TRUE]]) : (!llvm.ptr<6>, vector<4xi32>, i1) -> ()
// CHECK: %[[TRUE:.*]] = llvm.mlir.constant(true) : i1
// CHECK: llvm.call_intrinsic "llvm.nvvm.tcgen05.ld.32x32b.x4"(%{{.*}}, %[[TRUE]]) : (!llvm.ptr<6>, i1) -> vector<4xi32>
func.func @pack_unpack(%base: i32, %src: vector<8xf16>) -> vector<8xf16> {
  %mem = tmem.view %base : !half
  %token = tmem.store %src, %mem registers(#regs_packed)
      atom(<32x32b, x4, unpack>) scope(warpgroup) : vector<8xf16>, !half
  tmem.wait_store %token
  %pending = tmem.load %mem registers(#regs_packed) atom(<32x32b, x4, pack>)
      scope(warpgroup) : !half -> !tmem.pending<vector<8xf16>>
  %dst = tmem.wait_load %pending : !tmem.pending<vector<8xf16>>
  return %dst : vector<8xf16>
}

// Two instructions where one does not reach: the second is 64 columns further
// on, and each word goes to its place in the vector.

!wide = !tmem.view<128x96xf32, #tmem.datapath<D>>
#regs_wide = #tmem.layout<(128, 96) : (1@tid, 1@reg)>

// CHECK-LABEL: func @columns_96(
// CHECK: %[[WARP:.*]] = llvm.add %arg0, %{{.*}} : i32
// CHECK: %[[P0:.*]] = llvm.inttoptr %[[WARP]] : i32 to !llvm.ptr<6>
// CHECK: llvm.call_intrinsic "llvm.nvvm.tcgen05.ld.32x32b.x64"(%[[P0]], %{{.*}}) : {{.*}} -> vector<64xi32>
// CHECK: %[[C64:.*]] = llvm.mlir.constant(64 : i32) : i32
// CHECK: %[[SECOND:.*]] = llvm.add %[[WARP]], %[[C64]] : i32
// CHECK: %[[P1:.*]] = llvm.inttoptr %[[SECOND]] : i32 to !llvm.ptr<6>
// CHECK: llvm.call_intrinsic "llvm.nvvm.tcgen05.ld.32x32b.x32"(%[[P1]], %{{.*}}) : {{.*}} -> vector<32xi32>
// CHECK: "llvm.nvvm.tcgen05.wait.ld"
// CHECK-NOT: "llvm.nvvm.tcgen05.wait.ld"
func.func @columns_96(%base: i32) -> vector<96xf32> {
  %mem = tmem.view %base : !wide
  %pending = tmem.load %mem registers(#regs_wide) atom(<32x32b, x64, x32>)
      scope(warpgroup) : !wide -> !tmem.pending<vector<96xf32>>
  %dst = tmem.wait_load %pending : !tmem.pending<vector<96xf32>>
  return %dst : vector<96xf32>
}

// Both halves of a slab: the second instruction starts 16 lanes on, 16 << 16.

!both = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs_both = #tmem.layout<(4, 2, 2, 8, 4) : (1@warp, 2@reg, 1@reg, 4@lane, 1@lane)>

// CHECK-LABEL: func @both_halves(
// CHECK: %[[WARP:.*]] = llvm.add %arg0, %{{.*}} : i32
// CHECK: llvm.inttoptr %[[WARP]]
// CHECK: "llvm.nvvm.tcgen05.ld.16x128b.x1"
// CHECK: %[[LANE16:.*]] = llvm.mlir.constant(1048576 : i32) : i32
// CHECK: %[[UPPER:.*]] = llvm.add %[[WARP]], %[[LANE16]] : i32
// CHECK: llvm.inttoptr %[[UPPER]]
// CHECK: "llvm.nvvm.tcgen05.ld.16x128b.x1"
func.func @both_halves(%base: i32) -> vector<4xf32> {
  %mem = tmem.view %base : !both
  %pending = tmem.load %mem registers(#regs_both) atom(<16x128b, x1>)
      scope(warpgroup) : !both -> !tmem.pending<vector<4xf32>>
  %dst = tmem.wait_load %pending : !tmem.pending<vector<4xf32>>
  return %dst : vector<4xf32>
}
