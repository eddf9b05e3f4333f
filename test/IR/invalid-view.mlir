// RUN: tmem-opt %s -split-input-file -verify-diagnostics

#one = #tmem.layout<(1) : (1@tcol)>
// expected-error @below {{expected at least one dimension, but got none}}
// expected-note @below {{rule V1: }}
!V1_rank_zero = !tmem.view<f32, #one>

// -----

#one = #tmem.layout<(1) : (1@tcol)>
// expected-error @below {{expected dimensions of at least 1, but got 0}}
// expected-note @below {{rule V1: }}
!V1_empty = !tmem.view<0x4xf32, #one>

// -----

#one = #tmem.layout<(1) : (1@tcol)>
// expected-error @below {{expected static shape}}
!V1_dynamic = !tmem.view<?x4xf32, #one>

// -----

#one = #tmem.layout<(1) : (1@tcol)>
// expected-error @below {{expected elements of 4, 8, 16, 32 or 64 bits, but got i1}}
// expected-note @below {{rule V2: }}
!V2_i1 = !tmem.view<1xi1, #one>

// -----

#one = #tmem.layout<(1) : (1@tcol)>
// expected-error @below {{but got i5}}
// expected-note @below {{rule V2: }}
!V2_i5 = !tmem.view<1xi5, #one>

// -----

#one = #tmem.layout<(1) : (1@tcol)>
// expected-error @below {{but got i128}}
// expected-note @below {{rule V2: }}
!V2_i128 = !tmem.view<1xi128, #one>

// -----

#one = #tmem.layout<(1) : (1@tcol)>
// expected-error @below {{but got tf32}}
// expected-note @below {{rule V2: }}
!V2_tf32 = !tmem.view<1xtf32, #one>

// -----

#one = #tmem.layout<(1) : (1@tcol)>
// expected-error @below {{but got f6E3M2FN}}
// expected-note @below {{rule V2: }}
!V2_f6 = !tmem.view<1xf6E3M2FN, #one>

// -----

#one = #tmem.layout<(1) : (1@tcol)>
// expected-error @below {{but got index}}
// expected-note @below {{rule V2: }}
!V2_index = !tmem.view<1xindex, #one>

// -----

#one = #tmem.layout<(1) : (1@tcol)>
// expected-error @below {{but got complex<f32>}}
// expected-note @below {{rule V2: }}
!V2_complex = !tmem.view<1xcomplex<f32>, #one>

// -----

#one = #tmem.layout<(1) : (1@tcol)>
// expected-error @below {{but got vector<4xf32>}}
// expected-note @below {{rule V2: }}
!V2_vector = !tmem.view<1xvector<4xf32>, #one>

// -----

#one = #tmem.layout<(1) : (1@tcol)>
// expected-error @below {{but got memref<f32>}}
// expected-note @below {{rule V2: }}
!V2_memref = !tmem.view<1xmemref<f32>, #one>

// -----

#one = #tmem.layout<(1) : (1@tcol)>
// expected-error @below {{but got !tmem.token}}
// expected-note @below {{rule V2: }}
!V2_token = !tmem.view<1x!tmem.token, #one>

// -----

// expected-error @below {{expected a memory layout of 128 elements, but got 64}}
// expected-note @below {{rule V3: }}
!V3_too_few_elements = !tmem.view<32x4xf32, #tmem.layout<(32, 2) : (1@tlane, 1@tcol)>>

// -----

// Offsets and replicas do not count.
// expected-error @below {{expected a memory layout of 128 elements, but got 32}}
// expected-note @below {{rule V3: }}
!V3_replicas = !tmem.view<128xf32, #tmem.layout<(32) : (1@tlane) * (4 : 32@tlane)>>

// -----

// The shape has 2^64 elements, which are 0 in 64 bits.
// expected-error @below {{expected a tile of less than 2^31 elements, but got 4294967296x4294967296}}
// expected-note @below {{rule L3: }}
!L3_no_elements_in_64_bits = !tmem.view<4294967296x4294967296xf32, #tmem.layout<(4) : (1@tlane)>>

// -----

// 2^64 + 8192: as many as the layout has, in 64 bits.
// expected-error @below {{expected a tile of less than 2^31 elements, but got 24576x750599937895083}}
// expected-note @below {{rule L3: }}
!L3_elements_of_the_layout_in_64_bits = !tmem.view<24576x750599937895083xf32, #tmem.layout<(128, 64) : (1@tlane, 1@tcol)>>

// -----

// expected-error @below {{expected a tile of less than 2^31 elements, but got 65536x32768}}
// expected-note @below {{rule L3: }}
!L3_first_too_many = !tmem.view<65536x32768xf32, #tmem.layout<(4) : (1@tlane)>>

// -----

// expected-error @below {{expected a memory layout of 2147418112 elements, but got 4}}
// expected-note @below {{rule V3: }}
!V3_most_elements = !tmem.view<65536x32767xf32, #tmem.layout<(4) : (1@tlane)>>

// -----

// expected-error @below {{expected TMEM lanes 0 to 127, but got 128 for element (128, 0)}}
// expected-note @below {{rule V4: }}
!V4_lane_128 = !tmem.view<129x4xf32, #tmem.layout<(129, 4) : (1@tlane, 1@tcol)>>

// -----

// expected-error @below {{expected TMEM lanes 0 to 127, but got 128 for element (1, 0)}}
// expected-note @below {{rule V4: }}
!V4_stride = !tmem.view<2x4xf32, #tmem.layout<(2, 4) : (128@tlane, 1@tcol)>>

// -----

// expected-error @below {{expected TMEM lanes 0 to 127, but got -1 for element (1)}}
// expected-note @below {{rule V4: }}
!V4_below_zero = !tmem.view<4xf32, #tmem.layout<(4) : (-1@tlane)>>

// -----

// expected-error @below {{expected TMEM lanes 0 to 127, but got 144 for element (0)}}
// expected-note @below {{rule V4: }}
!V4_replica = !tmem.view<4xf32, #tmem.layout<(4) : (1@tlane) + (16@tlane) * (2 : 128@tlane)>>

// -----

// expected-error @below {{expected TMEM lanes 0 to 127, but got 2147483647 for element (1)}}
// expected-note @below {{rule V4: }}
!V4_huge_stride = !tmem.view<2147483647xf32, #tmem.layout<(2147483647) : (2147483647@tlane)>>

// -----

// expected-error @below {{expected columns (tcol) 0 to 575, but got 576 for element (0, 576)}}
// expected-note @below {{rule V5: }}
!V5_column_576 = !tmem.view<128x577xf32, #tmem.layout<(128, 577) : (1@tlane, 1@tcol)>>

// -----

// Columns count elements: four to a cell.
// expected-error @below {{expected columns (tcol) 0 to 2303, but got 2304 for element (0, 2304)}}
// expected-note @below {{rule V5: }}
!V5_8_bits = !tmem.view<1x2305xi8, #tmem.layout<(2305) : (1@tcol)>>

// -----

// expected-error @below {{expected columns (tcol) 0 to 287, but got 288 for element (288)}}
// expected-note @below {{rule V5: }}
!V5_64_bits = !tmem.view<289xf64, #tmem.layout<(289) : (1@tcol)>>

// -----

// expected-error @below {{but got -8 for element (0)}}
// expected-note @below {{rule V5: }}
!V5_offset = !tmem.view<4xf32, #tmem.layout<(4) : (1@tcol) + (-8@tcol)>>

// -----

// expected-error @below {{elements (0, 1) and (1, 0) share bits of TMEM lane 0, column 1}}
// expected-note @below {{rule V6: }}
!V6_overlap = !tmem.view<2x2xf32, #tmem.layout<(2, 2) : (1@tcol, 1@tcol)>>

// -----

// expected-error @below {{elements (0) and (1) share bits of TMEM lane 0, column 0}}
// expected-note @below {{rule V6: }}
!V6_broadcast = !tmem.view<8xf32, #tmem.layout<(8) : (0@tlane)>>

// -----

// expected-error @below {{share bits of TMEM lane 1, column 0}}
// expected-note @below {{rule V6: }}
!V6_replica = !tmem.view<2xf32, #tmem.layout<(2) : (1@tlane) * (2 : 1@tlane)>>

// -----

// More elements than all of TMEM has cells.
// expected-error @below {{expected at most 128 elements and replicas in the columns of the view, but got 1073741824 elements}}
// expected-note @below {{rule V6: }}
!V6_huge_broadcast = !tmem.view<1073741824xf32, #tmem.layout<(1073741824) : (0@tlane)>>

// -----

func.func @V6_in_operation(%base: i32) {
  // expected-error @below {{share bits}}
  // expected-note @below {{rule V6: }}
  %0 = tmem.view %base : !tmem.view<4x2xi8, #tmem.layout<(4, 2) : (1@tcol, 3@tcol)>>
  return
}
