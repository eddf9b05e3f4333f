// One instruction of the hardware for each of PTX, and no copies after the wait:
// 64 registers are loaded, and the same 64 stored.

// REQUIRES: ptxas-sm_100a, nvdisasm
// RUN: tmem-opt %tmem_src_root/examples/roundtrip.mlir --pass-pipeline='builtin.module(tmem-to-cubin)' | %python %tmem_src_root/utils/ptx-of.py --cubin -o %t.cubin
// RUN: %nvdisasm %t.cubin | FileCheck %s --implicit-check-not=LDTM --implicit-check-not=STTM

// CHECK: .text.roundtrip:
// CHECK-COUNT-8: LDG.E.ENL2.256
// CHECK: STTM.x64 tmem[UR{{[0-9]+}}], R{{[0-9]+}} ;
// CHECK: LDTM.x64 R{{[0-9]+}}, tmem[UR{{[0-9]+}}] ;
// CHECK-NOT: MOV R
// CHECK-COUNT-8: STG.E.ENL2.256
