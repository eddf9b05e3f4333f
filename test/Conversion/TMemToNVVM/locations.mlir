// RUN: tmem-opt %s --convert-tmem-to-nvvm --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// What an operation becomes has its location.

!view = !tmem.view<128x4xf32, #tmem.layout<(128, 4) : (1@tlane, 1@tcol)>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

// CHECK-LABEL: func @locations(
// CHECK: "llvm.nvvm.tcgen05.alloc.shared.cg1"{{.*}} loc("alloc")
// CHECK: "llvm.nvvm.tcgen05.st.32x32b.x4"{{.*}} loc("store")
// CHECK: "llvm.nvvm.tcgen05.wait.st"{{.*}} loc("wait_store")
// CHECK: "llvm.nvvm.tcgen05.ld.32x32b.x4"{{.*}} loc("load")
// CHECK: llvm.inline_asm has_side_effects ""{{.*}} loc("load")
// CHECK: "llvm.nvvm.tcgen05.wait.ld"{{.*}} loc("wait_load")
// CHECK: llvm.inline_asm has_side_effects "mov.b32{{.*}} loc("wait_load")
// CHECK: "llvm.nvvm.tcgen05.fence.before.thread.sync"{{.*}} loc("fence")
// CHECK: "llvm.nvvm.tcgen05.relinq.alloc.permit.cg1"{{.*}} loc("relinquish")
// CHECK: "llvm.nvvm.tcgen05.dealloc.cg1"{{.*}} loc("dealloc")
func.func @locations(%slot: !llvm.ptr<3>, %base: i32, %src: vector<4xf32>)
    -> vector<4xf32> {
  tmem.alloc %slot, 32 : !llvm.ptr<3> loc("alloc")
  %mem = tmem.view %base : !view loc("view")
  %t = tmem.store %src, %mem registers(#regs) atom(<32x32b, x4>)
      scope(warpgroup) : vector<4xf32>, !view loc("store")
  tmem.wait_store %t loc("wait_store")
  %p = tmem.load %mem registers(#regs) atom(<32x32b, x4>) scope(warpgroup)
      : !view -> !tmem.pending<vector<4xf32>> loc("load")
  %v = tmem.wait_load %p : !tmem.pending<vector<4xf32>> loc("wait_load")
  tmem.fence before loc("fence")
  tmem.relinquish_alloc_permit loc("relinquish")
  tmem.dealloc %base, 32 loc("dealloc")
  return %v : vector<4xf32>
}
