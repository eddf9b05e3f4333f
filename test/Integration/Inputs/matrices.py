#!/usr/bin/env python3
# ===- matrices.py - What the tensor core computes -------------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Images of shared memory and Tensor Memory, before and after one instruction.

Layouts in shared memory are CuTe layouts, as the PTX ISA lists them (tcgen05, Canonical
Layouts); numbers are Python's own."""

import struct

# ===-----------------------------------------------------------------------===#
# Numbers
# ===-----------------------------------------------------------------------===#


def half(value):
    return struct.unpack("<H", struct.pack("<e", value))[0]


def single(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def tiny(value, exponent_bits, mantissa_bits):
    """The code of a number in a float of 8 bits, by search."""
    bias = 2 ** (exponent_bits - 1) - 1
    for code in range(256):
        exponent = code >> mantissa_bits & (2**exponent_bits - 1)
        mantissa = code & (2**mantissa_bits - 1)
        size = (
            mantissa * 2.0 ** (1 - bias - mantissa_bits)
            if exponent == 0
            else (2**mantissa_bits + mantissa)
            * 2.0 ** (exponent - bias - mantissa_bits)
        )
        if (-size if code >> 7 else size) == value:
            return code
    raise ValueError(value)


E4M3 = {v / 4: tiny(v / 4, 4, 3) for v in range(-13, 14)}
E5M2 = {v / 4: tiny(v / 4, 5, 2) for v in [-12, -8, -7, -5, -3, -1, 0, 1, 2, 4, 6, 10]}

# Name: bits, kind, code in the instruction descriptor, value of a number from 0 on, its
# bits. No two neighbours are equal, and half of them are negative.
TYPES = {
    "f16": (16, "f16", 0, lambda i: (i % 61 - 30) / 8, half),
    "bf16": (16, "f16", 1, lambda i: (i % 61 - 30) / 4, lambda v: single(v) >> 16),
    # The low 13 bits do not count.
    "tf32": (
        32,
        "tf32",
        2,
        lambda i: (i % 509 - 254) / 16,
        lambda v: single(v) | 0x1ABC,
    ),
    "e4m3": (8, "f8f6f4", 0, lambda i: (i % 27 - 13) / 4, lambda v: E4M3[v]),
    "e5m2": (8, "f8f6f4", 1, lambda i: list(E5M2)[i % len(E5M2)], lambda v: E5M2[v]),
    "u8": (8, "i8", 0, lambda i: (i * 37) % 256, lambda v: v),
    "s8": (8, "i8", 1, lambda i: (i * 37) % 256 - 128, lambda v: v % 256),
}


def wrap(value):
    return int(value) % 2**32


def saturate(value):
    return wrap(max(-(2**31), min(2**31 - 1, value)))


RESULTS = {"f16": (0, half), "f32": (1, single), "s32": (2, wrap)}

# ===-----------------------------------------------------------------------===#
# Layouts
# ===-----------------------------------------------------------------------===#


def place(modes, index):
    """Where a CuTe layout puts an index: the first mode is the fastest."""
    offset = 0
    for extent, stride in modes:
        offset += index % extent * stride
        index //= extent
    return offset


def swizzle(bits, base, shift, offset):
    """CuTe's Swizzle<bits, base, shift>."""
    mask = (2**bits - 1) << (base + shift)
    return offset ^ ((offset & mask) >> shift)


# Mode in the descriptor, bytes of a row, parameters of the swizzle.
SWIZZLES = {
    "none": (0, 16, (0, 4, 3)),
    "32": (6, 32, (1, 4, 3)),
    "64": (4, 64, (2, 4, 3)),
    "128": (2, 128, (3, 4, 3)),
    "128-32": (1, 128, (2, 5, 2)),
}


class Matrix:
    """A matrix in shared memory: rows of 32 bytes, or MN-major as many columns."""

    def __init__(self, swizzle="none", mn=False, start=0, lbo=0, sbo=0):
        self.mode, self.row, self.swizzle = SWIZZLES[swizzle]
        self.mn, self.start, self.lbo, self.sbo = mn, start, lbo, sbo

    def descriptor(self):
        return (
            self.start >> 4
            | self.lbo >> 4 << 16
            | self.sbo >> 4 << 32
            | 1 << 46
            | self.mode << 61
        )

    def offset(self, mn, k, bits):
        t, size, many = 128 // bits, bits // 8, 4096
        if not self.mn:
            rows = [(8, self.row), (many, self.sbo)]
            columns = [(t, size), (many, self.lbo if self.row == 16 else 16)]
        elif self.row == 16:
            rows = [(t, size), (many, self.sbo)]
            columns = [(8, 16), (many, self.lbo)]
        else:
            rows = [(t, size), (self.row // 16, 16), (many, self.lbo)]
            columns = [(8, self.row), (many, self.sbo)]
        return swizzle(*self.swizzle, self.start + place(rows, mn) + place(columns, k))


def put(image, offset, bits, code):
    end = offset + bits // 8
    if len(image) < end:
        image.extend(b"\xa5" * (end - len(image)))
    image[offset:end] = code.to_bytes(bits // 8, "little")


# ===-----------------------------------------------------------------------===#
# Cases
# ===-----------------------------------------------------------------------===#

LANES = 128


class Case:
    """Images before, Tensor Memory after, and the call between them."""

    def __init__(self, name, columns):
        self.name, self.columns = name, columns
        self.shared = bytearray()
        # Every cell is unlike its neighbours, and no small number.
        self.before = [
            [0x80000000 + 0x9E3779B1 * (lane * 512 + c) % 2**31 for c in range(columns)]
            for lane in range(LANES)
        ]
        self.packed = False
        self.arguments = (0, 0, 0, False, 0, 0)

    def finish(self):
        if self.packed:  # Cells go in pairs, their low halves alone.
            self.after = [
                [
                    row[c] & 0xFFFF | row[c + 1] << 16 & 0xFFFF0000
                    for c in range(0, len(row), 2)
                ]
                for row in self.after
            ]
        while len(self.shared) % 4:
            self.shared.append(0)


def lane_of(row, m, upper):
    """Layouts D and F."""
    return row if m == 128 else 32 * (row // 16) + 16 * upper + row % 16


class Mma(Case):
    def __init__(
        self,
        name,
        m,
        n,
        a,
        b,
        types,
        result="f32",
        accumulate=False,
        scale=0,
        negate=(0, 0),
        saturates=False,
        upper=0,
        tensor_a=False,
        column=0,
    ):
        super().__init__(
            f"{name} m{m} n{n} {types[0]} {types[1]} {result}",
            (column + n + 8 + 31) // 32 * 32,
        )
        bits, kind, code_a, value_a, bits_a = TYPES[types[0]]
        _, _, code_b, value_b, bits_b = TYPES[types[1]]
        k = 256 // bits
        code_d, encode = RESULTS[result]
        encode = saturate if saturates else encode
        values_a = [
            [value_a(5 + row * 7 + x * 11) for x in range(k)] for row in range(m)
        ]
        values_b = [
            [value_b(3 + row * 13 + x * 5) for x in range(k)] for row in range(n)
        ]
        first_a = column + n
        for row in range(m):
            for x in range(k):
                code = bits_a(values_a[row][x])
                if not tensor_a:
                    put(self.shared, a.offset(row, x, bits), bits, code)
                    continue
                per = 32 // bits
                cell = first_a + x // per
                lane, shift = lane_of(row, m, upper), x % per * bits
                keep = self.before[lane][cell] & ~((2**bits - 1) << shift)
                self.before[lane][cell] = keep | code << shift
        for row in range(n):
            for x in range(k):
                put(self.shared, b.offset(row, x, bits), bits, bits_b(values_b[row][x]))
        start = lambda i, j: (i * 17 + j * 29) % 255 - 127
        if result == "s32":
            start = lambda i, j: (
                2**31 - 1 - i * n - j if i % 2 else -(2**31) + i * n + j
            )
        if result == "f16":
            start = lambda i, j: float((i * 17 + j * 29) % 4001 - 2000)
        self.after = [list(row) for row in self.before]
        for i in range(m):
            for j in range(n):
                lane, cell = lane_of(i, m, upper), column + j
                d = start(i, j)
                code = encode(d)
                if result == "f16":  # What stands above it does not count.
                    code |= 0x7E000000
                self.before[lane][cell] = code
                total = d / 2**scale if accumulate else 0
                for x in range(k):
                    product = values_a[i][x] * values_b[j][x]
                    total += -product if negate[0] != negate[1] else product
                self.after[lane][cell] = encode(total)
        for i in range(m) if tensor_a else []:
            lane = lane_of(i, m, upper)
            self.after[lane][first_a : first_a + 8] = self.before[lane][
                first_a : first_a + 8
            ]
        idesc = (
            saturates << 3
            | code_d << 4
            | code_a << 7
            | code_b << 10
            | negate[0] << 13
            | negate[1] << 14
            | (not tensor_a and a.mn) << 15
            | b.mn << 16
            | n >> 3 << 17
            | m >> 4 << 24
        )
        self.packed = result == "f16"
        lane = 16 * upper << 16
        self.kernel = f"mma_{kind}{'_tensor' if tensor_a else ''}{f'_scale{scale}' if scale else ''}"
        self.kind, self.scale, self.tensor_a = kind, scale, tensor_a
        self.arguments = (
            0 if tensor_a else a.descriptor(),
            b.descriptor(),
            idesc,
            accumulate,
            lane | column,
            lane | first_a,
        )
        self.finish()


SHAPES = {
    "128x256b": (128, 2, [0, 32, 64, 96]),
    "128x128b": (128, 1, [0, 32, 64, 96]),
    "64x128b.warpx2::02_13": (64, 1, [0, 32, 0, 32]),
    "64x128b.warpx2::01_23": (64, 1, [0, 0, 32, 32]),
    "32x128b.warpx4": (32, 1, [0, 0, 0, 0]),
}


class Copy(Case):
    def __init__(self, shape, source, column):
        super().__init__(f"cp {shape}", 32)
        rows, chunks, firsts = SHAPES[shape]
        word = lambda row, w: 0x90000000 + row * 64 + w
        for row in range(rows):
            for w in range(4 * chunks):
                put(self.shared, source.offset(row, w, 32), 32, word(row, w))
        self.after = [list(row) for row in self.before]
        for lane in range(LANES):
            for w in range(4 * chunks):
                self.after[lane][column + w] = word(firsts[lane // 32] + lane % 32, w)
        self.shape = shape
        self.kernel = "cp_" + shape.replace(".", "_").replace("::", "_")
        self.arguments = (source.descriptor(), 0, 0, False, column, 0)
        self.finish()


class Shift(Case):
    def __init__(self, column):
        super().__init__(f"shift at column {column}", 32)
        self.after = [list(row) for row in self.before]
        for lane in range(LANES):
            if lane % 32 != 31:
                self.after[lane][column : column + 8] = self.before[lane + 1][
                    column : column + 8
                ]
        self.kernel = "shift"
        self.arguments = (0, 0, 0, False, column, 0)
        self.finish()


def make_cases():
    """One-sided: strides and layouts of A and B differ wherever they can."""
    a, b = Matrix(lbo=128, sbo=256), Matrix(start=8192, lbo=2048, sbo=128)
    wide_a, wide_b = Matrix(lbo=2064, sbo=128), Matrix(start=8192, lbo=4112, sbo=144)
    f16 = ("f16", "f16")
    yield Mma("plain", 128, 16, a, b, f16)
    yield Mma(
        "plain", 128, 256, wide_a, Matrix(start=8192, lbo=128, sbo=288), f16, column=3
    )
    yield Mma("plain", 64, 8, a, b, f16, column=5)
    yield Mma("plain", 64, 40, wide_a, wide_b, f16, upper=1)
    yield Mma("add", 128, 32, a, b, f16, accumulate=True)
    yield Mma("add", 64, 16, a, b, f16, accumulate=True, upper=1, column=9)
    yield Mma("scale", 128, 16, a, b, f16, accumulate=True, scale=3)
    yield Mma("negate a", 128, 16, a, b, f16, negate=(1, 0))
    yield Mma(
        "negate b", 128, 16, a, b, ("bf16", "bf16"), negate=(0, 1), accumulate=True
    )
    yield Mma("negate both", 128, 16, a, b, f16, negate=(1, 1))
    yield Mma("mixed", 128, 16, a, b, ("bf16", "f16"))
    yield Mma("half", 128, 32, a, b, f16, result="f16")
    yield Mma("half add", 64, 16, a, b, f16, result="f16", accumulate=True, upper=1)
    for name in ["32", "64", "128", "128-32"]:
        row = SWIZZLES[name][1]
        left = Matrix(name, sbo=8 * row)
        right = Matrix(name, start=16384, sbo=16 * row)
        yield Mma(
            f"swizzle {name} a",
            128,
            16,
            left,
            Matrix(start=16384, lbo=128, sbo=256),
            f16,
        )
        yield Mma(f"swizzle {name} b", 64, 32, a, right, f16)
        if row >= 64:  # The second 32 bytes of each row.
            left = Matrix(name, start=32, sbo=8 * row)
            yield Mma(f"swizzle {name} a behind", 128, 16, left, right, f16)
    for name in ["none", "32", "64", "128"]:
        row = SWIZZLES[name][1]
        strides = (
            {"lbo": 2048, "sbo": 128}
            if name == "none"
            else {"lbo": 16 * row, "sbo": 8 * row}
        )
        left = Matrix(name, mn=True, **strides)
        right = Matrix(name, mn=True, start=32768, **strides)
        yield Mma(
            f"transposed {name} a",
            128,
            16,
            left,
            Matrix(start=32768, lbo=128, sbo=256),
            f16,
        )
        yield Mma(f"transposed {name} b", 64, 64, a, right, f16)
        # Four groups of columns.
        strides["lbo" if name == "none" else "sbo"] = 4096
        left = Matrix(name, mn=True, **strides)
        yield Mma(
            f"transposed {name} a",
            128,
            32,
            left,
            Matrix(start=32768, lbo=128, sbo=256),
            ("s8", "u8"),
            result="s32",
        )
    yield Mma("plain", 128, 32, a, b, ("tf32", "tf32"), accumulate=True)
    yield Mma("scale", 64, 16, a, b, ("tf32", "tf32"), accumulate=True, scale=5)
    yield Mma("plain", 128, 16, a, b, ("e4m3", "e5m2"))
    yield Mma("plain", 64, 24, a, b, ("e5m2", "e4m3"), accumulate=True)
    yield Mma("half", 128, 16, a, b, ("e4m3", "e4m3"), result="f16")
    yield Mma("wrap", 128, 16, a, b, ("u8", "s8"), result="s32", accumulate=True)
    yield Mma(
        "saturate",
        64,
        16,
        a,
        b,
        ("s8", "s8"),
        result="s32",
        accumulate=True,
        saturates=True,
    )
    yield Mma("a in tmem", 128, 16, a, b, f16, tensor_a=True)
    yield Mma("a in tmem", 64, 16, a, b, f16, tensor_a=True, upper=1, accumulate=True)
    yield Mma("a in tmem", 128, 16, a, b, ("s8", "u8"), result="s32", tensor_a=True)
    yield Mma("a in tmem", 128, 16, a, b, ("tf32", "tf32"), tensor_a=True)
    yield Mma("a in tmem", 64, 16, a, b, ("e4m3", "e5m2"), tensor_a=True)
    yield Copy("128x256b", Matrix(lbo=2048, sbo=128), 4)
    yield Copy("128x256b", Matrix("64", start=512, sbo=512), 0)
    yield Copy("128x128b", Matrix(sbo=256), 8)
    yield Copy("64x128b.warpx2::02_13", Matrix(sbo=128), 12)
    yield Copy("64x128b.warpx2::01_23", Matrix(sbo=128), 12)
    yield Copy("32x128b.warpx4", Matrix("32", sbo=256), 28)
    yield Shift(0)
    yield Shift(8)
