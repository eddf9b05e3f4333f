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

// CHECK: llvm.mlir.global internal constant @[[OP:__tmem_emu_string.*]]("nvvm.barrier0\00")
// CHECK: llvm.mlir.global internal constant @[[A:__tmem_emu_string.*]]("a.mlir\00")
// CHECK: llvm.mlir.global internal constant @__tmem_emu_site_0()
// CHECK: llvm.mlir.addressof @[[OP]] :
// CHECK: llvm.mlir.addressof @[[A]] :
// CHECK: llvm.mlir.constant(1 : i32)
// CHECK: llvm.mlir.constant(2 : i32)
// CHECK: llvm.mlir.global internal constant @[[CALLEE:__tmem_emu_string.*]]("callee.mlir\00")
// CHECK: llvm.mlir.global internal constant @__tmem_emu_site_1()
// CHECK: llvm.mlir.addressof @[[OP]] :
// CHECK: llvm.mlir.addressof @[[CALLEE]] :
// CHECK: llvm.mlir.constant(3 : i32)
// CHECK: llvm.mlir.constant(4 : i32)
// CHECK: @[[B:__tmem_emu_string.*]]("b.mlir\00")
// CHECK: llvm.mlir.global internal constant @__tmem_emu_site_2()
// CHECK: llvm.mlir.addressof @[[B]] :
// CHECK: llvm.mlir.constant(7 : i32)
// CHECK: llvm.mlir.constant(8 : i32)
// CHECK: llvm.mlir.global internal constant @__tmem_emu_site_3()
// CHECK: llvm.mlir.addressof @[[OP]] :
// CHECK: llvm.mlir.addressof @[[A]] :
// CHECK: llvm.mlir.constant(9 : i32)
// CHECK: llvm.mlir.global internal constant @__tmem_emu_site_4()
// CHECK: llvm.mlir.addressof @[[OP]] :
// CHECK: llvm.mlir.zero : !llvm.ptr
// CHECK: llvm.mlir.constant(0 : i32)
