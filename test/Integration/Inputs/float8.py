#!/usr/bin/env python3
# ===- float8.py - Numbers that are hard to round to 8 bits ---------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""float8.py input > IN; float8.py check IN OUT

IN has 4096 f32, OUT what they are as e4m3, then as e5m2, with saturation. (PTX ISA,
"cvt": .rn.satfinite.)"""

import bisect
import math
import random
import struct
import sys
from fractions import Fraction

COUNT = 4096


def decode(mantissa_bits, bias, number):
    """A number of the format without its sign."""
    exponent, mantissa = divmod(number, 1 << mantissa_bits)
    if exponent == 0:
        return Fraction(mantissa, 1 << mantissa_bits) * Fraction(2) ** (1 - bias)
    significand = 1 + Fraction(mantissa, 1 << mantissa_bits)
    return significand * Fraction(2) ** (exponent - bias)


# The largest finite number of e4m3 is 0x7e, of e5m2 0x7b.
E4M3 = [decode(3, 7, n) for n in range(0x7F)]
E5M2 = [decode(2, 15, n) for n in range(0x7C)]


def narrow(format, value):
    if math.isnan(value):
        return 0x7F
    sign = 0x80 if math.copysign(1, value) < 0 else 0
    if abs(value) >= format[-1]:
        return sign | len(format) - 1
    size = Fraction(abs(value))
    above = bisect.bisect_left(format, size)
    if format[above] == size:
        return sign | above
    low, high = size - format[above - 1], format[above] - size
    if low == high:
        return sign | above - above % 2
    return sign | (above if high < low else above - 1)


def to_single(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def neighbours(value):
    """An f32 and those before and after it."""
    (bits,) = struct.unpack("<I", struct.pack("<f", value))
    for other in bits - 1, bits, bits + 1:
        yield struct.unpack("<f", struct.pack("<I", other & 0xFFFFFFFF))[0]


def make_numbers():
    numbers = [0.0, -0.0, math.inf, -math.inf, math.nan, 1e-45, -1e-45, 3.4e38]
    for format in E4M3, E5M2:
        for low, high in zip(format, format[1:]):
            numbers += [float(high), -float(low)]
            for value in neighbours(float((low + high) / 2)):
                numbers += [value, -value]
        numbers += [float(format[-1]) * factor for factor in (1.01, 1.0625, -1.125, 2)]
    drawn = random.Random(8)
    while len(numbers) < COUNT:
        numbers.append(drawn.gauss(0, 1) * 2.0 ** drawn.randint(-20, 18))
    drawn.shuffle(numbers)
    return [to_single(number) for number in numbers]


def main():
    if sys.argv[1] == "input":
        sys.stdout.buffer.write(struct.pack(f"<{COUNT}f", *make_numbers()))
        return 0
    with open(sys.argv[2], "rb") as file:
        numbers = struct.unpack(f"<{COUNT}f", file.read())
    with open(sys.argv[3], "rb") as file:
        got = file.read()
    wrong = 0
    for first, format in (0, E4M3), (COUNT, E5M2):
        for value, byte in zip(numbers, got[first:], strict=False):
            expected = narrow(format, value)
            if byte != expected:
                wrong += 1
                if wrong <= 10:
                    print(f"{value!r}: expected {expected:#x}, but got {byte:#x}")
    print(f"{len(got)} compared, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
