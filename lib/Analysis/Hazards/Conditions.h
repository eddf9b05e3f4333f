//===- Conditions.h - Conditions as ranges of sums --------------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comparisons of the same unknowns, `i < n`, `i + 1 < n` and `i == n - 1`, say
// where one sum is, here i - n. So a condition is a sum of unknowns, and the
// intervals that it has to be in.
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_ANALYSIS_HAZARDS_CONDITIONS_H
#define TMEM_LIB_ANALYSIS_HAZARDS_CONDITIONS_H

#include "Values.h"

namespace mlir::tmem::hazards {

/// A sum of unknowns, without a constant, of which the first counts more than 0
/// times; or one unknown of type i1.
struct Form {
  enum Kind : uint8_t {
    Bit,     ///< The lowest bit of the unknown.
    Signed,  ///< The sum, as numbers with a sign that do not wrap,
    Unsigned ///< or as numbers without.
  };
  Kind kind = Bit;
  SmallVector<Term, 2> terms;

  bool operator==(const Form &other) const {
    return kind == other.kind && terms == other.terms;
  }
};

llvm::hash_code hash_value(const Form &form);

/// Both ends are in it; the least and the greatest number stand for none.
struct Interval {
  int64_t first = INT64_MIN, last = INT64_MAX;
  bool operator==(const Interval &other) const {
    return first == other.first && last == other.last;
  }
};
/// Ascending, and apart from each other.
using Intervals = SmallVector<Interval, 2>;

/// `by` added to both ends.
Interval shift(Interval interval, int64_t by);
Interval negate(Interval interval);

/// A form is in one of the intervals.
struct Constraint {
  Form form;
  Intervals intervals;
  bool isEquality = false;
  bool operator==(const Constraint &other) const {
    return form == other.form && intervals == other.intervals &&
           isEquality == other.isEquality;
  }
};

/// A value as a multiple of a form: `factor * form + constant`.
struct Multiple {
  Form form;
  int64_t factor = 1, constant = 0;
};

/// Null for one that threads have for themselves, or that is a constant.
std::optional<Multiple> getMultiple(const ThreadValue &value);

/// What it means that a condition, of type i1, holds or does not.
std::optional<Constraint> constrain(const Evaluator &evaluator,
                                    const ThreadValue &condition, bool holds);
/// Signed: whether `difference`, of two values, is less than 0.
std::optional<Constraint> constrainLess(const ThreadValue &difference,
                                        bool holds);
/// Whether a value is in one of the intervals.
std::optional<Constraint> constrainTo(const ThreadValue &value,
                                      Intervals intervals, bool holds);
/// Whether a value is among others.
std::optional<Constraint> constrainEqual(const ThreadValue &value,
                                         ArrayRef<int64_t> others, bool holds);

} // namespace mlir::tmem::hazards

#endif // TMEM_LIB_ANALYSIS_HAZARDS_CONDITIONS_H
