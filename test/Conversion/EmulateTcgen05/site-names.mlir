// RUN: tmem-opt %s --emulate-tcgen05 | FileCheck %s

// The names of tables of sites are new, also beside those of an earlier run and
// of kernels.

// CHECK-DAG: llvm.mlir.global internal constant @__tmem_emu_sites_1(7 : i32)
llvm.mlir.global internal constant @__tmem_emu_sites_1(7 : i32) {addr_space = 0 : i32} : i32

// CHECK-LABEL: llvm.func internal @__tmem_emu_first_k(
// CHECK: llvm.mlir.addressof @__tmem_emu_sites_0 :
gpu.module @first {
  llvm.func @k() attributes {gpu.kernel} {
    nvvm.barrier0
    llvm.return
  }
}

// CHECK-DAG: llvm.mlir.global internal constant @__tmem_emu_sites_0([
// CHECK-LABEL: llvm.func internal @__tmem_emu_sites_2_0(
// CHECK: llvm.mlir.addressof @__tmem_emu_sites_2 :
// CHECK-DAG: llvm.mlir.global internal constant @__tmem_emu_sites_2([
gpu.module @sites {
  llvm.func @"2"() attributes {gpu.kernel} {
    nvvm.barrier0
    llvm.return
  }
}
