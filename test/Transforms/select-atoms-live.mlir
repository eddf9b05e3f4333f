// RUN: tmem-opt %s --tmem-select-atoms=max-live-registers=64 --verify-diagnostics --mlir-print-local-scope | FileCheck %s

!d = !tmem.view<128x128xf32, #tmem.datapath<D>>

// Named and then cut: two chunks of 32 registers fit, each with its own wait.
// CHECK-LABEL: func @cut(
func.func @cut(%view: !d, %out: memref<128x128xf16>, %row: index) {
  %c0 = arith.constant 0 : index
  // CHECK: tmem.load {{.*}} registers(#tmem.layout<(128, 32) : (1@tid, 1@reg)>) atom(<32x32b, x32>) {{.*}} -> !tmem.pending<vector<32xf32>>
  // CHECK-NEXT: tmem.wait_load
  // CHECK: tmem.load
  // CHECK-NEXT: arith.truncf
  // CHECK-COUNT-3: tmem.wait_load
  // CHECK-NOT: tmem.wait_load
  %p = tmem.load %view scope(warpgroup)
      : !d -> !tmem.pending<vector<128xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<128xf32>>
  %h = arith.truncf %v : vector<128xf32> to vector<128xf16>
  vector.store %h, %out[%row, %c0] : memref<128x128xf16>, vector<128xf16>
  return
}

// 64 registers fit.
// CHECK-LABEL: func @fits(
// CHECK: tmem.load {{.*}} -> !tmem.pending<vector<64xf32>>
func.func @fits(%view: !tmem.view<128x64xf32, #tmem.datapath<D>>)
    -> vector<64xf32> {
  %p = tmem.load %view scope(warpgroup)
      : !tmem.view<128x64xf32, #tmem.datapath<D>>
      -> !tmem.pending<vector<64xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<64xf32>>
  return %v : vector<64xf32>
}

// CHECK-LABEL: func @reduced(
// CHECK: tmem.load {{.*}} -> !tmem.pending<vector<128xf32>>
func.func @reduced(%view: !d) -> f32 {
  // expected-remark@+1 {{keeps 128 registers live at once: expected consumers that work element by element or store the vector, but got 'vector.reduction'}}
  %p = tmem.load %view scope(warpgroup)
      : !d -> !tmem.pending<vector<128xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<128xf32>>
  // expected-note@+1 {{load windows of the view (tmem.subview) and combine what comes of them}}
  %max = vector.reduction <maximumf>, %v : vector<128xf32> into f32
  return %max : f32
}
