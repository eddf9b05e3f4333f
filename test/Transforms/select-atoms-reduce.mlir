// tcgen05.ld.red has two shapes; what is cheaper otherwise plays no part.

// RUN: tmem-opt %s --tmem-select-atoms -split-input-file -verify-diagnostics | FileCheck %s

!wide = !tmem.view<128x96xf32, #tmem.datapath<D>>

// CHECK-LABEL: @two_issues
// CHECK: tmem.load_reduce maxnumf %arg0 registers(#{{.*}}) atom(<32x32b, x64, x32>)
func.func @two_issues(%mem: !wide) -> vector<2xf32> {
  %p, %r = tmem.load_reduce maxnumf %mem scope(warpgroup)
      : !wide -> !tmem.pending<vector<96xf32>>, !tmem.pending<vector<2xf32>>
  %v, %max = tmem.wait_load %p, %r : !tmem.pending<vector<96xf32>>, !tmem.pending<vector<2xf32>>
  return %max : vector<2xf32>
}

// -----

!half = !tmem.view<64x64xf32, #tmem.datapath<F>>

// A plain load takes one 16x64b here.
// CHECK-LABEL: @half
// CHECK: tmem.load %arg0 registers(#{{.*}}) atom(<16x64b, x32>)
// CHECK: tmem.load_reduce maxnumf %arg0 registers(#{{.*}}) atom(<16x32bx2, x32>)
func.func @half(%mem: !half) -> vector<1xf32> {
  %p = tmem.load %mem scope(warpgroup) : !half -> !tmem.pending<vector<32xf32>>
  %q, %r = tmem.load_reduce maxnumf %mem scope(warpgroup)
      : !half -> !tmem.pending<vector<32xf32>>, !tmem.pending<vector<1xf32>>
  %u, %v, %max = tmem.wait_load %p, %q, %r : !tmem.pending<vector<32xf32>>, !tmem.pending<vector<32xf32>>, !tmem.pending<vector<1xf32>>
  return %max : vector<1xf32>
}

// -----

!wide = !tmem.view<128x96xf32, #tmem.datapath<D>>

func.func @Q3_unselected(%mem: !wide) -> vector<1xf32> {
  // expected-error @below {{expected 2 reduced values, but got 1}}
  // expected-note @below {{rule Q3}}
  %p, %r = tmem.load_reduce maxnumf %mem scope(warpgroup)
      : !wide -> !tmem.pending<vector<96xf32>>, !tmem.pending<vector<1xf32>>
  %v, %max = tmem.wait_load %p, %r : !tmem.pending<vector<96xf32>>, !tmem.pending<vector<1xf32>>
  return %max : vector<1xf32>
}
