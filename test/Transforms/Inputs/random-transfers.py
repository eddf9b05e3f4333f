#!/usr/bin/env python3
# ===- random-transfers.py - Any transfers, end to end, bit by bit --------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Runs transfers on the emulator and compares every bit with what the layouts
say, in four steps:

  tmem-random-transfers SEED COUNT > CASES  (or: random-transfers.py datapaths)
  random-transfers.py module CASES > MODULE, which tmem-opt selects atoms for
  random-transfers.py input CASES MODULE > IN, with which tmem-run makes OUT
  random-transfers.py check CASES MODULE IN OUT

CASES has a transfer on each line, as JSON. The program copies what it is given:
a kernel fills Tensor Memory past the instructions, executes some loads, and hands
out their registers; another one fills it, executes stores of the registers it is
given, and hands out all of Tensor Memory after each. A change is a load, an
exclusive or of each element, and a store to where it was. Which bits have to be
where is found here alone, by enumerating the elements of the layouts. What runs may
be MODULE after more passes: the registers are those of MODULE."""

import argparse
import array
import json
import os
import random
import re
import sys

LANES, GROUP = 128, 8  # Lanes; transfers of a kernel.
WORD = 0xFFFFFFFF


def read_axes(text):
    return [(int(n), axis) for n, axis in re.findall(r"(-?\d+)@(\w+)", text)]


class Layout:
    """(extents) : (strides) * (extent : stride, ...) + (offset, ...)"""

    def __init__(self, text):
        self.text = text
        modes, *rest = re.split(r" (?=[+*] )", text)
        extents, strides = modes.split(" : ")
        extents = [int(n) for n in re.findall(r"\d+", extents)]
        self.modes = list(zip(extents, read_axes(strides)))
        self.offsets, self.replicas = [], []
        for part in rest:
            if part.startswith("+"):
                self.offsets = read_axes(part)
            else:
                found = re.findall(r"(\d+) : (-?\d+)@(\w+)", part)
                self.replicas = [(int(n), (int(s), axis)) for n, s, axis in found]

    def places(self):
        """For each element, by its row-major number, its places: axis by axis."""
        start = {}
        for value, axis in self.offsets:
            start[axis] = start.get(axis, 0) + value
        elements = [start]
        for extent, (stride, axis) in self.modes:
            elements = [
                {**place, axis: place.get(axis, 0) + i * stride}
                for place in elements
                for i in range(extent)
            ]
        for element in elements:
            places = [element]
            for extent, (stride, axis) in self.replicas:
                places = [
                    {**place, axis: place.get(axis, 0) + i * stride}
                    for place in places
                    for i in range(extent)
                ]
            yield places


def datapath(letter, rows, columns, half):
    """What tcgen05.mma leaves where: (lane, cell) of each element."""
    for number in range(rows * columns):
        i, j = divmod(number, columns)
        if letter in "AD":
            yield [(i, j)]
        elif letter in "BE":
            yield [(i + 64 * (j // (columns // 2)), j % (columns // 2))]
        elif letter in "CF":
            yield [(32 * (i // 16) + 16 * half + i % 16, j)]
        else:
            yield [(i + 32 * (j // (columns // 4)), j % (columns // 4))]


class Transfer:
    """A line of CASES, and where it is carried out."""

    def __init__(self, number, line):
        self.number = number
        for key, value in json.loads(line).items():
            setattr(self, key, value)
        # How the tile is reached is drawn, too, but the same in every step.
        self.random = random.Random(number)
        self.is_load = self.direction == "load"
        self.is_change = self.direction == "change"
        self.packed = self.vector * self.bits % 32 == 0
        self.words = self.vector * self.bits // 32 if self.packed else self.vector
        self.find_memory()
        warps = getattr(self, "warps", 4)
        if self.scope == "cta" and self.registers:
            warps = 1 + max(self.thread(p) for p in self.slots()) // 32
        self.threads = 32 * warps
        self.choose_place()

    def find_memory(self):
        """The places of each element: (lane, bit of the row)."""
        if "datapath" in vars(self):
            letter, half = self.datapath[0], int(self.datapath[1:] or 0)
            places = datapath(letter, *self.shape, half)
            self.places = [[(lane, 32 * c) for lane, c in all] for all in places]
            suffix = ", half = 1" if half else ""
            self.views = [f"#tmem.datapath<{letter}{suffix}>"]
        else:
            self.places = [
                [(p.get("tlane", 0), p.get("tcol", 0) * self.bits) for p in all]
                for text in self.memory
                for all in Layout(text).places()
            ]
            self.views = [f"#tmem.layout<{text}>" for text in self.memory]
        last = max(bit for all in self.places for _, bit in all)
        self.columns = 1 + (last + self.bits - 1) // 32

    def choose_place(self):
        """The tile is at the address, or at a column known when it runs: by an
        address that is calculated, or as a stage of several."""
        step = self.columns + self.random.randrange(4)
        step += self.bits == 64 and step % 2
        stages = min(512 // step, 3)
        ways = ["plain", "offset"]
        if len(self.views) == 1 and "memory" in vars(self) and stages > 1:
            ways.append("stage")
        self.way, self.step, self.stages = self.random.choice(ways), step, stages
        self.column, self.index = 0, 0
        if self.way == "offset":
            self.column = self.index = self.random.randrange(513 - self.columns) % 64
        elif self.way == "stage":
            self.index = self.random.randrange(stages)
            self.column = self.index * step

    def slots(self):
        for places in Layout(self.registers).places():
            yield from places

    def thread(self, place):
        thread = place.get("tid", 0) + 32 * place.get("warp", 0) + place.get("lane", 0)
        # The register layout of a warp has only lanes.
        if self.scope.startswith("warp "):
            thread += 32 * int(self.scope[5:])
        return thread

    def register_bits(self):
        """For each element the places in registers: (thread, word, bit)."""
        for places in Layout(self.registers).places():
            found = []
            for place in places:
                slot = place.get("reg", 0)
                if self.packed:
                    word, bit = divmod(slot * self.bits, 32)
                else:
                    word, bit = slot, 0
                found.append((self.thread(place), word, bit))
            yield found

    def is_usable(self):
        return self.columns <= 512 and self.threads <= 1024

    @property
    def allocated(self):
        last = self.column + self.columns
        if self.way == "stage":
            last = self.stages * self.step
        return max(32, 1 << (last - 1).bit_length())


class Kernel:
    """Some transfers of one direction and number of threads."""

    def __init__(self, transfers):
        self.transfers = transfers
        self.is_load = transfers[0].is_load
        self.threads = transfers[0].threads
        self.columns = max(transfer.allocated for transfer in transfers)
        self.cells = LANES * self.columns

    def assign(self, start_in, start_out):
        """Where in the input and output words begin; the ends of both."""
        self.first = start_in
        start_in += self.cells
        for transfer in self.transfers:
            transfer.first_index = start_in
            start_in += 1
            transfer.first_in, transfer.first_out = start_in, start_out
            if self.is_load:
                start_out += self.threads * transfer.words
            else:
                if not transfer.is_change:
                    start_in += self.threads * transfer.words
                start_out += self.cells
        return start_in, start_out


class Program:
    def __init__(self, path):
        with open(path) as lines:
            self.transfers = [Transfer(n, line) for n, line in enumerate(lines)]
        self.transfers = [t for t in self.transfers if t.is_usable()]
        groups, self.kernels = {}, []
        for transfer in self.transfers:
            key = (transfer.threads, transfer.is_load, transfer.allocated)
            # What one leaves undefined the next one may not read.
            if transfer.is_change:
                key += ("change", transfer.bits)
            groups.setdefault(key, []).append(transfer)
        for group in groups.values():
            for i in range(0, len(group), GROUP):
                self.kernels.append(Kernel(group[i : i + GROUP]))
        self.size_in = self.size_out = 0
        for kernel in self.kernels:
            self.size_in, self.size_out = kernel.assign(self.size_in, self.size_out)

    def read_registers(self, path):
        """The register layouts that the selection filled in, kernel by kernel."""
        with open(path) as file:
            text = file.read()
        found = re.findall(
            r"tmem\.(?:load|store)\w* .*? registers\(#tmem\.layout<(.*?)>\)"
            r" atom\(<(.*?)>\)",
            text,
        )
        transfers = [t for kernel in self.kernels for t in kernel.transfers]
        operations = [t for t in transfers for _ in range(1 + t.is_change)]
        assert len(found) == len(operations), "every transfer is selected"
        for transfer, (registers, atom) in zip(operations, found):
            transfer.registers, transfer.atom = registers, atom


# --- The module ----------------------------------------------------------------


def view_lines(transfer):
    """Defines the views; their names and types."""
    shape = "x".join(map(str, transfer.shape))
    element = f"i{transfer.bits}"
    types = [f"!tmem.view<{shape}x{element}, {view}>" for view in transfer.views]
    lines = [f"%index = memref.load %in[%i{transfer.number}] : !in"]
    address = "%base"
    if transfer.way == "offset":
        lines.append("%address = arith.addi %base, %index : i32")
        address = "%address"
    if transfer.way == "stage":
        extents, _, rest = transfer.memory[0].partition(" : ")
        stride = transfer.step * 32 // transfer.bits
        staged = f"({transfer.stages}, {extents[1:]} : ({stride}@tcol, {rest[1:]}"
        # One dimension: those of the tile may cut through modes.
        count = len(transfer.places)
        all = f"{transfer.stages}x{count}x{element}"
        whole = f"!tmem.view<{all}, #tmem.layout<{staged}>>"
        types = [f"!tmem.view<1x{count}x{element}, {transfer.views[0]}>"]
        lines += [
            "%stage = arith.index_cast %index : i32 to index",
            f"%stages = tmem.view %base : {whole}",
            f"%view0 = tmem.subview %stages[%stage, 0] [1, {count}]",
            f"    : {whole} to {types[0]}",
        ]
    else:
        for i, type in enumerate(types):
            lines.append(f"%view{i} = tmem.view {address} : {type}")
    return lines, ", ".join(f"%view{i}" for i in range(len(types))), ", ".join(types)


def to_words(transfer):
    """%values to the words that are handed out at %at."""
    n, values = transfer.vector, f"vector<{transfer.vector}xi{transfer.bits}>"
    if transfer.packed:
        words = f"vector<{transfer.words}xi32>"
        cast = f"%words = vector.bitcast %values : {values} to {words}"
        if values == words:
            cast = ""
        name = "%words" if cast else "%values"
        return [cast, f"vector.store {name}, %out[%at] : !out, {words}"]
    lines = []
    for i in range(n):
        lines += [
            f"%e{i} = vector.extract %values[{i}] : i{transfer.bits} from {values}",
            f"%w{i} = arith.extui %e{i} : i{transfer.bits} to i32",
            f"%c{i} = arith.constant {i} : index",
            f"%at{i} = arith.addi %at, %c{i} : index",
            f"memref.store %w{i}, %out[%at{i}] : !out",
        ]
    return lines


def from_words(transfer):
    n, values = transfer.vector, f"vector<{transfer.vector}xi{transfer.bits}>"
    if transfer.packed:
        words = f"vector<{transfer.words}xi32>"
        if values == words:
            return [f"%values = vector.load %in[%at] : !in, {words}"]
        return [
            f"%words = vector.load %in[%at] : !in, {words}",
            f"%values = vector.bitcast %words : {words} to {values}",
        ]
    lines = []
    for i in range(n):
        lines += [
            f"%c{i} = arith.constant {i} : index",
            f"%at{i} = arith.addi %at, %c{i} : index",
            f"%w{i} = memref.load %in[%at{i}] : !in",
            f"%e{i} = arith.trunci %w{i} : i32 to i{transfer.bits}",
        ]
    names = ", ".join(f"%e{i}" for i in range(n))
    return lines + [f"%values = vector.from_elements {names} : {values}"]


def change(transfer):
    values = f"vector<{transfer.vector}xi{transfer.bits}>"
    return [
        f"%before = tmem.wait_load %pending : !tmem.pending<{values}>",
        f"%mask = arith.constant dense<{change_mask(transfer)}> : {values}",
        f"%values = arith.xori %before, %mask : {values}",
    ]


def transfer_lines(transfer):
    values = f"vector<{transfer.vector}xi{transfer.bits}>"
    lines, views, types = view_lines(transfer)
    split = "_split" if len(transfer.views) == 2 else ""
    rest = f"scope({transfer.scope})"
    if transfer.registers:
        rest = f"registers(#tmem.layout<{transfer.registers}>) {rest}"
    first = transfer.first_out if transfer.is_load else transfer.first_in
    lines += [
        f"%words_of_thread = arith.constant {transfer.words} : index",
        f"%first = arith.constant {first} : index",
        "%thread_at = arith.muli %tid, %words_of_thread : index",
        "%at = arith.addi %thread_at, %first : index",
    ]
    if transfer.is_load:
        lines += [
            f"%pending = tmem.load{split} {views} {rest}",
            f"    : {types} -> !tmem.pending<{values}>",
            f"%values = tmem.wait_load %pending : !tmem.pending<{values}>",
            *to_words(transfer),
        ]
    else:
        source = change(transfer) if transfer.is_change else from_words(transfer)
        if transfer.is_change:
            lines += [
                f"%pending = tmem.load{split} {views} {rest}",
                f"    : {types} -> !tmem.pending<{values}>",
            ]
        lines += source + [
            f"%token = tmem.store{split} %values, {views} {rest}",
            f"    : {values}, {types}",
            "tmem.wait_store %token",
        ]
    # Each transfer has names of its own.
    name = re.compile(r"%(?!(?:base|in|out|tid|warp|columns)\b)(\w+)")
    return [name.sub(rf"%\1_{transfer.number}", line) for line in lines]


def print_kernel(number, kernel):
    print(f"""\
    gpu.func @kernel{number}(%in: !in, %out: !out) kernel
        attributes {{known_block_size = array<i32: {kernel.threads}, 1, 1>}} {{
      %columns = arith.constant {kernel.columns} : index
      %first_cell = arith.constant {kernel.first} : index
      %base = func.call @begin{kernel.columns}(%in, %columns, %first_cell)
          : (!in, index, index) -> i32
      %tid = gpu.thread_id x
      %lanes = arith.constant 32 : index
      %warp = arith.divui %tid, %lanes : index""")
    for transfer in kernel.transfers:
        n = transfer.number
        lines = [f"%i{n}_{n} = arith.constant {transfer.first_index} : index"]
        body = transfer_lines(transfer)
        if transfer.scope.startswith("warp "):
            lines += [
                f"%this_{n} = arith.constant {transfer.scope[5:]} : index",
                f"%only_{n} = arith.cmpi eq, %warp, %this_{n} : index",
                f"scf.if %only_{n} {{",
                *body,
                "}",
            ]
        else:
            lines += body
        if not transfer.is_load:
            lines += [
                f"%to_{n} = arith.constant {transfer.first_out} : index",
                f"func.call @dump(%base, %out, %columns, %to_{n})",
                "    : (i32, !out, index, index) -> ()",
            ]
        print("\n".join(" " * 6 + line for line in lines if line))
    print(f"""\
      func.call @end{kernel.columns}(%base) : (i32) -> ()
      gpu.return
    }}""")


def print_module(program):
    print(f"!in = memref<{program.size_in}xi32>\n!out = memref<{program.size_out}xi32>")
    print("!slot = memref<1xi32, #gpu.address_space<workgroup>>")
    print("module attributes {gpu.container_module} {\n  gpu.module @kernels {")
    with open(os.path.join(os.path.dirname(__file__), "random-device.mlir")) as file:
        device = file.read()
    common, sized = device.split("// For each number of columns:\n")
    print(common)
    for columns in sorted({kernel.columns for kernel in program.kernels}):
        print(sized.replace("COLUMNS", str(columns)))
    for number, kernel in enumerate(program.kernels):
        print_kernel(number, kernel)
    print("  }")
    print_host(program)
    print("}")


def print_host(program):
    """@main reads the input from the standard input and writes what comes of it."""
    print("""\
  llvm.func @read(i32, !llvm.ptr, i64) -> i64
  llvm.func @write(i32, !llvm.ptr, i64) -> i64
  func.func @main() -> i32 {
    %c1 = arith.constant 1 : index
    %stdin = arith.constant 0 : i32
    %stdout = arith.constant 1 : i32""")
    for name in "in", "out":
        size = program.size_in if name == "in" else program.size_out
        print(f"""\
    %size_{name} = arith.constant {4 * size} : i64
    %{name} = memref.alloc() : !{name}
    %{name}_any = memref.cast %{name} : !{name} to memref<*xi32>
    gpu.host_register %{name}_any : memref<*xi32>
    %{name}_index = memref.extract_aligned_pointer_as_index %{name}
        : !{name} -> index
    %{name}_int = arith.index_cast %{name}_index : index to i64
    %{name}_ptr = llvm.inttoptr %{name}_int : i64 to !llvm.ptr""")
    print("""\
    %got = llvm.call @read(%stdin, %in_ptr, %size_in)
        : (i32, !llvm.ptr, i64) -> i64""")
    for number, kernel in enumerate(program.kernels):
        print(f"""\
    %threads{number} = arith.constant {kernel.threads} : index
    gpu.launch_func @kernels::@kernel{number} blocks in (%c1, %c1, %c1)
        threads in (%threads{number}, %c1, %c1) args(%in : !in, %out : !out)""")
    print("""\
    %put = llvm.call @write(%stdout, %out_ptr, %size_out)
        : (i32, !llvm.ptr, i64) -> i64
    %bad_in = arith.cmpi ne, %got, %size_in : i64
    %bad_out = arith.cmpi ne, %put, %size_out : i64
    %bad = arith.ori %bad_in, %bad_out : i1
    %status = arith.extui %bad : i1 to i32
    return %status : i32
  }""")


# --- Input and output ----------------------------------------------------------


def cell_value(salt, cell):
    """Distinct in both halves for each cell of a CTA."""
    low = (cell * 40503 + salt) & 0xFFFF
    high = (cell * 0x9E35 + 7 * salt + 1) & 0xFFFF
    return high << 16 | low


def change_mask(transfer):
    return 0x5A3C69F15AC3961F >> (64 - transfer.bits)


def element_values(transfer):
    """Distinct for as many as the width allows."""
    bits, count = transfer.bits, len(transfer.places)
    if bits <= 8:
        drawn = random.Random(~transfer.number)
        return [drawn.getrandbits(bits) for _ in range(count)]
    odd = 0x9E3779B97F4A7C15 >> (64 - bits) | 1
    return [((e + 1) * odd + transfer.number) % (1 << bits) for e in range(count)]


def parts(bits):
    """The bits of an element, word by word: (word, shift)."""
    return [(i, 32 * i) for i in range(max(bits // 32, 1))]


def make_input(program):
    words = array.array("I", bytes(4 * program.size_in))
    for salt, kernel in enumerate(program.kernels):
        for cell in range(kernel.cells):
            words[kernel.first + cell] = cell_value(salt, cell)
        for transfer in kernel.transfers:
            words[transfer.first_index] = transfer.index
            if not transfer.is_load and not transfer.is_change:
                fill_registers(kernel, transfer, words)
    return words


def fill_registers(kernel, transfer, words):
    """Elements, and noise where there are none."""
    noise = random.Random(transfer.number)
    first, mask = transfer.first_in, (1 << min(transfer.bits, 32)) - 1
    for i in range(kernel.threads * transfer.words):
        words[first + i] = noise.getrandbits(32)
    for value, places in zip(element_values(transfer), transfer.register_bits()):
        for thread, word, bit in places:
            at = first + thread * transfer.words + word
            for part, shift in parts(transfer.bits):
                keep = words[at + part] & (WORD ^ mask << bit)
                words[at + part] = keep | (value >> shift & mask) << bit


class Checker:
    def __init__(self, program, words_in, words_out):
        self.program, self.given, self.got = program, words_in, words_out
        self.elements = self.wrong = self.wrong_transfers = 0
        self.topics = {}

    def fail(self, transfer, message):
        self.wrong += 1
        if self.wrong <= 10:
            print(f"transfer {transfer.number} ({transfer.atom}): {message}")

    def count(self, transfer):
        shape = transfer.atom.split(",")[0]
        scope = transfer.scope.split()[0]
        topics = [shape, f"{transfer.bits} bits", transfer.way, scope]
        topics += ["packed"] if "pack" in transfer.atom else []
        for topic in topics:
            self.topics[topic] = self.topics.get(topic, 0) + 1

    def run(self, spoils):
        for kernel in self.program.kernels:
            memory = array.array("I", self.given[kernel.first :][: kernel.cells])
            for transfer in kernel.transfers:
                self.count(transfer)
                before = self.wrong
                if spoils:
                    self.spoil(kernel, transfer)
                    self.check(kernel, transfer, memory[:])
                    self.spoil(kernel, transfer)
                self.wrong_transfers += self.wrong > before
                self.check(kernel, transfer, memory)
                self.wrong_transfers += self.wrong > before and not spoils

    def spoil(self, kernel, transfer):
        """Inverts one element; the second time it is right again."""
        drawn = random.Random(transfer.number)
        element = drawn.randrange(len(transfer.places))
        if transfer.is_load:
            registers = list(transfer.register_bits())[element]
            thread, word, bit = drawn.choice(registers)
            at = thread * transfer.words + word
        else:
            lane, bit = drawn.choice(transfer.places[element])
            column, bit = divmod(bit, 32)
            at = lane * kernel.columns + transfer.column + column
        mask = (1 << min(transfer.bits, 32)) - 1
        self.got[transfer.first_out + at] ^= mask << bit

    def check(self, kernel, transfer, memory):
        if transfer.is_load:
            self.check_load(kernel, transfer, memory)
        else:
            self.check_store(kernel, transfer, memory)

    def check_load(self, kernel, transfer, memory):
        """Every register has the bits of (one of) the element's cells."""
        mask, all_parts = (1 << min(transfer.bits, 32)) - 1, parts(transfer.bits)

        def read(words, at, bit):
            return [words[at + part] >> bit & mask for part, _ in all_parts]

        for number, (cells, registers) in enumerate(
            zip(transfer.places, transfer.register_bits())
        ):
            values = []
            for lane, bit in cells:
                cell = lane * kernel.columns + transfer.column + bit // 32
                values.append(read(memory, cell, bit % 32))
            for thread, word, bit in registers:
                at = transfer.first_out + thread * transfer.words + word
                self.elements += 1
                if read(self.got, at, bit) not in values:
                    where = f"in thread {thread}, word {word}"
                    self.fail(transfer, f"element {number} {where}")

    def changed_values(self, kernel, transfer, memory):
        """What was in the first place of each element, other than before."""
        mask, change = (1 << min(transfer.bits, 32)) - 1, change_mask(transfer)
        for (lane, bit), *_ in transfer.places:
            column, bit = divmod(bit, 32)
            cell = lane * kernel.columns + transfer.column + column
            value = 0
            for part, shift in parts(transfer.bits):
                value |= (memory[cell + part] >> bit & mask) << shift
            yield value ^ change

    def check_store(self, kernel, transfer, memory):
        """Every cell of an element has its bits; all other cells what they had."""
        got = self.got[transfer.first_out :][: kernel.cells]
        mask, touched = (1 << min(transfer.bits, 32)) - 1, set()
        values = element_values(transfer)
        if transfer.is_change:
            values = list(self.changed_values(kernel, transfer, memory))
        for number, (value, places) in enumerate(zip(values, transfer.places)):
            for lane, bit in places:
                column, bit = divmod(bit, 32)
                cell = lane * kernel.columns + transfer.column + column
                for part, shift in parts(transfer.bits):
                    self.elements += 1
                    touched.add(cell + part)
                    if got[cell + part] >> bit & mask != value >> shift & mask:
                        self.fail(transfer, f"element {number} in lane {lane}")
        # Bits of no element in a cell of an element may be anything.
        for cell in touched:
            memory[cell] = got[cell]
        if memory != got:
            others = [i for i in range(kernel.cells) if memory[i] != got[i]]
            lane, column = divmod(others[0], kernel.columns)
            where = f"the first in lane {lane}, column {column}"
            self.fail(transfer, f"changes {len(others)} other cells, {where}")
            memory[:] = got

    def report(self):
        directions = [transfer.direction for transfer in self.program.transfers]
        kinds = [
            f"{directions.count(kind)} {kind}s"
            for kind in ("load", "store", "change")
            if kind != "change" or kind in directions
        ]
        wrong = f"{self.wrong} wrong, in {self.wrong_transfers} transfers"
        print(f"{' and '.join(kinds)}, {self.elements} elements, {wrong}")
        for topic, count in sorted(self.topics.items()):
            print(f"  {topic}: {count}")
        return 1 if self.wrong else 0


def read_words(path):
    words = array.array("I")
    with open(path, "rb") as file:
        words.frombytes(file.read())
    return words


# --- Data paths ----------------------------------------------------------------


def vector_size(letter, columns, bits):
    """Of each thread, for `columns` cells of a lane; 0 if no shape fits."""
    # Shapes of 16 rows have one half of the columns in other lanes.
    if letter in "CF" and columns % 2:
        return 0
    words = columns // 2 if letter in "CF" else columns
    # Where words are pairs, two elements of 16 bits are packed into one.
    return words if bits == 32 or words % 2 == 0 or words == 1 else 2 * words


ROWS = {"A": 128, "D": 128, "G": 32}  # 64 otherwise.
GROUPS = {"B": 2, "E": 2, "G": 4}  # Of columns, in lanes of their own; 1 otherwise.
PATHS = "A", "B", "C0", "C1", "D", "E", "F0", "F1", "G"


def datapath_case(path, n, bits):
    """An accumulator of n cells of a lane, or None if it is none."""
    size = vector_size(path[0], n, bits)
    shape = [ROWS.get(path[0], 64), n * GROUPS.get(path[0], 1)]
    if not size or shape[1] > 512 or size * bits > 1024 * 32:
        return None
    return {"bits": bits, "vector": size, "shape": shape, "datapath": path}


def dense_case(n, bits):
    """An operand of 128 rows of n cells without gaps, or None if it is none."""
    count = n * 32 // bits
    if n * 32 % bits or count > 512:
        return None
    memory = f"(128, {count}) : (1@tlane, 1@tcol)"
    return {"bits": bits, "vector": count, "shape": [128, count], "memory": [memory]}


def print_datapaths(options):
    for n in read_numbers(options.columns):
        cases = [
            dense_case(n, bits) if path == "dense" else datapath_case(path, n, bits)
            for path in options.paths.split(",")
            for bits in read_numbers(options.bits)
        ]
        for case in filter(None, cases):
            for direction in options.directions.split(","):
                case.update(direction=direction, scope="warpgroup", registers=None)
                print(json.dumps(case))


def read_numbers(text):
    """1-64,96: numbers and ranges of them."""
    for part in text.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    steps = parser.add_subparsers(dest="step", required=True)
    paths = steps.add_parser("datapaths", help="print data paths as cases")
    paths.add_argument("columns", help="cells of a lane: 1-64,96")
    paths.add_argument("--paths", default=",".join(PATHS), help="D,F1; dense for none")
    paths.add_argument("--bits", default="32,16")
    paths.add_argument("--directions", default="load,store", help="also: change")
    for step, files in {
        "module": ["cases"],
        "input": ["cases", "module"],
        "check": ["cases", "module", "given", "got"],
    }.items():
        sub = steps.add_parser(step)
        for file in files:
            sub.add_argument(file)
    sub.add_argument("--spoil", action="store_true", help="make each wrong before")
    options = parser.parse_args()
    if options.step == "datapaths":
        return print_datapaths(options)
    program = Program(options.cases)
    if options.step == "module":
        return print_module(program)
    program.read_registers(options.module)
    if options.step == "input":
        make_input(program).tofile(sys.stdout.buffer)
        return 0
    checker = Checker(program, read_words(options.given), read_words(options.got))
    assert len(checker.got) == program.size_out, "the program wrote everything"
    checker.run(options.spoil)
    return checker.report()


if __name__ == "__main__":
    sys.exit(main())
