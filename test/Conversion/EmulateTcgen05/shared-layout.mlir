// RUN: tmem-opt %s --emulate-tcgen05 | FileCheck %s

// Variables that one kernel alone uses share addresses with those of other
// kernels; what several use comes first. Dynamic shared memory starts behind all
// of them, at one place for all kernels that use it.

gpu.module @kernels {
  llvm.mlir.global internal @common() {addr_space = 3 : i32} : !llvm.array<10 x i32>
  llvm.mlir.global internal @of_a() {addr_space = 3 : i32} : !llvm.array<100 x i8>
  llvm.mlir.global internal @of_b() {addr_space = 3 : i32, alignment = 64 : i64} : !llvm.array<3 x i64>
  llvm.mlir.global external @dynamic() {addr_space = 3 : i32, alignment = 32 : i64} : !llvm.array<0 x i8>

  llvm.func @use_common() -> !llvm.ptr<3> {
    %p = llvm.mlir.addressof @common : !llvm.ptr<3>
    llvm.return %p : !llvm.ptr<3>
  }

  // CHECK-LABEL: @__tmem_emu_kernels_a(
  // CHECK-DAG: %[[STATIC:.*]] = llvm.mlir.constant(40 : i64) : i64
  // CHECK-DAG: %[[DYNAMIC:.*]] = llvm.mlir.constant(192 : i64) : i64
  // CHECK: llvm.add %{{.*}}, %[[STATIC]]
  // CHECK: llvm.add %{{.*}}, %[[DYNAMIC]]
  llvm.func @a(%out: !llvm.ptr) attributes {gpu.kernel} {
    %c = llvm.call @use_common() : () -> !llvm.ptr<3>
    llvm.store %c, %out : !llvm.ptr<3>, !llvm.ptr
    %p = llvm.mlir.addressof @of_a : !llvm.ptr<3>
    llvm.store %p, %out : !llvm.ptr<3>, !llvm.ptr
    %d = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
    llvm.store %d, %out : !llvm.ptr<3>, !llvm.ptr
    llvm.return
  }

  // CHECK-LABEL: @__tmem_emu_kernels_b(
  // CHECK: %[[OFFSET:.*]] = llvm.mlir.constant(64 : i64) : i64
  // CHECK: llvm.add %{{.*}}, %[[OFFSET]]
  llvm.func @b(%out: !llvm.ptr) attributes {gpu.kernel} {
    %c = llvm.call @use_common() : () -> !llvm.ptr<3>
    llvm.store %c, %out : !llvm.ptr<3>, !llvm.ptr
    %p = llvm.mlir.addressof @of_b : !llvm.ptr<3>
    llvm.store %p, %out : !llvm.ptr<3>, !llvm.ptr
    llvm.return
  }

  // Nothing but what all of the module have in common.
  llvm.func @c() attributes {gpu.kernel} {
    llvm.return
  }
}

// CHECK-NOT: addr_space = 3

// The sixth and seventh field: bytes before dynamic shared memory, and its
// alignment.

// CHECK-LABEL: @__tmem_emu_kernels_a_kernel()
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(192 : i64) : i64
// CHECK: llvm.insertvalue %[[BYTES]], %{{.*}}[5]
// CHECK: %[[ALIGN:.*]] = llvm.mlir.constant(64 : i64) : i64
// CHECK: llvm.insertvalue %[[ALIGN]], %{{.*}}[6]
// CHECK-LABEL: @__tmem_emu_kernels_b_kernel()
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(128 : i64) : i64
// CHECK: llvm.insertvalue %[[BYTES]], %{{.*}}[5]
// CHECK-LABEL: @__tmem_emu_kernels_c_kernel()
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(64 : i64) : i64
// CHECK: llvm.insertvalue %[[BYTES]], %{{.*}}[5]
