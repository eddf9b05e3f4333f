// Numbers that arguments, block ids and sizes of the grid are taken to be in runs. The
// persistent kernel and the one that fills memory are right, on the emulator, too. Those
// that need a step, or a test that holds in time, are not accepted, and one faults there.

// RUN: %exits_1 tmem-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tmem-check-hazards{mode=strict report=warning undecided=error})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-run %s --entry=run_right_persistent --race --seeds=2 | FileCheck %s --check-prefix=RIGHT
// RUN: tmem-run %s --entry=run_right_fill --race --seeds=2 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=run_wrong_step --race --seeds=2 2>&1 | FileCheck %s --check-prefix=STEP
// RUN: %exits_1 tmem-run %s --entry=run_wrong_spin --race --seeds=2 2>&1 | FileCheck %s --check-prefix=SPIN

// RIGHT: no fault
// STEP: error:
// SPIN: error:

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
#f16 = #nvvm.tcgen05_mma_kind<f16>
#one = #nvvm.cta_group<cta_1>
#regs8 = #tmem.layout<(128, 8) : (1@tid, 1@reg)>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!object = memref<8xi64, #gpu.address_space<workgroup>>
!mats = memref<4096xi32, #gpu.address_space<workgroup>>
!acc = !tmem.view<128x16xf32, #tmem.datapath<D>>
#regs = #tmem.layout<(128, 16) : (1@tid, 1@reg)>
!out = memref<256x16xf32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @right_persistent(%out: !out, %n: index, %m: index) workgroup(%slot: !slot, %object: !object, %mats: !mats) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %threads = arith.constant 256 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %one = arith.constant 1 : i32
      %zero = arith.constant 0 : i32
      %n128 = arith.constant 128 : i32
      %ticks = arith.constant 1000 : i32
      %true = arith.constant true
      %no = arith.constant false
      %n32 = arith.constant 32 : i32
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %wg1 = arith.cmpi uge, %tid, %c128 : index
      %thread0 = arith.cmpi eq, %tid, %c0 : index
      %i0 = memref.extract_aligned_pointer_as_index %object : !object -> index
      %b64 = arith.index_cast %i0 : index to i64
      %e1 = arith.constant 8 : i64
      %e2 = arith.constant 16 : i64
      %e3 = arith.constant 24 : i64
      %b0 = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
      %a1 = arith.addi %b64, %e1 : i64
      %b1 = llvm.inttoptr %a1 : i64 to !llvm.ptr<3>
      %a2 = arith.addi %b64, %e2 : i64
      %b2 = llvm.inttoptr %a2 : i64 to !llvm.ptr<3>
      %a3 = arith.addi %b64, %e3 : i64
      %b3 = llvm.inttoptr %a3 : i64 to !llvm.ptr<3>
      scf.if %thread0 {
        nvvm.mbarrier.init %b0, %one : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %b1, %one : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %b2, %n128 : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %b3, %n128 : !llvm.ptr<3>, i32
      }
      scf.if %first {
        tmem.alloc %slot, 128 : !slot
      }
      %per = arith.constant 16 : index
      scf.for %q = %c0 to %per step %c1 {
        %qq = arith.muli %q, %threads : index
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
      %four64 = arith.constant 4 : i64
      %low = arith.constant 0x3ffff : i64
      %strides = arith.constant 0x401000080000 : i64
      %in = arith.andi %mi64, %low : i64
      %start = arith.shrui %in, %four64 : i64
      %desc = arith.addi %start, %strides : i64
      %shape = arith.constant 0x8040010 : i32
      %bid = gpu.block_id x
      %grid = gpu.grid_dim x
      scf.if %thread0 {
        %lastp = scf.for %i = %bid to %n step %grid iter_args(%ii = %zero) -> i32 {
          %st = arith.andi %ii, %one : i32
          %r = arith.shrui %ii, %one : i32
          %ph = arith.andi %r, %one : i32
          %oth = arith.xori %ph, %one : i32
          %isz = arith.cmpi eq, %st, %zero : i32
          %em = arith.select %isz, %b2, %b3 : !llvm.ptr<3>
          %fu = arith.select %isz, %b0, %b1 : !llvm.ptr<3>
          nvvm.mbarrier.try_wait.parity %em, %oth, %ticks : !llvm.ptr<3>, i32, i32
          nvvm.tcgen05.fence <after>
          %col = arith.muli %st, %n32 : i32
          %ad = arith.addi %base, %col : i32
          %dd = llvm.inttoptr %ad : i32 to !llvm.ptr<6>
          nvvm.tcgen05.mma %dd, %desc, %desc, %shape, %no {kind = #f16, ctaGroup = #one} : (!llvm.ptr<6>, i64, i64, i32, i1)
          nvvm.tcgen05.mma %dd, %desc, %desc, %shape, %true {kind = #f16, ctaGroup = #one} : (!llvm.ptr<6>, i64, i64, i32, i1)
          nvvm.tcgen05.commit %fu : !llvm.ptr<3>
          %nx = arith.addi %ii, %one : i32
          scf.yield %nx : i32
        }
      }
      scf.if %wg1 {
        %lastc = scf.for %i = %bid to %n step %grid iter_args(%ii = %zero) -> i32 {
          %st = arith.andi %ii, %one : i32
          %r = arith.shrui %ii, %one : i32
          %ph = arith.andi %r, %one : i32
          %isz = arith.cmpi eq, %st, %zero : i32
          %em = arith.select %isz, %b2, %b3 : !llvm.ptr<3>
          %fu = arith.select %isz, %b0, %b1 : !llvm.ptr<3>
          nvvm.mbarrier.try_wait.parity %fu, %ph, %ticks : !llvm.ptr<3>, i32, i32
          nvvm.tcgen05.fence <after>
          %col = arith.muli %st, %n32 : i32
          %ad = arith.addi %base, %col : i32
          %dv = tmem.view %ad : !acc
          %pend = tmem.load %dv registers(#regs) scope(warpgroup) : !acc -> !tmem.pending<vector<16xf32>>
          %row = tmem.wait_load %pend : !tmem.pending<vector<16xf32>>
          vector.store %row, %out[%tid, %c0] : !out, vector<16xf32>
          nvvm.tcgen05.fence <before>
          %s = nvvm.mbarrier.arrive %em : !llvm.ptr<3> -> i64
          %nx = arith.addi %ii, %one : i32
          scf.yield %nx : i32
        }
      }
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      scf.if %first {
        tmem.dealloc %base, 128
      }
      gpu.return
    }

    gpu.func @wrong_step(%out: !out, %n: index, %m: index) workgroup(%slot: !slot, %object: !object, %mats: !mats) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %threads = arith.constant 256 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %one = arith.constant 1 : i32
      %zero = arith.constant 0 : i32
      %n128 = arith.constant 128 : i32
      %ticks = arith.constant 1000 : i32
      %n96 = arith.constant 96 : i32
      %n16 = arith.constant 16 : i32
      %sevens = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %wg0 = arith.cmpi ult, %tid, %c128 : index
      %wg1 = arith.cmpi uge, %tid, %c128 : index
      %thread0 = arith.cmpi eq, %tid, %c0 : index
      %i0 = memref.extract_aligned_pointer_as_index %object : !object -> index
      %b64 = arith.index_cast %i0 : index to i64
      %e1 = arith.constant 8 : i64
      %e2 = arith.constant 16 : i64
      %e3 = arith.constant 24 : i64
      %b0 = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
      %a1 = arith.addi %b64, %e1 : i64
      %b1 = llvm.inttoptr %a1 : i64 to !llvm.ptr<3>
      %a2 = arith.addi %b64, %e2 : i64
      %b2 = llvm.inttoptr %a2 : i64 to !llvm.ptr<3>
      %a3 = arith.addi %b64, %e3 : i64
      %b3 = llvm.inttoptr %a3 : i64 to !llvm.ptr<3>
      scf.if %thread0 {
        nvvm.mbarrier.init %b0, %one : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %b1, %one : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %b2, %n128 : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %b3, %n128 : !llvm.ptr<3>, i32
      }
      scf.if %first {
        tmem.alloc %slot, 128 : !slot
      }
      %per = arith.constant 16 : index
      scf.for %q = %c0 to %per step %c1 {
        %qq = arith.muli %q, %threads : index
        %qt = arith.addi %qq, %tid : index
        memref.store %zero, %mats[%qt] : !mats
      }
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      %base = memref.load %slot[%c0] : !slot
      %t32 = arith.index_cast %tid : index to i32
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %address = arith.addi %base, %slab : i32
      %lp = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      scf.if %wg0 {
        %l = scf.for %i = %c0 to %n step %m iter_args(%ii = %zero) -> i32 {
          nvvm.tcgen05.st %lp, %sevens {shape = #s} : vector<8xi32>
          nvvm.tcgen05.wait <store>
          nvvm.tcgen05.fence <before>
          %s = nvvm.mbarrier.arrive %b2 : !llvm.ptr<3> -> i64
          %nx = arith.addi %ii, %one : i32
          scf.yield %nx : i32
        }
      }
      scf.if %wg1 {
        %l = scf.for %i = %c0 to %n step %m iter_args(%ii = %zero) -> i32 {
          %ph = arith.andi %ii, %one : i32
          nvvm.mbarrier.try_wait.parity %b2, %ph, %ticks : !llvm.ptr<3>, i32, i32
          nvvm.tcgen05.fence <after>
          // The graph has found it; runs for equal numbers are without a fault.
          // CHECK: :[[#@LINE+1]]:{{.*}} error: {{.*}} undecided: it is wrong for some inputs of the kernel, and runs for others have met no fault: expected a barrier between this and the store of another warp
          %v = nvvm.tcgen05.ld %lp {shape = #s} : vector<8xi32>
          // CHECK: :[[#@LINE-13]]:{{.*}} error: {{.*}} it is wrong where argument #1 is 5, argument #2 is 3: expected a wait for the phase
          nvvm.tcgen05.wait <load>
          %nx = arith.addi %ii, %one : i32
          scf.yield %nx : i32
        }
      }
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      scf.if %first {
        tmem.dealloc %base, 128
      }
      gpu.return
    }

    gpu.func @wrong_spin(%out: !out, %n: index, %m: index) workgroup(%slot: !slot, %object: !object, %mats: !mats) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %threads = arith.constant 128 : index
      %c2 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      %one = arith.constant 1 : i32
      %zero = arith.constant 0 : i32
      %n128 = arith.constant 128 : i32
      %true = arith.constant true
      %no = arith.constant false
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %thread0 = arith.cmpi eq, %tid, %c0 : index
      %i0 = memref.extract_aligned_pointer_as_index %object : !object -> index
      %b64 = arith.index_cast %i0 : index to i64
      %e1 = arith.constant 8 : i64
      %e2 = arith.constant 16 : i64
      %e3 = arith.constant 24 : i64
      %b0 = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
      %a1 = arith.addi %b64, %e1 : i64
      %b1 = llvm.inttoptr %a1 : i64 to !llvm.ptr<3>
      %a2 = arith.addi %b64, %e2 : i64
      %b2 = llvm.inttoptr %a2 : i64 to !llvm.ptr<3>
      %a3 = arith.addi %b64, %e3 : i64
      %b3 = llvm.inttoptr %a3 : i64 to !llvm.ptr<3>
      scf.if %thread0 {
        nvvm.mbarrier.init %b0, %one : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %b1, %one : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %b2, %n128 : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %b3, %n128 : !llvm.ptr<3>, i32
      }
      scf.if %first {
        tmem.alloc %slot, 128 : !slot
      }
      %per = arith.constant 32 : index
      scf.for %q = %c0 to %per step %c1 {
        %qq = arith.muli %q, %threads : index
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
      %four64 = arith.constant 4 : i64
      %low = arith.constant 0x3ffff : i64
      %strides = arith.constant 0x401000080000 : i64
      %in = arith.andi %mi64, %low : i64
      %start = arith.shrui %in, %four64 : i64
      %desc = arith.addi %start, %strides : i64
      %shape = arith.constant 0x8040010 : i32
      %d = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      %acc = tmem.view %base : !acc
      scf.if %thread0 {
        nvvm.tcgen05.mma %d, %desc, %desc, %shape, %no {kind = #f16, ctaGroup = #one} : (!llvm.ptr<6>, i64, i64, i32, i1)
        nvvm.tcgen05.commit %b0 : !llvm.ptr<3>
      }
      %tries = scf.while (%t = %c0) : (index) -> index {
        // CHECK: :[[#@LINE+1]]:{{.*}} error: {{.*}} undecided: phases of mbarriers: what happens if its test fails is not known
        %done = nvvm.mbarrier.test.wait %b0, %zero : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        %few = arith.cmpi ult, %t, %c2 : index
        %go = arith.andi %again, %few : i1
        scf.condition(%go) %t : index
      } do {
      ^bb0(%t: index):
        %u = arith.addi %t, %c1 : index
        scf.yield %u : index
      }
      nvvm.tcgen05.fence <after>
      %pend = tmem.load %acc registers(#regs) scope(warpgroup) : !acc -> !tmem.pending<vector<16xf32>>
      %row = tmem.wait_load %pend : !tmem.pending<vector<16xf32>>
      vector.store %row, %out[%tid, %c0] : !out, vector<16xf32>
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      scf.if %first {
        tmem.dealloc %base, 128
      }
      gpu.return
    }

    gpu.func @right_fill(%out: !out, %n: index, %m: index) workgroup(%slot: !slot, %object: !object, %mats: !mats) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c4096 = arith.constant 4096 : index
      %threads = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %one = arith.constant 1 : i32
      %zero = arith.constant 0 : i32
      %n128 = arith.constant 128 : i32
      %ticks = arith.constant 1000 : i32
      %no = arith.constant false
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %thread0 = arith.cmpi eq, %tid, %c0 : index
      %i0 = memref.extract_aligned_pointer_as_index %object : !object -> index
      %b64 = arith.index_cast %i0 : index to i64
      %e1 = arith.constant 8 : i64
      %e2 = arith.constant 16 : i64
      %e3 = arith.constant 24 : i64
      %b0 = llvm.inttoptr %b64 : i64 to !llvm.ptr<3>
      %a1 = arith.addi %b64, %e1 : i64
      %b1 = llvm.inttoptr %a1 : i64 to !llvm.ptr<3>
      %a2 = arith.addi %b64, %e2 : i64
      %b2 = llvm.inttoptr %a2 : i64 to !llvm.ptr<3>
      %a3 = arith.addi %b64, %e3 : i64
      %b3 = llvm.inttoptr %a3 : i64 to !llvm.ptr<3>
      scf.if %thread0 {
        nvvm.mbarrier.init %b0, %one : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %b1, %one : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %b2, %n128 : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %b3, %n128 : !llvm.ptr<3>, i32
      }
      scf.if %first {
        tmem.alloc %slot, 128 : !slot
      }
      scf.for %q = %tid to %c4096 step %threads {
        memref.store %zero, %mats[%q] : !mats
      }
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      %base = memref.load %slot[%c0] : !slot
      %mi = memref.extract_aligned_pointer_as_index %mats : !mats -> index
      %mi64 = arith.index_cast %mi : index to i64
      %four64 = arith.constant 4 : i64
      %low = arith.constant 0x3ffff : i64
      %strides = arith.constant 0x401000080000 : i64
      %in = arith.andi %mi64, %low : i64
      %start = arith.shrui %in, %four64 : i64
      %desc = arith.addi %start, %strides : i64
      %shape = arith.constant 0x8040010 : i32
      %d = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      %acc = tmem.view %base : !acc
      scf.if %thread0 {
        nvvm.tcgen05.mma %d, %desc, %desc, %shape, %no {kind = #f16, ctaGroup = #one} : (!llvm.ptr<6>, i64, i64, i32, i1)
        nvvm.tcgen05.commit %b0 : !llvm.ptr<3>
      }
      nvvm.mbarrier.try_wait.parity %b0, %zero, %ticks : !llvm.ptr<3>, i32, i32
      nvvm.tcgen05.fence <after>
      %pend = tmem.load %acc registers(#regs) scope(warpgroup) : !acc -> !tmem.pending<vector<16xf32>>
      %row = tmem.wait_load %pend : !tmem.pending<vector<16xf32>>
      vector.store %row, %out[%tid, %c0] : !out, vector<16xf32>
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      scf.if %first {
        tmem.dealloc %base, 128
      }
      gpu.return
    }
  }

  func.func @run_right_persistent() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %n = arith.constant 5 : index
    %m = arith.constant 5 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xf32>
    gpu.host_register %unranked : memref<*xf32>
    gpu.launch_func @kernels::@right_persistent blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
        args(%out : !out, %n : index, %m : index)
    vector.print str "no fault\n"
    return
  }

  func.func @run_wrong_step() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %n = arith.constant 4 : index
    %m = arith.constant 1 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xf32>
    gpu.host_register %unranked : memref<*xf32>
    gpu.launch_func @kernels::@wrong_step blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
        args(%out : !out, %n : index, %m : index)
    vector.print str "no fault\n"
    return
  }

  func.func @run_wrong_spin() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 128 : index
    %n = arith.constant 5 : index
    %m = arith.constant 5 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xf32>
    gpu.host_register %unranked : memref<*xf32>
    gpu.launch_func @kernels::@wrong_spin blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
        args(%out : !out, %n : index, %m : index)
    vector.print str "no fault\n"
    return
  }

  func.func @run_right_fill() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 128 : index
    %n = arith.constant 5 : index
    %m = arith.constant 5 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xf32>
    gpu.host_register %unranked : memref<*xf32>
    gpu.launch_func @kernels::@right_fill blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
        args(%out : !out, %n : index, %m : index)
    vector.print str "no fault\n"
    return
  }
}
