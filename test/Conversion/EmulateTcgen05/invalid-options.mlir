// RUN: not tmem-opt %s --pass-pipeline='builtin.module(emulate-tcgen05{mode=gpu})' 2>&1 | FileCheck %s --check-prefix=MODE
// RUN: not tmem-opt %s --pass-pipeline='builtin.module(emulate-tcgen05{chip=sm_90a})' 2>&1 | FileCheck %s --check-prefix=CHIP

// MODE: error: expected host, device or both, but got gpu
// CHIP: error: expected a chip of sm_100a, {{.*}}, but got sm_90a

gpu.module @kernels {
}
