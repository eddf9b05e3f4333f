#!/usr/bin/env python3
# ===- gpu-suite.py - The integration tests, for a machine without LLVM -----===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Compiles what test/Integration runs into executables for an NVIDIA GPU.

usage: gpu-suite.py build DIR [--gpu-chip=sm_90] [--build-dir=build] [FILTER]
       gpu-suite.py run DIR

`build` runs the tests of test/Integration here, on the CPU, and turns each call
of tmem-run in them into an executable in DIR, beside what it printed and how it
ended. `run` needs DIR alone, and a GPU: it runs each executable and compares.
What only the CPU can do (race mode, orders, steps) or find (deadlocks, divergence,
order, shared memory) is left out, and so is what uses the tensor core.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIBRARIES = ("libtmem_cuda_runtime.so", "libtmem_print.so")
CPU_ONLY = ("--race", "--seed", "--max-steps", "--host-threads", "--on", "--emit-object")

CPU_FAULTS = re.compile(
    "deadlock|never ends|divergent|missing lanes|no thread of|is not ordered|"
    "out of bounds|shared memory|barrier|assert|trap|where there is no memory"
)

# What the device library has no counterpart of.
TENSOR_CORE = re.compile(r"tcgen05\.(mma|cp|shift|commit)\b")

# Programs that a GPU ends otherwise by its nature: file and arguments, and why.
BY_NATURE = {
    ("math.mlir",): "the approximate functions are the hardware's own",
    ("invalid-launches.mlir", "--entry=right"): "asks for all shared memory, "
    "of which the device library takes 8 bytes",
    ("printf-and-assert.mlir",): "recurses beyond the 1 KiB of stack that a "
    "thread has by default",
}

# Stands where the tests expect tmem-run: runs it, and records the call.
SHIM = """#!{python}
import json, os, subprocess, sys, time
args = sys.argv[1:]
tool = {tool!r}
ran = subprocess.run([tool, *args], capture_output=True, text=True)
record = dict(args=args, cwd=os.getcwd(), status=ran.returncode,
              stdout=ran.stdout, stderr=ran.stderr)
path = os.path.join({calls!r}, f"{{time.monotonic_ns()}}-{{os.getpid()}}.json")
with open(path, "w") as file:
    json.dump(record, file)
sys.stdout.write(ran.stdout)
sys.stdout.flush()
sys.stderr.write(ran.stderr)
sys.exit(ran.returncode)
"""


def record_calls(folder, build_dir, test_filter):
    """Runs the tests with the shim; returns the calls, oldest first."""
    calls = folder / "calls"
    shutil.rmtree(calls, ignore_errors=True)
    calls.mkdir(parents=True)
    shim = folder / "tmem-run"
    tool = build_dir / "bin" / "tmem-run"
    shim.write_text(
        SHIM.format(python=sys.executable, tool=str(tool), calls=str(calls))
    )
    shim.chmod(0o755)
    environment = dict(os.environ, TMEM_RUN=str(shim))
    lit = shutil.which("lit") or "/usr/lib/llvm-22/bin/lit"
    command = [lit, "-s", str(build_dir / "test" / "Integration")]
    if test_filter:
        command += ["--filter", test_filter]
    subprocess.run(command, env=environment, check=False)
    records = [json.loads(file.read_text()) for file in sorted(calls.iterdir())]
    shutil.rmtree(calls)
    shim.unlink()
    return records


def get_program(call):
    """The file that a call runs, or None when only the CPU can run it."""
    if any(arg.startswith(CPU_ONLY) for arg in call["args"]):
        return None
    if call["status"] == 1 and CPU_FAULTS.search(call["stderr"]):
        return None
    files = [arg for arg in call["args"] if not arg.startswith("-")]
    if len(files) != 1 or files[0] == "-":
        return None
    program = pathlib.Path(call["cwd"], files[0])
    if program.is_file() and TENSOR_CORE.search(program.read_text()):
        return None
    options = [arg for arg in call["args"] if arg.startswith("-")]
    reason = BY_NATURE.get((pathlib.Path(files[0]).name, *options))
    if reason:
        print(f"left out: {' '.join(call['args'])}: {reason}")
    return None if reason else files[0]


def compile_call(call, name, folder, build_dir, gpu_chip):
    """Makes folder/name; returns what tmem-run or the linker said against it."""
    target = folder / f"{name}.o"
    tool = build_dir / "bin" / "tmem-run"
    command = [tool, *call["args"], "--on=cuda", f"--gpu-chip={gpu_chip}"]
    made = subprocess.run(
        [*command, f"--emit-object={target}"],
        cwd=call["cwd"],
        capture_output=True,
        text=True,
        check=False,
    )
    if made.returncode:
        return made.stderr
    libraries = [folder / library for library in LIBRARIES]
    linker = ["clang-22", target, *libraries, "-Wl,-rpath,$ORIGIN", "-lm"]
    linked = subprocess.run(
        [*linker, "-o", folder / name], capture_output=True, text=True, check=False
    )
    target.unlink()
    return linked.stderr if linked.returncode else None


def build(options):
    folder, build_dir = options.dir.resolve(), options.build_dir.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for library in LIBRARIES:
        shutil.copy(build_dir / "lib" / library, folder / library)
    calls = record_calls(folder, build_dir, options.filter)
    programs, seen = [], set()
    for call in calls:
        program = get_program(call)
        key = (program, tuple(call["args"]))
        if not program or call["status"] == 2 or key in seen:
            continue
        seen.add(key)
        name = f"{pathlib.Path(program).name.replace('.', '-')}-{len(programs)}"
        error = compile_call(call, name, folder, build_dir, options.gpu_chip)
        if error:
            print(f"{name}: {error}", file=sys.stderr)
            continue
        keep = ("args", "status", "stdout", "stderr")
        programs.append(dict(name=name, **{key: call[key] for key in keep}))
        print(f"[{len(programs)}] {name}", flush=True)
    (folder / "programs.json").write_text(json.dumps(programs, indent=1))
    shutil.copy(__file__, folder / "gpu-suite.py")
    print(f"{len(programs)} programs of {len(calls)} calls")


def get_error(text):
    """The place and the operation: a GPU may meet another lane first."""
    for line in text.splitlines():
        if ": error: " in line:
            return line.split(": error: ")[0]
    return None


def compare(program, ran):
    """What is wrong with a run, or None."""
    if ran.returncode != program["status"]:
        return f"expected status {program['status']}, but got {ran.returncode}"
    if program["status"] == 0 and ran.stdout != program["stdout"]:
        return "the output differs"
    if program["status"] == 0:
        return None
    expected, got = get_error(program["stderr"]), get_error(ran.stderr)
    if expected != got:
        return f"expected the fault\n  {expected}\nbut got\n  {got}"
    return None


def run(options):
    folder = options.dir.resolve()
    programs = json.loads((folder / "programs.json").read_text())
    failed = []
    for program in programs:
        try:
            ran = subprocess.run(
                [folder / program["name"]],
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
            wrong = compare(program, ran)
        except subprocess.TimeoutExpired:
            ran, wrong = None, "no end within 60 s"
        if wrong:
            failed.append(program["name"])
            print(f"FAIL: {program['name']} {' '.join(program['args'])}: {wrong}")
            if ran and ran.stderr:
                print(ran.stderr[:600])
    print(f"{len(programs) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=("build", "run"))
    parser.add_argument("dir", type=pathlib.Path)
    parser.add_argument("filter", nargs="?")
    parser.add_argument("--gpu-chip", default="sm_90")
    parser.add_argument("--build-dir", type=pathlib.Path, default=ROOT / "build")
    options = parser.parse_intermixed_args()
    if options.command == "build":
        return build(options)
    return run(options)


if __name__ == "__main__":
    sys.exit(main())
