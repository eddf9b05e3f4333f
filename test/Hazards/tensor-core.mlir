// What the emulator does not run: the tensor core. Each kernel has a twin that is
// right.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(llvm.func(tmem-check-hazards{report=warning undecided=error})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: not tmem-opt %s --tmem-check-hazards -o /dev/null 2>&1 | FileCheck %s --check-prefix=ERROR

// ERROR-COUNT-8: error: {{.*}} op expected

#s32x32b = #nvvm.tcgen05_ldst_shape<shape_32x32b>

gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32
  llvm.mlir.global internal @done() {addr_space = 3 : i32, alignment = 16 : i64} : i64

  llvm.func @H9_two_groups() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
    %columns = llvm.mlir.constant(32 : i32) : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %address = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    nvvm.tcgen05.dealloc %address, %columns : !llvm.ptr<6>, i32
    // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected cta_group::1 as everywhere in the kernel, but got cta_group::2
    // CHECK: note: rule H9:
    nvvm.tcgen05.relinquish_alloc_permit {group = #nvvm.cta_group<cta_2>}
    llvm.return
  }

  llvm.func @right_H9() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
    %columns = llvm.mlir.constant(32 : i32) : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %address = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    nvvm.tcgen05.dealloc %address, %columns : !llvm.ptr<6>, i32
    nvvm.tcgen05.relinquish_alloc_permit
    llvm.return
  }

  llvm.func @H18_mma_without_commit(%a: i64) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
    %columns = llvm.mlir.constant(32 : i32) : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %n32 = llvm.mlir.constant(32 : i32) : i32
    %n96 = llvm.mlir.constant(96 : i32) : i32
    %n16 = llvm.mlir.constant(16 : i32) : i32
    %ticks = llvm.mlir.constant(1000 : i32) : i32
    %true = llvm.mlir.constant(true) : i1
    %done = llvm.mlir.addressof @done : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %is_first = llvm.icmp "ult" %tid, %n32 : i32
    llvm.cond_br %is_first, ^allocate, ^allocated
  ^allocate:
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    nvvm.mbarrier.init %done, %one : !llvm.ptr<3>, i32
    llvm.br ^allocated
  ^allocated:
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %address = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %is_thread = llvm.icmp "eq" %tid, %zero : i32
    llvm.cond_br %is_thread, ^issue, ^issued
  ^issue:
    nvvm.tcgen05.mma %address, %a, %a, %one, %true {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
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

  llvm.func @H18_mma_without_wait(%a: i64) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
    %columns = llvm.mlir.constant(32 : i32) : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %n32 = llvm.mlir.constant(32 : i32) : i32
    %n96 = llvm.mlir.constant(96 : i32) : i32
    %n16 = llvm.mlir.constant(16 : i32) : i32
    %ticks = llvm.mlir.constant(1000 : i32) : i32
    %true = llvm.mlir.constant(true) : i1
    %done = llvm.mlir.addressof @done : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %is_first = llvm.icmp "ult" %tid, %n32 : i32
    llvm.cond_br %is_first, ^allocate, ^allocated
  ^allocate:
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    nvvm.mbarrier.init %done, %one : !llvm.ptr<3>, i32
    llvm.br ^allocated
  ^allocated:
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %address = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %is_thread = llvm.icmp "eq" %tid, %zero : i32
    llvm.cond_br %is_thread, ^issue, ^issued
  ^issue:
    nvvm.tcgen05.mma %address, %a, %a, %one, %true {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
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

  llvm.func @H18_mma_without_fence(%a: i64) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
    %columns = llvm.mlir.constant(32 : i32) : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %n32 = llvm.mlir.constant(32 : i32) : i32
    %n96 = llvm.mlir.constant(96 : i32) : i32
    %n16 = llvm.mlir.constant(16 : i32) : i32
    %ticks = llvm.mlir.constant(1000 : i32) : i32
    %true = llvm.mlir.constant(true) : i1
    %done = llvm.mlir.addressof @done : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %is_first = llvm.icmp "ult" %tid, %n32 : i32
    llvm.cond_br %is_first, ^allocate, ^allocated
  ^allocate:
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    nvvm.mbarrier.init %done, %one : !llvm.ptr<3>, i32
    llvm.br ^allocated
  ^allocated:
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %address = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %is_thread = llvm.icmp "eq" %tid, %zero : i32
    llvm.cond_br %is_thread, ^issue, ^issued
  ^issue:
    nvvm.tcgen05.mma %address, %a, %a, %one, %true {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
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

  llvm.func @right_H18_mma(%a: i64) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
    %columns = llvm.mlir.constant(32 : i32) : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %n32 = llvm.mlir.constant(32 : i32) : i32
    %n96 = llvm.mlir.constant(96 : i32) : i32
    %n16 = llvm.mlir.constant(16 : i32) : i32
    %ticks = llvm.mlir.constant(1000 : i32) : i32
    %true = llvm.mlir.constant(true) : i1
    %done = llvm.mlir.addressof @done : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %is_first = llvm.icmp "ult" %tid, %n32 : i32
    llvm.cond_br %is_first, ^allocate, ^allocated
  ^allocate:
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    nvvm.mbarrier.init %done, %one : !llvm.ptr<3>, i32
    llvm.br ^allocated
  ^allocated:
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %address = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %is_thread = llvm.icmp "eq" %tid, %zero : i32
    llvm.cond_br %is_thread, ^issue, ^issued
  ^issue:
    nvvm.tcgen05.mma %address, %a, %a, %one, %true {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
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

  llvm.func @H18_cp_without_wait(%a: i64) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
    %columns = llvm.mlir.constant(32 : i32) : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %n32 = llvm.mlir.constant(32 : i32) : i32
    %n96 = llvm.mlir.constant(96 : i32) : i32
    %n16 = llvm.mlir.constant(16 : i32) : i32
    %ticks = llvm.mlir.constant(1000 : i32) : i32
    %true = llvm.mlir.constant(true) : i1
    %done = llvm.mlir.addressof @done : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %is_first = llvm.icmp "ult" %tid, %n32 : i32
    llvm.cond_br %is_first, ^allocate, ^allocated
  ^allocate:
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    nvvm.mbarrier.init %done, %one : !llvm.ptr<3>, i32
    llvm.br ^allocated
  ^allocated:
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %address = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %is_thread = llvm.icmp "eq" %tid, %zero : i32
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

  llvm.func @right_H18_cp(%a: i64) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
    %columns = llvm.mlir.constant(32 : i32) : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %n32 = llvm.mlir.constant(32 : i32) : i32
    %n96 = llvm.mlir.constant(96 : i32) : i32
    %n16 = llvm.mlir.constant(16 : i32) : i32
    %ticks = llvm.mlir.constant(1000 : i32) : i32
    %true = llvm.mlir.constant(true) : i1
    %done = llvm.mlir.addressof @done : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %is_first = llvm.icmp "ult" %tid, %n32 : i32
    llvm.cond_br %is_first, ^allocate, ^allocated
  ^allocate:
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    nvvm.mbarrier.init %done, %one : !llvm.ptr<3>, i32
    llvm.br ^allocated
  ^allocated:
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %address = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %is_thread = llvm.icmp "eq" %tid, %zero : i32
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
