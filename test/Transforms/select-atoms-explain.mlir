// RUN: tmem-opt %s --tmem-select-atoms=explain -verify-diagnostics -split-input-file

!d = !tmem.view<128x96xf32, #tmem.datapath<D>>
func.func @mixed_counts(%view: !d) -> vector<96xf32> {
  // expected-remark @below {{chose 32x32b, x64, x32: 2 issues, 0 moves, 96 registers}}
  // expected-note @below {{registers #tmem.layout<(128, 96) : (1@tid, 1@reg)>}}
  // expected-note @below {{32x32b.x64: half 0, column 0, registers 0 to 63}}
  // expected-note @below {{32x32b.x32: half 0, column 64, registers 64 to 95}}
  // expected-note @below {{16x64b: costs 4 issues, where 32x32b, x64, x32 costs 2}}
  // expected-note @below {{16x128b: costs 4 issues, where 32x32b, x64, x32 costs 2}}
  // expected-note @below {{16x256b: costs 4 issues, where 32x32b, x64, x32 costs 2}}
  // expected-note @below {{16x32bx2: costs 4 issues, where 32x32b, x64, x32 costs 2}}
  %0 = tmem.load %view scope(warpgroup) : !d -> !tmem.pending<vector<96xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<96xf32>>
  return %1 : vector<96xf32>
}

// -----

// A window: columns count from the base of the view.
!f = !tmem.view<64x4xf32, #tmem.layout<(4, 16, 4) : (32@tlane, 1@tlane, 1@tcol) + (16@tlane, 6@tcol)>>
func.func @upper_half(%source: vector<2xf32>, %view: !f) {
  // expected-remark @below {{chose 16x64b, x2: 1 issue, 0 moves, 2 registers}}
  // expected-note @below {{registers #tmem.layout<}}
  // expected-note @below {{16x64b.x2: half 1, column 6, registers 0 to 1}}
  // expected-note @below {{32x32b: 32x32b.x1 at column 6 from element (0, 0) on would touch TMEM lane 0, column 6, which holds no element (rule T3)}}
  // expected-note @below {{16x128b: costs as much as 16x64b, x2, which comes first in the fixed order}}
  // expected-note @below {{16x256b: 16x256b.x1 at column 6 from element (0, 0) on would touch TMEM lane 16, column 10, which holds no element (rule T3)}}
  // expected-note @below {{16x32bx2: costs 2 issues, where 16x64b, x2 costs 1}}
  %0 = tmem.store %source, %view scope(warpgroup) : vector<2xf32>, !f
  tmem.wait_store %0
  return
}

// -----

// Elements of 16 bits also have each shape packed.
!d = !tmem.view<128x2xf16, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 2) : (1@tid, 1@reg)>
func.func @packed(%view: !d) -> vector<2xf16> {
  // expected-remark @below {{chose 32x32b, x1, pack: 1 issue, 0 moves, 1 register}}
  // expected-note @below {{32x32b.x1: half 0, column 0, register 0}}
  // expected-note @below {{32x32b: element (0, 1) is in TMEM lane 0, column 1, and in register 1}}
  // expected-note @below {{16x64b: element}}
  // expected-note @below {{16x64b, pack: element}}
  // expected-note @below {{16x128b: element}}
  // expected-note @below {{16x128b, pack: element}}
  // expected-note @below {{16x256b: element}}
  // expected-note @below {{16x256b, pack: element}}
  // expected-note @below {{16x32bx2: element}}
  // expected-note @below {{16x32bx2, pack: costs 2 issues, where 32x32b, x1, pack costs 1}}
  %0 = tmem.load %view registers(#regs) scope(warpgroup) : !d -> !tmem.pending<vector<2xf16>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<2xf16>>
  return %1 : vector<2xf16>
}

// -----

// What is named is explained too.
!d = !tmem.view<128x2xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 2) : (1@tid, -1@reg) + (1@reg)>
func.func @named(%view: !d) -> vector<2xf32> {
  // expected-remark @below {{keeps 32x32b, x1: 2 issues, 0 moves, 2 registers}}
  // expected-note @below {{32x32b.x1: half 0, column 0, register 1}}
  // expected-note @below {{32x32b.x1: half 0, column 1, register 0}}
  // expected-note @below {{cheaper: 32x32b, x2, 1 issue, 1 move, 2 registers}}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x1>) scope(warpgroup) : !d -> !tmem.pending<vector<2xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<2xf32>>
  return %1 : vector<2xf32>
}

// -----

!low = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol)>>
!high = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol) + (16@tlane, 1@tcol)>>
func.func @split(%base: i32) -> vector<4xf32> {
  %low = tmem.view %base : !low
  %high = tmem.view %base : !high
  // expected-remark @below {{chose 16x32bx2, x4: 2 issues, 0 moves, 4 registers}}
  // expected-note @below {{registers #tmem.layout<(32, 4) : (1@tid, 1@reg)>}}
  // expected-note @below {{16x32bx2.x4: half 0, column 0, registers 0 to 3}}
  // expected-note @below {{second access: 16 lanes and 1 column after the first}}
  // expected-note @below {{32x32b: expected 16x32bx2 for a split transfer, but got 32x32b (rule A4)}}
  // expected-note @below {{16x64b: expected 16x32bx2}}
  // expected-note @below {{16x128b: expected 16x32bx2}}
  // expected-note @below {{16x256b: expected 16x32bx2}}
  %0 = tmem.load_split %low, %high scope(warp 0) : !low, !high -> !tmem.pending<vector<4xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<4xf32>>
  return %1 : vector<4xf32>
}

// -----

// Where registers come from.
!d = !tmem.view<32x1xf32, #tmem.layout<(32, 1) : (1@tlane, 1@tcol)>>
#regs = #tmem.layout<(32, 1) : (1@tid, 1@reg)>
func.func @as_another(%view: !d) {
  // expected-remark @below {{keeps 32x32b, x1: 1 issue, 0 moves, 1 register}}
  // expected-note @below {{32x32b.x1: half 0, column 0, register 0}}
  // expected-note @below {{registers #tmem.layout<(32, 1) : (1@tid, 1@reg)>, as for this transfer, whose vectors meet}}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x1>) scope(warp 0) : !d -> !tmem.pending<vector<1xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<1xf32>>
  // expected-remark @below {{keeps 32x32b, x1: 1 issue, 0 moves, 1 register}}
  // expected-note @below {{32x32b.x1: half 0, column 0, register 0}}
  %2 = tmem.store %1, %view atom(<32x32b, x1>) scope(warp 0) : vector<1xf32>, !d
  tmem.wait_store %2
  return
}

// -----

!cta = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 2, 2) : (1@tid, 128@tid, 1@reg)>
func.func @two_warpgroups(%view: !cta) -> vector<2xf32> {
  // expected-remark @below {{keeps 32x32b, x2: 1 issue, 0 moves, 2 registers}}
  // expected-note @below {{32x32b.x2: half 0, column 0, registers 0 to 1}}
  // expected-note @below {{next warpgroup: 2 columns after the one before}}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x2>) scope(cta) : !cta -> !tmem.pending<vector<2xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<2xf32>>
  return %1 : vector<2xf32>
}
