// Where nothing comes to, an operation may be computed from itself.
//
// RUN: tmem-opt %s --emulate-tcgen05=mode=device | FileCheck %s
// RUN: tmem-opt %s --emulate-tcgen05=mode=host -o /dev/null

gpu.module @kernels {
  // CHECK-LABEL: llvm.func @registers
  // CHECK-NOT: llvm.inline_asm
  llvm.func @registers() attributes {nvvm.kernel} {
    llvm.return
  ^unreachable:
    %a = llvm.inline_asm "mov.b32 $0, $1;", "=r,r" %b : (i32) -> i32
    %b = llvm.inline_asm "mov.b32 $0, $1;", "=r,r" %a : (i32) -> i32
    llvm.br ^unreachable
  }

  // CHECK-LABEL: llvm.func @pointers
  llvm.func @pointers(%value: i32) attributes {nvvm.kernel} {
    llvm.return
  ^unreachable:
    %a = llvm.getelementptr %b[1] : (!llvm.ptr) -> !llvm.ptr, i32
    %b = llvm.getelementptr %a[1] : (!llvm.ptr) -> !llvm.ptr, i32
    llvm.store %value, %b : i32, !llvm.ptr
    llvm.br ^unreachable
  }

  // CHECK-LABEL: llvm.func @structs
  llvm.func @structs(%value: i32, %pointer: !llvm.ptr) attributes {nvvm.kernel} {
    llvm.return
  ^unreachable:
    %a = llvm.insertvalue %pointer, %b[1] : !llvm.struct<(ptr, ptr)>
    %b = llvm.insertvalue %pointer, %a[1] : !llvm.struct<(ptr, ptr)>
    %p = llvm.extractvalue %b[0] : !llvm.struct<(ptr, ptr)>
    llvm.store %value, %p : i32, !llvm.ptr
    llvm.br ^unreachable
  }
}
