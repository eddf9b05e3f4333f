# ===- check-functions.py - What the headers of C owe each function ----------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Each function of a header has a comment, and a call in one of the tests.

check-functions.py HEADERS TESTS: folders. Prints what is missing, and a count.
"""

import pathlib
import re
import sys

FUNCTION = re.compile(
    r"((?:^///.*\n)*)^MLIR_CAPI_EXPORTED\s+[^(;]*?\b(\w+)\s*\(", re.MULTILINE
)

headers, tests = map(pathlib.Path, sys.argv[1:])
calls = "".join(path.read_text() for path in sorted(tests.glob("*.c")))
count = 0
for header in sorted(headers.glob("*.h")):
    for comment, name in FUNCTION.findall(header.read_text()):
        count += 1
        if not comment:
            print(f"{header.name}: {name} has no comment")
        if not re.search(rf"\b{name}\(", calls):
            print(f"{header.name}: {name} is called in no test")
print(count, "functions")
