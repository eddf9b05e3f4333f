//===- Matrices.cpp - tcgen05.mma -----------------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA, "tcgen05.mma". Products are exact. They are added up in f64, for
// each element of D that element first, then the products by ascending k, and
// the sum is rounded once, to nearest even. In which order and how wide the
// hardware adds is not specified: only sums that no order rounds are the same
// there.
//
//===----------------------------------------------------------------------===//

#include "Descriptors.h"
#include "Faults.h"
#include "SharedMemory.h"
#include <algorithm>
#include <cmath>
#include <cstring>

using namespace tmem::emulation;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// A float with the bias that IEEE has, and its infinities.
static double decodeFloat(uint32_t bits, int exponentBits, int mantissaBits) {
  int bias = (1 << (exponentBits - 1)) - 1;
  int maxExponent = (1 << exponentBits) - 1;
  int exponent = bits >> mantissaBits & maxExponent;
  uint64_t mantissa = bits & ((1u << mantissaBits) - 1);
  uint64_t sign = bits >> (exponentBits + mantissaBits) & 1;
  if (exponent == 0) {
    double size = std::ldexp(double(mantissa), 1 - bias - mantissaBits);
    return sign ? -size : size;
  }
  uint64_t wide = exponent == maxExponent ? 0x7ff : exponent - bias + 1023;
  uint64_t result = sign << 63 | wide << 52 | mantissa << (52 - mantissaBits);
  double value;
  memcpy(&value, &result, sizeof(value));
  return value;
}

/// E4M3 has no infinity, and one NaN of each sign.
static double decodeE4M3(uint32_t bits) {
  if ((bits & 0x7f) == 0x7f)
    return NAN;
  if ((bits & 0x78) != 0x78)
    return decodeFloat(bits, 4, 3);
  double value = std::ldexp((bits & 7) + 8, 8 - 3);
  return bits & 0x80 ? -value : value;
}

static double decodeSingle(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

static double decode(Element element, uint32_t bits) {
  switch (element) {
  case Element::F16:
    return decodeFloat(bits & 0xffff, 5, 10);
  case Element::BF16:
    return decodeSingle(bits << 16);
  case Element::TF32:
    // Its low 13 bits are no part of the number.
    return decodeSingle(bits & ~0x1fffu);
  case Element::E4M3:
    return decodeE4M3(bits & 0xff);
  case Element::E5M2:
    return decodeFloat(bits & 0xff, 5, 2);
  case Element::U8:
    return bits & 0xff;
  case Element::S8:
    return int8_t(bits);
  case Element::F32:
    return decodeSingle(bits);
  case Element::S32:
    return int32_t(bits);
  }
  return 0;
}

/// Rounded to nearest even; there is one NaN.
static uint32_t encodeHalf(double value) {
  if (std::isnan(value))
    return 0x7fff;
  uint32_t sign = std::signbit(value) ? 0x8000 : 0;
  double size = std::fabs(value);
  if (size < std::ldexp(1.0, -14))
    return sign | uint32_t(std::nearbyint(std::ldexp(size, 24)));
  if (size >= 65520)
    return sign | 0x7c00;
  int exponent = std::ilogb(size);
  // A mantissa that rounds up to 2048 carries into the exponent.
  uint32_t mantissa = std::nearbyint(std::ldexp(size, 10 - exponent));
  return sign | (uint32_t(exponent + 14) * 1024 + mantissa);
}

static uint32_t encodeSingle(double value) {
  if (std::isnan(value))
    return 0x7fffffff;
  float rounded = value;
  uint32_t bits;
  memcpy(&bits, &rounded, sizeof(bits));
  return bits;
}

static uint32_t encodeInteger(double value, bool saturates) {
  if (saturates)
    value = std::min(std::max(value, double(INT32_MIN)), double(INT32_MAX));
  return int64_t(value);
}

static uint32_t encode(const Instruction &instruction, double value) {
  switch (instruction.d) {
  case Element::F16:
    return encodeHalf(value);
  case Element::S32:
    return encodeInteger(value, instruction.saturates);
  default:
    return encodeSingle(value);
  }
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

namespace {

/// One tcgen05.mma.
struct Product {
  Instruction instruction;
  bool isTensorA, accumulates;
  uint32_t scale; ///< D is multiplied by 2^-scale.
  SharedMatrix a, b;
  Region d, tensorA;
  const Thread *thread;
  const Site *site;
};

/// 32-bit columns of a matrix A in Tensor Memory: 32 bytes of each row.
constexpr uint32_t columnsOfA = 8;

} // namespace

/// Lanes of M rows (PTX ISA, "Data Path Layout Organization", layouts D and F).
static uint32_t getLane(uint32_t groups, uint32_t m, uint32_t row) {
  if (m == 128)
    return row;
  return row / 16 * 32 + getLowest(groups) * 16 + row % 16;
}

/// Calls `fn(address)` for each chunk of 16 bytes of a matrix with `rows` rows
/// of 32 bytes, or, MN-major, of as many bits.
template <typename Fn>
static void forEachChunk(const SharedMatrix &matrix, bool isMNMajor,
                         uint32_t rows, uint32_t k, Fn fn) {
  if (isMNMajor) {
    uint32_t perChunk = 128 * k / 256;
    for (uint32_t chunk = 0; chunk < rows / perChunk; ++chunk)
      for (uint32_t column = 0; column < k; ++column)
        fn(matrix.getMNMajor(chunk, column));
    return;
  }
  for (uint32_t row = 0; row < rows; ++row)
    for (uint32_t chunk = 0; chunk < 2; ++chunk)
      fn(matrix.getKMajor(row, chunk));
}

/// Row `row`, column `k` of an operand in shared memory.
static double readShared(const Cta &cta, const SharedMatrix &matrix,
                         bool isMNMajor, Element element, uint32_t row,
                         uint32_t k) {
  uint32_t bytes = getNumBits(element) / 8, perChunk = 16 / bytes;
  uint32_t inner = isMNMajor ? row : k;
  uint32_t chunk = isMNMajor ? matrix.getMNMajor(row / perChunk, k)
                             : matrix.getKMajor(row, k / perChunk);
  uint32_t bits = 0;
  memcpy(&bits,
         reinterpret_cast<const uint8_t *>(cta.sharedBegin) + chunk +
             inner % perChunk * bytes,
         bytes);
  return decode(element, bits);
}

static double readTensor(Cta &cta, const Product &product, uint32_t row,
                         uint32_t k) {
  uint32_t numBits = getNumBits(product.instruction.a), perCell = 32 / numBits;
  uint32_t lane = getLane(product.tensorA.groups, product.instruction.m, row);
  uint32_t cell =
      *cta.tensor.getCell(lane, product.tensorA.columnBegin + k / perCell);
  return decode(product.instruction.a, cell >> k % perCell * numBits);
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

static void checkWritten(Cta &cta, const Product &product, const Region &region,
                         bool high, const char *what) {
  region.forEachBox([&](const Box &box) {
    auto missing = cta.tensor.findUnwritten(box, high);
    if (missing)
      fault(*product.thread, product.site,
            format("the cell at lane %u, column %u, of %s, was never written",
                   missing->lane, missing->column, what));
  });
}

/// A as m rows of k, B as k rows of n.
static void readOperands(Cta &cta, const Product &product,
                         std::vector<double> &a, std::vector<double> &b) {
  const Instruction &i = product.instruction;
  a.resize(i.m * i.k);
  b.resize(i.k * i.n);
  for (uint32_t row = 0; row < i.m; ++row)
    for (uint32_t k = 0; k < i.k; ++k) {
      double value = product.isTensorA ? readTensor(cta, product, row, k)
                                       : readShared(cta, product.a,
                                                    i.transposesA, i.a, row, k);
      a[row * i.k + k] = i.negatesA ? -value : value;
    }
  for (uint32_t row = 0; row < i.n; ++row)
    for (uint32_t k = 0; k < i.k; ++k) {
      double value = readShared(cta, product.b, i.transposesB, i.b, row, k);
      b[k * i.n + row] = i.negatesB ? -value : value;
    }
}

/// One row of D: `a` is that of A, `b` all of B, `sum` has room for the row.
static void multiplyRow(const Product &product, const double *a,
                        const double *b, double *sum, uint32_t *cells) {
  const Instruction &i = product.instruction;
  uint32_t size = i.n;
  double factor = std::ldexp(1.0, -int(product.scale));
  for (uint32_t n = 0; n < size; ++n)
    sum[n] = product.accumulates ? factor * decode(i.d, cells[n]) : 0;
  for (uint32_t k = 0; k < i.k; ++k, b += size)
    for (uint32_t n = 0; n < size; ++n)
      sum[n] += a[k] * b[n];
  for (uint32_t n = 0; n < size; ++n)
    cells[n] = encode(i, sum[n]);
}

static void run(Cta &cta, const Product &product) {
  const Instruction &i = product.instruction;
  bool isHalf = i.d == Element::F16;
  if (product.accumulates)
    checkWritten(cta, product, product.d, /*high=*/!isHalf,
                 "the accumulator that enable-input-d adds");
  if (product.isTensorA)
    checkWritten(cta, product, product.tensorA, /*high=*/true, "matrix A");
  static thread_local std::vector<double> a, b, sum;
  readOperands(cta, product, a, b);
  sum.resize(i.n);
  for (uint32_t row = 0; row < i.m; ++row) {
    uint32_t *cells = cta.tensor.getCell(getLane(product.d.groups, i.m, row),
                                         product.d.columnBegin);
    multiplyRow(product, &a[row * i.k], b.data(), sum.data(), cells);
  }
  product.d.forEachBox(
      [&](const Box &box) { cta.tensor.markWritten(box, /*high=*/!isHalf); });
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// Where M rows of `columns` columns lie that begin at an address.
static Region getRegion(const Thread &thread, const Site *site,
                        const char *name, uint32_t address, uint32_t m,
                        uint32_t columns) {
  uint32_t lane = address >> 16, column = address & 0xffff;
  if (lane != 0 && (m != 64 || lane != 16))
    fault(thread, site,
          format("expected matrix %s with %u rows to begin at lane 0%s, but "
                 "got %s",
                 name, m, m == 64 ? " or 16" : "",
                 describeAddress(address).c_str()));
  uint32_t groups = m == 128 ? allGroups : lane == 0 ? 0x55 : 0xaa;
  return {groups, column, column + columns};
}

/// PTX ISA, "Valid Combinations of Type-Size, Major-ness and Swizzling".
static void checkMajorness(const Thread &thread, const Site *site,
                           const char *name, const SharedMatrix &matrix,
                           bool isMNMajor, Element element) {
  if (!isMNMajor)
    return;
  if (getNumBits(element) == 32)
    unsupported(thread, site,
                format("transposed matrices of 32-bit elements are not "
                       "emulated, but the instruction descriptor asks for one "
                       "(transpose %s)",
                       name));
  if (matrix.hasWideAtoms)
    fault(thread, site,
          format("expected another swizzling mode than 128 bytes with atoms of "
                 "32 (1) for the transposed matrix %s of %u-bit elements",
                 name, getNumBits(element)));
}

/// Adds what an operand reads to the sources.
static void addSources(const Thread &thread, const Site *site, const char *name,
                       const SharedMatrix &matrix, bool isMNMajor,
                       uint32_t rows, uint32_t k,
                       std::vector<ByteRange> &sources) {
  const Cta &cta = *thread.cta;
  forEachChunk(matrix, isMNMajor, rows, k, [&](uint32_t begin) {
    if (begin + 16 > cta.sharedBytes)
      fault(thread, site,
            format("out of bounds: matrix %s reaches offset %u of shared "
                   "memory, of which the block has %llu bytes",
                   name, begin + 15,
                   static_cast<unsigned long long>(cta.sharedBytes)));
    if (!sources.empty() && sources.back().end == begin)
      sources.back().end += 16;
    else
      sources.push_back({begin, begin + 16});
  });
}

static void checkScale(const Thread &thread, const Site *site, uint32_t kind,
                       uint32_t scale) {
  if (scale == 0)
    return;
  if (kind != TMemEmuMmaF16 && kind != TMemEmuMmaTF32)
    fault(thread, site,
          "expected scale-input-d with .kind::f16 or .kind::tf32 only");
  if (scale > 15)
    fault(thread, site,
          format("expected scale-input-d from 0 to 15, but got %u", scale));
}

static Product makeProduct(const Thread &thread, const Site *site,
                           uint32_t kind, uint32_t flags, uint32_t d,
                           uint64_t a, uint64_t b, uint32_t instruction,
                           TensorOp &op) {
  Product product = Product();
  product.thread = &thread;
  product.site = site;
  Instruction &i = product.instruction;
  i = decodeInstruction(thread, site, kind, instruction);
  product.isTensorA = flags & TMemEmuMmaTensorA;
  product.d = getRegion(thread, site, "D", d, i.m, i.n);
  checkAllocated(thread, site, "matrix D", product.d);
  if (product.isTensorA) {
    if (i.transposesA)
      fault(thread, site,
            "expected zero as transpose A (bit 15) of the instruction "
            "descriptor with a matrix A in Tensor Memory, but got 1");
    product.tensorA = getRegion(thread, site, "A", a, i.m, columnsOfA);
    checkAllocated(thread, site, "matrix A", product.tensorA);
    if (product.tensorA.groups != product.d.groups)
      fault(thread, site,
            "expected matrices A and D to begin at the same lane");
  } else {
    product.a = decodeMatrix(thread, site, "A", a);
    checkMajorness(thread, site, "A", product.a, i.transposesA, i.a);
    addSources(thread, site, "A", product.a, i.transposesA, i.m, i.k,
               op.sources);
  }
  product.b = decodeMatrix(thread, site, "B", b);
  checkMajorness(thread, site, "B", product.b, i.transposesB, i.b);
  addSources(thread, site, "B", product.b, i.transposesB, i.n, i.k, op.sources);
  mergeSources(op.sources);
  return product;
}

void tmemEmuMma(TMemEmuThread *t, const TMemEmuSite *site, uint32_t kind,
                uint32_t flags, uint32_t d, uint64_t a, uint64_t b,
                uint32_t instruction, uint32_t accumulate, uint32_t scale) {
  Thread &thread = getThread(t);
  checkTensorGroup(thread, site, flags);
  checkScale(thread, site, kind, scale);
  TensorOp op = TensorOp();
  op.kind = TensorOp::Mma;
  op.site = site;
  op.thread = &thread;
  Product product =
      makeProduct(thread, site, kind, flags, d, a, b, instruction, op);
  product.accumulates = accumulate & 1;
  product.scale = scale;
  op.write = product.d;
  // The accumulator first: see isPipelined.
  op.reads[op.numReads++] = product.d;
  if (product.isTensorA)
    op.reads[op.numReads++] = product.tensorA;
  const Instruction &i = product.instruction;
  op.shape = uint64_t(kind) << 32 | i.m << 16 | i.n;
  op.run = [product](Cta &cta) { run(cta, product); };
  thread.cta->tensorCore.issue(std::move(op));
}
