// RUN: tmem-test-opt %s -split-input-file -verify-diagnostics

// Whatever an attribute of another dialect says it stands for.

// expected-error @below {{expected another tile}}
func.func private @refuses(!tmem.view<128x4xf32, #other.layout<refuses>>)

// -----

// expected-error @below {{expected a layout or a reason that there is none from #other.layout<says_nothing>, but got neither}}
func.func private @says_nothing(!tmem.view<128x4xf32, #other.layout<says_nothing>>)

// -----

// expected-error @below {{expected nothing in particular}}
func.func private @complains(!tmem.view<128x4xf32, #other.layout<complains>>)

// -----

// expected-error @below {{expected a layout or a reason that there is none from #other.layout<stands_for_itself>, but got 64 attributes each of which stands for another one}}
func.func private @stands_for_itself(!tmem.view<128x4xf32, #other.layout<stands_for_itself>>)

// -----

// expected-error @below {{expected}}
// expected-note @below {{rule L1: }}
func.func private @L1_negative_extent(!tmem.view<128x4xf32, #other.layout<negative_extent>>)

// -----

// expected-error @below {{expected}}
// expected-note @below {{rule L1: }}
func.func private @L1_zero_extent(!tmem.view<128x4xf32, #other.layout<zero_extent>>)

// -----

// expected-error @below {{expected}}
// expected-note @below {{rule L2: }}
func.func private @L2_no_modes(!tmem.view<128x4xf32, #other.layout<empty>>)

// -----

// expected-error @below {{expected}}
// expected-note @below {{rule L3: }}
func.func private @L3_huge_extents(!tmem.view<128x4xf32, #other.layout<huge_extents>>)

// -----

// expected-error @below {{expected}}
// expected-note @below {{rule L4: }}
func.func private @L4_huge_stride(!tmem.view<128x4xf32, #other.layout<huge_stride>>)

// -----

// expected-error @below {{expected}}
// expected-note @below {{rule L5: }}
func.func private @L5_both_kinds_of_axes(!tmem.view<128x4xf32, #other.layout<both_axes>>)

// -----

// expected-error @below {{expected a memory layout, but got the axes of a register layout}}
// expected-note @below {{rule L5: }}
func.func private @L5_registers(!tmem.view<128x4xf32, #other.layout<threads>>)

// -----

// expected-error @below {{expected a memory layout of 512 elements, but got 1}}
// expected-note @below {{rule V3: }}
func.func private @V3_many_modes(!tmem.view<128x4xf32, #other.layout<many_modes>>)

// -----

// expected-error @below {{expected TMEM lanes 0 to 127, but got 128 for element (32, 0)}}
// expected-note @below {{rule V4: }}
func.func private @V4_outside(!tmem.view<128x4xf32, #other.layout<outside>>)

// -----

// expected-error @below {{elements (0, 0) and (0, 2) share bits of TMEM lane 0, column 0}}
// expected-note @below {{rule V6: }}
func.func private @V6_overlapping(!tmem.view<128x4xf32, #other.layout<overlapping>>)

// -----

// expected-error @below {{expected a layout attribute, but got 3 : i32}}
func.func private @no_layout(!tmem.view<128x4xf32, 3 : i32>)

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
func.func @registers_refused(%view: !view) {
  // expected-error @below {{'tmem.load' op expected another tile}}
  %0 = tmem.load %view registers(#other.layout<refuses>) atom(<32x32b, x4>) scope(warpgroup) : !view -> !tmem.pending<vector<4xf32>>
  return
}

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
func.func @L1_registers(%view: !view) {
  // expected-error @below {{'tmem.load' op expected}}
  // expected-note @below {{rule L1: }}
  %0 = tmem.load %view registers(#other.layout<zero_extent>) scope(warpgroup) : !view -> !tmem.pending<vector<4xf32>>
  return
}

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
func.func @L5_registers_in_memory(%view: !view) {
  // expected-error @below {{'tmem.load' op expected a register layout, but got the axes of a memory layout}}
  // expected-note @below {{rule L5: }}
  %0 = tmem.load %view registers(#other.layout<matrix>) atom(<32x32b, x4>) scope(warpgroup) : !view -> !tmem.pending<vector<4xf32>>
  return
}
