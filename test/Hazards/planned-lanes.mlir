// Two buffers of data path F, which planning puts in the two halves of slabs of the
// same columns: nothing is found in what the passes made.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(tmem-plan-columns,gpu.func(tmem-insert-waits)),tmem-check-hazards{undecided=error})' \
// RUN:   | FileCheck %s

// CHECK: arith.constant 1048576 : i32
// CHECK: tmem.dealloc

!tile = !tmem.view<64x8xi32, #tmem.datapath<F>>
#regs = #tmem.layout<(4, 2, 8, 4, 2) : (32@tid, 1@tid, 4@tid, 1@reg, 2@tid)>
gpu.module @kernels {
  gpu.func @halves(%x: vector<4xi32>, %out: memref<128x4xi32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %a = tmem.buffer : !tile
    %b = tmem.buffer : !tile
    tmem.write %x, %a registers(#regs) scope(warpgroup) : vector<4xi32>, !tile
    %q = arith.addi %x, %x : vector<4xi32>
    tmem.write %x, %b registers(#regs) scope(warpgroup) : vector<4xi32>, !tile
    %v = tmem.read %a registers(#regs) scope(warpgroup) : !tile -> vector<4xi32>
    %w = tmem.read %b registers(#regs) scope(warpgroup) : !tile -> vector<4xi32>
    %z = arith.addi %v, %w : vector<4xi32>
    tmem.write %z, %a registers(#regs) scope(warpgroup) : vector<4xi32>, !tile
    %y = tmem.read %b registers(#regs) scope(warpgroup) : !tile -> vector<4xi32>
    %zz = arith.addi %y, %z : vector<4xi32>
    vector.store %zz, %out[%t, %c0] : memref<128x4xi32>, vector<4xi32>
    gpu.return
  }
}
