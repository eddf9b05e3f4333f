// Mbarriers in inline PTX: tests that return the answer, and loops that repeat them.

// RUN: tmem-opt %s --tmem-check-hazards='mode=strict undecided=error' -verify-diagnostics -o /dev/null

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>

gpu.module @kernels {
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 16 : i64} : i64

  gpu.func @branches(%p: !llvm.ptr<6>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %zero = arith.constant 0 : i32
    %parity = arith.constant 0 : i32
    %n128 = arith.constant 128 : i32
    %v = arith.constant dense<7> : vector<8xi32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %leads = arith.cmpi eq, %tid, %zero : i32
    %first = arith.cmpi ult, %tid, %n128 : i32
    %second = arith.cmpi uge, %tid, %n128 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %word = llvm.ptrtoint %bar : !llvm.ptr<3> to i32
    scf.if %leads {
      llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r" %word, %n128 : (i32, i32) -> ()
    }
    nvvm.barrier0
    scf.if %first {
      nvvm.tcgen05.st %p, %v {shape = #s} : vector<8xi32>
      nvvm.tcgen05.wait <store>
      nvvm.tcgen05.fence <before>
      llvm.inline_asm has_side_effects "mbarrier.arrive.shared::cta.b64 _, [$0];", "r" %word : (i32) -> ()
    }
    scf.if %second {
      llvm.inline_asm has_side_effects "{ .reg .pred p; LW${:uid}: mbarrier.try_wait.parity.shared::cta.b64 p, [$0], $1; @p bra DN${:uid}; bra LW${:uid}; DN${:uid}: }", "r,r" %word, %parity : (i32, i32) -> ()
      nvvm.tcgen05.fence <after>
      %l = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
      nvvm.tcgen05.wait <load>
    }
    gpu.return
  }

  gpu.func @cutlass(%p: !llvm.ptr<6>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %zero = arith.constant 0 : i32
    %parity = arith.constant 0 : i32
    %n128 = arith.constant 128 : i32
    %v = arith.constant dense<7> : vector<8xi32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %leads = arith.cmpi eq, %tid, %zero : i32
    %first = arith.cmpi ult, %tid, %n128 : i32
    %second = arith.cmpi uge, %tid, %n128 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %word = llvm.ptrtoint %bar : !llvm.ptr<3> to i32
    scf.if %leads {
      llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r" %word, %n128 : (i32, i32) -> ()
    }
    nvvm.barrier0
    scf.if %first {
      nvvm.tcgen05.st %p, %v {shape = #s} : vector<8xi32>
      nvvm.tcgen05.wait <store>
      nvvm.tcgen05.fence <before>
      llvm.inline_asm has_side_effects "mbarrier.arrive.shared::cta.b64 _, [$0];", "r" %word : (i32) -> ()
    }
    scf.if %second {
      llvm.inline_asm has_side_effects "{\0A.reg .pred P1;\0ALAB_WAIT:\0Ambarrier.try_wait.parity.shared::cta.b64 P1, [$0], $1;\0A@P1 bra.uni DONE;\0Abra.uni LAB_WAIT;\0ADONE:\0A}", "r,r" %word, %parity : (i32, i32) -> ()
      nvvm.tcgen05.fence <after>
      %l = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
      nvvm.tcgen05.wait <load>
    }
    gpu.return
  }

  gpu.func @negated(%p: !llvm.ptr<6>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %zero = arith.constant 0 : i32
    %parity = arith.constant 0 : i32
    %n128 = arith.constant 128 : i32
    %v = arith.constant dense<7> : vector<8xi32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %leads = arith.cmpi eq, %tid, %zero : i32
    %first = arith.cmpi ult, %tid, %n128 : i32
    %second = arith.cmpi uge, %tid, %n128 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %word = llvm.ptrtoint %bar : !llvm.ptr<3> to i32
    scf.if %leads {
      llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r" %word, %n128 : (i32, i32) -> ()
    }
    nvvm.barrier0
    scf.if %first {
      nvvm.tcgen05.st %p, %v {shape = #s} : vector<8xi32>
      nvvm.tcgen05.wait <store>
      nvvm.tcgen05.fence <before>
      llvm.inline_asm has_side_effects "mbarrier.arrive.shared::cta.b64 _, [$0];", "r" %word : (i32) -> ()
    }
    scf.if %second {
      llvm.inline_asm has_side_effects "{ .reg .pred p; L: mbarrier.test_wait.parity.shared::cta.b64 p, [$0], $1; @!p bra L; }", "r,r" %word, %parity : (i32, i32) -> ()
      nvvm.tcgen05.fence <after>
      %l = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
      nvvm.tcgen05.wait <load>
    }
    gpu.return
  }

  gpu.func @loop(%p: !llvm.ptr<6>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %zero = arith.constant 0 : i32
    %parity = arith.constant 0 : i32
    %n128 = arith.constant 128 : i32
    %v = arith.constant dense<7> : vector<8xi32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %leads = arith.cmpi eq, %tid, %zero : i32
    %first = arith.cmpi ult, %tid, %n128 : i32
    %second = arith.cmpi uge, %tid, %n128 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %word = llvm.ptrtoint %bar : !llvm.ptr<3> to i32
    scf.if %leads {
      llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r" %word, %n128 : (i32, i32) -> ()
    }
    nvvm.barrier0
    scf.if %first {
      nvvm.tcgen05.st %p, %v {shape = #s} : vector<8xi32>
      nvvm.tcgen05.wait <store>
      nvvm.tcgen05.fence <before>
      llvm.inline_asm has_side_effects "mbarrier.arrive.shared::cta.b64 _, [$0];", "r" %word : (i32) -> ()
    }
    scf.if %second {
      scf.while : () -> () {
        %r = llvm.inline_asm has_side_effects "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [$1], $2; selp.b32 $0, 1, 0, p; }", "=r,r,r" %word, %parity : (i32, i32) -> i32
        %again = arith.cmpi eq, %r, %zero : i32
        scf.condition(%again)
      } do {
        scf.yield
      }
      nvvm.tcgen05.fence <after>
      %l = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
      nvvm.tcgen05.wait <load>
    }
    gpu.return
  }

  gpu.func @H11_arrives_early(%p: !llvm.ptr<6>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %zero = arith.constant 0 : i32
    %parity = arith.constant 0 : i32
    %n128 = arith.constant 128 : i32
    %v = arith.constant dense<7> : vector<8xi32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %leads = arith.cmpi eq, %tid, %zero : i32
    %first = arith.cmpi ult, %tid, %n128 : i32
    %second = arith.cmpi uge, %tid, %n128 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %word = llvm.ptrtoint %bar : !llvm.ptr<3> to i32
    scf.if %leads {
      llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r" %word, %n128 : (i32, i32) -> ()
    }
    nvvm.barrier0
    scf.if %first {
      llvm.inline_asm has_side_effects "mbarrier.arrive.shared::cta.b64 _, [$0];", "r" %word : (i32) -> ()
      // expected-note @+1 {{accessed here by another warp}}
      nvvm.tcgen05.st %p, %v {shape = #s} : vector<8xi32>
      nvvm.tcgen05.wait <store>
      nvvm.tcgen05.fence <before>
    }
    scf.if %second {
      llvm.inline_asm has_side_effects "{ .reg .pred p; L: mbarrier.try_wait.parity.shared::cta.b64 p, [$0], $1; @!p bra L; }", "r,r" %word, %parity : (i32, i32) -> ()
      nvvm.tcgen05.fence <after>
      // expected-error @+3 {{expected a barrier between this and the store of another warp}}
      // expected-note @+2 {{rule H11:}}
      // expected-note @+1 {{to fix it,}}
      %l = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
      nvvm.tcgen05.wait <load>
    }
    gpu.return
  }

  gpu.func @commit(%p: !llvm.ptr<6>, %desc: i64, %shape: i32) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %no = arith.constant false
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %leads = arith.cmpi eq, %tid, %zero : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %word = llvm.ptrtoint %bar : !llvm.ptr<3> to i32
    scf.if %leads {
      nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    scf.if %leads {
      nvvm.tcgen05.mma %p, %desc, %desc, %shape, %no {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
      llvm.inline_asm has_side_effects "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$0];", "r" %word : (i32) -> ()
    }
    llvm.inline_asm has_side_effects "{ .reg .pred p; L: mbarrier.try_wait.parity.shared::cta.b64 p, [$0], $1; @!p bra L; }", "r,r" %word, %zero : (i32, i32) -> ()
    nvvm.tcgen05.fence <after>
    %l = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
    nvvm.tcgen05.wait <load>
    gpu.return
  }

  gpu.func @H18_commit_without_fence(%p: !llvm.ptr<6>, %desc: i64, %shape: i32) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %no = arith.constant false
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %leads = arith.cmpi eq, %tid, %zero : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %word = llvm.ptrtoint %bar : !llvm.ptr<3> to i32
    scf.if %leads {
      nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    scf.if %leads {
      // expected-note @+1 {{issued here}}
      nvvm.tcgen05.mma %p, %desc, %desc, %shape, %no {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
      llvm.inline_asm has_side_effects "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$0];", "r" %word : (i32) -> ()
    }
    llvm.inline_asm has_side_effects "{ .reg .pred p; L: mbarrier.try_wait.parity.shared::cta.b64 p, [$0], $1; @!p bra L; }", "r,r" %word, %zero : (i32, i32) -> ()
    // expected-error @+3 {{expected a commit, a wait for its mbarrier and a fence after}}
    // expected-note @+2 {{rule H18:}}
    // expected-note @+1 {{to fix it,}}
    %l = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
    nvvm.tcgen05.wait <load>
    gpu.return
  }
}
