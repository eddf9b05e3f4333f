// RUN: tmem-opt %s --verify-roundtrip --mlir-print-local-scope | FileCheck %s
// RUN: tmem-opt %s --emit-bytecode | tmem-opt --mlir-print-local-scope | FileCheck %s
// RUN: tmem-opt %s --mlir-print-local-scope | tmem-opt --mlir-print-local-scope | FileCheck %s

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func private @layout_of_every_axis
// CHECK-SAME: #tmem.layout<(64, 2, 64) : (1@tlane, 64@tlane, 1@tcol)>
// CHECK-SAME: #tmem.layout<(4, 32, 16) : (1@warp, 1@lane, 1@reg)>
// CHECK-SAME: #tmem.layout<(128, 16) : (1@tid, 1@reg)>
func.func private @layout_of_every_axis() attributes {
  a = #tmem.layout<(64, 2, 64) : (1@tlane, 64@tlane, 1@tcol)>,
  b = #tmem.layout<(4, 32, 16) : (1@warp, 1@lane, 1@reg)>,
  c = #tmem.layout<(128, 16) : (1@tid, 1@reg)>}

// CHECK-LABEL: func private @layout_negative_strides
// CHECK-SAME: #tmem.layout<(32, 8) : (-1@tlane, -2@tcol) + (31@tlane, 14@tcol)>
// CHECK-SAME: #tmem.layout<(2) : (-2147483647@tcol) + (-5@tcol) * (2 : -3@tcol)>
func.func private @layout_negative_strides() attributes {
  a = #tmem.layout<(32, 8) : (-1@tlane, -2@tcol) + (31@tlane, 14@tcol)>,
  b = #tmem.layout<(2) : (-2147483647@tcol) + (-5@tcol) * (2 : -3@tcol)>}

// CHECK-LABEL: func private @layout_offsets
// CHECK-SAME: #tmem.layout<(4) : (1@tcol) + (16@tlane)>
// CHECK-SAME: #tmem.layout<(4) : (1@reg) + (1@warp, 2@lane, 3@reg)>
// CHECK-SAME: #tmem.layout<(4) : (1@reg) + (1@reg, 1@reg, 0@reg)>
func.func private @layout_offsets() attributes {
  a = #tmem.layout<(4) : (1@tcol) + (16@tlane)>,
  b = #tmem.layout<(4) : (1@reg) + (1@warp, 2@lane, 3@reg)>,
  c = #tmem.layout<(4) : (1@reg) + (1@reg, 1@reg, 0@reg)>}

// CHECK-LABEL: func private @layout_replicas
// CHECK-SAME: #tmem.layout<(32, 4) : (1@tlane, 1@tcol) * (4 : 32@tlane)>
// CHECK-SAME: #tmem.layout<(32) : (1@tlane) * (4 : 32@tlane, 2 : 8@tcol, 1 : 0@tcol)>
func.func private @layout_replicas() attributes {
  a = #tmem.layout<(32, 4) : (1@tlane, 1@tcol) * (4 : 32@tlane)>,
  b = #tmem.layout<(32) : (1@tlane) * (4 : 32@tlane, 2 : 8@tcol, 1 : 0@tcol)>}

// Offsets and replicas come in either order, and print in one.
// CHECK-LABEL: func private @layout_offsets_and_replicas
// CHECK-SAME: a = #tmem.layout<(16) : (1@tlane) + (8@tcol) * (4 : 32@tlane)>
// CHECK-SAME: b = #tmem.layout<(16) : (1@tlane) + (8@tcol) * (4 : 32@tlane)>
// CHECK-SAME: c = #tmem.layout<(16) : (1@tlane)>
func.func private @layout_offsets_and_replicas() attributes {
  a = #tmem.layout<(16) : (1@tlane) + (8@tcol) * (4 : 32@tlane)>,
  b = #tmem.layout<(16) : (1@tlane) * (4 : 32@tlane) + (8@tcol)>,
  c = #tmem.layout<(16) : (1@tlane) + () * ()>}

// Layouts stand as they were written, unit and stationary modes too.
// CHECK-LABEL: func private @layout_not_canonicalized
// CHECK-SAME: #tmem.layout<(1, 4, 8, 1) : (7@tcol, 8@tlane, 1@tlane, 0@tlane)>
// CHECK-SAME: #tmem.layout<(8, 2) : (0@reg, 1@reg)>
// CHECK-SAME: #tmem.layout<(2147483647) : (2147483647@reg)>
func.func private @layout_not_canonicalized() attributes {
  a = #tmem.layout<(1, 4, 8, 1) : (7@tcol, 8@tlane, 1@tlane, 0@tlane)>,
  b = #tmem.layout<(8, 2) : (0@reg, 1@reg)>,
  c = #tmem.layout<(2147483647) : (2147483647@reg)>}

//===----------------------------------------------------------------------===//
// Datapaths
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func private @datapath_letters
// CHECK-SAME: #tmem.datapath<A>
// CHECK-SAME: #tmem.datapath<B>
// CHECK-SAME: #tmem.datapath<C>
// CHECK-SAME: #tmem.datapath<D>
// CHECK-SAME: #tmem.datapath<E>
// CHECK-SAME: #tmem.datapath<F>
// CHECK-SAME: #tmem.datapath<G>
func.func private @datapath_letters() attributes {
  a = #tmem.datapath<A>, b = #tmem.datapath<B>, c = #tmem.datapath<C>,
  d = #tmem.datapath<D>, e = #tmem.datapath<E>, f = #tmem.datapath<F>,
  g = #tmem.datapath<G>}

// CHECK-LABEL: func private @datapath_half
// CHECK-SAME: a = #tmem.datapath<C, half = 1>
// CHECK-SAME: b = #tmem.datapath<F, half = 1>
// CHECK-SAME: c = #tmem.datapath<F>
// CHECK-SAME: d = #tmem.datapath<A>
func.func private @datapath_half() attributes {
  a = #tmem.datapath<C, half = 1>, b = #tmem.datapath<F, half = 1>,
  c = #tmem.datapath<F, half = 0>, d = #tmem.datapath<A, half = 0>}

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func private @atom_smallest
// CHECK-SAME: #tmem.atom<32x32b, x1>
// CHECK-SAME: #tmem.atom<16x64b, x1>
// CHECK-SAME: #tmem.atom<16x128b, x1>
// CHECK-SAME: #tmem.atom<16x256b, x1>
// CHECK-SAME: #tmem.atom<16x32bx2, x1>
func.func private @atom_smallest() attributes {
  a = #tmem.atom<32x32b, x1>, b = #tmem.atom<16x64b, x1>,
  c = #tmem.atom<16x128b, x1>, d = #tmem.atom<16x256b, x1>,
  e = #tmem.atom<16x32bx2, x1>}

// CHECK-LABEL: func private @atom_largest
// CHECK-SAME: #tmem.atom<32x32b, x128>
// CHECK-SAME: #tmem.atom<16x64b, x128>
// CHECK-SAME: #tmem.atom<16x128b, x64>
// CHECK-SAME: #tmem.atom<16x256b, x32>
// CHECK-SAME: #tmem.atom<16x32bx2, x128>
func.func private @atom_largest() attributes {
  a = #tmem.atom<32x32b, x128>, b = #tmem.atom<16x64b, x128>,
  c = #tmem.atom<16x128b, x64>, d = #tmem.atom<16x256b, x32>,
  e = #tmem.atom<16x32bx2, x128>}

// CHECK-LABEL: func private @atom_several_repeats
// CHECK-SAME: #tmem.atom<32x32b, x64, x32>
// CHECK-SAME: #tmem.atom<16x64b, x1, x128, x2, x64, x4, x32, x8, x16>
func.func private @atom_several_repeats() attributes {
  a = #tmem.atom<32x32b, x64, x32>,
  b = #tmem.atom<16x64b, x1, x128, x2, x64, x4, x32, x8, x16>}

// CHECK-LABEL: func private @atom_packing
// CHECK-SAME: #tmem.atom<16x128b, x8, pack>
// CHECK-SAME: #tmem.atom<32x32b, x2, x4, unpack>
func.func private @atom_packing() attributes {
  a = #tmem.atom<16x128b, x8, pack>, b = #tmem.atom<32x32b, x2, x4, unpack>}

//===----------------------------------------------------------------------===//
// Scopes, fences
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func private @scopes
// CHECK-SAME: #tmem.scope<warp 0>
// CHECK-SAME: #tmem.scope<warp 3>
// CHECK-SAME: #tmem.scope<warpgroup>
// CHECK-SAME: #tmem.scope<cta>
func.func private @scopes() attributes {
  a = #tmem.scope<warp 0>, b = #tmem.scope<warp 3>, c = #tmem.scope<warpgroup>,
  d = #tmem.scope<cta>}

// CHECK-LABEL: func private @fence_kinds
// CHECK-SAME: #tmem<fence_kind before>
// CHECK-SAME: #tmem<fence_kind after>
func.func private @fence_kinds() attributes {
  a = #tmem<fence_kind before>, b = #tmem<fence_kind after>}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func private @view_of_every_datapath
// CHECK-SAME: !tmem.view<128x8xf32, #tmem.datapath<A>>
// CHECK-SAME: !tmem.view<64x8xf32, #tmem.datapath<B>>
// CHECK-SAME: !tmem.view<64x8xi32, #tmem.datapath<C>>
// CHECK-SAME: !tmem.view<128x1xf16, #tmem.datapath<D>>
// CHECK-SAME: !tmem.view<64x2xbf16, #tmem.datapath<E>>
// CHECK-SAME: !tmem.view<64x512xf32, #tmem.datapath<F, half = 1>>
// CHECK-SAME: !tmem.view<32x4xf32, #tmem.datapath<G>>
func.func private @view_of_every_datapath(
  !tmem.view<128x8xf32, #tmem.datapath<A>>, !tmem.view<64x8xf32, #tmem.datapath<B>>,
  !tmem.view<64x8xi32, #tmem.datapath<C>>, !tmem.view<128x1xf16, #tmem.datapath<D>>,
  !tmem.view<64x2xbf16, #tmem.datapath<E>>, !tmem.view<64x512xf32, #tmem.datapath<F, half = 1>>,
  !tmem.view<32x4xf32, #tmem.datapath<G>>)

#dense = #tmem.layout<(32, 8) : (1@tlane, 1@tcol)>

// CHECK-LABEL: func private @view_of_every_width
// CHECK-SAME: !tmem.view<32x8xi4, #tmem.layout<(32, 8) : (1@tlane, 1@tcol)>>
// CHECK-SAME: xf4E2M1FN, {{.*}}xsi8, {{.*}}xf8E4M3FN, {{.*}}xui16, {{.*}}xbf16, {{.*}}xf32, {{.*}}xi64, {{.*}}xf64,
func.func private @view_of_every_width(
  !tmem.view<32x8xi4, #dense>, !tmem.view<32x8xf4E2M1FN, #dense>,
  !tmem.view<32x8xsi8, #dense>, !tmem.view<32x8xf8E4M3FN, #dense>,
  !tmem.view<32x8xui16, #dense>, !tmem.view<32x8xbf16, #dense>,
  !tmem.view<32x8xf32, #dense>, !tmem.view<32x8xi64, #dense>,
  !tmem.view<32x8xf64, #dense>)

// CHECK-LABEL: func private @view_of_any_rank
// CHECK-SAME: !tmem.view<256xf32,
// CHECK-SAME: !tmem.view<1x2x4x1x32xf32,
func.func private @view_of_any_rank(
  !tmem.view<256xf32, #dense>, !tmem.view<1x2x4x1x32xf32, #dense>)

// The last column that any chip has.
// CHECK-LABEL: func private @view_of_all_columns
// CHECK-SAME: !tmem.view<128x576xf32,
// CHECK-SAME: !tmem.view<128x4608xi4,
func.func private @view_of_all_columns(
  !tmem.view<128x576xf32, #tmem.layout<(128, 576) : (1@tlane, 1@tcol)>>,
  !tmem.view<128x4608xi4, #tmem.layout<(128, 4608) : (1@tlane, 1@tcol)>>)

// CHECK-LABEL: func private @in_flight
// CHECK-SAME: !tmem.pending<vector<1xf32>>, !tmem.pending<vector<1024xi4>>, !tmem.token
func.func private @in_flight(
  !tmem.pending<vector<1xf32>>, !tmem.pending<vector<1024xi4>>, !tmem.token)
