// RUN: tmem-opt %s --convert-tmem-to-nvvm -split-input-file -verify-diagnostics

gpu.module @X1_target_without_tmem [#nvvm.target<chip = "sm_100a">, #nvvm.target<chip = "sm_90a">] {
  gpu.func @alloc(%slot: !llvm.ptr<3>) kernel {
    // expected-error @below {{'tmem.alloc' op expected a target of sm_100a, sm_100f, sm_103a, sm_103f, sm_107a, sm_107f, sm_110a, sm_110f, but got sm_90a}}
    // expected-note @below {{rule X1: the chip has Tensor Memory}}
    tmem.alloc %slot, 64 : !llvm.ptr<3>
    gpu.return
  }
}

// -----

gpu.module @X1_consumer_blackwell [#nvvm.target<chip = "sm_120a">] {
  gpu.func @fence() kernel {
    // expected-error @below {{'tmem.fence' op expected a target of sm_100a, sm_100f, sm_103a, sm_103f, sm_107a, sm_107f, sm_110a, sm_110f, but got sm_120a}}
    // expected-note @below {{rule X1}}
    tmem.fence before
    gpu.return
  }
}

// -----

// sm_100 has none of tcgen05: only sm_100a and sm_100f do.

gpu.module @X1_baseline_target [#nvvm.target<chip = "sm_100">] {
  gpu.func @dealloc(%base: i32) kernel {
    // expected-error @below {{but got sm_100}}
    // expected-note @below {{rule X1}}
    tmem.dealloc %base, 64
    gpu.return
  }
}

// -----

gpu.module @X2_exclusive_columns [#nvvm.target<chip = "sm_103a">] {
  gpu.func @alloc(%slot: !llvm.ptr<3>) kernel {
    // expected-error @below {{'tmem.alloc' op expected at most 512 columns on sm_103a, but got 544}}
    // expected-note @below {{rule X2: columns lie in the chip's Tensor Memory}}
    tmem.alloc exclusive %slot, 544 : !llvm.ptr<3>
    gpu.return
  }
}

// -----

gpu.module @X2_columns_by_value [#nvvm.target<chip = "sm_103a">] {
  gpu.func @alloc(%slot: !llvm.ptr<3>) kernel {
    %columns = arith.constant 544 : i32
    // expected-error @below {{'tmem.alloc' op expected at most 512 columns on sm_103a, but got 544}}
    // expected-note @below {{rule X2}}
    tmem.alloc exclusive %slot, %columns : !llvm.ptr<3>
    gpu.return
  }
}

// -----

gpu.module @X2_freed_columns [#nvvm.target<chip = "sm_110f">] {
  gpu.func @dealloc(%base: i32) kernel {
    // expected-error @below {{'tmem.dealloc' op expected at most 512 columns on sm_110f, but got 576}}
    // expected-note @below {{rule X2}}
    tmem.dealloc exclusive %base, 576
    gpu.return
  }
}

// -----

!view = !tmem.view<128x4xf32, #tmem.layout<(128, 4) : (1@tlane, 1@tcol) + (512@tcol)>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

gpu.module @X2_columns_of_a_view [#nvvm.target<chip = "sm_100a">] {
  gpu.func @store(%base: i32, %src: vector<4xf32>) kernel {
    %mem = tmem.view %base : !view
    // expected-error @below {{'tmem.store' op expected at most 512 columns on sm_100a, but got 516}}
    // expected-note @below {{rule X2}}
    %t = tmem.store %src, %mem registers(#regs) atom(<32x32b, x4>)
        scope(warpgroup) : vector<4xf32>, !view
    tmem.wait_store %t
    gpu.return
  }
}

// -----

// The targets of one module are all checked.

gpu.module @X2_one_of_several_targets [#nvvm.target<chip = "sm_107a">, #nvvm.target<chip = "sm_100f">] {
  gpu.func @alloc(%slot: !llvm.ptr<3>) kernel {
    // expected-error @below {{'tmem.alloc' op expected at most 512 columns on sm_100f, but got 576}}
    // expected-note @below {{rule X2}}
    tmem.alloc exclusive %slot, 576 : !llvm.ptr<3>
    gpu.return
  }
}

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @X3_one_warp_for_a_warpgroup(%base: i32, %src: vector<4xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %mem = tmem.view %base : !view
    // expected-error @below {{'tmem.store' op expected at least 128 threads for its scope, but got 32}}
    // expected-note @below {{rule X3}}
    %t = tmem.store %src, %mem registers(#regs) atom(<32x32b, x4>)
        scope(warpgroup) : vector<4xf32>, !view
    tmem.wait_store %t
    gpu.return
  }
}

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @X3_more_warps_than_the_cta(%base: i32, %src: vector<4xf32>) kernel
      attributes {known_block_size = array<i32: 64, 4, 1>} {
    %mem = tmem.view %base : !view
    // expected-error @below {{'tmem.store' op expected a block of 128 threads for its scope, but got 256}}
    // expected-note @below {{rule X3}}
    %t = tmem.store %src, %mem registers(#regs) atom(<32x32b, x4>)
        scope(cta) : vector<4xf32>, !view
    tmem.wait_store %t
    gpu.return
  }
}
