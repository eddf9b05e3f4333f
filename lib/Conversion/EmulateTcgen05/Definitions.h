//===- Definitions.h - Constants of the compiled program --------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_CONVERSION_EMULATETCGEN05_DEFINITIONS_H
#define TMEM_LIB_CONVERSION_EMULATETCGEN05_DEFINITIONS_H

#include "Emitter.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::tmem::emulate {

/// Defines constant strings and structs at the end of a module.
class Definitions {
public:
  /// On a GPU, constants live in the space of globals.
  Definitions(SymbolTable &symbols, bool isHost);

  /// What a struct is made of. The names of other symbols are looked up where
  /// the struct is defined.
  struct Field {
    enum Kind { Address, Site, Integers } kind;
    std::string symbol = {};
    /// Of a site its number; several for an array.
    SmallVector<int64_t, 3> integers = {};
  };
  static Field getAddress(StringRef symbol) {
    return {Field::Address, symbol.str()};
  }
  static Field getSite(StringAttr table, int64_t number) {
    return {Field::Site, table.str(), {number}};
  }
  static Field getIntegers(ArrayRef<int64_t> values) {
    Field field{Field::Integers};
    field.integers.assign(values.begin(), values.end());
    return field;
  }
  /// The address of a string, which is defined once.
  Field getString(StringRef text);

  /// Defines a struct. Another symbol of the name gives it a new one, which is
  /// returned.
  StringAttr addStruct(StringAttr name, LLVM::LLVMStructType type,
                       ArrayRef<Field> fields);
  /// Defines a table of sites, with their strings behind it.
  void addSites(StringAttr name, ArrayRef<Site> sites);

  OpBuilder &getBuilder() { return builder; }

private:
  /// A constant at the end of the module, which builders write to next.
  LLVM::GlobalOp addGlobal(StringAttr name, Type type, Attribute value,
                           unsigned alignment);
  Value createField(const Field &field, Type type);

  SymbolTable &symbols;
  OpBuilder builder;
  unsigned space;
  llvm::StringMap<std::string> strings;
};

} // namespace mlir::tmem::emulate

#endif // TMEM_LIB_CONVERSION_EMULATETCGEN05_DEFINITIONS_H
