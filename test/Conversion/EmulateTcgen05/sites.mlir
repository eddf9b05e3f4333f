// RUN: tmem-opt %s --emulate-tcgen05 | FileCheck %s

// Each operation has a site with its name and where it was written.

gpu.module @kernels {
  llvm.func @k() attributes {gpu.kernel} {
    nvvm.barrier0 loc("a.mlir":1:2)
    nvvm.barrier0 loc(callsite("callee.mlir":3:4 at "caller.mlir":5:6))
    nvvm.barrier0 loc(fused["name", "b.mlir":7:8])
    nvvm.barrier0 loc("name"("a.mlir":9:10))
    nvvm.barrier0 loc(unknown)
    llvm.return
  }
}

// Two numbers say how far behind it its strings lie; then come line and column.
// The last one is of the kernel.

// CHECK: llvm.func internal @__tmem_emu_kernels_k(
// CHECK: %[[SITES:.*]] = llvm.mlir.addressof @__tmem_emu_sites_0 : !llvm.ptr
// CHECK-NOT: addressof
// CHECK: %[[SITE0:.*]] = llvm.getelementptr inbounds %[[SITES]][0] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x i32>
// CHECK: llvm.call @tmemEmuBarrier(%{{.*}}, %[[SITE0]],
// CHECK: %[[SITE1:.*]] = llvm.getelementptr inbounds %[[SITES]][1] :
// CHECK: llvm.call @tmemEmuBarrier(%{{.*}}, %[[SITE1]],

// CHECK: llvm.mlir.global internal constant @__tmem_emu_sites_0([dense<{{\[\[}}96, 110, 1, 2], [80, 101, 3, 4], [64, 97, 7, 8], [48, 62, 9, 10], [32, 0, 0, 0], [56, 63, {{[0-9]+}}, 3]]> : tensor<6x4xi32>,
// CHECK-SAME: "nvvm.barrier0\00a.mlir\00callee.mlir\00b.mlir\00kernel\00
// CHECK-SAME: {addr_space = 0 : i32, alignment = 8 : i64} : !llvm.struct<(array<6 x array<4 x i32>>, array<
