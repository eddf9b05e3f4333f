// Strict, and where a true register dependence counts as a wait.

// RUN: tmem-opt %s --tmem-check-hazards='mode=strict report=warning undecided=error' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK,STRICT --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-opt %s --tmem-check-hazards='mode=register-dependence report=warning undecided=error' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK,DEPENDENCE --implicit-check-not=warning: --implicit-check-not=error:

#s32x32b = #nvvm.tcgen05_ldst_shape<shape_32x32b>

gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32

  // mlc-ai/TIRx-kernels PR 53 and 122: the addition reads the register in every lane,
  // so the load is complete at the barrier, as hardware goes.
  llvm.func @H15_row3_every_lane_reads(%out: !llvm.ptr) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
    %columns = llvm.mlir.constant(32 : i32) : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %n16 = llvm.mlir.constant(16 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %is_first = llvm.icmp "ult" %tid, %columns : i32
    llvm.cond_br %is_first, ^allocate, ^allocated
  ^allocate:
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    llvm.br ^allocated
  ^allocated:
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %of_warp = llvm.and %tid, %columns : i32
    %slab = llvm.shl %of_warp, %n16 : i32
    %mine = llvm.add %base, %slab : i32
    %p = llvm.inttoptr %mine : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %p, %columns {shape = #s32x32b} : i32
    nvvm.tcgen05.wait <store>
    %word = nvvm.tcgen05.ld %p {shape = #s32x32b} : i32
    // STRICT: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected a wait::ld between the load and the first use
    // STRICT: note: rule H15:
    %sum = llvm.add %word, %columns : i32
    %place = llvm.getelementptr %out[%tid] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %sum, %place : i32, !llvm.ptr
    nvvm.barrier0
    llvm.cond_br %is_first, ^free, ^freed
  ^free:
    %address = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    // STRICT: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected the load to be waited for before its columns are freed
    // STRICT: note: rule H2:
    nvvm.tcgen05.dealloc %address, %columns : !llvm.ptr<6>, i32
    llvm.br ^freed
  ^freed:
    llvm.return
  }

  // Some lanes never read it: no mode accepts that.
  llvm.func @H2_row3_some_lanes_read(%out: !llvm.ptr) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
    %columns = llvm.mlir.constant(32 : i32) : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %n16 = llvm.mlir.constant(16 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %word = nvvm.tcgen05.ld %p {shape = #s32x32b} : i32
    %is_low = llvm.icmp "ult" %tid, %n16 : i32
    llvm.cond_br %is_low, ^read, ^done
  ^read:
    // STRICT: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected a wait::ld between the load and the first use
    // STRICT: note: rule H15:
    %sum = llvm.add %word, %columns : i32
    llvm.store %sum, %out : i32, !llvm.ptr
    llvm.br ^done
  ^done:
    // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected the load to be waited for before its columns are freed
    // CHECK: note: rule H2:
    nvvm.tcgen05.dealloc %p, %columns : !llvm.ptr<6>, i32
    llvm.return
  }

  // DEPENDENCE-NOT: rule H15
  llvm.func @right_row3(%out: !llvm.ptr) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
    %columns = llvm.mlir.constant(32 : i32) : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %word = nvvm.tcgen05.ld %p {shape = #s32x32b} : i32
    nvvm.tcgen05.wait <load>
    llvm.store %word, %out : i32, !llvm.ptr
    nvvm.tcgen05.dealloc %p, %columns : !llvm.ptr<6>, i32
    llvm.return
  }
}
