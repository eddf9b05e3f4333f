// What operations with regions give: the same for all threads, as long as nothing in them
// or before them differs. Where threads may part, 128 columns.

// RUN: tmem-opt %s --tmem-plan-columns | FileCheck %s

!acc = !tmem.view<128x64xf32, #tmem.datapath<D>>
!vec = vector<64xf32>
gpu.module @kernels {
  // Each thread gets what the one before it has left.
  // CHECK-LABEL: gpu.func @generic_atomic(
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @generic_atomic(%x: !vec, %n: i32, %count: memref<1xi32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %zero = arith.constant 0 : index
    %v = memref.generic_atomic_rmw %count[%zero] : memref<1xi32> {
    ^bb0(%old: i32):
      %new = arith.addi %old, %n : i32
      memref.atomic_yield %new : i32
    }
    %q = arith.cmpi eq, %v, %n : i32
    scf.if %q {
      gpu.barrier
      tmem.write %x, %a scope(warpgroup) : !vec, !acc
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b scope(warpgroup) : !vec, !acc
      gpu.barrier
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @execute_region(
  // CHECK: tmem.alloc %{{.*}}, 64 :
  gpu.func @execute_region(%x: !vec, %n: i32, %c: i1) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %v = scf.execute_region -> i32 {
      %one = arith.constant 1 : i32
      cf.cond_br %c, ^first, ^second
    ^first:
      scf.yield %n : i32
    ^second:
      scf.yield %one : i32
    }
    %q = arith.cmpi eq, %v, %n : i32
    scf.if %q {
      gpu.barrier
      tmem.write %x, %a scope(warpgroup) : !vec, !acc
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b scope(warpgroup) : !vec, !acc
      gpu.barrier
    }
    gpu.return
  }

  // Both values are the same for all, but not which one is given.
  // CHECK-LABEL: gpu.func @execute_region_parts(
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @execute_region_parts(%x: !vec, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %v = scf.execute_region -> i32 {
      %one = arith.constant 1 : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %c = arith.cmpi eq, %tid, %one : i32
      cf.cond_br %c, ^first, ^second
    ^first:
      scf.yield %n : i32
    ^second:
      scf.yield %one : i32
    }
    %q = arith.cmpi eq, %v, %n : i32
    scf.if %q {
      gpu.barrier
      tmem.write %x, %a scope(warpgroup) : !vec, !acc
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b scope(warpgroup) : !vec, !acc
      gpu.barrier
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @alloca_scope(
  // CHECK: tmem.alloc %{{.*}}, 64 :
  gpu.func @alloca_scope(%x: !vec, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %v = memref.alloca_scope -> i32 {
      %twice = arith.addi %n, %n : i32
      memref.alloca_scope.return %twice : i32
    }
    %q = arith.cmpi eq, %v, %n : i32
    scf.if %q {
      gpu.barrier
      tmem.write %x, %a scope(warpgroup) : !vec, !acc
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b scope(warpgroup) : !vec, !acc
      gpu.barrier
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @alloca_scope_own(
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @alloca_scope_own(%x: !vec, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %zero = arith.constant 0 : index
    %v = memref.alloca_scope -> i32 {
      %own = memref.alloca() : memref<1xi32>
      %left = memref.load %own[%zero] : memref<1xi32>
      memref.alloca_scope.return %left : i32
    }
    %q = arith.cmpi eq, %v, %n : i32
    scf.if %q {
      gpu.barrier
      tmem.write %x, %a scope(warpgroup) : !vec, !acc
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b scope(warpgroup) : !vec, !acc
      gpu.barrier
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @index_switch_by_id(
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @index_switch_by_id(%x: !vec, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %one = arith.constant 1 : i32
    %tid = gpu.thread_id x
    %v = scf.index_switch %tid -> i32
    case 3 {
      scf.yield %one : i32
    }
    default {
      scf.yield %n : i32
    }
    %q = arith.cmpi eq, %v, %n : i32
    scf.if %q {
      gpu.barrier
      tmem.write %x, %a scope(warpgroup) : !vec, !acc
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b scope(warpgroup) : !vec, !acc
      gpu.barrier
    }
    gpu.return
  }

  // Each lane gets its own element.
  // CHECK-LABEL: gpu.func @lane_0(
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @lane_0(%x: !vec, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %lane = arith.constant 0 : index
    %zero = arith.constant 0 : i64
    %one = gpu.warp_execute_on_lane_0(%lane)[32] -> (vector<1xi32>) {
      %steps = arith.constant dense<0> : vector<32xi32>
      gpu.yield %steps : vector<32xi32>
    }
    %v = vector.extract %one[0] : i32 from vector<1xi32>
    %q = arith.cmpi eq, %v, %n : i32
    scf.if %q {
      gpu.barrier
      tmem.write %x, %a scope(warpgroup) : !vec, !acc
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b scope(warpgroup) : !vec, !acc
      gpu.barrier
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @masked(
  // CHECK: tmem.alloc %{{.*}}, 64 :
  gpu.func @masked(%x: !vec, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %ones = vector.broadcast %n : i32 to vector<4xi32>
    %mask = arith.constant dense<[true, true, true, false]> : vector<4xi1>
    %v = vector.mask %mask {
      vector.reduction <add>, %ones : vector<4xi32> into i32
    } : vector<4xi1> -> i32
    %q = arith.cmpi eq, %v, %n : i32
    scf.if %q {
      gpu.barrier
      tmem.write %x, %a scope(warpgroup) : !vec, !acc
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b scope(warpgroup) : !vec, !acc
      gpu.barrier
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @masked_by_id(
  // CHECK: tmem.alloc %{{.*}}, 128 :
  gpu.func @masked_by_id(%x: !vec, %n: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tmem.buffer : !acc
    %b = tmem.buffer : !acc
    %ones = vector.broadcast %n : i32 to vector<4xi32>
    %tid = gpu.thread_id x
    %mask = vector.create_mask %tid : vector<4xi1>
    %v = vector.mask %mask {
      vector.reduction <add>, %ones : vector<4xi32> into i32
    } : vector<4xi1> -> i32
    %q = arith.cmpi eq, %v, %n : i32
    scf.if %q {
      gpu.barrier
      tmem.write %x, %a scope(warpgroup) : !vec, !acc
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b scope(warpgroup) : !vec, !acc
      gpu.barrier
    }
    gpu.return
  }
}
