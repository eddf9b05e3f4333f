// The operations of NVVM in a kernel compile for every chip, though MLIR's verifier
// refuses them for any but sm_100a once a target is attached.

// REQUIRES: ptxas
// RUN: tmem-opt %tmem_src_root/examples/matmul.mlir --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_100f})' | FileCheck %s -DCHIP=sm_100f
// RUN: tmem-opt %tmem_src_root/examples/matmul.mlir --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_103a})' | FileCheck %s -DCHIP=sm_103a
// RUN: tmem-opt %tmem_src_root/examples/matmul.mlir --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_103f})' | FileCheck %s -DCHIP=sm_103f
// RUN: tmem-opt %tmem_src_root/examples/matmul.mlir --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_110a})' | FileCheck %s -DCHIP=sm_110a
// RUN: tmem-opt %tmem_src_root/examples/matmul.mlir --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_110f})' | FileCheck %s -DCHIP=sm_110f
// RUN: %if ptxas-next-sm_107a %{ tmem-opt %tmem_src_root/examples/matmul.mlir --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_107a ptxas=%ptxas_next})' | FileCheck %s -DCHIP=sm_107a %}
// RUN: %if ptxas-next-sm_107a %{ tmem-opt %tmem_src_root/examples/matmul.mlir --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_107f ptxas=%ptxas_next})' | FileCheck %s -DCHIP=sm_107f %}

// CHECK: gpu.binary @kernels {{.*}}#nvvm.target<{{.*}}chip = "[[CHIP]]"
