#!/usr/bin/env python3
# ===- transfers.py - Every tcgen05.ld and tcgen05.st, end to end ----------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Prints a module (see images.py) that moves a tile with every count of one shape.

The images are the matrix fragments of the PTX ISA (tcgen05 data movement shapes).
--form says how kernels name the instructions: tmem operations, operations of the
nvvm dialect, calls of LLVM's intrinsics, or inline PTX."""

import argparse
import sys

# No byte code beside the sources.
sys.dont_write_bytecode = True
from images import Case, print_module  # noqa: E402


def quad(lane, word, bits):
    """A fragment of 8x4 units of `bits`: four threads share a row; a second block
    lies under the first, further ones to the right."""
    per_unit = bits // 32
    unit, part = divmod(word, per_unit)
    right, below = divmod(unit, 2)
    return lane // 4 + 8 * below, (lane % 4) * per_unit + part + 4 * per_unit * right


def pairs(lane, word):
    """16x64b: threads 0 and 2 of four share a row, 1 and 3 the one 8 below."""
    return lane // 4 + 8 * (lane % 2), (lane % 4) // 2 + 2 * word


# The cell of a register word relative to the address, registers at x1, largest N.
SHAPES = {
    "32x32b": (lambda lane, word: (lane, word), 1, 128),
    "16x64b": (pairs, 1, 128),
    "16x128b": (lambda lane, word: quad(lane, word, 32), 2, 64),
    "16x256b": (lambda lane, word: quad(lane, word, 64), 4, 32),
    "16x32bx2": (lambda lane, word: (lane % 16, word), 1, 128),
}


class Transfer:
    """One instruction: shape, count and packing."""

    def __init__(self, shape, count, packed):
        self.shape, self.count, self.packed = shape, count, packed
        self.fragment, per_count, _ = SHAPES[shape]
        self.words = per_count * count
        self.split = None  # (lanes, columns) of the second access of 16x32bx2.

    @property
    def rows(self):
        return 32 if self.shape == "32x32b" else 16

    @property
    def columns(self):
        """Cells to the right that an access covers."""
        regions = 2 if self.shape == "16x32bx2" else 1
        return 32 * self.words // self.rows // regions * (2 if self.packed else 1)

    def cell(self, lane, word):
        row, column = self.fragment(lane, word)
        column *= 2 if self.packed else 1
        if self.shape == "16x32bx2" and lane >= 16:
            return row + self.split[0], column + self.split[1]
        return row, column

    def image(self):
        """The cells of four warps, each on its slab."""
        slab = [
            [self.cell(lane, word) for word in range(self.words)] for lane in range(32)
        ]
        return [
            [(32 * warp + row, column) for row, column in words]
            for warp in range(4)
            for words in slab
        ]

    @property
    def immediate(self):
        return self.split[0] << 16 | self.split[1]


# The address in the thread's own slab, which tmem operations add themselves.
SLAB = """\
%thread = arith.index_cast %tid : index to i32
%mask = arith.constant 96 : i32
%c16 = arith.constant 16 : i32
%lane = arith.andi %thread, %mask : i32
%slab = arith.shli %lane, %c16 : i32
%place = arith.addi %address, %slab : i32
"""
POINTER = SLAB + "%pointer = llvm.inttoptr %place : i32 to !llvm.ptr<6>\n"


def data_type(words):
    """One word is a scalar to LLVM."""
    return "i32" if words == 1 else f"vector<{words}xi32>"


def to_data(words):
    """The name of %words as the store takes it, and its definition."""
    if words > 1:
        return "%words", ""
    return "%data", "%data = vector.extract %words[0] : i32 from vector<1xi32>\n"


def from_data(words):
    """The name of the load's result, and the definition of %words by it."""
    if words > 1:
        return "%words", ""
    return "%data", "%words = vector.broadcast %data : i32 to vector<1xi32>\n"


class NVVM:
    """Operations of the nvvm dialect."""

    def __init__(self, transfer):
        self.t = transfer
        shape = f"#nvvm.tcgen05_ldst_shape<shape_{transfer.shape}>"
        self.rest = f"{{shape = {shape}}} : {data_type(transfer.words)}\n"
        self.constants = self.immediate = ""
        if transfer.shape == "16x32bx2":
            self.constants = f"%split = arith.constant {transfer.immediate} : i64\n"
            self.immediate = ", %split"

    def load(self):
        name, after = from_data(self.t.words)
        pack = " pack" if self.t.packed else ""
        op = f"{name} = nvvm.tcgen05.ld %pointer{self.immediate}{pack} {self.rest}"
        return f"{POINTER}{self.constants}{op}nvvm.tcgen05.wait <load>\n{after}"

    def store(self):
        name, before = to_data(self.t.words)
        unpack = " unpack" if self.t.packed else ""
        op = f"nvvm.tcgen05.st %pointer, {name}{self.immediate}{unpack} {self.rest}"
        return f"{POINTER}{self.constants}{before}{op}nvvm.tcgen05.wait <store>\n"


class Intrinsic:
    """Calls of LLVM's intrinsics."""

    def __init__(self, transfer):
        self.t = transfer
        self.type = data_type(transfer.words)
        self.name = f"{transfer.shape}.x{transfer.count}"
        flag = "true" if transfer.packed else "false"
        self.constants = f"%flag = llvm.mlir.constant({flag}) : i1\n"
        self.immediate = []
        if transfer.shape == "16x32bx2":
            self.constants += (
                f"%split = llvm.mlir.constant({transfer.immediate} : i64) : i64\n"
            )
            self.immediate = [("%split", "i64")]

    @staticmethod
    def call(name, operands, result="()"):
        names = ", ".join(name for name, _ in operands)
        types = ", ".join(type for _, type in operands)
        intrinsic = f'"llvm.nvvm.tcgen05.{name}"'
        return f"llvm.call_intrinsic {intrinsic}({names}) : ({types}) -> {result}\n"

    def load(self):
        name, after = from_data(self.t.words)
        operands = [("%pointer", "!llvm.ptr<6>"), *self.immediate, ("%flag", "i1")]
        call = self.call(f"ld.{self.name}", operands, self.type)
        wait = self.call("wait.ld", [])
        return f"{POINTER}{self.constants}{name} = {call}{wait}{after}"

    def store(self):
        name, before = to_data(self.t.words)
        operands = [("%pointer", "!llvm.ptr<6>"), *self.immediate]
        operands += [(name, self.type), ("%flag", "i1")]
        call = self.call(f"st.{self.name}", operands)
        wait = self.call("wait.st", [])
        return f"{POINTER}{self.constants}{before}{call}{wait}"


class PTX:
    """Inline PTX."""

    def __init__(self, transfer):
        self.t = transfer
        self.split = ""
        if transfer.shape == "16x32bx2":
            self.split = f", {transfer.immediate}"

    def instruction(self, name, packing):
        packing = f".{packing}::16b" if self.t.packed else ""
        count = f"{self.t.shape}.x{self.t.count}"
        return f"tcgen05.{name}.sync.aligned.{count}{packing}.b32"

    @staticmethod
    def wait(name):
        text = f"tcgen05.wait::{name}.sync.aligned;"
        return f'llvm.inline_asm has_side_effects "{text}", "~{{memory}}" : () -> ()\n'

    def load(self):
        words = range(self.t.words)
        list = ", ".join(f"${i}" for i in words)
        address = f"[${self.t.words}]{self.split}"
        ptx = f"{self.instruction('ld', 'pack')} {{{list}}}, {address};"
        types = ", ".join("i32" for i in words)
        type = "i32" if self.t.words == 1 else f"!llvm.struct<({types})>"
        constraints = "=r," * self.t.words + "r"
        asm = f'llvm.inline_asm has_side_effects "{ptx}", "{constraints}" %place'
        asm += f" : (i32) -> {type}\n"
        names = ", ".join(f"%word{i}" for i in words)
        after = f"%words = vector.from_elements {names} : vector<{self.t.words}xi32>\n"
        if self.t.words == 1:
            return f"{SLAB}%word0 = {asm}{self.wait('ld')}{after}"
        parts = [f"%word{i} = llvm.extractvalue %all[{i}] : {type}\n" for i in words]
        return f"{SLAB}%all = {asm}{self.wait('ld')}{''.join(parts)}{after}"

    def store(self):
        words = range(self.t.words)
        list = ", ".join(f"${i + 1}" for i in words)
        ptx = f"{self.instruction('st', 'unpack')} [$0]{self.split}, {{{list}}};"
        vector = f"vector<{self.t.words}xi32>"
        parts = [
            f"%word{i} = vector.extract %words[{i}] : i32 from {vector}\n"
            for i in words
        ]
        names = "".join(f", %word{i}" for i in words)
        constraints = "r," * (self.t.words + 1) + "~{memory}"
        asm = f'llvm.inline_asm has_side_effects "{ptx}", "{constraints}" %place{names}'
        types = ", ".join(["i32"] * (self.t.words + 1))
        return f"{SLAB}{''.join(parts)}{asm} : ({types}) -> ()\n{self.wait('st')}"


def powers(limit):
    n = 1
    while n <= limit:
        yield n
        n *= 2


def layout(modes, offset=()):
    """From pairs of an extent and a stride, the slowest first."""
    extents = ", ".join(str(extent) for extent, _ in modes)
    text = f"#tmem.layout<({extents}) : ({', '.join(stride for _, stride in modes)})"
    return text + (f" + ({', '.join(offset)})" if offset else "") + ">"


class TMem:
    """Operations of the tmem dialect; both places of the tile as layouts."""

    def __init__(self, transfer, half, element):
        self.t, self.half = transfer, half
        self.width = 2 if transfer.packed else 1  # Elements of a word.
        self.element = element
        self.values = f"vector<{self.width * transfer.words}x{element}>"

    def registers(self):
        """Each bit of the tile's index, the slowest first, on its register bit."""
        bits = {self.t.fragment(b, 0): f"{b}@lane" for b in powers(16)}
        for b in powers(self.t.words // 2):
            bits[self.t.fragment(0, b)] = f"{b * self.width}@reg"
        columns = self.t.columns // self.width
        regions = []
        if self.t.shape == "16x32bx2":
            bits.pop(self.t.fragment(16, 0))
            regions = [(2, "16@lane")]
            bits.update({(b, 0): f"{b}@lane" for b in powers(8)})
            bits.update({(0, b): f"{b * self.width}@reg" for b in powers(columns // 2)})
        places = [(b, 0) for b in powers(self.t.rows // 2)][::-1]
        places += [(0, b) for b in powers(columns // 2)][::-1]
        modes = regions + [(4, "1@warp")] + [(2, bits[place]) for place in places]
        return layout(modes + [(2, "1@reg")] * (self.width - 1))

    def view(self, lanes, columns):
        # Of the 16-bit columns of a cell only the first is used.
        step = self.width
        modes = [(4, "32@tlane"), (self.t.rows, "1@tlane")]
        modes += [(self.t.columns, f"{step}@tcol")]
        offset = [f"{lanes}@tlane"] * (lanes > 0)
        offset += [f"{columns * step}@tcol"] * (columns > 0)
        shape = f"{4 * self.t.rows}x{self.t.columns}x{self.element}"
        return f"!tmem.view<{shape}, {layout(modes, offset)}>"

    def views(self):
        """Definitions, names and types."""
        places = [(16 * self.half, 0)]
        if self.t.shape == "16x32bx2":
            places.append(self.t.split)
        types = [self.view(*place) for place in places]
        names = [f"%view{i}" for i in range(len(types))]
        lines = [
            f"{n} = tmem.view %address : {type}\n" for n, type in zip(names, types)
        ]
        return "".join(lines), ", ".join(names), ", ".join(types)

    def atom(self, packing):
        mode = f", {packing}" if self.t.packed else ""
        atom = f"atom(<{self.t.shape}, x{self.t.count}{mode}>)"
        return f"registers({self.registers()}) {atom} scope(warpgroup)"

    def load(self):
        lines, names, types = self.views()
        op = "tmem.load_split" if self.t.shape == "16x32bx2" else "tmem.load"
        lines += f"%pending = {op} {names} {self.atom('pack')}"
        lines += f" : {types} -> !tmem.pending<{self.values}>\n"
        lines += f"%values = tmem.wait_load %pending : !tmem.pending<{self.values}>\n"
        words = f"vector<{self.t.words}xi32>"
        return lines + f"%words = vector.bitcast %values : {self.values} to {words}\n"

    def store(self):
        lines, names, types = self.views()
        words = f"vector<{self.t.words}xi32>"
        lines += f"%values = vector.bitcast %words : {words} to {self.values}\n"
        op = "tmem.store_split" if self.t.shape == "16x32bx2" else "tmem.store"
        lines += f"%token = {op} %values, {names} {self.atom('unpack')}"
        return lines + f" : {self.values}, {types}\ntmem.wait_store %token\n"


def make_case(form, shape, n, i, packed, image):
    """The i-th count of a shape."""
    transfer = Transfer(shape, n, packed)
    splits = [(16, 0), (0, transfer.columns), (16, transfer.columns)]
    transfer.split = splits[i % len(splits)]
    # Somewhere among the columns and at their end, and for a 16-row shape in either
    # half of the slab.
    extent = transfer.columns
    if shape == "16x32bx2":
        extent += transfer.split[1]
    offsets = [(512 - extent) * (i + 2) // 11 // 2 * 2, 512 - extent]
    halves, shift = shape not in ("32x32b", "16x32bx2"), 0
    if form == "tmem":
        half = i % 2 if halves else 0
        element = ("i32", "f32", "i16", "f16")[i % 2 + 2 * packed]
        code, shift = TMem(transfer, half, element), half << 20
    else:
        code = {"nvvm": NVVM, "intrinsic": Intrinsic, "ptx": PTX}[form](transfer)
        offsets[1] += halves << 20
    name = f"{shape} x{n}{' pack' if packed else ''}"
    case = Case(name, image, transfer.words, code.load(), code.store(), packed)
    case.offsets, case.shift = offsets, shift
    return case, transfer


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shape", choices=SHAPES)
    parser.add_argument("--pack", action="store_true", help="pack and unpack")
    parser.add_argument(
        "--form", choices=["tmem", "nvvm", "intrinsic", "ptx"], default="tmem"
    )
    parser.add_argument("--expect", choices=SHAPES, help="compare with another shape")
    arguments = parser.parse_args()

    shape, packed = arguments.shape, arguments.pack
    images, cases = {}, []
    for i, n in enumerate(powers(SHAPES[shape][2])):
        image = f"image_x{n}"
        case, transfer = make_case(arguments.form, shape, n, i, packed, image)
        if arguments.expect:
            transfer.fragment = SHAPES[arguments.expect][0]
        images[image] = transfer.image()
        cases.append(case)
    print_module("", images, cases)


if __name__ == "__main__":
    main()
