# ===- check-dense-svg.py - Prove what images in pictures show --------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Draws the cases of dense_cases.py in every colour and reads the images back,
pixel by pixel: each square has the colour that the tile, or a sample, gives its
element, squares without one are transparent, and titles say what is under them."""

import base64
import re
import struct
import subprocess
import sys
import xml.etree.ElementTree as ET
import zlib

import dense_cases

SVG = "{http://www.w3.org/2000/svg}"


def read_png(source):
    """The lines of a picture, each pixel "#56b4e9" or None."""
    data = base64.b64decode(source.removeprefix("data:image/png;base64,"), validate=True)
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    chunks = {}
    at = 8
    while at < len(data):
        (size,) = struct.unpack_from(">I", data, at)
        body = data[at + 4 : at + 8 + size]
        assert struct.unpack_from(">I", data, at + 8 + size)[0] == zlib.crc32(body)
        chunks[body[:4]] = body[4:]
        at += size + 12
    assert list(chunks) == [b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"]
    width, height, *form = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert form == [8, 3, 0, 0, 0] and chunks[b"tRNS"] == b"\0"
    colors = [None] + ["#" + chunks[b"PLTE"][i : i + 3].hex() for i in range(3, len(chunks[b"PLTE"]), 3)]
    pixels = zlib.decompress(chunks[b"IDAT"])
    assert len(pixels) == height * (width + 1)
    lines = [pixels[line * (width + 1) :][: width + 1] for line in range(height)]
    assert all(line[0] == 0 for line in lines)
    return [[colors[number] for number in line[1:]] for line in lines]


def number(node, key):
    return float(node.get(key))


def read_tile(root, shape):
    """Of each row and column of the tile its colour."""
    (group,) = [g for g in root.iter(SVG + "g") if g.get("class") == "blocks tile"]
    rects = list(group)
    left, top = number(rects[0], "x"), number(rects[0], "y")
    width = number(rects[-1], "x") + number(rects[-1], "width") - left
    height = number(rects[-1], "y") + number(rects[-1], "height") - top
    colors = {}
    for rect in rects:
        column, row = (number(rect, "x") - left) / width, (number(rect, "y") - top) / height
        columns, rows = number(rect, "width") / width, number(rect, "height") / height
        for i in range(round(row * shape[0]), round((row + rows) * shape[0])):
            for j in range(round(column * shape[1]), round((column + columns) * shape[1])):
                colors[i * shape[1] + j] = rect.get("fill")
    assert len(colors) == shape[0] * shape[1]
    return colors


def read_samples(root, kind):
    """{0: colour, ...} of the numbers that samples name."""
    samples, texts = {}, list(root.iter(SVG + "text"))
    for rect in root.iter(SVG + "rect"):
        if rect.get("class") != "sample":
            continue
        (name,) = [t.text for t in texts if abs(number(t, "y") - number(rect, "y") - 11) < 0.1
                   and abs(number(t, "x") - number(rect, "x") - 22) < 0.1]
        first, _, last = name.removeprefix(kind).lstrip("s ").partition("–")
        for key in range(int(first), int(last or first) + 1):
            samples[key] = rect.get("fill")
    return samples


def expected_colors(root, transfer, color):
    """Of each element; None where no sample says."""
    if color == "element":
        return read_tile(root, transfer.shape)
    samples = read_samples(root, color)
    colors = {}
    for element, (_, squares) in enumerate(transfer.links):
        thread, position = squares[0]
        word = position // transfer.parts
        key = {"warp": thread // 32, "lane": thread % 32, "register": word}
        key["issue"] = transfer.issue_of_word.get(word)
        colors[element] = samples.get(key[color])
    return colors


def describe(numbers):
    """As titles say it."""
    runs = []
    for n in sorted(numbers):
        if runs and runs[-1][1] + 1 == n:
            runs[-1][1] = n
        else:
            runs.append([n, n])
    names = [str(a) if a == b else f"{a}–{b}" for a, b in runs]
    regular = len({b - a for a, b in runs}) == 1
    regular = regular and len({y[0] - x[0] for x, y in zip(runs, runs[1:])}) <= 1
    if len(runs) > 4 and regular:
        return ", ".join([*names[:2], "…", names[-1]])
    return ", ".join(names[:8] + ["…"] * (len(names) > 8))


def check_titles(group, side, transfer, lines, width, first):
    """Each tile's own lines and the rows and columns of the elements in it."""
    covered = 0
    titled = [rect for rect in group if rect.get("class") == "titled"]
    left = min(number(rect, "x") for rect in titled)
    pixels = (max(number(r, "x") + number(r, "width") for r in titled) - left) / width
    boxes = sorted({number(rect, "y") for rect in titled})
    for rect in titled:
        title = rect.find(SVG + "title").text
        band = boxes.index(number(rect, "y"))
        begin = round((number(rect, "x") - left) / pixels)
        end = begin + round(number(rect, "width") / pixels)
        at = {transfer.held[side].get((line, first + unit))
              for line in lines[8 * band : 8 * band + 8] for unit in range(begin, end)} - {None}
        rows = {element // transfer.shape[1] for element in at}
        columns = {element % transfer.shape[1] for element in at}
        text = f"row{'s' * (len(rows) > 1)} {describe(rows)}; column{'s' * (len(columns) > 1)} {describe(columns)}"
        assert f"element {text}" in title.split("\n"), (title, text)
        covered += 8 * (end - begin)
    assert covered == len(lines) * width


def check_grid(group, side, number_of_grid, transfer, colors, checked):
    images = [read_png(node.get("href")) for node in group.iter(SVG + "image")]
    shown = [line for image in images for line in image]
    positions = [position for _, position in transfer.held[side]]
    first = min(positions) // transfer.parts * transfer.parts if side == 0 else 0
    lines = range(128 * number_of_grid, 128 * number_of_grid + len(shown))
    for line, pixels in zip(lines, shown):
        for at, pixel in enumerate(pixels):
            element = transfer.held[side].get((line, first + at))
            if element is None:
                assert pixel is None, (side, line, at)
            elif colors[element] is not None:
                assert pixel == colors[element], (side, line, at, element)
                checked.add((side, line, first + at))
    check_titles(group, side, transfer, lines, len(shown[0]), first)


def check_case(name, color):
    transfer = dense_cases.make(name)
    command = ["tmem-explain", "--format=svg", f"--color-by={color}", *transfer.options]
    result = subprocess.run(command, capture_output=True, check=False)
    assert result.returncode == (1 if name == "refused" else 0), result.stderr
    root = ET.fromstring(result.stdout)
    colors = expected_colors(root, transfer, color)
    grids = [0, 0]
    checked = set()
    for group in root.iter(SVG + "g"):
        classes = group.get("class", "").split()
        if "dense" in classes:
            side = 0 if "memory" in classes else 1
            check_grid(group, side, grids[side], transfer, colors, checked)
            grids[side] += 1
    if any(grids):
        squares = sum(map(len, transfer.held))
        print(f"{name} by {color}: {len(result.stdout)} bytes, {squares} squares, "
              f"{len(checked)} compared")
        assert len(checked) == squares or color in ("register", "issue", "lane")
        assert checked
    assert len(result.stdout) < 600_000
    return any(grids)


def main():
    for name in sys.argv[1:] or dense_cases.CASES:
        colors = ["element", "warp", "lane", "register"] + ["issue"] * (name != "refused")
        assert any([check_case(name, color) for color in colors]), f"{name} is not dense"


main()
