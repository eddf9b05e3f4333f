// Rules of clusters, broken and kept: the shared memory of other blocks, their
// mbarriers, the barrier of the cluster, and pairs of blocks.

// RUN: tmem-run %s --entry=right --race --seeds=5 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=no_barrier_before --race --seeds=5 2>&1 | FileCheck %s --check-prefixes=BEFORE,EVERY
// RUN: %exits_1 tmem-run %s --entry=no_barrier_between --race --seeds=5 2>&1 | FileCheck %s --check-prefixes=BETWEEN,EVERY
// RUN: %exits_1 tmem-run %s --entry=no_barrier_after --seeds=5 2>&1 | FileCheck %s --check-prefixes=AFTER,EVERY
// RUN: %exits_1 tmem-run %s --entry=no_such_rank --seeds=5 2>&1 | FileCheck %s --check-prefixes=RANK,EVERY
// RUN: %exits_1 tmem-run %s --entry=own_space --seeds=5 2>&1 | FileCheck %s --check-prefixes=SPACE,EVERY
// RUN: %exits_1 tmem-run %s --entry=past_the_end --seeds=5 2>&1 | FileCheck %s --check-prefixes=END,EVERY
// RUN: %exits_1 tmem-run %s --entry=wait_in_another_block --seeds=5 2>&1 | FileCheck %s --check-prefixes=WAIT,EVERY
// RUN: %exits_1 tmem-run %s --entry=state_of_another_block --seeds=5 2>&1 | FileCheck %s --check-prefixes=STATE,EVERY
// RUN: %exits_1 tmem-run %s --entry=deadlock --seeds=5 2>&1 | FileCheck %s --check-prefixes=DEADLOCK,EVERY
// RUN: %exits_1 tmem-run %s --entry=diverged --seeds=5 2>&1 | FileCheck %s --check-prefixes=DIVERGED,EVERY
// RUN: %exits_1 tmem-run %s --entry=one_block_allocates --seeds=5 2>&1 | FileCheck %s --check-prefixes=ONE,EVERY
// RUN: %exits_1 tmem-run %s --entry=no_peer --seeds=5 2>&1 | FileCheck %s --check-prefixes=PEER,EVERY

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.mlir.global internal @data() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<32 x i32>
    llvm.mlir.global internal @object() {addr_space = 3 : i32} : i64
    llvm.mlir.global internal @slot() {addr_space = 3 : i32} : i32
    llvm.mlir.global internal @state() {addr_space = 3 : i32} : i64

    func.func @sync(%is_on: i1) {
      scf.if %is_on {
        nvvm.cluster.arrive
        nvvm.cluster.wait
      }
      return
    }

    // Each block writes into the other one, and reads what that has written.
    gpu.func @exchange(%before: i1, %between: i1, %after: i1, %offset: i32, %other: i32) kernel {
      %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %data = llvm.mlir.addressof @data : !llvm.ptr<3>
      func.call @sync(%before) : (i1) -> ()
      %peer = arith.xori %rank, %other : i32
      // RANK: faults-clusters.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.mapa: error: expected a rank below the 2 blocks of the cluster, but got {{[23]}}
      %there = nvvm.mapa %data, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
      %i = arith.addi %tid, %offset : i32
      %p = llvm.getelementptr %there[%i] : (!llvm.ptr<7>, i32) -> !llvm.ptr<7>, i32
      // BEFORE: faults-clusters.mlir:[[@LINE+2]]:{{[0-9]+}}: llvm.store: error: race: store in the shared memory of block {{[01]}},0,0, and nothing orders this after the start of that block
      // END: faults-clusters.mlir:[[@LINE+1]]:{{[0-9]+}}: llvm.store: error: out of bounds: store of 4 bytes at offset {{[0-9]+}} of the shared memory of block
      llvm.store %rank, %p : i32, !llvm.ptr<7>
      func.call @sync(%between) : (i1) -> ()
      %q = llvm.getelementptr %there[%tid] : (!llvm.ptr<7>, i32) -> !llvm.ptr<7>, i32
      // AFTER: faults-clusters.mlir:[[@LINE+1]]:{{[0-9]+}}: llvm.load: error: {{.*}}exit
      %v = llvm.load volatile %q : !llvm.ptr<7> -> i32
      %own = llvm.getelementptr %data[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      // BETWEEN: error: race: {{.*}}execute a barrier of the cluster between them
      %w = llvm.load volatile %own : !llvm.ptr<3> -> i32
      func.call @sync(%after) : (i1) -> ()
      gpu.return
    }

    gpu.func @own_space() kernel {
      %one = llvm.mlir.constant(1 : i32) : i32
      %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
      %data = llvm.mlir.addressof @data : !llvm.ptr<3>
      nvvm.cluster.arrive
      nvvm.cluster.wait
      %peer = llvm.xor %rank, %one : i32
      %a = llvm.addrspacecast %data : !llvm.ptr<3> to !llvm.ptr
      %b = nvvm.mapa %a, %peer : !llvm.ptr -> !llvm.ptr
      %c = llvm.addrspacecast %b : !llvm.ptr to !llvm.ptr<3>
      // SPACE: faults-clusters.mlir:[[@LINE+1]]:{{[0-9]+}}: llvm.store: error: {{.*}}through a pointer to .shared::cta, in the shared memory of block {{[01]}},0,0
      llvm.store %one, %c : i32, !llvm.ptr<3>
      nvvm.cluster.arrive
      nvvm.cluster.wait
      gpu.return
    }

    // Which block waits, and whether the other one wants the state.
    gpu.func @object_of_another_block(%waits: i1, %wants_state: i1) kernel {
      %zero = llvm.mlir.constant(0 : i32) : i32
      %n64 = llvm.mlir.constant(64 : i32) : i32
      %ticks = llvm.mlir.constant(1000 : i32) : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %object = llvm.mlir.addressof @object : !llvm.ptr<3>
      %kept = llvm.mlir.addressof @state : !llvm.ptr<3>
      %is_first = llvm.icmp "eq" %tid, %zero : i32
      scf.if %is_first {
        nvvm.mbarrier.init %object, %n64 : !llvm.ptr<3>, i32
      }
      nvvm.cluster.arrive
      nvvm.cluster.wait
      %space = llvm.addrspacecast %object : !llvm.ptr<3> to !llvm.ptr
      %leader = nvvm.mapa %space, %zero : !llvm.ptr -> !llvm.ptr
      scf.if %wants_state {
        // STATE: faults-clusters.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.mbarrier.arrive: error: {{.*}}block 0,0,0: an arrival in another block returns no state
        %state = nvvm.mbarrier.arrive %leader : !llvm.ptr -> i64
        llvm.store volatile %state, %kept : i64, !llvm.ptr<3>
      } else {
        %state = nvvm.mbarrier.arrive %leader : !llvm.ptr -> i64
      }
      scf.if %waits {
        // WAIT: faults-clusters.mlir:[[@LINE+1]]:{{[0-9]+}}: mbarrier.try_wait.parity{{.*}}: error: {{.*}}block 0,0,0: only arrivals and counts of bytes
        nvvm.mbarrier.try_wait.parity %leader, %zero, %ticks : !llvm.ptr, i32, i32
      }
      nvvm.cluster.arrive
      nvvm.cluster.wait
      gpu.return
    }

    gpu.func @deadlock() kernel {
      %zero = llvm.mlir.constant(0 : i32) : i32
      %n64 = llvm.mlir.constant(64 : i32) : i32
      %ticks = llvm.mlir.constant(1000 : i32) : i32
      %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %object = llvm.mlir.addressof @object : !llvm.ptr<3>
      %is_first = llvm.icmp "eq" %tid, %zero : i32
      scf.if %is_first {
        nvvm.mbarrier.init %object, %n64 : !llvm.ptr<3>, i32
      }
      nvvm.barrier0
      %is_leader = llvm.icmp "eq" %rank, %zero : i32
      scf.if %is_leader {
        nvvm.mbarrier.try_wait.parity %object, %zero, %ticks : !llvm.ptr<3>, i32, i32
      }
      nvvm.cluster.arrive
      // DEADLOCK: error: deadlock: no thread of the cluster can run, with warp 0 of block 0,0,0 waiting here for the mbarrier at offset {{[0-9]+}} of shared memory
      // DEADLOCK: faults-clusters.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.cluster.wait: note: warp 0 of block 1,0,0 waiting here for the cluster barrier: 32 of 64 threads have arrived
      nvvm.cluster.wait
      gpu.return
    }

    gpu.func @diverged() kernel {
      %n16 = llvm.mlir.constant(16 : i32) : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %is_lower = llvm.icmp "ult" %tid, %n16 : i32
      // DIVERGED: nvvm.cluster.{{arrive|wait}}: error: divergent warp
      scf.if %is_lower {
        nvvm.cluster.arrive {aligned}
      } else {
        nvvm.cluster.arrive
      }
      nvvm.cluster.wait {aligned}
      gpu.return
    }

    gpu.func @alloc(%only: i32) kernel {
      %columns = llvm.mlir.constant(32 : i32) : i32
      %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
      %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
      %skips = llvm.icmp "eq" %rank, %only : i32
      scf.if %skips {
      } else {
        // ONE: error: tcgen05.alloc with .cta_group::2 waits for the peer, block {{[01]}},0,0, which has exited
        // PEER: error: expected a peer in the cluster for .cta_group::2, but block 0 of a cluster of 1 has none
        nvvm.tcgen05.alloc %slot, %columns {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i32
        nvvm.barrier0
        %base = llvm.load %slot : !llvm.ptr<3> -> i32
        %address = llvm.inttoptr %base : i32 to !llvm.ptr<6>
        nvvm.cluster.arrive
        nvvm.cluster.wait
        nvvm.tcgen05.dealloc %address, %columns {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>, i32
      }
      gpu.return
    }
  }

  func.func @exchange(%before: i1, %between: i1, %after: i1, %offset: i32, %other: i32) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@exchange clusters in (%c2, %c1, %c1)
        blocks in (%c2, %c1, %c1) threads in (%c32, %c1, %c1)
        args(%before : i1, %between : i1, %after : i1, %offset : i32, %other : i32)
    return
  }
  func.func @object_of_another_block(%waits: i1, %wants_state: i1) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@object_of_another_block clusters in (%c2, %c1, %c1)
        blocks in (%c2, %c1, %c1) threads in (%c32, %c1, %c1)
        args(%waits : i1, %wants_state : i1)
    return
  }
  func.func @alloc(%size: index, %skips: i32) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@alloc clusters in (%size, %c1, %c1)
        blocks in (%size, %c1, %c1) threads in (%c32, %c1, %c1) args(%skips : i32)
    return
  }

  func.func @no_barrier_before() {
    %false = arith.constant false
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    call @exchange(%false, %true, %true, %c0, %c1) : (i1, i1, i1, i32, i32) -> ()
    return
  }
  func.func @no_barrier_between() {
    %false = arith.constant false
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    call @exchange(%true, %false, %true, %c0, %c1) : (i1, i1, i1, i32, i32) -> ()
    return
  }
  func.func @no_barrier_after() {
    %false = arith.constant false
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    call @exchange(%true, %true, %false, %c0, %c1) : (i1, i1, i1, i32, i32) -> ()
    return
  }
  func.func @no_such_rank() {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c2 = arith.constant 2 : i32
    call @exchange(%true, %true, %true, %c0, %c2) : (i1, i1, i1, i32, i32) -> ()
    return
  }
  func.func @past_the_end() {
    %true = arith.constant true
    %c1 = arith.constant 1 : i32
    %c4096 = arith.constant 4096 : i32
    call @exchange(%true, %true, %true, %c4096, %c1) : (i1, i1, i1, i32, i32) -> ()
    return
  }
  func.func @own_space() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@own_space clusters in (%c2, %c1, %c1)
        blocks in (%c2, %c1, %c1) threads in (%c32, %c1, %c1)
    return
  }
  func.func @wait_in_another_block() {
    %false = arith.constant false
    %true = arith.constant true
    call @object_of_another_block(%true, %false) : (i1, i1) -> ()
    return
  }
  func.func @state_of_another_block() {
    %false = arith.constant false
    %true = arith.constant true
    call @object_of_another_block(%false, %true) : (i1, i1) -> ()
    return
  }
  func.func @deadlock() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@deadlock clusters in (%c2, %c1, %c1)
        blocks in (%c2, %c1, %c1) threads in (%c32, %c1, %c1)
    return
  }
  func.func @diverged() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@diverged clusters in (%c2, %c1, %c1)
        blocks in (%c2, %c1, %c1) threads in (%c32, %c1, %c1)
    return
  }
  func.func @one_block_allocates() {
    %c2 = arith.constant 2 : index
    %i1 = arith.constant 1 : i32
    call @alloc(%c2, %i1) : (index, i32) -> ()
    return
  }
  func.func @no_peer() {
    %c1 = arith.constant 1 : index
    %i1 = arith.constant 1 : i32
    call @alloc(%c1, %i1) : (index, i32) -> ()
    return
  }

  // RIGHT: no fault
  func.func @right() {
    %false = arith.constant false
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %none = arith.constant -1 : i32
    %i2 = arith.constant 2 : index
    call @exchange(%true, %true, %true, %c0, %c1) : (i1, i1, i1, i32, i32) -> ()
    call @object_of_another_block(%false, %false) : (i1, i1) -> ()
    call @alloc(%i2, %none) : (index, i32) -> ()
    vector.print str "no fault\n"
    return
  }
}

// EVERY: 5 seeds: 0 clean, 5 with a fault
