// RUN: tmem-opt %s --convert-tmem-to-nvvm 2>&1 | FileCheck %s --implicit-check-not=remark

!view = !tmem.view<128x2xf32, #tmem.layout<(128, 2) : (1@tlane, 1@tcol)>>
!pending = !tmem.pending<vector<2xf32>>
#regs = #tmem.layout<(128, 2) : (1@tid, 1@reg)>

// CHECK-LABEL: func @load_in_each_arm(
// CHECK: %[[WORDS:.*]]:2 = scf.if %{{.*}} -> (i32, i32) {
// CHECK:   scf.yield %{{.*}}, %{{.*}} : i32, i32
// CHECK: } else {
// CHECK:   scf.yield %{{.*}}, %{{.*}} : i32, i32
// CHECK: }
// CHECK: wait.ld
// CHECK: llvm.inline_asm has_side_effects "mov.b32 {{.*}} %[[WORDS]]#0, %[[WORDS]]#1
func.func @load_in_each_arm(%base: i32, %c: i1) -> vector<2xf32> {
  %mem = tmem.view %base : !view
  %p = scf.if %c -> (!pending) {
    %a = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
        : !view -> !pending
    scf.yield %a : !pending
  } else {
    %b = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
        : !view -> !pending
    scf.yield %b : !pending
  }
  %v = tmem.wait_load %p : !pending
  return %v : vector<2xf32>
}

// One arm replaces the value, the other hands it on.

// CHECK-LABEL: func @replaced_in_one_arm(
// CHECK: %[[P0:.*]] = llvm.extractvalue
// CHECK: %[[P1:.*]] = llvm.extractvalue
// CHECK: scf.if
// CHECK: wait.ld
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[P0]], %[[P1]] : i32, i32
func.func @replaced_in_one_arm(%base: i32, %c: i1, %out: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %mem = tmem.view %base : !view
  %p = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
      : !view -> !pending
  %q = scf.if %c -> (!pending) {
    %v = tmem.wait_load %p : !pending
    vector.store %v, %out[%c0] : memref<2xf32>, vector<2xf32>
    %a = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
        : !view -> !pending
    scf.yield %a : !pending
  } else {
    scf.yield %p : !pending
  }
  %v = tmem.wait_load %q : !pending
  vector.store %v, %out[%c0] : memref<2xf32>, vector<2xf32>
  return
}

// CHECK-LABEL: func @wait_in_each_arm(
// CHECK: scf.if
// CHECK: wait.ld
// CHECK: } else {
// CHECK: wait.ld
// CHECK-NOT: wait.ld
func.func @wait_in_each_arm(%base: i32, %c: i1) -> vector<2xf32> {
  %mem = tmem.view %base : !view
  %p = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
      : !view -> !pending
  %r = scf.if %c -> (vector<2xf32>) {
    %v = tmem.wait_load %p : !pending
    scf.yield %v : vector<2xf32>
  } else {
    %v = tmem.wait_load %p : !pending
    %w = arith.mulf %v, %v : vector<2xf32>
    scf.yield %w : vector<2xf32>
  }
  return %r : vector<2xf32>
}

// CHECK-LABEL: func @index_switch(
// CHECK: scf.index_switch %{{.*}} -> i32, i32
// CHECK: case 2 {
// CHECK:   scf.yield %{{.*}}, %{{.*}} : i32, i32
// CHECK: case 5 {
// CHECK:   scf.yield %{{.*}}, %{{.*}} : i32, i32
// CHECK: default {
// CHECK:   scf.yield %{{.*}}, %{{.*}} : i32, i32
func.func @index_switch(%base: i32, %i: index) -> vector<2xf32> {
  %mem = tmem.view %base : !view
  %p = scf.index_switch %i -> !pending
  case 2 {
    %a = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
        : !view -> !pending
    scf.yield %a : !pending
  }
  case 5 {
    %b = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
        : !view -> !pending
    scf.yield %b : !pending
  }
  default {
    %c = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
        : !view -> !pending
    scf.yield %c : !pending
  }
  %v = tmem.wait_load %p : !pending
  return %v : vector<2xf32>
}

// CHECK-LABEL: func @cf_loop(
// CHECK: cf.br ^[[LOOP:.*]](%{{.*}}, %{{.*}}, %{{.*}} : index, i32, i32)
// CHECK: ^[[LOOP]](%{{.*}}: index, %[[A0:.*]]: i32, %[[A1:.*]]: i32):
// CHECK: wait.ld
// CHECK: llvm.inline_asm has_side_effects "mov.b32 {{.*}} %[[A0]], %[[A1]]
// CHECK: cf.cond_br %{{.*}}, ^[[LOOP]](%{{.*}}, %[[N0:.*]], %[[N1:.*]] : index, i32, i32), ^[[END:.*]](%[[N0]], %[[N1]] : i32, i32)
// CHECK: ^[[END]](%[[E0:.*]]: i32, %[[E1:.*]]: i32):
// CHECK: wait.ld
// CHECK: llvm.inline_asm has_side_effects "mov.b32 {{.*}} %[[E0]], %[[E1]]
func.func @cf_loop(%base: i32, %n: index, %out: memref<?x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %mem = tmem.view %base : !view
  %first = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
      : !view -> !pending
  cf.br ^loop(%c0, %first : index, !pending)
^loop(%i: index, %p: !pending):
  %v = tmem.wait_load %p : !pending
  vector.store %v, %out[%i, %c0] : memref<?x2xf32>, vector<2xf32>
  %next = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
      : !view -> !pending
  %j = arith.addi %i, %c1 : index
  %more = arith.cmpi ult, %j, %n : index
  cf.cond_br %more, ^loop(%j, %next : index, !pending), ^end(%next : !pending)
^end(%q: !pending):
  %w = tmem.wait_load %q : !pending
  vector.store %w, %out[%n, %c0] : memref<?x2xf32>, vector<2xf32>
  return
}

// CHECK-LABEL: func @tokens(
// CHECK: cf.cond_br %{{.*}}, ^[[BLOCK:.*]], ^[[BLOCK]]
// CHECK: ^[[BLOCK]]:
// CHECK: wait.st
func.func @tokens(%base: i32, %c: i1, %src: vector<2xf32>) {
  %mem = tmem.view %base : !view
  %t = tmem.store %src, %mem registers(#regs) atom(<32x32b, x2>)
      scope(warpgroup) : vector<2xf32>, !view
  %u = tmem.store %src, %mem registers(#regs) atom(<32x32b, x2>)
      scope(warpgroup) : vector<2xf32>, !view
  %s = arith.select %c, %t, %u : !tmem.token
  cf.cond_br %c, ^bb1(%s : !tmem.token), ^bb1(%t : !tmem.token)
^bb1(%r: !tmem.token):
  tmem.wait_store %r
  return
}

// CHECK-LABEL: func @cf_switch(
// CHECK: cf.switch %{{.*}} : i32, [
// CHECK-NEXT: default: ^[[END:bb[0-9]+]](%{{.*}}, %{{.*}} : i32, i32),
// CHECK-NEXT: 5: ^[[NONE:bb[0-9]+]]
// CHECK: ^[[END]](%[[W0:.*]]: i32, %[[W1:.*]]: i32):
// CHECK: wait.ld
// CHECK: llvm.inline_asm has_side_effects "mov.b32 {{.*}} %[[W0]], %[[W1]]
func.func @cf_switch(%base: i32, %flag: i32) -> vector<2xf32> {
  %mem = tmem.view %base : !view
  %a = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
      : !view -> !pending
  cf.switch %flag : i32, [
    default: ^end(%a : !pending),
    5: ^none
  ]
^none:
  %b = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
      : !view -> !pending
  cf.br ^end(%b : !pending)
^end(%p: !pending):
  %v = tmem.wait_load %p : !pending
  return %v : vector<2xf32>
}
