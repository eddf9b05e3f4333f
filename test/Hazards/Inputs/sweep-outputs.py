#!/usr/bin/env python3
# ===- sweep-outputs.py - What passes make, given to the hazard checker ----===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Runs the passes from tmem to tmem on FILES (folders: all in them; of documents the
blocks of MLIR), and tmem-check-hazards, strict, before and after each. What is found
afterwards and was not before, of the same function, is a fault of the pass or of the
checker.

Prints how much was looked at, and each new finding; with --undecided also what the
checker could not decide about an output and could about the input. Exits with 1 if
there is a new finding."""

import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

# Which passes have something to do in a file.
PASSES = {
    "tmem-insert-waits": r"tmem\.(read|write)",
    "tmem-plan-columns": r"tmem\.buffer",
    "tmem-tile-transfers=columns=8": r"tmem\.(load|store|read|write)\b",
    "tmem-select-atoms": r"tmem\.(load|store|read|write)\b",
}
CHAIN = ["tmem-plan-columns", "tmem-insert-waits", "tmem-tile-transfers=columns=8",
         "tmem-select-atoms"]
CHECK = "--tmem-check-hazards=report=warning"
FINDING = re.compile(r"^(?:within split at .*?:(\d+) offset )?\S*?:(\d+):(\d+): (\w+): (.*)$")


def blocks(path):
    """The programs of a file, each as text that can be split once more."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return re.findall(r"```mlir\n(.*?)```", text, re.S)
    return [text]


def files(names):
    for name in names:
        path = pathlib.Path(name)
        found = [path]
        if path.is_dir():
            found = sorted([*path.rglob("*.mlir"), *path.rglob("*.md")])
        yield from (file for file in found if "Inputs" not in file.parts)


def run(opt, text, flags):
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        command = [opt, file.name, "-split-input-file", "-allow-unregistered-dialect", *flags]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode not in (0, 1):
        sys.exit(f"{command}\n{text}\n{result.stderr[-3000:]}")
    return result


def check(options, text, passes):
    """Findings after some passes, as a set of place and text, and whether all passes
    could be run."""
    flags = [f"--{name}" for name in passes]
    if passes and options.drop:
        lines = run(options.opt, text, flags).stdout.splitlines()
        text, flags = "\n".join(l for l in lines if options.drop not in l), []
    result = run(options.opt, text, [*flags, CHECK, "-o", "/dev/null"])
    found = collections.Counter()
    for line in result.stderr.splitlines():
        match = FINDING.match(line)
        if match and match.group(4) == "warning":
            split, row, column, _, message = match.groups()
            found[int(split or 0) + int(row), int(column), message] += 1
    return found, result.returncode == 0


def sweep(path, text, options, counts):
    before, _ = check(options, text, [])
    counts["findings"] += sum(before.values())
    runs = [[name] for name, needs in PASSES.items() if re.search(needs, text)]
    if options.chain and len(runs) > 1:
        runs.append([name for name in CHAIN if [name] in runs])
    for passes in runs:
        after, is_run = check(options, text, passes)
        counts["runs"] += 1
        counts["refused"] += not is_run
        known = collections.Counter()
        for (_, _, message), number in before.items():
            known[plain(message)] += number
        for (row, column, message), number in (after - before).items():
            # Said before at another place, or of another spelling.
            known[plain(message)] -= number - before[row, column, message]
            if known[plain(message)] >= 0:
                continue
            kind = "undecided" if "undecided:" in message else "new"
            counts[kind] += 1
            if kind == "new" or options.undecided:
                print(f"{path}:{row}:{column}: {'+'.join(passes)}: {message}")


def plain(message):
    """Without the name of the operation, which passes change."""
    return re.sub(r"'[\w.]+' op ", "", message)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--opt", default="tmem-opt")
    parser.add_argument("--undecided", action="store_true")
    parser.add_argument("--chain", action="store_true", help="all passes together, too")
    parser.add_argument("--drop", help="leave out lines with this text of what passes make")
    options = parser.parse_args()
    counts = collections.Counter()
    for path in files(options.files):
        for text in blocks(path):
            if "tmem." in text:
                counts["programs"] += 1
                sweep(path, text, options, counts)
    print(f"{counts['programs']} files and blocks, {counts['runs']} runs,"
          f" {counts['refused']} with errors; {counts['findings']} findings before,"
          f" {counts['new']} new,"
          f" {counts['undecided']} undecided")
    return 1 if counts["new"] or not counts["runs"] else 0


if __name__ == "__main__":
    sys.exit(main())
