//===- PTXScopes.h - Names in the nested blocks of PTX ----------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inline assembly brings its own `{ .reg .pred P; WAIT: ... }`, often many
// times in one function: registers and labels belong to the `{ }` they stand
// in.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_TARGET_PTXSCOPES_H
#define TMEM_LIB_TARGET_PTXSCOPES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <deque>
#include <optional>
#include <vector>

namespace mlir::tmem::ptx {

/// What a label names.
struct Label {
  bool isTable;   ///< A `.branchtargets` list, else a place in the code.
  unsigned index; ///< Of the list, or of the instruction that follows.
};

/// The names of one function. Scope 0 is the function itself.
class Scopes {
public:
  /// A chain of scopes is walked for every name, so its length is bounded.
  static constexpr unsigned maxDepth = 256;

  /// `tableSpace` is how many more registers of families may get a place in a
  /// table. It bounds the memory that a text can ask for by declarations alone.
  Scopes(std::vector<llvm::StringRef> &registers, size_t &tableSpace)
      : registers(registers), tableSpace(tableSpace) {}

  /// Returns false when the limit of nesting is reached.
  bool push();
  /// Returns false at the end of the outermost scope, which stays.
  bool pop();
  unsigned getCurrent() const { return current; }

  /// Returns the register's number. One of `vectorSize` components is as many
  /// registers: `.reg .v4 .b32 %v`.
  unsigned declareRegister(llvm::StringRef name, unsigned vectorSize = 1);
  /// `.reg .b32 %r<count>;` declares %r0 to %r(count - 1).
  void declareFamily(llvm::StringRef prefix, uint64_t count,
                     unsigned vectorSize = 1);
  /// Adds the numbers of the registers that an operand names and returns how
  /// many, none for a symbol or a special register. A name like %r1 that
  /// nothing declares is a register of the function. "%v.x" is one of the
  /// components of %v, "%v" is all.
  unsigned findRegisters(llvm::StringRef name, std::vector<unsigned> &found);

  /// Returns false when the scope has a label of this name.
  bool defineLabel(llvm::StringRef name, Label label);
  /// What a name means in a scope, open or closed.
  std::optional<Label> findLabel(unsigned scope, llvm::StringRef name) const;

private:
  using Key = std::pair<unsigned, llvm::StringRef>;
  struct Scope {
    unsigned parent;
    bool hasRegisters;
  };
  /// `.reg .b32 %r<count>;`
  struct Family {
    unsigned scope;
    llvm::StringRef prefix;
    uint64_t count = 0;
    std::vector<unsigned> table; ///< Registers + 1 by number, 0 if not known.
    unsigned vectorSize = 1;
  };
  /// A name as a prefix and the number at its end.
  struct Split {
    llvm::StringRef prefix;
    unsigned number;
  };

  /// Labels of one prefix, by their number.
  struct LabelTable {
    unsigned scope;
    llvm::StringRef prefix;
    std::vector<std::optional<Label>> labels;
  };

  static std::optional<Split> split(llvm::StringRef name);
  LabelTable *findLabels(unsigned scope, llvm::StringRef prefix) const;
  std::optional<Label> *getPlace(LabelTable &table, unsigned number);
  std::optional<Label> findLabelIn(unsigned scope, llvm::StringRef name,
                                   const std::optional<Split> &parts) const;
  /// The registers of a vector behind its first component.
  struct Components {
    unsigned first, count;
  };

  std::optional<unsigned> findRegister(llvm::StringRef name);
  unsigned addRegister(unsigned scope, llvm::StringRef name);
  void addComponents(unsigned reg, unsigned vectorSize);
  std::optional<unsigned> findIn(unsigned scope, llvm::StringRef name,
                                 const std::optional<Split> &parts);
  Family *findFamily(unsigned scope, llvm::StringRef prefix);
  bool isFamilyMember(unsigned scope, llvm::StringRef name) const;

  std::vector<llvm::StringRef> &registers;
  size_t &tableSpace;
  std::vector<Scope> scopes{{0, true}};
  unsigned current = 0;
  unsigned depth = 0;
  llvm::DenseMap<Key, unsigned> known;          ///< But for those in tables.
  llvm::DenseMap<unsigned, Components> vectors; ///< By first component.
  std::deque<Family> families;
  llvm::DenseMap<Key, Family *> familiesByName;
  std::array<Family *, 16> recentFamilies{};
  llvm::DenseMap<Key, Label> labels; ///< But for those in tables.
  std::deque<LabelTable> labelTables;
  llvm::DenseMap<Key, LabelTable *> labelTablesByName;
  mutable LabelTable *recentLabels = nullptr;
};

} // namespace mlir::tmem::ptx

#endif // TMEM_LIB_TARGET_PTXSCOPES_H
