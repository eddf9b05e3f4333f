# ===- _checks.py - Arguments of the right types ---------------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Arguments that native code would cut, or refuse without their names."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

#: The first and the last integer that an attribute of so many bits can have.
I32 = -(1 << 31), (1 << 31) - 1
I64 = -(1 << 63), (1 << 63) - 1
U32 = 0, (1 << 32) - 1
U64 = 0, (1 << 64) - 1


def read_integer(name: str, value: Any, limits: tuple[int, int] = I64) -> int:
    """What operator.index takes; raises TypeError for anything else, ValueError for
    what native code would cut."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: expected an integer, but got {value!r}") from None
    low, high = limits
    if not low <= number <= high:
        raise ValueError(f"{name}: expected an integer from {low} to {high}, but got {number}")
    return number


def read_integers(name: str, values: Any, limits: tuple[int, int] = I64) -> list[int]:
    """A sequence of them."""
    if isinstance(values, (str, bytes)) or not isinstance(values, (Sequence, np.ndarray)):
        raise TypeError(f"{name}: expected a sequence of integers, but got {values!r}")
    return [read_integer(name, value, limits) for value in values]


def read_bool(name: str, value: Any) -> bool:
    """True or False, of Python or of numpy, and nothing that is merely true."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}: expected a bool, but got {value!r}")
    return bool(value)


def check_text(name: str, value: Any) -> str:
    """Raises TypeError for anything but a text."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: expected a text, but got {value!r}")
    return value


def read_text(name: str, value: Any) -> str:
    """A text that says something: an empty one would be taken for one left out."""
    text = check_text(name, value)
    if not text.strip():
        raise ValueError(f"{name}: expected a text, but got an empty one")
    return text
