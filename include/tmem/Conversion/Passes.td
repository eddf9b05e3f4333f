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

//===----------------------------------------------------------------------===//
// EmulateTcgen05
//===----------------------------------------------------------------------===//

def EmulateTcgen05 : Pass<"emulate-tcgen05", "::mlir::ModuleOp"> {
  let summary = "Rewrite kernels so that they run without Tensor Memory";
  let description = [{
    Takes `gpu.module`s of LLVM and NVVM operations, whoever lowered them: the
    operations `nvvm.tcgen05.*`, the intrinsics `llvm.nvvm.tcgen05.*` and inline
    PTX of the same are one to it. They become calls to a run-time library that
    models Tensor Memory and reports each breach of its rules with the location
    of the operation.

    With `mode=host` the functions of a `gpu.module` move into the module around
    it, so that a CPU runs them: pointers of all address spaces become plain
    ones, shared variables lie in a window of the block, special registers,
    barriers, warp-wide operations and mbarriers are emulated, and accesses to
    shared memory are checked. In place of the `gpu.module` stands a
    `gpu.binary` that names it, which `gpu-to-llvm` and `mlir-runner` take as
    they are, with `libtmem_emulation_runtime.so`. `mode=both` keeps the
    `gpu.module` beside that, for a cubin of its own.

    With `mode=device` the `gpu.module` stays, for a GPU without Tensor Memory:
    only what needs it is rewritten, and `libtmem_emulation_device.bc` has to be
    linked. Targets with Tensor Memory are dropped; attach one of sm_75 or later
    afterwards.

    A register that `tcgen05.ld` writes may be read once `tcgen05.wait::ld` has
    been executed. Reads that no wait dominates are checked as the program runs,
    by the number of the load, which goes along with the value through vectors,
    structs, branches and loops.

    Everything that is not emulated, such as bulk copies, is an error that
    names the operation, intrinsic or PTX instruction, and nothing changes then.
  }];
  let options = [
    Option<"mode", "mode", "std::string", /*default=*/"\"host\"",
           "Where the kernels run: host, device, or both for host code beside "
           "the module as it is">,
    Option<"chip", "chip", "std::string", /*default=*/"\"\"",
           "The chip to model, such as sm_100a; by default that of the target "
           "of the gpu.module, else sm_100a">
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::gpu::GPUDialect"
  ];
}

#endif // TMEM_CONVERSION_PASSES_TD
