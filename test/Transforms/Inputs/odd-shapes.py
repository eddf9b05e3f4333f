#!/usr/bin/env python3
# ===- odd-shapes.py - Kernels that are large or oddly built ---------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""usage: odd-shapes.py OUTPUT [--seconds=N]

Runs every pass over kernels with control flow of every kind, many times over: loops
of two entries, blocks that are not reached, recursion, deep nests, long chains of
calls, wide switches. A pass may refuse a kernel, or leave it undecided; it may not
crash, nor take more seconds of a processor than are named."""

import argparse
import concurrent.futures
import os
import pathlib
import resource
import subprocess
import sys

VIEW = "!tmem.view<128x8xi32, #tmem.datapath<D>>"
WRITE = f"tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, {VIEW}"
TILE = f"%mem = tmem.view %base : {VIEW}"
BUFFER = f"%mem = tmem.buffer : {VIEW}"
VALUES = "%values = arith.constant dense<7> : vector<8xi32>"


def straight(n):
    return "\n".join([WRITE] * n)


def blocks(n):
    """Each goes on to the next or the one behind."""
    text = [
        f"^b{i}:\n{WRITE}\ncf.cond_br %c, ^b{i + 1}, ^b{min(i + 2, n)}"
        for i in range(n)
    ]
    return "\n".join(["cf.br ^b0", *text, f"^b{n}:"])


def irreducible(n):
    text = [
        f"^b{i}:\n{WRITE}\ncf.cond_br %c, ^b{(7 * i + 3) % n}, ^b{i + 1}"
        for i in range(n)
    ]
    return "\n".join(["cf.cond_br %c, ^b0, ^b1", *text, f"^b{n}:"])


def unreachable(n):
    text = [f"^b{i}:\n{WRITE}\ncf.br ^b{(i + 1) % n}" for i in range(n)]
    return "\n".join(["cf.br ^end", *text, "^end:"])


def nested(n):
    return "\n".join(["scf.if %c {"] * n + [WRITE] + ["}"] * n)


def switch(n):
    cases = ", ".join(["default: ^end"] + [f"{i}: ^b{i}" for i in range(n)])
    text = [f"^b{i}:\n{WRITE}\ncf.br ^end" for i in range(n)]
    return "\n".join([f"cf.switch %k : i32, [{cases}]", *text, "^end:"])


def index_switch(n):
    text = [f"case {i} {{\n{WRITE}\nscf.yield\n}}" for i in range(n)]
    return "\n".join(["scf.index_switch %n", *text, "default {\n}"])


def loops(n):
    text = f"scf.for %i = %c0 to %n step %c1 {{\n{WRITE}\n}}"
    return "\n".join([text] * n)


def loops_of_blocks(n):
    text = [
        f"^b{i}:\n{WRITE}\ncf.cond_br %c, ^b{i}, ^b{i + 1}" for i in range(n)
    ]
    return "\n".join(["cf.br ^b0", *text, f"^b{n}:"])


def buffers(n):
    text = [
        f"%b{i} = tmem.buffer : {VIEW}\n{WRITE.replace('%mem', f'%b{i}')}"
        for i in range(n)
    ]
    return "\n".join(text)


def allocations(n):
    """One after the other, each freed before the next."""
    text = []
    for i in range(n):
        text.append(f"""
          scf.if %first {{
            tmem.alloc %s{i}, 32 : memref<1xi32, 3>
          }}
          gpu.barrier
          %a{i} = memref.load %s{i}[%c0] : memref<1xi32, 3>
          gpu.barrier
          scf.if %first {{
            tmem.dealloc %a{i}, 32
          }}""")
    return "\n".join(text)


def call(n):
    return "\n".join(["func.call @f0(%base) : (i32) -> ()"] * n)


def functions(n, next_of, times=1):
    """Functions f0 to f(n-1); each calls the one that `next_of` says."""
    text = []
    for i in range(n):
        callee = next_of(i)
        calls = f"func.call @f{callee}(%base) : (i32) -> ()\n" * times
        text.append(f"""
          func.func @f{i}(%base: i32) {{
            {VALUES}
            {TILE}
            {WRITE}
            {"" if callee is None else calls}
            return
          }}""")
    return "\n".join(text)


def kernel(body, functions="", by="block", memory=TILE, numSlots=0):
    slots = ", ".join(f"%s{i}: memref<1xi32, 3>" for i in range(numSlots))
    condition = "%c" if by == "block" else "%flag"
    swap = "%flag" if by == "block" else "%c"
    return f"""
      gpu.module @kernels {{
        {functions}
        gpu.func @kernel(%base: i32, %n: index, {condition}: i1, %k: i32)
            {f"workgroup({slots})" if slots else ""} kernel
            attributes {{known_block_size = array<i32: 128, 1, 1>}} {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c32 = arith.constant 32 : index
          %tid = gpu.thread_id x
          %first = arith.cmpi ult, %tid, %c32 : index
          {swap} = arith.cmpi ult, %tid, %c32 : index
          {VALUES}
          {memory}
          {body}
          gpu.return
        }}
      }}"""


def make_kernels():
    shapes = [
        (straight, 10000),
        (blocks, 1000),
        (irreducible, 1000),
        (unreachable, 1000),
        (nested, 1000),
        (switch, 1000),
        (index_switch, 1000),
        (loops, 1000),
        (loops_of_blocks, 1000),
    ]
    for shape, n in shapes:
        name, body = shape.__name__, shape(n)
        yield name, kernel(body), PASSES
        yield f"{name}-by-warp", kernel(body, by="warp"), [PASSES[0], PASSES[2]]
        yield f"{name}-of-a-buffer", kernel(body, memory=BUFFER), PASSES[3:5]
    yield "buffers", kernel(buffers(500)), PASSES
    yield "allocations", kernel(allocations(500), numSlots=500), PASSES
    last = 500
    chain = functions(last, lambda i: i + 1 if i + 1 < last else None)
    twice = functions(20, lambda i: i + 1 if i < 19 else None, times=2)
    yield "calls", kernel(call(5000), functions(1, lambda i: None)), PASSES
    yield "chain-of-calls", kernel(call(1), chain), PASSES
    yield "calls-of-calls", kernel(call(1), twice), PASSES
    yield "recursion", kernel(call(1), functions(1, lambda i: 0)), PASSES
    mutual = functions(3, lambda i: (i + 1) % 3)
    yield "mutual-recursion", kernel(call(1), mutual), PASSES


PASSES = [
    "tmem-check-hazards",
    "gpu.module(gpu.func(tmem-check-hazards))",
    "gpu.module(tmem-insert-waits)",
    "gpu.module(tmem-plan-columns)",
    "gpu.module(tmem-tile-transfers{columns=4})",
    "gpu.module(tmem-fold-load-reduce)",
    "gpu.module(tmem-select-atoms,convert-tmem-to-nvvm)",
]


def run(path, passes, seconds):
    """What is wrong, or nothing."""
    command = ["tmem-opt", path, f"--pass-pipeline=builtin.module({passes})"]
    result = subprocess.run(
        command + ["-o", "/dev/null"],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        check=False,
        preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_CPU, (seconds, seconds + 1)
        ),
    )
    said = result.stderr.decode(errors="replace")
    name = f"{path.stem}: {passes}"
    if result.returncode not in (0, 1) or "LLVM ERROR" in said:
        return f"{name}: ends with {result.returncode}"
    if result.returncode == 1 and ": error: " not in said:
        return f"{name}: fails without saying why"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--seconds", type=int, default=20)
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    runs = []
    for name, text, passes in make_kernels():
        path = arguments.output / f"{name}.mlir"
        path.write_text(text, encoding="utf-8")
        runs += [(path, each, arguments.seconds) for each in passes]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = [fault for fault in pool.map(run, *zip(*runs)) if fault]
    print(f"{len(runs)} runs, {len(faults)} crash or take too long")
    print("\n".join(faults))
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
