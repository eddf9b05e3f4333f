// What is undecided of pairs of CTAs: relaxed arrivals, and mbarriers of the peer.

// RUN: tmem-opt %s --tmem-check-hazards -verify-diagnostics -o /dev/null

gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 16 : i64} : i64

  // A relaxed arrival orders no memory; it is not said what it does for an alloc.
  llvm.func @relaxed()
      attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %leads = llvm.icmp "eq" %rank, %c0 : i32
    %first = llvm.icmp "ult" %tid, %c32 : i32
    scf.if %first {
      // expected-note @+1 {{the other access}}
      tmem.alloc %slot, 32 cta_group(2) : !llvm.ptr<3>
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    nvvm.cluster.arrive.relaxed
    nvvm.cluster.wait
    scf.if %first {
      // expected-warning @+1 {{undecided: whether an arrival that is relaxed orders it after the alloc of the peer}}
      tmem.dealloc %base, 32 cta_group(2)
    }
    llvm.return
  }

  llvm.func @relaxed_with_fences()
      attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %leads = llvm.icmp "eq" %rank, %c0 : i32
    %first = llvm.icmp "ult" %tid, %c32 : i32
    scf.if %first {
      // expected-note @+1 {{the other access}}
      tmem.alloc %slot, 32 cta_group(2) : !llvm.ptr<3>
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    tmem.fence before
    nvvm.cluster.arrive.relaxed
    nvvm.cluster.wait
    tmem.fence after
    scf.if %first {
      // expected-warning @+1 {{undecided: whether an arrival that is relaxed orders it after the alloc of the peer}}
      tmem.dealloc %base, 32 cta_group(2)
    }
    llvm.return
  }

  llvm.func @right_not_relaxed()
      attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %leads = llvm.icmp "eq" %rank, %c0 : i32
    %first = llvm.icmp "ult" %tid, %c32 : i32
    scf.if %first {
      tmem.alloc %slot, 32 cta_group(2) : !llvm.ptr<3>
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    nvvm.cluster.arrive
    nvvm.cluster.wait
    scf.if %first {
      tmem.dealloc %base, 32 cta_group(2)
    }
    llvm.return
  }

  llvm.func @relaxed_and_not()
      attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %leads = llvm.icmp "eq" %rank, %c0 : i32
    %first = llvm.icmp "ult" %tid, %c32 : i32
    scf.if %first {
      tmem.alloc %slot, 32 cta_group(2) : !llvm.ptr<3>
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    nvvm.cluster.arrive.relaxed
    nvvm.cluster.wait
    nvvm.cluster.arrive
    nvvm.cluster.wait
    scf.if %first {
      tmem.dealloc %base, 32 cta_group(2)
    }
    llvm.return
  }

  // Without fences, a relaxed arrival need not order what frees columns.
  llvm.func @freed_behind_relaxed()
      attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "uge" %tid, %c32 : i32
    scf.if %first {
      tmem.alloc %slot, 32 : !llvm.ptr<3>
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %address = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %first {
    } else {
      // expected-note @+1 {{the other access}}
      nvvm.tcgen05.st %address, %zero {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32
      nvvm.tcgen05.wait <store>
    }
    nvvm.cluster.arrive.relaxed
    nvvm.cluster.wait
    scf.if %first {
      // expected-warning @+1 {{undecided: whether arrivals that are relaxed order it after an access of another warp, without tcgen05 fences}}
      tmem.dealloc %base, 32
    }
    llvm.return
  }

  llvm.func @right_freed_with_fences()
      attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "uge" %tid, %c32 : i32
    scf.if %first {
      tmem.alloc %slot, 32 : !llvm.ptr<3>
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %address = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %first {
    } else {
      nvvm.tcgen05.st %address, %zero {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32
      nvvm.tcgen05.wait <store>
    }
    tmem.fence before
    nvvm.cluster.arrive.relaxed
    nvvm.cluster.wait
    tmem.fence after
    scf.if %first {
      tmem.dealloc %base, 32
    }
    llvm.return
  }

  llvm.func @right_freed_behind_barriers()
      attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "uge" %tid, %c32 : i32
    scf.if %first {
      tmem.alloc %slot, 32 : !llvm.ptr<3>
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %address = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %first {
    } else {
      nvvm.tcgen05.st %address, %zero {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32
      nvvm.tcgen05.wait <store>
    }
    nvvm.cluster.arrive.relaxed
    nvvm.cluster.wait
    nvvm.barrier0
    scf.if %first {
      tmem.dealloc %base, 32
    }
    llvm.return
  }

  // They meet at mbarriers of each other, as right kernels do.
  llvm.func @arrives_at_the_peer()
      attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %leads = llvm.icmp "eq" %rank, %c0 : i32
    %first = llvm.icmp "ult" %tid, %c32 : i32
    %zero = llvm.icmp "eq" %tid, %c0 : i32
    scf.if %zero {
      nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32
    }
    nvvm.fence.mbarrier.init
    // expected-warning @+1 {{undecided: phases of mbarriers: other CTAs are not followed}}
    nvvm.cluster.arrive
    nvvm.cluster.wait
    scf.if %first {
      // expected-note @+1 {{the other access}}
      tmem.alloc %slot, 32 cta_group(2) : !llvm.ptr<3>
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    scf.if %first {
      %lane = nvvm.elect.sync -> i1
      scf.if %lane {
        %other = llvm.xor %rank, %c1 : i32
        %there = nvvm.mapa %bar, %other : !llvm.ptr<3> -> !llvm.ptr<7>
        // expected-warning @+1 {{undecided: which mbarrier it names}}
        nvvm.mbarrier.arrive %there : !llvm.ptr<7>
      }
      nvvm.mbarrier.try_wait.parity %bar, %c0, %c32 : !llvm.ptr<3>, i32, i32
      // expected-warning @+1 {{undecided: whether the pair of CTAs has met since the alloc: what may order it is not followed}}
      tmem.dealloc %base, 32 cta_group(2)
    }
    nvvm.cluster.arrive
    nvvm.cluster.wait
    llvm.return
  }

  llvm.func @arrives_at_the_peer_in_ptx()
      attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %leads = llvm.icmp "eq" %rank, %c0 : i32
    %first = llvm.icmp "ult" %tid, %c32 : i32
    %zero = llvm.icmp "eq" %tid, %c0 : i32
    scf.if %zero {
      nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32
    }
    nvvm.fence.mbarrier.init
    // expected-warning @+1 {{undecided: phases of mbarriers: other CTAs are not followed}}
    nvvm.cluster.arrive
    nvvm.cluster.wait
    scf.if %first {
      // expected-note @+1 {{the other access}}
      tmem.alloc %slot, 32 cta_group(2) : !llvm.ptr<3>
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    scf.if %first {
      %lane = nvvm.elect.sync -> i1
      scf.if %lane {
        %other = llvm.xor %rank, %c1 : i32
        // expected-warning @+1 {{undecided: what it does: inline PTX of this form is not read here}}
        llvm.inline_asm has_side_effects "{{ .reg .b32 a; mapa.shared::cluster.u32 a, $0, $1; mbarrier.arrive.shared::cluster.b64 _, [a]; }}", "r,r" %bar, %other : (!llvm.ptr<3>, i32) -> ()
      }
      nvvm.mbarrier.try_wait.parity %bar, %c0, %c32 : !llvm.ptr<3>, i32, i32
      // expected-warning @+1 {{undecided: whether the pair of CTAs has met since the alloc: what may order it is not followed}}
      tmem.dealloc %base, 32 cta_group(2)
    }
    nvvm.cluster.arrive
    nvvm.cluster.wait
    llvm.return
  }
}
