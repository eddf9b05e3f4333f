// RUN: tmem-opt %s --tmem-select-atoms=max-live-registers=40 -split-input-file -verify-diagnostics -o /dev/null
// RUN: tmem-opt %s --tmem-select-atoms=max-live-registers=40 -split-input-file 2>/dev/null | FileCheck %s

// Chunks of a chain take turns. So nothing that is stored may be loaded again, by
// a load of which no chunk may come before the last one is stored.

// CHECK-LABEL: func @stored_and_loaded(
// CHECK: tmem.store {{.*}} : vector<64xf32>
!x = !tmem.view<128x64xf32, #tmem.datapath<D>>
!y = !tmem.view<128x64xf32, #tmem.layout<(128, 64) : (1@tlane, 1@tcol) + (64@tcol)>>
!p = !tmem.pending<vector<64xf32>>
func.func @stored_and_loaded(%base: i32) {
  %x = tmem.view %base : !x
  %y = tmem.view %base : !y
  // expected-remark@+1 {{keeps 128 registers live at once: expected loads before the stores to their cells, but got one that loads what was stored before}}
  %p1 = tmem.load %x scope(warpgroup) : !x -> !p
  %v1 = tmem.wait_load %p1 : !p
  %d = arith.addf %v1, %v1 : vector<64xf32>
  %t1 = tmem.store %d, %y scope(warpgroup) : vector<64xf32>, !y
  tmem.wait_store %t1
  // expected-note@+1 {{go on with the vector that was stored}}
  %p2 = tmem.load %y scope(warpgroup) : !y -> !p
  %v2 = tmem.wait_load %p2 : !p
  %s = arith.addf %v1, %v2 : vector<64xf32>
  %t2 = tmem.store %s, %x scope(warpgroup) : vector<64xf32>, !x
  tmem.wait_store %t2
  return
}

// -----

// The wait between two stores would move behind both.
!x = !tmem.view<128x64xf32, #tmem.datapath<D>>
!half = !tmem.view<128x64xf32, #tmem.layout<(128, 64) : (1@tlane, 1@tcol) + (63@tcol)>>
!p = !tmem.pending<vector<64xf32>>
func.func @stored_twice(%base: i32) {
  %x = tmem.view %base : !x
  %y = tmem.view %base : !half
  // expected-remark@+1 {{expected stores to different cells, but got a second one to some}}
  %p = tmem.load %x scope(warpgroup) : !x -> !p
  %v = tmem.wait_load %p : !p
  %t1 = tmem.store %v, %x scope(warpgroup) : vector<64xf32>, !x
  tmem.wait_store %t1
  %d = arith.addf %v, %v : vector<64xf32>
  // expected-note@+1 {{leave the first store out}}
  %t2 = tmem.store %d, %y scope(warpgroup) : vector<64xf32>, !half
  tmem.wait_store %t2
  return
}

// -----

// One view, but two offsets.
!ring = !tmem.view<3x128x64xf32, #tmem.layout<(3, 128, 64) : (64@tcol, 1@tlane, 1@tcol)>>
!w = !tmem.view<1x128x64xf32, #tmem.layout<(1, 128, 64) : (64@tcol, 1@tlane, 1@tcol)>>
!p = !tmem.pending<vector<64xf32>>
func.func @two_offsets(%base: i32, %i: index, %j: index) {
  %r = tmem.view %base : !ring
  %w = tmem.subview %r[%i, 0, 0] [1, 128, 64] : !ring to !w
  %w2 = tmem.subview %r[%j, 0, 0] [1, 128, 64] : !ring to !w
  // expected-remark@+1 {{expected tiles of which is known whether they overlap, but got one that may overlap with another one}}
  %x = tmem.load %w scope(warpgroup) : !w -> !p
  %v = tmem.wait_load %x : !p
  // expected-note@+1 {{use one dynamic offset for both windows, or offsets that are known}}
  %t = tmem.store %v, %w2 scope(warpgroup) : vector<64xf32>, !w
  tmem.wait_store %t
  return
}

// -----

// One offset: each window is where the other one is.
// CHECK-LABEL: func @one_offset(
// CHECK-COUNT-8: tmem.store {{.*}} vector<8xf32>
!ring = !tmem.view<3x128x64xf32, #tmem.layout<(3, 128, 64) : (64@tcol, 1@tlane, 1@tcol)>>
!w = !tmem.view<1x128x64xf32, #tmem.layout<(1, 128, 64) : (64@tcol, 1@tlane, 1@tcol)>>
!p = !tmem.pending<vector<64xf32>>
func.func @one_offset(%base: i32, %i: index) {
  %r = tmem.view %base : !ring
  %w = tmem.subview %r[%i, 0, 0] [1, 128, 64] : !ring to !w
  %w2 = tmem.subview %r[%i, 0, 0] [1, 128, 64] : !ring to !w
  %x = tmem.load %w scope(warpgroup) : !w -> !p
  %v = tmem.wait_load %x : !p
  %t = tmem.store %v, %w2 scope(warpgroup) : vector<64xf32>, !w
  tmem.wait_store %t
  return
}

// -----

// A base below the other one: no column is shared.
// CHECK-LABEL: func @below(
// CHECK-COUNT-8: tmem.store {{.*}} vector<8xf32>
!x = !tmem.view<128x64xf32, #tmem.datapath<D>>
!p = !tmem.pending<vector<64xf32>>
func.func @below(%base: i32) {
  %c-64 = arith.constant -64 : i32
  %before = arith.addi %base, %c-64 : i32
  %from = tmem.view %base : !x
  %to = tmem.view %before : !x
  %x = tmem.load %from scope(warpgroup) : !x -> !p
  %v = tmem.wait_load %x : !p
  %t = tmem.store %v, %to scope(warpgroup) : vector<64xf32>, !x
  tmem.wait_store %t
  return
}

// -----

// What nobody stores may have operands from behind the last store.
// CHECK-LABEL: func @dead_behind(
// CHECK: tmem.store {{.*}} : vector<8xf32>
// CHECK-NOT: arith.mulf
// CHECK: return
!x = !tmem.view<128x64xf32, #tmem.datapath<D>>
!p = !tmem.pending<vector<64xf32>>
func.func @dead_behind(%view: !x, %in: memref<64xf32>) {
  %p = tmem.load %view scope(warpgroup) : !x -> !p
  %v = tmem.wait_load %p : !p
  %t = tmem.store %v, %view scope(warpgroup) : vector<64xf32>, !x
  %c0 = arith.constant 0 : index
  %late = vector.load %in[%c0] : memref<64xf32>, vector<64xf32>
  %a = arith.mulf %v, %late : vector<64xf32>
  %b = arith.mulf %a, %late : vector<64xf32>
  tmem.wait_store %t
  return
}

// -----

// Assembly that MLIR takes for pure, but not LLVM, which keeps it between accesses.
!x = !tmem.view<128x64xf32, #tmem.datapath<D>>
!p = !tmem.pending<vector<64xf32>>
func.func @assembly_arrives(%view: !x, %bar: !llvm.ptr<3>) {
  // expected-remark@+1 {{keeps 64 registers live at once: expected nothing that may order or change memory between the load and the last store}}
  %p = tmem.load %view scope(warpgroup) : !x -> !p
  %v = tmem.wait_load %p : !p
  // expected-note@+1 {{move it}}
  %s = llvm.inline_asm "mbarrier.arrive.shared::cta.b64 $0, [$1];", "=l,r,~{memory}" %bar : (!llvm.ptr<3>) -> i64
  %t = tmem.store %v, %view scope(warpgroup) : vector<64xf32>, !x
  tmem.wait_store %t
  return
}

// -----

// CHECK-LABEL: func @assembly_adds(
// CHECK-COUNT-8: tmem.store {{.*}} vector<8xf32>
!x = !tmem.view<128x64xf32, #tmem.datapath<D>>
!p = !tmem.pending<vector<64xf32>>
func.func @assembly_adds(%view: !x, %n: i32) {
  %p = tmem.load %view scope(warpgroup) : !x -> !p
  %v = tmem.wait_load %p : !p
  %s = llvm.inline_asm "add.u32 $0, $1, 5;", "=r,r" %n : (i32) -> i32
  %t = tmem.store %v, %view scope(warpgroup) : vector<64xf32>, !x
  tmem.wait_store %t
  return
}
