// Inline PTX that may leave its text in a way that is not followed is said to be undecided; a trap
// ends the whole kernel.

// RUN: tmem-opt %s --tmem-check-hazards -verify-diagnostics -o /dev/null

module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @returns() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    nvvm.tcgen05.fence <before>
    // expected-warning @+1 {{undecided: what it does: inline PTX of this form is not read here}}
    llvm.inline_asm has_side_effects "ret;", "" : () -> ()
    gpu.return
  }

  gpu.func @branches_to_elsewhere() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    nvvm.tcgen05.fence <before>
    // expected-warning @+1 {{undecided: what it does: inline PTX of this form is not read here}}
    llvm.inline_asm has_side_effects "bra elsewhere;", "" : () -> ()
    gpu.return
  }

  gpu.func @branches_within() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    nvvm.tcgen05.fence <before>
    llvm.inline_asm has_side_effects "bra here; here:", "" : () -> ()
    gpu.return
  }

  gpu.func @exits_sometimes() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    nvvm.tcgen05.fence <before>
    %n1 = arith.constant 1 : i32
    // expected-warning @+1 {{undecided: what it does: inline PTX of this form is not read here}}
    llvm.inline_asm has_side_effects "{ .reg .pred p; setp.eq.u32 p, $0, 1; @p exit; }", "r" %n1 : (i32) -> ()
    gpu.return
  }

  gpu.func @exits_by_data(%data: memref<1xi1>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    nvvm.tcgen05.fence <before>
    %c0 = arith.constant 0 : index
    %ends = memref.load %data[%c0] : memref<1xi1>
    scf.if %ends {
      // expected-warning @+1 {{undecided: what it does: where threads go on that end under a condition or in a loop is not followed}}
      llvm.inline_asm has_side_effects "exit;", "" : () -> ()
    }
    gpu.return
  }

  gpu.func @traps() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    nvvm.tcgen05.fence <before>
    llvm.inline_asm has_side_effects "trap;", "" : () -> ()
    gpu.return
  }
}
}
