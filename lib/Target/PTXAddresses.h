//===- PTXAddresses.h - Addresses of Tensor Memory in PTX -------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known of the cells that a tcgen05.ld or tcgen05.st touches: values
// that nothing says anything of, and a constant, added up.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_TARGET_PTXADDRESSES_H
#define TMEM_LIB_TARGET_PTXADDRESSES_H

#include "tmem/Target/PTX.h"
#include <array>
#include <optional>

namespace mlir::tmem::ptx {

/// The value of a register: the one it has at the start of the block (version
/// 0), or gets from instruction `version - 1` of the block.
struct Root {
  unsigned reg = 0;
  unsigned version = 0;

  bool operator==(const Root &o) const {
    return reg == o.reg && version == o.version;
  }
  bool operator<(const Root &o) const {
    return reg != o.reg ? reg < o.reg : version < o.version;
  }
};

/// A sum modulo 2^32.
struct Address {
  static constexpr unsigned maxRoots = 3;
  std::array<Root, maxRoots> roots{}; ///< Sorted.
  unsigned numRoots = 0;
  uint32_t offset = 0;
  uint32_t zeros = 0; ///< The bits of the sum that are known to be 0.

  bool hasBaseOf(const Address &other) const {
    return numRoots == other.numRoots && roots == other.roots;
  }
  bool operator==(const Address &o) const {
    return hasBaseOf(o) && offset == o.offset && zeros == o.zeros;
  }
};

/// A register, a number, or both added.
struct Term {
  std::optional<unsigned> reg;
  uint32_t number = 0;
};

/// What a load or a store names in its brackets, if that is such a sum.
std::optional<Term> readAddress(const PTXFunction &function,
                                const PTXInstruction &inst);

/// Lanes by columns of 32-bit cells, from an offset to the address.
struct Rectangle {
  uint32_t offset;
  unsigned lanes;
  unsigned columns;
};

/// Whether two rectangles have a cell in common, given the constants of
/// addresses with one base. Columns stay below 2^15, so that the difference
/// tells lanes from columns.
bool overlap(const Rectangle &a, uint32_t offsetA, const Rectangle &b,
             uint32_t offsetB);

/// What a load or a store touches. Nothing, if its form is not known.
using Footprint = llvm::SmallVector<Rectangle, 2>;
Footprint getFootprint(const PTXFunction &function, const PTXInstruction &inst);

/// Follows the values of registers through the blocks of a function.
///
/// A register that one instruction writes has a value that holds in all blocks:
/// code does not read it before. Of any other, each block starts with a value
/// that only `Known` tells of. Only registers that matter to the addresses of
/// accesses are followed.
class AddressTracker {
public:
  /// Registers that several instructions write, sorted, in terms of the values
  /// that others have at the same place. There is a limit to their number.
  using Known = std::vector<std::pair<unsigned, Address>>;

  /// `terms` are what the accesses of the function name, by instruction.
  AddressTracker(const PTXFunction &function,
                 llvm::ArrayRef<std::pair<unsigned, Term>> terms);

  /// `known` holds at the start.
  void startBlock(const Known &known = {});
  /// Goes past an instruction of the block.
  void step(unsigned instruction);
  /// The value of a sum by now.
  Address getValue(const Term &term) const;
  /// The same in terms of the register that is named.
  Address getDirectValue(const Term &term) const;
  /// The address in terms of the values that registers have by now, all of
  /// version 0, if those are the values it was made of.
  std::optional<Address> getExported(const Address &address) const;
  /// What is known by now.
  Known getKnown() const;
  /// What is known where either may hold.
  static Known meet(const Known &a, const Known &b);

private:
  struct Local {
    unsigned block = 0;
    unsigned version = 0;
    Address value;
  };
  /// What an instruction gives its register: a sum, or else a new value.
  struct Result {
    std::optional<Address> sum;
    uint32_t zeros = 0; ///< Of a new value.
  };

  unsigned getVersion(unsigned reg) const;
  Address read(unsigned reg) const;
  Result compute(const PTXInstruction &inst) const;
  void findRelevant(llvm::ArrayRef<std::pair<unsigned, Term>> terms);
  void findGlobals();

  const PTXFunction &function;
  std::vector<unsigned> slots;  ///< Of each register + 1, 0 if it is none.
  std::vector<uint8_t> numDefs; ///< 0, 1 or more: 2. By slot, as the others.
  std::vector<Address> globals; ///< At the start of each block.
  std::vector<Local> locals;
  std::vector<unsigned> written; ///< Registers with a local value, and more.
  unsigned block = 0;
};

} // namespace mlir::tmem::ptx

#endif // TMEM_LIB_TARGET_PTXADDRESSES_H
