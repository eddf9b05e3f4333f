// RUN: tmem-opt %s --convert-tmem-to-nvvm | FileCheck %s

// CHECK-LABEL: func @fences(
// CHECK-NEXT: llvm.call_intrinsic "llvm.nvvm.tcgen05.fence.before.thread.sync"() : () -> ()
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: llvm.call_intrinsic "llvm.nvvm.tcgen05.fence.after.thread.sync"() : () -> ()
// CHECK-NEXT: return
func.func @fences() {
  tmem.fence before
  gpu.barrier
  tmem.fence after
  return
}
