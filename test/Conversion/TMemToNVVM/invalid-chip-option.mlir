// RUN: tmem-opt %s --convert-tmem-to-nvvm=chip=sm_90 -verify-diagnostics -split-input-file

// expected-error @below {{expected a chip of sm_100a, sm_100f, sm_103a, sm_103f, sm_107a, sm_107f, sm_110a, sm_110f, but got sm_90}}
// expected-note @below {{rule X1: the chip has Tensor Memory}}
module @X1_chip_without_tmem {
}

// -----

// The option goes before the targets.

// expected-error @below {{but got sm_90}}
// expected-note @below {{rule X1}}
module @X1_chip_beside_a_target {
  gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
    gpu.func @alloc(%slot: !llvm.ptr<3>) kernel {
      tmem.alloc %slot, 64 : !llvm.ptr<3>
      gpu.return
    }
  }
}
