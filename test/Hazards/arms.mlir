// The warp that hands over stands behind the one that takes, in the text: they are
// ordered by a named barrier alone. Each wrong kernel faults on the emulator, too.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null
// RUN: %exits_1 tmem-run %s --entry=run_H3_arm_behind_without_wait --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H10_arm_behind_without_before --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H10_arm_behind_without_after --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2
// RUN: %exits_1 tmem-run %s --entry=run_H3_arm_behind_frees --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E3
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32

  // E0: error: {{.*}}{{load of cells that a store of warp 4 still accesses|race}}
  gpu.func @H3_arm_behind_without_wait() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n1 = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %n64 = arith.constant 64 : i32
    %n128 = arith.constant 128 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %w4 = arith.cmpi uge, %tid, %n128 : i32
    %v = arith.constant 7 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %w0 {
      nvvm.barrier id = %n1 number_of_threads = %n64
      nvvm.tcgen05.fence <after>
      // expected-error @+3 {{expected the access of another warp to be waited for before the arrive that hands its cells over}}
      // expected-note @+2 {{rule H3:}}
      // expected-note @+1 {{to fix it, wait for the transfer before the arrive}}
      %w = nvvm.tcgen05.ld %p {shape = #s} : i32
      nvvm.tcgen05.wait <load>
    }
    scf.if %w4 {
      // expected-note @+1 {{its cells are accessed here}}
      nvvm.tcgen05.st %p, %v {shape = #s} : i32
      nvvm.barrier.arrive id = %n1 number_of_threads = %n64
      nvvm.tcgen05.wait <store>
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_H3_arm_behind_without_wait() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n1 = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %n64 = arith.constant 64 : i32
    %n128 = arith.constant 128 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %w4 = arith.cmpi uge, %tid, %n128 : i32
    %v = arith.constant 7 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %w0 {
      nvvm.barrier id = %n1 number_of_threads = %n64
      nvvm.tcgen05.fence <after>
      %w = nvvm.tcgen05.ld %p {shape = #s} : i32
      nvvm.tcgen05.wait <load>
    }
    scf.if %w4 {
      nvvm.tcgen05.st %p, %v {shape = #s} : i32
      nvvm.tcgen05.wait <store>
      nvvm.tcgen05.fence <before>
      nvvm.barrier.arrive id = %n1 number_of_threads = %n64
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // E1: error: {{.*}}{{race}}
  gpu.func @H10_arm_behind_without_before() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n1 = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %n64 = arith.constant 64 : i32
    %n128 = arith.constant 128 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %w4 = arith.cmpi uge, %tid, %n128 : i32
    %v = arith.constant 7 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %w0 {
      nvvm.barrier id = %n1 number_of_threads = %n64
      nvvm.tcgen05.fence <after>
      // expected-error @+3 {{expected a tcgen05.fence before the arrive behind the access of another warp}}
      // expected-note @+2 {{rule H10:}}
      // expected-note @+1 {{to fix it, execute tmem.fence before in front of the barrier or arrive}}
      %w = nvvm.tcgen05.ld %p {shape = #s} : i32
      nvvm.tcgen05.wait <load>
    }
    scf.if %w4 {
      // expected-note @+1 {{accessed here by another warp}}
      nvvm.tcgen05.st %p, %v {shape = #s} : i32
      nvvm.tcgen05.wait <store>
      nvvm.barrier.arrive id = %n1 number_of_threads = %n64
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // E2: error: {{.*}}{{race}}
  gpu.func @H10_arm_behind_without_after() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n1 = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %n64 = arith.constant 64 : i32
    %n128 = arith.constant 128 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %w4 = arith.cmpi uge, %tid, %n128 : i32
    %v = arith.constant 7 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %w0 {
      nvvm.barrier id = %n1 number_of_threads = %n64
      // expected-error @+3 {{expected a tcgen05.fence after the wait behind the access of another warp}}
      // expected-note @+2 {{rule H10:}}
      // expected-note @+1 {{to fix it, execute tmem.fence after behind the barrier or wait}}
      %w = nvvm.tcgen05.ld %p {shape = #s} : i32
      nvvm.tcgen05.wait <load>
    }
    scf.if %w4 {
      // expected-note @+1 {{accessed here by another warp}}
      nvvm.tcgen05.st %p, %v {shape = #s} : i32
      nvvm.tcgen05.wait <store>
      nvvm.tcgen05.fence <before>
      nvvm.barrier.arrive id = %n1 number_of_threads = %n64
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // E3: error: {{.*}}{{dealloc of columns that a store of warp 4 still}}
  gpu.func @H3_arm_behind_frees() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n1 = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %n64 = arith.constant 64 : i32
    %n128 = arith.constant 128 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %w4 = arith.cmpi uge, %tid, %n128 : i32
    %v = arith.constant 7 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %w0 {
      nvvm.barrier id = %n1 number_of_threads = %n64
      // expected-error @+3 {{expected the transfer to be waited for before the arrive that lets its columns be freed}}
      // expected-note @+2 {{rule H3:}}
      // expected-note @+1 {{to fix it, wait for it before the arrive}}
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    scf.if %w4 {
      // expected-note @+1 {{accessed here}}
      nvvm.tcgen05.st %p, %v {shape = #s} : i32
      nvvm.barrier.arrive id = %n1 number_of_threads = %n64
    }
    gpu.return
  }

  gpu.func @right_H3_arm_behind_frees() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n1 = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %n64 = arith.constant 64 : i32
    %n128 = arith.constant 128 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %w4 = arith.cmpi uge, %tid, %n128 : i32
    %v = arith.constant 7 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %w0 {
      nvvm.barrier id = %n1 number_of_threads = %n64
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    scf.if %w4 {
      nvvm.tcgen05.st %p, %v {shape = #s} : i32
      nvvm.tcgen05.wait <store>
      nvvm.barrier.arrive id = %n1 number_of_threads = %n64
    }
    gpu.return
  }
}

func.func @run_H3_arm_behind_without_wait() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H3_arm_behind_without_wait blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H10_arm_behind_without_before() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H10_arm_behind_without_before blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H10_arm_behind_without_after() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H10_arm_behind_without_after blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H3_arm_behind_frees() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H3_arm_behind_frees blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @right() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@right_H3_arm_behind_without_wait blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H3_arm_behind_frees blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  // RIGHT: no fault
  vector.print str "no fault\n"
  return
}
}
