// Upstream's own pipeline. Pending values that loops carry have to be lowered
// first: its first pass, convert-nvgpu-to-nvvm, converts the types of all loops.

// RUN: mlir-opt %S/../Pipelines/control-flow.mlir --load-dialect-plugin=%tmem_plugin --load-pass-plugin=%tmem_plugin --pass-pipeline='builtin.module(gpu.module(convert-tmem-to-nvvm),gpu-lower-to-nvvm-pipeline{cubin-chip=sm_100a cubin-features=+ptx88 cubin-format=isa opt-level=3})' 2>/dev/null | %python %tmem_src_root/utils/ptx-of.py -o %t.ptx
// RUN: tmem-ptx-lint %t.ptx | FileCheck %s --allow-empty --implicit-check-not={{.}}
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.ptx

// PTX: .target sm_100a
// PTX: .entry pipelined_for(
// PTX: tcgen05.ld.sync.aligned.32x32b.x8.b32

// Without loops the dialect plugin is enough.

// RUN: mlir-opt %tmem_src_root/examples/roundtrip.mlir --load-dialect-plugin=%tmem_plugin --gpu-lower-to-nvvm-pipeline="cubin-chip=sm_100a cubin-features=+ptx88 cubin-format=isa" | FileCheck %s --check-prefix=ROUNDTRIP

// ROUNDTRIP: gpu.binary @kernels
// ROUNDTRIP-SAME: tcgen05.ld.sync.aligned.32x32b.x64.b32
