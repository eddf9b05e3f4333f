# ===- _guards.py - Exceptions where MLIR's bindings trust -----------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Checks before what MLIR takes on trust, in the classes of MLIR's bindings."""

from __future__ import annotations

from functools import wraps
from typing import Any

from . import _interpreter, ir, passmanager  # noqa: F401
from ._checks import read_integer


def _guard_erase() -> None:
    # The class that has the methods of operations and their views.
    operation = ir.Operation.__bases__[0]
    erase = ir.Operation.erase

    @wraps(erase)
    def erase_checked(self: ir.Operation) -> None:
        op = self.operation
        if op.attached and op.parent is None:
            raise ValueError(
                "expected an operation of a block to erase, but got one that its "
                "module owns"
            )
        # What is left would use a value that is gone.
        if any(True for result in op.results for _ in result.uses):
            raise ValueError(
                f"expected an operation without uses to erase, but got {op.name} "
                "with some"
            )
        erase(self)

    operation.erase = erase_checked  # type: ignore[attr-defined]


def _guard_run() -> None:
    run = passmanager.PassManager.run

    @wraps(run)
    def run_checked(
        self: passmanager.PassManager, operation: Any
    ) -> None:
        # Passes may rely on what verifiers check.
        operation.operation.verify()
        run(self, operation)

    passmanager.PassManager.run = run_checked  # type: ignore[method-assign]


def _get_limits(type: ir.IntegerType) -> tuple[int, int]:
    """Signless integers are as one likes to read them."""
    sign = 1 << (type.width - 1) if type.width else 0
    low = 0 if type.is_unsigned else -sign
    return low, max(sign - 1, 0) if type.is_signed else (1 << type.width) - 1


def _guard_integers() -> None:
    get = ir.IntegerAttr.get

    # MLIR cuts them to the width of the type.
    @wraps(get)
    def get_checked(type: ir.Type, value: int) -> ir.IntegerAttr:
        if isinstance(type, ir.IntegerType) and isinstance(value, int):
            read_integer(str(type), value, _get_limits(type))
        return get(type, value)

    ir.IntegerAttr.get = staticmethod(get_checked)  # type: ignore[method-assign]


_guard_erase()
_guard_integers()
_guard_run()
# Defined in a function, it has no name to be found by.
ir.MLIRError.__module__, ir.MLIRError.__qualname__ = "tmem.ir", "MLIRError"
