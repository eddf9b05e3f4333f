// RUN: tmem-opt %s --allow-unregistered-dialect --tmem-select-atoms=max-live-registers=16 --verify-diagnostics | FileCheck %s
// RUN: tmem-opt %s --allow-unregistered-dialect --tmem-select-atoms --tmem-tile-transfers=columns=16 --verify-diagnostics | FileCheck %s

// Operations of unreachable blocks and of graph regions may stand in any order, so
// that there is no first and no last one. What is there stays as it is.

!d = !tmem.view<128x64xf32, #tmem.datapath<D>>
!p = !tmem.pending<vector<64xf32>>

// CHECK-LABEL: func @stored_first(
// CHECK: tmem.store {{.*}} : vector<64xf32>
// CHECK: tmem.load {{.*}} -> !tmem.pending<vector<64xf32>>
func.func @stored_first(%m: !d) {
  return
^dead:
  %t = tmem.store %v, %m scope(warpgroup) : vector<64xf32>, !d
  tmem.wait_store %t
  %x = tmem.load %m scope(warpgroup) : !d -> !p
  %v = tmem.wait_load %x : !p
  cf.br ^dead
}

// CHECK-LABEL: func @cycle(
// CHECK: tmem.load {{.*}} -> !tmem.pending<vector<64xf32>>
// CHECK: tmem.store {{.*}} : vector<64xf32>
func.func @cycle(%m: !d) {
  return
^dead:
  %x = tmem.load %m scope(warpgroup) : !d -> !p
  %v = tmem.wait_load %x : !p
  %w = arith.addf %w2, %v : vector<64xf32>
  %w2 = arith.addf %w, %v : vector<64xf32>
  %t = tmem.store %w2, %m scope(warpgroup) : vector<64xf32>, !d
  tmem.wait_store %t
  return
}

// CHECK-LABEL: func @backwards(
// CHECK: tmem.load {{.*}} -> !tmem.pending<vector<64xf32>>
func.func @backwards(%out: memref<128x64xf32>, %i: index) {
  return
^dead:
  vector.store %v, %out[%i, %i] : memref<128x64xf32>, vector<64xf32>
  %v = tmem.wait_load %x : !p
  %x = tmem.load %m scope(warpgroup) : !d -> !p
  %m = tmem.view %b : !d
  %b = arith.addi %b, %c : i32
  %c = arith.constant 1 : i32
  cf.br ^dead
}

// CHECK: test.graph_region
// CHECK: tmem.store {{.*}} : vector<64xf32>
"test.graph_region"() ({
  %t = tmem.store %w2, %m scope(warpgroup) : vector<64xf32>, !d
  %w2 = arith.addf %w, %v : vector<64xf32>
  %w = arith.addf %w2, %v : vector<64xf32>
  %v = tmem.wait_load %x : !p
  %x = tmem.load %m scope(warpgroup) : !d -> !p
  tmem.wait_store %t
  %m = tmem.view %b : !d
  %b = arith.constant 0 : i32
}) : () -> ()
