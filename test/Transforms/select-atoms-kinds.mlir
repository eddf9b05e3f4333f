// RUN: tmem-opt %s --tmem-select-atoms --mlir-print-local-scope | FileCheck %s

// Vectors meet whatever kind of transfer they come from and go to: with pending
// values or without, reduced or not.

!d = !tmem.view<128x32xf32, #tmem.datapath<D>>
!d2 = !tmem.view<128x2xf32, #tmem.datapath<D>>
!f = !tmem.view<64x64xf32, #tmem.datapath<F>>
!p = !tmem.pending<vector<32xf32>>
#frag = #tmem.layout<(4, 2, 2, 8, 4, 4, 2) : (32@tid, 16@reg, 2@reg, 4@tid, 4@reg, 1@tid, 1@reg)>

// CHECK-LABEL: func @load_to_write(
func.func @load_to_write(%view: !d) {
  // CHECK: tmem.load %{{.*}} registers([[REGS:#tmem.layout<.* 16@reg, 2@reg, .*>]]) atom(<16x256b, x4>)
  %0 = tmem.load %view registers(#frag) scope(warpgroup) : !d -> !p
  %1 = tmem.wait_load %0 : !p
  %2 = arith.negf %1 : vector<32xf32>
  // CHECK: tmem.write %{{.*}}, %{{.*}} registers([[REGS]]) atom(<16x256b, x4>)
  tmem.write %2, %view scope(warpgroup) : vector<32xf32>, !d
  return
}

// CHECK-LABEL: func @read_to_store(
func.func @read_to_store(%view: !d) {
  // CHECK: tmem.read %{{.*}} registers([[REGS:#tmem.layout<.* 16@reg, 2@reg, .*>]]) atom(<16x256b, x4>)
  %0 = tmem.read %view scope(warpgroup) : !d -> vector<32xf32>
  %1 = math.exp %0 : vector<32xf32>
  // CHECK: tmem.store %{{.*}}, %{{.*}} registers([[REGS]]) atom(<16x256b, x4>)
  %2 = tmem.store %1, %view registers(#frag) scope(warpgroup) : vector<32xf32>, !d
  tmem.wait_store %2
  return
}

// CHECK-LABEL: func @read_and_load(
func.func @read_and_load(%view: !d) -> vector<32xf32> {
  // CHECK: tmem.read %{{.*}} registers([[REGS:#tmem.layout<.* 16@reg, 2@reg, .*>]]) atom(<16x256b, x4>)
  %0 = tmem.read %view scope(warpgroup) : !d -> vector<32xf32>
  // CHECK: tmem.load %{{.*}} registers([[REGS]]) atom(<16x256b, x2>)
  %1 = tmem.load %view atom(<16x256b, x2>) scope(warpgroup) : !d -> !p
  %2 = tmem.wait_load %1 : !p
  %3 = arith.addf %0, %2 : vector<32xf32>
  return %3 : vector<32xf32>
}

//===----------------------------------------------------------------------===//
// Reductions have two shapes: what they meet takes part in that
//===----------------------------------------------------------------------===//

// 16x64b is cheaper for the read alone, see @reads_alone: not with a reduction.
// CHECK-LABEL: func @reduce_and_read(
func.func @reduce_and_read(%view: !f) -> vector<32xf32> {
  // CHECK: tmem.load_reduce maxnumf %{{.*}} registers([[REGS:#tmem.layout<.*>]]) atom(<16x32bx2, x32>)
  %0, %1 = tmem.load_reduce maxnumf %view scope(warpgroup)
      : !f -> !p, !tmem.pending<vector<1xf32>>
  %2, %3 = tmem.wait_load %0, %1 : !p, !tmem.pending<vector<1xf32>>
  // CHECK: tmem.read %{{.*}} registers([[REGS]]) atom(<16x32bx2, x32>)
  %4 = tmem.read %view scope(warpgroup) : !f -> vector<32xf32>
  %5 = arith.addf %2, %4 : vector<32xf32>
  // CHECK: tmem.write %{{.*}}, %{{.*}} registers([[REGS]]) atom(<16x32bx2, x32>)
  tmem.write %5, %view scope(warpgroup) : vector<32xf32>, !f
  return %5 : vector<32xf32>
}

// CHECK-LABEL: func @reads_alone(
func.func @reads_alone(%view: !f) {
  // CHECK: tmem.read %{{.*}} atom(<16x64b, x32>)
  %0 = tmem.read %view scope(warpgroup) : !f -> vector<32xf32>
  // CHECK: tmem.write %{{.*}} atom(<16x64b, x32>)
  tmem.write %0, %view scope(warpgroup) : vector<32xf32>, !f
  return
}

// The values that a reduction gives are no registers of its tile: a vector of as
// many that they meet stays free.
// CHECK-LABEL: func @reduced_values(
func.func @reduced_values(%view: !d, %two: !d2) -> vector<2xf32> {
  // CHECK: tmem.load_reduce maxnumf %{{.*}} registers(#tmem.layout<(128, 32) : (1@tid, 1@reg)>) atom(<32x32b, x16>)
  %0, %1 = tmem.load_reduce maxnumf %view atom(<32x32b, x16>) scope(warpgroup)
      : !d -> !p, !tmem.pending<vector<2xf32>>
  %2, %3 = tmem.wait_load %0, %1 : !p, !tmem.pending<vector<2xf32>>
  // CHECK: tmem.read %{{.*}} registers(#tmem.layout<(128, 2) : (1@tid, 1@reg)>) atom(<32x32b, x2>)
  %4 = tmem.read %two scope(warpgroup) : !d2 -> vector<2xf32>
  %5 = arith.maxnumf %3, %4 : vector<2xf32>
  return %5 : vector<2xf32>
}
