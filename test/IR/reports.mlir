// RUN: tmem-opt %s --verify-roundtrip | FileCheck %s
// RUN: tmem-opt %s --convert-tmem-to-nvvm | FileCheck %s --check-prefix=ISSUES

// What other tools were reported to get wrong or to refuse, and is right. What is
// wrong is in invalid-reports.mlir under the same numbers.

// tile-ai/tilelang PR 2952: 96 16-bit columns are 48 cells, x32 and x16.
!dense96 = !tmem.view<128x96xf16, #tmem.layout<(128, 96) : (1@tlane, 1@tcol)>>
#regs96 = #tmem.layout<(128, 96) : (1@tid, 1@reg)>

// CHECK-LABEL: func @row10_96_columns_of_16_bits(
// CHECK: tmem.load {{.*}} atom(<32x32b, x32, x16>)
// ISSUES-LABEL: func @row10_96_columns_of_16_bits(
// ISSUES: nvvm.tcgen05.st.32x32b.x32
// ISSUES: nvvm.tcgen05.st.32x32b.x16
// ISSUES: nvvm.tcgen05.ld.32x32b.x32
// ISSUES: nvvm.tcgen05.ld.32x32b.x16
// ISSUES-NOT: nvvm.tcgen05.ld
func.func @row10_96_columns_of_16_bits(%view: !dense96, %source: vector<96xf16>) -> vector<96xf16> {
  %0 = tmem.store %source, %view registers(#regs96) atom(<32x32b, x32, x16>) scope(warpgroup) : vector<96xf16>, !dense96
  tmem.wait_store %0
  %1 = tmem.load %view registers(#regs96) atom(<32x32b, x32, x16>) scope(warpgroup) : !dense96 -> !tmem.pending<vector<96xf16>>
  %2 = tmem.wait_load %1 : !tmem.pending<vector<96xf16>>
  return %2 : vector<96xf16>
}

// The words of the two instructions may lie in any order in the thread's vector.
#regs96_swapped = #tmem.layout<(128, 3, 32) : (1@tid, -32@reg, 1@reg) + (64@reg)>

// CHECK-LABEL: func @row10_words_in_other_order(
// ISSUES-LABEL: func @row10_words_in_other_order(
func.func @row10_words_in_other_order(%view: !dense96) -> vector<96xf16> {
  %0 = tmem.load %view registers(#regs96_swapped) atom(<32x32b, x32, x16>) scope(warpgroup) : !dense96 -> !tmem.pending<vector<96xf16>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<96xf16>>
  return %1 : vector<96xf16>
}

// apache/tvm PR 20068: both halves of each slab.
!low = !tmem.view<64x32xf32, #tmem.datapath<F>>
!high = !tmem.view<64x32xf32, #tmem.datapath<F, half = 1>>
#regs_f = #tmem.layout<(4, 2, 8, 16, 2) : (1@warp, 1@lane, 4@lane, 1@reg, 2@lane)>

// CHECK-LABEL: func @row11_path_f_of_both_halves(
// ISSUES-LABEL: func @row11_path_f_of_both_halves(
// ISSUES-COUNT-2: nvvm.tcgen05.ld.16x64b.x16
func.func @row11_path_f_of_both_halves(%low: !low, %high: !high) {
  %0 = tmem.load %low registers(#regs_f) atom(<16x64b, x16>) scope(warpgroup) : !low -> !tmem.pending<vector<16xf32>>
  %1 = tmem.load %high registers(#regs_f) atom(<16x64b, x16>) scope(warpgroup) : !high -> !tmem.pending<vector<16xf32>>
  %2:2 = tmem.wait_load %0, %1 : !tmem.pending<vector<16xf32>>, !tmem.pending<vector<16xf32>>
  return
}

// apache/tvm PR 20075: M = 64 with cta_group::2 as 32x32b of half the columns.
!path_b = !tmem.view<64x256xf32, #tmem.datapath<B>>
#regs_b = #tmem.layout<(64, 2, 128) : (1@tid, 64@tid, 1@reg)>

// CHECK-LABEL: func @row11_path_b(
// ISSUES-LABEL: func @row11_path_b(
// ISSUES: nvvm.tcgen05.ld.32x32b.x128
func.func @row11_path_b(%view: !path_b) {
  %0 = tmem.load %view registers(#regs_b) atom(<32x32b, x128>) scope(warpgroup) : !path_b -> !tmem.pending<vector<128xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<128xf32>>
  return
}

// triton-lang/triton PR 10321: distance 2 is legal, packed too, and distance 1
// without packing.
!first = !tmem.view<16x1xf32, #tmem.layout<(16) : (1@tlane)>>
!second = !tmem.view<16x1xf32, #tmem.layout<(16) : (1@tlane) + (1@tcol)>>
!packed_first = !tmem.view<16x2xf16, #tmem.layout<(16, 2) : (1@tlane, 2@tcol)>>
!packed_second = !tmem.view<16x2xf16, #tmem.layout<(16, 2) : (1@tlane, 2@tcol) + (4@tcol)>>

// CHECK-LABEL: func @row12_distance_one_and_two(
// ISSUES-LABEL: func @row12_distance_one_and_two(
func.func @row12_distance_one_and_two(%base: i32, %source: vector<2xf16>) {
  %a = tmem.view %base : !first
  %b = tmem.view %base : !second
  %0 = tmem.load_split %a, %b registers(#tmem.layout<(2, 16) : (16@lane, 1@lane)>) atom(<16x32bx2, x1>) immediate(1) scope(warp 0)
    : !first, !second -> !tmem.pending<vector<1xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<1xf32>>
  %c = tmem.view %base : !packed_first
  %d = tmem.view %base : !packed_second
  %2 = tmem.store_split %source, %c, %d registers(#tmem.layout<(2, 16, 2) : (16@lane, 1@lane, 1@reg)>)
    atom(<16x32bx2, x1, unpack>) immediate(2) scope(warp 0) : vector<2xf16>, !packed_first, !packed_second
  tmem.wait_store %2
  return
}

// NVIDIA/cutlass 2094: widths that are no power of two.
!d160 = !tmem.view<128x160xf32, #tmem.datapath<D>>
!d96 = !tmem.view<128x96xf32, #tmem.datapath<D>>
!d48 = !tmem.view<128x48xf32, #tmem.datapath<D>>
!d24 = !tmem.view<128x24xf32, #tmem.datapath<D>>

// CHECK-LABEL: func @row13_160_columns(
// ISSUES-LABEL: func @row13_160_columns(
// ISSUES: nvvm.tcgen05.ld.32x32b.x128
// ISSUES: nvvm.tcgen05.ld.32x32b.x32
func.func @row13_160_columns(%view: !d160) {
  %0 = tmem.load %view registers(#tmem.layout<(128, 160) : (1@tid, 1@reg)>) atom(<32x32b, x128, x32>) scope(warpgroup) : !d160 -> !tmem.pending<vector<160xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<160xf32>>
  return
}

// CHECK-LABEL: func @row13_96_columns(
// ISSUES-LABEL: func @row13_96_columns(
// ISSUES-COUNT-3: nvvm.tcgen05.ld.32x32b.x32
func.func @row13_96_columns(%view: !d96) {
  %0 = tmem.load %view registers(#tmem.layout<(128, 96) : (1@tid, 1@reg)>) atom(<32x32b, x32>) scope(warpgroup) : !d96 -> !tmem.pending<vector<96xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<96xf32>>
  return
}

// CHECK-LABEL: func @row13_48_columns(
// ISSUES-LABEL: func @row13_48_columns(
// ISSUES: nvvm.tcgen05.ld.32x32b.x32
// ISSUES: nvvm.tcgen05.ld.32x32b.x16
func.func @row13_48_columns(%view: !d48) {
  %0 = tmem.load %view registers(#tmem.layout<(128, 48) : (1@tid, 1@reg)>) atom(<32x32b, x16, x32>) scope(warpgroup) : !d48 -> !tmem.pending<vector<48xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<48xf32>>
  return
}

// CHECK-LABEL: func @row13_24_columns(
// ISSUES-LABEL: func @row13_24_columns(
// ISSUES: nvvm.tcgen05.st.32x32b.x16
// ISSUES: nvvm.tcgen05.st.32x32b.x8
func.func @row13_24_columns(%view: !d24, %source: vector<24xf32>) {
  %0 = tmem.store %source, %view registers(#tmem.layout<(128, 24) : (1@tid, 1@reg)>) atom(<32x32b, x16, x8>) scope(warpgroup) : vector<24xf32>, !d24
  tmem.wait_store %0
  return
}

// What row 17 wants of a 16-row shape on path D: all four slabs, both halves.
!d8 = !tmem.view<128x8xf32, #tmem.datapath<D>>
#regs_d16 = #tmem.layout<(4, 2, 2, 8, 4, 2) : (1@warp, 4@reg, 2@reg, 4@lane, 1@lane, 1@reg)>

// CHECK-LABEL: func @row17_16x256b_of_path_d(
// ISSUES-LABEL: func @row17_16x256b_of_path_d(
// ISSUES-COUNT-2: nvvm.tcgen05.ld.16x256b.x1
func.func @row17_16x256b_of_path_d(%view: !d8) {
  %0 = tmem.load %view registers(#regs_d16) atom(<16x256b, x1>) scope(warpgroup) : !d8 -> !tmem.pending<vector<8xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<8xf32>>
  return
}

// triton-lang/triton, fuzz ledgers of 2026: permuted rows, reshaped views, 64
// bits. Rows 16 to 31 of the slab come first in this tile.
!permuted = !tmem.view<32x4xf32, #tmem.layout<(2, 16, 4) : (-16@tlane, 1@tlane, 1@tcol) + (16@tlane)>>
!reshaped = !tmem.view<4x2x16xf32, #tmem.layout<(4, 2, 16) : (1@tcol, -16@tlane, 1@tlane) + (16@tlane)>>
!wide = !tmem.view<128x4xf64, #tmem.layout<(128, 4) : (1@tlane, 1@tcol)>>

// CHECK-LABEL: func @row18_permuted_rows(
// ISSUES-LABEL: func @row18_permuted_rows(
// ISSUES: nvvm.tcgen05.ld.32x32b.x4
func.func @row18_permuted_rows(%view: !permuted) {
  %0 = tmem.load %view registers(#tmem.layout<(2, 16, 4) : (-16@lane, 1@lane, 1@reg) + (16@lane)>) atom(<32x32b, x4>) scope(warp 0) : !permuted -> !tmem.pending<vector<4xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<4xf32>>
  return
}

// CHECK-LABEL: func @row18_reshaped_view(
// ISSUES-LABEL: func @row18_reshaped_view(
// ISSUES: nvvm.tcgen05.ld.32x32b.x4
func.func @row18_reshaped_view(%view: !permuted) {
  %0 = tmem.rearrange %view "(h r) c -> c h r" sizes(h = 2) : !permuted to !reshaped
  %1 = tmem.load %0 registers(#tmem.layout<(4, 2, 16) : (1@reg, -16@lane, 1@lane) + (16@lane)>) atom(<32x32b, x4>) scope(warp 0)
    : !reshaped -> !tmem.pending<vector<4xf32>>
  %2 = tmem.wait_load %1 : !tmem.pending<vector<4xf32>>
  return
}

// CHECK-LABEL: func @row18_64_bits(
// ISSUES-LABEL: func @row18_64_bits(
// ISSUES: nvvm.tcgen05.ld.32x32b.x8
func.func @row18_64_bits(%view: !wide) {
  %0 = tmem.load %view registers(#tmem.layout<(128, 4) : (1@tid, 1@reg)>) atom(<32x32b, x8>) scope(warpgroup) : !wide -> !tmem.pending<vector<4xf64>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<4xf64>>
  return
}
