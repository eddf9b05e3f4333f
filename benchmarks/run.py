#!/usr/bin/env python3
# ===- run.py - Compile the benchmark kernels and count instructions -------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Compiles the kernels of benchmarks/kernels with `tmem-opt` and ptxas, counts
what came out, and compares it with the figures that they are held to.

  benchmarks/run.py [--chip=sm_100a] [--json] [K...]

No GPU is needed. ptxas is TMEM_PTXAS or that of CUDA, nvdisasm TMEM_NVDISASM or
that of CUDA; both are looked for on PATH and in build/venv*, too. Exit status:
0, 1 where a kernel misses a figure or does not compile, 2 where a tool is
missing. README.md says what is counted."""

import argparse
import collections
import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
KERNELS = ROOT / "benchmarks" / "kernels"
MOVES = ("LDG", "LDTM", "STTM", "STG")  # What the core begins and ends with.
LLVM_PASS = "TMemGenerateCode"
REGISTER_SLACK = 8  # Registers that a kernel may take above the best.


@dataclasses.dataclass(frozen=True)
class Reference:
    """What others reach for the same work on REFERENCE_CHIP with ptxas 13.0."""

    peer: tuple = None  # Core and registers: Triton, CUDA C++, CuTe C++ and DSL.
    prototype: tuple = None  # Core and registers: by hand, in MLIR.
    issues: tuple = None  # LDTM and STTM; None where any number will do.
    remark: str = ""
    pipeline: str = ""  # More options of tmem-to-cubin.


REFERENCE_CHIP = "sm_100a"
REFERENCES = {
    "K1": Reference((41, 96), (26, 96), (1, 1)),
    "K2": Reference((67, 134), (67, 134), (1, 1)),
    "K3": Reference((82, 135), (75, 136), (1, 0)),
    "K4": Reference((55, 102), (53, 102), (2, 2), "the peer: 3 LDTM, 3 STTM"),
    "K5": Reference((19, 38), (19, 38), (1, 1)),
    "K6": Reference((35, 38), (35, 38), (1, 1)),
    "K7": Reference((148, 38), (148, 38), (8, 0), "another peer: 139, 79 with 4 LDTM"),
    "K8": Reference(
        remark="TileLang: 255 registers, spills 40 bytes",
        pipeline="max-live-registers=128",
    ),
}


class MissingTool(Exception):
    pass


class Failure(Exception):
    """A kernel that does not get through a tool."""


def find_tool(name, chosen, *places):
    """The path of a program: the user's choice, else PATH, else `places`."""
    candidates = [chosen] if chosen else [name, *places]
    for candidate in candidates:
        if path := shutil.which(candidate):
            return path
    raise MissingTool(f"expected {name} at {', '.join(map(str, candidates))}")


class Tools:
    """The programs that compile a kernel and look at the result."""

    def __init__(self, options):
        def own(name):
            chosen = options.bin and os.path.join(options.bin, name)
            return find_tool(name, chosen, ROOT / "build" / "bin" / name)

        def nvidia(name):
            cuda = os.environ.get("CUDA_HOME", "/usr/local/cuda")
            wheels = (ROOT / "build").glob(f"venv/lib/python3*/**/bin/{name}")
            places = [f"{cuda}/bin/{name}", *sorted(wheels)]
            return find_tool(name, os.environ.get(f"TMEM_{name.upper()}"), *places)

        self.opt = own("tmem-opt")
        self.lint = own("tmem-ptx-lint")
        self.ptxas = nvidia("ptxas")
        self.nvdisasm = nvidia("nvdisasm")
        os.environ["TMEM_PTXAS"] = self.ptxas  # For the pass that runs it.
        self.extract = [sys.executable, str(ROOT / "utils" / "ptx-of.py")]

    def ptxas_release(self):
        output = run([self.ptxas, "--version"]).stdout
        match = re.search(r"release ([\d.]+)", output)
        return match[1] if match else "?"


def run(command, accepted=(0,)):
    result = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False
    )
    if result.returncode not in accepted:
        name = os.path.basename(str(command[0]))
        lines = (result.stderr or result.stdout).strip().splitlines()
        reason = lines[0] if lines else f"{name} exits with {result.returncode}"
        if reason.endswith(":") and len(lines) > 1:  # What ptxas says follows.
            reason += f" {lines[1].strip()}"
        raise Failure(reason)
    return result


def timed(command):
    start = time.perf_counter()
    result = run(command)
    return (time.perf_counter() - start) * 1e3, result


def read_passes(report):
    """The ms of this project's passes, which end with the check of the PTX, and of
    the pass in which LLVM runs, from the report of --mlir-timing-display=list."""
    times = collections.Counter()
    for seconds, name in re.findall(r"^ +([\d.]+) +\([ \d.]+%\)  +(.+)$", report, re.M):
        times[name.strip()] += float(seconds) * 1e3
    ours = [name for name in times if "TMem" in name and name != LLVM_PASS]
    if not ours or LLVM_PASS not in times:
        raise Failure(f"expected passes of ours and {LLVM_PASS} in the timing report")
    return sum(times[name] for name in ours), times[LLVM_PASS]


@dataclasses.dataclass
class Compiler:
    """Compiles one kernel; of `repeat` runs, the least of each time counts."""

    tools: Tools
    chip: str
    repeat: int
    folder: str

    def path(self, name):
        return os.path.join(self.folder, name)

    def compile(self, source, kind, more):
        """Writes `kind`.mlir; the ms of the process, of our passes and of LLVM."""
        options = f"chip={self.chip} format={kind} {more}"
        command = [self.tools.opt, source, "-o", self.path(f"{kind}.mlir")]
        command += [f"--pass-pipeline=builtin.module(tmem-to-cubin{{{options}}})"]
        command += ["--mlir-timing", "--mlir-timing-display=list"]
        runs = []
        for _ in range(max(self.repeat, 1)):
            wall, result = timed(command)
            runs.append((wall, *read_passes(result.stderr)))
        return map(min, zip(*runs))

    def measure(self, source, more):
        to_ptx, ours, llvm = self.compile(source, "isa", more)
        to_cubin, _, _ = self.compile(source, "bin", more)
        extract = self.tools.extract
        run([*extract, self.path("isa.mlir"), "-o", self.path("ptx")])
        run([*extract, "--cubin", self.path("bin.mlir"), "-o", self.path("cubin")])
        if not self.repeat:
            return {}
        assemble = [self.tools.ptxas, f"-arch={self.chip}", "-O3"]
        assemble += ["-o", self.path("again"), self.path("ptx")]
        assembly = min(timed(assemble)[0] for _ in range(self.repeat))
        times = {
            "passes": ours,
            "llvm": llvm,
            "ptxas": assembly,
            "without_ptxas": to_ptx,
            "with_ptxas": to_cubin,
        }
        return {key: round(value, 1) for key, value in times.items()}


def count_ptx(tools, path):
    """Loads and stores of TMEM in PTX, and registers read before their wait."""
    command = [tools.lint, "--summary", path]
    output = run(command, accepted=(0, 1)).stdout
    counts = collections.Counter()
    for number, kind in re.findall(r"^ +(\d+)  tcgen05\.(ld|st)\.", output, re.M):
        counts[kind] += int(number)
    uses = re.findall(r": error: registers .* before its wait, in (\d+) place", output)
    early = sum(map(int, uses))
    return {"ptx_loads": counts["ld"], "ptx_stores": counts["st"], "early": early}


def read_sass(text, kernel):
    """The instructions of a kernel, without what fills up its last lines."""
    section = re.search(rf"^\.text\.{kernel}:$(.*?)(?=^\.text\.|\Z)", text, re.M | re.S)
    if not section:
        raise Failure(f"expected kernel {kernel} in the cubin")
    line = r"^\s+/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)(.*)$"
    found = re.findall(line, section[1], re.M)
    while found and found[-1][0] == "NOP":
        found.pop()
    if found and found[-1][0] == "BRA":  # To itself, behind the end.
        found.pop()
    return [opcode for opcode, _ in found]


def count_sass(tools, path, kernel):
    opcodes = read_sass(run([tools.nvdisasm, "-c", path]).stdout, kernel)
    kinds = [opcode.split(".")[0] for opcode in opcodes]
    moves = [i for i, kind in enumerate(kinds) if kind in MOVES]
    if not moves:
        raise Failure("expected LDG, LDTM, STTM or STG in the SASS, but got none")
    return {
        "ldtm": kinds.count("LDTM"),
        "sttm": kinds.count("STTM"),
        "sass": len(kinds),
        "core": moves[-1] - moves[0] + 1,
    }


def read_metadata(path, kernel):
    """What ptxas reported, from the attributes of the gpu.binary."""
    text = pathlib.Path(path).read_text(encoding="utf-8", errors="replace")
    entry = re.search(rf"\b{kernel} = {{(registers = [^}}]*)}}", text)
    if not entry:
        raise Failure(f"expected what ptxas reports of kernel {kernel}")
    values = {key: int(value) for key, value in re.findall(r"(\w+) = (\d+)", entry[1])}
    spills = values["spill_stores"] + values["spill_loads"]
    return {"registers": values["registers"], "spills": spills}


def find_faults(row, reference):
    """What is worse than the figures that the kernel is held to."""
    faults = []

    def limit(what, value, most, why):
        if value > most:
            faults.append(f"{what} {value}, above {most}{why}")

    limit("spilled bytes", row["spills"], 0, "")
    limit("early reads", row["early"], 0, "")
    if times := row["ms"]:
        limit("ms of our passes", times["passes"], times["ptxas"], " of ptxas")
    if reference.issues:
        limit("LDTM", row["ldtm"], reference.issues[0], "")
        limit("STTM", row["sttm"], reference.issues[1], "")
    if reference.prototype:
        limit("core", row["core"], reference.prototype[0], " of the prototype")
        best = min(reference.peer[1], reference.prototype[1])
        most = best + REGISTER_SLACK
        limit("registers", row["registers"], most, f": the best takes {best}")
    return faults


def measure(tools, options, name):
    """A row of the table; never raises for what the kernel is to blame for."""
    reference = REFERENCES.get(name, Reference())
    more = reference.pipeline
    if options.chip != REFERENCE_CHIP:
        reference = Reference()
    row = {"kernel": name}
    try:
        with tempfile.TemporaryDirectory() as folder:
            compiler = Compiler(tools, options.chip, options.repeat, folder)
            row["ms"] = compiler.measure(options.folder / f"{name}.mlir", more)
            row |= count_ptx(tools, compiler.path("ptx"))
            row |= count_sass(tools, compiler.path("cubin"), name)
            row |= read_metadata(compiler.path("bin.mlir"), name)
    except Failure as failure:
        return {"kernel": name, "faults": [str(failure)]}
    row["reference"] = dataclasses.asdict(reference)
    row["faults"] = find_faults(row, reference)
    return row


COLUMNS = (
    ("", "kernel"),
    ("PTX", "ld/st"),
    ("SASS", "LD/STTM"),
    ("all", "SASS"),
    ("", "core"),
    ("regis-", "ters"),
    ("spilled", "bytes"),
    ("early", "reads"),
    ("our", "passes"),
    ("", "LLVM"),
    ("", "ptxas"),
    ("all,", "to PTX"),
    ("all,", "to cubin"),
    ("best peer:", "core, reg."),
    ("prototype:", "core, reg."),
)


def pair(values, separator):
    return separator.join(map(str, values)) if values else "-"


def render_row(row):
    if "core" not in row:
        return (row["kernel"],) + ("?",) * (len(COLUMNS) - 1)
    keys = ("sass", "core", "registers", "spills", "early")
    times = ("passes", "llvm", "ptxas", "without_ptxas", "with_ptxas")
    return (
        row["kernel"],
        pair((row["ptx_loads"], row["ptx_stores"]), "/"),
        pair((row["ldtm"], row["sttm"]), "/"),
        *(str(row[key]) for key in keys),
        *(str(row["ms"].get(key, "-")) for key in times),
        pair(row["reference"]["peer"], ", "),
        pair(row["reference"]["prototype"], ", "),
    )


def print_table(rows, options, release):
    times = f"ms, the least of {options.repeat}" if options.repeat else "no times"
    print(f"{options.chip}, ptxas {release}; {times}")
    lines = [*zip(*COLUMNS), *map(render_row, rows)]
    widths = [max(map(len, column)) for column in zip(*lines)]
    for line in lines:
        cells = (cell.rjust(width) for cell, width in zip(line, widths))
        print("  ".join(cells).rstrip())
    if options.chip != REFERENCE_CHIP:
        print(f"figures to compare with are known for {REFERENCE_CHIP} only")
    for row in rows:
        if remark := row.get("reference", {}).get("remark"):
            print(f"{row['kernel']}: {remark}")
    for row in rows:
        for fault in row["faults"]:
            print(f"error: {row['kernel']}: {fault}")


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kernels", nargs="*", metavar="K", help="all by default")
    parser.add_argument("--chip", default=REFERENCE_CHIP, help="default: %(default)s")
    parser.add_argument("--json", action="store_true", help="print JSON, no table")
    parser.add_argument("--repeat", type=int, default=3, metavar="N",
                        help="runs to time, 0 for no times (3)")  # fmt: skip
    parser.add_argument("--bin", metavar="DIR", help="where tmem-opt is")
    parser.add_argument("--folder", metavar="DIR", type=pathlib.Path, default=KERNELS,
                        help="where the kernels are: in K1.mlir, @K1")  # fmt: skip
    options = parser.parse_args()
    known = sorted(path.stem for path in options.folder.glob("K*.mlir"))
    if not known:
        parser.error(f"expected kernels K*.mlir in {options.folder}")
    unknown = [name for name in options.kernels if name not in known]
    if unknown:
        parser.error(f"expected {', '.join(known)}, but got {unknown[0]}")
    if options.repeat < 0:
        parser.error(f"expected 0 or more runs, but got {options.repeat}")
    options.kernels = options.kernels or known
    return options


def main():
    options = parse_options()
    try:
        tools = Tools(options)
        release = tools.ptxas_release()
    except (MissingTool, Failure) as error:
        print(f"run.py: error: {error}", file=sys.stderr)
        return 2
    rows = [measure(tools, options, name) for name in options.kernels]
    if options.json:
        result = {"chip": options.chip, "ptxas": release, "rows": rows}
        print(json.dumps(result, indent=2))
    else:
        print_table(rows, options, release)
    return 1 if any(row["faults"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
