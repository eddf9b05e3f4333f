#!/usr/bin/env python3
# ===- ptx-of.py - Take PTX and cubins out of gpu.binary operations --------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Takes what gpu.binary operations hold out of MLIR text: prints their PTX, or
writes one cubin or LLVM bitcode.

  tmem-opt k.mlir --pass-pipeline='builtin.module(tmem-to-cubin{format=isa})' |
    utils/ptx-of.py
  tmem-opt k.mlir --pass-pipeline='builtin.module(tmem-to-cubin)' |
    utils/ptx-of.py --cubin -o k.cubin

Several PTX texts are printed one after the other, each under a comment that
names its binary and chip. Exit status: 0, or 1 when there is nothing to take,
or more than one cubin to choose from, or the input is no MLIR text."""

import argparse
import dataclasses
import re
import sys

# What matters of MLIR text. Brackets inside strings and comments do not count.
TOKEN = re.compile(
    r"""(?P<string>"(?:[^"\\]|\\.)*")
      | (?P<comment>//[^\n]*)
      | (?P<arrow>->)
      | (?P<object>\#gpu\.object<)
      | (?P<target>\#\w[\w.$]*)
      | (?P<key>[A-Za-z_]\w*)\s*=\s*
      | (?P<custom>\bgpu\.binary\s+@(?P<symbol>[\w$.]+|"(?:[^"\\]|\\.)*"))
      | (?P<open>[<\[({]) | (?P<close>[>\])}])""",
    re.VERBOSE | re.DOTALL,
)
ESCAPES = {b"n": b"\n", b"t": b"\t", b'"': b'"', b"\\": b"\\"}
FORMATS = {"assembly": "ptx", "bin": "cubin", "offload": "bitcode"}


@dataclasses.dataclass
class Object:
    binary: list  # The one name, known before or after the object.
    target: str = ""
    chip: str = ""
    kind: str = ""
    data: bytes = b""
    kernels: list = dataclasses.field(default_factory=list)

    def describe(self):
        return f"@{self.binary[0]}, {self.chip or self.target}"


def unquote(literal):
    """The bytes of a string of MLIR: \\n, \\t, \\", \\\\ and two hex digits."""

    def replace(match):
        code = match[1]
        return ESCAPES[code] if code in ESCAPES else bytes.fromhex(code.decode())

    text = literal[1:-1].encode("utf-8", "surrogateescape")
    return re.sub(rb'\\(n|t|"|\\|[0-9A-Fa-f]{2})', replace, text)


class Reader:
    """Finds the objects of all gpu.binary operations, custom or generic form."""

    def __init__(self):
        self.objects = []
        self.binary = ["?"]
        self.current = None
        self.path = []  # The key before each bracket inside of the object.
        self.key = ""

    def read(self, text):
        for match in TOKEN.finditer(text):
            handle = getattr(self, "on_" + match.lastgroup, None)
            if handle:
                handle(match)
            if match.lastgroup not in ("key", "comment"):
                self.key = ""
        if self.current:
            raise ValueError("expected '>' at the end of a #gpu.object")
        return self.objects

    def on_custom(self, match):
        name = match["symbol"]
        if name.startswith('"'):
            name = unquote(name).decode("utf-8", "replace")
        self.binary = [name]

    def on_object(self, _):
        self.current = Object(self.binary)
        self.path = []

    def on_target(self, match):
        if self.current and not self.path and not self.current.target:
            self.current.target = match.group()

    def on_key(self, match):
        self.key = match["key"]

    def on_open(self, _):
        if self.current:
            self.path.append(self.key)
            if len(self.path) == 3 and self.path[1] == "ptxas":
                self.current.kernels.append(self.key)

    def on_close(self, _):
        if not self.current:
            return
        if self.path:
            self.path.pop()
            return
        self.objects.append(self.current)
        self.current = None

    def on_string(self, match):
        literal = match.group()
        if not self.current:
            if literal == '"gpu.binary"':
                self.binary = ["?"]
            elif self.key == "sym_name":
                self.binary[0] = unquote(literal).decode("utf-8", "replace")
        elif not self.path:
            self.current.kind = FORMATS.get(self.key, "fatbin")
            self.current.data = unquote(literal)
        elif self.key == "chip":
            self.current.chip = unquote(literal).decode("utf-8", "replace")


def read_objects(path):
    if path == "-":
        data = sys.stdin.buffer.read()
    else:
        with open(path, "rb") as file:
            data = file.read()
    if data.startswith(b"ML\xefR"):
        raise ValueError("expected MLIR text, but got bytecode")
    return Reader().read(data.decode("utf-8", "surrogateescape"))


def select(objects, options):
    selected = [
        o
        for o in objects
        if options.kind in ("any", o.kind)
        and options.binary in (None, o.binary[0])
        and options.chip in (None, o.chip)
    ]
    if not selected:
        held = ", ".join(f"{o.kind} of {o.describe()}" for o in objects)
        raise ValueError(f"expected {options.kind} object, but got {held or 'none'}")
    if options.kind in ("cubin", "bitcode") and len(selected) > 1:
        names = "; ".join(o.describe() for o in selected)
        raise ValueError(
            f"expected one {options.kind}, but got {names}: "
            "choose by --binary or --chip"
        )
    return selected


def render(selected, options):
    if options.kind == "any":
        rows = (
            f"@{o.binary[0]}\t{o.chip or o.target}\t{o.kind}\t{len(o.data)} bytes"
            f"\t{' '.join(o.kernels)}".rstrip()
            for o in selected
        )
        return "".join(row + "\n" for row in rows).encode()
    if len(selected) == 1:
        return selected[0].data
    # PTX wants .version first, but for comments.
    return b"\n".join(
        f"// {o.describe()}\n".encode() + o.data.rstrip(b"\0\n") + b"\n"
        for o in selected
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", nargs="?", default="-", help="MLIR text (default: -)")
    what = parser.add_mutually_exclusive_group()
    for kind, flag, text in (
        ("cubin", "--cubin", "write the cubin"),
        ("bitcode", "--bitcode", "write the LLVM bitcode of format=llvm"),
        ("any", "--list", "print binary, chip, kind, size, kernels of each object"),
    ):
        what.add_argument(
            flag, dest="kind", action="store_const", const=kind, help=text
        )
    parser.set_defaults(kind="ptx")
    parser.add_argument("--binary", metavar="NAME", help="only of gpu.binary @NAME")
    parser.add_argument("--chip", metavar="CHIP", help="only for this chip, sm_100a")
    parser.add_argument("-o", dest="output", metavar="FILE", help="write to FILE")
    options = parser.parse_args()
    is_binary = options.kind in ("cubin", "bitcode")
    if is_binary and not options.output and sys.stdout.isatty():
        parser.error("expected -o FILE: the terminal shows no binary")
    try:
        data = render(select(read_objects(options.file), options), options)
        if options.output:
            with open(options.output, "wb") as file:
                file.write(data)
        else:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
    except BrokenPipeError:
        sys.stderr.close()
    except (OSError, ValueError) as error:
        print(f"ptx-of: error: {options.file}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
