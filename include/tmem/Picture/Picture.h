//===- Picture.h - Pictures of layouts and transfers ------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One renderer for the tools, for C and for Python: Tensor Memory as lanes by
// columns, the registers as threads by 32-bit registers beside it, each 32-bit
// square (or its part, for smaller elements) coloured by what it holds. Squares
// of one colour that make up a rectangle are one block, so that a picture stays
// small whatever the tile's size.
//
// No function asserts on bad input, and the same request gives the same bytes.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_PICTURE_PICTURE_H
#define TMEM_PICTURE_PICTURE_H

#include "tmem/Layout/RegisterInference.h"
#include <string>
#include <variant>

namespace mlir::tmem {

/// What the colour of a square stands for.
enum class PictureColor : uint8_t {
  Element,  ///< The row and the column of the element.
  Warp,     ///< The warp that has the element in its registers.
  Lane,     ///< The lane of that warp.
  Register, ///< The 32-bit register of that lane.
  Issue,    ///< The tcgen05.ld or tcgen05.st that moves the element.
};

/// "element", "warp", "lane", "register", "issue".
llvm::StringRef stringifyPictureColor(PictureColor color);
std::optional<PictureColor> symbolizePictureColor(llvm::StringRef name);

/// What to draw. At least one of `memory` and `registers` is given; with both
/// it is a transfer, legal (`chosen`) or not (`reasons` alone).
struct PictureRequest {
  /// The tile: its shape (split transfer: 2 leads) and its elements.
  llvm::SmallVector<int64_t, 4> tileShape;
  unsigned elementBits = 32;
  /// The name of the element type for headings, "f32"; left out if empty.
  std::string elementType;

  /// Where the tile is in TMEM: one layout, or two of a split transfer.
  llvm::SmallVector<Layout, 2> memory;
  /// Where it is in registers, and how many elements a thread's vector has.
  std::optional<RegisterTile> registers;

  Scope scope;
  Direction direction = Direction::Load;
  /// The atom and its plan, of selectAtom, inferRegisterLayout, or of
  /// planTransfer for this very transfer.
  std::optional<SelectionCandidate> chosen;
  /// Why other atoms were not chosen. Without `chosen` the places that the
  /// first illegal one names are marked.
  llvm::SmallVector<SelectionReason, 9> reasons;

  PictureColor color = PictureColor::Element;
  /// The index of an element to point at in the tile and on both sides, one
  /// number for each dimension; none if empty.
  llvm::SmallVector<int64_t, 4> marked;
  /// The heading; made from the tile if empty.
  std::string title;
};

/// Why there is no picture, in the style of diagnostics; with the rule that the
/// layouts break, if they do.
struct PictureError {
  std::string message;
  std::optional<Rule> rule = std::nullopt;
  /// What of the request is wrong.
  enum class Part : uint8_t { Transfer, Color, Marked } part = Part::Transfer;
};

using PictureResult = std::variant<std::string, PictureError>;

/// An SVG document that shows by itself, in light and in dark surroundings.
/// Each block has a <title> that says where in TMEM and in registers its
/// elements are. Errors: rules L1 to L6, V1 to V6, R1 to R4 and R6 for the
/// layouts; no layout at all; a colour that the request says nothing about; a
/// marked element that the tile has not; a plan that is not one of the
/// request's transfer. Time and memory are linear in the squares and elements,
/// of which the rules leave at most 2^23.
PictureResult renderSVG(const PictureRequest &request);

/// An HTML document without outside parts: the pictures in every colour there
/// is, linked so that what is pointed at, with the mouse or the keyboard, is
/// shown on both sides; the instructions one by one; the costs, and the reasons
/// against the other atoms with the places they name. `color` is the one shown
/// first. Errors as in renderSVG.
PictureResult renderHTML(const PictureRequest &request);

} // namespace mlir::tmem

#endif // TMEM_PICTURE_PICTURE_H
