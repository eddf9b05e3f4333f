//===- Arguments.h - Arguments of programs ----------------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_CAPI_ARGUMENTS_H
#define TMEM_LIB_CAPI_ARGUMENTS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "tmem-c/Runner.h"
#include <deque>
#include <string>
#include <vector>

namespace mlir::tmem::capi {

/// The type of an argument of the entry function, free of its context.
class ArgumentType {
public:
  /// Refuses what a caller of C cannot pass.
  static FailureOr<ArgumentType>
  read(Type type, function_ref<InFlightDiagnostic()> emitError);

  bool isMemRef() const { return rank >= 0; }
  intptr_t getRank() const { return rank; }
  ArrayRef<int64_t> getShape() const { return shape; }
  ArrayRef<int64_t> getStrides() const { return strides; }
  /// From where the offset of the type counts to the first element.
  int64_t getOffsetBytes() const { return offsetBytes; }
  StringRef getText() const { return text; }

private:
  intptr_t rank = -1;                     ///< -1 for a scalar.
  SmallVector<int64_t, 4> shape, strides; ///< ShapedType::kDynamic is any.
  int64_t offsetBytes = 0;
  std::string text;
};

/// The values that an entry function takes after lowering, for one call.
class Frame {
public:
  /// False, with what is wrong, when the arguments do not fit the types.
  bool build(ArrayRef<ArgumentType> types, intptr_t number,
             const TMemArgument *arguments, std::string &error);

  /// A pointer to each value. They live as long as the frame.
  MutableArrayRef<void *> getPointers() { return pointers; }

private:
  bool add(const ArgumentType &type, const TMemArgument &argument,
           std::string &error);
  void addMemRef(void *data, ArrayRef<int64_t> shape,
                 ArrayRef<int64_t> strides);
  void addNumber(int64_t number);

  std::vector<void *> pointers;
  /// Deques: what has been pointed to stays where it is.
  std::deque<int64_t> numbers;
  std::deque<void *> addresses;
};

} // namespace mlir::tmem::capi

#endif // TMEM_LIB_CAPI_ARGUMENTS_H
