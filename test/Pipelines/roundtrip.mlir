// The kernel of examples/roundtrip.mlir, one store and one load of a warp, on every
// chip that this ptxas knows.

// REQUIRES: ptxas-sm_100a, ptxas-sm_100f, ptxas-sm_103a, ptxas-sm_103f, ptxas-sm_110a, ptxas-sm_110f
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin)' | FileCheck %s -DCHIP=sm_100a
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_100f})' | FileCheck %s -DCHIP=sm_100f
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_103a})' | FileCheck %s -DCHIP=sm_103a
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_103f})' | FileCheck %s -DCHIP=sm_103f
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_110a})' | FileCheck %s -DCHIP=sm_110a
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_110f})' | FileCheck %s -DCHIP=sm_110f

// At every level.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{opt-level=1})' | FileCheck %s -DCHIP=sm_100a
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{opt-level=2})' | FileCheck %s -DCHIP=sm_100a

// CHECK: gpu.binary @kernels
// CHECK-SAME: chip = "[[CHIP]]"
// CHECK-SAME: ptxas = {roundtrip = {registers = {{[0-9]+}} : i64, shared = 4 : i64, spill_loads = 0 : i64, spill_stores = 0 : i64, stack = 0 : i64}}
// CHECK-SAME: bin = "\7FELF

#regs = #tmem.layout<(64, 2, 64) : (1@tid, 64@tid, 1@reg)>
!acc = !tmem.view<64x128xf32, #tmem.datapath<B>>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @roundtrip(%in: memref<128x64xf32>, %out: memref<128x64xf32>)
        workgroup(%slot: memref<1xi32, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %first_warp = arith.cmpi ult, %tid, %c32 : index
      scf.if %first_warp {
        tmem.alloc %slot, 64 : memref<1xi32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %base = memref.load %slot[%c0]
          : memref<1xi32, #gpu.address_space<workgroup>>
      %mem = tmem.view %base : !acc

      %src = vector.load %in[%tid, %c0] {alignment = 32}
          : memref<128x64xf32>, vector<64xf32>
      %token = tmem.store %src, %mem registers(#regs) atom(<32x32b, x64>)
          scope(warpgroup) : vector<64xf32>, !acc
      tmem.wait_store %token
      gpu.barrier
      %pending = tmem.load %mem registers(#regs) atom(<32x32b, x64>)
          scope(warpgroup) : !acc -> !tmem.pending<vector<64xf32>>
      %dst = tmem.wait_load %pending : !tmem.pending<vector<64xf32>>
      vector.store %dst, %out[%tid, %c0] {alignment = 32}
          : memref<128x64xf32>, vector<64xf32>

      gpu.barrier
      scf.if %first_warp {
        tmem.relinquish_alloc_permit
        tmem.dealloc %base, 64
      }
      gpu.return
    }
  }
}
