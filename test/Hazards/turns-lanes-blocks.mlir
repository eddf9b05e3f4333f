// Loops of blocks that lanes leave in different turns: what they take along, and what those
// that stay execute without the others. Each kernel is right, or has a twin that is; wrong
// ones fault on the emulator.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tmem-check-hazards{mode=strict report=warning undecided=error})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(tmem-insert-waits,tmem-select-atoms,convert-tmem-to-nvvm,convert-scf-to-cf,convert-gpu-to-nvvm,reconcile-unrealized-casts,tmem-check-hazards{mode=strict report=warning undecided=error}))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=run_H13_block_loop_by_lane --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H13_rotated_by_lane --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H13_rotated_strided --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!out = memref<256x8xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @right_block_loop(%out: !out) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %n16 = arith.constant 16 : i32
      %n96 = arith.constant 96 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %t32 = arith.index_cast %tid : index to i32
      %lane = arith.remui %tid, %c32 : index
      %warp = arith.divui %tid, %c32 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %address = arith.addi %base, %slab : i32
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      cf.br ^head(%c0 : index)
    ^head(%i: index):
      %goes = arith.cmpi ult, %i, %warp : index
      cf.cond_br %goes, ^body, ^end
    ^body:
      %j = arith.addi %i, %c1 : index
      cf.br ^head(%j : index)
    ^end:
      %some = arith.cmpi eq, %i, %c1 : index
      scf.if %some {
        %v = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
        nvvm.tcgen05.wait <load>
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

    gpu.func @right_rotated(%out: !out) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %n16 = arith.constant 16 : i32
      %n96 = arith.constant 96 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %t32 = arith.index_cast %tid : index to i32
      %lane = arith.remui %tid, %c32 : index
      %warp = arith.divui %tid, %c32 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %address = arith.addi %base, %slab : i32
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      cf.br ^body(%c0 : index)
    ^body(%i: index):
      %v = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
      nvvm.tcgen05.wait <load>
      vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      %j = arith.addi %i, %c1 : index
      %goes = arith.cmpi ult, %j, %c32 : index
      cf.cond_br %goes, ^body(%j : index), ^end
    ^end:
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @right_rotated_strided(%out: !out) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %n16 = arith.constant 16 : i32
      %n96 = arith.constant 96 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %t32 = arith.index_cast %tid : index to i32
      %lane = arith.remui %tid, %c32 : index
      %warp = arith.divui %tid, %c32 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %address = arith.addi %base, %slab : i32
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      %bound = arith.constant 500 : index
      %stride = arith.constant 256 : index
      cf.br ^body(%tid : index)
    ^body(%i: index):
      %j = arith.addi %i, %stride : index
      %goes = arith.cmpi ult, %j, %bound : index
      cf.cond_br %goes, ^body(%j : index), ^end
    ^end:
      %v = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
      nvvm.tcgen05.wait <load>
      vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H13_block_loop_by_lane(%out: !out) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %n16 = arith.constant 16 : i32
      %n96 = arith.constant 96 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %t32 = arith.index_cast %tid : index to i32
      %lane = arith.remui %tid, %c32 : index
      %warp = arith.divui %tid, %c32 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %address = arith.addi %base, %slab : i32
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      cf.br ^head(%c0 : index)
    ^head(%i: index):
      %goes = arith.cmpi ult, %i, %lane : index
      cf.cond_br %goes, ^body, ^end
    ^body:
      %j = arith.addi %i, %c1 : index
      cf.br ^head(%j : index)
    ^end:
      %some = arith.cmpi eq, %i, %c1 : index
      scf.if %some {
        // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected all lanes of a warp to execute it, but some lanes of warp
        // CHECK: note: rule H13:
        %v = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
        nvvm.tcgen05.wait <load>
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

    gpu.func @H13_rotated_by_lane(%out: !out) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %n16 = arith.constant 16 : i32
      %n96 = arith.constant 96 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %t32 = arith.index_cast %tid : index to i32
      %lane = arith.remui %tid, %c32 : index
      %warp = arith.divui %tid, %c32 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %address = arith.addi %base, %slab : i32
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      cf.br ^body(%c0 : index)
    ^body(%i: index):
      // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected all lanes of a warp to execute it, but some lanes of warp
      // CHECK: note: rule H13:
      %v = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
      nvvm.tcgen05.wait <load>
      vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      %j = arith.addi %i, %c1 : index
      %goes = arith.cmpi ult, %j, %lane : index
      cf.cond_br %goes, ^body(%j : index), ^end
    ^end:
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H13_rotated_strided(%out: !out) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %n16 = arith.constant 16 : i32
      %n96 = arith.constant 96 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %t32 = arith.index_cast %tid : index to i32
      %lane = arith.remui %tid, %c32 : index
      %warp = arith.divui %tid, %c32 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %address = arith.addi %base, %slab : i32
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      %bound = arith.constant 500 : index
      %stride = arith.constant 256 : index
      cf.br ^body(%tid : index)
    ^body(%i: index):
      // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected all lanes of a warp to execute it, but some lanes of warp
      // CHECK: note: rule H13:
      %v = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
      nvvm.tcgen05.wait <load>
      vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      %j = arith.addi %i, %stride : index
      %goes = arith.cmpi ult, %j, %bound : index
      cf.cond_br %goes, ^body(%j : index), ^end
    ^end:
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }
  }
  // RIGHT: done
  func.func @right() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@right_block_loop blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out)
    gpu.launch_func @kernels::@right_rotated blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out)
    gpu.launch_func @kernels::@right_rotated_strided blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out)
    vector.print str "done\n"
    return
  }
  // E0: divergent warp:
  func.func @run_H13_block_loop_by_lane() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H13_block_loop_by_lane blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out)
    vector.print str "done\n"
    return
  }
  // E1: divergent warp:
  func.func @run_H13_rotated_by_lane() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H13_rotated_by_lane blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out)
    vector.print str "done\n"
    return
  }
  // E2: divergent warp:
  func.func @run_H13_rotated_strided() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H13_rotated_strided blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out)
    vector.print str "done\n"
    return
  }
}
