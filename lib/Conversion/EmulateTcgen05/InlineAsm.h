//===- InlineAsm.h - Emulated inline PTX ------------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_CONVERSION_EMULATETCGEN05_INLINEASM_H
#define TMEM_LIB_CONVERSION_EMULATETCGEN05_INLINEASM_H

#include "Emitter.h"
#include "tmem/Target/InlinePTX.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::tmem::emulate {

/// The registers of one piece of inline assembly while its instructions are
/// emulated in their order.
class PTXRegisters {
public:
  explicit PTXRegisters(Emitter &emitter) : emitter(emitter) {}

  /// The value of a register, or null if nothing wrote it.
  Value lookup(StringRef name) const { return values.lookup(name); }
  /// Writes a register, if the emitter's predicate holds.
  void set(StringRef name, Value value);

  /// The operand as an integer of `bits` bits, or null if there is no such
  /// register; numbers and special registers too.
  Value getInteger(const PTXOperand &operand, unsigned bits);
  /// The operand as a pointer: "[a]" or "[a + 4]" with a register inside.
  Value getPointer(const PTXOperand &operand, bool isShared);
  /// The operand as an i1.
  Value getPredicate(const PTXOperand &operand);

private:
  Value getRaw(const PTXOperand &operand, unsigned bits);

  Emitter &emitter;
  llvm::StringMap<Value> values;
};

/// These emulate an instruction and return true, or return false if they do not
/// know it or its operands.
bool emitTcgen05PTX(Emitter &emitter, PTXRegisters &registers,
                    const PTXStatement &statement);
bool emitTensorCorePTX(Emitter &emitter, PTXRegisters &registers,
                       const PTXStatement &statement);
bool emitMovePTX(Emitter &emitter, PTXRegisters &registers,
                 const PTXStatement &statement);
bool emitSyncPTX(Emitter &emitter, PTXRegisters &registers,
                 const PTXStatement &statement);
bool emitMBarrierPTX(Emitter &emitter, PTXRegisters &registers,
                     const PTXStatement &statement, bool isLoop);

} // namespace mlir::tmem::emulate

#endif // TMEM_LIB_CONVERSION_EMULATETCGEN05_INLINEASM_H
