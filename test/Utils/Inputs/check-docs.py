# ===- check-docs.py - Prove that what documents show is real --------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Checks fenced blocks and links of Markdown files. The tag of a block says how:

  mlir     a whole file, which tmem-opt must take. When its first line names it,
           "// load.mlir", commands of the document can use it; when one does,
           only they run it. In the generated reference, a fragment: fragments.py
           makes a whole file of it.
  ptx      a file for commands, which its first line names as above.
  console  commands after "$ ", each with its output, errors included. Spaces and
           line breaks count alike; a line of "..." stands for any output.
           "console NAME=VERSION" needs NAME, ptxas or nvdisasm, of that version
           (TMEM_PTXAS, TMEM_NVDISASM), and is skipped without.
  sh       commands too long for a test: what the table below has in their place.
  pycon    Python's doctests, one session for the document; needs the package.
  c, cpp, cmake
           a quote: stands as it is in a file that this build or a test compiles.
  json     is parsed.
  lua      is run by the test that the table below names.
  text     is no code.

Any other tag is a fault, and no tag, except in the reference, where that is syntax.
Commands run in a folder with the repository's examples and utils, and the build
directory as build. Prints one line per fault; with --list, one for each block."""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from fragments import check_fragment, split

NAME = re.compile(r"// ([\w-]+\.(?:mlir|ptx))\n")
LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)\s]*)?\)")
VERSION = re.compile(r"\bV(\d[\d.]*)$", re.M)
# Commands of sh blocks, and what is run for them.
STAND_INS = [
    (r"utils/bootstrap\.sh (\w+)", r"utils/bootstrap.sh --help | grep -q '^  \1 '"),
    (r"export PATH=.*", r"\g<0>"),
    (r"pip install \.", r"test -n '{packages}' && ninja -C build -t query tmem-python"),
    (
        r"cmake -G Ninja -S \. -B build -DCMAKE_PREFIX_PATH=/path/to/llvm-22\.1",
        r"cmake -G Ninja -S {root} -B fresh -DCMAKE_PREFIX_PATH=/usr/lib/llvm-22",
    ),
    (r"ninja -C build (\S+)", r"ninja -C build -t query \1"),
    (r"(benchmarks/run\.py)(.*)", r"{root}/\1\2 --help"),
    (r"(build/bin/tmem-bench) (.*)", r"test ! -x \1 || \1 \2 --benchmark_list_tests"),
]
# Who compiles what is quoted, where it is not this build: the file that names it.
COMPILED_BY = {
    "examples/embed/CMakeLists.txt": "test/Install/embed.test",
    "examples/embed/acc-compile.cpp": "test/Install/embed.test",
    "examples/my-opt/CMakeLists.txt": "test/Install/my-opt.test",
    "examples/my-opt/my-opt.cpp": "test/Install/my-opt.test",
    "examples/plan.c": "docs/Embedding.md",
}
LUA = {"Editor.md": "test/Tools/tmem-lsp-server/neovim.test"}


def run(command, folder, **variables):
    process = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder,
        env={**os.environ, **variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return process.returncode, process.stdout.decode("utf-8", "replace")


def read_blocks(text):
    """(line, tags, text) of each block, without what it is indented by."""
    start = None
    for number, line in enumerate(text.splitlines(), 1):
        fence = re.match(r"( *)(```+|~~~+)(.*)", line)
        if start is None and fence:
            start, indent, mark, lines = number, fence[1], fence[2], []
            tags = fence[3].split()
        elif start is not None and fence and line.strip() == mark:
            yield start, tags, "".join(line + "\n" for line in lines)
            start = None
        elif start is not None:
            lines.append(line.removeprefix(indent))
    if start is not None:
        yield start, ["never closed"], ""


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


class Checker:
    """Of one document. Each check yields what is wrong."""

    def __init__(self, options, path, folder):
        self.options, self.path, self.folder = options, path, folder
        self.root = options.root.resolve()
        self.blocks = list(read_blocks(path.read_text()))
        self.consoles = "".join(t for _, tags, t in self.blocks if tags[:1] == ["console"])
        self.is_reference = path.parent.name == "reference"
        self.has_run_doctests = False

    def skip(self, what):
        print(f"{self.path.name}: skipped, for want of {what}")

    def check_mlir(self, text, _):
        if self.is_reference:
            for part in split(text):
                if output := check_fragment(part, run, self.folder):
                    yield f"tmem-opt fails on\n{output}"
            return
        name = NAME.match(text)
        file = self.folder / (name[1] if name else "unnamed.mlir")
        file.write_text(text)
        if name and name[1] in self.consoles:
            return
        status, output = run(f"tmem-opt {file.name} -o /dev/null", self.folder)
        if status != 0:
            yield f"tmem-opt fails on\n{text}{output}"

    def check_ptx(self, text, _):
        name = NAME.match(text)
        if not name or name[1] not in self.consoles:
            yield f"no command reads\n{text}"
            return
        (self.folder / name[1]).write_text(text)

    def check_console(self, text, requirements):
        if not has_tools(requirements):
            self.skip(" ".join(requirements))
            return
        for command, expected in read_commands(text):
            # The script runs the demonstration when it has built everything.
            real = re.sub(r"^utils/bootstrap\.sh demo$", "utils/demo.sh", command)
            _, output = run(real, self.folder)
            if not matches(expected, output):
                yield f"$ {command}\nexpected:\n{expected}got:\n{output}"

    def check_sh(self, text, _):
        for line in text.splitlines():
            command = line.split(" #")[0].strip()
            for pattern, real in STAND_INS:
                if re.fullmatch(pattern, command):
                    real = re.sub(pattern, real, command)
                    break
            else:
                yield f"{command}: has no stand-in"
                continue
            if "{packages}" in real and not self.options.packages:
                self.skip("the Python package")
                continue
            real = real.format(root=self.root, packages=self.options.packages)
            status, output = run(real, self.folder)
            if status != 0:
                yield f"{command}: {real} fails:\n{output}"

    def check_pycon(self, _text, _):
        if not self.options.packages:
            self.skip("the Python package")
        elif not self.has_run_doctests:
            self.has_run_doctests = True
            texts = [t for _, tags, t in self.blocks if tags[:1] == ["pycon"]]
            examples = self.folder / f"{self.path.stem}.txt"
            examples.write_text("\n".join(texts))
            status, output = run(
                f"'{self.options.python}' -m doctest '{examples.name}'",
                self.folder,
                PYTHONPATH=self.options.packages,
            )
            if status != 0:
                yield output

    def check_quote(self, text, _):
        found = [file for file in self.options.compiled if text in file.read_text()]
        if not found:
            yield f"not quoted from anything that is compiled:\n{text}"

    def check_json(self, text, _):
        try:
            json.loads(text)
        except ValueError as error:
            yield f"no JSON: {error}"

    def check_lua(self, text, _):
        test = LUA.get(self.path.name)
        if not test or f"docs/{self.path.name}" not in (self.root / test).read_text():
            yield f"no test runs\n{text}"

    def check_text(self, _text, _):
        return []

    def check_block(self, line, tags, text):
        kind = tags[0] if tags else ""
        if self.is_reference and not tags:
            kind = "text"
        if kind in ("c", "cpp", "cmake"):
            kind = "quote"
        check = getattr(self, f"check_{kind}", None)
        if not check or kind == "block":
            yield f"line {line}: nothing runs blocks of '{' '.join(tags)}'"
            return
        if self.options.list:
            print(f"{self.path.name}:{line}: {' '.join(tags) or 'syntax'}")
        yield from check(text, tags[1:])

    def check_links(self):
        for target in LINK.findall(self.path.read_text()):
            if "://" not in target and not (self.path.parent / target).exists():
                yield f"broken link to {target}"

    def check(self):
        yield from self.check_links()
        if self.options.links:
            return
        for line, tags, text in self.blocks:
            yield from self.check_block(line, tags, text)


def find_compiled(root, build):
    """The sources of this build, and those that others are known to compile."""
    for name, user in COMPILED_BY.items():
        folder = os.path.dirname(name)
        text = (root / user).read_text()
        if name not in text and (folder == "examples" or folder not in text):
            sys.exit(f"{user} does not compile {name}")
        yield root / name
    status, output = run("ninja -C . -t compdb", build)
    if status != 0:
        return
    for entry in json.loads(output[output.index("[\n") :]):
        file = pathlib.Path(entry["directory"], entry["file"])
        if file.suffix in (".c", ".cpp") and root / "test" in file.parents:
            yield file


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--plugin", type=pathlib.Path, required=True)
    parser.add_argument("--python", default=sys.executable, help="to run doctests")
    parser.add_argument("--packages", default="", help="the folder of package tmem")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--links", action="store_true", help="check nothing but links")
    parser.add_argument("files", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    build = options.plugin.resolve().parents[1]
    options.compiled = list(find_compiled(options.root.resolve(), build))
    faults = 0
    for path in options.files:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for part in ("examples", "utils"):
                (folder / part).symlink_to(options.root.resolve() / part)
            (folder / "build").symlink_to(build)
            for fault in Checker(options, path, folder).check():
                print(f"{path.name}: {fault}")
                faults += 1
    print(f"{len(options.files)} files, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
