# ===- make-stubs.py - Type stubs of native modules ------------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Runs nanobind's stubgen on modules of the package, and completes its stubs.

What stubgen cannot see is written here: names that signatures of MLIR's bindings
spell without their module, and the classes that the package defines in Python.
"""

import argparse
import pathlib
import re
import sys

from nanobind.stubgen import main as stubgen

IMPORTS = ["from typing import Generic", "from typing_extensions import Self"]
IR = "tmem._mlir_libs._mlir.ir"
NAMES = ("Context", "Location", "TypeID")

# As _mlir_libs/__init__.py has them, in place of the native ones.
CONTEXT = '''    def __init__(
        self,
        load_on_create_dialects: Sequence[str] | None = None,
        thread_pool: ThreadPool | None = None,
    ) -> None:'''
ERROR = '''

class MLIRError(Exception):
    """An exception with diagnostic information."""

    message: str

    error_diagnostics: list[DiagnosticInfo]

    def __init__(self, message: str, error_diagnostics: list[DiagnosticInfo]) -> None: ...
'''


def add_imports(text: str, lines: list[str]) -> str:
    """Puts imports before the first one."""
    first = re.search(r"^(from|import) ", text, re.MULTILINE)
    at = first.start() if first else len(text)
    return text[:at] + "".join(line + "\n" for line in lines) + text[at:]


def complete(text: str) -> str:
    """A stub of a module that was imported through the package."""
    used = [name for name in NAMES if re.search(rf"(?<![.\w]){name}\b", text)]
    return add_imports(text, [f"from {IR} import {', '.join(used)}"] if used else [])


def complete_core(text: str, name: str) -> str:
    """A stub of MLIR's core, which was imported alone."""
    text = re.sub(r"(?<![.\w])_mlir\b", "tmem._mlir_libs._mlir", text)
    text = text.replace("tmem.ir._", f"{IR}._")
    if name != "ir":
        return complete(text)
    text = text.replace("def __enter__(self) -> object:", "def __enter__(self) -> Self:")
    head, context, rest = text.partition("class Context:\n")
    rest = rest.replace("    def __init__(self) -> None:", CONTEXT, 1)
    return add_imports(head + context + rest + ERROR, IMPORTS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("packages", type=pathlib.Path, help="has the folder tmem")
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("modules", nargs="+", help="of tmem._mlir_libs")
    args = parser.parse_args()
    for module in args.modules:
        is_core = module == "_mlir"
        # Through the package some of MLIR's classes are the replaced ones.
        path = args.packages / "tmem/_mlir_libs" if is_core else args.packages
        name = module if is_core else f"tmem._mlir_libs.{module}"
        stubgen(
            ["--quiet", "--recursive", "--include-private", "-i", str(path)]
            + ["-m", name, "-O", str(args.output)]
        )
        if not is_core:
            stub = args.output / f"{module}.pyi"
            stub.write_text(complete(stub.read_text()))
            continue
        for stub in (args.output / module).glob("*.pyi"):
            stub.write_text(complete_core(stub.read_text(), stub.stem))


if __name__ == "__main__":
    sys.exit(main())
