// Two roles that hand cells to and fro at named barriers, turn for turn. The ring is
// right; twins lack the barrier that says that the cells are free again, or a fence at
// it. That is found, and faults on the emulator.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tmem-check-hazards{mode=strict report=warning undecided=error})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(tmem-insert-waits,tmem-select-atoms,convert-tmem-to-nvvm,convert-scf-to-cf,convert-gpu-to-nvvm,reconcile-unrealized-casts,tmem-check-hazards{mode=strict report=warning undecided=error}))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=run_H11_named_never_empty --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H10_named_without_after --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H10_named_without_before --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2

!slot = memref<1xi32, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!out = memref<256x8xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @right_named_ring(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %full = arith.constant 1 : i32
      %empty = arith.constant 2 : i32
      %all = arith.constant 256 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 64 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        scf.for %i = %c0 to %n step %c1 {
          tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
          tmem.fence before
          nvvm.barrier.arrive id = %full number_of_threads = %all
          nvvm.barrier id = %empty number_of_threads = %all
          tmem.fence after
        }
      } else {
        scf.for %i = %c0 to %n step %c1 {
          nvvm.barrier id = %full number_of_threads = %all
          tmem.fence after
          %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
          vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
          tmem.fence before
          nvvm.barrier.arrive id = %empty number_of_threads = %all
        }
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    // E0: error: race: {{.*}}nothing orders them
    gpu.func @H11_named_never_empty(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %full = arith.constant 1 : i32
      %empty = arith.constant 2 : i32
      %all = arith.constant 256 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 64 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        scf.for %i = %c0 to %n step %c1 {
          // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected a barrier between this and the load of another warp
          // CHECK: note: rule H11:
          tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
          tmem.fence before
          nvvm.barrier id = %full number_of_threads = %all
          tmem.fence after
        }
      } else {
        scf.for %i = %c0 to %n step %c1 {
          nvvm.barrier id = %full number_of_threads = %all
          tmem.fence after
          %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
          vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
          tmem.fence before
        }
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    // E1: error: race: {{.*}}fence::after_thread_sync is missing
    gpu.func @H10_named_without_after(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %full = arith.constant 1 : i32
      %empty = arith.constant 2 : i32
      %all = arith.constant 256 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 64 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        scf.for %i = %c0 to %n step %c1 {
          // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected a tcgen05.fence after the barrier behind the load of another warp
          // CHECK: note: rule H10:
          tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
          tmem.fence before
          nvvm.barrier id = %full number_of_threads = %all
          nvvm.barrier id = %empty number_of_threads = %all
        }
      } else {
        scf.for %i = %c0 to %n step %c1 {
          nvvm.barrier id = %full number_of_threads = %all
          tmem.fence after
          %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
          vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
          tmem.fence before
          nvvm.barrier.arrive id = %empty number_of_threads = %all
        }
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    // E2: error: race: {{.*}}fence::before_thread_sync is missing
    gpu.func @H10_named_without_before(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %full = arith.constant 1 : i32
      %empty = arith.constant 2 : i32
      %all = arith.constant 256 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 64 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        scf.for %i = %c0 to %n step %c1 {
          // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected a tcgen05.fence before the barrier behind the load of another warp
          // CHECK: note: rule H10:
          tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
          tmem.fence before
          nvvm.barrier id = %full number_of_threads = %all
          nvvm.barrier id = %empty number_of_threads = %all
          tmem.fence after
        }
      } else {
        scf.for %i = %c0 to %n step %c1 {
          nvvm.barrier id = %full number_of_threads = %all
          tmem.fence after
          %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
          vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
          nvvm.barrier.arrive id = %empty number_of_threads = %all
        }
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }
  }

  func.func @run_H11_named_never_empty() {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %threads = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H11_named_never_empty blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %c4 : index)
    return
  }

  func.func @run_H10_named_without_after() {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %threads = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H10_named_without_after blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %c4 : index)
    return
  }

  func.func @run_H10_named_without_before() {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %threads = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H10_named_without_before blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %c4 : index)
    return
  }

  func.func @right() {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %threads = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@right_named_ring blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %c4 : index)
    // RIGHT: no fault
    vector.print str "no fault\n"
    return
  }
}
