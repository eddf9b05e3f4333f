# ===- wrong-calls.py - What type checkers refuse --------------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Checked, not run: one error in each line of calls, and in no other."""

import tmem
from tmem import ir
from tmem.dialects import tmem as td


def ask() -> None:
    # CHECK: wrong-calls.py:[[#@LINE+1]]: error: Missing positional argument "memory"
    tmem.plan("x")
    # CHECK: wrong-calls.py:[[#@LINE-1]]: error: Argument 1 to "plan" has incompatible type "str"
    # CHECK: wrong-calls.py:[[#@LINE+1]]: error: Argument 2 to "plan" has incompatible type "int"
    tmem.plan((128, 64), 7)
    # CHECK: wrong-calls.py:[[#@LINE+1]]: error: Unexpected keyword argument "atoms"
    tmem.explain((128, 64), "#tmem.datapath<D>", atoms="32x32b")
    # CHECK: wrong-calls.py:[[#@LINE+1]]: error: Item "None" of "Plan | None" has no attribute "atom"
    tmem.explain((128, 64), "#tmem.datapath<D>").plan.atom
    # CHECK: wrong-calls.py:[[#@LINE+1]]: error: Argument 1 to "Layout" has incompatible type "int"
    tmem.Layout(5)
    # CHECK: wrong-calls.py:[[#@LINE+1]]: error: Argument 1 to "run" has incompatible type "int"
    tmem.run(3)


def build(value: ir.Value[ir.IntegerType]) -> None:
    # CHECK: wrong-calls.py:[[#@LINE+1]]: error: Unexpected keyword argument "scop"
    td.load(value, scop="cta")
    # CHECK: wrong-calls.py:[[#@LINE+1]]: error: Argument 1 to "write" has incompatible type "str"
    td.write("row", value)
    # CHECK: wrong-calls.py:[[#@LINE+1]]: error: Argument 1 to "get" of "DatapathAttr" has incompatible type "int"
    td.DatapathAttr.get(4)
    # CHECK: wrong-calls.py:[[#@LINE+1]]: error: Item "None" of "SourceLocation | None" has no attribute "line"
    tmem.EmulationFault("").location.line
