// Shared memory, static and dynamic: a transpose through it, barriers with
// reductions, and atomics on shared and global memory.

// RUN: tmem-run %s | FileCheck %s
// RUN: tmem-run %s --seeds=3 | FileCheck %s
// RUN: tmem-run %s --race --seeds=3 | FileCheck %s

// CHECK:      transpose through static shared memory: 1024 elements, 0 wrong
// CHECK-NEXT: transpose through dynamic shared memory: 1024 elements, 0 wrong
// CHECK-NEXT: barriers with reductions: 86 1 0
// CHECK-NEXT: atomics: 32640 255 0 32640 7
// CHECK-NEXT: atomic floats: 128

!tile = memref<32x32xi32>
!shared = memref<32x33xi32, #gpu.address_space<workgroup>>
!bytes = memref<?xi8, #gpu.address_space<workgroup>>
!dynamic = memref<32x33xi32, #gpu.address_space<workgroup>>
!word = memref<1xi32, #gpu.address_space<workgroup>>
!out = memref<8xi32>
!floats = memref<1xf32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @static(%in: !tile, %out: !tile) workgroup(%w : !shared) kernel {
      %x = gpu.thread_id x
      %y = gpu.thread_id y
      %v = memref.load %in[%y, %x] : !tile
      memref.store %v, %w[%y, %x] : !shared
      gpu.barrier
      %t = memref.load %w[%x, %y] : !shared
      memref.store %t, %out[%y, %x] : !tile
      gpu.return
    }

    // Behind 64 bytes that somebody else might use, beside a static variable.
    gpu.func @dynamic(%in: !tile, %out: !tile) workgroup(%flag : !word) kernel {
      %c0 = arith.constant 0 : index
      %c64 = arith.constant 64 : index
      %x = gpu.thread_id x
      %y = gpu.thread_id y
      %number = arith.index_cast %x : index to i32
      %all = gpu.dynamic_shared_memory : !bytes
      %w = memref.view %all[%c64][] : !bytes to !dynamic
      %sum = arith.addi %x, %y : index
      %first = arith.cmpi eq, %sum, %c0 : index
      scf.if %first {
        memref.store %number, %flag[%c0] : !word
      }
      %v = memref.load %in[%y, %x] : !tile
      memref.store %v, %w[%y, %x] : !dynamic
      gpu.barrier
      %t = memref.load %w[%x, %y] : !dynamic
      %zero = memref.load %flag[%c0] : !word
      %u = arith.addi %t, %zero : i32
      memref.store %u, %out[%y, %x] : !tile
      gpu.return
    }

    // Every third of 256 threads has the predicate.
    gpu.func @reductions(%out: !out) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %tid = gpu.thread_id x
      %rest = arith.remui %tid, %c3 : index
      %third = arith.cmpi eq, %rest, %c0 : index
      %p = arith.extui %third : i1 to i32
      %count = nvvm.barrier #nvvm.reduction<popc> %p -> i32
      %any = nvvm.barrier #nvvm.reduction<or> %p -> i32
      %every = nvvm.barrier #nvvm.reduction<and> %p -> i32
      %last = arith.constant 200 : index
      %is = arith.cmpi eq, %tid, %last : index
      scf.if %is {
        memref.store %count, %out[%c0] : !out
        memref.store %any, %out[%c1] : !out
        memref.store %every, %out[%c2] : !out
      }
      gpu.return
    }

    gpu.func @atomics(%out: !out, %floats: !floats) workgroup(%w : !word) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %zero = arith.constant 0 : i32
      %half = arith.constant 0.5 : f32
      %tid = gpu.thread_id x
      %value = arith.index_cast %tid : index to i32
      %first = arith.cmpi eq, %tid, %c0 : index
      scf.if %first {
        memref.store %zero, %w[%c0] : !word
      }
      gpu.barrier
      %a = memref.atomic_rmw addi %value, %w[%c0] : (i32, !word) -> i32
      %b = memref.atomic_rmw addi %value, %out[%c0] : (i32, !out) -> i32
      %c = memref.atomic_rmw maxs %value, %out[%c1] : (i32, !out) -> i32
      %d = memref.atomic_rmw mins %value, %out[%c2] : (i32, !out) -> i32
      %e = memref.atomic_rmw addf %half, %floats[%c0] : (f32, !floats) -> f32
      gpu.barrier
      scf.if %first {
        %sum = memref.load %w[%c0] : !word
        memref.store %sum, %out[%c3] : !out
      }
      // One of all threads changes 0 to 7.
      %seven = arith.constant 7 : i32
      %f = memref.generic_atomic_rmw %out[%c4] : !out {
      ^bb0(%current: i32):
        %is_zero = arith.cmpi eq, %current, %zero : i32
        %next = arith.select %is_zero, %seven, %current : i32
        memref.atomic_yield %next : i32
      }
      gpu.return
    }
  }

  func.func @transpose(%dynamic: i1) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %bytes = arith.constant 4288 : i32
    %zero = arith.constant 0 : i32
    %in = memref.alloc() : !tile
    %out = memref.alloc() : !tile
    scf.for %i = %c0 to %c32 step %c1 {
      scf.for %j = %c0 to %c32 step %c1 {
        %row = arith.muli %i, %c32 : index
        %number = arith.addi %row, %j : index
        %value = arith.index_cast %number : index to i32
        memref.store %value, %in[%i, %j] : !tile
      }
    }
    %in_unranked = memref.cast %in : !tile to memref<*xi32>
    %out_unranked = memref.cast %out : !tile to memref<*xi32>
    gpu.host_register %in_unranked : memref<*xi32>
    gpu.host_register %out_unranked : memref<*xi32>
    scf.if %dynamic {
      vector.print str "transpose through dynamic shared memory: "
      gpu.launch_func @kernels::@dynamic blocks in (%c1, %c1, %c1)
          threads in (%c32, %c32, %c1) dynamic_shared_memory_size %bytes
          args(%in : !tile, %out : !tile)
    } else {
      vector.print str "transpose through static shared memory: "
      gpu.launch_func @kernels::@static blocks in (%c1, %c1, %c1)
          threads in (%c32, %c32, %c1) args(%in : !tile, %out : !tile)
    }
    %wrong = scf.for %i = %c0 to %c32 step %c1 iter_args(%n = %zero) -> i32 {
      %m = scf.for %j = %c0 to %c32 step %c1 iter_args(%k = %n) -> i32 {
        %is = memref.load %out[%i, %j] : !tile
        %should = memref.load %in[%j, %i] : !tile
        %differs = arith.cmpi ne, %is, %should : i32
        %difference = arith.extui %differs : i1 to i32
        %next = arith.addi %k, %difference : i32
        scf.yield %next : i32
      }
      scf.yield %m : i32
    }
    vector.print str "1024 elements, "
    vector.print %wrong : i32 punctuation <no_punctuation>
    vector.print str " wrong\n"
    return %wrong : i32
  }

  func.func @print(%out: !out, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      vector.print str " "
      %value = memref.load %out[%i] : !out
      vector.print %value : i32 punctuation <no_punctuation>
    }
    vector.print punctuation <newline>
    return
  }

  func.func @main() -> i32 {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %c256 = arith.constant 256 : index
    %a = call @transpose(%false) : (i1) -> i32
    %b = call @transpose(%true) : (i1) -> i32

    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@reductions blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1) args(%out : !out)
    vector.print str "barriers with reductions:"
    call @print(%out, %c3) : (!out, index) -> ()

    %zeros = arith.constant dense<0> : vector<8xi32>
    vector.store %zeros, %out[%c0] : !out, vector<8xi32>
    %zero = arith.constant 0.0 : f32
    %floats = memref.alloc() : !floats
    memref.store %zero, %floats[%c0] : !floats
    %floats_unranked = memref.cast %floats : !floats to memref<*xf32>
    gpu.host_register %floats_unranked : memref<*xf32>
    gpu.launch_func @kernels::@atomics blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1) args(%out : !out, %floats : !floats)
    vector.print str "atomics:"
    call @print(%out, %c5) : (!out, index) -> ()
    vector.print str "atomic floats: "
    %sum = memref.load %floats[%c0] : !floats
    vector.print %sum : f32

    %wrong = arith.addi %a, %b : i32
    return %wrong : i32
  }
}
