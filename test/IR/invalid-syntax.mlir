// RUN: tmem-opt %s -split-input-file -verify-diagnostics

// What no rule speaks of: text that is no attribute, type or operation.

// expected-error @below {{expected '<'}}
#layout_without_brackets = #tmem.layout

// -----

// expected-error @below {{expected '('}}
#layout_empty = #tmem.layout<>

// -----

// expected-error @below {{expected ':'}}
#layout_without_strides = #tmem.layout<(4)>

// -----

// expected-error @below {{expected '('}}
#layout_without_parentheses = #tmem.layout<4 : 1@tcol>

// -----

// expected-error @below {{unbalanced '(' character in pretty dialect name}}
#layout_unclosed = #tmem.layout<(4, 4 : (1@tlane, 1@tcol)>

// -----

// expected-error @below {{expected valid '@'-identifier for symbol name}}
#layout_stride_without_axis = #tmem.layout<(4) : (1)>

// -----

// expected-error @below {{expected valid '@'-identifier for symbol name}}
#layout_axis_without_at = #tmem.layout<(4) : (1 tcol)>

// -----

// expected-error @below {{expected integer value}}
#layout_axis_without_stride = #tmem.layout<(4) : (@tcol)>

// -----

// expected-error @below {{expected integer value}}
#layout_dynamic_extent = #tmem.layout<(?) : (1@tcol)>

// -----

// expected-error @below {{expected integer value}}
#layout_trailing_comma = #tmem.layout<(4,) : (1@tcol)>

// -----

// expected-error @below {{integer value too large}}
#layout_extent_2_63 = #tmem.layout<(9223372036854775808) : (1@tcol)>

// -----

// expected-error @below {{integer value too large}}
#layout_stride_2_64 = #tmem.layout<(4) : (18446744073709551616@tcol)>

// -----

// expected-error @below {{integer value too large}}
#layout_offset_far_below = #tmem.layout<(4) : (1@tcol) + (-9223372036854775809@tcol)>

// -----

// expected-error @below {{expected '>'}}
#layout_offsets_twice = #tmem.layout<(4) : (1@tcol) + (1@tcol) + (1@tcol)>

// -----

// expected-error @below {{expected '>'}}
#layout_replicas_twice = #tmem.layout<(4) : (1@tcol) * (2 : 4@tcol) + (1@tcol) * (2 : 4@tcol)>

// -----

// expected-error @below {{expected ':'}}
#layout_replica_without_stride = #tmem.layout<(4) : (1@tcol) * (2)>

// -----

// expected-error @below {{expected '('}}
#layout_offset_without_parentheses = #tmem.layout<(4) : (1@tcol) + 1@tcol>

// -----

// expected-error @below {{expected a datapath from A to G, but got H}}
#datapath_unknown_letter = #tmem.datapath<H>

// -----

// expected-error @below {{expected a datapath from A to G, but got b}}
#datapath_lower_case = #tmem.datapath<b>

// -----

// expected-error @below {{expected 'half'}}
#datapath_unknown_parameter = #tmem.datapath<F, side = 1>

// -----

// expected-error @below {{expected integer value}}
#atom_empty = #tmem.atom<>

// -----

// expected-error @below {{expected valid keyword}}
#atom_of_rows = #tmem.atom<32, x4>

// -----

// expected-error @below {{expected valid keyword}}
#atom_repeat_without_x = #tmem.atom<32x32b, 4>

// -----

// expected-error @below {{expected '>'}}
#atom_without_comma = #tmem.atom<32x32b x4>

// -----

// expected-error @below {{expected nothing after the packing, but got x4}}
#atom_repeat_after_packing = #tmem.atom<32x32b, pack, x4>

// -----

// expected-error @below {{expected nothing after the packing, but got unpack}}
#atom_pack_and_unpack = #tmem.atom<32x32b, x4, pack, unpack>

// -----

// expected-error @below {{expected warp, warpgroup or cta, but got cluster}}
#scope_unknown = #tmem.scope<cluster>

// -----

// expected-error @below {{expected the number of a warp, 0 to 3}}
#scope_warp_without_number = #tmem.scope<warp>

// -----

// expected-error @below {{expected '>'}}
#scope_warpgroup_with_number = #tmem.scope<warpgroup 1>

// -----

// expected-error @below {{unknown attribute `tile` in dialect `tmem`}}
#unknown_attribute = #tmem.tile<4>

// -----

// expected-error @below {{unknown  type `tile` in dialect `tmem`}}
!unknown_type = !tmem.tile<4>

// -----

// expected-error @below {{expected '<'}}
!view_without_brackets = !tmem.view

// -----

// expected-error @below {{expected ','}}
!view_without_layout = !tmem.view<4x4xf32>

// -----

// expected-error @below {{expected a layout attribute, but got "layout"}}
!view_string_as_layout = !tmem.view<4x4xf32, "layout">

// -----

// expected-error @below {{expected a layout attribute, but got affine_map<(d0, d1) -> (d0, d1)>}}
!view_map_as_layout = !tmem.view<4x4xf32, affine_map<(d0, d1) -> (d0, d1)>>

// -----

// expected-error @below {{expected a layout attribute, but got #tmem.atom<32x32b, x4>}}
!view_atom_as_layout = !tmem.view<4x4xf32, #tmem.atom<32x32b, x4>>

// -----

// expected-error @below {{invalid kind of type specified}}
// expected-error @below {{failed to parse TMem_PendingType parameter 'payload'}}
!pending_of_scalar = !tmem.pending<f32>

// -----

// expected-error @below {{unbalanced '<' character in pretty dialect name}}
!pending_unclosed = !tmem.pending<vector<4xf32>

// -----

func.func @registers_no_layout(%view: !tmem.view<128x4xf32, #tmem.datapath<D>>) {
  // expected-error @below {{invalid kind of attribute specified}}
  %0 = tmem.load %view registers(42 : i32) atom(<32x32b, x4>) scope(warpgroup)
    : !tmem.view<128x4xf32, #tmem.datapath<D>> -> !tmem.pending<vector<4xf32>>
  return
}

// -----

func.func @fence_unknown() {
  // expected-error @below {{to be one of: before, after}}
  tmem.fence both
  // expected-error @below {{failed to parse TMem_FenceKindAttr parameter 'value'}}
  return
}

// -----

// expected-error @below {{'func.func' op expected the attribute tmem.convergent, but got "tmem.slow"}}
func.func @unknown_dialect_attribute() attributes {tmem.slow} {
  return
}

// -----

// expected-error @below {{expected tmem.convergent as a unit attribute of an llvm.inline_asm}}
func.func @convergent_function() attributes {tmem.convergent} {
  return
}

// -----

func.func @convergent_with_value() {
  // expected-error @below {{expected tmem.convergent as a unit attribute of an llvm.inline_asm}}
  "llvm.inline_asm"() <{asm_string = "", constraints = ""}> {tmem.convergent = true} : () -> ()
  return
}
