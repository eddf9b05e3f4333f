# ===- images.py - Modules that check transfers cell by cell ----*- Python -*-===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Modules whose kernels move a tile and whose host code checks every word.

What a transfer has to do is an image: the TMEM address (lane << 16 | column) of
the cell of each register word of each thread, a table in the module. Of the
kernels of an image "ld" loads cells that were filled past the instructions, "st"
stores, and has every cell of Tensor Memory read past the instructions, and "rt"
stores and loads. @main prints a line for each and returns the number of words
that were wrong."""

import os
import re
import struct
from dataclasses import dataclass, field

TYPES = """\
!cells = memref<128x512xi32>
!regs = memref<256x160xi32>
!image = memref<?x?xi32>
!counts = memref<2xi64>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
"""

# The steps of host code around the launch of each kind of kernel.
KINDS = {
    "ld": (
        """\
    func.call @fill_cells(%cells, %zero) : (!cells, i32) -> ()
    func.call @clear_registers(%to) : (!regs) -> ()""",
        """\
    func.call @compare_registers(%to, %image, %words, %offset, %packed, %counts)
        : (!regs, !image, index, i32, i1, !counts) -> ()""",
    ),
    "st": (
        """\
    func.call @fill_cells(%cells, %minus1) : (!cells, i32) -> ()
    func.call @fill_registers(%from, %image, %words, %offset, %packed)
        : (!regs, !image, index, i32, i1) -> ()""",
        """\
    func.call @compare_cells(%cells, %image, %words, %offset, %packed, %counts,
        %others) : (!cells, !image, index, i32, i1, !counts, !counts) -> ()""",
    ),
    "rt": (
        """\
    func.call @clear_registers(%to) : (!regs) -> ()
    func.call @fill_registers(%from, %image, %words, %offset, %packed)
        : (!regs, !image, index, i32, i1) -> ()""",
        """\
    func.call @compare_registers(%to, %image, %words, %offset, %packed, %counts)
        : (!regs, !image, index, i32, i1, !counts) -> ()""",
    ),
}


@dataclass
class Case:
    """An image, and the MLIR that moves it. `load` defines %words from %address,
    `store` stores %words there; words are one vector of i32."""

    name: str  # As printed.
    image: str  # Name of a table, whose first `words` columns count.
    words: int
    load: str
    store: str
    packed: bool = False  # A word is the low halves of its cell and the next.
    offsets: list = field(default_factory=lambda: [0])  # What %address adds.
    shift: int = 0  # What the code adds to %address itself.
    threads: int = 128
    only: str = ""  # Defines %only, who executes the transfer.

    def symbol(self, kind):
        letters = [c if c.isalnum() else "_" for c in self.name]
        return f"{kind}_{''.join(letters)}"


def read_input(name):
    with open(os.path.join(os.path.dirname(__file__), name)) as file:
        return file.read()


def indent(text, width):
    return "\n".join(" " * width + line for line in text.splitlines())


def table(name, rows):
    """A constant of the cells' addresses; None where a word has no cell."""
    words = [
        -1 if cell is None else cell[0] << 16 | cell[1] for row in rows for cell in row
    ]
    data = struct.pack(f"<{len(words)}i", *words).hex().upper()
    type = f"memref<{len(rows)}x{len(rows[0])}xi32>"
    # A splat has to be written as one.
    text = str(words[0]) if len(set(words)) == 1 else f'"0x{data}"'
    return f'  memref.global "private" constant @{name} : {type} = dense<{text}>\n'


def kernel_body(case, kind):
    vector = f"vector<{case.words}xi32>"
    lines = []
    if kind != "ld":
        lines.append(f"%words = vector.load %from[%tid, %c0] : !regs, {vector}")
        lines += case.store.splitlines()
    if kind != "st":
        # After a store the names have to differ.
        text = re.sub(
            r"%(?!(?:address|base|offset|tid|c0)\b)(\w+)", r"%\1_ld", case.load
        )
        lines += text.splitlines()
        lines.append(f"vector.store %words_ld, %to[%tid, %c0] : !regs, {vector}")
    if case.only:
        lines = [case.only, "scf.if %only {"] + lines + ["}"]
    return indent("\n".join(lines), 6)


def kernel(case, kind):
    fill = "false" if kind == "rt" else "true"
    dump = (
        "      func.call @dump(%base, %cells) : (i32, !cells) -> ()\n"
        if kind == "st"
        else ""
    )
    return f"""\
    gpu.func @{case.symbol(kind)}(%cells: !cells, %from: !regs, %to: !regs,
                                  %offset: i32) kernel
        attributes {{known_block_size = array<i32: {case.threads}, 1, 1>}} {{
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %fill = arith.constant {fill}
      %base = func.call @begin(%cells, %fill) : (!cells, i1) -> i32
      %address = arith.addi %base, %offset : i32
{kernel_body(case, kind)}
{dump}      func.call @end(%base) : (i32) -> ()
      gpu.return
    }}
"""


def host_check(case, kind, tables):
    before, after = KINDS[kind]
    rows, columns = tables[case.image]
    shape = f"memref<{rows}x{columns}xi32>"
    packed = "true" if case.packed else "false"
    text = f"""\
  func.func @check_{case.symbol(kind)}(%cells: !cells, %from: !regs, %to: !regs,
                                       %counts: !counts, %others: !counts) -> i64 {{
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %minus1 = arith.constant -1 : i32
    %false = arith.constant false
    %true = arith.constant true
    %packed = arith.constant {packed}
    %threads = arith.constant {case.threads} : index
    %words = arith.constant {case.words} : index
    %table = memref.get_global @{case.image} : {shape}
    %image = memref.cast %table : {shape} to !image
    vector.print str "{kind} {case.name}: "
"""
    for i, offset in enumerate(case.offsets):
        step = f"""\
    %argument = arith.constant {offset} : i32
    %offset = arith.constant {offset + case.shift} : i32
{before}
    gpu.launch_func @kernels::@{case.symbol(kind)} blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1)
        args(%cells : !cells, %from : !regs, %to : !regs, %argument : i32)
{after}
"""
        text += re.sub(r"%(argument|offset)", rf"%\g<1>{i}", step)
    text += """\
    %wrong = func.call @print_counts(%counts, %true) : (!counts, i1) -> i64
"""
    sum = "%wrong"
    if kind == "st":
        text += """\
    vector.print str "; "
    %kept = func.call @print_counts(%others, %false) : (!counts, i1) -> i64
    %sum = arith.addi %wrong, %kept : i64
"""
        sum = "%sum"
    return text + f"""\
    vector.print punctuation <newline>
    return {sum} : i64
  }}
"""


def main_function(cases, kinds):
    text = """\
  func.func @main() -> i32 {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %limit = arith.constant 255 : i64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cells = memref.alloc() : !cells
    %from = memref.alloc() : !regs
    %to = memref.alloc() : !regs
    %counts = memref.alloc() : !counts
    %others = memref.alloc() : !counts
"""
    for name, type in ("cells", "!cells"), ("from", "!regs"), ("to", "!regs"):
        text += f"""\
    %{name}_unranked = memref.cast %{name} : {type} to memref<*xi32>
    gpu.host_register %{name}_unranked : memref<*xi32>
"""
    for name in ("counts", "others"):
        for index in ("%c0", "%c1"):
            text += f"    memref.store %zero, %{name}[{index}] : !counts\n"
    sum = "%zero"
    for i, (case, kind) in enumerate((case, kind) for case in cases for kind in kinds):
        text += f"""\
    %n{i} = func.call @check_{case.symbol(kind)}(%cells, %from, %to, %counts,
        %others) : (!cells, !regs, !regs, !counts, !counts) -> i64
    %s{i} = arith.addi {sum}, %n{i} : i64
"""
        sum = f"%s{i}"
    # The status of a process has 8 bits.
    return text + f"""\
    %bounded = arith.minui {sum}, %limit : i64
    %status = arith.trunci %bounded : i64 to i32
    return %status : i32
  }}
"""


def print_module(types, images, cases, kinds=("ld", "st", "rt")):
    """`types` are alias definitions that the cases use, `images` the tables: rows
    of (lane, column) for each thread."""
    tables = {name: (len(rows), len(rows[0])) for name, rows in images.items()}
    print(TYPES + types)
    print("module attributes {gpu.container_module} {\n  gpu.module @kernels {")
    print(indent(read_input("image-device.mlir"), 2))
    for case in cases:
        for kind in kinds:
            print(kernel(case, kind))
    print("  }\n")
    print(read_input("image-host.mlir"))
    for name, rows in images.items():
        print(table(name, rows))
    for case in cases:
        for kind in kinds:
            print(host_check(case, kind, tables))
    print(main_function(cases, kinds) + "}")
