// A launch is outlined; what is around it stays, for the passes that lower host
// code.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{format=isa chip=sm_103a})' | FileCheck %s

// CHECK: module attributes {gpu.container_module
// CHECK-LABEL: func.func @main(
// CHECK: %[[MEMORY:.*]] = gpu.alloc
// CHECK: gpu.launch_func @main_kernel::@main_kernel blocks in
// CHECK-SAME: args({{.*}}%[[MEMORY]] : memref<128x32xf32>
// CHECK: call @use
// CHECK: gpu.dealloc
// CHECK: return
// CHECK: gpu.binary @main_kernel [#gpu.object<#nvvm.target<O = 3, chip = "sm_103a", features = "+ptx88">
// CHECK-SAME: tcgen05.alloc
// CHECK-SAME: tcgen05.ld.sync.aligned.32x32b.x32.b32
// CHECK-SAME: tcgen05.dealloc

!slot = memref<1xi32, #gpu.address_space<workgroup>>
!view = !tmem.view<128x32xf32, #tmem.datapath<D>>

func.func private @use(memref<128x32xf32>)

func.func @main() {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %out = gpu.alloc host_shared () : memref<128x32xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1)
      workgroup(%slot: !slot) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %first_warp = arith.cmpi ult, %tx, %c32 : index
    scf.if %first_warp {
      tmem.alloc %slot, 32 : !slot
    }
    gpu.barrier
    %base = memref.load %slot[%c0] : !slot
    %mem = tmem.view %base : !view
    %p = tmem.load %mem registers(#tmem.layout<(128, 32) : (1@tid, 1@reg)>)
        atom(<32x32b, x32>) scope(warpgroup)
        : !view -> !tmem.pending<vector<32xf32>>
    %v = tmem.wait_load %p : !tmem.pending<vector<32xf32>>
    vector.store %v, %out[%tx, %c0] : memref<128x32xf32>, vector<32xf32>
    gpu.barrier
    scf.if %first_warp {
      tmem.dealloc %base, 32
    }
    gpu.terminator
  }
  call @use(%out) : (memref<128x32xf32>) -> ()
  gpu.dealloc %out : memref<128x32xf32>
  return
}
