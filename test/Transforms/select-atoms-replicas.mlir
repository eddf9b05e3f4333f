// RUN: tmem-opt %s --tmem-select-atoms --mlir-print-local-scope -split-input-file -verify-diagnostics | FileCheck %s

// Elements that stand in several places: a load reads each once, from where it
// likes, a store writes all of them.

!slabs = !tmem.view<32x16xf32, #tmem.layout<(32, 16) : (1@tlane, 1@tcol) * (4 : 32@tlane)>>
!columns = !tmem.view<128x16xf32, #tmem.layout<(128, 16) : (1@tlane, 1@tcol) * (2 : 20@tcol)>>
!p = !tmem.pending<vector<16xf32>>

// One slab a warp: each warp has all elements.
// CHECK-LABEL: func @in_all_slabs(
// CHECK: registers(#tmem.layout<(32, 16) : (1@tid, 1@reg) * (4 : 32@tid)>) atom(<32x32b, x16>)
func.func @in_all_slabs(%view: !slabs) -> vector<16xf32> {
  %0 = tmem.load %view scope(warpgroup) : !slabs -> !p
  %1 = tmem.wait_load %0 : !p
  return %1 : vector<16xf32>
}

// CHECK-LABEL: func @twice_in_a_slab(
// CHECK: tmem.load %{{.*}} registers([[REGS:#tmem.layout<\(128, 16\) : \(1@tid, 1@reg\)>]]) atom(<32x32b, x16>)
// CHECK: tmem.store %{{.*}} registers([[REGS]]) atom(<32x32b, x16>)
func.func @twice_in_a_slab(%view: !columns) {
  %0 = tmem.load %view scope(warpgroup) : !columns -> !p
  %1 = tmem.wait_load %0 : !p
  %2 = tmem.store %1, %view scope(warpgroup) : vector<16xf32>, !columns
  tmem.wait_store %2
  return
}

// -----

// 160 columns, each in two places: pairs of them are found or not within a
// bounded number of steps. With x1 there is a list, as selection finds.

!view = !tmem.view<32x160xf32, #tmem.layout<(32, 5, 4, 8) : (1@tlane, 26@tcol, 10@tcol, 40@tcol) * (2 : 27@tcol)>>
#regs = #tmem.layout<(32, 160) : (1@lane, 1@reg)>

// CHECK-LABEL: func @many_choices(
// CHECK: tmem.load %{{.*}} atom(<32x32b, x16, x8, x4, x2, x1>)
func.func @many_choices(%view: !view) -> vector<160xf32> {
  %0 = tmem.load %view registers(#regs) scope(warp 0) : !view -> !tmem.pending<vector<160xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<160xf32>>
  return %1 : vector<160xf32>
}

// -----

// Named, x2 alone: whether there is a list is not found out.

!view = !tmem.view<32x160xf32, #tmem.layout<(32, 5, 4, 8) : (1@tlane, 26@tcol, 10@tcol, 40@tcol) * (2 : 27@tcol)>>
#regs = #tmem.layout<(32, 160) : (1@lane, 1@reg)>

func.func @T8_given_up(%view: !view) -> vector<160xf32> {
  // expected-error @below {{expected a choice among replicas to be found in 2^25 steps, but the search was given up}}
  // expected-note @below {{rule T8: }}
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x2>) scope(warp 0) : !view -> !tmem.pending<vector<160xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<160xf32>>
  return %1 : vector<160xf32>
}

// -----

// The registers of that atom are inferred: the elements that are asked for have
// gaps between, and there is no such vector.

!view = !tmem.view<32x160xf32, #tmem.layout<(32, 5, 4, 8) : (1@tlane, 26@tcol, 10@tcol, 40@tcol) * (2 : 27@tcol)>>

func.func @inferred_with_gaps(%view: !view) -> vector<160xf32> {
  // expected-error @below {{expected a vector of 415 elements, but got 160}}
  // expected-note @below {{32x32b, x8, x4, x2, x1: 415 elements in each thread}}
  // expected-note @below {{16x32bx2, x8, x4, x2, x1: 415 elements in each thread}}
  %0 = tmem.load %view scope(warp 0) : !view -> !tmem.pending<vector<160xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<160xf32>>
  return %1 : vector<160xf32>
}
