// RUN: tmem-opt %s --tmem-fold-load-reduce=chip=sm_103a | FileCheck %s
// RUN: tmem-opt %s --tmem-fold-load-reduce=chip=sm_100a | FileCheck %s --check-prefix=WITHOUT
// RUN: tmem-opt %s --tmem-fold-load-reduce | FileCheck %s --check-prefix=WITHOUT

// WITHOUT-NOT: load_reduce

!tile = !tmem.view<128x96xf32, #tmem.datapath<D>>
!pending = !tmem.pending<vector<96xf32>>
#row = #tmem.layout<(128, 96) : (1@tid, 1@reg)>

// The accumulator stays with the reduction of what is left.
// CHECK-LABEL: @two_issues
// CHECK: %[[P:.*]], %[[R:.*]] = tmem.load_reduce maxnumf %arg0 registers(#{{.*}}) atom(<32x32b, x64, x32>)
// CHECK: %[[V:.*]], %[[PARTS:.*]] = tmem.wait_load %[[P]], %[[R]]
// CHECK: %[[MAX:.*]] = vector.reduction <maxnumf>, %[[PARTS]], %arg1 : vector<2xf32> into f32
// CHECK: return %[[V]], %[[MAX]]
func.func @two_issues(%mem: !tile, %acc: f32) -> (vector<96xf32>, f32) {
  %p = tmem.load %mem registers(#row) atom(<32x32b, x64, x32>) scope(warpgroup)
      : !tile -> !pending
  %v = tmem.wait_load %p : !pending
  %max = vector.reduction <maxnumf>, %v, %acc : vector<96xf32> into f32
  return %v, %max : vector<96xf32>, f32
}

// CHECK-LABEL: @magnitudes
// CHECK: tmem.load_reduce minimumf abs
func.func @magnitudes(%mem: !tile) -> f32 {
  %p = tmem.load %mem registers(#row) atom(<32x32b, x64, x32>) scope(warpgroup)
      : !tile -> !pending
  %v = tmem.wait_load %p : !pending
  %abs = math.absf %v : vector<96xf32>
  %min = vector.reduction <minimumf>, %abs : vector<96xf32> into f32
  return %min : f32
}

// An instruction has one reduction: the second one stays.
// CHECK-LABEL: @minimum_and_maximum
// CHECK: tmem.load_reduce minnumf
// CHECK: vector.reduction <minnumf>, %{{.*}} : vector<2xf32> into f32
// CHECK: vector.reduction <maxnumf>, %{{.*}} : vector<96xf32> into f32
func.func @minimum_and_maximum(%mem: !tile) -> (f32, f32) {
  %p = tmem.load %mem registers(#row) atom(<32x32b, x64, x32>) scope(warpgroup)
      : !tile -> !pending
  %v = tmem.wait_load %p : !pending
  %min = vector.reduction <minnumf>, %v : vector<96xf32> into f32
  %max = vector.reduction <maxnumf>, %v : vector<96xf32> into f32
  return %min, %max : f32, f32
}

// One wait of two loads.
// CHECK-LABEL: @shared_wait
// CHECK: %[[A:.*]], %[[RA:.*]] = tmem.load_reduce maxnumf
// CHECK: %[[B:.*]], %[[RB:.*]] = tmem.load_reduce minnumf
// CHECK: tmem.wait_load %[[A]], %[[B]], %[[RA]], %[[RB]]
func.func @shared_wait(%mem: !tile) -> (f32, f32) {
  %p = tmem.load %mem registers(#row) atom(<32x32b, x64, x32>) scope(warpgroup)
      : !tile -> !pending
  %q = tmem.load %mem registers(#row) atom(<32x32b, x64, x32>) scope(warpgroup)
      : !tile -> !pending
  %v, %w = tmem.wait_load %p, %q : !pending, !pending
  %max = vector.reduction <maxnumf>, %v : vector<96xf32> into f32
  %min = vector.reduction <minnumf>, %w : vector<96xf32> into f32
  return %max, %min : f32, f32
}

!signed = !tmem.view<128x32xi32, #tmem.layout<(128, 32) : (1@tlane, 1@tcol)>>
#signed_row = #tmem.layout<(128, 32) : (1@tid, 1@reg)>

// CHECK-LABEL: @integers
// CHECK: tmem.load_reduce maxui
func.func @integers(%mem: !signed) -> i32 {
  %p = tmem.load %mem registers(#signed_row) atom(<32x32b, x32>) scope(warpgroup)
      : !signed -> !tmem.pending<vector<32xi32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<32xi32>>
  %max = vector.reduction <maxui>, %v : vector<32xi32> into i32
  return %max : i32
}

//===----------------------------------------------------------------------===//
// What stays
//===----------------------------------------------------------------------===//

// CHECK-NOT: load_reduce

func.func @sum(%mem: !tile) -> f32 {
  %p = tmem.load %mem registers(#row) atom(<32x32b, x64, x32>) scope(warpgroup)
      : !tile -> !pending
  %v = tmem.wait_load %p : !pending
  %sum = vector.reduction <add>, %v : vector<96xf32> into f32
  return %sum : f32
}

func.func @changed_before(%mem: !tile) -> f32 {
  %p = tmem.load %mem registers(#row) atom(<32x32b, x64, x32>) scope(warpgroup)
      : !tile -> !pending
  %v = tmem.wait_load %p : !pending
  %w = arith.negf %v : vector<96xf32>
  %max = vector.reduction <maxnumf>, %w : vector<96xf32> into f32
  return %max : f32
}

// The mask is one for 96 elements.
func.func @masked(%mem: !tile, %n: index) -> f32 {
  %p = tmem.load %mem registers(#row) atom(<32x32b, x64, x32>) scope(warpgroup)
      : !tile -> !pending
  %v = tmem.wait_load %p : !pending
  %mask = vector.create_mask %n : vector<96xi1>
  %max = vector.mask %mask {
    vector.reduction <maxnumf>, %v : vector<96xf32> into f32
  } : vector<96xi1> -> f32
  return %max : f32
}

func.func @no_atom(%mem: !tile) -> f32 {
  %p = tmem.load %mem scope(warpgroup) : !tile -> !pending
  %v = tmem.wait_load %p : !pending
  %max = vector.reduction <maxnumf>, %v : vector<96xf32> into f32
  return %max : f32
}

!rows = !tmem.view<64x8xf32, #tmem.datapath<F>>
#rows = #tmem.layout<(4, 2, 8, 4, 2) : (1@warp, 2@reg, 4@lane, 1@lane, 1@reg)>

func.func @other_shape(%mem: !rows) -> f32 {
  %p = tmem.load %mem registers(#rows) atom(<16x256b, x1>) scope(warpgroup)
      : !rows -> !tmem.pending<vector<4xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<4xf32>>
  %max = vector.reduction <maxnumf>, %v : vector<4xf32> into f32
  return %max : f32
}

!one = !tmem.view<128x1xf32, #tmem.datapath<D>>

func.func @one_column(%mem: !one) -> f32 {
  %p = tmem.load %mem registers(#tmem.layout<(128) : (1@tid)>)
      atom(<32x32b, x1>) scope(warpgroup) : !one -> !tmem.pending<vector<1xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<1xf32>>
  %max = vector.reduction <maxnumf>, %v : vector<1xf32> into f32
  return %max : f32
}
