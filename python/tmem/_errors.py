# ===- _errors.py - What the package raises --------------------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Exceptions. Each is a tmem.MLIRError."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .ir import MLIRError

def _reduce(error: MLIRError) -> tuple[Any, ...]:
    # Diagnostics hold places of a context, which stays where it is; their text
    # goes along.
    return MLIRError, (str(error), [])


MLIRError.__reduce__ = _reduce  # type: ignore[assignment, method-assign]

Dim3 = tuple[int, int, int]


class RuleError(MLIRError):
    """A layout, a transfer or an option that breaks a rule.

    `rule` is the rule's id, such as "V6", or ""; `notes` says what the rule is.
    """

    def __init__(self, message: str, rule: str = "", text: str = "") -> None:
        super().__init__(message, [])
        self.rule = rule
        self.notes = [f"rule {rule}: {text}"] if rule else []

    def __str__(self) -> str:
        return "\n".join([self.message, *self.notes])

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message,), {"rule": self.rule, "notes": self.notes}


@dataclass(frozen=True)
class SourceLocation:
    """A place in a source; prints as `file:line:column`."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True)
class FaultNote:
    """Another operation that matters to a fault: "allocated here"."""

    message: str
    operation: str | None
    location: SourceLocation | None


def _read_location(place: tuple[str, int, int] | None) -> SourceLocation | None:
    return None if place is None else SourceLocation(*place)


class EmulationFault(MLIRError):
    """What a kernel or its host code did and may not do.

    `message` says what; `str` adds the place, and the notes. What is not known is
    None:

    - `kind`: "kernel", "host" for host code, "interrupted", or "difference" for
      results that depend on the seed
    - `location`: a SourceLocation, and `operation`: as the source spells it
    - `kernel`: its name, `block` and `thread`: three numbers each; a fault of the
      whole block has no thread
    - `notes`: FaultNotes
    - `seed`: the order of warps that it was found in
    """

    def __init__(
        self,
        message: str,
        *,
        text: str | None = None,
        kind: str | None = None,
        operation: str | None = None,
        location: tuple[str, int, int] | None = None,
        kernel: str | None = None,
        block: Dim3 | None = None,
        thread: Dim3 | None = None,
        notes: Iterable[tuple[str, str, tuple[str, int, int] | None]] = (),
        seed: int | None = None,
    ) -> None:
        super().__init__(message, [])
        self.kind = kind or ("kernel" if kernel else "host")
        self.operation = operation or None
        self.location = _read_location(location)
        self.kernel = kernel or None
        self.block = block
        self.thread = thread
        self.notes = tuple(
            FaultNote(text, op or None, _read_location(place))
            for text, op, place in notes
        )
        self.seed = seed
        self._text = (text or message).rstrip("\n")

    def __str__(self) -> str:
        return f"seed {self.seed}: {self._text}" if self.seed else self._text

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message,), self.__dict__
