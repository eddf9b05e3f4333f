//===- Passes.td - Conversion passes -----------------------*- tablegen -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_CONVERSION_PASSES_TD
#define TMEM_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// TMemToNVVM
//===----------------------------------------------------------------------===//

def ConvertTMemToNVVM : Pass<"convert-tmem-to-nvvm"> {
  let summary = "Lower tmem operations to the tcgen05 intrinsics of LLVM";
  let description = [{
    Every transfer becomes the `llvm.nvvm.tcgen05.ld/st` calls of its plan; views
    become 32-bit addresses, pending values scalar 32-bit words, tokens nothing.
    The address of each access is the base, 32 lanes for each warp modulo 4, and
    what the plan adds; the warp's part is computed once, at the entry of the
    function.

    A load's words are pinned at the load, and the wait is followed by copies of
    the words it waits for, so that no register is read before its wait in the
    PTX that LLVM writes at -O1 and above.

    Pending values and tokens pass through `scf.for`, `scf.if`, `scf.while`,
    `scf.index_switch`, `cf.br`, `cf.cond_br`, `cf.switch` and `arith.select`.
    Anything else that would carry them is refused before anything changes. Where
    pending values that loops and branches join are alive at once (an `scf.if`
    that yields one of two outer ones, rotation through iteration arguments), LLVM
    would copy their registers, so a wait is inserted first, with a remark.

    The chip is that of the option, else of the `#nvvm.target` of the enclosing
    `gpu.module`; where neither is given, only the rules that hold on every chip
    are checked.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"\"",
           "Check columns and instructions against this chip, such as sm_100a">
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"
  ];
}

#endif // TMEM_CONVERSION_PASSES_TD
