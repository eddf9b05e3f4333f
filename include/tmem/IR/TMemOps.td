//===- TMemOps.td - Operations of the tmem dialect ---------*- tablegen -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_IR_TMEMOPS_TD
#define TMEM_IR_TMEMOPS_TD

include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tmem/IR/TMemAttributes.td"
include "tmem/IR/TMemDialect.td"
include "tmem/IR/TMemInterfaces.td"
include "tmem/IR/TMemTypes.td"

def TMem_Resource : Resource<"::mlir::tmem::TensorMemoryResource">;
def TMem_PendingResource
    : Resource<"::mlir::tmem::PendingRegistersResource">;

class TMem_Op<string opMnemonic, list<Trait> traits = []>
    : Op<TMem_Dialect, opMnemonic, traits>;

defvar NamesResults =
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>;

def TMem_CTAGroup : ConfinedAttr<I32Attr, [IntMinValue<1>, IntMaxValue<2>]>;

include "tmem/IR/TMemBufferOps.td"

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

/// What takes a number of columns, as a constant or as a value.
class TMem_ColumnsOp<string opMnemonic, list<Trait> traits = []>
    : TMem_Op<opMnemonic, traits> {
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// The number of columns where it is known, however it is given.
    std::optional<int64_t> getConstantColumns();

    /// Rule C1 for a number that is known. The verifier looks at the attribute
    /// alone: a value may become a constant in code that is never executed.
    ::llvm::LogicalResult verifyConstantColumns();
  }];
}

def TMem_AllocOp : TMem_ColumnsOp<"alloc",
    [MemoryEffects<[MemAlloc<TMem_Resource>, MemWrite<TMem_Resource>]>]> {
  let summary = "allocates columns of Tensor Memory";
  let description = [{
    Allocates columns, all 128 lanes each, and writes the address of the first to
    the 32-bit slot in shared memory. A whole warp executes it; it blocks until
    the columns are free. A barrier must come between it and whoever reads the
    slot.

    The number of columns is a power of two from 32 to 512. With `exclusive` (PTX
    9.4) it is any multiple of 32 up to the chip's columns, and no other
    allocation lives beside it. A constant is verified; another value has to be
    right.

    ```mlir
    tmem.alloc %slot, 64 : memref<1xi32, #gpu.address_space<workgroup>>
    tmem.alloc %pointer, %columns cta_group(2) : !llvm.ptr<3>
    ```

    Rules C1 to C3. Source: PTX ISA, "tcgen05.alloc".
  }];
  let arguments = (ins
    Arg<AnyType, "shared-memory slot for the address", [MemWrite]>:$slot,
    Optional<I32>:$columns,
    OptionalAttr<I32Attr>:$staticColumns,
    UnitAttr:$exclusive,
    DefaultValuedAttr<TMem_CTAGroup, "1">:$ctaGroup);
  let assemblyFormat = [{
    (`exclusive` $exclusive^)? $slot `,` custom<Columns>($columns, $staticColumns)
    (`cta_group` `(` $ctaGroup^ `)`)? attr-dict `:` type($slot)
  }];
}

def TMem_DeallocOp : TMem_ColumnsOp<"dealloc",
    [MemoryEffects<[MemFree<TMem_Resource>, MemRead<TMem_Resource>,
                    MemWrite<TMem_Resource>]>]> {
  let summary = "frees columns of Tensor Memory";
  let description = [{
    Frees what `tmem.alloc` returned: the same address, number of columns,
    `cta_group` and `exclusive`. A whole warp executes it, after every access of
    every warp has completed.

    ```mlir
    tmem.dealloc %base, 64
    ```

    Rules C1 and C2. Source: PTX ISA, "tcgen05.dealloc".
  }];
  let arguments = (ins
    I32:$base,
    Optional<I32>:$columns,
    OptionalAttr<I32Attr>:$staticColumns,
    UnitAttr:$exclusive,
    DefaultValuedAttr<TMem_CTAGroup, "1">:$ctaGroup);
  let assemblyFormat = [{
    (`exclusive` $exclusive^)? $base `,` custom<Columns>($columns, $staticColumns)
    (`cta_group` `(` $ctaGroup^ `)`)? attr-dict
  }];
}

def TMem_RelinquishAllocPermitOp : TMem_Op<"relinquish_alloc_permit",
    [MemoryEffects<[MemRead<TMem_Resource>, MemWrite<TMem_Resource>]>]> {
  let summary = "gives up the right to allocate";
  let description = [{
    After it the CTA may not allocate again. A whole warp executes it.

    ```mlir
    tmem.relinquish_alloc_permit
    tmem.relinquish_alloc_permit cta_group(2)
    ```

    Source: PTX ISA, "tcgen05.relinquish_alloc_permit".
  }];
  let arguments = (ins DefaultValuedAttr<TMem_CTAGroup, "1">:$ctaGroup);
  let assemblyFormat = "(`cta_group` `(` $ctaGroup^ `)`)? attr-dict";
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

def TMem_ViewOp : TMem_Op<"view", [Pure, NamesResults]> {
  let summary = "declares a tile at an address";
  let description = [{
    States that a tile of the result type lies at `base`, an address that
    `tmem.alloc` returned or one some columns after it.

    ```mlir
    %mem = tmem.view %base : !tmem.view<64x128xf32, #tmem.datapath<B>>
    ```
  }];
  let arguments = (ins I32:$base);
  let results = (outs TMem_ViewType:$view);
  let assemblyFormat = "$base attr-dict `:` qualified(type($view))";
  let hasFolder = 1;
}

def TMem_SubviewOp : TMem_Op<"subview", [Pure, NamesResults]> {
  let summary = "a window of a view";
  let description = [{
    The window of `sizes` elements from `offsets` on. Static offsets go into the
    layout of the result; a dynamic one is added to its address, which needs a
    dimension that advances along columns alone, by whole cells.

    ```mlir
    %right = tmem.subview %mem[0, 64] [128, 32] : !acc to !right
    %part = tmem.subview %mem[0, %j] [128, 32] : !acc to !part
    ```

    The window may not cut a cell in two: views own their cells. A dynamic window
    must lie in the source, which is not checked.

    Rules W1 to W4.
  }];
  let arguments = (ins
    TMem_ViewType:$source,
    Variadic<Index>:$offsets,
    DenseI64ArrayAttr:$staticOffsets,
    DenseI64ArrayAttr:$sizes);
  let results = (outs TMem_ViewType:$result);
  let assemblyFormat = [{
    $source `` custom<DynamicIndexList>($offsets, $staticOffsets) $sizes
    attr-dict `:` qualified(type($source)) `to` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// The type of the window, or failure with a diagnostic.
    static ::llvm::FailureOr<ViewType> inferType(
        ViewType source, ::llvm::ArrayRef<int64_t> staticOffsets,
        ::llvm::ArrayRef<int64_t> sizes,
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError);

    /// The cells that one step of dimension `dim` advances, where that is a
    /// constant number of whole cells of one lane.
    static std::optional<int64_t> getCellsPerStep(ViewType source, unsigned dim);
  }];
}

def TMem_RearrangeOp : TMem_Op<"rearrange", [Pure, NamesResults]> {
  let summary = "regroups the dimensions of a view";
  let description = [{
    Gives the same cells another shape. The left side of the pattern names the
    factors of each dimension, the last one fastest; the right side groups the
    same names into the dimensions of the result. `sizes` gives the factors'
    sizes; one in each dimension may be left out.

    ```mlir
    %r = tmem.rearrange %mem "(wh r) (wl c) -> (wl wh) r c"
           sizes(r = 32, wl = 2) : !acc to !warps
    ```

    Rules E1 to E4.
  }];
  let arguments = (ins
    TMem_ViewType:$source, StrAttr:$pattern,
    DefaultValuedAttr<DictionaryAttr, "{}">:$sizes);
  let results = (outs TMem_ViewType:$result);
  let assemblyFormat = [{
    $source $pattern `` custom<FactorSizes>($sizes) attr-dict
    `:` qualified(type($source)) `to` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def TMem_AddressOp : TMem_Op<"address", [Pure, NamesResults]> {
  let summary = "the address of a view";
  let description = [{
    The address of the cell that holds the first element of the view, the one with
    index 0 in each dimension: its lane in bits 16 to 31, its column in bits 0 to
    15. Nothing is added for the warp that executes it. It is for instructions that
    this dialect has no operation for:

    ```mlir
    %address = tmem.address %acc : !acc -> i32
    %d = llvm.inttoptr %address : i32 to !llvm.ptr<6>
    nvvm.tcgen05.mma %d, %a, %b, %idesc, %enable
        {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>}
        : (!llvm.ptr<6>, i64, i64, i32, i1)
    ```

    Nobody follows the address: `tmem-plan-columns` keeps a buffer whose address is
    taken alive throughout, and what the instructions do has to be waited for
    explicitly.

    Source: PTX ISA, "Tensor Memory Addressing".
  }];
  let arguments = (ins TMem_ViewType:$view);
  let results = (outs I32:$address);
  let assemblyFormat = [{
    $view attr-dict `:` qualified(type($view)) `->` type($address)
  }];
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

class TMem_LoadBase<string opMnemonic> : TMem_Op<opMnemonic,
    [MemoryEffects<[MemRead<TMem_Resource>]>, NamesResults,
     DeclareOpInterfaceMethods<TMem_TransferOpInterface,
       ["getViews", "getVectorType", "getDirection"]>]> {
  // Each result is waited for once. The allocation keeps CSE from merging equal
  // loads, whose waits would then share one; a dead load can still be erased.
  let results = (outs
    Res<TMem_PendingType, "the registers", [MemAlloc<TMem_PendingResource>]>
      :$result);
  let hasVerifier = 1;
}

class TMem_StoreBase<string opMnemonic> : TMem_Op<opMnemonic,
    [MemoryEffects<[MemWrite<TMem_Resource>]>, NamesResults,
     DeclareOpInterfaceMethods<TMem_TransferOpInterface,
       ["getViews", "getVectorType", "getDirection"]>]> {
  let results = (outs TMem_TokenType:$token);
  let hasVerifier = 1;
}

def TMem_LoadOp : TMem_LoadBase<"load"> {
  let summary = "loads a tile from TMEM into registers";
  let description = [{
    Issues `tcgen05.ld` instructions of the given atom that move the tile of the
    view to the registers that `registers` names. All threads of the scope
    execute it together. The result is pending until `tmem.wait_load`.

    Legal exactly when there is one list of instructions, the same for every warp
    but for its slab, in which each register word receives the bits of the cell
    that the layouts say, every slot of the layout is written once, and only cells
    of the tile are touched. Otherwise the diagnostic names the first element in
    the wrong place.

    Either of `registers` and `atom` may be left out; `tmem-select-atoms` then
    fills it in. What can be said without it is verified.

    ```mlir
    %p = tmem.load %mem registers(#regs) atom(<32x32b, x64>) scope(warpgroup)
           : !acc -> !tmem.pending<vector<64xf32>>
    %q = tmem.load %mem scope(warpgroup) : !acc -> !tmem.pending<vector<64xf32>>
    ```

    Rules R1 to R6, A1 to A3, T1 to T8. Source: PTX ISA, "tcgen05.ld".
  }];
  let arguments = (ins
    TMem_ViewType:$view, OptionalAttr<TMem_LayoutAttrInterface>:$registers,
    OptionalAttr<TMem_AtomAttr>:$atom, TMem_ScopeAttr:$scope);
  let assemblyFormat = [{
    $view (`registers` `(` $registers^ `)`)?
    (`atom` `(` $atom^ `)`)?
    `scope` `(` custom<Scope>($scope) `)` attr-dict
    `:` qualified(type($view)) `->` qualified(type($result))
  }];
}

def TMem_StoreOp : TMem_StoreBase<"store"> {
  let summary = "stores registers to a tile in TMEM";
  let description = [{
    Issues `tcgen05.st` instructions that write the tile of the view from the
    registers that `registers` names; the mirror of `tmem.load`. Every cell of
    the view is written once, and bits of a cell that belong to no element are
    undefined afterwards.

    ```mlir
    %t = tmem.store %src, %mem registers(#regs) atom(<32x32b, x64>)
           scope(warpgroup) : vector<64xf32>, !acc
    ```

    Rules R1 to R6, A1 to A3, T1 to T8. Source: PTX ISA, "tcgen05.st".
  }];
  let arguments = (ins
    AnyVectorOfNonZeroRank:$source, TMem_ViewType:$view,
    OptionalAttr<TMem_LayoutAttrInterface>:$registers, OptionalAttr<TMem_AtomAttr>:$atom,
    TMem_ScopeAttr:$scope);
  let assemblyFormat = [{
    $source `,` $view (`registers` `(` $registers^ `)`)?
    (`atom` `(` $atom^ `)`)?
    `scope` `(` custom<Scope>($scope) `)` attr-dict
    `:` type($source) `,` qualified(type($view))
  }];
}

def TMem_LoadSplitOp : TMem_LoadBase<"load_split"> {
  let summary = "loads two tiles at once (16x32bx2)";
  let description = [{
    `tcgen05.ld.16x32bx2`: lanes 0 to 15 of each warp read 16 rows of `low`, lanes
    16 to 31 as many of `high`. Both views are windows of one base and have one
    shape. The tile that `registers` describes is the two of them: it has that
    shape after a leading dimension of 2, low first. The instruction's immediate,
    lane << 16 | column, is the distance of the two accesses; it follows from the
    layouts, and where it is given it must agree.

    ```mlir
    %p = tmem.load_split %low, %high registers(#regs) atom(<16x32bx2, x4>)
           immediate(1048584) scope(warpgroup)
           : !low, !high -> !tmem.pending<vector<4xf32>>
    ```

    Rules A4, S1 to S3 and those of `tmem.load`. Source: PTX ISA, "tcgen05.ld".
  }];
  let arguments = (ins
    TMem_ViewType:$low, TMem_ViewType:$high,
    OptionalAttr<TMem_LayoutAttrInterface>:$registers, OptionalAttr<TMem_AtomAttr>:$atom,
    OptionalAttr<I64Attr>:$immediate, TMem_ScopeAttr:$scope);
  let assemblyFormat = [{
    $low `,` $high (`registers` `(` $registers^ `)`)?
    (`atom` `(` $atom^ `)`)?
    (`immediate` `(` $immediate^ `)`)? `scope` `(` custom<Scope>($scope) `)`
    attr-dict `:` qualified(type($low)) `,` qualified(type($high))
    `->` qualified(type($result))
  }];
  let extraClassDeclaration = [{
    std::optional<int64_t> getSplitImmediate();
  }];
}

def TMem_StoreSplitOp : TMem_StoreBase<"store_split"> {
  let summary = "stores to two tiles at once (16x32bx2)";
  let description = [{
    `tcgen05.st.16x32bx2`, the mirror of `tmem.load_split`.

    ```mlir
    %t = tmem.store_split %src, %low, %high registers(#regs)
           atom(<16x32bx2, x4>) scope(warpgroup) : vector<4xf32>, !low, !high
    ```

    Rules A4, S1 to S3 and those of `tmem.store`. Source: PTX ISA, "tcgen05.st".
  }];
  let arguments = (ins
    AnyVectorOfNonZeroRank:$source, TMem_ViewType:$low, TMem_ViewType:$high,
    OptionalAttr<TMem_LayoutAttrInterface>:$registers, OptionalAttr<TMem_AtomAttr>:$atom,
    OptionalAttr<I64Attr>:$immediate, TMem_ScopeAttr:$scope);
  let assemblyFormat = [{
    $source `,` $low `,` $high (`registers` `(` $registers^ `)`)?
    (`atom` `(` $atom^ `)`)?
    (`immediate` `(` $immediate^ `)`)? `scope` `(` custom<Scope>($scope) `)`
    attr-dict `:` type($source) `,` qualified(type($low)) `,`
    qualified(type($high))
  }];
  let extraClassDeclaration = [{
    std::optional<int64_t> getSplitImmediate();
  }];
}

include "tmem/IR/TMemDirectOps.td"

//===----------------------------------------------------------------------===//
// Completion
//===----------------------------------------------------------------------===//

def TMem_WaitLoadOp : TMem_Op<"wait_load",
    [MemoryEffects<[MemRead<TMem_Resource>, MemWrite<TMem_Resource>]>,
     NamesResults,
     DeclareOpInterfaceMethods<InferTypeOpInterface, ["inferReturnTypes"]>]> {
  let summary = "waits for loads and gives their registers back";
  let description = [{
    One `tcgen05.wait::ld` for all operands, which blocks the thread until all of
    its loads are complete. Each pending value still has a `tmem.wait_load` of its
    own, or shares one.

    ```mlir
    %v = tmem.wait_load %p : !tmem.pending<vector<64xf32>>
    %a, %b = tmem.wait_load %q, %r
               : !tmem.pending<vector<64xf32>>, !tmem.pending<vector<32xf32>>
    ```

    Rules P1 and P2. Source: PTX ISA, "tcgen05.wait".
  }];
  let arguments = (ins Variadic<TMem_PendingType>:$pending);
  let results = (outs Variadic<AnyVectorOfNonZeroRank>:$vectors);
  let assemblyFormat = "$pending attr-dict `:` qualified(type($pending))";
  let hasVerifier = 1;
}

def TMem_WaitStoreOp : TMem_Op<"wait_store",
    [MemoryEffects<[MemRead<TMem_Resource>, MemWrite<TMem_Resource>]>]> {
  let summary = "waits for stores";
  let description = [{
    One `tcgen05.wait::st`, which blocks the thread until its stores are
    complete. Needed before the same cells are loaded, handed to other threads or
    freed.

    ```mlir
    tmem.wait_store %t, %u
    ```

    Rules P1 and P2. Source: PTX ISA, "tcgen05.wait".
  }];
  let arguments = (ins Variadic<TMem_TokenType>:$tokens);
  let assemblyFormat = "$tokens attr-dict";
  let hasVerifier = 1;
}

def TMem_FenceOp : TMem_Op<"fence"> {
  let summary = "orders TMEM accesses around a thread synchronization";
  let description = [{
    `before`: the accesses of this thread so far come before the barrier or
    arrive that follows. `after`: the accesses that follow come after the barrier
    or wait that stands before. Cells that go from one thread to another need both,
    after the `tmem.wait_load` or `tmem.wait_store` of the thread that hands over.

    ```mlir
    tmem.fence before
    gpu.barrier
    tmem.fence after
    ```

    Source: PTX ISA, "tcgen05.fence".
  }];
  let arguments = (ins TMem_FenceKindAttr:$kind);
  let assemblyFormat = "`` $kind attr-dict";
}

include "tmem/IR/TMemReduceOps.td"

#endif // TMEM_IR_TMEMOPS_TD
