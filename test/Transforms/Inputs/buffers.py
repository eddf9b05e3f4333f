#!/usr/bin/env python3
# ===- buffers.py - Random kernels with buffers in Tensor Memory -----------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Prints a program of random kernels with tmem.buffer operations. A kernel stores
to its buffers and loads from them in loops and branches, whole tiles, stages of
rings, and views that pass through loops and selects. Each thread mixes what it
loads into a number of its own, which all that it stores depends on. Some buffers are
handed to functions, which access them out of the kernel's sight.

The kernels are interpreted here, too, each buffer with a memory of its own; @main
compares the numbers of all threads with those. So it finds out when buffers share
columns that live at the same time.

Kernels of one warpgroup have few barriers, those of two hand buffers from one to
the other at barriers, or keep each buffer to one warpgroup."""

import argparse
import dataclasses
import random

from buffers_calls import FUNCTIONS, get_function

MASK = 0xFFFFFFFF
FLAGS = 4
LANES = 128


@dataclasses.dataclass
class Buffer:
    name: str
    kind: str  # D: 128 rows, F: 64 rows in a half of the slabs, ring: stages of D.
    columns: int
    half: int = 0
    align: int = 1
    stages: int = 1
    called: bool = False  # Functions access it.

    def view(self):
        if self.kind == "ring":
            n = self.columns
            layout = f"({self.stages}, 128, {n}) : ({n}@tcol, 1@tlane, 1@tcol)"
            shape = f"{self.stages}x128x{n}"
            return f"!tmem.view<{shape}xi32, #tmem.layout<{layout}>>"
        if self.kind == "F":
            half = ", half = 1" if self.half else ""
            return f"!tmem.view<64x{self.columns}xi32, #tmem.datapath<F{half}>>"
        return f"!tmem.view<128x{self.columns}xi32, #tmem.datapath<D>>"

    def tile(self):
        return Buffer("", "D", self.columns).view() if self.stages > 1 else self.view()

    def vector(self):
        return self.columns // 2 if self.kind == "F" else self.columns

    def registers(self):
        """Those of 32x32b, and of 16x64b."""
        n = self.columns
        if self.kind != "F":
            return f"#tmem.layout<(128, {n}) : (1@tid, 1@reg)>"
        strides = "32@tid, 1@tid, 4@tid, 1@reg, 2@tid"
        return f"#tmem.layout<(4, 2, 8, {n // 2}, 2) : ({strides})>"

    def key(self):
        return self.kind, self.columns, self.half, self.stages


class Kernel:
    """Statements are methods that print MLIR and return what executes them on one
    state: the numbers of the threads and the tiles in memory."""

    def __init__(self, seed, lines):
        self.random = random.Random(seed)
        self.lines = lines
        self.names = 0
        self.groups = self.random.choice([1, 1, 2])
        self.handover = self.groups == 2 and self.random.random() < 0.5
        self.budget = self.random.randint(8, 40)
        self.flags = [self.random.randint(0, 3) for _ in range(FLAGS)]
        self.pending = []  # Values and tokens without their waits.
        self.owner = {}  # Who has accessed a buffer since the last barrier.
        self.calls = self.random.choice([0, 0, 0.3])
        count = self.random.randint(2, 9)
        self.buffers = [self.make_buffer(i) for i in range(count)]

    def make_buffer(self, number):
        pick = self.random
        kind = pick.choice(["D", "D", "F", "F", "ring"])
        return Buffer(
            f"%b{number}",
            kind,
            pick.choice([4, 8, 12, 16, 20, 32]) if kind != "ring" else 4,
            half=pick.randint(0, 1) if kind == "F" else 0,
            align=pick.choice([1, 1, 4, 32]),
            stages=pick.randint(2, 4) if kind == "ring" else 1,
            called=kind != "ring" and pick.random() < self.calls,
        )

    def emit(self, line):
        self.lines.append("      " + line)

    def name(self):
        self.names += 1
        return f"%v{self.names}"

    def constant(self, values, vector):
        name = self.name()
        text = ", ".join(str(value) for value in values)
        self.emit(f"{name} = arith.constant dense<[{text}]> : {vector}")
        return name

    # Accesses. The acting warpgroup is the one whose branch the code is in.

    def store(self, buffer, view, where):
        """One tile from a vector that depends on the thread's number."""
        n, salt = buffer.vector(), self.random.getrandbits(31)
        vector, tile = f"vector<{n}xi32>", buffer.tile()
        number, mixed, wide, spread = (self.name() for _ in range(4))
        token = self.name()
        self.emit(f"{number} = memref.load %number[%tid] : memref<?xi32>")
        self.emit(f"%salt{token[2:]} = arith.constant {salt} : i32")
        self.emit(f"{mixed} = arith.xori {number}, %salt{token[2:]} : i32")
        self.emit(f"{wide} = vector.broadcast {mixed} : i32 to {vector}")
        iota = self.constant(range(n), vector)
        self.emit(f"{spread} = arith.addi {wide}, {iota} : {vector}")
        self.emit(
            f"{token} = tmem.store {spread}, {view} registers({buffer.registers()})"
            " scope(warpgroup)"
            f" : {vector}, {tile}"
        )
        self.pending.append(("store", buffer, token, None))

        def run(state, threads):
            key = where(state)
            for t in threads:
                state.memory[key, t % LANES] = state.numbers[t] ^ salt

        return self.sequence([run, self.random.random() < 0.7 and self.flush()])

    def load(self, buffer, view, where):
        n = buffer.vector()
        pending = self.name()
        self.emit(
            f"{pending} = tmem.load {view} registers({buffer.registers()})"
            " scope(warpgroup)"
            f" : {buffer.tile()} -> !tmem.pending<vector<{n}xi32>>"
        )
        self.pending.append(("load", buffer, pending, n))
        box = {}

        def run(state, threads):
            key = where(state)
            for t in threads:
                x = state.memory[key, t % LANES]
                total = sum((e + 1) * (x + e) for e in range(n))
                box[t] = total & MASK

        def mix(state, threads):
            for t in threads:
                state.numbers[t] = (state.numbers[t] * 31 + box[t]) & MASK

        self.pending[-1] += (mix,)
        return self.sequence([run, self.random.random() < 0.7 and self.flush()])

    def flush(self):
        """Waits for everything under way; loads go into the number then."""
        runs = []
        tokens = [p[2] for p in self.pending if p[0] == "store"]
        if tokens:
            self.emit(f"tmem.wait_store {', '.join(tokens)}")
        for kind, _, value, n, *rest in self.pending:
            if kind == "store":
                continue
            vector = f"vector<{n}xi32>"
            got, weighed, total = (self.name() for _ in range(3))
            number, product, after = (self.name() for _ in range(3))
            self.emit(f"{got} = tmem.wait_load {value} : !tmem.pending<{vector}>")
            weights = self.constant(range(1, n + 1), vector)
            self.emit(f"{weighed} = arith.muli {got}, {weights} : {vector}")
            self.emit(f"{total} = vector.reduction <add>, {weighed} : {vector} into i32")
            self.emit(f"{number} = memref.load %number[%tid] : memref<?xi32>")
            self.emit(f"{product} = arith.muli {number}, %i31 : i32")
            self.emit(f"{after} = arith.addi {product}, {total} : i32")
            self.emit(f"memref.store {after}, %number[%tid] : memref<?xi32>")
            runs.append(rest[0])
        self.pending = []
        return self.sequence(runs)

    def settle(self, buffer):
        """Before a store what is under way there has to be over, and before a
        load the stores."""
        return self.flush() if any(p[1] is buffer for p in self.pending) else None

    @staticmethod
    def sequence(runs):
        runs = [run for run in runs if run]

        def run(state, threads):
            for each in runs:
                each(state, threads)

        return run

    def call(self, buffer, loads):
        """A store or a load in a function, waits included."""
        salt = self.random.getrandbits(31)
        number, mixed, total = self.name(), self.name(), self.name()
        name = get_function("get" if loads else "put", buffer)
        self.emit(f"{number} = memref.load %number[%tid] : memref<?xi32>")
        if loads:
            self.emit(f"{total} = func.call @{name}({buffer.name}) : ({buffer.view()}) -> i32")
            self.emit(f"{mixed}p = arith.muli {number}, %i31 : i32")
            self.emit(f"{mixed} = arith.addi {mixed}p, {total} : i32")
            self.emit(f"memref.store {mixed}, %number[%tid] : memref<?xi32>")
        else:
            self.emit(f"{mixed}s = arith.constant {salt} : i32")
            self.emit(f"{mixed} = arith.xori {number}, {mixed}s : i32")
            self.emit(f"func.call @{name}({buffer.name}, {mixed}) : ({buffer.view()}, i32) -> ()")

        def run(state, threads):
            for t in threads:
                if not loads:
                    state.memory[buffer.name, t % LANES] = state.numbers[t] ^ salt
                    continue
                x = state.memory[buffer.name, t % LANES]
                total = sum((e + 1) * (x + e) for e in range(buffer.vector()))
                state.numbers[t] = (state.numbers[t] * 31 + total) & MASK

        return run

    # Statements

    def access(self, written, group):
        """Stores a tile, or loads one that surely has been stored."""
        buffer = self.random.choice(self.usable(group))
        fits = self.same(buffer, group)
        runs = [self.settle(buffer)]
        if buffer.kind == "ring":
            return self.sequence(runs + [self.access_ring(buffer, written)])
        view, where = buffer.name, lambda state: buffer.name
        if len(fits) > 1 and self.random.random() < 0.2:
            other = self.random.choice([b for b in fits if b is not buffer])
            if buffer.name in written and other.name in written:
                runs.append(self.settle(other))
                view, where = self.select(buffer, other)
        loads = buffer.name in written and self.random.random() < 0.5
        if buffer.called and view == buffer.name and self.random.random() < 0.5:
            runs.append(self.call(buffer, loads))
        elif loads:
            runs.append(self.load(buffer, view, where))
        else:
            runs.append(self.store(buffer, view, where))
        if view != buffer.name:  # It may be either.
            runs.append(self.flush())
        written.add(buffer.name)
        return self.sequence(runs)

    def select(self, buffer, other):
        flag = self.random.randrange(FLAGS)
        value = self.flags[flag]
        view, condition = self.name(), self.name()
        self.emit(f"{condition} = arith.cmpi ugt, %f{flag}, %c1 : index")
        self.emit(
            f"{view} = arith.select {condition}, {buffer.name}, {other.name}"
            f" : {buffer.view()}"
        )
        chosen = buffer.name if value > 1 else other.name
        return view, lambda state: chosen

    def access_ring(self, buffer, written):
        """All stages in a loop, which only then counts as written."""
        loads = buffer.name in written and self.random.random() < 0.5
        counter, window, stage = (self.name() for _ in range(3))
        runs = [self.flush()]
        one = f"!tmem.view<1x128x{buffer.columns}xi32, #tmem.layout<(128, "
        one += f"{buffer.columns}) : (1@tlane, 1@tcol)>>"
        self.emit(f"scf.for {counter} = %c0 to %c{buffer.stages} step %c1 {{")
        self.emit(
            f"{window} = tmem.subview {buffer.name}[{counter}, 0, 0]"
            f" [1, 128, {buffer.columns}] : {buffer.view()} to {one}"
        )
        self.emit(
            f'{stage} = tmem.rearrange {window} "s r c -> (s r) c"'
            f" : {one} to {buffer.tile()}"
        )
        where = lambda state: (buffer.name, state.stage)
        access = self.load if loads else self.store
        body = self.sequence([access(buffer, stage, where), self.flush()])
        self.emit("}")
        written.add(buffer.name)

        def run(state, threads):
            for stage in range(buffer.stages):
                state.stage = stage
                body(state, threads)

        return self.sequence(runs + [run])

    def usable(self, group):
        """The buffers that the warpgroup may access without a barrier."""
        found = [b for b in self.buffers if self.may_access(b, group)]
        return found or self.buffers[group :: self.groups] or self.buffers

    def may_access(self, buffer, group):
        if self.groups == 1:
            return True
        if not self.handover:
            return self.buffers.index(buffer) % self.groups == group
        return self.owner.get(buffer.name, group) == group

    def same(self, buffer, group):
        return [
            b for b in self.buffers
            if b.key() == buffer.key() and self.may_access(b, group)
        ]

    def by_group(self, written):
        """Some accesses of one warpgroup."""
        group = self.random.randrange(self.groups)
        runs = []
        if self.groups == 2:
            condition = f"%is{group}"
            self.emit(f"scf.if {condition} {{")
        for _ in range(self.random.randint(1, 4)):
            if not [b for b in self.buffers if self.may_access(b, group)]:
                break
            before = set(written)
            runs.append(self.access(written, group))
            for name in (b.name for b in self.buffers):
                if name in written - before:
                    self.owner[name] = group
        for buffer in self.buffers:
            if self.may_access(buffer, group) and self.groups == 2:
                self.owner.setdefault(buffer.name, group)
        if self.groups == 2:
            runs.append(self.flush())
            self.emit("}")
        body = self.sequence(runs)
        if self.groups == 1:
            return body

        def run(state, threads):
            body(state, [t for t in threads if t // LANES == group])

        return run

    def barrier(self, written):
        run = self.flush()
        fences = self.handover
        if fences:
            self.emit("tmem.fence before")
        self.emit("gpu.barrier")
        if fences:
            self.emit("tmem.fence after")
        self.owner = {}
        return run

    def loop(self, written):
        flag = self.random.randrange(FLAGS)
        count = self.flags[flag]
        runs = [self.flush()]
        self.emit(f"scf.for {self.name()} = %c0 to %f{flag} step %c1 {{")
        lead = self.barrier(written) if self.groups == 2 else None
        body = self.sequence([lead, self.block(set(written)), self.flush()])
        self.emit("}")
        if self.groups == 2:
            runs.append(None)

        def run(state, threads):
            for _ in range(count):
                body(state, threads)

        tail = self.barrier(written) if self.groups == 2 else None
        return self.sequence(runs + [run, tail])

    def rotation(self, written):
        """Two buffers that a loop swaps: one is stored to, the other loaded."""
        pairs = [
            (a, b) for a in self.buffers for b in self.buffers
            if a is not b and a.key() == b.key() and a.kind != "ring"
            and a.name in written and b.name in written
        ]
        if not pairs or self.groups == 2:
            return self.by_group(written)
        a, b = self.random.choice(pairs)
        flag = self.random.randrange(FLAGS)
        count = self.flags[flag]
        x, y = self.name(), self.name()
        runs = [self.flush()]
        self.emit(
            f"{self.name()}:2 = scf.for {self.name()} = %c0 to %f{flag} step %c1"
            f" iter_args({x} = {a.name}, {y} = {b.name}) -> ({a.view()}, {a.view()}) {{"
        )
        body = self.sequence([
            self.store(a, x, lambda state: state.rotated[0]),
            self.flush(),
            self.load(a, y, lambda state: state.rotated[1]),
            self.flush(),
        ])
        self.emit(f"scf.yield {y}, {x} : {a.view()}, {a.view()}")
        self.emit("}")

        def run(state, threads):
            state.rotated = [a.name, b.name]
            for _ in range(count):
                body(state, threads)
                state.rotated.reverse()

        return self.sequence(runs + [run])

    def branch(self, written):
        flag = self.random.randrange(FLAGS)
        taken = self.flags[flag] > 1
        by_warp = self.groups == 1 and self.random.random() < 0.4
        condition = self.name()
        runs = [self.flush()]
        if by_warp:
            self.emit(f"{condition} = arith.cmpi ult, %tid, %c64 : index")
        else:
            self.emit(f"{condition} = arith.cmpi ugt, %f{flag}, %c1 : index")
        self.emit(f"scf.if {condition} {{")
        bodies, owners, before = [], [], dict(self.owner)
        wholes = []
        for arm in range(2):
            if arm:
                self.emit("} else {")
            self.owner = dict(before)
            inner = set(written)
            bodies.append(self.sequence([self.block(inner, by_warp), self.flush()]))
            wholes.append(inner)
            owners.append(self.owner)
        self.emit("}")
        written |= wholes[0] & wholes[1]

        def run(state, threads):
            for arm, body in enumerate(bodies):
                if by_warp:
                    body(state, [t for t in threads if (t < 64) == (arm == 0)])
                elif taken == (arm == 0):
                    body(state, threads)

        # What either arm accessed belongs to who accessed it: meet at a barrier.
        tail = self.barrier(written) if self.groups == 2 else None
        return self.sequence(runs + [run, tail])

    def block(self, written, divergent=False):
        runs = []
        for _ in range(self.random.randint(1, 5)):
            if self.budget <= 0:
                break
            self.budget -= 1
            kinds = [self.by_group] * 4 + [self.rotation]
            if not divergent and self.nesting == 0 or self.groups == 2:
                kinds.append(self.barrier)
            if self.nesting < 3 and not divergent:
                kinds += [self.loop, self.branch]
            self.nesting += 1
            runs.append(self.random.choice(kinds)(written))
            self.nesting -= 1
        return self.sequence(runs)

    def generate(self, symbol):
        """Prints the kernel; returns what each thread's number is afterwards."""
        size = 128 * self.groups
        emit = self.lines.append
        arguments = ", ".join(f"%f{i}: index" for i in range(FLAGS))
        emit(f"    gpu.func @{symbol}({arguments}, %number: memref<?xi32>)")
        emit(f"        kernel attributes {{known_block_size = array<i32: {size}, 1, 1>}} {{")
        for n in (0, 1, 2, 3, 4, 64, 128):
            self.emit(f"%c{n} = arith.constant {n} : index")
        self.emit("%i31 = arith.constant 31 : i32")
        self.emit("%tid = gpu.thread_id x")
        self.emit("%is0 = arith.cmpi ult, %tid, %c128 : index")
        self.emit("%is1 = arith.cmpi uge, %tid, %c128 : index")
        for b in self.buffers:
            align = f"align({b.align}) " if b.align > 1 else ""
            self.emit(f"{b.name} = tmem.buffer {align}: {b.view()}")
        self.nesting = 0
        written, runs = set(), []
        while self.budget > 0:
            runs.append(self.block(written))
        runs.append(self.flush())
        self.emit("gpu.return")
        emit("    }")
        state = State(size)
        self.sequence(runs)(state, range(size))
        return state.numbers


class State:
    def __init__(self, threads):
        self.numbers = [t * 2654435761 & MASK for t in range(threads)]
        self.memory = {}
        self.stage = 0
        self.rotated = []


MAIN = """
  func.func @main() -> i32 {
    %none = arith.constant 0 : i32
CALLS
    %wrong = arith.addi %none, LAST : i32
    vector.print str "KERNELS kernels, wrong: "
    vector.print %wrong : i32
    return %wrong : i32
  }
"""


def print_host(kernels):
    """A function for each kernel that runs it and counts what differs."""
    lines, calls, last = [], [], "%none"
    for symbol, kernel, numbers in kernels:
        size = len(numbers)
        wanted = ", ".join(str(n - (1 << 32) if n >> 31 else n) for n in numbers)
        flags = ", ".join(f"%f{i} : index" for i in range(FLAGS))
        lines.append(f"""
  memref.global "private" constant @wanted_{symbol} : memref<{size}xi32>
      = dense<[{wanted}]>
  func.func @run_{symbol}() -> i32 {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %size = arith.constant {size} : index
    %none = arith.constant 0 : i32
    %step = arith.constant -1640531535 : i32
    %number = memref.alloc(%size) : memref<?xi32>
    scf.for %t = %c0 to %size step %c1 {{
      %i = arith.index_cast %t : index to i32
      %first = arith.muli %i, %step : i32
      memref.store %first, %number[%t] : memref<?xi32>
    }}
    %any = memref.cast %number : memref<?xi32> to memref<*xi32>
    gpu.host_register %any : memref<*xi32>""")
        for i, flag in enumerate(kernel.flags):
            lines.append(f"    %f{i} = arith.constant {flag} : index")
        lines.append(f"""    gpu.launch_func @kernels::@{symbol} blocks in (%c1, %c1, %c1)
        threads in (%size, %c1, %c1) args({flags}, %number : memref<?xi32>)
    %wanted = memref.get_global @wanted_{symbol} : memref<{size}xi32>
    %wrong = scf.for %t = %c0 to %size step %c1 iter_args(%count = %none) -> (i32) {{
      %x = memref.load %number[%t] : memref<?xi32>
      %y = memref.load %wanted[%t] : memref<{size}xi32>
      %differs = arith.cmpi ne, %x, %y : i32
      %one = arith.extui %differs : i1 to i32
      %next = arith.addi %count, %one : i32
      scf.yield %next : i32
    }}
    return %wrong : i32
  }}""")
        calls.append(f"    %{symbol} = func.call @run_{symbol}() : () -> i32")
        calls.append(f"    %sum_{symbol} = arith.addi {last}, %{symbol} : i32")
        last = f"%sum_{symbol}"
    main = MAIN.replace("CALLS", "\n".join(calls)).replace("LAST", last)
    return "\n".join(lines) + main.replace("KERNELS", str(len(kernels)))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kernels", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    lines, kernels = [], []
    for number in range(options.kernels):
        kernel = Kernel(options.seed * 1000003 + number, lines)
        symbol = f"k{number}"
        kernels.append((symbol, kernel, kernel.generate(symbol)))
    print("module attributes {gpu.container_module} {\n  gpu.module @kernels {")
    print("\n".join([*FUNCTIONS.values(), *lines]))
    print("  }")
    print(print_host(kernels))
    print("}")


if __name__ == "__main__":
    main()
