//===- TMemInterfaces.td - Interfaces of the tmem dialect --*- tablegen -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_IR_TMEMINTERFACES_TD
#define TMEM_IR_TMEMINTERFACES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def TMem_LayoutAttrInterface : AttrInterface<"LayoutAttrInterface"> {
  let cppNamespace = "::mlir::tmem";
  let description = [{
    An attribute that stands for a layout: it yields one for a tile of a given
    shape and element type. Attributes of other dialects that implement it stand
    wherever `#tmem.layout` does.
  }];
  let methods = [
    InterfaceMethod<[{
        The layout of a tile. Must depend on the arguments alone. Reports why
        there is none through `emitError`.
      }],
      "::llvm::FailureOr<::mlir::tmem::Layout>", "expand",
      (ins "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$elementType,
           "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError)>
  ];
}

def TMem_TransferOpInterface : OpInterface<"TransferOpInterface"> {
  let cppNamespace = "::mlir::tmem";
  let description = [{
    An operation that moves a tile between TMEM and registers: `tmem.load`,
    `tmem.store` and their split forms.
  }];
  let methods = [
    InterfaceMethod<"The view, or the two views of a split transfer.",
      "::llvm::SmallVector<::mlir::Value, 2>", "getViews", (ins)>,
    InterfaceMethod<"The vector that each thread holds.",
      "::mlir::VectorType", "getVectorType", (ins)>,
    InterfaceMethod<"Whether registers or TMEM are written.",
      "::mlir::tmem::Direction", "getDirection", (ins)>,
    InterfaceMethod<"The layout of the tile in registers.",
      "::mlir::tmem::LayoutAttrInterface", "getRegisters", (ins)>,
    InterfaceMethod<"The instruction to use.",
      "::mlir::tmem::AtomAttr", "getAtom", (ins)>,
    InterfaceMethod<"The threads that take part.",
      "::mlir::tmem::ScopeAttr", "getScope", (ins)>,
    InterfaceMethod<"The immediate of a split transfer, where it is given.",
      "::std::optional<int64_t>", "getSplitImmediate", (ins), "",
      "return std::nullopt;">,
  ];
  let extraSharedClassDeclaration = [{
    /// The issues of the transfer, or why there are none.
    const ::mlir::tmem::PlanResult &getPlan() {
      auto op = ::llvm::cast<::mlir::tmem::TransferOpInterface>(
          $_op.getOperation());
      return ::mlir::tmem::getTransferPlan(op, op.getSplitImmediate());
    }
  }];
}

#endif // TMEM_IR_TMEMINTERFACES_TD
