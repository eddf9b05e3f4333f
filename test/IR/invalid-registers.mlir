// RUN: tmem-opt %s -split-input-file -verify-diagnostics

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 2) : (1@tid, 1@reg)>
func.func @R1_too_few_elements(%view: !view) {
  // expected-error @below {{'tmem.load' op expected a register layout of 512 elements, but got 256}}
  // expected-note @below {{rule R1: }}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x2>) scope(warpgroup) : !view -> !tmem.pending<vector<2xf32>>
  return
}

// -----

!low = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol)>>
!high = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol) + (16@tlane)>>
#regs = #tmem.layout<(16, 4) : (1@lane, 1@reg)>
func.func @R1_split_tile_leads_with_two(%base: i32) {
  %low = tmem.view %base : !low
  %high = tmem.view %base : !high
  // expected-error @below {{'tmem.load_split' op expected a register layout of 128 elements, but got 64}}
  // expected-note @below {{rule R1: }}
  %0 = tmem.load_split %low, %high registers(#regs) atom(<16x32bx2, x4>) scope(warp 0) : !low, !high -> !tmem.pending<vector<4xf32>>
  return
}

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 4) : (1@lane, 1@reg)>
func.func @R2_lane_127(%view: !view) {
  // expected-error @below {{expected lanes 0 to 31, but got 32 for element (32, 0)}}
  // expected-note @below {{rule R2: }}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !view -> !tmem.pending<vector<4xf32>>
  return
}

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>
func.func @R2_threads_of_one_warp(%view: !view) {
  // expected-error @below {{expected threads of the scope 0 to 31, but got 32 for element (32, 0)}}
  // expected-note @below {{rule R2: }}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warp 0) : !view -> !tmem.pending<vector<4xf32>>
  return
}

// -----

// The warp of a warp scope is its warp 0, whatever its number.
#rows = #tmem.layout<(32, 4) : (1@tlane, 1@tcol) + (64@tlane)>
!view = !tmem.view<32x4xf32, #rows>
#regs = #tmem.layout<(32, 4) : (1@lane, 1@reg) + (2@warp)>
func.func @R2_warp_of_one(%view: !view) {
  // expected-error @below {{expected warps of the scope 0 to 0, but got 2 for element (0, 0)}}
  // expected-note @below {{rule R2: }}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warp 2) : !view -> !tmem.pending<vector<4xf32>>
  return
}

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg) + (128@tid)>
func.func @R2_second_warpgroup(%view: !view) {
  // expected-error @below {{expected threads of the scope 0 to 127, but got 128 for element (0, 0)}}
  // expected-note @below {{rule R2: }}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !view -> !tmem.pending<vector<4xf32>>
  return
}

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg) * (9 : 128@tid)>
func.func @R2_threads_of_cta(%view: !view) {
  // expected-error @below {{expected threads of the scope 0 to 1023, but got 1024 for element (0, 0)}}
  // expected-note @below {{rule R2: }}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(cta) : !view -> !tmem.pending<vector<4xf32>>
  return
}

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 4) : (-1@tid, 1@reg)>
func.func @R2_below_zero(%view: !view) {
  // expected-error @below {{but got -1 for element (1, 0)}}
  // expected-note @below {{rule R2: }}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !view -> !tmem.pending<vector<4xf32>>
  return
}

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>
func.func @R3_vector_too_short(%view: !view, %source: vector<2xf32>) {
  // expected-error @below {{'tmem.store' op expected register slots 0 to 1, but got 2 for element (0, 2)}}
  // expected-note @below {{rule R3: }}
  %0 = tmem.store %source, %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : vector<2xf32>, !view
  return
}

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg) + (-1@reg)>
func.func @R3_below_zero(%view: !view) {
  // expected-error @below {{expected register slots 0 to 3, but got -1 for element (0, 0)}}
  // expected-note @below {{rule R3: }}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !view -> !tmem.pending<vector<4xf32>>
  return
}

// -----

!view = !tmem.view<32x4xf32, #tmem.layout<(32, 4) : (1@tlane, 1@tcol)>>
#regs = #tmem.layout<(32, 4) : (1@tid, 0@reg)>
func.func @R4_shared_slot(%view: !view) {
  // expected-error @below {{elements (0, 0) and (0, 1) share register 0 of warp 0, lane 0}}
  // expected-note @below {{rule R4: }}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !view -> !tmem.pending<vector<4xf32>>
  return
}

// -----

!view = !tmem.view<32x4xf32, #tmem.layout<(32, 4) : (1@tlane, 1@tcol)>>
#regs = #tmem.layout<(32, 4) : (1@lane, 1@reg) * (2 : 1@reg) + (1@warp)>
func.func @R4_replica(%view: !view) {
  // expected-error @below {{elements (0, 1) and (0, 0) share register 1 of warp 1, lane 0}}
  // expected-note @below {{rule R4: }}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !view -> !tmem.pending<vector<5xf32>>
  return
}

// -----

// No look at each of them is needed.
!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 4) : (1@tid, 0@reg)>
func.func @R4_more_elements_than_registers(%view: !view) {
  // expected-error @below {{expected at most 128 elements and replicas in the registers of the scope, but got 512 elements}}
  // expected-note @below {{rule R4: }}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !view -> !tmem.pending<vector<4xf32>>
  return
}

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg) * (1048576 : 1@reg)>
func.func @R3_many_replicas(%view: !view) {
  // expected-error @below {{expected register slots 0 to 1023, but got 1048575 for element (0, 0)}}
  // expected-note @below {{rule R3: }}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !view -> !tmem.pending<vector<1024xf32>>
  return
}

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>
func.func @R5_other_type(%view: !view) {
  // expected-error @below {{expected a vector of one dimension of f32, but got vector<4xi32>}}
  // expected-note @below {{rule R5: }}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !view -> !tmem.pending<vector<4xi32>>
  return
}

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>
func.func @R5_two_dimensions(%view: !view, %source: vector<2x2xf32>) {
  // expected-error @below {{expected a vector of one dimension of f32, but got vector<2x2xf32>}}
  // expected-note @below {{rule R5: }}
  %0 = tmem.store %source, %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : vector<2x2xf32>, !view
  return
}

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>
func.func @R5_scalable(%view: !view, %source: vector<[4]xf32>) {
  // expected-error @below {{expected a vector of one dimension of f32, but got vector<[4]xf32>}}
  // expected-note @below {{rule R5: }}
  %0 = tmem.store %source, %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : vector<[4]xf32>, !view
  return
}

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>
func.func @vector_of_rank_zero(%view: !view, %source: vector<f32>) {
  // expected-error @below {{must be vector of any type values, but got 'vector<f32>'}}
  %0 = tmem.store %source, %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : vector<f32>, !view
  return
}

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>
func.func @scalar(%view: !view, %source: f32) {
  // expected-error @below {{invalid kind of type specified}}
  %0 = tmem.store %source, %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : f32, !view
  return
}

// -----

// expected-error @below {{expected a vector of 1 to 1024 elements, but got 1025}}
// expected-note @below {{rule R6: }}
!R6_1025_words = !tmem.pending<vector<1025xf32>>

// -----

// expected-error @below {{expected a vector of 1 to 8192 elements, but got 8193}}
// expected-note @below {{rule R6: }}
!R6_4_bits = !tmem.pending<vector<8193xi4>>

// -----

// expected-error @below {{expected a vector of 1 to 512 elements, but got 9223372036854775807}}
// expected-note @below {{rule R6: }}
!R6_largest_integer = !tmem.pending<vector<9223372036854775807xf64>>

// -----

!view = !tmem.view<128x4xf16, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 4) : (1@tid, 2@reg)>
func.func @R6_store(%view: !view, %source: vector<2049xf16>) {
  // expected-error @below {{expected a vector of 1 to 2048 elements, but got 2049}}
  // expected-note @below {{rule R6: }}
  %0 = tmem.store %source, %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : vector<2049xf16>, !view
  return
}

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>
func.func @R6_store_huge(%view: !view, %source: vector<4611686018427387904xf32>) {
  // expected-error @below {{but got 4611686018427387904}}
  // expected-note @below {{rule R6: }}
  %0 = tmem.store %source, %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : vector<4611686018427387904xf32>, !view
  return
}
