//===- PTXAddresses.cpp - Addresses of Tensor Memory in PTX ---------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXAddresses.h"
#include "PTXLexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir::tmem;
using namespace mlir::tmem::ptx;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

namespace {
/// Reads the operands of an instruction once more, for what they add up.
class TermReader {
public:
  TermReader(const PTXFunction &function, const PTXInstruction &inst)
      : function(function), inst(inst), lexer(inst.text) {
    advance();
    do
      advance();
    while (token.kind == Token::Directive);
  }

  /// Goes to behind the next '[' or ','. Returns false if there is none.
  bool skipPast(char c);
  /// "%r1", "16", "%r1 + 16" or "%r1 - 16", up to the ']', the ',' or the end.
  std::optional<Term> read();

private:
  void advance() { token = lexer.next(); }
  bool atEnd() const;
  bool readPart(Term &term, bool isNegative);

  const PTXFunction &function;
  const PTXInstruction &inst;
  Lexer lexer;
  Token token;
};
} // namespace

bool TermReader::atEnd() const {
  return token.kind == Token::End || token.isPunct(',') || token.isPunct(']');
}

bool TermReader::skipPast(char c) {
  unsigned depth = 0; // Of braces, whose commas do not count.
  for (; token.kind != Token::End && token.kind != Token::Error; advance()) {
    if (depth == 0 && token.isPunct(c)) {
      advance();
      return true;
    }
    depth += token.isPunct('{');
    depth -= token.isPunct('}');
  }
  return false;
}

static std::optional<uint32_t> parseNumber(StringRef text) {
  uint64_t number = 0;
  text.consume_back("U");
  if (text.getAsInteger(0, number))
    return std::nullopt;
  return uint32_t(number);
}

bool TermReader::readPart(Term &term, bool isNegative) {
  if (token.kind == Token::Number) {
    std::optional<uint32_t> number = parseNumber(token.text);
    term.number += isNegative ? -number.value_or(0) : number.value_or(0);
    return number.has_value();
  }
  if (token.kind != Token::Word || term.reg || isNegative)
    return false;
  for (unsigned reg : function.getUses(inst))
    if (function.getRegisterName(reg) == token.text)
      term.reg = reg;
  return term.reg.has_value();
}

std::optional<Term> TermReader::read() {
  Term term;
  do {
    bool isNegative = false;
    for (; token.isPunct('+') || token.isPunct('-'); advance())
      isNegative ^= token.isPunct('-');
    if (!readPart(term, isNegative))
      return std::nullopt;
    advance();
  } while (token.isPunct('+') || token.isPunct('-'));
  if (!atEnd())
    return std::nullopt;
  return term;
}

std::optional<Term> ptx::readAddress(const PTXFunction &function,
                                     const PTXInstruction &inst) {
  TermReader reader(function, inst);
  return reader.skipPast('[') ? reader.read() : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Footprints
//===----------------------------------------------------------------------===//

namespace {
/// PTX ISA, "Data movement shape", at .x1.
struct Shape {
  llvm::StringLiteral name;
  unsigned lanes;
  unsigned columns;
  bool isSplit;
};
constexpr Shape shapes[] = {
    {"32x32b", 32, 1, false},  {"16x64b", 16, 2, false},
    {"16x128b", 16, 4, false}, {"16x256b", 16, 8, false},
    {"16x32bx2", 16, 1, true},
};
} // namespace

static std::optional<uint32_t> readSplit(const PTXFunction &function,
                                         const PTXInstruction &inst) {
  TermReader reader(function, inst);
  if (!reader.skipPast('[') || !reader.read() || !reader.skipPast(','))
    return std::nullopt;
  std::optional<Term> term = reader.read();
  if (!term || term->reg)
    return std::nullopt;
  return term->number;
}

Footprint ptx::getFootprint(const PTXFunction &function,
                            const PTXInstruction &inst) {
  const Shape *shape = nullptr;
  unsigned count = 0;
  unsigned scale = 1;
  for (StringRef part : llvm::split(inst.opcode, ".")) {
    for (const Shape &known : shapes)
      if (part == known.name)
        shape = &known;
    // `pack` and `unpack` spread a register over two cells.
    if (part == "pack::16b" || part == "unpack::16b")
      scale = 2;
    if (part.consume_front("x") && part.getAsInteger(10, count))
      count = 0;
  }
  if (!shape || count == 0 || count > 128)
    return {};
  unsigned columns = shape->columns * count * scale;
  Footprint footprint{{0, shape->lanes, columns}};
  if (shape->isSplit)
    if (std::optional<uint32_t> split = readSplit(function, inst))
      footprint.push_back({*split, shape->lanes, columns});
  return footprint;
}

bool ptx::overlap(const Rectangle &a, uint32_t offsetA, const Rectangle &b,
                  uint32_t offsetB) {
  uint32_t difference = (offsetB + b.offset) - (offsetA + a.offset);
  int column = int16_t(difference & 0xFFFF);
  int lane = int32_t(difference - uint32_t(column)) >> 16;
  return column < int(a.columns) && -column < int(b.columns) &&
         lane < int(a.lanes) && -lane < int(b.lanes);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static Address makeRoot(unsigned reg, unsigned version) {
  Address address;
  address.roots[0] = {reg, version};
  address.numRoots = 1;
  return address;
}

static std::optional<Address> add(const Address &a, const Address &b) {
  if (a.numRoots + b.numRoots > Address::maxRoots)
    return std::nullopt;
  Address sum = a;
  std::copy_n(b.roots.begin(), b.numRoots, sum.roots.begin() + a.numRoots);
  sum.numRoots += b.numRoots;
  std::sort(sum.roots.begin(), sum.roots.begin() + sum.numRoots);
  sum.offset += b.offset;
  return sum;
}

namespace {
enum class Fold { None, Move, Add, Sub, Or, And, Shl };
} // namespace

static Fold getFold(StringRef opcode) {
  if (!StringRef("maso").contains(opcode.front()))
    return Fold::None;
  return llvm::StringSwitch<Fold>(opcode)
      .Cases({"mov.b32", "mov.u32", "mov.s32"}, Fold::Move)
      .Cases({"add.u32", "add.s32"}, Fold::Add)
      .Cases({"sub.u32", "sub.s32"}, Fold::Sub)
      .Case("or.b32", Fold::Or)
      .Case("and.b32", Fold::And)
      .Case("shl.b32", Fold::Shl)
      .Default(Fold::None);
}

static std::optional<Address> foldConstants(Fold fold, Address a,
                                            const Address &b) {
  if (b.numRoots != 0)
    return std::nullopt;
  if (fold == Fold::Sub) {
    a.offset -= b.offset;
    return a;
  }
  // `or` with 0 and a shift by 0 change nothing.
  if (a.numRoots != 0 && (b.offset != 0 || fold == Fold::And))
    return std::nullopt;
  if (fold == Fold::Or)
    a.offset |= b.offset;
  else if (fold == Fold::And)
    a.offset &= b.offset;
  else // Shifts are clamped to the width (PTX ISA, shl).
    a.offset = b.offset < 32 ? a.offset << b.offset : 0;
  return a;
}

Address AddressTracker::read(unsigned reg) const {
  return locals[reg].block == block ? locals[reg].value : globals[reg];
}

/// The value that the instruction gives its register, if it can be folded.
std::optional<Address>
AddressTracker::compute(const PTXInstruction &inst) const {
  Fold fold = getFold(inst.opcode);
  if (fold == Fold::None || inst.isPredicated || inst.numDefs != 1)
    return std::nullopt;
  TermReader reader(function, inst);
  auto next = [&]() -> std::optional<Address> {
    std::optional<Term> term =
        reader.skipPast(',') ? reader.read() : std::nullopt;
    if (!term)
      return std::nullopt;
    return getValue(*term);
  };
  std::optional<Address> a = next();
  if (!a || fold == Fold::Move)
    return a;
  std::optional<Address> b = next();
  if (!b)
    return std::nullopt;
  return fold == Fold::Add ? add(*a, *b) : foldConstants(fold, *a, *b);
}

AddressTracker::AddressTracker(const PTXFunction &function)
    : function(function), numDefs(function.getNumRegisters()),
      globals(function.getNumRegisters()), locals(function.getNumRegisters()) {
  std::fill_n(numDefs.begin(), function.numParameters, 1);
  for (const PTXInstruction &inst : function.instructions)
    for (unsigned reg : function.getDefs(inst))
      // Under a predicate the old value may stay.
      numDefs[reg] = inst.isPredicated ? 2 : std::min(numDefs[reg] + 1, 2);
  findGlobals();
  block = 1;
}

void AddressTracker::findGlobals() {
  for (unsigned reg = 0; reg != globals.size(); ++reg)
    globals[reg] = makeRoot(reg, 0);
  block = ~0u; // No register has a local value.
  std::vector<bool> isWritten(function.getNumRegisters());
  auto isSteady = [&](unsigned reg) {
    return numDefs[reg] == 0 || (numDefs[reg] == 1 && isWritten[reg]);
  };
  std::fill_n(isWritten.begin(), function.numParameters, true);
  for (const PTXInstruction &inst : function.instructions) {
    if (inst.numDefs == 1 && numDefs[function.getDefs(inst).front()] == 1 &&
        llvm::all_of(function.getUses(inst), isSteady))
      if (std::optional<Address> value = compute(inst))
        globals[function.getDefs(inst).front()] = *value;
    for (unsigned reg : function.getDefs(inst))
      isWritten[reg] = true;
  }
}

void AddressTracker::step(unsigned instruction) {
  const PTXInstruction &inst = function.instructions[instruction];
  if (inst.numDefs == 0)
    return;
  std::optional<Address> value = compute(inst);
  for (unsigned reg : function.getDefs(inst))
    locals[reg] = {block, instruction + 1,
                   value ? *value : makeRoot(reg, instruction + 1)};
}

Address AddressTracker::getValue(const Term &term) const {
  Address address = term.reg ? read(*term.reg) : Address();
  address.offset += term.number;
  return address;
}

Address AddressTracker::getDirectValue(const Term &term) const {
  Address address;
  if (term.reg) {
    const Local &local = locals[*term.reg];
    address = makeRoot(*term.reg, local.block == block ? local.version : 0);
  }
  address.offset = term.number;
  return address;
}

std::optional<Address>
AddressTracker::getExported(const Address &address) const {
  Address exported = address;
  for (unsigned i = 0; i != address.numRoots; ++i) {
    Root &root = exported.roots[i];
    const Local &local = locals[root.reg];
    if (root.version != (local.block == block ? local.version : 0))
      return std::nullopt;
    root.version = 0;
  }
  return exported;
}
