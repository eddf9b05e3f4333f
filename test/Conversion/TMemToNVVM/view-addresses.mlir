// The address of a view: its base, and where its first element is, without the slab
// of the warp.

// RUN: tmem-opt %s --convert-tmem-to-nvvm | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%tmem_plugin --convert-to-llvm --reconcile-unrealized-casts | FileCheck %s

!acc = !tmem.view<128x64xf32, #tmem.datapath<D>>
!part = !tmem.view<128x32xf32, #tmem.layout<(128, 32) : (1@tlane, 1@tcol) + (32@tcol)>>
!halves = !tmem.view<128x64xf16, #tmem.layout<(128, 64) : (1@tlane, 1@tcol)>>
!half = !tmem.view<128x32xf16, #tmem.layout<(128, 32) : (1@tlane, 1@tcol) + (32@tcol)>>
!upper = !tmem.view<64x8xf32, #tmem.datapath<F, half = 1>>

// CHECK-LABEL: @whole(
// CHECK-SAME: %[[BASE:.*]]: i32)
// CHECK-NEXT: return %[[BASE]]
func.func @whole(%base: i32) -> i32 {
  %mem = tmem.view %base : !acc
  %address = tmem.address %mem : !acc -> i32
  return %address : i32
}

// CHECK-LABEL: @window(
// CHECK-SAME: %[[BASE:.*]]: i32)
// CHECK: %[[C:.*]] = llvm.mlir.constant(32 : i32)
// CHECK: %[[SUM:.*]] = llvm.add %[[BASE]], %[[C]]
// CHECK-NEXT: return %[[SUM]]
func.func @window(%base: i32) -> i32 {
  %mem = tmem.view %base : !acc
  %part = tmem.subview %mem[0, 32] [128, 32] : !acc to !part
  %address = tmem.address %part : !part -> i32
  return %address : i32
}

// Two elements to a cell.
// CHECK-LABEL: @packed_window(
// CHECK: llvm.mlir.constant(16 : i32)
// CHECK: llvm.add
func.func @packed_window(%base: i32) -> i32 {
  %mem = tmem.view %base : !halves
  %part = tmem.subview %mem[0, 32] [128, 32] : !halves to !half
  %address = tmem.address %part : !half -> i32
  return %address : i32
}

// 16 lanes, in bits 16 and up.
// CHECK-LABEL: @lanes(
// CHECK: llvm.mlir.constant(1048576 : i32)
// CHECK: llvm.add
func.func @lanes(%base: i32) -> i32 {
  %mem = tmem.view %base : !upper
  %address = tmem.address %mem : !upper -> i32
  return %address : i32
}
