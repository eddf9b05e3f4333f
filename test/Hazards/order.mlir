// What goes from one warp to another, and in which order.
// Each kernel is wrong, is found, and faults on the emulator; each has a twin that
// is right.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tmem-check-hazards{mode=strict report=warning undecided=error})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=run_H3_wait_behind_the_barrier --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H4_slot_without_barrier --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H10_no_fence_before --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2
// RUN: %exits_1 tmem-run %s --entry=run_H10_no_fence_after --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E3

#regs = #tmem.layout<(128, 8) : (1@tid, 1@reg)>
#s32x32b = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!object = memref<2xi64, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!pending = !tmem.pending<vector<8xi32>>
!out = memref<256x8xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @H3_wait_behind_the_barrier(%out: !out)
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
      %c96 = arith.constant 96 : i32
      %c16 = arith.constant 16 : i32
      %thread = arith.index_cast %tid : index to i32
      %rows = arith.andi %thread, %c96 : i32
      %slab = arith.shli %rows, %c16 : i32
      %address = arith.addi %base, %slab : i32
      %q = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      scf.if %lower {
        %v = nvvm.tcgen05.ld %q {shape = #s32x32b} : vector<8xi32>
        tmem.fence before
      }
      gpu.barrier
      tmem.fence after
      scf.if %upper {
        // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected the load of another warp to be waited for before the barrier
        // CHECK: note: rule H3:
        // E0: error: race: this store of warp {{[0-9]+}} and the load of warp {{[0-9]+}} meet at a cell
        %t = tmem.store %values, %mem registers(#regs) atom(<32x32b, x8>)
            scope(warpgroup) : vector<8xi32>, !view
        tmem.wait_store %t
      }
      scf.if %lower {
        nvvm.tcgen05.wait <load>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @right_H3_wait_behind_the_barrier(%out: !out)
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
      %c96 = arith.constant 96 : i32
      %c16 = arith.constant 16 : i32
      %thread = arith.index_cast %tid : index to i32
      %rows = arith.andi %thread, %c96 : i32
      %slab = arith.shli %rows, %c16 : i32
      %address = arith.addi %base, %slab : i32
      %q = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      scf.if %lower {
        %v = nvvm.tcgen05.ld %q {shape = #s32x32b} : vector<8xi32>
        nvvm.tcgen05.wait <load>
        tmem.fence before
      }
      gpu.barrier
      tmem.fence after
      scf.if %upper {
        %t = tmem.store %values, %mem registers(#regs) atom(<32x32b, x8>)
            scope(warpgroup) : vector<8xi32>, !view
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

    gpu.func @H4_slot_without_barrier(%out: !out)
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
      // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected a barrier between the write of the address and this read
      // CHECK: note: rule H4:
      // E1: error: race: load of warp {{[0-9]+}} at offset {{[0-9]+}} of shared memory
      %base = memref.load %slot[%c0] : !slot
      memref.store %base, %out[%tid, %c0] : !out
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %again = memref.load %slot[%c0] : !slot
      scf.if %first {
        tmem.dealloc %again, 32
      }
      gpu.return
    }

    gpu.func @right_H4_slot_without_barrier(%out: !out)
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
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      memref.store %base, %out[%tid, %c0] : !out
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H10_no_fence_before(%out: !out)
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
      gpu.barrier
      tmem.fence after
      scf.if %upper {
        // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected a tcgen05.fence before the barrier
        // CHECK: note: rule H10:
        // E2: error: race: this load of warp {{[0-9]+}} and the store of warp {{[0-9]+}} meet at a cell
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

    gpu.func @right_H10_no_fence_before(%out: !out)
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

    gpu.func @H10_no_fence_after(%out: !out)
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
      scf.if %upper {
        // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected a tcgen05.fence after the barrier
        // CHECK: note: rule H10:
        // E3: error: race: this load of warp {{[0-9]+}} and the store of warp {{[0-9]+}} meet at a cell
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

    gpu.func @right_H10_no_fence_after(%out: !out)
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

  }

  func.func @run_H3_wait_behind_the_barrier() {
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %threads256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %c0 = arith.constant 0 : index
    memref.store %zero, %out[%c0, %c0] : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H3_wait_behind_the_barrier blocks in (%c1, %c1, %c1)
        threads in (%threads256, %c1, %c1) args(%out : !out)
    return
  }
  func.func @run_H4_slot_without_barrier() {
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %threads256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %c0 = arith.constant 0 : index
    memref.store %zero, %out[%c0, %c0] : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H4_slot_without_barrier blocks in (%c1, %c1, %c1)
        threads in (%threads256, %c1, %c1) args(%out : !out)
    return
  }
  func.func @run_H10_no_fence_before() {
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %threads256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %c0 = arith.constant 0 : index
    memref.store %zero, %out[%c0, %c0] : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H10_no_fence_before blocks in (%c1, %c1, %c1)
        threads in (%threads256, %c1, %c1) args(%out : !out)
    return
  }
  func.func @run_H10_no_fence_after() {
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %threads256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %c0 = arith.constant 0 : index
    memref.store %zero, %out[%c0, %c0] : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H10_no_fence_after blocks in (%c1, %c1, %c1)
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
    gpu.launch_func @kernels::@right_H3_wait_behind_the_barrier blocks in (%c1, %c1, %c1)
        threads in (%threads256, %c1, %c1) args(%out : !out)
    gpu.launch_func @kernels::@right_H4_slot_without_barrier blocks in (%c1, %c1, %c1)
        threads in (%threads256, %c1, %c1) args(%out : !out)
    gpu.launch_func @kernels::@right_H10_no_fence_before blocks in (%c1, %c1, %c1)
        threads in (%threads256, %c1, %c1) args(%out : !out)
    gpu.launch_func @kernels::@right_H10_no_fence_after blocks in (%c1, %c1, %c1)
        threads in (%threads256, %c1, %c1) args(%out : !out)
    // RIGHT: no fault
    vector.print str "no fault\n"
    return
  }
}
