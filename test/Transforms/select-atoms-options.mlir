// RUN: tmem-opt %s --tmem-select-atoms --mlir-print-local-scope | FileCheck %s
// RUN: tmem-opt %s --tmem-select-atoms=max-registers-per-issue=32 --mlir-print-local-scope | FileCheck %s --check-prefix=MAX32
// RUN: tmem-opt %s --tmem-select-atoms=atoms=16x256b,16x128b --mlir-print-local-scope | FileCheck %s --check-prefix=ATOMS
// RUN: tmem-opt %s --tmem-select-atoms='atoms=16x256b max-registers-per-issue=8' --mlir-print-local-scope | FileCheck %s --check-prefix=BOTH
// RUN: not tmem-opt %s --tmem-select-atoms=atoms=32x33b 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not tmem-opt %s --tmem-select-atoms=max-registers-per-issue=0 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tmem-opt %s --tmem-select-atoms=max-registers-per-issue=129 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not tmem-opt %s --tmem-select-atoms='atoms=16x256b max-registers-per-issue=3' 2>&1 | FileCheck %s --check-prefix=NOTHING

// UNKNOWN: error: expected a shape of 32x32b, 16x64b, 16x128b, 16x256b, 16x32bx2, but got 32x33b
// UNKNOWN: note: rule A1:
// NONE: error: expected 1 to 128 registers per issue, but got 0
// MANY: error: expected 1 to 128 registers per issue, but got 129

!d = !tmem.view<128x64xf32, #tmem.datapath<D>>

// CHECK-LABEL: func @unnamed(
// MAX32-LABEL: func @unnamed(
// ATOMS-LABEL: func @unnamed(
// BOTH-LABEL: func @unnamed(
func.func @unnamed(%view: !d) -> vector<64xf32> {
  // CHECK: atom(<32x32b, x64>)
  // MAX32: registers(#tmem.layout<(128, 64) : (1@tid, 1@reg)>) atom(<32x32b, x32>)
  // ATOMS: atom(<16x128b, x16>)
  // BOTH: atom(<16x256b, x2>)
  // NOTHING: error: 'tmem.load' op expected a tile that an atom moves, but got one that none does
  // NOTHING: note: 32x32b: expected a shape of 16x256b, but got 32x32b
  // NOTHING: note: 16x256b: expected at most 3 registers per issue, but got 4 for 16x256b.x1
  %0 = tmem.load %view scope(warpgroup) : !d -> !tmem.pending<vector<64xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<64xf32>>
  return %1 : vector<64xf32>
}

// What is named stays, whatever the options allow.
// CHECK-LABEL: func @named(
// MAX32-LABEL: func @named(
// ATOMS-LABEL: func @named(
// BOTH-LABEL: func @named(
func.func @named(%view: !d) -> vector<64xf32> {
  // CHECK: atom(<32x32b, x64>)
  // MAX32: registers(#tmem.layout<(128, 64) : (1@tid, 1@reg)>) atom(<32x32b, x64>)
  // ATOMS: registers(#tmem.layout<(128, 64) : (1@tid, 1@reg)>) atom(<32x32b, x64>)
  // BOTH: registers(#tmem.layout<(128, 64) : (1@tid, 1@reg)>) atom(<32x32b, x64>)
  %0 = tmem.load %view atom(<32x32b, x64>) scope(warpgroup) : !d -> !tmem.pending<vector<64xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<64xf32>>
  return %1 : vector<64xf32>
}
