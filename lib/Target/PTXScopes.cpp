//===- PTXScopes.cpp - Names in the nested blocks of PTX ------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXScopes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::tmem::ptx;

bool Scopes::push() {
  if (depth == maxDepth)
    return false;
  scopes.push_back({current, false});
  current = scopes.size() - 1;
  ++depth;
  return true;
}

bool Scopes::pop() {
  if (depth == 0)
    return false;
  current = scopes[current].parent;
  --depth;
  return true;
}

unsigned Scopes::addRegister(unsigned scope, llvm::StringRef name) {
  auto [it, inserted] = known.try_emplace({scope, name}, registers.size());
  if (inserted)
    registers.push_back(name);
  return it->second;
}

unsigned Scopes::declareRegister(llvm::StringRef name) {
  scopes[current].hasRegisters = true;
  return addRegister(current, name);
}

void Scopes::declareFamily(llvm::StringRef prefix, uint64_t count) {
  scopes[current].hasRegisters = true;
  uint64_t &declared = families[{current, prefix}];
  declared = std::max(declared, count);
}

// The number may start at any digit at the end: %r12 is of `%r<20>` and of
// `%r1<3>`.
bool Scopes::isFamilyMember(unsigned scope, llvm::StringRef name) const {
  constexpr size_t maxDigits = 10;
  size_t digits = 0;
  while (digits < std::min(maxDigits, name.size()) &&
         llvm::isDigit(name[name.size() - digits - 1])) {
    ++digits;
    auto it = families.find({scope, name.drop_back(digits)});
    if (it == families.end())
      continue;
    llvm::StringRef number = name.take_back(digits);
    uint64_t value = 0;
    bool isPlain = digits == 1 || number[0] != '0';
    if (isPlain && !number.getAsInteger(10, value) && value < it->second)
      return true;
  }
  return false;
}

std::optional<unsigned> Scopes::findIn(unsigned scope, llvm::StringRef name) {
  if (!scopes[scope].hasRegisters)
    return std::nullopt;
  if (auto it = known.find({scope, name}); it != known.end())
    return it->second;
  if (isFamilyMember(scope, name))
    return addRegister(scope, name);
  return std::nullopt;
}

static bool isSpecialRegister(llvm::StringRef name) {
  static constexpr llvm::StringLiteral exact[] = {"%tid",
                                                  "%ntid",
                                                  "%laneid",
                                                  "%warpid",
                                                  "%nwarpid",
                                                  "%ctaid",
                                                  "%nctaid",
                                                  "%smid",
                                                  "%nsmid",
                                                  "%gridid",
                                                  "%clock",
                                                  "%clock64",
                                                  "%clock_hi",
                                                  "%clusterid",
                                                  "%nclusterid",
                                                  "%is_explicit_cluster",
                                                  "%current_graph_exec"};
  static constexpr llvm::StringLiteral prefixes[] = {
      "%lanemask_",   "%cluster_",    "%pm",
      "%envreg",      "%globaltimer", "%reserved_smem_",
      "%total_smem_", "%aggr_smem_",  "%dynamic_smem_"};
  return llvm::is_contained(exact, name) ||
         llvm::any_of(prefixes, [&](llvm::StringRef prefix) {
           return name.starts_with(prefix);
         });
}

std::optional<unsigned> Scopes::findRegister(llvm::StringRef name) {
  // "%v.x" is a part of the vector register %v.
  name = name.take_until([](char c) { return c == '.'; });
  for (unsigned scope = current;; scope = scopes[scope].parent) {
    if (std::optional<unsigned> reg = findIn(scope, name))
      return reg;
    if (scope == 0)
      break;
  }
  if (!name.starts_with("%") || isSpecialRegister(name))
    return std::nullopt;
  return addRegister(0, name);
}

bool Scopes::defineLabel(llvm::StringRef name, Label label) {
  return labels.try_emplace({current, name}, label).second;
}

std::optional<Label> Scopes::findLabel(unsigned scope,
                                       llvm::StringRef name) const {
  for (;; scope = scopes[scope].parent) {
    if (auto it = labels.find({scope, name}); it != labels.end())
      return it->second;
    if (scope == 0)
      return std::nullopt;
  }
}
