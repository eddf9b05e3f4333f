//===- Bounds.cpp - Numbers that a value may be ---------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bounds.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tmem;
using namespace mlir::tmem::hazards;

/// Bounds beyond this are none.
static constexpr int64_t maxBound = int64_t(1) << 40;
/// Values that one question looks at.
static constexpr unsigned maxSteps = 256;

namespace {
enum class Kind : uint8_t {
  None,
  And,
  Or,
  Mul,
  Shl,
  Shr,
  Div,
  RemUnsigned,
  RemSigned,
  Min,
  MinUnsigned,
  Max,
  Cast,
};

class BoundsFinder {
public:
  BoundsFinder(Evaluator &evaluator, llvm::function_ref<bool(unsigned)> isZero)
      : evaluator(evaluator), isZero(isZero) {}
  std::optional<Bounds> get(const ThreadValue &value, Frame *frame);

private:
  std::optional<Bounds> getUnknown(unsigned symbol, Frame *frame);
  std::optional<Bounds> getTurn(scf::ForOp loop, Frame *frame);
  std::optional<Bounds> getChosen(Value value, ArrayRef<Value> choices,
                                  Frame *frame);
  std::optional<Bounds> getResult(Operation *op, Frame *frame);

  Evaluator &evaluator;
  llvm::function_ref<bool(unsigned)> isZero;
  unsigned numSteps = 0;
  /// Values that are looked at, with what they are supposed to be.
  DenseMap<Value, Bounds> open;
};
} // namespace

static Kind getKind(StringRef name) {
  return llvm::StringSwitch<Kind>(name)
      .Cases({"andi", "and"}, Kind::And)
      .Cases({"ori", "or", "xori", "xor"}, Kind::Or)
      .Cases({"muli", "mul"}, Kind::Mul)
      .Cases({"shli", "shl"}, Kind::Shl)
      .Cases({"shrui", "shrsi", "lshr", "ashr"}, Kind::Shr)
      .Cases({"divui", "divsi", "floordivsi", "udiv", "sdiv"}, Kind::Div)
      .Cases({"remui", "urem"}, Kind::RemUnsigned)
      .Cases({"remsi", "srem"}, Kind::RemSigned)
      .Cases({"minsi", "intr.smin"}, Kind::Min)
      .Cases({"minui", "intr.umin"}, Kind::MinUnsigned)
      .Cases({"maxsi", "intr.smax"}, Kind::Max)
      .Cases({"extui", "extsi", "trunci", "zext", "sext", "trunc", "index_cast",
              "index_castui"},
             Kind::Cast)
      .Default(Kind::None);
}

static std::optional<Bounds> makeBounds(int64_t first, int64_t last) {
  if (first < -maxBound || last > maxBound)
    return std::nullopt;
  return Bounds{first, last};
}

/// From the least to the greatest of what the bounds of both give.
template <typename Fn>
static std::optional<Bounds> combine(Bounds a, Bounds b, Fn fn) {
  int64_t results[] = {fn(a.first, b.first), fn(a.first, b.last),
                       fn(a.last, b.first), fn(a.last, b.last)};
  return makeBounds(*llvm::min_element(results), *llvm::max_element(results));
}

static int64_t multiply(int64_t a, int64_t b) {
  int64_t product;
  return llvm::MulOverflow(a, b, product) ? INT64_MAX : product;
}

/// What the second operand alone says; the first one may be anything.
static std::optional<Bounds> limit(Kind kind, Bounds b) {
  switch (kind) {
  case Kind::And:
  case Kind::MinUnsigned:
    return b.first >= 0 ? makeBounds(0, b.last) : std::nullopt;
  case Kind::RemUnsigned:
    return b.first > 0 ? makeBounds(0, b.last - 1) : std::nullopt;
  case Kind::RemSigned:
    return b.first > 0 ? makeBounds(1 - b.last, b.last - 1) : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// Of numbers that are not negative.
static std::optional<Bounds> combineNatural(Kind kind, Bounds a, Bounds b) {
  switch (kind) {
  case Kind::And:
  case Kind::MinUnsigned:
    return makeBounds(kind == Kind::And ? 0 : std::min(a.first, b.first),
                      std::min(a.last, b.last));
  case Kind::Or:
    return makeBounds(
        0, int64_t(llvm::NextPowerOf2(uint64_t(std::max(a.last, b.last)))) - 1);
  case Kind::Shl:
    if (b.last > 40)
      return std::nullopt;
    return combine(a, b, [](int64_t x, int64_t y) {
      return multiply(x, int64_t(1) << y);
    });
  case Kind::Shr:
    if (b.last > 62)
      return std::nullopt;
    return combine(a, b, [](int64_t x, int64_t y) { return x >> y; });
  case Kind::Div:
    if (b.first == 0)
      return std::nullopt;
    return combine(a, b, [](int64_t x, int64_t y) { return x / y; });
  case Kind::RemUnsigned:
  case Kind::RemSigned:
    if (b.first == 0)
      return std::nullopt;
    return a.last < b.first ? a : makeBounds(0, std::min(a.last, b.last - 1));
  default:
    return std::nullopt;
  }
}

static std::optional<Bounds> combine(Kind kind, Bounds a, Bounds b) {
  if (a.isEmpty() || b.isEmpty())
    return Bounds();
  switch (kind) {
  case Kind::Mul:
    return combine(a, b, multiply);
  case Kind::Min:
    return makeBounds(std::min(a.first, b.first), std::min(a.last, b.last));
  case Kind::Max:
    return makeBounds(std::max(a.first, b.first), std::max(a.last, b.last));
  default:
    if (a.first >= 0 && b.first >= 0)
      return combineNatural(kind, a, b);
    return limit(kind, b);
  }
}

std::optional<Bounds> BoundsFinder::getResult(Operation *op, Frame *frame) {
  Kind kind = getKind(op->getName().stripDialect());
  if (kind == Kind::None ||
      !isa<IntegerType, IndexType>(op->getOperand(0).getType()))
    return std::nullopt;
  if (kind == Kind::Cast) {
    Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
    if (from.isInteger(1))
      return op->getName().stripDialect().starts_with("s") ||
                     op->getName().stripDialect() == "extsi"
                 ? Bounds{-1, 0}
                 : Bounds{0, 1};
    std::optional<Bounds> range =
        get(evaluator.get(op->getOperand(0), frame), frame);
    unsigned width = to.isIndex() ? 64 : to.getIntOrFloatBitWidth();
    bool fits = range && range->first >= 0 &&
                (width > 40 || range->last < int64_t(1) << (width - 1));
    return fits ? range : std::nullopt;
  }
  if (op->getNumOperands() != 2)
    return std::nullopt;
  std::optional<Bounds> b = get(evaluator.get(op->getOperand(1), frame), frame);
  std::optional<Bounds> a = get(evaluator.get(op->getOperand(0), frame), frame);
  if (!a && b && !b->isEmpty())
    return limit(kind, *b);
  bool commutes = kind == Kind::And || kind == Kind::MinUnsigned;
  if (a && !b && commutes && !a->isEmpty())
    return limit(kind, *a);
  return a && b ? combine(kind, *a, *b) : std::nullopt;
}

/// What counts the turns of a loop, which is none if that has no turn.
std::optional<Bounds> BoundsFinder::getTurn(scf::ForOp loop, Frame *frame) {
  std::optional<Bounds> lower =
      get(evaluator.get(loop.getLowerBound(), frame), frame);
  std::optional<Bounds> upper =
      get(evaluator.get(loop.getUpperBound(), frame), frame);
  ThreadValue step = evaluator.get(loop.getStep(), frame);
  if (!lower || !upper || !step.isConstant() || step.constant < 1)
    return std::nullopt;
  int64_t last = upper->last - 1;
  if (lower->first == lower->last && last >= lower->first)
    last -= (last - lower->first) % step.constant;
  return Bounds{lower->first, last};
}

/// One of several, of which some may be computed from it: tried until it does
/// not grow.
std::optional<Bounds>
BoundsFinder::getChosen(Value value, ArrayRef<Value> choices, Frame *frame) {
  constexpr unsigned maxRounds = 4;
  auto [it, isNew] = open.try_emplace(value, Bounds());
  if (!isNew)
    return it->second;
  Bounds known;
  for (unsigned round = 0; round < maxRounds; ++round) {
    std::optional<Bounds> all = known;
    for (Value choice : choices) {
      std::optional<Bounds> one;
      if (choice)
        one = get(evaluator.get(choice, frame), frame);
      if (!one) {
        all.reset();
        break;
      }
      if (one->isEmpty())
        continue;
      all = all->isEmpty() ? *one
                           : Bounds{std::min(all->first, one->first),
                                    std::max(all->last, one->last)};
    }
    if (!all || *all == known) {
      open.erase(value);
      return all;
    }
    open[value] = known = *all;
  }
  open.erase(value);
  return std::nullopt;
}

std::optional<Bounds> BoundsFinder::getUnknown(unsigned symbol, Frame *user) {
  if (isZero && isZero(symbol))
    return Bounds{0, 0};
  if (evaluator.getComparison(symbol))
    return Bounds{0, 1};
  Value value = evaluator.getOpaque(symbol);
  if (!value || evaluator.getContent(symbol) || ++numSteps > maxSteps)
    return std::nullopt;
  // What runs of the kernel have in common.
  Frame *frame = evaluator.getFrame(symbol);
  if (frame && frame->isRun)
    frame = nullptr;
  Operation *owner = value.getParentBlock()->getParentOp();
  if (!frame &&
      (user->function == owner || user->function->isProperAncestor(owner)))
    frame = user;
  if (!frame)
    return std::nullopt;
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (auto loop = dyn_cast<scf::ForOp>(owner);
        loop && argument == loop.getInductionVar())
      return getTurn(loop, frame);
  SmallVector<Value> choices = getChoices(value);
  if (!choices.empty())
    return getChosen(value, choices, frame);
  if (Operation *op = value.getDefiningOp())
    if (op->getNumResults() == 1 && op->getNumOperands() != 0)
      return getResult(op, frame);
  return std::nullopt;
}

std::optional<Bounds> BoundsFinder::get(const ThreadValue &value,
                                        Frame *frame) {
  Bounds sum{value.constant, value.constant};
  if (value.table) {
    sum.first += *llvm::min_element(*value.table);
    sum.last += *llvm::max_element(*value.table);
  }
  for (Term term : value.terms) {
    std::optional<Bounds> range = getUnknown(term.symbol, frame);
    if (!range || range->isEmpty())
      return range;
    range = combine(*range, Bounds{term.factor, term.factor}, multiply);
    if (range)
      range = makeBounds(sum.first + range->first, sum.last + range->last);
    if (!range)
      return std::nullopt;
    sum = *range;
  }
  return sum;
}

std::optional<Bounds>
hazards::findBounds(Evaluator &evaluator, const ThreadValue &value,
                    Frame *frame, llvm::function_ref<bool(unsigned)> isZero) {
  return BoundsFinder(evaluator, isZero).get(value, frame);
}

std::optional<SmallVector<int64_t>>
hazards::findConstants(Evaluator &evaluator, const ThreadValue &value,
                       Frame *frame) {
  constexpr unsigned maxConstants = 16;
  SmallVector<ThreadValue> worklist{value};
  DenseSet<Value> seen;
  std::set<int64_t> numbers;
  while (!worklist.empty()) {
    ThreadValue here = worklist.pop_back_val();
    if (here.isConstant()) {
      numbers.insert(here.constant);
      continue;
    }
    if (here.table || here.terms.size() != 1 || seen.size() == maxConstants)
      return std::nullopt;
    Term term = here.terms.front();
    Value opaque = evaluator.getOpaque(term.symbol);
    Frame *there = evaluator.getFrame(term.symbol);
    SmallVector<Value> choices;
    if (opaque && !evaluator.getContent(term.symbol))
      choices = getChoices(opaque);
    if (choices.empty() || llvm::is_contained(choices, Value()))
      return std::nullopt;
    if (!seen.insert(opaque).second)
      return std::nullopt;
    ThreadValue rest;
    rest.constant = here.constant;
    for (Value choice : choices)
      worklist.push_back(evaluator.add(
          rest, evaluator.get(choice, there ? there : frame), term.factor));
  }
  return SmallVector<int64_t>(numbers.begin(), numbers.end());
}
