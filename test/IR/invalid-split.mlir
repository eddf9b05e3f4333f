// RUN: tmem-opt %s -split-input-file -verify-diagnostics

!low = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol)>>
#regs = #tmem.layout<(2, 16, 4) : (16@lane, 1@lane, 1@reg)>
func.func @S1_other_base(%base: i32, %other: i32) {
  %low = tmem.view %base : !low
  %high = tmem.view %other : !low
  // expected-error @below {{'tmem.load_split' op expected two windows of one base address, but got views that need not share one}}
  // expected-note @below {{rule S1: }}
  %0 = tmem.load_split %low, %high registers(#regs) atom(<16x32bx2, x4>) scope(warp 0) : !low, !low -> !tmem.pending<vector<4xf32>>
  return
}

// -----

// A base that is moved by a value is another base.
!view = !tmem.view<32x8xf32, #tmem.layout<(32, 8) : (1@tlane, 1@tcol)>>
!low = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol)>>
!high = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol) + (16@tlane)>>
#regs = #tmem.layout<(2, 16, 4) : (16@lane, 1@lane, 1@reg)>
func.func @S1_dynamic_windows(%view: !view, %i: index, %j: index, %source: vector<4xf32>) {
  %low = tmem.subview %view[0, %i] [16, 4] : !view to !low
  %high = tmem.subview %view[16, %j] [16, 4] : !view to !high
  // expected-error @below {{'tmem.store_split' op expected two windows of one base address}}
  // expected-note @below {{rule S1: }}
  %0 = tmem.store_split %source, %low, %high registers(#regs) atom(<16x32bx2, x4>) scope(warp 0) : vector<4xf32>, !low, !high
  return
}

// -----

!low = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol)>>
!high = !tmem.view<16x2xf32, #tmem.layout<(16, 2) : (1@tlane, 1@tcol) + (16@tlane)>>
#regs = #tmem.layout<(2, 16, 4) : (16@lane, 1@lane, 1@reg)>
func.func @S1_other_shape(%base: i32) {
  %low = tmem.view %base : !low
  %high = tmem.view %base : !high
  // expected-error @below {{expected two views of one shape and element type, but got !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol)>> and !tmem.view<16x2xf32,}}
  // expected-note @below {{rule S1: }}
  %0 = tmem.load_split %low, %high registers(#regs) atom(<16x32bx2, x4>) scope(warp 0) : !low, !high -> !tmem.pending<vector<4xf32>>
  return
}

// -----

!low = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol)>>
!high = !tmem.view<16x4xi32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol) + (16@tlane)>>
#regs = #tmem.layout<(2, 16, 4) : (16@lane, 1@lane, 1@reg)>
func.func @S1_other_element_type(%base: i32) {
  %low = tmem.view %base : !low
  %high = tmem.view %base : !high
  // expected-error @below {{expected two views of one shape and element type}}
  // expected-note @below {{rule S1: }}
  %0 = tmem.load_split %low, %high registers(#regs) atom(<16x32bx2, x4>) scope(warp 0) : !low, !high -> !tmem.pending<vector<4xf32>>
  return
}

// -----

!low = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol)>>
!high = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol) + (4@tcol)>>
#regs = #tmem.layout<(2, 16, 4) : (16@lane, 1@lane, 1@reg)>
func.func @S2_high_before_low(%base: i32) {
  %low = tmem.view %base : !low
  %high = tmem.view %base : !high
  // expected-error @below {{but got 0 lanes and -4 columns}}
  // expected-note @below {{rule S2: }}
  %0 = tmem.load_split %high, %low registers(#regs) atom(<16x32bx2, x4>) scope(warp 0) : !high, !low -> !tmem.pending<vector<4xf32>>
  return
}

// -----

!low = !tmem.view<8x4xf32, #tmem.layout<(8, 4) : (1@tlane, 1@tcol)>>
!high = !tmem.view<8x4xf32, #tmem.layout<(8, 4) : (1@tlane, 1@tcol) + (8@tlane)>>
#regs = #tmem.layout<(2, 8, 4) : (16@lane, 1@lane, 1@reg)>
func.func @T1_eight_lanes(%base: i32) {
  %low = tmem.view %base : !low
  %high = tmem.view %base : !high
  // expected-error @below {{element (1, 0, 0) is in TMEM lane 8, column 0, and in register 0 of warp 0, lane 16, but 16x32bx2 puts TMEM lane 0 or 16 there}}
  // expected-note @below {{rule T1: }}
  %0 = tmem.load_split %low, %high registers(#regs) atom(<16x32bx2, x4>) scope(warp 0) : !low, !high -> !tmem.pending<vector<4xf32>>
  return
}

// -----

!low = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol)>>
!high = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol) + (512@tcol)>>
#regs = #tmem.layout<(2, 16, 4) : (16@lane, 1@lane, 1@reg)>
func.func @S2_512_columns(%base: i32) {
  %low = tmem.view %base : !low
  %high = tmem.view %base : !high
  // expected-error @below {{but got 0 lanes and 512 columns}}
  // expected-note @below {{rule S2: }}
  %0 = tmem.load_split %low, %high registers(#regs) atom(<16x32bx2, x4>) scope(warp 0) : !low, !high -> !tmem.pending<vector<4xf32>>
  return
}

// -----

// Packed, the distance is even (reports: 12).
!low = !tmem.view<16x4xf16, #tmem.layout<(16, 4) : (1@tlane, 2@tcol)>>
!high = !tmem.view<16x4xf16, #tmem.layout<(16, 4) : (1@tlane, 2@tcol) + (10@tcol)>>
#regs = #tmem.layout<(2, 16, 4) : (16@lane, 1@lane, 1@reg)>
func.func @S2_odd_distance_unpacked(%base: i32, %source: vector<4xf16>) {
  %low = tmem.view %base : !low
  %high = tmem.view %base : !high
  // expected-error @below {{an even number of columns, but got 0 lanes and 5 columns}}
  // expected-note @below {{rule S2: }}
  %0 = tmem.store_split %source, %low, %high registers(#regs) atom(<16x32bx2, x2, unpack>) scope(warp 0) : vector<4xf16>, !low, !high
  return
}

// -----

!low = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol)>>
!high = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol) + (16@tlane, 8@tcol)>>
#regs = #tmem.layout<(2, 16, 4) : (16@lane, 1@lane, 1@reg)>
func.func @S3_other_immediate(%base: i32) {
  %low = tmem.view %base : !low
  %high = tmem.view %base : !high
  // expected-error @below {{'tmem.load_split' op expected the immediate 1048584 for these views, but got 8}}
  // expected-note @below {{rule S3: }}
  %0 = tmem.load_split %low, %high registers(#regs) atom(<16x32bx2, x4>) immediate(8) scope(warp 0) : !low, !high -> !tmem.pending<vector<4xf32>>
  return
}

// -----

!low = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol)>>
!high = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol) + (8@tcol)>>
#regs = #tmem.layout<(2, 16, 4) : (16@lane, 1@lane, 1@reg)>
func.func @S3_negative_immediate(%base: i32, %source: vector<4xf32>) {
  %low = tmem.view %base : !low
  %high = tmem.view %base : !high
  // expected-error @below {{'tmem.store_split' op expected the immediate 8 for these views, but got -8}}
  // expected-note @below {{rule S3: }}
  %0 = tmem.store_split %source, %low, %high registers(#regs) atom(<16x32bx2, x4>) immediate(-8) scope(warp 0) : vector<4xf32>, !low, !high
  return
}

// -----

!low = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol)>>
!high = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol) + (8@tcol)>>
#regs = #tmem.layout<(2, 16, 4) : (16@lane, 1@lane, 1@reg)>
func.func @S3_immediate_2_63(%base: i32) {
  %low = tmem.view %base : !low
  %high = tmem.view %base : !high
  // expected-error @below {{but got -9223372036854775808}}
  // expected-note @below {{rule S3: }}
  %0 = tmem.load_split %low, %high registers(#regs) atom(<16x32bx2, x4>) immediate(-9223372036854775808) scope(warp 0) : !low, !high -> !tmem.pending<vector<4xf32>>
  return
}
