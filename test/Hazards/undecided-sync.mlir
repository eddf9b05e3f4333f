// What is undecided of barriers of the cluster, and of other things that synchronize.

// RUN: tmem-opt %s --tmem-check-hazards -verify-diagnostics -o /dev/null

!slot = memref<1xi32, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!out = memref<256x8xi32>

gpu.module @kernels {
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 16 : i64} : i64
  llvm.mlir.global internal @flag() {addr_space = 3 : i32, alignment = 16 : i64} : i32

  // A relaxed arrive orders Tensor Memory, but no word of shared memory.
  gpu.func @relaxed_publication(%out: !out) workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %first = arith.cmpi ult, %tid, %c32 : index
    scf.if %first {
      // expected-note @+1 {{the other access}}
      tmem.alloc %slot, 32 : !slot
    }
    // expected-note @+1 {{of this it is not known what it orders}}
    nvvm.cluster.arrive.relaxed
    nvvm.cluster.wait
    // expected-warning @+1 {{undecided: whether something orders it and an access before}}
    %base = memref.load %slot[%c0] : !slot
    gpu.barrier
    scf.if %first {
      tmem.dealloc %base, 32
    }
    gpu.return
  }

  gpu.func @right_publication(%out: !out) workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %first = arith.cmpi ult, %tid, %c32 : index
    scf.if %first {
      tmem.alloc %slot, 32 : !slot
    }
    nvvm.cluster.arrive
    nvvm.cluster.wait
    %base = memref.load %slot[%c0] : !slot
    gpu.barrier
    scf.if %first {
      tmem.dealloc %base, 32
    }
    gpu.return
  }

  // Which phase a turn of the one is in a turn of the other.
  gpu.func @turns_of_roles(%base: i32, %out: !out, %n: index) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %sevens = arith.constant dense<7> : vector<8xi32>
    %tid = gpu.thread_id x
    %stores = arith.cmpi ult, %tid, %c128 : index
    %mem = tmem.view %base : !view
    scf.if %stores {
      scf.for %i = %c0 to %n step %c1 {
        // expected-note @+1 {{the other access}}
        tmem.write %sevens, %mem scope(warpgroup) : vector<8xi32>, !view
        tmem.fence before
        // expected-note @+2 {{of this it is not known what it orders}}
        // expected-warning @+1 {{undecided: for which wait of the cluster's barrier it is}}
        nvvm.cluster.arrive
        // expected-warning @+1 {{undecided: for which arrivals at the cluster's barrier it waits}}
        nvvm.cluster.wait
      }
    } else {
      scf.for %i = %c0 to %n step %c1 {
        // expected-warning @+1 {{undecided: for which wait of the cluster's barrier it is}}
        nvvm.cluster.arrive
        // expected-warning @+1 {{undecided: for which arrivals at the cluster's barrier it waits}}
        nvvm.cluster.wait
        tmem.fence after
        // expected-warning @+1 {{undecided: whether something orders it and an access before}}
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
    }
    gpu.return
  }

  // The system arrives once copies are complete.
  gpu.func @copies(%base: i32, %out: !out) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %i0 = arith.constant 0 : i32
    %i128 = arith.constant 128 : i32
    %ticks = arith.constant 1000 : i32
    %sevens = arith.constant dense<7> : vector<8xi32>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = gpu.thread_id x
    %zero = arith.cmpi eq, %tid, %c0 : index
    %stores = arith.cmpi ult, %tid, %c128 : index
    %mem = tmem.view %base : !view
    scf.if %zero {
      nvvm.mbarrier.init %bar, %i128 : !llvm.ptr<3>, i32
    }
    gpu.barrier
    scf.if %stores {
      // expected-note @+1 {{the other access}}
      tmem.write %sevens, %mem scope(warpgroup) : vector<8xi32>, !view
      tmem.fence before
      // expected-note @+2 {{of this it is not known what it orders}}
      // expected-warning @+1 {{undecided: what it hands over: it comes when copies are complete}}
      nvvm.cp.async.mbarrier.arrive %bar {noinc = true} : !llvm.ptr<3>
    } else {
      nvvm.mbarrier.try_wait.parity %bar, %i0, %ticks : !llvm.ptr<3>, i32, i32
      tmem.fence after
      // expected-warning @+1 {{undecided: whether something orders it and an access before}}
      %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
      vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
    }
    gpu.return
  }

  gpu.func @bytes(%base: i32, %out: !out) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %i0 = arith.constant 0 : i32
    %i128 = arith.constant 128 : i32
    %ticks = arith.constant 1000 : i32
    %sevens = arith.constant dense<7> : vector<8xi32>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = gpu.thread_id x
    %zero = arith.cmpi eq, %tid, %c0 : index
    %stores = arith.cmpi ult, %tid, %c128 : index
    %mem = tmem.view %base : !view
    scf.if %zero {
      nvvm.mbarrier.init %bar, %i128 : !llvm.ptr<3>, i32
      // expected-warning @+1 {{undecided: phases of mbarriers: bytes that an mbarrier waits for are not counted}}
      nvvm.mbarrier.expect_tx %bar, %i128 : !llvm.ptr<3>, i32
    }
    gpu.barrier
    scf.if %stores {
      tmem.write %sevens, %mem scope(warpgroup) : vector<8xi32>, !view
      tmem.fence before
      nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    } else {
      nvvm.mbarrier.try_wait.parity %bar, %i0, %ticks : !llvm.ptr<3>, i32, i32
      tmem.fence after
      %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
      vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
    }
    gpu.return
  }

  // A flag in memory, with loads and stores that are atomic.
  gpu.func @atomic_flag(%base: i32, %out: !out) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %sevens = arith.constant dense<7> : vector<8xi32>
    %flag = llvm.mlir.addressof @flag : !llvm.ptr<3>
    %tid = gpu.thread_id x
    %stores = arith.cmpi ult, %tid, %c128 : index
    %mem = tmem.view %base : !view
    scf.if %stores {
      // expected-note @+1 {{the other access}}
      tmem.write %sevens, %mem scope(warpgroup) : vector<8xi32>, !view
      tmem.fence before
      llvm.store %i1, %flag atomic release {alignment = 4 : i64} : i32, !llvm.ptr<3>
    } else {
      scf.while : () -> () {
        %seen = llvm.load %flag atomic acquire {alignment = 4 : i64} : !llvm.ptr<3> -> i32
        %waits = arith.cmpi eq, %seen, %i0 : i32
        scf.condition(%waits)
      } do {
        scf.yield
      }
      tmem.fence after
      // expected-warning @+1 {{undecided: whether the atomics and fences of the kernel order it after an access of another warp}}
      %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
      vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
    }
    gpu.return
  }

  gpu.func @ptx(%base: i32, %out: !out) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %sevens = arith.constant dense<7> : vector<8xi32>
    %tid = gpu.thread_id x
    %stores = arith.cmpi ult, %tid, %c128 : index
    %mem = tmem.view %base : !view
    scf.if %stores {
      // expected-note @+1 {{the other access}}
      tmem.write %sevens, %mem scope(warpgroup) : vector<8xi32>, !view
      tmem.fence before
    }
    // expected-note @+2 {{of this it is not known what it orders}}
    // expected-warning @+1 {{undecided: what it does: inline PTX of this form is not read here}}
    nvvm.inline_ptx "bar.sync 0;"
    tmem.fence after
    scf.if %stores {
    } else {
      // expected-warning @+1 {{undecided: whether something orders it and an access before}}
      %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
      vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
    }
    gpu.return
  }

  // An arrive of which the order of memory is not told apart.
  gpu.func @relaxed_arrive(%base: i32, %out: !out) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %i0 = arith.constant 0 : i32
    %i128 = arith.constant 128 : i32
    %ticks = arith.constant 1000 : i32
    %sevens = arith.constant dense<7> : vector<8xi32>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = gpu.thread_id x
    %zero = arith.cmpi eq, %tid, %c0 : index
    %stores = arith.cmpi ult, %tid, %c128 : index
    %mem = tmem.view %base : !view
    scf.if %zero {
      nvvm.mbarrier.init %bar, %i128 : !llvm.ptr<3>, i32
    }
    gpu.barrier
    scf.if %stores {
      tmem.write %sevens, %mem scope(warpgroup) : vector<8xi32>, !view
      tmem.fence before
      // expected-warning @+1 {{undecided: phases of mbarriers: what is relaxed orders Tensor Memory alone}}
      nvvm.mbarrier.arrive %bar {relaxed = true} : !llvm.ptr<3> -> i64
    } else {
      nvvm.mbarrier.try_wait.parity %bar, %i0, %ticks : !llvm.ptr<3>, i32, i32
      tmem.fence after
      %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
      vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
    }
    gpu.return
  }

  // A flag in memory, by inline PTX.
  gpu.func @flag_in_ptx(%base: i32, %out: !out) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %sevens = arith.constant dense<7> : vector<8xi32>
    %flag = llvm.mlir.addressof @flag : !llvm.ptr<3>
    %tid = gpu.thread_id x
    %stores = arith.cmpi ult, %tid, %c128 : index
    %mem = tmem.view %base : !view
    scf.if %stores {
      // expected-note @+1 {{the other access}}
      tmem.write %sevens, %mem scope(warpgroup) : vector<8xi32>, !view
      tmem.fence before
      llvm.inline_asm has_side_effects "st.release.cta.shared.b32 [$0], $1;", "r,r" %flag, %i1
          : (!llvm.ptr<3>, i32) -> ()
    } else {
      scf.while : () -> () {
        %seen = llvm.inline_asm has_side_effects "ld.acquire.cta.shared.b32 $0, [$1];", "=r,r" %flag
            : (!llvm.ptr<3>) -> i32
        %waits = arith.cmpi eq, %seen, %i0 : i32
        scf.condition(%waits)
      } do {
        scf.yield
      }
      tmem.fence after
      // expected-warning @+1 {{undecided: whether the atomics and fences of the kernel order it after an access of another warp}}
      %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
      vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
    }
    gpu.return
  }

  // Some threads end here.
  gpu.func @exit() workgroup(%slot: !slot) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %first = arith.cmpi ult, %tid, %c32 : index
    scf.if %first {
      tmem.alloc %slot, 32 : !slot
    }
    gpu.barrier
    %base = memref.load %slot[%c0] : !slot
    scf.if %first {
      // expected-warning @+1 {{undecided: what it does: it ends threads in the middle of the code}}
      llvm.call_intrinsic "llvm.nvvm.exit"() : () -> ()
      tmem.dealloc %base, 32
    }
    gpu.return
  }
}
