// Reads and writes on plain vectors have their waits in them, also where a vector is
// not used. The barrier is told of nothing under way.

// RUN: tmem-opt %s --tmem-check-hazards=mode=strict | FileCheck %s
// RUN: tmem-opt %s --tmem-insert-waits --tmem-check-hazards=mode=strict | FileCheck %s --check-prefix=WAITS

// CHECK: tmem.read
// WAITS: tmem.wait_store

!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
gpu.module @kernels {
  gpu.func @kernel(%base: i32, %n: index, %out: memref<128x8xi32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %mem = tmem.view %base : !view
    %values = arith.constant dense<7> : vector<8xi32>
    tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
    scf.for %i = %c0 to %n step %c1 {
      %unused = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
    }
    gpu.barrier
    gpu.return
  }
}
