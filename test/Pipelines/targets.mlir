// With an empty chip the targets of the modules count, of which there may be
// several.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{chip= format=isa})' -split-input-file | FileCheck %s

// CHECK: gpu.binary @two [#gpu.object<#nvvm.target<chip = "sm_100a">
// CHECK-SAME: .target sm_100a
// CHECK-SAME: #gpu.object<#nvvm.target<O = 3, chip = "sm_110f", features = "+ptx90">
// CHECK-SAME: .target sm_110f
// CHECK: gpu.binary @one [#gpu.object<#nvvm.target<O = 1, chip = "sm_103a">
// CHECK-SAME: .target sm_103a
gpu.module @two [#nvvm.target<chip = "sm_100a">, #nvvm.target<O = 3, chip = "sm_110f", features = "+ptx90">] {
  gpu.func @fence() kernel {
    tmem.fence before
    gpu.return
  }
}
gpu.module @one [#nvvm.target<O = 1, chip = "sm_103a">] {
  gpu.func @fence() kernel {
    tmem.fence after
    gpu.return
  }
}
