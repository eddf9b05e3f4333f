// RUN: tmem-opt %s -split-input-file -verify-diagnostics

// What can be said of a transfer without its atom or its registers.

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 2) : (1@tid, 1@reg)>
func.func @R1_without_atom(%view: !view) {
  // expected-error @below {{'tmem.load' op expected a register layout of 512 elements, but got 256}}
  // expected-note @below {{rule R1: }}
  %0 = tmem.load %view registers(#regs) scope(warpgroup) : !view -> !tmem.pending<vector<2xf32>>
  return
}

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>
func.func @R2_without_atom(%view: !view) {
  // expected-error @below {{expected threads of the scope 0 to 31, but got 32 for element (32, 0)}}
  // expected-note @below {{rule R2: }}
  %0 = tmem.load %view registers(#regs) scope(warp 0) : !view -> !tmem.pending<vector<4xf32>>
  return
}

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>
func.func @R3_without_atom(%source: vector<3xf32>, %view: !view) {
  // expected-error @below {{'tmem.store' op expected register slots 0 to 2, but got 3 for element (0, 3)}}
  // expected-note @below {{rule R3: }}
  %0 = tmem.store %source, %view registers(#regs) scope(warpgroup) : vector<3xf32>, !view
  return
}

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 2, 2) : (1@tid, 3@reg, 0@reg)>
func.func @R4_without_atom(%view: !view) {
  // expected-error @below {{elements (0, 0) and (0, 1) share register 0 of warp 0, lane 0}}
  // expected-note @below {{rule R4: }}
  %0 = tmem.load %view registers(#regs) scope(warpgroup) : !view -> !tmem.pending<vector<4xf32>>
  return
}

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
func.func @R5_without_both(%view: !view) {
  // expected-error @below {{expected a vector of one dimension of f32, but got vector<4xi32>}}
  // expected-note @below {{rule R5: }}
  %0 = tmem.load %view scope(warpgroup) : !view -> !tmem.pending<vector<4xi32>>
  return
}

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
func.func @R6_without_both(%source: vector<1025xf32>, %view: !view) {
  // expected-error @below {{expected a vector of 1 to 1024 elements, but got 1025}}
  // expected-note @below {{rule R6: }}
  %0 = tmem.store %source, %view scope(warpgroup) : vector<1025xf32>, !view
  return
}

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
#memory = #tmem.layout<(128, 4) : (1@tlane, 1@tcol)>
func.func @L5_without_atom(%view: !view) {
  // expected-error @below {{expected a register layout, but got the axes of a memory layout}}
  // expected-note @below {{rule L5: }}
  %0 = tmem.load %view registers(#memory) scope(warpgroup) : !view -> !tmem.pending<vector<4xf32>>
  return
}

// -----

!view = !tmem.view<128x4xf16, #tmem.datapath<D>>
func.func @A2_without_registers(%view: !view) {
  // expected-error @below {{expected pack on loads and unpack on stores, but got unpack on a load}}
  // expected-note @below {{rule A2: }}
  %0 = tmem.load %view atom(<32x32b, x4, unpack>) scope(warpgroup) : !view -> !tmem.pending<vector<4xf16>>
  return
}

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
func.func @A3_without_registers(%view: !view) {
  // expected-error @below {{expected elements of at most 16 bits for pack, but got 32}}
  // expected-note @below {{rule A3: }}
  %0 = tmem.load %view atom(<32x32b, x4, pack>) scope(warpgroup) : !view -> !tmem.pending<vector<4xf32>>
  return
}

// -----

!low = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol)>>
!high = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol) + (8@tcol)>>
func.func @A4_without_registers(%base: i32) {
  %low = tmem.view %base : !low
  %high = tmem.view %base : !high
  // expected-error @below {{expected the shape 16x32bx2, but got 32x32b}}
  // expected-note @below {{rule A4: }}
  %0 = tmem.load_split %low, %high atom(<32x32b, x4>) scope(warp 0) : !low, !high -> !tmem.pending<vector<4xf32>>
  return
}

// -----

!low = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol)>>
!high = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol) + (8@tcol)>>
func.func @S1_without_both(%base: i32, %other: i32) {
  %low = tmem.view %base : !low
  %high = tmem.view %other : !high
  // expected-error @below {{expected two windows of one base address}}
  // expected-note @below {{rule S1: }}
  %0 = tmem.load_split %low, %high scope(warp 0) : !low, !high -> !tmem.pending<vector<4xf32>>
  return
}

// -----

!low = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol)>>
!high = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol) + (8@tcol)>>
func.func @S2_without_both(%base: i32) {
  %low = tmem.view %base : !low
  %high = tmem.view %base : !high
  // expected-error @below {{expected}}
  // expected-note @below {{rule S2: }}
  %0 = tmem.load_split %low, %high immediate(0) scope(warp 0) : !low, !high -> !tmem.pending<vector<4xf32>>
  return
}

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
func.func @P1_without_both(%view: !view) {
  // expected-error @below {{expected its result to reach waits through scf and cf operations, but got a use by 'func.call'}}
  // expected-note @below {{rule P1: }}
  %0 = tmem.load %view scope(warpgroup) : !view -> !tmem.pending<vector<4xf32>>
  // expected-note @below {{used here}}
  func.call @callee(%0) : (!tmem.pending<vector<4xf32>>) -> ()
  return
}
func.func private @callee(!tmem.pending<vector<4xf32>>)
