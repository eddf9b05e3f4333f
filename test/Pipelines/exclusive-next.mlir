// REQUIRES: ptxas-next-sm_107a
// RUN: tmem-opt %S/exclusive.mlir --pass-pipeline='builtin.module(tmem-to-cubin{ptxas=%ptxas_next})' | FileCheck %s -DCHIP=sm_100a
// RUN: tmem-opt %S/exclusive.mlir --pass-pipeline='builtin.module(tmem-to-cubin{ptxas=%ptxas_next chip=sm_107a})' | FileCheck %s -DCHIP=sm_107a
// RUN: tmem-opt %S/exclusive.mlir --pass-pipeline='builtin.module(tmem-to-cubin{ptxas=%ptxas_next chip=sm_110f})' | FileCheck %s -DCHIP=sm_110f

// CHECK: chip = "[[CHIP]]"
// CHECK-SAME: bin = "\7FELF
