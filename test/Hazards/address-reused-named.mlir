// One word of shared memory for two allocs, one after the other, where other things than
// barriers of the block order warps as well: barriers of the block say what a load gives.

// RUN: tmem-opt %s --tmem-check-hazards='report=warning undecided=error' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=run_H6_beside_named --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H7_other_number --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1

// E0: error: 64 columns at column {{[0-9]+}} were never deallocated
// E1: error: columns at {{.*}} are deallocated already
// RIGHT: 7

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!object = memref<4xi64, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!out = memref<256x8xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @right_beside_named(%out: !out)
        workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %i0 = arith.constant 0 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %thread0 = arith.cmpi eq, %tid, %c0 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 64 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %i1 = arith.constant 1 : i32
      %i256 = arith.constant 256 : i32
      %mem = tmem.view %base : !view
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
        tmem.fence before
        nvvm.barrier.arrive id = %i1 number_of_threads = %i256
      }
      scf.if %b {
        nvvm.barrier id = %i1 number_of_threads = %i256
        tmem.fence after
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %second = memref.load %slot[%c0] : !slot
      %mem2 = tmem.view %second : !view
      scf.if %a {
        tmem.write %values, %mem2 scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %second, 32
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    gpu.func @H6_beside_named(%out: !out)
        workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %i0 = arith.constant 0 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %thread0 = arith.cmpi eq, %tid, %c0 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      scf.if %first {
        // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected the columns to be freed before the kernel ends, but got no dealloc
        // CHECK: note: rule H6:
        tmem.alloc %slot, 64 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %i1 = arith.constant 1 : i32
      %i256 = arith.constant 256 : i32
      %mem = tmem.view %base : !view
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
        tmem.fence before
        nvvm.barrier.arrive id = %i1 number_of_threads = %i256
      }
      scf.if %b {
        nvvm.barrier id = %i1 number_of_threads = %i256
        tmem.fence after
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %second = memref.load %slot[%c0] : !slot
      %mem2 = tmem.view %second : !view
      scf.if %a {
        tmem.write %values, %mem2 scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %second, 32
      }
      gpu.return
    }

    gpu.func @right_other_number(%out: !out)
        workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %i0 = arith.constant 0 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %thread0 = arith.cmpi eq, %tid, %c0 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %i1 = arith.constant 1 : i32
      %i256 = arith.constant 256 : i32
      scf.if %first {
        tmem.alloc %slot, 64 : !slot
      }
      tmem.fence before
      nvvm.barrier id = %i1 number_of_threads = %i256
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      nvvm.barrier id = %i1 number_of_threads = %i256
      tmem.fence after
      scf.if %b {
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      nvvm.barrier id = %i1 number_of_threads = %i256
      tmem.fence after
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      nvvm.barrier id = %i1 number_of_threads = %i256
      tmem.fence after
      %second = memref.load %slot[%c0] : !slot
      %mem2 = tmem.view %second : !view
      scf.if %a {
        tmem.write %values, %mem2 scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      nvvm.barrier id = %i1 number_of_threads = %i256
      tmem.fence after
      scf.if %first {
        tmem.dealloc %second, 32
      }
      tmem.fence before
      nvvm.barrier id = %i1 number_of_threads = %i256
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    gpu.func @H7_other_number(%out: !out)
        workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %i0 = arith.constant 0 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %thread0 = arith.cmpi eq, %tid, %c0 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %i1 = arith.constant 1 : i32
      %i256 = arith.constant 256 : i32
      scf.if %first {
        tmem.alloc %slot, 64 : !slot
      }
      tmem.fence before
      nvvm.barrier id = %i1 number_of_threads = %i256
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      nvvm.barrier id = %i1 number_of_threads = %i256
      tmem.fence after
      scf.if %b {
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      nvvm.barrier id = %i1 number_of_threads = %i256
      tmem.fence after
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      nvvm.barrier id = %i1 number_of_threads = %i256
      tmem.fence after
      %second = memref.load %slot[%c0] : !slot
      %mem2 = tmem.view %second : !view
      scf.if %a {
        tmem.write %values, %mem2 scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      nvvm.barrier id = %i1 number_of_threads = %i256
      tmem.fence after
      scf.if %first {
        tmem.dealloc %second, 32
      }
      tmem.fence before
      nvvm.barrier id = %i1 number_of_threads = %i256
      tmem.fence after
      // CHECK: :[[@LINE+4]]:{{[0-9]+}}: warning: {{.*}}expected columns that are allocated, but they have been freed
      // CHECK: note: rule H7:
      // CHECK: warning: {{.*}}expected the columns to be freed before the kernel ends, but got no dealloc
      scf.if %first {
        tmem.dealloc %second, 32
      }
      gpu.return
    }
  }

  func.func @run_H6_beside_named() {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H6_beside_named blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1) args(%out : !out)
    return
  }
  func.func @run_H7_other_number() {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H7_other_number blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1) args(%out : !out)
    return
  }
  func.func @right() {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@right_beside_named blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1) args(%out : !out)
    gpu.launch_func @kernels::@right_other_number blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1) args(%out : !out)
    %c255 = arith.constant 255 : index
    %word = memref.load %out[%c255, %c1] : !out
    vector.print %word : i32
    return
  }
}
