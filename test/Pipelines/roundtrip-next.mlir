// The newer ptxas knows all eight chips.

// REQUIRES: ptxas-next-sm_107a
// RUN: tmem-opt %tmem_src_root/examples/roundtrip.mlir --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_100a ptxas=%ptxas_next})' | FileCheck %s -DCHIP=sm_100a
// RUN: tmem-opt %tmem_src_root/examples/roundtrip.mlir --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_100f ptxas=%ptxas_next})' | FileCheck %s -DCHIP=sm_100f
// RUN: tmem-opt %tmem_src_root/examples/roundtrip.mlir --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_103a ptxas=%ptxas_next})' | FileCheck %s -DCHIP=sm_103a
// RUN: tmem-opt %tmem_src_root/examples/roundtrip.mlir --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_103f ptxas=%ptxas_next})' | FileCheck %s -DCHIP=sm_103f
// RUN: tmem-opt %tmem_src_root/examples/roundtrip.mlir --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_107a ptxas=%ptxas_next})' | FileCheck %s -DCHIP=sm_107a
// RUN: tmem-opt %tmem_src_root/examples/roundtrip.mlir --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_107f ptxas=%ptxas_next})' | FileCheck %s -DCHIP=sm_107f
// RUN: tmem-opt %tmem_src_root/examples/roundtrip.mlir --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_110a ptxas=%ptxas_next})' | FileCheck %s -DCHIP=sm_110a
// RUN: tmem-opt %tmem_src_root/examples/roundtrip.mlir --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_110f ptxas=%ptxas_next})' | FileCheck %s -DCHIP=sm_110f

// CHECK: chip = "[[CHIP]]"
// CHECK-SAME: roundtrip = {registers = {{[0-9]+}} : i64, shared = 4 : i64, spill_loads = 0 : i64, spill_stores = 0 : i64, stack = 0 : i64}
// CHECK-SAME: bin = "\7FELF
