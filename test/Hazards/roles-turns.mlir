// Loops of which the warp decides the turns, or what they do in a turn. Each kernel is
// right, and has a twin in which warps are not ordered; that is found, and faults on
// the emulator.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tmem-check-hazards{mode=strict report=warning undecided=error})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(tmem-insert-waits,tmem-select-atoms,convert-tmem-to-nvvm,convert-scf-to-cf,convert-gpu-to-nvvm,reconcile-unrealized-casts,tmem-check-hazards{mode=strict report=warning undecided=error}))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=run_H11_for --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H11_while --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H11_phases --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2

!slot = memref<1xi32, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!out = memref<256x8xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @right_for(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %warp = arith.divui %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
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
      scf.for %i = %warp to %n step %c4 {
        %v1 = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v1, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H11_for(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %warp = arith.divui %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
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
      scf.for %i = %warp to %n step %c4 {
        // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected a barrier between this and the store of another warp of the same cells
        // CHECK: note: rule H11:
        // E0: error: {{.*}}
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @right_while(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %warp = arith.divui %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
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
      %last = scf.while (%i = %warp) : (index) -> index {
        %goes = arith.cmpi ult, %i, %n : index
        scf.condition(%goes) %i : index
      } do {
        ^bb0(%i: index):
        %v1 = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v1, %out[%tid, %c0] : !out, vector<8xi32>
        %next = arith.addi %i, %c4 : index
        scf.yield %next : index
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H11_while(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %warp = arith.divui %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
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
      %last = scf.while (%i = %warp) : (index) -> index {
        %goes = arith.cmpi ult, %i, %n : index
        scf.condition(%goes) %i : index
      } do {
        ^bb0(%i: index):
        // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected a barrier between this and the store of another warp of the same cells
        // CHECK: note: rule H11:
        // E1: error: {{.*}}
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
        %next = arith.addi %i, %c4 : index
        scf.yield %next : index
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @right_phases(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %group = arith.divui %tid, %c128 : index
      %a = arith.cmpi ult, %tid, %c128 : index
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
      scf.for %i = %c0 to %n step %c1 {
        %sum = arith.addi %i, %group : index
        %phase = arith.andi %sum, %c1 : index
        %mine = arith.cmpi eq, %phase, %c0 : index
        scf.if %mine {
          tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
        }
        tmem.fence before
        gpu.barrier
        tmem.fence after
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H11_phases(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %group = arith.divui %tid, %c128 : index
      %a = arith.cmpi ult, %tid, %c128 : index
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
      scf.for %i = %c0 to %n step %c1 {
        %sum = arith.addi %i, %group : index
        %phase = arith.andi %sum, %c1 : index
        %mine = arith.cmpi eq, %phase, %c0 : index
        scf.if %mine {
          // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected a barrier between this and the store of another warp of the same cells
          // CHECK: note: rule H11:
          // E2: error: {{.*}}
          tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
        }
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

  func.func @right() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    %n0 = arith.constant 0 : index
    %n1 = arith.constant 1 : index
    %n5 = arith.constant 5 : index
    %n12 = arith.constant 12 : index
    gpu.launch_func @kernels::@right_for blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n0 : index)
    gpu.launch_func @kernels::@right_for blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n1 : index)
    gpu.launch_func @kernels::@right_for blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n5 : index)
    gpu.launch_func @kernels::@right_for blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n12 : index)
    gpu.launch_func @kernels::@right_while blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n0 : index)
    gpu.launch_func @kernels::@right_while blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n1 : index)
    gpu.launch_func @kernels::@right_while blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n5 : index)
    gpu.launch_func @kernels::@right_while blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n12 : index)
    gpu.launch_func @kernels::@right_phases blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n0 : index)
    gpu.launch_func @kernels::@right_phases blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n1 : index)
    gpu.launch_func @kernels::@right_phases blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n5 : index)
    gpu.launch_func @kernels::@right_phases blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n12 : index)
    // RIGHT: 7
    %c0 = arith.constant 0 : index
    %c200 = arith.constant 200 : index
    %word = memref.load %out[%c200, %c0] : !out
    vector.print %word : i32
    return
  }

  func.func @run_H11_for() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    %n12 = arith.constant 12 : index
    gpu.launch_func @kernels::@H11_for blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n12 : index)
    return
  }

  func.func @run_H11_while() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    %n12 = arith.constant 12 : index
    gpu.launch_func @kernels::@H11_while blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n12 : index)
    return
  }

  func.func @run_H11_phases() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    %n12 = arith.constant 12 : index
    gpu.launch_func @kernels::@H11_phases blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n12 : index)
    return
  }
}
