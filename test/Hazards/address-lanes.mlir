// The lane that an address names, of views and of raw transfers.
// Each kernel is wrong, is found, and faults on the emulator; each has a twin that
// is right.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tmem-check-hazards{mode=strict report=warning undecided=error})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=run_H12_same_lanes --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H11_same_lanes --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H17_view_in_other_lanes --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2
// RUN: %exits_1 tmem-run %s --entry=run_H17_whole_slab_from_its_middle --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E3

#regs = #tmem.layout<(4, 2, 8, 4, 2) : (32@tid, 1@tid, 4@tid, 1@reg, 2@tid)>
#s32x32b = #nvvm.tcgen05_ldst_shape<shape_32x32b>
#s16x64b = #nvvm.tcgen05_ldst_shape<shape_16x64b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!tile = !tmem.view<128x8xi32, #tmem.datapath<D>>
!low = !tmem.view<64x8xi32, #tmem.datapath<F>>
!high = !tmem.view<64x8xi32, #tmem.datapath<F, half = 1>>
!pending = !tmem.pending<vector<4xi32>>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @H12_same_lanes() workgroup(%slot: !slot) kernel
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
      %values = arith.constant dense<7> : vector<4xi32>
      %lane16 = arith.constant 1048576 : i32
      %upper = arith.addi %base, %lane16 : i32
      %other = tmem.view %base : !high
      %mem = tmem.view %upper : !low
      scf.if %lower {
        tmem.write %values, %mem registers(#regs)
            scope(warpgroup) : vector<4xi32>, !low
        %t = tmem.store %values, %other registers(#regs)
            scope(warpgroup) : vector<4xi32>, !high
        // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected a wait::st between this and the store to the same cells
        // CHECK: note: rule H12:
        // E0: error: load of cells that a store of this warp still accesses
        %p = tmem.load %mem registers(#regs) scope(warpgroup) : !low -> !pending
        tmem.wait_store %t
        %v = tmem.wait_load %p : !pending
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @right_H12_same_lanes() workgroup(%slot: !slot) kernel
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
      %values = arith.constant dense<7> : vector<4xi32>
      %lane16 = arith.constant 1048576 : i32
      %upper = arith.addi %base, %lane16 : i32
      %other = tmem.view %base : !low
      %mem = tmem.view %upper : !low
      scf.if %lower {
        tmem.write %values, %mem registers(#regs)
            scope(warpgroup) : vector<4xi32>, !low
        %t = tmem.store %values, %other registers(#regs)
            scope(warpgroup) : vector<4xi32>, !low
        %p = tmem.load %mem registers(#regs) scope(warpgroup) : !low -> !pending
        tmem.wait_store %t
        %v = tmem.wait_load %p : !pending
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H11_same_lanes() workgroup(%slot: !slot) kernel
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
      %values = arith.constant dense<7> : vector<4xi32>
      %lane16 = arith.constant 1048576 : i32
      %upper = arith.addi %base, %lane16 : i32
      %other = tmem.view %base : !high
      %mem = tmem.view %upper : !low
      scf.if %lower {
        %t = tmem.store %values, %other registers(#regs)
            scope(warpgroup) : vector<4xi32>, !high
        tmem.wait_store %t
      } else {
        // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected a barrier between this and the store of another warp of the same cells
        // CHECK: note: rule H11:
        // E1: error: race: this store of warp
        %t = tmem.store %values, %mem registers(#regs)
            scope(warpgroup) : vector<4xi32>, !low
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

    gpu.func @right_H11_same_lanes() workgroup(%slot: !slot) kernel
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
      %values = arith.constant dense<7> : vector<4xi32>
      %lane16 = arith.constant 1048576 : i32
      %upper = arith.addi %base, %lane16 : i32
      %other = tmem.view %base : !low
      %mem = tmem.view %upper : !low
      scf.if %lower {
        %t = tmem.store %values, %other registers(#regs)
            scope(warpgroup) : vector<4xi32>, !low
        tmem.wait_store %t
      } else {
        %t = tmem.store %values, %mem registers(#regs)
            scope(warpgroup) : vector<4xi32>, !low
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

    gpu.func @H17_view_in_other_lanes() workgroup(%slot: !slot) kernel
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
      %lanes = arith.constant 2097152 : i32
      %there = arith.addi %base, %lanes : i32
      %mem = tmem.view %there : !tile
      scf.if %lower {
        // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected warp 0 to access lanes 0 to 31, but the address of the view takes it to others
        // CHECK: note: rule H17:
        // E2: error: lane 32 is outside the slab of warp 0
        %t = tmem.store %values, %mem scope(warpgroup) : vector<8xi32>, !tile
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

    gpu.func @right_H17_view_in_other_lanes() workgroup(%slot: !slot) kernel
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
      %lanes = arith.constant 24 : i32
      %there = arith.addi %base, %lanes : i32
      %mem = tmem.view %there : !tile
      scf.if %lower {
        %t = tmem.store %values, %mem scope(warpgroup) : vector<8xi32>, !tile
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

    gpu.func @H17_whole_slab_from_its_middle() workgroup(%slot: !slot) kernel
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
      %c96 = arith.constant 96 : i32
      %c16 = arith.constant 16 : i32
      %lane16 = arith.constant 1048576 : i32
      %thread = arith.index_cast %tid : index to i32
      %rows = arith.andi %thread, %c96 : i32
      %slab = arith.shli %rows, %c16 : i32
      %address = arith.addi %base, %slab : i32
      %middle = arith.addi %address, %lane16 : i32
      %p = llvm.inttoptr %middle : i32 to !llvm.ptr<6>
      scf.if %lower {
        // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected 32x32b of warp 0 to start at lane 0, but got lane 16
        // CHECK: note: rule H17:
        // E3: error: expected 32x32b to start at lane 0, the first of the slab of warp 0, but got lane 16
        nvvm.tcgen05.st %p, %values {shape = #s32x32b} : vector<8xi32>
        nvvm.tcgen05.wait <store>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @right_H17_whole_slab_from_its_middle() workgroup(%slot: !slot) kernel
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
      %c96 = arith.constant 96 : i32
      %c16 = arith.constant 16 : i32
      %lane16 = arith.constant 1048576 : i32
      %thread = arith.index_cast %tid : index to i32
      %rows = arith.andi %thread, %c96 : i32
      %slab = arith.shli %rows, %c16 : i32
      %address = arith.addi %base, %slab : i32
      %middle = arith.addi %address, %lane16 : i32
      %p = llvm.inttoptr %middle : i32 to !llvm.ptr<6>
      scf.if %lower {
        nvvm.tcgen05.st %p, %values {shape = #s16x64b} : vector<8xi32>
        nvvm.tcgen05.wait <store>
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

  func.func @run_H12_same_lanes() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    gpu.launch_func @kernels::@H12_same_lanes blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1)
    return
  }
  func.func @run_H11_same_lanes() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    gpu.launch_func @kernels::@H11_same_lanes blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1)
    return
  }
  func.func @run_H17_view_in_other_lanes() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    gpu.launch_func @kernels::@H17_view_in_other_lanes blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1)
    return
  }
  func.func @run_H17_whole_slab_from_its_middle() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    gpu.launch_func @kernels::@H17_whole_slab_from_its_middle blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1)
    return
  }
  func.func @right() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    gpu.launch_func @kernels::@right_H12_same_lanes blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1)
    gpu.launch_func @kernels::@right_H11_same_lanes blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1)
    gpu.launch_func @kernels::@right_H17_view_in_other_lanes blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1)
    gpu.launch_func @kernels::@right_H17_whole_slab_from_its_middle blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1)
    // RIGHT: no fault
    vector.print str "no fault\n"
    return
  }
}
