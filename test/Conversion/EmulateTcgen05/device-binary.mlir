// A module for a GPU without Tensor Memory is one that upstream's passes take.

// REQUIRES: ptxas
// RUN: tmem-opt %s --pass-pipeline='builtin.module(emulate-tcgen05{mode=device},nvvm-attach-target{chip=sm_75 O=3},gpu-module-to-binary{format=isa})' | FileCheck %s

// CHECK: gpu.binary @kernels
// CHECK-SAME: .extern .func tmemEmuEnter
// CHECK-SAME: .align 8 .b8 __tmem_emu_sites_0[
// CHECK-SAME: .entry kernel
gpu.module @kernels {
  llvm.func @kernel(%a: !llvm.ptr<6>) attributes {gpu.kernel, nvvm.kernel} {
    %v = nvvm.tcgen05.ld %a {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32
    nvvm.tcgen05.st %a, %v {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32
    llvm.return
  }
}
