"""Prints a C++ file that includes every installed header.

include-all.py SOURCE INSTALLED fails when a header or .td file of SOURCE is not in
INSTALLED."""

import pathlib
import sys

source, installed = map(pathlib.Path, sys.argv[1:])
missing = [
    path.relative_to(source)
    for path in sorted(source.rglob("*"))
    if path.suffix in {".h", ".td", ".def"}
    and not (installed / path.relative_to(source)).exists()
]
if missing:
    sys.exit(f"not installed: {', '.join(map(str, missing))}")
headers = sorted(installed.rglob("*.h"))
if len(headers) < 40:
    sys.exit(f"expected at least 40 headers, but got {len(headers)}")
for header in headers:
    print(f'#include "{header.relative_to(installed)}"')
