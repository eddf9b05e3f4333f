//===- TMemTypes.td - Types of the tmem dialect ------------*- tablegen -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_IR_TMEMTYPES_TD
#define TMEM_IR_TMEMTYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "tmem/IR/TMemAttributes.td"

class TMem_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<TMem_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def TMem_ViewType : TMem_Type<"View", "view"> {
  let summary = "a tile in Tensor Memory";
  let description = [{
    A window of TMEM: a base address (32 bits: lane in bits 31..16, column in
    bits 15..0) that the value carries, and a layout that says at which lane and
    column after it each element stands. Elements have 4, 8, 16, 32 or 64 bits.
    A view owns the cells that its elements touch.

    ```mlir
    !tmem.view<64x128xf32, #tmem.datapath<B>>
    !tmem.view<128x64xf16, #tmem.layout<(128, 64) : (1@tlane, 1@tcol)>>
    ```

    Rules V1 to V6.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$shape,
    "::mlir::Type":$elementType,
    "::mlir::tmem::LayoutAttrInterface":$layout);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// What the layout attribute stands for at this shape.
    ::mlir::tmem::Layout getExpandedLayout() const;
    unsigned getElementBits() const;
    int64_t getNumElements() const;
    /// Cells from the base to one past the last column.
    int64_t getNumColumns() const;
    /// What is added to the base for the cell of the first element: lanes in bits
    /// 16 and up, columns below.
    int64_t getFirstCell() const;
  }];
}

def TMem_PendingType : TMem_Type<"Pending", "pending"> {
  let summary = "loaded registers before their wait";
  let description = [{
    The registers of a load that has been issued but not waited for; reading them
    is undefined until `tcgen05.wait::ld` (PTX ISA, "tcgen05.wait"). Only
    `tmem.wait_load` takes a pending value, and operations of `scf`, `cf` and
    `arith` that pass it on.

    ```mlir
    !tmem.pending<vector<64xf32>>
    ```

    Rules P1, P3 and R6.
  }];
  let parameters = (ins "::mlir::VectorType":$payload);
  let assemblyFormat = "`<` $payload `>`";
  let genVerifyDecl = 1;
}

def TMem_TokenType : TMem_Type<"Token", "token"> {
  let summary = "a store that has not been waited for";
  let description = [{
    Returned by `tmem.store` and `tmem.store_split`, taken by `tmem.wait_store`,
    and passed on as pending values are. Rule P1.
  }];
}

#endif // TMEM_IR_TMEMTYPES_TD
