// Sizes and scopes: no register is read early, and none is spilled.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{format=isa opt-level=1})' | %python %tmem_src_root/utils/ptx-of.py | tmem-ptx-lint --summary - | FileCheck %s
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{format=isa opt-level=2})' | %python %tmem_src_root/utils/ptx-of.py | tmem-ptx-lint --summary - | FileCheck %s
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{format=isa opt-level=3})' | %python %tmem_src_root/utils/ptx-of.py | tmem-ptx-lint --summary - | FileCheck %s

// CHECK-NOT: {{error|remark}}

#regs128 = #tmem.layout<(128, 128) : (1@tid, 1@reg)>
!view128 = !tmem.view<128x128xf32, #tmem.datapath<D>>

gpu.module @kernels {
  // CHECK: kernel 'x128'
  // CHECK-NEXT: 1 tcgen05.ld.sync.aligned.32x32b.x128.b32
  // CHECK-NEXT: 1 tcgen05.st.sync.aligned.32x32b.x128.b32
  // CHECK-NEXT: 1 tcgen05.wait::ld.sync.aligned
  // CHECK-NEXT: 1 tcgen05.wait::st.sync.aligned
  gpu.func @x128(%base: i32, %out: memref<128x128xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %tid = gpu.thread_id x
    %mem = tmem.view %base : !view128
    %p = tmem.load %mem registers(#regs128) atom(<32x32b, x128>) scope(warpgroup)
        : !view128 -> !tmem.pending<vector<128xf32>>
    %v = tmem.wait_load %p : !tmem.pending<vector<128xf32>>
    %w = arith.mulf %v, %v : vector<128xf32>
    %t = tmem.store %w, %mem registers(#regs128) atom(<32x32b, x128>)
        scope(warpgroup) : vector<128xf32>, !view128
    tmem.wait_store %t
    vector.store %w, %out[%tid, %c0] {alignment = 32}
        : memref<128x128xf32>, vector<128xf32>
    gpu.return
  }

  // CHECK: kernel 'two_live_x32'
  // CHECK-NEXT: 2 tcgen05.ld.sync.aligned.32x32b.x32.b32
  // CHECK-NEXT: 1 tcgen05.wait::ld.sync.aligned
  gpu.func @two_live_x32(%base: i32, %out: memref<128x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %tid = gpu.thread_id x
    %mem = tmem.view %base : !view128
    %left = tmem.subview %mem[0, 0] [128, 32]
        : !view128 to !tmem.view<128x32xf32, #tmem.datapath<D>>
    %right = tmem.subview %mem[0, 32] [128, 32] : !view128
        to !tmem.view<128x32xf32, #tmem.layout<(128, 32) : (1@tlane, 1@tcol) + (32@tcol)>>
    %p = tmem.load %left registers(#tmem.layout<(128, 32) : (1@tid, 1@reg)>)
        atom(<32x32b, x32>) scope(warpgroup)
        : !tmem.view<128x32xf32, #tmem.datapath<D>> -> !tmem.pending<vector<32xf32>>
    %q = tmem.load %right registers(#tmem.layout<(128, 32) : (1@tid, 1@reg)>)
        atom(<32x32b, x32>) scope(warpgroup)
        : !tmem.view<128x32xf32, #tmem.layout<(128, 32) : (1@tlane, 1@tcol) + (32@tcol)>>
          -> !tmem.pending<vector<32xf32>>
    %v, %w = tmem.wait_load %p, %q
        : !tmem.pending<vector<32xf32>>, !tmem.pending<vector<32xf32>>
    %sum = arith.addf %v, %w : vector<32xf32>
    vector.store %sum, %out[%tid, %c0] {alignment = 32}
        : memref<128x32xf32>, vector<32xf32>
    gpu.return
  }

  // One warp: no thread number in its address.

  // CHECK: kernel 'warp_scope'
  // CHECK-NEXT: 1 tcgen05.ld.sync.aligned.32x32b.x8.b32
  // CHECK-NEXT: 1 tcgen05.wait::ld.sync.aligned
  gpu.func @warp_scope(%base: i32, %out: memref<32x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %tid = gpu.thread_id x
    %mem = tmem.view %base
        : !tmem.view<32x8xf32, #tmem.layout<(32, 8) : (1@tlane, 1@tcol)>>
    %p = tmem.load %mem registers(#tmem.layout<(32, 8) : (1@lane, 1@reg)>)
        atom(<32x32b, x8>) scope(warp 0)
        : !tmem.view<32x8xf32, #tmem.layout<(32, 8) : (1@tlane, 1@tcol)>>
          -> !tmem.pending<vector<8xf32>>
    %v = tmem.wait_load %p : !tmem.pending<vector<8xf32>>
    vector.store %v, %out[%tid, %c0] : memref<32x8xf32>, vector<8xf32>
    gpu.return
  }

  // Two warpgroups share the columns.

  // CHECK: kernel 'cta_scope'
  // CHECK-NEXT: 1 tcgen05.ld.sync.aligned.32x32b.x64.b32
  // CHECK-NEXT: 1 tcgen05.wait::ld.sync.aligned
  gpu.func @cta_scope(%base: i32, %out: memref<256x64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %tid = gpu.thread_id x
    %mem = tmem.view %base : !view128
    %p = tmem.load %mem registers(#tmem.layout<(128, 2, 64) : (1@tid, 128@tid, 1@reg)>)
        atom(<32x32b, x64>) scope(cta) : !view128 -> !tmem.pending<vector<64xf32>>
    %v = tmem.wait_load %p : !tmem.pending<vector<64xf32>>
    vector.store %v, %out[%tid, %c0] {alignment = 32}
        : memref<256x64xf32>, vector<64xf32>
    gpu.return
  }

  // CHECK: kernel 'columns_96'
  // CHECK-NEXT: 1 tcgen05.ld.sync.aligned.32x32b.x32.b32
  // CHECK-NEXT: 1 tcgen05.ld.sync.aligned.32x32b.x64.b32
  // CHECK-NEXT: 1 tcgen05.wait::ld.sync.aligned
  gpu.func @columns_96(%base: i32, %out: memref<128x96xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %tid = gpu.thread_id x
    %mem = tmem.view %base : !tmem.view<128x96xf32, #tmem.datapath<D>>
    %p = tmem.load %mem registers(#tmem.layout<(128, 96) : (1@tid, 1@reg)>)
        atom(<32x32b, x64, x32>) scope(warpgroup)
        : !tmem.view<128x96xf32, #tmem.datapath<D>> -> !tmem.pending<vector<96xf32>>
    %v = tmem.wait_load %p : !tmem.pending<vector<96xf32>>
    vector.store %v, %out[%tid, %c0] {alignment = 32}
        : memref<128x96xf32>, vector<96xf32>
    gpu.return
  }
}
