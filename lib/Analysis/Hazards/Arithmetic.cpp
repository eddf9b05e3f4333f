//===- Arithmetic.cpp - Integers by thread --------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tmem::hazards;

ThreadValue Evaluator::add(const ThreadValue &a, const ThreadValue &b,
                           int64_t factor) {
  ThreadValue sum;
  if (a.table || b.table)
    sum = makePerThread([&](unsigned thread) {
      return int64_t(uint64_t(a.get(thread)) +
                     uint64_t(factor) * uint64_t(b.get(thread)));
    });
  else
    sum.constant =
        int64_t(uint64_t(a.constant) + uint64_t(factor) * uint64_t(b.constant));
  sum.terms = a.terms;
  for (Term term : b.terms) {
    auto *it = llvm::find_if(
        sum.terms, [&](Term other) { return other.symbol == term.symbol; });
    if (it == sum.terms.end())
      it = sum.terms.insert(it, Term{term.symbol, 0});
    it->factor += factor * term.factor;
    if (it->factor == 0)
      sum.terms.erase(it);
  }
  llvm::sort(sum.terms, [](Term x, Term y) { return x.symbol < y.symbol; });
  return sum;
}

std::optional<ThreadValue> Evaluator::multiply(const ThreadValue &a,
                                               const ThreadValue &b) {
  if (b.isConstant())
    return add(makeConstant(0), a, b.constant);
  if (a.isConstant())
    return add(makeConstant(0), b, a.constant);
  if (a.isKnown() && b.isKnown())
    return makePerThread([&](unsigned thread) {
      return int64_t(uint64_t(a.get(thread)) * uint64_t(b.get(thread)));
    });
  return std::nullopt;
}

static unsigned getWidth(Type type) {
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
}

namespace {
enum class Opcode {
  None,
  Add,
  Sub,
  Mul,
  DivU,
  DivS,
  CeilDivU,
  CeilDivS,
  FloorDivS,
  RemU,
  RemS,
  And,
  Or,
  Xor,
  Shl,
  ShrU,
  ShrS,
  MinU,
  MaxU,
  MinS,
  MaxS,
  Cmp,
  Select,
  Copy,
  ExtendU,
  ExtendS
};
} // namespace

static Opcode getOpcode(StringRef name) {
  return llvm::StringSwitch<Opcode>(name)
      .Cases({"arith.addi", "llvm.add", "index.add"}, Opcode::Add)
      .Cases({"arith.subi", "llvm.sub", "index.sub"}, Opcode::Sub)
      .Cases({"arith.muli", "llvm.mul", "index.mul"}, Opcode::Mul)
      .Cases({"arith.divui", "llvm.udiv", "index.divu"}, Opcode::DivU)
      .Cases({"arith.divsi", "llvm.sdiv", "index.divs"}, Opcode::DivS)
      .Cases({"arith.ceildivui", "index.ceildivu"}, Opcode::CeilDivU)
      .Cases({"arith.ceildivsi", "index.ceildivs"}, Opcode::CeilDivS)
      .Cases({"arith.floordivsi", "index.floordivs"}, Opcode::FloorDivS)
      .Cases({"arith.remui", "llvm.urem", "index.remu"}, Opcode::RemU)
      .Cases({"arith.remsi", "llvm.srem", "index.rems"}, Opcode::RemS)
      .Cases({"arith.andi", "llvm.and", "index.and"}, Opcode::And)
      .Cases({"arith.ori", "llvm.or", "index.or"}, Opcode::Or)
      .Cases({"arith.xori", "llvm.xor", "index.xor"}, Opcode::Xor)
      .Cases({"arith.shli", "llvm.shl", "index.shl"}, Opcode::Shl)
      .Cases({"arith.shrui", "llvm.lshr", "index.shru"}, Opcode::ShrU)
      .Cases({"arith.shrsi", "llvm.ashr", "index.shrs"}, Opcode::ShrS)
      .Cases({"arith.minui", "llvm.intr.umin"}, Opcode::MinU)
      .Cases({"arith.maxui", "llvm.intr.umax"}, Opcode::MaxU)
      .Cases({"arith.minsi", "llvm.intr.smin"}, Opcode::MinS)
      .Cases({"arith.maxsi", "llvm.intr.smax"}, Opcode::MaxS)
      .Cases({"arith.cmpi", "llvm.icmp"}, Opcode::Cmp)
      .Cases({"arith.select", "llvm.select"}, Opcode::Select)
      .Cases({"arith.extui", "llvm.zext", "arith.index_castui"},
             Opcode::ExtendU)
      .Cases({"arith.extsi", "llvm.sext", "arith.trunci", "llvm.trunc",
              "arith.index_cast"},
             Opcode::ExtendS)
      .Cases({"llvm.inttoptr", "llvm.ptrtoint", "llvm.addrspacecast",
              "llvm.bitcast", "llvm.freeze", "arith.bitcast",
              "builtin.unrealized_conversion_cast",
              "memref.extract_aligned_pointer_as_index",
              "memref.memory_space_cast", "memref.cast", "index.castu",
              "index.casts"},
             Opcode::Copy)
      .Default(Opcode::None);
}

static bool compare(int64_t predicate, int64_t a, int64_t b, unsigned width) {
  int64_t sa = toSigned(a, width), sb = toSigned(b, width);
  uint64_t ua = toUnsigned(a, width), ub = toUnsigned(b, width);
  switch (predicate) {
  case 0:
    return ua == ub;
  case 1:
    return ua != ub;
  case 2:
    return sa < sb;
  case 3:
    return sa <= sb;
  case 4:
    return sa > sb;
  case 5:
    return sa >= sb;
  case 6:
    return ua < ub;
  case 7:
    return ua <= ub;
  case 8:
    return ua > ub;
  default:
    return ua >= ub;
  }
}

static int64_t fold(Opcode opcode, int64_t predicate, unsigned width, int64_t a,
                    int64_t b) {
  uint64_t ua = toUnsigned(a, width), ub = toUnsigned(b, width);
  int64_t sa = toSigned(a, width), sb = toSigned(b, width);
  bool divides = ub != 0 && !(sb == -1 && sa == INT64_MIN);
  switch (opcode) {
  case Opcode::Add:
    return toSigned(ua + ub, width);
  case Opcode::Sub:
    return toSigned(ua - ub, width);
  case Opcode::Mul:
    return toSigned(ua * ub, width);
  case Opcode::DivU:
    return divides ? toSigned(ua / ub, width) : 0;
  case Opcode::DivS:
    return divides ? sa / sb : 0;
  case Opcode::CeilDivU:
    return divides ? toSigned(ua / ub + (ua % ub != 0), width) : 0;
  case Opcode::CeilDivS:
    return divides ? sa / sb + (sa % sb != 0 && (sa < 0) == (sb < 0)) : 0;
  case Opcode::FloorDivS:
    return divides ? sa / sb - (sa % sb != 0 && (sa < 0) != (sb < 0)) : 0;
  case Opcode::RemU:
    return divides ? toSigned(ua % ub, width) : 0;
  case Opcode::RemS:
    return divides ? sa % sb : 0;
  case Opcode::And:
    return sa & sb;
  case Opcode::Or:
    return sa | sb;
  case Opcode::Xor:
    return sa ^ sb;
  case Opcode::Shl:
    return ub < width ? toSigned(ua << ub, width) : 0;
  case Opcode::ShrU:
    return ub < width ? toSigned(ua >> ub, width) : 0;
  case Opcode::ShrS:
    return sa >> std::min<uint64_t>(ub, 63);
  case Opcode::MinU:
    return toSigned(std::min(ua, ub), width);
  case Opcode::MaxU:
    return toSigned(std::max(ua, ub), width);
  case Opcode::MinS:
    return std::min(sa, sb);
  case Opcode::MaxS:
    return std::max(sa, sb);
  case Opcode::Cmp:
    return compare(predicate, a, b, width);
  default:
    return 0;
  }
}

//===----------------------------------------------------------------------===//
// Conditions that are not known
//===----------------------------------------------------------------------===//

static void appendKey(std::vector<int64_t> &key, const ThreadValue &value) {
  key.push_back(value.terms.size());
  for (Term term : value.terms) {
    key.push_back(term.symbol);
    key.push_back(term.factor);
  }
  key.push_back(value.constant);
  key.push_back(reinterpret_cast<intptr_t>(value.table));
}

ThreadValue Evaluator::makeComparison(Comparison comparison) {
  std::vector<int64_t> key{comparison.kind, comparison.width};
  std::vector<int64_t> second;
  appendKey(key, comparison.a);
  appendKey(second, comparison.b);
  key.insert(key.end(), second.begin(), second.end());
  auto [it, isNew] = comparisons.try_emplace(key, symbols.size());
  ThreadValue value;
  value.terms.push_back({it->second, 1});
  if (isNew)
    symbols.push_back({Agreement::None,
                       /*isObject=*/false,
                       std::nullopt,
                       {},
                       std::make_shared<Comparison>(std::move(comparison))});
  return value;
}

/// Equal comparisons, however they are written, are one symbol or its opposite.
std::optional<ThreadValue> Evaluator::compareUnknown(int64_t predicate,
                                                     unsigned width,
                                                     const ThreadValue &a,
                                                     const ThreadValue &b) {
  if (a.terms.size() > 2 || b.terms.size() > 2)
    return std::nullopt;
  for (const ThreadValue *side : {&a, &b})
    for (Term term : side->terms)
      if (symbols[term.symbol].comparison)
        return std::nullopt;
  // 0 to 5: eq, ne, slt, sle, sgt, sge; from 6 on the unsigned ones.
  bool isEquality = predicate < 2;
  int64_t order = isEquality ? predicate : (predicate - 2) % 4;
  Comparison comparison{Comparison::Equal, width, a, b};
  bool isNegated = isEquality && order == 1;
  if (!isEquality) {
    comparison.kind =
        predicate < 6 ? Comparison::SignedLess : Comparison::UnsignedLess;
    // a <= b is not b < a, a >= b is not a < b.
    isNegated = order == 1 || order == 3;
    if (order == 1 || order == 2)
      std::swap(comparison.a, comparison.b);
  } else {
    std::vector<int64_t> first, second;
    appendKey(first, a);
    appendKey(second, b);
    if (second < first)
      std::swap(comparison.a, comparison.b);
  }
  ThreadValue value = makeComparison(std::move(comparison));
  return isNegated ? add(makeConstant(1), value, -1) : value;
}

/// Whether a + T and b + T, as numbers without a sign, are as far apart as a
/// and b: T counts up from 0, so only numbers below 0 are taken to wrap.
static bool keepsOrder(const ThreadValue &a, const ThreadValue &b,
                       unsigned numThreads) {
  for (unsigned t = 0; t < (a.table || b.table ? numThreads : 1); ++t)
    if (a.get(t) != b.get(t) && (a.get(t) < 0 || b.get(t) < 0))
      return false;
  return (a.constant == b.constant && a.table == b.table) ||
         llvm::all_of(a.terms, [](Term term) { return term.factor > 0; });
}

/// Sums of the same unknowns. What wraps is seen, where it may: `n - 1 < n`
/// without a sign is `n != 0`.
std::optional<ThreadValue> Evaluator::compareSums(int64_t predicate,
                                                  unsigned width,
                                                  const ThreadValue &a,
                                                  const ThreadValue &b) {
  // Narrower integers wrap.
  constexpr unsigned minWidth = 32;
  bool isEquality = predicate < 2, isUnsigned = predicate >= 6;
  bool isSame = a.constant == b.constant && a.table == b.table;
  if (isEquality || isSame ||
      (width >= minWidth &&
       (!isUnsigned || keepsOrder(a, b, block.getNumThreads()))))
    return makePerThread([&](unsigned thread) {
      return compare(predicate, a.get(thread), b.get(thread), width);
    });
  if (!isUnsigned || a.table || b.table)
    return compareUnknown(predicate, width, a, b);
  // x < x + d, unless it wraps: x < -d.
  bool isSwapped = predicate == 7 || predicate == 8;
  bool isNegated = predicate == 7 || predicate == 9;
  const ThreadValue &x = isSwapped ? b : a, &y = isSwapped ? a : b;
  ThreadValue bound = makeConstant(
      toSigned(int64_t(uint64_t(x.constant) - uint64_t(y.constant)), width));
  return compareUnknown(isNegated ? /*uge*/ 9 : /*ult*/ 6, width, x, bound);
}

ThreadValue Evaluator::compareBelow(const ThreadValue &a, const ThreadValue &b,
                                    unsigned width) {
  return compareUnknown(/*ult*/ 6, width, a, b)
      .value_or(makeOpaque({}, Agreement::None));
}

ThreadValue Evaluator::compareLess(const ThreadValue &a, const ThreadValue &b) {
  return compareUnknown(/*slt*/ 2, 64, a, b)
      .value_or(makeOpaque({}, Agreement::None));
}

std::optional<Literal>
Evaluator::getLiteral(const ThreadValue &condition) const {
  if (condition.terms.size() != 1 || condition.table)
    return std::nullopt;
  Term term = condition.terms.front();
  if (term.factor != 1 && term.factor != -1)
    return std::nullopt;
  return Literal{term.symbol, (condition.constant & 1) != 0};
}

std::optional<ThreadValue> Evaluator::resolve(
    const ThreadValue &value,
    llvm::function_ref<std::optional<int64_t>(unsigned)> getInput) {
  ThreadValue result = value;
  result.terms.clear();
  for (Term term : value.terms) {
    std::shared_ptr<Comparison> comparison = symbols[term.symbol].comparison;
    ThreadValue part;
    if (comparison) {
      std::optional<ThreadValue> a = resolve(comparison->a, getInput);
      std::optional<ThreadValue> b = resolve(comparison->b, getInput);
      if (!a || !b)
        return std::nullopt;
      static constexpr int64_t predicates[] = {/*eq*/ 0, /*slt*/ 2, /*ult*/ 6};
      part = makePerThread([&](unsigned thread) -> int64_t {
        return compare(predicates[comparison->kind], a->get(thread),
                       b->get(thread), comparison->width);
      });
    } else if (std::optional<int64_t> input = getInput(term.symbol)) {
      part.constant = *input;
    } else {
      return std::nullopt;
    }
    result = add(result, part, term.factor);
  }
  return result;
}

bool Evaluator::getSources(unsigned symbol,
                           SmallVectorImpl<Value> &sources) const {
  const Symbol &known = symbols[symbol];
  if (known.comparison) {
    for (const ThreadValue *side : {&known.comparison->a, &known.comparison->b})
      for (Term term : side->terms)
        if (!getSources(term.symbol, sources))
          return false;
    return true;
  }
  if (known.isObject)
    return true;
  if (known.content || !known.value)
    return false;
  sources.push_back(known.value);
  return true;
}

/// An address with bits cleared, or set, below the 32 columns that allocations
/// are multiples of (PTX ISA, tcgen05.alloc).
std::optional<ThreadValue> Evaluator::changeBits(const ThreadValue &address,
                                                 const ThreadValue &bits,
                                                 bool clears) {
  constexpr int64_t low = 31;
  if (address.terms.size() != 1 || address.terms.front().factor != 1 ||
      !symbols[address.terms.front().symbol].isAddress || !bits.isConstant() ||
      (bits.constant & ~low) != (clears ? ~low : 0))
    return std::nullopt;
  ThreadValue result = makePerThread([&](unsigned thread) {
    int64_t offset = address.get(thread);
    return clears ? offset & bits.constant : offset | bits.constant;
  });
  result.terms = address.terms;
  return result;
}

/// Whether `bits` are those of an address that allocations leave clear.
bool Evaluator::addsBits(const ThreadValue &address, const ThreadValue &bits) {
  bool isAddress = llvm::all_of(address.terms, [&](Term term) {
    return symbols[term.symbol].content || symbols[term.symbol].isObject;
  });
  bool isSlab = (bits.constant & 0xffff) == 0;
  for (unsigned thread = 0; bits.table && thread < block.getNumThreads();
       ++thread)
    isSlab &= (bits.get(thread) & 0xffff) == 0;
  return isAddress || isSlab;
}

std::optional<ThreadValue> Evaluator::evaluateArithmetic(Operation *op,
                                                         Frame *frame) {
  Opcode opcode = getOpcode(op->getName().getStringRef());
  if (opcode == Opcode::None || op->getNumOperands() == 0)
    return std::nullopt;
  Type type = op->getOperand(op->getNumOperands() - 1).getType();
  if (isa<VectorType>(type))
    return std::nullopt;
  ThreadValue a = get(op->getOperand(0), frame);
  if (opcode == Opcode::Copy)
    return a;
  unsigned width = getWidth(type);
  if (opcode == Opcode::ExtendU || opcode == Opcode::ExtendS) {
    bool isSigned = opcode == Opcode::ExtendS;
    if (!a.isKnown()) {
      // Integers of 32 bits and more are taken not to wrap.
      unsigned narrow = std::min(width, getWidth(op->getResult(0).getType()));
      bool isPlain = a.terms.size() == 1 && a.constant == 0 && !a.table;
      if (narrow < 32 && !(narrow == width && isPlain && !isSigned))
        return std::nullopt;
      return a;
    }
    width = std::min(width, getWidth(op->getResult(0).getType()));
    return makePerThread([&](unsigned thread) {
      int64_t value = a.get(thread);
      return isSigned ? toSigned(value, width)
                      : int64_t(toUnsigned(value, width));
    });
  }
  if (op->getNumOperands() < 2)
    return std::nullopt;
  ThreadValue b = get(op->getOperand(1), frame);
  if (opcode == Opcode::Select) {
    ThreadValue c = get(op->getOperand(2), frame);
    if (b == c)
      return b;
    if (!a.isKnown() || b.terms != c.terms)
      return std::nullopt;
    ThreadValue result = makePerThread([&](unsigned thread) {
      return a.get(thread) & 1 ? b.get(thread) : c.get(thread);
    });
    result.terms = b.terms;
    return result;
  }
  if (opcode == Opcode::Add || opcode == Opcode::Sub) {
    if (!a.isKnown() || !b.isKnown())
      return add(a, b, opcode == Opcode::Add ? 1 : -1);
  } else if (opcode == Opcode::Mul) {
    if (!a.isKnown() || !b.isKnown())
      return multiply(a, b);
  } else if (opcode == Opcode::Shl && b.isConstant() && !a.isKnown()) {
    return multiply(a, makeConstant(1ll << (b.constant & 63)));
  } else if (opcode == Opcode::And && a.isKnown() != b.isKnown()) {
    return changeBits(a.isKnown() ? b : a, a.isKnown() ? a : b, true);
  } else if (opcode == Opcode::Or && (a.isKnown() != b.isKnown())) {
    if (auto changed =
            changeBits(a.isKnown() ? b : a, a.isKnown() ? a : b, false))
      return changed;
    if (addsBits(a.isKnown() ? b : a, a.isKnown() ? a : b))
      return add(a, b, 1);
  }
  int64_t predicate = 0;
  if (opcode == Opcode::Cmp) {
    predicate = op->getAttrOfType<IntegerAttr>("predicate").getInt();
    if (!a.isKnown() && a.terms == b.terms)
      return compareSums(predicate, width, a, b);
  }
  if (!a.isKnown() || !b.isKnown()) {
    if (opcode == Opcode::Cmp)
      return compareUnknown(predicate, width, a, b);
    // The opposite of a condition.
    if (opcode == Opcode::Xor && width == 1 && b.isConstant() &&
        (b.constant & 1))
      return add(makeConstant(1), a, -1);
    return std::nullopt;
  }
  return makePerThread([&](unsigned thread) {
    return fold(opcode, predicate, width, a.get(thread), b.get(thread));
  });
}
