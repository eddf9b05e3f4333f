// Lanes that numbers decide which change from turn to turn: which of them execute an
// instruction, and which the address names. Each kernel is right, and has a twin that is
// wrong; that is found by a run, and faults on the emulator.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tmem-check-hazards{mode=strict report=warning undecided=error})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(tmem-insert-waits,tmem-select-atoms,convert-tmem-to-nvvm,convert-scf-to-cf,convert-gpu-to-nvvm,reconcile-unrealized-casts,tmem-check-hazards{mode=strict report=warning undecided=error}))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=run_H13_lanes_by_turn --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H17_slab_by_turn --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H17_columns_by_turn --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!out = memref<256x8xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @right_lanes(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %warp = arith.divui %tid, %c32 : index
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
        %sum = arith.addi %i, %warp : index
        %bit = arith.andi %sum, %c1 : index
        %mine = arith.cmpi eq, %bit, %c0 : index
        scf.if %mine {
          scf.if %b {
            %v1 = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
            vector.store %v1, %out[%tid, %c0] : !out, vector<8xi32>
          }
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

    gpu.func @H13_lanes_by_turn(%out: !out, %n: index) workgroup(%slot: !slot) kernel
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
        %sum = arith.addi %i, %tid : index
        %bit = arith.andi %sum, %c1 : index
        %mine = arith.cmpi eq, %bit, %c0 : index
        scf.if %mine {
          scf.if %b {
            // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected all lanes of a warp to execute it, but some lanes of warp 4 do not
            // CHECK: note: rule H13:
            // E0: error: {{.*}}
            %v1 = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
            vector.store %v1, %out[%tid, %c0] : !out, vector<8xi32>
          }
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

    gpu.func @right_slab_by_turn(%out: !out, %n: index) workgroup(%slot: !slot) kernel
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
      %thread = arith.index_cast %tid : index to i32
      %n1 = arith.constant 1 : i32
      %n8 = arith.constant 8 : i32
      %n16 = arith.constant 16 : i32
      %n96 = arith.constant 96 : i32
      scf.for %i = %c0 to %n step %c1 {
        %turn = arith.index_cast %i : index to i32
        %half = arith.andi %turn, %n1 : i32
        %column = arith.muli %half, %n8 : i32
        %rows = arith.andi %thread, %n96 : i32
        %slab = arith.shli %rows, %n16 : i32
        %at = arith.addi %base, %slab : i32
        %cell = arith.addi %at, %column : i32
        %p = llvm.inttoptr %cell : i32 to !llvm.ptr<6>
        scf.if %a {
          nvvm.tcgen05.st %p, %values {shape = #s} : vector<8xi32>
          nvvm.tcgen05.wait <store>
        }
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %b {
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

    gpu.func @H17_slab_by_turn(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
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
      %thread = arith.index_cast %tid : index to i32
      %n16 = arith.constant 16 : i32
      %n32 = arith.constant 32 : i32
      %n96 = arith.constant 96 : i32
      scf.for %i = %c0 to %n step %c1 {
        %turn = arith.index_cast %i : index to i32
        %moved = arith.muli %turn, %n32 : i32
        %where = arith.addi %thread, %moved : i32
        %rows = arith.andi %where, %n96 : i32
        %slab = arith.shli %rows, %n16 : i32
        %at = arith.addi %base, %slab : i32
        %p = llvm.inttoptr %at : i32 to !llvm.ptr<6>
        scf.if %a {
          // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected warp 0 to access lanes 0 to 31, but the address names others
          // CHECK: note: rule H17:
          // E1: error: {{.*}}
          nvvm.tcgen05.st %p, %values {shape = #s} : vector<8xi32>
          nvvm.tcgen05.wait <store>
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

    gpu.func @right_columns_by_turn(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
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
      %thread = arith.index_cast %tid : index to i32
      %n8 = arith.constant 8 : i32
      scf.for %i = %c0 to %c4 step %c1 {
        %turn = arith.index_cast %i : index to i32
        %column = arith.muli %turn, %n8 : i32
        %at = arith.addi %base, %column : i32
        %there = tmem.view %at : !view
        scf.if %a {
          tmem.write %values, %there scope(warpgroup) : vector<8xi32>, !view
        }
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %b {
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

    gpu.func @H17_columns_by_turn(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
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
      %thread = arith.index_cast %tid : index to i32
      %n16 = arith.constant 16 : i32
      scf.for %i = %c0 to %c4 step %c1 {
        %turn = arith.index_cast %i : index to i32
        %column = arith.muli %turn, %n16 : i32
        %at = arith.addi %base, %column : i32
        %there = tmem.view %at : !view
        scf.if %a {
          // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected columns 0 to 31 of the allocation, but got column 32
          // CHECK: note: rule H17:
          // E2: error: {{.*}}
          tmem.write %values, %there scope(warpgroup) : vector<8xi32>, !view
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
    %n5 = arith.constant 5 : index
    gpu.launch_func @kernels::@right_lanes blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n0 : index)
    gpu.launch_func @kernels::@right_lanes blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n5 : index)
    gpu.launch_func @kernels::@right_slab_by_turn blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n0 : index)
    gpu.launch_func @kernels::@right_slab_by_turn blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n5 : index)
    gpu.launch_func @kernels::@right_columns_by_turn blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n0 : index)
    gpu.launch_func @kernels::@right_columns_by_turn blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n5 : index)
    // RIGHT: 7
    %c0 = arith.constant 0 : index
    %c200 = arith.constant 200 : index
    %word = memref.load %out[%c200, %c0] : !out
    vector.print %word : i32
    return
  }

  func.func @run_H13_lanes_by_turn() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    %n5 = arith.constant 5 : index
    gpu.launch_func @kernels::@H13_lanes_by_turn blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n5 : index)
    return
  }

  func.func @run_H17_slab_by_turn() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    %n5 = arith.constant 5 : index
    gpu.launch_func @kernels::@H17_slab_by_turn blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n5 : index)
    return
  }

  func.func @run_H17_columns_by_turn() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    %n5 = arith.constant 5 : index
    gpu.launch_func @kernels::@H17_columns_by_turn blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n5 : index)
    return
  }
}
