// Accesses outside of the CTA's shared memory.

// RUN: tmem-run %s --entry=right | FileCheck %s --check-prefix=RIGHT
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=past_static 2>&1 | FileCheck %s --check-prefix=STATIC
// RUN: %exits_1 tmem-run %s --entry=before_static 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: %exits_1 tmem-run %s --entry=past_dynamic 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// RUN: %exits_1 tmem-run %s --entry=no_dynamic 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %exits_1 tmem-run %s --entry=past_by_generic 2>&1 | FileCheck %s --check-prefix=GENERIC
// RUN: %exits_1 tmem-run %s --entry=past_by_atomic 2>&1 | FileCheck %s --check-prefix=ATOMIC
// RUN: %exits_1 tmem-run %s --entry=slot_outside 2>&1 | FileCheck %s --check-prefix=SLOT
// RUN: %exits_1 tmem-run %s --entry=slot_unaligned 2>&1 | FileCheck %s --check-prefix=UNALIGNED
// RUN: %exits_1 tmem-run %s --entry=past_by_vector 2>&1 | FileCheck %s --check-prefix=VECTOR

!static = memref<64xi32, #gpu.address_space<workgroup>>
!bytes = memref<?xi8, #gpu.address_space<workgroup>>
!words = memref<?xi32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // 256 bytes, from which 32 threads access element tid + %offset. Then dynamic
    // shared memory.
    gpu.func @static(%offset: index) workgroup(%w : !static) kernel {
      %seven = arith.constant 7 : i32
      %tid = gpu.thread_id x
      %i = arith.addi %tid, %offset : index
      // STATIC: faults-shared-memory.mlir:[[@LINE+2]]:{{[0-9]+}}: memref.store: error: expected an index below 64 in dimension 0 of the memref<64xi32
      // BEFORE: faults-shared-memory.mlir:[[@LINE+1]]:{{[0-9]+}}: memref.store: error: expected an index below 64 in dimension 0 of the memref<64xi32
      memref.store %seven, %w[%i] : !static
      gpu.return
    }

    gpu.func @dynamic(%offset: index) kernel {
      %c0 = arith.constant 0 : index
      %n = arith.constant 32 : index
      %tid = gpu.thread_id x
      %all = gpu.dynamic_shared_memory : !bytes
      %w = memref.view %all[%c0][%n] : !bytes to !words
      %i = arith.addi %tid, %offset : index
      %value = arith.index_cast %tid : index to i32
      // DYNAMIC: faults-shared-memory.mlir:[[@LINE+2]]:{{[0-9]+}}: memref.store: error: expected an index below the size in dimension 0 of the memref<?xi32
      // NONE: faults-shared-memory.mlir:[[@LINE+1]]:{{[0-9]+}}: llvm.store: error: {{.*}}shared memory
      memref.store %value, %w[%i] : !words
      gpu.return
    }

    gpu.func @generic(%offset: index) workgroup(%w : !static) kernel {
      %seven = arith.constant 7 : i32
      %tid = gpu.thread_id x
      %i = arith.addi %tid, %offset : index
      %cast = memref.memory_space_cast %w : !static to memref<64xi32>
      // GENERIC: faults-shared-memory.mlir:[[@LINE+1]]:{{[0-9]+}}: memref.store: error: expected an index below 64 in dimension 0 of the memref<64xi32>
      memref.store %seven, %cast[%i] : memref<64xi32>
      gpu.return
    }

    gpu.func @atomic(%offset: index) workgroup(%w : !static) kernel {
      %c0 = arith.constant 0 : index
      %seven = arith.constant 7 : i32
      %tid = gpu.thread_id x
      %first = arith.cmpi eq, %tid, %c0 : index
      scf.if %first {
        // ATOMIC: faults-shared-memory.mlir:[[@LINE+1]]:{{[0-9]+}}: memref.atomic_rmw: error: expected an index below 64 in dimension 0 of the memref<64xi32
        %old = memref.atomic_rmw assign %seven, %w[%offset] : (i32, !static) -> i32
      }
      gpu.return
    }

    // The address of an allocation goes %bytes behind the first word.
    gpu.func @slot(%bytes: i64) workgroup(%w : !static) kernel {
      %c0 = arith.constant 0 : index
      %i = memref.extract_aligned_pointer_as_index %w : !static -> index
      %first = arith.index_cast %i : index to i64
      %address = arith.addi %first, %bytes : i64
      %p = llvm.inttoptr %address : i64 to !llvm.ptr<3>
      // SLOT: faults-shared-memory.mlir:[[@LINE+2]]:{{[0-9]+}}: {{.*}}tcgen05.alloc{{.*}}: error: {{.*}}256 bytes of shared memory{{.*}}but got offset 256
      // UNALIGNED: faults-shared-memory.mlir:[[@LINE+1]]:{{[0-9]+}}: {{.*}}tcgen05.alloc{{.*}}: error: {{.*}}4 aligned bytes{{.*}}but got offset 2
      tmem.alloc %p, 32 : !llvm.ptr<3>
      gpu.barrier
      %base = llvm.load %p : !llvm.ptr<3> -> i32
      tmem.dealloc %base, 32
      gpu.return
    }

    // Four elements, of which the first is inside.
    gpu.func @vector(%offset: index) workgroup(%w : !static) kernel {
      %c0 = arith.constant 0 : index
      %sevens = arith.constant dense<7> : vector<4xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi eq, %tid, %c0 : index
      scf.if %first {
        // VECTOR: faults-shared-memory.mlir:[[@LINE+1]]:{{[0-9]+}}: vector.store: error: expected all elements of the vector<4xi32> in the memref<64xi32
        vector.store %sevens, %w[%offset] : !static, vector<4xi32>
      }
      gpu.return
    }
  }

  func.func @static_of(%offset: index) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    gpu.launch_func @kernels::@static blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%offset : index)
    return
  }
  func.func @dynamic_of(%offset: index, %bytes: i32) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    gpu.launch_func @kernels::@dynamic blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) dynamic_shared_memory_size %bytes
        args(%offset : index)
    return
  }
  func.func @generic_of(%offset: index) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    gpu.launch_func @kernels::@generic blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%offset : index)
    return
  }
  func.func @atomic_of(%offset: index) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    gpu.launch_func @kernels::@atomic blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%offset : index)
    return
  }
  func.func @slot_of(%bytes: i64) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    gpu.launch_func @kernels::@slot blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%bytes : i64)
    return
  }
  func.func @vector_of(%offset: index) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    gpu.launch_func @kernels::@vector blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%offset : index)
    return
  }
  func.func @past_static() {
    %i33 = arith.constant 33 : index
    call @static_of(%i33) : (index) -> ()
    return
  }
  func.func @before_static() {
    %minus1 = arith.constant -1 : index
    call @static_of(%minus1) : (index) -> ()
    return
  }
  func.func @past_dynamic() {
    %i1 = arith.constant 1 : index
    %c128 = arith.constant 128 : i32
    call @dynamic_of(%i1, %c128) : (index, i32) -> ()
    return
  }
  func.func @no_dynamic() {
    %i0 = arith.constant 0 : index
    %c0 = arith.constant 0 : i32
    call @dynamic_of(%i0, %c0) : (index, i32) -> ()
    return
  }
  func.func @past_by_generic() {
    %i64 = arith.constant 64 : index
    call @generic_of(%i64) : (index) -> ()
    return
  }
  func.func @past_by_atomic() {
    %i64 = arith.constant 64 : index
    call @atomic_of(%i64) : (index) -> ()
    return
  }
  func.func @slot_outside() {
    %bytes = arith.constant 256 : i64
    call @slot_of(%bytes) : (i64) -> ()
    return
  }
  func.func @slot_unaligned() {
    %bytes = arith.constant 2 : i64
    call @slot_of(%bytes) : (i64) -> ()
    return
  }
  func.func @past_by_vector() {
    %i63 = arith.constant 63 : index
    call @vector_of(%i63) : (index) -> ()
    return
  }

  // RIGHT: no fault
  func.func @right() {
    %c128 = arith.constant 128 : i32
    %i0 = arith.constant 0 : index
    %i32 = arith.constant 32 : index
    %i63 = arith.constant 63 : index
    %i60 = arith.constant 60 : index
    call @static_of(%i0) : (index) -> ()
    call @static_of(%i32) : (index) -> ()
    call @dynamic_of(%i0, %c128) : (index, i32) -> ()
    call @generic_of(%i32) : (index) -> ()
    call @atomic_of(%i63) : (index) -> ()
    call @vector_of(%i60) : (index) -> ()
    %bytes = arith.constant 252 : i64
    call @slot_of(%bytes) : (i64) -> ()
    vector.print str "no fault\n"
    return
  }
}
