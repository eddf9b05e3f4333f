// LLVM does not know sm_107: PTX for sm_103f is given its name and version.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-assemble{format=isa chip=sm_107a})' | FileCheck %s --check-prefix=SM107A
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-assemble{format=isa chip=sm_107f})' | FileCheck %s --check-prefix=SM107F
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-assemble{format=isa chip=sm_103f})' | FileCheck %s --check-prefix=SM103F
// RUN: not tmem-opt %s --pass-pipeline='builtin.module(tmem-assemble{format=isa chip=sm_100a})' 2>&1 | FileCheck %s --check-prefix=OTHER

// SM107A: gpu.binary @kernels [#gpu.object<#nvvm.target<O = 3, chip = "sm_107a", features = "+ptx94">, properties = {mine = 1 : i64}, assembly = "
// SM107A-SAME: .version 9.4\0A.target sm_107a, texmode_independent\0A
// SM107F: chip = "sm_107f", features = "+ptx94">
// SM107F-SAME: .version 9.4\0A.target sm_107f, texmode_independent\0A
// SM103F: chip = "sm_103f", features = "+ptx88">
// SM103F-SAME: .version 8.8\0A.target sm_103f, texmode_independent\0A
// OTHER: error: 'gpu.binary' op @kernels: expected PTX for sm_100a, but got PTX for sm_103f
gpu.binary @kernels [#gpu.object<#nvvm.target<O = 3, chip = "sm_103f", features = "+ptx88">, properties = {LLVMIRToISATimeInMs = 7 : i64, mine = 1 : i64}, assembly = ".version 8.8\0A.target sm_103f, texmode_independent\0A.address_size 64\0A.visible .entry k() { ret; }">]
