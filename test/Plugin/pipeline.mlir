// The pass plugin brings its passes and the pipeline to stock mlir-opt.

// RUN: mlir-opt %tmem_src_root/examples/roundtrip.mlir --load-dialect-plugin=%tmem_plugin --load-pass-plugin=%tmem_plugin --pass-pipeline='builtin.module(tmem-to-cubin{chip=sm_103f format=isa opt-level=2})' | FileCheck %s
// RUN: mlir-opt %tmem_src_root/examples/roundtrip.mlir --load-dialect-plugin=%tmem_plugin --load-pass-plugin=%tmem_plugin --pass-pipeline='builtin.module(gpu.module(convert-scf-to-cf,convert-tmem-to-nvvm,convert-gpu-to-nvvm,reconcile-unrealized-casts),nvvm-attach-target{chip=sm_103f features=+ptx88 O=2},gpu-module-to-binary{format=isa},tmem-assemble{format=isa})' | FileCheck %s

// CHECK: gpu.binary @kernels [#gpu.object<#nvvm.target<chip = "sm_103f", features = "+ptx88">
// CHECK-SAME: .version 8.8
// CHECK-SAME: .target sm_103f
// CHECK-SAME: tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32
// CHECK-SAME: tcgen05.st.sync.aligned.32x32b.x64.b32
// CHECK-SAME: tcgen05.wait::st.sync.aligned
// CHECK-SAME: tcgen05.ld.sync.aligned.32x32b.x64.b32
// CHECK-SAME: tcgen05.wait::ld.sync.aligned
// CHECK-SAME: tcgen05.dealloc.cta_group::1.sync.aligned.b32
