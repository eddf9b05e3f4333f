# ===- dense_cases.py - Layouts whose neighbours have nothing in common -----===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Transfers of all of Tensor Memory in which hardly two squares side by side look
the same: bits of the element's number reversed, interleaved, permuted at random,
digits that are no powers of two, gaps, every width of elements, every shape of
instructions. Places are layouts read once more, independent of the renderer."""

import dataclasses
import json
import random
import re
import subprocess


def join(steps):
    extents, strides = zip(*steps)
    return f"({', '.join(map(str, extents))}) : ({', '.join(strides)})"


def bits(axis, count, unit=1):
    return [(2, f"{unit << bit}@{axis}") for bit in range(count)]


def reverse(columns, unit=1):
    return join(bits("tlane", 7) + bits("tcol", columns, unit))


def interleave(columns, unit=1):
    steps = bits("tcol", columns, unit)
    for position, step in enumerate(bits("tlane", 7)):
        steps.insert(2 * position + 1, step)
    return join(steps)


def permute(columns, seed, unit=1):
    steps = bits("tlane", 7) + bits("tcol", columns, unit)
    random.Random(seed).shuffle(steps)
    return join(steps)


WIDE = "128x512xf32"
CASES = {
    "reversed": [reverse(9), WIDE],
    "interleaved": [interleave(9), WIDE],
    "permuted-1": [permute(9, 1), WIDE],
    "permuted-2": [permute(9, 9), WIDE, "--direction=store"],
    "16x64b": [permute(9, 11), WIDE, "--atoms=16x64b"],
    "16x128b": [permute(9, 4), WIDE, "--atoms=16x128b"],
    "16x256b": [permute(9, 5), WIDE, "--atoms=16x256b"],
    "cta": [permute(9, 1), WIDE, "--scope=cta", "--warps=16"],
    "digits": ["(3, 2, 17, 2, 5, 32) : (1@tcol, 1@tlane, 3@tcol, 64@tlane, 51@tcol, 2@tlane)"]
    + ["128x255xf32"],
    "gaps": [permute(8, 1, unit=2), "128x256xf32"],
    "64-bits": [reverse(8), "128x256xf64"],
    "16-bits": [permute(10, 1), "128x1024xf16"],
    "packed": [reverse(9, unit=2), "128x512xf16"],
    "8-bits": [reverse(11), "128x2048xi8"],
    "4-bits": [reverse(12), "128x4096xi4"],
    "refused": [permute(9, 1), WIDE, "--atoms=16x256b"]
    + ["--registers=(128, 512) : (1@tid, 1@reg)"],
}

MODE = re.compile(r"(-?\d+)@(\w+)")


def read(layout):
    """For each element of a layout without replicas, its place on each axis."""
    extents = [int(digits) for digits in layout.split(":")[0].strip(" ()").split(",")]
    strides, _, offsets = layout.split(":")[1].partition("+")
    places = [{axis: int(value) for value, axis in MODE.findall(offsets)}]
    for extent, (stride, axis) in zip(extents, MODE.findall(strides)):
        places = [
            {**place, axis: place.get(axis, 0) + digit * int(stride)}
            for place in places
            for digit in range(extent)
        ]
    return places


@dataclasses.dataclass
class Transfer:
    """Squares are counted by line (TMEM lane, thread) and position in units of
    min(bits, 32) bits: `held` has for each side {(line, position): element}."""

    options: list
    shape: tuple
    bits: int
    held: tuple
    links: list  # Of an element: its squares on both sides, half by half.
    issue_of_word: dict

    @property
    def parts(self):
        return 32 // min(self.bits, 32)


def make(name):
    memory, tile, *rest = CASES[name]
    options = [f"--memory={memory}", f"--tile={tile}", *rest]
    result = subprocess.run(
        ["tmem-explain", "--format=json", *options], capture_output=True, check=False
    )
    answer = json.loads(result.stdout)
    registers = answer["transfer"]["registers"]["layout"]
    rows, columns, element = re.fullmatch(r"(\d+)x(\d+)x(\w+)", tile).groups()
    width = int(element.lstrip("bfi"))
    halves = 2 if width == 64 else 1
    held = ({}, {})
    links = []
    for number, (cell, slot) in enumerate(zip(read(memory), read(registers), strict=True)):
        thread = slot.get("tid", 0) + 32 * slot.get("warp", 0) + slot.get("lane", 0)
        squares = (
            [(cell.get("tlane", 0), cell.get("tcol", 0) * halves + half) for half in range(halves)],
            [(thread, slot.get("reg", 0) * halves + half) for half in range(halves)],
        )
        for side in (0, 1):
            for square in squares[side]:
                assert square not in held[side], "a case is wrong"
                held[side][square] = number
        links.append(squares)
    issues = answer["chosen"]["issues"] if answer["chosen"] else []
    words = {word: n for n, issue in enumerate(issues) for word in issue["registers"]}
    return Transfer(options, (int(rows), int(columns)), width, held, links, words)
