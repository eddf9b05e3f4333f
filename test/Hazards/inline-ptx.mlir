// Instructions of Tensor Memory in inline PTX, as compilers write them and as this
// project lowers forms without an intrinsic.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null

module {
gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32

  gpu.func @H12_H2_inline_ptx() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %n96 = arith.constant 96 : i32
    %v = arith.constant 7 : i32
    llvm.inline_asm has_side_effects "tcgen05.alloc.exclusive.cta_group::1.sync.aligned.shared::cta.b32 [$0], $1;", "l,r,~{memory}" %slot, %n96 : (!llvm.ptr<3>, i32) -> ()
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    // expected-note @+1 {{stored here}}
    llvm.inline_asm has_side_effects "tcgen05.st.sync.aligned.32x32b.x2.b32 [$0], {$1, $1};", "r,r,~{memory}" %base, %v : (i32, i32) -> ()
    // expected-error @+4 {{expected a wait::st between this and the store to the same cells, but got none}}
    // expected-note @+3 {{rule H12:}}
    // expected-note @+2 {{to fix it, put a wait::st behind the store}}
    // expected-note @+1 {{accessed here}}
    %words = llvm.inline_asm has_side_effects "tcgen05.ld.red.sync.aligned.32x32b.x2.min.u32 {$0, $1}, $2, [$3];", "=r,=r,=r,r,~{memory}" %base : (i32) -> !llvm.struct<(i32, i32, i32)>
    llvm.inline_asm has_side_effects "tcgen05.wait::st.sync.aligned;", "~{memory}" : () -> ()
    // expected-error @+3 {{expected the load to be waited for before its columns are freed}}
    // expected-note @+2 {{rule H2:}}
    // expected-note @+1 {{to fix it, wait for it before the dealloc}}
    llvm.inline_asm has_side_effects "tcgen05.dealloc.exclusive.cta_group::1.sync.aligned.b32 $0, $1;", "r,r,~{memory}" %base, %n96 : (i32, i32) -> ()
    gpu.return
  }

  gpu.func @right_inline_ptx() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %n96 = arith.constant 96 : i32
    %v = arith.constant 7 : i32
    llvm.inline_asm has_side_effects "tcgen05.alloc.exclusive.cta_group::1.sync.aligned.shared::cta.b32 [$0], $1;", "l,r,~{memory}" %slot, %n96 : (!llvm.ptr<3>, i32) -> ()
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    llvm.inline_asm has_side_effects "tcgen05.st.sync.aligned.32x32b.x2.b32 [$0], {$1, $1}; tcgen05.wait::st.sync.aligned;", "r,r,~{memory}" %base, %v : (i32, i32) -> ()
    %words = llvm.inline_asm has_side_effects "tcgen05.ld.red.sync.aligned.32x32b.x2.min.u32 {$0, $1}, $2, [$3];", "=r,=r,=r,r,~{memory}" %base : (i32) -> !llvm.struct<(i32, i32, i32)>
    llvm.inline_asm has_side_effects "tcgen05.wait::ld.sync.aligned;", "~{memory}" : () -> ()
    llvm.inline_asm has_side_effects "tcgen05.dealloc.exclusive.cta_group::1.sync.aligned.b32 $0, $1;", "r,r,~{memory}" %base, %n96 : (i32, i32) -> ()
    gpu.return
  }
}
}
