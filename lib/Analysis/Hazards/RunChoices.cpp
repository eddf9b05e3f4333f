//===- RunChoices.cpp - What inputs choose, and all ways of it ------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Branches on inputs alone go one way in a whole run. What is wrong may need
// several of them to go a certain way: so runs keep such conditions, and inputs
// are made for every combination of them.
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"
#include "Run.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

/// Conditions that are kept.
static constexpr size_t maxChoices = 256;
/// Combinations that are run.
static constexpr size_t maxCombinations = 64;
/// What an input is where any number does.
static constexpr int64_t usualNumber = 5;

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

static bool areEqual(const Intervals &a, const Intervals &b) {
  return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [](auto both) {
           auto [x, y] = both;
           return x.first == y.first && x.last == y.last;
         });
}

/// Keeps a condition, or those that it is combined of, if inputs alone decide.
void Run::keepChoices(Value condition, Frame *known, unsigned depth) {
  constexpr unsigned maxDepth = 6;
  if (depth == maxDepth || !coverage.asked.insert({condition, known}).second)
    return;
  if (GraphBuilder::isCombined(condition)) {
    for (Value part : condition.getDefiningOp()->getOperands())
      keepChoices(part, known, depth + 1);
    return;
  }
  ThreadValue value = evaluator.get(condition, known);
  keepChoice(value, std::nullopt, constrain(evaluator, value, true),
             constrain(evaluator, value, false));
}

/// The same for a switch.
void Run::keepCases(Value selector, ArrayRef<int64_t> cases, Frame *known) {
  if (!coverage.asked.insert({selector, known}).second)
    return;
  ThreadValue value = evaluator.get(selector, known);
  for (int64_t number : cases)
    keepChoice(value, number, constrainEqual(value, number, true),
               constrainEqual(value, number, false));
}

void Run::keepChoice(const ThreadValue &value, std::optional<int64_t> equals,
                     std::optional<Constraint> holds,
                     std::optional<Constraint> fails) {
  if (!holds || !fails || coverage.choices.size() >= maxChoices)
    return;
  for (Term term : holds->form.terms) {
    Value of = evaluator.getOpaque(term.symbol);
    if (!of || !isInvariant(of))
      return;
  }
  for (const Choice &other : coverage.choices)
    if (other.constraint.form == holds->form &&
        (areEqual(other.constraint.intervals, holds->intervals) ||
         areEqual(other.constraint.intervals, fails->intervals)))
      return;
  Choice choice{value, equals, *holds, std::nullopt};
  if (holds->form.terms.size() == 1)
    choice.input = findInput(
        evaluator.getOpaque(holds->form.terms.front().symbol), kernel);
  coverage.choices.push_back(choice);
}

/// Which way each condition goes. None if one is not known.
std::optional<std::vector<bool>> Run::evaluateChoices() {
  std::vector<bool> result;
  for (const Choice &choice : coverage.choices) {
    std::optional<ThreadValue> value = evaluator.resolve(
        choice.value, [&](unsigned symbol) { return getInput(symbol); });
    if (!value || isVoid)
      return std::nullopt;
    int64_t number = value->get(0);
    result.push_back(choice.equals ? number == *choice.equals : number & 1);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Combinations
//===----------------------------------------------------------------------===//

namespace {
/// An input, and numbers for each way in which conditions on it go.
struct Ways {
  Input input;
  bool isFlag = false;
  std::vector<const Choice *> choices;
  std::vector<int64_t> numbers;
};
} // namespace

static bool contains(const Intervals &intervals, int64_t number) {
  return llvm::any_of(intervals, [&](Interval interval) {
    return interval.first <= number && number <= interval.last;
  });
}

/// Where conditions may change, the ends of their intervals, and the usual
/// number. Integers are taken not to be negative.
static void findNumbers(Ways &ways, bool hasZero) {
  std::vector<int64_t> candidates{ways.isFlag ? 1 : usualNumber, 0};
  for (const Choice *choice : ways.choices)
    for (Interval interval : choice->constraint.intervals) {
      if (interval.first > INT64_MIN)
        candidates.insert(candidates.end(),
                          {interval.first, interval.first - 1});
      if (interval.last < INT64_MAX)
        candidates.insert(candidates.end(), {interval.last, interval.last + 1});
    }
  std::set<std::vector<bool>> seen;
  for (int64_t number : candidates) {
    if (number < 0 || (ways.isFlag && number > 1))
      continue;
    std::vector<bool> holds{hasZero && number == 0};
    for (const Choice *choice : ways.choices)
      holds.push_back(contains(choice->constraint.intervals, number));
    if (seen.insert(holds).second)
      ways.numbers.push_back(number);
  }
}

static std::vector<Ways> collectWays(const Coverage &coverage, bool hasZeros) {
  std::vector<Ways> all;
  auto find = [&](Input input) -> Ways & {
    auto it =
        llvm::find_if(all, [&](const Ways &one) { return one.input == input; });
    if (it != all.end())
      return *it;
    all.push_back({input, false, {}, {}});
    return all.back();
  };
  for (const Choice &choice : coverage.choices)
    if (choice.input) {
      Ways &ways = find(*choice.input);
      ways.isFlag |= choice.constraint.form.kind == Form::Bit;
      ways.choices.push_back(&choice);
    }
  if (hasZeros)
    for (Input input : coverage.arguments)
      find(input);
  for (Ways &ways : all)
    findNumbers(ways,
                hasZeros && !ways.isFlag && ways.input.kind == Input::Argument);
  return all;
}

/// A block id is less than the size of the grid.
static bool fitGrid(Inputs &inputs) {
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    std::optional<int64_t> id = inputs.find({Input::BlockId, dimension});
    std::optional<int64_t> size = inputs.find({Input::GridDim, dimension});
    if (id && size && *id >= *size)
      return false;
    if (id && !size)
      inputs.fixed.push_back({{Input::GridDim, dimension}, *id + 2});
    if (size && !id)
      inputs.fixed.push_back({{Input::BlockId, dimension}, 0});
    if (size && *size < 1)
      return false;
  }
  return true;
}

std::optional<std::vector<Inputs>>
mlir::tmem::hazards::combineInputs(const Coverage &coverage) {
  if (coverage.choices.size() >= maxChoices)
    return std::nullopt;
  std::vector<Ways> all;
  size_t count = 0;
  for (bool hasZeros : {true, false}) {
    all = collectWays(coverage, hasZeros);
    count = 1;
    for (const Ways &ways : all)
      count = std::min(count * ways.numbers.size(), maxCombinations + 1);
    if (count <= maxCombinations)
      break;
  }
  if (count > maxCombinations)
    return std::nullopt;
  std::vector<Inputs> result;
  for (size_t index = 0; index < count; ++index) {
    Inputs inputs{usualNumber, usualNumber, 0, ~0u};
    size_t rest = index;
    for (const Ways &ways : all) {
      int64_t number = ways.numbers[rest % ways.numbers.size()];
      rest /= ways.numbers.size();
      // Otherwise any number does.
      if (!ways.choices.empty() || number == 0)
        inputs.fixed.push_back({ways.input, number});
    }
    if (fitGrid(inputs))
      result.push_back(inputs);
  }
  return result;
}
