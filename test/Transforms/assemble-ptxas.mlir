// With ptxas: a cubin, and what its kernels need.

// REQUIRES: ptxas-sm_100a, ptxas-sm_103a
// RUN: tmem-opt %s --tmem-assemble | FileCheck %s
// RUN: tmem-opt %s --tmem-assemble=opt-level=1 | FileCheck %s
// RUN: tmem-opt %s --tmem-assemble=ptxas=%ptxas | FileCheck %s

// CHECK: gpu.binary @kernels [#gpu.object<#nvvm.target<chip = "sm_100a">, properties = {O = 3 : i32, ptxas = {
// CHECK-SAME: big = {registers = {{[0-9]+}} : i64, shared = 64 : i64, spill_loads = 0 : i64, spill_stores = 0 : i64, stack = 0 : i64}
// CHECK-SAME: small = {registers = {{[0-9]+}} : i64, shared = 0 : i64,
// CHECK-SAME: kernels = <[#gpu.kernel_metadata<"small", () -> ()>]>, bin = "\7FELF
// CHECK-SAME: #gpu.object<#nvvm.target<chip = "sm_103a">, properties = {ptxas = {small = {
// CHECK-SAME: bin = "\7FELF
// CHECK-NOT: LLVMIRToISATimeInMs
gpu.binary @kernels [
  #gpu.object<#nvvm.target<chip = "sm_100a">, properties = {LLVMIRToISATimeInMs = 7 : i64, O = 3 : i32}, kernels = <[#gpu.kernel_metadata<"small", () -> ()>]>, assembly = ".version 8.8\0A.target sm_100a\0A.address_size 64\0A.visible .entry small() { ret; }\0A.visible .entry big(.param .u64 p) { .reg .b64 %rd<2>; .reg .b32 %r<3>; .shared .align 4 .b8 s[64]; ld.param.b64 %rd1, [p]; ld.shared.b32 %r1, [s]; st.global.b32 [%rd1], %r1; ret; }">,
  #gpu.object<#nvvm.target<chip = "sm_103a">, assembly = ".version 8.8\0A.target sm_103a\0A.address_size 64\0A.visible .entry small() { ret; }">
]
