// What the tensor core has written, read before it is complete. Each kernel has a twin
// that is right.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(llvm.func(tmem-check-hazards{report=warning undecided=error})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=run_H18_mma_without_commit --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H18_mma_without_commit 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H18_mma_without_wait --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H18_mma_without_wait 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H18_mma_without_fence --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2
// RUN: %exits_1 tmem-run %s --entry=run_H18_cp_without_wait --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E3
// RUN: %exits_1 tmem-run %s --entry=run_H18_cp_without_wait 2>&1 | FileCheck %s --check-prefix=E3

#s32x32b = #nvvm.tcgen05_ldst_shape<shape_32x32b>

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32
  // Behind the mbarrier, at 1024, lie matrices of which nobody asks what they hold.
  llvm.mlir.global internal @done() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<1024 x i64>

  llvm.func @H18_mma_without_commit(%a: i64) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
    %columns = llvm.mlir.constant(32 : i32) : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %n32 = llvm.mlir.constant(32 : i32) : i32
    %n96 = llvm.mlir.constant(96 : i32) : i32
    %n16 = llvm.mlir.constant(16 : i32) : i32
    %ticks = llvm.mlir.constant(1000 : i32) : i32
    %shape = llvm.mlir.constant(134479888 : i32) : i32
    %no = llvm.mlir.constant(false) : i1
    %done = llvm.mlir.addressof @done : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %is_first = llvm.icmp "ult" %tid, %n32 : i32
    %is_thread = llvm.icmp "eq" %tid, %zero : i32
    llvm.cond_br %is_first, ^allocate, ^allocated
  ^allocate:
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    llvm.cond_br %is_thread, ^initialize, ^allocated
  ^initialize:
    nvvm.mbarrier.init %done, %one : !llvm.ptr<3>, i32
    llvm.br ^allocated
  ^allocated:
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %address = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    llvm.cond_br %is_thread, ^issue, ^issued
  ^issue:
    nvvm.tcgen05.mma %address, %a, %a, %shape, %no {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
    llvm.br ^issued
  ^issued:
    nvvm.tcgen05.fence <after>
    %of_warp = llvm.and %tid, %n96 : i32
    %slab = llvm.shl %of_warp, %n16 : i32
    %mine = llvm.add %base, %slab : i32
    %p = llvm.inttoptr %mine : i32 to !llvm.ptr<6>
    // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}a commit, a wait for its mbarrier and a fence after
    // CHECK: note: rule H18:
    %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<8xi32>
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    llvm.cond_br %is_first, ^free, ^freed
  ^free:
    // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}a commit and a wait for its mbarrier between this
    // CHECK: note: rule H18:
    nvvm.tcgen05.dealloc %address, %columns : !llvm.ptr<6>, i32
    llvm.br ^freed
  ^freed:
    llvm.return
  }

  llvm.func @H18_mma_without_wait(%a: i64) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
    %columns = llvm.mlir.constant(32 : i32) : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %n32 = llvm.mlir.constant(32 : i32) : i32
    %n96 = llvm.mlir.constant(96 : i32) : i32
    %n16 = llvm.mlir.constant(16 : i32) : i32
    %ticks = llvm.mlir.constant(1000 : i32) : i32
    %shape = llvm.mlir.constant(134479888 : i32) : i32
    %no = llvm.mlir.constant(false) : i1
    %done = llvm.mlir.addressof @done : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %is_first = llvm.icmp "ult" %tid, %n32 : i32
    %is_thread = llvm.icmp "eq" %tid, %zero : i32
    llvm.cond_br %is_first, ^allocate, ^allocated
  ^allocate:
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    llvm.cond_br %is_thread, ^initialize, ^allocated
  ^initialize:
    nvvm.mbarrier.init %done, %one : !llvm.ptr<3>, i32
    llvm.br ^allocated
  ^allocated:
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %address = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    llvm.cond_br %is_thread, ^issue, ^issued
  ^issue:
    nvvm.tcgen05.mma %address, %a, %a, %shape, %no {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
    nvvm.tcgen05.commit %done : !llvm.ptr<3>
    llvm.br ^issued
  ^issued:
    nvvm.tcgen05.fence <after>
    %of_warp = llvm.and %tid, %n96 : i32
    %slab = llvm.shl %of_warp, %n16 : i32
    %mine = llvm.add %base, %slab : i32
    %p = llvm.inttoptr %mine : i32 to !llvm.ptr<6>
    // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}a commit, a wait for its mbarrier and a fence after
    // CHECK: note: rule H18:
    %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<8xi32>
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    llvm.cond_br %is_first, ^free, ^freed
  ^free:
    // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}a commit and a wait for its mbarrier between this
    // CHECK: note: rule H18:
    nvvm.tcgen05.dealloc %address, %columns : !llvm.ptr<6>, i32
    llvm.br ^freed
  ^freed:
    llvm.return
  }

  llvm.func @H18_mma_without_fence(%a: i64) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
    %columns = llvm.mlir.constant(32 : i32) : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %n32 = llvm.mlir.constant(32 : i32) : i32
    %n96 = llvm.mlir.constant(96 : i32) : i32
    %n16 = llvm.mlir.constant(16 : i32) : i32
    %ticks = llvm.mlir.constant(1000 : i32) : i32
    %shape = llvm.mlir.constant(134479888 : i32) : i32
    %no = llvm.mlir.constant(false) : i1
    %done = llvm.mlir.addressof @done : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %is_first = llvm.icmp "ult" %tid, %n32 : i32
    %is_thread = llvm.icmp "eq" %tid, %zero : i32
    llvm.cond_br %is_first, ^allocate, ^allocated
  ^allocate:
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    llvm.cond_br %is_thread, ^initialize, ^allocated
  ^initialize:
    nvvm.mbarrier.init %done, %one : !llvm.ptr<3>, i32
    llvm.br ^allocated
  ^allocated:
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %address = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    llvm.cond_br %is_thread, ^issue, ^issued
  ^issue:
    nvvm.tcgen05.mma %address, %a, %a, %shape, %no {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
    nvvm.tcgen05.commit %done : !llvm.ptr<3>
    llvm.br ^issued
  ^issued:
    nvvm.mbarrier.try_wait.parity %done, %zero, %ticks : !llvm.ptr<3>, i32, i32
    %of_warp = llvm.and %tid, %n96 : i32
    %slab = llvm.shl %of_warp, %n16 : i32
    %mine = llvm.add %base, %slab : i32
    %p = llvm.inttoptr %mine : i32 to !llvm.ptr<6>
    // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}a commit, a wait for its mbarrier and a fence after
    // CHECK: note: rule H18:
    %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<8xi32>
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    llvm.cond_br %is_first, ^free, ^freed
  ^free:
    nvvm.tcgen05.dealloc %address, %columns : !llvm.ptr<6>, i32
    llvm.br ^freed
  ^freed:
    llvm.return
  }

  llvm.func @right_H18_mma(%a: i64) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
    %columns = llvm.mlir.constant(32 : i32) : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %n32 = llvm.mlir.constant(32 : i32) : i32
    %n96 = llvm.mlir.constant(96 : i32) : i32
    %n16 = llvm.mlir.constant(16 : i32) : i32
    %ticks = llvm.mlir.constant(1000 : i32) : i32
    %shape = llvm.mlir.constant(134479888 : i32) : i32
    %no = llvm.mlir.constant(false) : i1
    %done = llvm.mlir.addressof @done : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %is_first = llvm.icmp "ult" %tid, %n32 : i32
    %is_thread = llvm.icmp "eq" %tid, %zero : i32
    llvm.cond_br %is_first, ^allocate, ^allocated
  ^allocate:
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    llvm.cond_br %is_thread, ^initialize, ^allocated
  ^initialize:
    nvvm.mbarrier.init %done, %one : !llvm.ptr<3>, i32
    llvm.br ^allocated
  ^allocated:
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %address = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    llvm.cond_br %is_thread, ^issue, ^issued
  ^issue:
    nvvm.tcgen05.mma %address, %a, %a, %shape, %no {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
    nvvm.tcgen05.commit %done : !llvm.ptr<3>
    llvm.br ^issued
  ^issued:
    nvvm.mbarrier.try_wait.parity %done, %zero, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.tcgen05.fence <after>
    %of_warp = llvm.and %tid, %n96 : i32
    %slab = llvm.shl %of_warp, %n16 : i32
    %mine = llvm.add %base, %slab : i32
    %p = llvm.inttoptr %mine : i32 to !llvm.ptr<6>
    %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<8xi32>
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    llvm.cond_br %is_first, ^free, ^freed
  ^free:
    nvvm.tcgen05.dealloc %address, %columns : !llvm.ptr<6>, i32
    llvm.br ^freed
  ^freed:
    llvm.return
  }

  llvm.func @H18_cp_without_wait(%a: i64) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
    %columns = llvm.mlir.constant(32 : i32) : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %n32 = llvm.mlir.constant(32 : i32) : i32
    %n96 = llvm.mlir.constant(96 : i32) : i32
    %n16 = llvm.mlir.constant(16 : i32) : i32
    %ticks = llvm.mlir.constant(1000 : i32) : i32
    %shape = llvm.mlir.constant(134479888 : i32) : i32
    %no = llvm.mlir.constant(false) : i1
    %done = llvm.mlir.addressof @done : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %is_first = llvm.icmp "ult" %tid, %n32 : i32
    %is_thread = llvm.icmp "eq" %tid, %zero : i32
    llvm.cond_br %is_first, ^allocate, ^allocated
  ^allocate:
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    llvm.cond_br %is_thread, ^initialize, ^allocated
  ^initialize:
    nvvm.mbarrier.init %done, %one : !llvm.ptr<3>, i32
    llvm.br ^allocated
  ^allocated:
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %address = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    llvm.cond_br %is_thread, ^issue, ^issued
  ^issue:
    nvvm.tcgen05.cp %address, %a {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
    nvvm.tcgen05.commit %done : !llvm.ptr<3>
    llvm.br ^issued
  ^issued:
    nvvm.tcgen05.fence <after>
    %of_warp = llvm.and %tid, %n96 : i32
    %slab = llvm.shl %of_warp, %n16 : i32
    %mine = llvm.add %base, %slab : i32
    %p = llvm.inttoptr %mine : i32 to !llvm.ptr<6>
    // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}a commit, a wait for its mbarrier and a fence after
    // CHECK: note: rule H18:
    %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<8xi32>
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    llvm.cond_br %is_first, ^free, ^freed
  ^free:
    // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}a commit and a wait for its mbarrier between this
    // CHECK: note: rule H18:
    nvvm.tcgen05.dealloc %address, %columns : !llvm.ptr<6>, i32
    llvm.br ^freed
  ^freed:
    llvm.return
  }

  llvm.func @right_H18_cp(%a: i64) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
    %columns = llvm.mlir.constant(32 : i32) : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %n32 = llvm.mlir.constant(32 : i32) : i32
    %n96 = llvm.mlir.constant(96 : i32) : i32
    %n16 = llvm.mlir.constant(16 : i32) : i32
    %ticks = llvm.mlir.constant(1000 : i32) : i32
    %shape = llvm.mlir.constant(134479888 : i32) : i32
    %no = llvm.mlir.constant(false) : i1
    %done = llvm.mlir.addressof @done : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %is_first = llvm.icmp "ult" %tid, %n32 : i32
    %is_thread = llvm.icmp "eq" %tid, %zero : i32
    llvm.cond_br %is_first, ^allocate, ^allocated
  ^allocate:
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    llvm.cond_br %is_thread, ^initialize, ^allocated
  ^initialize:
    nvvm.mbarrier.init %done, %one : !llvm.ptr<3>, i32
    llvm.br ^allocated
  ^allocated:
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %address = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    llvm.cond_br %is_thread, ^issue, ^issued
  ^issue:
    nvvm.tcgen05.cp %address, %a {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
    nvvm.tcgen05.commit %done : !llvm.ptr<3>
    llvm.br ^issued
  ^issued:
    nvvm.mbarrier.try_wait.parity %done, %zero, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.tcgen05.fence <after>
    %of_warp = llvm.and %tid, %n96 : i32
    %slab = llvm.shl %of_warp, %n16 : i32
    %mine = llvm.add %base, %slab : i32
    %p = llvm.inttoptr %mine : i32 to !llvm.ptr<6>
    %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<8xi32>
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    llvm.cond_br %is_first, ^free, ^freed
  ^free:
    nvvm.tcgen05.dealloc %address, %columns : !llvm.ptr<6>, i32
    llvm.br ^freed
  ^freed:
    llvm.return
  }
}

func.func @right() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 128 : index
    %a = arith.constant 70437464178752 : i64
    gpu.launch_func @kernels::@right_H18_mma blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1) args(%a : i64)
    gpu.launch_func @kernels::@right_H18_cp blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1) args(%a : i64)
    // RIGHT: no fault
    vector.print str "no fault\n"
    return
}

func.func @run_H18_mma_without_commit() {
    // E0: nvvm.tcgen05.ld: error: load of cells that a tcgen05.mma under way writes: execute tcgen05.commit
    %c1 = arith.constant 1 : index
    %threads = arith.constant 128 : index
    %a = arith.constant 70437464178752 : i64
    gpu.launch_func @kernels::@H18_mma_without_commit blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1) args(%a : i64)
    return
}

func.func @run_H18_mma_without_wait() {
    // E1: nvvm.tcgen05.ld: error: load of cells that a tcgen05.mma under way writes: wait for the mbarrier
    %c1 = arith.constant 1 : index
    %threads = arith.constant 128 : index
    %a = arith.constant 70437464178752 : i64
    gpu.launch_func @kernels::@H18_mma_without_wait blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1) args(%a : i64)
    return
}

func.func @run_H18_mma_without_fence() {
    // E2: nvvm.tcgen05.ld: error: race: {{.*}}tcgen05.fence::after_thread_sync is missing
    %c1 = arith.constant 1 : index
    %threads = arith.constant 128 : index
    %a = arith.constant 70437464178752 : i64
    gpu.launch_func @kernels::@H18_mma_without_fence blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1) args(%a : i64)
    return
}

func.func @run_H18_cp_without_wait() {
    // E3: nvvm.tcgen05.ld: error: load of cells that a tcgen05.cp under way writes: wait for the mbarrier
    %c1 = arith.constant 1 : index
    %threads = arith.constant 128 : index
    %a = arith.constant 70437464178752 : i64
    gpu.launch_func @kernels::@H18_cp_without_wait blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1) args(%a : i64)
    return
}
}
