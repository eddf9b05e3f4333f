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
  unsigned firstName; ///< Of all names in it, into the list of the operands.
  unsigned numNames = 0;
  bool isMemory = false; ///< Has an address in [ ].
  bool isList = false;   ///< Starts with '('.
};

/// The operands of one instruction. One is used again for each instruction.
class OperandList {
public:
  llvm::ArrayRef<Operand> get() const { return operands; }
  llvm::ArrayRef<llvm::StringRef> getNames(const Operand &operand) const {
    return llvm::ArrayRef(names).slice(operand.firstName, operand.numNames);
  }

  void clear() { operands.clear(), names.clear(); }
  Operand &add() {
    return operands.emplace_back(Operand{unsigned(names.size())});
  }
  /// To the last operand.
  void addName(llvm::StringRef name) {
    names.push_back(name);
    ++operands.back().numNames;
  }

private:
  std::vector<Operand> operands;
  std::vector<llvm::StringRef> names;
};

/// What stands behind '@'. The name is empty if there is none.
struct Predicate {
  llvm::StringRef name;
  bool isNegated = false;
};

/// Reads operands up to and with the ';', where `end` then points to. `line` is
/// the instruction's.
llvm::LogicalResult parseOperands(TokenStream &tokens, unsigned line,
                                  OperandList &operands, const char *&end);

bool isCall(llvm::StringRef opcode);

/// Sets the registers that an instruction of the function writes and reads.
void addRegisters(PTXFunction &function, PTXInstruction &inst,
                  const Predicate &predicate, const OperandList &operands,
                  Scopes &scopes);

} // namespace mlir::tmem::ptx

#endif // TMEM_LIB_TARGET_PTXOPERANDS_H
