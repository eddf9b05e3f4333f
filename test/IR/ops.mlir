// RUN: tmem-opt %s --verify-roundtrip | FileCheck %s
// RUN: tmem-opt %s | tmem-opt | FileCheck %s
// RUN: tmem-opt %s --mlir-print-op-generic | tmem-opt | FileCheck %s
// RUN: tmem-opt %s --emit-bytecode | tmem-opt | FileCheck %s

// Layouts and views get aliases, results get names.
// CHECK-DAG: #[[THREADS:layout[0-9]*]] = #tmem.layout<(128, 16) : (1@tid, 1@reg)>
// CHECK-DAG: #[[TWO_HALVES:layout[0-9]*]] = #tmem.layout<(2, 16, 4) : (16@lane, 1@lane, 1@reg)>
// CHECK-DAG: ![[D:view[0-9]*]] = !tmem.view<128x16xf32, #tmem.datapath<D>>

#threads = #tmem.layout<(128, 16) : (1@tid, 1@reg)>
#halves = #tmem.layout<(2, 16, 4) : (16@lane, 1@lane, 1@reg)>
#rows = #tmem.layout<(16, 4) : (1@tlane, 1@tcol)>
#rows_high = #tmem.layout<(16, 4) : (1@tlane, 1@tcol) + (8@tcol)>

!slot = memref<1xi32, #gpu.address_space<workgroup>>
!d = !tmem.view<128x16xf32, #tmem.datapath<D>>
!pending = !tmem.pending<vector<16xf32>>
!low = !tmem.view<16x4xf32, #rows>
!high = !tmem.view<16x4xf32, #rows_high>

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @alloc_constant(
func.func @alloc_constant(%slot: !slot) {
  // CHECK: tmem.alloc %{{.*}}, 64 : memref<1xi32, #gpu.address_space<workgroup>>
  tmem.alloc %slot, 64 : !slot
  return
}

// CHECK-LABEL: func @alloc_dynamic(
// CHECK-SAME: %[[SLOT:arg[0-9]+]]: !llvm.ptr<3>, %[[COLUMNS:arg[0-9]+]]: i32
func.func @alloc_dynamic(%slot: !llvm.ptr<3>, %columns: i32) {
  // CHECK: tmem.alloc %[[SLOT]], %[[COLUMNS]] : !llvm.ptr<3>
  tmem.alloc %slot, %columns : !llvm.ptr<3>
  return
}

// CHECK-LABEL: func @alloc_group_of_two(
func.func @alloc_group_of_two(%slot: !llvm.ptr<3>, %columns: i32) {
  // CHECK: tmem.alloc %{{.*}}, 512 cta_group(2) : !llvm.ptr<3>
  tmem.alloc %slot, 512 cta_group(2) : !llvm.ptr<3>
  // CHECK: tmem.alloc %{{.*}}, %{{.*}} cta_group(2) {note = "x"} : !llvm.ptr<3>
  tmem.alloc %slot, %columns cta_group(2) {note = "x"} : !llvm.ptr<3>
  return
}

// The default is not printed.
// CHECK-LABEL: func @alloc_group_of_one(
func.func @alloc_group_of_one(%slot: !llvm.ptr<3>) {
  // CHECK: tmem.alloc %{{.*}}, 32 : !llvm.ptr<3>
  tmem.alloc %slot, 32 cta_group(1) : !llvm.ptr<3>
  return
}

// CHECK-LABEL: func @alloc_exclusive(
func.func @alloc_exclusive(%slot: !llvm.ptr<3>, %columns: i32) {
  // CHECK: tmem.alloc exclusive %{{.*}}, 96 : !llvm.ptr<3>
  tmem.alloc exclusive %slot, 96 : !llvm.ptr<3>
  // CHECK: tmem.alloc exclusive %{{.*}}, 576 : !llvm.ptr<3>
  tmem.alloc exclusive %slot, 576 : !llvm.ptr<3>
  // CHECK: tmem.alloc exclusive %{{.*}}, %{{.*}} cta_group(2) : !llvm.ptr<3>
  tmem.alloc exclusive %slot, %columns cta_group(2) : !llvm.ptr<3>
  return
}

// CHECK-LABEL: func @dealloc(
// CHECK-SAME: %[[BASE:arg[0-9]+]]: i32, %[[COLUMNS:arg[0-9]+]]: i32
func.func @dealloc(%base: i32, %columns: i32) {
  // CHECK: tmem.dealloc %[[BASE]], 64{{$}}
  tmem.dealloc %base, 64
  // CHECK: tmem.dealloc %[[BASE]], %[[COLUMNS]] cta_group(2)
  tmem.dealloc %base, %columns cta_group(2)
  // CHECK: tmem.dealloc exclusive %[[BASE]], 96
  tmem.dealloc exclusive %base, 96
  return
}

// CHECK-LABEL: func @relinquish(
func.func @relinquish() {
  // CHECK: tmem.relinquish_alloc_permit{{$}}
  tmem.relinquish_alloc_permit
  // CHECK: tmem.relinquish_alloc_permit cta_group(2)
  tmem.relinquish_alloc_permit cta_group(2)
  return
}

// CHECK-LABEL: func @fence(
func.func @fence() {
  // CHECK: tmem.fence before
  tmem.fence before
  // CHECK: tmem.fence after
  tmem.fence after
  return
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @view(
func.func @view(%base: i32) -> !d {
  // CHECK: %view = tmem.view %{{.*}} : ![[D]]
  %0 = tmem.view %base : !d
  return %0 : !d
}

!wide = !tmem.view<128x64xf32, #tmem.datapath<D>>
!first = !tmem.view<128x32xf32, #tmem.datapath<D>>
!second = !tmem.view<128x32xf32, #tmem.layout<(128, 32) : (1@tlane, 1@tcol) + (32@tcol)>>

// CHECK-LABEL: func @subview_static(
func.func @subview_static(%view: !wide) -> !second {
  // CHECK: %window = tmem.subview %{{.*}}[0, 32] [128, 32] : !view{{[0-9]*}} to !view
  %0 = tmem.subview %view[0, 32] [128, 32] : !wide to !second
  return %0 : !second
}

// CHECK-LABEL: func @subview_dynamic(
// CHECK-SAME: %[[J:arg[0-9]+]]: index
func.func @subview_dynamic(%view: !wide, %j: index) -> !first {
  // CHECK: tmem.subview %{{.*}}[0, %[[J]]] [128, 32] : !view{{[0-9]*}} to !view
  %0 = tmem.subview %view[0, %j] [128, 32] : !wide to !first
  return %0 : !first
}

!stages = !tmem.view<4x128x8xf32, #tmem.layout<(4, 128, 8) : (8@tcol, 1@tlane, 1@tcol)>>
!stage = !tmem.view<1x128x4xf32, #tmem.layout<(128, 4) : (1@tlane, 1@tcol)>>

// CHECK-LABEL: func @subview_two_dynamic(
// CHECK-SAME: %[[I:arg[0-9]+]]: index, %[[J:arg[0-9]+]]: index
func.func @subview_two_dynamic(%view: !stages, %i: index, %j: index) -> !stage {
  // CHECK: tmem.subview %{{.*}}[%[[I]], 0, %[[J]]] [1, 128, 4] {note} :
  %0 = tmem.subview %view[%i, 0, %j] [1, 128, 4] {note} : !stages to !stage
  return %0 : !stage
}

!b = !tmem.view<64x8xf32, #tmem.datapath<B>>
!b_lanes = !tmem.view<128x4xf32, #tmem.layout<(128, 4) : (1@tlane, 1@tcol)>>
!by_warp = !tmem.view<4x32x8xf32, #tmem.layout<(4, 32, 8) : (32@tlane, 1@tlane, 1@tcol)>>
!path_d = !tmem.view<128x8xf32, #tmem.datapath<D>>

// CHECK-LABEL: func @rearrange(
func.func @rearrange(%b: !b, %d: !path_d) {
  // CHECK: %view = tmem.rearrange %{{.*}} "r (h c) -> (h r) c" sizes(h = 2) : !view{{[0-9]*}} to !view
  %0 = tmem.rearrange %b "r (h c) -> (h r) c" sizes(h = 2) : !b to !b_lanes
  // CHECK: tmem.rearrange %{{.*}} "(w r) c -> w r c" sizes(r = 32, w = 4) : !view
  %1 = tmem.rearrange %d "(w r) c -> w r c" sizes(w = 4, r = 32) : !path_d to !by_warp
  // CHECK: tmem.rearrange %{{.*}} "a b -> a b" : !view
  %2 = tmem.rearrange %d "a b -> a b" : !path_d to !path_d
  return
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @load_and_store(
func.func @load_and_store(%view: !d, %source: vector<16xf32>) {
  // CHECK: %token = tmem.store %{{.*}}, %{{.*}} registers(#[[THREADS]]) atom(<32x32b, x16>) scope(warpgroup) : vector<16xf32>, ![[D]]
  %0 = tmem.store %source, %view registers(#threads) atom(<32x32b, x16>) scope(warpgroup) : vector<16xf32>, !d
  // CHECK: tmem.wait_store %token
  tmem.wait_store %0
  // CHECK: %pending = tmem.load %{{.*}} registers(#[[THREADS]]) atom(<32x32b, x16>) scope(warpgroup) : ![[D]] -> !tmem.pending<vector<16xf32>>
  %1 = tmem.load %view registers(#threads) atom(<32x32b, x16>) scope(warpgroup) : !d -> !pending
  // CHECK: %regs = tmem.wait_load %pending : !tmem.pending<vector<16xf32>>
  %2 = tmem.wait_load %1 : !pending
  return
}

// CHECK-LABEL: func @one_wait_for_several(
func.func @one_wait_for_several(%view: !d, %source: vector<16xf32>) -> vector<16xf32> {
  // CHECK: %[[T:.*]] = tmem.store
  %0 = tmem.store %source, %view registers(#threads) atom(<32x32b, x16>) scope(warpgroup) : vector<16xf32>, !d
  // CHECK: %[[U:.*]] = tmem.store
  %1 = tmem.store %source, %view registers(#threads) atom(<32x32b, x8>) scope(warpgroup) : vector<16xf32>, !d
  // CHECK: tmem.wait_store %[[T]], %[[U]]
  tmem.wait_store %0, %1
  // CHECK: %[[P:.*]] = tmem.load
  %2 = tmem.load %view registers(#threads) atom(<32x32b, x16>) scope(warpgroup) : !d -> !pending
  // CHECK: %[[Q:.*]] = tmem.load
  %3 = tmem.load %view registers(#threads) atom(<32x32b, x8>) scope(warpgroup) : !d -> !pending
  // CHECK: %regs, %[[SECOND:.*]] = tmem.wait_load %[[P]], %[[Q]] : !tmem.pending<vector<16xf32>>, !tmem.pending<vector<16xf32>>
  %4:2 = tmem.wait_load %2, %3 : !pending, !pending
  // CHECK: return %[[SECOND]]
  return %4#1 : vector<16xf32>
}

// CHECK-LABEL: func @load_split(
func.func @load_split(%base: i32) -> (vector<4xf32>, vector<4xf32>) {
  // CHECK: %[[LOW:.*]] = tmem.view
  %low = tmem.view %base : !low
  // CHECK: %[[HIGH:.*]] = tmem.view
  %high = tmem.view %base : !high
  // CHECK: %pending = tmem.load_split %[[LOW]], %[[HIGH]] registers(#[[TWO_HALVES]]) atom(<16x32bx2, x4>) scope(warp 0) : !view{{[0-9]*}}, !view{{[0-9]*}} -> !tmem.pending<vector<4xf32>>
  %0 = tmem.load_split %low, %high registers(#halves) atom(<16x32bx2, x4>) scope(warp 0)
    : !low, !high -> !tmem.pending<vector<4xf32>>
  // CHECK: tmem.load_split %[[LOW]], %[[HIGH]] registers(#[[TWO_HALVES]]) atom(<16x32bx2, x4>) immediate(8) scope(warp 0) :
  %1 = tmem.load_split %low, %high registers(#halves) atom(<16x32bx2, x4>) immediate(8) scope(warp 0)
    : !low, !high -> !tmem.pending<vector<4xf32>>
  %2:2 = tmem.wait_load %0, %1 : !tmem.pending<vector<4xf32>>, !tmem.pending<vector<4xf32>>
  return %2#0, %2#1 : vector<4xf32>, vector<4xf32>
}

!low_twice = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol) * (2 : 8@tcol)>>
!high_twice = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol) + (4@tcol) * (2 : 8@tcol)>>

// The second half of the tile stands 4 and 12 columns after the first.
// CHECK-LABEL: func @load_split_of_replicas(
func.func @load_split_of_replicas(%base: i32) {
  %low = tmem.view %base : !low_twice
  %high = tmem.view %base : !high_twice
  // CHECK: immediate(4)
  %0 = tmem.load_split %low, %high registers(#halves) atom(<16x32bx2, x4>) immediate(4) scope(warp 0)
    : !low_twice, !high_twice -> !tmem.pending<vector<4xf32>>
  // CHECK: immediate(12)
  %1 = tmem.load_split %low, %high registers(#halves) atom(<16x32bx2, x4>) immediate(12) scope(warp 0)
    : !low_twice, !high_twice -> !tmem.pending<vector<4xf32>>
  %2:2 = tmem.wait_load %0, %1 : !tmem.pending<vector<4xf32>>, !tmem.pending<vector<4xf32>>
  return
}

!source = !tmem.view<32x16xf32, #tmem.layout<(32, 16) : (1@tlane, 1@tcol)>>
!upper = !tmem.view<16x4xf32, #rows>
!lower = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol) + (16@tlane, 4@tcol)>>

// CHECK-LABEL: func @store_split(
func.func @store_split(%source: vector<4xf32>, %view: !source) {
  %upper = tmem.subview %view[0, 0] [16, 4] : !source to !upper
  %lower = tmem.subview %view[16, 4] [16, 4] : !source to !lower
  // CHECK: %token = tmem.store_split %{{.*}}, %window, %window_0 registers(#[[TWO_HALVES]]) atom(<16x32bx2, x4>) immediate(1048580) scope(warp 0) : vector<4xf32>, !view{{[0-9]*}}, !view{{[0-9]*}}{{$}}
  %0 = tmem.store_split %source, %upper, %lower registers(#halves) atom(<16x32bx2, x4>) immediate(1048580) scope(warp 0)
    : vector<4xf32>, !upper, !lower
  // CHECK: tmem.store_split %{{.*}}, %window, %window_0 registers(#[[TWO_HALVES]]) atom(<16x32bx2, x2>) scope(warp 0) :
  %1 = tmem.store_split %source, %upper, %lower registers(#halves) atom(<16x32bx2, x2>) scope(warp 0)
    : vector<4xf32>, !upper, !lower
  tmem.wait_store %0, %1
  return
}

// Attributes without an alias stand in full; other keywords may follow.
// CHECK-LABEL: func @inline_attributes(
func.func @inline_attributes(%base: i32) {
  %0 = tmem.view %base : !tmem.view<32x2xi8, #tmem.layout<(32, 2) : (1@tlane, 4@tcol)>>
  // CHECK: tmem.load %{{.*}} registers(#layout{{[0-9]*}}) atom(<32x32b, x2>) scope(warp 0) {tag = 1 : i32} :
  %1 = tmem.load %0 registers(#tmem.layout<(32, 2) : (1@lane, 4@reg)>) atom(#tmem.atom<32x32b, x2>)
    scope(warp 0) {tag = 1 : i32} : !tmem.view<32x2xi8, #tmem.layout<(32, 2) : (1@tlane, 4@tcol)>> -> !tmem.pending<vector<8xi8>>
  %2 = tmem.wait_load %1 : !tmem.pending<vector<8xi8>>
  return
}

//===----------------------------------------------------------------------===//
// Values under way
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @carried_by_scf(
func.func @carried_by_scf(%view: !d, %n: index, %c: i1, %source: vector<16xf32>) -> vector<16xf32> {
  %c1 = arith.constant 1 : index
  %0 = tmem.load %view registers(#threads) atom(<32x32b, x16>) scope(warpgroup) : !d -> !pending
  // CHECK: scf.for {{.*}} -> (!tmem.pending<vector<16xf32>>)
  %1 = scf.for %i = %c1 to %n step %c1 iter_args(%p = %0) -> (!pending) {
    %2 = tmem.wait_load %p : !pending
    %3 = tmem.load %view registers(#threads) atom(<32x32b, x16>) scope(warpgroup) : !d -> !pending
    scf.yield %3 : !pending
  }
  %4 = tmem.wait_load %1 : !pending
  // CHECK: scf.if %{{.*}} -> (!tmem.token)
  %5 = scf.if %c -> !tmem.token {
    %6 = tmem.store %source, %view registers(#threads) atom(<32x32b, x16>) scope(warpgroup) : vector<16xf32>, !d
    scf.yield %6 : !tmem.token
  } else {
    %6 = tmem.store %4, %view registers(#threads) atom(<32x32b, x16>) scope(warpgroup) : vector<16xf32>, !d
    scf.yield %6 : !tmem.token
  }
  tmem.wait_store %5
  %7 = tmem.load %view registers(#threads) atom(<32x32b, x16>) scope(warpgroup) : !d -> !pending
  // CHECK: scf.while {{.*}} -> !tmem.pending<vector<16xf32>>
  %8 = scf.while (%p = %7) : (!pending) -> !pending {
    scf.condition(%c) %p : !pending
  } do {
  ^bb0(%p: !pending):
    scf.yield %p : !pending
  }
  %9 = tmem.wait_load %8 : !pending
  // CHECK: scf.index_switch %{{.*}} -> !tmem.pending<vector<16xf32>>
  %10 = scf.index_switch %n -> !pending
  case 0 {
    %11 = tmem.load %view registers(#threads) atom(<32x32b, x16>) scope(warpgroup) : !d -> !pending
    scf.yield %11 : !pending
  }
  default {
    %11 = tmem.load %view registers(#threads) atom(<32x32b, x8>) scope(warpgroup) : !d -> !pending
    scf.yield %11 : !pending
  }
  %12 = tmem.wait_load %10 : !pending
  return %12 : vector<16xf32>
}

// CHECK-LABEL: func @carried_by_cf(
func.func @carried_by_cf(%view: !d, %c: i1, %flag: i32, %source: vector<16xf32>) -> vector<16xf32> {
  %0 = tmem.load %view registers(#threads) atom(<32x32b, x16>) scope(warpgroup) : !d -> !pending
  %1 = tmem.store %source, %view registers(#threads) atom(<32x32b, x16>) scope(warpgroup) : vector<16xf32>, !d
  // CHECK: cf.cond_br %{{.*}}, ^[[BB1:bb[0-9]*]](%pending, %token : !tmem.pending<vector<16xf32>>, !tmem.token), ^[[BB2:bb[0-9]*]](%token : !tmem.token)
  cf.cond_br %c, ^bb1(%0, %1 : !pending, !tmem.token), ^bb2(%1 : !tmem.token)
^bb1(%2: !pending, %3: !tmem.token):
  %4 = tmem.load %view registers(#threads) atom(<32x32b, x16>) scope(warpgroup) : !d -> !pending
  %5 = arith.select %c, %2, %4 : !pending
  // CHECK: cf.br ^bb{{[0-9]}}(%{{.*}} : !tmem.pending<vector<16xf32>>)
  cf.br ^bb3(%5 : !pending)
^bb2(%6: !tmem.token):
  tmem.wait_store %6
  return %source : vector<16xf32>
^bb3(%7: !pending):
  // CHECK: cf.switch
  // CHECK: default: ^bb{{[0-9]}}(%{{.*}} : !tmem.pending<vector<16xf32>>),
  // CHECK: 3: ^bb{{[0-9]}}(%{{.*}} : !tmem.pending<vector<16xf32>>)
  cf.switch %flag : i32, [
    default: ^bb4(%7 : !pending),
    3: ^bb5(%7 : !pending)
  ]
^bb4(%8: !pending):
  %9 = tmem.wait_load %8 : !pending
  return %9 : vector<16xf32>
^bb5(%10: !pending):
  %11 = tmem.wait_load %10 : !pending
  return %source : vector<16xf32>
}
