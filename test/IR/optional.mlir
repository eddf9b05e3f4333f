// RUN: tmem-opt %s --verify-roundtrip | FileCheck %s
// RUN: tmem-opt %s --mlir-print-op-generic | tmem-opt | FileCheck %s
// RUN: tmem-opt %s --emit-bytecode | tmem-opt | FileCheck %s
// RUN: tmem-opt %s --canonicalize --cse | FileCheck %s

// Transfers that leave the atom, the registers or both to tmem-select-atoms.

#threads = #tmem.layout<(128, 16) : (1@tid, 1@reg)>
#halves = #tmem.layout<(2, 16, 4) : (16@lane, 1@lane, 1@reg)>
!d = !tmem.view<128x16xf32, #tmem.datapath<D>>
!low = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol)>>
!high = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol) + (8@tcol)>>
!pending = !tmem.pending<vector<16xf32>>

// CHECK-LABEL: func @load(
func.func @load(%view: !d) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>) {
  // CHECK: tmem.load %{{.*}} registers(#layout{{[0-9]*}}) scope(warpgroup) : !view
  %0 = tmem.load %view registers(#threads) scope(warpgroup) : !d -> !pending
  // CHECK: tmem.load %{{.*}} atom(<32x32b, x16>) scope(warpgroup) : !view
  %1 = tmem.load %view atom(<32x32b, x16>) scope(warpgroup) : !d -> !pending
  // CHECK: tmem.load %arg0 scope(warpgroup) : !view
  %2 = tmem.load %view scope(warpgroup) : !d -> !pending
  %3:3 = tmem.wait_load %0, %1, %2 : !pending, !pending, !pending
  return %3#0, %3#1, %3#2 : vector<16xf32>, vector<16xf32>, vector<16xf32>
}

// CHECK-LABEL: func @store(
func.func @store(%source: vector<16xf32>, %view: !d) {
  // CHECK: tmem.store %{{.*}}, %{{.*}} registers(#layout{{[0-9]*}}) scope(warpgroup) : vector<16xf32>, !view
  %0 = tmem.store %source, %view registers(#threads) scope(warpgroup) : vector<16xf32>, !d
  // CHECK: tmem.store %{{.*}}, %{{.*}} atom(<32x32b, x8, x4>) scope(warpgroup) : vector<16xf32>, !view
  %1 = tmem.store %source, %view atom(<32x32b, x8, x4>) scope(warpgroup) : vector<16xf32>, !d
  // CHECK: tmem.store %arg0, %arg1 scope(warpgroup) {tag} : vector<16xf32>, !view
  %2 = tmem.store %source, %view scope(warpgroup) {tag} : vector<16xf32>, !d
  tmem.wait_store %0, %1, %2
  return
}

// CHECK-LABEL: func @split(
func.func @split(%source: vector<4xf32>, %base: i32) -> vector<4xf32> {
  %low = tmem.view %base : !low
  %high = tmem.view %base : !high
  // CHECK: tmem.store_split %{{.*}}, %{{.*}}, %{{.*}} registers(#layout{{[0-9]*}}) immediate(8) scope(warp 0) :
  %0 = tmem.store_split %source, %low, %high registers(#halves) immediate(8) scope(warp 0) : vector<4xf32>, !low, !high
  // CHECK: tmem.store_split %{{.*}}, %{{.*}}, %{{.*}} scope(warp 0) :
  %1 = tmem.store_split %source, %low, %high scope(warp 0) : vector<4xf32>, !low, !high
  tmem.wait_store %0, %1
  // CHECK: tmem.load_split %{{.*}}, %{{.*}} immediate(8) scope(warp 0) :
  %2 = tmem.load_split %low, %high immediate(8) scope(warp 0) : !low, !high -> !tmem.pending<vector<4xf32>>
  %3 = tmem.wait_load %2 : !tmem.pending<vector<4xf32>>
  return %3 : vector<4xf32>
}

// That no atom moves the tile is for tmem-select-atoms to say.
// CHECK-LABEL: func @nothing_legal(
func.func @nothing_legal(%view: !tmem.view<8x16xf32, #tmem.layout<(8, 16) : (1@tlane, 1@tcol)>>) -> vector<4xf32> {
  // CHECK: tmem.load %arg0 scope(warp 0)
  %0 = tmem.load %view scope(warp 0) : !tmem.view<8x16xf32, #tmem.layout<(8, 16) : (1@tlane, 1@tcol)>> -> !tmem.pending<vector<4xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<4xf32>>
  return %1 : vector<4xf32>
}

// Two equal loads are two, and a dead one is none.
// CHECK-LABEL: func @equal_loads(
// CHECK-COUNT-2: tmem.load
// CHECK-NOT: tmem.load %
// CHECK: return
func.func @equal_loads(%view: !d) -> (vector<16xf32>, vector<16xf32>) {
  %0 = tmem.load %view scope(warpgroup) : !d -> !pending
  %1 = tmem.load %view scope(warpgroup) : !d -> !pending
  %2:2 = tmem.wait_load %0, %1 : !pending, !pending
  return %2#0, %2#1 : vector<16xf32>, vector<16xf32>
}
