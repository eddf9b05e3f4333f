//===- CheckCode.cpp - Whether LLVM can make code of a module -------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What LLVM ends the process for, refused at the operation at fault. Names:
// PTX ISA, "Identifiers". Types: LLVM's NVPTX target has registers of up to 128
// bits and no floats above 64; an operation of its instruction selection takes
// 65535 values at most, and long before that much time.
//
//===----------------------------------------------------------------------===//

#include "InlineAsmText.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Target/LLVMIR/TypeToLLVM.h"
#include "tmem/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/LLVMContext.h"

namespace mlir::tmem {
#define GEN_PASS_DEF_TMEMCHECKCODE
#include "tmem/Transforms/Passes.h.inc"
} // namespace mlir::tmem

using namespace mlir;
using namespace mlir::tmem;

static constexpr uint64_t maxScalars = 16384;
static constexpr unsigned maxDeviceBits = 128;
static constexpr unsigned maxHostBits = 1024;

namespace {
class Checker {
public:
  explicit Checker(bool isDevice)
      : isDevice(isDevice), types(std::make_unique<Translator>()) {}

  LogicalResult check(Operation *op);

private:
  struct Translator {
    llvm::LLVMContext context;
    LLVM::TypeToLLVMIRTranslator translator{context};
  };

  LogicalResult checkName(Operation *op);
  LogicalResult checkType(Operation *op, Type type);
  LogicalResult checkScalar(Operation *op, Type type);
  LogicalResult checkTypes(Operation *op);
  LogicalResult checkInlineAsm(LLVM::InlineAsmOp op);

  bool isDevice;
  DenseMap<Type, bool> known; ///< Types that have been looked at.
  std::unique_ptr<Translator> types;
};
} // namespace

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// LLVM gives local symbols names that PTX takes, if they have these.
static bool isNameChar(char c, bool isLocal) {
  return llvm::isAlnum(c) || c == '_' || c == '$' ||
         (isLocal && (c == '.' || c == '@'));
}

static bool isLocal(Operation *op) {
  auto isLocalLinkage = [](LLVM::Linkage linkage) {
    return linkage == LLVM::Linkage::Private ||
           linkage == LLVM::Linkage::Internal;
  };
  if (auto global = dyn_cast<LLVM::GlobalOp>(op))
    return isLocalLinkage(global.getLinkage());
  if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op))
    return isLocalLinkage(function.getLinkage());
  return false;
}

static InFlightDiagnostic emitNameError(Operation *op, StringRef name) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::printEscapedString(name, os);
  // Without the operation itself, which may be a whole function.
  return emitError(op->getLoc())
         << "'" << op->getName() << "' op expected a name of "
         << "letters, digits, _ and $, not a digit first, but got \"" << text
         << "\"";
}

LogicalResult Checker::checkName(Operation *op) {
  if (!isa<LLVM::LLVMFuncOp, LLVM::GlobalOp, LLVM::AliasOp, LLVM::IFuncOp>(op))
    return success();
  StringRef name = SymbolTable::getSymbolName(op).getValue();
  if (!isDevice)
    return name.contains('\0') ? emitNameError(op, name) : success();
  // Intrinsics are no symbols.
  if (name.starts_with("llvm.") && name != "llvm.")
    return success();
  bool isLocalName = isLocal(op);
  if (!name.empty() && !llvm::isDigit(name.front()) &&
      llvm::all_of(name, [&](char c) { return isNameChar(c, isLocalName); }))
    return success();
  return emitNameError(op, name);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// How many scalars of which types a value is; saturates above the limit.
static uint64_t countScalars(Type type,
                             llvm::SmallSetVector<Type, 4> &scalars) {
  uint64_t count = 0;
  if (auto vector = dyn_cast<VectorType>(type)) {
    count = 1;
    for (int64_t size : vector.getShape())
      count = std::min<uint64_t>(
          count * std::min<uint64_t>(size, maxScalars + 1), maxScalars + 1);
    scalars.insert(vector.getElementType());
    return count;
  }
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    uint64_t each = countScalars(array.getElementType(), scalars);
    return std::min<uint64_t>(
        each * std::min<uint64_t>(array.getNumElements(), maxScalars + 1),
        maxScalars + 1);
  }
  if (auto record = dyn_cast<LLVM::LLVMStructType>(type)) {
    for (Type part : record.getBody())
      count += countScalars(part, scalars);
    return std::min(count, maxScalars + 1);
  }
  scalars.insert(type);
  return 1;
}

LogicalResult Checker::checkScalar(Operation *op, Type type) {
  bool isWideFloat = isa<FloatType>(type) && type.getIntOrFloatBitWidth() > 64;
  if ((isDevice && isWideFloat) || isa<LLVM::LLVMPPCFP128Type>(type))
    return op->emitOpError("expected floats of at most 64 bits, but got ")
           << type;
  unsigned most = isDevice ? maxDeviceBits : maxHostBits;
  auto integer = dyn_cast<IntegerType>(type);
  if (integer && (integer.getWidth() > most || integer.getWidth() == 0))
    return op->emitOpError("expected integers of 1 to ")
           << most << " bits, but got " << type;
  return success();
}

LogicalResult Checker::checkType(Operation *op, Type type) {
  if (known.contains(type))
    return success();
  llvm::SmallSetVector<Type, 4> scalars;
  uint64_t count = countScalars(type, scalars);
  if (count > maxScalars)
    return op->emitOpError("expected values of at most ")
           << maxScalars << " elements, but got " << type;
  for (Type scalar : scalars)
    if (failed(checkScalar(op, scalar)))
      return failure();
  known[type] = true;
  return success();
}

LogicalResult Checker::checkTypes(Operation *op) {
  for (Type type : op->getResultTypes())
    if (failed(checkType(op, type)))
      return failure();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Type type : block.getArgumentTypes())
        if (failed(checkType(op, type)))
          return failure();
  if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op))
    for (Type type : function.getArgumentTypes())
      if (failed(checkType(op, type)))
        return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Inline assembly
//===----------------------------------------------------------------------===//

LogicalResult Checker::checkInlineAsm(LLVM::InlineAsmOp op) {
  SmallVector<llvm::Type *> operands;
  for (Type type : op.getOperandTypes())
    operands.push_back(types->translator.translateType(type));
  llvm::Type *result =
      op.getNumResults() == 0
          ? llvm::Type::getVoidTy(types->context)
          : types->translator.translateType(op.getResult(0).getType());
  auto *type = llvm::FunctionType::get(result, operands, /*isVarArg=*/false);
  std::string reason =
      verifyInlineAsm(op.getAsmString(), op.getConstraints(), *type, isDevice);
  return reason.empty() ? success() : LogicalResult(op.emitOpError(reason));
}

LogicalResult Checker::check(Operation *op) {
  if (failed(checkName(op)) || failed(checkTypes(op)))
    return failure();
  if (auto inlineAsm = dyn_cast<LLVM::InlineAsmOp>(op))
    return checkInlineAsm(inlineAsm);
  return success();
}

namespace {
struct CheckCodePass : public tmem::impl::TMemCheckCodeBase<CheckCodePass> {
  using Base::Base;

  void runOnOperation() override {
    Checker host(/*isDevice=*/false), device(/*isDevice=*/true);
    bool hasFailed = false;
    for (Operation &op : getOperation().getBodyRegion().getOps()) {
      bool isDevice = isa<gpu::GPUModuleOp>(op);
      if (!isDevice && !checkHost)
        continue;
      op.walk([&](Operation *nested) {
        hasFailed |= failed((isDevice ? device : host).check(nested));
        return hasFailed ? WalkResult::interrupt() : WalkResult::advance();
      });
      if (hasFailed)
        return signalPassFailure();
    }
  }
};
} // namespace
