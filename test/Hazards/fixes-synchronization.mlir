// What is wrong with how CTAs and warps meet, with how to fix it: the whole messages.

// RUN: tmem-opt %s --tmem-check-hazards -verify-diagnostics -o /dev/null

gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 16 : i64} : i64

  gpu.func @pair_does_not_meet() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    // expected-note @+1 {{allocated here}}
    tmem.alloc %slot, 32 cta_group(2) : !llvm.ptr<3>
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    // expected-error @+3 {{expected a barrier of the cluster between the alloc and the dealloc of a pair of CTAs, but got none}}
    // expected-note @+2 {{rule H20:}}
    // expected-note @+1 {{to fix it, put cluster.arrive and cluster.wait between them}}
    tmem.dealloc %base, 32 cta_group(2)
    gpu.return
  }

  gpu.func @right_pair_meets() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    tmem.alloc %slot, 32 cta_group(2) : !llvm.ptr<3>
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    nvvm.cluster.arrive
    nvvm.cluster.wait
    tmem.dealloc %base, 32 cta_group(2)
    gpu.return
  }

  gpu.func @two_groups() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    // expected-note @+1 {{used here}}
    tmem.alloc %slot, 32 : !llvm.ptr<3>
    // expected-error @+3 {{expected cta_group::1 as everywhere in the kernel, but got cta_group::2}}
    // expected-note @+2 {{rule H9:}}
    // expected-note @+1 {{to fix it, use one cta_group}}
    tmem.relinquish_alloc_permit cta_group(2)
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    tmem.dealloc %base, 32
    gpu.return
  }

  gpu.func @waits_for_a_phase_or_the_next() kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %w0 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    }
    scf.if %w0 {
      %t = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    } else {
      // expected-error @+3 {{expected a phase of the mbarrier that is the same in every order of warps, but got one that may be the next or the one before}}
      // expected-note @+2 {{rule H21:}}
      // expected-note @+1 {{to fix it, check the parity, and that whoever arrives waits for this warp first}}
      nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_waits_behind_a_barrier() kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %n1 = arith.constant 1 : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %w0 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    }
    nvvm.barrier0
    scf.if %w0 {
      %t = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    } else {
      nvvm.mbarrier.try_wait.parity %bar, %n1, %n32 : !llvm.ptr<3>, i32, i32
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @written_over_while_others_read() kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    // expected-note @+1 {{read here by another warp}}
    %again = llvm.load %slot : !llvm.ptr<3> -> i32
    scf.if %t0 {
      // expected-error @+3 {{expected a barrier between the read of the address by another warp and this write over it, but got none}}
      // expected-note @+2 {{rule H4:}}
      // expected-note @+1 {{to fix it, put a barrier between them}}
      llvm.store %zero, %slot : i32, !llvm.ptr<3>
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_written_over_behind_a_barrier() kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %again = llvm.load %slot : !llvm.ptr<3> -> i32
    nvvm.barrier0
    scf.if %t0 {
      llvm.store %zero, %slot : i32, !llvm.ptr<3>
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}
