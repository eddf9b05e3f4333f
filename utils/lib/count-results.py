#!/usr/bin/env python3
# ===- count-results.py - Sum up what a check found ------------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Counts the results of a lit run (its --xunit-xml-output) and of other checks,
given as NAME=STATUS with the exit status. Names what failed; the last line is
"N passed, N failed[, N skipped]". Fails when anything failed or nothing ran."""

import sys
import xml.etree.ElementTree as ElementTree


def read_case(case):
    name = f"{case.get('classname')}/{case.get('name')}"
    if case.find("failure") is not None or case.find("error") is not None:
        return name, "failed"
    return name, "passed" if case.find("skipped") is None else "skipped"


def read_lit(path, status):
    """The tests as (name, result). A lit that failed without a failed test, or
    left no results, is itself a failure."""
    try:
        cases = ElementTree.parse(path).iter("testcase")
    except (OSError, ElementTree.ParseError) as error:
        print(f"no results of lit: {error}")
        return [("lit", "failed")]
    results = [read_case(case) for case in cases]
    if status != "0" and "failed" not in dict(results).values():
        results.append(("lit", "failed"))
    return results


def read_check(argument):
    name, _, status = argument.rpartition("=")
    return name, "passed" if status == "0" else "failed"


def main(lit_path, lit_status, *checks):
    results = read_lit(lit_path, lit_status) + [read_check(check) for check in checks]
    names = {"passed": [], "failed": [], "skipped": []}
    for name, result in results:
        names[result].append(name)
    for name in names["failed"]:
        print(f"failed: {name}")
    passed, failed, skipped = map(len, names.values())
    summary = f"{passed} passed, {failed} failed"
    print(summary + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: count-results.py LIT-RESULTS LIT-STATUS [NAME=STATUS]...")
    sys.exit(main(*sys.argv[1:]))
