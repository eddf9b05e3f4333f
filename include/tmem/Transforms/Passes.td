//===- Passes.td - Transformation passes -------------------*- tablegen -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TRANSFORMS_PASSES_TD
#define TMEM_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def TMemCheckTarget : Pass<"tmem-check-target"> {
  let summary = "Refuse a target that cannot be compiled for";
  let description = [{
    Reports, before any work is done, tmem operations in host code, where nothing
    would compile them, a chip without Tensor Memory, an unknown
    format and an optimization level other than 1 to 3. Without optimization
    LLVM would read loaded registers before their wait. The first pass of
    `tmem-to-cubin`.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"\"",
           "The chip to compile for">,
    Option<"format", "format", "std::string", /*default=*/"\"bin\"",
           "What the binary is to hold: isa or bin">,
    Option<"optLevel", "opt-level", "unsigned", /*default=*/"3",
           "Optimization level of LLVM and ptxas">
  ];
}

def TMemAssemble : Pass<"tmem-assemble"> {
  let summary = "Check the PTX of gpu.binary operations and assemble it";
  let description = [{
    For every `gpu.binary` that holds PTX for an `#nvvm.target`: refuses PTX in
    which, on any path, a register loaded from TMEM is read before its wait;
    writes the `.version` and `.target` of the chip; and, with `format=bin`, runs
    ptxas and replaces the PTX by the cubin. Registers, spills and the stack of
    each kernel, as ptxas reports them, are kept as metadata of the object.

    ptxas is taken from `ptxas=`, the environment variables TMEM_PTXAS,
    CUDA_HOME, CUDA_PATH and CUDA_ROOT, or PATH.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"\"",
           "The chip to assemble for; the object's target's when empty">,
    Option<"format", "format", "std::string", /*default=*/"\"bin\"",
           "What to leave in the binary: isa or bin">,
    Option<"optLevel", "opt-level", "unsigned", /*default=*/"3",
           "Optimization level of ptxas, 1 to 3">,
    Option<"ptxas", "ptxas", "std::string", /*default=*/"\"\"",
           "Path of ptxas">
  ];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::NVVM::NVVMDialect"
  ];
}

#endif // TMEM_TRANSFORMS_PASSES_TD
