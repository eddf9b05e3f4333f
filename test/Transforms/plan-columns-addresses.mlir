// A buffer lives as long as its address may be used, which is not looked at.

// RUN: tmem-opt %s --tmem-plan-columns | FileCheck %s
// RUN: tmem-opt %s --tmem-plan-columns=explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN

!acc = !tmem.view<128x64xf32, #tmem.datapath<D>>
!vec = vector<64xf32>
gpu.module @kernels {
  // CHECK-LABEL: gpu.func @used(
  // CHECK: tmem.alloc %{{.*}}, 128 :
  // EXPLAIN: remark: @used: 2 buffers take 128 columns
  // EXPLAIN: note: A: columns {{.*}}; lives throughout, because 'tmem.address' takes it out of sight
  gpu.func @used(%x: !vec, %out: memref<i32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
    tmem.wait_store %t
    %address = tmem.address %a : !acc -> i32
    memref.store %address, %out[] : memref<i32>
    %u = tmem.store %x, %b scope(warpgroup) : !vec, !acc
    tmem.wait_store %u
    gpu.return
  }

  // Not so one that nobody uses.
  // CHECK-LABEL: gpu.func @unused(
  // CHECK: tmem.alloc %{{.*}}, 64 :
  gpu.func @unused(%x: !vec) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
    tmem.wait_store %t
    %address = tmem.address %a : !acc -> i32
    %u = tmem.store %x, %b scope(warpgroup) : !vec, !acc
    tmem.wait_store %u
    gpu.return
  }
}
