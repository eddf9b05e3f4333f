// RUN: tmem-opt %s --tmem-select-atoms --mlir-print-local-scope | FileCheck %s

// A vector with the same element in every slot suits every layout: the tiles that
// it is stored to do not meet in it. Here no layout would suit both.

!b = !tmem.view<64x64xf32, #tmem.datapath<B>>
!f = !tmem.view<64x64xf32, #tmem.datapath<F>>
!f4 = !tmem.view<64x8xf32, #tmem.datapath<F>>
!b4 = !tmem.view<64x8xf32, #tmem.datapath<B>>
!p = !tmem.pending<vector<32xf32>>

// CHECK-LABEL: func @poison(
func.func @poison(%a: !b, %b: !f) {
  %x = ub.poison : vector<32xf32>
  // CHECK: tmem.store {{.*}} atom(<32x32b, x32>)
  %t = tmem.store %x, %a scope(warpgroup) : vector<32xf32>, !b
  // CHECK: tmem.store {{.*}} atom(<16x64b, x32>)
  %u = tmem.store %x, %b scope(warpgroup) : vector<32xf32>, !f
  tmem.wait_store %t, %u
  return
}

// CHECK-LABEL: func @one_scalar(
func.func @one_scalar(%a: !b4, %b: !f4, %s: f32) {
  %x = vector.from_elements %s, %s, %s, %s : vector<4xf32>
  // CHECK: tmem.store {{.*}} atom(<32x32b, x4>)
  %t = tmem.store %x, %a scope(warpgroup) : vector<4xf32>, !b4
  // CHECK: tmem.store {{.*}} atom(<16x64b, x4>)
  %u = tmem.store %x, %b scope(warpgroup) : vector<4xf32>, !f4
  tmem.wait_store %t, %u
  return
}

// What a loop carries is uniform if it starts so and stays so.
// CHECK-LABEL: func @carried(
func.func @carried(%a: !b, %b: !f, %n: index, %s: f32) {
  %zero = arith.constant dense<0.0> : vector<32xf32>
  %step = vector.broadcast %s : f32 to vector<32xf32>
  %sum = scf.for %i = %n to %n step %n iter_args(%sum = %zero) -> (vector<32xf32>) {
    %next = arith.addf %sum, %step : vector<32xf32>
    scf.yield %next : vector<32xf32>
  }
  // CHECK: tmem.store {{.*}} atom(<32x32b, x32>)
  %t = tmem.store %sum, %a scope(warpgroup) : vector<32xf32>, !b
  // CHECK: tmem.store {{.*}} atom(<16x64b, x32>)
  %u = tmem.store %sum, %b scope(warpgroup) : vector<32xf32>, !f
  tmem.wait_store %t, %u
  return
}

// Not where a load comes in on the way: then the store has the load's layout.
// CHECK-LABEL: func @not_uniform(
func.func @not_uniform(%a: !f, %b: !f, %n: index) {
  %zero = arith.constant dense<0.0> : vector<32xf32>
  %sum = scf.for %i = %n to %n step %n iter_args(%sum = %zero) -> (vector<32xf32>) {
    // CHECK: tmem.load {{.*}} registers([[REGS:#tmem.layout<.*>]]) atom(<16x256b, x8>)
    %p = tmem.load %a atom(<16x256b, x8>) scope(warpgroup) : !f -> !p
    %v = tmem.wait_load %p : !p
    %next = arith.addf %sum, %v : vector<32xf32>
    scf.yield %next : vector<32xf32>
  }
  // CHECK: tmem.store {{.*}} registers([[REGS]]) atom(<16x256b, x8>)
  %t = tmem.store %sum, %b scope(warpgroup) : vector<32xf32>, !f
  tmem.wait_store %t
  return
}

// A bitcast between elements of one size moves none.
// CHECK-LABEL: func @bitcast(
func.func @bitcast(%a: !f, %b: !tmem.view<64x64xi32, #tmem.datapath<F>>) {
  // CHECK: tmem.load {{.*}} registers([[REGS:#tmem.layout<.*>]]) atom(<16x256b, x8>)
  %p = tmem.load %a atom(<16x256b, x8>) scope(warpgroup) : !f -> !p
  %v = tmem.wait_load %p : !p
  %w = vector.bitcast %v : vector<32xf32> to vector<32xi32>
  // CHECK: tmem.store {{.*}} registers([[REGS]]) atom(<16x256b, x8>)
  %t = tmem.store %w, %b scope(warpgroup) : vector<32xi32>, !tmem.view<64x64xi32, #tmem.datapath<F>>
  tmem.wait_store %t
  return
}

// One value stored twice: one layout, though nothing is done with it.
// CHECK-LABEL: func @stored_twice(
func.func @stored_twice(%x: vector<32xf32>, %a: !f, %b: !f) {
  // CHECK: tmem.store {{.*}} registers([[REGS:#tmem.layout<.*>]]) atom(<16x256b, x8>)
  %t = tmem.store %x, %a atom(<16x256b, x8>) scope(warpgroup) : vector<32xf32>, !f
  // CHECK: tmem.store {{.*}} registers([[REGS]]) atom(<16x256b, x8>)
  %u = tmem.store %x, %b scope(warpgroup) : vector<32xf32>, !f
  tmem.wait_store %t, %u
  return
}
