// The address of a view, and what is known of it.

// RUN: tmem-opt %s --verify-roundtrip
// RUN: tmem-opt %s | FileCheck %s
// RUN: tmem-opt %s --canonicalize --mlir-print-local-scope | FileCheck %s --check-prefix=CANON

!acc = !tmem.view<128x64xf32, #tmem.datapath<D>>
!part = !tmem.view<128x32xf32, #tmem.layout<(128, 32) : (1@tlane, 1@tcol) + (32@tcol)>>
!upper = !tmem.view<64x8xf32, #tmem.datapath<F, half = 1>>
!grouped = !tmem.view<4x32x64xf32, #tmem.layout<(128, 64) : (1@tlane, 1@tcol)>>

// CHECK-LABEL: func @syntax(
// CHECK: %address = tmem.address %{{.*}} : !view{{.*}} -> i32
// CANON-LABEL: func @syntax(
// CANON: tmem.address
func.func @syntax(%mem: !acc) -> i32 {
  %address = tmem.address %mem : !acc -> i32
  return %address : i32
}

// CANON-LABEL: func @of_base(
// CANON-SAME: %[[BASE:.*]]: i32
// CANON-NEXT: return %[[BASE]]
func.func @of_base(%base: i32) -> i32 {
  %mem = tmem.view %base : !acc
  %rows = tmem.rearrange %mem "(w r) c -> w r c" sizes(w = 4) : !acc to !grouped
  %address = tmem.address %rows : !grouped -> i32
  return %address : i32
}

// The first cell is not at the base.
// CANON-LABEL: func @of_part(
// CANON: tmem.address
// CANON: tmem.address
func.func @of_part(%base: i32) -> (i32, i32) {
  %part = tmem.view %base : !part
  %upper = tmem.view %base : !upper
  %a = tmem.address %part : !part -> i32
  %b = tmem.address %upper : !upper -> i32
  return %a, %b : i32, i32
}

// CANON-LABEL: func @there_and_back(
// CANON-SAME: %[[MEM:.*]]: !tmem.view<128x64
// CANON-NEXT: return %[[MEM]]
func.func @there_and_back(%mem: !acc) -> !acc {
  %address = tmem.address %mem : !acc -> i32
  %again = tmem.view %address : !acc
  return %again : !acc
}

// CANON-LABEL: func @other_type(
// CANON: tmem.view
func.func @other_type(%mem: !acc) -> !tmem.view<128x64xi32, #tmem.datapath<D>> {
  %address = tmem.address %mem : !acc -> i32
  %again = tmem.view %address : !tmem.view<128x64xi32, #tmem.datapath<D>>
  return %again : !tmem.view<128x64xi32, #tmem.datapath<D>>
}

// Pure: nobody misses one that is not used.
// CANON-LABEL: func @unused(
// CANON-NEXT: return
func.func @unused(%mem: !part) {
  %address = tmem.address %mem : !part -> i32
  return
}
