#!/usr/bin/env python3
# ===- spellings.py - Kernels of tmem as others spell them -----------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Lowers the kernels of a test to NVVM and checks them again: in blocks, with calls of
the intrinsics or with the operations of NVVM. Locations stay, so that the CHECK lines
of the test hold for each spelling, and its right kernels have to stay silent."""

import argparse
import re
import subprocess
import sys

LOWERING = (
    "tmem-select-atoms,convert-tmem-to-nvvm,convert-scf-to-cf,"
    "convert-gpu-to-nvvm,reconcile-unrealized-casts"
)


def spell_transfer(result, name, operands, types):
    """ld and st: the last argument, a constant, is whether to pack."""
    kind, shape, _ = name.split(".")
    address, *values = [text.strip() for text in operands.split(",")]
    values.pop()
    vector = re.search(r"(vector<\d+xi32>|i32)(?=[^<>]*$)", types.split("->")[1])
    if kind == "st":
        vector = re.search(r"vector<\d+xi32>|(?<=, )i32", types)
    offset = values.pop(0) if shape == "16x32bx2" else None
    values = ", ".join([address, *values, *([offset] if offset else [])])
    attribute = f"{{shape = #nvvm.tcgen05_ldst_shape<shape_{shape}>}}"
    return f"{result}nvvm.tcgen05.{kind} {values} {attribute} : {vector[0]}"


def spell(match):
    """A call of an intrinsic, as the operation of NVVM that stands for it."""
    result, name, operands, types = match.groups(default="")
    group = " {group = #nvvm.cta_group<cta_2>}" if ".cg2" in name else ""
    types_in = types.split("->")[0].strip().strip("()")
    if name.startswith(("ld.", "st.")):
        return spell_transfer(result, name, operands, types)
    if name.startswith(("alloc", "dealloc")):
        what = name.split(".")[0]
        return f"nvvm.tcgen05.{what} {operands}{group} : {types_in}"
    if name.startswith("relinq"):
        return f"nvvm.tcgen05.relinquish_alloc_permit{group}"
    if name.startswith("wait"):
        return f"nvvm.tcgen05.wait <{'load' if name.endswith('ld') else 'store'}>"
    if name.startswith("fence"):
        return f"nvvm.tcgen05.fence <{'before' if 'before' in name else 'after'}>"
    return match[0]


def lower(path, spelling):
    command = [
        "tmem-opt",
        path,
        f"--pass-pipeline=builtin.module(gpu.module({LOWERING}))",
        "--mlir-print-debuginfo",
        "--mlir-print-local-scope",
    ]
    text = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    if spelling == "intrinsics":
        return text
    call = (
        r"(%\w+ = )?llvm\.call_intrinsic \"llvm\.nvvm\.tcgen05\.([\w.]+)\"\(([^)]*)\)"
        r"(?: \{[^}]*\})? : (\([^)]*\) -> (?:\(\)|vector<\w+>|i32))"
    )
    return re.sub(call, spell, text)


def check(path, text, spelling, options):
    """What the pass says of the lowered text, put before FileCheck."""
    command = ["tmem-opt", "-", f"--tmem-check-hazards={options}", "-o", "/dev/null"]
    said = subprocess.run(
        command, input=text, stderr=subprocess.PIPE, text=True, check=False
    ).stderr
    command = ["FileCheck", path, "--implicit-check-not=warning:"]
    command += ["--implicit-check-not=error:", "--allow-empty"]
    result = subprocess.run(
        command, input=said, stderr=subprocess.PIPE, text=True, check=False
    )
    count = len(re.findall(r"warning: ", said))
    tcgen05 = text.count("nvvm.tcgen05.")
    calls = text.count('"llvm.nvvm.tcgen05.')
    print(f"{spelling}: {count} findings, {calls} calls, {tcgen05 - calls} operations")
    if result.returncode:
        print(result.stderr)
    return result.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument(
        "--options", default="mode=strict report=warning undecided=error"
    )
    arguments = parser.parse_args()
    status = 0
    for spelling in ("intrinsics", "operations"):
        text = lower(arguments.file, spelling)
        status |= check(arguments.file, text, spelling, arguments.options)
    sys.exit(status)


if __name__ == "__main__":
    main()
