//===- Math.cpp - The functions of CUDA's libdevice on the host -----------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emulated kernels call the `__nv_*` functions that `convert-math-to-nvvm`
// emits under their own names. These are the host's libm: as precise as the
// device's or more, but not always equal to them in the last bit.
//
//===----------------------------------------------------------------------===//

#include <cmath>
#include <cstdint>
#include <cstring>

#define TMEM_EXPORT extern "C" __attribute__((visibility("default")))

// The f32 form has an `f` behind the name of the f64 form.
#define UNARY(NAME, EXPRESSION)                                                \
  TMEM_EXPORT double __nv_##NAME(double x) { return EXPRESSION; }              \
  TMEM_EXPORT float __nv_##NAME##f(float x) { return EXPRESSION; }
#define BINARY(NAME, EXPRESSION)                                               \
  TMEM_EXPORT double __nv_##NAME(double x, double y) { return EXPRESSION; }    \
  TMEM_EXPORT float __nv_##NAME##f(float x, float y) { return EXPRESSION; }

/// PTX's max and min: a NaN loses to a number, and -0 is less than +0.
template <typename T> static T getMax(T x, T y) {
  if (x == y)
    return std::signbit(x) ? y : x;
  return std::fmax(x, y);
}
template <typename T> static T getMin(T x, T y) {
  if (x == y)
    return std::signbit(x) ? x : y;
  return std::fmin(x, y);
}

/// Squares and multiplies, as libdevice does.
template <typename T> static T getPower(T base, int32_t exponent) {
  T result = 1;
  for (uint32_t rest = exponent < 0 ? 0u - uint32_t(exponent) : exponent; rest;
       rest >>= 1, base *= base)
    if (rest & 1)
      result *= base;
  return exponent < 0 ? 1 / result : result;
}

static float rsqrt(float x) { return float(1 / std::sqrt(double(x))); }
static double rsqrt(double x) { return 1 / std::sqrt(x); }
static float exp10(float x) { return ::exp10f(x); }

//===----------------------------------------------------------------------===//
// What `convert-math-to-nvvm` emits
//===----------------------------------------------------------------------===//

UNARY(acos, std::acos(x))
UNARY(acosh, std::acosh(x))
UNARY(asin, std::asin(x))
UNARY(asinh, std::asinh(x))
UNARY(atan, std::atan(x))
UNARY(atanh, std::atanh(x))
UNARY(cbrt, std::cbrt(x))
UNARY(ceil, std::ceil(x))
UNARY(cos, std::cos(x))
UNARY(cosh, std::cosh(x))
UNARY(erf, std::erf(x))
UNARY(erfc, std::erfc(x))
UNARY(exp, std::exp(x))
UNARY(exp2, std::exp2(x))
UNARY(expm1, std::expm1(x))
UNARY(fabs, std::fabs(x))
UNARY(floor, std::floor(x))
UNARY(log, std::log(x))
UNARY(log10, std::log10(x))
UNARY(log1p, std::log1p(x))
UNARY(log2, std::log2(x))
UNARY(rint, std::rint(x))
UNARY(round, std::round(x))
UNARY(rsqrt, rsqrt(x))
UNARY(sin, std::sin(x))
UNARY(sinh, std::sinh(x))
UNARY(sqrt, std::sqrt(x))
UNARY(tan, std::tan(x))
UNARY(tanh, std::tanh(x))

BINARY(atan2, std::atan2(x, y))
BINARY(copysign, std::copysign(x, y))
BINARY(fmax, getMax(x, y))
BINARY(fmin, getMin(x, y))
BINARY(fmod, std::fmod(x, y))
BINARY(pow, std::pow(x, y))

TMEM_EXPORT double __nv_fma(double x, double y, double z) {
  return std::fma(x, y, z);
}
TMEM_EXPORT float __nv_fmaf(float x, float y, float z) {
  return std::fma(x, y, z);
}
TMEM_EXPORT double __nv_powi(double x, int32_t n) { return getPower(x, n); }
TMEM_EXPORT float __nv_powif(float x, int32_t n) { return getPower(x, n); }
TMEM_EXPORT void __nv_sincos(double x, double *sine, double *cosine) {
  *sine = std::sin(x);
  *cosine = std::cos(x);
}
TMEM_EXPORT void __nv_sincosf(float x, float *sine, float *cosine) {
  *sine = std::sin(x);
  *cosine = std::cos(x);
}

// These names follow no rule.
TMEM_EXPORT int32_t __nv_finitef(float x) { return std::isfinite(x); }
TMEM_EXPORT int32_t __nv_isfinited(double x) { return std::isfinite(x); }
TMEM_EXPORT int32_t __nv_isinff(float x) { return std::isinf(x); }
TMEM_EXPORT int32_t __nv_isinfd(double x) { return std::isinf(x); }
TMEM_EXPORT int32_t __nv_isnanf(float x) { return std::isnan(x); }
TMEM_EXPORT int32_t __nv_isnand(double x) { return std::isnan(x); }
TMEM_EXPORT int32_t __nv_abs(int32_t x) {
  return int32_t(x < 0 ? 0u - uint32_t(x) : uint32_t(x));
}

// Approximations on the device.
TMEM_EXPORT float __nv_fast_cosf(float x) { return std::cos(x); }
TMEM_EXPORT float __nv_fast_exp10f(float x) { return exp10(x); }
TMEM_EXPORT float __nv_fast_expf(float x) { return std::exp(x); }
TMEM_EXPORT float __nv_fast_fdividef(float x, float y) { return x / y; }
TMEM_EXPORT float __nv_fast_log10f(float x) { return std::log10(x); }
TMEM_EXPORT float __nv_fast_log2f(float x) { return std::log2(x); }
TMEM_EXPORT float __nv_fast_logf(float x) { return std::log(x); }
TMEM_EXPORT float __nv_fast_powf(float x, float y) { return std::pow(x, y); }
TMEM_EXPORT float __nv_fast_sinf(float x) { return std::sin(x); }
TMEM_EXPORT float __nv_fast_tanf(float x) { return std::tan(x); }
TMEM_EXPORT float __nv_fast_tanhf(float x) { return std::tanh(x); }
TMEM_EXPORT void __nv_fast_sincosf(float x, float *sine, float *cosine) {
  __nv_sincosf(x, sine, cosine);
}

//===----------------------------------------------------------------------===//
// What kernels call by hand
//===----------------------------------------------------------------------===//

UNARY(exp10, exp10(x))
UNARY(lgamma, std::lgamma(x))
UNARY(nearbyint, std::nearbyint(x))
UNARY(tgamma, std::tgamma(x))
UNARY(trunc, std::trunc(x))

BINARY(fdim, std::fdim(x, y))
BINARY(hypot, std::hypot(x, y))
BINARY(nextafter, std::nextafter(x, y))
BINARY(remainder, std::remainder(x, y))

TMEM_EXPORT double __nv_ldexp(double x, int32_t n) { return std::ldexp(x, n); }
TMEM_EXPORT float __nv_ldexpf(float x, int32_t n) { return std::ldexp(x, n); }
TMEM_EXPORT double __nv_scalbn(double x, int32_t n) { return std::ldexp(x, n); }
TMEM_EXPORT float __nv_scalbnf(float x, int32_t n) { return std::ldexp(x, n); }
TMEM_EXPORT int32_t __nv_signbitd(double x) { return std::signbit(x); }
TMEM_EXPORT int32_t __nv_signbitf(float x) { return std::signbit(x); }
/// A NaN becomes zero.
TMEM_EXPORT float __nv_saturatef(float x) {
  return x >= 1 ? 1.0f : x > 0 ? x : 0.0f;
}

TMEM_EXPORT float __nv_fadd_rn(float x, float y) { return x + y; }
TMEM_EXPORT float __nv_fsub_rn(float x, float y) { return x - y; }
TMEM_EXPORT float __nv_fmul_rn(float x, float y) { return x * y; }
TMEM_EXPORT float __nv_fdiv_rn(float x, float y) { return x / y; }
TMEM_EXPORT float __nv_frcp_rn(float x) { return 1 / x; }
TMEM_EXPORT float __nv_fsqrt_rn(float x) { return std::sqrt(x); }
TMEM_EXPORT float __nv_frsqrt_rn(float x) { return rsqrt(x); }
TMEM_EXPORT float __nv_fmaf_rn(float x, float y, float z) {
  return std::fma(x, y, z);
}

#define INTEGER(NAME, TYPE, EXPRESSION)                                        \
  TMEM_EXPORT TYPE __nv_##NAME(TYPE x, TYPE y) { return EXPRESSION; }
INTEGER(max, int32_t, x > y ? x : y)
INTEGER(min, int32_t, x < y ? x : y)
INTEGER(umax, uint32_t, x > y ? x : y)
INTEGER(umin, uint32_t, x < y ? x : y)
INTEGER(llmax, int64_t, x > y ? x : y)
INTEGER(llmin, int64_t, x < y ? x : y)
INTEGER(ullmax, uint64_t, x > y ? x : y)
INTEGER(ullmin, uint64_t, x < y ? x : y)
INTEGER(mulhi, int32_t, int32_t((int64_t(x) * y) >> 32))
INTEGER(umulhi, uint32_t, uint32_t((uint64_t(x) * y) >> 32))

TMEM_EXPORT int64_t __nv_llabs(int64_t x) {
  return int64_t(x < 0 ? 0ull - uint64_t(x) : uint64_t(x));
}
TMEM_EXPORT int32_t __nv_clz(uint32_t x) { return x ? __builtin_clz(x) : 32; }
TMEM_EXPORT int32_t __nv_clzll(uint64_t x) {
  return x ? __builtin_clzll(x) : 64;
}
TMEM_EXPORT int32_t __nv_ffs(int32_t x) { return __builtin_ffs(x); }
TMEM_EXPORT int32_t __nv_ffsll(int64_t x) { return __builtin_ffsll(x); }
TMEM_EXPORT int32_t __nv_popc(uint32_t x) { return __builtin_popcount(x); }
TMEM_EXPORT int32_t __nv_popcll(uint64_t x) { return __builtin_popcountll(x); }

TMEM_EXPORT int32_t __nv_float_as_int(float x) {
  int32_t bits;
  std::memcpy(&bits, &x, sizeof(bits));
  return bits;
}
TMEM_EXPORT float __nv_int_as_float(int32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof(x));
  return x;
}
