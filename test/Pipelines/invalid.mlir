// Refused before LLVM sees it: LLVM aborts on chips that it does not know and on
// instructions that a chip lacks.

// RUN: not tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_90a})' 2>&1 | FileCheck %s --check-prefix=SM90A
// RUN: not tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_120a})' 2>&1 | FileCheck %s --check-prefix=SM120A
// RUN: not tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_100})' 2>&1 | FileCheck %s --check-prefix=SM100
// RUN: not tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{chip=})' 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{format=fatbin})' 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{opt-level=0})' 2>&1 | FileCheck %s --check-prefix=LEVEL0
// RUN: not tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{opt-level=4})' 2>&1 | FileCheck %s --check-prefix=LEVEL4
// RUN: not tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{nonsense=1})' 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_100a format=isa})' 2>&1 | FileCheck %s --check-prefix=COLUMNS

// SM90A: error: expected a chip of sm_100a, sm_100f, sm_103a, sm_103f, sm_107a, sm_107f, sm_110a, sm_110f, but got sm_90a
// SM90A-NEXT: note: rule X1: the chip has Tensor Memory
// SM120A: but got sm_120a
// SM100: but got sm_100{{$}}
// EMPTY: error: 'gpu.module' op @kernels: expected a chip to compile for or a target, but got neither
// FORMAT: error: expected the format isa or bin, but got fatbin
// LEVEL0: error: expected an optimization level from 1 to 3, but got 0
// LEVEL4: error: expected an optimization level from 1 to 3, but got 4
// OPTION: no such option nonsense
// COLUMNS: error: 'tmem.alloc' op expected at most 512 columns on sm_100a, but got 576
// COLUMNS: note: rule X2: columns lie in the chip's Tensor Memory

// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_107f format=isa})' | FileCheck %s --check-prefix=SM107F
// SM107F: gpu.binary @kernels
gpu.module @kernels {
  gpu.func @alloc(%slot: !llvm.ptr<3>) kernel {
    tmem.alloc exclusive %slot, 576 : !llvm.ptr<3>
    gpu.return
  }
}
