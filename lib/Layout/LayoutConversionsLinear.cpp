//===- LayoutConversionsLinear.cpp - Layouts and linear bases -------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both kinds of maps are written bit by bit here: bit b of the coordinate on an
// axis belongs to bit e of the element's row-major index, or to none.
//
// Why only single bits: say that a layout has the places of linear bases. Every
// place of a box has one element, so on each axis the sums of modes and
// replicas are the numbers of an interval, each once. Steps that do that are
// digits of the number, here with powers of two as extents. So each bit of a
// place is a bit of one digit: of a mode, and then of one bit of the element,
// or of a replica, and then of none.
//
//===----------------------------------------------------------------------===//

#include "LayoutAlgebraDetail.h"
#include "LayoutAlgebraSets.h"
#include "Modes.h"
#include "TransferTables.h"
#include "tmem/Layout/LayoutConversions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace mlir::tmem;
using namespace mlir::tmem::detail;
using llvm::StringRef;
using llvm::Twine;

using Basis = LinearBases::Basis;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static constexpr std::pair<Axis, llvm::StringLiteral> inputNames[] = {
    {Axis::Reg, "register"}, {Axis::Lane, "lane"}, {Axis::Warp, "warp"},
    {Axis::TLane, "row"},    {Axis::TCol, "col"},
};

static StringRef getInputName(Axis axis) {
  for (auto [known, name] : inputNames)
    if (known == axis)
      return name;
  return stringifyAxis(axis);
}

static std::string describe(Axis axis, size_t bit) {
  return (getInputName(axis) + " " + Twine(int64_t(1) << bit)).str();
}

static void printBasis(const Basis &basis, llvm::raw_ostream &os) {
  os << '[';
  llvm::interleaveComma(basis, os);
  os << ']';
}

void LinearBases::print(llvm::raw_ostream &os) const {
  os << '{';
  llvm::interleaveComma(inputs, os, [&](const Input &input) {
    os << getInputName(input.axis) << " = [";
    llvm::interleaveComma(input.bases, os,
                          [&](const Basis &basis) { printBasis(basis, os); });
    os << ']';
  });
  os << '}';
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {
/// Reads the text of linear bases; each function is true on success.
class BasesReader {
public:
  explicit BasesReader(StringRef text) : text(text) {}

  bool read(LinearBases &result) {
    if (!skip("{"))
      return false;
    if (skip("}"))
      return atEnd();
    do
      if (!readInput(result))
        return false;
    while (skip(","));
    return skip("}") && atEnd();
  }

  StringRef rest() const { return text.take_front(16); }

private:
  bool atEnd() const { return text.trim().empty(); }

  bool skip(StringRef token) {
    text = text.ltrim();
    return text.consume_front(token);
  }

  /// "[a, b]", perhaps empty.
  template <typename ReadItem> bool readList(ReadItem readItem) {
    if (!skip("["))
      return false;
    if (skip("]"))
      return true;
    do
      if (!readItem())
        return false;
    while (skip(","));
    return skip("]");
  }

  bool readInput(LinearBases &result) {
    text = text.ltrim();
    StringRef name = text.take_while(llvm::isAlpha);
    const auto *known = llvm::find_if(
        inputNames, [&](const auto &input) { return input.second == name; });
    bool isBlock = name == "block";
    if (known == std::end(inputNames) && !isBlock)
      return false;
    text = text.drop_front(name.size());
    if (!skip("="))
      return false;
    if (isBlock)
      return readList([] { return false; });
    auto &input = result.inputs.emplace_back();
    input.axis = known->first;
    return readList([&] {
      Basis &basis = input.bases.emplace_back();
      return readList([&] {
        text = text.ltrim();
        return !text.consumeInteger(10, basis.emplace_back());
      });
    });
  }

  StringRef text;
};
} // namespace

std::optional<LinearBases>
mlir::tmem::parseLinearBases(StringRef text, llvm::ArrayRef<int64_t> shape,
                             std::string *reason) {
  LinearBases result;
  result.shape.assign(shape.begin(), shape.end());
  BasesReader reader(text);
  if (reader.read(result))
    return result;
  return refuse(reason, "expected {name = [[integer, ...], ...], ...} with the "
                        "names register, lane and warp, or row and col, but "
                        "got \"" +
                            reader.rest() + "\"");
}

//===----------------------------------------------------------------------===//
// From linear bases
//===----------------------------------------------------------------------===//

static bool checkShape(llvm::ArrayRef<int64_t> shape, std::string *reason) {
  int64_t product = 1;
  for (int64_t size : shape) {
    if (size < 1 || !llvm::isPowerOf2_64(size) || size >= int64_t(1) << 31 ||
        (product *= size) >= int64_t(1) << 31) {
      refuse(reason, "expected sizes that are powers of two and multiply to "
                     "less than 2^31, but got " +
                         Twine(size));
      return false;
    }
  }
  return true;
}

/// The row-major index of a basis; bits of dimensions stand side by side.
static std::optional<int64_t> linearize(const Basis &basis,
                                        llvm::ArrayRef<int64_t> shape) {
  if (basis.size() != shape.size())
    return std::nullopt;
  int64_t index = 0;
  for (auto [coordinate, size] : llvm::zip(basis, shape)) {
    if (coordinate < 0 || coordinate >= size)
      return std::nullopt;
    index = index * size + coordinate;
  }
  return index;
}

namespace {
/// The place bit that an element bit comes from.
struct Source {
  Axis axis;
  unsigned bit;
};

/// Collects the bits of the bases.
class BasesConverter {
public:
  BasesConverter(const LinearBases &bases, std::string *reason)
      : bases(bases), reason(reason) {}

  std::optional<Layout> convert();

private:
  bool addBasis(Axis axis, unsigned bit, const Basis &basis);

  const LinearBases &bases;
  std::string *reason;
  std::optional<Source> sources[31]; ///< By bit of the element.
  Layout result;
};
} // namespace

bool BasesConverter::addBasis(Axis axis, unsigned bit, const Basis &basis) {
  std::optional<int64_t> index = linearize(basis, bases.shape);
  auto fail = [&](const Twine &message) {
    refuse(reason, message);
    return false;
  };
  if (!index)
    return fail("expected an element of the tile as the basis of " +
                describe(axis, bit));
  if (*index == 0) {
    result.replicas.push_back({2, int64_t(1) << bit, axis});
    return true;
  }
  if (!llvm::isPowerOf2_64(*index))
    return fail("expected bases with one bit, but got several in that of " +
                describe(axis, bit));
  std::optional<Source> &source = sources[llvm::Log2_64(*index)];
  if (source)
    return fail("expected bases with no bit in common, but got the same for " +
                describe(source->axis, source->bit) + " and " +
                describe(axis, bit));
  source = Source{axis, bit};
  return true;
}

std::optional<Layout> BasesConverter::convert() {
  for (auto [i, input] : llvm::enumerate(bases.inputs)) {
    auto sameAxis = [axis = input.axis](const LinearBases::Input &other) {
      return other.axis == axis;
    };
    if (input.axis == Axis::Tid || input.bases.size() > 30 ||
        std::any_of(bases.inputs.begin(), bases.inputs.begin() + i, sameAxis))
      return refuse(reason, "expected warps and lanes, each axis once, with at "
                            "most 30 bases, but got others for " +
                                Twine(getInputName(input.axis)));
    for (auto [bit, basis] : llvm::enumerate(input.bases))
      if (!addBasis(input.axis, bit, basis))
        return std::nullopt;
  }
  int64_t numElements = 1;
  for (int64_t size : bases.shape)
    numElements *= size;
  for (unsigned bit = llvm::Log2_64(numElements); bit-- > 0;) {
    if (!sources[bit])
      return refuse(reason, "expected every element at some place, but got "
                            "none for element " +
                                getElementName(int64_t(1) << bit, bases.shape));
    result.modes.push_back(
        {2, int64_t(1) << sources[bit]->bit, sources[bit]->axis});
  }
  if (result.modes.empty())
    result.modes.push_back(
        {1, 0, bases.inputs.empty() ? Axis::Reg : bases.inputs.front().axis});
  if (!verifies(result, reason))
    return std::nullopt;
  return canonicalize(result);
}

std::optional<Layout> mlir::tmem::fromLinearBases(const LinearBases &bases,
                                                  std::string *reason) {
  if (!checkShape(bases.shape, reason))
    return std::nullopt;
  return BasesConverter(bases, reason).convert();
}

//===----------------------------------------------------------------------===//
// To linear bases
//===----------------------------------------------------------------------===//

namespace {
/// Bits of the coordinates: the element bit that each stands for, or no bit,
/// where a replica moves.
class PlaceBits {
public:
  static constexpr int none = -1;

  /// Adds `extent` steps of `stride`, which stand for element bits from
  /// `elementBit` on. False when they are no bits, or belong to others already.
  bool add(Axis axis, int64_t extent, int64_t stride, int elementBit) {
    if (!llvm::isPowerOf2_64(extent) || !llvm::isPowerOf2_64(stride))
      return false;
    for (unsigned i = 0, n = llvm::Log2_64(extent); i < n; ++i)
      if (!addBit(axis, llvm::Log2_64(stride) + i,
                  elementBit == none ? none : elementBit + int(i)))
        return false;
    return true;
  }

  /// True when a bit below another stands for nothing at all.
  bool hasGap(Axis axis) const {
    return llvm::is_contained(bits[static_cast<unsigned>(axis)], std::nullopt);
  }

  /// The bases of the bits on an axis.
  LinearBases::Input getInput(Axis axis, llvm::ArrayRef<int64_t> shape) const;

private:
  bool addBit(Axis axis, unsigned bit, int elementBit) {
    // A thread is a lane of a warp.
    if (axis == Axis::Tid) {
      axis = bit < 5 ? Axis::Lane : Axis::Warp;
      bit -= bit < 5 ? 0 : 5;
    }
    auto &known = bits[static_cast<unsigned>(axis)];
    if (bit >= known.size())
      known.resize(bit + 1);
    if (known[bit])
      return false;
    known[bit] = elementBit;
    return true;
  }

  llvm::SmallVector<std::optional<int>, 8> bits[numAxes];
};
} // namespace

LinearBases::Input PlaceBits::getInput(Axis axis,
                                       llvm::ArrayRef<int64_t> shape) const {
  LinearBases::Input input = {axis, {}};
  for (std::optional<int> bit : bits[static_cast<unsigned>(axis)]) {
    Basis &basis = input.bases.emplace_back(shape.size(), 0);
    if (*bit == none)
      continue;
    int64_t element = int64_t(1) << *bit;
    for (unsigned dim = shape.size(); dim-- > 0; element /= shape[dim])
      basis[dim] = element % shape[dim];
  }
  return input;
}

/// Collects the bits of a canonical layout.
static bool collectBits(const Layout &layout, PlaceBits &bits,
                        std::string *reason) {
  auto fail = [&](const Twine &message, Axis axis) {
    refuse(reason, message + " along " + stringifyAxis(axis));
    return false;
  };
  StringRef expected =
      "expected strides that are powers of two, each bit once, "
      "but got others";
  int elementBit = 0;
  for (const Mode &mode : llvm::reverse(layout.modes)) {
    if (mode.extent > 1 &&
        !bits.add(mode.axis, mode.extent, mode.stride, elementBit))
      return fail(expected, mode.axis);
    elementBit += llvm::Log2_64(mode.extent);
  }
  for (unsigned i = 0; i < numAxes; ++i) {
    Axis axis = static_cast<Axis>(i);
    for (const IndexMode &step : simplify(getSteps(layout.replicas, axis)))
      if (!bits.add(axis, step.extent, step.stride, PlaceBits::none))
        return fail(expected, axis);
  }
  for (unsigned i = 0; i < numAxes; ++i)
    if (bits.hasGap(static_cast<Axis>(i)))
      return fail("expected an element at every place, but got gaps",
                  static_cast<Axis>(i));
  return true;
}

std::optional<LinearBases>
mlir::tmem::toLinearBases(const Layout &layout, llvm::ArrayRef<int64_t> shape,
                          std::string *reason) {
  if (!checkShape(shape, reason) || !verifies(layout, reason))
    return std::nullopt;
  int64_t numElements = 1;
  for (int64_t size : shape)
    numElements *= size;
  if (numElements != layout.getNumElements())
    return refuse(reason, "expected a shape of " +
                              Twine(layout.getNumElements()) +
                              " elements, but got " + Twine(numElements));
  Layout canonical = canonicalize(layout);
  for (unsigned i = 0; i < numAxes; ++i)
    if (canonical.getRange(static_cast<Axis>(i)).first != 0)
      return refuse(reason, "expected places that start at 0, but got others "
                            "along " +
                                Twine(stringifyAxis(static_cast<Axis>(i))));
  PlaceBits bits;
  if (!collectBits(canonical, bits, reason))
    return std::nullopt;
  LinearBases result;
  result.shape.assign(shape.begin(), shape.end());
  if (layout.isMemoryLayout())
    for (Axis axis : {Axis::TLane, Axis::TCol})
      result.inputs.push_back(bits.getInput(axis, shape));
  else
    for (Axis axis : {Axis::Reg, Axis::Lane, Axis::Warp})
      result.inputs.push_back(bits.getInput(axis, shape));
  return result;
}
