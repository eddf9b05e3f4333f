// RUN: tmem-opt %s --tmem-lower-subgroups -split-input-file | FileCheck %s

// Warps count threads, x fastest, and have 32 each, whatever the block.

// CHECK-LABEL: gpu.func @ids
gpu.module @kernels {
  gpu.func @ids(%out: memref<3xindex>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    // CHECK-NOT: gpu.subgroup_id
    // CHECK: arith.divui
    %id = gpu.subgroup_id : index
    // CHECK-NOT: gpu.subgroup_size
    %size = gpu.subgroup_size : index
    // CHECK: %[[X:.*]] = gpu.block_dim x
    // CHECK: %[[Y:.*]] = gpu.block_dim y
    // CHECK: %[[XY:.*]] = arith.muli %[[X]], %[[Y]]
    // CHECK: %[[Z:.*]] = gpu.block_dim z
    // CHECK: %[[XYZ:.*]] = arith.muli %[[XY]], %[[Z]]
    // CHECK: %[[UP:.*]] = arith.addi %[[XYZ]]
    // CHECK: %[[NUM:.*]] = arith.divui %[[UP]]
    %num = gpu.num_subgroups : index
    memref.store %id, %out[%c0] : memref<3xindex>
    memref.store %size, %out[%c1] : memref<3xindex>
    // CHECK: memref.store %[[NUM]]
    memref.store %num, %out[%c2] : memref<3xindex>
    gpu.return
  }
}

// -----

// Sums of warps are shuffles; of clusters within a warp too.

// CHECK-LABEL: gpu.func @sums
gpu.module @kernels {
  gpu.func @sums(%a: f32, %b: vector<2xf16>, %out: memref<f32>, %half: memref<vector<2xf16>>) kernel {
    // CHECK-COUNT-5: gpu.shuffle xor
    // CHECK-NOT: gpu.subgroup_reduce
    %sum = gpu.subgroup_reduce add %a : (f32) -> f32
    // CHECK-COUNT-2: gpu.shuffle xor
    // CHECK-NOT: gpu.subgroup_reduce
    %four = gpu.subgroup_reduce maximumf %b cluster(size = 4) : (vector<2xf16>) -> vector<2xf16>
    memref.store %sum, %out[] : memref<f32>
    memref.store %four, %half[] : memref<vector<2xf16>>
    gpu.return
  }
}

// -----

// The rest of a kernel stays as it is.

// CHECK-LABEL: gpu.func @rest
gpu.module @kernels {
  gpu.func @rest(%out: memref<4xi32>) kernel {
    // CHECK: %[[A:.*]] = arith.constant 1 : i32
    // CHECK: %[[B:.*]] = arith.constant 1 : i32
    // CHECK: arith.addi %[[A]], %[[B]]
    %a = arith.constant 1 : i32
    %b = arith.constant 1 : i32
    %c0 = arith.constant 0 : index
    %c = arith.addi %a, %b : i32
    // CHECK: gpu.lane_id
    %lane = gpu.lane_id
    memref.store %c, %out[%lane] : memref<4xi32>
    gpu.return
  }
}
