//===- FloatMath.h - Floating-point arithmetic of NVPTX ---------*- C++ -*-===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TMEM_LIB_CONVERSION_EMULATETCGEN05_FLOATMATH_H
#define TMEM_LIB_CONVERSION_EMULATETCGEN05_FLOATMATH_H

#include "Emitter.h"

namespace mlir::tmem::emulate {

/// A constant, or a vector full of it.
Value getFloat(Emitter &emitter, Type type, double value);

/// `.ftz`: a subnormal number becomes a zero of its sign.
Value flush(Emitter &emitter, Value value);
/// `.sat`: to [0, 1]; NaN becomes 0.
Value saturate(Emitter &emitter, Value value);
/// `.relu`: negative numbers become 0.
Value rectify(Emitter &emitter, Value value);

/// Rounds f32 to tf32 and returns its bits: to nearest even ("rn"), to nearest
/// away from zero ("rna"), or towards zero ("rz"). Null for another rounding.
Value roundToTF32(Emitter &emitter, Value value, StringRef rounding);

/// The pair of f16 or bf16 that cvt.rn makes of two f32.
Value packHalves(Emitter &emitter, Value high, Value low, Type element,
                 bool relu);

} // namespace mlir::tmem::emulate

#endif // TMEM_LIB_CONVERSION_EMULATETCGEN05_FLOATMATH_H
