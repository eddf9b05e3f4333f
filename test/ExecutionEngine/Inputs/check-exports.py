"""Reads MLIR, and checks that a library exports each __nv_ function of it.

usage: check-exports.py LIBRARY < module.mlir
"""

import ctypes
import re
import sys

library = ctypes.CDLL(sys.argv[1])
names = sorted(set(re.findall(r"llvm\.func @(__nv_\w+)", sys.stdin.read())))
missing = [name for name in names if not hasattr(library, name)]
print(f"{len(names)} functions, missing: {', '.join(missing) or 'none'}")
sys.exit(1 if missing else 0)
