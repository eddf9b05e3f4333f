//===- TMemDirectOps.td - Transfers on plain vectors -------*- tablegen -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included by TMemOps.td, which has what these definitions build on.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_IR_TMEMDIRECTOPS_TD
#define TMEM_IR_TMEMDIRECTOPS_TD

class TMem_ReadBase<string opMnemonic> : TMem_Op<opMnemonic,
    [MemoryEffects<[MemRead<TMem_Resource>]>,
     DeclareOpInterfaceMethods<TMem_TransferOpInterface,
       ["getViews", "getVectorType", "getDirection"]>]> {
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let hasVerifier = 1;
}

class TMem_WriteBase<string opMnemonic> : TMem_Op<opMnemonic,
    [MemoryEffects<[MemWrite<TMem_Resource>]>,
     DeclareOpInterfaceMethods<TMem_TransferOpInterface,
       ["getViews", "getVectorType", "getDirection"]>]> {
  let hasVerifier = 1;
}

def TMem_ReadOp : TMem_ReadBase<"read"> {
  let summary = "reads a tile from TMEM, wait included";
  let description = [{
    As `tmem.load`, but its result is the vector itself: where to wait is left to
    `tmem-insert-waits`. What is still there when tmem operations are lowered
    waits at once.

    ```mlir
    %v = tmem.read %mem registers(#regs) atom(<32x32b, x64>) scope(warpgroup)
           : !acc -> vector<64xf32>
    %w = tmem.read %mem scope(warpgroup) : !acc -> vector<64xf32>
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
    `:` qualified(type($view)) `->` type($result)
  }];
}

def TMem_WriteOp : TMem_WriteBase<"write"> {
  let summary = "writes registers to a tile in TMEM, wait included";
  let description = [{
    As `tmem.store`, without a token: the mirror of `tmem.read`.

    ```mlir
    tmem.write %v, %mem registers(#regs) atom(<32x32b, x64>) scope(warpgroup)
      : vector<64xf32>, !acc
    ```

    Rules R1 to R6, A1 to A3, T1 to T8. Source: PTX ISA, "tcgen05.st".
  }];
  let arguments = (ins
    AnyVectorOfNonZeroRank:$source, TMem_ViewType:$view,
    OptionalAttr<TMem_LayoutAttrInterface>:$registers,
    OptionalAttr<TMem_AtomAttr>:$atom, TMem_ScopeAttr:$scope);
  let assemblyFormat = [{
    $source `,` $view (`registers` `(` $registers^ `)`)?
    (`atom` `(` $atom^ `)`)?
    `scope` `(` custom<Scope>($scope) `)` attr-dict
    `:` type($source) `,` qualified(type($view))
  }];
}

def TMem_ReadSplitOp : TMem_ReadBase<"read_split"> {
  let summary = "reads two tiles at once (16x32bx2), wait included";
  let description = [{
    As `tmem.load_split`, with the vector as its result.

    ```mlir
    %v = tmem.read_split %low, %high registers(#regs) atom(<16x32bx2, x4>)
           scope(warpgroup) : !low, !high -> vector<4xf32>
    ```

    Rules A4, S1 to S3 and those of `tmem.load`. Source: PTX ISA, "tcgen05.ld".
  }];
  let arguments = (ins
    TMem_ViewType:$low, TMem_ViewType:$high,
    OptionalAttr<TMem_LayoutAttrInterface>:$registers,
    OptionalAttr<TMem_AtomAttr>:$atom, OptionalAttr<I64Attr>:$immediate,
    TMem_ScopeAttr:$scope);
  let assemblyFormat = [{
    $low `,` $high (`registers` `(` $registers^ `)`)?
    (`atom` `(` $atom^ `)`)?
    (`immediate` `(` $immediate^ `)`)? `scope` `(` custom<Scope>($scope) `)`
    attr-dict `:` qualified(type($low)) `,` qualified(type($high))
    `->` type($result)
  }];
  let extraClassDeclaration = [{
    std::optional<int64_t> getSplitImmediate();
  }];
}

def TMem_WriteSplitOp : TMem_WriteBase<"write_split"> {
  let summary = "writes two tiles at once (16x32bx2), wait included";
  let description = [{
    As `tmem.store_split`, without a token.

    ```mlir
    tmem.write_split %v, %low, %high registers(#regs) atom(<16x32bx2, x4>)
      scope(warpgroup) : vector<4xf32>, !low, !high
    ```

    Rules A4, S1 to S3 and those of `tmem.store`. Source: PTX ISA, "tcgen05.st".
  }];
  let arguments = (ins
    AnyVectorOfNonZeroRank:$source, TMem_ViewType:$low, TMem_ViewType:$high,
    OptionalAttr<TMem_LayoutAttrInterface>:$registers,
    OptionalAttr<TMem_AtomAttr>:$atom, OptionalAttr<I64Attr>:$immediate,
    TMem_ScopeAttr:$scope);
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

#endif // TMEM_IR_TMEMDIRECTOPS_TD
