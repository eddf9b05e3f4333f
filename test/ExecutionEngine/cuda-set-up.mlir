// The CUDA library loads without CUDA, and says what to use instead when a
// program wants a GPU that is not there.

// RUN: env TMEM_CUDA_DRIVER=/nowhere/libcuda.so.1 %exits_2 mlir-runner %s --entry-point-result=void --shared-libs=%tmem_lib_dir/libtmem_cuda_runtime.so 2>&1 | FileCheck %s --check-prefix=DRIVER

// DRIVER: tmem cuda: error: no NVIDIA driver (/nowhere/libcuda.so.1: cannot open shared object file
// DRIVER-SAME: run on the CPU instead: load libtmem_emulation_runtime.so in place of this library (tmem-run --on=cpu)

llvm.func @mgpuModuleLoad(!llvm.ptr, i64) -> !llvm.ptr

llvm.mlir.global internal constant @binary(".version 8.0\0A.target sm_75\0A\00")

llvm.func @main() {
  %binary = llvm.mlir.addressof @binary : !llvm.ptr
  %size = llvm.mlir.constant(28 : i64) : i64
  %module = llvm.call @mgpuModuleLoad(%binary, %size) : (!llvm.ptr, i64) -> !llvm.ptr
  llvm.return
}
