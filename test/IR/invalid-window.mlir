// RUN: tmem-opt %s -split-input-file -verify-diagnostics

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
!part = !tmem.view<128x8xf32, #tmem.datapath<D>>
func.func @W1_past_the_end(%view: !view) {
  // expected-error @below {{'tmem.subview' op expected a window within the 16 elements of dimension 1, but got 8 from 9 on}}
  // expected-note @below {{rule W1: }}
  %0 = tmem.subview %view[0, 9] [128, 8] : !view to !part
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
!part = !tmem.view<128x8xf32, #tmem.datapath<D>>
func.func @W1_negative_offset(%view: !view) {
  // expected-error @below {{within the 16 elements of dimension 1, but got 8 from -1 on}}
  // expected-note @below {{rule W1: }}
  %0 = tmem.subview %view[0, -1] [128, 8] : !view to !part
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
!part = !tmem.view<128x8xf32, #tmem.datapath<D>>
func.func @W1_largest_offset(%view: !view) {
  // expected-error @below {{but got 8 from 9223372036854775807 on}}
  // expected-note @below {{rule W1: }}
  %0 = tmem.subview %view[0, 9223372036854775807] [128, 8] : !view to !part
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
!part = !tmem.view<128x8xf32, #tmem.datapath<D>>
func.func @W1_empty(%view: !view) {
  // expected-error @below {{within the 128 elements of dimension 0, but got 0 from 0 on}}
  // expected-note @below {{rule W1: }}
  %0 = tmem.subview %view[0, 0] [0, 8] : !view to !part
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
!part = !tmem.view<128x8xf32, #tmem.datapath<D>>
func.func @W1_size_too_large_for_dynamic(%view: !view, %j: index) {
  // expected-error @below {{within the 16 elements of dimension 1, but got 17 from 0 on}}
  // expected-note @below {{rule W1: }}
  %0 = tmem.subview %view[0, %j] [128, 17] : !view to !part
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
!part = !tmem.view<128x8xf32, #tmem.datapath<D>>
func.func @W1_rank_of_offsets(%view: !view) {
  // expected-error @below {{expected 2 offsets and sizes, but got 1 and 2}}
  // expected-note @below {{rule W1: }}
  %0 = tmem.subview %view[0] [128, 8] : !view to !part
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
!part = !tmem.view<128x8xf32, #tmem.datapath<D>>
func.func @W1_rank_of_sizes(%view: !view) {
  // expected-error @below {{expected 2 offsets and sizes, but got 2 and 0}}
  // expected-note @below {{rule W1: }}
  %0 = tmem.subview %view[0, 0] [] : !view to !part
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
!part = !tmem.view<128x8xf32, #tmem.datapath<D>>
func.func @W1_missing_value(%view: !view) {
  // expected-error @below {{expected a value for every dynamic offset, but got 0}}
  // expected-note @below {{rule W1: }}
  %0 = "tmem.subview"(%view) <{sizes = array<i64: 128, 8>, staticOffsets = array<i64: 0, -9223372036854775808>}> : (!view) -> !part
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
!part = !tmem.view<128x8xf32, #tmem.datapath<D>>
func.func @W1_surplus_value(%view: !view, %j: index) {
  // expected-error @below {{expected a value for every dynamic offset, but got 1}}
  // expected-note @below {{rule W1: }}
  %0 = "tmem.subview"(%view, %j) <{sizes = array<i64: 128, 8>, staticOffsets = array<i64: 0, 0>}> : (!view, index) -> !part
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
!part = !tmem.view<64x16xf32, #tmem.layout<(64, 16) : (1@tlane, 1@tcol)>>
func.func @W2_dynamic_lane(%view: !view, %i: index) {
  // expected-error @below {{expected a static offset in dimension 0, which does not advance by whole cells of one lane; tmem.rearrange can split it into a dimension that does}}
  // expected-note @below {{rule W2: }}
  %0 = tmem.subview %view[%i, 0] [64, 16] : !view to !part
  return
}

// -----

// The columns of path B are in two groups of lanes.
!view = !tmem.view<64x16xf32, #tmem.datapath<B>>
!part = !tmem.view<64x4xf32, #tmem.layout<(64, 4) : (1@tlane, 1@tcol)>>
func.func @W2_dynamic_column_of_path_b(%view: !view, %j: index) {
  // expected-error @below {{expected a static offset in dimension 1}}
  // expected-note @below {{rule W2: }}
  %0 = tmem.subview %view[0, %j] [64, 4] : !view to !part
  return
}

// -----

// One step is half a cell.
!view = !tmem.view<128x16xf16, #tmem.layout<(128, 16) : (1@tlane, 1@tcol)>>
!part = !tmem.view<128x8xf16, #tmem.layout<(128, 8) : (1@tlane, 1@tcol)>>
func.func @W2_dynamic_half_cell(%view: !view, %j: index) {
  // expected-error @below {{expected a static offset in dimension 1}}
  // expected-note @below {{rule W2: }}
  %0 = tmem.subview %view[0, %j] [128, 8] : !view to !part
  return
}

// -----

!view = !tmem.view<1x128x16xf32, #tmem.layout<(128, 16) : (1@tlane, 1@tcol)>>
func.func @W2_dynamic_in_dimension_of_one(%view: !view, %j: index) {
  // expected-error @below {{expected a static offset in dimension 0}}
  // expected-note @below {{rule W2: }}
  %0 = tmem.subview %view[%j, 0, 0] [1, 128, 16] : !view to !view
  return
}

// -----

// Of columns 4 to 9 of path B four are in lanes 0 to 63, two in lanes 64 to 127.
!view = !tmem.view<64x16xf32, #tmem.datapath<B>>
!part = !tmem.view<64x6xf32, #tmem.layout<(64, 6) : (1@tlane, 1@tcol)>>
func.func @W3_cuts_through_modes(%view: !view) {
  // expected-error @below {{expected a window along the modes of the layout, but got one that cuts through them}}
  // expected-note @below {{rule W3: }}
  %0 = tmem.subview %view[0, 4] [64, 6] : !view to !part
  return
}

// -----

!view = !tmem.view<128x16xf16, #tmem.layout<(128, 16) : (1@tlane, 1@tcol)>>
!part = !tmem.view<128x3xf16, #tmem.layout<(128, 3) : (1@tlane, 1@tcol)>>
func.func @W3_ends_in_a_cell(%view: !view) {
  // expected-error @below {{expected a window of whole cells, but the cell of element (0, 3) lies only partly in it}}
  // expected-note @below {{rule W3: }}
  %0 = tmem.subview %view[0, 0] [128, 3] : !view to !part
  return
}

// -----

!view = !tmem.view<128x16xi8, #tmem.layout<(128, 16) : (1@tlane, 1@tcol)>>
!part = !tmem.view<128x4xi8, #tmem.layout<(128, 4) : (1@tlane, 1@tcol) + (6@tcol)>>
func.func @W3_starts_in_a_cell(%view: !view) {
  // expected-error @below {{expected a window of whole cells, but the cell of element (0, 6) lies only partly in it}}
  // expected-note @below {{rule W3: }}
  %0 = tmem.subview %view[0, 6] [128, 4] : !view to !part
  return
}

// -----

// Dimension 1 goes by whole cells, dimension 2 cuts each in two.
!view = !tmem.view<128x8x2xf16, #tmem.layout<(128, 8, 2) : (1@tlane, 2@tcol, 1@tcol)>>
!part = !tmem.view<128x8x1xf16, #tmem.layout<(128, 8) : (1@tlane, 2@tcol)>>
func.func @W3_dynamic_and_half_cell(%view: !view, %j: index) {
  // expected-error @below {{expected a window of whole cells, but the cell of element (0, 0, 1) lies only partly in it}}
  // expected-note @below {{rule W3: }}
  %0 = tmem.subview %view[0, %j, 0] [128, 8, 1] : !view to !part
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
!part = !tmem.view<128x8xf32, #tmem.datapath<D>>
func.func @W4_offset_missing_in_type(%view: !view) {
  // expected-error @below {{expected the result type !tmem.view<128x8xf32, #tmem.layout<(128, 8) : (1@tlane, 1@tcol) + (8@tcol)>>, but got !tmem.view<128x8xf32, #tmem.datapath<D>>}}
  // expected-note @below {{rule W4: }}
  %0 = tmem.subview %view[0, 8] [128, 8] : !view to !part
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
func.func @W4_shape(%view: !view) {
  // expected-error @below {{expected the result type !tmem.view<128x8xf32,}}
  // expected-note @below {{rule W4: }}
  %0 = tmem.subview %view[0, 0] [128, 8] : !view to !view
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
!part = !tmem.view<128x8xi32, #tmem.datapath<D>>
func.func @W4_element_type(%view: !view) {
  // expected-error @below {{but got !tmem.view<128x8xi32}}
  // expected-note @below {{rule W4: }}
  %0 = tmem.subview %view[0, 0] [128, 8] : !view to !part
  return
}

// -----

// Graph regions allow cycles; views may not be part of one.

!d = !tmem.view<128x4xf32, #tmem.datapath<D>>

module @subview_of_itself {
  // expected-error @below {{'tmem.subview' op expected its source to be defined before it}}
  %0 = tmem.subview %1[0, 0] [128, 4] : !d to !d
  %1 = tmem.subview %0[0, 0] [128, 4] : !d to !d
}
