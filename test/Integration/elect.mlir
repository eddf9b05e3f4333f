// The lane that elect.sync names: the lowest one of the mask, with a seed any one, and
// each time the same one for the same mask.

// RUN: tmem-run %s | FileCheck %s --check-prefix=LOW
// RUN: tmem-run %s --seed=1 | FileCheck %s --check-prefix=ANY
// RUN: tmem-run %s --seed=2 | FileCheck %s --check-prefix=ANY
// RUN: tmem-run %s --seed=11 | FileCheck %s --check-prefix=SOME
// RUN: %exits_1 tmem-run %s --seeds=3 2>&1 | FileCheck %s --check-prefix=DIFFER

// LOW: all: ( 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 )
// LOW-NEXT: again: ( 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 )
// LOW-NEXT: lanes 9 and 11: ( 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 )

// ANY: all: [[WHO:\( 0, (0, )*1(, 0)* \)]]
// ANY-NEXT: again: [[WHO]]
// ANY-NEXT: lanes 9 and 11: ( 0, 0, 0, 0, 0, 0, 0, 0, 0, {{1, 0, 0|0, 0, 1}}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 )

// SOME: lanes 9 and 11: ( 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0,

// DIFFER: 3 seeds: 3 clean, 0 with a fault, 2 with another output

!out = memref<3x32xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @elects(%out: !out) kernel {
      %row0 = arith.constant 0 : index
      %row1 = arith.constant 1 : index
      %row2 = arith.constant 2 : index
      %zero = arith.constant 0 : i32
      %all = arith.constant -1 : i32
      %some = arith.constant 0xa00 : i32
      %one = arith.constant 1 : i32
      %tid = gpu.thread_id x
      %a = nvvm.elect.sync -> i1
      %a32 = arith.extui %a : i1 to i32
      memref.store %a32, %out[%row0, %tid] : !out
      %b = nvvm.elect.sync %all -> i1
      %b32 = arith.extui %b : i1 to i32
      memref.store %b32, %out[%row1, %tid] : !out
      %t32 = arith.index_cast %tid : index to i32
      %bit = arith.shli %one, %t32 : i32
      %member = arith.andi %bit, %some : i32
      %takes_part = arith.cmpi ne, %member, %zero : i32
      %c32 = scf.if %takes_part -> i32 {
        %c = nvvm.elect.sync %some -> i1
        %bits = arith.extui %c : i1 to i32
        scf.yield %bits : i32
      } else {
        scf.yield %zero : i32
      }
      memref.store %c32, %out[%row2, %tid] : !out
      gpu.return
    }
  }

  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@elects blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%out : !out)
    vector.print str "all: "
    %v0 = vector.load %out[%c0, %c0] : !out, vector<32xi32>
    vector.print %v0 : vector<32xi32>
    vector.print str "again: "
    %v1 = vector.load %out[%c1, %c0] : !out, vector<32xi32>
    vector.print %v1 : vector<32xi32>
    vector.print str "lanes 9 and 11: "
    %v2 = vector.load %out[%c2, %c0] : !out, vector<32xi32>
    vector.print %v2 : vector<32xi32>
    return
  }
}
