// RUN: tmem-opt %s --convert-tmem-to-nvvm | FileCheck %s

!slot = memref<1xi32, #gpu.address_space<workgroup>>

// CHECK-LABEL: gpu.func @memref_slot(
// CHECK-SAME: workgroup(%[[SLOT:.*]] : memref
// CHECK: %[[INDEX:.*]] = memref.extract_aligned_pointer_as_index %[[SLOT]]
// CHECK: %[[ADDRESS:.*]] = arith.index_cast %[[INDEX]] : index to i64
// CHECK: %[[POINTER:.*]] = llvm.inttoptr %[[ADDRESS]] : i64 to !llvm.ptr<3>
// CHECK: %[[COLUMNS:.*]] = llvm.mlir.constant(64 : i32) : i32
// CHECK: llvm.call_intrinsic "llvm.nvvm.tcgen05.alloc.shared.cg1"(%[[POINTER]], %[[COLUMNS]]) : (!llvm.ptr<3>, i32) -> ()
// CHECK-NEXT: gpu.return
gpu.module @kernels {
  gpu.func @memref_slot() workgroup(%slot : !slot) kernel {
    tmem.alloc %slot, 64 : !slot
    gpu.return
  }
}

// CHECK-LABEL: func @pointer_slot(
// CHECK-SAME: %[[SLOT:.*]]: !llvm.ptr<3>, %[[COLUMNS:.*]]: i32)
// CHECK-NEXT: llvm.call_intrinsic "llvm.nvvm.tcgen05.alloc.shared.cg2"(%[[SLOT]], %[[COLUMNS]])
func.func @pointer_slot(%slot: !llvm.ptr<3>, %columns: i32) {
  tmem.alloc %slot, %columns cta_group(2) : !llvm.ptr<3>
  return
}

// The slot is the first element of the memref, wherever that is.

!second = memref<1xi32, strided<[1], offset: 1>, #gpu.address_space<workgroup>>

// CHECK-LABEL: func @slot_with_offset(
// CHECK-SAME: %[[SLOT:.*]]: memref
// CHECK: %[[POINTER:.*]] = llvm.inttoptr
// CHECK: %{{.*}}, %[[OFFSET:.*]], %{{.*}}, %{{.*}} = memref.extract_strided_metadata %[[SLOT]]
// CHECK: %[[ELEMENTS:.*]] = arith.index_cast %[[OFFSET]] : index to i64
// CHECK: %[[MOVED:.*]] = llvm.getelementptr %[[POINTER]][%[[ELEMENTS]]] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i32
// CHECK: "llvm.nvvm.tcgen05.alloc.shared.cg1"(%[[MOVED]],
func.func @slot_with_offset(%slot: !second) {
  tmem.alloc %slot, 64 : !second
  return
}

// Freeing takes the address as it is, with no slab added.

// CHECK-LABEL: func @free(
// CHECK-SAME: %[[BASE:.*]]: i32, %[[COLUMNS:.*]]: i32)
// CHECK-DAG: %[[POINTER:.*]] = llvm.inttoptr %[[BASE]] : i32 to !llvm.ptr<6>
// CHECK-DAG: %[[C32:.*]] = llvm.mlir.constant(32 : i32) : i32
// CHECK: llvm.call_intrinsic "llvm.nvvm.tcgen05.dealloc.cg1"(%[[POINTER]], %[[C32]]) : (!llvm.ptr<6>, i32) -> ()
// CHECK: llvm.call_intrinsic "llvm.nvvm.tcgen05.dealloc.cg2"(%{{.*}}, %[[COLUMNS]])
func.func @free(%base: i32, %columns: i32) {
  tmem.dealloc %base, 32
  tmem.dealloc %base, %columns cta_group(2)
  return
}

// CHECK-LABEL: func @relinquish(
// CHECK: llvm.call_intrinsic "llvm.nvvm.tcgen05.relinq.alloc.permit.cg1"() : () -> ()
// CHECK: llvm.call_intrinsic "llvm.nvvm.tcgen05.relinq.alloc.permit.cg2"() : () -> ()
func.func @relinquish() {
  tmem.relinquish_alloc_permit
  tmem.relinquish_alloc_permit cta_group(2)
  return
}

// LLVM 22 has no intrinsics for exclusive allocations. The attribute makes the
// calls convergent.

// CHECK-LABEL: func @exclusive(
// CHECK-SAME: %[[SLOT:.*]]: !llvm.ptr<3>, %[[BASE:.*]]: i32)
// CHECK: %[[COLUMNS:.*]] = llvm.mlir.constant(96 : i32) : i32
// CHECK: llvm.inline_asm has_side_effects {tmem.convergent} "tcgen05.alloc.exclusive.cta_group::1.sync.aligned.shared::cta.b32 [$0], $1;", "l,r,~{memory}" %[[SLOT]], %[[COLUMNS]] : (!llvm.ptr<3>, i32) -> ()
// CHECK: %[[COLUMNS:.*]] = llvm.mlir.constant(96 : i32) : i32
// CHECK: llvm.inline_asm has_side_effects {tmem.convergent} "tcgen05.dealloc.exclusive.cta_group::1.sync.aligned.b32 $0, $1;", "r,r,~{memory}" %[[BASE]], %[[COLUMNS]] : (i32, i32) -> ()
func.func @exclusive(%slot: !llvm.ptr<3>, %base: i32) {
  tmem.alloc exclusive %slot, 96 : !llvm.ptr<3>
  tmem.dealloc exclusive %base, 96
  return
}

// CHECK-LABEL: func @exclusive_pair(
// CHECK: "tcgen05.alloc.exclusive.cta_group::2.sync.aligned.shared::cta.b32 [$0], $1;"
// CHECK: "tcgen05.dealloc.exclusive.cta_group::2.sync.aligned.b32 $0, $1;"
func.func @exclusive_pair(%slot: !llvm.ptr<3>, %base: i32) {
  tmem.alloc exclusive %slot, 96 cta_group(2) : !llvm.ptr<3>
  tmem.dealloc exclusive %base, 96 cta_group(2)
  return
}
