// What the options may not be. Nothing is printed then.

// RUN: not tmem-opt %s --tmem-assemble=format=fatbin 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not tmem-opt %s --tmem-assemble=opt-level=0 2>&1 | FileCheck %s --check-prefix=LEVEL0
// RUN: not tmem-opt %s --tmem-assemble=opt-level=4 2>&1 | FileCheck %s --check-prefix=LEVEL4
// RUN: not tmem-opt %s --tmem-assemble=opt-level=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not tmem-opt %s --tmem-assemble=chip=sm_120a 2>&1 | FileCheck %s --check-prefix=CHIP

// FORMAT: error: expected the format isa or bin, but got fatbin
// LEVEL0: error: expected an optimization level from 1 to 3, but got 0
// LEVEL4: error: expected an optimization level from 1 to 3, but got 4
// NEGATIVE: '-1' value invalid for uint argument!
// CHIP: error: expected a chip of sm_100a, sm_100f, sm_103a, sm_103f, sm_107a, sm_107f, sm_110a, sm_110f, but got sm_120a
// CHIP: note: rule X1: the chip has Tensor Memory
gpu.binary @kernels [#gpu.object<#nvvm.target<chip = "sm_100a">, assembly = ".version 8.8\0A.target sm_100a\0A.address_size 64\0A.visible .entry k() { ret; }">]
