#!/usr/bin/env python3
# ===- tensor-core.py - tcgen05.mma, cp and shift, end to end --------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Prints a module in which each kernel puts an image into shared memory and one into
Tensor Memory, lets the tensor core work on them, and gives all of Tensor Memory back;
the host compares it with what this script has computed.

Layouts in shared memory are CuTe layouts, as the PTX ISA lists them (tcgen05, Canonical
Layouts); numbers are Python's own. --form says how kernels name the instructions:
operations of the nvvm dialect, calls of LLVM's intrinsics, or inline PTX."""

import argparse
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


# ===-----------------------------------------------------------------------===#
# Kernels
# ===-----------------------------------------------------------------------===#


def call_ptx(text, constraints, operands, types):
    return (
        f'llvm.inline_asm has_side_effects "{text}", "{constraints}" {operands}'
        f" : ({types}) -> ()"
    )


def emit_mma(case, form):
    number = ["f16", "tf32", "f8f6f4", "i8"].index(case.kind)
    scale = case.scale
    a = "%pa" if case.tensor_a else "%a"
    type_a = "!llvm.ptr<6>" if case.tensor_a else "i64"
    if form == "nvvm":
        scaled = " scale = %scale" if scale else ""
        return (
            f"nvvm.tcgen05.mma %pd, {a}, %b, %idesc, %acc{scaled}"
            f" {{kind = #nvvm.tcgen05_mma_kind<{case.kind}>, ctaGroup = #nvvm.cta_group<cta_1>}}"
            f" : (!llvm.ptr<6>, {type_a}, i64, i32, i1{', i64' if scale else ''})"
        )
    if form == "intrinsic":
        name = ("tensor" if case.tensor_a else "shared") + (".scale_d" if scale else "")
        return (
            f"%kind = llvm.mlir.constant({number} : i32) : i32\n"
            f"%group = llvm.mlir.constant(1 : i32) : i32\n"
            f"%use = llvm.mlir.constant(0 : i32) : i32\n"
            f'llvm.call_intrinsic "llvm.nvvm.tcgen05.mma.{name}"(%pd, {a}, %b, %idesc, %acc,'
            f' {"%scale, " if scale else ""}%kind, %group, %use)'
            f" : (!llvm.ptr<6>, {type_a}, i64, i32, i1, {'i64, ' if scale else ''}i32, i32, i32) -> ()"
        )
    left = "[$1]" if case.tensor_a else "$1"
    tail = f", {scale}" if scale else ""
    text = (
        "{ .reg .pred p; setp.ne.b32 p, $4, 0; tcgen05.mma.cta_group::1.kind::"
        f"{case.kind} [$0], {left}, $2, $3, p{tail}; }}"
    )
    return "%acc32 = arith.extui %acc : i1 to i32\n" + call_ptx(
        text,
        f"r,{'r' if case.tensor_a else 'l'},l,r,r",
        f"%dd, {'%aa' if case.tensor_a else '%a'}, %b, %idesc, %acc32",
        f"i32, {'i32' if case.tensor_a else 'i64'}, i64, i32, i32",
    )


def emit_copy(case, form):
    shape, _, multicast = case.shape.partition(".")
    if form == "nvvm":
        name = multicast.replace("::", "_") or "none"
        return (
            f"nvvm.tcgen05.cp %pd, %a {{shape = #nvvm.tcgen05_cp_shape<shape_{shape}>,"
            f" multicast = #nvvm.tcgen05_cp_multicast<{name}>}}"
        )
    if form == "intrinsic":
        name = shape + ("_" + multicast.replace("::", "_") if multicast else "")
        return (
            f'llvm.call_intrinsic "llvm.nvvm.tcgen05.cp.{name}.cg1"(%pd, %a)'
            " : (!llvm.ptr<6>, i64) -> ()"
        )
    return call_ptx(
        f"tcgen05.cp.cta_group::1.{case.shape} [$0], $1;", "r,l", "%dd, %a", "i32, i64"
    )


def emit_shift(_, form):
    if form == "nvvm":
        return "nvvm.tcgen05.shift %pd : !llvm.ptr<6>"
    if form == "intrinsic":
        return (
            'llvm.call_intrinsic "llvm.nvvm.tcgen05.shift.down.cg1"(%pd)'
            " : (!llvm.ptr<6>) -> ()"
        )
    return call_ptx("tcgen05.shift.cta_group::1.down [$0];", "r", "%dd", "i32")


COMMITS = {
    "nvvm": "nvvm.tcgen05.commit %done : !llvm.ptr<3>",
    "intrinsic": 'llvm.call_intrinsic "llvm.nvvm.tcgen05.commit.shared.cg1"(%done)'
    " : (!llvm.ptr<3>) -> ()",
    "ptx": call_ptx(
        "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$0];",
        "r",
        "%done32",
        "i32",
    ),
}

KERNEL = """
    gpu.func @NAME(%image: !words, %before: !words, %out: !words, %size: index,
                   %columns: index, %a0: i64, %b0: i64, %idesc: i32, %acc: i1, %d: i32,
                   %ta: i32)
        workgroup(%slot: memref<1xi32, #wg>, %object: memref<1xi64, #wg>,
                  %smem: memref<20480xi32, #wg>) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %c1023 = arith.constant 1023 : index
      %c1024 = arith.constant 1024 : index
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %n96 = arith.constant 96 : i32
      %n16 = arith.constant 16 : i32
      %ticks = arith.constant 1000 : i32
      %four = arith.constant 4 : i64
      %low18 = arith.constant 0x3ffff : i64
      %scale = llvm.mlir.constant(SCALE : i64) : i64
      %tid = gpu.thread_id x
      // The image begins at a multiple of 1024.
      %at = memref.extract_aligned_pointer_as_index %smem : memref<20480xi32, #wg> -> index
      %rest = arith.remui %at, %c1024 : index
      %gap = arith.subi %c1024, %rest : index
      %start = arith.addi %at, %gap : index
      %first_word = arith.divui %gap, %c4 : index
      scf.for %i = %tid to %size step %c128 {
        %word = memref.load %image[%i] : !words
        %to = arith.addi %first_word, %i : index
        memref.store %word, %smem[%to] : memref<20480xi32, #wg>
      }
      %wide = arith.index_cast %start : index to i64
      %low = arith.andi %wide, %low18 : i64
      %field = arith.shrui %low, %four : i64
      %a = arith.addi %a0, %field : i64
      %b = arith.addi %b0, %field : i64
      %i0 = memref.extract_aligned_pointer_as_index %object : memref<1xi64, #wg> -> index
      %i64 = arith.index_cast %i0 : index to i64
      %done32 = arith.index_cast %i0 : index to i32
      %done = llvm.inttoptr %i64 : i64 to !llvm.ptr<3>
      %is_first = arith.cmpi ult, %tid, %c32 : index
      %is_thread = arith.cmpi eq, %tid, %c0 : index
      scf.if %is_thread {
        nvvm.mbarrier.init %done, %one : !llvm.ptr<3>, i32
      }
      scf.if %is_first {
        tmem.alloc %slot, 512 : memref<1xi32, #wg>
      }
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      %base = memref.load %slot[%c0] : memref<1xi32, #wg>
      %thread = arith.index_cast %tid : index to i32
      %rows = arith.andi %thread, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %mine = arith.addi %base, %slab : i32
      %row = arith.muli %tid, %columns : index
      scf.for %c = %c0 to %columns step %c32 {
        %from = arith.addi %row, %c : index
        %words = vector.load %before[%from] : !words, vector<32xi32>
        %c32i = arith.index_cast %c : index to i32
        %address = arith.addi %mine, %c32i : i32
        %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
        nvvm.tcgen05.st %p, %words {shape = #s} : vector<32xi32>
      }
      nvvm.tcgen05.wait <store>
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      scf.if %is_thread {
        %dd = arith.addi %base, %d : i32
        %aa = arith.addi %base, %ta : i32
        %pd = llvm.inttoptr %dd : i32 to !llvm.ptr<6>
        %pa = llvm.inttoptr %aa : i32 to !llvm.ptr<6>
        CALL
        COMMIT
      }
      nvvm.mbarrier.try_wait.parity %done, %zero, %ticks : !llvm.ptr<3>, i32, i32
      nvvm.tcgen05.fence <after>
      DUMP
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      scf.if %is_first {
        tmem.dealloc %base, 512
      }
      gpu.return
    }"""

DUMP = """scf.for %c = %c0 to %columns step %c32 {
        %to = arith.addi %row, %c : index
        %c32i = arith.index_cast %c : index to i32
        %address = arith.addi %mine, %c32i : i32
        %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
        %words = nvvm.tcgen05.ld %p {shape = #s} : vector<32xi32>
        nvvm.tcgen05.wait <load>
        vector.store %words, %out[%to] : !words, vector<32xi32>
      }"""

PACKED_DUMP = """%c2 = arith.constant 2 : index
      %half_row = arith.divui %row, %c2 : index
      scf.for %c = %c0 to %columns step %c32 {
        %half = arith.divui %c, %c2 : index
        %to = arith.addi %half_row, %half : index
        %c32i = arith.index_cast %c : index to i32
        %address = arith.addi %mine, %c32i : i32
        %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
        %words = nvvm.tcgen05.ld %p pack {shape = #s} : vector<16xi32>
        nvvm.tcgen05.wait <load>
        vector.store %words, %out[%to] : !words, vector<16xi32>
      }"""

EMIT = {Mma: emit_mma, Copy: emit_copy, Shift: emit_shift}


def get_name(case):
    return case.kernel + ("_packed" if case.packed else "")


def make_kernel(case, form):
    call = EMIT[type(case)](case, form)
    return (
        KERNEL.replace("NAME", get_name(case))
        .replace("CALL", call)
        .replace("COMMIT", COMMITS[form])
        .replace("DUMP", PACKED_DUMP if case.packed else DUMP)
        .replace("SCALE", str(getattr(case, "scale", 0)))
    )


def print_global(name, data):
    size = len(data) // 4
    print(
        f'  memref.global "private" constant @{name} : memref<{size}xi32> ='
        f' dense<"0x{bytes(data).hex()}">'
    )


def flatten(rows):
    return b"".join(struct.pack(f"<{len(row)}I", *row) for row in rows)


def print_case(number, case):
    sizes = [len(case.shared) // 4, LANES * case.columns, LANES * len(case.after[0])]
    names = ["shared", "before", "after"]
    for name, size in zip(names, sizes):
        print(
            f"    %{name}{number} = memref.get_global @{name}{number} : memref<{size}xi32>"
        )
        print(
            f"    %d{name}{number} = memref.cast %{name}{number} : memref<{size}xi32> to !words"
        )
    a, b, idesc, accumulate, d, ta = case.arguments
    a -= 2**64 if a >= 2**63 else 0
    b -= 2**64 if b >= 2**63 else 0
    print(f"""    %name{number} = arith.constant {sizes[2]} : index
    %out{number} = memref.alloc(%name{number}) : !words
    memref.copy %dafter{number}, %out{number} : !words to !words
    func.call @spoil(%out{number}) : (!words) -> ()
    %size{number} = arith.constant {sizes[0]} : index
    %columns{number} = arith.constant {case.columns} : index
    %a{number} = arith.constant {a} : i64
    %b{number} = arith.constant {b} : i64
    %i{number} = arith.constant {idesc} : i32
    %acc{number} = arith.constant {"true" if accumulate else "false"}
    %p{number} = arith.constant {d} : i32
    %t{number} = arith.constant {ta} : i32
    gpu.launch_func @kernels::@{get_name(case)} blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%dshared{number} : !words,
        %dbefore{number} : !words, %out{number} : !words, %size{number} : index,
        %columns{number} : index, %a{number} : i64, %b{number} : i64, %i{number} : i32,
        %acc{number} : i1, %p{number} : i32, %t{number} : i32)
    vector.print str "{case.name}: {sizes[2]} words, wrong: "
    func.call @compare(%out{number}, %dafter{number}) : (!words, !words) -> ()
    memref.dealloc %out{number} : !words""")


HOST = """
  // No result is there before the kernel has run.
  func.func @spoil(%out: !words) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1 : i32
    %size = memref.dim %out, %c0 : !words
    scf.for %i = %c0 to %size step %c1 {
      %word = memref.load %out[%i] : !words
      %other = arith.xori %word, %one : i32
      memref.store %other, %out[%i] : !words
    }
    return
  }
  func.func @compare(%out: !words, %after: !words) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %size = memref.dim %out, %c0 : !words
    %wrong = scf.for %i = %c0 to %size step %c1 iter_args(%sum = %c0) -> index {
      %word = memref.load %out[%i] : !words
      %expected = memref.load %after[%i] : !words
      %differs = arith.cmpi ne, %word, %expected : i32
      %more = arith.addi %sum, %c1 : index
      %next = arith.select %differs, %more, %sum : index
      scf.yield %next : index
    }
    vector.print %wrong : index
    return
  }"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--form", choices=COMMITS, default="nvvm")
    parser.add_argument("--only", help="cases whose name begins so")
    options = parser.parse_args()
    cases = [c for c in make_cases() if c.name.startswith(options.only or "")]
    kernels = {get_name(case): make_kernel(case, options.form) for case in cases}
    print("""#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
#wg = #gpu.address_space<workgroup>
!words = memref<?xi32>
module attributes {gpu.container_module} {
  gpu.module @kernels {""" + "".join(kernels.values()) + "\n  }")
    for number, case in enumerate(cases):
        print_global(f"shared{number}", case.shared or b"\0\0\0\0")
        print_global(f"before{number}", flatten(case.before))
        print_global(f"after{number}", flatten(case.after))
    print(HOST)
    print("""  func.func @main() {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index""")
    for number, case in enumerate(cases):
        case.shared = case.shared or bytearray(4)
        print_case(number, case)
    print("    return\n  }\n}")


main()
