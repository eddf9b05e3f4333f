#!/usr/bin/env python3
# ===- many-chains.py - Functions with very many transfers ----------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""many-chains.py KIND COUNT: prints a function with so many transfers or stores."""

import sys

VECTOR = "vector<64xf32>"
LOAD = " %p{0} = tmem.load %m{1} scope(warpgroup) : !d -> !p\n"
LOAD += " %v{0} = tmem.wait_load %p{0} : !p"
STORE = " %t{0} = tmem.store %{1}{0}, %m{2} scope(warpgroup) : " + VECTOR + ", !d"
KEEP = " vector.store %v{0}, {1}[%i, %i] : memref<128x64xf32>, " + VECTOR
SUM = " %s{0} = arith.addf %{1}, %v{0} : " + VECTOR


def views(count):
    yield " %m = tmem.view %b : !d"
    for i in range(count):
        yield f" %c{i} = arith.constant {64 * i} : i32"
        yield f" %b{i} = arith.addi %b, %c{i} : i32"
        yield f" %m{i} = tmem.view %b{i} : !d"


def sums(count):
    """One chain of `count` loads."""
    for i in range(count):
        yield SUM.format(i, f"s{i - 1}" if i else "v0")


def foreign(count):
    """A chain of many loads, and as many transfers between that are of none."""
    yield from views(2)
    for i in range(count):
        yield LOAD.format(i, 0)
    for i in range(count):
        yield STORE.format(f"{i}", "v", 1).replace(f"%v{i}", "%x")
    yield from sums(count)
    yield f" %t = tmem.store %s{count - 1}, %m0 scope(warpgroup) : {VECTOR}, !d"
    yield " tmem.wait_store %t, " + ", ".join(f"%t{i}" for i in range(count))


def meet(count):
    """A chain of many loads and as many stores, each to a place of its own."""
    yield from views(count)
    for i in range(count):
        yield LOAD.format(i, i)
    yield from sums(count)
    for i in range(count):
        yield STORE.format(i, "s", i)
    yield " tmem.wait_store " + ", ".join(f"%t{i}" for i in range(count))


def sinks(count):
    """A tile that is stored to many memories."""
    yield from views(1)
    for i in range(count):
        yield f" %a{i} = memref.alloca() : memref<128x64xf32>"
    yield LOAD.format(0, 0)
    for i in range(count):
        yield KEEP.format(0, f"%a{i}")


def inter(count):
    """Chains that are all live at once."""
    yield from views(1)
    for i in range(count):
        yield f" %a{i} = memref.alloca() : memref<128x64xf32>"
    for i in range(count):
        yield LOAD.format(i, 0)
    for i in range(count):
        yield KEEP.format(i, f"%a{i}")


def stuck(count):
    """Chains that get a remark each."""
    yield from views(1)
    for i in range(count):
        yield LOAD.format(i, 0)
        yield f" %r{i} = vector.reduction <add>, %v{i} : {VECTOR} into f32"


print("!d = !tmem.view<128x64xf32, #tmem.datapath<D>>")
print(f"!p = !tmem.pending<{VECTOR}>")
print(f"func.func @f(%b: i32, %i: index, %x: {VECTOR}) {{")
print("\n".join(globals()[sys.argv[1]](int(sys.argv[2]))))
print(" return\n}")
