// The immediate of 16x32bx2, by which the second half of a warp accesses other cells than
// the first. Each wrong kernel faults on the emulator, too.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null
// RUN: %exits_1 tmem-run %s --entry=run_H17_second_half_in_another_slab --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H17_second_half_read_in_another_slab --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H17_halves_overlap --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2
// RUN: %exits_1 tmem-run %s --entry=run_H17_halves_are_the_same --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E3
// RUN: %exits_1 tmem-run %s --entry=run_H17_immediate_of_8_lanes --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E4
// RUN: %exits_1 tmem-run %s --entry=run_H17_negative_immediate --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E5
// RUN: %exits_1 tmem-run %s --entry=run_H17_odd_immediate --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E6
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT

#s = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32

  // E0: error: {{.*}}is outside the slab of warp
  gpu.func @H17_second_half_in_another_slab() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %c96 = arith.constant 96 : i32
    %c16 = arith.constant 16 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %rows = arith.andi %tid, %c96 : i32
    %slab = arith.shli %rows, %c16 : i32
    %first = arith.addi %base, %slab : i32
    %v = arith.constant dense<[3, -5]> : vector<2xi32>
    %words = arith.constant dense<[7, -9, 11, -13, 2147483647, 17, 19, 23]> : vector<8xi32>
    %whole = llvm.inttoptr %first : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %whole, %words {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<8xi32>
    nvvm.tcgen05.wait <store>
    %middle = arith.constant 1048576 : i32
    %second = arith.addi %first, %middle : i32
    %a = llvm.inttoptr %second : i32 to !llvm.ptr<6>
    %immediate = arith.constant 1048576 : i64
    // expected-error @+3 {{expected 16x32bx2 of warp 0 to start at lane 0, but got lane 16}}
    // expected-note @+2 {{rule H17:}}
    // expected-note @+1 {{to fix it}}
    nvvm.tcgen05.st %a, %v, %immediate {shape = #s} : vector<2xi32>
    nvvm.tcgen05.wait <store>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_H17_second_half_in_another_slab() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %c96 = arith.constant 96 : i32
    %c16 = arith.constant 16 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %rows = arith.andi %tid, %c96 : i32
    %slab = arith.shli %rows, %c16 : i32
    %first = arith.addi %base, %slab : i32
    %v = arith.constant dense<[3, -5]> : vector<2xi32>
    %words = arith.constant dense<[7, -9, 11, -13, 2147483647, 17, 19, 23]> : vector<8xi32>
    %whole = llvm.inttoptr %first : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %whole, %words {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<8xi32>
    nvvm.tcgen05.wait <store>
    %a = llvm.inttoptr %first : i32 to !llvm.ptr<6>
    %immediate = arith.constant 1048576 : i64
    nvvm.tcgen05.st %a, %v, %immediate {shape = #s} : vector<2xi32>
    nvvm.tcgen05.wait <store>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // E1: error: {{.*}}is outside the slab of warp
  gpu.func @H17_second_half_read_in_another_slab() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %c96 = arith.constant 96 : i32
    %c16 = arith.constant 16 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %rows = arith.andi %tid, %c96 : i32
    %slab = arith.shli %rows, %c16 : i32
    %first = arith.addi %base, %slab : i32
    %words = arith.constant dense<[7, -9, 11, -13, 2147483647, 17, 19, 23]> : vector<8xi32>
    %whole = llvm.inttoptr %first : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %whole, %words {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<8xi32>
    nvvm.tcgen05.wait <store>
    %middle = arith.constant 1048576 : i32
    %second = arith.addi %first, %middle : i32
    %a = llvm.inttoptr %second : i32 to !llvm.ptr<6>
    %immediate = arith.constant 1048576 : i64
    // expected-error @+3 {{expected 16x32bx2 of warp 0 to start at lane 0, but got lane 16}}
    // expected-note @+2 {{rule H17:}}
    // expected-note @+1 {{to fix it}}
    %v = nvvm.tcgen05.ld %a, %immediate {shape = #s} : vector<2xi32>
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_H17_second_half_read_in_another_slab() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %c96 = arith.constant 96 : i32
    %c16 = arith.constant 16 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %rows = arith.andi %tid, %c96 : i32
    %slab = arith.shli %rows, %c16 : i32
    %first = arith.addi %base, %slab : i32
    %words = arith.constant dense<[7, -9, 11, -13, 2147483647, 17, 19, 23]> : vector<8xi32>
    %whole = llvm.inttoptr %first : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %whole, %words {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<8xi32>
    nvvm.tcgen05.wait <store>
    %middle = arith.constant 1048576 : i32
    %second = arith.addi %first, %middle : i32
    %a = llvm.inttoptr %second : i32 to !llvm.ptr<6>
    %immediate = arith.constant 2 : i64
    %v = nvvm.tcgen05.ld %a, %immediate {shape = #s} : vector<2xi32>
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // E2: error: {{.*}}by which the halves of the warp store to different cells
  gpu.func @H17_halves_overlap() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %c96 = arith.constant 96 : i32
    %c16 = arith.constant 16 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %rows = arith.andi %tid, %c96 : i32
    %slab = arith.shli %rows, %c16 : i32
    %first = arith.addi %base, %slab : i32
    %v = arith.constant dense<[3, -5]> : vector<2xi32>
    %words = arith.constant dense<[7, -9, 11, -13, 2147483647, 17, 19, 23]> : vector<8xi32>
    %whole = llvm.inttoptr %first : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %whole, %words {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<8xi32>
    nvvm.tcgen05.wait <store>
    %a = llvm.inttoptr %first : i32 to !llvm.ptr<6>
    %immediate = arith.constant 1 : i64
    // expected-error @+3 {{expected an immediate of at least 2 columns, so that the halves of the warp store to different cells, but got 1}}
    // expected-note @+2 {{rule H17:}}
    // expected-note @+1 {{to fix it}}
    nvvm.tcgen05.st %a, %v, %immediate {shape = #s} : vector<2xi32>
    nvvm.tcgen05.wait <store>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_H17_halves_overlap() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %c96 = arith.constant 96 : i32
    %c16 = arith.constant 16 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %rows = arith.andi %tid, %c96 : i32
    %slab = arith.shli %rows, %c16 : i32
    %first = arith.addi %base, %slab : i32
    %v = arith.constant dense<[3, -5]> : vector<2xi32>
    %words = arith.constant dense<[7, -9, 11, -13, 2147483647, 17, 19, 23]> : vector<8xi32>
    %whole = llvm.inttoptr %first : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %whole, %words {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<8xi32>
    nvvm.tcgen05.wait <store>
    %a = llvm.inttoptr %first : i32 to !llvm.ptr<6>
    %immediate = arith.constant 2 : i64
    nvvm.tcgen05.st %a, %v, %immediate {shape = #s} : vector<2xi32>
    nvvm.tcgen05.wait <store>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // E3: error: {{.*}}expected an immediate other than 0
  gpu.func @H17_halves_are_the_same() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %c96 = arith.constant 96 : i32
    %c16 = arith.constant 16 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %rows = arith.andi %tid, %c96 : i32
    %slab = arith.shli %rows, %c16 : i32
    %first = arith.addi %base, %slab : i32
    %words = arith.constant dense<[7, -9, 11, -13, 2147483647, 17, 19, 23]> : vector<8xi32>
    %whole = llvm.inttoptr %first : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %whole, %words {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<8xi32>
    nvvm.tcgen05.wait <store>
    %a = llvm.inttoptr %first : i32 to !llvm.ptr<6>
    %immediate = arith.constant 0 : i64
    // expected-error @+3 {{expected an immediate other than 0 for 16x32bx2: both halves of the warp access the same cells}}
    // expected-note @+2 {{rule H17:}}
    // expected-note @+1 {{to fix it}}
    %v = nvvm.tcgen05.ld %a, %immediate {shape = #s} : vector<2xi32>
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_H17_halves_are_the_same() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %c96 = arith.constant 96 : i32
    %c16 = arith.constant 16 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %rows = arith.andi %tid, %c96 : i32
    %slab = arith.shli %rows, %c16 : i32
    %first = arith.addi %base, %slab : i32
    %words = arith.constant dense<[7, -9, 11, -13, 2147483647, 17, 19, 23]> : vector<8xi32>
    %whole = llvm.inttoptr %first : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %whole, %words {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<8xi32>
    nvvm.tcgen05.wait <store>
    %a = llvm.inttoptr %first : i32 to !llvm.ptr<6>
    %immediate = arith.constant 1 : i64
    %v = nvvm.tcgen05.ld %a, %immediate {shape = #s} : vector<2xi32>
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // E4: error: {{.*}}expected an immediate of 0 or 16 lanes
  gpu.func @H17_immediate_of_8_lanes() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %c96 = arith.constant 96 : i32
    %c16 = arith.constant 16 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %rows = arith.andi %tid, %c96 : i32
    %slab = arith.shli %rows, %c16 : i32
    %first = arith.addi %base, %slab : i32
    %v = arith.constant dense<[3, -5]> : vector<2xi32>
    %words = arith.constant dense<[7, -9, 11, -13, 2147483647, 17, 19, 23]> : vector<8xi32>
    %whole = llvm.inttoptr %first : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %whole, %words {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<8xi32>
    nvvm.tcgen05.wait <store>
    %a = llvm.inttoptr %first : i32 to !llvm.ptr<6>
    %immediate = arith.constant 524290 : i64
    // expected-error @+3 {{expected an immediate of 0 or 16 lanes and 0 to 511 columns for 16x32bx2, but got 524290}}
    // expected-note @+2 {{rule H17:}}
    // expected-note @+1 {{to fix it}}
    nvvm.tcgen05.st %a, %v, %immediate {shape = #s} : vector<2xi32>
    nvvm.tcgen05.wait <store>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_H17_immediate_of_8_lanes() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %c96 = arith.constant 96 : i32
    %c16 = arith.constant 16 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %rows = arith.andi %tid, %c96 : i32
    %slab = arith.shli %rows, %c16 : i32
    %first = arith.addi %base, %slab : i32
    %v = arith.constant dense<[3, -5]> : vector<2xi32>
    %words = arith.constant dense<[7, -9, 11, -13, 2147483647, 17, 19, 23]> : vector<8xi32>
    %whole = llvm.inttoptr %first : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %whole, %words {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<8xi32>
    nvvm.tcgen05.wait <store>
    %a = llvm.inttoptr %first : i32 to !llvm.ptr<6>
    %immediate = arith.constant 1048578 : i64
    nvvm.tcgen05.st %a, %v, %immediate {shape = #s} : vector<2xi32>
    nvvm.tcgen05.wait <store>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // E5: error: {{.*}}expected an immediate of 0 or 16 lanes
  gpu.func @H17_negative_immediate() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %c96 = arith.constant 96 : i32
    %c16 = arith.constant 16 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %rows = arith.andi %tid, %c96 : i32
    %slab = arith.shli %rows, %c16 : i32
    %first = arith.addi %base, %slab : i32
    %words = arith.constant dense<[7, -9, 11, -13, 2147483647, 17, 19, 23]> : vector<8xi32>
    %whole = llvm.inttoptr %first : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %whole, %words {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<8xi32>
    nvvm.tcgen05.wait <store>
    %a = llvm.inttoptr %first : i32 to !llvm.ptr<6>
    %immediate = arith.constant -1 : i64
    // expected-error @+3 {{expected an immediate of 0 or 16 lanes and 0 to 511 columns for 16x32bx2, but got -1}}
    // expected-note @+2 {{rule H17:}}
    // expected-note @+1 {{to fix it}}
    %v = nvvm.tcgen05.ld %a, %immediate {shape = #s} : vector<2xi32>
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_H17_negative_immediate() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %c96 = arith.constant 96 : i32
    %c16 = arith.constant 16 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %rows = arith.andi %tid, %c96 : i32
    %slab = arith.shli %rows, %c16 : i32
    %first = arith.addi %base, %slab : i32
    %words = arith.constant dense<[7, -9, 11, -13, 2147483647, 17, 19, 23]> : vector<8xi32>
    %whole = llvm.inttoptr %first : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %whole, %words {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<8xi32>
    nvvm.tcgen05.wait <store>
    %a = llvm.inttoptr %first : i32 to !llvm.ptr<6>
    %immediate = arith.constant 3 : i64
    %v = nvvm.tcgen05.ld %a, %immediate {shape = #s} : vector<2xi32>
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // E6: error: {{.*}}expected an immediate of an even number of columns
  gpu.func @H17_odd_immediate() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %c96 = arith.constant 96 : i32
    %c16 = arith.constant 16 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %rows = arith.andi %tid, %c96 : i32
    %slab = arith.shli %rows, %c16 : i32
    %first = arith.addi %base, %slab : i32
    %v = arith.constant dense<[3, -5]> : vector<2xi32>
    %words = arith.constant dense<[7, -9, 11, -13, 2147483647, 17, 19, 23]> : vector<8xi32>
    %whole = llvm.inttoptr %first : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %whole, %words {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<8xi32>
    nvvm.tcgen05.wait <store>
    %a = llvm.inttoptr %first : i32 to !llvm.ptr<6>
    %immediate = arith.constant 5 : i64
    // expected-error @+3 {{expected an immediate of an even number of columns for 16x32bx2 with 16-bit packing, but got 5}}
    // expected-note @+2 {{rule H17:}}
    // expected-note @+1 {{to fix it}}
    nvvm.tcgen05.st %a, %v, %immediate unpack {shape = #s} : vector<2xi32>
    nvvm.tcgen05.wait <store>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_H17_odd_immediate() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %n32 = arith.constant 32 : i32
    %c96 = arith.constant 96 : i32
    %c16 = arith.constant 16 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    scf.if %w0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %rows = arith.andi %tid, %c96 : i32
    %slab = arith.shli %rows, %c16 : i32
    %first = arith.addi %base, %slab : i32
    %v = arith.constant dense<[3, -5]> : vector<2xi32>
    %words = arith.constant dense<[7, -9, 11, -13, 2147483647, 17, 19, 23]> : vector<8xi32>
    %whole = llvm.inttoptr %first : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %whole, %words {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<8xi32>
    nvvm.tcgen05.wait <store>
    %a = llvm.inttoptr %first : i32 to !llvm.ptr<6>
    %immediate = arith.constant 6 : i64
    nvvm.tcgen05.st %a, %v, %immediate unpack {shape = #s} : vector<2xi32>
    nvvm.tcgen05.wait <store>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

}

func.func @run_H17_second_half_in_another_slab() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 128 : index
  gpu.launch_func @kernels::@H17_second_half_in_another_slab blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H17_second_half_read_in_another_slab() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 128 : index
  gpu.launch_func @kernels::@H17_second_half_read_in_another_slab blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H17_halves_overlap() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 128 : index
  gpu.launch_func @kernels::@H17_halves_overlap blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H17_halves_are_the_same() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 128 : index
  gpu.launch_func @kernels::@H17_halves_are_the_same blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H17_immediate_of_8_lanes() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 128 : index
  gpu.launch_func @kernels::@H17_immediate_of_8_lanes blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H17_negative_immediate() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 128 : index
  gpu.launch_func @kernels::@H17_negative_immediate blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @run_H17_odd_immediate() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 128 : index
  gpu.launch_func @kernels::@H17_odd_immediate blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  return
}

func.func @right() {
  %c1 = arith.constant 1 : index
  %threads = arith.constant 128 : index
  gpu.launch_func @kernels::@right_H17_second_half_in_another_slab blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H17_second_half_read_in_another_slab blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H17_halves_overlap blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H17_halves_are_the_same blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H17_immediate_of_8_lanes blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H17_negative_immediate blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  gpu.launch_func @kernels::@right_H17_odd_immediate blocks in (%c1, %c1, %c1)
      threads in (%threads, %c1, %c1)
  // RIGHT: no fault
  vector.print str "no fault\n"
  return
}
}
