# ===- wide_kernels.py - Random kernels with all that orders accesses ------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Kernels of two warpgroups A and B with several allocations, each spelled with tmem
operations, NVVM's, and calls: views and pointers of the same cells, loads that are
waited for late, loops and branches, roles, hand-overs by mbarriers (once, or in each
turn of a loop) and by named barriers of which one side arrives only, slots that are
used again, and a dealloc by either group.

Much is left out by chance; less in a kernel with more care."""

WIDTH = 8
CONDITIONS = ["flag", "unset", "some", "few"]
WINDOWS = [0, 4, 8, 16]
BARRIERS = 6

MODULE = """#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!object = memref<8xi64, #gpu.address_space<workgroup>>
!words = vector<8xi32>
!tile = !tmem.view<128x8xi32, #tmem.datapath<D>>
!wide = !tmem.view<128x32xi32, #tmem.datapath<D>>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    func.func @drain() attributes {no_inline} {
      nvvm.tcgen05.wait <load>
      nvvm.tcgen05.wait <store>
      return
    }
    func.func @meet() attributes {no_inline} {
      nvvm.tcgen05.fence <before>
      gpu.barrier
      nvvm.tcgen05.fence <after>
      return
    }
    func.func @put(%p: !llvm.ptr<6>) attributes {no_inline} {
      %values = arith.constant dense<11> : !words
      nvvm.tcgen05.st %p, %values {shape = #s} : !words
      nvvm.tcgen05.wait <store>
      return
    }
    func.func @put_late(%p: !llvm.ptr<6>) attributes {no_inline} {
      %values = arith.constant dense<13> : !words
      nvvm.tcgen05.st %p, %values {shape = #s} : !words
      return
    }
    gpu.func @k(%flag: i1, %n: index)
        workgroup(%slot0: !slot, %slot1: !slot, %slot2: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %c8 = arith.constant 8 : i64
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %two = arith.constant 2 : i32
      %n128 = arith.constant 128 : i32
      %n256 = arith.constant 256 : i32
      %tick = arith.constant 1000 : i32
      %c96 = arith.constant 96 : i32
      %c16 = arith.constant 16 : i32
      %values = arith.constant dense<7> : !words
      %filling = arith.constant dense<5> : vector<32xi32>
      %tid = gpu.thread_id x
      %thread = arith.index_cast %tid : index to i32
      %rows = arith.andi %thread, %c96 : i32
      %slab = arith.shli %rows, %c16 : i32
      %warp = arith.divui %tid, %c32 : index
      %true = arith.constant true
      %unset = arith.xori %flag, %true : i1
      %some = arith.cmpi ult, %c1, %n : index
      %few = arith.cmpi ule, %n, %c1 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %w0 = arith.cmpi ult, %tid, %c32 : index
      %w4 = arith.cmpi eq, %warp, %c4 : index
      %thread0 = arith.cmpi eq, %tid, %c0 : index
      %i = memref.extract_aligned_pointer_as_index %object : !object -> index
      %shared = arith.index_cast %i : index to i64
"""
MAIN = """      gpu.return
    }
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %threads = arith.constant 256 : index
LAUNCHES    return
  }
}
"""


def print_main():
    """Launches with all flags and numbers of turns that the checker tries."""
    lines = []
    for i, (turns, flag) in enumerate(
            (t, f) for t in (2, 0, 1, 5, 12) for f in ("true", "false")):
        lines += [
            f"    %f{i} = arith.constant {flag}",
            f"    %n{i} = arith.constant {turns} : index",
            "    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)"
            f" threads in (%threads, %c1, %c1) args(%f{i} : i1, %n{i} : index)",
        ]
    return MAIN.replace("LAUNCHES", "\n".join(lines) + "\n")


class WideKernel:
    def __init__(self, generator):
        self.random = generator
        self.lines = []
        self.names = 0
        self.care = generator.choice([0.6, 0.85, 0.95, 0.98, 1.0])
        self.allocations = generator.choice([1, 1, 2, 3])
        self.bases = {}  # By allocation: how its base, views and pointers are named.
        self.barriers = 0
        self.is_raw = False
        self.owner = generator.choice(["w0", "w0", "w4"])
        self.relinquishes = generator.random() < 0.4

    def emit(self, indent, *lines):
        self.lines += ["  " * indent + line for line in lines]

    def careful(self):
        return self.random.random() < self.care

    def name(self):
        self.names += 1
        return f"v{self.names}"

    def guarded(self, indent, who, lines):
        if who == "all" or not lines:
            return self.emit(indent, *lines)
        self.emit(indent, f"scf.if %{who} {{")
        self.emit(indent + 1, *lines)
        self.emit(indent, "}")

    def sync(self, indent):
        if self.careful() and self.random.random() < 0.2:
            return self.emit(indent, "func.call @meet() : () -> ()")
        lines = ["nvvm.tcgen05.fence <before>", "gpu.barrier", "nvvm.tcgen05.fence <after>"]
        if self.random.random() < 0.3:
            lines = ["tmem.fence before", "gpu.barrier", "tmem.fence after"]
        return self.emit(indent, *(line for line in lines if self.careful()))

    # ===- Allocations --------------------------------------------------------===#

    def read_base(self, indent, number):
        """The address out of the slot, and what is reached from it."""
        base = self.name()
        self.bases[number] = base
        self.emit(
            indent,
            f"%{base} = memref.load %slot{number}[%c0] : !slot",
            f"%{base}s = arith.addi %{base}, %slab : i32",
            f"%{base}w = tmem.view %{base} : !wide",
        )
        for column in WINDOWS:
            self.emit(
                indent,
                f"%{base}o{column} = arith.constant {column} : i32",
                f"%{base}a{column} = arith.addi %{base}s, %{base}o{column} : i32",
                f"%{base}p{column} = llvm.inttoptr %{base}a{column} : i32 to !llvm.ptr<6>",
                f"%{base}c{column} = arith.addi %{base}, %{base}o{column} : i32",
                f"%{base}v{column} = tmem.view %{base}c{column} : !tile",
            )

    def fill(self, indent):
        """Every cell is written by A, so that a load from anywhere finds something."""
        lines = []
        for base in self.bases.values():
            lines.append(f"nvvm.tcgen05.st %{base}p0, %filling {{shape = #s}} : vector<32xi32>")
        lines.append("nvvm.tcgen05.wait <store>")
        self.guarded(indent, "a", lines)
        self.emit(indent, "nvvm.tcgen05.fence <before>", "gpu.barrier",
                  "nvvm.tcgen05.fence <after>")

    def prologue(self):
        inits = []
        for k in range(BARRIERS):
            self.emit(
                3,
                f"%d{k} = arith.constant {8 * k} : i64",
                f"%e{k} = arith.addi %shared, %d{k} : i64",
                f"%m{k} = llvm.inttoptr %e{k} : i64 to !llvm.ptr<3>",
            )
            inits.append(f"nvvm.mbarrier.init %m{k}, %n128 : !llvm.ptr<3>, i32")
        self.guarded(3, "thread0", inits)
        allocs = [f"tmem.alloc %slot{k}, 32 : !slot" for k in range(self.allocations)]
        if self.relinquishes:
            allocs.append("tmem.relinquish_alloc_permit")
        self.guarded(3, self.owner, allocs)
        # With neither, everything behind it is wrong.
        if self.random.random() < 0.97:
            self.emit(3, "nvvm.tcgen05.fence <before>", "gpu.barrier",
                      "nvvm.tcgen05.fence <after>")
        for k in range(self.allocations):
            self.read_base(3, k)
        self.fill(3)

    def epilogue(self):
        for wait in ("load", "store"):
            if self.careful():
                self.emit(3, f"nvvm.tcgen05.wait <{wait}>")
        self.sync(3)
        who = self.random.choice(["w0", "w4"])
        frees = []
        for base in self.bases.values():
            if self.random.random() < 0.99:
                frees.append(f"tmem.dealloc %{base}, 32")
        self.random.shuffle(frees)
        self.guarded(3, who, frees)
        if self.random.random() < 0.03:
            self.guarded(3, "a", self.access())

    def again(self, indent):
        """A slot is freed and filled once more, mostly behind a barrier."""
        number = self.random.randrange(self.allocations)
        self.guarded(indent, "all", ["func.call @drain() : () -> ()"] if self.careful() else [])
        self.sync(indent)
        lines = [f"tmem.dealloc %{self.bases[number]}, 32", f"tmem.alloc %slot{number}, 32 : !slot"]
        self.guarded(indent, self.owner, lines)
        self.sync(indent)
        self.read_base(indent, number)
        self.fill(indent)

    # ===- Accesses -----------------------------------------------------------===#

    def access(self):
        return [line for part in self.parts() for line in part]

    def parts(self):
        """A transfer, and its wait if it has one."""
        base = self.random.choice(list(self.bases.values()))
        column = self.random.choice(WINDOWS)
        name = self.name()
        pick = self.random.random()
        wait = self.careful()
        if pick < 0.15:
            callee = "put" if self.careful() else "put_late"
            return [f"func.call @{callee}(%{base}p{column}) : (!llvm.ptr<6>) -> ()"], []
        if pick < 0.4 and wait and not self.is_raw:
            if self.random.random() < 0.5:
                return ([f"%{name} = tmem.store %values, %{base}v{column} scope(warpgroup)"
                         " : !words, !tile"], [f"tmem.wait_store %{name}"])
            return ([f"%{name} = tmem.load %{base}v{column} scope(warpgroup)"
                     " : !tile -> !tmem.pending<!words>"],
                    [f"%{name}x = tmem.wait_load %{name} : !tmem.pending<!words>"])
        if pick < 0.7:
            return ([f"nvvm.tcgen05.st %{base}p{column}, %values {{shape = #s}} : !words"],
                    ["nvvm.tcgen05.wait <store>"] if wait else [])
        return ([f"%{name} = nvvm.tcgen05.ld %{base}p{column} {{shape = #s}} : !words"],
                ["nvvm.tcgen05.wait <load>"] if wait else [])

    def late(self):
        """Two transfers whose waits come behind both."""
        first, second = self.parts(), self.parts()
        lines = first[0] + second[0] + second[1] + first[1]
        return lines

    def work(self):
        lines = []
        for _ in range(self.random.randint(0, 2)):
            lines += self.late() if self.random.random() < 0.25 else self.access()
        return lines

    # ===- Statements ---------------------------------------------------------===#

    def statement(self, indent, depth):
        who = self.random.choice(["a", "a", "b", "b", "all", "w0", "w4"])
        kind = self.random.random()
        if kind < 0.35:
            # A warpgroup of tmem operations is not one warp.
            self.is_raw = who in ("w0", "w4")
            lines = self.late() if self.random.random() < 0.3 else self.access()
            self.is_raw = False
            self.guarded(indent, who, lines)
            if self.careful():
                self.sync(indent)
        elif kind < 0.45:
            self.sync(indent)
        elif kind < 0.52 and depth == 0 and not self.relinquishes:
            self.again(indent)
        elif kind < 0.64:
            self.named(indent)
        elif kind < 0.76 and depth == 0 and self.barriers < BARRIERS - 1:
            self.handoff(indent)
        elif kind < 0.84 and depth == 0 and self.barriers < BARRIERS - 1:
            self.turns(indent)
        elif depth < 2:
            self.nest(indent, depth)

    def nest(self, indent, depth):
        head = f"scf.if %{self.random.choice(CONDITIONS)} {{"
        if self.random.random() < 0.6:
            trips = self.random.choice(["%c2", "%n"])
            head = f"scf.for %{self.name()} = %c0 to {trips} step %c1 {{"
        self.emit(indent, head)
        for _ in range(self.random.randint(1, 3)):
            self.statement(indent + 1, depth + 1)
        self.emit(indent, "}")

    def fences(self, kind):
        return [f"nvvm.tcgen05.fence <{kind}>"] if self.careful() else []

    def named(self, indent):
        """One group arrives, the other waits; or all wait."""
        number = self.random.choice(["one", "two"])
        text = f"id = %{number} number_of_threads = %n256"
        giver, taker = self.random.choice([("a", "b"), ("b", "a")])
        give = "nvvm.barrier.arrive" if self.random.random() < 0.6 else "nvvm.barrier"
        sides = {
            giver: self.work() + self.fences("before") + [f"{give} {text}"],
            taker: [f"nvvm.barrier {text}"] + self.fences("after") + self.work(),
        }
        for who in self.random.choice([("a", "b"), ("b", "a")]):
            self.guarded(indent, who, sides[who])
        # Who has arrived must not come again before the others: of that fault the
        # checker knows nothing.
        if self.careful():
            self.sync(indent)
        self.emit(indent, "gpu.barrier")

    def handoff(self, indent):
        """From one to the other and mostly back, by mbarriers that are used once."""
        giver, taker = self.random.choice([("a", "b"), ("b", "a")])
        there, back = self.barriers, self.barriers + 1
        self.barriers += 2
        returns = self.random.random() < 0.7
        sides = {
            giver: self.work() + self.arrive(there) + (
                self.wait(back, "zero") + self.work() if returns else []),
            taker: self.wait(there, "zero") + self.work() + (
                self.arrive(back) if returns else []),
        }
        for who in self.random.choice([("a", "b"), ("b", "a")]):
            self.guarded(indent, who, sides[who])
        if self.careful():
            self.sync(indent)

    def arrive(self, number):
        return self.fences("before") + [
            f"%{self.name()} = nvvm.mbarrier.arrive %m{number} : !llvm.ptr<3> -> i64"
        ]

    def wait(self, number, parity):
        return [
            f"nvvm.mbarrier.try_wait.parity %m{number}, %{parity}, %tick"
            " : !llvm.ptr<3>, i32, i32"
        ] + self.fences("after")

    def turns(self, indent):
        """In each turn there and back; the roles have a loop each, or share one."""
        giver, taker = self.random.choice([("a", "b"), ("b", "a")])
        there, back = self.barriers, self.barriers + 1
        self.barriers += 2
        trips = self.random.choice(["%c2", "%n"])
        parity = ["%turn = arith.index_cast %t : index to i32",
                  "%parity = arith.andi %turn, %one : i32"]
        sides = {
            giver: self.work() + self.arrive(there) + self.wait(back, "parity"),
            taker: self.wait(there, "parity") + self.work() + self.arrive(back),
        }
        order = self.random.choice([("a", "b"), ("b", "a")])
        loop = f"scf.for %t = %c0 to {trips} step %c1 {{"
        if self.random.random() < 0.4:
            self.emit(indent, loop)
            self.emit(indent + 1, *parity)
            for who in order:
                self.guarded(indent + 1, who, sides[who])
            self.emit(indent, "}")
        else:
            for who in order:
                self.emit(indent, f"scf.if %{who} {{")
                self.emit(indent + 1, loop)
                self.emit(indent + 2, *parity, *sides[who])
                self.emit(indent + 1, "}")
                self.emit(indent, "}")
        if self.careful():
            self.sync(indent)

    def build(self):
        self.prologue()
        for _ in range(self.random.randint(1, 6)):
            self.statement(3, 0)
        self.epilogue()
        return MODULE + "\n".join(self.lines) + "\n" + print_main()
