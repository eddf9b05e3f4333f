// RUN: tmem-opt %s --convert-tmem-to-nvvm=chip=sm_107a | FileCheck %s
// RUN: tmem-opt %s --convert-tmem-to-nvvm=chip=sm_107f | FileCheck %s

// sm_107 has columns that others lack. With no chip and no target, columns that
// some chip has are fine.

// RUN: tmem-opt %s --convert-tmem-to-nvvm | FileCheck %s

!last = !tmem.view<128x64xf32, #tmem.layout<(128, 64) : (1@tlane, 1@tcol) + (512@tcol)>>
#regs = #tmem.layout<(128, 64) : (1@tid, 1@reg)>

// CHECK-LABEL: func @more_columns(
// CHECK: llvm.mlir.constant(576 : i32) : i32
// CHECK: "tcgen05.alloc.exclusive.cta_group::1.sync.aligned.shared::cta.b32 [$0], $1;"
// CHECK: llvm.mlir.constant(512 : i32) : i32
// CHECK: "llvm.nvvm.tcgen05.st.32x32b.x64"
func.func @more_columns(%slot: !llvm.ptr<3>, %base: i32, %src: vector<64xf32>) {
  tmem.alloc exclusive %slot, 576 : !llvm.ptr<3>
  %mem = tmem.view %base : !last
  %t = tmem.store %src, %mem registers(#regs) atom(<32x32b, x64>)
      scope(warpgroup) : vector<64xf32>, !last
  tmem.wait_store %t
  return
}

// What targets say, where there is no chip=.

// CHECK-LABEL: gpu.module @all_targets
// CHECK: "llvm.nvvm.tcgen05.alloc.shared.cg1"
gpu.module @all_targets [#nvvm.target<chip = "sm_100a">, #nvvm.target<chip = "sm_100f">,
    #nvvm.target<chip = "sm_103a">, #nvvm.target<chip = "sm_103f">,
    #nvvm.target<chip = "sm_107a">, #nvvm.target<chip = "sm_107f">,
    #nvvm.target<chip = "sm_110a">, #nvvm.target<chip = "sm_110f">] {
  gpu.func @alloc(%slot: !llvm.ptr<3>) kernel {
    tmem.alloc %slot, 512 : !llvm.ptr<3>
    gpu.return
  }
}
