// RUN: tmem-opt %s -split-input-file -verify-diagnostics

!floats = !tmem.view<32x8xf32, #tmem.layout<(32, 8) : (1@tlane, 1@tcol)>>
#row = #tmem.layout<(32, 8) : (1@lane, 1@reg)>

func.func @Q1_kind_of_integers(%mem: !floats) {
  // expected-error @below {{'tmem.load_reduce' op expected a reduction of f32, but got maxsi}}
  // expected-note @below {{rule Q1: a load reduces f32 by minnumf, maxnumf, minimumf or maximumf, and abs, or i32 by minsi, minui, maxsi or maxui}}
  %p, %r = tmem.load_reduce maxsi %mem registers(#row) atom(<32x32b, x8>) scope(warp 0)
      : !floats -> !tmem.pending<vector<8xf32>>, !tmem.pending<vector<1xf32>>
  return
}

// -----

!integers = !tmem.view<32x8xi32, #tmem.layout<(32, 8) : (1@tlane, 1@tcol)>>

func.func @Q1_abs_of_integers(%mem: !integers) {
  // expected-error @below {{expected a reduction of i32, but got minsi abs}}
  // expected-note @below {{rule Q1}}
  %p, %r = tmem.load_reduce minsi abs %mem scope(warp 0)
      : !integers -> !tmem.pending<vector<8xi32>>, !tmem.pending<vector<1xi32>>
  return
}

// -----

!halves = !tmem.view<32x8xf16, #tmem.layout<(32, 8) : (1@tlane, 1@tcol)>>

func.func @Q1_f16(%mem: !halves) {
  // expected-error @below {{expected a reduction of f16, but got maxnumf}}
  // expected-note @below {{rule Q1}}
  %p, %r = tmem.load_reduce maxnumf %mem scope(warp 0)
      : !halves -> !tmem.pending<vector<8xf16>>, !tmem.pending<vector<1xf16>>
  return
}

// -----

!rows = !tmem.view<16x8xf32, #tmem.layout<(16, 8) : (1@tlane, 1@tcol)>>

func.func @Q2_shape(%mem: !rows) {
  // expected-error @below {{expected the shape 32x32b or 16x32bx2, but got 16x256b}}
  // expected-note @below {{rule Q2: a load that reduces has the shape 32x32b or 16x32bx2, counts from x2 on, and no pack}}
  %p, %r = tmem.load_reduce maxnumf %mem atom(<16x256b, x1>) scope(warp 0)
      : !rows -> !tmem.pending<vector<4xf32>>, !tmem.pending<vector<1xf32>>
  return
}

// -----

!floats = !tmem.view<32x8xf32, #tmem.layout<(32, 8) : (1@tlane, 1@tcol)>>

func.func @Q2_pack(%mem: !floats) {
  // expected-error @below {{expected no packing, but got pack}}
  // expected-note @below {{rule Q2}}
  %p, %r = tmem.load_reduce maxnumf %mem atom(<32x32b, x8, pack>) scope(warp 0)
      : !floats -> !tmem.pending<vector<8xf32>>, !tmem.pending<vector<1xf32>>
  return
}

// -----

!odd = !tmem.view<32x3xf32, #tmem.layout<(32, 3) : (1@tlane, 1@tcol)>>
#row = #tmem.layout<(32, 3) : (1@lane, 1@reg)>

func.func @Q2_one_column(%mem: !odd) {
  // expected-error @below {{expected instructions from x2 on, but got x1 at column 2}}
  // expected-note @below {{rule Q2}}
  %p, %r = tmem.load_reduce maxnumf %mem registers(#row) atom(<32x32b, x2, x1>) scope(warp 0)
      : !odd -> !tmem.pending<vector<3xf32>>, !tmem.pending<vector<2xf32>>
  return
}

// -----

!floats = !tmem.view<32x8xf32, #tmem.layout<(32, 8) : (1@tlane, 1@tcol)>>
#row = #tmem.layout<(32, 8) : (1@lane, 1@reg)>

func.func @Q3_count(%mem: !floats) {
  // expected-error @below {{expected 2 reduced values, but got 1}}
  // expected-note @below {{rule Q3: a load that reduces gives a vector of one element for each issue}}
  %p, %r = tmem.load_reduce maxnumf %mem registers(#row) atom(<32x32b, x4>) scope(warp 0)
      : !floats -> !tmem.pending<vector<8xf32>>, !tmem.pending<vector<1xf32>>
  return
}

// -----

!floats = !tmem.view<32x8xf32, #tmem.layout<(32, 8) : (1@tlane, 1@tcol)>>

func.func @Q3_type(%mem: !floats) {
  // expected-error @below {{expected reduced values of f32, but got vector<1xi32>}}
  // expected-note @below {{rule Q3}}
  %p, %r = tmem.load_reduce maxnumf %mem scope(warp 0)
      : !floats -> !tmem.pending<vector<8xf32>>, !tmem.pending<vector<1xi32>>
  return
}

// -----

!floats = !tmem.view<32x8xf32, #tmem.layout<(32, 8) : (1@tlane, 1@tcol)>>
func.func private @use(!tmem.pending<vector<1xf32>>)

func.func @P1_reduced_value(%mem: !floats) {
  // expected-error @below {{expected its result to reach waits through scf and cf operations, but got a use by 'func.call'}}
  // expected-note @below {{rule P1}}
  %p, %r = tmem.load_reduce maxnumf %mem scope(warp 0)
      : !floats -> !tmem.pending<vector<8xf32>>, !tmem.pending<vector<1xf32>>
  // expected-note @below {{used here}}
  call @use(%r) : (!tmem.pending<vector<1xf32>>) -> ()
  return
}

// -----

!view = !tmem.view<32x8xf32, #tmem.layout<(32, 8) : (1@tlane, 1@tcol)>>

func.func @T1_wrong_registers(%mem: !view) {
  // expected-error @below {{element (1, 0) is in TMEM lane 1, column 0}}
  // expected-note @below {{rule T1}}
  // expected-note @below {{these registers fit no atom}}
  %p, %r = tmem.load_reduce maxnumf %mem registers(#tmem.layout<(2, 16, 8) : (1@lane, 2@lane, 1@reg)>) atom(<32x32b, x8>) scope(warp 0)
      : !view -> !tmem.pending<vector<8xf32>>, !tmem.pending<vector<1xf32>>
  return
}
