//===- IntegerMath.cpp - Integer arithmetic of NVPTX ----------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

using namespace mlir;
using namespace mlir::tmem::emulate;

static Value add(Emitter &emitter, Value a, Value b) {
  return emitter.create<LLVM::AddOp>(a, b);
}
static Value bitAnd(Emitter &emitter, Value a, Value b) {
  return emitter.create<LLVM::AndOp>(a, b);
}
static Value extend(Emitter &emitter, Value value, unsigned bits,
                    bool isSigned) {
  Type type = emitter.builder.getIntegerType(bits);
  return isSigned ? emitter.create<LLVM::SExtOp>(type, value)
                  : emitter.create<LLVM::ZExtOp>(type, value);
}

/// `bits` bits of a 32-bit word from `shift` on, as an i32.
static Value getField(Emitter &emitter, Value word, unsigned shift,
                      unsigned bits, bool isSigned) {
  Value field = emitter.toInteger(
      emitter.create<LLVM::LShrOp>(word, emitter.i32(shift)), bits);
  return extend(emitter, field, 32, isSigned);
}

//===----------------------------------------------------------------------===//
// prmt
//===----------------------------------------------------------------------===//

/// Which of the eight bytes goes to byte `i`, an i32. PTX ISA, prmt.
static Value getSource(Emitter &emitter, unsigned i, Value selector,
                       StringRef mode) {
  Value index = emitter.i32(i);
  Value low = bitAnd(emitter, selector, emitter.i32(3));
  if (mode == "f4e")
    return add(emitter, low, index);
  if (mode == "b4e")
    return bitAnd(emitter, emitter.create<LLVM::SubOp>(low, index),
                  emitter.i32(7));
  if (mode == "rc8")
    return low;
  if (mode == "ecl")
    return emitter.create<LLVM::UMaxOp>(low, index);
  if (mode == "ecr")
    return emitter.create<LLVM::UMinOp>(low, index);
  // rc16
  Value half = bitAnd(emitter, low, emitter.i32(1));
  return add(emitter, emitter.create<LLVM::ShlOp>(half, emitter.i32(1)),
             emitter.i32(i % 2));
}

/// The byte of an i64, as an i32.
static Value getByte(Emitter &emitter, Value bytes, Value index) {
  Value shift =
      emitter.toInteger(emitter.create<LLVM::ShlOp>(index, emitter.i32(3)), 64);
  Value byte =
      emitter.toInteger(emitter.create<LLVM::LShrOp>(bytes, shift), 32);
  return bitAnd(emitter, byte, emitter.i32(0xff));
}

/// Without a mode each nibble of the selector picks a byte, and with its top
/// bit the sign of it.
static Value getPickedByte(Emitter &emitter, Value bytes, Value selector,
                           unsigned i) {
  Value nibble = getField(emitter, selector, 4 * i, 4, false);
  Value byte = getByte(emitter, bytes, bitAnd(emitter, nibble, emitter.i32(7)));
  Value sign = extend(
      emitter,
      emitter.toInteger(emitter.create<LLVM::LShrOp>(byte, emitter.i32(7)), 1),
      32, true);
  Value wantsSign = emitter.isNonZero(bitAnd(emitter, nibble, emitter.i32(8)));
  return emitter.create<LLVM::SelectOp>(
      wantsSign, bitAnd(emitter, sign, emitter.i32(0xff)), byte);
}

Value mlir::tmem::emulate::emitPermute(Emitter &emitter, Value low, Value high,
                                       Value selector, StringRef mode) {
  Value bytes = emitter.toInteger(low, 64);
  if (high)
    bytes = emitter.create<LLVM::OrOp>(
        bytes, emitter.create<LLVM::ShlOp>(emitter.toInteger(high, 64),
                                           emitter.i64(32)));
  Value result = emitter.i32(0);
  for (unsigned i = 0; i < 4; ++i) {
    Value byte = mode.empty() ? getPickedByte(emitter, bytes, selector, i)
                              : getByte(emitter, bytes,
                                        getSource(emitter, i, selector, mode));
    result = emitter.create<LLVM::OrOp>(
        result, emitter.create<LLVM::ShlOp>(byte, emitter.i32(8 * i)));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Dot products
//===----------------------------------------------------------------------===//

Value mlir::tmem::emulate::emitDotProduct(Emitter &emitter, Value a,
                                          bool isSignedA, unsigned bitsA,
                                          Value b, bool isSignedB, Value c,
                                          bool useHighBytes) {
  Value wordA = emitter.getBits(a), wordB = emitter.getBits(b);
  Value sum = c;
  for (unsigned i = 0; i < 32 / bitsA; ++i) {
    Value x = getField(emitter, wordA, bitsA * i, bitsA, isSignedA);
    Value y =
        getField(emitter, wordB, 8 * i + (useHighBytes ? 16 : 0), 8, isSignedB);
    sum = add(emitter, sum, emitter.create<LLVM::MulOp>(x, y));
  }
  return sum;
}

/// "idp4a.s.u", "idp2a.u.u": signs of a and b.
static Value emitDotIntrinsic(Emitter &emitter, const IntrinsicCall &call,
                              StringRef name) {
  bool isFour = name.consume_front("idp4a.");
  if ((!isFour && !name.consume_front("idp2a.")) ||
      call.args.size() != (isFour ? 3u : 4u))
    return {};
  std::optional<int64_t> high = isFour ? 0 : call.getConstant(2);
  if (!high)
    return {};
  auto [a, b] = name.split('.');
  return emitDotProduct(emitter, call.args[0], a == "s", isFour ? 8 : 16,
                        call.args[1], b == "s", call.args.back(), *high != 0);
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

/// The upper half of a product.
static Value emitMultiplyHigh(Emitter &emitter, Value a, Value b,
                              bool isSigned) {
  unsigned bits = a.getType().getIntOrFloatBitWidth();
  Type wide = emitter.builder.getIntegerType(2 * bits);
  Value product =
      emitter.create<LLVM::MulOp>(extend(emitter, a, 2 * bits, isSigned),
                                  extend(emitter, b, 2 * bits, isSigned));
  return emitter.toInteger(
      emitter.create<LLVM::LShrOp>(product, emitter.constant(wide, bits)),
      bits);
}

/// The product of the low 24 bits.
static Value emitMultiply24(Emitter &emitter, Value a, Value b, bool isSigned) {
  return emitter.create<LLVM::MulOp>(getField(emitter, a, 0, 24, isSigned),
                                     getField(emitter, b, 0, 24, isSigned));
}

/// The distance of a and b, added to c.
static Value emitDistance(Emitter &emitter, ValueRange args, bool isSigned) {
  Value more = isSigned ? emitter.create<LLVM::SMaxOp>(args[0], args[1])
                        : emitter.create<LLVM::UMaxOp>(args[0], args[1]);
  Value less = isSigned ? emitter.create<LLVM::SMinOp>(args[0], args[1])
                        : emitter.create<LLVM::UMinOp>(args[0], args[1]);
  return add(emitter, emitter.create<LLVM::SubOp>(more, less), args[2]);
}

/// Half of the bits of two words, shifted by at most 32. PTX ISA, shf.
static Value emitFunnelShift(Emitter &emitter, ValueRange args, bool isLeft) {
  Value pair = emitter.create<LLVM::OrOp>(
      emitter.create<LLVM::ShlOp>(emitter.toInteger(args[0], 64),
                                  emitter.i64(32)),
      emitter.toInteger(args[1], 64));
  Value amount = emitter.toInteger(
      emitter.create<LLVM::UMinOp>(args[2], emitter.i32(32)), 64);
  if (!isLeft)
    return emitter.getLow(emitter.create<LLVM::LShrOp>(pair, amount));
  Value shifted = emitter.create<LLVM::ShlOp>(pair, amount);
  return emitter.getLow(emitter.create<LLVM::LShrOp>(shifted, emitter.i64(32)));
}

/// Between the halves of a double and the whole.
static Value emitDoubleHalves(Emitter &emitter, const IntrinsicCall &call,
                              StringRef name) {
  if (name == "lohi.i2d" && call.args.size() == 2) {
    Value high = emitter.create<LLVM::ShlOp>(
        emitter.toInteger(call.args[1], 64), emitter.i64(32));
    Value bits =
        emitter.create<LLVM::OrOp>(emitter.toInteger(call.args[0], 64), high);
    return emitter.fromBits(bits, call.result);
  }
  if (name != "d2i.lo" && name != "d2i.hi")
    return {};
  Value bits = emitter.getBits(call.args[0]);
  if (name == "d2i.hi")
    bits = emitter.create<LLVM::LShrOp>(bits, emitter.i64(32));
  return emitter.getLow(bits);
}

Value mlir::tmem::emulate::emitIntegerMath(Emitter &emitter,
                                           const IntrinsicCall &call,
                                           StringRef name) {
  size_t numArgs = call.args.size();
  auto [function, suffix] = name.split('.');
  bool isSigned = !suffix.starts_with("u");
  if (function == "move" && numArgs == 1)
    return call.args[0];
  if (function == "prmt" && (numArgs == 2 || numArgs == 3))
    return emitPermute(emitter, call.args[0],
                       numArgs == 3 ? call.args[1] : Value(), call.args.back(),
                       suffix);
  if (function == "mulhi" && numArgs == 2)
    return emitMultiplyHigh(emitter, call.args[0], call.args[1], isSigned);
  if (function == "mul24" && numArgs == 2)
    return emitMultiply24(emitter, call.args[0], call.args[1], isSigned);
  if (function == "sad" && numArgs == 3)
    return emitDistance(emitter, call.args, isSigned);
  if ((name == "fshl.clamp" || name == "fshr.clamp") && numArgs == 3)
    return emitFunnelShift(emitter, call.args, name == "fshl.clamp");
  if (Value value = emitDotIntrinsic(emitter, call, name))
    return value;
  return emitDoubleHalves(emitter, call, name);
}
