// RUN: tmem-opt %s -split-input-file -verify-diagnostics

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
func.func @E1_no_arrow(%view: !view) {
  // expected-error @below {{'tmem.rearrange' op expected "->" in the pattern}}
  // expected-note @below {{rule E1: }}
  %0 = tmem.rearrange %view "a b" : !view to !view
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
func.func @E1_two_arrows(%view: !view) {
  // expected-error @below {{expected a name or a parenthesis, but got "-"}}
  // expected-note @below {{rule E1: }}
  %0 = tmem.rearrange %view "a b -> a b -> b a" : !view to !view
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
func.func @E1_empty(%view: !view) {
  // expected-error @below {{expected 2 dimensions on the left side and at least one on the right, but got 0 and 0}}
  // expected-note @below {{rule E1: }}
  %0 = tmem.rearrange %view "->" : !view to !view
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
func.func @E1_rank(%view: !view) {
  // expected-error @below {{expected 2 dimensions on the left side and at least one on the right, but got 3 and 3}}
  // expected-note @below {{rule E1: }}
  %0 = tmem.rearrange %view "a b c -> a b c" : !view to !view
  return
}

// -----

!view = !tmem.view<1x1xf32, #tmem.layout<(1) : (1@tcol)>>
func.func @E1_result_of_rank_zero(%view: !view) {
  // expected-error @below {{but got 2 and 0}}
  // expected-note @below {{rule E1: }}
  %0 = tmem.rearrange %view "() () ->" : !view to !view
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
func.func @E1_number(%view: !view) {
  // expected-error @below {{expected a name or a parenthesis, but got "1"}}
  // expected-note @below {{rule E1: }}
  %0 = tmem.rearrange %view "a 1 -> a 1" : !view to !view
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
func.func @E1_ellipsis(%view: !view) {
  // expected-error @below {{expected a name or a parenthesis, but got "."}}
  // expected-note @below {{rule E1: }}
  %0 = tmem.rearrange %view "... a -> a ..." : !view to !view
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
func.func @E1_nested_parentheses(%view: !view) {
  // expected-error @below {{expected balanced parentheses, not nested, but got a stray "("}}
  // expected-note @below {{rule E1: }}
  %0 = tmem.rearrange %view "((a b) c) d -> a b c d" : !view to !view
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
func.func @E1_surplus_parenthesis(%view: !view) {
  // expected-error @below {{expected balanced parentheses, not nested, but got a stray ")"}}
  // expected-note @below {{rule E1: }}
  %0 = tmem.rearrange %view "a b -> a b)" : !view to !view
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
func.func @E1_open_parenthesis(%view: !view) {
  // expected-error @below {{expected a closing parenthesis}}
  // expected-note @below {{rule E1: }}
  %0 = tmem.rearrange %view "a (b -> a b" : !view to !view
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
func.func @E1_name_twice(%view: !view) {
  // expected-error @below {{expected each name once a side, but got a again}}
  // expected-note @below {{rule E1: }}
  %0 = tmem.rearrange %view "a a -> a" : !view to !view
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
func.func @E1_result_twice(%view: !view) {
  // expected-error @below {{expected the names of the left side, each once, but got b}}
  // expected-note @below {{rule E1: }}
  %0 = tmem.rearrange %view "a b -> a b b" : !view to !view
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
func.func @E1_unknown_name(%view: !view) {
  // expected-error @below {{expected the names of the left side, each once, but got c}}
  // expected-note @below {{rule E1: }}
  %0 = tmem.rearrange %view "a b -> a c" : !view to !view
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
func.func @E1_lost_name(%view: !view) {
  // expected-error @below {{expected b on the right side too}}
  // expected-note @below {{rule E1: }}
  %0 = tmem.rearrange %view "a b -> a" : !view to !view
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
func.func @E2_two_unknown_sizes(%view: !view) {
  // expected-error @below {{expected sizes for all factors but one of each dimension, but got none for a and b}}
  // expected-note @below {{rule E2: }}
  %0 = tmem.rearrange %view "(a b) c -> a b c" : !view to !view
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
func.func @E2_wrong_product(%view: !view) {
  // expected-error @below {{expected factors that multiply to the 128 of the dimension (a b), but got other sizes}}
  // expected-note @below {{rule E2: }}
  %0 = tmem.rearrange %view "(a b) c -> a b c" sizes(a = 4, b = 16) : !view to !view
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
func.func @E2_no_divisor(%view: !view) {
  // expected-error @below {{expected factors that multiply to the 128 of the dimension (a b)}}
  // expected-note @below {{rule E2: }}
  %0 = tmem.rearrange %view "(a b) c -> a b c" sizes(a = 3) : !view to !view
  return
}

// -----

// 2^32 * 2^32 is no way to get 0, nor 2^57 * 2^7 * 2^7 to get 128.
!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
func.func @E2_overflow(%view: !view) {
  // expected-error @below {{expected factors that multiply to the 128}}
  // expected-note @below {{rule E2: }}
  %0 = tmem.rearrange %view "(a b d) c -> a b c d" sizes(a = 144115188075855872, b = 128, d = 128) : !view to !view
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
func.func @E2_size_zero(%view: !view) {
  // expected-error @below {{expected an i64 of at least 1 as the size of a, but got 0 : i64}}
  // expected-note @below {{rule E2: }}
  %0 = tmem.rearrange %view "(a b) c -> a b c" sizes(a = 0) : !view to !view
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
func.func @E2_size_negative(%view: !view) {
  // expected-error @below {{expected an i64 of at least 1 as the size of a, but got -2 : i64}}
  // expected-note @below {{rule E2: }}
  %0 = tmem.rearrange %view "(a b) c -> a b c" sizes(a = -2, b = -64) : !view to !view
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
func.func @E2_size_i32(%view: !view) {
  // expected-error @below {{expected an i64 of at least 1 as the size of a, but got 2 : i32}}
  // expected-note @below {{rule E2: }}
  %0 = "tmem.rearrange"(%view) <{pattern = "(a b) c -> a b c", sizes = {a = 2 : i32}}> : (!view) -> !view
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
func.func @E2_size_string(%view: !view) {
  // expected-error @below {{expected an i64 of at least 1 as the size of a, but got "2"}}
  // expected-note @below {{rule E2: }}
  %0 = "tmem.rearrange"(%view) <{pattern = "(a b) c -> a b c", sizes = {a = "2"}}> : (!view) -> !view
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
func.func @E2_size_of_no_factor(%view: !view) {
  // expected-error @below {{expected sizes of names in the pattern, but got z}}
  // expected-note @below {{rule E2: }}
  %0 = tmem.rearrange %view "a b -> a b" sizes(z = 4) : !view to !view
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
func.func @E2_no_factor_of_128(%view: !view) {
  // expected-error @below {{expected factors that multiply to the 128 of the dimension ()}}
  // expected-note @below {{rule E2: }}
  %0 = tmem.rearrange %view "() b -> b" : !view to !view
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
func.func @size_twice(%view: !view) {
  // expected-error @below {{expected each factor once, but got a again}}
  %0 = tmem.rearrange %view "(a b) c -> a b c" sizes(a = 2, a = 4) : !view to !view
  return
}

// -----

// Six rows in halves of three do not split in three pairs.
!view = !tmem.view<6x4xf32, #tmem.layout<(2, 3, 4) : (32@tlane, 1@tlane, 1@tcol)>>
!three = !tmem.view<3x2x4xf32, #tmem.layout<(3, 2, 4) : (32@tlane, 1@tlane, 1@tcol)>>
func.func @E3_across_modes(%view: !view) {
  // expected-error @below {{expected factors that the layout's modes divide into, but got (a b) c -> a b c}}
  // expected-note @below {{rule E3: }}
  %0 = tmem.rearrange %view "(a b) c -> a b c" sizes(a = 3) : !view to !three
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
!other = !tmem.view<16x128xf32, #tmem.layout<(16, 128) : (1@tlane, 1@tcol)>>
func.func @E4_not_transposed(%view: !view) {
  // expected-error @below {{expected the result type !tmem.view<16x128xf32, #tmem.layout<(16, 128) : (1@tcol, 1@tlane)>>, but got !tmem.view<16x128xf32, #tmem.layout<(16, 128) : (1@tlane, 1@tcol)>>}}
  // expected-note @below {{rule E4: }}
  %0 = tmem.rearrange %view "a b -> b a" : !view to !other
  return
}

// -----

!view = !tmem.view<128x16xf32, #tmem.datapath<D>>
func.func @E4_shape(%view: !view) {
  // expected-error @below {{expected the result type !tmem.view<2048xf32,}}
  // expected-note @below {{rule E4: }}
  %0 = tmem.rearrange %view "a b -> (a b)" : !view to !view
  return
}

// -----

!d = !tmem.view<128x4xf32, #tmem.datapath<D>>

module @rearrange_of_itself {
  // expected-error @below {{'tmem.rearrange' op expected its source to be defined before it}}
  %0 = tmem.rearrange %0 "a b -> a b" : !d to !d
}
