# ===- check-docs.py - Prove that what documents show is real --------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Checks fenced blocks and links of Markdown files.

  mlir     a whole file, which tmem-opt must take. When its first line names it,
           "// load.mlir", commands of the document can use it; when one does,
           only they run it.
  ptx      a file for commands, which its first line names as above.
  console  commands after "$ ", each with its output, errors included. Spaces and
           line breaks count alike; a line of "..." stands for any output.
           "console NAME=VERSION" needs NAME, ptxas or nvdisasm, of that version
           (TMEM_PTXAS, TMEM_NVDISASM), and is skipped without.

Commands run in a folder with the repository's examples and utils, and the build
directory as build. Other blocks are not checked. Prints one line per fault."""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```(.*)\n((?:.*\n)*?)^```$", re.M)
NAME = re.compile(r"// ([\w-]+\.(?:mlir|ptx))\n")
LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)\s]*)?\)")
VERSION = re.compile(r"\bV(\d[\d.]*)$", re.M)


def run(command, folder):
    process = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return process.returncode, process.stdout.decode("utf-8", "replace")


def has_tools(requirements):
    """Whether each tool of "NAME=VERSION ..." is there."""
    for requirement in requirements:
        name, _, version = requirement.partition("=")
        tool = os.environ.get("TMEM_" + name.upper())
        if not tool:
            return False
        output = subprocess.run([tool, "--version"], capture_output=True, check=True)
        if VERSION.findall(output.stdout.decode()) != [version]:
            return False
    return True


def is_complete(command):
    return not command.endswith("\\") and command.count("'") % 2 == 0


def read_commands(text):
    """[(command, output)] of a console block."""
    commands = []
    for line in text.splitlines():
        if line.startswith("$ "):
            commands.append([line[2:], ""])
        elif commands and not is_complete(commands[-1][0]):
            commands[-1][0] += "\n" + line
        elif commands:
            commands[-1][1] += line + "\n"
    return commands


def matches(expected, output):
    parts = re.split(r"^\.\.\.$", expected, flags=re.M)
    words = [r"\s+".join(map(re.escape, part.split())) for part in parts]
    return re.fullmatch(r"\s*" + r"[\s\S]*?".join(words) + r"\s*", output)


def check_commands(text, folder):
    for command, expected in read_commands(text):
        # The script runs the demonstration when it has built everything.
        real = re.sub(r"^utils/bootstrap\.sh demo$", "utils/demo.sh", command)
        _, output = run(real, folder)
        if not matches(expected, output):
            yield f"$ {command}\nexpected:\n{expected}got:\n{output}"


def check_blocks(path, folder):
    blocks = [(info.split(), text) for info, text in FENCE.findall(path.read_text())]
    consoles = "".join(text for info, text in blocks if info[:1] == ["console"])
    for info, text in blocks:
        if info in (["mlir"], ["ptx"]):
            name = NAME.match(text)
            file = folder / (name[1] if name else "unnamed.mlir")
            file.write_text(text)
            if info == ["ptx"] or (name and name[1] in consoles):
                continue
            status, output = run(f"tmem-opt {file.name} -o /dev/null", folder)
            if status != 0:
                yield f"tmem-opt fails on\n{text}{output}"
        elif info[:1] == ["console"]:
            if has_tools(info[1:]):
                yield from check_commands(text, folder)
            else:
                print(f"{path.name}: skipped, for want of {' '.join(info[1:])}")


def check_links(path):
    for target in LINK.findall(path.read_text()):
        if "://" not in target and not (path.parent / target).exists():
            yield f"broken link to {target}"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--plugin", type=pathlib.Path, required=True)
    parser.add_argument("files", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    faults = 0
    for path in options.files:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for part in ("examples", "utils"):
                (folder / part).symlink_to(options.root.resolve() / part)
            (folder / "build").symlink_to(options.plugin.resolve().parents[1])
            for fault in [*check_links(path), *check_blocks(path, folder)]:
                print(f"{path.name}: {fault}")
                faults += 1
    print(f"{len(options.files)} files, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
