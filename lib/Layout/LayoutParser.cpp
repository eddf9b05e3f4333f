//===- LayoutParser.cpp - Layouts from text -------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions return true on failure, after the first of which nothing is read.
//
//===----------------------------------------------------------------------===//

#include "tmem/Layout/LayoutParser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::tmem;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

namespace {
class Parser {
public:
  explicit Parser(llvm::StringRef text) : text(text) {}

  bool parseLayoutOrAttribute(Layout &layout);
  /// True when the text starts as a data path does.
  bool consumeDatapath() { return consumeWord("#tmem.datapath"); }
  bool parseDatapath(DatapathName &name);
  bool parseTile(TileText &tile);

  ParseError takeError() { return std::move(error); }

private:
  bool fail(const Twine &expected);
  bool fail(size_t at, const Twine &message, std::optional<Rule> rule) {
    error = {at, message.str(), rule};
    return true;
  }
  void skipSpaces() {
    position =
        std::min(text.find_first_not_of(" \t\r\n", position), text.size());
  }
  llvm::StringRef getRest() {
    skipSpaces();
    return text.drop_front(position);
  }
  static bool isWordChar(char c) {
    return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
  }
  llvm::StringRef peekToken();
  bool consume(char c);
  bool consumeWord(llvm::StringRef word);
  bool expect(char c);
  bool expectEnd();

  bool parseInteger(int64_t &value);
  bool parsePlace(int64_t &stride, Axis &axis);
  bool parseList(llvm::function_ref<bool()> parseItem);
  bool parseLayout(Layout &layout);
  bool parseModes(Layout &layout);
  bool parseSuffixes(Layout &layout);
  bool parseElementType(TileText &tile);

  llvm::StringRef text;
  size_t position = 0;
  ParseError error = {0, ""};
};
} // namespace

/// A word or a number, or one character, whatever comes next.
llvm::StringRef Parser::peekToken() {
  llvm::StringRef rest = getRest();
  size_t length = rest.find_if_not(isWordChar);
  if (length == llvm::StringRef::npos)
    length = rest.size();
  return rest.take_front(std::max<size_t>(length, 1));
}

bool Parser::fail(const Twine &expected) {
  llvm::StringRef token = peekToken();
  std::string got = "the end";
  if (!token.empty()) {
    got.clear();
    llvm::raw_string_ostream os(got);
    llvm::printEscapedString(token.take_front(40), os);
  }
  return fail(position, "expected " + expected + ", but got " + got,
              std::nullopt);
}

bool Parser::consume(char c) {
  if (!getRest().starts_with(llvm::StringRef(&c, 1)))
    return false;
  ++position;
  return true;
}

bool Parser::consumeWord(llvm::StringRef word) {
  llvm::StringRef rest = getRest();
  if (!rest.consume_front(word) || (!rest.empty() && isWordChar(rest[0])))
    return false;
  position += word.size();
  return true;
}

bool Parser::expect(char c) {
  return !consume(c) && fail("'" + Twine(c) + "'");
}

bool Parser::expectEnd() { return !getRest().empty() && fail("the end"); }

bool Parser::parseInteger(int64_t &value) {
  llvm::StringRef rest = getRest();
  size_t start = position, sign = rest.starts_with("-") ? 1 : 0;
  llvm::StringRef digits = rest.drop_front(sign).ltrim(" \t\r\n");
  size_t before = rest.size() - digits.size();
  bool isHex = digits.starts_with("0x") && digits.size() > 2 &&
               llvm::isHexDigit(digits[2]);
  size_t length =
      isHex ? 2 + digits.drop_front(2).take_while(llvm::isHexDigit).size()
            : digits.take_while(llvm::isDigit).size();
  if (length == 0)
    return fail("an integer");
  digits = digits.take_front(length);
  position += before + length;
  uint64_t magnitude = 0;
  bool isTooLarge = isHex ? digits.drop_front(2).getAsInteger(16, magnitude)
                          : digits.getAsInteger(10, magnitude);
  if (isTooLarge || magnitude > uint64_t(INT64_MAX))
    return fail(start,
                "expected an integer of at most 63 bits, but got " +
                    digits.take_front(40),
                std::nullopt);
  value = sign ? -int64_t(magnitude) : int64_t(magnitude);
  return false;
}

bool Parser::parseList(llvm::function_ref<bool()> parseItem) {
  if (expect('('))
    return true;
  if (consume(')'))
    return false;
  do
    if (parseItem())
      return true;
  while (consume(','));
  return !consume(')') && fail("',' or ')'");
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// stride `@` axis, where `@` and the axis are one word to MLIR
bool Parser::parsePlace(int64_t &stride, Axis &axis) {
  if (parseInteger(stride) || expect('@'))
    return true;
  size_t start = position;
  skipSpaces();
  if (position != start)
    return fail(start, "expected an axis right after '@', but got a space",
                std::nullopt);
  llvm::StringRef name = peekToken();
  std::optional<Axis> symbol = symbolizeAxis(name);
  if (!symbol) {
    fail("tlane, tcol, warp, lane, reg or tid");
    error.rule = Rule::L5;
    return true;
  }
  position += name.size();
  axis = *symbol;
  return false;
}

/// `(` extents `)` `:` `(` places `)`
bool Parser::parseModes(Layout &layout) {
  llvm::SmallVector<int64_t, 8> extents;
  skipSpaces();
  size_t start = position;
  auto parseExtent = [&] { return parseInteger(extents.emplace_back()); };
  auto parseMode = [&] {
    size_t index = layout.modes.size();
    Mode &mode = layout.modes.emplace_back();
    mode.extent = index < extents.size() ? extents[index] : 1;
    return parsePlace(mode.stride, mode.axis);
  };
  if (parseList(parseExtent) || expect(':') || parseList(parseMode))
    return true;
  if (layout.modes.size() == extents.size())
    return false;
  return fail(start,
              "expected as many strides as the " + Twine(extents.size()) +
                  " extents, but got " + Twine(layout.modes.size()),
              Rule::L2);
}

/// Offsets and replicas, each at most once, in either order.
bool Parser::parseSuffixes(Layout &layout) {
  bool mayOffset = true, mayReplicate = true;
  while (true) {
    if (mayOffset && consume('+')) {
      mayOffset = false;
      if (parseList([&] {
            AxisOffset &offset = layout.offsets.emplace_back();
            return parsePlace(offset.value, offset.axis);
          }))
        return true;
    } else if (mayReplicate && consume('*')) {
      mayReplicate = false;
      if (parseList([&] {
            Mode &mode = layout.replicas.emplace_back();
            return parseInteger(mode.extent) || expect(':') ||
                   parsePlace(mode.stride, mode.axis);
          }))
        return true;
    } else {
      return false;
    }
  }
}

bool Parser::parseLayout(Layout &layout) {
  skipSpaces();
  size_t start = position;
  if (parseModes(layout) || parseSuffixes(layout))
    return true;
  if (std::optional<Violation> violation = verifyLayout(layout))
    return fail(start, violation->message, violation->rule);
  return false;
}

bool Parser::parseLayoutOrAttribute(Layout &layout) {
  if (!consumeWord("#tmem.layout"))
    return parseLayout(layout) || expectEnd();
  return expect('<') || parseLayout(layout) || expect('>') || expectEnd();
}

/// `<` letter (`,` `half` `=` integer)? `>`
bool Parser::parseDatapath(DatapathName &name) {
  if (expect('<'))
    return true;
  llvm::StringRef letter = peekToken();
  if (letter.empty() || !llvm::isAlpha(letter[0]))
    return fail("a datapath from A to G");
  position += letter.size();
  name.letter = letter.str();
  if (consume(',')) {
    if (!consumeWord("half"))
      return fail("half");
    if (expect('=') || parseInteger(name.half))
      return true;
  }
  return expect('>') || expectEnd();
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// The bits of MLIR's integer and float types, or nothing.
static std::optional<unsigned> getTypeBits(llvm::StringRef name) {
  static constexpr llvm::StringLiteral floats[] = {
      "f4E2M1FN",   "f8E5M2", "f8E4M3",        "f8E4M3FN", "f8E5M2FNUZ",
      "f8E4M3FNUZ", "f8E3M4", "f8E4M3B11FNUZ", "f8E8M0FNU"};
  if (name == "bf16")
    return 16;
  bool isFloat = name.consume_front("f");
  if (!isFloat && !name.consume_front("si") && !name.consume_front("ui") &&
      !name.consume_front("i"))
    return std::nullopt;
  unsigned bits;
  if (!name.getAsInteger(10, bits) && name[0] != '0' &&
      (!isFloat || (bits >= 16 && bits <= 64)))
    return llvm::is_contained({4u, 8u, 16u, 32u, 64u}, bits)
               ? std::optional<unsigned>(bits)
               : std::nullopt;
  bool isKnown = isFloat && llvm::any_of(floats, [&](llvm::StringRef known) {
                   return known.drop_front() == name;
                 });
  return isKnown ? std::optional<unsigned>(name[0] - '0') : std::nullopt;
}

bool Parser::parseElementType(TileText &tile) {
  llvm::StringRef name = peekToken();
  std::optional<unsigned> bits = getTypeBits(name);
  if (!bits)
    return fail("an element type of 4, 8, 16, 32 or 64 bits, such as f32");
  position += name.size();
  tile.elementType = name.str();
  tile.elementBits = *bits;
  return expectEnd();
}

bool Parser::parseTile(TileText &tile) {
  skipSpaces();
  while (position < text.size() && llvm::isDigit(text[position])) {
    size_t start = position;
    llvm::StringRef digits =
        text.drop_front(position).take_while(llvm::isDigit);
    int64_t size;
    if (digits.getAsInteger(10, size))
      return fail(start,
                  "expected a size of at most 63 bits, but got " +
                      digits.take_front(40),
                  std::nullopt);
    if (size < 1)
      return fail(start,
                  "expected a static size of at least 1, but got " +
                      digits.take_front(40),
                  Rule::V1);
    position += digits.size();
    if (position == text.size() || text[position] != 'x')
      return fail("'x' and the next size or the element type");
    ++position;
    tile.shape.push_back(size);
  }
  if (tile.shape.empty())
    return fail("a tile such as 64x128xf32");
  return parseElementType(tile);
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

std::variant<Layout, ParseError>
mlir::tmem::parseLayoutText(llvm::StringRef text) {
  Parser parser(text);
  Layout layout;
  if (parser.parseLayoutOrAttribute(layout))
    return parser.takeError();
  return layout;
}

std::variant<Layout, DatapathName, ParseError>
mlir::tmem::parseMemoryText(llvm::StringRef text) {
  Parser parser(text);
  if (parser.consumeDatapath()) {
    DatapathName name;
    if (parser.parseDatapath(name))
      return parser.takeError();
    return name;
  }
  Layout layout;
  if (parser.parseLayoutOrAttribute(layout))
    return parser.takeError();
  return layout;
}

std::variant<TileText, ParseError>
mlir::tmem::parseTileText(llvm::StringRef text) {
  Parser parser(text);
  TileText tile;
  if (parser.parseTile(tile))
    return parser.takeError();
  return tile;
}
