// Accesses of the tensor core that are not complete, with how to fix it: the whole messages.

// RUN: tmem-opt %s --tmem-check-hazards -verify-diagnostics -o /dev/null

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>

gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 16 : i64} : i64

  gpu.func @lane_1_commits(%a: i64) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %n1 = arith.constant 1 : i32
    %no = arith.constant false
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n1 : !llvm.ptr<3>, i32
    }
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %shape = arith.constant 0x8040010 : i32
    scf.if %t0 {
      // expected-note @+1 {{issued here}}
      nvvm.tcgen05.mma %p, %a, %a, %shape, %no {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
    }
    %t1 = arith.cmpi eq, %tid, %n1 : i32
    scf.if %t1 {
      nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    }
    nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    nvvm.tcgen05.fence <after>
    %n96 = arith.constant 96 : i32
    %n16 = arith.constant 16 : i32
    %rows = arith.andi %tid, %n96 : i32
    %slab = arith.shli %rows, %n16 : i32
    %at = arith.addi %base, %slab : i32
    %q = llvm.inttoptr %at : i32 to !llvm.ptr<6>
    // expected-error @+3 {{expected a commit by the thread that issued the tensor core's access before this, but got one by another lane of its warp}}
    // expected-note @+2 {{rule H18:}}
    // expected-note @+1 {{to fix it, let one elected thread issue both}}
    %l = nvvm.tcgen05.ld %q {shape = #s} : vector<8xi32>
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      // expected-error @+3 {{expected a commit by the thread that issued the tensor core's access before this, but got one by another lane of its warp}}
      // expected-note @+2 {{rule H18:}}
      // expected-note @+1 {{to fix it, let one elected thread issue both}}
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @all_lanes_issue(%a: i64) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %n1 = arith.constant 1 : i32
    %no = arith.constant false
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n1 : !llvm.ptr<3>, i32
    }
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %shape = arith.constant 0x8040010 : i32
    scf.if %w0 {
      // expected-error @+3 {{expected one lane of a warp to issue it, but got 32 of warp 0}}
      // expected-note @+2 {{rule H18:}}
      // expected-note @+1 {{to fix it, let one elected thread issue it, and its commit}}
      nvvm.tcgen05.mma %p, %a, %a, %shape, %no {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
    }
    scf.if %t0 {
      nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    }
    nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    nvvm.tcgen05.fence <after>
    %n96 = arith.constant 96 : i32
    %n16 = arith.constant 16 : i32
    %rows = arith.andi %tid, %n96 : i32
    %slab = arith.shli %rows, %n16 : i32
    %at = arith.addi %base, %slab : i32
    %q = llvm.inttoptr %at : i32 to !llvm.ptr<6>
    %l = nvvm.tcgen05.ld %q {shape = #s} : vector<8xi32>
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @nobody_commits(%a: i64) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %n1 = arith.constant 1 : i32
    %no = arith.constant false
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n1 : !llvm.ptr<3>, i32
    }
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %shape = arith.constant 0x8040010 : i32
    scf.if %t0 {
      // expected-note @+1 {{issued here}}
      nvvm.tcgen05.mma %p, %a, %a, %shape, %no {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
    }
    nvvm.tcgen05.fence <after>
    %n96 = arith.constant 96 : i32
    %n16 = arith.constant 16 : i32
    %rows = arith.andi %tid, %n96 : i32
    %slab = arith.shli %rows, %n16 : i32
    %at = arith.addi %base, %slab : i32
    %q = llvm.inttoptr %at : i32 to !llvm.ptr<6>
    // expected-error @+3 {{expected a commit, a wait for its mbarrier and a fence after between this and the tensor core's access to the cells}}
    // expected-note @+2 {{rule H18:}}
    // expected-note @+1 {{to fix it, commit to an mbarrier, wait for it, and execute tmem.fence after}}
    %l = nvvm.tcgen05.ld %q {shape = #s} : vector<8xi32>
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      // expected-error @+3 {{expected a commit and a wait for its mbarrier between this and the tensor core's access to the columns}}
      // expected-note @+2 {{rule H18:}}
      // expected-note @+1 {{to fix it, commit to an mbarrier and wait for it}}
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right(%a: i64) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %n1 = arith.constant 1 : i32
    %no = arith.constant false
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n1 : !llvm.ptr<3>, i32
    }
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %shape = arith.constant 0x8040010 : i32
    scf.if %t0 {
      nvvm.tcgen05.mma %p, %a, %a, %shape, %no {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
    }
    scf.if %t0 {
      nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    }
    nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    nvvm.tcgen05.fence <after>
    %n96 = arith.constant 96 : i32
    %n16 = arith.constant 16 : i32
    %rows = arith.andi %tid, %n96 : i32
    %slab = arith.shli %rows, %n16 : i32
    %at = arith.addi %base, %slab : i32
    %q = llvm.inttoptr %at : i32 to !llvm.ptr<6>
    %l = nvvm.tcgen05.ld %q {shape = #s} : vector<8xi32>
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}
