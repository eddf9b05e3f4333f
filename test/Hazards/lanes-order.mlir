// What one lane of a warp does is not ordered before what another one does, which may be
// the one that elect.sync names: mbarriers, and words that hold addresses.

// RUN: tmem-opt %s --tmem-check-hazards='report=warning' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FOUND --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-run %s --entry=right --race --seeds=8 | FileCheck %s --check-prefix=RIGHT

// RIGHT: 8 seeds: 8 clean

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32
  llvm.mlir.global internal @copy() {addr_space = 3 : i32, alignment = 16 : i64} : i32
  llvm.mlir.global internal @log() {addr_space = 3 : i32, alignment = 16 : i64} : i32
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 16 : i64} : i64
  llvm.mlir.global internal @next() {addr_space = 3 : i32, alignment = 16 : i64} : i64

  gpu.func @H22_elected_arrives() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = gpu.thread_id x
    %thread0 = arith.cmpi eq, %tid, %c0 : index
    %warp0 = arith.cmpi ult, %tid, %c32 : index
    nvvm.tcgen05.fence <before>
    scf.if %thread0 {
      nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32
    }
    scf.if %warp0 {
      %e = nvvm.elect.sync -> i1
      scf.if %e {
        // FOUND: :[[@LINE+1]]:{{[0-9]+}}: warning: 'nvvm.mbarrier.arrive' op expected a barrier between the initialization of the mbarrier and this, but got none
        %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      }
    }
    nvvm.barrier0
    nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    gpu.return
  }

  gpu.func @right_H22_elected_arrives() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %all = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = gpu.thread_id x
    %thread0 = arith.cmpi eq, %tid, %c0 : index
    %warp0 = arith.cmpi ult, %tid, %c32 : index
    nvvm.tcgen05.fence <before>
    scf.if %thread0 {
      nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32
    }
    nvvm.bar.warp.sync %all : i32
    scf.if %warp0 {
      %e = nvvm.elect.sync -> i1
      scf.if %e {
        %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      }
    }
    nvvm.barrier0
    nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    gpu.return
  }

  gpu.func @right_H22_elected_does_both() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c32 = arith.constant 32 : index
    %all = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = gpu.thread_id x
    %warp0 = arith.cmpi ult, %tid, %c32 : index
    nvvm.tcgen05.fence <before>
    scf.if %warp0 {
      %e = nvvm.elect.sync -> i1
      scf.if %e {
        nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32
      }
      %f = nvvm.elect.sync %all -> i1
      scf.if %f {
        %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      }
    }
    nvvm.barrier0
    nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    gpu.return
  }

  gpu.func @H22_lane_1_arrives() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = gpu.thread_id x
    %thread0 = arith.cmpi eq, %tid, %c0 : index
    %thread1 = arith.cmpi eq, %tid, %c1 : index
    nvvm.tcgen05.fence <before>
    scf.if %thread0 {
      nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32
    }
    scf.if %thread1 {
      // FOUND: :[[@LINE+1]]:{{[0-9]+}}: warning: 'nvvm.mbarrier.arrive' op expected a barrier between the initialization of the mbarrier and this, but got none
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    nvvm.barrier0
    nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    gpu.return
  }

  gpu.func @right_H22_lane_1_arrives() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %all = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = gpu.thread_id x
    %thread0 = arith.cmpi eq, %tid, %c0 : index
    %thread1 = arith.cmpi eq, %tid, %c1 : index
    nvvm.tcgen05.fence <before>
    scf.if %thread0 {
      nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32
    }
    nvvm.bar.warp.sync %all : i32
    scf.if %thread1 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    }
    nvvm.barrier0
    nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    gpu.return
  }

  gpu.func @H4_elected_reads() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %copy = llvm.mlir.addressof @copy : !llvm.ptr<3>
    %log = llvm.mlir.addressof @log : !llvm.ptr<3>
    %tid = gpu.thread_id x
    %thread0 = arith.cmpi eq, %tid, %c0 : index
    %warp0 = arith.cmpi ult, %tid, %c32 : index
    nvvm.tcgen05.fence <before>
    scf.if %warp0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    scf.if %thread0 {
      llvm.store %base, %copy : i32, !llvm.ptr<3>
    }
    scf.if %warp0 {
      %e = nvvm.elect.sync -> i1
      scf.if %e {
        // FOUND: :[[@LINE+1]]:{{[0-9]+}}: warning: 'llvm.load' op expected a barrier between the write of the address and this read, but got none
        %read = llvm.load %copy : !llvm.ptr<3> -> i32
        llvm.store %read, %log : i32, !llvm.ptr<3>
      }
    }
    scf.if %warp0 {
      %d = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %d, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_H4_elected_reads() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %all = arith.constant -1 : i32
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %copy = llvm.mlir.addressof @copy : !llvm.ptr<3>
    %log = llvm.mlir.addressof @log : !llvm.ptr<3>
    %tid = gpu.thread_id x
    %thread0 = arith.cmpi eq, %tid, %c0 : index
    %warp0 = arith.cmpi ult, %tid, %c32 : index
    nvvm.tcgen05.fence <before>
    scf.if %warp0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    scf.if %thread0 {
      llvm.store %base, %copy : i32, !llvm.ptr<3>
    }
    nvvm.bar.warp.sync %all : i32
    scf.if %warp0 {
      %e = nvvm.elect.sync -> i1
      scf.if %e {
        %read = llvm.load %copy : !llvm.ptr<3> -> i32
        llvm.store %read, %log : i32, !llvm.ptr<3>
      }
    }
    scf.if %warp0 {
      %d = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %d, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @H4_lane_1_reads() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %copy = llvm.mlir.addressof @copy : !llvm.ptr<3>
    %log = llvm.mlir.addressof @log : !llvm.ptr<3>
    %tid = gpu.thread_id x
    %thread0 = arith.cmpi eq, %tid, %c0 : index
    %thread1 = arith.cmpi eq, %tid, %c1 : index
    %warp0 = arith.cmpi ult, %tid, %c32 : index
    nvvm.tcgen05.fence <before>
    scf.if %warp0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    scf.if %thread0 {
      llvm.store %base, %copy : i32, !llvm.ptr<3>
    }
    scf.if %thread1 {
      // FOUND: :[[@LINE+1]]:{{[0-9]+}}: warning: 'llvm.load' op expected a barrier between the write of the address and this read, but got none
      %read = llvm.load %copy : !llvm.ptr<3> -> i32
      llvm.store %read, %log : i32, !llvm.ptr<3>
    }
    scf.if %warp0 {
      %d = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %d, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @right_H4_lane_1_reads() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %all = arith.constant -1 : i32
    %n32 = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %copy = llvm.mlir.addressof @copy : !llvm.ptr<3>
    %log = llvm.mlir.addressof @log : !llvm.ptr<3>
    %tid = gpu.thread_id x
    %thread0 = arith.cmpi eq, %tid, %c0 : index
    %thread1 = arith.cmpi eq, %tid, %c1 : index
    %warp0 = arith.cmpi ult, %tid, %c32 : index
    nvvm.tcgen05.fence <before>
    scf.if %warp0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    scf.if %thread0 {
      llvm.store %base, %copy : i32, !llvm.ptr<3>
    }
    nvvm.bar.warp.sync %all : i32
    scf.if %thread1 {
      %read = llvm.load %copy : !llvm.ptr<3> -> i32
      llvm.store %read, %log : i32, !llvm.ptr<3>
    }
    scf.if %warp0 {
      %d = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %d, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @elected_arrives_behind_a_wait() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c96 = arith.constant 96 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %next = llvm.mlir.addressof @next : !llvm.ptr<3>
    %tid = gpu.thread_id x
    %thread0 = arith.cmpi eq, %tid, %c0 : index
    %warp0 = arith.cmpi ult, %tid, %c32 : index
    %warp3 = arith.cmpi uge, %tid, %c96 : index
    nvvm.tcgen05.fence <before>
    scf.if %thread0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %next, %one : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    scf.if %warp3 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %next, %zero, %n32 : !llvm.ptr<3>, i32, i32
    }
    scf.if %warp0 {
      scf.if %thread0 {
        nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
      }
      %e = nvvm.elect.sync -> i1
      scf.if %e {
        // FOUND: :[[@LINE+1]]:{{[0-9]+}}: warning: 'nvvm.mbarrier.arrive' op undecided: phases of mbarriers: whether it comes behind what another lane of its warp has waited for
        %s = nvvm.mbarrier.arrive %next : !llvm.ptr<3> -> i64
      }
    }
    gpu.return
  }

  gpu.func @right_elected_arrives_behind_a_wait() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c96 = arith.constant 96 : index
    %all = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %next = llvm.mlir.addressof @next : !llvm.ptr<3>
    %tid = gpu.thread_id x
    %thread0 = arith.cmpi eq, %tid, %c0 : index
    %warp0 = arith.cmpi ult, %tid, %c32 : index
    %warp3 = arith.cmpi uge, %tid, %c96 : index
    nvvm.tcgen05.fence <before>
    scf.if %thread0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %next, %one : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    scf.if %warp3 {
      %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      nvvm.mbarrier.try_wait.parity %next, %zero, %n32 : !llvm.ptr<3>, i32, i32
    }
    scf.if %warp0 {
      scf.if %thread0 {
        nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
      }
      nvvm.bar.warp.sync %all : i32
      %e = nvvm.elect.sync -> i1
      scf.if %e {
        %s = nvvm.mbarrier.arrive %next : !llvm.ptr<3> -> i64
      }
    }
    gpu.return
  }
}

func.func @right() {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch_func @kernels::@right_H22_elected_arrives blocks in (%c1, %c1, %c1)
      threads in (%c128, %c1, %c1)
  gpu.launch_func @kernels::@right_H22_elected_does_both blocks in (%c1, %c1, %c1)
      threads in (%c128, %c1, %c1)
  gpu.launch_func @kernels::@right_H22_lane_1_arrives blocks in (%c1, %c1, %c1)
      threads in (%c128, %c1, %c1)
  gpu.launch_func @kernels::@right_H4_elected_reads blocks in (%c1, %c1, %c1)
      threads in (%c128, %c1, %c1)
  gpu.launch_func @kernels::@right_H4_lane_1_reads blocks in (%c1, %c1, %c1)
      threads in (%c128, %c1, %c1)
  gpu.launch_func @kernels::@right_elected_arrives_behind_a_wait blocks in (%c1, %c1, %c1)
      threads in (%c128, %c1, %c1)
  return
}
}
