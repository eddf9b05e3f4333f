//===- PTX.h - What a PTX text says, as far as analyses need it -*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads PTX text, whoever wrote it, into functions, basic blocks and
// instructions with the registers that they read and write. It is no validator:
// what has no bearing on the flow of control and of registers is skipped.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TARGET_PTX_H
#define TMEM_TARGET_PTX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace mlir::tmem {

/// Why a text could not be read, and where.
class PTXError : public llvm::ErrorInfo<PTXError> {
public:
  static char ID;

  PTXError(unsigned line, std::string message)
      : line(line), message(std::move(message)) {}

  /// Counted from 1.
  unsigned getLine() const { return line; }
  llvm::StringRef getMessage() const { return message; }

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  unsigned line;
  std::string message;
};

/// One instruction. Its registers stand in the function: see
/// PTXFunction::getDefs and getUses.
struct PTXInstruction {
  llvm::StringRef opcode; ///< With all modifiers, "tcgen05.wait::ld.sync...".
  llvm::StringRef text;   ///< From the opcode up to the ';'.
  unsigned line = 0;      ///< Where the opcode stands, counted from 1.
  bool isPredicated = false;
  bool isNegated = false;            ///< "@!%p"
  bool hasPredicateRegister = false; ///< It is the first of the uses.
  unsigned firstOperand = 0; ///< Into the function's list: defs, then uses.
  unsigned numDefs = 0;
  unsigned numUses = 0;
};

/// Instructions [begin, end) of the function, and the blocks control goes to.
struct PTXBlock {
  unsigned begin = 0;
  unsigned end = 0;
  llvm::SmallVector<unsigned, 2> successors;
};

/// A call by name. An indirect one has a register for its callee.
struct PTXCall {
  unsigned instruction;
  llvm::StringRef callee;
};

/// A function with a body. Blocks stand in the order of the text; then one
/// empty block for the function's end, which every `ret` and `exit` leads to;
/// then one empty block for each `.branchtargets` list, with the listed blocks
/// as its successors, so that many `brx.idx` over one long list stay cheap.
class PTXFunction {
public:
  llvm::StringRef name;
  unsigned line = 0; ///< Where `.entry` or `.func` stands.
  bool isKernel = false;
  /// The `.reg` results in front of the name. Every `ret` reads them; where
  /// control runs off the end of such a function, a `ret` is added there.
  std::vector<unsigned> results;
  /// The first registers are those of the parameter lists.
  unsigned numParameters = 0;
  std::vector<PTXInstruction> instructions;
  std::vector<PTXBlock> blocks;
  std::vector<PTXCall> calls; ///< In the order of the instructions.
  unsigned exitBlock = 0;

  /// The registers that the instruction writes, as numbers of this function.
  llvm::ArrayRef<unsigned> getDefs(const PTXInstruction &inst) const {
    return llvm::ArrayRef(operands).slice(inst.firstOperand, inst.numDefs);
  }
  /// The registers that it reads, its predicate and addresses among them.
  llvm::ArrayRef<unsigned> getUses(const PTXInstruction &inst) const {
    return llvm::ArrayRef(operands).slice(inst.firstOperand + inst.numDefs,
                                          inst.numUses);
  }
  /// How the text spells a register. Two registers of one name differ in their
  /// number when they are declared in different `{ }`.
  llvm::StringRef getRegisterName(unsigned reg) const { return registers[reg]; }
  unsigned getNumRegisters() const { return registers.size(); }

  std::vector<unsigned> operands;         ///< Registers, instruction after
                                          ///< instruction.
  std::vector<llvm::StringRef> registers; ///< Names, by number.
};

/// A PTX module. Names point into the text it was read from.
struct PTXModule {
  llvm::StringRef version; ///< "8.8"
  llvm::StringRef target;  ///< "sm_100a", without options such as "debug".
  std::vector<PTXFunction> functions;

  /// Holds the opcodes that the text spells with blanks inside.
  llvm::BumpPtrAllocator storage;
};

/// Reads a module, in time linear in the text. The text must outlive the
/// result. The error is always a PTXError.
llvm::Expected<PTXModule> parsePTX(llvm::StringRef text);

} // namespace mlir::tmem

#endif // TMEM_TARGET_PTX_H
