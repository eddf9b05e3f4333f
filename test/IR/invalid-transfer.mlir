// RUN: tmem-opt %s -split-input-file -verify-diagnostics

!view = !tmem.view<128x8xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 8) : (1@tid, 1@reg)>
func.func @T1_wrong_shape(%view: !view) {
  // expected-error @below {{element (1, 0) is in TMEM lane 1, column 0, and in register 0 of warp 0, lane 1, but 16x256b puts TMEM lane 0, column 2 there}}
  // expected-note @below {{rule T1: }}
  // expected-note @below {{these registers fit 32x32b, x8}}
  %0 = tmem.load %view registers(#regs) atom(<16x256b, x1>) scope(warpgroup) : !view -> !tmem.pending<vector<8xf32>>
  return
}

// -----

!view = !tmem.view<32x4xf32, #tmem.layout<(32, 4) : (1@tlane, 1@tcol)>>
#regs = #tmem.layout<(2, 16, 4) : (1@lane, 2@lane, 1@reg)>
func.func @T1_rows_permuted(%view: !view, %source: vector<4xf32>) {
  // expected-error @below {{element (1, 0) is in TMEM lane 1, column 0, and in register 0 of warp 0, lane 2, but 32x32b puts TMEM lane 2, column 0 there}}
  // expected-note @below {{rule T1: }}
  // expected-note @below {{these registers fit no atom}}
  %0 = tmem.store %source, %view registers(#regs) atom(<32x32b, x4>) scope(warp 0) : vector<4xf32>, !view
  return
}

// -----

// Two elements of a word in the wrong order.
!view = !tmem.view<32x2xf16, #tmem.layout<(32, 2) : (1@tlane, 1@tcol)>>
#regs = #tmem.layout<(32, 2) : (1@lane, -1@reg) + (1@reg)>
func.func @T2_halves_swapped(%view: !view) {
  // expected-error @below {{element (0, 0) is in bits 0 to 15 of TMEM lane 0, column 0, but in bits 16 to 31 of its word in register 1 of warp 0, lane 0}}
  // expected-note @below {{rule T2: }}
  // expected-note @below {{these registers fit no atom}}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x1>) scope(warp 0) : !view -> !tmem.pending<vector<2xf16>>
  return
}

// -----

!view = !tmem.view<32x2xf16, #tmem.layout<(32, 2) : (1@tlane, 1@tcol)>>
#regs = #tmem.layout<(32, 2) : (1@lane, 2@reg)>
func.func @T2_word_of_two_elements_loaded_apart(%view: !view) {
  // expected-error @below {{element (0, 1) is in bits 16 to 31 of TMEM lane 0, column 0, but in bits 0 to 15 of its word in register 2 of warp 0, lane 0}}
  // expected-note @below {{rule T2: }}
  // expected-note @below {{these registers fit no atom}}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x1>) scope(warp 0) : !view -> !tmem.pending<vector<4xf16>>
  return
}

// -----

// One 16-bit element in each cell is not the pair that a word would be.
!view = !tmem.view<128x4xf16, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>
func.func @T1_accumulator_without_pack(%view: !view) {
  // expected-error @below {{element (0, 1) is in TMEM lane 0, column 1, and in register 1 of warp 0, lane 0, but 32x32b puts TMEM lane 0, column 0 there}}
  // expected-note @below {{rule T1: }}
  // expected-note @below {{these registers fit 32x32b, x2, pack}}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x2>) scope(warpgroup) : !view -> !tmem.pending<vector<4xf16>>
  return
}

// -----

// Dense operands must not be packed.
!view = !tmem.view<32x4xf16, #tmem.layout<(32, 4) : (1@tlane, 1@tcol)>>
#regs = #tmem.layout<(32, 4) : (1@lane, 1@reg)>
func.func @T1_dense_with_pack(%view: !view) {
  // expected-error @below {{element (0, 1) is in TMEM lane 0, column 0, and in register 1 of warp 0, lane 0, but 32x32b puts TMEM lane 0, column 1 there}}
  // expected-note @below {{rule T1: }}
  // expected-note @below {{these registers fit 32x32b, x2}}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x2, pack>) scope(warp 0) : !view -> !tmem.pending<vector<4xf16>>
  return
}

// -----

!view = !tmem.view<32x3xf32, #tmem.layout<(32, 3) : (1@tlane, 1@tcol)>>
#regs = #tmem.layout<(32, 3) : (1@lane, 1@reg)>
func.func @T3_too_wide(%view: !view) {
  // expected-error @below {{32x32b.x4 at half 0, column 0 from element (0, 0) on would touch TMEM lane 0, column 3, which holds no element}}
  // expected-note @below {{rule T3: }}
  // expected-note @below {{these registers fit 32x32b, x2, x1}}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warp 0) : !view -> !tmem.pending<vector<4xf32>>
  return
}

// -----

!view = !tmem.view<32x2xf32, #tmem.layout<(32, 2) : (1@tlane, 2@tcol)>>
#regs = #tmem.layout<(32, 2) : (1@lane, 1@reg)>
func.func @T3_gap_between_columns(%view: !view, %source: vector<2xf32>) {
  // expected-error @below {{32x32b.x2 at half 0, column 0 from element (0, 0) on would touch TMEM lane 0, column 1, which holds no element}}
  // expected-note @below {{rule T3: }}
  // expected-note @below {{these registers fit 32x32b, x1}}
  %0 = tmem.store %source, %view registers(#regs) atom(<32x32b, x2>) scope(warp 0) : vector<2xf32>, !view
  return
}

// -----

!view = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol)>>
#regs = #tmem.layout<(16, 4) : (1@lane, 1@reg)>
func.func @T3_half_of_the_lanes(%view: !view) {
  // expected-error @below {{32x32b of register 0 of warp 0, lane 16 would touch TMEM lane 16, column 0, which holds no element}}
  // expected-note @below {{rule T3: }}
  // expected-note @below {{these registers fit no atom}}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warp 0) : !view -> !tmem.pending<vector<4xf32>>
  return
}

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(4, 32, 4) : (-32@tid, 1@tid, 1@reg) + (96@tid)>
func.func @T4_warps_reversed(%view: !view) {
  // expected-error @below {{element (0, 0) is in TMEM lane 0, column 0, and in register 0 of warp 3, lane 0, which reaches TMEM lanes 96 to 127}}
  // expected-note @below {{rule T4: }}
  // expected-note @below {{these registers fit no atom}}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !view -> !tmem.pending<vector<4xf32>>
  return
}

// -----

!view = !tmem.view<32x4xf32, #tmem.layout<(32, 4) : (1@tlane, 1@tcol)>>
#regs = #tmem.layout<(32, 4) : (1@lane, 1@reg)>
func.func @T4_slab_of_another_warp(%view: !view) {
  // expected-error @below {{element (0, 0) is in TMEM lane 0, column 0, and in register 0 of warp 1, lane 0, which reaches TMEM lanes 32 to 63}}
  // expected-note @below {{rule T4: }}
  // expected-note @below {{these registers fit no atom}}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warp 1) : !view -> !tmem.pending<vector<4xf32>>
  return
}

// -----

// The second pair of warps has other columns than the first.
!view = !tmem.view<2x32x4xf32, #tmem.layout<(2, 32, 4) : (4@tcol, 1@tlane, 1@tcol) * (4 : 32@tlane)>>
#regs = #tmem.layout<(2, 32, 4) : (64@tid, 1@tid, 1@reg) * (2 : 32@tid)>
func.func @T5_columns_by_warp(%view: !view) {
  // expected-error @below {{the issue that moves this register of warp 0 puts TMEM lane 64, column 0 there}}
  // expected-note @below {{rule T5: }}
  // expected-note @below {{these registers fit no atom}}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !view -> !tmem.pending<vector<4xf32>>
  return
}

// -----

// Three warps load what the fourth does not.
!view = !tmem.view<96x4xf32, #tmem.layout<(96, 4) : (1@tlane, 1@tcol)>>
#regs = #tmem.layout<(96, 4) : (1@tid, 1@reg)>
func.func @T5_idle_warp(%view: !view) {
  // expected-error @below {{expected elements in register 0 of every warp, as in warp 0, but got none in lanes 0 to 31 of warp 3}}
  // expected-note @below {{rule T5: }}
  // expected-note @below {{these registers fit no atom}}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !view -> !tmem.pending<vector<4xf32>>
  return
}

// -----

!view = !tmem.view<16x2xf32, #tmem.layout<(16, 2) : (1@tlane, 1@tcol) + (8@tlane)>>
#regs = #tmem.layout<(2, 8, 2) : (1@lane, 4@lane, 2@lane)>
func.func @T6_lane_eight(%view: !view) {
  // expected-error @below {{expected issues of 16x64b to start at lane 0 or 16 of the slab, but got lane 8 for element (0, 0)}}
  // expected-note @below {{rule T6: }}
  // expected-note @below {{these registers fit no atom}}
  %0 = tmem.load %view registers(#regs) atom(<16x64b, x1>) scope(warp 0) : !view -> !tmem.pending<vector<1xf32>>
  return
}

// -----

// Both warpgroups of the CTA write the same cells.
!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg) * (2 : 128@tid)>
func.func @T7_written_twice(%view: !view, %source: vector<4xf32>) {
  // expected-error @below {{element (0, 0) in TMEM lane 0, column 0 would be written twice}}
  // expected-note @below {{rule T7: }}
  // expected-note @below {{these registers fit no atom}}
  %0 = tmem.store %source, %view registers(#regs) atom(<32x32b, x4>) scope(cta) : vector<4xf32>, !view
  return
}

// -----

// Words 0 and 3 of the first issue go to registers that the second one has.
!view = !tmem.view<32x4xf32, #tmem.layout<(32, 4) : (1@tlane, 2@tcol) * (2 : 1@tcol)>>
#regs = #tmem.layout<(32, 4) : (1@lane, 1@reg)>
func.func @T7_no_choice_of_replicas(%view: !view) {
  // expected-error @below {{no choice among replicas lets 32x32b move every element once}}
  // expected-note @below {{rule T7: }}
  // expected-note @below {{these registers fit 32x32b, x2}}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warp 0) : !view -> !tmem.pending<vector<4xf32>>
  return
}

// -----

// 160 columns, each in two places, which x2 would have to pair up.
!view = !tmem.view<32x160xf32, #tmem.layout<(32, 5, 4, 8) : (1@tlane, 26@tcol, 10@tcol, 40@tcol) * (2 : 27@tcol)>>
#regs = #tmem.layout<(32, 160) : (1@lane, 1@reg)>
func.func @T8_many_replicas(%view: !view) {
  // expected-error @below {{the search was given up}}
  // expected-note @below {{rule T8: }}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x2>) scope(warp 0) : !view -> !tmem.pending<vector<160xf32>>
  return
}
