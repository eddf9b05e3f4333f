// A wait in inline PTX that a branch may pass by is no wait.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null

module {
gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32

  gpu.func @H12_H2_waits_on_one_way(%flag: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %n32 = arith.constant 32 : i32
    %v = arith.constant 7 : i32
    nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    // expected-note @+2 {{stored here}}
    // expected-note @+1 {{accessed here}}
    llvm.inline_asm has_side_effects "tcgen05.st.sync.aligned.32x32b.x2.b32 [$0], {$1, $1};", "r,r,~{memory}" %base, %v : (i32, i32) -> ()
    // expected-error @+1 {{inline PTX of this form is not read here}}
    llvm.inline_asm has_side_effects "{ .reg .pred q; setp.ne.b32 q, $0, 0; @q bra DONE; tcgen05.wait::st.sync.aligned; DONE: }", "r,~{memory}" %flag : (i32) -> ()
    // expected-error @+3 {{expected a wait::st between this and the store to the same cells, but got none}}
    // expected-note @+2 {{rule H12:}}
    // expected-note @+1 {{to fix it, put a wait::st behind the store}}
    %words = nvvm.tcgen05.ld %p {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<2xi32>
    nvvm.tcgen05.wait <load>
    // expected-error @+3 {{expected the store to be waited for before its columns are freed}}
    // expected-note @+2 {{rule H2:}}
    // expected-note @+1 {{to fix it, wait for it before the dealloc}}
    nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    gpu.return
  }
}
}
