//===- Rules.cpp - The rules that verification enforces -------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Layout/Rules.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir::tmem;

llvm::StringRef mlir::tmem::getRuleId(Rule rule) {
  switch (rule) {
#define TMEM_RULE(ID, TEXT)                                                    \
  case Rule::ID:                                                               \
    return #ID;
#include "tmem/Layout/Rules.def"
  }
  llvm_unreachable("not a rule");
}

llvm::StringRef mlir::tmem::getRuleText(Rule rule) {
  switch (rule) {
#define TMEM_RULE(ID, TEXT)                                                    \
  case Rule::ID:                                                               \
    return TEXT;
#include "tmem/Layout/Rules.def"
  }
  llvm_unreachable("not a rule");
}
