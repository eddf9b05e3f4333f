# ===- test_speed.py - What Python adds to the time of C++ -----------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Limits in the time of this process's processor: other work on the machine does
not count."""

import subprocess
import sys
import time
from typing import Any

import tmem
from tmem._mlir_libs import _tmem

IMPORT = "import time; import tmem; print(time.process_time())"


def best(call, times):
    """The least time of a call, in microseconds."""
    least = float("inf")
    for _ in range(times):
        start = time.process_time_ns()
        call()
        least = min(least, time.process_time_ns() - start)
    return least / 1000


def test_import():
    """With the start of Python itself."""
    command = [sys.executable, "-c", IMPORT]
    seconds = min(float(subprocess.check_output(command)) for _ in range(3))
    assert seconds < 0.5


def test_plan():
    memory = tmem.Layout.datapath("D", (128, 64))
    registers = tmem.Layout("(128, 64) : (1@tid, 1@reg)")
    parts: dict[str, Any] = {
        "tile": "128x64xf32",
        "memory": str(memory),
        "second_memory": "",
        "registers": str(registers),
        "scope": "warpgroup",
        "direction": "load",
        "atoms": "",
        "warps": None,
        "max_registers_per_issue": 128,
        "vector_size": None,
        "registers_alone": False,
    }

    def select():
        _tmem.Query(**parts).plan()

    planned = _tmem.Query(**parts)
    planned.plan()
    # To read the request and to hand out a plan that is there is Python's part.
    selection = best(select, 500) - best(lambda: _tmem.Query(**parts), 500) - best(planned.plan, 500)
    whole = best(lambda: tmem.plan((128, 64), memory, registers), 500)
    assert whole - selection < 50
