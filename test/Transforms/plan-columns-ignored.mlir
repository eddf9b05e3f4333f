// What orders some of the warps is not looked at, and the remark says so.

// RUN: tmem-opt %s --tmem-plan-columns=explain 2>&1 | FileCheck %s

!acc = !tmem.view<128x64xf32, #tmem.datapath<D>>
!vec = vector<64xf32>
gpu.module @kernels {
  // CHECK: remark: @mbarrier: 2 buffers take 128 columns
  // CHECK: :[[#@LINE+8]]:5: note: 'nvvm.mbarrier.try_wait.parity' orders some of the warps and is not looked at: buffers that only such operations keep apart have columns of their own
  gpu.func @mbarrier(%x: !vec, %object: !llvm.ptr<3>, %phase: i32, %ticks: i32)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
    tmem.wait_store %t
    // Behind it all warps have stored.
    nvvm.mbarrier.try_wait.parity %object, %phase, %ticks : !llvm.ptr<3>, i32, i32
    %u = tmem.store %x, %b scope(warpgroup) : !vec, !acc
    tmem.wait_store %u
    gpu.return
  }

  // With one warp for each slab none of it matters.
  // CHECK: remark: @one_warpgroup: 2 buffers take 64 columns
  // CHECK-NOT: is not looked at
  gpu.func @one_warpgroup(%x: !vec, %object: !llvm.ptr<3>, %phase: i32, %ticks: i32)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %t = tmem.store %x, %a scope(warpgroup) : !vec, !acc
    tmem.wait_store %t
    nvvm.mbarrier.try_wait.parity %object, %phase, %ticks : !llvm.ptr<3>, i32, i32
    %u = tmem.store %x, %b scope(warpgroup) : !vec, !acc
    tmem.wait_store %u
    gpu.return
  }
}
