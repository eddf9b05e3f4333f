// Kernels through the lowering that their target asks for, and through the one
// for gpu operations; both find tmem's patterns in the dialect plugin.

// RUN: mlir-opt %s --load-dialect-plugin=%tmem_plugin --pass-pipeline='builtin.module(gpu.module(convert-scf-to-cf,convert-to-llvm{dynamic=true},reconcile-unrealized-casts))' | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%tmem_plugin --pass-pipeline='builtin.module(gpu.module(convert-to-llvm{dynamic=true},convert-scf-to-cf,convert-to-llvm{dynamic=true},reconcile-unrealized-casts))' | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%tmem_plugin --pass-pipeline='builtin.module(gpu.module(convert-scf-to-cf,convert-gpu-to-nvvm,reconcile-unrealized-casts))' | FileCheck %s

!slot = memref<1xi32, #gpu.address_space<workgroup>>
!view = !tmem.view<128x32xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 32) : (1@tid, 1@reg)>

// CHECK: llvm.func @kernel(
// CHECK-NOT: {{tmem\.|gpu\.thread|scf\.|builtin\.}}
// CHECK: llvm.cond_br
// CHECK: "llvm.nvvm.tcgen05.alloc.shared.cg1"
// CHECK: nvvm.barrier
// CHECK: "llvm.nvvm.tcgen05.ld.32x32b.x32"
// CHECK: "llvm.nvvm.tcgen05.wait.ld"
// CHECK: llvm.return
gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @kernel(%out: memref<128x32xf32>) workgroup(%slot: !slot) kernel {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %first_warp = arith.cmpi ult, %tid, %c32 : index
    scf.if %first_warp {
      tmem.alloc %slot, 32 : !slot
    }
    gpu.barrier
    %base = memref.load %slot[%c0] : !slot
    %mem = tmem.view %base : !view
    %p = tmem.load %mem registers(#regs) atom(<32x32b, x32>) scope(warpgroup)
        : !view -> !tmem.pending<vector<32xf32>>
    %v = tmem.wait_load %p : !tmem.pending<vector<32xf32>>
    vector.store %v, %out[%tid, %c0] : memref<128x32xf32>, vector<32xf32>
    gpu.return
  }
}
