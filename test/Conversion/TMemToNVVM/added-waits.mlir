// RUN: tmem-opt %s --convert-tmem-to-nvvm -split-input-file -verify-diagnostics | FileCheck %s

// Where handing a pending value on may copy its registers, the lowering waits
// first and says so.

!view = !tmem.view<128x2xf32, #tmem.layout<(128, 2) : (1@tlane, 1@tcol)>>
!pending = !tmem.pending<vector<2xf32>>
#regs = #tmem.layout<(128, 2) : (1@tid, 1@reg)>

// One wait for both sides.

// CHECK-LABEL: func @select(
// CHECK: wait.ld
// CHECK: %[[COPIES:.*]] = llvm.inline_asm has_side_effects "mov.b32 $0, $4;
// CHECK-COUNT-4: llvm.extractvalue %[[COPIES]]
// CHECK-COUNT-2: llvm.select
// CHECK: wait.ld
// CHECK-NOT: wait.ld
func.func @select(%base: i32, %c: i1) -> vector<2xf32> {
  %mem = tmem.view %base : !view
  %a = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
      : !view -> !pending
  %b = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
      : !view -> !pending
  // expected-remark @below {{waits for pending loads here, since passing them on copies their registers}}
  %p = arith.select %c, %a, %b : !pending
  %v = tmem.wait_load %p : !pending
  return %v : vector<2xf32>
}

// -----

!view = !tmem.view<128x2xf32, #tmem.layout<(128, 2) : (1@tlane, 1@tcol)>>
!pending = !tmem.pending<vector<2xf32>>
#regs = #tmem.layout<(128, 2) : (1@tid, 1@reg)>

// Each arm yields one of two values that are both alive before.

// CHECK-LABEL: func @if_of_outer_values(
// CHECK: scf.if
// CHECK: wait.ld
// CHECK: } else {
// CHECK: wait.ld
func.func @if_of_outer_values(%base: i32, %c: i1) -> vector<2xf32> {
  %mem = tmem.view %base : !view
  %a = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
      : !view -> !pending
  %b = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
      : !view -> !pending
  %p = scf.if %c -> (!pending) {
    // expected-remark @below {{waits for pending loads here}}
    scf.yield %a : !pending
  } else {
    // expected-remark @below {{waits for pending loads here}}
    scf.yield %b : !pending
  }
  %v = tmem.wait_load %p : !pending
  return %v : vector<2xf32>
}

// -----

!view = !tmem.view<128x2xf32, #tmem.layout<(128, 2) : (1@tlane, 1@tcol)>>
!pending = !tmem.pending<vector<2xf32>>
#regs = #tmem.layout<(128, 2) : (1@tid, 1@reg)>

// Two arguments of one web: what enters the loop is waited for as well, since
// LLVM may copy it at the loop's start.

// CHECK-LABEL: func @rotation(
// CHECK: wait.ld
// CHECK: scf.for
func.func @rotation(%base: i32, %n: index, %out: memref<?x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %mem = tmem.view %base : !view
  %a = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
      : !view -> !pending
  %b = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
      : !view -> !pending
  // expected-remark @below {{waits for pending loads here}}
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b)
      -> (!pending, !pending) {
    %v = tmem.wait_load %p : !pending
    vector.store %v, %out[%i, %c0] : memref<?x2xf32>, vector<2xf32>
    %next = tmem.load %mem registers(#regs) atom(<32x32b, x2>)
        scope(warpgroup) : !view -> !pending
    // expected-remark @below {{waits for pending loads here}}
    scf.yield %q, %next : !pending, !pending
  }
  %v, %w = tmem.wait_load %r#0, %r#1 : !pending, !pending
  vector.store %v, %out[%n, %c0] : memref<?x2xf32>, vector<2xf32>
  vector.store %w, %out[%n, %c0] : memref<?x2xf32>, vector<2xf32>
  return
}

// -----

!view = !tmem.view<128x2xf32, #tmem.layout<(128, 2) : (1@tlane, 1@tcol)>>
!pending = !tmem.pending<vector<2xf32>>
#regs = #tmem.layout<(128, 2) : (1@tid, 1@reg)>

// The next load is issued while the argument is still pending: it cannot go to
// the argument's registers. The wait for the argument covers it anyway.

func.func @load_before_wait(%base: i32, %n: index, %out: memref<?x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %mem = tmem.view %base : !view
  %a = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
      : !view -> !pending
  // expected-remark @below {{waits for pending loads here}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (!pending) {
    %next = tmem.load %mem registers(#regs) atom(<32x32b, x2>)
        scope(warpgroup) : !view -> !pending
    %v = tmem.wait_load %p : !pending
    vector.store %v, %out[%i, %c0] : memref<?x2xf32>, vector<2xf32>
    // expected-remark @below {{waits for pending loads here}}
    scf.yield %next : !pending
  }
  %v = tmem.wait_load %r : !pending
  vector.store %v, %out[%n, %c0] : memref<?x2xf32>, vector<2xf32>
  return
}

// -----

!view = !tmem.view<128x2xf32, #tmem.layout<(128, 2) : (1@tlane, 1@tcol)>>
!pending = !tmem.pending<vector<2xf32>>
#regs = #tmem.layout<(128, 2) : (1@tid, 1@reg)>

// An inner loop that starts with a value from outside of the outer loop, which
// the second round needs again.

func.func @init_from_outside(%base: i32, %n: index, %out: memref<?x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %mem = tmem.view %base : !view
  %a = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
      : !view -> !pending
  scf.for %i = %c0 to %n step %c1 {
    // expected-remark @below {{waits for pending loads here}}
    %r = scf.for %j = %c0 to %n step %c1 iter_args(%p = %a) -> (!pending) {
      %v = tmem.wait_load %p : !pending
      vector.store %v, %out[%i, %c0] : memref<?x2xf32>, vector<2xf32>
      %next = tmem.load %mem registers(#regs) atom(<32x32b, x2>)
          scope(warpgroup) : !view -> !pending
      // expected-remark @below {{waits for pending loads here}}
      scf.yield %next : !pending
    }
    %v = tmem.wait_load %r : !pending
    vector.store %v, %out[%n, %c0] : memref<?x2xf32>, vector<2xf32>
  }
  return
}

// -----

!view = !tmem.view<128x2xf32, #tmem.layout<(128, 2) : (1@tlane, 1@tcol)>>
!pending = !tmem.pending<vector<2xf32>>
#regs = #tmem.layout<(128, 2) : (1@tid, 1@reg)>

// Blocks that swap their arguments.

func.func @swap(%base: i32, %c: i1) -> vector<2xf32> {
  %mem = tmem.view %base : !view
  %a = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
      : !view -> !pending
  %b = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
      : !view -> !pending
  // expected-remark @below {{waits for pending loads here}}
  cf.br ^loop(%a, %b : !pending, !pending)
^loop(%p: !pending, %q: !pending):
  // expected-remark @below {{waits for pending loads here}}
  cf.cond_br %c, ^loop(%q, %p : !pending, !pending), ^end
^end:
  %v, %w = tmem.wait_load %p, %q : !pending, !pending
  return %v : vector<2xf32>
}

// -----

!view = !tmem.view<128x2xf32, #tmem.layout<(128, 2) : (1@tlane, 1@tcol)>>
!pending = !tmem.pending<vector<2xf32>>
#regs = #tmem.layout<(128, 2) : (1@tid, 1@reg)>

// A loop that starts with a value which is waited for after it as well.

func.func @used_after_loop(%base: i32, %n: index) -> (vector<2xf32>, vector<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %mem = tmem.view %base : !view
  %a = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
      : !view -> !pending
  // expected-remark @below {{waits for pending loads here}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (!pending) {
    %v = tmem.wait_load %p : !pending
    %next = tmem.load %mem registers(#regs) atom(<32x32b, x2>)
        scope(warpgroup) : !view -> !pending
    // expected-remark @below {{waits for pending loads here}}
    scf.yield %next : !pending
  }
  %v, %w = tmem.wait_load %a, %r : !pending, !pending
  return %v, %w : vector<2xf32>, vector<2xf32>
}

// -----

!view = !tmem.view<128x2xf32, #tmem.layout<(128, 2) : (1@tlane, 1@tcol)>>
!pending = !tmem.pending<vector<2xf32>>
#regs = #tmem.layout<(128, 2) : (1@tid, 1@reg)>

// A select of the value that a loop carries becomes the next one: its copies are
// written while the loop's registers are still read, so those are copied.

func.func @select_in_loop(%base: i32, %c: i1) -> vector<2xf32> {
  %mem = tmem.view %base : !view
  %a = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
      : !view -> !pending
  // expected-remark @below {{waits for pending loads here}}
  %r = scf.while (%p = %a) : (!pending) -> !pending {
    // expected-remark @below {{waits for pending loads here}}
    scf.condition(%c) %p : !pending
  } do {
  ^bb0(%q: !pending):
    %b = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
        : !view -> !pending
    // expected-remark @below {{waits for pending loads here}}
    %s = arith.select %c, %b, %q : !pending
    // expected-remark @below {{waits for pending loads here}}
    scf.yield %s : !pending
  }
  %v = tmem.wait_load %r : !pending
  return %v : vector<2xf32>
}
