// Words of shared memory that are written again: by a store over what an alloc has
// written, and by a second alloc.
// Each kernel is wrong, is found, and faults on the emulator; each has a twin that
// is right.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tmem-check-hazards{mode=strict report=warning undecided=error})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=run_H17_stored_over_the_slot --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H7_slot_used_again --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1

!slot = memref<1xi32, #gpu.address_space<workgroup>>
!tile = !tmem.view<128x8xi32, #tmem.datapath<D>>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @H17_stored_over_the_slot() workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %lower = arith.cmpi ult, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %values = arith.constant dense<7> : vector<8xi32>
      %more = arith.constant 32 : i32
      %next = arith.addi %base, %more : i32
      gpu.barrier
      scf.if %first {
        memref.store %next, %slot[%c0] : !slot
      }
      gpu.barrier
      %loaded = memref.load %slot[%c0] : !slot
      %mem = tmem.view %loaded : !tile
      scf.if %lower {
        // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected columns 0 to 31 of the allocation, but got column 32
        // CHECK: note: rule H17:
        // E0: error: column 32 is not allocated
        %t = tmem.store %values, %mem scope(warpgroup) : vector<8xi32>, !tile
        tmem.wait_store %t
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @right_H17_stored_over_the_slot() workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %lower = arith.cmpi ult, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %values = arith.constant dense<7> : vector<8xi32>
      %more = arith.constant 24 : i32
      %next = arith.addi %base, %more : i32
      gpu.barrier
      scf.if %first {
        memref.store %next, %slot[%c0] : !slot
      }
      gpu.barrier
      %loaded = memref.load %slot[%c0] : !slot
      %mem = tmem.view %loaded : !tile
      scf.if %lower {
        %t = tmem.store %values, %mem scope(warpgroup) : vector<8xi32>, !tile
        tmem.wait_store %t
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H7_slot_used_again() workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %lower = arith.cmpi ult, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %values = arith.constant dense<7> : vector<8xi32>
      gpu.barrier
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %second = memref.load %slot[%c0] : !slot
      %mem = tmem.view %second : !tile
      scf.if %lower {
        %t = tmem.store %values, %mem scope(warpgroup) : vector<8xi32>, !tile
        tmem.wait_store %t
      }
      gpu.barrier
      scf.if %first {
        tmem.dealloc %second, 32
        // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected columns that are allocated, but they have been freed
        // CHECK: note: rule H7:
        // E1: error: columns at {{.*}} are deallocated already
        tmem.dealloc %second, 32
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @right_H7_slot_used_again() workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %lower = arith.cmpi ult, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %values = arith.constant dense<7> : vector<8xi32>
      gpu.barrier
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %second = memref.load %slot[%c0] : !slot
      %mem = tmem.view %second : !tile
      scf.if %lower {
        %t = tmem.store %values, %mem scope(warpgroup) : vector<8xi32>, !tile
        tmem.wait_store %t
      }
      gpu.barrier
      scf.if %first {
        tmem.dealloc %second, 32
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }
  }

  func.func @run_H17_stored_over_the_slot() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    gpu.launch_func @kernels::@H17_stored_over_the_slot blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1)
    return
  }
  func.func @run_H7_slot_used_again() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    gpu.launch_func @kernels::@H7_slot_used_again blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1)
    return
  }
  func.func @right() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    gpu.launch_func @kernels::@right_H17_stored_over_the_slot blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1)
    gpu.launch_func @kernels::@right_H7_slot_used_again blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1)
    // RIGHT: no fault
    vector.print str "no fault\n"
    return
  }
}
