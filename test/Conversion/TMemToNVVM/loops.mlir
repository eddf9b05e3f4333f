// RUN: tmem-opt %s --convert-tmem-to-nvvm 2>&1 | FileCheck %s --implicit-check-not=remark

// Pending values are words in loops too. Where all words of a loop can share one
// set of registers no wait is added.

!view = !tmem.view<128x2xf32, #tmem.layout<(128, 2) : (1@tlane, 1@tcol)>>
!pending = !tmem.pending<vector<2xf32>>
#regs = #tmem.layout<(128, 2) : (1@tid, 1@reg)>

// CHECK-LABEL: func @pipelined_for(
// CHECK: %[[PIN:.*]] = llvm.inline_asm has_side_effects ""
// CHECK: %[[P0:.*]] = llvm.extractvalue %[[PIN]][0]
// CHECK: %[[P1:.*]] = llvm.extractvalue %[[PIN]][1]
// CHECK: %[[LAST:.*]]:2 = scf.for {{.*}} iter_args(%[[A0:.*]] = %[[P0]], %[[A1:.*]] = %[[P1]]) -> (i32, i32) {
// CHECK:   wait.ld
// CHECK:   llvm.inline_asm has_side_effects "mov.b32 {{.*}} %[[A0]], %[[A1]]
// CHECK:   %[[PIN:.*]] = llvm.inline_asm has_side_effects ""
// CHECK:   %[[N0:.*]] = llvm.extractvalue %[[PIN]][0]
// CHECK:   %[[N1:.*]] = llvm.extractvalue %[[PIN]][1]
// CHECK:   scf.yield %[[N0]], %[[N1]] : i32, i32
// CHECK: }
// CHECK: wait.ld
// CHECK: llvm.inline_asm has_side_effects "mov.b32 {{.*}} %[[LAST]]#0, %[[LAST]]#1
// CHECK-NOT: wait.ld
func.func @pipelined_for(%base: i32, %n: index, %out: memref<?x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %mem = tmem.view %base : !view
  %first = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
      : !view -> !pending
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%p = %first) -> (!pending) {
    %v = tmem.wait_load %p : !pending
    %next = tmem.load %mem registers(#regs) atom(<32x32b, x2>)
        scope(warpgroup) : !view -> !pending
    vector.store %v, %out[%i, %c0] : memref<?x2xf32>, vector<2xf32>
    scf.yield %next : !pending
  } {annotated}
  %v = tmem.wait_load %last : !pending
  vector.store %v, %out[%n, %c0] : memref<?x2xf32>, vector<2xf32>
  return
}

// Attributes and unsigned comparison stay.

// CHECK-LABEL: func @attributes(
// CHECK: scf.for unsigned
// CHECK: } {annotated}
func.func @attributes(%base: i32, %n: i32, %out: memref<2xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %i0 = arith.constant 0 : index
  %mem = tmem.view %base : !view
  %first = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
      : !view -> !pending
  %last = scf.for unsigned %i = %c0 to %n step %c1 iter_args(%p = %first)
      -> (!pending) : i32 {
    scf.yield %p : !pending
  } {annotated}
  %v = tmem.wait_load %last : !pending
  vector.store %v, %out[%i0] : memref<2xf32>, vector<2xf32>
  return
}

// A value that stays pending around other loads goes through as it is.

// CHECK-LABEL: func @passed_through(
// CHECK: scf.for {{.*}} iter_args(%[[A0:.*]] = %{{.*}}, %[[A1:.*]] = %{{.*}}) -> (i32, i32) {
// CHECK: wait.ld
// CHECK: scf.yield %[[A0]], %[[A1]]
func.func @passed_through(%base: i32, %n: index, %out: memref<?x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %mem = tmem.view %base : !view
  %first = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
      : !view -> !pending
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%p = %first) -> (!pending) {
    %other = tmem.load %mem registers(#regs) atom(<32x32b, x2>)
        scope(warpgroup) : !view -> !pending
    %w = tmem.wait_load %other : !pending
    vector.store %w, %out[%i, %c0] : memref<?x2xf32>, vector<2xf32>
    scf.yield %p : !pending
  }
  %v = tmem.wait_load %last : !pending
  vector.store %v, %out[%n, %c0] : memref<?x2xf32>, vector<2xf32>
  return
}

// CHECK-LABEL: func @nested_for(
// CHECK: scf.for {{.*}} iter_args(%[[OUTER:.*]] = %{{.*}}, %{{.*}} = %{{.*}}) -> (i32, i32) {
// CHECK:   %[[INNER:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[OUTER]], {{.*}}) -> (i32, i32) {
// CHECK:     wait.ld
// CHECK:   }
// CHECK:   scf.yield %[[INNER]]#0, %[[INNER]]#1
// CHECK: }
// CHECK: wait.ld
// CHECK-NOT: wait.ld
func.func @nested_for(%base: i32, %n: index, %out: memref<?x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %mem = tmem.view %base : !view
  %first = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
      : !view -> !pending
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%p = %first) -> (!pending) {
    %inner = scf.for %j = %c0 to %n step %c1 iter_args(%q = %p) -> (!pending) {
      %v = tmem.wait_load %q : !pending
      vector.store %v, %out[%j, %c0] : memref<?x2xf32>, vector<2xf32>
      %next = tmem.load %mem registers(#regs) atom(<32x32b, x2>)
          scope(warpgroup) : !view -> !pending
      scf.yield %next : !pending
    }
    scf.yield %inner : !pending
  }
  %v = tmem.wait_load %last : !pending
  vector.store %v, %out[%n, %c0] : memref<?x2xf32>, vector<2xf32>
  return
}

// CHECK-LABEL: func @pipelined_while(
// CHECK: %[[LAST:.*]]:2 = scf.while (%[[A0:.*]] = %{{.*}}, %[[A1:.*]] = %{{.*}}) : (i32, i32) -> (i32, i32) {
// CHECK:   scf.condition(%{{.*}}) %[[A0]], %[[A1]] : i32, i32
// CHECK: } do {
// CHECK: ^bb0(%[[B0:.*]]: i32, %[[B1:.*]]: i32):
// CHECK:   wait.ld
// CHECK:   llvm.inline_asm has_side_effects "mov.b32 {{.*}} %[[B0]], %[[B1]]
// CHECK:   scf.yield %{{.*}}, %{{.*}} : i32, i32
// CHECK: wait.ld
// CHECK-NOT: wait.ld
func.func @pipelined_while(%base: i32, %more: memref<i1>, %out: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %mem = tmem.view %base : !view
  %first = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
      : !view -> !pending
  %last = scf.while (%p = %first) : (!pending) -> !pending {
    %c = memref.load %more[] : memref<i1>
    scf.condition(%c) %p : !pending
  } do {
  ^bb0(%p: !pending):
    %v = tmem.wait_load %p : !pending
    vector.store %v, %out[%c0] : memref<2xf32>, vector<2xf32>
    %next = tmem.load %mem registers(#regs) atom(<32x32b, x2>)
        scope(warpgroup) : !view -> !pending
    scf.yield %next : !pending
  }
  %v = tmem.wait_load %last : !pending
  vector.store %v, %out[%c0] : memref<2xf32>, vector<2xf32>
  return
}

// A token has no words.

// CHECK-LABEL: func @store_in_flight(
// CHECK: scf.for {{.*}} {
// CHECK-NOT: iter_args
// CHECK:   wait.st
// CHECK:   "llvm.nvvm.tcgen05.st.32x32b.x2"
// CHECK: }
// CHECK: wait.st
func.func @store_in_flight(%base: i32, %n: index, %src: vector<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %mem = tmem.view %base : !view
  %first = tmem.store %src, %mem registers(#regs) atom(<32x32b, x2>)
      scope(warpgroup) : vector<2xf32>, !view
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%t = %first)
      -> (!tmem.token) {
    tmem.wait_store %t
    %next = tmem.store %src, %mem registers(#regs) atom(<32x32b, x2>)
        scope(warpgroup) : vector<2xf32>, !view
    scf.yield %next : !tmem.token
  }
  tmem.wait_store %last
  return
}
