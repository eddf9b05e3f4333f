// RUN: tmem-opt %s --convert-tmem-to-nvvm | FileCheck %s
// RUN: tmem-opt %s --convert-to-llvm | FileCheck %s

// Reads and writes that are left wait at once.

#regs = #tmem.layout<(128, 2) : (1@tid, 1@reg)>
!acc = !tmem.view<128x2xi32, #tmem.layout<(128, 2) : (1@tlane, 1@tcol)>>

// CHECK-LABEL: @direct
// CHECK: llvm.nvvm.tcgen05.ld.32x32b.x2
// CHECK-NOT: llvm.nvvm.tcgen05.st
// CHECK: llvm.nvvm.tcgen05.wait.ld
// CHECK: llvm.nvvm.tcgen05.st.32x32b.x2
// CHECK: llvm.nvvm.tcgen05.wait.st
func.func @direct(%base: i32) {
  %mem = tmem.view %base : !acc
  %v = tmem.read %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup) : !acc -> vector<2xi32>
  tmem.write %v, %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup) : vector<2xi32>, !acc
  return
}
