# ===- buffers_calls.py - Functions that access buffers --------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""The functions that the kernels of buffers.py call."""

# Functions that access a tile, by name.
FUNCTIONS = {}


def get_function(verb, buffer):
    """A function that stores a tile, or loads one and returns its weighed sum."""
    half = "high" if buffer.half else "low"
    name = f"{verb}_{buffer.kind}_{half}_{buffer.columns}"
    n, view = buffer.vector(), buffer.view()
    vector, how = f"vector<{n}xi32>", f"registers({buffer.registers()}) scope(warpgroup)"
    begin = 0 if verb == "put" else 1
    numbers = ", ".join(str(begin + i) for i in range(n))
    numbers = f"      %numbers = arith.constant dense<[{numbers}]> : {vector}"
    if verb == "put":
        FUNCTIONS[name] = f"""    func.func @{name}(%view: {view}, %x: i32) attributes {{no_inline}} {{
{numbers}
      %wide = vector.broadcast %x : i32 to {vector}
      %words = arith.addi %wide, %numbers : {vector}
      %t = tmem.store %words, %view {how} : {vector}, {view}
      tmem.wait_store %t
      return
    }}"""
    else:
        FUNCTIONS[name] = f"""    func.func @{name}(%view: {view}) -> i32 attributes {{no_inline}} {{
{numbers}
      %p = tmem.load %view {how} : {view} -> !tmem.pending<{vector}>
      %words = tmem.wait_load %p : !tmem.pending<{vector}>
      %weighed = arith.muli %words, %numbers : {vector}
      %total = vector.reduction <add>, %weighed : {vector} into i32
      return %total : i32
    }}"""
    return name
