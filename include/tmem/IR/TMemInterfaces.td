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
    shape and element type. Attributes of other dialects that implement it, or
    that an external model gives it, stand wherever `#tmem.layout` does: in the
    type of a view and as `registers` of a transfer.

    Nothing is taken on trust: `expandLayout` asks once for each tile, keeps the
    answer, and holds it to the rules of layouts.
  }];
  let methods = [
    InterfaceMethod<[{
        The layout of a tile. Must depend on the arguments alone. Reports why
        there is none through `emitError`. To be called by `expandLayout` alone,
        which an attribute that stands for another one calls in its turn. The tile
        of a split transfer leads with 2.
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
    `tmem.store`, `tmem.read`, `tmem.write` and their split forms. Result 0 of
    what loads, and operand 0 of what stores, is what the registers hold.
  }];
  let methods = [
    InterfaceMethod<"The view, or the two views of a split transfer.",
      "::llvm::SmallVector<::mlir::Value, 2>", "getViews", (ins)>,
    InterfaceMethod<"The vector that each thread holds.",
      "::mlir::VectorType", "getVectorType", (ins)>,
    InterfaceMethod<"Whether registers or TMEM are written.",
      "::mlir::tmem::Direction", "getDirection", (ins)>,
    InterfaceMethod<"The layout of the tile in registers, or null.",
      "::mlir::tmem::LayoutAttrInterface", "getRegistersAttr", (ins)>,
    InterfaceMethod<"The instruction to use, or null.",
      "::mlir::tmem::AtomAttr", "getAtomAttr", (ins)>,
    InterfaceMethod<"Gives the tile a layout in registers.",
      "void", "setRegistersAttr",
      (ins "::mlir::tmem::LayoutAttrInterface":$registers)>,
    InterfaceMethod<"Names the instruction to use.",
      "void", "setAtomAttr", (ins "::mlir::tmem::AtomAttr":$atom)>,
    InterfaceMethod<"The threads that take part.",
      "::mlir::tmem::ScopeAttr", "getScope", (ins)>,
    InterfaceMethod<"The immediate of a split transfer, where it is given.",
      "::std::optional<int64_t>", "getSplitImmediate", (ins), "",
      "return std::nullopt;">,
  ];
  let extraSharedClassDeclaration = [{
    /// True when nothing is left to tmem-select-atoms.
    bool isSelected() {
      return $_op.getRegistersAttr() && $_op.getAtomAttr();
    }

    /// The shape of the tile: that of the view, of a split transfer after a
    /// leading dimension of 2.
    ::llvm::SmallVector<int64_t, 4> getTileShape() {
      ::llvm::SmallVector<::mlir::Value, 2> views = $_op.getViews();
      ::llvm::SmallVector<int64_t, 4> shape(
          ::llvm::cast<::mlir::tmem::ViewType>(views.front().getType())
              .getShape());
      if (views.size() == 2)
        shape.insert(shape.begin(), 2);
      return shape;
    }

    /// The issues of the transfer, or why there are none. Wants isSelected().
    const ::mlir::tmem::PlanResult &getPlan() {
      auto op = ::llvm::cast<::mlir::tmem::TransferOpInterface>(
          $_op.getOperation());
      return ::mlir::tmem::getTransferPlan(op, op.getSplitImmediate());
    }
  }];
}

#endif // TMEM_IR_TMEMINTERFACES_TD
