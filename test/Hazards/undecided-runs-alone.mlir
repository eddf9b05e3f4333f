// Kernels of which the graph is not complete: what runs find, or do not decide, is said.

// RUN: tmem-opt %s --tmem-check-hazards -verify-diagnostics -o /dev/null

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>

gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 16 : i64} : i64
  llvm.mlir.global internal @other() {addr_space = 3 : i32, alignment = 16 : i64} : i32

  gpu.func @allocates_to_an_unknown_slot(%labels: !llvm.ptr, %word: i64) kernel
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
    %other = llvm.inttoptr %word : i64 to !llvm.ptr<3>
    scf.if %w0 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      // expected-warning @+1 {{undecided: phases of mbarriers: where it writes the address is not known}}
      nvvm.tcgen05.alloc %other, %n32 : !llvm.ptr<3>, i32
    }
    %warp = arith.divui %tid, %n32 : i32
    %where = llvm.getelementptr %labels[%warp] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.ptr
    %label = llvm.load %where : !llvm.ptr -> !llvm.ptr
    // expected-warning @+1 {{undecided: the branch depends on the thread in a way that is not followed}}
    llvm.indirectbr %label : !llvm.ptr, [^end, ^one]
  ^one:
    cf.br ^end
  ^end:
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @frees_an_unknown_address(%labels: !llvm.ptr, %word: i32) kernel
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
    %other = llvm.inttoptr %word : i32 to !llvm.ptr<6>
    scf.if %w0 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      // expected-warning @+1 {{undecided: phases of mbarriers: which allocation it frees is not known}}
      nvvm.tcgen05.dealloc %other, %n32 : !llvm.ptr<6>, i32
    }
    %warp = arith.divui %tid, %n32 : i32
    %where = llvm.getelementptr %labels[%warp] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.ptr
    %label = llvm.load %where : !llvm.ptr -> !llvm.ptr
    // expected-warning @+1 {{undecided: the branch depends on the thread in a way that is not followed}}
    llvm.indirectbr %label : !llvm.ptr, [^end, ^one]
  ^one:
    cf.br ^end
  ^end:
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @unknown_mbarrier(%labels: !llvm.ptr, %word: i64) kernel
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
    %other = llvm.inttoptr %word : i64 to !llvm.ptr<3>
    scf.if %w0 {
      // expected-warning @+1 {{undecided: phases of mbarriers: which mbarrier it names is not known}}
      %s = nvvm.mbarrier.arrive %other : !llvm.ptr<3> -> i64
    }
    %warp = arith.divui %tid, %n32 : i32
    %where = llvm.getelementptr %labels[%warp] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.ptr
    %label = llvm.load %where : !llvm.ptr -> !llvm.ptr
    // expected-warning @+1 {{undecided: the branch depends on the thread in a way that is not followed}}
    llvm.indirectbr %label : !llvm.ptr, [^end, ^one]
  ^one:
    cf.br ^end
  ^end:
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @unknown_barrier(%labels: !llvm.ptr, %id: i32) kernel
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
    %n64 = arith.constant 64 : i32
    scf.if %w0 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      // expected-warning @+1 {{undecided: phases of mbarriers: which warps meet at the barrier is not known}}
      nvvm.barrier id = %id number_of_threads = %n64
    }
    %warp = arith.divui %tid, %n32 : i32
    %where = llvm.getelementptr %labels[%warp] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.ptr
    %label = llvm.load %where : !llvm.ptr -> !llvm.ptr
    // expected-warning @+1 {{undecided: the branch depends on the thread in a way that is not followed}}
    llvm.indirectbr %label : !llvm.ptr, [^end, ^one]
  ^one:
    cf.br ^end
  ^end:
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @three_warps_at_a_barrier_of_two(%labels: !llvm.ptr) kernel
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
    %n1 = arith.constant 1 : i32
    %n64 = arith.constant 64 : i32
    scf.if %w0 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    // expected-warning @+1 {{undecided: phases of mbarriers: which meeting of the barrier it is for depends on the order of warps}}
    nvvm.barrier id = %n1 number_of_threads = %n64
    nvvm.barrier0
    %warp = arith.divui %tid, %n32 : i32
    %where = llvm.getelementptr %labels[%warp] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.ptr
    %label = llvm.load %where : !llvm.ptr -> !llvm.ptr
    // expected-warning @+1 {{undecided: the branch depends on the thread in a way that is not followed}}
    llvm.indirectbr %label : !llvm.ptr, [^end, ^one]
  ^one:
    cf.br ^end
  ^end:
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @two_warps_allocate(%labels: !llvm.ptr) kernel
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
    %n64 = arith.constant 64 : i32
    %first = arith.cmpi ult, %tid, %n64 : i32
    %other = llvm.mlir.addressof @other : !llvm.ptr<3>
    scf.if %w0 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    scf.if %first {
      // expected-error @+3 {{expected one warp to allocate, but got several}}
      // expected-note @+2 {{rule H19:}}
      // expected-note @+1 {{to fix it, put it under a condition on the warp}}
      nvvm.tcgen05.alloc %other, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %warp = arith.divui %tid, %n32 : i32
    %where = llvm.getelementptr %labels[%warp] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.ptr
    %label = llvm.load %where : !llvm.ptr -> !llvm.ptr
    // expected-warning @+1 {{undecided: the branch depends on the thread in a way that is not followed}}
    llvm.indirectbr %label : !llvm.ptr, [^end, ^one]
  ^one:
    cf.br ^end
  ^end:
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}
