// Two warps at one cell.
// Each kernel is wrong, is found, and faults on the emulator; each has a twin that
// is right.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tmem-check-hazards{mode=strict report=warning undecided=error})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=run_H11_no_barrier --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H11_two_stores --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1

#regs = #tmem.layout<(128, 8) : (1@tid, 1@reg)>
#s32x32b = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!object = memref<2xi64, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!pending = !tmem.pending<vector<8xi32>>
!out = memref<256x8xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @H11_no_barrier(%out: !out)
        workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %warp = arith.divui %tid, %c32 : index
      %first = arith.cmpi eq, %warp, %c0 : index
      %lower = arith.cmpi ult, %warp, %c4 : index
      %upper = arith.cmpi uge, %warp, %c4 : index
      %values = arith.constant dense<7> : vector<8xi32>
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %lower {
        %init = tmem.store %values, %mem registers(#regs) atom(<32x32b, x8>)
            scope(warpgroup) : vector<8xi32>, !view
        tmem.wait_store %init
      }
      tmem.fence before
      tmem.fence after
      scf.if %upper {
        // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected a barrier between this and the store of another warp of the same cells
        // CHECK: note: rule H11:
        // E0: error: race: this load of warp {{[0-9]+}} and the store of warp {{[0-9]+}} meet at a cell
        %p = tmem.load %mem registers(#regs) atom(<32x32b, x8>)
            scope(warpgroup) : !view -> !pending
        %v = tmem.wait_load %p : !pending
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @right_H11_no_barrier(%out: !out)
        workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %warp = arith.divui %tid, %c32 : index
      %first = arith.cmpi eq, %warp, %c0 : index
      %lower = arith.cmpi ult, %warp, %c4 : index
      %upper = arith.cmpi uge, %warp, %c4 : index
      %values = arith.constant dense<7> : vector<8xi32>
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %lower {
        %init = tmem.store %values, %mem registers(#regs) atom(<32x32b, x8>)
            scope(warpgroup) : vector<8xi32>, !view
        tmem.wait_store %init
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %upper {
        %p = tmem.load %mem registers(#regs) atom(<32x32b, x8>)
            scope(warpgroup) : !view -> !pending
        %v = tmem.wait_load %p : !pending
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H11_two_stores(%out: !out)
        workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %warp = arith.divui %tid, %c32 : index
      %first = arith.cmpi eq, %warp, %c0 : index
      %values = arith.constant dense<7> : vector<8xi32>
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      %far = arith.constant 4 : i32
      %c128 = arith.constant 128 : index
      %half = arith.divui %tid, %c128 : index
      %number = arith.index_cast %half : index to i32
      %column = arith.muli %number, %far : i32
      %mine = arith.addi %base, %column : i32
      %own = tmem.view %mine : !view
      // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected a barrier between this and the store of another warp
      // CHECK: note: rule H11:
      // E1: error: race: this store of warp {{[0-9]+}} and the store of warp {{[0-9]+}} meet at a cell
      %t = tmem.store %values, %own registers(#regs) atom(<32x32b, x8>)
          scope(warpgroup) : vector<8xi32>, !view
      tmem.wait_store %t
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @right_H11_two_stores(%out: !out)
        workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %warp = arith.divui %tid, %c32 : index
      %first = arith.cmpi eq, %warp, %c0 : index
      %values = arith.constant dense<7> : vector<8xi32>
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      %far = arith.constant 8 : i32
      %c128 = arith.constant 128 : index
      %half = arith.divui %tid, %c128 : index
      %number = arith.index_cast %half : index to i32
      %column = arith.muli %number, %far : i32
      %mine = arith.addi %base, %column : i32
      %own = tmem.view %mine : !view
      %t = tmem.store %values, %own registers(#regs) atom(<32x32b, x8>)
          scope(warpgroup) : vector<8xi32>, !view
      tmem.wait_store %t
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

  }

  func.func @run_H11_no_barrier() {
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %threads256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %c0 = arith.constant 0 : index
    memref.store %zero, %out[%c0, %c0] : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H11_no_barrier blocks in (%c1, %c1, %c1)
        threads in (%threads256, %c1, %c1) args(%out : !out)
    return
  }
  func.func @run_H11_two_stores() {
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %threads256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %c0 = arith.constant 0 : index
    memref.store %zero, %out[%c0, %c0] : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H11_two_stores blocks in (%c1, %c1, %c1)
        threads in (%threads256, %c1, %c1) args(%out : !out)
    return
  }
  func.func @right() {
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %threads256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %c0 = arith.constant 0 : index
    memref.store %zero, %out[%c0, %c0] : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@right_H11_no_barrier blocks in (%c1, %c1, %c1)
        threads in (%threads256, %c1, %c1) args(%out : !out)
    gpu.launch_func @kernels::@right_H11_two_stores blocks in (%c1, %c1, %c1)
        threads in (%threads256, %c1, %c1) args(%out : !out)
    // RIGHT: no fault
    vector.print str "no fault\n"
    return
  }
}
