//===- PTXFlow.h - The flow of control of a PTX function --------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_TARGET_PTXFLOW_H
#define TMEM_LIB_TARGET_PTXFLOW_H

#include "PTXScopes.h"
#include "tmem/Target/PTX.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/LogicalResult.h"

namespace mlir::tmem::ptx {

/// The label that a branch names. It may be defined further down, so it is
/// looked up when the function has been read.
struct LabelUse {
  unsigned scope;
  llvm::StringRef name;
  unsigned line;
};

struct Jump {
  unsigned instruction;
  LabelUse target;
};

using TargetList = std::vector<LabelUse>;

/// How control leaves an instruction.
enum class Flow {
  Next,
  Branch, ///< To the label it names.
  Table,  ///< To one of a `.branchtargets` list.
  Exit,   ///< To the end of the function.
  Stop,   ///< Nowhere.
};

Flow getFlow(llvm::StringRef opcode);

/// `ret`, which goes back to the caller; `exit` ends the thread.
bool isReturn(llvm::StringRef opcode);

/// Reports an error at a line, and fails.
using ErrorFn =
    llvm::function_ref<llvm::LogicalResult(unsigned, const llvm::Twine &)>;

/// Makes the blocks of a function whose instructions have been read. The jumps
/// stand in the order of their instructions.
llvm::LogicalResult buildBlocks(PTXFunction &function, const Scopes &scopes,
                                llvm::ArrayRef<Jump> jumps,
                                llvm::ArrayRef<TargetList> tables,
                                ErrorFn error);

} // namespace mlir::tmem::ptx

#endif // TMEM_LIB_TARGET_PTXFLOW_H
