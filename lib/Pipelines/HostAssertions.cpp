//===- HostAssertions.cpp - Assertions with their places ------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR lowers an assertion to a line on stdout and a call of abort.
//
//===----------------------------------------------------------------------===//

#include "Checks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::tmem;

namespace {
/// Replaces assertions by calls that carry their places.
class HostAssertions {
public:
  HostAssertions(ModuleOp module, StringRef handler)
      : module(module), handler(handler), builder(module.getContext()),
        pointer(LLVM::LLVMPointerType::get(module.getContext())) {}

  void replace(cf::AssertOp op);

private:
  LLVM::LLVMFuncOp getCallee();
  Value getText(Location loc, StringRef text);

  ModuleOp module;
  StringRef handler;
  OpBuilder builder;
  Type pointer;
  LLVM::LLVMFuncOp callee;
  llvm::StringMap<LLVM::GlobalOp> texts;
};
} // namespace

LLVM::LLVMFuncOp HostAssertions::getCallee() {
  if (callee)
    return callee;
  OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
  Type i32 = top.getI32Type();
  callee = LLVM::LLVMFuncOp::create(
      top, module.getLoc(), handler,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(module.getContext()),
                                  {pointer, pointer, pointer, i32, i32}));
  return callee;
}

Value HostAssertions::getText(Location loc, StringRef text) {
  LLVM::GlobalOp &global = texts[text];
  if (!global) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    std::string bytes = text.str() + '\0';
    auto type = LLVM::LLVMArrayType::get(top.getI8Type(), bytes.size());
    std::string name = handler.str() + std::to_string(texts.size());
    global =
        LLVM::GlobalOp::create(top, module.getLoc(), type,
                               /*isConstant=*/true, LLVM::Linkage::Internal,
                               name, top.getStringAttr(bytes));
  }
  return LLVM::AddressOfOp::create(builder, loc, pointer, global.getSymName());
}

void HostAssertions::replace(cf::AssertOp op) {
  Location loc = op.getLoc();
  auto place = LocationAttr(loc).findInstanceOf<FileLineColLoc>();
  StringRef operation = op->getName().getStringRef();
  std::string message = ("assertion failed: " + op.getMsg()).str();
  if (op.getMsg().contains(checkedSeparator)) {
    auto [checked, rest] = op.getMsg().split(checkedSeparator);
    operation = checked;
    message = rest.str();
  }
  builder.setInsertionPoint(op);
  Value isTrue =
      arith::ConstantIntOp::create(builder, loc, builder.getI1Type(), 1);
  Value fails = arith::XOrIOp::create(builder, loc, op.getArg(), isTrue);
  auto guard = scf::IfOp::create(builder, loc, fails, /*withElse=*/false);
  builder.setInsertionPointToStart(guard.thenBlock());
  auto getNumber = [&](uint32_t number) {
    return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                    builder.getI32IntegerAttr(number));
  };
  SmallVector<Value> operands = {
      getText(loc, message), getText(loc, operation),
      getText(loc, place ? place.getFilename().getValue() : ""),
      getNumber(place ? place.getLine() : 0),
      getNumber(place ? place.getColumn() : 0)};
  LLVM::CallOp::create(builder, loc, getCallee(), operands);
  op.erase();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct ReportHostAssertions
    : public PassWrapper<ReportHostAssertions, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReportHostAssertions)

  explicit ReportHostAssertions(StringRef handler) : handler(handler) {}

  StringRef getName() const override { return "ReportHostAssertions"; }

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, LLVM::LLVMDialect, scf::SCFDialect>();
  }

  void runOnOperation() override {
    SmallVector<cf::AssertOp> asserts;
    for (auto function : getOperation().getOps<func::FuncOp>())
      function.walk([&](cf::AssertOp op) { asserts.push_back(op); });
    HostAssertions host(getOperation(), handler);
    for (cf::AssertOp op : asserts)
      host.replace(op);
  }

  std::string handler;
};
} // namespace

std::unique_ptr<Pass>
mlir::tmem::createReportHostAssertions(StringRef handler) {
  return std::make_unique<ReportHostAssertions>(handler);
}
