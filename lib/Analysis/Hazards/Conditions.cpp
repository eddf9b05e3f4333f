//===- Conditions.cpp - Conditions as ranges of sums ----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conditions.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::tmem::hazards;

/// Narrower integers wrap.
static constexpr unsigned minWidth = 32;

llvm::hash_code mlir::tmem::hazards::hash_value(const Form &form) {
  llvm::hash_code hash = llvm::hash_value(form.kind);
  for (const Term &term : form.terms)
    hash = llvm::hash_combine(hash, term.symbol, term.factor);
  return hash;
}

//===----------------------------------------------------------------------===//
// Intervals
//===----------------------------------------------------------------------===//

static int64_t shiftEnd(int64_t end, int64_t by) {
  if (end == INT64_MIN || end == INT64_MAX)
    return end;
  int64_t sum;
  if (llvm::AddOverflow(end, by, sum))
    return by < 0 ? INT64_MIN : INT64_MAX;
  return sum;
}

Interval mlir::tmem::hazards::shift(Interval interval, int64_t by) {
  return {shiftEnd(interval.first, by), shiftEnd(interval.last, by)};
}

static int64_t negateEnd(int64_t end) {
  if (end == INT64_MIN || end == INT64_MAX)
    return end == INT64_MIN ? INT64_MAX : INT64_MIN;
  return -end;
}

Interval mlir::tmem::hazards::negate(Interval interval) {
  return {negateEnd(interval.last), negateEnd(interval.first)};
}

static Intervals complement(const Intervals &intervals) {
  Intervals result;
  int64_t next = INT64_MIN;
  for (Interval interval : intervals) {
    if (interval.first > next)
      result.push_back({next, interval.first - 1});
    if (interval.last == INT64_MAX)
      return result;
    next = interval.last + 1;
  }
  result.push_back({next, INT64_MAX});
  return result;
}

/// The intervals of x, where `factor * x + constant` is in `intervals`.
static Intervals solve(const Intervals &intervals, int64_t factor,
                       int64_t constant) {
  Intervals result;
  for (Interval interval : intervals) {
    interval = shift(interval, -constant);
    if (factor < 0)
      interval = negate(interval);
    int64_t step = std::abs(factor);
    if (interval.first != INT64_MIN)
      interval.first = llvm::divideCeilSigned(interval.first, step);
    if (interval.last != INT64_MAX)
      interval.last = llvm::divideFloorSigned(interval.last, step);
    if (interval.first <= interval.last)
      result.push_back(interval);
  }
  if (factor < 0)
    std::reverse(result.begin(), result.end());
  return result;
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

std::optional<Multiple>
mlir::tmem::hazards::getMultiple(const ThreadValue &value) {
  if (value.table || value.terms.empty() || value.constant == INT64_MIN)
    return std::nullopt;
  Multiple result;
  result.constant = value.constant;
  result.form.kind = Form::Signed;
  uint64_t factor = 0;
  for (Term term : value.terms) {
    if (term.factor == INT64_MIN)
      return std::nullopt;
    factor = std::gcd(factor, uint64_t(std::abs(term.factor)));
  }
  result.factor =
      value.terms.front().factor < 0 ? -int64_t(factor) : int64_t(factor);
  for (Term term : value.terms)
    result.form.terms.push_back({term.symbol, term.factor / result.factor});
  return result;
}

std::optional<Constraint>
mlir::tmem::hazards::constrainTo(const ThreadValue &value, Intervals intervals,
                                 bool holds) {
  std::optional<Multiple> multiple = getMultiple(value);
  if (!multiple)
    return std::nullopt;
  if (!holds)
    intervals = complement(intervals);
  return Constraint{multiple->form,
                    solve(intervals, multiple->factor, multiple->constant)};
}

/// Less than a constant, as a number without a sign.
static Intervals getBelow(int64_t bound) {
  if (bound < 0)
    return {{INT64_MIN, bound == INT64_MIN ? bound : bound - 1},
            {0, INT64_MAX}};
  if (bound == 0)
    return {};
  return {{0, bound - 1}};
}

static Constraint constrainBit(unsigned symbol, bool holds) {
  Constraint constraint;
  constraint.form.terms.push_back({symbol, 1});
  constraint.intervals.push_back(holds ? Interval{1, INT64_MAX}
                                       : Interval{INT64_MIN, 0});
  return constraint;
}

static ThreadValue subtract(const ThreadValue &a, const ThreadValue &b) {
  ThreadValue difference = a;
  difference.constant = int64_t(uint64_t(a.constant) - uint64_t(b.constant));
  for (Term term : b.terms) {
    auto *it = llvm::lower_bound(
        difference.terms, term,
        [](const Term &x, const Term &y) { return x.symbol < y.symbol; });
    if (it == difference.terms.end() || it->symbol != term.symbol)
      it = difference.terms.insert(it, {term.symbol, 0});
    it->factor -= term.factor;
    if (it->factor == 0)
      difference.terms.erase(it);
  }
  return difference;
}

static std::optional<Constraint> constrain(const Comparison &comparison,
                                           bool holds) {
  const ThreadValue &a = comparison.a, &b = comparison.b;
  if (a.table || b.table || comparison.width < minWidth)
    return std::nullopt;
  if (comparison.kind == Comparison::UnsignedLess && b.terms.empty())
    return constrainTo(a, getBelow(b.constant), holds);
  // a < b unless b < a + 1.
  if (comparison.kind == Comparison::UnsignedLess && a.terms.empty())
    return a.constant == -1 ? std::nullopt
                            : constrainTo(b, getBelow(a.constant + 1), !holds);
  ThreadValue difference = subtract(a, b);
  bool isEquality = comparison.kind == Comparison::Equal;
  Interval range{isEquality ? 0 : INT64_MIN, isEquality ? 0 : -1};
  std::optional<Constraint> result = constrainTo(difference, {range}, holds);
  if (!result)
    return std::nullopt;
  result->isEquality = isEquality;
  if (comparison.kind == Comparison::UnsignedLess)
    result->form.kind = Form::Unsigned;
  return result;
}

std::optional<Constraint>
mlir::tmem::hazards::constrain(const Evaluator &evaluator,
                               const ThreadValue &condition, bool holds) {
  std::optional<Literal> literal = evaluator.getLiteral(condition);
  if (!literal)
    return std::nullopt;
  holds ^= literal->isNegated;
  if (const Comparison *comparison = evaluator.getComparison(literal->symbol))
    if (std::optional<Constraint> result = ::constrain(*comparison, holds))
      return result;
  return constrainBit(literal->symbol, holds);
}

std::optional<Constraint>
mlir::tmem::hazards::constrainLess(const ThreadValue &difference, bool holds) {
  return constrainTo(difference, {{INT64_MIN, -1}}, holds);
}

std::optional<Constraint>
mlir::tmem::hazards::constrainEqual(const ThreadValue &value,
                                    ArrayRef<int64_t> others, bool holds) {
  SmallVector<int64_t> sorted(others);
  llvm::sort(sorted);
  sorted.erase(llvm::unique(sorted), sorted.end());
  Intervals intervals;
  for (int64_t other : sorted) {
    if (!intervals.empty() && intervals.back().last == other - 1)
      intervals.back().last = other;
    else
      intervals.push_back({other, other});
  }
  return constrainTo(value, intervals, holds);
}
