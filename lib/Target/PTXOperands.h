//===- PTXOperands.h - Operands of a PTX instruction ------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_TARGET_PTXOPERANDS_H
#define TMEM_LIB_TARGET_PTXOPERANDS_H

#include "PTXScopes.h"
#include "PTXTokenStream.h"
#include "tmem/Target/PTX.h"

namespace mlir::tmem::ptx {

/// One operand: "%r1", "{%r1, %r2}", "%r1|%p1", "[%r1+4]" or "(a, b)".
struct Operand {
  llvm::SmallVector<llvm::StringRef, 4> names; ///< All in it, outermost first.
  bool isMemory = false;                       ///< Has an address in [ ].
  bool isList = false;                         ///< Starts with '('.
};

/// Reads operands up to and with the ';', where `end` then points to. `line` is
/// the instruction's.
llvm::LogicalResult parseOperands(TokenStream &tokens, unsigned line,
                                  llvm::SmallVectorImpl<Operand> &operands,
                                  const char *&end);

bool isCall(llvm::StringRef opcode);

/// Sets the registers that an instruction of the function writes and reads.
/// Without a predicate its name is empty.
void addRegisters(PTXFunction &function, PTXInstruction &inst,
                  llvm::StringRef predicate, llvm::ArrayRef<Operand> operands,
                  Scopes &scopes);

} // namespace mlir::tmem::ptx

#endif // TMEM_LIB_TARGET_PTXOPERANDS_H
