// RUN: tmem-opt %s --emulate-tcgen05 --split-input-file | FileCheck %s

// A binary that names the module takes its place; kernels are registered before
// it is loaded.

module attributes {gpu.container_module} {
  // CHECK: gpu.binary @kernels [#gpu.object<#nvvm.target<chip = "sm_103f">, bin = "tmem-emulation:kernels">]
  gpu.module @kernels [#nvvm.target<chip = "sm_103f">] {
    // CHECK: llvm.func internal @__tmem_emu_kernels_k(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr {llvm.align = 16 : i64}, %{{.*}}: i64, %{{.*}}: vector<4xf32>, %{{.*}}: i32) {
    llvm.func @k(%a: !llvm.ptr<1> {llvm.align = 16 : i64}, %b: i64, %c: vector<4xf32>, %d: !llvm.ptr<6>) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>, nvvm.maxntid = array<i32: 128, 2>, nvvm.maxnreg = 64 : i32, nvvm.cluster_dim = array<i32: 2, 1, 1>, nvvm.cluster_max_blocks = 6 : i32} {
      llvm.return
    }
    // CHECK: llvm.func internal @__tmem_emu_kernels_plain(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) {
    llvm.func @plain(%p: !llvm.ptr {llvm.byval = !llvm.struct<(i32, i32)>}) attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
  }
  func.func @launch(%n: index, %a: !llvm.ptr) {
    gpu.launch_func @kernels::@plain blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%a : !llvm.ptr)
    return
  }
}

// CHECK: llvm.func internal @[[ENTRY:__tmem_emu_kernels_k_entry]](%[[THREAD:.*]]: !llvm.ptr, %[[PARAMS:.*]]: !llvm.ptr) {
// CHECK: %[[SLOT:.*]] = llvm.getelementptr %[[PARAMS]][0] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK: %[[ADDRESS:.*]] = llvm.load %[[SLOT]] : !llvm.ptr -> !llvm.ptr
// CHECK: %[[A:.*]] = llvm.load %[[ADDRESS]] : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.getelementptr %[[PARAMS]][1]
// CHECK: %[[B:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK: llvm.getelementptr %[[PARAMS]][2]
// CHECK: %[[C:.*]] = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK: llvm.getelementptr %[[PARAMS]][3]
// CHECK: %[[D:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i32
// CHECK: llvm.call @__tmem_emu_kernels_k(%[[THREAD]], %[[A]], %[[B]], %[[C]], %[[D]])

// What is passed by value is a copy.

// CHECK: llvm.func internal @__tmem_emu_kernels_plain_entry(
// CHECK: %[[VALUE:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.struct<(i32, i32)>
// CHECK: %[[COPY:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(i32, i32)>
// CHECK: llvm.store %[[VALUE]], %[[COPY]]
// CHECK: llvm.call @__tmem_emu_kernels_plain(%{{.*}}, %[[COPY]])

// CHECK-DAG: @[[MODULE:__tmem_emu_string.*]]("kernels\00")
// CHECK-DAG: @[[NAME:__tmem_emu_string.*]]("k\00")
// CHECK-DAG: @[[CHIP:__tmem_emu_string.*]]("sm_103f\00")
// CHECK: llvm.mlir.global internal constant @__tmem_emu_kernels_k_kernel() {{.*}} : !llvm.struct<(ptr, ptr, ptr, ptr, i64, i64, i64, array<3 x i32>, i32, i32, array<3 x i32>, ptr, i32, i32, i64)> {
// CHECK: addressof @[[MODULE]] :
// CHECK: addressof @[[NAME]] :
// CHECK: addressof @[[ENTRY]] :
// CHECK: %[[SITES:.*]] = llvm.mlir.addressof @__tmem_emu_sites_0 :
// CHECK: getelementptr inbounds %[[SITES]][0] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x i32>
// CHECK: constant(4 : i64)
// CHECK: insertvalue %{{.*}}[4]
// CHECK: constant(dense<[128, 1, 1]> : tensor<3xi32>)
// CHECK: insertvalue %{{.*}}[7]
// CHECK: constant(256 : i32)
// CHECK: insertvalue %{{.*}}[8]
// CHECK: constant(64 : i32)
// CHECK: insertvalue %{{.*}}[9]
// CHECK: constant(dense<[2, 1, 1]> : tensor<3xi32>)
// CHECK: insertvalue %{{.*}}[10]
// CHECK: addressof @[[CHIP]] :
// CHECK: constant(512 : i32)
// CHECK: insertvalue %{{.*}}[12]
// CHECK: constant(512 : i32)
// CHECK: insertvalue %{{.*}}[13]
// CHECK: constant(6 : i64)
// CHECK: insertvalue %{{.*}}[14]

// Without attributes there are zeros.

// CHECK: @__tmem_emu_kernels_plain_kernel()
// CHECK: constant(dense<0> : tensor<3xi32>)
// CHECK: insertvalue %{{.*}}[7]
// CHECK: constant(0 : i32)
// CHECK: insertvalue %{{.*}}[8]

// CHECK: llvm.func internal @[[REGISTER:__tmem_emu_register]]() {
// CHECK-NEXT: %[[K:.*]] = llvm.mlir.addressof @__tmem_emu_kernels_k_kernel : !llvm.ptr
// CHECK-NEXT: llvm.call @tmemEmuRegister(%[[K]]) : (!llvm.ptr) -> ()
// CHECK-NEXT: %[[K:.*]] = llvm.mlir.addressof @__tmem_emu_kernels_plain_kernel : !llvm.ptr
// CHECK-NEXT: llvm.call @tmemEmuRegister(%[[K]]) : (!llvm.ptr) -> ()
// CHECK-NEXT: llvm.return
// CHECK: llvm.mlir.global_ctors ctors = [@[[REGISTER]]], priorities = [101 : i32], data = [#llvm.zero]

// -----

// Names that would collide get numbers; one constructor serves all modules.

// CHECK-DAG: gpu.binary @a_b
// CHECK-DAG: gpu.binary @a
// CHECK-DAG: llvm.func internal @__tmem_emu_a_b_c(
// CHECK-DAG: llvm.func internal @__tmem_emu_a_b_c_0(
// CHECK-DAG: llvm.func @__tmem_emu_a_d()
// CHECK-DAG: llvm.func internal @__tmem_emu_a_d_0(
// CHECK-DAG: llvm.func internal @__tmem_emu_a_e_0(
// CHECK-DAG: llvm.func internal @__tmem_emu_a_e_0_entry(
// CHECK-DAG: llvm.func internal @__tmem_emu_a_e_entry(
// CHECK-DAG: @__tmem_emu_a_b_c_kernel()
// CHECK-DAG: @__tmem_emu_a_b_c_0_kernel()
// CHECK: llvm.mlir.global_ctors
// CHECK-NOT: llvm.mlir.global_ctors
gpu.module @a_b {
  llvm.func @c() attributes {gpu.kernel} {
    llvm.return
  }
}
gpu.module @a {
  llvm.func @b_c() attributes {gpu.kernel} {
    llvm.return
  }
  llvm.func @d() attributes {gpu.kernel} {
    llvm.return
  }
  llvm.func @e_entry() {
    llvm.return
  }
  llvm.func @e() attributes {gpu.kernel} {
    llvm.return
  }
}
llvm.func @__tmem_emu_a_d()

// -----

// Nothing to do.

// CHECK-LABEL: func @no_kernels
// CHECK-NOT: global_ctors
func.func @no_kernels() {
  return
}
