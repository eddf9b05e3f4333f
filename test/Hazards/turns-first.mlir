// What a loop does in its first turn only, or in its first two: by its counter, or by a
// flag that it carries. Each kernel is right, and has a twin that does it in another
// turn; that is found, and faults on the emulator.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tmem-check-hazards{mode=strict report=warning undecided=error})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(tmem-insert-waits,tmem-select-atoms,convert-tmem-to-nvvm,convert-scf-to-cf,convert-gpu-to-nvvm,reconcile-unrealized-casts,tmem-check-hazards{mode=strict report=warning undecided=error}))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=run_H11_not_first --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H11_first_three --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H11_flag --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2

!slot = memref<1xi32, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!out = memref<256x8xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @right_first(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
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
      scf.for %i = %c0 to %n step %c1 {
        %is = arith.cmpi eq, %i, %c0 : index
        scf.if %is {
          scf.if %a {
            tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
          }
          tmem.fence before
          gpu.barrier
          tmem.fence after
        }
        scf.if %b {
          %v1 = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
          vector.store %v1, %out[%tid, %c0] : !out, vector<8xi32>
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

    gpu.func @H11_not_first(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
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
      scf.for %i = %c0 to %n step %c1 {
        %is = arith.cmpi ugt, %i, %c0 : index
        scf.if %is {
          scf.if %a {
            // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected a barrier between this and the load of another warp of the same cells
            // CHECK: note: rule H11:
            // E0: error: {{.*}}
            tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
          }
          tmem.fence before
          gpu.barrier
          tmem.fence after
        }
        scf.if %b {
          %v1 = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
          vector.store %v1, %out[%tid, %c0] : !out, vector<8xi32>
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

    gpu.func @right_first_two(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
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
      scf.for %i = %c0 to %n step %c1 {
        %fills = arith.cmpi ult, %i, %c2 : index
        %drains = arith.cmpi uge, %i, %c2 : index
        scf.if %fills {
          scf.if %a {
            tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
          }
          tmem.fence before
          gpu.barrier
          tmem.fence after
        }
        %reads = arith.andi %drains, %b : i1
        scf.if %reads {
          %v1 = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
          vector.store %v1, %out[%tid, %c0] : !out, vector<8xi32>
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

    gpu.func @H11_first_three(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
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
      scf.for %i = %c0 to %n step %c1 {
        %fills = arith.cmpi ule, %i, %c2 : index
        %drains = arith.cmpi uge, %i, %c2 : index
        scf.if %fills {
          scf.if %a {
            tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
          }
        }
        %reads = arith.andi %drains, %b : i1
        scf.if %reads {
          // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected a barrier between this and the store of another warp of the same cells
          // CHECK: note: rule H11:
          // E1: error: {{.*}}
          %v1 = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
          vector.store %v1, %out[%tid, %c0] : !out, vector<8xi32>
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

    gpu.func @right_flag(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %true = arith.constant true
      %false = arith.constant false
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
      %last = scf.for %i = %c0 to %n step %c1 iter_args(%is = %true) -> (i1) {
        scf.if %is {
          scf.if %a {
            tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
          }
          tmem.fence before
          gpu.barrier
          tmem.fence after
        }
        scf.if %b {
          %v1 = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
          vector.store %v1, %out[%tid, %c0] : !out, vector<8xi32>
        }
        scf.yield %false : i1
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H11_flag(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %true = arith.constant true
      %false = arith.constant false
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
      %last = scf.for %i = %c0 to %n step %c1 iter_args(%is = %false) -> (i1) {
        scf.if %is {
          scf.if %a {
            // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected a barrier between this and the load of another warp of the same cells
            // CHECK: note: rule H11:
            // E2: error: {{.*}}
            tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
          }
          tmem.fence before
          gpu.barrier
          tmem.fence after
        }
        scf.if %b {
          %v1 = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
          vector.store %v1, %out[%tid, %c0] : !out, vector<8xi32>
        }
        scf.yield %true : i1
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
    %n5 = arith.constant 5 : index
    gpu.launch_func @kernels::@right_first blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n0 : index)
    gpu.launch_func @kernels::@right_first blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n5 : index)
    gpu.launch_func @kernels::@right_first_two blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n0 : index)
    gpu.launch_func @kernels::@right_first_two blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n5 : index)
    gpu.launch_func @kernels::@right_flag blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n0 : index)
    gpu.launch_func @kernels::@right_flag blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n5 : index)
    // RIGHT: 7
    %c0 = arith.constant 0 : index
    %c200 = arith.constant 200 : index
    %word = memref.load %out[%c200, %c0] : !out
    vector.print %word : i32
    return
  }

  func.func @run_H11_not_first() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    %n5 = arith.constant 5 : index
    gpu.launch_func @kernels::@H11_not_first blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n5 : index)
    return
  }

  func.func @run_H11_first_three() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    %n5 = arith.constant 5 : index
    gpu.launch_func @kernels::@H11_first_three blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n5 : index)
    return
  }

  func.func @run_H11_flag() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    %n5 = arith.constant 5 : index
    gpu.launch_func @kernels::@H11_flag blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n5 : index)
    return
  }
}
