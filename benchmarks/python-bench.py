#!/usr/bin/env python3
# ===- python-bench.py - What the Python package costs ---------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Times the import of tmem, and tmem.plan against the call of C++ inside it."""

import subprocess
import sys
import time
import timeit


def time_import():
    command = [sys.executable, "-c", "import tmem"]
    times = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run(command, check=True)
        times.append(time.perf_counter() - start)
    empty = [sys.executable, "-c", ""]
    start = time.perf_counter()
    subprocess.run(empty, check=True)
    return min(times) - (time.perf_counter() - start)


def main():
    import tmem
    from tmem import _transfers

    options = dict(element_type="f32", scope="warpgroup", direction="load", atom=None)
    options |= dict(vector_size=None, warps=None, max_registers_per_issue=128)
    memory = tmem.Layout.datapath("B", (64, 128))
    count = 2000
    whole = min(timeit.repeat(lambda: tmem.plan((64, 128), memory), number=count))
    native = min(
        timeit.repeat(
            lambda: _transfers._ask((64, 128), memory, None, format="json", **options),
            number=count,
        )
    )
    print(f"import tmem:            {time_import() * 1e3:.0f} ms")
    print(f"tmem.plan:              {whole / count * 1e6:.0f} us a call")
    print(f"  beyond the C++ in it: {(whole - native) / count * 1e6:.0f} us")


if __name__ == "__main__":
    main()
