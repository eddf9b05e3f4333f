// What of the tensor core is not emulated.

// RUN: tmem-opt %s -split-input-file -verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(emulate-tcgen05{mode=host})'

gpu.module @kernels {
  llvm.func @k(%d: !llvm.ptr<6>, %s: i64, %i: i32, %p: i1, %m: vector<4xi32>) attributes {gpu.kernel} {
    // expected-error @below {{'nvvm.tcgen05.mma' op is not emulated: aShift}}
    nvvm.tcgen05.mma %d, %d, %s, %i, %p {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>, aShift} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1)
    // expected-error @below {{'nvvm.tcgen05.mma' op is not emulated: a mask of output lanes}}
    nvvm.tcgen05.mma %d, %s, %s, %i, %p mask = %m {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1, vector<4xi32>)
    // expected-error @below {{'nvvm.tcgen05.mma.sp' op is not emulated}}
    nvvm.tcgen05.mma.sp %d, %s, %s, %i, %p, %d {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>)
    // expected-error @below {{'nvvm.tcgen05.mma.block_scale' op is not emulated}}
    nvvm.tcgen05.mma.block_scale %d, %s, %s, %i, %p, %d, %d {kind = #nvvm.block_scale_kind<mxf8f6f4>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>)
    // expected-error @below {{'nvvm.tcgen05.mma.ws' op is not emulated}}
    nvvm.tcgen05.mma.ws %d, %s, %s, %i, %p {kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, i64, i64, i32, i1)
    llvm.return
  }
}

// -----

gpu.module @kernels {
  llvm.func @k(%d: !llvm.ptr<6>, %s: i64, %b: !llvm.ptr<3>, %m: i16) attributes {gpu.kernel} {
    // expected-error @below {{'nvvm.tcgen05.commit' op is not emulated: multicast to other blocks}}
    nvvm.tcgen05.commit %b, multicast_mask = %m : !llvm.ptr<3>, i16
    // PTX does not say which lanes get the four rows.
    // expected-error @below {{'nvvm.tcgen05.cp' op is not emulated: shape 4x256b}}
    nvvm.tcgen05.cp %d, %s {shape = #nvvm.tcgen05_cp_shape<shape_4x256b>}
    // expected-error @below {{'nvvm.tcgen05.cp' op is not emulated: decompression}}
    nvvm.tcgen05.cp %d, %s {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>, srcFormat = #nvvm.tcgen05_cp_src_fmt<b6x16_p32>}
    llvm.return
  }
}

// -----

gpu.module @kernels {
  llvm.func @k(%d: !llvm.ptr<6>, %s: i64, %i: i32, %p: i1, %b: !llvm.ptr<3>, %m: i16) attributes {gpu.kernel} {
    %kind = llvm.mlir.constant(0 : i32) : i32
    %group = llvm.mlir.constant(1 : i32) : i32
    // expected-error @below {{is not emulated: llvm.nvvm.tcgen05.mma.tensor.ashift}}
    llvm.call_intrinsic "llvm.nvvm.tcgen05.mma.tensor.ashift"(%d, %d, %s, %i, %p, %kind, %group, %kind) : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, i32, i32, i32) -> ()
    // expected-error @below {{is not emulated: llvm.nvvm.tcgen05.mma.ws.shared}}
    llvm.call_intrinsic "llvm.nvvm.tcgen05.mma.ws.shared"(%d, %s, %s, %i, %p, %kind, %kind, %kind) : (!llvm.ptr<6>, i64, i64, i32, i1, i32, i32, i32) -> ()
    // expected-error @below {{is not emulated: llvm.nvvm.tcgen05.cp.4x256b.cg1}}
    llvm.call_intrinsic "llvm.nvvm.tcgen05.cp.4x256b.cg1"(%d, %s) : (!llvm.ptr<6>, i64) -> ()
    // expected-error @below {{is not emulated: llvm.nvvm.tcgen05.cp.128x128b.b6x16_p32.cg1}}
    llvm.call_intrinsic "llvm.nvvm.tcgen05.cp.128x128b.b6x16_p32.cg1"(%d, %s) : (!llvm.ptr<6>, i64) -> ()
    // expected-error @below {{is not emulated: llvm.nvvm.tcgen05.commit.mc.shared.cg1}}
    llvm.call_intrinsic "llvm.nvvm.tcgen05.commit.mc.shared.cg1"(%b, %m) : (!llvm.ptr<3>, i16) -> ()
    llvm.return
  }
}

// -----

gpu.module @kernels {
  llvm.func @k(%d: i32, %s: i64, %m: i16) attributes {gpu.kernel} {
    // expected-error @below {{is not emulated: PTX instruction 'tcgen05.mma.cta_group::1.kind::f16.ashift'}}
    llvm.inline_asm has_side_effects "{ .reg .pred p; setp.ne.b32 p, $0, 0; tcgen05.mma.cta_group::1.kind::f16.ashift [$0], [$0], $1, $0, p; }", "r,l" %d, %s : (i32, i64) -> ()
    // expected-error @below {{is not emulated: PTX instruction 'tcgen05.mma.cta_group::1.kind::f16'}}
    llvm.inline_asm has_side_effects "{ .reg .pred p; setp.ne.b32 p, $0, 0; tcgen05.mma.cta_group::1.kind::f16 [$0], $1, $1, $0, {$0, $0, $0, $0}, p; }", "r,l" %d, %s : (i32, i64) -> ()
    // expected-error @below {{is not emulated: PTX instruction 'tcgen05.mma.cta_group::1.kind::mxf4.block_scale'}}
    llvm.inline_asm has_side_effects "{ .reg .pred p; setp.ne.b32 p, $0, 0; tcgen05.mma.cta_group::1.kind::mxf4.block_scale [$0], $1, $1, $0, [$0], [$0], p; }", "r,l" %d, %s : (i32, i64) -> ()
    // expected-error @below {{is not emulated: PTX instruction 'tcgen05.cp.cta_group::1.4x256b'}}
    llvm.inline_asm has_side_effects "tcgen05.cp.cta_group::1.4x256b [$0], $1;", "r,l" %d, %s : (i32, i64) -> ()
    // expected-error @below {{is not emulated: PTX instruction 'tcgen05.cp.cta_group::1.128x128b.b8x16.b6x16_p32'}}
    llvm.inline_asm has_side_effects "tcgen05.cp.cta_group::1.128x128b.b8x16.b6x16_p32 [$0], $1;", "r,l" %d, %s : (i32, i64) -> ()
    // expected-error @below {{is not emulated: PTX instruction 'tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64'}}
    llvm.inline_asm has_side_effects "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [$0], $1;", "r,h" %d, %m : (i32, i16) -> ()
    llvm.return
  }
}
