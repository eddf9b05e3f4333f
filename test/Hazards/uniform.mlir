// What lanes know each for itself is not one value of the block, though it is computed
// from nothing: special registers, assembly, undefined values, a thread's own memory.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tmem-check-hazards{mode=strict report=warning undecided=warn})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=run_H13_lane_mask --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0

!slot = memref<4xi32, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!out = memref<256x8xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @H13_lane_mask(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
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
      %i0 = arith.constant 0 : i32
      %mask = nvvm.read.ptx.sreg.lanemask.lt : i32
      %q = arith.cmpi eq, %mask, %i0 : i32
      scf.if %q {
        // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected all lanes of a warp to execute it, but some lanes of warp 0 do not
        // CHECK: note: rule H13:
        // E0: error: divergent warp
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
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

    gpu.func @undefined(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
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
      %i1 = arith.constant 1 : i32
      %any = llvm.mlir.undef : i32
      %q = arith.cmpi eq, %any, %i1 : i32
      scf.if %q {
        // CHECK: :[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}undecided: which lanes execute it
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
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

    gpu.func @own_memory(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
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
      %i16 = arith.constant 16 : i32
      %t32 = arith.index_cast %tid : index to i32
      %own = memref.alloca() : memref<1xi32>
      memref.store %t32, %own[%c0] : memref<1xi32>
      %is = memref.load %own[%c0] : memref<1xi32>
      %q = arith.cmpi ult, %is, %i16 : i32
      scf.if %q {
        // CHECK: :[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}undecided: which lanes execute it
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
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

    gpu.func @right_shuffled_warp(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
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
      %i0 = arith.constant 0 : i32
      %i4 = arith.constant 4 : i32
      %i128 = arith.constant 128 : i32
      %size = nvvm.read.ptx.sreg.warpsize : i32
      %t32 = arith.index_cast %tid : index to i32
      %warp = arith.divui %t32, %size : i32
      %is, %valid = gpu.shuffle idx %warp, %i0, %size : i32
      %lower = arith.cmpi ult, %is, %i4 : i32
      %both = arith.andi %lower, %valid : i1
      %id = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.tid.x"() : () -> i32
      %below = arith.cmpi ult, %id, %i128 : i32
      %q = arith.andi %both, %below : i1
      scf.if %q {
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
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

    gpu.func @right_by_subgroup_size(%out: !out, %n: index) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
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
      %c4 = arith.constant 4 : index
      %size = gpu.subgroup_size : index
      %warp = arith.ceildivui %tid, %size : index
      %past = arith.addi %tid, %size : index
      %up = arith.subi %past, %tid : index
      %next = arith.floordivsi %past, %up : index
      %q = arith.cmpi ule, %next, %c4 : index
      scf.if %q {
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
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

  // RIGHT: seeds: 3 clean
  func.func @run_H13_lane_mask() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %n = arith.constant 4 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H13_lane_mask blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n : index)
    return
  }

  func.func @right() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %n = arith.constant 4 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@right_shuffled_warp blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n : index)
    gpu.launch_func @kernels::@right_by_subgroup_size blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %n : index)
    return
  }
}
