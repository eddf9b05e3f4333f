#!/usr/bin/env python3
# ===- insert-waits-paths.py - Waits of small programs with control flow ---===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Runs tmem-insert-waits on COUNT random programs that have an scf.for with or without
a vector that it hands on, or a branch in blocks of cf, and compares where it waits
with every way to place waits that is right.

A way is right if on each path, with up to three iterations of a loop, a wait comes
between each access and what asks for it. It is better if on no path it executes
more waits, and on some path fewer. What is right is said here once more: as pairs
of steps of a path that a wait has to come between, and so as sets of places of
which one has to be chosen.

Compared are ways that keep to the rules of docs/Waits.md: what is in flight in a
region is waited for there, and nothing but what is handed on is in flight at its
end; the same is handed on pending; blocks begin with the same in flight on every way
to them, and a wait dominates the uses that it serves. With --free, all ways."""

import argparse
import random
import re
import subprocess
import sys

from insert_waits_columns import COLUMNS, WIDTH, overlap, view

HEADER = f"""\
!vector = vector<{WIDTH}xi32>
!out = memref<{WIDTH}xi32>
"""


class Program:
    """Steps have a number each, by which waits before them are named. `tree` is a
    list of steps, and of ("if", number, arms), the branch, and ("for", number, body, ...)."""

    def __init__(self, seed, shape, free):
        self.random = random.Random(seed)
        self.shape, self.free = shape, free
        self.steps = 0
        self.names = 0
        self.lines = []
        self.tree = self.block([], self.random.randint(2, 5), True)
        self.tree.append(("end", self.number()))
        # By the number of a step: its region; what the end of a region, and what the
        # beginning of a loop, hand on.
        self.homes, self.ends, self.heads = {}, {}, {}
        self.place(self.tree, "function")

    def place(self, steps, home):
        for step in steps:
            self.homes[step[1]] = home
            if step[0] == "if":
                for i, (inner, end) in enumerate(step[2]):
                    self.place(inner, f"arm {i}")
                    self.homes[end], self.ends[end] = f"arm {i}", None
            elif step[0] == "for":
                self.place(step[2], "body")
                self.homes[step[3]], self.ends[step[3]] = "body", step[6]
                self.heads[step[1]] = step[5]

    def number(self):
        self.steps += 1
        return self.steps - 1

    def name(self):
        self.names += 1
        return f"%r{self.names}"

    def column(self):
        return self.random.randrange(0, COLUMNS - WIDTH + 1, 2)

    def read(self, names):
        names.append(self.name())
        return ("read", self.number(), names[-1], self.column())

    def simple(self, names):
        kind = self.random.choice("rrwwuub")
        if kind == "u" and names:
            return ("use", self.number(), self.random.choice(names))
        if kind == "w":
            return ("write", self.number(), self.column())
        if kind == "b" and self.random.random() < 0.5:
            return ("barrier", self.number())
        return self.read(names)

    def block(self, names, count, is_outer=False):
        """`names` are what can be used; those of an inner block end with it."""
        names = names if is_outer else list(names)
        steps = []
        at = self.random.randrange(count) if is_outer else None
        for i in range(count):
            if i == at:
                steps += self.control(names)
            steps.append(self.simple(names))
        return steps + self.use_rest(steps)

    def use_rest(self, steps):
        """Uses of what is read and not used, which would not be read at all."""
        used = {step[2] for step in self.walk(steps) if step[0] == "use"}
        used |= {step[5] for step in steps if step[0] == "for"}
        rest = [s[2] for s in steps if s[0] == "read" and s[2] not in used]
        self.random.shuffle(rest)
        return [("use", self.number(), name) for name in rest]

    def walk(self, steps):
        for step in steps:
            yield step
            if step[0] == "if":
                for inner, _ in step[2]:
                    yield from self.walk(inner)
            elif step[0] == "for":
                yield from self.walk(step[2])

    def control(self, names):
        if self.shape == "blocks":
            number = self.number()
            arms = []
            for _ in range(2):
                inner = self.block(names, self.random.randint(0, 2))
                arms.append((inner, self.number()))
            return [("if", number, arms)]
        hands = self.random.random() < 0.5
        before = [self.read([])] if hands else []
        number = self.number()
        argument = self.name() if hands else None
        inner = self.block(names + [argument] * hands, self.random.randint(1, 3))
        given = None
        if hands:
            inner.append(self.read([]))
            given = inner[-1][2]
        end = self.number()
        result = self.name() if hands else None
        if hands:
            names.append(result)
        first = before[0][2] if hands else None
        return before + [("for", number, inner, end, argument, first, given, result)]

    # ===- Printing -----------------------------------------------------------===#

    def print(self, name):
        self.lines = [
            f"gpu.func @{name}(%base: i32, %v: !vector, %out: !out, %c: i1, %n: index)"
            " kernel {",
            "%c0 = arith.constant 0 : index",
            "%c1 = arith.constant 1 : index",
            "%all = tmem.view %base : !tmem.view<128x12xi32, #tmem.layout<(128, 12)"
            " : (1@tlane, 1@tcol)>>",
        ]
        for column in range(0, COLUMNS - WIDTH + 1, 2):
            self.lines.append(
                f"%w{column} = tmem.subview %all[0, {column}] [128, {WIDTH}]"
                " : !tmem.view<128x12xi32, #tmem.layout<(128, 12) : (1@tlane, 1@tcol)>>"
                f" to {view(column)}"
            )
        self.print_block(self.tree)
        return "\n".join(self.lines)

    def print_block(self, steps):
        for step in steps:
            getattr(self, "print_" + step[0])(*step[2:])

    def print_read(self, name, column):
        self.lines.append(
            f"{name} = tmem.read %w{column} scope(warpgroup)"
            f" : {view(column)} -> !vector"
        )

    def print_write(self, column):
        self.lines.append(
            f"tmem.write %v, %w{column} scope(warpgroup) : !vector, {view(column)}"
        )

    def print_use(self, name):
        self.lines.append(f"vector.store {name}, %out[%c0] : !out, !vector")

    def print_barrier(self):
        self.lines.append("gpu.barrier")

    def print_end(self):
        self.lines.append("gpu.return\n}")

    def print_if(self, arms):
        self.lines.append("cf.cond_br %c, ^a, ^b")
        for label, (inner, _) in zip("ab", arms):
            self.lines.append(f"^{label}:")
            self.print_block(inner)
            self.lines.append("cf.br ^join")
        self.lines.append("^join:")

    def print_for(self, inner, _, argument, first, given, result):
        head = f"{result} = " if result else ""
        carried = f" iter_args({argument} = {first}) -> !vector" if result else ""
        self.lines.append(f"{head}scf.for %i = %c0 to %n step %c1{carried} {{")
        self.print_block(inner)
        self.lines.append(f"scf.yield {given} : !vector" if given else "scf.yield")
        self.lines.append("}")

    # ===- What is right ------------------------------------------------------===#

    def paths(self):
        """Lists of (number, kind, token or None, column or None). A token is what one
        load has loaded, (name, time): two of one loop share registers."""
        return [self.path(choice) for choice in range(4)]

    def path(self, choice):
        self.trace, self.values, self.choice = [], {}, choice
        self.go(self.tree)
        return self.trace

    def go(self, steps):
        for step in steps:
            kind, number = step[:2]
            if kind == "read":
                token = (len(self.trace), step[2])
                self.values[step[2]] = token
                self.trace.append((number, "read", token, step[3]))
            elif kind == "use":
                self.trace.append((number, "use", self.values[step[2]], None))
            elif kind == "write":
                self.trace.append((number, "write", None, step[2]))
            elif kind == "if":
                self.trace.append((number, "pass", None, None))
                inner, end = step[2][self.choice % 2]
                self.go(inner)
                self.trace.append((end, "pass", None, None))
            elif kind == "for":
                self.go_around(*step[1:])
            else:
                self.trace.append((number, kind, None, None))

    def go_around(self, number, inner, end, argument, first, given, result):
        self.trace.append((number, "pass", None, None))
        value = self.values.get(first)
        for _ in range(self.choice):
            if argument:
                self.values[argument] = value
            self.go(inner)
            self.trace.append((end, "pass", None, None))
            value = self.values.get(given)
        if result:
            self.values[result] = value

    def registers(self):
        """Names of loads that share registers, since a loop hands them on."""
        shared = {}
        for step in self.tree:
            if step[0] == "for" and step[7]:
                shared[step[5]] = shared[step[6]] = step[7]
        return shared

    def demands(self, kind):
        """The sets of places, of each of which one has to have a wait."""
        shared, sets = self.registers(), set()
        for path in self.paths():
            for i, (_, first, token, column) in enumerate(path):
                if first == kind:
                    self.follow(path, i, kind, token, column, shared, sets)
        return [s for s in sets if not any(t != s and t & s == t for t in sets)]

    def follow(self, path, i, kind, token, column, shared, sets):
        """Adds the places from step i to what asks for it. What is handed on is at
        home where it goes."""
        home, places = self.homes[path[i][0]], 0
        isOne = self.free or self.shape == "blocks"
        for at in range(i + 1, len(path)):
            number, second, other, place = path[at]
            isHome = isOne or self.homes[number] == home
            if isHome:
                places |= 1 << number
            if self.asks(kind, token, column, second, other, place, shared):
                break
            if isOne or not isHome:
                continue
            handed = self.heads.get(number) or self.ends.get(number)
            if handed and kind == "read" and handed == token[1]:
                if not self.is_pending:
                    break
                # It has to be waited for there, whatever has been waited for here.
                home, places = self.homes[path[at + 1][0]], 0
                column = None
            elif number in self.ends:
                break
        sets.add(places)

    def cells(self, token, column):
        """The columns that a load may be of: after it has been handed on, any of
        those that are handed on with it."""
        if column is not None:
            return [column]
        shared = self.registers()
        reads = [step for step in self.walk(self.tree) if step[0] == "read"]
        return [step[3] for step in reads if shared.get(step[2]) == shared[token[1]]]

    def asks(self, kind, token, column, second, other, place, shared):
        if second in ("barrier", "end"):
            return True
        if kind == "read":
            if second == "use":
                return other == token
            if second == "read":  # Into the same registers.
                names = token[1], other[1]
                return names[0] == names[1] or (
                    names[0] in shared and shared[names[0]] == shared.get(names[1])
                )
            if second != "write":
                return False
            # What came by other ways is in the same registers.
            return any(overlap(c, place) for c in self.cells(token, column))
        return second in ("read", "write") and overlap(column, place)

    def costs(self, places):
        return tuple(
            sum(places >> number & 1 for number, *_ in path) for path in self.paths()
        )

    def better(self, kind, ours):
        """A right choice of places that is better than ours, or None; an error if ours
        is not right."""
        demands = self.demands(kind)
        if any(not ours & s for s in demands):
            return "wrong"
        if self.shape == "blocks" and not self.free:
            return self.better_blocks(kind, ours)
        steps = [[number for number, *_ in path] for path in self.paths()]
        most = self.costs(ours)
        weights = [tuple(p.count(n) for p in steps) for n in range(self.steps)]
        found = []

        def choose(places, cost):
            if found or any(a > b for a, b in zip(cost, most)):
                return
            missing = next((s for s in demands if not places & s), None)
            if missing is None:
                if cost != most:
                    found.append(places)
                return
            for n in range(self.steps):
                if missing >> n & 1:
                    choose(places | 1 << n,
                           tuple(a + b for a, b in zip(cost, weights[n])))

        choose(0, (0,) * len(steps))
        return found[0] if found else None

    def better_blocks(self, kind, ours):
        demands, most = self.demands(kind), self.costs(ours)
        if not self.fits(kind, ours):
            return "unfit"
        weights = [self.costs(1 << n) for n in range(self.steps)]

        def choose(n, places, cost):
            if any(a > b for a, b in zip(cost, most)):
                return None
            if n == self.steps:
                isBetter = (cost != most and all(places & s for s in demands)
                            and self.fits(kind, places))
                return places if isBetter else None
            more = tuple(a + b for a, b in zip(cost, weights[n]))
            found = choose(n + 1, places, cost)
            return choose(n + 1, places | 1 << n, more) if found is None else found

        return choose(0, 0, (0,) * len(most))

    def fits(self, kind, places):
        """Whether arms end with the same in flight, and waits dominate uses."""
        rest = []
        for path in self.paths()[:2]:
            flight, done = set(), {}
            for number, step, token, _ in path:
                home = self.homes[number]
                if places >> number & 1:
                    done.update({name: home for name in flight})
                    flight = set()
                if step == "use" and kind == "read":
                    if done.get(token[1], home) not in ("function", home):
                        return False
                if step == kind:
                    flight.add(token[1] if token else number)
                if number in self.ends:
                    rest.append(frozenset(flight))
        return len(set(rest)) == 1

    # ===- What the pass has made ---------------------------------------------===#

    def places(self, lines):
        """The places of waits for loads and for stores, as sets of bits."""
        order = []
        self.flatten(self.tree, order)
        loads = stores = step = 0
        for line in lines:
            line = line.strip()
            if "tmem.wait_load" in line:
                loads |= 1 << order[step]
            elif "tmem.wait_store" in line:
                stores |= 1 << order[step]
            elif re.search(
                r"tmem\.load|tmem\.store|vector\.store|gpu\.barrier|gpu\.return"
                r"|scf\.for|scf\.yield|cf\.br|cf\.cond_br", line):
                step += 1
        assert step == len(order), (step, order)
        return loads, stores

    def flatten(self, steps, order):
        for step in steps:
            order.append(step[1])
            if step[0] == "if":
                for inner, end in step[2]:
                    self.flatten(inner, order)
                    order.append(end)
            elif step[0] == "for":
                self.flatten(step[2], order)
                order.append(step[3])


def run(programs, options):
    source = HEADER + "gpu.module @kernels {\n"
    source += "\n".join(p.print(name) for name, p in programs.items()) + "\n}\n"
    output = subprocess.run(
        [options.opt, "--tmem-insert-waits", "--mlir-print-local-scope"],
        input=source, capture_output=True, text=True, check=False)
    if output.returncode:
        sys.exit(output.stderr[:2000])
    return re.split(r"gpu\.func @", output.stdout)[1:]


def restore(text):
    """Ends of regions that print without scf.yield get one back."""
    lines, stack = [], []
    for line in text.split("\n"):
        stripped = line.strip()
        if stripped.startswith("}") and stack:
            if not stack.pop():
                lines.append("scf.yield")
        elif "scf.for" in stripped:
            stack.append("->" in stripped)
        lines.append(line)
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shape", choices=["for", "blocks"])
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--opt", default="tmem-opt")
    parser.add_argument("--free", action="store_true")
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    programs = {
        f"seed_{seed}": Program(seed, options.shape, options.free)
        for seed in range(options.seed, options.seed + options.count)
    }
    waits, wrong, worse = 0, 0, {"read": 0, "write": 0}
    for function in run(programs, options):
        name = re.split(r"\(", function, maxsplit=1)[0]
        program = programs.pop(name)
        program.is_pending = bool(re.search(r"scf\.for.*!tmem.pending", function))
        for kind, ours in zip(("read", "write"), program.places(restore(function))):
            waits += bin(ours).count("1")
            result = program.better(kind, ours)
            wrong += result in ("wrong", "unfit")
            worse[kind] += isinstance(result, int)
            if result is not None and options.show:
                options.show -= 1
                print(f"{name}: {kind}, ours {ours:b}, found {result}")
                print(function)
    assert not programs
    print(f"{options.count} programs, {waits} waits, {wrong} wrong,"
          f" {worse['read']} worse for loads, {worse['write']} for stores")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
