#!/usr/bin/env python3
# ===- tiles.py - Accumulators, widths, scopes and windows, end to end -----===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Prints a module (see images.py) that moves tiles of GROUP between views and
register layouts.

Where an element stands is the PTX ISA's picture of the data path or this script's
reading of the layout; which thread has it, this script's reading of the register
layout. The instructions between the two are the compiler's affair."""

import argparse
import re
import sys

# No byte code beside the sources.
sys.dont_write_bytecode = True
from images import Case, print_module  # noqa: E402


class Layout:
    """(extents) : (strides) + (offset), as in #tmem.layout<...>."""

    def __init__(self, text):
        self.text = f"#tmem.layout<{text}>"
        extents, _, rest = text.partition(" : ")
        strides, _, offset = rest.partition(" + ")
        self.extents = [int(n) for n in re.findall(r"\d+", extents)]
        self.strides = self.parse(strides)
        self.offset = self.parse(offset)

    @staticmethod
    def parse(text):
        return [(int(n), axis) for n, axis in re.findall(r"(-?\d+)@(\w+)", text)]

    def at(self, number):
        """The place of an element by its row-major number, axis by axis."""
        place = {}
        for stride, axis in self.offset:
            place[axis] = place.get(axis, 0) + stride
        for extent, (stride, axis) in zip(self.extents[::-1], self.strides[::-1]):
            number, digit = divmod(number, extent)
            place[axis] = place.get(axis, 0) + digit * stride
        return place

    def thread(self, number):
        place = self.at(number)
        thread = 32 * place.get("warp", 0) + place.get("lane", 0)
        return place.get("tid", thread), place.get("reg", 0)


def datapath(letter, rows, columns, half=0):
    """What tcgen05.mma leaves where: (lane, column) of element (i, j)."""

    def place(number):
        i, j = divmod(number, columns)
        if letter in "AD":
            return i, j
        if letter in "BE":
            right, j = divmod(j, columns // 2)
            return i + 64 * right, j
        if letter in "CF":
            slab, row = divmod(i, 16)
            return 32 * slab + 16 * half + row, j
        right, j = divmod(j, columns // 4)
        return i + 32 * right, j

    assert rows == {"A": 128, "D": 128, "G": 32}.get(letter, 64)
    return place


def memory(text):
    """The same for a layout, in columns of the element's width."""
    layout = Layout(text)
    return lambda number: (
        layout.at(number).get("tlane", 0),
        layout.at(number).get("tcol", 0),
    )


def image(count, bits, place, registers, packed, spread, first, threads):
    """The cell of every register word, from the places of `count` elements.
    `spread` elements stand in a cell each, or else as dense as they can; the
    layout's threads are counted from `first`."""
    words = {}
    for number in range(count):
        lane, column = place(number)
        thread, slot = registers.thread(number)
        thread += first
        cell, bit = (column, 0) if spread else divmod(column * bits, 32)
        word, register_bit = divmod(slot * bits, 32)
        for part in range(max(bits // 32, 1)):
            if packed:  # The second half of a word is in the next cell.
                cell_of_word = (lane, cell - register_bit // 16)
            else:
                assert bit == register_bit, "a cell's bits are a word's"
                cell_of_word = (lane, cell + part)
            key = (thread, word + part)
            assert words.setdefault(key, cell_of_word) == cell_of_word
    width = 1 + max(word for _, word in words)
    return [[words.get((t, w)) for w in range(width)] for t in range(threads)]


# Who executes a transfer of one warp.
ONLY_WARP = """\
%c32 = arith.constant 32 : index
%number = arith.divui %tid, %c32 : index
%this = arith.constant {} : index
%only = arith.cmpi eq, %number, %this : index
"""


def bits_of(element):
    return int(element[1:])


class Tiles:
    def __init__(self):
        self.images, self.cases = {}, []

    def add(self, name, shape, element, view, place, registers, atom, **options):
        """`view` is the view's layout or data path, as in its type. `base` defines
        %view in another way than as a view of %address."""
        scope = options.get("scope", "warpgroup")
        threads = options.get("threads", 128)
        packed = "pack" in atom
        registers = Layout(registers)
        bits, count = bits_of(element), 1
        for extent in shape:
            count *= extent
        spread = packed or options.get("spread", False)
        # The register layout of a warp has only lanes.
        first = 32 * int(scope.split()[1]) if scope.startswith("warp ") else 0
        rows = image(count, bits, place, registers, packed, spread, first, threads)
        words = len(rows[0])

        tile = "x".join(str(extent) for extent in shape)
        type = f"!tmem.view<{tile}x{element}, {view}>"
        values = f"vector<{32 * words // bits}x{element}>"
        vector = f"vector<{words}xi32>"
        base = options.get("base", "%view = tmem.view %address : VIEW").replace(
            "VIEW", type
        )
        rest = f"registers({registers.text}) atom(<{atom}>) scope({scope})"
        load = f"""\
{base}
%pending = tmem.load %view {rest} : {type} -> !tmem.pending<{values}>
%values = tmem.wait_load %pending : !tmem.pending<{values}>
%words = vector.bitcast %values : {values} to {vector}
"""
        store = f"""\
{base}
%values = vector.bitcast %words : {vector} to {values}
%token = tmem.store %values, %view {rest.replace('pack', 'unpack')} : {values}, {type}
tmem.wait_store %token
"""
        self.images[f"image{len(self.images)}"] = rows
        case = Case(name, f"image{len(self.images) - 1}", words, load, store, packed)
        case.threads, case.offsets = threads, options.get("offsets", [64])
        if scope.startswith("warp "):
            case.only = ONLY_WARP.format(scope.split()[1])
        self.cases.append(case)

    def add_path(self, letter, shape, element, registers, atom, half=None, **options):
        name = f"path {letter}" + ("" if half is None else f" half {half}")
        name += f" {shape[0]}x{shape[1]}x{element} {atom}"
        view = f"#tmem.datapath<{letter}{f', half = {half}' if half else ''}>"
        place = datapath(letter, *shape, half or 0)
        options["spread"] = True  # Accumulators have a cell for each element.
        self.add(name, shape, element, view, place, registers, atom, **options)

    def add_layout(self, name, shape, element, text, registers, atom, **options):
        view = f"#tmem.layout<{text}>"
        self.add(name, shape, element, view, memory(text), registers, atom, **options)


ROWS = "(128, {0}) : (1@tid, 1@reg)"
# Blocks of 8x8 as the fragments of mma.sync have them, of 16 rows and n columns.
FRAGMENT = "(4, 2, 8, {0}, 4, 2) : (1@warp, 2@reg, 4@lane, 4@reg, 1@lane, 1@reg)"


def add_paths(tiles):
    tiles.add_path("A", (128, 64), "f32", ROWS.format(64), "32x32b, x64")
    tiles.add_path("D", (128, 64), "i32", ROWS.format(64), "32x32b, x32")
    halves = "(64, 2, 64) : (1@tid, 64@tid, 1@reg)"
    tiles.add_path("B", (64, 128), "f32", halves, "32x32b, x64")
    tiles.add_path("E", (64, 128), "i32", halves, "32x32b, x64")
    quarters = "(32, 4, 32) : (1@tid, 32@tid, 1@reg)"
    tiles.add_path("G", (32, 128), "f32", quarters, "32x32b, x32")
    pairs = "(4, 2, 8, 16, 2) : (1@warp, 1@lane, 4@lane, 1@reg, 2@lane)"
    for half in (0, 1):
        tiles.add_path("F", (64, 32), "f32", pairs, "16x64b, x16", half)
        tiles.add_path("F", (64, 64), "i32", FRAGMENT.format(8), "16x256b, x8", half)
        tiles.add_path("C", (64, 64), "f32", FRAGMENT.format(8), "16x256b, x4", half)
    # A 16-row shape on all rows takes an instruction for each half of the slab.
    both = "(4, 2, 2, 8, 4, 2) : (1@warp, 4@reg, 2@reg, 4@lane, 1@lane, 1@reg)"
    tiles.add_path("D", (128, 8), "f32", both, "16x256b, x1")
    # 16-bit accumulators: one in the low half of each cell.
    tiles.add_path("D", (128, 64), "f16", ROWS.format(64), "32x32b, x32, pack")
    tiles.add_path(
        "B",
        (64, 64),
        "f16",
        "(64, 2, 32) : (1@tid, 64@tid, 1@reg)",
        "32x32b, x16, pack",
    )
    fragment = "(4, 2, 8, 4, 4, 2) : (1@warp, 2@reg, 4@lane, 4@reg, 1@lane, 1@reg)"
    tiles.add_path("F", (64, 32), "f16", fragment, "16x128b, x4, pack", 1)


WIDTHS = {
    96: "x64, x32",
    160: "x128, x32",
    48: "x32, x16",
    24: "x16, x8",
    1: "x1",
    127: "x64, x32, x16, x8, x4, x2, x1",
}


def add_widths(tiles):
    """NVIDIA/cutlass 2094, tile-ai/tilelang PR 2952: no powers of two."""
    for n, counts in WIDTHS.items():
        tiles.add_path(
            "D",
            (128, n),
            "f32",
            ROWS.format(n),
            f"32x32b, {counts}",
            offsets=[64, 512 - n],
        )
    tiles.add_path(
        "B",
        (64, 192),
        "f32",
        "(64, 2, 96) : (1@tid, 64@tid, 1@reg)",
        "32x32b, x64, x32",
    )
    tiles.add_path(
        "F",
        (64, 48),
        "f32",
        "(4, 2, 8, 24, 2) : (1@warp, 1@lane, 4@lane, 1@reg, 2@lane)",
        "16x64b, x8, x16",
        1,
    )
    # 16-bit elements, two in a cell: 48 cells for 96 columns.
    tiles.add_layout(
        "dense 128x96xf16",
        (128, 96),
        "f16",
        "(128, 96) : (1@tlane, 1@tcol)",
        ROWS.format(96),
        "32x32b, x32, x16",
    )
    tiles.add_layout(
        "dense 128x96xf16, words in another order",
        (128, 96),
        "f16",
        "(128, 96) : (1@tlane, 1@tcol)",
        "(128, 3, 32) : (1@tid, -32@reg, 1@reg) + (64@reg)",
        "32x32b, x32, x16",
    )
    tiles.add_layout(
        "dense 128x64xi8",
        (128, 64),
        "i8",
        "(128, 64) : (1@tlane, 1@tcol)",
        ROWS.format(64),
        "32x32b, x16",
    )
    tiles.add_layout(
        "128x4xf64",
        (128, 4),
        "f64",
        "(128, 4) : (1@tlane, 1@tcol)",
        ROWS.format(4),
        "32x32b, x8",
    )


def add_scopes(tiles):
    for n in range(4):
        tiles.add_layout(
            f"warp {n}",
            (32, 64),
            "f32",
            f"(32, 64) : (1@tlane, 1@tcol) + ({32 * n}@tlane)",
            "(32, 64) : (1@lane, 1@reg)",
            "32x32b, x64",
            scope=f"warp {n}",
        )
    tiles.add_path(
        "D",
        (128, 128),
        "f32",
        "(128, 2, 64) : (1@tid, 128@tid, 1@reg)",
        "32x32b, x64",
        scope="cta",
        threads=256,
    )
    tiles.add_path(
        "F",
        (64, 64),
        "f32",
        "(4, 2, 8, 2, 16, 2) : (1@warp, 1@lane, 4@lane, 4@warp, 1@reg, 2@lane)",
        "16x64b, x16",
        1,
        scope="cta",
        threads=256,
    )


def add_windows(tiles):
    window = "(128, 32) : (1@tlane, 1@tcol)"
    whole = "!tmem.view<128x512xf32, #tmem.datapath<D>>"
    dynamic = f"""\
%whole = tmem.view %base : {whole}
%j = arith.index_cast %offset : i32 to index
%view = tmem.subview %whole[0, %j] [128, 32] : {whole} to VIEW
"""
    tiles.add_layout(
        "dynamic window",
        (128, 32),
        "f32",
        window,
        ROWS.format(32),
        "32x32b, x32",
        base=dynamic,
        offsets=[0, 32, 77, 480],
    )
    path = "!tmem.view<64x128xf32, #tmem.datapath<B>>"
    halves = "!tmem.view<2x64x64xf32, #tmem.layout<(128, 64) : (1@tlane, 1@tcol)>>"
    base = f"""\
%path = tmem.view %base : {path}
%halves = tmem.rearrange %path "r (h c) -> h r c" sizes(h = 2) : {path} to {halves}
%j = arith.index_cast %offset : i32 to index
%view = tmem.subview %halves[0, 0, %j] [2, 64, 16] : {halves} to VIEW
"""
    tiles.add_layout(
        "dynamic window of path B",
        (2, 64, 16),
        "f32",
        "(128, 16) : (1@tlane, 1@tcol)",
        "(2, 64, 16) : (64@tid, 1@tid, 1@reg)",
        "32x32b, x16",
        base=base,
        offsets=[0, 16, 48],
    )
    # The right half stands below the left: only warps 2 and 3 reach it.
    for n in (2, 3):
        row = 32 * (n - 2)
        base = f"""\
%path = tmem.view %address : {path}
%view = tmem.subview %path[{row}, 64] [32, 64] : {path} to VIEW
"""
        tiles.add_layout(
            f"static window of path B, rows from {row}",
            (32, 64),
            "f32",
            f"(32, 64) : (1@tlane, 1@tcol) + ({32 * n}@tlane)",
            "(32, 64) : (1@lane, 1@reg)",
            "32x32b, x64",
            scope=f"warp {n}",
            base=base,
        )
    layout = "(4, 128, 16) : (32@tcol, 1@tlane, 1@tcol)"
    stages = f"!tmem.view<4x128x16xf32, #tmem.layout<{layout}>>"
    base = f"""\
%stages = tmem.view %base : {stages}
%c32_i32 = arith.constant 32 : i32
%number = arith.divui %offset, %c32_i32 : i32
%i = arith.index_cast %number : i32 to index
%view = tmem.subview %stages[%i, 0, 0] [1, 128, 16] : {stages} to VIEW
"""
    tiles.add_layout(
        "a stage of four",
        (1, 128, 16),
        "f32",
        "(128, 16) : (1@tlane, 1@tcol)",
        ROWS.format(16),
        "32x32b, x16",
        base=base,
        offsets=[0, 32, 64, 96],
    )
    # triton-lang/triton, fuzz ledgers of 2026: rows 16 to 31 come first.
    tiles.add_layout(
        "permuted rows",
        (32, 4),
        "f32",
        "(2, 16, 4) : (-16@tlane, 1@tlane, 1@tcol) + (16@tlane)",
        "(2, 16, 4) : (-16@lane, 1@lane, 1@reg) + (16@lane)",
        "32x32b, x4",
        scope="warp 0",
    )


GROUPS = {
    "paths": add_paths,
    "widths": add_widths,
    "scopes": add_scopes,
    "windows": add_windows,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("group", choices=GROUPS)
    tiles = Tiles()
    GROUPS[parser.parse_args().group](tiles)
    print_module("", tiles.images, tiles.cases)


if __name__ == "__main__":
    main()
