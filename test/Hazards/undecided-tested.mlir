// A test of an mbarrier, and where it fails something else than a wait for the same
// phase is undecided. These kernels are wrong, and fault on the emulator.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null
// RUN: %exits_1 tmem-run %s --entry=run_other_phase --race --seeds=6 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_other_arm --race --seeds=6 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_leaves_where_it_fails --race --seeds=6 2>&1 | FileCheck %s --check-prefix=E2

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 16 : i64} : i64

  // E0: error: {{.*}}{{race|was never written|still accesses}}
  // Parity 1 is that of the phase before the first one.
  gpu.func @other_phase() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %all = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %n40 = arith.constant 40 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %warp = arith.divui %tid, %n32 : i32
    %w0 = arith.cmpi eq, %warp, %zero : i32
    %i4 = arith.constant 4 : i32
    %w4 = arith.cmpi eq, %warp, %i4 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    %v = arith.constant 7 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %w0 {
      scf.for %i = %zero to %n40 step %one : i32 {
        nvvm.bar.warp.sync %all : i32
      }
      nvvm.tcgen05.st %p, %v {shape = #s} : i32
      nvvm.tcgen05.wait <store>
      nvvm.tcgen05.fence <before>
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    scf.if %w4 {
      %d = nvvm.mbarrier.test.wait %bar, %zero : !llvm.ptr<3>, i32 -> i1
      %true = arith.constant true
      %again = arith.xori %d, %true : i1
      scf.if %again {
        // expected-error @+1 {{undecided: phases of mbarriers: no run came here, or each went the same way}}
        nvvm.mbarrier.try_wait.parity %bar, %one, %n32 : !llvm.ptr<3>, i32, i32
      }
      nvvm.tcgen05.fence <after>
      %w = nvvm.tcgen05.ld %p {shape = #s} : i32
      nvvm.tcgen05.wait <load>
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // E1: error: {{.*}}{{race|was never written|still accesses}}
  gpu.func @other_arm() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %all = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %n40 = arith.constant 40 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %warp = arith.divui %tid, %n32 : i32
    %w0 = arith.cmpi eq, %warp, %zero : i32
    %i4 = arith.constant 4 : i32
    %w4 = arith.cmpi eq, %warp, %i4 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    %v = arith.constant 7 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %w0 {
      scf.for %i = %zero to %n40 step %one : i32 {
        nvvm.bar.warp.sync %all : i32
      }
      nvvm.tcgen05.st %p, %v {shape = #s} : i32
      nvvm.tcgen05.wait <store>
      nvvm.tcgen05.fence <before>
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    scf.if %w4 {
      %d = nvvm.mbarrier.test.wait %bar, %zero : !llvm.ptr<3>, i32 -> i1
      // expected-error @+1 {{undecided: phases of mbarriers: no run came here, or each went the same way}}
      scf.if %d {
        nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
      }
      nvvm.tcgen05.fence <after>
      %w = nvvm.tcgen05.ld %p {shape = #s} : i32
      nvvm.tcgen05.wait <load>
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // E2: error: {{.*}}{{race|was never written|still accesses}}
  gpu.func @leaves_where_it_fails() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %all = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %n40 = arith.constant 40 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %warp = arith.divui %tid, %n32 : i32
    %w0 = arith.cmpi eq, %warp, %zero : i32
    %i4 = arith.constant 4 : i32
    %w4 = arith.cmpi eq, %warp, %i4 : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    %v = arith.constant 7 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %w0 {
      scf.for %i = %zero to %n40 step %one : i32 {
        nvvm.bar.warp.sync %all : i32
      }
      nvvm.tcgen05.st %p, %v {shape = #s} : i32
      nvvm.tcgen05.wait <store>
      nvvm.tcgen05.fence <before>
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    cf.cond_br %w4, ^test, ^end
  ^test:
    %d = nvvm.mbarrier.test.wait %bar, %zero : !llvm.ptr<3>, i32 -> i1
    // expected-error @+1 {{undecided: phases of mbarriers: no run came here, or each went the same way}}
    cf.cond_br %d, ^load, ^again
  ^again:
    %e = nvvm.mbarrier.test.wait %bar, %zero : !llvm.ptr<3>, i32 -> i1
    cf.cond_br %e, ^again, ^load
  ^load:
    nvvm.tcgen05.fence <after>
    %w = nvvm.tcgen05.ld %p {shape = #s} : i32
    nvvm.tcgen05.wait <load>
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

func.func @run_other_phase() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@other_phase blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_other_arm() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@other_arm blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_leaves_where_it_fails() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@leaves_where_it_fails blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}
}
