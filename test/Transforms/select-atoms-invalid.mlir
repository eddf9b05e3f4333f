// RUN: tmem-opt %s --tmem-select-atoms -verify-diagnostics -split-input-file

// Where nothing is legal, each shape has an element that it cannot move.

!odd = !tmem.view<16x7xf32, #tmem.layout<(16, 7) : (1@tlane, 1@tcol)>>
func.func @odd_half(%view: !odd) -> vector<7xf32> {
  // expected-error @below {{'tmem.load' op expected a tile that an atom moves, but got one that none does}}
  // expected-note @below {{32x32b: 32x32b.x1 at column 0 from element (0, 0) on would touch TMEM lane 16, column 0, which holds no element (rule T3)}}
  // expected-note @below {{16x64b: 16x64b.x1 at column 6 from element (0, 6) on would touch TMEM lane 0, column 7, which holds no element (rule T3)}}
  // expected-note @below {{16x128b: 16x128b.x1 at column 4 from element (0, 4) on would touch TMEM lane 0, column 7, which holds no element (rule T3)}}
  // expected-note @below {{16x256b: 16x256b.x1 at column 0 from element (0, 0) on would touch TMEM lane 0, column 7, which holds no element (rule T3)}}
  // expected-note @below {{16x32bx2: expected columns in 2 equal shares for the warpgroups and the accesses of 16x32bx2, but got 7 columns up to element (0, 6) (rule T5)}}
  %0 = tmem.load %view scope(warp 0) : !odd -> !tmem.pending<vector<7xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<7xf32>>
  return %1 : vector<7xf32>
}

// -----

// Another warp's slab, three columns further right.
!slab = !tmem.view<32x4xf32, #tmem.layout<(32, 4) : (1@tlane, 1@tcol) + (32@tlane, 3@tcol)>>
func.func @other_slab(%source: vector<4xf32>, %view: !slab) {
  // expected-error @below {{'tmem.store' op expected a tile that an atom moves, but got one that none does}}
  // expected-note @below {{every atom: element (0, 0) is in TMEM lane 32, column 3, but warp 0 reaches TMEM lanes 0 to 31 (rule T4)}}
  %0 = tmem.store %source, %view scope(warp 0) : vector<4xf32>, !slab
  tmem.wait_store %0
  return
}

// -----

// The registers are given.
!d = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(4, 128) : (1@reg, 1@tid)>
func.func @registers_of_other_warps(%view: !d) -> vector<4xf32> {
  // expected-error @below {{'tmem.load' op expected a tile that an atom moves to its registers, but got one that none does}}
  // expected-note @below {{every atom: element (8, 0) is in TMEM lane 8, column 0, and in register 0 of warp 1, lane 0, which reaches TMEM lanes 32 to 63 (rule T4)}}
  %0 = tmem.load %view registers(#regs) scope(warpgroup) : !d -> !tmem.pending<vector<4xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<4xf32>>
  return %1 : vector<4xf32>
}

// -----

// The atom is given.
!d = !tmem.view<128x4xf32, #tmem.datapath<D>>
func.func @atom_too_wide(%view: !d) -> vector<4xf32> {
  // expected-error @below {{'tmem.load' op expected a tile that an atom moves, but got one that none does}}
  // expected-note @below {{32x32b: 32x32b.x8 at half 0, column 0 from element (0, 0) on would touch TMEM lane 0, column 4, which holds no element (rule T3)}}
  %0 = tmem.load %view atom(<32x32b, x8>) scope(warpgroup) : !d -> !tmem.pending<vector<4xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<4xf32>>
  return %1 : vector<4xf32>
}

// -----

!d = !tmem.view<128x4xf32, #tmem.datapath<D>>
func.func @vector_too_long(%view: !d) -> vector<8xf32> {
  // expected-error @below {{'tmem.load' op expected a vector of 4 elements, but got 8}}
  // expected-note @below {{32x32b, x4: 4 elements in each thread}}
  // expected-note @below {{16x64b, x2: 4 elements in each thread}}
  // expected-note @below {{16x128b, x1: 4 elements in each thread}}
  // expected-note @below {{16x32bx2, x4: 4 elements in each thread}}
  %0 = tmem.load %view scope(warpgroup) : !d -> !tmem.pending<vector<8xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<8xf32>>
  return %1 : vector<8xf32>
}

// -----

// One in each cell, the last one without a second: a word for each, or none.
!d = !tmem.view<128x3xf16, #tmem.datapath<D>>
func.func @odd_halves(%source: vector<3xf16>, %view: !d) {
  // expected-error @below {{'tmem.store' op expected a vector of 6 elements, but got 3}}
  // expected-note @below {{32x32b, x2, x1: 6 elements in each thread}}
  // expected-note @below {{16x32bx2, x2, x1: 6 elements in each thread}}
  %0 = tmem.store %source, %view scope(warpgroup) : vector<3xf16>, !d
  tmem.wait_store %0
  return
}

// -----

// No warp holds the same element of both.
!b = !tmem.view<64x64xf32, #tmem.datapath<B>>
!f = !tmem.view<64x64xf32, #tmem.datapath<F>>
!p = !tmem.pending<vector<32xf32>>
func.func @no_common_layout(%a: !b, %b: !f) -> vector<32xf32> {
  // expected-note @below {{with the registers #tmem.layout<(64, 2, 32) : (1@tid, 64@tid, 1@reg)> of this transfer:}}
  %0 = tmem.load %a scope(warpgroup) : !b -> !p
  // expected-error @below {{'tmem.load' op expected one register layout for all tiles whose vectors meet, but got none that is legal}}
  // expected-note @below {{every atom: element (0, 32) is in TMEM lane 0, column 32, and in register 0 of warp 2, lane 0, which reaches TMEM lanes 64 to 95 (rule T4)}}
  %1 = tmem.load %b scope(warpgroup) : !f -> !p
  %2:2 = tmem.wait_load %0, %1 : !p, !p
  %3 = arith.addf %2#0, %2#1 : vector<32xf32>
  return %3 : vector<32xf32>
}

// -----

// Truncation keeps elements in their slots, where unpack would need one more.
!d = !tmem.view<128x3xf32, #tmem.datapath<D>>
!d16 = !tmem.view<128x3xf16, #tmem.datapath<D>>
func.func @odd_halves_from_load(%view: !d, %out: !d16) {
  // expected-note @below {{with the registers #tmem.layout<(128, 3) : (1@tid, 1@reg)> of this transfer:}}
  %0 = tmem.load %view scope(warpgroup) : !d -> !tmem.pending<vector<3xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<3xf32>>
  %2 = arith.truncf %1 : vector<3xf32> to vector<3xf16>
  // expected-error @below {{'tmem.store' op expected one register layout for all tiles whose vectors meet, but got none that is legal}}
  // expected-note @below {{32x32b: element (0, 1)}}
  // expected-note @below {{32x32b, unpack: 32x32b of register 3 of warp 0, lane 0 would touch TMEM lane 0, column 3, which holds no element, so no issue moves element (0, 2) (rule T3)}}
  // expected-note @below {{16x64b: element}}
  // expected-note @below {{16x64b, unpack: element}}
  // expected-note @below {{16x128b: element}}
  // expected-note @below {{16x128b, unpack: element}}
  // expected-note @below {{16x256b: element}}
  // expected-note @below {{16x256b, unpack: element}}
  // expected-note @below {{16x32bx2: element}}
  // expected-note @below {{16x32bx2, unpack}}
  %3 = tmem.store %2, %out scope(warpgroup) : vector<3xf16>, !d16
  tmem.wait_store %3
  return
}

// -----

// 32 by 5 warps: no warpgroups.
!d = !tmem.view<128x20xf32, #tmem.datapath<D>>
gpu.module @kernels {
  gpu.func @five_warps(%view: !d) kernel attributes {known_block_size = array<i32: 160, 1, 1>} {
    // expected-error @below {{'tmem.load' op expected a tile that an atom moves, but got one that none does}}
    // expected-note @below {{every atom: expected 1 to 4 warps in the scope, or a multiple of 4 up to 32, but got 5 (rule R2)}}
    %0 = tmem.load %view scope(cta) : !d -> !tmem.pending<vector<16xf32>>
    %1 = tmem.wait_load %0 : !tmem.pending<vector<16xf32>>
    gpu.return
  }
}

// -----

!d = !tmem.view<128x64xf32, #tmem.datapath<D>>
func.func @slabs_of_other_warps(%view: !d) -> vector<64xf32> {
  // expected-error @below {{'tmem.load' op expected a tile that an atom moves, but got one that none does}}
  // expected-note @below {{every atom: element (0, 0) is in TMEM lane 0, column 0, but warp 1 reaches TMEM lanes 32 to 63 (rule T4)}}
  %0 = tmem.load %view scope(warp 1) : !d -> !tmem.pending<vector<64xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<64xf32>>
  return %1 : vector<64xf32>
}

// -----

!d = !tmem.view<128x64xf32, #tmem.datapath<D>>
gpu.module @kernels {
  gpu.func @two_warps(%view: !d) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @below {{'tmem.load' op expected a tile that an atom moves, but got one that none does}}
    // expected-note @below {{every atom: element (64, 0) is in TMEM lane 64, column 0, but 2 warps reach TMEM lanes 0 to 63 (rule T4)}}
    %0 = tmem.load %view scope(cta) : !d -> !tmem.pending<vector<64xf32>>
    %1 = tmem.wait_load %0 : !tmem.pending<vector<64xf32>>
    gpu.return
  }
}

// -----

// 32 rows are for one warp, and the block has two, which take part (rule X3).
!s = !tmem.view<32x8xf32, #tmem.layout<(32, 8) : (1@tlane, 1@tcol)>>
gpu.module @kernels {
  gpu.func @idle_warp(%view: !s) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @below {{'tmem.load' op expected a tile that an atom moves, but got one that none does}}
    // expected-note @below {{32x32b; 16x64b; 16x128b; 16x256b: expected elements in register 0 of every warp, as in warp 0, but got none in lanes 0 to 31 of warp 1, so no issue moves element (0, 0) (rule T5)}}
    // expected-note @below {{16x32bx2: expected elements in register 0 of every warp}}
    %0 = tmem.load %view scope(cta) : !s -> !tmem.pending<vector<8xf32>>
    %1 = tmem.wait_load %0 : !tmem.pending<vector<8xf32>>
    gpu.return
  }
}

// -----

// Without a block the slabs say how many warps there are at least: what is
// wrong is the vector.
!d = !tmem.view<128x64xf32, #tmem.datapath<D>>
func.func @vector_of_two_warps(%view: !d) {
  // expected-error @below {{'tmem.load' op expected a vector of 64 elements, but got 128}}
  // expected-note @below {{32x32b, x64: 64 elements in each thread}}
  // expected-note @below {{16x64b, x32: 64 elements in each thread}}
  // expected-note @below {{16x128b, x16: 64 elements in each thread}}
  // expected-note @below {{16x256b, x8: 64 elements in each thread}}
  // expected-note @below {{16x32bx2, x64: 64 elements in each thread}}
  %0 = tmem.load %view scope(cta) : !d -> !tmem.pending<vector<128xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<128xf32>>
  return
}

// -----

!d = !tmem.view<128x96xf32, #tmem.datapath<D>>
func.func @vector_of_six_warps(%view: !d) {
  // expected-error @below {{'tmem.load' op expected a vector of 96 elements, but got 64}}
  // expected-note @below {{32x32b, x64, x32: 96 elements in each thread}}
  // expected-note @below {{16x64b, x32, x16: 96 elements in each thread}}
  // expected-note @below {{16x128b, x16, x8: 96 elements in each thread}}
  // expected-note @below {{16x256b, x8, x4: 96 elements in each thread}}
  // expected-note @below {{16x32bx2, x64, x32: 96 elements in each thread}}
  %0 = tmem.load %view scope(cta) : !d -> !tmem.pending<vector<64xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<64xf32>>
  return
}
