// RUN: tmem-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{expected an extent of at least 1, but got 0}}
// expected-note @below {{rule L1: }}
#L1_zero_extent = #tmem.layout<(4, 0) : (1@tlane, 1@tcol)>

// -----

// expected-error @below {{expected an extent of at least 1, but got -8}}
// expected-note @below {{rule L1: }}
#L1_negative_extent = #tmem.layout<(-8) : (1@tlane)>

// -----

// expected-error @below {{expected an extent of at least 1, but got 0}}
// expected-note @below {{rule L1: }}
#L1_zero_replicas = #tmem.layout<(8) : (1@tlane) * (0 : 8@tlane)>

// -----

// expected-error @below {{expected at least one extent, but got none}}
// expected-note @below {{rule L2: }}
#L2_no_extent = #tmem.layout<() : ()>

// -----

// expected-error @below {{expected as many strides as the 2 extents, but got 1}}
// expected-note @below {{rule L2: }}
#L2_missing_stride = #tmem.layout<(4, 4) : (1@tlane)>

// -----

// expected-error @below {{expected as many strides as the 1 extents, but got 3}}
// expected-note @below {{rule L2: }}
#L2_surplus_strides = #tmem.layout<(4) : (1@tlane, 1@tlane, 2@tcol)>

// -----

// expected-error @below {{expected extents and replica counts whose product is less than 2^31, but got more}}
// expected-note @below {{rule L3: }}
#L3_one_extent = #tmem.layout<(2147483648) : (1@tlane)>

// -----

// expected-error @below {{less than 2^31}}
// expected-note @below {{rule L3: }}
#L3_product_of_extents = #tmem.layout<(65536, 32768) : (1@tlane, 1@tcol)>

// -----

// expected-error @below {{less than 2^31}}
// expected-note @below {{rule L3: }}
#L3_product_with_replicas = #tmem.layout<(65536) : (1@tlane) * (32768 : 0@tcol)>

// -----

// The product of all is 2^64.
// expected-error @below {{less than 2^31}}
// expected-note @below {{rule L3: }}
#L3_overflow = #tmem.layout<(65536, 65536, 65536, 65536) : (1@reg, 1@reg, 1@reg, 1@reg)>

// -----

// expected-error @below {{less than 2^31}}
// expected-note @below {{rule L3: }}
#L3_largest_integer = #tmem.layout<(9223372036854775807) : (1@tlane)>

// -----

// expected-error @below {{expected a stride between -2^31 and 2^31, but got 2147483648}}
// expected-note @below {{rule L4: }}
#L4_stride = #tmem.layout<(4) : (2147483648@tcol)>

// -----

// expected-error @below {{expected a stride between -2^31 and 2^31, but got -2147483648}}
// expected-note @below {{rule L4: }}
#L4_negative_stride = #tmem.layout<(1) : (-2147483648@tcol)>

// -----

// expected-error @below {{but got 9223372036854775807}}
// expected-note @below {{rule L4: }}
#L4_largest_integer = #tmem.layout<(4) : (9223372036854775807@reg)>

// -----

// expected-error @below {{expected a stride between -2^31 and 2^31}}
// expected-note @below {{rule L4: }}
#L4_replica = #tmem.layout<(4) : (1@tcol) * (1 : 2147483648@tcol)>

// -----

// expected-error @below {{expected an offset between -2^31 and 2^31, but got 2147483648}}
// expected-note @below {{rule L4: }}
#L4_offset = #tmem.layout<(4) : (1@tcol) + (2147483648@tcol)>

// -----

// expected-error @below {{expected offsets of an axis between -2^31 and 2^31, but got 2147483648}}
// expected-note @below {{rule L4: }}
#L4_sum_of_offsets = #tmem.layout<(4) : (1@tcol) + (2147483647@tcol, 1@tcol)>

// -----

// expected-error @below {{expected tlane, tcol, warp, lane, reg or tid, but got row}}
// expected-note @below {{rule L5: }}
#L5_unknown_axis = #tmem.layout<(4) : (1@row)>

// -----

// expected-error @below {{but got TLane}}
// expected-note @below {{rule L5: }}
#L5_axis_in_upper_case = #tmem.layout<(4) : (1@TLane)>

// -----

// expected-error @below {{expected axes of memory or axes of registers, but got both}}
// expected-note @below {{rule L5: }}
#L5_both_kinds = #tmem.layout<(4, 4) : (1@tlane, 1@reg)>

// -----

// expected-error @below {{expected axes of memory or axes of registers, but got both}}
// expected-note @below {{rule L5: }}
#L5_offset_of_other_kind = #tmem.layout<(4) : (1@tlane) + (1@warp)>

// -----

#registers = #tmem.layout<(4, 4) : (1@lane, 1@reg)>
// expected-error @below {{expected a memory layout, but got the axes of a register layout}}
// expected-note @below {{rule L5: }}
!L5_registers_as_memory = !tmem.view<4x4xf32, #registers>

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
#memory = #tmem.layout<(128, 4) : (1@tlane, 1@tcol)>
func.func @L5_memory_as_registers(%view: !view) {
  // expected-error @below {{expected a register layout, but got the axes of a memory layout}}
  // expected-note @below {{rule L5: }}
  %0 = tmem.load %view registers(#memory) atom(<32x32b, x4>) scope(warpgroup) : !view -> !tmem.pending<vector<4xf32>>
  return
}

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
func.func @L5_datapath_as_registers(%view: !view) {
  // expected-error @below {{expected a register layout, but got the axes of a memory layout}}
  // expected-note @below {{rule L5: }}
  %0 = tmem.load %view registers(#tmem.datapath<D>) atom(<32x32b, x4>) scope(warpgroup) : !view -> !tmem.pending<vector<4xf32>>
  return
}

// -----

// expected-error @below {{expected threads by tid or by warp and lane, but got both}}
// expected-note @below {{rule L6: }}
#L6_tid_and_warp = #tmem.layout<(2, 64) : (1@warp, 1@tid)>

// -----

// expected-error @below {{expected threads by tid or by warp and lane, but got both}}
// expected-note @below {{rule L6: }}
#L6_lane_as_replica = #tmem.layout<(64) : (1@tid) * (2 : 1@lane)>
