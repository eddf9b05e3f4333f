# ===- check-svg.py - Prove that pictures show what is where ---------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Draws cases of picture_cases.py with tmem-explain in every colour, and checks
every block: its squares, its place, all that its title says, and that squares of
one colour mean the same on both sides. Every square is in exactly one block, and
so is every element in each of its places."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ET

from picture_cases import CASES

SVG = "{http://www.w3.org/2000/svg}"


def parse_set(text):
    """The numbers of "0–1, 8–9, …, 56–57"."""
    runs = []
    items = text.split(", ")
    for position, item in enumerate(items):
        if item != "…":
            first, _, last = item.partition("–")
            runs.append((int(first), int(last or first)))
            continue
        assert position == 2 and len(items) == 4, text
        step = runs[1][0] - runs[0][0]
        end = int(items[3].partition("–")[0])
        while runs[-1][0] + step < end:
            runs.append((runs[-1][0] + step, runs[-1][1] + step))
    return {number for first, last in runs for number in range(first, last + 1)}


FIELD = re.compile(r"(?:^|; )(\w+?)s? (\d[\d–, …]*)")


def parse_title(title):
    """{"TMEM": {"lane": {...}}, "warp": ...} of a title."""
    parts = {}
    for line in title.split("\n"):
        if line == "no element":
            continue
        if line.startswith("TMEM "):
            parts["memory"] = dict(FIELD.findall(line.removeprefix("TMEM ")))
        elif line.startswith("element ("):
            index = line.removeprefix("element (").removesuffix(")").split(", ")
            parts["tile"] = [{int(digit)} for digit in index]
        elif line.startswith("element indices "):
            digits = line.removeprefix("element indices ").split("; ")
            parts["tile"] = [parse_set(digit) for digit in digits]
        elif line.startswith("element row"):
            fields = dict(FIELD.findall(line.removeprefix("element ")))
            parts["tile"] = [parse_set(fields[name]) for name in ("row", "column")]
        elif line.startswith("warp"):
            parts["registers"] = dict(FIELD.findall(line))
        elif line.startswith("issue"):
            parts["issue"] = dict(FIELD.findall(line))
        else:
            raise AssertionError(line)
    for side in ("memory", "registers", "issue"):
        if side in parts:
            parts[side] = {key: parse_set(text) for key, text in parts[side].items()}
    return parts


class Expected:
    """The squares of both sides, by place, with what they hold."""

    def __init__(self, case):
        self.case = case
        self.unit_bits = min(case.bits, 32)
        self.squares = {"memory": {}, "registers": {}}
        for index in case.elements():
            memory = case.memory and case.memory(*index)
            registers = case.registers and case.registers(*index)
            issue = case.issue and case.issue(*index)
            held = (index, memory, registers, issue)
            for side, place in (("memory", memory), ("registers", registers)):
                if place is not None:
                    assert place not in self.squares[side], "a case is wrong"
                    self.squares[side][place] = held

    def places(self, side):
        """All squares that are shown, row by row of each grid."""
        case = self.case
        bits = range(0, 32, self.unit_bits)
        if side == "memory":
            lanes = range(case.lanes[0], case.lanes[1] + 1)
            columns = range(case.columns[0], case.columns[1] + 1)
            return {(lane, column, bit) for lane in lanes for column in columns for bit in bits}
        words = range(case.words)
        return {
            (warp, lane, word, bit)
            for warp in case.warps
            for lane in range(32)
            for word in words
            for bit in bits
        }


def places_of(side, parts, unit_bits):
    """The squares of a block, from its title."""
    fields = parts[side]
    starts = {bit for bit in fields.get("bit", set(range(32))) if bit % unit_bits == 0}
    keys = ("lane", "column") if side == "memory" else ("warp", "lane", "register")
    places = [()]
    for key in keys:
        places = [place + (number,) for place in places for number in sorted(fields[key])]
    return [place + (bit,) for place in places for bit in sorted(starts)]


def column_of(side, place, unit_bits):
    return place[-2] * (32 // unit_bits) + place[-1] // unit_bits


def line_of(side, place):
    return place[0] if side == "memory" else place[0] % 4 * 32 + place[1]


def check_held(parts, held):
    """All that a title says but the block's own place."""
    indices, memory, registers, issues = zip(*held)
    for dimension, numbers in enumerate(zip(*indices)):
        assert parts["tile"][dimension] == set(numbers), (parts, numbers)
    if memory[0] is not None:
        lanes, columns, _ = map(set, zip(*memory))
        assert parts["memory"]["lane"] == lanes, parts
        assert parts["memory"]["column"] == columns, parts
    if registers[0] is not None:
        warps, lanes, words, _ = map(set, zip(*registers))
        assert parts["registers"]["warp"] == warps, parts
        assert parts["registers"]["lane"] == lanes, parts
        assert parts["registers"]["register"] == words, parts
    if issues[0] is not None:
        assert parts["issue"]["issue"] == set(issues), parts


def check_grid(grid, expected, colors):
    """One <g class="blocks ...">; returns the squares that it has."""
    side = "memory" if "memory" in grid.get("class").split() else "registers"
    rects = grid.findall(SVG + "rect")
    seen = {}
    boxes = []
    for rect in rects:
        parts = parse_title(rect.find(SVG + "title").text)
        places = places_of(side, parts, expected.unit_bits)
        held = []
        for place in places:
            assert place not in seen, f"{place} is in two blocks"
            seen[place] = rect
            if place in expected.squares[side]:
                held.append(expected.squares[side][place])
        if rect.get("class") == "empty":
            assert not held, parts
        else:
            assert len(held) == len(places), parts
            check_held(parts, held)
            for index, *_ in held:
                color = colors.setdefault(index, rect.get("fill"))
                assert color == rect.get("fill"), "colours differ between the sides"
        box = [float(rect.get(key)) for key in ("x", "y", "width", "height")]
        boxes.append((box, places))
    check_boxes(side, boxes, expected.unit_bits)
    return side, seen


def check_boxes(side, boxes, unit_bits):
    """Blocks lie where their squares do: columns follow each other without gaps,
    lines with the same small gap after every 32."""
    left = min(box[0] for box, _ in boxes)
    top = min(box[1] for box, _ in boxes)
    columns = [column_of(side, place, unit_bits) for _, places in boxes for place in places]
    lines = [line_of(side, place) for _, places in boxes for place in places]
    first_column, first_line = min(columns), min(lines)
    right = max(box[0] + box[2] for box, _ in boxes)
    width = (right - left) / (max(columns) - first_column + 1)
    height = min(box[3] / len({line_of(side, p) for p in places}) for box, places in boxes)
    for box, places in boxes:
        own = [column_of(side, place, unit_bits) for place in places]
        assert abs(box[0] - left - (min(own) - first_column) * width) < 0.02, box
        assert abs(box[2] - (max(own) - min(own) + 1) * width) < 0.02, box
        assert len(set(own)) == max(own) - min(own) + 1
        rows = [line_of(side, place) for place in places]
        gaps = (min(rows) // 32 - first_line // 32) * 3
        assert abs(box[1] - top - (min(rows) - first_line) * height - gaps) < 0.02, box
        assert abs(box[3] - (max(rows) - min(rows) + 1) * height) < 0.02, box


def check_case(name, case, color):
    command = ["tmem-explain", "--format=svg", f"--color-by={color}", *case.options]
    result = subprocess.run(command, capture_output=True, check=False)
    assert result.returncode == (1 if name == "refused" else 0), result.stderr
    root = ET.fromstring(result.stdout)
    expected = Expected(case)
    colors = {}
    found = {"memory": {}, "registers": {}}
    for grid in root.iter(SVG + "g"):
        classes = grid.get("class", "").split()
        if "blocks" in classes and "tile" not in classes:
            side, seen = check_grid(grid, expected, colors)
            assert not found[side].keys() & seen.keys()
            found[side].update(seen)
    for side, shown in (("memory", case.memory), ("registers", case.registers)):
        assert found[side].keys() == (expected.places(side) if shown else set()), side
    blocks = len({id(rect) for side in found.values() for rect in side.values()})
    print(f"{name} by {color}: {len(result.stdout)} bytes, {blocks} blocks")
    return len(result.stdout), blocks


def colors_of(case):
    yield "element"
    if case.registers:
        yield from ("warp", "lane", "register")
    if case.issue:
        yield "issue"


def main():
    for name in sys.argv[1:] or CASES:
        for color in colors_of(CASES[name]):
            size, blocks = check_case(name, CASES[name], color)
            assert size < 600_000 and blocks < 3000


main()
