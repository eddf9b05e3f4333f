# ===- _programs.py - Compiling and running kernels ------------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""tmem.compile for GPUs, tmem.run on the emulator."""

from __future__ import annotations

import io
import re
import sys
import threading
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import ir
from ._errors import EmulationFault
from ._mlir_libs import _tmem

# The types of a host function's arguments, and the arrays that fit.
_ELEMENTS = {
    "f64": np.float64,
    "f32": np.float32,
    "f16": np.float16,
    "i64": np.int64,
    "i32": np.int32,
    "i16": np.int16,
    "i8": np.int8,
    "index": np.int64,
    "i1": np.bool_,
}
_UNSIGNED = {"i64": np.uint64, "i32": np.uint32, "i16": np.uint16, "i8": np.uint8}
_WORDS = {"bf16": np.uint16, "f8E4M3FN": np.uint8, "f8E5M2": np.uint8}
_MEMREF = re.compile(r"memref<((?:[\d?]+x)*)([\w]+)(?:,.*)?>")


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
    ptx: str | None
    cubin: bytes | None
    kernels: tuple[Kernel, ...]


def chips() -> list[str]:
    """The chips that have Tensor Memory."""
    return list(_tmem.chips())


def load(source: str) -> ir.Module:
    """A module from its text, in a context of its own; raises tmem.MLIRError."""
    with ir.Context() as context:
        module = ir.Module.parse(source, context)
    return module


def _isolate(module: ir.Module | str) -> ir.Module:
    """A copy of a module that verifies, in a context that no other thread has:
    what is made of it is made without the interpreter's lock."""
    if isinstance(module, str):
        return load(module)
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
    isolated = _isolate(module)
    binaries = _tmem.compile(isolated, chip, format == "ptx", opt_level, ptxas)
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
        self._program = _tmem.create_program(_isolate(module), chip, entry)
        self.argument_types: list[str] = self._program.argument_types

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
        if seeds < 1:
            raise ValueError(f"expected at least one seed, but got {seeds}")
        if len(arguments) != len(self.argument_types):
            raise ValueError(
                f"expected {len(self.argument_types)} arguments, but got {len(arguments)}"
            )
        pairs = zip(arguments, self.argument_types, strict=True)
        kept = [_read(n, *pair) for n, pair in enumerate(pairs)]
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

    def _run(
        self, kept: list[np.ndarray[Any, Any]], seed: int, race: bool, max_steps: int
    ) -> int:
        passed = [
            (array.ctypes.data, None, None)
            if not type.startswith("memref")
            else (
                array.ctypes.data,
                list(array.shape),
                [stride // array.itemsize for stride in array.strides],
            )
            for array, type in zip(kept, self.argument_types, strict=True)
        ]
        is_main = threading.current_thread() is threading.main_thread()
        status, value, fault = self._program.run(passed, seed, race, max_steps, is_main)
        if status == 0:
            return int(value)
        if status == 2:
            raise ValueError(fault["text"].rstrip("\n"))
        kind = "interrupted" if status == 3 else None
        raise EmulationFault(**fault, kind=kind, seed=seed)


def _restore(
    arrays: list[np.ndarray[Any, Any]], values: list[np.ndarray[Any, Any]]
) -> None:
    for array, value in zip(arrays, values, strict=True):
        array[...] = value


_Results = tuple[int, list[np.ndarray[Any, Any]]]


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


def _read_scalar(number: int, value: Any, type: str) -> np.ndarray[Any, Any]:
    """A number as an array of one element; integers may be signed or not."""
    dtype = np.dtype(_ELEMENTS.get(type, np.void))
    if dtype.kind == "V":
        raise ValueError(
            f"argument {number}: expected a type that Python can pass, but the program "
            f"takes {type}"
        )
    kinds: tuple[Any, ...] = (int, np.integer, np.bool_)
    if dtype.kind == "f":
        kinds += (float, np.floating)
    if not isinstance(value, kinds):
        raise TypeError(f"argument {number}: expected a number for {type}, but got {value!r}")
    if dtype.kind != "f":
        bits = 1 if dtype.kind == "b" else 8 * dtype.itemsize
        if not -(2**bits) // 2 <= int(value) < 2**bits:
            raise ValueError(f"argument {number}: expected {type}, but got {value}")
        data = (int(value) % 2**bits).to_bytes(dtype.itemsize, sys.byteorder)
        return np.frombuffer(bytearray(data), dtype)
    try:
        return np.array([value], dtype)
    except OverflowError:
        raise ValueError(f"argument {number}: expected {type}, but got {value}") from None


def _read(number: int, value: Any, type: str) -> np.ndarray[Any, Any]:
    """An argument as the array whose memory the program gets."""
    match = _MEMREF.fullmatch(type)
    if not match:
        return _read_scalar(number, value, type)
    name = match[2]
    dtypes = [
        np.dtype(kinds[name])
        for kinds in (_ELEMENTS, _UNSIGNED, _WORDS)
        if name in kinds
    ]
    if not isinstance(value, np.ndarray):
        raise TypeError(f"argument {number}: expected a numpy array, but got {value!r}")
    if value.dtype not in dtypes:
        expected = " or ".join(map(str, dtypes))
        raise TypeError(
            f"argument {number}: expected elements of {expected}, but got {value.dtype}"
        )
    expected_shape = match[1].rstrip("x").split("x") if match[1] else []
    fits = len(expected_shape) == value.ndim and all(
        extent in ("?", str(size))
        for extent, size in zip(expected_shape, value.shape, strict=True)
    )
    if not fits:
        shape = "x".join(map(str, value.shape))
        raise ValueError(f"argument {number}: expected {type}, but got an array of {shape}")
    if not value.flags.writeable:
        raise ValueError(f"argument {number}: expected an array that may be written")
    if "strided" not in type and not value.flags.c_contiguous:
        raise ValueError(f"argument {number}: expected a contiguous array, but got strides")
    return value


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
