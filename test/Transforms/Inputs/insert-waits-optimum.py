#!/usr/bin/env python3
# ===- insert-waits-optimum.py - Waits against all placements --------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Runs tmem-insert-waits on COUNT random programs without branches, and compares
where it waits with every way to place waits that is right: there are none with
fewer, and of those with as few, none is later.

A program is a list of steps; waits go before a step. What is right is said here
once more, step by step, for a given set of places."""

import argparse
import itertools
import random
import re
import subprocess
import sys

from insert_waits_columns import COLUMNS, WIDTH, overlap, view

HEADER = f"""\
#regs = #tmem.layout<(128, {WIDTH}) : (1@tid, 1@reg)>
!all = !tmem.view<128x{COLUMNS}xi32, #tmem.layout<(128, {COLUMNS}) : (1@tlane, 1@tcol)>>
!vector = vector<{WIDTH}xi32>
!pending = !tmem.pending<!vector>
"""


class Program:
    """Steps are (kind, column or number of a load). `hand` are loads and waits
    that the program has itself."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.steps = []
        unused, placed = [], None
        loads = 0
        for _ in range(self.random.randint(2, 7)):
            kind = self.random.choice("rrrwwwubh")
            if kind == "h":
                if placed is None:
                    placed = loads
                    self.steps.append(("load", self.column()))
                    loads += 1
                else:
                    self.steps.append(("wait", placed))
                    placed = None
            elif kind == "r":
                unused.append(loads)
                self.steps.append(("read", self.column()))
                loads += 1
            elif kind == "w":
                self.steps.append(("write", self.column()))
            elif kind == "b":
                self.steps.append(("barrier", None))
            elif unused:
                used = self.random.choice(unused)
                if self.random.random() < 0.8:
                    unused.remove(used)
                self.steps.append(("use", used))
        self.random.shuffle(unused)
        if placed is not None:
            self.steps.append(("wait", placed))
        self.steps += [("use", number) for number in unused]
        self.steps.append(("return", None))

    def column(self):
        return self.random.randrange(0, COLUMNS - WIDTH + 1, 2)

    def print(self, name):
        lines = [
            f"func.func @{name}(%base: i32, %v: !vector, %out: memref<{WIDTH}xi32>) {{",
            "%c0 = arith.constant 0 : index",
            "%all = tmem.view %base : !all",
        ]
        for column in range(0, COLUMNS - WIDTH + 1, 2):
            lines.append(
                f"%w{column} = tmem.subview %all[0, {column}] [128, {WIDTH}]"
                f" : !all to {view(column)}"
            )
        loads = 0
        for kind, value in self.steps:
            if kind in ("read", "load"):
                result = "!vector" if kind == "read" else "!pending"
                lines.append(
                    f"%r{loads} = tmem.{kind} %w{value} registers(#regs)"
                    f" scope(warpgroup) : {view(value)} -> {result}"
                )
                loads += 1
            elif kind == "write":
                lines.append(
                    f"tmem.write %v, %w{value} registers(#regs) scope(warpgroup)"
                    f" : !vector, {view(value)}"
                )
            elif kind == "wait":
                lines.append(f"%x{value} = tmem.wait_load %r{value} : !pending")
            elif kind == "use":
                lines.append(
                    f"vector.store %r{value}, %out[%c0] : memref<{WIDTH}xi32>, !vector"
                )
            else:
                lines.append("gpu.barrier" if kind == "barrier" else "return\n}")
        return "\n".join(lines)

    # ===- What is right ------------------------------------------------------===#

    def are_loads_right(self, places):
        """Waits for loads before the steps of `places`."""
        columns, under_way = [], {}
        for i, (kind, value) in enumerate(self.steps):
            if i in places or kind == "wait":
                under_way = {}
            if kind == "use" and value in under_way:
                return False
            if kind == "write" and any(overlap(value, c) for c in under_way.values()):
                return False
            if kind in ("barrier", "return") and under_way:
                return False
            if kind == "read":
                under_way[len(columns)] = value
            if kind in ("read", "load"):
                columns.append(value)
        return True

    def are_stores_right(self, places):
        under_way = []
        for i, (kind, value) in enumerate(self.steps):
            if i in places:
                under_way = []
            if kind in ("read", "load", "write"):
                if any(overlap(value, column) for column in under_way):
                    return False
            if kind in ("barrier", "return") and under_way:
                return False
            if kind == "write":
                under_way.append(value)
        return True

    def best(self, is_right):
        for count in range(len(self.steps) + 1):
            right = [
                places
                for places in itertools.combinations(range(len(self.steps)), count)
                if is_right(places)
            ]
            if right:
                latest = max(right)
                # The first wait, the second, ...: each as late as it can be.
                assert all(
                    all(a <= b for a, b in zip(places, latest)) for places in right
                )
                return list(latest)
        return None

    # ===- What the pass has made ---------------------------------------------===#

    def places(self, lines):
        """Before which step there is a wait for loads, and for stores, other than
        those that were there."""
        loads, stores, step = [], [], 0
        for line in lines:
            if "tmem.wait_load" in line:
                if self.steps[step][0] == "wait":
                    step += 1
                else:
                    loads.append(step)
            elif "tmem.wait_store" in line:
                stores.append(step)
            elif re.search(r"tmem\.load|tmem\.store|vector\.store|barrier|return", line):
                step += 1
        assert step == len(self.steps)
        return loads, stores


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--opt", default="tmem-opt")
    arguments = parser.parse_args()
    seeds = range(arguments.seed, arguments.seed + arguments.count)
    programs = {f"seed_{seed}": Program(seed) for seed in seeds}
    source = HEADER + "\n".join(p.print(name) for name, p in programs.items())
    output = subprocess.run(
        [arguments.opt, "--tmem-insert-waits"],
        input=source,
        capture_output=True,
        text=True,
        check=False,
    )
    if output.returncode:
        sys.exit(output.stderr[:2000])
    functions = re.split(r"func\.func @", output.stdout)[1:]
    total = wrong = 0
    for function in functions:
        name, *lines = re.split(r"\(|\n", function, maxsplit=1)[0], *function.split("\n")
        program = programs.pop(name)
        loads, stores = program.places(lines)
        best_loads = program.best(program.are_loads_right)
        best_stores = program.best(program.are_stores_right)
        total += len(loads) + len(stores)
        if (loads, stores) != (best_loads, best_stores):
            wrong += 1
            print(f"{name}: {program.steps}")
            print(f"  waits for loads {loads}, best {best_loads}")
            print(f"  waits for stores {stores}, best {best_stores}")
    assert not programs
    print(f"{arguments.count} programs, {total} waits, {wrong} not the best")


if __name__ == "__main__":
    main()
