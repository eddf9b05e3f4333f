#!/usr/bin/env python3
# ===- random-flow.py - Kernels with random control flow around loads ------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Prints a gpu.module of COUNT kernels, from random seed FIRST on. In each, loads
are issued, handed on by loops, branches and selects, and waited for once on
every path.

usage: random-flow.py FIRST COUNT"""

import random
import sys

HEADER = """\
!view = !tmem.view<128x{n}xf32, #tmem.layout<(128, {n}) : (1@tlane, 1@tcol)>>
!pending = !tmem.pending<vector<{n}xf32>>
#regs = #tmem.layout<(128, {n}) : (1@tid, 1@reg)>
gpu.module @random_flow {{"""

PROLOGUE = """\
gpu.func @seed_{seed}(%base: i32, %n: index, %flags: memref<16xi1>,
    %counts: memref<16xindex>, %out: memref<?x{n}xf32>) kernel {{
  %mem = tmem.view %base : !view
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index"""


class Kernel:
    """Statements over the values that are pending and have to be handed on or
    waited for: `live` in each method, which it changes."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.budget = self.random.randint(6, 20)
        self.lines = []
        self.names = 0

    def emit(self, line):
        self.lines.append(line)

    def name(self):
        self.names += 1
        return f"%v{self.names}"

    def chance(self, probability):
        return self.random.random() < probability

    def take(self, live, least, most):
        self.random.shuffle(live)
        count = self.random.randint(min(least, len(live)), min(most, len(live)))
        taken = live[:count]
        del live[:count]
        return taken

    #===- Statements ------------------------------------------------------===#

    def load(self):
        value = self.name()
        self.emit(
            f"{value} = tmem.load %mem registers(#regs) atom(<32x32b, x{WORDS}>)"
            " scope(warpgroup) : !view -> !pending"
        )
        return value

    def wait(self, values):
        if not values:
            return
        vectors = [self.name() for _ in values]
        types = ", ".join(["!pending"] * len(values))
        self.emit(
            f"{', '.join(vectors)} = tmem.wait_load {', '.join(values)} : {types}"
        )
        for vector in vectors:
            self.emit(
                f"vector.store {vector}, %out[%c0, %c0]"
                f" : memref<?x{WORDS}xf32>, vector<{WORDS}xf32>"
            )

    def condition(self):
        value, index = self.name(), self.random.choice(["%c0", "%c1", "%c4"])
        self.emit(f"{value} = memref.load %flags[{index}] : memref<16xi1>")
        return value

    def statements(self, live, depth):
        for _ in range(self.random.randint(0, 4)):
            if self.budget <= 0:
                return
            self.budget -= 1
            if self.chance(0.35) and len(live) < 4:
                live.append(self.load())
            elif self.chance(0.3):
                self.wait(self.take(live, 1, 3))
            elif self.chance(0.1) and len(live) >= 2:
                self.select(live)
            elif self.chance(0.1) and len(live) >= 2:
                self.mirrored(live)
            elif depth < 3:
                kinds = [self.if_, self.switch, self.for_, self.for_, self.while_]
                self.random.choice(kinds)(live, depth + 1)

    def select(self, live):
        """Both are read where one is chosen, so none of them is left pending."""
        a, b = live.pop(), live.pop()
        condition, result = self.condition(), self.name()
        self.emit(f"{result} = arith.select {condition}, {a}, {b} : !pending")
        live.append(result)

    def mirrored(self, live):
        """Two arms that are alike but for the values in them."""
        a, b = live.pop(), live.pop()
        self.emit(f"scf.if {self.condition()} {{")
        self.wait([a])
        self.wait([b])
        self.emit("} else {")
        self.wait([b])
        self.wait([a])
        self.emit("}")

    #===- Regions ---------------------------------------------------------===#

    def end(self, live, count, depth):
        """Statements, then `count` values to yield: some of those that are live,
        or new ones; the others are waited for."""
        self.statements(live, depth)
        kept = self.take(live, 0, count)
        wait_first = self.chance(0.5)
        if wait_first:
            self.wait(live)
        kept += [self.load() for _ in range(count - len(kept))]
        if not wait_first:
            self.wait(live)
        self.random.shuffle(kept)
        return kept

    def hand_on(self, operation, values):
        types = ", ".join(["!pending"] * len(values))
        self.emit(f"{operation} {', '.join(values)}" + (f" : {types}" if types else ""))

    def results(self, live, count):
        names = [self.name() for _ in range(count)]
        live += names
        return f"{', '.join(names)} = " if names else ""

    def arms(self, live, depth, heads, open_, types):
        scope = self.take(live, 0, 3)
        count = self.random.randint(0, 2)
        condition = open_()
        position = len(self.lines)
        for head in heads:
            self.emit(head)
            self.hand_on("scf.yield", self.end(list(scope), count, depth))
            self.emit("}")
        results = self.results(live, count)
        self.lines.insert(position, f"{results}{condition}{types(count)}")

    def if_(self, live, depth):
        self.arms(
            live,
            depth,
            ["{", "else {"],
            lambda: f"scf.if {self.condition()}",
            lambda n: f" -> ({', '.join(['!pending'] * n)})" if n else "",
        )

    def switch(self, live, depth):
        def open_():
            value = self.name()
            self.emit(f"{value} = memref.load %counts[%c1] : memref<16xindex>")
            return f"scf.index_switch {value}"

        cases = [f"case {i} {{" for i in range(self.random.randint(1, 3))]
        self.arms(
            live,
            depth,
            cases + ["default {"],
            open_,
            lambda n: f" -> {', '.join(['!pending'] * n)}" if n else "",
        )

    def carried(self, live):
        """Values to start a loop with, and names for what carries them."""
        starts = self.take(live, 0, 2)
        if not starts or self.chance(0.5):
            starts.append(self.load())
        names = [self.name() for _ in starts]
        return names, ", ".join(f"{n} = {s}" for n, s in zip(names, starts))

    def for_(self, live, depth):
        names, pairs = self.carried(live)
        bound = self.random.choice(["%n", "%n", "%c1", "%c4"])
        types = ", ".join(["!pending"] * len(names))
        results = self.results(live, len(names))
        self.emit(
            f"{results}scf.for %i{depth} = %c0 to {bound} step %c1"
            f" iter_args({pairs}) -> ({types}) {{"
        )
        self.hand_on("scf.yield", self.end(list(names), len(names), depth))
        self.emit("}")

    def while_(self, live, depth):
        names, pairs = self.carried(live)
        types = ", ".join(["!pending"] * len(names))
        results = self.results(live, len(names))
        self.emit(f"{results}scf.while ({pairs}) : ({types}) -> ({types}) {{")
        values = list(names)
        if self.chance(0.5):
            values = self.end(values, len(names), depth)
        self.hand_on(f"scf.condition({self.condition()})", values)
        inside = [self.name() for _ in names]
        arguments = ", ".join(f"{name}: !pending" for name in inside)
        self.emit("} do {")
        self.emit(f"^bb0({arguments}):")
        self.hand_on("scf.yield", self.end(inside, len(names), depth))
        self.emit("}")


WORDS = 4


def main():
    first, count = map(int, sys.argv[1:])
    print(HEADER.format(n=WORDS))
    for seed in range(first, first + count):
        kernel, live = Kernel(seed), []
        while kernel.budget > 0:
            kernel.statements(live, 0)
        kernel.wait(live)
        print(PROLOGUE.format(seed=seed, n=WORDS))
        print("\n".join(kernel.lines))
        print("gpu.return\n}")
    print("}")


if __name__ == "__main__":
    main()
