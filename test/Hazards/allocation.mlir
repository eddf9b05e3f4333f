// Allocs, the permit, and dealloc on every path.
// Each kernel is wrong, is found, and faults on the emulator; each has a twin that
// is right.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tmem-check-hazards{mode=strict report=warning undecided=error})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=run_H5_alloc_after_relinquish --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H6_no_dealloc --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H6_early_end --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2

#regs = #tmem.layout<(128, 8) : (1@tid, 1@reg)>
#s32x32b = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!object = memref<2xi64, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!pending = !tmem.pending<vector<8xi32>>
!out = memref<256x8xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @H5_alloc_after_relinquish(%out: !out)
        workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %warp = arith.divui %tid, %c32 : index
      %first = arith.cmpi eq, %warp, %c0 : index
      scf.if %first {
        tmem.relinquish_alloc_permit
        // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected no alloc after the permit was given up
        // CHECK: note: rule H5:
        // E0: error: alloc after the block has given up its permit
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @right_H5_alloc_after_relinquish(%out: !out)
        workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %warp = arith.divui %tid, %c32 : index
      %first = arith.cmpi eq, %warp, %c0 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
        tmem.relinquish_alloc_permit
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H6_no_dealloc(%out: !out)
        workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %warp = arith.divui %tid, %c32 : index
      %first = arith.cmpi eq, %warp, %c0 : index
      scf.if %first {
        // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected the columns to be freed before the kernel ends, but got no dealloc
        // CHECK: note: rule H6:
        // E1: error: {{[0-9]+}} columns at column {{[0-9]+}} were never deallocated
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      gpu.return
    }

    gpu.func @right_H6_no_dealloc(%out: !out)
        workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %warp = arith.divui %tid, %c32 : index
      %first = arith.cmpi eq, %warp, %c0 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H6_early_end(%out: !out)
        workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %warp = arith.divui %tid, %c32 : index
      %first = arith.cmpi eq, %warp, %c0 : index
      %skip = memref.load %out[%c0, %c0] : !out
      %zero = arith.constant 0 : i32
      scf.if %first {
        // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}but got a path without a dealloc
        // CHECK: note: rule H6:
        // E2: error: {{[0-9]+}} columns at column {{[0-9]+}} were never deallocated
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %goes_on = arith.cmpi ne, %skip, %zero : i32
      scf.if %goes_on {
        tmem.fence before
        gpu.barrier
        tmem.fence after
        scf.if %first {
          tmem.dealloc %base, 32
        }
      }
      gpu.return
    }

    gpu.func @right_H6_early_end(%out: !out)
        workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %warp = arith.divui %tid, %c32 : index
      %first = arith.cmpi eq, %warp, %c0 : index
      %skip = memref.load %out[%c0, %c0] : !out
      %zero = arith.constant 0 : i32
      %stops = arith.cmpi eq, %skip, %zero : i32
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %stops {
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

  }

  func.func @run_H5_alloc_after_relinquish() {
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %threads256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %c0 = arith.constant 0 : index
    memref.store %zero, %out[%c0, %c0] : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H5_alloc_after_relinquish blocks in (%c1, %c1, %c1)
        threads in (%threads256, %c1, %c1) args(%out : !out)
    return
  }
  func.func @run_H6_no_dealloc() {
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %threads256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %c0 = arith.constant 0 : index
    memref.store %zero, %out[%c0, %c0] : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H6_no_dealloc blocks in (%c1, %c1, %c1)
        threads in (%threads256, %c1, %c1) args(%out : !out)
    return
  }
  func.func @run_H6_early_end() {
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %threads256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %c0 = arith.constant 0 : index
    memref.store %zero, %out[%c0, %c0] : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H6_early_end blocks in (%c1, %c1, %c1)
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
    gpu.launch_func @kernels::@right_H5_alloc_after_relinquish blocks in (%c1, %c1, %c1)
        threads in (%threads256, %c1, %c1) args(%out : !out)
    gpu.launch_func @kernels::@right_H6_no_dealloc blocks in (%c1, %c1, %c1)
        threads in (%threads256, %c1, %c1) args(%out : !out)
    gpu.launch_func @kernels::@right_H6_early_end blocks in (%c1, %c1, %c1)
        threads in (%threads256, %c1, %c1) args(%out : !out)
    // RIGHT: no fault
    vector.print str "no fault\n"
    return
  }
}
