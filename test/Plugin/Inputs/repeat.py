"""Prints a file as many times as the first argument says."""

import pathlib
import sys

print(pathlib.Path(sys.argv[2]).read_text() * int(sys.argv[1]), end="")
