// RUN: tmem-opt %s --emulate-tcgen05 | FileCheck %s

// Flags: 1 for cta_group::2, 2 for .exclusive.

gpu.module @kernels {
  // CHECK-LABEL: @__tmem_emu_kernels_operations(
  // CHECK-SAME: %[[THREAD:.*]]: !llvm.ptr, %[[SLOT:.*]]: !llvm.ptr, %[[ADDRESS:.*]]: i32, %[[COLUMNS:.*]]: i32)
  // CHECK-DAG: %[[G1:.*]] = llvm.mlir.constant(0 : i32) : i32
  // CHECK-DAG: %[[G2:.*]] = llvm.mlir.constant(1 : i32) : i32
  // CHECK: llvm.call @tmemEmuAlloc(%[[THREAD]], %{{.*}}, %[[SLOT]], %[[COLUMNS]], %[[G1]])
  // CHECK: llvm.call @tmemEmuAlloc(%[[THREAD]], %{{.*}}, %[[SLOT]], %[[COLUMNS]], %[[G2]])
  // CHECK: llvm.call @tmemEmuRelinquish(%[[THREAD]], %{{.*}}, %[[G1]])
  // CHECK: llvm.call @tmemEmuRelinquish(%[[THREAD]], %{{.*}}, %[[G2]])
  // CHECK: llvm.call @tmemEmuDealloc(%[[THREAD]], %{{.*}}, %[[ADDRESS]], %[[COLUMNS]], %[[G1]])
  // CHECK: llvm.call @tmemEmuDealloc(%[[THREAD]], %{{.*}}, %[[ADDRESS]], %[[COLUMNS]], %[[G2]])
  llvm.func @operations(%slot: !llvm.ptr<3>, %address: !llvm.ptr<6>, %columns: i32) attributes {gpu.kernel} {
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    nvvm.tcgen05.alloc %slot, %columns {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i32
    nvvm.tcgen05.relinquish_alloc_permit
    nvvm.tcgen05.relinquish_alloc_permit {group = #nvvm.cta_group<cta_2>}
    nvvm.tcgen05.dealloc %address, %columns : !llvm.ptr<6>, i32
    nvvm.tcgen05.dealloc %address, %columns {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>, i32
    llvm.return
  }

  // CHECK-LABEL: @__tmem_emu_kernels_intrinsics(
  // CHECK-DAG: %[[G1:.*]] = llvm.mlir.constant(0 : i32) : i32
  // CHECK-DAG: %[[G2:.*]] = llvm.mlir.constant(1 : i32) : i32
  // CHECK: llvm.call @tmemEmuAlloc({{.*}}, %[[G1]])
  // CHECK: llvm.call @tmemEmuAlloc({{.*}}, %[[G2]])
  // CHECK: llvm.call @tmemEmuAlloc({{.*}}, %[[G1]])
  // CHECK: llvm.call @tmemEmuRelinquish({{.*}}, %[[G2]])
  // CHECK: llvm.call @tmemEmuDealloc({{.*}}, %[[G1]])
  llvm.func @intrinsics(%slot: !llvm.ptr<3>, %any: !llvm.ptr, %address: !llvm.ptr<6>, %columns: i32) attributes {gpu.kernel} {
    llvm.call_intrinsic "llvm.nvvm.tcgen05.alloc.shared.cg1"(%slot, %columns) : (!llvm.ptr<3>, i32) -> ()
    llvm.call_intrinsic "llvm.nvvm.tcgen05.alloc.shared.cg2"(%slot, %columns) : (!llvm.ptr<3>, i32) -> ()
    llvm.call_intrinsic "llvm.nvvm.tcgen05.alloc.cg1"(%any, %columns) : (!llvm.ptr, i32) -> ()
    llvm.call_intrinsic "llvm.nvvm.tcgen05.relinq.alloc.permit.cg2"() : () -> ()
    llvm.call_intrinsic "llvm.nvvm.tcgen05.dealloc.cg1"(%address, %columns) : (!llvm.ptr<6>, i32) -> ()
    llvm.return
  }

  // CHECK-LABEL: @__tmem_emu_kernels_ptx(
  // CHECK-SAME: %[[THREAD:.*]]: !llvm.ptr, %[[SLOT:.*]]: i32, %[[ADDRESS:.*]]: i32, %[[COLUMNS:.*]]: i32)
  // CHECK-DAG: %[[EXCLUSIVE:.*]] = llvm.mlir.constant(2 : i32) : i32
  // CHECK-DAG: %[[G1:.*]] = llvm.mlir.constant(0 : i32) : i32
  // CHECK-DAG: %[[C64:.*]] = llvm.mlir.constant(64 : i32) : i32
  // CHECK: %[[POINTER:.*]] = llvm.inttoptr %[[SLOT]] : i32 to !llvm.ptr
  // CHECK: llvm.call @tmemEmuAlloc(%[[THREAD]], %{{.*}}, %[[POINTER]], %[[COLUMNS]], %[[EXCLUSIVE]])
  // CHECK: llvm.call @tmemEmuAlloc(%[[THREAD]], %{{.*}}, %{{.*}}, %[[C64]], %[[G1]])
  // CHECK: llvm.call @tmemEmuRelinquish(%[[THREAD]], %{{.*}}, %[[G1]])
  // CHECK: llvm.call @tmemEmuDealloc(%[[THREAD]], %{{.*}}, %[[ADDRESS]], %[[COLUMNS]], %[[EXCLUSIVE]])
  llvm.func @ptx(%slot: i32, %address: i32, %columns: i32) attributes {gpu.kernel} {
    llvm.inline_asm has_side_effects "tcgen05.alloc.exclusive.cta_group::1.sync.aligned.shared::cta.b32 [$0], $1;", "r,r" %slot, %columns : (i32, i32) -> ()
    llvm.inline_asm has_side_effects "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$0], 64;", "r" %slot : (i32) -> ()
    llvm.inline_asm has_side_effects "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;", "" : () -> ()
    llvm.inline_asm has_side_effects "tcgen05.dealloc.exclusive.cta_group::1.sync.aligned.b32 $0, $1;", "r,r" %address, %columns : (i32, i32) -> ()
    llvm.return
  }
}

// CHECK: @__tmem_emu_sites_0([{{.*}}\00tcgen05.alloc\00
