// A software-pipelined epilogue: 64 registers stay in flight over the back edge of
// the loop, and none of them is copied.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{format=isa})' | %python %tmem_src_root/utils/ptx-of.py | FileCheck %s

!view = !tmem.view<128x512xf32, #tmem.datapath<D>>
!tile = !tmem.view<128x64xf32, #tmem.datapath<D>>
!pending = !tmem.pending<vector<64xf32>>
#regs = #tmem.layout<(128, 64) : (1@tid, 1@reg)>

// The loop's load writes the registers that the first load wrote.

// CHECK: tcgen05.ld.sync.aligned.32x32b.x64.b32 [[REGS:{.*}]], [%r{{[0-9]+}}];
// CHECK-NOT: {{mov.b32.*;$}}
// CHECK: $L__BB0_1:
// CHECK: tcgen05.wait::ld.sync.aligned;
// CHECK: tcgen05.ld.sync.aligned.32x32b.x64.b32 [[REGS]], [%r{{[0-9]+}}];
// CHECK: bra{{(.uni)?}} $L__BB0_1;
// CHECK: tcgen05.wait::ld.sync.aligned;
gpu.module @kernels {
  gpu.func @epilogue(%base: i32, %out: memref<8x128x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c64 = arith.constant 64 : index
    %tid = gpu.thread_id x
    %mem = tmem.view %base : !view
    %first_tile = tmem.subview %mem[0, %c0] [128, 64] : !view to !tile
    %first = tmem.load %first_tile registers(#regs) atom(<32x32b, x64>)
        scope(warpgroup) : !tile -> !pending
    %last = scf.for %i = %c0 to %c7 step %c1 iter_args(%p = %first) -> (!pending) {
      %v = tmem.wait_load %p : !pending
      %j = arith.addi %i, %c1 : index
      %column = arith.muli %j, %c64 : index
      %tile = tmem.subview %mem[0, %column] [128, 64] : !view to !tile
      %next = tmem.load %tile registers(#regs) atom(<32x32b, x64>)
          scope(warpgroup) : !tile -> !pending
      %w = arith.mulf %v, %v : vector<64xf32>
      vector.store %w, %out[%i, %tid, %c0] {alignment = 32}
          : memref<8x128x64xf32>, vector<64xf32>
      scf.yield %next : !pending
    }
    %v = tmem.wait_load %last : !pending
    vector.store %v, %out[%c7, %tid, %c0] {alignment = 32}
        : memref<8x128x64xf32>, vector<64xf32>
    gpu.return
  }
}
