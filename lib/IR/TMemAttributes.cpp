//===- TMemAttributes.cpp - Attributes of the tmem dialect ----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/IR/TMemAttributes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "tmem/IR/Diagnostics.h"
#include "tmem/IR/TMemTypes.h"
#include "tmem/Layout/Datapaths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/ScopedPrinter.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tmem;

#include "tmem/IR/TMemEnums.cpp.inc"

#include "tmem/IR/TMemAttrInterfaces.cpp.inc"

static ParseResult parseDatapathLetter(AsmParser &parser, Datapath &letter);
static void printDatapathLetter(AsmPrinter &printer, Datapath letter);

#define GET_ATTRDEF_CLASSES
#include "tmem/IR/TMemAttributes.cpp.inc"

void TMemDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tmem/IR/TMemAttributes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// LayoutAttr
//===----------------------------------------------------------------------===//

LayoutAttr LayoutAttr::get(MLIRContext *context, const Layout &layout) {
  return get(context, layout.modes, layout.replicas, layout.offsets);
}

LayoutAttr LayoutAttr::getChecked(EmitError emitError, MLIRContext *context,
                                  const Layout &layout) {
  return getChecked(emitError, context, ArrayRef<Mode>(layout.modes),
                    ArrayRef<Mode>(layout.replicas),
                    ArrayRef<AxisOffset>(layout.offsets));
}

Layout LayoutAttr::getLayout() const {
  Layout layout;
  layout.modes.append(getModes().begin(), getModes().end());
  layout.replicas.append(getReplicas().begin(), getReplicas().end());
  layout.offsets.append(getOffsets().begin(), getOffsets().end());
  return layout;
}

FailureOr<Layout> LayoutAttr::expand(ArrayRef<int64_t>, Type, EmitError) const {
  return getLayout();
}

LogicalResult LayoutAttr::verify(EmitError emitError, ArrayRef<Mode> modes,
                                 ArrayRef<Mode> replicas,
                                 ArrayRef<AxisOffset> offsets) {
  Layout layout;
  layout.modes.append(modes.begin(), modes.end());
  layout.replicas.append(replicas.begin(), replicas.end());
  layout.offsets.append(offsets.begin(), offsets.end());
  if (std::optional<Violation> violation = verifyLayout(layout))
    return emitViolation(emitError, *violation);
  return success();
}

/// stride `@` axis
static ParseResult parseStride(AsmParser &parser, int64_t &stride, Axis &axis) {
  SMLoc loc;
  StringAttr name;
  if (parser.parseInteger(stride) || parser.getCurrentLocation(&loc) ||
      parser.parseSymbolName(name))
    return failure();
  std::optional<Axis> symbol = symbolizeAxis(name.getValue());
  if (!symbol)
    return emitViolation([&] { return parser.emitError(loc); }, Rule::L5,
                         "expected tlane, tcol, warp, lane, reg or tid, but "
                         "got " +
                             name.getValue());
  axis = *symbol;
  return success();
}

/// `(` extents `)` `:` `(` strides `)`
static ParseResult parseModes(AsmParser &parser, SmallVectorImpl<Mode> &modes) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> extents;
  auto parseExtent = [&]() -> ParseResult {
    return parser.parseInteger(extents.emplace_back());
  };
  auto parseMode = [&]() -> ParseResult {
    Mode &mode = modes.emplace_back();
    mode.extent =
        modes.size() <= extents.size() ? extents[modes.size() - 1] : 1;
    return parseStride(parser, mode.stride, mode.axis);
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                     parseExtent) ||
      parser.parseColon() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseMode))
    return failure();
  // That there is an extent at all is for the verifier to say.
  if (modes.size() == extents.size())
    return success();
  return emitViolation([&] { return parser.emitError(loc); }, Rule::L2,
                       "expected as many strides as the " +
                           Twine(extents.size()) + " extents, but got " +
                           Twine(modes.size()));
}

/// `*` `(` count `:` stride, ... `)`
static ParseResult parseReplicas(AsmParser &parser,
                                 SmallVectorImpl<Mode> &replicas) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Paren, [&]() -> ParseResult {
        Mode &mode = replicas.emplace_back();
        return failure(parser.parseInteger(mode.extent) ||
                       parser.parseColon() ||
                       parseStride(parser, mode.stride, mode.axis));
      });
}

/// `+` `(` offset, ... `)`
static ParseResult parseOffsets(AsmParser &parser,
                                SmallVectorImpl<AxisOffset> &offsets) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Paren, [&]() -> ParseResult {
        AxisOffset &offset = offsets.emplace_back();
        return parseStride(parser, offset.value, offset.axis);
      });
}

/// Offsets and replicas, each at most once, in either order.
static ParseResult parseSuffixes(AsmParser &parser,
                                 SmallVectorImpl<Mode> &replicas,
                                 SmallVectorImpl<AxisOffset> &offsets) {
  bool mayOffset = true, mayReplicate = true;
  while (true) {
    if (mayOffset && succeeded(parser.parseOptionalPlus())) {
      mayOffset = false;
      if (parseOffsets(parser, offsets))
        return failure();
    } else if (mayReplicate && succeeded(parser.parseOptionalStar())) {
      mayReplicate = false;
      if (parseReplicas(parser, replicas))
        return failure();
    } else {
      return success();
    }
  }
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<Mode> modes, replicas;
  SmallVector<AxisOffset> offsets;
  if (parser.parseLess() || parseModes(parser, modes) ||
      parseSuffixes(parser, replicas, offsets) || parser.parseGreater())
    return {};
  return parser.getChecked<LayoutAttr>(loc, parser.getContext(), modes,
                                       replicas, offsets);
}

void LayoutAttr::print(AsmPrinter &printer) const {
  printer << '<';
  getLayout().print(printer.getStream());
  printer << '>';
}

//===----------------------------------------------------------------------===//
// DatapathAttr
//===----------------------------------------------------------------------===//

static ParseResult parseDatapathLetter(AsmParser &parser, Datapath &letter) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<Datapath> symbol = symbolizeDatapath(word);
  if (!symbol)
    return parser.emitError(loc, "expected a datapath from A to G, but got ")
           << word;
  letter = *symbol;
  return success();
}

static void printDatapathLetter(AsmPrinter &printer, Datapath letter) {
  printer << stringifyDatapath(letter);
}

LogicalResult DatapathAttr::verify(EmitError emitError, Datapath letter,
                                   int64_t half) {
  int64_t maxHalf = getDatapathRows()[unsigned(letter)].hasHalf ? 1 : 0;
  if (half >= 0 && half <= maxHalf)
    return success();
  return emitViolation(emitError, Rule::D3,
                       Twine("expected ") +
                           (maxHalf ? "the half 0 or 1" : "no half") +
                           " for datapath " + stringifyDatapath(letter) +
                           ", but got " + Twine(half));
}

FailureOr<Layout> DatapathAttr::expand(ArrayRef<int64_t> shape,
                                       Type elementType,
                                       EmitError emitError) const {
  auto expanded =
      expandDatapath(stringifyDatapath(getLetter()), getHalf(), shape,
                     getElementBitWidth(elementType).value_or(0));
  if (auto *violation = std::get_if<Violation>(&expanded))
    return emitViolation(emitError, *violation);
  return std::move(std::get<Layout>(expanded));
}

//===----------------------------------------------------------------------===//
// AtomAttr
//===----------------------------------------------------------------------===//

Atom AtomAttr::getAtom() const {
  Atom atom;
  atom.shape = getShape();
  atom.repeats.append(getRepeats().begin(), getRepeats().end());
  atom.packing = getPacking();
  return atom;
}

LogicalResult AtomAttr::verify(EmitError emitError, AtomShape shape,
                               ArrayRef<unsigned> repeats, Packing) {
  if (repeats.empty())
    return emitViolation(emitError, Rule::A1,
                         "expected a repetition count, such as x4");
  llvm::SmallSet<unsigned, 8> seen;
  for (unsigned repeat : repeats) {
    if (!isLegalRepeat(shape, repeat))
      return emitViolation(emitError, Rule::A1,
                           "expected a power of two from x1 to x" +
                               Twine(getNativeImage(shape).maxRepeat) +
                               " for " + stringifyAtomShape(shape) +
                               ", but got x" + Twine(repeat));
    if (!seen.insert(repeat).second)
      return emitViolation(emitError, Rule::A6,
                           "expected each repetition count once, but got x" +
                               Twine(repeat) + " again");
  }
  return success();
}

/// 16x64b: to the lexer an integer and a word.
static ParseResult parseShape(AsmParser &parser, AtomShape &shape) {
  SMLoc loc = parser.getCurrentLocation();
  int64_t rows;
  StringRef rest;
  if (parser.parseInteger(rows) || parser.parseKeyword(&rest))
    return failure();
  std::string name = (Twine(rows) + rest).str();
  std::optional<AtomShape> symbol = symbolizeAtomShape(name);
  if (!symbol) {
    auto names =
        llvm::map_range(getNativeImages(), [](const NativeImage &image) {
          return image.name.str();
        });
    return emitViolation([&] { return parser.emitError(loc); }, Rule::A1,
                         "expected a shape of " + llvm::join(names, ", ") +
                             ", but got " + name);
  }
  shape = *symbol;
  return success();
}

/// `x64`, or `pack`, `unpack` as the last.
static ParseResult parseQualifier(AsmParser &parser,
                                  SmallVectorImpl<unsigned> &repeats,
                                  Packing &packing) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  auto emitError = [&] { return parser.emitError(loc); };
  if (packing != Packing::None)
    return emitError() << "expected nothing after the packing, but got "
                       << word;
  if (word == "pack" || word == "unpack") {
    packing = word == "pack" ? Packing::Pack : Packing::Unpack;
    return success();
  }
  StringRef digits = word;
  unsigned repeat;
  if (!digits.consume_front("x") || digits.getAsInteger(10, repeat))
    return emitViolation(emitError, Rule::A1,
                         "expected a repetition count such as x4, pack or "
                         "unpack, but got " +
                             word);
  repeats.push_back(repeat);
  return success();
}

Attribute AtomAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  AtomShape shape = AtomShape::S32x32b;
  SmallVector<unsigned> repeats;
  Packing packing = Packing::None;
  if (parser.parseLess() || parseShape(parser, shape))
    return {};
  while (succeeded(parser.parseOptionalComma()))
    if (parseQualifier(parser, repeats, packing))
      return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<AtomAttr>(loc, parser.getContext(), shape, repeats,
                                     packing);
}

void AtomAttr::print(AsmPrinter &printer) const {
  printer << '<' << stringifyAtomShape(getShape());
  for (unsigned repeat : getRepeats())
    printer << ", x" << repeat;
  if (getPacking() != Packing::None)
    printer << (getPacking() == Packing::Pack ? ", pack" : ", unpack");
  printer << '>';
}

//===----------------------------------------------------------------------===//
// ScopeAttr
//===----------------------------------------------------------------------===//

LogicalResult ScopeAttr::verify(EmitError emitError, ScopeKind kind,
                                int64_t warp) {
  if (kind == ScopeKind::Warp) {
    if (warp >= 0 && warp <= 3)
      return success();
    return emitViolation(emitError, Rule::A5,
                         "expected a warp from 0 to 3, but got " + Twine(warp));
  }
  if (warp == 0)
    return success();
  return emitViolation(
      emitError, Rule::A5,
      "expected a warp in warp scope alone, but got warp " + Twine(warp) +
          " in " + (kind == ScopeKind::CTA ? "cta" : "warpgroup") + " scope");
}

Attribute ScopeAttr::parse(AsmParser &parser, Type) {
  ScopeAttr scope;
  if (parser.parseLess() || parseScope(parser, scope) || parser.parseGreater())
    return {};
  return scope;
}

void ScopeAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printScope(printer, *this);
  printer << '>';
}

ParseResult mlir::tmem::parseScope(AsmParser &parser, ScopeAttr &scope) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  ScopeKind kind;
  int64_t warp = 0;
  if (word == "warp") {
    kind = ScopeKind::Warp;
    OptionalParseResult number = parser.parseOptionalInteger(warp);
    if (!number.has_value())
      return parser.emitError(parser.getCurrentLocation(),
                              "expected the number of a warp, 0 to 3");
    if (failed(*number))
      return failure();
  } else if (word == "warpgroup") {
    kind = ScopeKind::Warpgroup;
  } else if (word == "cta") {
    kind = ScopeKind::CTA;
  } else {
    return parser.emitError(loc, "expected warp, warpgroup or cta, but got ")
           << word;
  }
  scope = parser.getChecked<ScopeAttr>(loc, parser.getContext(), kind, warp);
  return success(static_cast<bool>(scope));
}

void mlir::tmem::printScope(AsmPrinter &printer, ScopeAttr scope) {
  switch (scope.getKind()) {
  case ScopeKind::Warp:
    printer << "warp " << scope.getWarp();
    return;
  case ScopeKind::Warpgroup:
    printer << "warpgroup";
    return;
  case ScopeKind::CTA:
    printer << "cta";
    return;
  }
}
