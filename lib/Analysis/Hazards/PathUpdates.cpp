//===- PathUpdates.cpp - What edges make of conditions --------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An edge that gives an unknown a new value changes the conditions on it: to
// something known, to what another condition was, or by a step. Cuts between
// the values of a condition are set so that the first turns of a loop, which
// are tested, are values of their own.
//
//===----------------------------------------------------------------------===//

#include "Paths.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tmem::hazards;

/// Turns before a test changes that are kept apart.
static constexpr int64_t maxSteps = 4;
static constexpr size_t maxRefinedCuts = 12;

//===----------------------------------------------------------------------===//
// What an edge assigns
//===----------------------------------------------------------------------===//

/// Whether an edge gives a value to something that conditions are computed
/// from.
bool Paths::givesNewValues() const {
  return llvm::any_of(graph.moves, [&](const Move &move) {
    auto loop = dyn_cast_or_null<scf::ForOp>(move.loop);
    return (loop && used.contains(loop.getInductionVar())) ||
           llvm::any_of(move.to,
                        [&](Value value) { return used.contains(value); });
  });
}

/// By symbol. Of a loop with a step that is not known: that of 1 turn, and the
/// symbol of which it may be more.
Paths::NewValues Paths::getNewValues(const Move &move) {
  NewValues result;
  auto add = [&](Value to, const ThreadValue &is) {
    ThreadValue value = evaluator.get(to, move.frame);
    if (value.terms.size() == 1 && !value.table && value.constant == 0 &&
        value.terms.front().factor == 1 &&
        evaluator.getOpaque(value.terms.front().symbol) == to)
      result.push_back({value.terms.front().symbol, is, false});
  };
  for (auto [to, from] : llvm::zip_equal(move.to, move.from))
    if (used.contains(to))
      add(to, evaluator.get(from, move.frame));
  auto loop = dyn_cast_or_null<scf::ForOp>(move.loop);
  if (!loop || !used.contains(loop.getInductionVar()))
    return result;
  ThreadValue turn = evaluator.get(loop.getInductionVar(), move.frame);
  ThreadValue step = evaluator.get(loop.getStep(), move.frame);
  if (!move.isNextTurn) {
    add(loop.getInductionVar(),
        evaluator.get(loop.getLowerBound(), move.frame));
    return result;
  }
  bool isOpen = !step.isConstant();
  if (isOpen) {
    step = ThreadValue();
    step.constant = 1;
  }
  size_t count = result.size();
  add(loop.getInductionVar(), evaluator.add(turn, step, 1));
  if (result.size() != count)
    result.back().isOpen = isOpen;
  return result;
}

/// Unknowns that a symbol stands for, itself or what it compares.
static void collectSymbols(const Evaluator &evaluator, unsigned symbol,
                           SmallVectorImpl<unsigned> &symbols) {
  symbols.push_back(symbol);
  if (const Comparison *comparison = evaluator.getComparison(symbol))
    for (const ThreadValue *side : {&comparison->a, &comparison->b})
      for (Term term : side->terms)
        symbols.push_back(term.symbol);
}

void Paths::findUpdates() {
  DenseMap<unsigned, SmallVector<unsigned, 1>> users;
  for (auto [index, condition] : llvm::enumerate(conditions)) {
    SmallVector<unsigned> symbols;
    if (condition.isWritten)
      for (Term term : condition.form.terms)
        collectSymbols(evaluator, term.symbol, symbols);
    for (unsigned symbol : symbols)
      users[symbol].push_back(index);
  }
  for (unsigned node = 0; node < graph.nodes.size(); ++node)
    for (unsigned edge = graph.edgeBegins[node];
         edge != graph.edgeBegins[node + 1]; ++edge) {
      int move = graph.edges[edge].move;
      if (move < 0)
        continue;
      NewValues values = getNewValues(graph.moves[move]);
      std::set<unsigned> changed;
      for (const NewValue &value : values)
        if (auto it = users.find(value.symbol); it != users.end())
          changed.insert(it->second.begin(), it->second.end());
      for (unsigned index : changed) {
        Update update = getUpdate(index, values);
        if (update.from >= 0 && update.from != int(index))
          conditions[update.from].uses.push_back(node);
        if (!update.isKnown)
          findCorrelation(values, conditions[index]);
        updates[edge].push_back(std::move(update));
      }
    }
}

//===----------------------------------------------------------------------===//
// What that makes of a condition
//===----------------------------------------------------------------------===//

static const ThreadValue *findValue(ArrayRef<Paths::NewValue> values,
                                    unsigned symbol) {
  for (const Paths::NewValue &value : values)
    if (value.symbol == symbol)
      return &value.is;
  return nullptr;
}

Paths::Update Paths::getUpdate(unsigned index, const NewValues &values) {
  Condition &condition = conditions[index];
  Update update;
  update.condition = index;
  if (condition.form.kind == Form::Bit) {
    if (auto *value = findValue(values, condition.form.terms[0].symbol))
      updateBit(*value, update);
    return update;
  }
  ThreadValue sum;
  for (Term term : condition.form.terms) {
    ThreadValue part;
    part.terms.push_back({term.symbol, 1});
    if (auto *value = findValue(values, term.symbol))
      part = *value;
    sum = evaluator.add(sum, part, term.factor);
    for (const NewValue &value : values)
      if (value.isOpen && value.symbol == term.symbol) {
        if (term.factor != 1)
          return update;
        update.spread = INT64_MAX;
      }
  }
  updateSum(sum, condition.form.kind, update);
  if (update.isKnown && update.from < 0)
    condition.starts.push_back(update.constant);
  else if (update.from == int(index) && update.factor == 1)
    condition.steps.push_back(update.constant);
  return update;
}

void Paths::updateBit(const ThreadValue &value, Update &update) {
  if (value.isConstant()) {
    update.isKnown = true;
    update.constant = value.constant & 1;
    return;
  }
  std::optional<Constraint> constraint = constrain(evaluator, value, true);
  if (!constraint)
    return;
  auto it = numbers.find(constraint->form);
  if (it == numbers.end())
    return;
  update.isKnown = true;
  update.isBit = true;
  update.from = it->second;
  update.holds = constraint->intervals;
}

void Paths::updateSum(const ThreadValue &sum, Form::Kind kind, Update &update) {
  if (sum.isConstant()) {
    update.isKnown = kind == Form::Signed;
    update.constant = sum.constant;
    return;
  }
  std::optional<Multiple> multiple = getMultiple(sum);
  if (!multiple || (kind == Form::Unsigned && multiple->factor != 1))
    return;
  multiple->form.kind = kind;
  auto it = numbers.find(multiple->form);
  if (it == numbers.end())
    return;
  update.isKnown = true;
  update.from = it->second;
  update.factor = multiple->factor;
  update.constant = multiple->constant;
}

//===----------------------------------------------------------------------===//
// What is not followed
//===----------------------------------------------------------------------===//

/// An operation that computes its result from nothing but its operands.
static bool isComputed(Value value) {
  Operation *op = value ? value.getDefiningOp() : nullptr;
  return op && op->getNumOperands() != 0 && op->getNumRegions() == 0 &&
         isMemoryEffectFree(op);
}

/// Whether a value is computed from what loops carry.
static bool isFromTurn(Value value) {
  constexpr size_t maxValues = 64;
  SmallVector<Value> worklist{value};
  DenseSet<Value> seen{value};
  for (size_t next = 0; next < worklist.size(); ++next) {
    if (next == maxValues)
      return true;
    Value part = worklist[next];
    if (auto argument = dyn_cast<BlockArgument>(part)) {
      if (!argument.getOwner()->isEntryBlock() ||
          isa<scf::ForOp, scf::WhileOp>(argument.getOwner()->getParentOp()))
        return true;
    } else if (isComputed(part)) {
      for (Value operand : part.getDefiningOp()->getOperands())
        if (seen.insert(operand).second)
          worklist.push_back(operand);
    }
  }
  return false;
}

/// Whether a condition is computed anew in each turn, from the turn.
bool Paths::isChanging(const Condition &condition) const {
  return llvm::any_of(condition.form.terms, [&](Term term) {
    SmallVector<Value> values;
    evaluator.getSources(term.symbol, values);
    return llvm::any_of(values, [](Value value) {
      return isComputed(value) && isFromTurn(value);
    });
  });
}

/// A new value that depends on the one before, in a way that is not followed.
void Paths::findCorrelation(const NewValues &values,
                            Condition &condition) const {
  for (const NewValue &value : values)
    for (Term term : value.is.terms) {
      bool isOwn = llvm::any_of(condition.form.terms, [&](Term other) {
        return other.symbol == term.symbol;
      });
      if (isOwn || isComputed(evaluator.getOpaque(term.symbol)))
        condition.isLoose = true;
    }
}

//===----------------------------------------------------------------------===//
// Cuts and images
//===----------------------------------------------------------------------===//

/// Makes the numbers that come before a cut, in the first turns, values.
static void refine(int64_t start, int64_t step,
                   SmallVectorImpl<int64_t> &cuts) {
  int64_t turns = 0;
  for (int64_t cut : cuts) {
    // Behind the cut are `cut` upwards, and below it those below.
    Interval way = step > 0 ? Interval{start, cut - 1} : Interval{cut, start};
    int64_t length;
    if (way.first > way.last ||
        llvm::SubOverflow(way.last, way.first, length) ||
        length / std::abs(step) >= maxSteps)
      continue;
    turns = std::max(turns, length / std::abs(step) + 1);
  }
  for (int64_t turn = 0; turn < turns; ++turn) {
    cuts.push_back(start + turn * step);
    cuts.push_back(start + turn * step + 1);
  }
}

static void sortCuts(SmallVectorImpl<int64_t> &cuts) {
  llvm::sort(cuts);
  cuts.erase(llvm::unique(cuts), cuts.end());
}

void Paths::addCuts() {
  for (Condition &condition : conditions) {
    sortCuts(condition.cuts);
    SmallVector<int64_t, 4> cuts = condition.cuts;
    sortCuts(condition.starts);
    sortCuts(condition.steps);
    if (condition.starts.size() > maxRefinedCuts ||
        condition.steps.size() > maxRefinedCuts)
      continue;
    for (int64_t start : condition.starts)
      for (int64_t step : condition.steps)
        if (step != 0 && std::abs(start) < INT64_MAX / 4 &&
            std::abs(step) < INT64_MAX / 16)
          refine(start, step, cuts);
    sortCuts(cuts);
    if (cuts.size() <= maxRefinedCuts)
      condition.cuts = cuts;
  }
}

static int64_t scale(int64_t end, int64_t factor) {
  int64_t result;
  if (end == INT64_MIN || end == INT64_MAX ||
      llvm::MulOverflow(end, factor, result))
    return (end < 0) == (factor < 0) ? INT64_MAX : INT64_MIN;
  return result;
}

void Paths::findImages() {
  // More values than bits: such a condition is not followed.
  constexpr unsigned maxValues = 31;
  for (const auto &[guard, index] :
       llvm::zip_equal(graph.guards, conditionOf)) {
    bool isFollowed =
        index >= 0 && conditions[index].getNumValues() <= maxValues;
    masks.push_back(isFollowed ? getMask(conditions[index], guard.intervals)
                    : guard.intervals.empty() ? 0
                                              : ~0u);
  }
  for (auto &[edge, list] : updates)
    for (Update &update : list) {
      const Condition &to = conditions[update.condition];
      const Condition *from =
          update.from < 0 ? nullptr : &conditions[update.from];
      if (!update.isKnown || to.getNumValues() > maxValues ||
          (from && from->getNumValues() > maxValues)) {
        update.from = -1;
        update.images.assign(1, to.getAll());
      } else if (!from) {
        update.images.assign(
            1, getMask(to, Interval{update.constant, update.constant}));
      } else {
        for (unsigned value = 0; value < from->getNumValues(); ++value)
          update.images.push_back(getImage(update, *from, value));
      }
    }
}

/// What a condition may be, where the one that decides has a value.
uint32_t Paths::getImage(const Update &update, const Condition &from,
                         unsigned value) const {
  const Condition &to = conditions[update.condition];
  Interval interval = getInterval(from, value);
  if (!update.isBit) {
    Interval image{scale(interval.first, update.factor),
                   scale(interval.last, update.factor)};
    if (update.factor < 0)
      std::swap(image.first, image.last);
    image = shift(image, update.constant);
    if (update.spread != 0)
      image.last = INT64_MAX;
    return getMask(to, image);
  }
  bool may = false, mayNot = true;
  for (Interval part : update.holds) {
    may |= part.first <= interval.last && interval.first <= part.last;
    if (part.first <= interval.first && interval.last <= part.last)
      mayNot = false;
  }
  uint32_t mask = 0;
  if (may)
    mask |= getMask(to, Interval{1, INT64_MAX});
  if (mayNot)
    mask |= getMask(to, Interval{INT64_MIN, 0});
  return mask;
}
