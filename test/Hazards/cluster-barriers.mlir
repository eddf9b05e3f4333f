// The barrier of the cluster: a wait comes behind what stands in front of the arrive of
// each thread. Each kernel is wrong, is found, and faults on the emulator; each has a
// twin that is right.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tmem-check-hazards{report=warning undecided=error})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=run_H11_between_arrive_and_wait --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H11_behind_its_arrive --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H10_cluster_without_before --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2

!slot = memref<1xi32, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!out = memref<256x8xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @H11_between_arrive_and_wait(%out: !out) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %sevens = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %stores = arith.cmpi ult, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      %loads = arith.cmpi uge, %tid, %c128 : index
      nvvm.cluster.arrive
      scf.if %stores {
        tmem.write %sevens, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      nvvm.cluster.wait
      tmem.fence after
      scf.if %loads {
        // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected a barrier between this and the store of another warp of the same cells
        // CHECK: note: rule H11:
        // E0: :[[@LINE+1]]:{{[0-9]+}}: {{.*}}error: race:
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @right_H11_between(%out: !out) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %sevens = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %stores = arith.cmpi ult, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      %loads = arith.cmpi uge, %tid, %c128 : index
      scf.if %stores {
        tmem.write %sevens, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      nvvm.cluster.arrive
      nvvm.cluster.wait
      tmem.fence after
      scf.if %loads {
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H11_behind_its_arrive(%out: !out) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %sevens = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %stores = arith.cmpi ult, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      %loads = arith.cmpi uge, %tid, %c128 : index
      scf.if %stores {
        nvvm.cluster.arrive
        tmem.write %sevens, %mem scope(warpgroup) : vector<8xi32>, !view
        tmem.fence before
      } else {
        nvvm.cluster.arrive
      }
      nvvm.cluster.wait
      tmem.fence after
      scf.if %loads {
        // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected a barrier between this and the store of another warp of the same cells
        // CHECK: note: rule H11:
        // E1: :[[@LINE+1]]:{{[0-9]+}}: {{.*}}error: race:
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @right_H11_arms(%out: !out) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %sevens = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %stores = arith.cmpi ult, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %stores {
        tmem.write %sevens, %mem scope(warpgroup) : vector<8xi32>, !view
        tmem.fence before
        nvvm.cluster.arrive
        nvvm.cluster.wait
      } else {
        nvvm.cluster.arrive
        nvvm.cluster.wait
        tmem.fence after
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @right_H11_reader_first(%out: !out) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %sevens = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %stores = arith.cmpi ult, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      %loads = arith.cmpi uge, %tid, %c128 : index
      scf.if %loads {
        nvvm.cluster.arrive
        nvvm.cluster.wait
        tmem.fence after
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      } else {
        tmem.write %sevens, %mem scope(warpgroup) : vector<8xi32>, !view
        tmem.fence before
        nvvm.cluster.arrive
        nvvm.cluster.wait
      }
      tmem.fence before
      gpu.barrier
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H10_cluster_without_before(%out: !out) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %sevens = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %stores = arith.cmpi ult, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      %loads = arith.cmpi uge, %tid, %c128 : index
      scf.if %stores {
        tmem.write %sevens, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      nvvm.cluster.arrive.relaxed
      nvvm.cluster.wait
      tmem.fence after
      scf.if %loads {
        // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected a tcgen05.fence before the barrier behind the store of another warp
        // CHECK: note: rule H10:
        // E2: :[[@LINE+1]]:{{[0-9]+}}: {{.*}}error: race:
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @right_H10_cluster(%out: !out) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %sevens = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %stores = arith.cmpi ult, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      %loads = arith.cmpi uge, %tid, %c128 : index
      scf.if %stores {
        tmem.write %sevens, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      nvvm.cluster.arrive.relaxed
      nvvm.cluster.wait
      tmem.fence after
      scf.if %loads {
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }
  }

  func.func @run_H11_between_arrive_and_wait() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H11_between_arrive_and_wait blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out)
    return
  }
  func.func @run_H11_behind_its_arrive() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H11_behind_its_arrive blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out)
    return
  }
  func.func @run_H10_cluster_without_before() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H10_cluster_without_before blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out)
    return
  }
  func.func @right() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@right_H11_between blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out)
    gpu.launch_func @kernels::@right_H11_arms blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out)
    gpu.launch_func @kernels::@right_H11_reader_first blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out)
    gpu.launch_func @kernels::@right_H10_cluster blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out)
    // RIGHT: no fault
    vector.print str "no fault\n"
    return
  }
}
