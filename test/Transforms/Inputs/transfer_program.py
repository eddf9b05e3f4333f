# ===- transfer_program.py - Transfers, and kernels that execute them ------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""The cases that random-transfers.py reads: where each element of a tile is, found
by enumerating the layouts, and which kernel moves it. There are millions of
elements, so that lists are made axis by axis, not element by element."""

import json
import math
import random
import re

LANES, GROUP = 128, 8  # Lanes; transfers of a kernel.
GROUPS = {"B": 2, "E": 2, "G": 4}  # Of columns, in lanes of their own; 1 otherwise.


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

    def coordinates(self, name):
        """On an axis: for each replica those of all elements, in row-major order."""
        values = [sum(value for value, axis in self.offsets if axis == name)]
        for extent, (stride, axis) in self.modes:
            if axis == name:
                steps = [i * stride for i in range(extent)]
                values = [value + step for value in values for step in steps]
            elif any(values):
                values = [value for value in values for _ in range(extent)]
            else:
                values = values * extent
        shifts = [0]
        for extent, (stride, axis) in self.replicas:
            steps = [i * stride * (axis == name) for i in range(extent)]
            shifts = [shift + step for shift in shifts for step in steps]
        return [[value + shift for value in values] for shift in shifts]

    def last(self, name):
        """The largest coordinate on an axis."""
        last = sum(value for value, axis in self.offsets if axis == name)
        for extent, (stride, axis) in self.modes + self.replicas:
            last += max(stride, 0) * (extent - 1) * (axis == name)
        return last

    def count(self):
        return math.prod(extent for extent, _ in self.modes)


def datapath(letter, rows, columns, half):
    """What tcgen05.mma leaves where: lanes and cells of the elements."""
    groups = GROUPS.get(letter, 1)
    width = columns // groups

    def lane(i):
        return 32 * (i // 16) + 16 * half + i % 16 if letter in "CF" else i

    firsts = [lane(i) + rows * g for i in range(rows) for g in range(groups)]
    return [first for first in firsts for _ in range(width)], [*range(width)] * (
        rows * groups
    )


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
            warps = 1 + max(max(t) for t, _, _ in self.register_places()) // 32
        self.threads = 32 * warps
        self.choose_place()

    def find_memory(self):
        if "datapath" in vars(self):
            letter, half = self.datapath[0], int(self.datapath[1:] or 0)
            suffix = ", half = 1" if half else ""
            self.views = [f"#tmem.datapath<{letter}{suffix}>"]
        else:
            self.views = [f"#tmem.layout<{text}>" for text in self.memory]
        if "datapath" in vars(self):
            self.count = math.prod(self.shape)
            groups = GROUPS.get(letter, 1)
            self.columns = self.shape[1] // groups
            return
        layouts = [Layout(text) for text in self.memory]
        self.count = sum(layout.count() for layout in layouts)
        last = max(layout.last("tcol") for layout in layouts)
        self.columns = 1 + ((last + 1) * self.bits - 1) // 32

    def memory_places(self):
        """For each view, for each replica: the lanes of all elements, and the bits
        of the row."""
        if "datapath" in vars(self):
            letter, half = self.datapath[0], int(self.datapath[1:] or 0)
            lanes, cells = datapath(letter, *self.shape, half)
            return [[(lanes, [32 * cell for cell in cells])]]
        parts = []
        for layout in map(Layout, self.memory):
            copies = zip(layout.coordinates("tlane"), layout.coordinates("tcol"))
            parts.append([(l, [c * self.bits for c in columns]) for l, columns in copies])
        return parts

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

    def register_places(self):
        """For each replica: threads, words and bits of the words of all elements."""
        layout = Layout(self.registers)
        axes = [layout.coordinates(name) for name in ("tid", "warp", "lane", "reg")]
        # The register layout of a warp has only lanes.
        first = 32 * int(self.scope[5:]) if self.scope.startswith("warp ") else 0
        for tids, warps, lanes, slots in zip(*axes):
            threads = [
                first + t + 32 * w + l for t, w, l in zip(tids, warps, lanes)
            ]
            if self.packed:
                bits = [slot * self.bits for slot in slots]
                yield threads, [b // 32 for b in bits], [b % 32 for b in bits]
            else:
                yield threads, slots, [0] * len(slots)

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


