// REQUIRES: ptxas
// The example of a matrix product through the whole pipeline: the loop of four mma and
// that of the epilogue are unrolled, and each load is under way while what the one
// before it brought is stored.

// RUN: tmem-opt %tmem_src_root/examples/matmul.mlir --pass-pipeline='builtin.module(tmem-to-cubin)' | FileCheck %s
// RUN: tmem-opt %tmem_src_root/examples/matmul.mlir --pass-pipeline='builtin.module(tmem-to-cubin{format=isa})' | %python %tmem_src_root/utils/ptx-of.py | FileCheck %s --check-prefix=PTX

// CHECK: gpu.binary @kernels {{.*}}matmul

// PTX-COUNT-4: tcgen05.mma.cta_group::1.kind::f16
// PTX-NOT: tcgen05.mma
// PTX:     tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64
// PTX:     tcgen05.ld.sync.aligned.32x32b.x16.b32
// PTX:     tcgen05.wait::ld
// PTX:     tcgen05.ld.sync.aligned.32x32b.x16.b32
// PTX-NOT: tcgen05.wait::ld
// PTX:     st.global.v4.b64
// PTX:     tcgen05.wait::ld
// PTX:     tcgen05.ld.sync.aligned.32x32b.x16.b32
// PTX-NOT: tcgen05.wait::ld
// PTX:     st.global.v4.b64
// PTX:     tcgen05.wait::ld
// PTX:     tcgen05.ld.sync.aligned.32x32b.x16.b32
// PTX-NOT: tcgen05.wait::ld
// PTX:     st.global.v4.b64
// PTX:     tcgen05.wait::ld
// PTX-NOT: tcgen05.ld
// PTX:     st.global.v4.b64
