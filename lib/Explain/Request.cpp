//===- Request.cpp - What tmem-explain is asked ---------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Explain/Request.h"
#include "tmem/Layout/Datapaths.h"
#include "tmem/Layout/LayoutConversions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::tmem;
using namespace mlir::tmem::explain;
using llvm::Twine;

namespace {
/// Reads the options one after the other; true on failure.
class Reader {
public:
  explicit Reader(const RequestText &text) : text(text) {}

  std::variant<Request, RequestError> read();

private:
  bool fail(llvm::StringRef option, const Twine &message,
            std::optional<Rule> rule = std::nullopt) {
    error = {option.str(), message.str(), rule};
    return true;
  }
  bool fail(llvm::StringRef option, const std::string &where,
            ParseError parseError) {
    error = {option.str(), std::move(parseError.message), parseError.rule,
             where, parseError.position};
    return true;
  }

  bool readTile();
  bool readMemory();
  bool readMemoryLayout(llvm::StringRef option, const std::string &value);
  bool addDatapath(llvm::StringRef option, llvm::StringRef letter,
                   int64_t half);
  bool readRegisterLayout(Layout &result);
  bool readRegisters();
  bool readScope();
  bool readWarps();
  bool readDirection();
  bool readAtoms();
  bool readShape(llvm::StringRef name);
  bool readQualifier(llvm::StringRef word);
  bool readLimits();

  const RequestText &text;
  Request request;
  RequestError error;
};
} // namespace

bool Reader::readTile() {
  if (llvm::StringRef(text.tile).trim().empty())
    return fail("tile", "expected a tile such as 64x128xf32, but got none");
  auto tile = parseTileText(text.tile);
  if (auto *wrong = std::get_if<ParseError>(&tile))
    return fail("tile", text.tile, std::move(*wrong));
  request.tile = std::move(std::get<TileText>(tile));
  auto violation = verifyTileShape(request.tile.shape);
  return violation && fail("tile", violation->message, violation->rule);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

bool Reader::addDatapath(llvm::StringRef option, llvm::StringRef letter,
                         int64_t half) {
  auto layout = expandDatapath(letter, half, request.tile.shape,
                               request.tile.elementBits);
  if (auto *violation = std::get_if<Violation>(&layout))
    return fail(violation->rule == Rule::D3 && option == "datapath" ? "half"
                                                                    : option,
                violation->message, violation->rule);
  request.memory.push_back(std::move(std::get<Layout>(layout)));
  return false;
}

bool Reader::readMemoryLayout(llvm::StringRef option,
                              const std::string &value) {
  if (namesNotation(value)) {
    std::string reason;
    std::optional<Layout> layout = parseMemoryNotation(
        value, request.tile.shape, request.tile.elementBits, &reason);
    if (!layout)
      return fail(option, reason);
    request.memory.push_back(std::move(*layout));
    return false;
  }
  auto memory = parseMemoryText(value);
  if (auto *wrong = std::get_if<ParseError>(&memory))
    return fail(option, value, std::move(*wrong));
  if (auto *datapath = std::get_if<DatapathName>(&memory))
    return addDatapath(option, datapath->letter, datapath->half);
  request.memory.push_back(std::move(std::get<Layout>(memory)));
  if (request.memory.back().isMemoryLayout())
    return false;
  return fail(option,
              "expected a memory layout, but got the axes of a register layout",
              Rule::L5);
}

bool Reader::readMemory() {
  if (text.registersAlone)
    return false;
  if (text.memory.empty() == text.datapath.empty())
    return fail("memory", Twine("expected either --memory or --datapath, but "
                                "got ") +
                              (text.memory.empty() ? "neither" : "both"));
  if (!text.datapath.empty() &&
      addDatapath("datapath", text.datapath, text.half.value_or(0)))
    return true;
  if (text.datapath.empty() && text.half)
    return fail("half", "expected --datapath with --half, but got --memory",
                Rule::D3);
  if (!text.memory.empty() && readMemoryLayout("memory", text.memory))
    return true;
  return !text.secondMemory.empty() &&
         readMemoryLayout("second-memory", text.secondMemory);
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

bool Reader::readRegisterLayout(Layout &result) {
  if (namesNotation(text.registers)) {
    std::string reason;
    std::optional<Layout> layout =
        parseRegisterNotation(text.registers, request.tile.shape, &reason);
    if (!layout)
      return fail("registers", reason);
    result = std::move(*layout);
    return false;
  }
  auto layout = parseLayoutText(text.registers);
  if (auto *wrong = std::get_if<ParseError>(&layout))
    return fail("registers", text.registers, std::move(*wrong));
  result = std::move(std::get<Layout>(layout));
  return false;
}

bool Reader::readRegisters() {
  if (text.registers.empty() && text.registersAlone)
    return fail("registers", "expected a register layout to show, but got "
                             "none");
  if (text.registers.empty())
    return text.vectorSize &&
           fail("vector-size", "expected --registers with --vector-size, but "
                               "got none");
  if (text.warps)
    return fail("warps", "expected registers to be inferred with --warps, but "
                         "got --registers");
  if (text.vectorSize == 0u)
    return fail("vector-size",
                "expected a vector of at least 1 element, but got 0", Rule::R6);
  RegisterTile registers;
  if (readRegisterLayout(registers.layout))
    return true;
  if (!registers.layout.isRegisterLayout())
    return fail("registers",
                "expected a register layout, but got the axes of a memory "
                "layout",
                Rule::L5);
  registers.vectorSize =
      text.vectorSize.value_or(registers.layout.getRange(Axis::Reg).second + 1);
  request.registers = std::move(registers);
  return false;
}

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

bool Reader::readWarps() {
  if (!text.warps)
    return false;
  if (request.scope.kind != ScopeKind::CTA)
    return fail("warps", "expected --scope=cta with --warps, but got " +
                             (text.scope.empty() ? "warpgroup" : text.scope));
  request.numWarps = *text.warps;
  auto violation = verifyNumWarps(*text.warps);
  return violation && fail("warps", violation->message, violation->rule);
}

/// `warpgroup`, `cta` or `warp 2`.
bool Reader::readScope() {
  llvm::StringRef scope = llvm::StringRef(text.scope).trim();
  request.scope.kind = ScopeKind::Warpgroup;
  if (scope.empty() || scope == "warpgroup")
    return false;
  request.scope.kind = ScopeKind::CTA;
  if (scope == "cta")
    return false;
  request.scope.kind = ScopeKind::Warp;
  if (!scope.consume_front("warp"))
    return fail("scope",
                "expected warp N, warpgroup or cta, but got " + text.scope);
  unsigned warp;
  if (scope.trim().getAsInteger(10, warp) || warp > 3)
    return fail("scope", "expected a warp from 0 to 3, but got " + text.scope,
                Rule::A5);
  request.scope.warp = warp;
  return false;
}

bool Reader::readDirection() {
  if (text.direction == "store")
    request.direction = Direction::Store;
  else if (!text.direction.empty() && text.direction != "load")
    return fail("direction",
                "expected load or store, but got " + text.direction);
  return false;
}

bool Reader::readShape(llvm::StringRef name) {
  std::optional<AtomShape> shape = symbolizeAtomShape(name);
  if (!shape) {
    auto all = llvm::map_range(
        getNativeImages(), [](const auto &image) { return image.name.str(); });
    return fail("atoms",
                "expected a shape of " + llvm::join(all, ", ") + ", but got " +
                    (name.empty() ? "nothing" : name),
                Rule::A1);
  }
  if (!llvm::is_contained(request.options.shapes, *shape))
    request.options.shapes.push_back(*shape);
  return false;
}

/// `x64`, or `pack`, `unpack` as the last: what #tmem.atom has after its shape.
bool Reader::readQualifier(llvm::StringRef word) {
  SelectionOptions &options = request.options;
  if (options.packing != Packing::None)
    return fail("atoms", "expected nothing after the packing, but got " + word);
  if (word == "pack" || word == "unpack") {
    options.packing = word == "pack" ? Packing::Pack : Packing::Unpack;
    return false;
  }
  llvm::StringRef digits = word;
  unsigned repeat;
  if (!digits.consume_front("x") || digits.getAsInteger(10, repeat))
    return fail("atoms",
                "expected a repetition count such as x4, pack or unpack, but "
                "got " +
                    (word.empty() ? "nothing" : word),
                Rule::A1);
  AtomShape shape = options.shapes.front();
  if (!isLegalRepeat(shape, repeat))
    return fail("atoms",
                "expected a power of two from x1 to x" +
                    Twine(getNativeImage(shape).maxRepeat) + " for " +
                    stringifyAtomShape(shape) + ", but got x" + Twine(repeat),
                Rule::A1);
  if (llvm::is_contained(options.repeats, repeat))
    return fail("atoms",
                "expected each repetition count once, but got x" +
                    Twine(repeat) + " again",
                Rule::A6);
  options.repeats.push_back(repeat);
  return false;
}

/// Shapes to choose from, or one atom as #tmem.atom has it.
bool Reader::readAtoms() {
  if (text.atoms.empty())
    return false;
  llvm::SmallVector<llvm::StringRef, 8> words;
  llvm::StringRef(text.atoms).split(words, ',');
  for (llvm::StringRef &word : words)
    word = word.trim();
  bool isAtom = llvm::any_of(words, [](llvm::StringRef word) {
    return word.starts_with("x") || word == "pack" || word == "unpack";
  });
  if (!isAtom)
    return llvm::any_of(words, [&](auto word) { return readShape(word); });
  if (readShape(words.front()))
    return true;
  request.options.packing = Packing::None;
  for (llvm::StringRef word : llvm::drop_begin(words))
    if (readQualifier(word))
      return true;
  return request.options.repeats.empty() &&
         fail("atoms", "expected a repetition count, such as x4", Rule::A1);
}

bool Reader::readLimits() {
  request.options.maxRegistersPerIssue = text.maxRegistersPerIssue;
  if (text.maxRegistersPerIssue >= 1 &&
      text.maxRegistersPerIssue <= maxIssueRegisters)
    return false;
  return fail("max-registers-per-issue",
              "expected 1 to " + Twine(maxIssueRegisters) +
                  " registers, but got " + Twine(text.maxRegistersPerIssue));
}

std::variant<Request, RequestError> Reader::read() {
  if (readTile() || readMemory() || readScope() || readWarps() ||
      readRegisters() || readDirection() || readAtoms() || readLimits())
    return std::move(error);
  return std::move(request);
}

std::variant<Request, RequestError>
explain::readRequest(const RequestText &text) {
  return Reader(text).read();
}
