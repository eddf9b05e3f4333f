// RUN: tmem-opt %s --tmem-select-atoms --mlir-print-local-scope | FileCheck %s

// Tiles whose vectors meet get one register layout.

!d = !tmem.view<128x32xf32, #tmem.datapath<D>>
!d16 = !tmem.view<128x32xf16, #tmem.datapath<D>>
!f0 = !tmem.view<64x64xf32, #tmem.datapath<F>>
!f1 = !tmem.view<64x64xf32, #tmem.datapath<F, half = 1>>
!p = !tmem.pending<vector<32xf32>>
#frag = #tmem.layout<(4, 2, 2, 8, 4, 4, 2) : (32@tid, 16@reg, 2@reg, 4@tid, 4@reg, 1@tid, 1@reg)>
#reversed = #tmem.layout<(128, 32) : (1@tid, -1@reg) + (31@reg)>

// CHECK-LABEL: func @two_loads_added(
func.func @two_loads_added(%a: !f0, %b: !f1) -> vector<32xf32> {
  // CHECK: registers([[REGS:#tmem.layout<.*>]]) atom(<16x64b, x32>)
  %0 = tmem.load %a scope(warpgroup) : !f0 -> !p
  // CHECK: registers([[REGS]]) atom(<16x64b, x32>)
  %1 = tmem.load %b scope(warpgroup) : !f1 -> !p
  %2:2 = tmem.wait_load %0, %1 : !p, !p
  %3 = arith.addf %2#0, %2#1 : vector<32xf32>
  return %3 : vector<32xf32>
}

// Elements change their size, not their place.
// CHECK-LABEL: func @truncated(
func.func @truncated(%view: !d, %out: !d16) {
  // CHECK: tmem.load %{{.*}} registers([[REGS:#tmem.layout<.*>]]) atom(<32x32b, x32>)
  %0 = tmem.load %view scope(warpgroup) : !d -> !p
  %1 = tmem.wait_load %0 : !p
  %2 = math.exp %1 : vector<32xf32>
  %3 = arith.truncf %2 : vector<32xf32> to vector<32xf16>
  // CHECK: tmem.store %{{.*}}, %{{.*}} registers([[REGS]]) atom(<32x32b, x16, unpack>)
  %4 = tmem.store %3, %out scope(warpgroup) : vector<32xf16>, !d16
  tmem.wait_store %4
  return
}

//===----------------------------------------------------------------------===//
// From a transfer that names its registers
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @from_load_to_store(
func.func @from_load_to_store(%view: !d) {
  // CHECK: tmem.load %{{.*}} registers([[REGS:#tmem.layout<.* 16@reg, 2@reg, .*>]]) atom(<16x256b, x4>)
  %0 = tmem.load %view registers(#frag) scope(warpgroup) : !d -> !p
  %1 = tmem.wait_load %0 : !p
  %2 = arith.mulf %1, %1 : vector<32xf32>
  // CHECK: tmem.store %{{.*}}, %{{.*}} registers([[REGS]]) atom(<16x256b, x4>)
  %3 = tmem.store %2, %view scope(warpgroup) : vector<32xf32>, !d
  tmem.wait_store %3
  return
}

// CHECK-LABEL: func @from_store_to_load(
func.func @from_store_to_load(%view: !d) {
  // CHECK: tmem.load %{{.*}} registers([[REGS:#tmem.layout<.* -1@reg.*>]]) atom(<32x32b, x32>)
  %0 = tmem.load %view scope(warpgroup) : !d -> !p
  %1 = tmem.wait_load %0 : !p
  // CHECK: tmem.store %{{.*}}, %{{.*}} registers([[REGS]]) atom(<32x32b, x32>)
  %2 = tmem.store %1, %view registers(#reversed) scope(warpgroup) : vector<32xf32>, !d
  tmem.wait_store %2
  return
}

// From one that names its atom: registers that it can have.
// CHECK-LABEL: func @from_atom(
func.func @from_atom(%view: !d) {
  // CHECK: tmem.load %{{.*}} registers([[REGS:#tmem.layout<.* 16@reg, 2@reg, .*>]]) atom(<16x256b, x4>)
  %0 = tmem.load %view scope(warpgroup) : !d -> !p
  %1 = tmem.wait_load %0 : !p
  // CHECK: tmem.store %{{.*}}, %{{.*}} registers([[REGS]]) atom(<16x256b, x2>)
  %2 = tmem.store %1, %view atom(<16x256b, x2>) scope(warpgroup) : vector<32xf32>, !d
  tmem.wait_store %2
  return
}

// Of two that are named the cheaper one.
// CHECK-LABEL: func @from_two(
func.func @from_two(%view: !d) -> vector<32xf32> {
  %0 = tmem.load %view registers(#frag) scope(warpgroup) : !d -> !p
  %1 = tmem.load %view registers(#reversed) scope(warpgroup) : !d -> !p
  // CHECK-COUNT-2: tmem.load
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 32) : (1@tid, -1@reg) + (31@reg)>) atom(<32x32b, x32>)
  %2 = tmem.load %view scope(warpgroup) : !d -> !p
  %3:3 = tmem.wait_load %0, %1, %2 : !p, !p, !p
  %4 = arith.addf %3#0, %3#1 : vector<32xf32>
  %5 = arith.addf %4, %3#2 : vector<32xf32>
  return %5 : vector<32xf32>
}

//===----------------------------------------------------------------------===//
// Through control flow
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @loop(
func.func @loop(%view: !d, %n: index, %sum: vector<32xf32>) -> vector<32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: tmem.load %{{.*}} registers([[REGS:#tmem.layout<.* 16@reg, 2@reg, .*>]]) atom(<16x256b, x4>)
  %0 = tmem.load %view registers(#frag) scope(warpgroup) : !d -> !p
  // CHECK: scf.for
  %1:2 = scf.for %i = %c0 to %n step %c1 iter_args(%q = %0, %s = %sum) -> (!p, vector<32xf32>) {
    // CHECK: tmem.load %{{.*}} registers([[REGS]]) atom(<16x256b, x4>)
    %2 = tmem.load %view scope(warpgroup) : !d -> !p
    %3 = tmem.wait_load %q : !p
    %4 = arith.addf %3, %s : vector<32xf32>
    scf.yield %2, %4 : !p, vector<32xf32>
  }
  %5 = tmem.wait_load %1#0 : !p
  // CHECK: tmem.store %{{.*}}, %{{.*}} registers([[REGS]]) atom(<16x256b, x4>)
  %6 = tmem.store %1#1, %view scope(warpgroup) : vector<32xf32>, !d
  tmem.wait_store %6
  return %5 : vector<32xf32>
}

// CHECK-LABEL: func @if_and_select(
func.func @if_and_select(%view: !d, %c: i1) -> vector<32xf32> {
  // CHECK: tmem.load %{{.*}} registers([[REGS:#tmem.layout<.* -1@reg.*>]]) atom(<32x32b, x32>)
  %0 = tmem.load %view registers(#reversed) scope(warpgroup) : !d -> !p
  %1 = scf.if %c -> !p {
    // CHECK: tmem.load %{{.*}} registers([[REGS]]) atom(<32x32b, x32>)
    %2 = tmem.load %view scope(warpgroup) : !d -> !p
    scf.yield %2 : !p
  } else {
    // CHECK: tmem.load %{{.*}} registers([[REGS]]) atom(<32x32b, x32>)
    %3 = tmem.load %view scope(warpgroup) : !d -> !p
    scf.yield %3 : !p
  }
  %4 = arith.select %c, %0, %1 : !p
  %5 = tmem.wait_load %4 : !p
  return %5 : vector<32xf32>
}

// CHECK-LABEL: func @branches(
func.func @branches(%view: !d, %c: i1) -> vector<32xf32> {
  // CHECK: tmem.load %{{.*}} registers([[REGS:#tmem.layout<.* -1@reg.*>]]) atom(<32x32b, x32>)
  %0 = tmem.load %view registers(#reversed) scope(warpgroup) : !d -> !p
  cf.cond_br %c, ^bb1, ^bb2(%0 : !p)
^bb1:
  // CHECK: tmem.load %{{.*}} registers([[REGS]]) atom(<32x32b, x32>)
  %1 = tmem.load %view scope(warpgroup) : !d -> !p
  cf.br ^bb2(%1 : !p)
^bb2(%2: !p):
  %3 = tmem.wait_load %2 : !p
  return %3 : vector<32xf32>
}

//===----------------------------------------------------------------------===//
// What does not tie tiles together
//===----------------------------------------------------------------------===//

// A constant that has one value in all slots suits every layout.
// CHECK-LABEL: func @uniform(
func.func @uniform(%a: !d, %b: !f0, %x: f32) {
  %c = arith.constant dense<2.0> : vector<32xf32>
  %u = vector.broadcast %x : f32 to vector<32xf32>
  %factor = arith.mulf %c, %u : vector<32xf32>
  // CHECK: tmem.load %{{.*}} atom(<32x32b, x32>)
  %0 = tmem.load %a scope(warpgroup) : !d -> !p
  // CHECK: tmem.load %{{.*}} atom(<16x64b, x32>)
  %1 = tmem.load %b scope(warpgroup) : !f0 -> !p
  %2:2 = tmem.wait_load %0, %1 : !p, !p
  %3 = arith.mulf %2#0, %factor : vector<32xf32>
  %4 = arith.mulf %2#1, %factor : vector<32xf32>
  // CHECK: tmem.store %{{.*}} atom(<32x32b, x32>)
  %5 = tmem.store %3, %a scope(warpgroup) : vector<32xf32>, !d
  // CHECK: tmem.store %{{.*}} atom(<16x64b, x32>)
  %6 = tmem.store %4, %b scope(warpgroup) : vector<32xf32>, !f0
  tmem.wait_store %5, %6
  return
}

// A shuffle moves elements: what comes after it has registers of its own.
// CHECK-LABEL: func @shuffle(
func.func @shuffle(%view: !d) {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 32) : (1@tid, -1@reg) + (31@reg)>)
  %0 = tmem.load %view registers(#reversed) scope(warpgroup) : !d -> !p
  %1 = tmem.wait_load %0 : !p
  %2 = vector.interleave %1, %1 : vector<32xf32> -> vector<64xf32>
  %3 = vector.extract_strided_slice %2 {offsets = [0], sizes = [32], strides = [1]} : vector<64xf32> to vector<32xf32>
  // CHECK: tmem.store %{{.*}} registers(#tmem.layout<(128, 32) : (1@tid, 1@reg)>)
  %4 = tmem.store %3, %view scope(warpgroup) : vector<32xf32>, !d
  tmem.wait_store %4
  return
}

// Tiles of one warp each, in the registers of all four: no layout has both.
!w = !tmem.view<32x32xf32, #tmem.layout<(32, 32) : (1@tlane, 1@tcol)>>

// CHECK-LABEL: func @other_scope(
func.func @other_scope(%view: !d, %warp: !w) {
  // CHECK: registers(#tmem.layout<(32, 32) : (1@tid, 1@reg)>)
  %0 = tmem.load %warp scope(warp 0) : !w -> !p
  %1 = tmem.wait_load %0 : !p
  // CHECK: registers(#tmem.layout<(128, 32) : (1@tid, 1@reg)>)
  %2 = tmem.store %1, %view scope(warpgroup) : vector<32xf32>, !d
  tmem.wait_store %2
  return
}
