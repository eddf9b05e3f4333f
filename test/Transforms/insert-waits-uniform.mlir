// Before branches that may part the lanes of a warp stands the wait; the block's own
// have it where the registers are read.

// RUN: tmem-opt %s --tmem-insert-waits | FileCheck %s

!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!out = memref<128x8xi32>

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @undefined
  // CHECK: %[[P:.*]] = tmem.load
  // CHECK: tmem.wait_load %[[P]]
  // CHECK: scf.if
  gpu.func @undefined(%base: i32, %out: !out) kernel {
    %c0 = arith.constant 0 : index
    %i1 = arith.constant 1 : i32
    %tid = gpu.thread_id x
    %mem = tmem.view %base : !view
    %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
    %any = llvm.mlir.undef : i32
    %q = arith.cmpi eq, %any, %i1 : i32
    scf.if %q {
      vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
    } else {
      %twice = arith.addi %v, %v : vector<8xi32>
      vector.store %twice, %out[%tid, %c0] : !out, vector<8xi32>
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @assembly_of_uniform_operands
  // CHECK: %[[P:.*]] = tmem.load
  // CHECK: tmem.wait_load %[[P]]
  // CHECK: scf.if
  gpu.func @assembly_of_uniform_operands(%base: i32, %n: i32, %out: !out) kernel {
    %c0 = arith.constant 0 : index
    %tid = gpu.thread_id x
    %mem = tmem.view %base : !view
    %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
    %sum = llvm.inline_asm "add.u32 $0, $1, %laneid;", "=r,r" %n : (i32) -> i32
    %q = arith.cmpi eq, %sum, %n : i32
    scf.if %q {
      vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
    } else {
      %twice = arith.addi %v, %v : vector<8xi32>
      vector.store %twice, %out[%tid, %c0] : !out, vector<8xi32>
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @block
  // CHECK: %[[P:.*]] = tmem.load
  // CHECK: scf.if
  // CHECK: tmem.wait_load %[[P]]
  gpu.func @block(%base: i32, %n: i32, %out: !out) kernel {
    %c0 = arith.constant 0 : index
    %tid = gpu.thread_id x
    %mem = tmem.view %base : !view
    %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
    %id = nvvm.read.ptx.sreg.ctaid.x : i32
    %q = arith.cmpi eq, %id, %n : i32
    scf.if %q {
      vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
    } else {
      %twice = arith.addi %v, %v : vector<8xi32>
      vector.store %twice, %out[%tid, %c0] : !out, vector<8xi32>
    }
    gpu.return
  }

  // Every lane has the same to fetch, but not every one has a lane to fetch it from.
  // CHECK-LABEL: gpu.func @shuffled
  // CHECK: %[[P:.*]] = tmem.load
  // CHECK: scf.if
  // CHECK: tmem.wait_load %[[P]]
  gpu.func @shuffled(%base: i32, %n: i32, %out: !out) kernel {
    %c0 = arith.constant 0 : index
    %width = arith.constant 32 : i32
    %offset = arith.constant 16 : i32
    %tid = gpu.thread_id x
    %mem = tmem.view %base : !view
    %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
    %sum, %valid = gpu.shuffle down %n, %offset, %width : i32
    %q = arith.cmpi eq, %sum, %n : i32
    scf.if %q {
      vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
    } else {
      %twice = arith.addi %v, %v : vector<8xi32>
      vector.store %twice, %out[%tid, %c0] : !out, vector<8xi32>
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @shuffle_valid
  // CHECK: %[[P:.*]] = tmem.load
  // CHECK: tmem.wait_load %[[P]]
  // CHECK: scf.if
  gpu.func @shuffle_valid(%base: i32, %n: i32, %out: !out) kernel {
    %c0 = arith.constant 0 : index
    %width = arith.constant 32 : i32
    %offset = arith.constant 16 : i32
    %tid = gpu.thread_id x
    %mem = tmem.view %base : !view
    %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
    %sum, %q = gpu.shuffle down %n, %offset, %width : i32
    scf.if %q {
      vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
    } else {
      %twice = arith.addi %v, %v : vector<8xi32>
      vector.store %twice, %out[%tid, %c0] : !out, vector<8xi32>
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @inline_ptx
  // CHECK: %[[P:.*]] = tmem.load
  // CHECK: tmem.wait_load %[[P]]
  // CHECK: scf.if
  gpu.func @inline_ptx(%base: i32, %n: i32, %out: !out) kernel {
    %c0 = arith.constant 0 : index
    %width = arith.constant 32 : i32
    %offset = arith.constant 16 : i32
    %tid = gpu.thread_id x
    %mem = tmem.view %base : !view
    %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
    %sum = nvvm.inline_ptx "add.u32 {$w0}, {$r0}, %laneid;" ro(%n : i32) -> i32
    %q = arith.cmpi eq, %sum, %n : i32
    scf.if %q {
      vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
    } else {
      %twice = arith.addi %v, %v : vector<8xi32>
      vector.store %twice, %out[%tid, %c0] : !out, vector<8xi32>
    }
    gpu.return
  }
}
