//===- HazardValuesTest.cpp - Comparisons against all numbers -------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the hazard checker makes of `n + a < n + b` and the like has to hold for
// each n: for all 256 of 8 bits, and of 32 bits for those that it takes numbers
// to be, 0 and more but far from where sums with a sign wrap.
//
//===----------------------------------------------------------------------===//

#include "Values.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::tmem::hazards;

namespace {
constexpr const char *predicates[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                      "sge", "ult", "ule", "ugt", "uge"};

template <typename T> bool holds(unsigned predicate, T a, T b) {
  auto ua = std::make_unsigned_t<T>(a), ub = std::make_unsigned_t<T>(b);
  bool results[] = {
      a == b,  a != b, a<b, a <= b, a> b, a >= b, ua<ub, ua <= ub, ua> ub,
      ua >= ub};
  return results[predicate];
}

/// A function that compares its argument plus `a` to it plus `b`.
template <typename T> std::string getText(unsigned predicate, int a, int b) {
  std::string type = "i" + std::to_string(8 * sizeof(T));
  auto add = [&](const char *name, int number) {
    std::string n = name;
    return "%c" + n + " = arith.constant " + std::to_string(number) + " : " +
           type + "\n%" + n + " = arith.addi %n, %c" + n + " : " + type + "\n";
  };
  return "func.func @f(%n: " + type + ") -> i1 {\n" + add("a", a) +
         add("b", b) + "%r = arith.cmpi " + predicates[predicate] +
         ", %a, %b : " + type + "\nreturn %r : i1\n}\n";
}

template <typename T>
void check(MLIRContext &context, unsigned predicate, int a, int b,
           ArrayRef<T> numbers) {
  std::string text = getText<T>(predicate, a, b);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  auto function = *module->getOps<func::FuncOp>().begin();
  BlockShape block;
  Evaluator evaluator(function, block, /*followCalls=*/true);
  Value result = function.front().getTerminator()->getOperand(0);
  ThreadValue value = evaluator.get(result, evaluator.getKernelFrame());
  for (T n : numbers) {
    std::optional<ThreadValue> number = evaluator.resolve(
        value, [&](unsigned) { return std::optional<int64_t>(n); });
    ASSERT_TRUE(number) << text;
    EXPECT_EQ(number->get(0) & 1,
              int64_t(holds<T>(predicate, T(n + a), T(n + b))))
        << text << "for " << int64_t(n);
  }
}

TEST(HazardValues, SumsOfEightBits) {
  MLIRContext context;
  context.loadDialect<arith::ArithDialect, func::FuncDialect>();
  std::vector<int8_t> all;
  for (int n = -128; n < 128; ++n)
    all.push_back(n);
  for (unsigned predicate = 0; predicate < 10; ++predicate)
    for (int a : {-128, -5, -1, 0, 1, 100, 127})
      for (int b : {-128, -5, -1, 0, 1, 100, 127})
        check<int8_t>(context, predicate, a, b, all);
}

TEST(HazardValues, SumsOfThirtyTwoBits) {
  MLIRContext context;
  context.loadDialect<arith::ArithDialect, func::FuncDialect>();
  std::vector<int32_t> numbers;
  for (int n = 0; n < 16; ++n)
    numbers.push_back(n);
  for (int n : {100, 65536, 1 << 30})
    numbers.push_back(n);
  for (unsigned predicate = 0; predicate < 10; ++predicate)
    for (int a = -9; a < 10; a += 2)
      for (int b = -10; b < 10; ++b)
        check<int32_t>(context, predicate, a, b, numbers);
}
} // namespace
