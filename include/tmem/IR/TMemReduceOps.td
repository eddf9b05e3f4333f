//===- TMemReduceOps.td - Loads that reduce ----------------*- tablegen -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_IR_TMEMREDUCEOPS_TD
#define TMEM_IR_TMEMREDUCEOPS_TD

def TMem_LoadReduceOp : TMem_Op<"load_reduce",
    [MemoryEffects<[MemRead<TMem_Resource>]>, NamesResults,
     DeclareOpInterfaceMethods<TMem_TransferOpInterface,
       ["getViews", "getVectorType", "getDirection"]>]> {
  let summary = "loads a tile and reduces it along the registers";
  let description = [{
    A `tmem.load` whose instructions, `tcgen05.ld.red`, also reduce what they load
    in each lane. The second result has one element for each instruction, in their
    order: a tile of 96 columns that takes an x64 and an x32 gives two partial
    results, which `vector.reduction` puts together after the wait.

    The reductions are those of `vector.reduction`: `minnumf` and `maxnumf` pass
    over NaN, `minimumf` and `maximumf` (`.NaN` in PTX) give NaN where one is
    loaded; `minsi`, `minui`, `maxsi` and `maxui` are for i32. -0 is less than +0.
    With `abs` the absolute values of f32 elements are reduced; the loaded ones
    stay as they are.

    ```mlir
    %p, %r = tmem.load_reduce maxnumf abs %mem registers(#regs)
               atom(<32x32b, x64>) scope(warpgroup) : !acc
               -> !tmem.pending<vector<64xf32>>, !tmem.pending<vector<1xf32>>
    %v, %max = tmem.wait_load %p, %r
               : !tmem.pending<vector<64xf32>>, !tmem.pending<vector<1xf32>>
    ```

    Not every chip has the instruction (rule X4). Rules Q1 to Q3 and those of
    `tmem.load`. Source: PTX ISA, "tcgen05.ld".
  }];
  let arguments = (ins
    TMem_ReduceKindAttr:$kind, UnitAttr:$abs,
    TMem_ViewType:$view, OptionalAttr<TMem_LayoutAttrInterface>:$registers,
    OptionalAttr<TMem_AtomAttr>:$atom, TMem_ScopeAttr:$scope);
  let results = (outs
    Res<TMem_PendingType, "the registers", [MemAlloc<TMem_PendingResource>]>
      :$result,
    Res<TMem_PendingType, "the reduced values", [MemAlloc<TMem_PendingResource>]>
      :$reduced);
  let assemblyFormat = [{
    `` $kind (`abs` $abs^)? $view (`registers` `(` $registers^ `)`)?
    (`atom` `(` $atom^ `)`)?
    `scope` `(` custom<Scope>($scope) `)` attr-dict
    `:` qualified(type($view)) `->` qualified(type($result)) `,`
    qualified(type($reduced))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The shapes that `tcgen05.ld.red` has.
    static ::llvm::ArrayRef<AtomShape> getShapes();

    /// Rules Q1 and Q2 but for the number of instructions: whether elements of
    /// the type have this reduction.
    static bool isLegalKind(ReduceKind kind, bool abs, ::mlir::Type element);
  }];
}

#endif // TMEM_IR_TMEMREDUCEOPS_TD
