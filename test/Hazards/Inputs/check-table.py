#!/usr/bin/env python3
# ===- check-table.py - Whether the table of faults names tests ------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Checks that each test that the table of docs/Hazards.md names exists, and that each
wrong kernel of test/Hazards stands in the table."""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
rows = [
    line
    for line in (root / "docs/Hazards.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ")
]
names = set(re.findall(r"`([A-Z]\d+_[\w.]+)`", "\n".join(rows)))
files = set(re.findall(r"`([\w/-]+\.(?:mlir|ptx))`", "\n".join(rows)))
texts = {path: path.read_text(encoding="utf-8") for path in root.glob("test/**/*.mlir")}
everything = "\n".join(texts.values())
faults = []
for name in sorted(names):
    pattern = re.escape(name.rstrip(".")) + ("" if name.endswith(".") else r"\b")
    if not re.search(f"[@#!]{pattern}", everything):
        faults.append(f"no test is named {name}")
for name in sorted(files):
    if not list(root.glob(f"test/**/{name}")):
        faults.append(f"no test file is named {name}")
kernels = set()
for path, text in texts.items():
    if path.parent == root / "test/Hazards":
        kernels |= set(re.findall(r"func @([A-Z]\d+_\w+)\(", text))
for name in sorted(kernels - names):
    faults.append(f"the table lacks {name}")
print("\n".join(faults) or f"{len(names)} tests named, {len(kernels)} kernels listed")
sys.exit(bool(faults))
