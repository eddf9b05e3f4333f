//===- Layouts.cpp - Layouts in Python ------------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bindings.h"
#include "tmem/Layout/Datapaths.h"
#include "tmem/Layout/LayoutAlgebra.h"
#include "tmem/Layout/LayoutConversions.h"
#include "tmem/Layout/LayoutParser.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::tmem;
using namespace tmem_python;

void tmem_python::raise(const std::string &message, std::optional<Rule> rule) {
  nb::object type = nb::module_::import_("tmem._errors").attr("RuleError");
  std::string id = rule ? getRuleId(*rule).str() : "";
  std::string text = rule ? getRuleText(*rule).str() : "";
  nb::object error = type(message, id, text);
  PyErr_SetObject(type.ptr(), error.ptr());
  throw nb::python_error();
}

static std::string print(const Layout &layout) {
  std::string text;
  llvm::raw_string_ostream os(text);
  layout.print(os);
  return text;
}

/// The layout of an accumulator by its letter.
static Layout makeDatapath(const std::string &letter, int64_t half,
                           const std::vector<int64_t> &shape,
                           unsigned elementBits) {
  if (letter.empty())
    raise("expected a datapath from A to G, but got none", Rule::D5);
  auto expanded = expandDatapath(letter, half, shape, elementBits);
  if (auto *violation = std::get_if<Violation>(&expanded))
    raise(violation->message, violation->rule);
  return std::get<Layout>(expanded);
}

/// The layout that a text stands for at a tile: in the notation of this
/// project, a data path, or that of CuTe or Triton.
static Layout parse(const std::string &text, const std::vector<int64_t> &shape,
                    unsigned elementBits) {
  if (namesNotation(text)) {
    std::string reason, otherReason;
    if (auto layout = parseMemoryNotation(text, shape, elementBits, &reason))
      return *layout;
    if (auto layout = parseRegisterNotation(text, shape, &otherReason))
      return *layout;
    raise(reason, std::nullopt);
  }
  auto parsed = parseMemoryText(text);
  if (auto *error = std::get_if<ParseError>(&parsed))
    raise(error->message, error->rule);
  if (auto *layout = std::get_if<Layout>(&parsed))
    return *layout;
  auto &datapath = std::get<DatapathName>(parsed);
  return makeDatapath(datapath.letter, datapath.half, shape, elementBits);
}

/// Rule V3 or R1, if there is a shape.
static void checkShape(const Layout &layout,
                       const std::vector<int64_t> &shape) {
  int64_t elements = 1;
  bool isLarge = false;
  for (int64_t extent : shape)
    isLarge |= __builtin_mul_overflow(elements, extent, &elements);
  if (shape.empty() || (!isLarge && elements == layout.getNumElements()))
    return;
  bool isMemory = layout.isMemoryLayout();
  raise("expected a " + std::string(isMemory ? "memory" : "register") +
            " layout of " +
            (isLarge ? "more than 2^63" : std::to_string(elements)) +
            " elements, but got " + std::to_string(layout.getNumElements()),
        isMemory ? Rule::V3 : Rule::R1);
}

/// The text, that of all of the same meaning, and whether it is of TMEM.
static nb::typed<nb::tuple, nb::str, nb::str, bool>
describe(const Layout &layout) {
  return nb::make_tuple(print(layout), print(canonicalize(layout)),
                        layout.isMemoryLayout());
}

/// The register layout that a text stands for at a tile.
static std::string parseRegisters(const std::string &text,
                                  const std::vector<int64_t> &shape) {
  if (!namesNotation(text))
    return print(parse(text, shape, 32));
  std::string reason;
  std::optional<Layout> layout = parseRegisterNotation(text, shape, &reason);
  if (!layout)
    raise(reason, std::nullopt);
  return print(*layout);
}

/// Numbers of 64 bits, two or three for each element in row-major order: lane
/// and column, or warp, lane and register, of its first place.
static nb::bytes packPlaces(const std::string &text) {
  Layout layout = parse(text, {}, 32);
  bool isMemory = layout.isMemoryLayout();
  std::vector<int64_t> places;
  places.reserve(layout.getNumElements() * 3);
  forEachElement(layout, [&](int64_t, const Coordinates &at) {
    auto get = [&](Axis axis) { return at[unsigned(axis)]; };
    if (isMemory) {
      places.insert(places.end(), {get(Axis::TLane), get(Axis::TCol)});
      return;
    }
    int64_t tid = get(Axis::Tid);
    int64_t warp = llvm::divideFloorSigned(tid, 32);
    places.insert(places.end(),
                  {get(Axis::Warp) + warp, get(Axis::Lane) + tid - 32 * warp,
                   get(Axis::Reg)});
  });
  return nb::bytes(reinterpret_cast<const char *>(places.data()),
                   places.size() * sizeof(int64_t));
}

/// Whether both put every element at the same places, where that is decided;
/// canonical forms do not always agree where there are replicas.
static bool isEqual(const std::string &a, const std::string &b) {
  Layout left = parse(a, {}, 32), right = parse(b, {}, 32);
  Decision same = haveSamePlaces(left, right);
  if (same == Decision::Unknown)
    return canonicalize(left) == canonicalize(right);
  return same == Decision::Yes;
}

/// How many elements a thread's vector has, if it is no longer than it must be.
static int64_t getVectorSize(const std::string &text,
                             const std::vector<int64_t> &shape) {
  Layout layout = parse(text, shape, 32);
  if (!layout.isRegisterLayout())
    raise("expected a register layout, but got the axes of a memory layout",
          Rule::L5);
  return layout.getRange(Axis::Reg).second + 1;
}

/// Elements `offsets` to `offsets` + `sizes` of a tile.
static std::string sliceLayout(const std::string &text,
                               const std::vector<int64_t> &shape,
                               const std::vector<int64_t> &offsets,
                               const std::vector<int64_t> &sizes) {
  bool fits = shape.size() == offsets.size() && shape.size() == sizes.size();
  for (size_t i = 0; fits && i < shape.size(); ++i)
    fits = offsets[i] >= 0 && sizes[i] >= 1 && sizes[i] <= shape[i] &&
           offsets[i] <= shape[i] - sizes[i];
  if (!fits)
    raise("expected a window with an offset and a size for each dimension, in "
          "its source, but got another",
          Rule::W1);
  auto window = slice(parse(text, {}, 32), shape, offsets, sizes);
  if (!window)
    raise("expected a window along the modes of the layout, but got one that "
          "cuts through them",
          Rule::W3);
  return print(*window);
}

static nb::typed<nb::tuple, nb::str, std::vector<int64_t>>
rearrangeLayout(const std::string &text, const std::vector<int64_t> &shape,
                const std::string &pattern,
                const nb::typed<nb::dict, nb::str, int> &dict) {
  std::vector<std::pair<std::string, int64_t>> sizes;
  for (auto [name, size] : dict) {
    auto &[axis, value] = sizes.emplace_back(nb::cast<std::string>(name), 0);
    if (!nb::try_cast(size, value))
      throw nb::type_error(
          ("expected an integer of 64 bits as the size of " + axis).c_str());
  }
  std::vector<std::pair<llvm::StringRef, int64_t>> named(sizes.begin(),
                                                         sizes.end());
  ShapedLayout tile{{shape.begin(), shape.end()}, parse(text, {}, 32)}, result;
  if (auto violation = rearrange(tile, pattern, named, result))
    raise(violation->message, violation->rule);
  std::vector<int64_t> dims(result.shape.begin(), result.shape.end());
  return nb::make_tuple(print(result.layout), dims);
}

void tmem_python::populateLayouts(nb::module_ &m) {
  m.def(
      "parse_layout",
      [](const std::string &text, const std::vector<int64_t> &shape,
         unsigned elementBits) {
        Layout layout = parse(text, shape, elementBits);
        checkShape(layout, shape);
        return describe(layout);
      },
      nb::arg("text"), nb::arg("shape"), nb::arg("element_bits"),
      "The text of a layout, the text that all of the same meaning have, and "
      "whether it is one of Tensor Memory.");
  m.def(
      "make_datapath",
      [](const std::string &letter, int64_t half,
         const std::vector<int64_t> &shape, unsigned elementBits) {
        return describe(makeDatapath(letter, half, shape, elementBits));
      },
      nb::arg("letter"), nb::arg("half"), nb::arg("shape"),
      nb::arg("element_bits"),
      "What parse_layout gives, of a data path by its letter.");
  m.def("parse_registers", &parseRegisters, nb::arg("text"), nb::arg("shape"),
        "The text of a register layout, in the notation of this project.");
  m.def("pack_places", &packPlaces, nb::arg("text"),
        "Where each element of a layout is, in row-major order, as int64.");
  m.def("is_equal", &isEqual, nb::arg("a"), nb::arg("b"),
        "Whether two layouts put every element at the same places.");
  m.def("vector_size", &getVectorSize, nb::arg("text"), nb::arg("shape"),
        "The elements of a thread's vector in a register layout.");
  m.def("slice_layout", &sliceLayout, nb::arg("text"), nb::arg("shape"),
        nb::arg("offsets"), nb::arg("sizes"), "The layout of a window.");
  m.def("rearrange_layout", &rearrangeLayout, nb::arg("text"), nb::arg("shape"),
        nb::arg("pattern"), nb::arg("sizes"),
        "The layout and the shape of a tile, regrouped.");
}
