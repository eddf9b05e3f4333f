// RUN: tmem-opt %s --split-input-file --verify-diagnostics

// Reads and writes verify as loads and stores do.

!acc = !tmem.view<128x64xf32, #tmem.layout<(128, 64) : (1@tlane, 1@tcol)>>

func.func @read_of_another_element(%mem: !acc) {
  // expected-error@+2 {{expected a vector of one dimension of f32, but got vector<64xi32>}}
  // expected-note@+1 {{rule R5}}
  %a = tmem.read %mem scope(warpgroup) : !acc -> vector<64xi32>
  return
}

// -----

!acc = !tmem.view<128x64xf32, #tmem.layout<(128, 64) : (1@tlane, 1@tcol)>>

func.func @write_with_pack(%mem: !acc, %v: vector<64xf32>) {
  // expected-error@+2 {{pack}}
  // expected-note@+1 {{rule A2}}
  tmem.write %v, %mem atom(<32x32b, x64, pack>) scope(warpgroup) : vector<64xf32>, !acc
  return
}

// -----

#regs = #tmem.layout<(128, 64) : (1@tid, 1@reg)>
!acc = !tmem.view<128x64xf32, #tmem.layout<(128, 64) : (1@tlane, 1@tcol)>>

func.func @read_elsewhere(%mem: !acc) {
  // expected-error @below {{16x256b puts TMEM lane}}
  // expected-note @below {{rule T1}}
  // expected-note @below {{these registers fit 32x32b, x64}}
  %a = tmem.read %mem registers(#regs) atom(<16x256b, x8>) scope(warpgroup) : !acc -> vector<64xf32>
  return
}

// -----

!part = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol)>>

func.func @split_of_two_bases(%a: !part, %b: !part, %v: vector<4xf32>) {
  // expected-error@+2 {{expected two windows of one base address}}
  // expected-note@+1 {{rule S1}}
  tmem.write_split %v, %a, %b scope(warp 0) : vector<4xf32>, !part, !part
  return
}
