//===- FloatMath.cpp - Floating-point arithmetic of NVPTX -----------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Approximate instructions compute the exact function here.
//
//===----------------------------------------------------------------------===//

#include "FloatMath.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include <cmath>

using namespace mlir;
using namespace mlir::tmem::emulate;

static FloatType getFloatType(Type type) {
  return cast<FloatType>(getElementTypeOrSelf(type));
}

Value mlir::tmem::emulate::getFloat(Emitter &emitter, Type type, double value) {
  Attribute attr = emitter.builder.getFloatAttr(getFloatType(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, attr);
  return emitter.create<LLVM::ConstantOp>(type, attr);
}

static Value compare(Emitter &emitter, LLVM::FCmpPredicate predicate, Value a,
                     Value b) {
  return emitter.create<LLVM::FCmpOp>(predicate, a, b);
}

static Value isNaN(Emitter &emitter, Value value) {
  return compare(emitter, LLVM::FCmpPredicate::uno, value, value);
}

static Value select(Emitter &emitter, Value condition, Value a, Value b) {
  return emitter.create<LLVM::SelectOp>(condition, a, b);
}

Value mlir::tmem::emulate::flush(Emitter &emitter, Value value) {
  Type type = value.getType();
  APFloat smallest =
      APFloat::getSmallestNormalized(getFloatType(type).getFloatSemantics());
  bool losesInfo;
  smallest.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
  Value size = emitter.create<LLVM::FAbsOp>(value);
  Value isTiny = compare(emitter, LLVM::FCmpPredicate::olt, size,
                         getFloat(emitter, type, smallest.convertToDouble()));
  Value zero =
      emitter.create<LLVM::CopySignOp>(getFloat(emitter, type, 0.0), value);
  return select(emitter, isTiny, zero, value);
}

Value mlir::tmem::emulate::saturate(Emitter &emitter, Value value) {
  Value zero = getFloat(emitter, value.getType(), 0.0);
  Value one = getFloat(emitter, value.getType(), 1.0);
  Value isPositive = compare(emitter, LLVM::FCmpPredicate::ogt, value, zero);
  Value atLeastZero = select(emitter, isPositive, value, zero);
  return select(emitter,
                compare(emitter, LLVM::FCmpPredicate::olt, atLeastZero, one),
                atLeastZero, one);
}

Value mlir::tmem::emulate::rectify(Emitter &emitter, Value value) {
  Value zero = getFloat(emitter, value.getType(), 0.0);
  // NaN stays.
  Value isNegative = compare(emitter, LLVM::FCmpPredicate::ole, value, zero);
  return select(emitter, isNegative, zero, value);
}

Value mlir::tmem::emulate::roundToTF32(Emitter &emitter, Value value,
                                       StringRef rounding) {
  constexpr int64_t droppedBits = 13;
  constexpr int64_t half = 1 << (droppedBits - 1);
  Value bits = emitter.getBits(value);
  Value rounded = bits;
  if (rounding == "rna") {
    rounded = emitter.create<LLVM::AddOp>(bits, emitter.i32(half));
  } else if (rounding == "rn") {
    Value lowest = emitter.create<LLVM::AndOp>(
        emitter.create<LLVM::LShrOp>(bits, emitter.i32(droppedBits)),
        emitter.i32(1));
    Value increment =
        emitter.create<LLVM::AddOp>(lowest, emitter.i32(half - 1));
    rounded = emitter.create<LLVM::AddOp>(bits, increment);
  } else if (rounding != "rz") {
    return {};
  }
  rounded = emitter.create<LLVM::AndOp>(rounded,
                                        emitter.i32(~((1 << droppedBits) - 1)));
  return select(emitter, isNaN(emitter, value), emitter.i32(0x7fffffff),
                rounded);
}

Value mlir::tmem::emulate::packHalves(Emitter &emitter, Value high, Value low,
                                      Type element, bool relu) {
  Value result = emitter.create<LLVM::PoisonOp>(VectorType::get(2, element));
  const Value values[] = {low, high};
  for (auto [i, value] : llvm::enumerate(values)) {
    Value half = emitter.create<LLVM::FPTruncOp>(element, value);
    if (relu)
      half = rectify(emitter, half);
    result =
        emitter.create<LLVM::InsertElementOp>(result, half, emitter.i32(i));
  }
  return result;
}

/// cvt.rn.satfinite to an 8-bit format, as an i8: rounded to nearest even, and
/// at most the largest number; NaN becomes 0x7f. (PTX ISA, "cvt".)
static Value narrowToByte(Emitter &emitter, Value value, unsigned mantissaBits,
                          int minExponent, double largest) {
  constexpr int64_t bitsOfSingle = 23, biasOfSingle = 127;
  Type type = value.getType();
  Value size = emitter.create<LLVM::FAbsOp>(value);
  Value most = getFloat(emitter, type, largest);
  size = select(emitter, compare(emitter, LLVM::FCmpPredicate::ogt, size, most),
                most, size);
  // A normal number: the carry of rounding goes into the exponent.
  int64_t dropped = bitsOfSingle - mantissaBits;
  Value bits = emitter.getBits(size), shift = emitter.i32(dropped);
  Value odd = emitter.create<LLVM::AndOp>(
      emitter.create<LLVM::LShrOp>(bits, shift), emitter.i32(1));
  bits = emitter.create<LLVM::AddOp>(
      emitter.create<LLVM::AddOp>(bits, odd),
      emitter.i32((int64_t(1) << (dropped - 1)) - 1));
  bits = emitter.create<LLVM::LShrOp>(bits, shift);
  Value normal = emitter.create<LLVM::SubOp>(
      bits, emitter.i32((minExponent - 1 + biasOfSingle) << mantissaBits));
  // A subnormal one is a multiple of the least, which has the number 1.
  double least = std::ldexp(1.0, minExponent - int(mantissaBits));
  Value multiple = emitter.create<LLVM::RoundEvenOp>(
      emitter.create<LLVM::FMulOp>(size, getFloat(emitter, type, 1.0 / least)));
  Value isSmall =
      compare(emitter, LLVM::FCmpPredicate::olt, size,
              getFloat(emitter, type, std::ldexp(1.0, minExponent)));
  Value small = emitter.create<LLVM::FPToSIOp>(
      emitter.builder.getI32Type(),
      select(emitter, isSmall, multiple, getFloat(emitter, type, 0.0)));
  Value result = select(emitter, isSmall, small, normal);
  Value sign = emitter.create<LLVM::AndOp>(
      emitter.create<LLVM::LShrOp>(emitter.getBits(value), emitter.i32(24)),
      emitter.i32(0x80));
  result = emitter.create<LLVM::OrOp>(result, sign);
  result = select(emitter, isNaN(emitter, value), emitter.i32(0x7f), result);
  return emitter.create<LLVM::TruncOp>(emitter.builder.getI8Type(), result);
}

/// "ff.to.e4m3x2.rn.relu": the pair that cvt makes of two f32, or null.
static Value packBytes(Emitter &emitter, Value high, Value low, bool isE4M3,
                       bool relu) {
  Type type = emitter.builder.getI16Type();
  Value result;
  for (Value value : {low, high}) {
    if (relu)
      value = rectify(emitter, value);
    Value byte = isE4M3 ? narrowToByte(emitter, value, 3, -6, 448.0)
                        : narrowToByte(emitter, value, 2, -14, 57344.0);
    Value wide = emitter.create<LLVM::ZExtOp>(type, byte);
    result = result ? emitter.create<LLVM::OrOp>(
                          result, emitter.create<LLVM::ShlOp>(
                                      wide, emitter.constant(type, 8)))
                    : wide;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Intrinsics
//===----------------------------------------------------------------------===//

namespace {

/// "fmin.ftz.nan.f" as the function "fmin" and what follows it.
struct MathName {
  SmallVector<StringRef> parts;

  explicit MathName(StringRef name) { name.split(parts, '.'); }
  StringRef function() const { return parts.front(); }
  bool has(StringRef part) const {
    return llvm::is_contained(ArrayRef(parts).drop_front(), part);
  }
  /// Rounding that a host does not do by itself.
  bool isDirected() const { return has("rz") || has("rm") || has("rp"); }
};

} // namespace

template <typename OpTy> static Value unary(Emitter &emitter, ValueRange args) {
  return emitter.create<OpTy>(args[0]);
}
template <typename OpTy>
static Value binary(Emitter &emitter, ValueRange args) {
  return emitter.create<OpTy>(args[0], args[1]);
}
static Value divide(Emitter &emitter, Value a, Value b) {
  return emitter.create<LLVM::FDivOp>(a, b);
}
static Value invert(Emitter &emitter, Value value) {
  return divide(emitter, getFloat(emitter, value.getType(), 1.0), value);
}

/// min and max of PTX: a number wins over NaN unless `.nan`, and -0 is less
/// than +0.
static Value emitMinMax(Emitter &emitter, bool isMax, ValueRange args,
                        const MathName &name) {
  Value a = args[0], b = args[1], sign;
  if (name.has("xorsign")) {
    sign = emitter.create<LLVM::XOrOp>(emitter.getBits(a), emitter.getBits(b));
    a = emitter.create<LLVM::FAbsOp>(a);
    b = emitter.create<LLVM::FAbsOp>(b);
  }
  Value result = isMax ? emitter.create<LLVM::MaximumOp>(a, b)
                       : emitter.create<LLVM::MinimumOp>(a, b);
  if (!name.has("nan")) {
    result = select(emitter, isNaN(emitter, b), a, result);
    result = select(emitter, isNaN(emitter, args[0]), b, result);
  }
  if (sign)
    result = emitter.create<LLVM::CopySignOp>(
        result, emitter.fromBits(sign, result.getType()));
  return result;
}

static Value emitFloatFunction(Emitter &emitter, const MathName &name,
                               ValueRange args) {
  struct Function {
    StringLiteral name;
    unsigned numArgs;
    Value (*emit)(Emitter &, ValueRange);
  };
  static constexpr Function functions[] = {
      {"add", 2, binary<LLVM::FAddOp>},
      {"mul", 2, binary<LLVM::FMulOp>},
      {"div", 2, binary<LLVM::FDivOp>},
      {"fma", 3,
       [](Emitter &e, ValueRange args) -> Value {
         return e.create<LLVM::FMAOp>(args[0], args[1], args[2]);
       }},
      {"rcp", 1,
       [](Emitter &e, ValueRange args) { return invert(e, args[0]); }},
      {"sqrt", 1, unary<LLVM::SqrtOp>},
      {"rsqrt", 1,
       [](Emitter &e, ValueRange args) {
         return invert(e, e.create<LLVM::SqrtOp>(args[0]));
       }},
      {"ex2", 1, unary<LLVM::Exp2Op>},
      {"lg2", 1, unary<LLVM::Log2Op>},
      {"sin", 1, unary<LLVM::SinOp>},
      {"cos", 1, unary<LLVM::CosOp>},
      {"tanh", 1, unary<LLVM::TanhOp>},
      {"ceil", 1, unary<LLVM::FCeilOp>},
      {"floor", 1, unary<LLVM::FFloorOp>},
      {"trunc", 1, unary<LLVM::FTruncOp>},
      {"round", 1, unary<LLVM::RoundEvenOp>},
      {"fabs", 1, unary<LLVM::FAbsOp>},
      {"saturate", 1,
       [](Emitter &e, ValueRange args) { return saturate(e, args[0]); }},
  };
  bool isMax = name.function() == "fmax";
  if ((isMax || name.function() == "fmin") && args.size() == 2)
    return emitMinMax(emitter, isMax, args, name);
  for (const Function &function : functions)
    if (function.name == name.function() && function.numArgs == args.size())
      return function.emit(emitter, args);
  return {};
}

/// Functions from floating point to the same type, with `.ftz`, `.sat` and
/// `.relu`.
static Value emitFloatMath(Emitter &emitter, const MathName &name,
                           ValueRange args) {
  if (args.empty() || name.isDirected() ||
      !llvm::all_of(args.getTypes(), [](Type type) {
        return isa<FloatType>(getElementTypeOrSelf(type));
      }))
    return {};
  SmallVector<Value> inputs(args);
  if (name.has("ftz"))
    for (Value &input : inputs)
      input = flush(emitter, input);
  Value result = emitFloatFunction(emitter, name, inputs);
  if (!result)
    return {};
  if (name.has("ftz"))
    result = flush(emitter, result);
  if (name.has("sat"))
    result = saturate(emitter, result);
  if (name.has("relu"))
    result = rectify(emitter, result);
  return result;
}

/// "f2i.rz.ftz" and so on: between numbers of different kinds.
static Value emitNumberConversion(Emitter &emitter, const MathName &name,
                                  const IntrinsicCall &call) {
  auto [from, to] = name.function().split('2');
  auto isInteger = [](StringRef kind) {
    return llvm::is_contained(ArrayRef<StringRef>{"i", "ui", "ll", "ull"},
                              kind);
  };
  auto isFloat = [](StringRef kind) { return kind == "f" || kind == "d"; };
  Value value = call.args[0];
  if (isInteger(from) && isFloat(to)) {
    // Every 32-bit integer is a double.
    bool isExact = to == "d" && !from.ends_with("ll");
    if (name.isDirected() && !isExact)
      return {};
    return from.starts_with("u")
               ? emitter.create<LLVM::UIToFPOp>(call.result, value)
               : emitter.create<LLVM::SIToFPOp>(call.result, value);
  }
  if (from == "d" && to == "f" && !name.isDirected()) {
    Value result = emitter.create<LLVM::FPTruncOp>(call.result, value);
    return name.has("ftz") ? flush(emitter, result) : result;
  }
  if (!isFloat(from) || !isInteger(to))
    return {};
  if (name.has("ftz"))
    value = flush(emitter, value);
  value = name.has("rn")   ? emitter.create<LLVM::RoundEvenOp>(value)
          : name.has("rm") ? emitter.create<LLVM::FFloorOp>(value)
          : name.has("rp") ? emitter.create<LLVM::FCeilOp>(value)
                           : value;
  StringRef convert =
      to.starts_with("u") ? "llvm.fptoui.sat" : "llvm.fptosi.sat";
  return emitter.create<LLVM::CallIntrinsicOp>(
      call.result, emitter.builder.getStringAttr(convert), ValueRange(value));
}

/// "ff2bf16x2.rn.relu", "f2h.rn", "f2tf32.rna" and the like.
static Value emitHalfConversion(Emitter &emitter, const MathName &name,
                                const IntrinsicCall &call) {
  StringRef function = name.function();
  OpBuilder &builder = emitter.builder;
  if (function == "f2tf32") {
    StringRef rounding = name.parts.size() > 1 ? name.parts[1] : "";
    if (name.has("satfinite") || name.has("relu"))
      return {};
    return roundToTF32(emitter, call.args[0], rounding);
  }
  if (!name.has("rn") || name.has("satfinite"))
    return {};
  bool relu = name.has("relu");
  if (function == "ff" && (name.has("e4m3x2") || name.has("e5m2x2")))
    return packBytes(emitter, call.args[0], call.args[1], name.has("e4m3x2"),
                     relu);
  bool isBF16 = function.contains("bf");
  Type element = isBF16 ? Type(builder.getBF16Type()) : builder.getF16Type();
  if (function == "ff2bf16x2" || function == "ff2f16x2")
    return packHalves(emitter, call.args[0], call.args[1], element, relu);
  if (function == "f2h" || function == "f2bf16" || function == "f2f16") {
    Value value = emitter.create<LLVM::FPTruncOp>(element, call.args[0]);
    if (relu)
      value = rectify(emitter, value);
    return call.result == element
               ? value
               : emitter.create<LLVM::BitcastOp>(call.result, value);
  }
  return {};
}

FailureOr<bool> mlir::tmem::emulate::emitMathIntrinsic(
    Emitter &emitter, const IntrinsicCall &call, StringRef text) {
  if (!call.result || call.args.empty())
    return false;
  MathName name(text);
  Value result = emitIntegerMath(emitter, call, text);
  if (!result)
    result = emitFloatMath(emitter, name, call.args);
  if (!result)
    result = emitNumberConversion(emitter, name, call);
  if (!result)
    result = emitHalfConversion(emitter, name, call);
  if (!result || result.getType() != call.result)
    return false;
  emitter.replace(call.op, result);
  return true;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// "rn" and so on, or nothing where the default is exact enough to tell.
static StringRef getRounding(NVVM::FPRoundingMode mode) {
  switch (mode) {
  case NVVM::FPRoundingMode::RN:
    return "rn";
  case NVVM::FPRoundingMode::RNA:
    return "rna";
  case NVVM::FPRoundingMode::RZ:
    return "rz";
  default:
    return "";
  }
}

template <typename OpTy>
static Value emitPairConversion(Emitter &emitter, OpTy op) {
  if (op.getRnd() != NVVM::FPRoundingMode::RN || op.getRandomBits() ||
      op.getSat() != NVVM::SaturationMode::NONE)
    return {};
  return packHalves(emitter, op.getSrcHi(), op.getSrcLo(),
                    cast<VectorType>(op.getType()).getElementType(),
                    op.getRelu());
}

LogicalResult mlir::tmem::emulate::emitConversion(Emitter &emitter,
                                                  Operation *op) {
  Value result;
  if (auto convert = dyn_cast<NVVM::ConvertFloatToTF32Op>(op)) {
    if (convert.getSat() == NVVM::SaturationMode::NONE && !convert.getRelu())
      result =
          roundToTF32(emitter, convert.getSrc(), getRounding(convert.getRnd()));
  } else if (auto convert = dyn_cast<NVVM::ConvertF32x2ToF16x2Op>(op)) {
    result = emitPairConversion(emitter, convert);
  } else if (auto convert = dyn_cast<NVVM::ConvertF32x2ToBF16x2Op>(op)) {
    result = emitPairConversion(emitter, convert);
  }
  if (!result)
    return emitter.state.refuse(op);
  emitter.replace(op, result);
  return success();
}
