#!/usr/bin/env python3
# ===- walk-waits.py - Every path of a program with waits ------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Reads what tmem-insert-waits and then convert-scf-to-cf have made of functions,
and goes every way through their blocks with what is in flight. Complains when

- an operation uses a load that is in flight, other than to hand it on,
- a load or store touches cells that one in flight writes or, for a store, reads,
- a barrier, a call, a fence before, a dealloc or the end meets anything in flight,
- a load is in flight when it is issued again,
- a wait names what another has named, or on no way finds anything in flight.

The last is not said of waits with --regions: where a program has structured control
flow, each region is looked at by itself, and a wait in a loop that is always entered
may serve what is also waited for behind it.

Loads, stores and waits with the attribute `hand` belong to the program itself."""

import re
import sys

OURS, HAND, DONE = "ours", "hand", "done"

VALUE = re.compile(r"%[\w#]+")
BLOCK = re.compile(r"(\^\w+)(?:\((.*?)\))?:")
EDGE = re.compile(r"(\^\w+)(?:\(([^:()]*)[^()]*(?:\([^()]*\)[^()]*)*?\))?")


class Function:
    def __init__(self, name):
        self.name = name
        self.blocks = {"^entry": ([], [])}
        self.constants, self.sums, self.views = {}, {}, {}

    def add(self, line, label):
        match = BLOCK.match(line)
        if match:
            label = match.group(1)
            self.blocks[label] = (VALUE.findall(match.group(2) or ""), [])
            return label
        self.define(line)
        self.blocks[label][1].append(line)
        return label

    def define(self, line):
        """Constants, and what views lie at."""
        if match := re.match(r"(%\w+) = arith.constant (-?\d+) : i32", line):
            self.constants[match.group(1)] = int(match.group(2))
        elif match := re.match(r"(%\w+) = arith.addi (%\w+), (%\w+) : i32", line):
            self.sums[match.group(1)] = match.group(2), match.group(3)
        elif match := re.match(r"(%\w+) = tmem.view (%\w+)", line):
            self.views[match.group(1)] = match.group(2), 0
        elif match := re.match(r"(%\w+) = tmem.subview (%\w+)\[0, (\d+)\]", line):
            base, column = self.views[match.group(2)]
            self.views[match.group(1)] = base, column + int(match.group(3))

    def cells(self, view):
        """Where a window of four columns begins, or None if it may be anywhere."""
        base, column = self.views[view]
        while base in self.sums:
            left, right = self.sums[base]
            if right not in self.constants:
                return None
            base, column = left, column + self.constants[right]
        return base, column


def overlap(a, b):
    return a is None or b is None or a[0] != b[0] or abs(a[1] - b[1]) < 4


class Walker:
    """A state is what has not been named by a wait: values and tokens, their cells,
    and whose they are."""

    def __init__(self, function):
        self.function = function
        self.complaints = set()
        self.waits = {}
        self.excused = set()  # Handed on behind a wait for others.

    def complain(self, what, line):
        self.complaints.add(f"@{self.function.name}: {what}: {line}")

    def walk(self):
        start = ("^entry", frozenset(), frozenset())
        seen, work = {start}, [start]
        while work:
            label, loads, stores = work.pop()
            for state in self.run(label, set(loads), set(stores)):
                if state not in seen:
                    seen.add(state)
                    work.append(state)
        for line, is_needed in self.waits.items():
            if not (is_needed or "--regions" in sys.argv
                    or self.excused & set(VALUE.findall(line))):
                self.complain("never finds anything in flight", line)
        return len(seen)

    def run(self, label, loads, stores):
        for line in self.function.blocks[label][1]:
            if re.match(r"(cf\.|gpu\.return|return)", line):
                return self.leave(line, loads, stores)
            self.step(line, loads, stores)
        raise ValueError(f"no terminator in {label}")

    def step(self, line, loads, stores):
        result, _, rest = line.rpartition(" = ") if line[0] == "%" else ("", "", line)
        name = rest.split()[0]
        used = VALUE.findall(rest)
        if name == "tmem.wait_load":
            return self.wait(line, used, loads)
        if name == "tmem.wait_store":
            return self.wait(line, used, stores)
        self.check_uses(line, used, loads)
        whose = HAND if "hand" in line else OURS
        if name == "tmem.load":
            self.check_reuse(line, self.function.cells(used[0]), stores)
            if any(item[0] == result for item in loads):
                self.complain("issued again while in flight", line)
            loads.add((result, self.function.cells(used[0]), whose))
        elif name == "tmem.store":
            self.check_reuse(line, self.function.cells(used[1]), loads | stores)
            stores.add((result, self.function.cells(used[1]), whose))
        elif re.match(r"gpu.barrier|func.call|call|tmem.dealloc|tmem.fence", name):
            self.check_empty(line, loads, stores)
        elif name in ("tmem.read", "tmem.write"):
            self.complain("is left", line)

    def check_uses(self, line, used, loads):
        for item in loads:
            if item[0] in used:
                self.complain(f"uses {item[0]} in flight", line)

    def check_reuse(self, line, cells, flight):
        for item in flight:
            if overlap(cells, item[1]) and item[2] == OURS:
                self.complain(f"touches cells of {item[0]} in flight", line)

    def check_empty(self, line, loads, stores):
        for item in loads | stores:
            if item[2] == OURS:
                self.complain(f"meets {item[0]} in flight", line)

    def wait(self, line, used, flight):
        """Serves all; what it does not name is done, and is named later."""
        self.waits.setdefault(line, False)
        self.waits[line] |= any(item[2] == OURS for item in flight) or "hand" in line
        if missing := set(used) - {item[0] for item in flight}:
            self.complain(f"is for {missing}, which has been waited for", line)
        kept = {(*i[:2], DONE) for i in flight if i[0] not in used}
        flight.clear()
        flight.update(kept)

    def leave(self, line, loads, stores):
        if "return" in line:
            self.check_empty(line, loads, stores)
            return
        head, *_ = line.split("^", 1)
        self.check_uses(line, VALUE.findall(head), loads)
        for label, text in EDGE.findall(line):
            arguments = self.function.blocks[label][0]
            operands = VALUE.findall(text)
            names = dict(zip(operands, arguments))
            if len(names) != len(operands) and any(i[0] in names for i in loads):
                if any(operands.count(item[0]) > 1 for item in loads):
                    self.complain("hands one load on twice", line)
            for item in loads:
                if item[2] == DONE and item[0] in VALUE.findall(line):
                    self.excused |= {item[0], names.get(item[0], item[0])}
            kept = frozenset((names.get(i[0], i[0]), *i[1:]) for i in loads)
            stale = {i[0] for i in loads if i[0] not in names} & set(arguments)
            if stale:
                self.complain(f"overwrites {stale} in flight", line)
            yield label, kept, frozenset(stores)


def parse(text):
    functions, current, label = [], None, None
    for line in text.split("\n"):
        line = line.strip()
        if match := re.match(r"gpu\.func @(\w+)\(", line):
            current, label = Function(match.group(1)), "^entry"
            functions.append(current)
        elif line == "}":
            current = None
        elif current and line:
            label = current.add(line, label)
    return functions


def main():
    functions = parse(sys.stdin.read())
    states = waits = wrong = 0
    for function in functions:
        walker = Walker(function)
        states += walker.walk()
        waits += len(walker.waits)
        wrong += bool(walker.complaints)
        for complaint in sorted(walker.complaints):
            print(complaint)
    assert functions and waits
    print(f"{len(functions)} functions, {states} states, {waits} waits, {wrong} wrong")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
