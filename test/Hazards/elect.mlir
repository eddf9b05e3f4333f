// elect.sync may name any lane of its mask, the same one for the same mask: what one
// elected lane does is no order for lane 0, and a kernel has to be right for each lane.

// RUN: tmem-opt %s --tmem-check-hazards='report=warning undecided=error' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FOUND --implicit-check-not=warning: --implicit-check-not=error:
// RUN: %exits_1 tmem-run %s --entry=run_H18_elected_commits --race --seeds=8 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H18_elected_issues --race --seeds=8 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H18_elected_by_two_masks --race --seeds=8 2>&1 | FileCheck %s --check-prefix=E2
// RUN: %exits_1 tmem-run %s --entry=run_H21_elected_commits_if_low --race --seeds=8 2>&1 | FileCheck %s --check-prefix=E3
// RUN: tmem-run %s --entry=right --race --seeds=8 | FileCheck %s --check-prefix=RIGHT

// E0: error: load of cells that a tcgen05.mma under way writes
// E1: error: load of cells that a tcgen05.mma under way writes
// E2: error: load of cells that a tcgen05.mma under way writes
// E3: error: {{.*}}wait
// RIGHT: 8 seeds: 8 clean

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
#f16 = #nvvm.tcgen05_mma_kind<f16>
#one = #nvvm.cta_group<cta_1>

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 16 : i64} : i64
  llvm.mlir.global internal @mats() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<4096 x i32>

  func.func @begin() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c8 = arith.constant 8 : index
    %n128 = arith.constant 128 : i64
    %one = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = gpu.thread_id x
    %thread0 = arith.cmpi eq, %tid, %c0 : index
    %warp0 = arith.cmpi ult, %tid, %c32 : index
    scf.if %thread0 {
      nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32
    }
    scf.if %warp0 {
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }
    %mats = llvm.mlir.addressof @mats : !llvm.ptr<3>
    %zero = arith.constant dense<0> : vector<4xi32>
    %t64 = arith.index_cast %tid : index to i64
    scf.for %i = %c0 to %c8 step %c1 {
      %i64 = arith.index_cast %i : index to i64
      %row = arith.muli %i64, %n128 : i64
      %at = arith.addi %row, %t64 : i64
      %to = llvm.getelementptr %mats[%at] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, !llvm.array<4 x i32>
      llvm.store %zero, %to : vector<4xi32>, !llvm.ptr<3>
    }
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    return
  }

  // 128 rows and 16 columns of zeros.
  func.func @issue() {
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %d = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %mats = llvm.mlir.addressof @mats : !llvm.ptr<3>
    %at = llvm.ptrtoint %mats : !llvm.ptr<3> to i64
    %four = arith.constant 4 : i64
    %low = arith.constant 0x3ffff : i64
    %strides = arith.constant 0x401000080000 : i64
    %shape = arith.constant 0x8040010 : i32
    %no = arith.constant false
    %in = arith.andi %at, %low : i64
    %start = arith.shrui %in, %four : i64
    %b = arith.addi %start, %strides : i64
    nvvm.tcgen05.mma %d, %b, %b, %shape, %no {kind = #f16, ctaGroup = #one} : (!llvm.ptr<6>, i64, i64, i32, i1)
    return
  }

  func.func @commit() {
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    nvvm.tcgen05.commit %bar : !llvm.ptr<3>
    return
  }

  func.func @end() {
    %c32 = arith.constant 32 : index
    %n16 = arith.constant 16 : i32
    %n32 = arith.constant 32 : i32
    %n96 = arith.constant 96 : i32
    %zero = arith.constant 0 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %tid = gpu.thread_id x
    %warp0 = arith.cmpi ult, %tid, %c32 : index
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %t32 = arith.index_cast %tid : index to i32
    %rows = arith.andi %t32, %n96 : i32
    %slab = arith.shli %rows, %n16 : i32
    %mine = arith.addi %base, %slab : i32
    %p = llvm.inttoptr %mine : i32 to !llvm.ptr<6>
    %d = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    nvvm.mbarrier.try_wait.parity %bar, %zero, %n32 : !llvm.ptr<3>, i32, i32
    nvvm.tcgen05.fence <after>
    %v = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    scf.if %warp0 {
      nvvm.tcgen05.dealloc %d, %n32 : !llvm.ptr<6>, i32
    }
    return
  }

  gpu.func @H18_elected_commits() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %thread0 = arith.cmpi eq, %tid, %c0 : index
    %half = arith.cmpi ult, %tid, %c16 : index
    %warp0 = arith.cmpi ult, %tid, %c32 : index
    func.call @begin() : () -> ()
    scf.if %thread0 {
      func.call @issue() : () -> ()
    }
    scf.if %warp0 {
      // FOUND: warning: 'nvvm.tcgen05.ld' op expected a commit by the thread that issued the tensor core's access before this
      // FOUND: :[[@LINE+2]]:{{[0-9]+}}: note: any lane of the mask may be named here, as lane 1 is
      // FOUND: warning: 'nvvm.tcgen05.dealloc' op expected a commit by the thread that issued
      %e = nvvm.elect.sync -> i1
      scf.if %e {
        func.call @commit() : () -> ()
      }
    }
    func.call @end() : () -> ()
    gpu.return
  }

  gpu.func @H18_elected_issues() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %thread0 = arith.cmpi eq, %tid, %c0 : index
    %half = arith.cmpi ult, %tid, %c16 : index
    %warp0 = arith.cmpi ult, %tid, %c32 : index
    func.call @begin() : () -> ()
    scf.if %warp0 {
      // FOUND: warning: 'nvvm.tcgen05.ld' op expected a commit by the thread that issued the tensor core's access before this
      // FOUND: :[[@LINE+2]]:{{[0-9]+}}: note: any lane of the mask may be named here, as lane 1 is
      // FOUND: warning: 'nvvm.tcgen05.dealloc' op expected a commit by the thread that issued
      %e = nvvm.elect.sync -> i1
      scf.if %e {
        func.call @issue() : () -> ()
      }
    }
    scf.if %thread0 {
      func.call @commit() : () -> ()
    }
    func.call @end() : () -> ()
    gpu.return
  }

  gpu.func @H18_elected_by_two_masks() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %thread0 = arith.cmpi eq, %tid, %c0 : index
    %half = arith.cmpi ult, %tid, %c16 : index
    %warp0 = arith.cmpi ult, %tid, %c32 : index
    func.call @begin() : () -> ()
    %all = arith.constant -1 : i32
    %some = arith.constant 0xffff : i32
    scf.if %warp0 {
      // FOUND: warning: 'nvvm.tcgen05.ld' op expected a commit by the thread that issued the tensor core's access before this
      // FOUND: :[[@LINE+2]]:{{[0-9]+}}: note: any lane of the mask may be named here: lane {{[0-9]+}} of 0xffff, lane {{[0-9]+}} of 0xffffffff
      // FOUND: warning: 'nvvm.tcgen05.dealloc' op expected a commit by the thread that issued
      %e = nvvm.elect.sync %all -> i1
      scf.if %e {
        func.call @issue() : () -> ()
      }
    }
    scf.if %half {
      %e = nvvm.elect.sync %some -> i1
      scf.if %e {
        func.call @commit() : () -> ()
      }
    }
    func.call @end() : () -> ()
    gpu.return
  }

  gpu.func @H21_elected_commits_if_low() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %thread0 = arith.cmpi eq, %tid, %c0 : index
    %half = arith.cmpi ult, %tid, %c16 : index
    %warp0 = arith.cmpi ult, %tid, %c32 : index
    func.call @begin() : () -> ()
    scf.if %warp0 {
      // FOUND: warning: 'nvvm.mbarrier.try_wait.parity' op expected a phase of the mbarrier that its arrivals end
      // FOUND: :[[@LINE+2]]:{{[0-9]+}}: note: any lane of the mask may be named here, as lane 16 is
      // FOUND: note: rule H21:
      %e = nvvm.elect.sync -> i1
      scf.if %e {
        func.call @issue() : () -> ()
      }
      %low = arith.andi %e, %half : i1
      scf.if %low {
        func.call @commit() : () -> ()
      }
    }
    func.call @end() : () -> ()
    gpu.return
  }

  gpu.func @right_H18_elected_commits() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %thread0 = arith.cmpi eq, %tid, %c0 : index
    %half = arith.cmpi ult, %tid, %c16 : index
    %warp0 = arith.cmpi ult, %tid, %c32 : index
    func.call @begin() : () -> ()
    scf.if %warp0 {
      %e = nvvm.elect.sync -> i1
      scf.if %e {
        func.call @issue() : () -> ()
        func.call @commit() : () -> ()
      }
    }
    func.call @end() : () -> ()
    gpu.return
  }

  gpu.func @right_H18_elected_by_two_masks() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %thread0 = arith.cmpi eq, %tid, %c0 : index
    %half = arith.cmpi ult, %tid, %c16 : index
    %warp0 = arith.cmpi ult, %tid, %c32 : index
    func.call @begin() : () -> ()
    %all = arith.constant -1 : i32
    scf.if %warp0 {
      %e = nvvm.elect.sync %all -> i1
      scf.if %e {
        func.call @issue() : () -> ()
      }
      %f = nvvm.elect.sync -> i1
      scf.if %f {
        func.call @commit() : () -> ()
      }
    }
    func.call @end() : () -> ()
    gpu.return
  }

  gpu.func @right_H18_elected_of_some() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %thread0 = arith.cmpi eq, %tid, %c0 : index
    %half = arith.cmpi ult, %tid, %c16 : index
    %warp0 = arith.cmpi ult, %tid, %c32 : index
    func.call @begin() : () -> ()
    %some = arith.constant 0xffff : i32
    scf.if %half {
      %e = nvvm.elect.sync %some -> i1
      scf.if %e {
        func.call @issue() : () -> ()
        func.call @commit() : () -> ()
      }
    }
    func.call @end() : () -> ()
    gpu.return
  }

  gpu.func @right_H21_elected_commits_if_low() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %thread0 = arith.cmpi eq, %tid, %c0 : index
    %half = arith.cmpi ult, %tid, %c16 : index
    %warp0 = arith.cmpi ult, %tid, %c32 : index
    func.call @begin() : () -> ()
    scf.if %warp0 {
      %e = nvvm.elect.sync -> i1
      scf.if %e {
        func.call @issue() : () -> ()
        scf.if %half {
          func.call @commit() : () -> ()
        } else {
          func.call @commit() : () -> ()
        }
      }
    }
    func.call @end() : () -> ()
    gpu.return
  }
}

func.func @run_H18_elected_commits() {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch_func @kernels::@H18_elected_commits blocks in (%c1, %c1, %c1)
      threads in (%c128, %c1, %c1)
  return
}

func.func @run_H18_elected_issues() {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch_func @kernels::@H18_elected_issues blocks in (%c1, %c1, %c1)
      threads in (%c128, %c1, %c1)
  return
}

func.func @run_H18_elected_by_two_masks() {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch_func @kernels::@H18_elected_by_two_masks blocks in (%c1, %c1, %c1)
      threads in (%c128, %c1, %c1)
  return
}

func.func @run_H21_elected_commits_if_low() {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch_func @kernels::@H21_elected_commits_if_low blocks in (%c1, %c1, %c1)
      threads in (%c128, %c1, %c1)
  return
}

func.func @right() {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch_func @kernels::@right_H18_elected_commits blocks in (%c1, %c1, %c1)
      threads in (%c128, %c1, %c1)
  gpu.launch_func @kernels::@right_H18_elected_by_two_masks blocks in (%c1, %c1, %c1)
      threads in (%c128, %c1, %c1)
  gpu.launch_func @kernels::@right_H18_elected_of_some blocks in (%c1, %c1, %c1)
      threads in (%c128, %c1, %c1)
  gpu.launch_func @kernels::@right_H21_elected_commits_if_low blocks in (%c1, %c1, %c1)
      threads in (%c128, %c1, %c1)
  return
}
}
