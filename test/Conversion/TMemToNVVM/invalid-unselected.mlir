// RUN: tmem-opt %s --convert-tmem-to-nvvm -split-input-file -verify-diagnostics
// RUN: not tmem-opt %s --pass-pipeline='builtin.module(gpu.module(convert-to-llvm{dynamic=true}))' -split-input-file 2>&1 | FileCheck %s --check-prefix=STOCK

// Nothing lowers before tmem-select-atoms has filled it in.

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>
gpu.module @without_atom {
  gpu.func @load(%view: !view) {
    // STOCK: error: 'tmem.load' op expected an atom, but got none: run tmem-select-atoms first
    // expected-error @below {{'tmem.load' op expected an atom, but got none: run tmem-select-atoms first}}
    %0 = tmem.load %view registers(#regs) scope(warpgroup) : !view -> !tmem.pending<vector<4xf32>>
    %1 = tmem.wait_load %0 : !tmem.pending<vector<4xf32>>
    gpu.return
  }
}

// -----

!view = !tmem.view<128x4xf32, #tmem.datapath<D>>
gpu.module @without_registers {
  gpu.func @store(%source: vector<4xf32>, %view: !view) {
    // STOCK: error: 'tmem.store' op expected registers, but got none: run tmem-select-atoms first
    // expected-error @below {{'tmem.store' op expected registers, but got none: run tmem-select-atoms first}}
    %0 = tmem.store %source, %view atom(<32x32b, x4>) scope(warpgroup) : vector<4xf32>, !view
    tmem.wait_store %0
    gpu.return
  }
}

// -----

!low = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol)>>
!high = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol) + (8@tcol)>>
gpu.module @without_both {
  gpu.func @load_split(%base: i32) {
    %low = tmem.view %base : !low
    %high = tmem.view %base : !high
    // STOCK: error: 'tmem.load_split' op expected registers and an atom, but got none: run tmem-select-atoms first
    // expected-error @below {{'tmem.load_split' op expected registers and an atom, but got none: run tmem-select-atoms first}}
    %0 = tmem.load_split %low, %high scope(warp 0) : !low, !high -> !tmem.pending<vector<4xf32>>
    %1 = tmem.wait_load %0 : !tmem.pending<vector<4xf32>>
    gpu.return
  }
}
