// What is undecided of pairs of CTAs of which the two may do different things.

// RUN: tmem-opt %s --tmem-check-hazards -verify-diagnostics -o /dev/null

gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 16 : i64} : i64

  // Both ask for columns that may be unequal.
  llvm.func @columns_by_rank()
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
    %n = llvm.select %leads, %c32, %c64 : i1, i32
    scf.if %first {
      // expected-warning @+1 {{undecided: whether both CTAs of the pair have as many columns: the number may differ between the two}}
      nvvm.tcgen05.alloc %slot, %n {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    nvvm.cluster.arrive
    nvvm.cluster.wait
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %address = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %first {
      // expected-warning @+1 {{undecided: whether both CTAs of the pair have as many columns: the number may differ between the two}}
      nvvm.tcgen05.dealloc %address, %n {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>, i32
    }
    llvm.return
  }

  llvm.func @right_columns_by_argument(%large: i1)
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
    %n = llvm.select %large, %c64, %c32 : i1, i32
    scf.if %first {
      nvvm.tcgen05.alloc %slot, %n {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    nvvm.cluster.arrive
    nvvm.cluster.wait
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %address = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %first {
      nvvm.tcgen05.dealloc %address, %n {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>, i32
    }
    llvm.return
  }

  // Which CTA allocates, and in which phase.
  llvm.func @allocates_by_rank()
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
      scf.if %leads {
        // expected-warning @+1 {{undecided: whether the peer CTA executes it as well: what decides on it may differ between the two}}
        tmem.alloc %slot, 32 cta_group(2) : !llvm.ptr<3>
        nvvm.cluster.arrive
        nvvm.cluster.wait
      } else {
        // expected-warning @+1 {{undecided: whether the peer CTA executes it as well: what decides on it may differ between the two}}
        nvvm.cluster.arrive
        // expected-warning @+1 {{undecided: whether the peer CTA executes it as well: what decides on it may differ between the two}}
        tmem.alloc %slot, 32 cta_group(2) : !llvm.ptr<3>
        nvvm.cluster.wait
      }
    } else {
      nvvm.cluster.arrive
      nvvm.cluster.wait
    }
    nvvm.barrier0
    nvvm.cluster.arrive
    nvvm.cluster.wait
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    scf.if %first {
      tmem.dealloc %base, 32 cta_group(2)
    }
    llvm.return
  }

  llvm.func @arrives_by_rank()
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
    scf.if %leads {
      // expected-warning @+1 {{undecided: whether the peer CTA executes it as well: what decides on it may differ between the two}}
      nvvm.cluster.arrive
      nvvm.cluster.wait
    } else {
      // expected-warning @+1 {{undecided: whether the peer CTA executes it as well: what decides on it may differ between the two}}
      nvvm.cluster.arrive
      nvvm.cluster.wait
    }
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

  llvm.func @right_by_argument(%flag: i1, %n: i32)
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
    scf.if %flag {
      nvvm.cluster.arrive
      nvvm.cluster.wait
    }
    scf.for %i = %c0 to %n step %c1 : i32 {
      nvvm.cluster.arrive
      nvvm.cluster.wait
    }
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

  // All that stands in front of the alloc is the same in both.
  llvm.func @right_arrives_behind_by_rank()
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
    scf.if %leads {
      nvvm.cluster.arrive
      nvvm.cluster.wait
    } else {
      nvvm.cluster.arrive
      nvvm.cluster.wait
    }
    scf.if %first {
      tmem.dealloc %base, 32 cta_group(2)
    }
    llvm.return
  }

  llvm.func @blocks_by_rank()
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
    llvm.cond_br %leads, ^alone, ^both
    ^alone:
    // expected-warning @+1 {{undecided: whether the peer CTA executes it as well: what decides on it may differ between the two}}
    nvvm.cluster.arrive
    nvvm.cluster.wait
    llvm.br ^both
    ^both:
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
}
