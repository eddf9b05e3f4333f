// RUN: not tmem-opt %s --tmem-check-target='chip=sm_120a' 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not tmem-opt %s --tmem-check-target='chip=sm_100a format=elf' 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not tmem-opt %s --tmem-check-target='chip=sm_100a opt-level=0' 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: not tmem-opt %s --tmem-check-target 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not tmem-opt %s --tmem-check-target=chip=sm_107a 2>&1 | FileCheck %s --check-prefix=RENAMED

// The error stands alone, without the module.

// CHIP: error: expected a chip of sm_100a, sm_100f, sm_103a, sm_103f, sm_107a, sm_107f, sm_110a, sm_110f, but got sm_120a
// CHIP-NEXT: note: rule X1: the chip has Tensor Memory
// CHIP-NOT: gpu.module
// FORMAT: error: expected the format isa or bin, but got elf
// LEVEL: error: expected an optimization level from 1 to 3, but got 0

// LLVM 22 aborts on sm_107a.

// UNKNOWN: error: 'gpu.module' op @kernels: expected a target that LLVM knows, but got sm_107a
// RENAMED: error: 'gpu.module' op @kernels: expected the target sm_103f (for sm_107a), but got sm_107a
gpu.module @kernels [#nvvm.target<chip = "sm_107a">] {
}
