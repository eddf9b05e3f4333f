// RUN: tmem-opt %s --tmem-check-target=chip=sm_103f -split-input-file -verify-diagnostics
// RUN: not tmem-opt %s --tmem-check-target -split-input-file 2>&1 | FileCheck %s

// Modules without targets, and with the chip's own.

gpu.module @none {
}
gpu.module @same [#nvvm.target<O = 2, chip = "sm_103f">] {
}
// Targets of others are none of ours.
gpu.module @other_vendor [#rocdl.target<chip = "gfx942">] {
}

// -----

// expected-error @below {{'gpu.module' op @X1_no_tmem: expected a target of sm_100a, sm_100f, sm_103a, sm_103f, sm_107a, sm_107f, sm_110a, sm_110f, but got sm_90}}
// expected-note @below {{rule X1: the chip has Tensor Memory}}
gpu.module @X1_no_tmem [#nvvm.target<chip = "sm_90">] {
}

// -----

// expected-error @below {{'gpu.module' op @other_chip: expected the target sm_103f, but got sm_100a}}
gpu.module @other_chip [#nvvm.target<chip = "sm_103f">, #nvvm.target<chip = "sm_100a">] {
}

// -----

// Without optimization LLVM reads loaded registers too early.

// expected-error @below {{'gpu.module' op @not_optimized: expected an optimization level from 1 to 3, but got 0}}
gpu.module @not_optimized [#nvvm.target<O = 0, chip = "sm_103f">] {
}

// With no chip to compile for every module needs targets, which LLVM knows.

// CHECK: error: 'gpu.module' op @none: expected a chip to compile for or a target, but got neither
