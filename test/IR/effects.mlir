// RUN: tmem-opt %s --allow-unregistered-dialect --loop-invariant-code-motion | FileCheck %s --check-prefixes=CHECK,LICM
// RUN: tmem-opt %s --allow-unregistered-dialect --control-flow-sink | FileCheck %s --check-prefixes=CHECK,SINK

!d = !tmem.view<128x8xf32, #tmem.datapath<D>>
!half = !tmem.view<128x4xf32, #tmem.datapath<D>>
!pending = !tmem.pending<vector<4xf32>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

// Views are addresses: these do move.
// CHECK-LABEL: func @views_leave_loop(
// LICM: tmem.view
// LICM-NEXT: tmem.subview
// LICM-NEXT: tmem.rearrange
// LICM-NEXT: scf.for
func.func @views_leave_loop(%base: i32, %n: index, %j: index) {
  scf.for %i = %n to %n step %n {
    %0 = tmem.view %base : !d
    %1 = tmem.subview %0[0, %j] [128, 4] : !d to !half
    %2 = tmem.rearrange %1 "(w r) c -> w r c" sizes(w = 4) : !half to !tmem.view<4x32x4xf32, #tmem.layout<(128, 4) : (1@tlane, 1@tcol)>>
    "test.use"(%2) : (!tmem.view<4x32x4xf32, #tmem.layout<(128, 4) : (1@tlane, 1@tcol)>>) -> ()
  }
  return
}

// CHECK-LABEL: func @transfers_stay_in_loop(
// CHECK: scf.for
// CHECK-NEXT: tmem.load
// CHECK-NEXT: tmem.wait_load
// CHECK-NEXT: tmem.store
// CHECK-NEXT: tmem.wait_store
// CHECK-NEXT: }
func.func @transfers_stay_in_loop(%view: !half, %source: vector<4xf32>, %n: index) {
  scf.for %i = %n to %n step %n {
    %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !half -> !pending
    %1 = tmem.wait_load %0 : !pending
    %2 = tmem.store %source, %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : vector<4xf32>, !half
    tmem.wait_store %2
  }
  return
}

// Not even where nothing in the loop writes.
// CHECK-LABEL: func @load_alone_stays_in_loop(
// CHECK: scf.for
// CHECK-NEXT: tmem.load
// CHECK-NEXT: tmem.wait_load
func.func @load_alone_stays_in_loop(%view: !half, %n: index) {
  scf.for %i = %n to %n step %n {
    %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !half -> !pending
    %1 = tmem.wait_load %0 : !pending
    "test.use"(%1) : (vector<4xf32>) -> ()
  }
  return
}

// CHECK-LABEL: func @allocation_stays_in_loop(
// CHECK: scf.for
// CHECK-NEXT: tmem.alloc
// CHECK-NEXT: tmem.fence before
// CHECK-NEXT: tmem.fence after
// CHECK-NEXT: tmem.dealloc
// CHECK-NEXT: tmem.relinquish_alloc_permit
func.func @allocation_stays_in_loop(%slot: !llvm.ptr<3>, %base: i32, %n: index) {
  scf.for %i = %n to %n step %n {
    tmem.alloc %slot, 32 : !llvm.ptr<3>
    tmem.fence before
    tmem.fence after
    tmem.dealloc %base, 32
    tmem.relinquish_alloc_permit
  }
  return
}

// CHECK-LABEL: func @views_sink(
// SINK-NEXT: scf.if
// SINK-NEXT: tmem.view
func.func @views_sink(%base: i32, %c: i1) {
  %0 = tmem.view %base : !d
  scf.if %c {
    "test.use"(%0) : (!d) -> ()
  }
  return
}

// All threads of the scope issue a transfer together, whatever uses it.
// CHECK-LABEL: func @transfers_do_not_sink(
// CHECK-NEXT: %[[P:.*]] = tmem.load
// CHECK-NEXT: %[[T:.*]] = tmem.store
// CHECK-NEXT: %[[V:.*]] = tmem.wait_load %[[P]]
// CHECK-NEXT: scf.if
// CHECK-NEXT: tmem.wait_store %[[T]]
// CHECK-NEXT: "test.use"(%[[V]])
func.func @transfers_do_not_sink(%view: !half, %source: vector<4xf32>, %c: i1) {
  %0 = tmem.load %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !half -> !pending
  %1 = tmem.store %source, %view registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : vector<4xf32>, !half
  %2 = tmem.wait_load %0 : !pending
  scf.if %c {
    tmem.wait_store %1
    "test.use"(%2) : (vector<4xf32>) -> ()
  }
  return
}
