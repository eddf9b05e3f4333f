// RUN: tmem-test-opt %s --verify-roundtrip | FileCheck %s
// RUN: tmem-test-opt %s --mlir-print-op-generic | tmem-test-opt | FileCheck %s
// RUN: tmem-test-opt %s --emit-bytecode | tmem-test-opt | FileCheck %s
// RUN: tmem-test-opt %s --canonicalize --cse | FileCheck %s
// RUN: tmem-test-opt %s --tmem-select-atoms | FileCheck %s --check-prefix=SELECT

// The attribute of another dialect stands where ours does.

!view = !tmem.view<128x8xf32, #other.layout<matrix>>
!window = !tmem.view<128x4xf32, #tmem.layout<(128, 4) : (1@tlane, 1@tcol) + (4@tcol)>>
!pending = !tmem.pending<vector<8xf32>>

// CHECK: ![[VIEW:view[0-9]*]] = !tmem.view<128x8xf32, #other.layout<matrix>>

// CHECK-LABEL: func @transfers(
// SELECT-LABEL: func @transfers(
func.func @transfers(%base: i32) -> vector<4xf32> {
  // CHECK: tmem.view %{{.*}} : ![[VIEW]]
  %view = tmem.view %base : !view
  // CHECK: tmem.load %{{.*}} registers(#other.layout<threads>) atom(<32x32b, x8>) scope(warpgroup) : ![[VIEW]]
  %0 = tmem.load %view registers(#other.layout<threads>) atom(<32x32b, x8>) scope(warpgroup) : !view -> !pending
  %1 = tmem.wait_load %0 : !pending
  // CHECK: tmem.store %{{.*}}, %{{.*}} registers(#other.layout<threads>) scope(warpgroup) : vector<8xf32>, ![[VIEW]]
  // SELECT: tmem.store %{{.*}}, %{{.*}} registers(#other.layout<threads>) atom(<32x32b, x8>) scope(warpgroup)
  %2 = tmem.store %1, %view registers(#other.layout<threads>) scope(warpgroup) : vector<8xf32>, !view
  tmem.wait_store %2
  // The window of such a view has a layout of ours.
  // CHECK: tmem.subview
  %window = tmem.subview %view[0, 4] [128, 4] : !view to !window
  // SELECT: tmem.load %{{.*}} registers(#layout{{[0-9]*}}) atom(<32x32b, x4>) scope(warpgroup)
  %3 = tmem.load %window scope(warpgroup) : !window -> !tmem.pending<vector<4xf32>>
  %4 = tmem.wait_load %3 : !tmem.pending<vector<4xf32>>
  return %4 : vector<4xf32>
}

// The tile of a split transfer leads with 2.
!low = !tmem.view<16x4xf32, #other.layout<matrix>>
!high = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol) + (8@tcol)>>

// CHECK-LABEL: func @split(
func.func @split(%base: i32) -> vector<4xf32> {
  %low = tmem.view %base : !low
  %high = tmem.view %base : !high
  // CHECK: tmem.load_split %{{.*}}, %{{.*}} registers(#other.layout<threads>) atom(<16x32bx2, x4>) scope(warp 0)
  %0 = tmem.load_split %low, %high registers(#other.layout<threads>) atom(<16x32bx2, x4>) scope(warp 0)
    : !low, !high -> !tmem.pending<vector<4xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<4xf32>>
  return %1 : vector<4xf32>
}

// One that answers otherwise each time is held to its first answer.
// CHECK-LABEL: func @changes(
func.func @changes(%view: !tmem.view<128x4xf32, #other.layout<changes>>) -> vector<4xf32> {
  %0 = tmem.load %view registers(#other.layout<threads>) atom(<32x32b, x4>) scope(warpgroup)
    : !tmem.view<128x4xf32, #other.layout<changes>> -> !tmem.pending<vector<4xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<4xf32>>
  return %1 : vector<4xf32>
}
