// Stores of something else than a word over a word that holds an address: what is read
// there afterwards is no address that is known. Words beside it are as they were.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tmem-check-hazards{mode=strict report=warning undecided=warn})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=run_a_vector --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_a_float --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_half_a_word --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2
// RUN: %exits_1 tmem-run %s --entry=run_by_thread --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E3

!slot = memref<4xi32, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!out = memref<256x8xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @a_vector(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        %one = arith.constant dense<1> : vector<2xi32>
        vector.store %one, %slot[%c0] : !slot, vector<2xi32>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %again = memref.load %slot[%c0] : !slot
      // CHECK: :[[@LINE+6]]:{{[0-9]+}}: warning: {{.*}}undecided: which allocation it frees: its address may have been written over
      // E0: error: expected the address that tcgen05.alloc returned
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %again, 32
      }
      gpu.return
    }

    gpu.func @a_float(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        %i = memref.extract_aligned_pointer_as_index %slot : !slot -> index
        %i64 = arith.index_cast %i : index to i64
        %p = llvm.inttoptr %i64 : i64 to !llvm.ptr<3>
        %one = arith.constant 1.0 : f32
        llvm.store %one, %p : f32, !llvm.ptr<3>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %again = memref.load %slot[%c0] : !slot
      // CHECK: :[[@LINE+6]]:{{[0-9]+}}: warning: {{.*}}undecided: which allocation it frees: its address may have been written over
      // E1: error: expected the address that tcgen05.alloc returned
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %again, 32
      }
      gpu.return
    }

    gpu.func @half_a_word(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        %i = memref.extract_aligned_pointer_as_index %slot : !slot -> index
        %i64 = arith.index_cast %i : index to i64
        %p = llvm.inttoptr %i64 : i64 to !llvm.ptr<3>
        %five = arith.constant 5 : i16
        %q = llvm.getelementptr %p[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i16
        llvm.store %five, %q : i16, !llvm.ptr<3>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %again = memref.load %slot[%c0] : !slot
      // CHECK: :[[@LINE+6]]:{{[0-9]+}}: warning: {{.*}}undecided: which allocation it frees: its address may have been written over
      // E2: error: expected the address that tcgen05.alloc returned
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %again, 32
      }
      gpu.return
    }

    gpu.func @by_thread(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        %c4 = arith.constant 4 : index
        %one = arith.constant 1 : i32
        %place = arith.remui %tid, %c4 : index
        memref.store %one, %slot[%place] : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %again = memref.load %slot[%c0] : !slot
      // CHECK: :[[@LINE+6]]:{{[0-9]+}}: warning: {{.*}}undecided: which allocation it frees: its address may have been written over
      // E3: error: expected the address that tcgen05.alloc returned
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %again, 32
      }
      gpu.return
    }

    gpu.func @right_vector_beside(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        %one = arith.constant dense<1> : vector<2xi32>
        %c1 = arith.constant 1 : index
        vector.store %one, %slot[%c1] : !slot, vector<2xi32>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %again = memref.load %slot[%c0] : !slot
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %again, 32
      }
      gpu.return
    }

    gpu.func @right_by_thread_beside(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        %c1 = arith.constant 1 : index
        %c3 = arith.constant 3 : index
        %one = arith.constant 1 : i32
        %rest = arith.remui %tid, %c3 : index
        %place = arith.addi %rest, %c1 : index
        memref.store %one, %slot[%place] : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %again = memref.load %slot[%c0] : !slot
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %again, 32
      }
      gpu.return
    }

    gpu.func @right_not_read_again(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        %one = arith.constant dense<1> : vector<2xi32>
        vector.store %one, %slot[%c0] : !slot, vector<2xi32>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }
  }

  // RIGHT: seeds: 3 clean
  func.func @run_a_vector() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %n = arith.constant 4 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@a_vector blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n : index)
    return
  }

  func.func @run_a_float() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %n = arith.constant 4 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@a_float blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n : index)
    return
  }

  func.func @run_half_a_word() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %n = arith.constant 4 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@half_a_word blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n : index)
    return
  }

  func.func @run_by_thread() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %n = arith.constant 4 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@by_thread blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n : index)
    return
  }

  func.func @right() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %n = arith.constant 4 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@right_vector_beside blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n : index)
    gpu.launch_func @kernels::@right_by_thread_beside blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n : index)
    gpu.launch_func @kernels::@right_not_read_again blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n : index)
    return
  }
}
