// RUN: tmem-opt %s -split-input-file -verify-diagnostics

// What other tools were reported to accept, and is wrong. What is right is in
// reports.mlir under the same numbers.

// tile-ai/tilelang PR 2952: the words of the second instruction are counted in
// elements, so they lie past the end of the thread's vector.
!view = !tmem.view<128x96xf16, #tmem.layout<(128, 96) : (1@tlane, 1@tcol)>>
#regs = #tmem.layout<(128, 3, 32) : (1@tid, 64@reg, 1@reg)>
func.func @R3_row10_words_counted_in_elements(%view: !view, %source: vector<96xf16>) {
  // expected-error @below {{expected register slots 0 to 95, but got 128 for element (0, 64)}}
  // expected-note @below {{rule R3: }}
  %0 = tmem.store %source, %view registers(#regs) atom(<32x32b, x32, x16>) scope(warpgroup) : vector<96xf16>, !view
  return
}

// -----

// triton-lang/triton PR 10321: the second access at the place of the first.
!half = !tmem.view<16x1xf32, #tmem.layout<(16) : (1@tlane)>>
#regs = #tmem.layout<(2, 16) : (16@lane, 1@lane)>
func.func @V6_row12_distance_zero(%base: i32) {
  %view = tmem.view %base : !half
  // expected-error @below {{elements (0, 0, 0) and (1, 0, 0) share bits of TMEM lane 0, column 0}}
  // expected-note @below {{rule V6: }}
  %0 = tmem.load_split %view, %view registers(#regs) atom(<16x32bx2, x1>) scope(warp 0) : !half, !half -> !tmem.pending<vector<1xf32>>
  return
}

// -----

// The same: distance 1 with unpack.
!first = !tmem.view<16x2xf16, #tmem.layout<(16, 2) : (1@tlane, 2@tcol)>>
!second = !tmem.view<16x2xf16, #tmem.layout<(16, 2) : (1@tlane, 2@tcol) + (6@tcol)>>
#regs = #tmem.layout<(2, 16, 2) : (16@lane, 1@lane, 1@reg)>
func.func @S2_row12_odd_distance_with_unpack(%base: i32, %source: vector<2xf16>) {
  %first = tmem.view %base : !first
  %second = tmem.view %base : !second
  // expected-error @below {{an even number of columns, but got 0 lanes and 3 columns}}
  // expected-note @below {{rule S2: }}
  %0 = tmem.store_split %source, %first, %second registers(#regs) atom(<16x32bx2, x1, unpack>) scope(warp 0) : vector<2xf16>, !first, !second
  return
}

// -----

// CuTe: x64 on 96 columns would write columns of somebody else.
!view = !tmem.view<128x96xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 96) : (1@tid, 1@reg)>
func.func @T3_row13_x64_on_96_columns(%view: !view, %source: vector<96xf32>) {
  // expected-error @below {{32x32b.x64 at half 0, column 64 from element (0, 64) on would touch TMEM lane 0, column 96, which holds no element}}
  // expected-note @below {{rule T3: }}
  // expected-note @below {{these registers fit 32x32b, x64, x32}}
  %0 = tmem.store %source, %view registers(#regs) atom(<32x32b, x64>) scope(warpgroup) : vector<96xf32>, !view
  return
}

// -----

// apache/tvm: 16x64b of rows 0 to 63 of path D, of which warps 0 and 1 reach 32
// each, as if it were path F.
!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
!rows = !tmem.view<64x4xf32, #tmem.layout<(64, 4) : (1@tlane, 1@tcol)>>
#regs = #tmem.layout<(4, 2, 8, 2, 2) : (1@warp, 1@lane, 4@lane, 1@reg, 2@lane)>
func.func @T4_row17_16x64b_on_path_d(%view: !view) {
  %rows = tmem.subview %view[0, 0] [64, 4] : !view to !rows
  // expected-error @below {{element (16, 0) is in TMEM lane 16, column 0, and in register 0 of warp 1, lane 0, which reaches TMEM lanes 32 to 63}}
  // expected-note @below {{rule T4: }}
  // expected-note @below {{these registers fit no atom}}
  %0 = tmem.load %rows registers(#regs) atom(<16x64b, x2>) scope(warpgroup) : !rows -> !tmem.pending<vector<2xf32>>
  return
}

// -----

// The same: the owners of a slice that starts within an instruction's columns,
// taken from the whole tile.
!view = !tmem.view<16x16xf32, #tmem.layout<(16, 16) : (1@tlane, 1@tcol)>>
!slice = !tmem.view<16x8xf32, #tmem.layout<(16, 8) : (1@tlane, 1@tcol) + (4@tcol)>>
#regs = #tmem.layout<(2, 8, 2, 2, 2) : (2@reg, 4@lane, -2@lane, 1@lane, 1@reg) + (2@lane)>
func.func @T1_row17_slice_within_an_instruction(%view: !view) {
  %slice = tmem.subview %view[0, 4] [16, 8] : !view to !slice
  // expected-error @below {{element (0, 4) is in TMEM lane 0, column 8, and in register 0 of warp 0, lane 0, but 16x256b puts TMEM lane 0, column 0 there}}
  // expected-note @below {{rule T1: }}
  // expected-note @below {{these registers fit no atom}}
  %0 = tmem.load %slice registers(#regs) atom(<16x256b, x1>) scope(warp 0) : !slice -> !tmem.pending<vector<4xf32>>
  return
}

// -----

// The same: a register layout of another shape on the 32x32b path.
!view = !tmem.view<128x8xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(4, 2, 2, 8, 4, 2) : (1@warp, 4@reg, 2@reg, 4@lane, 1@lane, 1@reg)>
func.func @T1_row17_registers_of_16x256b(%view: !view) {
  // expected-error @below {{element (0, 2) is in TMEM lane 0, column 2, and in register 0 of warp 0, lane 1, but 32x32b puts TMEM lane 1, column 0 there}}
  // expected-note @below {{rule T1: }}
  // expected-note @below {{these registers fit 16x256b, x1}}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x8>) scope(warpgroup) : !view -> !tmem.pending<vector<8xf32>>
  return
}

// -----

// triton-lang/triton, fuzz ledgers of 2026: rows of the view are permuted, those
// of the registers are not.
!permuted = !tmem.view<32x4xf32, #tmem.layout<(2, 16, 4) : (-16@tlane, 1@tlane, 1@tcol) + (16@tlane)>>
#regs = #tmem.layout<(32, 4) : (1@lane, 1@reg)>
func.func @T1_row18_permuted_rows(%view: !permuted) {
  // expected-error @below {{element (0, 0) is in TMEM lane 16, column 0, and in register 0 of warp 0, lane 0, but 32x32b puts TMEM lane 0 there}}
  // expected-note @below {{rule T1: }}
  // expected-note @below {{these registers fit no atom}}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warp 0) : !permuted -> !tmem.pending<vector<4xf32>>
  return
}

// -----

// The same: 64-bit accumulators do not exist.
// expected-error @below {{expected elements of 16 or 32 bits for datapath D, but got 64}}
// expected-note @below {{rule D4: }}
!D4_row18_64_bits = !tmem.view<128x16xf64, #tmem.datapath<D>>

// -----

// CuTe: 16x256b at lane 8 of a slab.
!view = !tmem.view<16x8xf32, #tmem.layout<(16, 8) : (1@tlane, 1@tcol) + (8@tlane)>>
#regs = #tmem.layout<(2, 8, 4, 2) : (2@reg, 4@lane, 1@lane, 1@reg)>
func.func @T6_16x256b_at_lane_8(%view: !view) {
  // expected-error @below {{expected issues of 16x256b to start at lane 0 or 16 of the slab, but got lane 8 for element (0, 0)}}
  // expected-note @below {{rule T6: }}
  // expected-note @below {{these registers fit no atom}}
  %0 = tmem.load %view registers(#regs) atom(<16x256b, x1>) scope(warp 0) : !view -> !tmem.pending<vector<4xf32>>
  return
}
