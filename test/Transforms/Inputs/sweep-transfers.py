#!/usr/bin/env python3
# ===- sweep-transfers.py - Data paths at every size ----------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Runs all steps of random-transfers.py for data paths, batch by batch, and adds up
what it finds. select-atoms-paths.test takes some sizes; this takes all:

  sweep-transfers.py BIN                          accumulators of all data paths
  sweep-transfers.py BIN --paths=dense --bits=16,8,4,64    operands without gaps

BIN is the folder of tmem-opt and tmem-run. All other options are those of
`random-transfers.py datapaths`. Exit status 1 where anything is wrong."""

import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
STEPS = [sys.executable, os.path.join(HERE, "random-transfers.py")]
SELECT = "builtin.module(gpu.module(tmem-select-atoms))"


def run(command, source=None, result=None, accepted=(0,)):
    """Runs a command from and to files, and gives its output otherwise."""
    with (
        open(source or os.devnull, "rb") as stdin,
        open(result, "wb") if result else open(os.devnull) as stdout,
    ):
        done = subprocess.run(
            command,
            stdin=stdin,
            stdout=stdout if result else subprocess.PIPE,
            check=False,
        )
    if done.returncode not in accepted:
        sys.exit(f"{' '.join(command)} exits with {done.returncode}")
    return b"" if result else done.stdout


def run_cases(bin, folder, lines):
    """The output of the check of some cases."""

    def path(name):
        return os.path.join(folder, name)

    with open(path("cases"), "wb") as file:
        file.write(b"".join(lines))
    run([*STEPS, "module", path("cases")], result=path("module.mlir"))
    opt = [os.path.join(bin, "tmem-opt"), path("module.mlir")]
    opt += ["--mlir-print-local-scope", f"--pass-pipeline={SELECT}"]
    run(opt, result=path("selected.mlir"))
    files = [path("cases"), path("selected.mlir")]
    run([*STEPS, "input", *files], result=path("in"))
    emulate = [os.path.join(bin, "tmem-run"), "-O0", path("selected.mlir")]
    run(emulate, source=path("in"), result=path("out"))
    check = [*STEPS, "check", *files, path("in"), path("out")]
    return run(check, accepted=(0, 1)).decode()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bin")
    parser.add_argument("--columns", default="1-512")
    parser.add_argument("--batch", type=int, default=128, help="cases of a program")
    options, others = parser.parse_known_args()
    cases = run([*STEPS, "datapaths", options.columns, *others])
    lines = cases.splitlines(keepends=True)
    total, wrong = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        for first in range(0, len(lines), options.batch):
            output = run_cases(options.bin, folder, lines[first:][: options.batch])
            summary = re.search(r"^\d+ loads .*", output, re.MULTILINE)[0]
            for count, name in re.findall(r"(\d+) (loads|stores|elements)", summary):
                total[name] += int(count)
            for name, count in re.findall(r"^  (.*): (\d+)$", output, re.MULTILINE):
                total[name] += int(count)
            if " 0 wrong, in 0 transfers" not in summary:
                wrong += 1
                print(output, flush=True)
            print(f"{first + options.batch} of {len(lines)} cases: {summary}", flush=True)
    print(", ".join(f"{count} {name}" for name, count in total.items()))
    print(f"{wrong} programs with errors")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
