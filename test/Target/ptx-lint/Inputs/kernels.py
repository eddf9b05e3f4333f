# ===- kernels.py - The PTX of kernels, linted -----------------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""usage: kernels.py PTX-OF OUTPUT FOLDER...

Compiles each .mlir file below the folders that has a kernel to PTX, and has
tmem-ptx-lint look at it. Files that do not compile are left out: tests of errors,
fragments. Those that tmem-to-cubin refuses for what the lint finds have to use raw
nvvm operations, whose early reads are LLVM's. Prints how many there are of each, and
what is wrong; exits with 1 if anything is."""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

PIPELINE = "builtin.module(tmem-to-cubin{format=isa})"
FINDINGS = ("expected no register to be used", "expected a tcgen05.wait::st")


def run(command, **options):
    return subprocess.run(command, capture_output=True, check=False, **options)


def lint(source, text):
    """Returns "clean", "refused", "left out", or what is wrong."""
    command = ["tmem-opt", source, f"--pass-pipeline={PIPELINE}"]
    compiled = run(command)
    if compiled.returncode < 0:
        return f"tmem-opt ended by signal {-compiled.returncode}"
    if compiled.returncode:
        refused = any(f in compiled.stderr.decode() for f in FINDINGS)
        if refused and not re.search("nvvm.tcgen05|inline_asm", source.read_text()):
            return "refused without raw operations"
        return "refused" if refused else "left out"
    taken = run([sys.executable, ptx_of, "-o", text], input=compiled.stdout)
    if taken.returncode:
        return "left out"  # No kernel stands in it.
    linted = run(["tmem-ptx-lint", "--quiet", text])
    return "clean" if linted.returncode == 0 else linted.stdout.decode()


ptx_of, output, *folders = sys.argv[1:]
os.makedirs(output, exist_ok=True)
sources = [
    path
    for folder in folders
    for path in sorted(pathlib.Path(folder).rglob("*.mlir"))
    if "gpu.func" in path.read_text() or "gpu.launch" in path.read_text()
]
texts = [os.path.join(output, f"{i}.ptx") for i in range(len(sources))]
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    results = list(pool.map(lint, sources, texts))
print(results.count("clean"), "files clean")
print(results.count("refused"), "files with raw operations refused")
wrong = [
    f"{source}: {result}"
    for source, result in zip(sources, results)
    if result not in ("clean", "refused", "left out")
]
print(*wrong, sep="\n", end="")
sys.exit(bool(wrong))
