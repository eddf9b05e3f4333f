// How many columns, where a flag, the turn of a loop or an argument says it: what flags
// and turns decide is known by runs, what an argument does is not decided. Each wrong
// kernel faults on the emulator, too.

// RUN: tmem-opt %s --tmem-check-hazards -verify-diagnostics -o /dev/null
// RUN: %exits_1 tmem-run %s --entry=run_H7_columns_by_flag --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_C1_columns_by_flag --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H17_columns_by_flag --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2
// RUN: %exits_1 tmem-run %s --entry=run_H17_offset_by_flag --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E3
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT

// RIGHT: 3 seeds: 3 clean, 0 with a fault

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!out = memref<256x8xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // E0: error: {{.*}}expected 32 columns, as allocated, but got 64
    gpu.func @H7_columns_by_flag(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %n16 = arith.constant 16 : i32
      %n32 = arith.constant 32 : i32
      %n64 = arith.constant 64 : i32
      %n8 = arith.constant 8 : i32
      %n96 = arith.constant 96 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %count = arith.select %flag, %n64, %n32 : i32
      %freed = arith.select %flag, %n64, %n64 : i32
      scf.if %first {
        %i = memref.extract_aligned_pointer_as_index %slot : !slot -> index
        %word = arith.index_cast %i : index to i64
        %to = llvm.inttoptr %word : i64 to !llvm.ptr<3>
        // expected-note @+1 {{allocated here}}
        nvvm.tcgen05.alloc %to, %count : !llvm.ptr<3>, i32
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %t32 = arith.index_cast %tid : index to i32
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %off = arith.addi %n8, %n16 : i32
      %address = arith.addi %base, %slab : i32
      %there = arith.addi %address, %off : i32
      %p = llvm.inttoptr %there : i32 to !llvm.ptr<6>
      scf.if %a {
        nvvm.tcgen05.st %p, %values {shape = #s} : vector<8xi32>
        nvvm.tcgen05.wait <store>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        %q = llvm.inttoptr %base : i32 to !llvm.ptr<6>
        // expected-error @+3 {{expected the 32 columns that were allocated, but got 64}}
        // expected-note @+2 {{rule H7:}}
        // expected-note @+1 {{to fix it, free as many columns}}
        nvvm.tcgen05.dealloc %q, %freed : !llvm.ptr<6>, i32
      }
      gpu.return
    }

    gpu.func @right_H7_columns_by_flag(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %n16 = arith.constant 16 : i32
      %n32 = arith.constant 32 : i32
      %n64 = arith.constant 64 : i32
      %n8 = arith.constant 8 : i32
      %n96 = arith.constant 96 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %count = arith.select %flag, %n64, %n32 : i32
      %freed = arith.select %flag, %n64, %n32 : i32
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
      %t32 = arith.index_cast %tid : index to i32
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %off = arith.addi %n8, %n16 : i32
      %address = arith.addi %base, %slab : i32
      %there = arith.addi %address, %off : i32
      %p = llvm.inttoptr %there : i32 to !llvm.ptr<6>
      scf.if %a {
        nvvm.tcgen05.st %p, %values {shape = #s} : vector<8xi32>
        nvvm.tcgen05.wait <store>
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

    // E1: error: {{.*}}expected a power of two from 32 to 512 columns, but got 48
    gpu.func @C1_columns_by_flag(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %n16 = arith.constant 16 : i32
      %n48 = arith.constant 48 : i32
      %n64 = arith.constant 64 : i32
      %n8 = arith.constant 8 : i32
      %n96 = arith.constant 96 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %count = arith.select %flag, %n64, %n48 : i32
      %freed = arith.select %flag, %n64, %n48 : i32
      scf.if %first {
        %i = memref.extract_aligned_pointer_as_index %slot : !slot -> index
        %word = arith.index_cast %i : index to i64
        %to = llvm.inttoptr %word : i64 to !llvm.ptr<3>
        // expected-error @+3 {{expected a power of two from 32 to 512 columns, but got 48}}
        // expected-note @+2 {{rule C1:}}
        // expected-note @+1 {{to fix it, round it up, and free as many}}
        nvvm.tcgen05.alloc %to, %count : !llvm.ptr<3>, i32
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %t32 = arith.index_cast %tid : index to i32
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %off = arith.addi %n8, %n16 : i32
      %address = arith.addi %base, %slab : i32
      %there = arith.addi %address, %off : i32
      %p = llvm.inttoptr %there : i32 to !llvm.ptr<6>
      scf.if %a {
        nvvm.tcgen05.st %p, %values {shape = #s} : vector<8xi32>
        nvvm.tcgen05.wait <store>
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

    // E2: error: {{.*}}column 56 is not allocated
    gpu.func @H17_columns_by_flag(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %n0 = arith.constant 0 : i32
      %n16 = arith.constant 16 : i32
      %n32 = arith.constant 32 : i32
      %n56 = arith.constant 56 : i32
      %n64 = arith.constant 64 : i32
      %n96 = arith.constant 96 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %count = arith.select %flag, %n64, %n32 : i32
      %freed = arith.select %flag, %n64, %n32 : i32
      scf.if %first {
        %i = memref.extract_aligned_pointer_as_index %slot : !slot -> index
        %word = arith.index_cast %i : index to i64
        %to = llvm.inttoptr %word : i64 to !llvm.ptr<3>
        // expected-note @+1 {{allocated here}}
        nvvm.tcgen05.alloc %to, %count : !llvm.ptr<3>, i32
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %t32 = arith.index_cast %tid : index to i32
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %off = arith.addi %n56, %n0 : i32
      %address = arith.addi %base, %slab : i32
      %there = arith.addi %address, %off : i32
      %p = llvm.inttoptr %there : i32 to !llvm.ptr<6>
      scf.if %a {
        // expected-error @+3 {{expected columns 0 to 31 of the allocation, but got column 56}}
        // expected-note @+2 {{rule H17:}}
        // expected-note @+1 {{to fix it, allocate more columns, or access fewer}}
          nvvm.tcgen05.st %p, %values {shape = #s} : vector<8xi32>
        nvvm.tcgen05.wait <store>
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

    // E3: error: {{.*}}columns 60 to 67 go past the end of the allocation
    gpu.func @H17_offset_by_flag(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %n0 = arith.constant 0 : i32
      %n16 = arith.constant 16 : i32
      %n60 = arith.constant 60 : i32
      %n96 = arith.constant 96 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      scf.if %first {
        // expected-note @+1 {{allocated here}}
        tmem.alloc %slot, 64 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %t32 = arith.index_cast %tid : index to i32
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %off = arith.select %flag, %n0, %n60 : i32
      %address = arith.addi %base, %slab : i32
      %there = arith.addi %address, %off : i32
      %p = llvm.inttoptr %there : i32 to !llvm.ptr<6>
      scf.if %a {
        // expected-error @+3 {{expected columns 0 to 63 of the allocation, but got column 64}}
        // expected-note @+2 {{rule H17:}}
        // expected-note @+1 {{to fix it, allocate more columns, or access fewer}}
          nvvm.tcgen05.st %p, %values {shape = #s} : vector<8xi32>
        nvvm.tcgen05.wait <store>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    gpu.func @right_H17_offset_by_flag(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %n0 = arith.constant 0 : i32
      %n16 = arith.constant 16 : i32
      %n56 = arith.constant 56 : i32
      %n96 = arith.constant 96 : i32
      %values = arith.constant dense<7> : vector<8xi32>
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
      %t32 = arith.index_cast %tid : index to i32
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %off = arith.select %flag, %n0, %n56 : i32
      %address = arith.addi %base, %slab : i32
      %there = arith.addi %address, %off : i32
      %p = llvm.inttoptr %there : i32 to !llvm.ptr<6>
      scf.if %a {
        nvvm.tcgen05.st %p, %values {shape = #s} : vector<8xi32>
        nvvm.tcgen05.wait <store>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }
  }

  func.func @run_H7_columns_by_flag() {
    %c1 = arith.constant 1 : index
    %n = arith.constant 4 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    %threads0 = arith.constant 256 : index
    %flag0 = arith.constant false
    gpu.launch_func @kernels::@H7_columns_by_flag blocks in (%c1, %c1, %c1)
        threads in (%threads0, %c1, %c1) args(%out : !out, %n : index, %flag0 : i1)
    return
  }

  func.func @run_C1_columns_by_flag() {
    %c1 = arith.constant 1 : index
    %n = arith.constant 4 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    %threads0 = arith.constant 256 : index
    %flag0 = arith.constant false
    gpu.launch_func @kernels::@C1_columns_by_flag blocks in (%c1, %c1, %c1)
        threads in (%threads0, %c1, %c1) args(%out : !out, %n : index, %flag0 : i1)
    return
  }

  func.func @run_H17_columns_by_flag() {
    %c1 = arith.constant 1 : index
    %n = arith.constant 4 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    %threads0 = arith.constant 256 : index
    %flag0 = arith.constant false
    gpu.launch_func @kernels::@H17_columns_by_flag blocks in (%c1, %c1, %c1)
        threads in (%threads0, %c1, %c1) args(%out : !out, %n : index, %flag0 : i1)
    return
  }

  func.func @run_H17_offset_by_flag() {
    %c1 = arith.constant 1 : index
    %n = arith.constant 4 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    %threads0 = arith.constant 256 : index
    %flag0 = arith.constant false
    gpu.launch_func @kernels::@H17_offset_by_flag blocks in (%c1, %c1, %c1)
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
    gpu.launch_func @kernels::@right_H7_columns_by_flag blocks in (%c1, %c1, %c1)
        threads in (%threads0, %c1, %c1) args(%out : !out, %n : index, %flag0 : i1)
    %threads1 = arith.constant 256 : index
    %flag1 = arith.constant true
    gpu.launch_func @kernels::@right_H7_columns_by_flag blocks in (%c1, %c1, %c1)
        threads in (%threads1, %c1, %c1) args(%out : !out, %n : index, %flag1 : i1)
    %threads2 = arith.constant 256 : index
    %flag2 = arith.constant false
    gpu.launch_func @kernels::@right_H17_offset_by_flag blocks in (%c1, %c1, %c1)
        threads in (%threads2, %c1, %c1) args(%out : !out, %n : index, %flag2 : i1)
    %threads3 = arith.constant 256 : index
    %flag3 = arith.constant true
    gpu.launch_func @kernels::@right_H17_offset_by_flag blocks in (%c1, %c1, %c1)
        threads in (%threads3, %c1, %c1) args(%out : !out, %n : index, %flag3 : i1)
    return
  }
}
