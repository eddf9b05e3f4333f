#!/usr/bin/env python3
# ===- random-kernels.py - The hazard checker against the emulator ---------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Writes random small kernels of two warpgroups A and B, which reach the same cells,
in straight lines, loops, branches on conditions that repeat, turns that differ, roles by
a switch or by the turns of a loop, hand-overs by mbarriers, and rings of stages, or with
--wide those of wide_kernels.py, and compares what tmem-check-hazards says with what the
emulator meets in race mode, in several orders of warps. A kernel that the checker
accepts must run clean.

Prints how many kernels were accepted, refused or not decided, and fault or ran clean
(paths that the run does not take, or orders that it did not try). Exits with 1 if a
kernel was accepted and faults, and prints it."""

import argparse
import collections
import random
import subprocess
import sys
import tempfile

from wide_kernels import WideKernel

HEAD = """#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!object = memref<8xi64, #gpu.address_space<workgroup>>
!out = memref<256x8xi32>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%out: !out, %flag: i1, %n: index)
        workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %c8 = arith.constant 8 : i64
      %c8i = arith.constant 8 : index
      %c16b = arith.constant 16 : i64
      %c40b = arith.constant 40 : i64
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %n128 = arith.constant 128 : i32
      %n256 = arith.constant 256 : i32
      %tick = arith.constant 1000 : i32
      %c96 = arith.constant 96 : i32
      %c16 = arith.constant 16 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %true = arith.constant true
      %false = arith.constant false
      %unset = arith.xori %flag, %true : i1
      %some = arith.cmpi ult, %c1, %n : index
      %few = arith.cmpi ule, %n, %c1 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      %thread0 = arith.cmpi eq, %tid, %c0 : index
      %warp = arith.divui %tid, %c32 : index
      %group = arith.divui %tid, %c128 : index
      %c4 = arith.constant 4 : index
      %i = memref.extract_aligned_pointer_as_index %object : !object -> index
      %shared = arith.index_cast %i : index to i64
      %second = arith.addi %shared, %c8 : i64
      %m0 = llvm.inttoptr %shared : i64 to !llvm.ptr<3>
      %m1 = llvm.inttoptr %second : i64 to !llvm.ptr<3>
      scf.if %thread0 {
        nvvm.mbarrier.init %m0, %n128 : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %m1, %n128 : !llvm.ptr<3>, i32
        scf.for %k = %c2 to %c8i step %c1 {
          %k64 = arith.index_cast %k : index to i64
          %kb = arith.muli %k64, %c8 : i64
          %ka = arith.addi %shared, %kb : i64
          %kp = llvm.inttoptr %ka : i64 to !llvm.ptr<3>
          nvvm.mbarrier.init %kp, %n128 : !llvm.ptr<3>, i32
        }
      }
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      %base = memref.load %slot[%c0] : !slot
      %thread = arith.index_cast %tid : index to i32
      %rows = arith.andi %thread, %c96 : i32
      %slab = arith.shli %rows, %c16 : i32
      %address = arith.addi %base, %slab : i32
      %p0 = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      %o8 = arith.constant 8 : i32
      %a8 = arith.addi %address, %o8 : i32
      %p8 = llvm.inttoptr %a8 : i32 to !llvm.ptr<6>
      %o16 = arith.constant 16 : i32
      %a16 = arith.addi %address, %o16 : i32
      %p16 = llvm.inttoptr %a16 : i32 to !llvm.ptr<6>
      %o4 = arith.constant 4 : i32
      %a4 = arith.addi %address, %o4 : i32
      %p4 = llvm.inttoptr %a4 : i32 to !llvm.ptr<6>
      scf.if %a {
        nvvm.tcgen05.st %p0, %values {shape = #s} : vector<8xi32>
        nvvm.tcgen05.st %p8, %values {shape = #s} : vector<8xi32>
        nvvm.tcgen05.st %p16, %values {shape = #s} : vector<8xi32>
        nvvm.tcgen05.wait <store>
      }
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
"""
TAIL = """      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
    %flag = arith.constant FLAG
    %n = arith.constant TRIPS : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%out : !out, %flag : i1, %n : index)
    return
  }
}
"""
SYNC = ["nvvm.tcgen05.fence <before>", "gpu.barrier", "nvvm.tcgen05.fence <after>"]


# Conditions of the whole block, two of them opposites of the other two.
CONDITIONS = ["flag", "unset", "some", "few"]


class Kernel:
    def __init__(self, generator):
        self.random = generator
        self.lines = []
        self.values = 0
        self.care = generator.choice([0.5, 0.8, 0.95, 1.0])
        self.handoffs = generator.random() < 0.4
        self.rings = generator.random() < 0.4

    def emit(self, indent, *lines):
        self.lines += ["  " * indent + line for line in lines]

    def careful(self):
        return self.random.random() < self.care

    def access(self):
        """A transfer and, if it is done with care, its wait."""
        kind = self.random.choice(["load", "store"])
        pointer = self.random.choice(["%p0", "%p0", "%p4", "%p8"])
        if kind == "store":
            lines = [f"nvvm.tcgen05.st {pointer}, %values {{shape = #s}} : vector<8xi32>"]
        else:
            self.values += 1
            lines = [
                f"%v{self.values} = nvvm.tcgen05.ld {pointer} {{shape = #s}}"
                " : vector<8xi32>"
            ]
        if self.careful():
            lines.append(f"nvvm.tcgen05.wait <{kind}>")
        return lines

    def guarded(self, indent, who, lines):
        if who == "all":
            return self.emit(indent, *lines)
        self.emit(indent, f"scf.if %{who} {{")
        self.emit(indent + 1, *lines)
        self.emit(indent, "}")

    def sync(self):
        return [line for line in SYNC if self.careful()]

    def statement(self, indent, depth):
        who = self.random.choice(["a", "a", "b", "b", "all"])
        kind = self.random.random()
        if kind < 0.45:
            self.guarded(indent, who, self.access())
            # Nobody else comes between, if care is taken.
            if self.careful():
                self.emit(indent, *self.sync())
        elif kind < 0.6:
            self.emit(indent, *self.sync())
        elif kind < 0.66:
            wait = self.random.choice(["load", "store"])
            self.guarded(indent, who, [f"nvvm.tcgen05.wait <{wait}>"])
        elif kind < 0.72:
            fence = self.random.choice(["before", "after"])
            self.guarded(indent, who, [f"nvvm.tcgen05.fence <{fence}>"])
        elif kind < 0.78:
            named = "nvvm.barrier id = %one number_of_threads = "
            if who == "all":
                self.emit(indent, named + "%n256")
            else:
                self.guarded(indent, who, [named + "%n128"])
        elif kind < 0.84 and depth < 2:
            self.random.choice([self.turns, self.switch, self.own_turns])(indent, depth)
        elif kind < 0.92 and depth < 2:
            loop = self.random.random() < 0.6
            trips = self.random.choice(["%c2", "%n"])
            self.emit(
                indent,
                f"scf.for %j{len(self.lines)} = %c0 to {trips} step %c1 {{"
                if loop
                else f"scf.if %{self.random.choice(CONDITIONS)} {{",
            )
            for _ in range(self.random.randint(1, 3)):
                self.statement(indent + 1, depth + 1)
            self.emit(indent, "}")
        elif depth < 2:
            self.related(indent)

    def name(self, prefix):
        self.values += 1
        return f"%{prefix}_{self.values}"

    def turns(self, indent, depth):
        """A loop that does something in some of its turns only."""
        trips = self.random.choice(["%c2", "%c4", "%n", "%n"])
        turn, flag, last = self.name("t"), self.name("f"), self.name("l")
        start = self.random.choice(["%true", "%false"])
        self.emit(
            indent,
            f"{last} = scf.for {turn} = %c0 to {trips} step %c1"
            f" iter_args({flag} = {start}) -> (i1) {{",
        )
        conditions = [flag]
        for text in (
            f"arith.cmpi eq, {turn}, %c0 : index",
            f"arith.cmpi ugt, {turn}, %c0 : index",
            f"arith.cmpi slt, {turn}, %c2 : index",
        ):
            conditions.append(self.name("c"))
            self.emit(indent + 1, f"{conditions[-1]} = {text}")
        ahead, sum_, bit, odd, both = (self.name(x) for x in ("n", "s", "b", "o", "w"))
        self.emit(
            indent + 1,
            f"{ahead}i = arith.addi {turn}, %c1 : index",
            f"{ahead} = arith.cmpi slt, {ahead}i, {trips} : index",
            f"{sum_} = arith.addi {turn}, %group : index",
            f"{bit} = arith.andi {self.random.choice([turn, sum_])}, %c1 : index",
            f"{odd} = arith.cmpi eq, {bit}, %c1 : index",
            f"{both} = arith.andi {self.random.choice(conditions)}, %a : i1",
        )
        conditions += [ahead, odd, both]
        for _ in range(self.random.randint(1, 3)):
            if self.random.random() < 0.4:
                self.statement(indent + 1, 2)
                continue
            self.emit(indent + 1, f"scf.if {self.random.choice(conditions)} {{")
            self.statement(indent + 2, 2)
            self.emit(indent + 1, "}")
        if self.careful():
            self.emit(indent + 1, *self.sync())
        given = self.random.choice(["%true", "%false", flag, odd])
        self.emit(indent + 1, f"scf.yield {given} : i1")
        self.emit(indent, "}")
        if self.random.random() < 0.3:
            self.emit(indent, f"scf.if {last} {{")
            self.statement(indent + 1, 2)
            self.emit(indent, "}")

    def switch(self, indent, depth):
        """Each group of warps has a case, or one has none."""
        self.emit(indent, "scf.index_switch %group")
        for case in self.random.choice([("0", "1"), ("1", "0"), ("0",), ("1",)]):
            self.emit(indent, f"case {case} {{")
            for _ in range(self.random.randint(1, 2)):
                self.emit(indent + 1, *self.access())
            self.emit(indent + 1, "scf.yield")
            self.emit(indent, "}")
        self.emit(indent, "default {")
        if self.random.random() < 0.5:
            self.emit(indent + 1, *self.access())
        self.emit(indent, "}")
        if self.careful():
            self.emit(indent, *self.sync())

    def own_turns(self, indent, depth):
        """A loop of which the warp decides the turns."""
        start = self.random.choice(["%warp", "%group", "%warp"])
        end = self.random.choice(["%c8i", "%n", "%c2"])
        turn = self.name("t")
        step = self.random.choice(["%c4", "%c2"])
        if self.random.random() < 0.6:
            self.emit(indent, f"scf.for {turn} = {start} to {end} step {step} {{")
            self.emit(indent + 1, *self.access())
        else:
            last, goes, next_ = self.name("l"), self.name("g"), self.name("n")
            self.emit(
                indent,
                f"{last} = scf.while ({turn} = {start}) : (index) -> index {{",
                f"  {goes} = arith.cmpi slt, {turn}, {end} : index",
                f"  scf.condition({goes}) {turn} : index",
                "} do {",
                f"^bb0({turn}: index):",
            )
            self.emit(indent + 1, *self.access())
            self.emit(
                indent + 1,
                f"{next_} = arith.addi {turn}, {step} : index",
                f"scf.yield {next_} : index",
            )
        self.emit(indent, "}")
        if self.careful():
            self.emit(indent, *self.sync())

    def related(self, indent):
        """A transfer under a condition, and its wait under the same one, mostly."""
        who = self.random.choice(["a", "b"])
        condition = self.random.choice(CONDITIONS)
        transfer = self.access()
        wait = [line for line in transfer if "wait" in line]
        again = condition if self.careful() else self.random.choice(CONDITIONS)
        for where, lines in ((condition, transfer[:1]), (again, wait)):
            if not lines:
                continue
            self.emit(indent, f"scf.if %{where} {{")
            self.guarded(indent + 1, who, lines)
            self.emit(indent, "}")
        if self.careful():
            self.emit(indent, *self.sync())

    def await_phase(self, indent, barrier, parity):
        if self.random.random() < 0.7:
            self.emit(
                indent,
                f"nvvm.mbarrier.try_wait.parity %{barrier}, %{parity}, %tick"
                " : !llvm.ptr<3>, i32, i32",
            )
            return
        self.emit(
            indent,
            "scf.while : () -> () {",
            f"  %done = nvvm.mbarrier.test.wait %{barrier}, %{parity}"
            " : !llvm.ptr<3>, i32 -> i1",
            "  %again = arith.xori %done, %true : i1",
            "  scf.condition(%again)",
            "} do {",
            "  scf.yield",
            "}",
        )

    def stage(self, indent, stages):
        """The stage and the phase of a turn, and what they name."""
        self.emit(
            indent,
            "%turn = arith.index_cast %t : index to i32",
            f"%stages = arith.constant {stages} : i32",
            "%stage = arith.remui %turn, %stages : i32",
            "%round = arith.divui %turn, %stages : i32",
            "%phase = arith.andi %round, %one : i32",
            "%other = arith.xori %phase, %one : i32",
            "%wide = arith.extui %stage : i32 to i64",
            "%bytes = arith.muli %wide, %c8 : i64",
            "%at = arith.addi %shared, %bytes : i64",
            "%full_at = arith.addi %at, %c16b : i64",
            "%empty_at = arith.addi %at, %c40b : i64",
            "%full = llvm.inttoptr %full_at : i64 to !llvm.ptr<3>",
            "%empty = llvm.inttoptr %empty_at : i64 to !llvm.ptr<3>",
            "%column = arith.muli %stage, %o8 : i32",
            "%cell = arith.addi %address, %column : i32",
            "%p = llvm.inttoptr %cell : i32 to !llvm.ptr<6>",
        )

    def ring(self, indent):
        """A fills stages that B empties."""
        stages = self.random.choice([1, 1, 2, 3])
        trips = self.random.choice(["%n", "%n", "%c2"])
        order = self.random.choice([("a", "b"), ("b", "a")])
        for who in order:
            fills = who == "a"
            self.emit(indent, f"scf.if %{who} {{")
            self.emit(indent + 1, f"scf.for %t = %c0 to {trips} step %c1 {{")
            self.stage(indent + 2, stages)
            right = "other" if fills else "phase"
            wrong = "phase" if fills else "other"
            if self.random.random() < 0.5 + self.care / 2:
                self.await_phase(
                    indent + 2, "empty" if fills else "full",
                    right if self.careful() else wrong)
            if self.careful():
                self.emit(indent + 2, "nvvm.tcgen05.fence <after>")
            kind = "store" if fills else "load"
            if fills:
                line = "nvvm.tcgen05.st %p, %values {shape = #s} : vector<8xi32>"
            else:
                line = "%v = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>"
            self.emit(indent + 2, line)
            tail = [f"nvvm.tcgen05.wait <{kind}>"] if self.careful() else []
            if self.careful():
                tail.append("nvvm.tcgen05.fence <before>")
            barrier = "full" if fills else "empty"
            arrive = f"%s = nvvm.mbarrier.arrive %{barrier} : !llvm.ptr<3> -> i64"
            if self.careful():
                tail.append(arrive)
            else:
                tail.insert(self.random.randint(0, len(tail)), arrive)
            self.emit(indent + 2, *tail)
            self.emit(indent + 1, "}")
            if self.random.random() < 0.1:
                self.emit(indent + 1, *self.access())
            self.emit(indent, "}")

    def handoff(self, indent):
        """Each side hands the cells to the other once, and takes them once."""
        plans = {"a": [("arrive", 0), ("wait", 1)], "b": [("wait", 0), ("arrive", 1)]}
        for who in self.random.choice([("a", "b"), ("b", "a")]):
            lines = []
            for step, number in plans[who]:
                for _ in range(self.random.randint(0, 2)):
                    lines += self.access()
                if step == "arrive":
                    if self.careful():
                        lines.append("nvvm.tcgen05.fence <before>")
                    self.values += 1
                    lines.append(
                        f"%v{self.values} = nvvm.mbarrier.arrive %m{number}"
                        " : !llvm.ptr<3> -> i64"
                    )
                else:
                    lines.append(
                        f"nvvm.mbarrier.try_wait.parity %m{number}, %zero, %tick"
                        " : !llvm.ptr<3>, i32, i32"
                    )
                    if self.careful():
                        lines.append("nvvm.tcgen05.fence <after>")
            if self.random.random() < 0.3:
                lines += self.access()
            self.guarded(indent, who, lines)

    def build(self):
        for _ in range(self.random.randint(1, 6)):
            self.statement(3, 0)
        if self.rings:
            self.ring(3)
            self.emit(3, *self.sync())
        if self.handoffs:
            self.handoff(3)
            for _ in range(self.random.randint(0, 2)):
                self.statement(3, 0)
        for wait in ("load", "store"):
            if self.careful():
                self.emit(3, f"nvvm.tcgen05.wait <{wait}>")
        self.emit(3, *self.sync())
        if self.random.random() < 0.98:
            self.guarded(3, "first", ["tmem.dealloc %base, 32"])
        if self.random.random() < 0.03:
            self.guarded(3, "a", self.access())
        tail = TAIL.replace("FLAG", self.random.choice(["true", "false"]))
        tail = tail.replace("TRIPS", self.random.choice(["0", "1", "2", "5"]))
        return HEAD + "\n".join(self.lines) + "\n" + tail


def run(command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def is_undecided(verdict):
    """Whether it says of nothing that it is wrong."""
    errors = [line for line in verdict.stderr.splitlines() if " error: " in line]
    return all("undecided: " in line for line in errors)


def compare(text, options):
    """What the checker says and what the emulator meets, in words."""
    check = "builtin.module(tmem-check-hazards{undecided=error})"
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        verdict = run([options.opt, file.name, f"--pass-pipeline={check}", "-o=-"])
        result = run([options.runner, file.name, "--race", f"--seeds={options.seeds}"])
    if result.returncode not in (0, 1) or verdict.returncode not in (0, 1):
        return "broken", verdict, result
    said = "accepted"
    if verdict.returncode:
        said = "undecided" if is_undecided(verdict) else "refused"
    return f"{said}, {'faulty' if result.returncode else 'clean'}", verdict, result


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("opt")
    parser.add_argument("runner")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--wide", action="store_true", help="those of wide_kernels.py")
    parser.add_argument("--keep", help="write kernels on which the two differ here")
    options = parser.parse_args()
    counts = collections.Counter()
    for number in range(options.first, options.first + options.count):
        kind = WideKernel if options.wide else Kernel
        text = kind(random.Random(number)).build()
        outcome, verdict, result = compare(text, options)
        counts[outcome] += 1
        if outcome in ("accepted, faulty", "broken"):
            print(f"kernel {number} is {outcome}:\n{text}{verdict.stderr}{result.stderr}")
        if options.keep and outcome not in ("accepted, clean", "refused, faulty"):
            with open(f"{options.keep}/{number}.mlir", "w", encoding="utf-8") as kept:
                kept.write(text)
                for line in (outcome + "\n" + verdict.stderr + result.stderr).splitlines():
                    kept.write(f"// {line}\n")
    clean, unsound = counts["accepted, clean"], counts["accepted, faulty"]
    refused = counts["refused, faulty"]
    print(f"{clean + unsound} accepted, {unsound} of them faulty")
    print(f"{refused} refused and faulty, {counts['refused, clean']} refused and clean")
    print(f"{counts['undecided, faulty']} undecided and faulty,"
          f" {counts['undecided, clean']} undecided and clean, {counts['broken']} broken")
    return 1 if unsound or counts["broken"] or not clean or not refused else 0


if __name__ == "__main__":
    sys.exit(main())
