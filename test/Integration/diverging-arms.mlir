// Threads part by what looks the same for all of them: the barriers in the arms are not
// common, and buffers of different arms share no columns. Right in every order.

// RUN: tmem-run %s | FileCheck %s
// RUN: tmem-run %s --race --seeds=5 | FileCheck %s

// CHECK: ticket: 0 wrong
// CHECK: assembly: 0 wrong

#row = #tmem.layout<(128, 8) : (1@tid, 1@reg)>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!out = memref<256x8xi32>

module attributes {gpu.container_module} {
gpu.module @kernels {
  // Which warps go first, an atomic says: not the same ones in every order.
  gpu.func @ticket(%out: !out, %count: memref<1xi32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %i32 = arith.constant 32 : i32
    %i128 = arith.constant 128 : i32
    %tid = gpu.thread_id x
    %low = arith.cmpi ult, %tid, %c128 : index
    %high = arith.cmpi uge, %tid, %c128 : index
    %number = arith.index_cast %tid : index to i32
    %x = vector.broadcast %number : i32 to vector<8xi32>
    %ticket = memref.generic_atomic_rmw %count[%c0] : memref<1xi32> {
    ^bb0(%old: i32):
      %new = arith.addi %old, %i1 : i32
      memref.atomic_yield %new : i32
    }
    %t0, %valid = gpu.shuffle idx %ticket, %i0, %i32 : i32
    %first = arith.cmpi ult, %t0, %i128 : i32
    %a = tmem.buffer : !view
    %b = tmem.buffer : !view
    scf.if %first {
      gpu.barrier
      scf.if %low {
        tmem.write %x, %a registers(#row) scope(warpgroup) : vector<8xi32>, !view
        %v = tmem.read %a registers(#row) scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      gpu.barrier
    } else {
      gpu.barrier
      scf.if %high {
        tmem.write %x, %b registers(#row) scope(warpgroup) : vector<8xi32>, !view
        %v = tmem.read %b registers(#row) scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      gpu.barrier
    }
    gpu.return
  }

  // Its operand is the same for all threads, but it reads something else.
  gpu.func @assembly(%out: !out, %count: memref<1xi32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %i32 = arith.constant 32 : i32
    %i128 = arith.constant 128 : i32
    %tid = gpu.thread_id x
    %low = arith.cmpi ult, %tid, %c128 : index
    %high = arith.cmpi uge, %tid, %c128 : index
    %number = arith.index_cast %tid : index to i32
    %x = vector.broadcast %number : i32 to vector<8xi32>
    %w = llvm.inline_asm "mov.u32 $0, %tid.x;", "=r,r" %i0 : (i32) -> i32
    %first = arith.cmpi ult, %w, %i128 : i32
    %a = tmem.buffer : !view
    %b = tmem.buffer : !view
    scf.if %first {
      gpu.barrier
      tmem.write %x, %a registers(#row) scope(warpgroup) : vector<8xi32>, !view
      %v = tmem.read %a registers(#row) scope(warpgroup) : !view -> vector<8xi32>
      vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      gpu.barrier
    } else {
      gpu.barrier
      tmem.write %x, %b registers(#row) scope(warpgroup) : vector<8xi32>, !view
      %v = tmem.read %b registers(#row) scope(warpgroup) : !view -> vector<8xi32>
      vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      gpu.barrier
    }
    gpu.return
  }

}

// What was not stored is -1.
func.func @count(%out: !out) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c256 = arith.constant 256 : index
  %none = arith.constant -1 : i32
  %zero = arith.constant 0 : i32
  %wrong = scf.for %i = %c0 to %c256 step %c1 iter_args(%sum = %zero) -> i32 {
    %number = arith.index_cast %i : index to i32
    %more = scf.for %j = %c0 to %c8 step %c1 iter_args(%s = %sum) -> i32 {
      %v = memref.load %out[%i, %j] : !out
      %other = arith.cmpi ne, %v, %number : i32
      %there = arith.cmpi ne, %v, %none : i32
      %bad = arith.andi %other, %there : i1
      %one = arith.extui %bad : i1 to i32
      %next = arith.addi %s, %one : i32
      scf.yield %next : i32
    }
    scf.yield %more : i32
  }
  vector.print %wrong : i32 punctuation <no_punctuation>
  vector.print str " wrong\n"
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %threads = arith.constant 256 : index
  %none = arith.constant -1 : i32
  %zero = arith.constant 0 : i32
  %out = memref.alloc() : !out
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %threads step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      memref.store %none, %out[%i, %j] : !out
    }
  }
  %unranked = memref.cast %out : !out to memref<*xi32>
  gpu.host_register %unranked : memref<*xi32>
  %count = memref.alloc() : memref<1xi32>
  %uc = memref.cast %count : memref<1xi32> to memref<*xi32>
  gpu.host_register %uc : memref<*xi32>
  memref.store %zero, %count[%c0] : memref<1xi32>
  vector.print str "ticket: "
  gpu.launch_func @kernels::@ticket blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1) args(%out : !out, %count : memref<1xi32>)
  call @count(%out) : (!out) -> ()
  vector.print str "assembly: "
  gpu.launch_func @kernels::@assembly blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1) args(%out : !out, %count : memref<1xi32>)
  call @count(%out) : (!out) -> ()
  return
}
}
