// The life of an mbarrier: init, a barrier, uses, a barrier, inval. Each wrong
// kernel faults on the emulator; the right ones run clean.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tmem-check-hazards{mode=strict report=warning undecided=error})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: %exits_1 tmem-run %s --entry=run_H22_init_without_barrier --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H22_inval_while_used --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H22_used_after_inval --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2
// RUN: %exits_1 tmem-run %s --entry=run_H22_init_twice --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E3
// RUN: tmem-run %s --entry=run_valid_again --race --seeds=3

// E0: race: {{.*}} uses an mbarrier, and nothing orders this after its initialisation
// E1: error: expected {{a valid mbarrier|an mbarrier that no thread waits for}}
// E2: error: expected a valid mbarrier
// E3: error: the mbarrier {{.*}} is valid already

!slot = memref<1xi32, #gpu.address_space<workgroup>>
!object = memref<8xi64, #gpu.address_space<workgroup>>
!out = memref<256x8xi32>
!tile = !tmem.view<128x8xi32, #tmem.datapath<D>>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @H22_init_without_barrier(%out: !out) workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %zero = arith.constant 0 : i32
      %n128 = arith.constant 128 : i32
      %ticks = arith.constant 1000 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %stores = arith.cmpi ult, %tid, %c128 : index
      %loads = arith.cmpi uge, %tid, %c128 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      %thread0 = arith.cmpi eq, %tid, %c0 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !tile
      %index = memref.extract_aligned_pointer_as_index %object : !object -> index
      %address = arith.index_cast %index : index to i64
      %full = llvm.inttoptr %address : i64 to !llvm.ptr<3>
      scf.if %thread0 {
        nvvm.mbarrier.init %full, %n128 : !llvm.ptr<3>, i32
      }
      scf.if %stores {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !tile
        tmem.fence before
        // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected a barrier between the initialization of the mbarrier and this
        // CHECK: note: rule H22:
        %state = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
      }
      scf.if %loads {
        nvvm.mbarrier.try_wait.parity %full, %zero, %ticks : !llvm.ptr<3>, i32, i32
        tmem.fence after
        %v = tmem.read %mem scope(warpgroup) : !tile -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H22_inval_while_used(%out: !out) workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %zero = arith.constant 0 : i32
      %n128 = arith.constant 128 : i32
      %ticks = arith.constant 1000 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %stores = arith.cmpi ult, %tid, %c128 : index
      %loads = arith.cmpi uge, %tid, %c128 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      %thread0 = arith.cmpi eq, %tid, %c0 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !tile
      %index = memref.extract_aligned_pointer_as_index %object : !object -> index
      %address = arith.index_cast %index : index to i64
      %full = llvm.inttoptr %address : i64 to !llvm.ptr<3>
      scf.if %thread0 {
        nvvm.mbarrier.init %full, %n128 : !llvm.ptr<3>, i32
      }
      gpu.barrier
      scf.if %stores {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !tile
        tmem.fence before
        // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected a valid mbarrier, but got one that was invalidated
        // CHECK: note: rule H22:
        %state = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
      }
      scf.if %thread0 {
        nvvm.mbarrier.inval %full : !llvm.ptr<3>
      }
      scf.if %loads {
        nvvm.mbarrier.try_wait.parity %full, %zero, %ticks : !llvm.ptr<3>, i32, i32
        tmem.fence after
        %v = tmem.read %mem scope(warpgroup) : !tile -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H22_used_after_inval(%out: !out) workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %zero = arith.constant 0 : i32
      %n128 = arith.constant 128 : i32
      %ticks = arith.constant 1000 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %stores = arith.cmpi ult, %tid, %c128 : index
      %loads = arith.cmpi uge, %tid, %c128 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      %thread0 = arith.cmpi eq, %tid, %c0 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !tile
      %index = memref.extract_aligned_pointer_as_index %object : !object -> index
      %address = arith.index_cast %index : index to i64
      %full = llvm.inttoptr %address : i64 to !llvm.ptr<3>
      scf.if %thread0 {
        nvvm.mbarrier.init %full, %n128 : !llvm.ptr<3>, i32
      }
      gpu.barrier
      scf.if %stores {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !tile
        tmem.fence before
        %state = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
      }
      scf.if %loads {
        nvvm.mbarrier.try_wait.parity %full, %zero, %ticks : !llvm.ptr<3>, i32, i32
        tmem.fence after
        %v = tmem.read %mem scope(warpgroup) : !tile -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      gpu.barrier
      scf.if %thread0 {
        nvvm.mbarrier.inval %full : !llvm.ptr<3>
      }
      gpu.barrier
      scf.if %stores {
        // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected a valid mbarrier, but got one that was invalidated
        // CHECK: note: rule H22:
        %state = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
      }
      tmem.fence before
      gpu.barrier
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H22_init_twice(%out: !out) workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %zero = arith.constant 0 : i32
      %n128 = arith.constant 128 : i32
      %ticks = arith.constant 1000 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %stores = arith.cmpi ult, %tid, %c128 : index
      %loads = arith.cmpi uge, %tid, %c128 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      %thread0 = arith.cmpi eq, %tid, %c0 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !tile
      %index = memref.extract_aligned_pointer_as_index %object : !object -> index
      %address = arith.index_cast %index : index to i64
      %full = llvm.inttoptr %address : i64 to !llvm.ptr<3>
      scf.if %thread0 {
        nvvm.mbarrier.init %full, %n128 : !llvm.ptr<3>, i32
      }
      gpu.barrier
      scf.if %thread0 {
        // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected an mbarrier that is not valid
        // CHECK: note: rule H22:
        nvvm.mbarrier.init %full, %n128 : !llvm.ptr<3>, i32
      }
      gpu.barrier
      scf.if %stores {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !tile
        tmem.fence before
        %state = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
      }
      scf.if %loads {
        nvvm.mbarrier.try_wait.parity %full, %zero, %ticks : !llvm.ptr<3>, i32, i32
        tmem.fence after
        %v = tmem.read %mem scope(warpgroup) : !tile -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @valid_again(%out: !out) workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %zero = arith.constant 0 : i32
      %n128 = arith.constant 128 : i32
      %ticks = arith.constant 1000 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %stores = arith.cmpi ult, %tid, %c128 : index
      %loads = arith.cmpi uge, %tid, %c128 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      %thread0 = arith.cmpi eq, %tid, %c0 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !tile
      %index = memref.extract_aligned_pointer_as_index %object : !object -> index
      %address = arith.index_cast %index : index to i64
      %full = llvm.inttoptr %address : i64 to !llvm.ptr<3>
      scf.if %thread0 {
        nvvm.mbarrier.init %full, %n128 : !llvm.ptr<3>, i32
      }
      gpu.barrier
      scf.if %stores {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !tile
        tmem.fence before
        %state = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
      }
      scf.if %loads {
        nvvm.mbarrier.try_wait.parity %full, %zero, %ticks : !llvm.ptr<3>, i32, i32
        tmem.fence after
        %v = tmem.read %mem scope(warpgroup) : !tile -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      gpu.barrier
      scf.if %thread0 {
        nvvm.mbarrier.inval %full : !llvm.ptr<3>
      }
      scf.if %thread0 {
        nvvm.mbarrier.init %full, %n128 : !llvm.ptr<3>, i32
      }
      gpu.barrier
      scf.if %stores {
        %state = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
      }
      tmem.fence before
      gpu.barrier
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }
  }

  func.func @run_H22_init_without_barrier() {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H22_init_without_barrier blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1) args(%out : !out)
    return
  }

  func.func @run_H22_inval_while_used() {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H22_inval_while_used blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1) args(%out : !out)
    return
  }

  func.func @run_H22_used_after_inval() {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H22_used_after_inval blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1) args(%out : !out)
    return
  }

  func.func @run_H22_init_twice() {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H22_init_twice blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1) args(%out : !out)
    return
  }

  func.func @run_valid_again() {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@valid_again blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1) args(%out : !out)
    return
  }
}
