#!/usr/bin/env python3
# ===- exit-status.py - Runs a program that has to end in a status ---------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""usage: exit-status.py STATUS PROGRAM [ARGUMENT...]

Ends in 0 when the program ended in the status."""

import subprocess
import sys

expected, *command = sys.argv[1:]
status = subprocess.run(command, check=False).returncode
if status != int(expected):
    sys.exit(f"{command[0]}: expected exit status {expected}, but got {status}")
