// What gpu says of warps, on the emulator and through ptxas: in a block of 2x24x3
// threads there are five warps, the last with 16 threads.

// RUN: tmem-run %s | FileCheck %s
// RUN: tmem-opt %s --tmem-to-cubin='chip=sm_103a format=isa' | %python %tmem_src_root/utils/ptx-of.py \
// RUN:   | FileCheck %s --check-prefix=PTX

// CHECK: wrong: 0

// PTX: .entry ids
// PTX-NOT: call

!out = memref<144x5xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @ids(%out: !out) kernel
        attributes {known_block_size = array<i32: 2, 24, 3>} {
      %x = gpu.thread_id x
      %y = gpu.thread_id y
      %z = gpu.thread_id z
      %c2 = arith.constant 2 : index
      %c24 = arith.constant 24 : index
      %zy = arith.muli %z, %c24 : index
      %y1 = arith.addi %zy, %y : index
      %y2 = arith.muli %y1, %c2 : index
      %tid = arith.addi %y2, %x : index
      %id = gpu.subgroup_id : index
      %lane = gpu.lane_id
      %num = gpu.num_subgroups : index
      %size = gpu.subgroup_size : index
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %id32 = arith.index_cast %id : index to i32
      %lane32 = arith.index_cast %lane : index to i32
      %num32 = arith.index_cast %num : index to i32
      %size32 = arith.index_cast %size : index to i32
      memref.store %id32, %out[%tid, %c0] : !out
      memref.store %lane32, %out[%tid, %c1] : !out
      memref.store %num32, %out[%tid, %c2] : !out
      memref.store %size32, %out[%tid, %c3] : !out
      // Of the four warps that are whole.
      %c4 = arith.constant 4 : index
      %whole = arith.cmpi ult, %id, %c4 : index
      scf.if %whole {
        %tid32 = arith.index_cast %tid : index to i32
        %sum = gpu.subgroup_reduce add %tid32 : (i32) -> i32
        memref.store %sum, %out[%tid, %c4] : !out
      }
      gpu.return
    }
  }

  // Counts what is not what threads 0 to 143 should have written.
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c24 = arith.constant 24 : index
    %c32 = arith.constant 32 : index
    %c144 = arith.constant 144 : index
    %zero = arith.constant 0 : i32
    %five = arith.constant 5 : i32
    %thirty = arith.constant 32 : i32
    %out = memref.alloc() : !out
    gpu.launch_func @kernels::@ids blocks in (%c1, %c1, %c1)
        threads in (%c2, %c24, %c3) args(%out : !out)
    %wrong = scf.for %t = %c0 to %c144 step %c1 iter_args(%n = %zero) -> i32 {
      %warp = arith.divui %t, %c32 : index
      %lane = arith.remui %t, %c32 : index
      %warp32 = arith.index_cast %warp : index to i32
      %lane32 = arith.index_cast %lane : index to i32
      // The sum of 32 numbers from 32 * warp on.
      %c1024 = arith.constant 1024 : i32
      %c496 = arith.constant 496 : i32
      %scaled = arith.muli %warp32, %c1024 : i32
      %sum = arith.addi %scaled, %c496 : i32
      %a = memref.load %out[%t, %c0] : !out
      %b = memref.load %out[%t, %c1] : !out
      %c = memref.load %out[%t, %c2] : !out
      %d = memref.load %out[%t, %c3] : !out
      %e = memref.load %out[%t, %c4] : !out
      %a1 = arith.cmpi ne, %a, %warp32 : i32
      %b1 = arith.cmpi ne, %b, %lane32 : i32
      %c5 = arith.cmpi ne, %c, %five : i32
      %d1 = arith.cmpi ne, %d, %thirty : i32
      %e1 = arith.cmpi ne, %e, %sum : i32
      %whole = arith.cmpi ult, %warp, %c4 : index
      %e2 = arith.andi %e1, %whole : i1
      %ab = arith.ori %a1, %b1 : i1
      %cd = arith.ori %c5, %d1 : i1
      %abcd = arith.ori %ab, %cd : i1
      %any = arith.ori %abcd, %e2 : i1
      %one = arith.extui %any : i1 to i32
      %next = arith.addi %n, %one : i32
      scf.yield %next : i32
    }
    vector.print str "wrong: "
    vector.print %wrong : i32
    memref.dealloc %out : !out
    return
  }
}
