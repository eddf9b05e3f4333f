#!/usr/bin/env python3
# ===- insert-waits-nests.py - Waits of small nests of loops and branches --===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Runs tmem-insert-waits on COUNT random programs with scf.for, scf.while and scf.if
in one another, and compares where it waits with every way to place waits that keeps
to the rules of docs/Waits.md. It shares no code with the pass, nor with
insert-waits-paths.py.

A path takes each loop up to two times and each branch either way, whenever it comes
there. Along a path each load and store is followed from where it is issued to what
asks for it; the places on the way where its wait may stand are a set, of which one
place has to be chosen. Ours is wrong if it misses a set. It is worse if another
choice of places executes no more waits on any path, and fewer on some. What loops and
branches hand on pending, and what branches take into their arms, is as the pass has
it; with --choose, all else is tried, too. With --free, waits may stand anywhere."""

import argparse
import itertools
import random
import re
import subprocess
import sys

from insert_waits_columns import COLUMNS, WIDTH, overlap, view

VECTOR = f"vector<{WIDTH}xi32>"
ALL = f"!tmem.view<128x{COLUMNS}xi32, #tmem.layout<(128, {COLUMNS}) : (1@tlane, 1@tcol)>>"
STARTS = range(0, COLUMNS - WIDTH + 1, 2)


class Node:
    """An operation. `number` names the place before it. Regions are lists of nodes,
    which end with one of kind "end". `gives` is what a node hands on, and `puts` the
    name that it gets: of an end, what its operation makes of it."""

    def __init__(self, kind, number, **rest):
        self.kind, self.number = kind, number
        self.name = self.column = self.gives = self.first = self.argument = None
        self.later = self.result = None
        self.regions = []
        self.__dict__.update(rest)


class Writer:
    """Makes a program."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = self.names = 0
        self.controls = self.random.randint(2, 3)
        self.home = {}
        body = self.steps([], self.random.randint(2, 4), 0)
        self.tree = body + [self.node("return")]

    def node(self, kind, **rest):
        self.count += 1
        return Node(kind, self.count - 1, **rest)

    def fresh(self):
        self.names += 1
        return f"%r{self.names}"

    def read(self):
        return self.node("read", name=self.fresh(), column=self.random.choice(STARTS))

    def simple(self, names):
        kind = self.random.choice("rrwwuuub")
        if kind == "u" and names:
            return self.node("use", name=self.random.choice(names))
        if kind == "w":
            return self.node("write", column=self.random.choice(STARTS))
        if kind == "b" and self.random.random() < 0.4:
            return self.node("barrier")
        return self.read()

    def steps(self, names, count, depth):
        nodes, names = [], list(names)
        at = {self.random.randrange(count + 1) for _ in range(1 + (depth == 0))}
        for i in range(count + 1):
            if i in at and self.controls and depth < 3:
                self.controls -= 1
                nodes += self.control(names, depth)
            if i < count:
                nodes.append(self.simple(names))
                if nodes[-1].kind == "read":
                    names.append(nodes[-1].name)
        rest = [n.name for n in nodes if n.kind == "read"]
        rest = [name for name in rest if name not in set(used(nodes))]
        self.random.shuffle(rest)
        return nodes + [self.node("use", name=name) for name in rest]

    def region(self, names, argument, depth, hands):
        """Its end hands a new load on, or the argument, and mostly at once."""
        nodes = self.steps(names + [argument] * bool(argument),
                           self.random.randint(0, 2), depth + 1)
        gives = None
        if hands:
            old = [argument] * bool(argument) + [n.result for n in nodes if n.result]
            if old and self.random.random() < 0.3:
                gives = self.random.choice(old)
            else:
                at = len(nodes) - (self.random.random() < 0.3 and len(nodes) > 0)
                nodes.insert(at, self.read())
                gives = nodes[at].name
        return nodes + [self.node("end", gives=gives)]

    def control(self, names, depth):
        kind = self.random.choice(["for", "for", "while", "if"])
        hands = self.random.random() < 0.6
        before, first = [], None
        if hands and kind != "if":
            if names and self.random.random() < 0.3:
                first = names.pop()
            else:
                before = [self.read()]
                first = before[0].name
        result = self.fresh() if hands else None
        node = self.node(kind, first=first, result=result)
        count = 1 if kind == "for" else 2
        if hands and kind != "if":
            node.argument = self.fresh()
            node.later = self.fresh() if kind == "while" else None
        for argument in [node.argument, node.later or node.argument][:count]:
            argument = argument if kind != "if" else None
            node.regions.append(self.region(names, argument, depth, hands))
        if hands:
            names.append(result)
        return before + [node]


def walk(nodes):
    for node in nodes:
        yield node
        for region in node.regions:
            yield from walk(region)


def regions(nodes):
    yield nodes
    for node in nodes:
        for region in node.regions:
            yield from regions(region)


def used(nodes):
    for node in walk(nodes):
        if node.kind == "use":
            yield node.name
        yield from (name for name in (node.first, node.gives) if name)


# ===- Printing --------------------------------------------------------------===#


def print_nodes(nodes, lines, kind=None):
    for node in nodes:
        print_node(node, lines, kind)


def print_node(node, lines, parent):
    name = node.name
    if node.kind == "read":
        lines.append(f"{name} = tmem.read %w{node.column} scope(warpgroup)"
                     f" : {view(node.column)} -> {VECTOR}")
    elif node.kind == "write":
        lines.append(f"tmem.write %v, %w{node.column} scope(warpgroup)"
                     f" : {VECTOR}, {view(node.column)}")
    elif node.kind == "use":
        lines.append(f"vector.store {name}, %out[%c0] : memref<{WIDTH}xi32>, {VECTOR}")
    elif node.kind in ("barrier", "return"):
        lines.append(f"gpu.{node.kind}")
    elif node.kind == "end":
        given = f" {node.gives} : {VECTOR}" if node.gives else ""
        head = "scf.condition(%c)" if parent == "condition" else "scf.yield"
        lines.append(head + given)
    else:
        print_control(node, lines)


def print_control(node, lines):
    result = f"{node.result} = " if node.result else ""
    pair = f"({node.argument} = {node.first})" if node.first else "()"
    if node.kind == "for":
        carried = f" iter_args{pair} -> {VECTOR}" if node.first else ""
        lines.append(f"{result}scf.for %i{node.number} = %c0 to %n step %c1{carried} {{")
    elif node.kind == "if":
        types = f" -> {VECTOR}" if result else ""
        lines.append(f"{result}scf.if %c{types} {{")
    else:
        types = f"({VECTOR})" if node.first else "()"
        lines.append(f"{result}scf.while {pair if node.first else ''}"
                     f" : {types} -> {types} {{")
    is_while = node.kind == "while"
    print_nodes(node.regions[0], lines, "condition" if is_while else None)
    if len(node.regions) == 2:
        lines.append("} do {" if is_while else "} else {")
        if is_while:
            lines.append(f"^bb0({node.later}: {VECTOR}):" if node.later else "^bb0:")
        print_nodes(node.regions[1], lines)
    lines.append("}")


def print_program(program, name):
    lines = [f"gpu.func @{name}(%base: i32, %v: {VECTOR}, %out: memref<{WIDTH}xi32>,"
             " %c: i1, %n: index) kernel {", "%c0 = arith.constant 0 : index",
             "%c1 = arith.constant 1 : index", f"%all = tmem.view %base : {ALL}"]
    for column in STARTS:
        lines.append(f"%w{column} = tmem.subview %all[0, {column}] [128, {WIDTH}]"
                     f" : {ALL} to {view(column)}")
    print_nodes(program.tree, lines)
    return "\n".join(lines + ["}"])


# ===- Paths -----------------------------------------------------------------===#


class Paths:
    """A path is a list of (node, token, hand): the token that is read, used or handed
    on, and for the latter the carrier that takes it and the region where it goes. A
    token is (name of the read, time). Carriers are (number, "in" or "out"): what
    comes to a loop, and to the second region of a while and its result."""

    most = 120

    def __init__(self, program):
        self.where, self.inputs, self.gets = {}, {}, {}
        self.place(program.tree, None)
        self.all = []
        self.expand(program)

    def place(self, nodes, home):
        for node in nodes:
            self.where[node.number] = home
            if node.name and node.kind == "read":
                self.gets[node.name] = None
            for i, region in enumerate(node.regions):
                self.place(region, (node.number, i))
            self.connect(node)

    def connect(self, node):
        """Which carriers there are, and what comes to each."""
        if not node.result:
            return
        ends = [region[-1].gives for region in node.regions]
        number = node.number
        inside = (number, "out")
        if node.kind == "while":
            inside = (number, "in")
            self.inputs[inside] = [node.first, ends[1]]
            self.inputs[number, "out"] = [ends[0]]
            self.gets[node.later] = (number, "out")
        else:
            self.inputs[inside] = ([node.first] if node.first else []) + ends
        if node.argument:
            self.gets[node.argument] = inside
        self.gets[node.result] = (number, "out")

    def expand(self, program):
        """Every way to choose, 0 to 2 turns and either arm; of more than `most`, some
        by chance."""
        work, pick = [[]], random.Random(program.count)
        while work and len(self.all) < self.most:
            choices = work.pop(pick.randrange(len(work)))
            run = Run(self, choices)
            run.go(program.tree)
            self.all.append(run.trace)
            for at in range(len(choices), len(run.taken)):
                for other in range(1, run.options[at]):
                    work.append(run.taken[:at] + [other])


class Run:
    def __init__(self, paths, choices):
        self.paths, self.choices = paths, choices
        self.taken, self.options, self.trace, self.values = [], [], [], {}

    def choose(self, options):
        at = len(self.taken)
        self.taken.append(self.choices[at] if at < len(self.choices) else 0)
        self.options.append(options)
        return self.taken[-1]

    def log(self, node, name=None, carrier=None, to=None):
        self.trace.append((node, self.values.get(name), (carrier, to) if carrier else None))

    def go(self, nodes):
        for node in nodes:
            if node.kind == "read":
                self.values[node.name] = (node.name, len(self.trace))
                self.log(node, node.name)
            elif node.kind in ("for", "while", "if"):
                getattr(self, "go_" + node.kind)(node)
            elif node.kind != "end":
                self.log(node, node.name)

    def pass_on(self, node, given, name, carrier, to):
        """`node`, an operation or the end of a region, hands on."""
        self.log(node, given, carrier if given else None, to)
        if given:
            self.values[name] = self.values[given]

    def home(self, node):
        return self.paths.where[node.number]

    def go_if(self, node):
        self.log(node)
        region = node.regions[self.choose(2)]
        self.go(region)
        self.pass_on(region[-1], region[-1].gives, node.result, (node.number, "out"),
                     self.home(node))

    def go_for(self, node):
        turns, carrier = self.choose(3), (node.number, "out")
        inside = (node.number, 0)
        steps = [(node, node.first)] + [(node.regions[0][-1], node.regions[0][-1].gives)] * turns
        for turn, (step, given) in enumerate(steps):
            if turn:
                self.go(node.regions[0])
            goes_in = turn < turns
            self.pass_on(step, given, node.argument if goes_in else node.result, carrier,
                         inside if goes_in else self.home(node))

    def go_while(self, node):
        turns = self.choose(3)
        first, second = node.regions
        self.pass_on(node, node.first, node.argument, (node.number, "in"), (node.number, 0))
        for turn in range(turns + 1):
            self.go(first)
            goes_in = turn < turns
            self.pass_on(first[-1], first[-1].gives, node.later if goes_in else node.result,
                         (node.number, "out"), (node.number, 1) if goes_in else self.home(node))
            if goes_in:
                self.go(second)
                self.pass_on(second[-1], second[-1].gives, node.argument,
                             (node.number, "in"), (node.number, 0))


# ===- What is right ---------------------------------------------------------===#


class Judge:
    """`pending` are the carriers that hand on pending, `takers` the numbers of the
    branches in whose arms it is waited for all that is in flight before them."""

    def __init__(self, program, paths, pending, takers=(), free=False):
        self.program, self.paths, self.pending, self.free = program, paths, pending, free
        self.takers = takers
        self.inside, self.around = {}, {}
        for region in regions(program.tree):
            names = list(used(region))
            for node in region:
                self.around[node.number] = names
                self.inside[node.number] = list(used(itertools.chain(*node.regions)))
        self.columns = {n.name: n.column for n in walk(program.tree) if n.kind == "read"}
        self.unite()
        self.uses = list(used(program.tree))

    def unite(self):
        """Names of loads that pending carriers give the same registers."""
        self.web = {name: {name} for name in self.paths.gets}
        for name, carrier in self.paths.gets.items():
            for given in self.paths.inputs[carrier] if carrier in self.pending else ():
                both = self.web[name] | self.web[given]
                for other in both:
                    self.web[other] = both

    def are_homes_right(self):
        """What is handed on is pending itself, defined in the same region, and, if a
        loop begins with it, not used elsewhere."""
        for carrier in self.pending:
            for given in self.paths.inputs[carrier]:
                source = self.paths.gets[given]
                if source is not None and source not in self.pending:
                    return False
        homes = {}
        for node in walk(self.program.tree):
            home = self.paths.where[node.number]
            homes.update({n: home for n in (node.name, node.result) if n and node.kind != "use"})
            homes[node.argument] = (node.number, 0)
            homes[node.later] = (node.number, 1)
        for node in walk(self.program.tree):
            side = "in" if node.kind == "while" else "out"
            if node.first and (node.number, side) in self.pending:
                if homes[node.first] != self.paths.where[node.number]:
                    return False
                if self.uses.count(node.first) != 1:
                    return False
            for i, region in enumerate(node.regions):
                given = region[-1].gives
                side = "in" if node.kind == "while" and i == 1 else "out"
                if given and (node.number, side) in self.pending:
                    if homes[given] != (node.number, i):
                        return False
        return True

    def demands(self, kind):
        """Sets of places; None if something pending is asked for before it is handed
        on."""
        sets = set()
        for path in self.paths.all:
            for i, (node, token, _) in enumerate(path):
                if node.kind == kind and not self.follow(path, i, kind, token, sets):
                    return None
        return [s for s in sets if not any(t != s and t & s == t for t in sets)]

    def follow(self, path, i, kind, token, sets):
        home, places = self.paths.where[path[i][0].number], 0
        columns = [path[i][0].column]
        name = path[i][0].name
        for at in range(i + 1, len(path)):
            node, other, hand = path[at]
            is_home = self.free or self.paths.where[node.number] == home
            places |= is_home << node.number
            if self.asks(kind, token, name, columns, node, other):
                sets.add(places)
                return self.free or not self.is_handed_later(path, at, token, home)
            if is_home and not self.free and node.number in self.takers and node.kind == "if":
                if not self.can_take(node, name):
                    break
                home = self.paths.where[path[at + 1][0].number]
                continue
            takes = hand and kind == "read" and other == token
            if takes and hand[0] in self.pending:
                name = self.taker(node, hand)
                columns = [self.columns[n] for n in self.web[name] if n in self.columns]
                if not self.free:
                    home, places = hand[1], 0
            elif not self.free and (takes or is_home and node.kind == "end"):
                break
        sets.add(places)
        return True

    def can_take(self, node, name):
        """Whether nothing behind a branch uses a load, or it is a store."""
        number = node.number
        return self.around[number].count(name) == self.inside[number].count(name)

    def taker(self, node, hand):
        carrier, _ = hand
        return next(n for n, c in self.paths.gets.items() if c == carrier)

    def is_handed_later(self, path, at, token, home):
        """Whether, from step `at` on, its region hands the token on as pending."""
        for node, other, hand in path[at:]:
            if self.paths.where[node.number] != home:
                continue
            if hand and other == token:
                return hand[0] in self.pending
            if node.kind == "end":
                break
        return False

    def asks(self, kind, token, name, columns, node, other):
        if node.kind in ("barrier", "return"):
            return True
        if kind == "read" and node.kind == "use":
            return other == token
        if kind == "read" and node.kind == "read":
            return node.name in self.web[name]
        if node.kind == "write" or node.kind == "read":
            return any(overlap(column, node.column) for column in columns)
        return False


def count(paths, number):
    return tuple(sum(node.number == number for node, *_ in path) for path in paths)


def better(judge, ours, demands):
    """A better choice of places, or None."""
    total = judge.program.count
    rows = [count(judge.paths.all, number) for number in range(total)]
    rows = list(zip(*sorted(set(zip(*rows)))))
    weights = [tuple(row) for row in rows]
    zero = (0,) * len(weights[0])
    add = lambda a, b: tuple(x + y for x, y in zip(a, b))
    most = zero
    for number in range(total):
        if ours >> number & 1:
            most = add(most, weights[number])
    seen = set()

    def choose(places, cost):
        if places in seen:
            return None
        seen.add(places)
        missing = next((s for s in demands if not places & s), None)
        if missing is None:
            return places if cost != most else None
        for number in range(total):
            if missing >> number & 1:
                more = add(cost, weights[number])
                if all(a <= b for a, b in zip(more, most)):
                    found = choose(places | 1 << number, more)
                    if found is not None:
                        return found
        return None

    return choose(0, zero)


def subsets(members):
    members = list(members)
    for size in range(len(members) + 1):
        yield from map(set, itertools.combinations(members, size))


def find_better(program, paths, made, kind, options):
    """With what is pending and taken in as it is, or with every other choice that is
    right."""
    ours = made.places[kind]
    judges = [Judge(program, paths, made.pending, made.takers[kind], options.free)]
    demands = [judges[0].demands(kind)]
    if demands[0] is None or any(not ours & s for s in demands[0]):
        return "wrong"
    if options.choose:
        branches = [n.number for n in walk(program.tree) if n.kind == "if"]
        others = subsets(paths.inputs) if kind == "read" else [made.pending]
        judges = [Judge(program, paths, other, taken)
                  for other in others for taken in subsets(branches)]
        judges = [judge for judge in judges if judge.are_homes_right()]
        demands = [judge.demands(kind) for judge in judges]
    for judge, sets in zip(judges, demands):
        if sets is not None:
            found = better(judge, ours, sets)
            if found is not None:
                return found
    return None


# ===- What the pass has made ------------------------------------------------===#

STEP = re.compile(r'"(tmem\.load|tmem\.store|vector\.store|gpu\.barrier|gpu\.return'
                  r'|scf\.if|scf\.for|scf\.while|scf\.yield|scf\.condition)"')


def order(nodes):
    for node in nodes:
        yield node
        for region in node.regions:
            yield from order(region)


class Made:
    """Where waits are, by kind as sets of bits; which carriers are pending; which
    branches are taken into."""

    def __init__(self, program, text):
        self.nodes = list(order(program.tree))
        self.places = {"read": 0, "write": 0}
        self.takers = {"read": set(), "write": set()}
        self.pending = set()
        self.step, self.stack, self.homes = 0, [], {}
        for line in text.split("\n"):
            self.take(line.strip())
            if self.step == len(self.nodes):
                return
        raise ValueError(f"{self.step} steps of {len(self.nodes)}")

    def take(self, line):
        if match := re.match(r"(%\w+)(:\d+)? = ", line):
            self.homes[match.group(1)] = len(self.stack)
        elif line.startswith("^bb0("):
            self.homes.update((v, len(self.stack)) for v in re.findall(r"%\w+", line))
        if match := re.search(r'"tmem\.wait_(load|store)"\((.*?)\)', line):
            self.wait("read" if match.group(1) == "load" else "write", match.group(2))
        elif STEP.search(line):
            if line.endswith("({"):
                self.stack.append(self.nodes[self.step])
            self.step += 1
        elif line.startswith("})") and self.stack:
            self.close(self.stack.pop(), *line.rsplit("->", 1))

    def wait(self, kind, operands):
        self.places[kind] |= 1 << self.nodes[self.step].number
        for value in re.findall(r"%\w+", operands):
            self.takers[kind] |= {n.number for n in self.stack[self.homes[value]:]}

    def close(self, node, before, after):
        if "!tmem.pending" in after:
            self.pending.add((node.number, "out"))
        if "!tmem.pending" in before and node.kind == "while":
            self.pending.add((node.number, "in"))

    def costs(self, paths, kind):
        """How often each path waits."""
        places = self.places[kind]
        return [sum(places >> node.number & 1 for node, *_ in path) for path in paths.all]


def run(programs, opt):
    source = "gpu.module @kernels {\n"
    source += "\n".join(print_program(p, name) for name, p in programs.items()) + "\n}\n"
    output = subprocess.run([opt, "--tmem-insert-waits", "--mlir-print-op-generic"],
                            input=source, capture_output=True, text=True, check=False)
    if output.returncode:
        sys.exit(output.stderr[:2000] + source[:4000])
    parts = re.split(r'"gpu\.func"', output.stdout)[1:]
    return dict(zip(programs, parts, strict=True))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--opt", default="tmem-opt")
    parser.add_argument("--against", help="another tmem-opt, to compare counts with")
    parser.add_argument("--free", action="store_true")
    parser.add_argument("--choose", action="store_true")
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    programs = {f"seed_{seed}": Writer(seed)
                for seed in range(options.seed, options.seed + options.count)}
    others = run(programs, options.against) if options.against else {}
    waits = wrong = 0
    worse, against = {"read": 0, "write": 0}, [0, 0]
    for name, text in run(programs, options.opt).items():
        program = programs[name]
        made = Made(program, text)
        paths = Paths(program)
        for kind in ("read", "write"):
            waits += bin(made.places[kind]).count("1")
            result = find_better(program, paths, made, kind, options)
            wrong += result == "wrong"
            worse[kind] += isinstance(result, int)
            if others:
                pairs = list(zip(made.costs(paths, kind),
                                 Made(program, others[name]).costs(paths, kind)))
                against[0] += any(ours < other for ours, other in pairs)
                if any(ours > other for ours, other in pairs):
                    against[1] += 1
                    result = result or "more than the other"
            if result is not None and options.show:
                options.show -= 1
                print(f"{name}: {kind}, ours {made.places[kind]:b}, {made.pending},"
                      f" {made.takers}, found {result}")
                print(print_program(program, name))
                print(text)
    if others:
        print(f"fewer waits on some path for {against[0]}, more for {against[1]}")
    print(f"{options.count} programs, {waits} waits, {wrong} wrong,"
          f" {worse['read']} worse for loads, {worse['write']} for stores")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
