# ===- _arguments.py - Arguments of host functions -------------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""What a host function takes, and the numpy arrays whose memory it gets."""

from __future__ import annotations

import operator
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

_FLOATS: dict[str, type[np.generic]] = {
    "f64": np.float64,
    "f32": np.float32,
    "f16": np.float16,
}
_BITS = {"i64": 64, "i32": 32, "i16": 16, "i8": 8, "index": 64, "i1": 1}
# Elements of memrefs and the arrays that fit: words for what numpy has not.
_ELEMENTS: dict[str, tuple[type[np.generic], ...]] = {
    **{name: (kind,) for name, kind in _FLOATS.items()},
    "i64": (np.int64, np.uint64),
    "i32": (np.int32, np.uint32),
    "i16": (np.int16, np.uint16),
    "i8": (np.int8, np.uint8),
    "si64": (np.int64,),
    "si32": (np.int32,),
    "si16": (np.int16,),
    "si8": (np.int8,),
    "ui64": (np.uint64,),
    "ui32": (np.uint32,),
    "ui16": (np.uint16,),
    "ui8": (np.uint8,),
    "index": (np.int64,),
    "i1": (np.bool_,),
    "bf16": (np.uint16,),
    **dict.fromkeys(
        (
            "f8E5M2",
            "f8E4M3",
            "f8E4M3FN",
            "f8E5M2FNUZ",
            "f8E4M3FNUZ",
            "f8E4M3B11FNUZ",
            "f8E3M4",
            "f8E8M0FNU",
        ),
        (np.uint8,),
    ),
}
_MEMREF = re.compile(r"memref<((?:(?:\d+|\?)x)*)(\w+)(, .*)?>")

Passed = tuple[int, list[int] | None, list[int] | None]


def _join(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + " and " + names[-1]


@dataclass(frozen=True)
class ArgumentType:
    """The type of an argument; a scalar has no shape."""

    number: int
    text: str
    name: str
    shape: tuple[int | None, ...] | None
    has_layout: bool

    @classmethod
    def read(cls, number: int, text: str) -> ArgumentType:
        """Raises ValueError for what Python cannot pass."""
        if text in _FLOATS or text in _BITS:
            return cls(number, text, text, None, False)
        match = _MEMREF.fullmatch(text)
        if match and match[2] in _ELEMENTS:
            sizes = match[1].split("x")[:-1]
            shape = tuple(None if size == "?" else int(size) for size in sizes)
            layout = match[3] or ""
            has_layout = "strided<" in layout or "affine_map<" in layout
            return cls(number, text, match[2], shape, has_layout)
        known = (
            "memrefs of " + _join(list(_ELEMENTS))
            if text.startswith("memref")
            else "memrefs and " + _join([*_FLOATS, *_BITS])
        )
        raise ValueError(f"argument {number}: expected {known}, but the program takes {text}")

    def convert(self, value: Any) -> Array:
        """The array whose memory the program gets; raises TypeError or ValueError."""
        if self.shape is not None:
            return self._check_array(value)
        if isinstance(value, np.ndarray):
            if value.ndim != 0:
                raise TypeError(self._say(self.text, f"an array of {value.shape}"))
            value = value[()]
        return self._convert_float(value) if self.name in _FLOATS else self._convert_integer(value)

    def describe(self, array: Array) -> Passed:
        """The address, the shape, and the strides in elements."""
        if self.shape is None:
            return array.ctypes.data, None, None
        strides = [stride // array.itemsize for stride in array.strides]
        return array.ctypes.data, list(array.shape), strides

    def _say(self, expected: str, got: str) -> str:
        return f"argument {self.number}: expected {expected}, but got {got}"

    def _convert_integer(self, value: Any) -> Array:
        bits = _BITS[self.name]
        try:
            # NumPy's bool has no index.
            number = operator.index(bool(value) if isinstance(value, np.bool_) else value)
        except TypeError:
            wanted = "a bool, 0 or 1" if bits == 1 else f"an integer for {self.name}"
            raise TypeError(self._say(wanted, repr(value))) from None
        if bits == 1:
            if number not in (0, 1):
                raise ValueError(self._say("a bool, 0 or 1", repr(value)))
            return np.array([number == 1])
        low, high = -(1 << (bits - 1)), (1 << bits) - 1
        if not low <= number <= high:
            raise ValueError(self._say(f"{self.name} from {low} to {high}", repr(value)))
        return np.array([number & high], f"u{bits // 8}")

    def _convert_float(self, value: Any) -> Array:
        is_number = isinstance(value, (int, float, np.integer, np.floating))
        if not is_number or isinstance(value, bool):
            raise TypeError(self._say(f"a number for {self.name}", repr(value)))
        try:
            number = float(value)
        except OverflowError:
            raise ValueError(self._say(f"a number of {self.name}", repr(value))) from None
        with np.errstate(over="ignore"):
            array = np.array([number], _FLOATS[self.name])
        if np.isinf(array[0]) and not np.isinf(value):
            raise ValueError(self._say(f"a number of {self.name}", repr(value)))
        return array

    def _check_array(self, value: Any) -> Array:
        if not isinstance(value, np.ndarray):
            raise TypeError(self._say("a numpy array", repr(value)))
        if isinstance(value, np.ma.MaskedArray):
            raise TypeError(self._say("an array without a mask", "a masked one"))
        dtypes = [np.dtype(kind) for kind in _ELEMENTS[self.name]]
        if value.dtype not in dtypes:
            expected = " or ".join(map(str, dtypes))
            raise TypeError(self._say(f"elements of {expected}", str(value.dtype)))
        assert self.shape is not None
        fits = len(self.shape) == value.ndim and all(
            extent in (None, size)
            for extent, size in zip(self.shape, value.shape, strict=True)
        )
        if not fits:
            shape = "x".join(map(str, value.shape)) or "no dimensions"
            raise ValueError(self._say(self.text, f"an array of {shape}"))
        if not value.flags.writeable:
            raise ValueError(self._say("an array that may be written", "another"))
        if not self.has_layout and not value.flags.c_contiguous:
            raise ValueError(self._say("a contiguous array", "strides"))
        self._check_strides(value)
        if not value.flags.aligned:
            raise ValueError(self._say("an array whose elements are aligned", "another"))
        return value

    def _check_strides(self, value: Array) -> None:
        if value.size == 0:
            return
        for size, stride in zip(value.shape, value.strides, strict=True):
            # Of one element there is no next one.
            if size > 1 and stride % value.itemsize:
                wanted = f"strides of whole elements, {value.itemsize} bytes each"
                raise ValueError(self._say(wanted, f"a stride of {stride} bytes"))
