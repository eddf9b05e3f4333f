// Addresses that may be any of several of one allocation: which cells they name is
// found by a run, or is not known, but whose they are is. And words that are
// overwritten before all have read them.
// Each kernel is wrong, is found or undecided, and faults on the emulator; each has a
// twin that is right, and accepted.

// RUN: not tmem-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tmem-check-hazards{mode=strict undecided=error})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=run_H11_rotated --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H11_cleared --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H4_overwritten --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2

!slot = memref<1xi32, #gpu.address_space<workgroup>>
!tile = !tmem.view<128x8xi32, #tmem.datapath<D>>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @H11_rotated() workgroup(%slot: !slot) kernel
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
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %n8 = arith.constant 8 : i32
      %next = arith.addi %base, %n8 : i32
      %mem = tmem.view %base : !tile
      %mem8 = tmem.view %next : !tile
      scf.if %lower {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !tile
        tmem.write %values, %mem8 scope(warpgroup) : vector<8xi32>, !tile
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %last:2 = scf.for %i = %c0 to %c3 step %c1
          iter_args(%m = %mem, %other = %mem8) -> (!tile, !tile) {
        scf.if %lower {
          tmem.write %values, %m scope(warpgroup) : vector<8xi32>, !tile
        }
        scf.yield %other, %m : !tile, !tile
      }
      scf.if %lower {
      } else {
        // CHECK: :[[@LINE+3]]:{{[0-9]+}}: {{error|warning}}: {{.*}}expected a barrier between this and the store of another warp
        // CHECK: note: rule H11:
        // E0: error: race: this store of warp
        tmem.write %values, %mem8 scope(warpgroup) : vector<8xi32>, !tile
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @right_rotated() workgroup(%slot: !slot) kernel
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
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %n8 = arith.constant 8 : i32
      %next = arith.addi %base, %n8 : i32
      %mem = tmem.view %base : !tile
      %mem8 = tmem.view %next : !tile
      scf.if %lower {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !tile
        tmem.write %values, %mem8 scope(warpgroup) : vector<8xi32>, !tile
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %last:2 = scf.for %i = %c0 to %c3 step %c1
          iter_args(%m = %mem, %other = %mem8) -> (!tile, !tile) {
        scf.if %lower {
          tmem.write %values, %m scope(warpgroup) : vector<8xi32>, !tile
        }
        scf.yield %other, %m : !tile, !tile
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %lower {
      } else {
        tmem.write %values, %mem8 scope(warpgroup) : vector<8xi32>, !tile
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H11_cleared() workgroup(%slot: !slot) kernel
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
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %n8 = arith.constant 8 : i32
      %next = arith.addi %base, %n8 : i32
      %mem = tmem.view %base : !tile
      %mem8 = tmem.view %next : !tile
      scf.if %lower {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !tile
        tmem.write %values, %mem8 scope(warpgroup) : vector<8xi32>, !tile
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %mask = arith.constant -17 : i32
      %cleared = arith.andi %next, %mask : i32
      %m = tmem.view %cleared : !tile
      scf.if %lower {
        tmem.write %values, %m scope(warpgroup) : vector<8xi32>, !tile
      }
      scf.if %lower {
      } else {
        // CHECK: :[[@LINE+3]]:{{[0-9]+}}: {{error|warning}}: {{.*}}expected a barrier between this and the store of another warp
        // CHECK: note: rule H11:
        // E1: error: race: this store of warp
        tmem.write %values, %mem8 scope(warpgroup) : vector<8xi32>, !tile
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @right_cleared() workgroup(%slot: !slot) kernel
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
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %n8 = arith.constant 8 : i32
      %next = arith.addi %base, %n8 : i32
      %mem = tmem.view %base : !tile
      %mem8 = tmem.view %next : !tile
      scf.if %lower {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !tile
        tmem.write %values, %mem8 scope(warpgroup) : vector<8xi32>, !tile
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %mask = arith.constant -17 : i32
      %cleared = arith.andi %next, %mask : i32
      %m = tmem.view %cleared : !tile
      scf.if %lower {
        tmem.write %values, %m scope(warpgroup) : vector<8xi32>, !tile
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %lower {
      } else {
        tmem.write %values, %mem8 scope(warpgroup) : vector<8xi32>, !tile
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H4_overwritten() workgroup(%slot: !slot) kernel
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
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      gpu.barrier
      scf.for %i = %c0 to %c3 step %c1 {
        scf.if %first {
          // CHECK: :[[@LINE+3]]:{{[0-9]+}}: {{error|warning}}: {{.*}}expected a barrier between the read of the address by another warp and this write over it
          // CHECK: note: rule H4:
          // E2: error: race: {{.*}} of shared memory
          tmem.alloc %slot, 32 : !slot
        }
        gpu.barrier
        %second = memref.load %slot[%c0] : !slot
        scf.if %first {
          tmem.dealloc %second, 32
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

    gpu.func @right_overwritten() workgroup(%slot: !slot) kernel
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
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      gpu.barrier
      scf.for %i = %c0 to %c3 step %c1 {
        scf.if %first {
          tmem.alloc %slot, 32 : !slot
        }
        gpu.barrier
        %second = memref.load %slot[%c0] : !slot
        gpu.barrier
        scf.if %first {
          tmem.dealloc %second, 32
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

  func.func @run_H11_rotated() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    gpu.launch_func @kernels::@H11_rotated blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1)
    return
  }
  func.func @run_H11_cleared() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    gpu.launch_func @kernels::@H11_cleared blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1)
    return
  }
  func.func @run_H4_overwritten() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    gpu.launch_func @kernels::@H4_overwritten blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1)
    return
  }
  func.func @right() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    gpu.launch_func @kernels::@right_rotated blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1)
    gpu.launch_func @kernels::@right_cleared blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1)
    gpu.launch_func @kernels::@right_overwritten blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1)
    // RIGHT: no fault
    vector.print str "no fault\n"
    return
  }
}
