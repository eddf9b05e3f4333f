// RUN: tmem-opt %s --convert-tmem-to-nvvm | FileCheck %s

// Views are addresses, and pass where any value passes.

!view = !tmem.view<128x2xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 2) : (1@tid, 1@reg)>

// CHECK-LABEL: func @execute_region(
// CHECK-SAME: %[[A:.*]]: i32, %[[B:.*]]: i32, %{{.*}}: i1)
// CHECK: %[[R:.*]] = scf.execute_region -> i32
// CHECK: scf.yield %{{.*}} : i32
// CHECK: llvm.add %[[R]],
func.func @execute_region(%a: i32, %b: i32, %c: i1) -> vector<2xf32> {
  %x = tmem.view %a : !view
  %y = tmem.view %b : !view
  %r = scf.execute_region -> !view {
    cf.cond_br %c, ^one, ^two
  ^one:
    scf.yield %x : !view
  ^two:
    scf.yield %y : !view
  }
  %p = tmem.load %r registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
      : !view -> !tmem.pending<vector<2xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<2xf32>>
  return %v : vector<2xf32>
}

// CHECK-LABEL: func @switch(
// CHECK-SAME: %[[A:.*]]: i32, %[[B:.*]]: i32, %[[FLAG:.*]]: i32)
// CHECK: cf.switch %[[FLAG]] : i32, [
// CHECK-NEXT: default: ^[[END:bb[0-9]+]](%[[A]] : i32),
// CHECK-NEXT: 1: ^[[END]](%[[B]] : i32)
// CHECK: ^[[END]](%[[BASE:.*]]: i32):
// CHECK: llvm.add %[[BASE]],
func.func @switch(%a: i32, %b: i32, %flag: i32) -> vector<2xf32> {
  %x = tmem.view %a : !view
  %y = tmem.view %b : !view
  cf.switch %flag : i32, [
    default: ^end(%x : !view),
    1: ^end(%y : !view)
  ]
^end(%z: !view):
  %p = tmem.load %z registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
      : !view -> !tmem.pending<vector<2xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<2xf32>>
  return %v : vector<2xf32>
}
