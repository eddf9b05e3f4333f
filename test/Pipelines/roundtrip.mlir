// One store and one load of a warp, on every chip that this ptxas knows.

// REQUIRES: ptxas-sm_100a, ptxas-sm_100f, ptxas-sm_103a, ptxas-sm_103f, ptxas-sm_110a, ptxas-sm_110f
// RUN: tmem-opt %tmem_src_root/examples/roundtrip.mlir --pass-pipeline='builtin.module(tmem-to-cubin)' | FileCheck %s -DCHIP=sm_100a
// RUN: tmem-opt %tmem_src_root/examples/roundtrip.mlir --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_100f})' | FileCheck %s -DCHIP=sm_100f
// RUN: tmem-opt %tmem_src_root/examples/roundtrip.mlir --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_103a})' | FileCheck %s -DCHIP=sm_103a
// RUN: tmem-opt %tmem_src_root/examples/roundtrip.mlir --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_103f})' | FileCheck %s -DCHIP=sm_103f
// RUN: tmem-opt %tmem_src_root/examples/roundtrip.mlir --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_110a})' | FileCheck %s -DCHIP=sm_110a
// RUN: tmem-opt %tmem_src_root/examples/roundtrip.mlir --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_110f})' | FileCheck %s -DCHIP=sm_110f

// At every level.

// RUN: tmem-opt %tmem_src_root/examples/roundtrip.mlir --pass-pipeline='builtin.module(tmem-to-cubin{opt-level=1})' | FileCheck %s -DCHIP=sm_100a
// RUN: tmem-opt %tmem_src_root/examples/roundtrip.mlir --pass-pipeline='builtin.module(tmem-to-cubin{opt-level=2})' | FileCheck %s -DCHIP=sm_100a

// CHECK: gpu.binary @kernels
// CHECK-SAME: chip = "[[CHIP]]"
// CHECK-SAME: ptxas = {roundtrip = {registers = {{[0-9]+}} : i64, shared = 4 : i64, spill_loads = 0 : i64, spill_stores = 0 : i64, stack = 0 : i64}}
// CHECK-SAME: bin = "\7FELF
