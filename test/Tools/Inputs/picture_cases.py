# ===- picture_cases.py - Where elements are, told once more ---------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Transfers with the places of every element, from the PTX ISA's tables and by
hand: shares nothing with the renderer. A place in TMEM is (lane, column, bit),
one in registers (warp, lane, register, bit)."""

import dataclasses
import itertools
import math
from typing import Callable


@dataclasses.dataclass
class Case:
    options: list
    shape: tuple
    # Of an index of the tile; without a function there is no such side.
    memory: Callable | None
    registers: Callable | None
    issue: Callable | None = None
    instructions: tuple = ()
    bits: int = 32
    # The first and the last TMEM lane and column that are shown.
    lanes: tuple = (0, 127)
    columns: tuple = (0, 0)
    warps: tuple = (0, 1, 2, 3)
    words: int = 0

    def elements(self):
        return itertools.product(*map(range, self.shape))

    def number(self, index):
        return sum(
            digit * math.prod(self.shape[position + 1 :])
            for position, digit in enumerate(index)
        )


def thread(tid, register, bit=0):
    return (tid // 32, tid % 32, register, bit)


def ld(name):
    return f"tcgen05.ld.sync.aligned.{name}.b32"


def image_16x64b(row, column):
    """(lane, register) of a cell within one access: PTX ISA, .16x64b."""
    return row % 8 * 4 + row // 8 + column % 2 * 2, column // 2


def image_16x256b(row, column):
    """(lane, register) of a cell within one access: PTX ISA, .16x256b."""
    return row % 8 * 4 + column % 8 // 2, column % 2 + row // 8 * 2 + column // 8 * 4


def registers_16x64b(i, _j):
    lane, register = image_16x64b(i % 16, _j)
    return (i // 16, lane, register, 0)


def registers_16x256b(i, j):
    """Two halves of a slab, one instruction each."""
    lane, register = image_16x256b(i % 16, j)
    return (i // 32, lane, i % 32 // 16 * 64 + register, 0)


CASES = {
    "warp": Case(
        ["--memory=(32, 4) : (1@tlane, 1@tcol) + (64@tlane, 8@tcol)"]
        + ["--tile=32x4xf32", "--scope=warp 2"],
        (32, 4),
        lambda i, j: (64 + i, 8 + j, 0),
        lambda i, j: (2, i, j, 0),
        lambda i, j: 0,
        (ld("32x32b.x4"),),
        lanes=(64, 95),
        columns=(8, 11),
        warps=(2,),
        words=4,
    ),
    "B": Case(
        ["--datapath=B", "--tile=64x128xf32"],
        (64, 128),
        lambda i, j: (i + 64 * (j // 64), j % 64, 0),
        lambda i, j: thread(i + 64 * (j // 64), j % 64),
        lambda i, j: 0,
        (ld("32x32b.x64"),),
        columns=(0, 63),
        words=64,
    ),
    "F": Case(
        ["--datapath=F", "--half=1", "--tile=64x32xf32", "--atoms=16x64b"],
        (64, 32),
        lambda i, j: (32 * (i // 16) + 16 + i % 16, j, 0),
        registers_16x64b,
        lambda i, j: 0,
        (ld("16x64b.x16"),),
        columns=(0, 31),
        words=16,
    ),
    "96": Case(
        ["--datapath=D", "--tile=128x96xf32"],
        (128, 96),
        lambda i, j: (i, j, 0),
        thread,
        lambda i, j: j // 64,
        (ld("32x32b.x64"), ld("32x32b.x32")),
        columns=(0, 95),
        words=96,
    ),
    "16x256b": Case(
        ["--datapath=D", "--tile=128x128xf32", "--atoms=16x256b"],
        (128, 128),
        lambda i, j: (i, j, 0),
        registers_16x256b,
        lambda i, j: i % 32 // 16,
        (ld("16x256b.x16"), ld("16x256b.x16")),
        columns=(0, 127),
        words=128,
    ),
    "packed": Case(
        ["--datapath=D", "--tile=128x8xf16"],
        (128, 8),
        lambda i, j: (i, j, 0),
        lambda i, j: thread(i, j // 2, j % 2 * 16),
        lambda i, j: 0,
        (ld("32x32b.x4.pack::16b"),),
        bits=16,
        columns=(0, 7),
        words=4,
    ),
    "unpacked": Case(
        ["--datapath=D", "--tile=128x8xf16", "--direction=store"],
        (128, 8),
        lambda i, j: (i, j, 0),
        lambda i, j: thread(i, j // 2, j % 2 * 16),
        lambda i, j: 0,
        ("tcgen05.st.sync.aligned.32x32b.x4.unpack::16b.b32",),
        bits=16,
        columns=(0, 7),
        words=4,
    ),
    "split": Case(
        ["--memory=(4, 16, 8) : (32@tlane, 1@tlane, 1@tcol)"]
        + ["--second-memory=(4, 16, 8) : (32@tlane, 1@tlane, 1@tcol)"
           " + (16@tlane, 40@tcol)"]
        + ["--tile=2x64x8xf32"],
        (2, 64, 8),
        lambda h, i, j: (32 * (i // 16) + i % 16 + 16 * h, j + 40 * h, 0),
        lambda h, i, j: (i // 16, 16 * h + i % 16, j, 0),
        lambda h, i, j: 0,
        (ld("16x32bx2.x8"),),
        columns=(0, 47),
        words=8,
    ),
    "dense": Case(
        ["--memory=(2, 64, 12) : (64@tlane, 1@tlane, 1@tcol)"]
        + ["--tile=2x64x12xbf16", "--atoms=32x32b"],
        (2, 64, 12),
        lambda b, i, j: (64 * b + i, j // 2, j % 2 * 16),
        lambda b, i, j: thread(64 * b + i, j // 2, j % 2 * 16),
        lambda b, i, j: j // 8,
        (ld("32x32b.x4"), ld("32x32b.x2")),
        bits=16,
        columns=(0, 5),
        words=6,
    ),
    "large": Case(
        ["--datapath=D", "--tile=128x512xf32"],
        (128, 512),
        lambda i, j: (i, j, 0),
        thread,
        lambda i, j: j // 128,
        (ld("32x32b.x128"),) * 4,
        columns=(0, 511),
        words=512,
    ),
    "cta": Case(
        ["--datapath=D", "--tile=128x16xf32", "--scope=cta", "--warps=8"],
        (128, 16),
        lambda i, j: (i, j, 0),
        lambda i, j: thread(i + j // 8 * 128, j % 8),
        lambda i, j: 0,
        (ld("32x32b.x8"),),
        columns=(0, 15),
        warps=tuple(range(8)),
        words=8,
    ),
    "memory": Case(
        ["--show=memory", "--datapath=G", "--tile=32x16xf32"],
        (32, 16),
        lambda i, j: (i + 32 * (j // 4), j % 4, 0),
        None,
        columns=(0, 3),
    ),
    "registers": Case(
        ["--show=registers", "--tile=64x6xf32", "--scope=warpgroup"]
        + ["--registers=(64, 2, 3) : (2@tid, 1@tid, 2@reg)"],
        (64, 6),
        None,
        lambda i, j: thread(2 * i + j // 3, j % 3 * 2),
        words=5,
    ),
    "refused": Case(
        ["--datapath=B", "--tile=64x16xf32", "--atoms=16x128b"]
        + ["--registers=(64, 2, 8) : (1@tid, 64@tid, 1@reg)"],
        (64, 16),
        lambda i, j: (i + 64 * (j // 8), j % 8, 0),
        lambda i, j: thread(i + 64 * (j // 8), j % 8),
        columns=(0, 7),
        words=8,
    ),
}
