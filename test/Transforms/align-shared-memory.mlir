// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(tmem-align-shared-memory))' | FileCheck %s
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{format=isa})' | FileCheck %s --check-prefix=PTX

// PTX-DAG: .shared .align 16 .b8 objects[32];
// PTX-DAG: .shared .align 8 .b8 stated[32];

gpu.module @kernels {
  // CHECK: @objects() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4 x i64>
  llvm.mlir.global internal @objects() {addr_space = 3 : i32} : !llvm.array<4 x i64>

  // CHECK: @stated() {addr_space = 3 : i32, alignment = 8 : i64}
  llvm.mlir.global internal @stated() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<4 x i64>

  // CHECK: @global_memory() {addr_space = 1 : i32} : !llvm.array<4 x i64>
  llvm.mlir.global internal @global_memory() {addr_space = 1 : i32} : !llvm.array<4 x i64>

  llvm.func @kernel(%i: i64, %value: i64) attributes {gpu.kernel, nvvm.kernel} {
    %objects = llvm.mlir.addressof @objects : !llvm.ptr<3>
    %stated = llvm.mlir.addressof @stated : !llvm.ptr<3>
    %a = llvm.getelementptr %objects[%i] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
    %b = llvm.getelementptr %stated[%i] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
    llvm.store volatile %value, %a : i64, !llvm.ptr<3>
    llvm.store volatile %value, %b : i64, !llvm.ptr<3>
    llvm.return
  }
}
