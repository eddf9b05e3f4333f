// What runs of a kernel do not decide about memory, with the reason: who wrote a word, and
// what an address names.

// RUN: tmem-opt %s --tmem-check-hazards -verify-diagnostics -o /dev/null

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>

gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 16 : i64} : i64
  llvm.mlir.global internal @words() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<32 x i32>
  llvm.mlir.global internal @copy() {addr_space = 3 : i32, alignment = 16 : i64} : i32

  gpu.func @mbarrier_among_what_a_loop_writes(%flags: !llvm.ptr) kernel
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
    %words = llvm.mlir.addressof @words : !llvm.ptr<3>
    %count = llvm.load %flags : !llvm.ptr -> i32
    %m = arith.index_cast %count : i32 to index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %m step %c1 {
      %k = arith.index_cast %i : index to i32
      %at = llvm.getelementptr %words[%k] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %zero, %at : i32, !llvm.ptr<3>
    }
    scf.if %t0 {
      // expected-warning @+1 {{undecided: phases of mbarriers: what a loop before has written to the variable is not known}}
      nvvm.mbarrier.init %words, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_loop_writes_elsewhere(%flags: !llvm.ptr) kernel
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
    %words = llvm.mlir.addressof @words : !llvm.ptr<3>
    %count = llvm.load %flags : !llvm.ptr -> i32
    %m = arith.index_cast %count : i32 to index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %m step %c1 {
      %k = arith.index_cast %i : index to i32
      %at = llvm.getelementptr %words[%k] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %zero, %at : i32, !llvm.ptr<3>
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @address_written_over_by_another_warp() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %n128 = arith.constant 128 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %w4 = arith.cmpi uge, %tid, %n128 : i32
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
    %copy = llvm.mlir.addressof @copy : !llvm.ptr<3>
    scf.if %w0 {
      llvm.store %base, %copy : i32, !llvm.ptr<3>
    }
    scf.if %w4 {
      // expected-warning @+1 {{undecided: phases of mbarriers: which warp writes the word last is not known}}
      llvm.store %zero, %copy : i32, !llvm.ptr<3>
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_behind_a_barrier() kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %n128 = arith.constant 128 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %w0 = arith.cmpi ult, %tid, %n32 : i32
    %w4 = arith.cmpi uge, %tid, %n128 : i32
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
    %copy = llvm.mlir.addressof @copy : !llvm.ptr<3>
    scf.if %w0 {
      llvm.store %base, %copy : i32, !llvm.ptr<3>
    }
    nvvm.barrier0
    scf.if %w4 {
      llvm.store %zero, %copy : i32, !llvm.ptr<3>
    }
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @frees_an_address_of_each_lane() kernel
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
    %q = arith.addi %base, %tid : i32
    %qp = llvm.inttoptr %q : i32 to !llvm.ptr<6>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    scf.if %w0 {
      // expected-error @+4 {{expected the same address in all lanes of warp 0, but got several}}
      // expected-note @+3 {{rule H13:}}
      // expected-note @+2 {{to fix it, compute it from the warp, not from the lane}}
      // expected-warning @+1 {{undecided: phases of mbarriers: what it frees is not known}}
      nvvm.tcgen05.dealloc %qp, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @loads_from_an_address_of_each_lane() kernel
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
    %q = arith.addi %base, %tid : i32
    %qp = llvm.inttoptr %q : i32 to !llvm.ptr<6>
    scf.if %w0 {
      // expected-error @+3 {{expected the same address in all lanes of warp 0, but got several}}
      // expected-note @+2 {{rule H13:}}
      // expected-note @+1 {{to fix it, compute it from the warp, not from the lane}}
      %l = nvvm.tcgen05.ld %qp {shape = #s} : vector<8xi32>
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

  gpu.func @column_of_an_argument(%column: i32) kernel
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
    %q = arith.addi %base, %column : i32
    %qp = llvm.inttoptr %q : i32 to !llvm.ptr<6>
    scf.if %w0 {
      // expected-warning @+1 {{undecided: whether the columns that it names, which are computed, lie in the allocation}}
      %l = nvvm.tcgen05.ld %qp {shape = #s} : vector<8xi32>
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

  gpu.func @right_column() kernel
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
    %column = arith.constant 8 : i32
    %q = arith.addi %base, %column : i32
    %qp = llvm.inttoptr %q : i32 to !llvm.ptr<6>
    scf.if %w0 {
      %l = nvvm.tcgen05.ld %qp {shape = #s} : vector<8xi32>
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
}
