//===- Passes.td - Transformation passes -------------------*- tablegen -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TRANSFORMS_PASSES_TD
#define TMEM_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def TMemCheckHazards : Pass<"tmem-check-hazards"> {
  let summary = "Find misuse of Tensor Memory that spans operations";
  let description = [{
    Follows each kernel along all of its paths and reports accesses of freed
    columns, columns that are never freed or freed too early, waits, fences and
    barriers that are missing where cells, or the address that alloc writes, go
    from one warp to another, and instructions that only some lanes execute: rules
    H1 to H25. `docs/Hazards.md` shows each, and who else finds it.

    It reads the operations of tmem, `nvvm.tcgen05.*` and calls of the intrinsics
    `llvm.nvvm.tcgen05.*`, the barriers of gpu and NVVM, and mbarriers, before the
    lowering or after it. Branches on the thread id are understood: which warps
    run what. On a module calls are followed; on a function they are not, since a
    pass may look at no other function.

    ```mlir
    // error: expected a barrier between this and the store of another warp of the
    // same cells, but got none
    %p = tmem.load %mem registers(#regs) atom(<32x32b, x32>) scope(warpgroup)
           : !acc -> !tmem.pending<vector<32xf32>>
    ```

    Kernels with mbarriers are run inside the pass, integers, branches and barriers
    only, so that it knows which phase a wait is for. What cannot be decided
    is said: an address or a barrier that is not known, a callee that is not
    followed, atomics that may order warps.

    The block is what the kernel requires, or what the launches of the module say,
    each of them, or else a guess, which is said: `nvvm.maxntid`, or as many
    warpgroups as the transfers take. `threads` overrides it.
  }];
  let options = [
    Option<"mode", "mode", "std::string", /*default=*/"\"strict\"",
           "strict: the letter of PTX. register-dependence: a load whose "
           "registers all lanes have read needs no wait">,
    Option<"undecided", "undecided", "std::string", /*default=*/"\"warn\"",
           "What to do where nothing can be decided: warn, ignore or error">,
    Option<"report", "report", "std::string", /*default=*/"\"error\"",
           "What a finding is: error or warning">,
    Option<"threads", "threads", "unsigned", /*default=*/"0",
           "Threads of a block; 0 for what the kernel says">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def TMemCheckCode : Pass<"tmem-check-code", "ModuleOp"> {
  let summary = "Refuse what LLVM would end the process for";
  let description = [{
    Looks at lowered code, in the LLVM dialect: that names of gpu.modules are those
    that PTX can have; that integers, floats and vectors are those that LLVM
    makes code for; that inline assembly fits its constraints, types and
    operands. `tmem-to-cubin` and `tmem-emulate` run it before LLVM.
  }];
  let options = [
    Option<"checkHost", "check-host", "bool", /*default=*/"false",
           "Look at host code, too">
  ];
}

def TMemCheckTarget : Pass<"tmem-check-target"> {
  let summary = "Refuse a target that cannot be compiled for";
  let description = [{
    Reports, before any work is done, tmem operations in host code, where nothing
    would compile them, a chip without Tensor Memory, an unknown
    format and an optimization level other than 1 to 3. Without optimization
    LLVM would read loaded registers before their wait. Reports arithmetic on
    floats of less than 16 bits in kernels, too, which LLVM does not have, but
    for the truncations that `tmem-convert-float8` takes. The first pass of
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

def TMemConvertFloat8 : Pass<"tmem-convert-float8"> {
  let summary = "Lower truncations to 8-bit floats to the hardware's";
  let description = [{
    Replaces `arith.truncf` from f32, f16 or bf16 to f8E4M3FN or f8E5M2, of scalars
    and vectors of one dimension, by `cvt.rn.satfinite.e4m3x2.f32` and
    `cvt.rn.satfinite.e5m2x2.f32`, which stock conversions do not know. They round
    to nearest even. Numbers above the largest one become that one, as the hardware
    has it (MLIR, where it folds a constant, makes them NaN or infinity); NaN becomes
    NaN. (PTX ISA, "cvt".)
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def TMemGenerateCode : Pass<"tmem-generate-code", "ModuleOp"> {
  let summary = "Compile gpu.modules with LLVM, whose errors are diagnostics";
  let description = [{
    Does what `gpu-module-to-binary` does, but an error, a fatal error or a crash
    of LLVM is a diagnostic at the gpu.module, and the process goes on.

    With `chip` it adds the target for it to each gpu.module first, as
    `nvvm-attach-target` does. A target that is attached earlier makes the verifier
    of MLIR 22.1 refuse most `nvvm.tcgen05` operations for any chip but sm_100a,
    though PTX has them on all chips with Tensor Memory.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"\"",
           "The chip to compile for, as LLVM calls it, or none: for the targets "
           "that there are">,
    Option<"features", "features", "std::string", /*default=*/"\"\"",
           "Features of the chip, such as +ptx88">,
    Option<"optLevel", "opt-level", "unsigned", /*default=*/"3",
           "Optimization level, 0 to 3">,
    Option<"format", "format", "std::string", /*default=*/"\"isa\"",
           "What the binary is to hold: isa or bin">,
    Option<"library", "library", "std::string", /*default=*/"\"\"",
           "LLVM bitcode to link, or none">
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

def TMemInsertWaits : Pass<"tmem-insert-waits"> {
  let summary = "Turn reads and writes into loads, stores and the fewest waits";
  let description = [{
    Replaces `tmem.read` by `tmem.load` and `tmem.write` by `tmem.store`, and adds
    the waits that make this right: as few as there can be, each as late as it can
    be. A wait is for all loads, or all stores, under way.

    A load is waited for before its vector is used, before its cells are stored
    to, and before anything tells other threads that they may be: a barrier, an
    arrive, `tmem.fence before`, a call. A store is waited for before its cells
    are loaded or stored to, and before the same events. Both are before
    `tmem.dealloc` and at the end of a function. Cells are compared where it is
    known how the bases of two views lie to each other.

    A vector that loops and branches hand on stays pending on its way, so that a
    software-pipelined loop waits where it uses the value:

    ```mlir
    // Before:
    %r = scf.for %i = %lb to %ub step %c1 iter_args(%v = %first) -> (!vec) {
      %next = tmem.read %window scope(warpgroup) : !part -> !vec
      "use"(%v) : (!vec) -> ()
      scf.yield %next : !vec
    }
    // After:
    %r = scf.for %i = %lb to %ub step %c1 iter_args(%p = %first) -> (!pending) {
      %v = tmem.wait_load %p : !pending
      %next = tmem.load %window scope(warpgroup) : !part -> !pending
      "use"(%v) : (!vec) -> ()
      scf.yield %next : !pending
    }
    ```

    It stays pending only where two values that share registers are never pending
    at once, and where branches go the same way in all lanes of a warp. Transfers
    and waits placed by hand stay; what is pending joins such a wait. No load or
    store moves. docs/Waits.md says what is proven of the result.
  }];
  let dependentDialects = ["tmem::TMemDialect"];
}

def TMemLowerSubgroups : Pass<"tmem-lower-subgroups"> {
  let summary = "Lower what gpu says of warps and no stock pass lowers";
  let description = [{
    Replaces `gpu.subgroup_id`, `gpu.subgroup_size`, `gpu.num_subgroups` and
    `gpu.subgroup_reduce` by thread ids, sizes of the block and `gpu.shuffle`. A
    warp has 32 threads that follow each other, x fastest. (PTX ISA, "%tid".)
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def TMemRequireBlockSize
    : Pass<"tmem-require-block-size", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Let no block of another size run a kernel that states its size";
  let description = [{
    Turns the `.maxntid` that MLIR makes of `known_block_size` into `.reqntid`
    (PTX ISA, "Performance-Tuning Directives"). A kernel is compiled for the
    threads that it states: with fewer warps a transfer of a warpgroup would move
    a part of its tile, and nobody would notice; now the launch fails. Runs in
    `tmem-to-cubin` and `tmem-emulate`, after the lowering to LLVM.
  }];
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
    of them together cost least; where their own differ, some other layout may cost
    still less. Vectors are followed through waits, elementwise operations,
    bitcasts, branches and regions, and not through those that have the same element
    in every slot. The size of the vector is in the type, and has to be that of the
    layout.

    In CTA scope as many warps take part as the kernel states (its block size), or
    else as many as it takes to hold the tile in vectors of the size given.

    Where nothing is legal, a note for each shape names an element that it cannot
    move. What is named already stays as it is.

    With `max-live-registers`, what would not fit is then cut into chunks that do,
    each with its own wait, as `tmem-tile-transfers` does. Where the consumers are
    in the way, a remark says which and what to do.

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
    Option<"maxLiveRegisters", "max-live-registers", "unsigned",
           /*default=*/"0",
           "How many 32-bit registers a thread's tiles may have live at once, "
           "or else are moved in chunks as by tmem-tile-transfers; 0 for any "
           "number">,
    Option<"explain", "explain", "bool", /*default=*/"false",
           "Emit a remark for each transfer: what was chosen, its issues, and "
           "why each other shape was not">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"
  ];
}

def TMemTileTransfers : Pass<"tmem-tile-transfers"> {
  let summary = "Move wide tiles in chunks that fit into registers";
  let description = [{
    A tile that is loaded whole takes a register for each of its columns, and
    from about 200 on may spill. This pass cuts a chain of loads, elementwise
    arithmetic and stores into chunks of columns. A chunk is loaded while the one
    before it is calculated with, so that two are live:

    ```mlir
    // Before:
    %p = tmem.load %mem registers(#row) scope(warpgroup)
           : !tile -> !tmem.pending<vector<256xf32>>
    %v = tmem.wait_load %p : !tmem.pending<vector<256xf32>>
    %h = arith.truncf %v : vector<256xf32> to vector<256xf16>
    vector.store %h, %out[%tid, %c0] : memref<128x256xf16>, vector<256xf16>
    // After, with columns=64: load 0, wait 0, load 1, truncate and store 0,
    // wait 1, load 2, truncate and store 1, ...
    %w0 = tmem.subview %mem[0, 0] [128, 64] : !tile to !tile0
    %p0 = tmem.load %w0 registers(#row64) scope(warpgroup)
            : !tile0 -> !tmem.pending<vector<64xf32>>
    %v0 = tmem.wait_load %p0 : !tmem.pending<vector<64xf32>>
    %w1 = tmem.subview %mem[0, 64] [128, 64] : !tile to !tile1
    %p1 = tmem.load %w1 registers(#row64) scope(warpgroup)
            : !tile1 -> !tmem.pending<vector<64xf32>>
    %h0 = arith.truncf %v0 : vector<64xf32> to vector<64xf16>
    vector.store %h0, %out[%tid, %c0] : memref<128x256xf16>, vector<64xf16>
    ```

    A chain is in one block. It has the loads whose vectors meet, elementwise
    operations and `vector.bitcast`, and as its ends `tmem.store`, `vector.store`
    and `vector.transfer_write` to memory without mask. (`tmem.load_split` is left
    alone.) A store of what comes of no load is a chain of its own. Constants,
    broadcast scalars, `vector.step` and `ub.poison` are made anew for each chunk.
    So are reads of memory (`vector.load`, and `vector.transfer_read` in bounds)
    that nothing changes before the last store, and what is calculated from all
    these element by element. A read of an address that is the same for all
    threads of a kernel may move across stores: a change would be a data race.
    Of an argument that is `llvm.noalias` nothing else is changed. Of other
    vectors from outside a slice is taken, and the whole stays in registers. All
    of a chain moves down to its last store. What comes of it is the same bit by
    bit.

    With `max-live-registers` a chain that fits stays as it is, and another one
    gets the widest chunks, a power of two, of which two fit. What is counted is
    the registers of both chunks' loads, of what a chunk stores to TMEM, and of
    vectors from outside the chain; addresses and temporary values come on top,
    about 30. Chains that fit alone, but not with others that are live at the same
    time, are cut as well, which parts them: none begins before the last store of
    another. With both options `columns` is the widest that is tried.

    In place, too, a chunk is loaded before the one in front of it is calculated
    with and stored, since no chunk has a cell of a later one: that is checked.
    Only where ptxas 13.0 was seen to spill is it loaded after that store: with
    `columns` of more than 192 registers counted as above, or more than 128 where
    there are divisions or functions of `math` that become many instructions. A
    kernel of a known block size gets `nvvm.minctasm = 1` if it states nothing of
    the kind: ptxas would otherwise save registers for more CTAs on an SM, and
    spill. (PTX ISA, ".minnctapersm".)

    Registers have to be named: `tmem-select-atoms` comes before. A chunk keeps
    the places of its elements in the vector; an atom that is named keeps its
    shape and gets the repetition counts of the window. Chunks have to be windows
    of the view (`tmem.subview`) that have just the registers of the chunk. Where
    these lie apart, dimensions are cut before (`tmem.rearrange`): data paths B, E
    and G have groups of columns in lanes of their own, and a chunk takes as many
    columns of each group.

    Where a wide chain cannot be cut, a remark says why, and what to do: a
    consumer that is no elementwise operation, barriers, fences or other
    operations between the load and the last store that may order or change
    memory, stores that may change cells of later chunks, loads of cells that the
    chain stored before, a second store to one cell. What is in unreachable blocks
    and in graph regions stays as it is.
  }];
  let options = [
    Option<"columns", "columns", "unsigned", /*default=*/"0",
           "Columns of a chunk; 0 for as many as fit">,
    Option<"maxLiveRegisters", "max-live-registers", "unsigned",
           /*default=*/"0",
           "32-bit registers that a chain may have live at once; 0 for any "
           "number">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"
  ];
}

def TMemFoldLoadReduce : Pass<"tmem-fold-load-reduce"> {
  let summary = "Let loads reduce what vector.reduction would";
  let description = [{
    Makes a `tmem.load_reduce` of a `tmem.load` whose vector, or its absolute
    values, a `vector.reduction` takes the minimum or maximum of, on chips whose
    `tcgen05.ld.red` can do it. Of a tile that takes several instructions
    `vector.reduction` is left to put the partial results together. A load is
    folded with the first of its reductions that it can be folded with. One in
    `vector.mask` stays.

    ```mlir
    // Before:
    %p = tmem.load %mem registers(#row) atom(<32x32b, x64>) scope(warpgroup)
           : !tile -> !tmem.pending<vector<64xf32>>
    %v = tmem.wait_load %p : !tmem.pending<vector<64xf32>>
    %max = vector.reduction <maxnumf>, %v : vector<64xf32> into f32
    // After:
    %p, %r = tmem.load_reduce maxnumf %mem registers(#row)
               atom(<32x32b, x64>) scope(warpgroup) : !tile
               -> !tmem.pending<vector<64xf32>>, !tmem.pending<vector<1xf32>>
    %v, %part = tmem.wait_load %p, %r
           : !tmem.pending<vector<64xf32>>, !tmem.pending<vector<1xf32>>
    %max = vector.reduction <maxnumf>, %part : vector<1xf32> into f32
    ```

    Atoms have to be named: `tmem-select-atoms` comes before. Part of
    `tmem-to-cubin`.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"\"",
           "The chip to compile for; the targets of the gpu.module when empty">
  ];
}

def TMemPlanColumns : Pass<"tmem-plan-columns"> {
  let summary = "Give buffers columns, and make the allocation that holds them";
  let description = [{
    Places the `tmem.buffer` operations of each kernel in one allocation. Buffers
    that never live at the same time share columns; so do tiles in different
    lanes. docs/Columns.md states when two of them live at the same time.

    ```mlir
    // Before:
    %a = tmem.buffer : !tmem.view<128x96xf32, #tmem.datapath<D>>
    // After: warp 0 allocates, all read the address; at the end it is freed.
    scf.if %first_warp {
      tmem.alloc %slot, 128 : memref<1xi32, #gpu.address_space<workgroup>>
      tmem.relinquish_alloc_permit
    }
    gpu.barrier
    %base = memref.load %slot[%c0]
              : memref<1xi32, #gpu.address_space<workgroup>>
    %a = tmem.view %base : !tmem.view<128x96xf32, #tmem.datapath<D>>
    ...
    gpu.barrier
    scf.if %first_warp {
      tmem.dealloc %base, 128
    }
    ```

    The columns are the fewest that there are where an exact search ends within
    its bound on steps, for up to about ten buffers that compete, and never more
    than first-fit takes. The allocation is the smallest power of two that holds
    them, with `exclusive` the smallest multiple of 32.

    An allocation that the kernel makes itself counts as alive throughout. Where
    the columns do not suffice, the error says by how many, at which operation,
    and which buffers live there; nothing is changed then.

    The barriers that are added have number 0, or the first that the kernel does
    not use if it uses barrier 0 for some of its threads. An exit of the first
    warp, and a barrier of all threads that some pass by, are errors.

    Runs in `tmem-to-cubin` and `tmem-emulate`. Rules B2 to B5.
  }];
  let options = [
    Option<"columns", "columns", "unsigned", /*default=*/"512",
           "Columns that there are, 32 or more: for two CTAs to an SM, 256">,
    Option<"reserved", "reserved", "unsigned", /*default=*/"0",
           "Columns of these that belong to others">,
    Option<"ctaGroup", "cta-group", "unsigned", /*default=*/"1",
           "cta_group of the allocation, 1 or 2">,
    Option<"exclusive", "exclusive", "bool", /*default=*/"false",
           "Allocate with .exclusive (PTX 9.4)">,
    Option<"explain", "explain", "bool", /*default=*/"false",
           "Emit a remark for each kernel: the columns of each buffer, where the "
           "most are in use, and a picture">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect"
  ];
}

def TMemAlignSharedMemory
    : Pass<"tmem-align-shared-memory", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Give shared variables the alignment that LLVM counts on";
  let description = [{
    Aligns each `llvm.mlir.global` of shared memory that has no alignment to 16
    bytes. For an array without one LLVM's optimizer counts on 16, and turns
    additions to its address into bitwise ors; the NVPTX backend then aligns it
    to its elements only, so that the ors give other addresses. Runs in
    `tmem-to-cubin` and `tmem-emulate`, after the lowering to LLVM.
  }];
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
