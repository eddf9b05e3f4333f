// Reads and writes that tmem-insert-waits has not seen wait at once.

// RUN: tmem-opt %s --convert-tmem-to-nvvm | FileCheck %s
// RUN: tmem-opt %s --convert-to-llvm --reconcile-unrealized-casts | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%tmem_plugin --convert-to-llvm --reconcile-unrealized-casts | FileCheck %s

!view = !tmem.view<128x4xf32, #tmem.layout<(128, 4) : (1@tlane, 1@tcol)>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>
!words = !tmem.view<128x2xi32, #tmem.layout<(128, 2) : (1@tlane, 1@tcol)>>
#two = #tmem.layout<(128, 2) : (1@tid, 1@reg)>

// CHECK-LABEL: @transfers(
// CHECK: "llvm.nvvm.tcgen05.ld.32x32b.x4"
// CHECK-NOT: nvvm.tcgen05.
// CHECK: "llvm.nvvm.tcgen05.wait.ld"
// CHECK-NOT: nvvm.tcgen05.
// CHECK: "llvm.nvvm.tcgen05.st.32x32b.x4"
// CHECK-NOT: nvvm.tcgen05.
// CHECK: "llvm.nvvm.tcgen05.wait.st"
// CHECK-NOT: nvvm.tcgen05.
// CHECK: return
func.func @transfers(%base: i32) {
  %mem = tmem.view %base : !view
  %x = tmem.read %mem registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : !view -> vector<4xf32>
  tmem.write %x, %mem registers(#regs) atom(<32x32b, x4>) scope(warpgroup) : vector<4xf32>, !view
  return
}

// CHECK-LABEL: @words(
// CHECK: llvm.nvvm.tcgen05.ld.32x32b.x2
// CHECK-NOT: llvm.nvvm.tcgen05.st
// CHECK: llvm.nvvm.tcgen05.wait.ld
// CHECK: llvm.nvvm.tcgen05.st.32x32b.x2
// CHECK: llvm.nvvm.tcgen05.wait.st
func.func @words(%base: i32) {
  %mem = tmem.view %base : !words
  %v = tmem.read %mem registers(#two) atom(<32x32b, x2>) scope(warpgroup) : !words -> vector<2xi32>
  tmem.write %v, %mem registers(#two) atom(<32x32b, x2>) scope(warpgroup) : vector<2xi32>, !words
  return
}
