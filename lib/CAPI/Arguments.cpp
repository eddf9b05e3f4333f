//===- Arguments.cpp - Arguments of programs ------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/ScopedPrinter.h"
#include <climits>

using namespace mlir;
using namespace mlir::tmem::capi;

/// What memory holds as C has it, in bytes.
static bool isScalar(Type type) {
  if (type.isIndex())
    return true;
  if (!type.isIntOrFloat())
    return false;
  unsigned bits = type.getIntOrFloatBitWidth();
  return (bits == 1 && type.isInteger()) || bits == 8 || bits == 16 ||
         bits == 32 || bits == 64;
}

static int64_t getScalarBytes(Type type) {
  return type.isIndex()
             ? sizeof(int64_t)
             : llvm::divideCeil(type.getIntOrFloatBitWidth(), CHAR_BIT);
}

FailureOr<ArgumentType>
ArgumentType::read(Type type, function_ref<InFlightDiagnostic()> emitError) {
  ArgumentType result;
  result.text = llvm::to_string(type);
  if (isScalar(type))
    return result;
  auto memref = dyn_cast<MemRefType>(type);
  int64_t offset = 0;
  SmallVector<int64_t> strides;
  bool hasStrides =
      memref && succeeded(memref.getStridesAndOffset(strides, offset));
  // A caller says where the first element is, and any offset will do.
  if (ShapedType::isDynamic(offset))
    offset = 0;
  if (!hasStrides || (offset != 0 && !isScalar(memref.getElementType())))
    return emitError() << "expected memrefs whose elements have strides, "
                          "integers of 1, 8, 16, 32 or 64 bits, floats of 8, "
                          "16, 32 or 64 bits, or indices as arguments, but got "
                       << type;
  if (offset != 0)
    result.offsetBytes = offset * getScalarBytes(memref.getElementType());
  result.rank = memref.getRank();
  result.shape.assign(memref.getShape().begin(), memref.getShape().end());
  result.strides.assign(strides.begin(), strides.end());
  return result;
}

void Frame::addNumber(int64_t number) {
  pointers.push_back(&numbers.emplace_back(number));
}

/// As a memref is passed after lowering: the allocation, the address that the
/// offset counts from, the offset, the sizes and the strides. Code takes an
/// offset that the type has from there.
void Frame::addMemRef(void *data, ArrayRef<int64_t> shape,
                      ArrayRef<int64_t> strides) {
  for (unsigned i = 0; i < 2; ++i)
    pointers.push_back(&addresses.emplace_back(data));
  addNumber(0);
  llvm::for_each(shape, [&](int64_t size) { addNumber(size); });
  llvm::for_each(strides, [&](int64_t stride) { addNumber(stride); });
}

static SmallVector<int64_t, 4> getRowMajor(ArrayRef<int64_t> shape) {
  SmallVector<int64_t, 4> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  return strides;
}

/// Puts what the type says where a stride leads nowhere: of one element there
/// is no next one, of an empty array none at all.
static void ignoreUnusedStrides(ArrayRef<int64_t> shape,
                                ArrayRef<int64_t> wanted,
                                MutableArrayRef<int64_t> strides) {
  bool isEmpty = llvm::is_contained(shape, 0);
  for (auto [size, want, stride] : llvm::zip_equal(shape, wanted, strides))
    if ((isEmpty || size == 1) && !ShapedType::isDynamic(want))
      stride = want;
}

static bool fits(ArrayRef<int64_t> wanted, ArrayRef<int64_t> got) {
  return llvm::all_of_zip(wanted, got, [](int64_t w, int64_t g) {
    return ShapedType::isDynamic(w) || w == g;
  });
}

static std::string joinNumbers(ArrayRef<int64_t> numbers, StringRef separator) {
  return llvm::join(
      llvm::map_range(numbers,
                      [](int64_t number) { return std::to_string(number); }),
      separator);
}

/// True on success.
bool Frame::add(const ArgumentType &type, const TMemArgument &argument,
                std::string &error) {
  auto fail = [&](const Twine &what) {
    error = ("expected " + type.getText() + ", but got " + what).str();
    return false;
  };
  if (!argument.data)
    return fail("null");
  if (!type.isMemRef()) {
    pointers.push_back(argument.data);
    return argument.rank == -1 ||
           fail("an array of rank " + Twine(argument.rank));
  }
  if (argument.rank == -1)
    return fail("a scalar");
  if (argument.rank != type.getRank())
    return fail("rank " + Twine(argument.rank));
  if (argument.rank > 0 && !argument.shape)
    return fail("no shape");
  ArrayRef<int64_t> shape(argument.shape, argument.rank);
  if (!fits(type.getShape(), shape) ||
      llvm::any_of(shape, [](int64_t size) { return size < 0; }))
    return fail("the shape " + joinNumbers(shape, "x"));
  SmallVector<int64_t, 4> strides = getRowMajor(shape);
  if (argument.strides)
    strides.assign(argument.strides, argument.strides + argument.rank);
  ignoreUnusedStrides(shape, type.getStrides(), strides);
  if (!fits(type.getStrides(), strides))
    return fail("the strides " + joinNumbers(strides, ", "));
  addMemRef(static_cast<char *>(argument.data) - type.getOffsetBytes(), shape,
            strides);
  return true;
}

bool Frame::build(ArrayRef<ArgumentType> types, intptr_t number,
                  const TMemArgument *arguments, std::string &error) {
  if (number != intptr_t(types.size()) || (number > 0 && !arguments)) {
    error = ("expected " + Twine(types.size()) + " arguments, but got " +
             Twine(arguments ? number : intptr_t(0)))
                .str();
    return false;
  }
  for (auto [index, type] : llvm::enumerate(types)) {
    if (add(type, arguments[index], error))
      continue;
    error = ("argument " + Twine(index) + ": " + error).str();
    return false;
  }
  return true;
}
