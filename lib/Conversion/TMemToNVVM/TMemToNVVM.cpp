//===- TMemToNVVM.cpp - tmem to NVVM --------------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Conversion/TMemToNVVM/TMemToNVVM.h"
#include "Lowering.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMInterface.h"
#include "mlir/Conversion/GPUCommon/GPUCommonPass.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tmem/IR/Diagnostics.h"

namespace mlir::tmem {
#define GEN_PASS_DEF_CONVERTTMEMTONVVM
#include "tmem/Conversion/Passes.h.inc"
} // namespace mlir::tmem

using namespace mlir;
using namespace mlir::tmem;

void mlir::tmem::populateTMemToNVVMTypeConversions(TypeConverter &converter) {
  converter.addConversion([](ViewType type) -> Type {
    return IntegerType::get(type.getContext(), 32);
  });
  converter.addConversion(
      [](PendingType type, SmallVectorImpl<Type> &words) -> LogicalResult {
        words.append(getNumWords(type.getPayload()),
                     IntegerType::get(type.getContext(), 32));
        return success();
      });
  converter.addConversion(
      [](TokenType, SmallVectorImpl<Type> &) -> LogicalResult {
        return success();
      });
}

void mlir::tmem::populateTMemToNVVMConversionPatterns(
    const TypeConverter &converter, RewritePatternSet &patterns,
    const Chip *chip) {
  populateTransferPatterns(converter, patterns, chip);
  populateAllocationPatterns(converter, patterns, chip);
  populateViewPatterns(converter, patterns);
  populateCarrierPatterns(converter, patterns);
}

void mlir::tmem::configureTMemToNVVMConversionTarget(ConversionTarget &target) {
  target.addIllegalDialect<TMemDialect>();
  // Between elements that LLVM lacks, f8 and f4, and integers of their width.
  target.addLegalOp<UnrealizedConversionCastOp>();
  // What is not ours stays as legal or illegal as it was.
  auto illegalWithOurTypes = [](Operation *op) -> std::optional<bool> {
    if (carriesTMemTypes(op))
      return false;
    return std::nullopt;
  };
  // No conversion lowers scf to LLVM: what the patterns make of it stays.
  target.addDynamicallyLegalDialect<scf::SCFDialect>(
      [](Operation *op) { return !carriesTMemTypes(op); });
  target.addDynamicallyLegalOp<cf::BranchOp, cf::CondBranchOp, cf::SwitchOp,
                               arith::SelectOp>(illegalWithOurTypes);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

namespace {

/// Unlike other functions a gpu.func has arguments in its entry block that its
/// type does not have: its workgroup and private memory.
struct GPUFuncPattern : public OpConversionPattern<gpu::GPUFuncOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(gpu::GPUFuncOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    const TypeConverter &converter = *getTypeConverter();
    FunctionType type = op.getFunctionType();
    SmallVector<Type> inputs, results;
    Block &entry = op.getBody().front();
    TypeConverter::SignatureConversion arguments(entry.getNumArguments());
    if (failed(converter.convertTypes(type.getInputs(), inputs)) ||
        failed(converter.convertTypes(type.getResults(), results)) ||
        failed(converter.convertSignatureArgs(entry.getArgumentTypes(),
                                              arguments)))
      return failure();
    rewriter.applySignatureConversion(&entry, arguments, &converter);
    rewriter.modifyOpInPlace(
        op, [&] { op.setType(rewriter.getFunctionType(inputs, results)); });
    return success();
  }
};

struct GPUReturnPattern : public OpConversionPattern<gpu::ReturnOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(gpu::ReturnOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<gpu::ReturnOp>(op, adaptor.getOperands());
    return success();
  }
};

} // namespace

/// Views may be arguments and results of functions.
static void configureFunctions(const TypeConverter &converter,
                               RewritePatternSet &patterns,
                               ConversionTarget &target) {
  populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns,
                                                                 converter);
  populateCallOpTypeConversionPattern(patterns, converter);
  populateReturnOpTypeConversionPattern(patterns, converter);
  patterns.add<GPUFuncPattern, GPUReturnPattern>(converter,
                                                 patterns.getContext());
  // The arguments of other blocks are left to the branches.
  target.addDynamicallyLegalOp<func::FuncOp, gpu::GPUFuncOp>(
      [&](Operation *op) {
        return converter.isSignatureLegal(cast<FunctionType>(
            cast<FunctionOpInterface>(op).getFunctionType()));
      });
  target.addDynamicallyLegalOp<func::CallOp, func::ReturnOp, gpu::ReturnOp>(
      [&](Operation *op) { return converter.isLegal(op); });
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct ConvertTMemToNVVM
    : public tmem::impl::ConvertTMemToNVVMBase<ConvertTMemToNVVM> {
  using Base::Base;

  void runOnOperation() override {
    const Chip *chip = nullptr;
    if (failed(findTarget(chip)) || failed(verifyTarget(chip)))
      return signalPassFailure();

    // The conversion would leave them as they are, with types of ours.
    IRRewriter rewriter(&getContext());
    (void)eraseUnreachableBlocks(rewriter, getOperation()->getRegions());

    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    populateTMemToNVVMTypeConversions(converter);

    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    ConversionTarget target(*context);
    populateTMemToNVVMConversionPatterns(converter, patterns, chip);
    // No other pattern here makes what the carriers' patterns make of them
    // legal.
    target.addDynamicallyLegalOp<cf::BranchOp, cf::CondBranchOp, cf::SwitchOp,
                                 arith::SelectOp>(
        [](Operation *op) { return !carriesTMemTypes(op); });
    configureTMemToNVVMConversionTarget(target);
    target.addLegalDialect<LLVM::LLVMDialect, NVVM::NVVMDialect,
                           arith::ArithDialect, memref::MemRefDialect>();
    configureFunctions(converter, patterns, target);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      return signalPassFailure();
    eraseMarks(getOperation());
  }

private:
  /// The chip of the option. Rule X1.
  LogicalResult findTarget(const Chip *&found) {
    if (chip.empty())
      return success();
    found = findChip(chip);
    if (found)
      return success();
    return emitViolation(
        [&] { return emitError(getOperation()->getLoc()); }, Rule::X1,
        "expected a chip of " + getChipNames() + ", but got " + chip);
  }

  /// Rule P1 where no transfer is around to follow: functions are a boundary.
  static LogicalResult verifySignature(FunctionOpInterface function) {
    if (llvm::none_of(function.getArgumentTypes(), isInFlightType) &&
        llvm::none_of(function.getResultTypes(), isInFlightType))
      return success();
    return emitViolation(
        [&] { return emitError(function.getLoc()); }, Rule::P1,
        "expected no pending values or tokens in the type of a function");
  }

  /// All diagnostics come before anything changes.
  LogicalResult verifyTarget(const Chip *found) {
    WalkResult result = getOperation()->walk([&](Operation *op) {
      if (auto function = dyn_cast<FunctionOpInterface>(op))
        return WalkResult(verifySignature(function));
      bool ours = isa_and_nonnull<TMemDialect>(op->getDialect());
      return WalkResult(ours ? verifyOnChip(op, found) : success());
    });
    return failure(result.wasInterrupted());
  }
};

//===----------------------------------------------------------------------===//
// ConvertToLLVMPatternInterface
//===----------------------------------------------------------------------===//

struct TMemToLLVMInterface : public ConvertToLLVMPatternInterface {
  TMemToLLVMInterface(Dialect *dialect)
      : ConvertToLLVMPatternInterface(dialect) {}

  void loadDependentDialects(MLIRContext *context) const override {
    context->loadDialect<LLVM::LLVMDialect, NVVM::NVVMDialect,
                         arith::ArithDialect, cf::ControlFlowDialect,
                         memref::MemRefDialect, scf::SCFDialect>();
  }

  void populateConvertToLLVMConversionPatterns(
      ConversionTarget &target, LLVMTypeConverter &typeConverter,
      RewritePatternSet &patterns) const override {
    populateTMemToNVVMTypeConversions(typeConverter);
    populateTMemToNVVMConversionPatterns(typeConverter, patterns);
    configureTMemToNVVMConversionTarget(target);
    target.addLegalDialect<NVVM::NVVMDialect>();
    // The slot of an allocation is a memref in the workgroup space.
    populateGpuMemorySpaceAttributeConversions(
        typeConverter, [](gpu::AddressSpace space) -> unsigned {
          switch (space) {
          case gpu::AddressSpace::Global:
            return 1;
          case gpu::AddressSpace::Workgroup:
            return 3;
          default:
            return 0;
          }
        });
  }
};

} // namespace

void mlir::tmem::registerConvertTMemToLLVMInterface(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, TMemDialect *dialect) {
    dialect->addInterfaces<TMemToLLVMInterface>();
  });
}
