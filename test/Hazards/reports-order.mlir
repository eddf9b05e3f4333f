// What other projects were reported to get wrong (cited in test/Integration), each in
// its smallest situation: order, and columns. (Row 7 is in pairs.mlir.)
// Each kernel is wrong, is found, and faults on the emulator; each has a twin that
// is right.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tmem-check-hazards{mode=strict report=warning undecided=error})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=run_H11_row5_aliasing_store_of_other_warps --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H2_row6_freed_before_the_release --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H14_row8_zero_trips --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2
// RUN: %exits_1 tmem-run %s --entry=run_H17_row9_past_the_columns_it_has --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E3

#regs = #tmem.layout<(128, 8) : (1@tid, 1@reg)>
#s32x32b = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!object = memref<2xi64, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!pending = !tmem.pending<vector<8xi32>>
!out = memref<256x8xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @H11_row5_aliasing_store_of_other_warps(%out: !out)
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
      scf.if %lower {
        %p = tmem.load %mem registers(#regs) atom(<32x32b, x8>)
            scope(warpgroup) : !view -> !pending
        %v = tmem.wait_load %p : !pending
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      %alias = tmem.view %base : !view
      scf.if %upper {
        // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected a barrier between this and the load of another warp of the same cells
        // CHECK: note: rule H11:
        // E0: error: race: this store of warp {{[0-9]+}} and the load of warp {{[0-9]+}} meet at a cell
        %t = tmem.store %values, %alias registers(#regs) atom(<32x32b, x8>)
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

    gpu.func @right_H11_row5_aliasing_store_of_other_warps(%out: !out)
        workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %warp = arith.divui %tid, %c32 : index
      %first = arith.cmpi eq, %warp, %c0 : index
      %lower = arith.cmpi ult, %warp, %c4 : index
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
      scf.if %lower {
        %p = tmem.load %mem registers(#regs) atom(<32x32b, x8>)
            scope(warpgroup) : !view -> !pending
        %v = tmem.wait_load %p : !pending
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      %alias = tmem.view %base : !view
      scf.if %lower {
        %t = tmem.store %values, %alias registers(#regs) atom(<32x32b, x8>)
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

    gpu.func @H2_row6_freed_before_the_release(%out: !out)
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
      %tick = arith.constant 1000 : i32
      %parity = arith.constant 0 : i32
      %n128 = arith.constant 128 : i32
      %i = memref.extract_aligned_pointer_as_index %object : !object -> index
      %shared = arith.index_cast %i : index to i64
      %c8 = arith.constant 8 : i64
      %second = arith.addi %shared, %c8 : i64
      %full = llvm.inttoptr %shared : i64 to !llvm.ptr<3>
      %free = llvm.inttoptr %second : i64 to !llvm.ptr<3>
      %thread0 = arith.cmpi eq, %tid, %c0 : index
      scf.if %thread0 {
        nvvm.mbarrier.init %full, %n128 : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %free, %n128 : !llvm.ptr<3>, i32
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %upper {
        %t = tmem.store %values, %mem registers(#regs) atom(<32x32b, x8>)
            scope(warpgroup) : vector<8xi32>, !view
        tmem.wait_store %t
        tmem.fence before
        %full_state = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
        nvvm.mbarrier.try_wait.parity %full, %parity, %tick : !llvm.ptr<3>, i32, i32
        tmem.fence after
      }
      scf.if %lower {
        nvvm.mbarrier.try_wait.parity %full, %parity, %tick : !llvm.ptr<3>, i32, i32
        tmem.fence after
        %p = tmem.load %mem registers(#regs) atom(<32x32b, x8>)
            scope(warpgroup) : !view -> !pending
        %v = tmem.wait_load %p : !pending
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
        tmem.fence before
        %free_state = nvvm.mbarrier.arrive %free : !llvm.ptr<3> -> i64
      }
      %frees = arith.cmpi eq, %warp, %c4 : index
      scf.if %frees {
        // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected a barrier between this and the load of another warp
        // CHECK: note: rule H2:
        // E1: error: dealloc is not ordered after the access of warp {{[0-9]+}}
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @right_H2_row6_freed_before_the_release(%out: !out)
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
      %tick = arith.constant 1000 : i32
      %parity = arith.constant 0 : i32
      %n128 = arith.constant 128 : i32
      %i = memref.extract_aligned_pointer_as_index %object : !object -> index
      %shared = arith.index_cast %i : index to i64
      %c8 = arith.constant 8 : i64
      %second = arith.addi %shared, %c8 : i64
      %full = llvm.inttoptr %shared : i64 to !llvm.ptr<3>
      %free = llvm.inttoptr %second : i64 to !llvm.ptr<3>
      %thread0 = arith.cmpi eq, %tid, %c0 : index
      scf.if %thread0 {
        nvvm.mbarrier.init %full, %n128 : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %free, %n128 : !llvm.ptr<3>, i32
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %upper {
        %t = tmem.store %values, %mem registers(#regs) atom(<32x32b, x8>)
            scope(warpgroup) : vector<8xi32>, !view
        tmem.wait_store %t
        tmem.fence before
        %full_state = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
        nvvm.mbarrier.try_wait.parity %free, %parity, %tick : !llvm.ptr<3>, i32, i32
        tmem.fence after
      }
      scf.if %lower {
        nvvm.mbarrier.try_wait.parity %full, %parity, %tick : !llvm.ptr<3>, i32, i32
        tmem.fence after
        %p = tmem.load %mem registers(#regs) atom(<32x32b, x8>)
            scope(warpgroup) : !view -> !pending
        %v = tmem.wait_load %p : !pending
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
        tmem.fence before
        %free_state = nvvm.mbarrier.arrive %free : !llvm.ptr<3> -> i64
      }
      %frees = arith.cmpi eq, %warp, %c4 : index
      scf.if %frees {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H14_row8_zero_trips(%out: !out)
        workgroup(%slot: !slot, %object: !object, %published: !slot) kernel
        attributes {known_block_size = array<i32: 32, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
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
      %next = memref.load %out[%c0, %c0] : !out
      %n = arith.index_cast %next : i32 to index
      scf.for %j = %c0 to %n step %c1 {
        memref.store %base, %published[%c0] : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected the address to be written on every path to here
      // CHECK: note: rule H14:
      // E2: error: expected an address that tcgen05.alloc returned, but got {{.*}}
      %address = memref.load %published[%c0] : !slot
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %address, 32
      }
      gpu.return
    }

    gpu.func @right_H14_row8_zero_trips(%out: !out)
        workgroup(%slot: !slot, %object: !object, %published: !slot) kernel
        attributes {known_block_size = array<i32: 32, 1, 1>} {
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
      %next = memref.load %out[%c0, %c0] : !out
      %n = arith.index_cast %next : i32 to index
      memref.store %base, %published[%c0] : !slot
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %address = memref.load %published[%c0] : !slot
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %address, 32
      }
      gpu.return
    }

    gpu.func @H17_row9_past_the_columns_it_has(%out: !out)
        workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %warp = arith.divui %tid, %c32 : index
      %first = arith.cmpi eq, %warp, %c0 : index
      %lower = arith.cmpi ult, %warp, %c4 : index
      %values = arith.constant dense<7> : vector<8xi32>
      scf.if %first {
        tmem.alloc %slot, 256 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      %far = arith.constant 384 : i32
      %there = arith.addi %base, %far : i32
      %scales = tmem.view %there : !view
      scf.if %lower {
        // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected columns 0 to 255 of the allocation, but got column 384
        // CHECK: note: rule H17:
        // E3: error: column {{[0-9]+}} is not allocated
        %t = tmem.store %values, %scales registers(#regs) atom(<32x32b, x8>)
            scope(warpgroup) : vector<8xi32>, !view
        tmem.wait_store %t
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 256
      }
      gpu.return
    }

    gpu.func @right_H17_row9_past_the_columns_it_has(%out: !out)
        workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %warp = arith.divui %tid, %c32 : index
      %first = arith.cmpi eq, %warp, %c0 : index
      %lower = arith.cmpi ult, %warp, %c4 : index
      %values = arith.constant dense<7> : vector<8xi32>
      scf.if %first {
        tmem.alloc %slot, 512 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      %far = arith.constant 384 : i32
      %there = arith.addi %base, %far : i32
      %scales = tmem.view %there : !view
      scf.if %lower {
        %t = tmem.store %values, %scales registers(#regs) atom(<32x32b, x8>)
            scope(warpgroup) : vector<8xi32>, !view
        tmem.wait_store %t
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 512
      }
      gpu.return
    }

  }

  func.func @run_H11_row5_aliasing_store_of_other_warps() {
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %threads256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %c0 = arith.constant 0 : index
    memref.store %zero, %out[%c0, %c0] : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H11_row5_aliasing_store_of_other_warps blocks in (%c1, %c1, %c1)
        threads in (%threads256, %c1, %c1) args(%out : !out)
    return
  }
  func.func @run_H2_row6_freed_before_the_release() {
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %threads256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %c0 = arith.constant 0 : index
    memref.store %zero, %out[%c0, %c0] : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H2_row6_freed_before_the_release blocks in (%c1, %c1, %c1)
        threads in (%threads256, %c1, %c1) args(%out : !out)
    return
  }
  func.func @run_H14_row8_zero_trips() {
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %threads32 = arith.constant 32 : index
    %out = memref.alloc() : !out
    %c0 = arith.constant 0 : index
    memref.store %zero, %out[%c0, %c0] : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H14_row8_zero_trips blocks in (%c1, %c1, %c1)
        threads in (%threads32, %c1, %c1) args(%out : !out)
    return
  }
  func.func @run_H17_row9_past_the_columns_it_has() {
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %threads256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %c0 = arith.constant 0 : index
    memref.store %zero, %out[%c0, %c0] : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H17_row9_past_the_columns_it_has blocks in (%c1, %c1, %c1)
        threads in (%threads256, %c1, %c1) args(%out : !out)
    return
  }
  func.func @right() {
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %threads32 = arith.constant 32 : index
    %threads256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %c0 = arith.constant 0 : index
    memref.store %zero, %out[%c0, %c0] : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@right_H11_row5_aliasing_store_of_other_warps blocks in (%c1, %c1, %c1)
        threads in (%threads256, %c1, %c1) args(%out : !out)
    gpu.launch_func @kernels::@right_H2_row6_freed_before_the_release blocks in (%c1, %c1, %c1)
        threads in (%threads256, %c1, %c1) args(%out : !out)
    gpu.launch_func @kernels::@right_H14_row8_zero_trips blocks in (%c1, %c1, %c1)
        threads in (%threads32, %c1, %c1) args(%out : !out)
    gpu.launch_func @kernels::@right_H17_row9_past_the_columns_it_has blocks in (%c1, %c1, %c1)
        threads in (%threads256, %c1, %c1) args(%out : !out)
    // RIGHT: no fault
    vector.print str "no fault\n"
    return
  }
}
