//===- InlinePTX.h - Instructions of inline PTX -----------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_TARGET_INLINEPTX_H
#define TMEM_TARGET_INLINEPTX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace mlir::tmem {

struct PTXOperand {
  enum Kind {
    Name,    ///< A register, a special register, a label, or "_".
    Number,  ///< An integer.
    Vector,  ///< "{a, b}"
    Address, ///< "[a + 4]": the base is the first element.
    Pair,    ///< "a|p"
  };
  Kind kind = Name;
  llvm::StringRef name;
  int64_t number = 0; ///< Or what is added to an address.
  std::vector<PTXOperand> elements;
};

struct PTXStatement {
  llvm::StringRef label;  ///< For a label, and nothing else is set then.
  llvm::StringRef opcode; ///< "tcgen05.wait::ld.sync.aligned"
  llvm::SmallVector<llvm::StringRef> parts; ///< The opcode, cut at its dots.
  llvm::StringRef predicate;                ///< Empty if there is none.
  bool isNegated = false;
  std::vector<PTXOperand> operands;

  bool has(llvm::StringRef part) const;
};

/// Reads the text of inline assembly: instructions, labels, braces and
/// declarations of registers, which are skipped. Names point into `text`.
llvm::Expected<std::vector<PTXStatement>> parseInlinePTX(llvm::StringRef text);

/// How many statements from the first on make up a loop around the test of an
/// mbarrier, which is the second: label, test of p, and either "@p bra done;
/// bra label; done:" or "@!p bra label". 0 if they are no such loop.
unsigned matchWaitLoop(llvm::ArrayRef<PTXStatement> statements);

/// What an LLVM asm string says to NVPTX: "$$" is a dollar, "${0}" is "$0".
std::string unescapeAsm(llvm::StringRef text);

} // namespace mlir::tmem

#endif // TMEM_TARGET_INLINEPTX_H
