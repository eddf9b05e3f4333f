//===- LayoutNotations.cpp - Other notations by their names ---------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tmem/Layout/LayoutConversions.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::tmem;

static constexpr llvm::StringLiteral linearName = "linear:";
static constexpr llvm::StringLiteral cuteName = "cute:";

static std::nullopt_t refuse(std::string *reason, const llvm::Twine &message) {
  if (reason)
    *reason = message.str();
  return std::nullopt;
}

/// What a layout of another notation covers has to be the tile.
static std::optional<Layout> expectShape(std::optional<ShapedLayout> tile,
                                         llvm::ArrayRef<int64_t> shape,
                                         std::string *reason) {
  if (!tile)
    return std::nullopt;
  if (llvm::ArrayRef(tile->shape) == shape)
    return std::move(tile->layout);
  auto print = [](llvm::ArrayRef<int64_t> sizes) {
    return llvm::join(
        llvm::map_range(sizes, [](int64_t n) { return std::to_string(n); }),
        "x");
  };
  return refuse(reason, "expected a layout of a tile of " + print(shape) +
                            ", but got one of " + print(tile->shape));
}

static std::optional<Layout> parseLinear(llvm::StringRef text,
                                         llvm::ArrayRef<int64_t> shape,
                                         std::string *reason) {
  auto bases = parseLinearBases(text, shape, reason);
  return bases ? fromLinearBases(*bases, reason) : std::nullopt;
}

bool mlir::tmem::namesNotation(llvm::StringRef text) {
  text = text.ltrim();
  return text.starts_with(linearName) || text.starts_with(cuteName);
}

std::optional<Layout>
mlir::tmem::parseMemoryNotation(llvm::StringRef text,
                                llvm::ArrayRef<int64_t> shape,
                                unsigned elementBits, std::string *reason) {
  text = text.trim();
  if (text.consume_front(linearName)) {
    std::optional<Layout> layout = parseLinear(text, shape, reason);
    if (layout && !layout->isMemoryLayout())
      return refuse(reason, "expected row and col, the axes of TMEM, but got "
                            "those of registers");
    return layout;
  }
  if (!text.consume_front(cuteName))
    return refuse(reason, "expected linear: or cute:, but got " + text);
  auto cute = parseCuteLayout(text, reason);
  return cute ? expectShape(fromCuteMemory(*cute, elementBits, reason), shape,
                            reason)
              : std::nullopt;
}

std::optional<Layout> mlir::tmem::parseRegisterNotation(
    llvm::StringRef text, llvm::ArrayRef<int64_t> shape, std::string *reason) {
  text = text.trim();
  if (text.consume_front(linearName)) {
    std::optional<Layout> layout = parseLinear(text, shape, reason);
    if (layout && !layout->isRegisterLayout())
      return refuse(reason, "expected register, lane and warp, but got the "
                            "axes of TMEM");
    return layout;
  }
  if (!text.consume_front(cuteName))
    return refuse(reason, "expected linear: or cute:, but got " + text);
  auto cute = parseCuteLayout(text, reason);
  return cute ? expectShape(fromCuteThreadValue(*cute, shape, reason), shape,
                            reason)
              : std::nullopt;
}
