// A test of an mbarrier, and where it fails a wait for the same phase: behind both it is
// over. The wrong kernel faults on the emulator, too.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null
// RUN: %exits_1 tmem-run %s --entry=run_H10_fence_where_a_test_holds --race --seeds=6 2>&1 | FileCheck %s --check-prefix=E0
// RUN: tmem-run %s --entry=right --race --seeds=6 | FileCheck %s --check-prefix=RIGHT

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 16 : i64} : i64

  // E0: error: {{.*}}{{race|was never written|still accesses}}
  gpu.func @H10_fence_where_a_test_holds() kernel
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
      // expected-note @+1 {{accessed here by another warp}}
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
        nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
      } else {
        nvvm.tcgen05.fence <after>
      }
      // expected-error @+3 {{expected a tcgen05.fence after the barrier behind the store of another warp}}
      // expected-note @+2 {{rule H10:}}
      // expected-note @+1 {{to fix it, execute tmem.fence after behind the barrier or wait}}
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

  gpu.func @right_H10_fence_where_a_test_holds() kernel
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

  gpu.func @right_loop() kernel
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
      scf.if %d {
      } else {
        scf.while : () -> () {
          %true = arith.constant true
          %e = nvvm.mbarrier.test.wait %bar, %zero : !llvm.ptr<3>, i32 -> i1
          %again = arith.xori %e, %true : i1
          scf.condition(%again)
        } do {
          scf.yield
        }
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

  gpu.func @right_blocks() kernel
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
    cf.cond_br %d, ^load, ^again
  ^again:
    %e = nvvm.mbarrier.test.wait %bar, %zero : !llvm.ptr<3>, i32 -> i1
    cf.cond_br %e, ^load, ^again
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

func.func @run_H10_fence_where_a_test_holds() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H10_fence_where_a_test_holds blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @right() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@right_H10_fence_where_a_test_holds blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_loop blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_blocks blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  // RIGHT: no fault
  vector.print str "no fault\n"
  return
}
}
