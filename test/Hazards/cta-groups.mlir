// Instructions for one CTA and for a pair of them in one kernel; pairs.mlir runs a
// like one.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(llvm.func(tmem-check-hazards{report=warning undecided=error})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: not tmem-opt %s --tmem-check-hazards -o /dev/null 2>&1 | FileCheck %s --check-prefix=ERROR

// ERROR: error: {{.*}} op expected

gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32

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
}
