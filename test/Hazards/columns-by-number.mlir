// How many columns, where a flag, the turn of a loop or an argument says it: what flags
// and turns decide is known by runs, what an argument does is not decided. Each wrong
// kernel faults on the emulator, too.

// RUN: tmem-opt %s --tmem-check-hazards -verify-diagnostics -o /dev/null
// RUN: %exits_1 tmem-run %s --entry=run_H8_growing_by_turn --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E4
// RUN: %exits_1 tmem-run %s --entry=run_half_as_many --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E5
// RUN: %exits_1 tmem-run %s --entry=run_a_constant --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E6
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT

// RIGHT: 3 seeds: 3 clean, 0 with a fault

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!out = memref<256x8xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // E4: error: {{.*}}expected at most 32 columns, as many as the alloc before, but got 64
    gpu.func @H8_growing_by_turn(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c128 = arith.constant 128 : index
      %c2 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      %m1 = arith.constant -1 : i32
      %n32 = arith.constant 32 : i32
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 64 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      gpu.barrier
      scf.if %first {
        tmem.dealloc %base, 64
      }
      scf.for %turn = %c0 to %c2 step %c1 {
        scf.if %first {
          %k = arith.index_cast %turn : index to i32
          %count = arith.shli %n32, %k : i32
          %i = memref.extract_aligned_pointer_as_index %slot : !slot -> index
          %word = arith.index_cast %i : index to i64
          %to = llvm.inttoptr %word : i64 to !llvm.ptr<3>
          // expected-error @+4 {{expected at most 32 columns, as the alloc before asks for, but got 64}}
          // expected-note @+3 {{allocated here}}
          // expected-note @+2 {{rule H8:}}
          // expected-note @+1 {{to fix it, allocate the most columns first}}
          nvvm.tcgen05.alloc %to, %count : !llvm.ptr<3>, i32
          nvvm.bar.warp.sync %m1 : i32
          %again = memref.load %slot[%c0] : !slot
          %q = llvm.inttoptr %again : i32 to !llvm.ptr<6>
          nvvm.tcgen05.dealloc %q, %count : !llvm.ptr<6>, i32
        }
      }
      gpu.return
    }

    gpu.func @right_H8_growing_by_turn(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c128 = arith.constant 128 : index
      %c2 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      %m1 = arith.constant -1 : i32
      %n64 = arith.constant 64 : i32
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 64 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      gpu.barrier
      scf.if %first {
        tmem.dealloc %base, 64
      }
      scf.for %turn = %c0 to %c2 step %c1 {
        scf.if %first {
          %k = arith.index_cast %turn : index to i32
          %count = arith.shrui %n64, %k : i32
          %i = memref.extract_aligned_pointer_as_index %slot : !slot -> index
          %word = arith.index_cast %i : index to i64
          %to = llvm.inttoptr %word : i64 to !llvm.ptr<3>
          nvvm.tcgen05.alloc %to, %count : !llvm.ptr<3>, i32
          nvvm.bar.warp.sync %m1 : i32
          %again = memref.load %slot[%c0] : !slot
          %q = llvm.inttoptr %again : i32 to !llvm.ptr<6>
          nvvm.tcgen05.dealloc %q, %count : !llvm.ptr<6>, i32
        }
      }
      gpu.return
    }

    // E5: error: {{.*}}expected 64 columns, as allocated, but got 32
    gpu.func @half_as_many(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %n16 = arith.constant 16 : i32
      %n8 = arith.constant 8 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %number = arith.index_cast %n : index to i32
      %count = arith.muli %number, %n16 : i32
      %freed = arith.muli %number, %n8 : i32
      scf.if %first {
        %i = memref.extract_aligned_pointer_as_index %slot : !slot -> index
        %word = arith.index_cast %i : index to i64
        %to = llvm.inttoptr %word : i64 to !llvm.ptr<3>
        // expected-note @+1 {{the other access}}
        nvvm.tcgen05.alloc %to, %count : !llvm.ptr<3>, i32
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
      scf.if %first {
        %q = llvm.inttoptr %base : i32 to !llvm.ptr<6>
        // expected-warning @+1 {{undecided: whether it frees as many columns as were allocated}}
        nvvm.tcgen05.dealloc %q, %freed : !llvm.ptr<6>, i32
      }
      gpu.return
    }

    // E6: error: {{.*}}expected 64 columns, as allocated, but got 32
    gpu.func @a_constant(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %n16 = arith.constant 16 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %number = arith.index_cast %n : index to i32
      %count = arith.muli %number, %n16 : i32
      %freed = arith.addi %n16, %n16 : i32
      scf.if %first {
        %i = memref.extract_aligned_pointer_as_index %slot : !slot -> index
        %word = arith.index_cast %i : index to i64
        %to = llvm.inttoptr %word : i64 to !llvm.ptr<3>
        // expected-note @+1 {{the other access}}
        nvvm.tcgen05.alloc %to, %count : !llvm.ptr<3>, i32
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
      scf.if %first {
        %q = llvm.inttoptr %base : i32 to !llvm.ptr<6>
        // expected-warning @+1 {{undecided: whether it frees as many columns as were allocated}}
        nvvm.tcgen05.dealloc %q, %freed : !llvm.ptr<6>, i32
      }
      gpu.return
    }

    gpu.func @right_as_many(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %n16 = arith.constant 16 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %number = arith.index_cast %n : index to i32
      %count = arith.muli %number, %n16 : i32
      %freed = arith.muli %number, %n16 : i32
      scf.if %first {
        %i = memref.extract_aligned_pointer_as_index %slot : !slot -> index
        %word = arith.index_cast %i : index to i64
        %to = llvm.inttoptr %word : i64 to !llvm.ptr<3>
        nvvm.tcgen05.alloc %to, %count : !llvm.ptr<3>, i32
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
      scf.if %first {
        %q = llvm.inttoptr %base : i32 to !llvm.ptr<6>
        nvvm.tcgen05.dealloc %q, %freed : !llvm.ptr<6>, i32
      }
      gpu.return
    }
  }

  func.func @run_H8_growing_by_turn() {
    %c1 = arith.constant 1 : index
    %n = arith.constant 4 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    %threads0 = arith.constant 256 : index
    %flag0 = arith.constant false
    gpu.launch_func @kernels::@H8_growing_by_turn blocks in (%c1, %c1, %c1)
        threads in (%threads0, %c1, %c1) args(%out : !out, %n : index, %flag0 : i1)
    return
  }

  func.func @run_half_as_many() {
    %c1 = arith.constant 1 : index
    %n = arith.constant 4 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    %threads0 = arith.constant 256 : index
    %flag0 = arith.constant false
    gpu.launch_func @kernels::@half_as_many blocks in (%c1, %c1, %c1)
        threads in (%threads0, %c1, %c1) args(%out : !out, %n : index, %flag0 : i1)
    return
  }

  func.func @run_a_constant() {
    %c1 = arith.constant 1 : index
    %n = arith.constant 4 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    %threads0 = arith.constant 256 : index
    %flag0 = arith.constant false
    gpu.launch_func @kernels::@a_constant blocks in (%c1, %c1, %c1)
        threads in (%threads0, %c1, %c1) args(%out : !out, %n : index, %flag0 : i1)
    return
  }

  func.func @right() {
    %c1 = arith.constant 1 : index
    %n = arith.constant 4 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    %threads0 = arith.constant 256 : index
    %flag0 = arith.constant false
    gpu.launch_func @kernels::@right_H8_growing_by_turn blocks in (%c1, %c1, %c1)
        threads in (%threads0, %c1, %c1) args(%out : !out, %n : index, %flag0 : i1)
    %threads1 = arith.constant 256 : index
    %flag1 = arith.constant false
    gpu.launch_func @kernels::@right_as_many blocks in (%c1, %c1, %c1)
        threads in (%threads1, %c1, %c1) args(%out : !out, %n : index, %flag1 : i1)
    return
  }
}
