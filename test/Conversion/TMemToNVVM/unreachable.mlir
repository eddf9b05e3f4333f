// RUN: tmem-opt %s --convert-tmem-to-nvvm | FileCheck %s

// Blocks that nothing reaches are left out: a dialect conversion does not convert
// them. Operations may come before what they use there.

!d = !tmem.view<128x64xf32, #tmem.datapath<D>>
!p = !tmem.pending<vector<64xf32>>
#regs = #tmem.layout<(128, 64) : (1@tid, 1@reg)>

// CHECK-LABEL: func @unreachable(
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @unreachable(%m: !d) {
  return
^dead:
  %x = tmem.load %m registers(#regs) atom(<32x32b, x64>) scope(warpgroup) : !d -> !p
  %v = tmem.wait_load %x : !p
  tmem.wait_store %t
  %t = tmem.store %v, %m registers(#regs) atom(<32x32b, x64>) scope(warpgroup) : vector<64xf32>, !d
  cf.br ^dead
}
