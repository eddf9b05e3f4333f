// Rings of stages that the tensor core fills, each with one thing wrong; each faults on the
// emulator.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tmem-check-hazards{mode=strict report=warning undecided=error})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --allow-empty --implicit-check-not=warning: --implicit-check-not=error:
// RUN: %exits_1 tmem-run %s --entry=run_H21_mma_ring_wrong_parity --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H21_mma_ring_never_empty --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H17_mma_ring_past_the_end --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
// Behind the mbarriers, at 1024, lie matrices of which nobody asks what they hold.
!object = memref<1024xi64, #gpu.address_space<workgroup>>
!out = memref<256x8xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @H21_mma_ring_wrong_parity(%out: !out, %n: index)
        workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %one = arith.constant 1 : i32
      %n128 = arith.constant 128 : i32
      %ticks = arith.constant 1000 : i32
      %true = arith.constant true
      %c8 = arith.constant 8 : i64
      %n32 = arith.constant 32 : i32
      %n96 = arith.constant 96 : i32
      %n16 = arith.constant 16 : i32
      %stages = arith.constant 2 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %produces = arith.cmpi eq, %tid, %c0 : index
      %consumes = arith.cmpi uge, %tid, %c128 : index
      %thread0 = arith.cmpi eq, %tid, %c0 : index
      %i0 = memref.extract_aligned_pointer_as_index %object : !object -> index
      %full0 = arith.index_cast %i0 : index to i64
      %c64 = arith.constant 64 : i64
      %empty0 = arith.addi %full0, %c64 : i64
      scf.if %thread0 {
        %f0 = arith.constant 0 : i64
        %fa0 = arith.addi %full0, %f0 : i64
        %fp0 = llvm.inttoptr %fa0 : i64 to !llvm.ptr<3>
        nvvm.mbarrier.init %fp0, %one : !llvm.ptr<3>, i32
        %ea0 = arith.addi %empty0, %f0 : i64
        %ep0 = llvm.inttoptr %ea0 : i64 to !llvm.ptr<3>
        nvvm.mbarrier.init %ep0, %n128 : !llvm.ptr<3>, i32
        %f1 = arith.constant 8 : i64
        %fa1 = arith.addi %full0, %f1 : i64
        %fp1 = llvm.inttoptr %fa1 : i64 to !llvm.ptr<3>
        nvvm.mbarrier.init %fp1, %one : !llvm.ptr<3>, i32
        %ea1 = arith.addi %empty0, %f1 : i64
        %ep1 = llvm.inttoptr %ea1 : i64 to !llvm.ptr<3>
        nvvm.mbarrier.init %ep1, %n128 : !llvm.ptr<3>, i32
      }
      scf.if %first {
        tmem.alloc %slot, 64 : !slot
      }
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      %base = memref.load %slot[%c0] : !slot
      %desc = arith.constant 70437464178752 : i64
      %shape = arith.constant 134479888 : i32
      %no = arith.constant false
      %thread = arith.index_cast %tid : index to i32
      %rows = arith.andi %thread, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %address = arith.addi %base, %slab : i32
      scf.if %produces {
        %zerop = arith.constant 0 : i32
        %lastp:2 = scf.for %i = %c0 to %n step %c1
            iter_args(%stage = %zerop, %phase = %zerop) -> (i32, i32) {
          %wide = arith.extui %stage : i32 to i64
          %bytes = arith.muli %wide, %c8 : i64
          %full_at = arith.addi %full0, %bytes : i64
          %full = llvm.inttoptr %full_at : i64 to !llvm.ptr<3>
          %empty_at = arith.addi %empty0, %bytes : i64
          %empty = llvm.inttoptr %empty_at : i64 to !llvm.ptr<3>
          %column = arith.muli %stage, %n32 : i32
          %at = arith.addi %address, %column : i32
          %p = llvm.inttoptr %at : i32 to !llvm.ptr<6>
          %other = arith.xori %phase, %one : i32
          nvvm.mbarrier.try_wait.parity %empty, %other, %ticks : !llvm.ptr<3>, i32, i32
          nvvm.tcgen05.fence <after>
          nvvm.tcgen05.mma %p, %desc, %desc, %shape, %no {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
          nvvm.tcgen05.commit %full : !llvm.ptr<3>
          %next = arith.addi %stage, %one : i32
          %wraps = arith.cmpi eq, %next, %stages : i32
          %stage_next = arith.select %wraps, %zerop, %next : i32
          %flipped = arith.xori %phase, %one : i32
          %phase_next = arith.select %wraps, %flipped, %phase : i32
          scf.yield %stage_next, %phase_next : i32, i32
        }
      }
      scf.if %consumes {
        %zeroc = arith.constant 0 : i32
        %lastc:2 = scf.for %i = %c0 to %n step %c1
            iter_args(%stage = %zeroc, %phase = %zeroc) -> (i32, i32) {
          %wide = arith.extui %stage : i32 to i64
          %bytes = arith.muli %wide, %c8 : i64
          %full_at = arith.addi %full0, %bytes : i64
          %full = llvm.inttoptr %full_at : i64 to !llvm.ptr<3>
          %empty_at = arith.addi %empty0, %bytes : i64
          %empty = llvm.inttoptr %empty_at : i64 to !llvm.ptr<3>
          %column = arith.muli %stage, %n32 : i32
          %at = arith.addi %address, %column : i32
          %p = llvm.inttoptr %at : i32 to !llvm.ptr<6>
          %other = arith.xori %phase, %one : i32
          // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected a phase of the mbarrier that
          // CHECK: note: rule H21:
          nvvm.mbarrier.try_wait.parity %full, %other, %ticks : !llvm.ptr<3>, i32, i32
          nvvm.tcgen05.fence <after>
          %v = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
          nvvm.tcgen05.wait <load>
          nvvm.tcgen05.fence <before>
          %e = nvvm.mbarrier.arrive %empty : !llvm.ptr<3> -> i64
          %next = arith.addi %stage, %one : i32
          %wraps = arith.cmpi eq, %next, %stages : i32
          %stage_next = arith.select %wraps, %zeroc, %next : i32
          %flipped = arith.xori %phase, %one : i32
          %phase_next = arith.select %wraps, %flipped, %phase : i32
          scf.yield %stage_next, %phase_next : i32, i32
        }
      }
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    gpu.func @H21_mma_ring_never_empty(%out: !out, %n: index)
        workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %one = arith.constant 1 : i32
      %n128 = arith.constant 128 : i32
      %ticks = arith.constant 1000 : i32
      %true = arith.constant true
      %c8 = arith.constant 8 : i64
      %n32 = arith.constant 32 : i32
      %n96 = arith.constant 96 : i32
      %n16 = arith.constant 16 : i32
      %stages = arith.constant 2 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %produces = arith.cmpi eq, %tid, %c0 : index
      %consumes = arith.cmpi uge, %tid, %c128 : index
      %thread0 = arith.cmpi eq, %tid, %c0 : index
      %i0 = memref.extract_aligned_pointer_as_index %object : !object -> index
      %full0 = arith.index_cast %i0 : index to i64
      %c64 = arith.constant 64 : i64
      %empty0 = arith.addi %full0, %c64 : i64
      scf.if %thread0 {
        %f0 = arith.constant 0 : i64
        %fa0 = arith.addi %full0, %f0 : i64
        %fp0 = llvm.inttoptr %fa0 : i64 to !llvm.ptr<3>
        nvvm.mbarrier.init %fp0, %one : !llvm.ptr<3>, i32
        %ea0 = arith.addi %empty0, %f0 : i64
        %ep0 = llvm.inttoptr %ea0 : i64 to !llvm.ptr<3>
        nvvm.mbarrier.init %ep0, %n128 : !llvm.ptr<3>, i32
        %f1 = arith.constant 8 : i64
        %fa1 = arith.addi %full0, %f1 : i64
        %fp1 = llvm.inttoptr %fa1 : i64 to !llvm.ptr<3>
        nvvm.mbarrier.init %fp1, %one : !llvm.ptr<3>, i32
        %ea1 = arith.addi %empty0, %f1 : i64
        %ep1 = llvm.inttoptr %ea1 : i64 to !llvm.ptr<3>
        nvvm.mbarrier.init %ep1, %n128 : !llvm.ptr<3>, i32
      }
      scf.if %first {
        tmem.alloc %slot, 64 : !slot
      }
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      %base = memref.load %slot[%c0] : !slot
      %desc = arith.constant 70437464178752 : i64
      %shape = arith.constant 134479888 : i32
      %no = arith.constant false
      %thread = arith.index_cast %tid : index to i32
      %rows = arith.andi %thread, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %address = arith.addi %base, %slab : i32
      scf.if %produces {
        scf.for %i = %c0 to %n step %c1 {
          %turn = arith.index_cast %i : index to i32
          %stage = arith.remui %turn, %stages : i32
          %round = arith.divui %turn, %stages : i32
          %phase = arith.andi %round, %one : i32
          %wide = arith.extui %stage : i32 to i64
          %bytes = arith.muli %wide, %c8 : i64
          %full_at = arith.addi %full0, %bytes : i64
          %full = llvm.inttoptr %full_at : i64 to !llvm.ptr<3>
          %empty_at = arith.addi %empty0, %bytes : i64
          %empty = llvm.inttoptr %empty_at : i64 to !llvm.ptr<3>
          %column = arith.muli %stage, %n32 : i32
          %at = arith.addi %address, %column : i32
          %p = llvm.inttoptr %at : i32 to !llvm.ptr<6>
          %other = arith.xori %phase, %one : i32
          // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected a phase of the mbarrier that its arrivals end
          // CHECK: note: rule H21:
          nvvm.mbarrier.try_wait.parity %empty, %phase, %ticks : !llvm.ptr<3>, i32, i32
          nvvm.tcgen05.fence <after>
          nvvm.tcgen05.mma %p, %desc, %desc, %shape, %no {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
          nvvm.tcgen05.commit %full : !llvm.ptr<3>
        }
      }
      scf.if %consumes {
        scf.for %i = %c0 to %n step %c1 {
          %turn = arith.index_cast %i : index to i32
          %stage = arith.remui %turn, %stages : i32
          %round = arith.divui %turn, %stages : i32
          %phase = arith.andi %round, %one : i32
          %wide = arith.extui %stage : i32 to i64
          %bytes = arith.muli %wide, %c8 : i64
          %full_at = arith.addi %full0, %bytes : i64
          %full = llvm.inttoptr %full_at : i64 to !llvm.ptr<3>
          %empty_at = arith.addi %empty0, %bytes : i64
          %empty = llvm.inttoptr %empty_at : i64 to !llvm.ptr<3>
          %column = arith.muli %stage, %n32 : i32
          %at = arith.addi %address, %column : i32
          %p = llvm.inttoptr %at : i32 to !llvm.ptr<6>
          %other = arith.xori %phase, %one : i32
          nvvm.mbarrier.try_wait.parity %full, %phase, %ticks : !llvm.ptr<3>, i32, i32
          nvvm.tcgen05.fence <after>
          %v = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
          nvvm.tcgen05.wait <load>
          nvvm.tcgen05.fence <before>
          %e = nvvm.mbarrier.arrive %empty : !llvm.ptr<3> -> i64
        }
      }
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    gpu.func @H17_mma_ring_past_the_end(%out: !out, %n: index)
        workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %one = arith.constant 1 : i32
      %n128 = arith.constant 128 : i32
      %ticks = arith.constant 1000 : i32
      %true = arith.constant true
      %c8 = arith.constant 8 : i64
      %n32 = arith.constant 32 : i32
      %n96 = arith.constant 96 : i32
      %n16 = arith.constant 16 : i32
      %stages = arith.constant 3 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %produces = arith.cmpi eq, %tid, %c0 : index
      %consumes = arith.cmpi uge, %tid, %c128 : index
      %thread0 = arith.cmpi eq, %tid, %c0 : index
      %i0 = memref.extract_aligned_pointer_as_index %object : !object -> index
      %full0 = arith.index_cast %i0 : index to i64
      %c64 = arith.constant 64 : i64
      %empty0 = arith.addi %full0, %c64 : i64
      scf.if %thread0 {
        %f0 = arith.constant 0 : i64
        %fa0 = arith.addi %full0, %f0 : i64
        %fp0 = llvm.inttoptr %fa0 : i64 to !llvm.ptr<3>
        nvvm.mbarrier.init %fp0, %one : !llvm.ptr<3>, i32
        %ea0 = arith.addi %empty0, %f0 : i64
        %ep0 = llvm.inttoptr %ea0 : i64 to !llvm.ptr<3>
        nvvm.mbarrier.init %ep0, %n128 : !llvm.ptr<3>, i32
        %f1 = arith.constant 8 : i64
        %fa1 = arith.addi %full0, %f1 : i64
        %fp1 = llvm.inttoptr %fa1 : i64 to !llvm.ptr<3>
        nvvm.mbarrier.init %fp1, %one : !llvm.ptr<3>, i32
        %ea1 = arith.addi %empty0, %f1 : i64
        %ep1 = llvm.inttoptr %ea1 : i64 to !llvm.ptr<3>
        nvvm.mbarrier.init %ep1, %n128 : !llvm.ptr<3>, i32
        %f2 = arith.constant 16 : i64
        %fa2 = arith.addi %full0, %f2 : i64
        %fp2 = llvm.inttoptr %fa2 : i64 to !llvm.ptr<3>
        nvvm.mbarrier.init %fp2, %one : !llvm.ptr<3>, i32
        %ea2 = arith.addi %empty0, %f2 : i64
        %ep2 = llvm.inttoptr %ea2 : i64 to !llvm.ptr<3>
        nvvm.mbarrier.init %ep2, %n128 : !llvm.ptr<3>, i32
      }
      scf.if %first {
        tmem.alloc %slot, 64 : !slot
      }
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      %base = memref.load %slot[%c0] : !slot
      %desc = arith.constant 70437464178752 : i64
      %shape = arith.constant 134479888 : i32
      %no = arith.constant false
      %thread = arith.index_cast %tid : index to i32
      %rows = arith.andi %thread, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %address = arith.addi %base, %slab : i32
      scf.if %produces {
        scf.for %i = %c0 to %n step %c1 {
          %turn = arith.index_cast %i : index to i32
          %stage = arith.remui %turn, %stages : i32
          %round = arith.divui %turn, %stages : i32
          %phase = arith.andi %round, %one : i32
          %wide = arith.extui %stage : i32 to i64
          %bytes = arith.muli %wide, %c8 : i64
          %full_at = arith.addi %full0, %bytes : i64
          %full = llvm.inttoptr %full_at : i64 to !llvm.ptr<3>
          %empty_at = arith.addi %empty0, %bytes : i64
          %empty = llvm.inttoptr %empty_at : i64 to !llvm.ptr<3>
          %column = arith.muli %stage, %n32 : i32
          %at = arith.addi %address, %column : i32
          %p = llvm.inttoptr %at : i32 to !llvm.ptr<6>
          %other = arith.xori %phase, %one : i32
          nvvm.mbarrier.try_wait.parity %empty, %other, %ticks : !llvm.ptr<3>, i32, i32
          nvvm.tcgen05.fence <after>
          // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected columns 0 to 63 of the allocation, but got column 64
          // CHECK: note: rule H17:
          nvvm.tcgen05.mma %p, %desc, %desc, %shape, %no {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
          nvvm.tcgen05.commit %full : !llvm.ptr<3>
        }
      }
      scf.if %consumes {
        scf.for %i = %c0 to %n step %c1 {
          %turn = arith.index_cast %i : index to i32
          %stage = arith.remui %turn, %stages : i32
          %round = arith.divui %turn, %stages : i32
          %phase = arith.andi %round, %one : i32
          %wide = arith.extui %stage : i32 to i64
          %bytes = arith.muli %wide, %c8 : i64
          %full_at = arith.addi %full0, %bytes : i64
          %full = llvm.inttoptr %full_at : i64 to !llvm.ptr<3>
          %empty_at = arith.addi %empty0, %bytes : i64
          %empty = llvm.inttoptr %empty_at : i64 to !llvm.ptr<3>
          %column = arith.muli %stage, %n32 : i32
          %at = arith.addi %address, %column : i32
          %p = llvm.inttoptr %at : i32 to !llvm.ptr<6>
          %other = arith.xori %phase, %one : i32
          nvvm.mbarrier.try_wait.parity %full, %phase, %ticks : !llvm.ptr<3>, i32, i32
          nvvm.tcgen05.fence <after>
          %v = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
          nvvm.tcgen05.wait <load>
          nvvm.tcgen05.fence <before>
          %e = nvvm.mbarrier.arrive %empty : !llvm.ptr<3> -> i64
        }
      }
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }
  }

  func.func @run_H21_mma_ring_wrong_parity() {
    // E0: nvvm.tcgen05.ld: error: load of cells that a tcgen05.mma under way writes
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %n = arith.constant 9 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H21_mma_ring_wrong_parity blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
        args(%out : !out, %n : index)
    return
  }

  func.func @run_H21_mma_ring_never_empty() {
    // E1: error: missing lanes: {{.*}}no thread of the block can run
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %n = arith.constant 9 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H21_mma_ring_never_empty blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
        args(%out : !out, %n : index)
    return
  }

  func.func @run_H17_mma_ring_past_the_end() {
    // E2: nvvm.tcgen05.mma: error: column {{[0-9]+}}, where matrix D begins, is not allocated
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %n = arith.constant 9 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H17_mma_ring_past_the_end blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
        args(%out : !out, %n : index)
    return
  }
}
