#!/usr/bin/env python3
# ===- within.py - A command with so much time of the processor -----------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""within.py SECONDS COMMAND...: runs a command, which is killed when it has used the
processor for longer. How busy the machine is plays no part."""

import os
import resource
import sys

seconds = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
os.execvp(sys.argv[2], sys.argv[2:])
