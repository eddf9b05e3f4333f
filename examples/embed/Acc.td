//===- Acc.td - Accumulators of a compiler of its own ------*- tablegen -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//


#ifndef ACC_TD
#define ACC_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypes.td"
include "mlir/IR/OpBase.td"
include "tmem/IR/TMemInterfaces.td"

def Acc_Dialect : Dialect {
  let name = "acc";
  let cppNamespace = "::acc";
  let dependentDialects = ["::mlir::tmem::TMemDialect"];
  let useDefaultAttributePrinterParser = 1;
}

def Acc_FoldedAttr : AttrDef<Acc_Dialect, "Folded",
    [DeclareAttrInterfaceMethods<TMem_LayoutAttrInterface>]> {
  let summary = "groups of columns stacked in the 128 lanes";
  let mnemonic = "folded";
  let parameters = (ins "int64_t":$groups);
  let assemblyFormat = "`<` $groups `>`";
}

def Acc_DrainOp : Op<Acc_Dialect, "drain"> {
  let summary = "scales an accumulator on its way to memory";
  let arguments = (ins I32:$base, F32:$scale,
    MemRefRankOf<[F32], [2]>:$out, Acc_FoldedAttr:$layout);
  let assemblyFormat = [{
    $base `in` $layout `times` $scale `to` $out attr-dict `:` type($out)
  }];
}

#endif // ACC_TD
