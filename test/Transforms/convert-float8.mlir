// RUN: tmem-opt %s --tmem-convert-float8 | FileCheck %s

// The first operand of the intrinsic is the element with the higher number.
// CHECK-LABEL: func @e4m3(
// CHECK: %[[E:.*]]:4 = vector.to_elements %{{.*}} : vector<4xf32>
// CHECK: %[[P0:.*]] = llvm.call_intrinsic "llvm.nvvm.ff.to.e4m3x2.rn"(%[[E]]#1, %[[E]]#0) : (f32, f32) -> i16
// CHECK: %[[P1:.*]] = llvm.call_intrinsic "llvm.nvvm.ff.to.e4m3x2.rn"(%[[E]]#3, %[[E]]#2) : (f32, f32) -> i16
// CHECK: %[[P:.*]] = vector.from_elements %[[P0]], %[[P1]] : vector<2xi16>
// CHECK: %[[B:.*]] = vector.bitcast %[[P]] : vector<2xi16> to vector<4xi8>
// CHECK: arith.bitcast %[[B]] : vector<4xi8> to vector<4xf8E4M3FN>
func.func @e4m3(%v: vector<4xf32>) -> vector<4xf8E4M3FN> {
  %r = arith.truncf %v : vector<4xf32> to vector<4xf8E4M3FN>
  return %r : vector<4xf8E4M3FN>
}

// From f16, and an odd number of elements: the last one is there twice.
// CHECK-LABEL: func @e5m2_odd(
// CHECK: arith.extf %{{.*}} : vector<3xf16> to vector<3xf32>
// CHECK: %[[E:.*]]:3 = vector.to_elements
// CHECK: llvm.call_intrinsic "llvm.nvvm.ff.to.e5m2x2.rn"(%[[E]]#1, %[[E]]#0)
// CHECK: llvm.call_intrinsic "llvm.nvvm.ff.to.e5m2x2.rn"(%[[E]]#2, %[[E]]#2)
// CHECK: vector.extract_strided_slice {{.*}} : vector<4xi8> to vector<3xi8>
func.func @e5m2_odd(%v: vector<3xf16>) -> vector<3xf8E5M2> {
  %r = arith.truncf %v : vector<3xf16> to vector<3xf8E5M2>
  return %r : vector<3xf8E5M2>
}

// CHECK-LABEL: func @scalar(
// CHECK: llvm.call_intrinsic "llvm.nvvm.ff.to.e4m3x2.rn"
// CHECK: vector.extract {{.*}}[0] : i8 from vector<2xi8>
// CHECK: arith.bitcast {{.*}} : i8 to f8E4M3FN
func.func @scalar(%v: f32) -> f8E4M3FN {
  %r = arith.truncf %v to_nearest_even : f32 to f8E4M3FN
  return %r : f8E4M3FN
}

// Others stay.
// CHECK-LABEL: func @others(
// CHECK: arith.truncf {{.*}} : vector<4xf32> to vector<4xbf16>
// CHECK: arith.truncf {{.*}} downward : vector<4xf32> to vector<4xf8E5M2>
// CHECK: arith.truncf {{.*}} : vector<4xf64> to vector<4xf8E5M2>
// CHECK: arith.truncf {{.*}} : vector<4xf32> to vector<4xf8E4M3FNUZ>
// CHECK-NOT: call_intrinsic
func.func @others(%v: vector<4xf32>, %d: vector<4xf64>)
    -> (vector<4xbf16>, vector<4xf8E5M2>, vector<4xf8E5M2>,
        vector<4xf8E4M3FNUZ>) {
  %0 = arith.truncf %v : vector<4xf32> to vector<4xbf16>
  %1 = arith.truncf %v downward : vector<4xf32> to vector<4xf8E5M2>
  %2 = arith.truncf %d : vector<4xf64> to vector<4xf8E5M2>
  %3 = arith.truncf %v : vector<4xf32> to vector<4xf8E4M3FNUZ>
  return %0, %1, %2, %3 : vector<4xbf16>, vector<4xf8E5M2>, vector<4xf8E5M2>,
      vector<4xf8E4M3FNUZ>
}
