# ===- kernels.py - The PTX of kernels, linted -----------------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""usage: kernels.py PTX-OF FOLDER FILE.mlir...

Compiles each file to PTX in the folder and has tmem-ptx-lint look at all of them;
prints what it says and how many files there are. Ends in its exit status, or 3 when
a file does not compile."""

import os
import subprocess
import sys

ptx_of, folder, *sources = sys.argv[1:]
pipeline = "builtin.module(tmem-to-cubin{format=isa})"
os.makedirs(folder, exist_ok=True)
texts = []
for source in sources:
    compiled = subprocess.run(
        ["tmem-opt", source, f"--pass-pipeline={pipeline}"],
        stdout=subprocess.PIPE,
        check=False,
    )
    text = os.path.join(folder, os.path.basename(source) + ".ptx")
    command = [sys.executable, ptx_of, "-o", text]
    taken = subprocess.run(command, input=compiled.stdout, check=False)
    if compiled.returncode or taken.returncode:
        sys.exit(3)
    texts.append(text)
print(f"{len(texts)} files", flush=True)
command = ["tmem-ptx-lint", "--quiet", *texts]
sys.exit(subprocess.run(command, check=False).returncode)
