//===- AssemblyEffects.cpp - What inline assembly does --------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/IR/AssemblyEffects.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::tmem;

/// Whether a word of the text is such an instruction (PTX ISA, "Parallel
/// Synchronization and Communication Instructions", "TensorCore 5th Generation
/// Family Instructions", "Control Flow Instructions").
static bool hasEffects(StringRef opcode) {
  SmallVector<StringRef, 8> parts;
  opcode.split(parts, '.', -1, /*KeepEmpty=*/false);
  if (parts.empty())
    return false;
  if (parts.front() == "mbarrier")
    return parts.size() < 2 || parts[1].starts_with("arrive") ||
           parts[1].starts_with("complete");
  return llvm::is_contained({"atom", "bar", "barrier", "call", "exit", "fence",
                             "griddepcontrol", "membar", "multimem", "red",
                             "tcgen05", "trap"},
                            parts.front()) ||
         llvm::is_contained(parts, "mbarrier");
}

/// Of any text, whether or not it is right.
static bool hasInstructionWithEffects(StringRef text) {
  static constexpr StringLiteral letters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$%";
  while (true) {
    text = text.drop_until([](char c) { return letters.contains(c); });
    if (text.empty())
      return false;
    StringRef word =
        text.take_while([](char c) { return letters.contains(c); });
    text = text.drop_front(word.size());
    if (hasEffects(word))
      return true;
  }
}

bool mlir::tmem::hasAssemblyEffects(Operation *op) {
  auto assembly = dyn_cast<LLVM::InlineAsmOp>(op);
  return assembly && (assembly.getHasSideEffects() ||
                      assembly.getConstraints().contains("~{memory}") ||
                      hasInstructionWithEffects(assembly.getAsmString()));
}

bool mlir::tmem::isFreeOfEffects(Operation *op) {
  if (!isMemoryEffectFree(op))
    return false;
  if (op->getNumRegions() == 0)
    return !hasAssemblyEffects(op);
  return !op->walk([](Operation *inner) {
              return hasAssemblyEffects(inner) ? WalkResult::interrupt()
                                               : WalkResult::advance();
            }).wasInterrupted();
}
