//===- Options.cpp - Element types, scopes, atoms from text ---------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bindings.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::tmem;
using namespace tmem_python;
using llvm::StringRef;

unsigned tmem_python::parseElementType(const std::string &text) {
  std::string tile = "1x" + text;
  auto parsed = parseTileText(tile);
  if (std::holds_alternative<ParseError>(parsed))
    raise("expected an element type such as f32, but got '" + text + "'",
          Rule::V2);
  return std::get<TileText>(parsed).elementBits;
}

Scope tmem_python::parseScope(const std::string &text) {
  StringRef scope = StringRef(text).trim();
  if (scope.consume_front("#tmem.scope<") && !scope.consume_back(">"))
    scope = "";
  if (scope == "warpgroup")
    return {ScopeKind::Warpgroup, 0};
  if (scope == "cta")
    return {ScopeKind::CTA, 0};
  unsigned warp = 0;
  bool isWarp = scope.consume_front("warp");
  scope = scope.trim();
  if (scope.consume_front("(") && !scope.consume_back(")"))
    isWarp = false;
  if (!isWarp || scope.trim().getAsInteger(10, warp) || warp > 3)
    raise("expected the scope warpgroup, cta, or warp 0 to warp 3, but got '" +
              text + "'",
          Rule::A5);
  return {ScopeKind::Warp, warp};
}

Direction tmem_python::parseDirection(const std::string &text) {
  if (text == "load")
    return Direction::Load;
  if (text == "store")
    return Direction::Store;
  raise("expected the direction load or store, but got '" + text + "'",
        std::nullopt);
}

/// Every count that the shape has, the largest first.
static llvm::SmallVector<unsigned, 1> getAllRepeats(AtomShape shape) {
  llvm::SmallVector<unsigned, 1> repeats;
  for (unsigned repeat = getNativeImage(shape).maxRepeat; repeat; repeat /= 2)
    repeats.push_back(repeat);
  return repeats;
}

/// "x64", "pack" or "unpack"; false for others.
static bool readAtomField(StringRef field, Atom &atom) {
  if (field == "pack" || field == "unpack") {
    bool isFirst = atom.packing == Packing::None;
    atom.packing = field == "pack" ? Packing::Pack : Packing::Unpack;
    return isFirst;
  }
  unsigned repeat = 0;
  if (atom.packing != Packing::None || !field.consume_front("x") ||
      field.getAsInteger(10, repeat))
    return false;
  if (!isLegalRepeat(atom.shape, repeat))
    raise("expected a power of two from 1 to " +
              std::to_string(getNativeImage(atom.shape).maxRepeat) +
              ", but got x" + std::to_string(repeat),
          Rule::A1);
  if (llvm::is_contained(atom.repeats, repeat))
    raise("expected each count once, but got x" + std::to_string(repeat) +
              " twice",
          Rule::A6);
  atom.repeats.push_back(repeat);
  return true;
}

Atom tmem_python::parseAtom(const std::string &text) {
  StringRef list = StringRef(text).trim();
  if (list.consume_front("#tmem.atom<"))
    list.consume_back(">");
  llvm::SmallVector<StringRef, 4> fields;
  list.split(fields, ',');
  std::optional<AtomShape> shape = symbolizeAtomShape(fields[0].trim());
  Atom atom{shape.value_or(AtomShape::S32x32b), {}};
  bool isAtom = shape.has_value();
  for (StringRef field : llvm::drop_begin(fields))
    isAtom = isAtom && readAtomField(field.trim(), atom);
  if (!isAtom)
    raise("expected an atom such as '32x32b, x64' or '16x128b, x8, pack', but "
          "got '" +
              text + "'",
          std::nullopt);
  if (atom.repeats.empty())
    atom.repeats = getAllRepeats(atom.shape);
  return atom;
}
