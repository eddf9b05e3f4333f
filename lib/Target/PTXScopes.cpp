//===- PTXScopes.cpp - Names in the nested blocks of PTX ------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXScopes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

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

/// PTX has vectors of 2 and of 4 (PTX ISA, Vectors). Others are one register.
void Scopes::addComponents(unsigned reg, unsigned vectorSize) {
  if (vectorSize != 2 && vectorSize != 4)
    return;
  auto [it, inserted] = vectors.try_emplace(
      reg, Components{unsigned(registers.size()), vectorSize - 1});
  if (inserted)
    registers.insert(registers.end(), vectorSize - 1, registers[reg]);
}

unsigned Scopes::declareRegister(llvm::StringRef name, unsigned vectorSize) {
  scopes[current].hasRegisters = true;
  std::optional<unsigned> reg = findIn(current, name, split(name));
  if (!reg)
    reg = addRegister(current, name);
  addComponents(*reg, vectorSize);
  return *reg;
}

void Scopes::declareFamily(llvm::StringRef prefix, uint64_t count,
                           unsigned vectorSize) {
  scopes[current].hasRegisters = true;
  Family *&family = familiesByName[{current, prefix}];
  if (!family)
    family = &families.emplace_back(Family{current, prefix, 0, {}});
  family->vectorSize = vectorSize;
  family->count = std::max(family->count, count);
  size_t size = std::min<uint64_t>(family->count, tableSpace);
  if (size <= family->table.size())
    return;
  tableSpace -= size - family->table.size();
  family->table.resize(size);
}

Scopes::Family *Scopes::findFamily(unsigned scope, llvm::StringRef prefix) {
  // Few families make up nearly all of a text, and what is asked for again and
  // again should not be hashed each time.
  size_t slot =
      scope + 5 * prefix.size() + (prefix.empty() ? 0 : prefix.back());
  Family *&recent = recentFamilies[slot % recentFamilies.size()];
  if (recent && recent->scope == scope && recent->prefix == prefix)
    return recent;
  auto it = familiesByName.find({scope, prefix});
  if (it == familiesByName.end())
    return nullptr;
  return recent = it->second;
}

// The number may start at any digit at the end: %r12 is of `%r<20>` and of
// `%r1<3>`.
bool Scopes::isFamilyMember(unsigned scope, llvm::StringRef name) const {
  constexpr size_t maxDigits = 10;
  size_t digits = 0;
  while (digits < std::min(maxDigits, name.size()) &&
         llvm::isDigit(name[name.size() - digits - 1])) {
    ++digits;
    auto it = familiesByName.find({scope, name.drop_back(digits)});
    if (it == familiesByName.end())
      continue;
    llvm::StringRef number = name.take_back(digits);
    uint64_t value = 0;
    bool isPlain = digits == 1 || number[0] != '0';
    if (isPlain && !number.getAsInteger(10, value) && value < it->second->count)
      return true;
  }
  return false;
}

std::optional<Scopes::Split> Scopes::split(llvm::StringRef name) {
  constexpr size_t maxDigits = 9;
  size_t begin = name.size();
  while (begin != 0 && llvm::isDigit(name[begin - 1]))
    --begin;
  size_t digits = name.size() - begin;
  if (digits == 0 || digits > maxDigits || (digits > 1 && name[begin] == '0'))
    return std::nullopt;
  Split parts{name.take_front(begin), 0};
  for (char c : name.drop_front(begin))
    parts.number = parts.number * 10 + (c - '0');
  return parts;
}

std::optional<unsigned> Scopes::findIn(unsigned scope, llvm::StringRef name,
                                       const std::optional<Split> &parts) {
  if (!scopes[scope].hasRegisters)
    return std::nullopt;
  Family *family = parts ? findFamily(scope, parts->prefix) : nullptr;
  if (family && parts->number < family->table.size()) {
    unsigned &entry = family->table[parts->number];
    // A name that was used before it was declared has its register.
    if (entry == 0) {
      auto it = known.find({scope, name});
      entry = 1 + (it != known.end() ? it->second : registers.size());
      if (entry > registers.size())
        registers.push_back(name);
      addComponents(entry - 1, family->vectorSize);
    }
    return entry - 1;
  }
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

/// Which one "x" or "r" stands for, and so on; 4 for none.
static unsigned getComponent(llvm::StringRef name) {
  return llvm::StringSwitch<unsigned>(name)
      .Cases({"x", "r"}, 0)
      .Cases({"y", "g"}, 1)
      .Cases({"z", "b"}, 2)
      .Cases({"w", "a"}, 3)
      .Default(4);
}

unsigned Scopes::findRegisters(llvm::StringRef name,
                               std::vector<unsigned> &found) {
  auto [base, part] = name.split('.');
  std::optional<unsigned> reg = findRegister(base);
  if (!reg)
    return 0;
  auto it = vectors.empty() ? vectors.end() : vectors.find(*reg);
  unsigned component = it == vectors.end() ? 0 : getComponent(part);
  unsigned count = it == vectors.end() ? 0 : it->second.count;
  if (component == 0 || component > count)
    found.push_back(*reg);
  for (unsigned i = 1; i <= count; ++i)
    if (component == i || component > count)
      found.push_back(it->second.first + i - 1);
  return component > count ? count + 1 : 1;
}

std::optional<unsigned> Scopes::findRegister(llvm::StringRef name) {
  std::optional<Split> parts = split(name);
  for (unsigned scope = current;; scope = scopes[scope].parent) {
    if (std::optional<unsigned> reg = findIn(scope, name, parts))
      return reg;
    if (scope == 0)
      break;
  }
  if (!name.starts_with("%") || isSpecialRegister(name))
    return std::nullopt;
  return addRegister(0, name);
}

//===----------------------------------------------------------------------===//
// Labels
//===----------------------------------------------------------------------===//

Scopes::LabelTable *Scopes::findLabels(unsigned scope,
                                       llvm::StringRef prefix) const {
  if (recentLabels && recentLabels->scope == scope &&
      recentLabels->prefix == prefix)
    return recentLabels;
  LabelTable *table = labelTablesByName.lookup({scope, prefix});
  return table ? recentLabels = table : nullptr;
}

/// Compilers count their labels. A table grows as long as they do.
std::optional<Label> *Scopes::getPlace(LabelTable &table, unsigned number) {
  size_t size = table.labels.size();
  if (number < size)
    return &table.labels[number];
  size_t newSize = 2 * size + 16;
  if (number >= newSize || newSize - size > tableSpace)
    return nullptr;
  tableSpace -= newSize - size;
  table.labels.resize(newSize);
  return &table.labels[number];
}

bool Scopes::defineLabel(llvm::StringRef name, Label label) {
  std::optional<Split> parts = split(name);
  if (findLabelIn(current, name, parts))
    return false;
  if (parts) {
    LabelTable *table = findLabels(current, parts->prefix);
    if (!table) {
      table = &labelTables.emplace_back(LabelTable{current, parts->prefix, {}});
      labelTablesByName[{current, parts->prefix}] = table;
    }
    if (std::optional<Label> *place = getPlace(*table, parts->number)) {
      *place = label;
      return true;
    }
  }
  return labels.try_emplace({current, name}, label).second;
}

std::optional<Label>
Scopes::findLabelIn(unsigned scope, llvm::StringRef name,
                    const std::optional<Split> &parts) const {
  LabelTable *table = parts ? findLabels(scope, parts->prefix) : nullptr;
  if (table && parts->number < table->labels.size() &&
      table->labels[parts->number])
    return table->labels[parts->number];
  if (auto it = labels.find({scope, name}); it != labels.end())
    return it->second;
  return std::nullopt;
}

std::optional<Label> Scopes::findLabel(unsigned scope,
                                       llvm::StringRef name) const {
  std::optional<Split> parts = split(name);
  for (;; scope = scopes[scope].parent) {
    if (std::optional<Label> label = findLabelIn(scope, name, parts))
      return label;
    if (scope == 0)
      return std::nullopt;
  }
}
