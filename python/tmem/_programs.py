# ===- _programs.py - Compiling and running kernels ------------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""tmem.compile for GPUs, tmem.run on the emulator."""

from __future__ import annotations

import io
import operator
import threading
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import ir
from ._arguments import ArgumentType, Array
from ._checks import U64, check_text, read_bool, read_integer
from ._errors import EmulationFault
from ._mlir_libs import _tmem


@dataclass(frozen=True)
class Kernel:
    """What ptxas says of a kernel, for each thread; shared memory for each CTA."""

    name: str
    registers: int
    spill_store_bytes: int
    spill_load_bytes: int
    stack_bytes: int
    shared_bytes: int


@dataclass(frozen=True)
class Binary:
    """A compiled gpu.module: PTX in `ptx`, or a cubin in `cubin`."""

    name: str
    ptx: str | None = field(repr=False)
    cubin: bytes | None = field(repr=False)
    kernels: tuple[Kernel, ...]


def chips() -> list[str]:
    """The chips that have Tensor Memory."""
    return list(_tmem.chips())


def load(source: str) -> ir.Module:
    """A module from its text, in a context of its own; raises tmem.MLIRError.

    The context has no threads: the module may be used in a fork of the process.
    """
    context = ir.Context()
    context.enable_multithreading(False)
    return ir.Module.parse(source, context)


def _find_index(value: Any) -> int | None:
    try:
        return operator.index(value)
    except TypeError:
        return None


def _isolate(module: ir.Module | str) -> ir.Module:
    """A copy of a module that verifies, in a context that no other thread has:
    what is made of it is made without the interpreter's lock."""
    if isinstance(module, str):
        return ir.Module.parse(module, ir.Context())
    if not isinstance(module, ir.Module):
        raise TypeError(f"expected a tmem.ir.Module or its text, but got {module!r}")
    module.operation.verify()
    copy = io.BytesIO()
    module.operation.write_bytecode(copy)
    context = ir.Context()
    context.allow_unregistered_dialects = module.context.allow_unregistered_dialects
    return ir.Module.parse(copy.getvalue(), context)


def compile(
    module: ir.Module | str,
    *,
    chip: str = "sm_100a",
    format: str = "cubin",
    opt_level: int = 3,
    ptxas: str = "",
) -> list[Binary]:
    """Compiles the kernels of a module: "ptx", which is checked, or "cubin".

    Returns one binary for each gpu.module. The module stays as it is, and other
    threads run meanwhile. Raises tmem.MLIRError with MLIR's diagnostics.
    """
    if format not in ("ptx", "cubin"):
        raise ValueError(f"expected the format ptx or cubin, but got {format!r}")
    check_text("chip", chip)
    check_text("ptxas", ptxas)
    level = None if isinstance(opt_level, bool) else _find_index(opt_level)
    if level not in (1, 2, 3):
        raise ValueError(f"expected an optimization level from 1 to 3, but got {opt_level!r}")
    isolated = _isolate(module)
    binaries = _tmem.compile(isolated, chip, format == "ptx", level, ptxas)
    return [
        Binary(
            name,
            data.decode() if is_ptx else None,
            None if is_ptx else data,
            tuple(Kernel(**kernel) for kernel in kernels),
        )
        for name, data, is_ptx, kernels in binaries
    ]


class Program:
    """A host function with its kernels, compiled for the emulator."""

    def __init__(
        self, module: ir.Module | str, *, entry: str = "main", chip: str = "sm_100a"
    ) -> None:
        check_text("entry", entry)
        check_text("chip", chip)
        self._program = _tmem.create_program(_isolate(module), chip, entry)
        self.argument_types: list[str] = self._program.argument_types
        types = enumerate(self.argument_types)
        self._arguments = [ArgumentType.read(number, text) for number, text in types]

    def __call__(
        self,
        *arguments: Any,
        seed: int = 0,
        seeds: int = 1,
        race: bool = False,
        max_steps: int = 0,
    ) -> int:
        """Runs it; returns what the function returns, or 0.

        Arrays are read and written in place. With `race` accesses that nothing
        orders are faults; another `seed` runs the warps in another order, and
        `seeds` runs as many orders from there on, all from the same arrays: one
        that leaves other results than the first is a fault, too.

        Other threads run meanwhile, but one program at a time. Ctrl-C ends a
        kernel at its next backward branch or launch. Raises tmem.EmulationFault,
        or ValueError for arguments that do not fit.
        """
        seed, max_steps = read_integer("seed", seed, U64), read_integer("max_steps", max_steps, U64)
        seeds, race = read_integer("seeds", seeds), read_bool("race", race)
        if seeds < 1:
            raise ValueError(f"expected at least one seed, but got {seeds}")
        read_integer("seeds", seed + seeds - 1, U64)
        if len(arguments) != len(self.argument_types):
            raise ValueError(
                f"expected {len(self.argument_types)} arguments, but got {len(arguments)}"
            )
        pairs = zip(self._arguments, arguments, strict=True)
        kept = [type.convert(value) for type, value in pairs]
        if seeds == 1:
            return self._run(kept, seed, race, max_steps)
        before = [array.copy() for array in kept]
        value = self._run(kept, seed, race, max_steps)
        after = [array.copy() for array in kept]
        try:
            for other in range(seed + 1, seed + seeds):
                _restore(kept, before)
                found = self._run(kept, other, race, max_steps)
                _compare((value, after), (found, kept), seed, other)
        finally:
            _restore(kept, after)
        return value

    def _run(self, kept: list[Array], seed: int, race: bool, max_steps: int) -> int:
        pairs = zip(self._arguments, kept, strict=True)
        passed = [type.describe(array) for type, array in pairs]
        is_main = threading.current_thread() is threading.main_thread()
        status, value, fault = self._program.run(passed, seed, race, max_steps, is_main)
        if status == 0:
            return int(value)
        if status == 2:
            raise ValueError(fault["text"].rstrip("\n"))
        kind = "interrupted" if status == 3 else None
        raise EmulationFault(**fault, kind=kind, seed=seed)


def _restore(arrays: list[Array], values: list[Array]) -> None:
    for array, value in zip(arrays, values, strict=True):
        array[...] = value


_Results = tuple[int, list[Array]]


def _compare(first: _Results, other: _Results, first_seed: int, seed: int) -> None:
    """Raises a fault where two orders of warps leave other bits."""

    def fail(what: str) -> None:
        message = f"expected the results of seed {first_seed} in every order, but {what}"
        raise EmulationFault(message, kind="difference", seed=seed)

    if first[0] != other[0]:
        fail(f"{other[0]} is returned, not {first[0]}")
    for number, (one, two) in enumerate(zip(first[1], other[1], strict=True)):
        if one.tobytes() == two.tobytes():
            continue
        bits = np.dtype(f"V{one.itemsize}")
        same = np.ascontiguousarray(one).view(bits) == np.ascontiguousarray(two).view(bits)
        at = tuple(int(i) for i in np.argwhere(~same)[0])
        fail(f"argument {number} has {two[at]} at {at}, not {one[at]}")


def run(
    module: ir.Module | str,
    *arguments: Any,
    entry: str = "main",
    chip: str = "sm_100a",
    seed: int = 0,
    seeds: int = 1,
    race: bool = False,
    max_steps: int = 0,
) -> int:
    """Compiles a module for the emulator and runs a host function of it.

    As tmem.Program, which compiles once to run more than once.
    """
    program = Program(module, entry=entry, chip=chip)
    return program(*arguments, seed=seed, seeds=seeds, race=race, max_steps=max_steps)
