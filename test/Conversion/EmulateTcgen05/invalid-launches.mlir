// RUN: tmem-opt %s --emulate-tcgen05 --split-input-file --verify-diagnostics

// What the verifier of a launch leaves open.

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // expected-note @below {{the kernel}}
    llvm.func @k(%p: !llvm.ptr, %q: !llvm.ptr, %offset: i64, %size: i64, %stride: i64, %n: i32) attributes {gpu.kernel} {
      llvm.return
    }
  }
  func.func @main(%c: index, %m: memref<4xf32>, %n: i32) {
    // As a descriptor.
    gpu.launch_func @kernels::@k blocks in (%c, %c, %c) threads in (%c, %c, %c) args(%m : memref<4xf32>, %n : i32)
    // expected-error @below {{'gpu.launch_func' op expected operands for the 6 arguments of @k, but got operands for 7}}
    gpu.launch_func @kernels::@k blocks in (%c, %c, %c) threads in (%c, %c, %c) args(%m : memref<4xf32>, %n : i32, %n : i32)
    return
  }
}
