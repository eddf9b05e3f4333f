// One binary that fails leaves the others as they were.

// REQUIRES: ptxas-sm_100a
// RUN: not tmem-opt %s --pass-pipeline='builtin.module(tmem-assemble)' --mlir-print-ir-after-failure 2>&1 | FileCheck %s

// CHECK: error: 'gpu.binary' op @bad
// CHECK: gpu.binary @good
// CHECK-SAME: assembly = ".version
gpu.binary @good [#gpu.object<#nvvm.target<chip = "sm_100a">, assembly = ".version 8.8\0A.target sm_100a\0A.address_size 64\0A.visible .entry k() { ret; }">]
gpu.binary @bad [#gpu.object<#nvvm.target<chip = "sm_100a">, assembly = ".version 8.8\0A.target sm_100a\0A.address_size 64\0A.visible .entry k() { no.such.instruction; ret; }">]
