// Operations of dialects that are not loaded are passed over.

// RUN: tmem-opt %s --allow-unregistered-dialect --tmem-check-hazards=undecided=error | FileCheck %s

// CHECK-LABEL: func.func @unregistered(
// CHECK: "other.use"
func.func @unregistered(%base: i32) {
  %mem = tmem.view %base : !tmem.view<128x8xi32, #tmem.datapath<D>>
  "other.use"(%mem) : (!tmem.view<128x8xi32, #tmem.datapath<D>>) -> ()
  return
}
