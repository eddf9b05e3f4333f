#!/usr/bin/env python3
# ===- count-sass.py - How often an instruction stands in each kernel ------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Reads the output of nvdisasm and prints, for each instruction that is named on
the command line, how many kernels have it how often."""

import collections
import re
import sys


def main():
    counts = {opcode: collections.Counter() for opcode in sys.argv[1:]}
    kernel = None
    for line in sys.stdin:
        if section := re.match(r"\.text\.(\w+):", line):
            kernel = section[1]
        instruction = re.match(r"\s+/\*[0-9a-f]+\*/\s+(?:@!?\w+\s+)?(\w+)", line)
        if instruction and instruction[1] in counts:
            counts[instruction[1]][kernel] += 1
    for opcode, kernels in counts.items():
        for count, number in sorted(collections.Counter(kernels.values()).items()):
            print(f"{number} kernels with {count} {opcode}")


if __name__ == "__main__":
    main()
