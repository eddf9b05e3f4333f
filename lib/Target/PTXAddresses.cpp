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
#include "llvm/ADT/bit.h"

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
  StringRef peek() const { return token.text; }

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
  // What a load writes, in front of its address, may be long.
  if (size_t at = inst.text.find(c);
      c == '[' && at != StringRef::npos && at < inst.text.find('/')) {
    lexer = Lexer(inst.text.drop_front(at));
    advance();
  }
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
    if (function.getRegisterName(reg) == token.text) {
      term.reg = reg;
      return true;
    }
  return false;
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

static Address makeRoot(unsigned reg, unsigned version, uint32_t zeros = 0) {
  Address address;
  address.roots[0] = {reg, version};
  address.numRoots = 1;
  address.zeros = zeros;
  return address;
}

static Address makeConstant(uint32_t value) {
  Address address;
  address.offset = value;
  address.zeros = ~value;
  return address;
}

static uint32_t lowBits(unsigned count) {
  return count >= 32 ? ~0u : (1u << count) - 1;
}

/// The zeros of a sum, or a difference, given those of its parts.
static uint32_t getZerosOfSum(uint32_t a, uint32_t b) {
  return lowBits(std::min(llvm::countr_one(a), llvm::countr_one(b)));
}

static std::optional<Address> add(const Address &a, const Address &b) {
  if (a.numRoots + b.numRoots > Address::maxRoots)
    return std::nullopt;
  if (a.numRoots + b.numRoots == 0)
    return makeConstant(a.offset + b.offset);
  Address sum = a;
  std::copy_n(b.roots.begin(), b.numRoots, sum.roots.begin() + a.numRoots);
  sum.numRoots += b.numRoots;
  std::sort(sum.roots.begin(), sum.roots.begin() + sum.numRoots);
  sum.offset += b.offset;
  bool isDisjoint = (a.zeros | b.zeros) == ~0u; // Nothing is carried.
  sum.zeros = isDisjoint ? a.zeros & b.zeros : getZerosOfSum(a.zeros, b.zeros);
  return sum;
}

namespace {
enum class Fold { None, Move, Add, Sub, Or, And, Shl, Shr, Extract };
} // namespace

/// Of 64 bits, the lower 32 are followed: nothing but a shift to the right
/// brings others into them.
static Fold getFold(StringRef opcode) {
  if (!StringRef("maosbc").contains(opcode.front()))
    return Fold::None;
  return llvm::StringSwitch<Fold>(opcode)
      .Cases({"mov.b32", "mov.u32", "mov.s32"}, Fold::Move)
      .Cases({"mov.b64", "mov.u64", "mov.s64"}, Fold::Move)
      .Cases({"cvt.u64.u32", "cvt.u64.s32", "cvt.s64.s32"}, Fold::Move)
      .Cases({"cvt.u32.u64", "cvt.s32.s64"}, Fold::Move)
      .Cases({"add.u32", "add.s32", "add.u64", "add.s64"}, Fold::Add)
      .Cases({"sub.u32", "sub.s32", "sub.u64", "sub.s64"}, Fold::Sub)
      .Cases({"or.b32", "or.b64"}, Fold::Or)
      .Cases({"and.b32", "and.b64"}, Fold::And)
      .Cases({"shl.b32", "shl.b64"}, Fold::Shl)
      .Cases({"shr.u32", "shr.b32"}, Fold::Shr)
      .Case("bfe.u32", Fold::Extract)
      .Default(Fold::None);
}

/// What is known of a special register (PTX ISA, "Special Registers").
static uint32_t getZerosOfSpecial(StringRef name) {
  return llvm::StringSwitch<uint32_t>(name)
      .Cases({"%tid.x", "%tid.y", "%tid.z"}, ~lowBits(10))
      .Case("%laneid", ~lowBits(5))
      .Default(0);
}

/// The zeros of what is no sum. Shifts are clamped to the width (PTX ISA, shl).
static uint32_t foldZeros(Fold fold, const Address &a, const Address &b) {
  unsigned shift = std::min(b.offset, 32u);
  switch (fold) {
  case Fold::Or:
    return a.zeros & b.zeros;
  case Fold::And:
    return a.zeros | b.zeros;
  case Fold::Shl:
    return b.numRoots != 0
               ? 0
               : uint32_t(uint64_t(a.zeros) << shift) | lowBits(shift);
  case Fold::Shr:
    return b.numRoots != 0
               ? 0
               : uint32_t(uint64_t(a.zeros) >> shift) | ~lowBits(32 - shift);
  default:
    return 0;
  }
}

static std::optional<Address> foldSum(Fold fold, const Address &a,
                                      const Address &b) {
  bool isConstant = a.numRoots + b.numRoots == 0;
  uint32_t zeros = foldZeros(fold, a, b);
  switch (fold) {
  case Fold::Add:
    return add(a, b);
  case Fold::Sub:
    if (b.numRoots != 0)
      return std::nullopt;
    return add(a, makeConstant(-b.offset));
  case Fold::Or: // As LLVM writes a sum of parts with no bit in common.
    if ((a.zeros | b.zeros) == ~0u)
      return add(a, b);
    break;
  case Fold::And: // Of bits that are all it has.
    if (b.numRoots == 0 && (a.zeros | b.offset) == ~0u)
      return a;
    break;
  case Fold::Shl:
  case Fold::Shr:
    if (b.numRoots == 0 && b.offset == 0)
      return a;
    break;
  default:
    return std::nullopt;
  }
  // All bits of constants are known.
  if (isConstant)
    return makeConstant(~zeros);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

unsigned AddressTracker::getVersion(unsigned reg) const {
  const Local &local = locals[slots[reg]];
  return local.block == block ? local.version : 0;
}

Address AddressTracker::read(unsigned reg) const {
  const Local &local = locals[slots[reg]];
  return local.block == block ? local.value : globals[slots[reg]];
}

AddressTracker::Result
AddressTracker::compute(const PTXInstruction &inst) const {
  Fold fold = getFold(inst.opcode);
  if (fold == Fold::None || inst.isPredicated || inst.numDefs != 1)
    return {};
  TermReader reader(function, inst);
  auto next = [&]() -> std::optional<Address> {
    std::optional<Term> term =
        reader.skipPast(',') ? reader.read() : std::nullopt;
    return term ? std::optional(getValue(*term)) : std::nullopt;
  };
  if (fold == Fold::Move && reader.skipPast(','))
    if (uint32_t zeros = getZerosOfSpecial(reader.peek()))
      return {std::nullopt, zeros};
  if (fold == Fold::Move) {
    std::optional<Term> term = reader.read();
    return {term ? std::optional(getValue(*term)) : std::nullopt, 0};
  }
  std::optional<Address> a = next(), b = next();
  if (!a || !b)
    return {};
  if (fold == Fold::Extract) {
    std::optional<Address> length = next();
    bool isKnown = length && length->numRoots == 0;
    return {std::nullopt, isKnown ? ~lowBits(length->offset & 0xFF) : 0};
  }
  return {foldSum(fold, *a, *b), foldZeros(fold, *a, *b)};
}

/// A value that holds is made of what stands above it in the text, so that one
/// pass from the end finds all registers that go into an address.
void AddressTracker::findRelevant(
    llvm::ArrayRef<std::pair<unsigned, Term>> terms) {
  slots.resize(function.getNumRegisters());
  unsigned count = 0;
  auto add = [&](unsigned reg) {
    if (slots[reg] == 0)
      slots[reg] = ++count;
  };
  for (unsigned i = function.instructions.size(); i-- != 0;) {
    const PTXInstruction &inst = function.instructions[i];
    if (!terms.empty() && terms.back().first == i) {
      if (terms.back().second.reg)
        add(*terms.back().second.reg);
      terms = terms.drop_back();
    }
    if (inst.numDefs == 1 && slots[function.getDefs(inst).front()] != 0 &&
        getFold(inst.opcode) != Fold::None)
      for (unsigned reg : function.getUses(inst))
        add(reg);
  }
  numDefs.resize(count + 1);
  globals.resize(count + 1);
  locals.resize(count + 1);
}

AddressTracker::AddressTracker(const PTXFunction &function,
                               llvm::ArrayRef<std::pair<unsigned, Term>> terms)
    : function(function) {
  findRelevant(terms);
  for (unsigned reg = 0; reg != function.numParameters; ++reg)
    numDefs[slots[reg]] = 1;
  for (const PTXInstruction &inst : function.instructions)
    for (unsigned reg : function.getDefs(inst)) {
      uint8_t &count = numDefs[slots[reg]];
      // Under a predicate the old value may stay.
      count = inst.isPredicated ? 2 : std::min(count + 1, 2);
    }
  findGlobals();
  block = 1;
}

void AddressTracker::findGlobals() {
  for (unsigned reg = 0; reg != slots.size(); ++reg)
    if (slots[reg] != 0)
      globals[slots[reg]] = makeRoot(reg, 0);
  block = ~0u; // No register has a local value.
  std::vector<bool> isWritten(globals.size());
  auto isSteady = [&](unsigned reg) {
    unsigned slot = slots[reg];
    return numDefs[slot] == 0 || (numDefs[slot] == 1 && isWritten[slot]);
  };
  for (unsigned reg = 0; reg != function.numParameters; ++reg)
    isWritten[slots[reg]] = true;
  for (const PTXInstruction &inst : function.instructions) {
    if (inst.numDefs == 0)
      continue;
    unsigned reg = function.getDefs(inst).front();
    unsigned slot = slots[reg];
    if (inst.numDefs == 1 && slot != 0 && numDefs[slot] == 1 &&
        llvm::all_of(function.getUses(inst), isSteady)) {
      Result result = compute(inst);
      globals[slot] = result.sum ? *result.sum : makeRoot(reg, 0, result.zeros);
    }
    for (unsigned written : function.getDefs(inst))
      isWritten[slots[written]] = true;
  }
}

void AddressTracker::startBlock(const Known &known) {
  ++block;
  written.clear();
  for (const auto &[reg, value] : known) {
    locals[slots[reg]] = {block, 0, value};
    written.push_back(reg);
  }
}

AddressTracker::Known AddressTracker::getKnown() const {
  constexpr size_t maxKnown = 16;
  std::vector<unsigned> regs = written;
  llvm::sort(regs);
  regs.erase(llvm::unique(regs), regs.end());
  Known known;
  for (unsigned reg : regs) {
    if (numDefs[slots[reg]] < 2)
      continue;
    std::optional<Address> value = getExported(read(reg));
    // Another addend has to fit in.
    if (value && value->numRoots < Address::maxRoots &&
        !value->hasBaseOf(makeRoot(reg, 0)) && known.size() != maxKnown)
      known.push_back({reg, *value});
  }
  return known;
}

AddressTracker::Known AddressTracker::meet(const Known &a, const Known &b) {
  Known both;
  auto other = b.begin();
  for (const auto &[reg, value] : a) {
    while (other != b.end() && other->first < reg)
      ++other;
    if (other == b.end() || other->first != reg ||
        !value.hasBaseOf(other->second) || value.offset != other->second.offset)
      continue;
    both.push_back({reg, value});
    both.back().second.zeros &= other->second.zeros;
  }
  return both;
}

void AddressTracker::step(unsigned instruction) {
  const PTXInstruction &inst = function.instructions[instruction];
  for (unsigned reg : function.getDefs(inst)) {
    if (slots[reg] == 0)
      continue;
    written.push_back(reg);
    Result result = compute(inst);
    locals[slots[reg]] = {block, instruction + 1,
                          result.sum
                              ? *result.sum
                              : makeRoot(reg, instruction + 1, result.zeros)};
  }
}

Address AddressTracker::getValue(const Term &term) const {
  if (!term.reg)
    return makeConstant(term.number);
  Address address = read(*term.reg);
  return term.number == 0 ? address : *add(address, makeConstant(term.number));
}

Address AddressTracker::getDirectValue(const Term &term) const {
  if (!term.reg)
    return makeConstant(term.number);
  Address address = makeRoot(*term.reg, getVersion(*term.reg));
  address.offset = term.number;
  return address;
}

std::optional<Address>
AddressTracker::getExported(const Address &address) const {
  Address exported = address;
  for (unsigned i = 0; i != address.numRoots; ++i) {
    Root &root = exported.roots[i];
    if (root.version != getVersion(root.reg))
      return std::nullopt;
    root.version = 0;
  }
  return exported;
}
