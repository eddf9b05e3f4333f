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

def TMemSelectAtoms : Pass<"tmem-select-atoms"> {
  let summary = "Name the cheapest atoms, and registers where they are left out";
  let description = [{
    Fills in the `atom` and the `registers` that loads and stores leave out.

    The atom is the cheapest legal one: that of the fewest issues, of these that
    of the fewest register moves, then the one that takes the fewest registers,
    then the first in the order of the table of atoms. It gets all repetition
    counts that it needs: 96 columns are one x64 and one x32. `16x32bx2` counts as
    two issues, which ptxas makes of it.

    The registers are the canonical ones of an atom: word by word in the order of
    its instructions, from left to right, the lower half of the slab first. Tiles
    whose vectors meet get one layout: in an elementwise operation, or because one
    is loaded, changed by such operations alone and stored again. The layout is
    one that a transfer among them names, or else the canonical one with which all
    of them together cost least. Vectors are followed through waits, elementwise
    operations, branches and regions. The size of the vector is in the type, and
    has to be that of the layout.

    In CTA scope as many warps take part as the kernel states (its block size), or
    else as many as it takes to hold the tile in vectors of the size given.

    Where nothing is legal, a note for each shape names an element that it cannot
    move. What is named already stays as it is.

    ```mlir
    // Before:
    %p = tmem.load %mem scope(warpgroup)
           : !tmem.view<128x96xf32, #tmem.datapath<D>>
           -> !tmem.pending<vector<96xf32>>
    // After:
    %p = tmem.load %mem registers(#tmem.layout<(128, 96) : (1@tid, 1@reg)>)
           atom(<32x32b, x64, x32>) scope(warpgroup)
           : !tmem.view<128x96xf32, #tmem.datapath<D>>
           -> !tmem.pending<vector<96xf32>>
    ```
  }];
  let options = [
    Option<"maxRegistersPerIssue", "max-registers-per-issue", "unsigned",
           /*default=*/"128",
           "How many 32-bit registers an instruction may have, 1 to 128">,
    ListOption<"atoms", "atoms", "std::string",
               "The shapes that may be chosen, such as 32x32b; all by default">,
    Option<"explain", "explain", "bool", /*default=*/"false",
           "Emit a remark for each transfer: what was chosen, its issues, and "
           "why each other shape was not">
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
