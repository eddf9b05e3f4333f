// Which threads issue to the tensor core, and which commit it.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tmem-check-hazards{report=warning undecided=error})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-run %s --entry=run_right_elected --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=run_H18_commit_by_another_lane --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H18_all_lanes_issue --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H18_lane_by_turn --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2

// RIGHT: 3 clean, 0 with a fault

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
#f16 = #nvvm.tcgen05_mma_kind<f16>
#one = #nvvm.cta_group<cta_1>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!object = memref<1xi64, #gpu.address_space<workgroup>>
!mats = memref<4096xi32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @H18_commit_by_another_lane() workgroup(%slot: !slot, %object: !object, %mats: !mats) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %one = arith.constant 1 : i32
      %zero = arith.constant 0 : i32
      %ticks = arith.constant 1000 : i32
      %no = arith.constant false
      %n16 = arith.constant 16 : i32
      %n64 = arith.constant 64 : i32
      %n96 = arith.constant 96 : i32
      %sevens = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %thread0 = arith.cmpi eq, %tid, %c0 : index
      %thread1 = arith.cmpi eq, %tid, %c1 : index
      %at = memref.extract_aligned_pointer_as_index %object : !object -> index
      %at64 = arith.index_cast %at : index to i64
      %done = llvm.inttoptr %at64 : i64 to !llvm.ptr<3>
      scf.if %thread0 {
        nvvm.mbarrier.init %done, %one : !llvm.ptr<3>, i32
      }
      scf.if %first {
        tmem.alloc %slot, 128 : !slot
      }
      scf.for %q = %c0 to %c32 step %c1 {
        %qq = arith.muli %q, %c128 : index
        %qt = arith.addi %qq, %tid : index
        memref.store %zero, %mats[%qt] : !mats
      }
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      %base = memref.load %slot[%c0] : !slot
      %mi = memref.extract_aligned_pointer_as_index %mats : !mats -> index
      %mi64 = arith.index_cast %mi : index to i64
      %four = arith.constant 4 : i64
      %low = arith.constant 0x3ffff : i64
      %strides = arith.constant 0x401000080000 : i64
      %in = arith.andi %mi64, %low : i64
      %start = arith.shrui %in, %four : i64
      %b = arith.addi %start, %strides : i64
      // 128 rows, 16 columns.
      %shape = arith.constant 0x8040010 : i32
      %t32 = arith.index_cast %tid : index to i32
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %mine = arith.addi %base, %slab : i32
      %d = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      %row = llvm.inttoptr %mine : i32 to !llvm.ptr<6>
      %pbase = arith.addi %base, %n64 : i32
      %a = llvm.inttoptr %pbase : i32 to !llvm.ptr<6>
      %pmine = arith.addi %mine, %n64 : i32
      %p = llvm.inttoptr %pmine : i32 to !llvm.ptr<6>
      scf.if %thread0 {
        nvvm.tcgen05.mma %d, %b, %b, %shape, %no {kind = #f16, ctaGroup = #one} : (!llvm.ptr<6>, i64, i64, i32, i1)
      }
      scf.if %thread1 {
        nvvm.tcgen05.commit %done : !llvm.ptr<3>
      }
      nvvm.mbarrier.try_wait.parity %done, %zero, %ticks : !llvm.ptr<3>, i32, i32
      nvvm.tcgen05.fence <after>
      // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}a commit by the thread that issued
      // CHECK: note: rule H18:
      %v = nvvm.tcgen05.ld %row {shape = #s} : vector<8xi32>
      nvvm.tcgen05.wait <load>
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      scf.if %first {
        // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}a commit by the thread that issued
        // CHECK: note: rule H18:
        tmem.dealloc %base, 128
      }
      gpu.return
    }

    gpu.func @H18_all_lanes_issue() workgroup(%slot: !slot, %object: !object, %mats: !mats) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %one = arith.constant 1 : i32
      %zero = arith.constant 0 : i32
      %ticks = arith.constant 1000 : i32
      %no = arith.constant false
      %n16 = arith.constant 16 : i32
      %n64 = arith.constant 64 : i32
      %n96 = arith.constant 96 : i32
      %sevens = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %thread0 = arith.cmpi eq, %tid, %c0 : index
      %thread1 = arith.cmpi eq, %tid, %c1 : index
      %at = memref.extract_aligned_pointer_as_index %object : !object -> index
      %at64 = arith.index_cast %at : index to i64
      %done = llvm.inttoptr %at64 : i64 to !llvm.ptr<3>
      scf.if %thread0 {
        nvvm.mbarrier.init %done, %one : !llvm.ptr<3>, i32
      }
      scf.if %first {
        tmem.alloc %slot, 128 : !slot
      }
      scf.for %q = %c0 to %c32 step %c1 {
        %qq = arith.muli %q, %c128 : index
        %qt = arith.addi %qq, %tid : index
        memref.store %zero, %mats[%qt] : !mats
      }
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      %base = memref.load %slot[%c0] : !slot
      %mi = memref.extract_aligned_pointer_as_index %mats : !mats -> index
      %mi64 = arith.index_cast %mi : index to i64
      %four = arith.constant 4 : i64
      %low = arith.constant 0x3ffff : i64
      %strides = arith.constant 0x401000080000 : i64
      %in = arith.andi %mi64, %low : i64
      %start = arith.shrui %in, %four : i64
      %b = arith.addi %start, %strides : i64
      // 128 rows, 16 columns.
      %shape = arith.constant 0x8040010 : i32
      %t32 = arith.index_cast %tid : index to i32
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %mine = arith.addi %base, %slab : i32
      %d = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      %row = llvm.inttoptr %mine : i32 to !llvm.ptr<6>
      %pbase = arith.addi %base, %n64 : i32
      %a = llvm.inttoptr %pbase : i32 to !llvm.ptr<6>
      %pmine = arith.addi %mine, %n64 : i32
      %p = llvm.inttoptr %pmine : i32 to !llvm.ptr<6>
      scf.if %first {
        // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected one lane of a warp to issue it, but got 32 of warp 0
        // CHECK: note: rule H18:
        nvvm.tcgen05.mma %d, %b, %b, %shape, %no {kind = #f16, ctaGroup = #one} : (!llvm.ptr<6>, i64, i64, i32, i1)
        scf.if %thread0 {
          nvvm.tcgen05.commit %done : !llvm.ptr<3>
        }
      }
      nvvm.mbarrier.try_wait.parity %done, %zero, %ticks : !llvm.ptr<3>, i32, i32
      nvvm.tcgen05.fence <after>
      %v = nvvm.tcgen05.ld %row {shape = #s} : vector<8xi32>
      nvvm.tcgen05.wait <load>
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      scf.if %first {
        tmem.dealloc %base, 128
      }
      gpu.return
    }

    gpu.func @H18_lane_by_turn() workgroup(%slot: !slot, %object: !object, %mats: !mats) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %one = arith.constant 1 : i32
      %zero = arith.constant 0 : i32
      %ticks = arith.constant 1000 : i32
      %no = arith.constant false
      %n16 = arith.constant 16 : i32
      %n64 = arith.constant 64 : i32
      %n96 = arith.constant 96 : i32
      %sevens = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %thread0 = arith.cmpi eq, %tid, %c0 : index
      %thread1 = arith.cmpi eq, %tid, %c1 : index
      %at = memref.extract_aligned_pointer_as_index %object : !object -> index
      %at64 = arith.index_cast %at : index to i64
      %done = llvm.inttoptr %at64 : i64 to !llvm.ptr<3>
      scf.if %thread0 {
        nvvm.mbarrier.init %done, %one : !llvm.ptr<3>, i32
      }
      scf.if %first {
        tmem.alloc %slot, 128 : !slot
      }
      scf.for %q = %c0 to %c32 step %c1 {
        %qq = arith.muli %q, %c128 : index
        %qt = arith.addi %qq, %tid : index
        memref.store %zero, %mats[%qt] : !mats
      }
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      %base = memref.load %slot[%c0] : !slot
      %mi = memref.extract_aligned_pointer_as_index %mats : !mats -> index
      %mi64 = arith.index_cast %mi : index to i64
      %four = arith.constant 4 : i64
      %low = arith.constant 0x3ffff : i64
      %strides = arith.constant 0x401000080000 : i64
      %in = arith.andi %mi64, %low : i64
      %start = arith.shrui %in, %four : i64
      %b = arith.addi %start, %strides : i64
      // 128 rows, 16 columns.
      %shape = arith.constant 0x8040010 : i32
      %t32 = arith.index_cast %tid : index to i32
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %mine = arith.addi %base, %slab : i32
      %d = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      %row = llvm.inttoptr %mine : i32 to !llvm.ptr<6>
      %pbase = arith.addi %base, %n64 : i32
      %a = llvm.inttoptr %pbase : i32 to !llvm.ptr<6>
      %pmine = arith.addi %mine, %n64 : i32
      %p = llvm.inttoptr %pmine : i32 to !llvm.ptr<6>
      scf.for %i = %c0 to %c2 step %c1 {
        %is = arith.cmpi eq, %tid, %i : index
        scf.if %is {
          // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}tensor core's access
          // CHECK: note: rule H18:
          nvvm.tcgen05.mma %d, %b, %b, %shape, %no {kind = #f16, ctaGroup = #one} : (!llvm.ptr<6>, i64, i64, i32, i1)
        }
      }
      scf.if %thread0 {
        nvvm.tcgen05.commit %done : !llvm.ptr<3>
      }
      nvvm.mbarrier.try_wait.parity %done, %zero, %ticks : !llvm.ptr<3>, i32, i32
      nvvm.tcgen05.fence <after>
      %v = nvvm.tcgen05.ld %row {shape = #s} : vector<8xi32>
      nvvm.tcgen05.wait <load>
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      scf.if %first {
        tmem.dealloc %base, 128
      }
      gpu.return
    }

    gpu.func @right_elected() workgroup(%slot: !slot, %object: !object, %mats: !mats) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %one = arith.constant 1 : i32
      %zero = arith.constant 0 : i32
      %ticks = arith.constant 1000 : i32
      %no = arith.constant false
      %n16 = arith.constant 16 : i32
      %n64 = arith.constant 64 : i32
      %n96 = arith.constant 96 : i32
      %sevens = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %thread0 = arith.cmpi eq, %tid, %c0 : index
      %thread1 = arith.cmpi eq, %tid, %c1 : index
      %at = memref.extract_aligned_pointer_as_index %object : !object -> index
      %at64 = arith.index_cast %at : index to i64
      %done = llvm.inttoptr %at64 : i64 to !llvm.ptr<3>
      scf.if %thread0 {
        nvvm.mbarrier.init %done, %one : !llvm.ptr<3>, i32
      }
      scf.if %first {
        tmem.alloc %slot, 128 : !slot
      }
      scf.for %q = %c0 to %c32 step %c1 {
        %qq = arith.muli %q, %c128 : index
        %qt = arith.addi %qq, %tid : index
        memref.store %zero, %mats[%qt] : !mats
      }
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      %base = memref.load %slot[%c0] : !slot
      %mi = memref.extract_aligned_pointer_as_index %mats : !mats -> index
      %mi64 = arith.index_cast %mi : index to i64
      %four = arith.constant 4 : i64
      %low = arith.constant 0x3ffff : i64
      %strides = arith.constant 0x401000080000 : i64
      %in = arith.andi %mi64, %low : i64
      %start = arith.shrui %in, %four : i64
      %b = arith.addi %start, %strides : i64
      // 128 rows, 16 columns.
      %shape = arith.constant 0x8040010 : i32
      %t32 = arith.index_cast %tid : index to i32
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %mine = arith.addi %base, %slab : i32
      %d = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      %row = llvm.inttoptr %mine : i32 to !llvm.ptr<6>
      %pbase = arith.addi %base, %n64 : i32
      %a = llvm.inttoptr %pbase : i32 to !llvm.ptr<6>
      %pmine = arith.addi %mine, %n64 : i32
      %p = llvm.inttoptr %pmine : i32 to !llvm.ptr<6>
      %warp0 = arith.cmpi ult, %tid, %c32 : index
      scf.if %warp0 {
        %e = nvvm.elect.sync -> i1
        scf.if %e {
          nvvm.tcgen05.mma %d, %b, %b, %shape, %no {kind = #f16, ctaGroup = #one} : (!llvm.ptr<6>, i64, i64, i32, i1)
        }
        %f = nvvm.elect.sync -> i1
        scf.if %f {
          nvvm.tcgen05.commit %done : !llvm.ptr<3>
        }
      }
      nvvm.mbarrier.try_wait.parity %done, %zero, %ticks : !llvm.ptr<3>, i32, i32
      nvvm.tcgen05.fence <after>
      %v = nvvm.tcgen05.ld %row {shape = #s} : vector<8xi32>
      nvvm.tcgen05.wait <load>
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      scf.if %first {
        tmem.dealloc %base, 128
      }
      gpu.return
    }
  }

  func.func @run_H18_commit_by_another_lane() {
    // E0: nvvm.tcgen05.ld: error: load of cells that a tcgen05.mma under way writes: execute tcgen05.commit behind it in the same thread
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@H18_commit_by_another_lane blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
    return
  }
  func.func @run_H18_all_lanes_issue() {
    // E1: tcgen05.mma of cells that a tcgen05.mma under way writes
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@H18_all_lanes_issue blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
    return
  }
  func.func @run_H18_lane_by_turn() {
    // E2: tcgen05.mma of cells that a tcgen05.mma under way writes
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@H18_lane_by_turn blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
    return
  }
  func.func @run_right_elected() {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@right_elected blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
    return
  }
}
