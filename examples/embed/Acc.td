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

def Acc_ReadOp : Op<Acc_Dialect, "read"> {
  let summary = "an accumulator in registers: in thread t what is in lane t";
  let arguments = (ins I32:$base, TypeAttrOf<AnyStaticShapeTensor>:$tile,
    Acc_FoldedAttr:$layout);
  let results = (outs VectorOfRank<[1]>:$registers);
  let assemblyFormat = [{
    $base `as` $tile `in` $layout attr-dict `:` type($registers)
  }];
}

#endif // ACC_TD
