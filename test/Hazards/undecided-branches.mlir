// Branches and regions that runs of a kernel do not follow, with the reason.

// RUN: tmem-opt %s --tmem-check-hazards -verify-diagnostics -o /dev/null

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>

gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 16 : i64} : i64

  gpu.func @right_scope_of_memory() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
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
    memref.alloca_scope {
      scf.if %w0 {
        %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
        nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
      }
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_region() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
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
    scf.execute_region {
      scf.if %w0 {
        %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
        nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
      }
      scf.yield
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @one_lane_ends_elsewhere(%out: !llvm.ptr) kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
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
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    // expected-warning @+1 {{undecided: phases of mbarriers: where lanes that branch apart meet again is not known}}
    cf.cond_br %t0, ^first, ^others
  ^first:
    llvm.store %zero, %out : i32, !llvm.ptr
    gpu.return
  ^others:
    gpu.return
  }

  gpu.func @right_all_lanes_end_in_one_place(%out: !llvm.ptr) kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
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
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    cf.cond_br %t0, ^first, ^others
  ^first:
    llvm.store %zero, %out : i32, !llvm.ptr
    cf.br ^others
  ^others:
    gpu.return
  }

  func.func @returns_in_two_places(%flag: i1, %bar: !llvm.ptr<3>) {
    // expected-warning @+1 {{undecided: phases of mbarriers: where lanes that branch apart meet again is not known}}
    cf.cond_br %flag, ^first, ^others
  ^first:
    %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    return
  ^others:
    return
  }

  func.func @returns_in_one_place(%flag: i1, %bar: !llvm.ptr<3>) {
    cf.cond_br %flag, ^first, ^others
  ^first:
    %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    cf.br ^others
  ^others:
    return
  }

  gpu.func @one_lane_returns_elsewhere() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
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
    func.call @returns_in_two_places(%t0, %bar) : (i1, !llvm.ptr<3>) -> ()
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_all_lanes_return_in_one_place() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
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
    func.call @returns_in_one_place(%t0, %bar) : (i1, !llvm.ptr<3>) -> ()
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // A terminator that does not say which values it hands on.
  gpu.func @branch_of_another_dialect() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
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
    // expected-warning @+1 {{undecided: phases of mbarriers: the branch is not known here}}
    pdl_interp.branch ^next
  ^next:
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}
