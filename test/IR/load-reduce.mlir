// RUN: tmem-opt %s --verify-roundtrip | FileCheck %s
// RUN: tmem-opt %s | tmem-opt --canonicalize --cse | FileCheck %s

!floats = !tmem.view<128x96xf32, #tmem.datapath<D>>
!integers = !tmem.view<32x8xi32, #tmem.layout<(2, 16, 8) : (8@tcol, 1@tlane, 1@tcol)>>
#row = #tmem.layout<(128, 96) : (1@tid, 1@reg)>
#lane_row = #tmem.layout<(32, 8) : (1@lane, 1@reg)>

// One partial result for each of the two instructions.
// CHECK-LABEL: @two_issues
// CHECK: %pending, %reduced = tmem.load_reduce maxnumf abs %{{.*}} registers(#{{.*}}) atom(<32x32b, x64, x32>) scope(warpgroup) : !view{{.*}} -> !tmem.pending<vector<96xf32>>, !tmem.pending<vector<2xf32>>
func.func @two_issues(%mem: !floats) -> (vector<96xf32>, vector<2xf32>) {
  %p, %r = tmem.load_reduce maxnumf abs %mem registers(#row)
      atom(<32x32b, x64, x32>) scope(warpgroup) : !floats
      -> !tmem.pending<vector<96xf32>>, !tmem.pending<vector<2xf32>>
  %v, %max = tmem.wait_load %p, %r
      : !tmem.pending<vector<96xf32>>, !tmem.pending<vector<2xf32>>
  return %v, %max : vector<96xf32>, vector<2xf32>
}

// Equal loads have waits of their own.
// CHECK-LABEL: @every_kind
// CHECK-COUNT-2: tmem.load_reduce minsi
// CHECK: tmem.load_reduce minui
// CHECK: tmem.load_reduce maxsi
// CHECK: tmem.load_reduce maxui
func.func @every_kind(%mem: !integers) -> vector<1xi32> {
  %p0, %r0 = tmem.load_reduce minsi %mem registers(#lane_row) atom(<16x32bx2, x8>)
      scope(warp 0) : !integers -> !tmem.pending<vector<8xi32>>, !tmem.pending<vector<1xi32>>
  %p1, %r1 = tmem.load_reduce minsi %mem registers(#lane_row) atom(<16x32bx2, x8>)
      scope(warp 0) : !integers -> !tmem.pending<vector<8xi32>>, !tmem.pending<vector<1xi32>>
  %p2, %r2 = tmem.load_reduce minui %mem registers(#lane_row) atom(<16x32bx2, x8>)
      scope(warp 0) : !integers -> !tmem.pending<vector<8xi32>>, !tmem.pending<vector<1xi32>>
  %p3, %r3 = tmem.load_reduce maxsi %mem registers(#lane_row) atom(<16x32bx2, x8>)
      scope(warp 0) : !integers -> !tmem.pending<vector<8xi32>>, !tmem.pending<vector<1xi32>>
  %p4, %r4 = tmem.load_reduce maxui %mem registers(#lane_row) atom(<16x32bx2, x8>)
      scope(warp 0) : !integers -> !tmem.pending<vector<8xi32>>, !tmem.pending<vector<1xi32>>
  %v0, %m0 = tmem.wait_load %p0, %r0 : !tmem.pending<vector<8xi32>>, !tmem.pending<vector<1xi32>>
  %v1, %m1 = tmem.wait_load %p1, %r1 : !tmem.pending<vector<8xi32>>, !tmem.pending<vector<1xi32>>
  %v2, %m2 = tmem.wait_load %p2, %r2 : !tmem.pending<vector<8xi32>>, !tmem.pending<vector<1xi32>>
  %v3, %m3 = tmem.wait_load %p3, %r3 : !tmem.pending<vector<8xi32>>, !tmem.pending<vector<1xi32>>
  %v4, %m4 = tmem.wait_load %p4, %r4 : !tmem.pending<vector<8xi32>>, !tmem.pending<vector<1xi32>>
  %s0 = arith.addi %m0, %m1 : vector<1xi32>
  %s1 = arith.addi %s0, %m2 : vector<1xi32>
  %s2 = arith.addi %s1, %m3 : vector<1xi32>
  %s3 = arith.addi %s2, %m4 : vector<1xi32>
  return %s3 : vector<1xi32>
}
