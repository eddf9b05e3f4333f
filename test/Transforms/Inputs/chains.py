#!/usr/bin/env python3
# ===- chains.py - Random kernels with chains of transfers ----------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Prints a program of random kernels in which tiles are loaded, calculated with and
stored, and host code that prints a hash of all that each leaves in Tensor Memory and
in memory. What has been cut into chunks has to print what it printed whole.

Tiles are the same, overlap, have columns in another order or in every second place,
or lie at offsets that are known when the kernel runs. What is stored may be loaded
again. Waits stand at once or as late as may be; so no access is early. Operands from
outside are constants and reads of memory, with writes to it between, or not."""

import argparse
import random

WIDTH, COLUMNS, FLAGS, SINKS = 16, 64, 3, 6
VECTOR = f"vector<{WIDTH}xi32>"
PENDING = f"!tmem.pending<{VECTOR}>"
IN, OUT = "memref<128x64xi32>", f"memref<128x{COLUMNS + WIDTH * SINKS}xi32>"
PLAIN = "(128, 16) : (1@tlane, 1@tcol)"


class Tile:
    def __init__(self, name, type, registers, columns):
        self.name, self.type, self.columns = name, type, set(columns)
        self.how = f"registers(#tmem.layout<{registers}>) scope(warpgroup)"


class Kernel:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.flags = [self.random.randrange(4) for _ in range(FLAGS)]
        self.lines, self.names = [], 0
        self.vectors = []
        self.pending, self.tokens = [], []  # (name, columns) of what is in flight.
        self.begin()
        tiles = [self.tile() for _ in range(self.random.randint(1, 4))]
        for _ in range(self.random.randint(4, 14)):
            kinds = [self.load] * 4 + [self.mix] * 4 + [self.store] * 4
            kinds += [self.keep, self.outside]
            if self.random.random() < 0.1:
                kinds = [self.barrier, self.scalar]
            self.random.choice(kinds)(tiles)
        self.end()

    def emit(self, line):
        self.lines.append("      " + line)

    def name(self):
        self.names += 1
        return f"%v{self.names}"

    # ===- Tiles --------------------------------------------------------------===#

    def tile(self):
        """Any place, often one whose columns are those of another tile."""
        kinds = [self.plain] * 4 + [self.permuted] * 2 + [self.path_b, self.spread]
        return self.random.choice(kinds + [self.moved, self.stage, self.anywhere])()

    def column(self):
        return self.random.choice([0, 0, 16, 16, 32, 2, 4, 8, 12, 20])

    def view(self, shape, layout, column, base="%base"):
        name = self.name()
        type = f"!tmem.view<{shape}xi32, #tmem.layout<{layout}"
        type += f" + ({column}@tcol)>>" if column else ">>"
        self.emit(f"{name} = tmem.view {base} : {type}")
        return name, type

    def plain(self):
        c = self.column()
        name, type = self.view("128x16", PLAIN, c)
        return Tile(name, type, "(128, 16) : (1@tid, 1@reg)", range(c, c + 16))

    def permuted(self):
        """Registers in the order of columns, which is not that of elements."""
        c = self.column()
        outer = self.random.choice([2, 4, 8])
        extents, strides = f"(128, {outer}, {16 // outer})", f"1@%s, {outer}@%s"
        name, type = self.view(
            "128x16", f"{extents} : (1@tlane, {strides % ('tcol', 'tcol')})", c
        )
        registers = f"{extents} : (1@tid, {strides % ('reg', 'reg')})"
        return Tile(name, type, registers, range(c, c + 16))

    def path_b(self):
        c = self.column()
        layout = "(64, 2, 16) : (1@tlane, 64@tlane, 1@tcol)"
        name, type = self.view("64x32", layout, c)
        registers = "(64, 2, 16) : (1@tid, 64@tid, 1@reg)"
        return Tile(name, type, registers, range(c, c + 16))

    def spread(self):
        c = self.random.choice([0, 1, 2, 16, 17])
        name, type = self.view("128x16", "(128, 16) : (1@tlane, 2@tcol)", c)
        return Tile(name, type, "(128, 16) : (1@tid, 1@reg)", range(c, c + 32, 2))

    def moved(self):
        """A base that is a constant behind the other one."""
        first, c = self.random.choice([0, 4, 16]), self.random.choice([0, 4, 16])
        address = self.name()
        self.emit(f"{address}c = arith.constant {first} : i32")
        self.emit(f"{address} = arith.addi %base, {address}c : i32")
        name, type = self.view("128x16", PLAIN, c, address)
        c += first
        return Tile(name, type, "(128, 16) : (1@tid, 1@reg)", range(c, c + 16))

    def stage(self):
        flag, name = self.random.randrange(FLAGS), self.name()
        layout = "128, 16) : (16@tcol, 1@tlane, 1@tcol)>>"
        type = f"!tmem.view<1x128x16xi32, #tmem.layout<(1, {layout}"
        self.emit(f"{name} = tmem.subview %stages[%f{flag}, 0, 0] [1, 128, 16]")
        self.emit(f"    : !tmem.view<4x128x16xi32, #tmem.layout<(4, {layout} to {type}")
        c = 16 * self.flags[flag]
        return Tile(name, type, "(128, 16) : (1@tid, 1@reg)", range(c, c + 16))

    def anywhere(self):
        flag, address = self.random.randrange(FLAGS), self.name()
        self.emit(f"{address}c = arith.index_cast %f{flag} : index to i32")
        self.emit(f"{address} = arith.addi %base, {address}c : i32")
        name, type = self.view("128x16", PLAIN, 0, address)
        c = self.flags[flag]
        return Tile(name, type, "(128, 16) : (1@tid, 1@reg)", range(c, c + 16))

    # ===- Waits --------------------------------------------------------------===#

    def wait_load(self, which=None):
        waited = [p for p in self.pending if which is None or p in which]
        self.pending = [p for p in self.pending if p not in waited]
        if not waited:
            return
        names = [name for name, _ in waited]
        self.emit(
            f"{', '.join(n + 'w' for n in names)} = tmem.wait_load {', '.join(names)}"
            f" : {', '.join([PENDING] * len(names))}"
        )
        self.vectors += [n + "w" for n in names]

    def wait_store(self, which=None):
        waited = [t for t in self.tokens if which is None or t in which]
        self.tokens = [t for t in self.tokens if t not in waited]
        if waited:
            self.emit(f"tmem.wait_store {', '.join(name for name, _ in waited)}")

    # ===- Statements ---------------------------------------------------------===#

    def load(self, tiles):
        tile, name = self.random.choice(tiles), self.name()
        self.wait_store([t for t in self.tokens if t[1] & tile.columns])
        self.emit(f"{name} = tmem.load {tile.name} {tile.how} : {tile.type} -> {PENDING}")
        self.pending.append((name, tile.columns))
        if self.random.random() < 0.6:
            self.wait_load()

    def vector(self):
        """Mostly a late one, so that chains are long."""
        if not self.vectors and self.pending:
            self.wait_load()
        if not self.vectors:
            self.outside(None)
        near = self.vectors[-3:]
        return self.random.choice(near if self.random.random() < 0.7 else self.vectors)

    def mix(self, tiles):
        a, b, name = self.vector(), self.vector(), self.name()
        kind = self.random.choice(["addi", "xori", "muli", "subi"])
        self.emit(f"{name} = arith.{kind} {a}, {b} : {VECTOR}")
        self.vectors.append(name)

    def store(self, tiles):
        source, tile, name = self.vector(), self.random.choice(tiles), self.name()
        self.wait_store([t for t in self.tokens if t[1] & tile.columns])
        self.wait_load([p for p in self.pending if p[1] & tile.columns])
        self.emit(f"{name} = tmem.store {source}, {tile.name} {tile.how} : {VECTOR}, {tile.type}")
        self.tokens.append((name, tile.columns))
        if self.random.random() < 0.6:
            self.wait_store()

    def keep(self, tiles):
        """Stores to memory, mostly to a place of its own."""
        c = COLUMNS + WIDTH * self.random.randrange(SINKS)
        source, at = self.vector(), self.name()
        self.emit(f"{at} = arith.constant {c} : index")
        self.emit(f"vector.store {source}, %out[%tid, {at}] : {OUT}, {VECTOR}")

    def outside(self, tiles):
        name, pick = self.name(), self.random.random()
        if pick < 0.3:
            memory, columns = self.random.choice([("%in", 64), ("%out", 128)])
            c = self.random.randrange(columns - WIDTH + 1)
            type = IN if memory == "%in" else OUT
            self.emit(f"{name}at = arith.constant {c} : index")
            if pick < 0.15:
                self.emit(f"{name} = vector.load {memory}[%tid, {name}at] : {type}, {VECTOR}")
            else:
                self.emit(f"{name}z = arith.constant 0 : i32")
                self.emit(f"{name} = vector.transfer_read {memory}[%tid, {name}at], {name}z")
                self.emit(f"    {{in_bounds = [true]}} : {type}, {VECTOR}")
        elif pick < 0.6:
            values = [self.random.getrandbits(31) for _ in range(WIDTH)]
            self.emit(f"{name} = arith.constant dense<{values}> : {VECTOR}")
        elif pick < 0.8:
            self.emit(f"{name}s = vector.step : vector<{WIDTH}xindex>")
            self.emit(f"{name} = arith.index_cast {name}s : vector<{WIDTH}xindex> to {VECTOR}")
        else:
            self.emit(f"{name}i = arith.index_cast %tid : index to i32")
            self.emit(f"{name} = vector.broadcast {name}i : i32 to {VECTOR}")
        self.vectors.append(name)

    def barrier(self, tiles):
        self.emit("gpu.barrier")

    def scalar(self, tiles):
        """Changes memory that may be read before and behind."""
        name = self.name()
        self.emit(f"{name} = arith.constant {self.random.randrange(160)} : index")
        self.emit(f"memref.store %id, %out[%tid, {name}] : {OUT}")

    # ===- The kernel ---------------------------------------------------------===#

    def begin(self):
        self.emit("""%c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %id = arith.index_cast %tid : index to i32
      %warp0 = arith.cmpi ult, %tid, %c32 : index
      scf.if %warp0 {
        tmem.alloc %slot, 64 : memref<1xi32, #gpu.address_space<workgroup>>
        tmem.relinquish_alloc_permit
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
      %stages = tmem.view %base : !tmem.view<4x128x16xi32, #tmem.layout<(4, 128, 16) : (16@tcol, 1@tlane, 1@tcol)>>""")
        for c in range(0, COLUMNS, WIDTH):
            self.emit(f"""%c{c}_at = arith.constant {c} : index
      %fill{c} = vector.load %in[%tid, %c{c}_at] : {IN}, {VECTOR}
      %all{c} = tmem.view %base : !tmem.view<128x16xi32, #tmem.layout<{PLAIN} + ({c}@tcol)>>
      tmem.write %fill{c}, %all{c} registers(#tmem.layout<(128, 16) : (1@tid, 1@reg)>) scope(warpgroup) {{keep}} : {VECTOR}, !tmem.view<128x16xi32, #tmem.layout<{PLAIN} + ({c}@tcol)>>""".replace(" + (0@tcol)", ""))
        self.emit("gpu.barrier")

    def end(self):
        self.wait_load()
        self.wait_store()
        self.emit("gpu.barrier")
        for c in range(0, COLUMNS, WIDTH):
            self.emit(f"""%read{c} = tmem.read %all{c} registers(#tmem.layout<(128, 16) : (1@tid, 1@reg)>) scope(warpgroup) {{keep}} : !tmem.view<128x16xi32, #tmem.layout<{PLAIN} + ({c}@tcol)>> -> {VECTOR}
      vector.store %read{c}, %out[%tid, %c{c}_at] : {OUT}, {VECTOR}""".replace(" + (0@tcol)", ""))
        self.emit("""gpu.barrier
      scf.if %warp0 {
        tmem.dealloc %base, 64
      }
      gpu.return""")

    def print(self, number):
        flags = "".join(f", %f{i}: index" for i in range(FLAGS))
        print(f"    gpu.func @k{number}(%in: {IN}, %out: {OUT}{flags})")
        print("        workgroup(%slot: memref<1xi32, #gpu.address_space<workgroup>>)")
        print("        kernel attributes {known_block_size = array<i32: 128, 1, 1>} {")
        print("\n".join(self.lines))
        print("    }")


HOST = f"""\
  func.func @hash(%out: {OUT}) -> i32 {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %rows = arith.constant 128 : index
    %columns = arith.constant {COLUMNS + WIDTH * SINKS} : index
    %zero = arith.constant 0 : i32
    %prime = arith.constant 16777619 : i32
    %shift = arith.constant 15 : i32
    %hash = scf.for %i = %c0 to %rows step %c1 iter_args(%a = %zero) -> (i32) {{
      %row = scf.for %j = %c0 to %columns step %c1 iter_args(%b = %a) -> (i32) {{
        %word = memref.load %out[%i, %j] : {OUT}
        memref.store %zero, %out[%i, %j] : {OUT}
        %low = arith.shrui %b, %shift : i32
        %both = arith.xori %b, %low : i32
        %mixed = arith.xori %both, %word : i32
        %next = arith.muli %mixed, %prime : i32
        %result = arith.addi %next, %prime : i32
        scf.yield %result : i32
      }}
      scf.yield %row : i32
    }}
    return %hash : i32
  }}
  func.func @main() -> i32 {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %in = memref.alloc() : {IN}
    %out = memref.alloc() : {OUT}
    %prime = arith.constant 747796405 : i32
    scf.for %i = %c0 to %c128 step %c1 {{
      scf.for %j = %c0 to %c64 step %c1 {{
        %row = arith.muli %i, %c64 : index
        %number = arith.addi %row, %j : index
        %word = arith.index_cast %number : index to i32
        %mixed = arith.muli %word, %prime : i32
        %more = arith.addi %mixed, %prime : i32
        memref.store %more, %in[%i, %j] : {IN}
      }}
    }}
    %first = func.call @hash(%out) : ({OUT}) -> i32"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kernels", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    kernels = [Kernel(options.seed * 1000003 + i) for i in range(options.kernels)]
    print("module attributes {gpu.container_module} {\n  gpu.module @kernels {")
    for number, kernel in enumerate(kernels):
        kernel.print(number)
    print("  }")
    print(HOST)
    for number, kernel in enumerate(kernels):
        arguments = f"%in : {IN}, %out : {OUT}"
        arguments += "".join(f", %c{flag} : index" for flag in kernel.flags)
        print(f"""\
    gpu.launch_func @kernels::@k{number} blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args({arguments})
    %hash{number} = func.call @hash(%out) : ({OUT}) -> i32
    vector.print str "kernel {number}: "
    vector.print %hash{number} : i32""")
    print("    %zero = arith.constant 0 : i32\n    return %zero : i32\n  }\n}")


if __name__ == "__main__":
    main()
