//===- InlineAsmText.cpp - What LLVM takes as inline assembly -------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InlineAsmText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Support/Error.h"

using namespace mlir;
using namespace mlir::tmem;

using llvm::InlineAsm;

/// The letters of registers and constants that NVPTX has; a number is the
/// output that an input shares.
static std::string
findUnknownCode(const InlineAsm::ConstraintInfo &constraint) {
  if (constraint.Type == InlineAsm::isClobber)
    return "";
  static constexpr StringLiteral known[] = {"b", "h", "r", "l", "f", "d",
                                            "q", "c", "N", "i", "n", "s",
                                            "E", "F", "X", "p", "m"};
  for (StringRef code : constraint.Codes)
    if (!llvm::is_contained(known, code) && !llvm::all_of(code, llvm::isDigit))
      return code.str();
  return "";
}

/// Reads what follows a `$`; nothing where it names an operand of `numOperands`
/// or none, else what is wrong.
static std::string readReference(StringRef &rest, unsigned numOperands) {
  if (!rest.empty() && StringRef("$(|)").contains(rest.front())) {
    rest = rest.drop_front();
    return "";
  }
  bool isBraced = rest.consume_front("{");
  if (isBraced && rest.starts_with(":")) {
    // ${:uid} and its like.
    size_t end = rest.find('}');
    if (end == StringRef::npos)
      return "the end before a closing brace";
    rest = rest.drop_front(end + 1);
    return "";
  }
  StringRef digits = rest.take_while(llvm::isDigit);
  rest = rest.drop_front(digits.size());
  unsigned number;
  if (digits.getAsInteger(10, number))
    return "$ without a number";
  if (number >= numOperands)
    return ("$" + digits).str();
  if (!isBraced)
    return "";
  if (rest.consume_front(":"))
    rest = rest.drop_while([](char c) { return c != '}'; });
  return rest.consume_front("}") ? "" : "the end before a closing brace";
}

static std::string verifyReferences(StringRef text, unsigned numOperands) {
  while (true) {
    size_t at = text.find('$');
    if (at == StringRef::npos)
      return "";
    text = text.drop_front(at + 1);
    std::string wrong = readReference(text, numOperands);
    if (!wrong.empty())
      return ("expected assembly that names " + Twine(numOperands) +
              " operands, but got " + wrong)
          .str();
  }
}

std::string mlir::tmem::verifyInlineAsm(StringRef text, StringRef constraints,
                                        llvm::FunctionType &type,
                                        bool isDevice) {
  if (llvm::Error error = InlineAsm::verify(&type, constraints))
    return ("expected constraints that fit the types, but got \"" +
            constraints + "\": " + llvm::toString(std::move(error)))
        .str();
  unsigned numOperands = 0;
  for (const auto &constraint : InlineAsm::ParseConstraints(constraints)) {
    std::string code = isDevice ? findUnknownCode(constraint) : "";
    if (!code.empty())
      return "expected constraints b, h, r, l, f, d, q, i or n, but got " +
             code;
    numOperands += constraint.Type != InlineAsm::isClobber;
  }
  return verifyReferences(text, numOperands);
}
