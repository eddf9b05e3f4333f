// RUN: tmem-opt %s --canonicalize --mlir-print-local-scope --split-input-file | FileCheck %s --check-prefixes=CHECK,CANON
// RUN: tmem-opt %s --cse --mlir-print-local-scope --split-input-file | FileCheck %s --check-prefixes=CHECK,CSE

!d = !tmem.view<128x64xf32, #tmem.datapath<D>>
!d_in_full = !tmem.view<128x64xf32, #tmem.layout<(128, 64) : (1@tlane, 1@tcol)>>
!b = !tmem.view<64x16xf32, #tmem.datapath<B>>

//===----------------------------------------------------------------------===//
// Identities
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @subview_identity(
// CHECK-SAME: %[[VIEW:.*]]: !tmem.view
// CANON-NEXT: return %[[VIEW]]
func.func @subview_identity(%view: !d) -> !d {
  %0 = tmem.subview %view[0, 0] [128, 64] : !d to !d
  return %0 : !d
}

// CHECK-LABEL: func @rearrange_identity(
// CHECK-SAME: %[[VIEW:.*]]: !tmem.view
// CANON-NEXT: return %[[VIEW]]
func.func @rearrange_identity(%view: !b) -> !b {
  %0 = tmem.rearrange %view "(a b) c -> (a b) c" sizes(b = 8) : !b to !b
  return %0 : !b
}

// Dimensions of one element trade places: the view is the same.
!column = !tmem.view<1x1x16xf32, #tmem.layout<(16) : (1@tcol)>>
// CHECK-LABEL: func @rearrange_dimensions_of_one(
// CHECK-SAME: %[[VIEW:.*]]: !tmem.view
// CANON-NEXT: return %[[VIEW]]
func.func @rearrange_dimensions_of_one(%view: !column) -> !column {
  %0 = tmem.rearrange %view "a b c -> b a c" : !column to !column
  return %0 : !column
}

// A type that means the same is another type.
// CHECK-LABEL: func @subview_of_equivalent_type(
// CHECK: tmem.subview
func.func @subview_of_equivalent_type(%view: !d) -> !d_in_full {
  %0 = tmem.subview %view[0, 0] [128, 64] : !d to !d_in_full
  return %0 : !d_in_full
}

// A window of the source's size may still lie elsewhere.
!line = !tmem.view<128x8xf32, #tmem.datapath<D>>
// CHECK-LABEL: func @subview_dynamic_of_the_same_type(
// CHECK: tmem.subview
func.func @subview_dynamic_of_the_same_type(%view: !line, %j: index) -> !line {
  %0 = tmem.subview %view[0, %j] [128, 8] : !line to !line
  return %0 : !line
}

// -----

//===----------------------------------------------------------------------===//
// Windows of windows
//===----------------------------------------------------------------------===//

!d = !tmem.view<128x64xf32, #tmem.datapath<D>>
!from_8 = !tmem.view<128x32xf32, #tmem.layout<(128, 32) : (1@tlane, 1@tcol) + (8@tcol)>>
!from_40_12 = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol) + (40@tlane, 12@tcol)>>
!half = !tmem.view<128x32xf32, #tmem.datapath<D>>
!eighth = !tmem.view<128x8xf32, #tmem.datapath<D>>
!eighth_from_4 = !tmem.view<128x8xf32, #tmem.layout<(128, 8) : (1@tlane, 1@tcol) + (4@tcol)>>
!rows_from_64 = !tmem.view<64x8xf32, #tmem.layout<(64, 8) : (1@tlane, 1@tcol) + (64@tlane)>>

// CHECK-LABEL: func @subview_of_subview(
// CHECK-SAME: %[[VIEW:.*]]: !tmem.view
// CANON-NEXT: %[[WINDOW:.*]] = tmem.subview %[[VIEW]][40, 12] [16, 4] : !tmem.view<128x64xf32, #tmem.datapath<D>> to !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol) + (40@tlane, 12@tcol)>>
// CANON-NEXT: return %[[WINDOW]]
func.func @subview_of_subview(%view: !d) -> !from_40_12 {
  %0 = tmem.subview %view[0, 8] [128, 32] : !d to !from_8
  %1 = tmem.subview %0[40, 4] [16, 4] : !from_8 to !from_40_12
  return %1 : !from_40_12
}

// CHECK-LABEL: func @subview_static_of_dynamic(
// CHECK-SAME: %[[VIEW:.*]]: !tmem.view<{{.*}}>>, %[[J:.*]]: index
// CANON-NEXT: tmem.subview %[[VIEW]][64, %[[J]]] [64, 8]
// CANON-NEXT: return
func.func @subview_static_of_dynamic(%view: !d, %j: index) -> !rows_from_64 {
  %0 = tmem.subview %view[0, %j] [128, 32] : !d to !half
  %1 = tmem.subview %0[64, 0] [64, 8] : !half to !rows_from_64
  return %1 : !rows_from_64
}

// CHECK-LABEL: func @subview_dynamic_of_static(
// CHECK-SAME: %[[VIEW:.*]]: !tmem.view<{{.*}}>>, %[[J:.*]]: index
// CANON-NEXT: tmem.subview %[[VIEW]][0, %[[J]]] [128, 8]
// CANON-NEXT: return
func.func @subview_dynamic_of_static(%view: !d, %j: index) -> !eighth {
  %0 = tmem.subview %view[0, 0] [128, 32] : !d to !half
  %1 = tmem.subview %0[0, %j] [128, 8] : !half to !eighth
  return %1 : !eighth
}

// One offset cannot be a sum of a value and a constant.
// CHECK-LABEL: func @subview_offsets_do_not_add(
// CHECK: tmem.subview
// CHECK: tmem.subview
func.func @subview_offsets_do_not_add(%view: !d, %j: index) -> !eighth_from_4 {
  %0 = tmem.subview %view[0, %j] [128, 32] : !d to !half
  %1 = tmem.subview %0[0, 4] [128, 8] : !half to !eighth_from_4
  return %1 : !eighth_from_4
}

!path_b = !tmem.view<64x16xf32, #tmem.datapath<B>>
!first_half = !tmem.view<64x8xf32, #tmem.layout<(64, 8) : (1@tlane, 1@tcol)>>
!quarter = !tmem.view<64x4xf32, #tmem.layout<(64, 4) : (1@tlane, 1@tcol)>>

// Columns of path B lie in two groups of lanes; those of its first half in one.
// CHECK-LABEL: func @subview_dynamic_in_half_of_path_b(
// CHECK: tmem.subview %{{.*}}[0, 0] [64, 8]
// CHECK: tmem.subview %{{.*}}[0, %{{.*}}] [64, 4]
func.func @subview_dynamic_in_half_of_path_b(%view: !path_b, %j: index) -> !quarter {
  %0 = tmem.subview %view[0, 0] [64, 8] : !path_b to !first_half
  %1 = tmem.subview %0[0, %j] [64, 4] : !first_half to !quarter
  return %1 : !quarter
}

// -----

!stages = !tmem.view<4x128x2x8xf32, #tmem.layout<(4, 128, 2, 8) : (16@tcol, 1@tlane, 8@tcol, 1@tcol)>>
!stage = !tmem.view<1x128x2x8xf32, #tmem.layout<(128, 16) : (1@tlane, 1@tcol)>>
!part = !tmem.view<1x128x1x8xf32, #tmem.layout<(128, 8) : (1@tlane, 1@tcol)>>

// CHECK-LABEL: func @subview_values_in_order(
// CHECK-SAME: %[[VIEW:.*]]: !tmem.view<{{.*}}>>, %[[I:.*]]: index, %[[K:.*]]: index
// CANON-NEXT: tmem.subview %[[VIEW]][%[[I]], 0, %[[K]], 0] [1, 128, 1, 8]
// CANON-NEXT: return
func.func @subview_values_in_order(%view: !stages, %i: index, %k: index) -> !part {
  %0 = tmem.subview %view[%i, 0, 0, 0] [1, 128, 2, 8] : !stages to !stage
  %1 = tmem.subview %0[0, 0, %k, 0] [1, 128, 1, 8] : !stage to !part
  return %1 : !part
}

// -----

//===----------------------------------------------------------------------===//
// Rearrangements
//===----------------------------------------------------------------------===//

!d = !tmem.view<128x12xf32, #tmem.datapath<D>>
!by_warp = !tmem.view<4x12x32xf32, #tmem.layout<(4, 12, 32) : (32@tlane, 1@tcol, 1@tlane)>>
!by_column = !tmem.view<3x4x128xf32, #tmem.layout<(3, 4, 128) : (4@tcol, 1@tcol, 1@tlane)>>

// The second pattern puts together what the first has split, and splits what it
// has not.
// CHECK-LABEL: func @rearrange_of_rearrange(
// CHECK-SAME: %[[VIEW:.*]]: !tmem.view
// CANON-NEXT: %[[RESULT:.*]] = tmem.rearrange %[[VIEW]] "(f0 f1) (f2 f3) -> f2 f3 (f0 f1)" sizes(f0 = 4, f1 = 32, f2 = 3, f3 = 4) : !tmem.view<128x12xf32, #tmem.datapath<D>> to !tmem.view<3x4x128xf32,
// CANON-NEXT: return %[[RESULT]]
func.func @rearrange_of_rearrange(%view: !d) -> !by_column {
  %0 = tmem.rearrange %view "(w r) c -> w c r" sizes(w = 4) : !d to !by_warp
  %1 = tmem.rearrange %0 "w (a b) r -> a b (w r)" sizes(a = 3) : !by_warp to !by_column
  return %1 : !by_column
}

// CHECK-LABEL: func @rearrange_and_back(
// CHECK-SAME: %[[VIEW:.*]]: !tmem.view
// CANON-NEXT: return %[[VIEW]]
func.func @rearrange_and_back(%view: !d) -> !d {
  %0 = tmem.rearrange %view "(w r) c -> w c r" sizes(w = 4) : !d to !by_warp
  %1 = tmem.rearrange %0 "w c r -> (w r) c" : !by_warp to !d
  return %1 : !d
}

!flat = !tmem.view<24xf32, #tmem.layout<(24) : (1@tcol)>>
!six = !tmem.view<4x6xf32, #tmem.layout<(24) : (1@tcol)>>
!eight = !tmem.view<3x8xf32, #tmem.layout<(24) : (1@tcol)>>

// Splits that cross: 4 x 6 and 3 x 8 have no factors in common.
// CHECK-LABEL: func @rearrange_crossing_splits(
// CHECK: tmem.rearrange
// CHECK: tmem.rearrange
func.func @rearrange_crossing_splits(%view: !six) -> !eight {
  %0 = tmem.rearrange %view "a b -> (a b)" : !six to !flat
  %1 = tmem.rearrange %0 "(a b) -> a b" sizes(a = 3) : !flat to !eight
  return %1 : !eight
}

!unit = !tmem.view<128x1x12xf32, #tmem.layout<(128, 12) : (1@tlane, 1@tcol)>>
!unit_first = !tmem.view<1x12x128xf32, #tmem.layout<(12, 128) : (1@tcol, 1@tlane)>>

// Factors of one and dimensions without a factor.
// CHECK-LABEL: func @rearrange_units(
// CHECK-SAME: %[[VIEW:.*]]: !tmem.view
// CANON-NEXT: tmem.rearrange %[[VIEW]] "f0 f1 -> () f1 f0" sizes(f0 = 128, f1 = 12)
// CANON-NEXT: return
func.func @rearrange_units(%view: !d) -> !unit_first {
  %0 = tmem.rearrange %view "r c -> r () c" : !d to !unit
  %1 = tmem.rearrange %0 "r u c -> u c r" : !unit to !unit_first
  return %1 : !unit_first
}

// -----

//===----------------------------------------------------------------------===//
// Constant columns
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @constant_columns(
// CHECK-SAME: %[[SLOT:.*]]: !llvm.ptr<3>, %[[BASE:.*]]: i32
// CANON-NEXT: tmem.alloc %[[SLOT]], 64 cta_group(2) : !llvm.ptr<3>
// CANON-NEXT: tmem.dealloc exclusive %[[BASE]], 64
// CANON-NEXT: return
func.func @constant_columns(%slot: !llvm.ptr<3>, %base: i32) {
  %c64 = arith.constant 64 : i32
  tmem.alloc %slot, %c64 cta_group(2) : !llvm.ptr<3>
  tmem.dealloc exclusive %base, %c64
  return
}

// CHECK-LABEL: func @computed_columns(
// CANON-NEXT: tmem.alloc %{{.*}}, 128 : !llvm.ptr<3>
func.func @computed_columns(%slot: !llvm.ptr<3>) {
  %c64 = arith.constant 64 : i32
  %0 = arith.addi %c64, %c64 : i32
  tmem.alloc %slot, %0 : !llvm.ptr<3>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Dead and equal operations
//===----------------------------------------------------------------------===//

!d = !tmem.view<128x4xf32, #tmem.datapath<D>>
!pending = !tmem.pending<vector<4xf32>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

// CHECK-LABEL: func @dead_load(
// CHECK-NEXT: return
func.func @dead_load(%view: !d) {
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !d -> !pending
  return
}

// What is waited for, stored, allocated or fenced stays, used or not.
// CHECK-LABEL: func @not_dead(
// CHECK: tmem.alloc
// CHECK: tmem.load
// CHECK: tmem.wait_load
// CHECK: tmem.store
// CHECK: tmem.store
// CHECK: tmem.wait_store
// CHECK: tmem.fence
// CHECK: tmem.relinquish_alloc_permit
// CHECK: tmem.dealloc
func.func @not_dead(%slot: !llvm.ptr<3>, %base: i32, %view: !d, %source: vector<4xf32>) {
  tmem.alloc %slot, 64 : !llvm.ptr<3>
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !d -> !pending
  %1 = tmem.wait_load %0 : !pending
  %2 = tmem.store %source, %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : vector<4xf32>, !d
  %3 = tmem.store %source, %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : vector<4xf32>, !d
  tmem.wait_store %3
  tmem.fence before
  tmem.relinquish_alloc_permit
  tmem.dealloc %base, 64
  return
}

// CHECK-LABEL: func @equal_views(
// CHECK-SAME: %[[BASE:.*]]: i32
// CSE-NEXT: %[[VIEW:.*]] = tmem.view %[[BASE]]
// CSE-NEXT: return %[[VIEW]], %[[VIEW]]
func.func @equal_views(%base: i32) -> (!d, !d) {
  %0 = tmem.view %base : !d
  %1 = tmem.view %base : !d
  return %0, %1 : !d, !d
}

// Each pending value is waited for once, so equal loads stay two.
// CHECK-LABEL: func @equal_loads(
// CHECK: %[[P:.*]] = tmem.load
// CHECK: %[[Q:.*]] = tmem.load
// CHECK: tmem.wait_load %[[P]], %[[Q]]
func.func @equal_loads(%view: !d) -> (vector<4xf32>, vector<4xf32>) {
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !d -> !pending
  %1 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !d -> !pending
  %2:2 = tmem.wait_load %0, %1 : !pending, !pending
  return %2#0, %2#1 : vector<4xf32>, vector<4xf32>
}

// CHECK-LABEL: func @equal_loads_around_a_store(
// CHECK: %[[P:.*]] = tmem.load
// CHECK: tmem.wait_load %[[P]]
// CHECK: tmem.store
// CHECK: tmem.wait_store
// CHECK: %[[Q:.*]] = tmem.load
// CHECK: tmem.wait_load %[[Q]]
func.func @equal_loads_around_a_store(%view: !d) -> (vector<4xf32>, vector<4xf32>) {
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !d -> !pending
  %1 = tmem.wait_load %0 : !pending
  %2 = arith.addf %1, %1 : vector<4xf32>
  %3 = tmem.store %2, %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : vector<4xf32>, !d
  tmem.wait_store %3
  %4 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !d -> !pending
  %5 = tmem.wait_load %4 : !pending
  return %1, %5 : vector<4xf32>, vector<4xf32>
}

// Each of them is replaced by the loads of its own loop.
// CHECK-LABEL: func @equal_loads_that_start_loops(
// CHECK: %[[P:.*]] = tmem.load
// CHECK: %[[Q:.*]] = tmem.load
// CHECK: scf.for {{.*}} = %[[P]])
// CHECK: scf.for {{.*}} = %[[Q]])
func.func @equal_loads_that_start_loops(%view: !d, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !d -> !pending
  %1 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !d -> !pending
  %2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %0) -> (!pending) {
    %3 = tmem.wait_load %p : !pending
    %4 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !d -> !pending
    scf.yield %4 : !pending
  }
  %5 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %1) -> (!pending) {
    %6 = tmem.wait_load %p : !pending
    %7 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !d -> !pending
    scf.yield %7 : !pending
  }
  %8:2 = tmem.wait_load %2, %5 : !pending, !pending
  return
}
