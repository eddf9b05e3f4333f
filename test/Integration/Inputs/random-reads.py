#!/usr/bin/env python3
# ===- random-reads.py - Registers read before and after their wait --------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Prints a program of random kernels that load from Tensor Memory, wait somewhere,
move the loaded registers through loops, branches, shuffles and selects, and read
them somewhere.

The kernels are interpreted here, too: with every element goes the number of its
load, and a read of an element whose load no wait has completed is a fault. Kernels
without a fault are run by @main, which compares what they have read. Each other
one has an entry of its own, @fault_0, @fault_1, ..., and a check (FAULT0, FAULT1,
...) that names the line of the first such read."""

import argparse
import random

WIDTH = 4  # Elements of a vector.
LANES = 32
COLUMNS = 64
MAX_READS = 96
FLAGS = 8


class Fault(Exception):
    def __init__(self, line):
        super().__init__()
        self.line = line


class State:
    """What an execution knows: the loads, and what was read."""

    def __init__(self, flags):
        self.flags = flags
        self.loads = self.completed = 0
        self.reads = []

    def read(self, elements, line):
        if any(load > self.completed for _, load in elements):
            raise Fault(line)
        self.reads.append([column for column, _ in elements])


class Kernel:
    """Statements are methods that print MLIR and return a function that executes
    them. Values are vectors of (column, load), by name."""

    def __init__(self, seed, lines):
        self.random = random.Random(seed)
        self.lines = lines
        self.budget = self.random.randint(8, 24)
        self.wait_chance = self.random.choice([0.1, 0.3, 0.6])
        self.names = 0

    def emit(self, line):
        self.lines.append(line)
        return len(self.lines)

    def name(self):
        self.names += 1
        return f"%v{self.names}"

    # ===- Statements --------------------------------------------------------===#

    def load(self, live):
        result = self.name()
        column = self.random.randrange(COLUMNS // WIDTH) * WIDTH
        address, pointer = self.name(), self.name()
        self.emit(f"{address} = arith.constant {column} : i32")
        self.emit(f"{pointer} = func.call @at(%base, {address})")
        self.emit("    : (i32, i32) -> !llvm.ptr<6>")
        self.emit(f"{result} = nvvm.tcgen05.ld {pointer} {{shape = #shape}} : !vector")
        live.append(result)

        def execute(state, values):
            state.loads += 1
            values[result] = [(column + i, state.loads) for i in range(WIDTH)]

        return execute

    def wait(self, live):
        here = self.random.random() < 0.7
        self.emit(
            "nvvm.tcgen05.wait <load>" if here else "func.call @wait() : () -> ()"
        )

        def execute(state, values):
            state.completed = state.loads

        return execute

    def read(self, live):
        """A store of all elements, or of one in all places."""
        value = self.random.choice(live)
        if self.random.random() < 0.7:
            place = self.place()
            line = self.emit(f"vector.store {value}, %out[{place}, %tid, %c0]")
            self.emit("    : !out, !vector")
            return lambda state, values: state.read(values[value], line)
        index, element, place = self.random.randrange(WIDTH), self.name(), self.place()
        self.emit(f"{element} = vector.extract {value}[{index}] : i32 from !vector")
        line = self.emit(f"memref.store {element}, %out[{place}, %tid, %c0] : !out")
        return lambda state, values: state.read([values[value][index]], line)

    def compute(self, live):
        """Arithmetic or a call, which read their operand."""
        value, result, place = self.random.choice(live), self.name(), self.place()
        if self.random.random() < 0.5:
            line = self.emit(f"{result} = arith.addi {value}, %zeros : !vector")
        else:
            line = self.emit(
                f"{result} = func.call @same({value}) : (!vector) -> !vector"
            )
        self.emit(f"vector.store {result}, %out[{place}, %tid, %c0] : !out, !vector")
        live.append(result)

        def execute(state, values):
            state.read(values[value], line)
            values[result] = [(column, 0) for column, _ in values[value]]

        return execute

    def place(self):
        """The next free row of the output."""
        place, one, next_ = self.name(), self.name(), self.name()
        self.emit(f"{place} = memref.load %position[%tid] : !position")
        self.emit(f"{one} = arith.constant 1 : index")
        self.emit(f"{next_} = arith.addi {place}, {one} : index")
        self.emit(f"memref.store {next_}, %position[%tid] : !position")
        return place

    def shuffle(self, live):
        a, b, result = self.random.choice(live), self.random.choice(live), self.name()
        mask = [self.random.randrange(2 * WIDTH) for _ in range(WIDTH)]
        self.emit(f"{result} = vector.shuffle {a}, {b} {mask} : !vector, !vector")
        live.append(result)

        def execute(state, values):
            both = values[a] + values[b]
            values[result] = [both[i] for i in mask]

        return execute

    def insert(self, live):
        a, b, result = self.random.choice(live), self.random.choice(live), self.name()
        i, j, element = (
            self.random.randrange(WIDTH),
            self.random.randrange(WIDTH),
            self.name(),
        )
        self.emit(f"{element} = vector.extract {a}[{i}] : i32 from !vector")
        self.emit(f"{result} = vector.insert {element}, {b}[{j}] : i32 into !vector")
        live.append(result)

        def execute(state, values):
            values[result] = list(values[b])
            values[result][j] = values[a][i]

        return execute

    def select(self, live):
        a, b, result = self.random.choice(live), self.random.choice(live), self.name()
        flag, name = self.flag()
        self.emit(f"{result} = arith.select {name}, {a}, {b} : !vector")
        live.append(result)

        def execute(state, values):
            values[result] = values[a if state.flags[flag] else b]

        return execute

    def flag(self):
        flag, index, name = self.random.randrange(FLAGS), self.name(), self.name()
        self.emit(f"{index} = arith.constant {flag} : index")
        self.emit(f"{name} = memref.load %flags[{index}] : !flags")
        return flag, name

    # ===- Regions -----------------------------------------------------------===#

    def body(self, live, depth):
        steps = []
        for _ in range(self.random.randint(1, 5)):
            if self.budget <= 0:
                break
            self.budget -= 1
            steps.append(self.statement(live, depth))

        def execute(state, values):
            for step in steps:
                step(state, values)

        return execute

    def statement(self, live, depth):
        if self.random.random() < self.wait_chance / 2:
            return self.wait(live)
        kinds = [self.load, self.load, self.read, self.read]
        kinds += [self.compute, self.shuffle, self.insert, self.select]
        if depth < 3 and self.random.random() < 0.4:
            kinds = [self.if_, self.for_, self.while_]
            return self.random.choice(kinds)(live, depth + 1)
        return self.random.choice(kinds)(live)

    def choose(self, live, count):
        return [self.random.choice(live) for _ in range(count)]

    def types(self, count):
        return ", ".join(["!vector"] * count)

    def if_(self, live, depth):
        count = self.random.randint(1, 2)
        flag, name = self.flag()
        results = [self.name() for _ in range(count)]
        self.emit(f"{', '.join(results)} = scf.if {name} -> ({self.types(count)}) {{")
        arms = []
        for last in (False, True):
            inner = list(live)
            execute = self.body(inner, depth)
            yielded = self.choose(inner, count)
            self.emit(f"scf.yield {', '.join(yielded)} : {self.types(count)}")
            self.emit("}" if last else "} else {")
            arms.append((execute, yielded))
        live += results

        def execute(state, values):
            body, yielded = arms[0 if state.flags[flag] else 1]
            body(state, values)
            for result, value in zip(results, yielded):
                values[result] = values[value]

        return execute

    def carried(self, live):
        starts = self.choose(live, self.random.randint(1, 2))
        arguments = [self.name() for _ in starts]
        return starts, arguments, [self.name() for _ in starts]

    def for_(self, live, depth):
        trips, bound, induction = self.random.randint(0, 3), self.name(), self.name()
        starts, arguments, results = self.carried(live)
        self.emit(f"{bound} = arith.addi %n, %c{trips} : index")
        pairs = ", ".join(f"{a} = {s}" for a, s in zip(arguments, starts))
        self.emit(
            f"{', '.join(results)} = scf.for {induction} = %c0 to {bound} step %c1"
        )
        self.emit(f"    iter_args({pairs}) -> ({self.types(len(starts))}) {{")
        inner = live + arguments
        body = self.body(inner, depth)
        yielded = self.choose(inner, len(starts))
        self.emit(f"scf.yield {', '.join(yielded)} : {self.types(len(starts))}")
        self.emit("}")
        live += results

        def execute(state, values):
            current = [values[start] for start in starts]
            for _ in range(trips):
                values.update(zip(arguments, current))
                body(state, values)
                current = [values[value] for value in yielded]
            values.update(zip(results, current))

        return execute

    def while_(self, live, depth):
        """Runs while a counter is below the trip count; what it carries changes
        places in between."""
        trips = self.random.randint(0, 2)
        starts, arguments, results = self.carried(live)
        count, after = len(starts), [self.name() for _ in starts]
        i, j, more, bound, next_, end = (self.name() for _ in range(6))
        types = f"{self.types(count)}, index"
        self.emit(f"{bound} = arith.addi %n, %c{trips} : index")
        pairs = ", ".join(f"{a} = {s}" for a, s in zip(arguments, starts))
        self.emit(f"{', '.join(results)}, {end} = scf.while ({pairs}, {i} = %c0)")
        self.emit(f"    : ({types}) -> ({types}) {{")
        self.emit(f"{more} = arith.cmpi ult, {i}, {bound} : index")
        inner = live + arguments
        before = self.body(inner, depth)
        passed = self.choose(inner, count)
        self.emit(f"scf.condition({more}) {', '.join(passed)}, {i} : {types}")
        self.emit("} do {")
        blocks = ", ".join(f"{a}: !vector" for a in after)
        self.emit(f"^bb0({blocks}, {j}: index):")
        inner = live + after
        body = self.body(inner, depth)
        yielded = self.choose(inner, count)
        self.emit(f"{next_} = arith.addi {j}, %c1 : index")
        self.emit(f"scf.yield {', '.join(yielded)}, {next_} : {types}")
        self.emit("}")
        live += results

        def execute(state, values):
            current = [values[start] for start in starts]
            for trip in range(trips + 1):
                values.update(zip(arguments, current))
                before(state, values)
                current = [values[value] for value in passed]
                if trip == trips:
                    break
                values.update(zip(after, current))
                body(state, values)
                current = [values[value] for value in yielded]
            values.update(zip(results, current))

        return execute


TYPES = f"""\
#shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!vector = vector<{WIDTH}xi32>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!flags = memref<{FLAGS}xi1>
!position = memref<{LANES}xindex>
!out = memref<{MAX_READS}x{LANES}x{WIDTH}xi32>
"""

# The cell of lane l and column c holds 64 l + c.
DEVICE = f"""\
memref.global "private" @slot : !slot
llvm.func @tmem_emulation_write_cell(i32, i32)
func.func @at(%base: i32, %column: i32) -> !llvm.ptr<6> {{
  %address = arith.addi %base, %column : i32
  %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
  return %p : !llvm.ptr<6>
}}
func.func @begin() -> i32 {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %columns = arith.constant {COLUMNS} : index
  %n = arith.constant {COLUMNS} : i32
  %c16 = arith.constant 16 : i32
  %slot = memref.get_global @slot : !slot
  tmem.alloc %slot, {COLUMNS} : !slot
  gpu.barrier
  %base = memref.load %slot[%c0] : !slot
  %tid = gpu.thread_id x
  %lane = arith.index_cast %tid : index to i32
  %down = arith.shli %lane, %c16 : i32
  %row = arith.addi %base, %down : i32
  %first = arith.muli %lane, %n : i32
  scf.for %j = %c0 to %columns step %c1 {{
    %column = arith.index_cast %j : index to i32
    %address = arith.addi %row, %column : i32
    %value = arith.addi %first, %column : i32
    llvm.call @tmem_emulation_write_cell(%address, %value) : (i32, i32) -> ()
  }}
  gpu.barrier
  return %base : i32
}}
func.func @wait() {{
  nvvm.tcgen05.wait <load>
  return
}}
func.func @same(%v: !vector) -> !vector {{
  return %v : !vector
}}
func.func @end(%base: i32) {{
  nvvm.tcgen05.wait <load>
  gpu.barrier
  tmem.dealloc %base, {COLUMNS}
  return
}}
"""

HOST = f"""\
func.func @alloc() -> (!flags, !position, !out) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %lanes = arith.constant {LANES} : index
  %flags = memref.alloc() : !flags
  %position = memref.alloc() : !position
  %out = memref.alloc() : !out
  scf.for %i = %c0 to %lanes step %c1 {{
    memref.store %c0, %position[%i] : !position
  }}
  %a = memref.cast %flags : !flags to memref<*xi1>
  %b = memref.cast %position : !position to memref<*xindex>
  %c = memref.cast %out : !out to memref<*xi32>
  gpu.host_register %a : memref<*xi1>
  gpu.host_register %b : memref<*xindex>
  gpu.host_register %c : memref<*xi32>
  return %flags, %position, %out : !flags, !position, !out
}}
// Every lane has read what %expected says, one column of -1 for a single element.
func.func @compare(%position: !position, %out: !out, %expected: memref<?x{WIDTH}xi32>)
    -> i32 {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %lanes = arith.constant {LANES} : index
  %width = arith.constant {WIDTH} : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant -1 : i32
  %columns = arith.constant {COLUMNS} : i32
  %reads = memref.dim %expected, %c0 : memref<?x{WIDTH}xi32>
  %wrong = scf.for %lane = %c0 to %lanes step %c1 iter_args(%n = %zero) -> i32 {{
    %number = memref.load %position[%lane] : !position
    %other = arith.cmpi ne, %number, %reads : index
    %first = arith.extui %other : i1 to i32
    %l = arith.index_cast %lane : index to i32
    %row = arith.muli %l, %columns : i32
    %m = scf.for %i = %c0 to %reads step %c1 iter_args(%o = %first) -> i32 {{
      %p = scf.for %j = %c0 to %width step %c1 iter_args(%q = %o) -> i32 {{
        %column = memref.load %expected[%i, %j] : memref<?x{WIDTH}xi32>
        %should = arith.addi %row, %column : i32
        %is = memref.load %out[%i, %lane, %j] : !out
        %differs = arith.cmpi ne, %is, %should : i32
        %any = arith.cmpi ne, %column, %none : i32
        %counts = arith.andi %differs, %any : i1
        %difference = arith.extui %counts : i1 to i32
        %r = arith.addi %q, %difference : i32
        scf.yield %r : i32
      }}
      scf.yield %p : i32
    }}
    %sum = arith.addi %n, %m : i32
    scf.yield %sum : i32
  }}
  return %wrong : i32
}}
"""


class Program:
    def __init__(self):
        self.lines = (TYPES + "module attributes {gpu.container_module} {").splitlines()
        self.lines.append("gpu.module @kernels {")
        self.lines += DEVICE.splitlines()
        self.right, self.faults = [], []

    def add(self, seed, want_fault):
        """Adds the kernel of a seed if it has a fault or not, as is wanted."""
        begin = len(self.lines)
        kernel = Kernel(seed, self.lines)
        kernel.emit(f"gpu.func @seed_{seed}(%n: index, %flags: !flags,")
        kernel.emit("    %position: !position, %out: !out) kernel {")
        for i in range(4):
            kernel.emit(f"%c{i} = arith.constant {i} : index")
        kernel.emit("%tid = gpu.thread_id x")
        kernel.emit("%base = func.call @begin() : () -> i32")
        kernel.emit("%zero = arith.index_cast %n : index to i32")
        kernel.emit("%zeros = vector.broadcast %zero : i32 to !vector")
        live = []
        steps = [kernel.load(live), kernel.load(live)]
        while kernel.budget > 0:
            steps.append(kernel.body(live, 0))
        kernel.emit("func.call @end(%base) : (i32) -> ()")
        kernel.emit("gpu.return\n}")
        self.lines[-1:] = self.lines[-1].splitlines()

        state = State([kernel.random.random() < 0.5 for _ in range(FLAGS)])
        line = None
        try:
            values = {}
            for step in steps:
                step(state, values)
        except Fault as fault:
            line = fault.line
        if (line is not None) != want_fault or not 2 <= len(state.reads) <= MAX_READS:
            del self.lines[begin:]
            return False
        if want_fault:
            check = f"FAULT{len(self.faults)}: .mlir:{line}:"
            self.faults.append((seed, state, check))
        else:
            self.right.append((seed, state))
        return True

    def emit_launch(self, seed, state, suffix):
        a, b, c, n = (f"%{x}{suffix}" for x in ("flags", "position", "out", "none"))
        emit = self.lines.append
        emit(f"{n} = arith.constant 0 : index")
        emit(f"{a}, {b}, {c} = func.call @alloc() : () -> (!flags, !position, !out)")
        for i, flag in enumerate(state.flags):
            emit(f"%f{suffix}_{i} = arith.constant {str(flag).lower()}")
            emit(f"%i{suffix}_{i} = arith.constant {i} : index")
            emit(f"memref.store %f{suffix}_{i}, {a}[%i{suffix}_{i}] : !flags")
        emit(f"gpu.launch_func @kernels::@seed_{seed} blocks in (%c1, %c1, %c1)")
        emit(f"    threads in (%c{LANES}, %c1, %c1)")
        emit(f"    args({n} : index, {a} : !flags, {b} : !position, {c} : !out)")
        return b, c

    def emit_constants(self):
        self.lines.append("%c1 = arith.constant 1 : index")
        self.lines.append(f"%c{LANES} = arith.constant {LANES} : index")

    def finish(self):
        emit = self.lines.append
        emit("}")
        self.lines += HOST.splitlines()
        for seed, state in self.right:
            rows = [row + [-1] * (WIDTH - len(row)) for row in state.reads]
            type = f"memref<{len(rows)}x{WIDTH}xi32>"
            emit(f'memref.global "private" constant @expected_{seed} : {type}')
            emit(f"    = dense<{rows}>")
        emit("func.func @main() -> i32 {")
        self.emit_constants()
        emit("%sum0 = arith.constant 0 : i32")
        total = 0
        for i, (seed, state) in enumerate(self.right):
            position, out = self.emit_launch(seed, state, i)
            static = f"memref<{len(state.reads)}x{WIDTH}xi32>"
            dynamic = f"memref<?x{WIDTH}xi32>"
            emit(f"%s{i} = memref.get_global @expected_{seed} : {static}")
            emit(f"%e{i} = memref.cast %s{i} : {static} to {dynamic}")
            emit(f"%w{i} = func.call @compare({position}, {out}, %e{i})")
            emit(f"    : (!position, !out, {dynamic}) -> i32")
            emit(f"%sum{i + 1} = arith.addi %sum{i}, %w{i} : i32")
            total += len(state.reads)
        emit(f'vector.print str "{len(self.right)} kernels, {total} reads, "')
        emit(f"vector.print %sum{len(self.right)} : i32 punctuation <no_punctuation>")
        emit('vector.print str " wrong\\n"')
        emit(f"return %sum{len(self.right)} : i32\n}}")
        self.lines[-1:] = self.lines[-1].splitlines()
        for i, (seed, state, check) in enumerate(self.faults):
            emit(
                f"// {check}{{{{[0-9]+}}}}: {{{{.*}}}}: error: register read before its wait"
            )
            emit(f"func.func @fault_{i}() {{")
            self.emit_constants()
            self.emit_launch(seed, state, "")
            emit("return")
            emit("}")
        emit("}")
        print("\n".join(self.lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--right", type=int, default=0, help="kernels without a fault")
    parser.add_argument("--faults", type=int, default=0, help="kernels with one")
    arguments = parser.parse_args()
    program, seed = Program(), arguments.seed
    for count, want_fault in (arguments.right, False), (arguments.faults, True):
        while count:
            count -= program.add(seed, want_fault)
            seed += 1
    program.finish()


if __name__ == "__main__":
    main()
