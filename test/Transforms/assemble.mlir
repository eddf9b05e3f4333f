// PTX that is fine: what tmem-assemble leaves of it.

// RUN: tmem-opt %s --tmem-assemble=format=isa | FileCheck %s --check-prefixes=CHECK,ISA
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-assemble{format=isa chip=sm_100a})' | FileCheck %s --check-prefixes=CHECK,ISA

module attributes {gpu.container_module} {
  // The text stays as it is.

  // ISA: gpu.binary @clean [#gpu.object<#nvvm.target<O = 3, chip = "sm_100a", features = "+ptx88">, kernels = <[#gpu.kernel_metadata<"k", () -> ()>]>, assembly = "
  // ISA-SAME: // untouched\0A.version 8.8
  // ISA-SAME: .target sm_100a, debug
  gpu.binary @clean [#gpu.object<#nvvm.target<O = 3, chip = "sm_100a", features = "+ptx88">, kernels = <[#gpu.kernel_metadata<"k", () -> ()>]>, assembly = "// untouched\0A.version 8.8\0A.target sm_100a, debug\0A.address_size 64\0A.visible .entry k() { .reg .b32 %r<3>; tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%r0]; tcgen05.wait::ld.sync.aligned; mov.b32 %r2, %r1; ret; }">]

  // Exclusive allocations need a later PTX than LLVM writes.

  // ISA: gpu.binary @exclusive [
  // ISA-SAME: .version 9.4\0A.target sm_100a
  // ISA: gpu.binary @exclusive_dealloc [
  // ISA-SAME: .version 9.5\0A.target sm_100a
  gpu.binary @exclusive [#gpu.object<#nvvm.target<chip = "sm_100a">, assembly = ".version 8.8\0A.target sm_100a\0A.address_size 64\0A.visible .entry k() { .reg .b32 %r<3>; .shared .b32 s; tcgen05.alloc.exclusive.cta_group::1.sync.aligned.shared::cta.b32 [s], %r1; ret; }">]
  gpu.binary @exclusive_dealloc [#gpu.object<#nvvm.target<chip = "sm_100a">, assembly = ".version 9.5\0A.target sm_100a\0A.address_size 64\0A.visible .entry k() { .reg .b32 %r<3>; tcgen05.dealloc.exclusive.cta_group::1.sync.aligned.b32 %r2, %r1; ret; }">]

  // Objects that hold no PTX for an NVIDIA target stay.

  // CHECK: gpu.binary @others <#gpu.select_object<1 : i64>> [#gpu.object<#nvvm.target<chip = "sm_90">, bin = "no ELF">, #gpu.object<#nvvm.target, offload = "no bitcode">, #gpu.object<#nvvm.target, "no fatbin">, #gpu.object<#rocdl.target, assembly = "no PTX">]
  gpu.binary @others <#gpu.select_object<1 : i64>> [#gpu.object<#nvvm.target<chip = "sm_90">, bin = "no ELF">, #gpu.object<#nvvm.target, offload = "no bitcode">, #gpu.object<#nvvm.target, "no fatbin">, #gpu.object<#rocdl.target, assembly = "no PTX">]

  // And so does the host's code.

  // CHECK: func.func @host
  func.func @host() {
    return
  }
}
