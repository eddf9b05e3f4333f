// RUN: tmem-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{expected a power of two from x1 to x128 for 32x32b, but got x3}}
// expected-note @below {{rule A1: }}
#A1_no_power_of_two = #tmem.atom<32x32b, x3>

// -----

// expected-error @below {{expected a power of two from x1 to x128 for 32x32b, but got x256}}
// expected-note @below {{rule A1: }}
#A1_32x32b_x256 = #tmem.atom<32x32b, x256>

// -----

// expected-error @below {{expected a power of two from x1 to x128 for 16x64b, but got x256}}
// expected-note @below {{rule A1: }}
#A1_16x64b_x256 = #tmem.atom<16x64b, x256>

// -----

// expected-error @below {{expected a power of two from x1 to x64 for 16x128b, but got x128}}
// expected-note @below {{rule A1: }}
#A1_16x128b_x128 = #tmem.atom<16x128b, x128>

// -----

// expected-error @below {{expected a power of two from x1 to x32 for 16x256b, but got x64}}
// expected-note @below {{rule A1: }}
#A1_16x256b_x64 = #tmem.atom<16x256b, x64>

// -----

// expected-error @below {{expected a power of two from x1 to x128 for 16x32bx2, but got x256}}
// expected-note @below {{rule A1: }}
#A1_16x32bx2_x256 = #tmem.atom<16x32bx2, x256>

// -----

// expected-error @below {{but got x0}}
// expected-note @below {{rule A1: }}
#A1_zero = #tmem.atom<32x32b, x0>

// -----

// expected-error @below {{but got x2147483648}}
// expected-note @below {{rule A1: }}
#A1_2_31 = #tmem.atom<32x32b, x2147483648>

// -----

// expected-error @below {{expected a repetition count such as x4, pack or unpack, but got x4294967296}}
// expected-note @below {{rule A1: }}
#A1_2_32 = #tmem.atom<32x32b, x4294967296>

// -----

// expected-error @below {{expected a repetition count such as x4, pack or unpack, but got xN}}
// expected-note @below {{rule A1: }}
#A1_no_number = #tmem.atom<32x32b, xN>

// -----

// expected-error @below {{expected a repetition count, such as x4}}
// expected-note @below {{rule A1: }}
#A1_no_repeat = #tmem.atom<32x32b>

// -----

// expected-error @below {{expected a repetition count, such as x4}}
// expected-note @below {{rule A1: }}
#A1_pack_alone = #tmem.atom<32x32b, pack>

// -----

// One legal count does not make up for another.
// expected-error @below {{expected a power of two from x1 to x32 for 16x256b, but got x64}}
// expected-note @below {{rule A1: }}
#A1_second_repeat = #tmem.atom<16x256b, x32, x64>

// -----

// expected-error @below {{expected a shape of 32x32b, 16x64b, 16x128b, 16x256b, 16x32bx2, but got 32x64b}}
// expected-note @below {{rule A1: }}
#A1_unknown_shape = #tmem.atom<32x64b, x4>

// -----

// expected-error @below {{but got -16x64b}}
// expected-note @below {{rule A1: }}
#A1_negative_rows = #tmem.atom<-16x64b, x4>

// -----

!view = !tmem.view<128x4xf16, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>
func.func @A2_unpack_on_load(%view: !view) {
  // expected-error @below {{expected pack on loads and unpack on stores, but got unpack on a load}}
  // expected-note @below {{rule A2: }}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x2, unpack>) scope(warpgroup) : !view -> !tmem.pending<vector<4xf16>>
  return
}

// -----

!view = !tmem.view<128x4xf16, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>
func.func @A2_pack_on_store(%view: !view, %source: vector<4xf16>) {
  // expected-error @below {{expected pack on loads and unpack on stores, but got pack on a store}}
  // expected-note @below {{rule A2: }}
  %0 = tmem.store %source, %view registers(#regs) atom(<32x32b, x2, pack>) scope(warpgroup) : vector<4xf16>, !view
  return
}

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>
func.func @A3_pack_f32(%view: !view) {
  // expected-error @below {{expected elements of at most 16 bits for pack, but got 32}}
  // expected-note @below {{rule A3: }}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4, pack>) scope(warpgroup) : !view -> !tmem.pending<vector<4xf32>>
  return
}

// -----

!view = !tmem.view<128x4xi32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>
func.func @A3_unpack_i32(%view: !view, %source: vector<4xi32>) {
  // expected-error @below {{expected elements of at most 16 bits for unpack, but got 32}}
  // expected-note @below {{rule A3: }}
  %0 = tmem.store %source, %view registers(#regs) atom(<32x32b, x4, unpack>) scope(warpgroup) : vector<4xi32>, !view
  return
}

// -----

// expected-error @below {{expected each repetition count once, but got x4 again}}
// expected-note @below {{rule A6: }}
#A6_repeat_twice = #tmem.atom<32x32b, x4, x8, x4>

// -----

#rows = #tmem.layout<(16, 4) : (1@tlane, 1@tcol)>
!view = !tmem.view<16x4xf32, #rows>
#regs = #tmem.layout<(2, 16, 4) : (16@lane, 1@lane, 1@reg)>
func.func @A4_load_split_32x32b(%view: !view) {
  // expected-error @below {{expected the shape 16x32bx2, but got 32x32b}}
  // expected-note @below {{rule A4: }}
  %0 = tmem.load_split %view, %view registers(#regs) atom(<32x32b, x4>) scope(warp 0) : !view, !view -> !tmem.pending<vector<4xf32>>
  return
}

// -----

#rows = #tmem.layout<(16, 4) : (1@tlane, 1@tcol)>
!view = !tmem.view<16x4xf32, #rows>
#regs = #tmem.layout<(2, 16, 4) : (16@lane, 1@lane, 1@reg)>
func.func @A4_store_split_16x64b(%view: !view, %source: vector<4xf32>) {
  // expected-error @below {{expected the shape 16x32bx2, but got 16x64b}}
  // expected-note @below {{rule A4: }}
  %0 = tmem.store_split %source, %view, %view registers(#regs) atom(<16x64b, x4>) scope(warp 0) : vector<4xf32>, !view, !view
  return
}

// -----

// expected-error @below {{expected a warp from 0 to 3, but got 4}}
// expected-note @below {{rule A5: }}
#A5_fifth_warp = #tmem.scope<warp 4>

// -----

// expected-error @below {{expected a warp from 0 to 3, but got -1}}
// expected-note @below {{rule A5: }}
#A5_negative_warp = #tmem.scope<warp -1>

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>
func.func @A5_in_operation(%view: !view) {
  // expected-error @below {{expected a warp from 0 to 3, but got 4294967296}}
  // expected-note @below {{rule A5: }}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warp 4294967296) : !view -> !tmem.pending<vector<4xf32>>
  return
}
