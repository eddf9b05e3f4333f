// RUN: tmem-opt %s --tmem-select-atoms --mlir-print-local-scope | FileCheck %s
// RUN: tmem-opt %s --tmem-select-atoms --tmem-select-atoms --mlir-print-local-scope | FileCheck %s
// RUN: tmem-opt %s --pass-pipeline='builtin.module(func.func(tmem-select-atoms),gpu.module(tmem-select-atoms))' --mlir-print-local-scope | FileCheck %s
// RUN: tmem-opt %s --tmem-select-atoms --convert-tmem-to-nvvm | FileCheck %s --check-prefix=LOWER

// What is left out is filled in, for every form of transfer, and lowers.

!d = !tmem.view<128x96xf32, #tmem.datapath<D>>
!f = !tmem.view<64x8xf16, #tmem.datapath<F, half = 1>>

// CHECK-LABEL: func @load(
// LOWER-LABEL: func @load(
func.func @load(%view: !d) -> vector<96xf32> {
  // CHECK: tmem.load %arg0 registers(#tmem.layout<(128, 96) : (1@tid, 1@reg)>) atom(<32x32b, x64, x32>) scope(warpgroup)
  // LOWER: "llvm.nvvm.tcgen05.ld.32x32b.x64"
  // LOWER: "llvm.nvvm.tcgen05.ld.32x32b.x32"
  %0 = tmem.load %view scope(warpgroup) : !d -> !tmem.pending<vector<96xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<96xf32>>
  return %1 : vector<96xf32>
}

// CHECK-LABEL: func @store(
// LOWER-LABEL: func @store(
func.func @store(%source: vector<96xf32>, %view: !d) {
  // CHECK: tmem.store %arg0, %arg1 registers(#tmem.layout<(128, 96) : (1@tid, 1@reg)>) atom(<32x32b, x64, x32>) scope(warpgroup) {tag}
  // LOWER: "llvm.nvvm.tcgen05.st.32x32b.x64"
  // LOWER: "llvm.nvvm.tcgen05.st.32x32b.x32"
  %0 = tmem.store %source, %view scope(warpgroup) {tag} : vector<96xf32>, !d
  tmem.wait_store %0
  return
}

// CHECK-LABEL: func @store_unpack(
// LOWER-LABEL: func @store_unpack(
func.func @store_unpack(%source: vector<4xf16>, %view: !f) {
  // CHECK: registers(#tmem.layout<(4, 2, 8, 2, 2, 2) : (32@tid, 1@tid, 4@tid, 2@reg, 2@tid, 1@reg)>) atom(<16x64b, x2, unpack>)
  // LOWER: "llvm.nvvm.tcgen05.st.16x64b.x2"
  %0 = tmem.store %source, %view scope(warpgroup) : vector<4xf16>, !f
  tmem.wait_store %0
  return
}

!low = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol)>>
!high = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol) + (16@tlane, 8@tcol)>>
#halves = #tmem.layout<(2, 16, 4) : (16@lane, 1@lane, 1@reg)>

// CHECK-LABEL: func @split(
// LOWER-LABEL: func @split(
func.func @split(%base: i32) {
  %low = tmem.view %base : !low
  %high = tmem.view %base : !high
  // CHECK: tmem.load_split %{{.*}}, %{{.*}} registers(#tmem.layout<(32, 4) : (1@tid, 1@reg)>) atom(<16x32bx2, x4>) scope(warp 0)
  // LOWER: "llvm.nvvm.tcgen05.ld.16x32bx2.x4"
  %0 = tmem.load_split %low, %high scope(warp 0) : !low, !high -> !tmem.pending<vector<4xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<4xf32>>
  // CHECK: tmem.store_split %{{.*}}, %{{.*}}, %{{.*}} registers(#tmem.layout<(32, 4) : (1@tid, 1@reg)>) atom(<16x32bx2, x4>) immediate(1048584) scope(warp 0)
  // LOWER: "llvm.nvvm.tcgen05.st.16x32bx2.x4"
  %2 = tmem.store_split %1, %low, %high immediate(1048584) scope(warp 0) : vector<4xf32>, !low, !high
  tmem.wait_store %2
  return
}

//===----------------------------------------------------------------------===//
// What is named stays
//===----------------------------------------------------------------------===//

!d8 = !tmem.view<128x8xf32, #tmem.datapath<D>>
#threads = #tmem.layout<(128, 8) : (1@tid, 1@reg)>
#reversed = #tmem.layout<(128, 8) : (1@tid, -1@reg) + (7@reg)>

// CHECK-LABEL: func @named_registers(
func.func @named_registers(%view: !d8) -> vector<8xf32> {
  // CHECK: registers(#tmem.layout<(128, 8) : (1@tid, -1@reg) + (7@reg)>) atom(<32x32b, x8>)
  %0 = tmem.load %view registers(#reversed) scope(warpgroup) : !d8 -> !tmem.pending<vector<8xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<8xf32>>
  return %1 : vector<8xf32>
}

// CHECK-LABEL: func @named_atom(
func.func @named_atom(%view: !d8) -> vector<8xf32> {
  // CHECK: registers(#tmem.layout<(128, 8) : (1@tid, 1@reg)>) atom(<32x32b, x2>)
  %0 = tmem.load %view atom(<32x32b, x2>) scope(warpgroup) : !d8 -> !tmem.pending<vector<8xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<8xf32>>
  return %1 : vector<8xf32>
}

// CHECK-LABEL: func @named_shape(
func.func @named_shape(%view: !d8) -> vector<8xf32> {
  // CHECK: registers(#tmem.layout<(4, 4, 32, 2) : (32@tid, 2@reg, 1@tid, 1@reg)>) atom(<16x256b, x1>)
  %0 = tmem.load %view atom(<16x256b, x1>) scope(warpgroup) : !d8 -> !tmem.pending<vector<8xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<8xf32>>
  return %1 : vector<8xf32>
}

// CHECK-LABEL: func @named_both(
func.func @named_both(%view: !d8) -> vector<8xf32> {
  // CHECK: registers(#tmem.layout<(128, 8) : (1@tid, 1@reg)>) atom(<32x32b, x4>)
  %0 = tmem.load %view registers(#threads) atom(<32x32b, x4>) scope(warpgroup) : !d8 -> !tmem.pending<vector<8xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<8xf32>>
  return %1 : vector<8xf32>
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

!wide = !tmem.view<128x128xf32, #tmem.datapath<D>>
!window = !tmem.view<128x24xf32, #tmem.layout<(128, 24) : (1@tlane, 1@tcol)>>
!window32 = !tmem.view<128x24xf32, #tmem.layout<(128, 24) : (1@tlane, 1@tcol) + (37@tcol)>>

// CHECK-LABEL: func @windows(
func.func @windows(%view: !wide, %j: index) {
  %0 = tmem.subview %view[0, %j] [128, 24] : !wide to !window
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 24) : (1@tid, 1@reg)>) atom(<32x32b, x16, x8>)
  %1 = tmem.load %0 scope(warpgroup) : !window -> !tmem.pending<vector<24xf32>>
  %2 = tmem.wait_load %1 : !tmem.pending<vector<24xf32>>
  %3 = tmem.subview %view[0, 37] [128, 24] : !wide to !window32
  // CHECK: tmem.store %{{.*}}, %{{.*}} registers(#tmem.layout<(128, 24) : (1@tid, 1@reg)>) atom(<32x32b, x16, x8>)
  %4 = tmem.store %2, %3 scope(warpgroup) : vector<24xf32>, !window32
  tmem.wait_store %4
  return
}

// A window of both rows and columns of one warp.
!corner = !tmem.view<16x10xf32, #tmem.layout<(16, 10) : (1@tlane, 1@tcol) + (80@tlane, 5@tcol)>>

// CHECK-LABEL: func @corner(
func.func @corner(%view: !wide) -> vector<5xf32> {
  %0 = tmem.subview %view[80, 5] [16, 10] : !wide to !corner
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(2, 8, 5, 2) : (1@tid, 4@tid, 1@reg, 2@tid)>) atom(<16x64b, x4, x1>)
  %1 = tmem.load %0 scope(warp 2) : !corner -> !tmem.pending<vector<5xf32>>
  %2 = tmem.wait_load %1 : !tmem.pending<vector<5xf32>>
  return %2 : vector<5xf32>
}

//===----------------------------------------------------------------------===//
// CTA scope
//===----------------------------------------------------------------------===//

!cta = !tmem.view<128x64xf32, #tmem.datapath<D>>

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @two_warpgroups(
  gpu.func @two_warpgroups(%view: !cta) kernel attributes {known_block_size = array<i32: 64, 4, 1>} {
    // CHECK: registers(#tmem.layout<(128, 2, 32) : (1@tid, 128@tid, 1@reg)>) atom(<32x32b, x32>)
    %0 = tmem.load %view scope(cta) : !cta -> !tmem.pending<vector<32xf32>>
    %1 = tmem.wait_load %0 : !tmem.pending<vector<32xf32>>
    // CHECK: registers(#tmem.layout<(128, 2, 32) : (1@tid, 128@tid, 1@reg)>) atom(<32x32b, x32>)
    %2 = tmem.store %1, %view scope(cta) : vector<32xf32>, !cta
    tmem.wait_store %2
    gpu.return
  }
}
