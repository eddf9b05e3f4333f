#!/usr/bin/env python3
# ===- waits.py - Random kernels with reads and writes ---------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Prints a program of random kernels with tmem.read and tmem.write in loops and
branches, and host code that compares what they compute with what the same steps
compute here, where every access is done at once.

Vectors are handed on by loops and branches in all orders. Windows overlap or not;
some have a base that is computed in the loop. Some loads and stores are placed by
hand, with their waits. Each thread folds what it uses into a row of its own."""

import argparse
import random

MASK = 0xFFFFFFFF
WIDTH, COLUMNS, THREADS, FLAGS = 4, 20, 128, 4
VECTOR = f"vector<{WIDTH}xi32>"
PENDING = f"!tmem.pending<{VECTOR}>"
ROW = f"registers(#tmem.layout<(128, {WIDTH}) : (1@tid, 1@reg)>) scope(warpgroup)"


def tile(width, column=0):
    offset = f" + ({column}@tcol)" if column else ""
    layout = f"(128, {width}) : (1@tlane, 1@tcol){offset}"
    return f"!tmem.view<128x{width}xi32, #tmem.layout<{layout}>>"


def combine(f, *vectors):
    return [[f(*words) & MASK for words in zip(*rows)] for rows in zip(*vectors)]


class State:
    def __init__(self):
        self.values = {}
        self.columns = [[0] * THREADS for _ in range(COLUMNS)]
        self.rows = [[t * 2654435761 + k & MASK for k in range(WIDTH)]
                     for t in range(THREADS)]


class Kernel:
    """Statements are methods that print MLIR and return what executes them on one
    state. `vectors` are those that can be used."""

    def __init__(self, seed, lines):
        self.random = random.Random(seed)
        self.lines = lines
        self.names = 0
        self.flags = [self.random.randint(0, 3) for _ in range(FLAGS)]
        self.budget = self.random.randint(5, 30)
        self.counters = []
        self.nesting = 0

    def emit(self, line):
        self.lines.append("      " + line)

    def name(self):
        self.names += 1
        return f"%v{self.names}"

    @staticmethod
    def sequence(runs):
        runs = [run for run in runs if run]

        def run_all(state):
            for run in runs:
                run(state)

        return run_all

    # ===- Windows ------------------------------------------------------------===#

    def window(self):
        """A view, its type, and which column it begins with."""
        pick = self.random.random()
        column = self.random.randrange(0, COLUMNS - WIDTH + 1, 2)
        if pick < 0.6:
            return f"%w{column}", tile(WIDTH, column), lambda state: column
        address, view = self.name(), self.name()
        if pick < 0.8:
            self.emit(f"{address}c = arith.constant {column} : i32")
            find = lambda state: column
            offset = f"{address}c"
        elif self.counters:
            counter = self.random.choice(self.counters)
            self.emit(f"{address}c = arith.index_cast {counter} : index to i32")
            find = lambda state: state.values[counter]
            offset = f"{address}c"
        else:
            flag = self.random.randrange(FLAGS)
            self.emit(f"{address}c = arith.index_cast %f{flag} : index to i32")
            find = lambda state: self.flags[flag]
            offset = f"{address}c"
        self.emit(f"{address} = arith.addi %base, {offset} : i32")
        self.emit(f"{view} = tmem.view {address} : {tile(WIDTH)}")
        return view, tile(WIDTH), find

    # ===- Statements ---------------------------------------------------------===#

    def read(self, vectors, by_hand=False):
        view, kind, find = self.window()
        name = self.name()
        if by_hand:
            self.emit(f"{name}p = tmem.load {view} {ROW} {{hand}} : {kind} -> {PENDING}")
        else:
            self.emit(f"{name} = tmem.read {view} {ROW} : {kind} -> {VECTOR}")

        def run(state):
            begin = find(state)
            state.values[name] = [
                [state.columns[begin + k][t] for k in range(WIDTH)]
                for t in range(THREADS)
            ]

        if not by_hand:
            vectors.append(name)
            return run
        runs = [run]
        for _ in range(self.random.randint(0, 2)):
            runs.append(self.random.choice([self.read, self.mix, self.use])(vectors))
        self.emit(f"{name} = tmem.wait_load {name}p {{hand}} : {PENDING}")
        vectors.append(name)
        return self.sequence(runs)

    def hand_read(self, vectors):
        return self.read(vectors, by_hand=True)

    def write(self, vectors, by_hand=False):
        source = self.random.choice(vectors)
        view, kind, find = self.window()
        if by_hand:
            token = self.name()
            self.emit(f"{token} = tmem.store {source}, {view} {ROW} {{hand}} : {VECTOR}, {kind}")
            self.emit(f"tmem.wait_store {token} {{hand}}")
        else:
            self.emit(f"tmem.write {source}, {view} {ROW} : {VECTOR}, {kind}")

        def run(state):
            begin = find(state)
            for t, words in enumerate(state.values[source]):
                for k, word in enumerate(words):
                    state.columns[begin + k][t] = word

        return run

    def hand_write(self, vectors):
        return self.write(vectors, by_hand=True)

    def mix(self, vectors):
        a, b = (self.random.choice(vectors) for _ in range(2))
        name, flag = self.name(), self.random.randrange(FLAGS)
        kind = self.random.choice(["addi", "xori", "select"])
        if kind == "select":
            self.emit(f"{name} = arith.select %p{flag}, {a}, {b} : {VECTOR}")
            f = (lambda x, y: x) if self.flags[flag] > 1 else (lambda x, y: y)
        else:
            self.emit(f"{name} = arith.{kind} {a}, {b} : {VECTOR}")
            f = (lambda x, y: x + y) if kind == "addi" else (lambda x, y: x ^ y)
        vectors.append(name)

        def run(state):
            state.values[name] = combine(f, state.values[a], state.values[b])

        return run

    def use(self, vectors, below=THREADS):
        """Folds a vector into the rows of the threads below a number."""
        value = self.random.choice(vectors)
        old, big, new = (self.name() for _ in range(3))
        self.emit(f"{old} = vector.load %rows[%tid, %c0] : memref<?x4xi32>, {VECTOR}")
        self.emit(f"{big} = arith.muli {old}, %d31 : {VECTOR}")
        self.emit(f"{new} = arith.addi {big}, {value} : {VECTOR}")
        self.emit(f"vector.store {new}, %rows[%tid, %c0] : memref<?x4xi32>, {VECTOR}")

        def run(state):
            folded = combine(lambda x, y: 31 * x + y, state.rows, state.values[value])
            state.rows[:below] = folded[:below]

        return run

    def diverge(self, vectors):
        self.emit("scf.if %few {")
        run = self.use(vectors, below=5)
        self.emit("}")
        return run

    def barrier(self, vectors):
        self.emit(self.random.choice([
            "gpu.barrier", "func.call @silent() : () -> ()", "tmem.fence before"
        ]))

    # ===- Control flow -------------------------------------------------------===#

    def arm(self, vectors, count):
        """The statements of a region, and the vectors that it yields."""
        inner = list(vectors)
        run = self.block(inner)
        fresh = inner[len(vectors):]
        yields = [
            self.random.choice(fresh if fresh and self.random.random() < 0.7 else inner)
            for _ in range(count)
        ]
        return run, yields

    def results(self, vectors, count):
        name = self.name()
        names = [f"{name}#{i}" for i in range(count)]
        vectors += names
        return (f"{name}:{count} = " if count else ""), names

    @staticmethod
    def move(state, names, sources):
        values = [state.values[source] for source in sources]
        state.values.update(zip(names, values))

    @staticmethod
    def types(count):
        return "(" + ", ".join([VECTOR] * count) + ")"

    def give(self, yields, before=""):
        types = ", ".join(["index"] * bool(before) + [VECTOR] * len(yields))
        operands = ", ".join([before] * bool(before) + yields)
        self.emit(f"scf.yield {operands} : {types}" if operands else "scf.yield")

    def initial(self, vectors, count):
        """Mostly what has been read last: so it can be pending."""
        recent = vectors[-2:]
        return [
            self.random.choice(recent if self.random.random() < 0.7 else vectors)
            for _ in range(count)
        ]

    def loop(self, vectors):
        flag, count = self.random.randrange(FLAGS), self.random.randint(0, 3)
        runs = [self.read(vectors) for _ in range(self.random.randint(0, count))]
        begins = self.initial(vectors, count)
        counter, arguments = self.name(), [self.name() for _ in range(count)]
        head, position = len(self.lines), None
        self.emit("")
        self.counters.append(counter)
        inner = list(vectors) + arguments
        body, yields = self.arm(inner, count)
        self.counters.pop()
        self.give(yields)
        self.emit("}")
        text, names = self.results(vectors, count)
        pairs = ", ".join(f"{a} = {b}" for a, b in zip(arguments, begins))
        carried = f" iter_args({pairs}) -> {self.types(count)}" if count else ""
        self.lines[head] = (
            f"      {text}scf.for {counter} = %c0 to %f{flag} step %c1{carried} {{"
        )

        def run(state):
            self.move(state, names, begins)
            for i in range(self.flags[flag]):
                state.values[counter] = i
                self.move(state, arguments, names)
                body(state)
                self.move(state, names, yields)

        return self.sequence(runs + [run])

    def repeat(self, vectors):
        """A while loop; its first region has reads, too."""
        flag, count = self.random.randrange(FLAGS), self.random.randint(1, 2)
        runs = [self.read(vectors) for _ in range(self.random.randint(0, count))]
        begins = self.initial(vectors, count)
        i, j, more, following = (self.name() for _ in range(4))
        first, second = ([self.name() for _ in range(count)] for _ in range(2))
        head = len(self.lines)
        self.emit("")
        before, passed = self.arm(list(vectors) + first, count)
        self.emit(f"{more} = arith.cmpi slt, {i}, %f{flag} : index")
        types = ", ".join(["index"] + [VECTOR] * count)
        self.emit(f"scf.condition({more}) {', '.join([i] + passed)} : {types}")
        self.emit("} do {")
        arguments = ", ".join([f"{j}: index"] + [f"{a}: {VECTOR}" for a in second])
        self.emit(f"^bb0({arguments}):")
        self.counters.append(j)
        after, yields = self.arm(list(vectors) + second, count)
        self.counters.pop()
        self.emit(f"{following} = arith.addi {j}, %c1 : index")
        self.give(yields, following)
        self.emit("}")
        name = self.name()
        names = [f"{name}#{k + 1}" for k in range(count)]
        vectors += names
        pairs = ", ".join(f"{a} = {b}" for a, b in zip([i] + first, ["%c0"] + begins))
        self.lines[head] = (
            f"      {name}:{count + 1} = scf.while ({pairs}) : ({types}) -> ({types}) {{"
        )

        def run(state):
            self.move(state, first, begins)
            for k in range(self.flags[flag] + 1):
                before(state)
                self.move(state, names, passed)
                if k == self.flags[flag]:
                    break
                state.values[j] = k
                self.move(state, second, names)
                after(state)
                self.move(state, first, yields)

        return self.sequence(runs + [run])

    def branch(self, vectors):
        flag, count = self.random.randrange(FLAGS), self.random.randint(0, 2)
        switch = self.random.random() < 0.3
        head = len(self.lines)
        self.emit("")
        bodies = []
        for arm in range(3 if switch else 2):
            if switch:
                self.emit("default {" if arm == 2 else f"case {arm} {{")
            elif arm:
                self.emit("} else {")
            bodies.append(self.arm(vectors, count))
            self.give(bodies[-1][1])
            if switch or arm:
                self.emit("}")
        text, names = self.results(vectors, count)
        types = f" -> {self.types(count)}" if count else ""
        if switch:
            types = f" -> {', '.join([VECTOR] * count)}" if count else ""
            self.lines[head] = f"      {text}scf.index_switch %f{flag}{types}"
            taken = min(self.flags[flag], 2)
        else:
            self.lines[head] = f"      {text}scf.if %p{flag}{types} {{"
            taken = int(self.flags[flag] <= 1)

        def run(state):
            body, yields = bodies[taken]
            body(state)
            self.move(state, names, yields)

        return run

    def block(self, vectors):
        runs = []
        for _ in range(self.random.randint(0, 5)):
            if self.budget <= 0:
                break
            self.budget -= 1
            kinds = [self.read] * 5 + [self.write] * 3 + [self.use] * 3
            kinds += [self.mix, self.mix, self.diverge, self.barrier]
            kinds += [self.hand_read, self.hand_write]
            if self.nesting < 3:
                kinds += [self.loop, self.loop, self.repeat, self.branch, self.branch]
            self.nesting += 1
            runs.append(self.random.choice(kinds)(vectors))
            self.nesting -= 1
        return self.sequence(runs)

    def prologue(self, symbol):
        emit = self.lines.append
        arguments = ", ".join(f"%f{i}: index" for i in range(FLAGS))
        emit(f"    gpu.func @{symbol}({arguments}, %rows: memref<?x4xi32>)")
        emit("        workgroup(%slot: memref<1xi32, #gpu.address_space<workgroup>>)")
        emit(f"        kernel attributes {{known_block_size = array<i32: {THREADS}, 1, 1>}} {{")
        self.emit("""%c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c5 = arith.constant 5 : index
      %c32 = arith.constant 32 : index
      %d31 = arith.constant dense<31> : vector<4xi32>
      %tid = gpu.thread_id x
      %few = arith.cmpi ult, %tid, %c5 : index
      %warp0 = arith.cmpi ult, %tid, %c32 : index
      scf.if %warp0 {
        tmem.alloc %slot, 32 : memref<1xi32, #gpu.address_space<workgroup>>
        tmem.relinquish_alloc_permit
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : memref<1xi32, #gpu.address_space<workgroup>>""")
        self.emit(f"%all = tmem.view %base : {tile(COLUMNS)}")
        for i in range(FLAGS):
            self.emit(f"%p{i} = arith.cmpi ugt, %f{i}, %c1 : index")
        for column in range(0, COLUMNS - WIDTH + 1, 2):
            self.emit(
                f"%w{column} = tmem.subview %all[0, {column}] [128, {WIDTH}]"
                f" : {tile(COLUMNS)} to {tile(WIDTH, column)}"
            )
        self.emit(f"%first = vector.load %rows[%tid, %c0] : memref<?x4xi32>, {VECTOR}")

    def fill(self):
        """Every column gets numbers of its own."""
        runs = []
        for column in range(0, COLUMNS, WIDTH):
            salt, mixed = self.random.getrandbits(31), self.name()
            self.emit(f"{mixed}s = arith.constant dense<{salt}> : {VECTOR}")
            self.emit(f"{mixed} = arith.xori %first, {mixed}s : {VECTOR}")
            self.emit(
                f"tmem.write {mixed}, %w{column} {ROW} : {VECTOR}, {tile(WIDTH, column)}"
            )

            def run(state, column=column, salt=salt):
                for t, words in enumerate(state.values["%first"]):
                    for k, word in enumerate(words):
                        state.columns[column + k][t] = word ^ salt

            runs.append(run)
        return runs

    def generate(self, symbol):
        """Prints the kernel; returns the rows of the threads afterwards."""
        self.prologue(symbol)
        vectors = ["%first"]
        runs = self.fill() + [self.read(vectors)]
        while self.budget > 0:
            runs.append(self.block(vectors))
        self.emit("""gpu.barrier
      scf.if %warp0 {
        tmem.dealloc %base, 32
      }
      gpu.return
    }""")
        state = State()
        state.values["%first"] = [list(row) for row in state.rows]
        self.sequence(runs)(state)
        return state.rows


# ===- Host code -----------------------------------------------------------===#

HOST = """
  memref.global "private" constant @wanted_SYMBOL : memref<128x4xi32> = dense<WANTED>
  func.func @run_SYMBOL() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %size = arith.constant 128 : index
    %none = arith.constant 0 : i32
    %step = arith.constant -1640531535 : i32
    %rows = memref.alloc(%size) : memref<?x4xi32>
    scf.for %t = %c0 to %size step %c1 {
      scf.for %k = %c0 to %c4 step %c1 {
        %i = arith.index_cast %t : index to i32
        %j = arith.index_cast %k : index to i32
        %scaled = arith.muli %i, %step : i32
        %word = arith.addi %scaled, %j : i32
        memref.store %word, %rows[%t, %k] : memref<?x4xi32>
      }
    }
    %any = memref.cast %rows : memref<?x4xi32> to memref<*xi32>
    gpu.host_register %any : memref<*xi32>
    FLAGS
    gpu.launch_func @kernels::@SYMBOL blocks in (%c1, %c1, %c1)
        threads in (%size, %c1, %c1) args(ARGUMENTS, %rows : memref<?x4xi32>)
    %wanted = memref.get_global @wanted_SYMBOL : memref<128x4xi32>
    %wrong = scf.for %t = %c0 to %size step %c1 iter_args(%outer = %none) -> (i32) {
      %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%count = %outer) -> (i32) {
        %x = memref.load %rows[%t, %k] : memref<?x4xi32>
        %y = memref.load %wanted[%t, %k] : memref<128x4xi32>
        %differs = arith.cmpi ne, %x, %y : i32
        %one = arith.extui %differs : i1 to i32
        %next = arith.addi %count, %one : i32
        scf.yield %next : i32
      }
      scf.yield %sum : i32
    }
    return %wrong : i32
  }"""


def print_host(kernels):
    lines, calls, last = [], [], "%none"
    for symbol, flags, rows in kernels:
        signed = [[w - (1 << 32) if w >> 31 else w for w in row] for row in rows]
        texts = [f"%f{i} = arith.constant {f} : index" for i, f in enumerate(flags)]
        arguments = ", ".join(f"%f{i} : index" for i in range(FLAGS))
        lines.append(
            HOST.replace("SYMBOL", symbol).replace("WANTED", str(signed))
            .replace("FLAGS", "\n    ".join(texts)).replace("ARGUMENTS", arguments)
        )
        calls.append(f"    %{symbol} = func.call @run_{symbol}() : () -> i32")
        calls.append(f"    %sum_{symbol} = arith.addi {last}, %{symbol} : i32")
        last = f"%sum_{symbol}"
    lines.append("  func.func @main() -> i32 {\n    %none = arith.constant 0 : i32")
    lines += calls
    lines.append(f"    %wrong = arith.addi %none, {last} : i32")
    lines.append(f'    vector.print str "{len(kernels)} kernels, wrong: "')
    lines.append("    vector.print %wrong : i32\n    return %wrong : i32\n  }")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kernels", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-host", action="store_true")
    arguments = parser.parse_args()
    lines, kernels = [], []
    for i in range(arguments.kernels):
        kernel = Kernel(arguments.seed + i, lines)
        rows = kernel.generate(f"k{i}")
        kernels.append((f"k{i}", kernel.flags, rows))
    print("module attributes {gpu.container_module} {\n  gpu.module @kernels {")
    print("    func.func @silent() attributes {no_inline} {\n      return\n    }")
    print("\n".join(lines))
    print("  }")
    if not arguments.no_host:
        print(print_host(kernels))
    print("}")


if __name__ == "__main__":
    main()
