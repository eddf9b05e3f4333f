#!/usr/bin/env python3
# ===- layout-b.py - The picture of Layout B -------------------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Writes layout-b.svg beside this script: where each element of a 64x128 f32
accumulator is in Tensor Memory (data path B), and in which register of which
thread a tcgen05.ld.32x32b.x64 of each warp puts it. With --check writes nothing,
and fails when the picture is out of date."""

import pathlib
import sys

ROWS, COLUMNS = 64, 128
HALF = COLUMNS // 2
SLAB = 32

# One row or lane is ROW high, one column or register COLUMN wide.
ROW, COLUMN = 3, 3.5
WIDTH, HEIGHT = 1000, 556
TOP = 96
TILE_X, TMEM_X, REGISTERS_X = 44, 376, 746
TILE_COLUMN = 1.75
PANEL = HALF * COLUMN

STYLE = """
    text { font: 13px system-ui, sans-serif; fill: #1f2328; }
    .title { font-size: 15px; font-weight: 600; }
    .note, .tick { fill: #59636e; }
    .tick { font-size: 12px; }
    .code { font-family: ui-monospace, monospace; font-size: 12px; }
    .end { text-anchor: end; }
    .middle { text-anchor: middle; }
    .page { fill: #ffffff; }
    .left { fill: #d4e4fb; }
    .right { fill: #fde3c8; }
    .frame { fill: none; stroke: #59636e; }
    .cut { stroke: #59636e; stroke-dasharray: 4 3; }
    .arrow { stroke: #59636e; stroke-width: 1.5; fill: none; }
    .head { fill: #59636e; }
    .dot { fill: #cf222e; stroke: #ffffff; }
    .path { stroke: #cf222e; fill: none; stroke-dasharray: 2 3; }
    .example { fill: #cf222e; font-weight: 600; }
    @media (prefers-color-scheme: dark) {
      text { fill: #f0f6fc; }
      .note, .tick { fill: #9198a1; }
      .page { fill: #0d1117; }
      .left { fill: #17375e; }
      .right { fill: #56330d; }
      .frame, .cut, .arrow { stroke: #9198a1; }
      .head { fill: #9198a1; }
      .dot { fill: #ff7b72; stroke: #0d1117; }
      .path { stroke: #ff7b72; }
      .example { fill: #ff7b72; }
    }
"""


def find_tmem(row, column):
    """Data path B: (lane, column) of an element."""
    return row + ROWS * (column // HALF), column % HALF


def number(value):
    return f"{value:g}"


def rect(x, y, width, height, style):
    x, y, width, height = map(number, (x, y, width, height))
    return f'<rect class="{style}" x="{x}" y="{y}" width="{width}" height="{height}"/>'


def text(x, y, content, style=""):
    style = f' class="{style}"' if style else ""
    return f'<text{style} x="{number(x)}" y="{number(y)}">{content}</text>'


def line(x1, y1, x2, y2, style):
    x1, y1, x2, y2 = map(number, (x1, y1, x2, y2))
    return f'<line class="{style}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'


def arrow(x1, x2, y):
    """Data goes both ways."""
    yield line(x1 + 7, y, x2 - 7, y, "arrow")
    for tip, back in ((x1, x1 + 9), (x2, x2 - 9)):
        yield f'<path class="head" d="M{tip} {y} L{back} {y - 5} L{back} {y + 5} Z"/>'


def tile():
    x, width, height = TILE_X, HALF * TILE_COLUMN, ROWS * ROW
    yield text(x, TOP - 46, "The tile", "title")
    yield text(x, TOP - 28, "64 rows, 128 columns of f32", "note")
    for half, style in enumerate(("left", "right")):
        left = x + half * width
        yield rect(left, TOP, width, height, style)
        yield text(left, TOP - 8, f"{half * HALF}", "tick")
        for dy, words in ((-6, "columns"), (12, f"{half * HALF}–{half * HALF + 63}")):
            yield text(left + width / 2, TOP + height - 26 + dy, words, "middle")
    yield text(x + 2 * width, TOP - 8, f"{COLUMNS - 1}", "tick end")
    yield text(x - 8, TOP + 11, "0", "tick end")
    yield text(x - 8, TOP + height - 3, f"{ROWS - 1}", "tick end")
    yield line(x + width, TOP, x + width, TOP + height, "cut")
    yield rect(x, TOP, 2 * width, height, "frame")


def bands(x, label):
    """128 lines in four groups of 32, coloured as their part of the tile."""
    for group in range(4):
        y = TOP + group * SLAB * ROW
        yield rect(x, y, PANEL, SLAB * ROW, "left" if group < 2 else "right")
        if group:
            yield line(x, y, x + PANEL, y, "cut")
        yield text(x - 8, y + 11, f"{group * SLAB}", "tick end")
        yield text(x - 8, y + SLAB * ROW - 3, f"{group * SLAB + 31}", "tick end")
        for dy, words in zip((-4, 14), label(group)):
            style = "middle" if dy < 0 else "middle note"
            yield text(x + PANEL / 2, y + SLAB * ROW / 2 + dy, words, style)
    yield rect(x, TOP, PANEL, 4 * SLAB * ROW, "frame")


def ticks(x):
    yield text(x, TOP - 8, "0", "tick")
    yield text(x + PANEL, TOP - 8, f"{HALF - 1}", "tick end")


def describe(slab):
    row, column = slab % 2 * SLAB, slab // 2 * HALF
    return f"rows {row}–{row + 31}, columns {column}–{column + 63}"


def tmem():
    yield text(TMEM_X, TOP - 46, "Tensor Memory, data path B", "title")
    yield text(TMEM_X, TOP - 28, "128 lanes, 64 columns", "note")
    yield from ticks(TMEM_X)
    yield from bands(
        TMEM_X,
        lambda slab: (
            describe(slab),
            f"slab of warp {slab}",
        ),
    )


def registers():
    yield text(REGISTERS_X, TOP - 46, "Registers", "title")
    yield text(REGISTERS_X, TOP - 28, "128 threads, 64 registers", "note")
    yield from ticks(REGISTERS_X)
    yield from bands(
        REGISTERS_X,
        lambda warp: (f"warp {warp}", f"threads {warp * 32}–{warp * 32 + 31}"),
    )


def moves():
    """What goes between the panels."""
    below = TOP + ROWS * ROW
    yield text(TILE_X, below + 28, "tcgen05.mma", "code")
    yield text(TILE_X, below + 46, "leaves it in Tensor Memory", "note")
    left, right = TMEM_X + PANEL + 8, REGISTERS_X - 36
    middle = (left + right) / 2
    yield text(middle, TOP - 28, "tcgen05.ld/st", "code middle")
    yield text(middle, TOP - 8, "one per warp", "note middle")
    for warp in range(4):
        y = TOP + warp * SLAB * ROW + SLAB * ROW / 2
        yield text(middle, y - 10, ".32x32b.x64", "code middle")
        yield from arrow(left, right, y)


def example(row, column):
    """One element in all three."""
    lane, tmem_column = find_tmem(row, column)
    points = [
        (TILE_X + (column + 0.5) * TILE_COLUMN, TOP + (row + 0.5) * ROW),
        (TMEM_X + (tmem_column + 0.5) * COLUMN, TOP + (lane + 0.5) * ROW),
        (REGISTERS_X + (tmem_column + 0.5) * COLUMN, TOP + (lane + 0.5) * ROW),
    ]
    (x0, y0), (_, y1), (x2, _) = map(lambda point: map(number, point), points)
    yield f'<path class="path" d="M{x0} {y0} H{TMEM_X - 40} V{y1} H{x2}"/>'
    for x, y in points:
        yield f'<circle class="dot" cx="{number(x)}" cy="{number(y)}" r="4.5"/>'
    y = TOP + 4 * SLAB * ROW + 32
    name = f'<tspan class="example">Element ({row}, {column})</tspan>'
    yield text(
        TILE_X,
        y,
        f"{name}: TMEM lane {row} + 64 = {lane}, column {column} - 64 = {tmem_column};"
        f" register {tmem_column} of thread {lane}, which is lane {lane % SLAB} of"
        f" warp {lane // SLAB}",
    )
    yield text(
        TILE_X,
        y + 24,
        "Element (i, j): TMEM lane i + 64 (j / 64), column j mod 64;"
        " thread = TMEM lane, register = column",
        "note",
    )


def picture():
    title = "Layout B: a 64x128 accumulator in 128 lanes by 64 columns"
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{title}">'
    )
    yield f"<title>{title}</title>"
    yield f"<style>{STYLE}</style>"
    yield rect(0, 0, WIDTH, HEIGHT, "page")
    for part in (tile, tmem, registers, moves):
        yield from part()
    yield from example(8, 70)
    yield "</svg>"


def main():
    path = pathlib.Path(__file__).with_suffix(".svg")
    content = "\n".join(picture()) + "\n"
    if "--check" not in sys.argv[1:]:
        path.write_text(content, encoding="utf-8")
        return 0
    if path.exists() and path.read_text(encoding="utf-8") == content:
        return 0
    print(f"{path.name} is out of date: run {pathlib.Path(__file__).name}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
