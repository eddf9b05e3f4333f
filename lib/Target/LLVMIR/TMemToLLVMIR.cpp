//===- TMemToLLVMIR.cpp - tmem attributes to LLVM IR ----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Target/LLVMIR/TMemToLLVMIR.h"
#include "mlir/Target/LLVMIR/LLVMTranslationInterface.h"
#include "tmem/IR/TMemDialect.h"
#include "llvm/IR/InstrTypes.h"

using namespace mlir;
using namespace mlir::tmem;

namespace {
class TMemTranslationInterface : public LLVMTranslationDialectInterface {
public:
  using LLVMTranslationDialectInterface::LLVMTranslationDialectInterface;

  LogicalResult amendOperation(Operation *op,
                               ArrayRef<llvm::Instruction *> instructions,
                               NamedAttribute attribute,
                               LLVM::ModuleTranslation &) const override {
    if (attribute.getName() != TMemDialect::getConvergentAttrName())
      return success();
    for (llvm::Instruction *instruction : instructions)
      if (auto *call = dyn_cast<llvm::CallBase>(instruction))
        call->setConvergent();
    return success();
  }
};
} // namespace

void mlir::tmem::registerTMemDialectTranslation(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, TMemDialect *dialect) {
    dialect->addInterfaces<TMemTranslationInterface>();
  });
}
