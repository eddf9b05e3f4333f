// What dealloc names, registers that are read early, and addresses outside, in raw operations:
// both places and how to fix it. Each wrong kernel faults on the emulator, too.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null
// RUN: %exits_1 tmem-run %s --entry=run_H7_raw_other_address --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H7_raw_twice --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H15_raw_early --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2
// RUN: %exits_1 tmem-run %s --entry=run_H17_raw_past_the_end --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E3
// RUN: %exits_1 tmem-run %s --entry=run_H17_raw_other_slab --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E4
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32
  llvm.mlir.global internal @slot2() {addr_space = 3 : i32, alignment = 16 : i64} : i32

  // E0: error: {{.*}}expected the address that tcgen05.alloc returned
  gpu.func @H7_raw_other_address() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n16 = arith.constant 16 : i32
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      // expected-note @+1 {{allocated here}}
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %other = arith.addi %base, %n16 : i32
    %q = llvm.inttoptr %other : i32 to !llvm.ptr<6>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      // expected-error @+3 {{expected the address that alloc returned, but got 16 more}}
      // expected-note @+2 {{rule H7:}}
      // expected-note @+1 {{to fix it, free the address as it stands in the slot}}
      nvvm.tcgen05.dealloc %q, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_H7_raw_other_address() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // E1: error: {{.*}}are deallocated already
  gpu.func @H7_raw_twice() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      // expected-note @+1 {{freed here}}
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
      // expected-error @+3 {{expected columns that are allocated, but they have been freed}}
      // expected-note @+2 {{rule H7:}}
      // expected-note @+1 {{to fix it, free them once}}
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // With the flag set, as the launches here have it, nothing is wrong.
  gpu.func @H14_raw_zero_turns(%flag: i1) kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %flag {
      scf.if %w0 {
        // expected-note @+1 {{written here}}
        nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
      }
    }
    nvvm.barrier0
    // expected-error @+3 {{expected the address to be written on every path to here, but got a path on which nothing writes it}}
    // expected-note @+2 {{rule H14:}}
    // expected-note @+1 {{to fix it, write it outside of the loop or branch}}
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %flag {
      nvvm.tcgen05.fence <before>
      nvvm.barrier0
      nvvm.tcgen05.fence <after>
      scf.if %w0 {
        nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
      }
    }
    gpu.return
  }

  gpu.func @right_H14_raw_zero_turns(%flag: i1) kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %flag {

      scf.if %w0 {
        nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
      }
      nvvm.barrier0
      %base = llvm.load %slot : !llvm.ptr<3> -> i32
      %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      nvvm.tcgen05.fence <before>
      nvvm.barrier0
      nvvm.tcgen05.fence <after>
      scf.if %w0 {
        nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
      }
    }
    gpu.return
  }

  // E2: error: {{.*}}register read before its wait
  gpu.func @H15_raw_early() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %slot2 = llvm.mlir.addressof @slot2 : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %v = arith.constant 7 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %w0 {
      nvvm.tcgen05.st %p, %v {shape = #s} : i32
      nvvm.tcgen05.wait <store>
      // expected-note @+1 {{loaded here}}
      %w = nvvm.tcgen05.ld %p {shape = #s} : i32
      // expected-error @+3 {{expected a wait::ld between the load and the first use of its registers, but got none}}
      // expected-note @+2 {{rule H15:}}
      // expected-note @+1 {{to fix it, put a wait::ld in front of it}}
      %twice = arith.addi %w, %w : i32
      nvvm.tcgen05.wait <load>
      llvm.store %twice, %slot2 : i32, !llvm.ptr<3>
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_H15_raw_early() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %slot2 = llvm.mlir.addressof @slot2 : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %v = arith.constant 7 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    scf.if %w0 {
      nvvm.tcgen05.st %p, %v {shape = #s} : i32
      nvvm.tcgen05.wait <store>
      %w = nvvm.tcgen05.ld %p {shape = #s} : i32
      nvvm.tcgen05.wait <load>
      %twice = arith.addi %w, %w : i32
      llvm.store %twice, %slot2 : i32, !llvm.ptr<3>
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // E3: error: {{.*}}column {{[0-9]+}} is not allocated
  gpu.func @H17_raw_past_the_end() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %v = arith.constant 7 : i32
    scf.if %w0 {
      // expected-note @+1 {{allocated here}}
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %far = arith.addi %base, %n32 : i32
    %q = llvm.inttoptr %far : i32 to !llvm.ptr<6>
    scf.if %w0 {
      // expected-error @+3 {{expected columns 0 to 31 of the allocation, but got column 32}}
      // expected-note @+2 {{rule H17:}}
      // expected-note @+1 {{to fix it, allocate more columns, or access fewer}}
      nvvm.tcgen05.st %q, %v {shape = #s} : i32
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

  gpu.func @right_H17_raw_past_the_end() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n31 = arith.constant 31 : i32
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %v = arith.constant 7 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %far = arith.addi %base, %n31 : i32
    %q = llvm.inttoptr %far : i32 to !llvm.ptr<6>
    scf.if %w0 {
      nvvm.tcgen05.st %q, %v {shape = #s} : i32
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

  // E4: error: {{.*}}lane 32 is outside the slab of warp 0
  gpu.func @H17_raw_other_slab() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %n16 = arith.constant 16 : i32
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %v = arith.constant 7 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %lane = arith.shli %n32, %n16 : i32
    %up = arith.addi %base, %lane : i32
    %q = llvm.inttoptr %up : i32 to !llvm.ptr<6>
    scf.if %w0 {
      // expected-error @+3 {{expected warp 0 to access lanes 0 to 31, but the address names others}}
      // expected-note @+2 {{rule H17:}}
      // expected-note @+1 {{to fix it, add 32 * (warp % 4) << 16 to the address}}
      nvvm.tcgen05.st %q, %v {shape = #s} : i32
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
}

func.func @run_H7_raw_other_address() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H7_raw_other_address blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H7_raw_twice() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H7_raw_twice blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H15_raw_early() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H15_raw_early blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H17_raw_past_the_end() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H17_raw_past_the_end blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H17_raw_other_slab() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  gpu.launch_func @kernels::@H17_raw_other_slab blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @right() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 160 : index
  %true = arith.constant true
  gpu.launch_func @kernels::@right_H7_raw_other_address blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H14_raw_zero_turns blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1) args(%true : i1)
  gpu.launch_func @kernels::@right_H15_raw_early blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H17_raw_past_the_end blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  // RIGHT: no fault
  vector.print str "no fault\n"
  return
}
}
