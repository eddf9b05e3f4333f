// RUN: tmem-opt %s --convert-tmem-to-nvvm | FileCheck %s

// A view is an i32 address, in signatures too. Pending values and tokens do not
// leave their function.

!view = !tmem.view<128x4xf32, #tmem.layout<(128, 4) : (1@tlane, 1@tcol)>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

// CHECK-LABEL: func private @declared(i32) -> i32
func.func private @declared(!view) -> !view

// CHECK-LABEL: func @argument(
// CHECK-SAME: %[[BASE:.*]]: i32, %{{.*}}: vector<4xf32>) -> i32
// CHECK: llvm.add %[[BASE]]
// CHECK: return %[[BASE]] : i32
func.func @argument(%mem: !view, %src: vector<4xf32>) -> !view {
  %t = tmem.store %src, %mem registers(#regs) atom(<32x32b, x4>)
      scope(warpgroup) : vector<4xf32>, !view
  tmem.wait_store %t
  return %mem : !view
}

// CHECK-LABEL: func @caller(
// CHECK-SAME: %[[BASE:.*]]: i32, %[[SRC:.*]]: vector<4xf32>) -> i32
// CHECK-NEXT: %[[A:.*]] = call @argument(%[[BASE]], %[[SRC]]) : (i32, vector<4xf32>) -> i32
// CHECK-NEXT: %[[B:.*]] = call @declared(%[[A]]) : (i32) -> i32
// CHECK-NEXT: return %[[B]] : i32
func.func @caller(%base: i32, %src: vector<4xf32>) -> !view {
  %mem = tmem.view %base : !view
  %a = call @argument(%mem, %src) : (!view, vector<4xf32>) -> !view
  %b = call @declared(%a) : (!view) -> !view
  return %b : !view
}

// CHECK-LABEL: gpu.func @kernel(
// CHECK-SAME: %[[BASE:.*]]: i32)
// CHECK-SAME: workgroup(%{{.*}} : memref
// CHECK: func.call @take(%[[BASE]]) : (i32) -> ()
gpu.module @kernels {
  func.func private @take(!view)
  gpu.func @kernel(%mem: !view)
      workgroup(%slot: memref<1xi32, #gpu.address_space<workgroup>>) kernel {
    func.call @take(%mem) : (!view) -> ()
    gpu.return
  }
}

// Through control flow as well.

// CHECK-LABEL: func @if_of_views(
// CHECK: %[[BASE:.*]] = scf.if %{{.*}} -> (i32)
// CHECK: return %[[BASE]] : i32
func.func @if_of_views(%c: i1, %a: !view, %b: !view) -> !view {
  %r = scf.if %c -> (!view) {
    scf.yield %a : !view
  } else {
    scf.yield %b : !view
  }
  return %r : !view
}

// CHECK-LABEL: func @loop_of_views(
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) -> (i32, i32)
// CHECK: scf.yield %[[B]], %[[A]] : i32, i32
func.func @loop_of_views(%n: index, %a: !view, %b: !view) -> !view {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b)
      -> (!view, !view) {
    scf.yield %y, %x : !view, !view
  }
  return %r#0 : !view
}

// CHECK-LABEL: func @branch_of_views(
// CHECK: cf.br ^[[BLOCK:.*]](%{{.*}} : i32)
// CHECK: ^[[BLOCK]](%[[BASE:.*]]: i32):
// CHECK: return %[[BASE]] : i32
func.func @branch_of_views(%c: i1, %a: !view, %b: !view) -> !view {
  %r = arith.select %c, %a, %b : !view
  cf.br ^bb1(%r : !view)
^bb1(%x: !view):
  return %x : !view
}
