// From stock mlir-opt to a cubin, in one pipeline and pass by pass.

// REQUIRES: ptxas-sm_100a
// RUN: mlir-opt %tmem_src_root/examples/roundtrip.mlir --load-dialect-plugin=%tmem_plugin --load-pass-plugin=%tmem_plugin --pass-pipeline='builtin.module(tmem-to-cubin)' | FileCheck %s --check-prefixes=CHECK,COUNTS
// RUN: mlir-opt %tmem_src_root/examples/roundtrip.mlir --load-dialect-plugin=%tmem_plugin --load-pass-plugin=%tmem_plugin --pass-pipeline='builtin.module(gpu.module(convert-scf-to-cf,convert-tmem-to-nvvm,convert-gpu-to-nvvm,reconcile-unrealized-casts),nvvm-attach-target{chip=sm_100a features=+ptx88 O=3},gpu-module-to-binary{format=isa},tmem-assemble)' | FileCheck %s --check-prefixes=CHECK,COUNTS

// Upstream's own last step, with no check of the PTX.

// RUN: mlir-opt %tmem_src_root/examples/roundtrip.mlir --load-dialect-plugin=%tmem_plugin --pass-pipeline='builtin.module(gpu.module(convert-scf-to-cf,convert-gpu-to-nvvm,reconcile-unrealized-casts),nvvm-attach-target{chip=sm_100a features=+ptx88 O=3},gpu-module-to-binary{format=bin})' | FileCheck %s

// CHECK: gpu.binary @kernels [#gpu.object<#nvvm.target<O = 3, chip = "sm_100a", features = "+ptx88">
// COUNTS-SAME: ptxas = {roundtrip = {registers = {{[0-9]+}} : i64, shared = 4 : i64, spill_loads = 0 : i64, spill_stores = 0 : i64, stack = 0 : i64}}
// CHECK-SAME: bin = "\7FELF
