// Without a ptxas that runs. PTX alone needs none.

// RUN: not tmem-opt %s --tmem-assemble=ptxas=%t.none 2>&1 | FileCheck %s --check-prefix=NAMED
// RUN: env TMEM_PTXAS=%t.none not tmem-opt %s --tmem-assemble 2>&1 | FileCheck %s --check-prefix=NAMED

// A program that is no ptxas.

// RUN: not tmem-opt %s --tmem-assemble=ptxas=%python 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: env TMEM_PTXAS=%t.none tmem-opt %s --tmem-assemble=format=isa | FileCheck %s --check-prefix=ISA

// NAMED: error: 'gpu.binary' op @kernels: ptxas not found; searched {{.*}}.none; install the CUDA Toolkit (13.0 or later) or set TMEM_PTXAS
// WRONG: error: 'gpu.binary' op @kernels: expected '{{.*}}' to be ptxas, but --version printed 'Python
// ISA: assembly = ".version 8.8
gpu.binary @kernels [#gpu.object<#nvvm.target<chip = "sm_100a">, assembly = ".version 8.8\0A.target sm_100a\0A.address_size 64\0A.visible .entry k() { ret; }">]
