// Exclusive allocations come with PTX 9.4, which LLVM 22 does not write.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{format=isa})' | %python %tmem_src_root/utils/ptx-of.py | FileCheck %s --check-prefixes=PTX -DCHIP=sm_100a
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{format=isa chip=sm_107f})' | %python %tmem_src_root/utils/ptx-of.py | FileCheck %s --check-prefixes=PTX -DCHIP=sm_107f

// PTX: .version 9.4
// PTX: .target [[CHIP]]
// PTX: tcgen05.alloc.exclusive.cta_group::1.sync.aligned.shared::cta.b32 [%rd{{[0-9]+}}], %r{{[0-9]+}};
// PTX: tcgen05.dealloc.exclusive.cta_group::1.sync.aligned.b32 %r{{[0-9]+}}, %r{{[0-9]+}};

// LLVM must know that all lanes execute it together.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tmem-to-nvvm,convert-scf-to-cf,convert-gpu-to-nvvm),nvvm-attach-target{chip=sm_100a O=3},gpu-module-to-binary{format=llvm})' | %python %tmem_src_root/utils/ptx-of.py --bitcode -o %t.bc
// RUN: llvm-dis %t.bc -o - | FileCheck %s --check-prefix=LLVM

// LLVM: call void asm sideeffect "tcgen05.alloc.exclusive.{{.*}}", "l,r,~{memory}"({{.*}}) #[[ALLOC:[0-9]+]]
// LLVM: call void asm sideeffect "tcgen05.dealloc.exclusive.{{.*}}", "r,r,~{memory}"({{.*}}) #[[ALLOC]]
// LLVM: attributes #[[ALLOC]] = { {{.*}}convergent

!slot = memref<1xi32, #gpu.address_space<workgroup>>
!view = !tmem.view<128x32xf32, #tmem.datapath<D>>

gpu.module @kernels {
  gpu.func @exclusive(%out: memref<128x32xf32>) workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %first_warp = arith.cmpi ult, %tid, %c32 : index
    scf.if %first_warp {
      tmem.alloc exclusive %slot, 96 : !slot
    }
    gpu.barrier
    %base = memref.load %slot[%c0] : !slot
    %mem = tmem.view %base : !view
    %p = tmem.load %mem registers(#tmem.layout<(128, 32) : (1@tid, 1@reg)>)
        atom(<32x32b, x32>) scope(warpgroup)
        : !view -> !tmem.pending<vector<32xf32>>
    %v = tmem.wait_load %p : !tmem.pending<vector<32xf32>>
    vector.store %v, %out[%tid, %c0] : memref<128x32xf32>, vector<32xf32>
    gpu.barrier
    scf.if %first_warp {
      tmem.dealloc exclusive %base, 96
    }
    gpu.return
  }
}
