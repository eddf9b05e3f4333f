# ===- _layouts.py - Layouts -----------------------------------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""tmem.Layout: where each element of a tile is."""

from __future__ import annotations

import operator
import re
from collections.abc import Sequence
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from ._checks import check_text, read_integer
from ._mlir_libs import _tmem


# MLIR's integers and floats of 4 to 64 bits.
_ELEMENT = re.compile(
    r"[su]?i(4|8|16|32|64)|b?f(16)|f(32|64)|f(4)E2M1FN"
    r"|f(8)(?:E5M2|E4M3|E4M3FN|E5M2FNUZ|E4M3FNUZ|E3M4|E4M3B11FNUZ|E8M0FNU)"
)

_NEEDS_SHAPE = ("cute:", "linear:", "#tmem.datapath")


def get_element_bits(element_type: str) -> int:
    """The bits of an element type such as "f32" or "i8"."""
    match = _ELEMENT.fullmatch(element_type) if isinstance(element_type, str) else None
    if not match:
        raise TypeError(f"expected an element type such as 'f32', but got {element_type!r}")
    return int(next(filter(None, match.groups())))


def read_sizes(shape: Sequence[int]) -> list[int]:
    """The extents of a tile as integers, and nothing else."""
    try:
        sizes = [operator.index(extent) for extent in shape]
    except TypeError:
        raise TypeError(f"expected a sequence of integers as a shape, but got {shape!r}") from None
    return [read_integer("shape", size) for size in sizes]


class Layout:
    """Where each element of a tile is, in Tensor Memory or in registers.

    Written as in MLIR, by the letter of a data path, or in the notation of CuTe or
    Triton; the last three need the shape of the tile, which the layout has to have
    as many elements as.

    >>> Layout("(64, 2, 64) : (1@tlane, 64@tlane, 1@tcol)")
    Layout('(64, 2, 64) : (1@tlane, 64@tlane, 1@tcol)')
    >>> Layout("#tmem.datapath<B>", shape=(64, 128)) == _
    True
    >>> Layout("cute:(64,(64,2)):(65536,(1,4194304))", shape=(64, 128))
    Layout('(64, 2, 64) : (1@tlane, 64@tlane, 1@tcol)')

    Layouts are equal when they mean the same. Raises tmem.RuleError.
    """

    def __init__(
        self, text: str, *, shape: Sequence[int] = (), element_type: str = "f32"
    ) -> None:
        if not isinstance(text, str):
            raise TypeError(f"expected the text of a layout, but got {text!r}")
        bits = get_element_bits(element_type)
        sizes = read_sizes(shape)
        if not sizes and text.lstrip().startswith(_NEEDS_SHAPE):
            raise TypeError(f"expected shape=, the shape of the tile, with the layout {text!r}")
        self._take(_tmem.parse_layout(text, sizes, bits))

    def _take(self, parsed: tuple[str, str, bool]) -> None:
        self._text, self._canonical, self._is_memory = parsed

    @classmethod
    def datapath(
        cls,
        letter: str,
        shape: Sequence[int],
        *,
        half: SupportsIndex = 0,
        element_type: str = "f32",
    ) -> Layout:
        """The layout of an accumulator by the letter of its data path, A to G."""
        check_text("letter", letter)
        layout = cls.__new__(cls)
        layout._take(
            _tmem.make_datapath(
                letter,
                read_integer("half", half),
                read_sizes(shape),
                get_element_bits(element_type),
            )
        )
        return layout

    @property
    def is_memory(self) -> bool:
        """Whether it is a layout of Tensor Memory, not of registers."""
        return self._is_memory

    def to_numpy(self, shape: Sequence[int] | None = None) -> npt.NDArray[np.int64]:
        """Where each element is, in row-major order.

        The last dimension holds (lane, column), or (warp, lane, register); before
        it stands `shape`, or the number of elements. Of replicas it is the first.

        >>> Layout("(2, 3) : (1@tlane, 1@tcol)").to_numpy((2, 3))[1, 2].tolist()
        [1, 2]
        """
        width = 2 if self._is_memory else 3
        places = np.frombuffer(_tmem.pack_places(self._text), np.int64).copy()
        places = places.reshape(-1, width)
        return places if shape is None else places.reshape(*shape, width)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Layout({self._text!r})"

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, Layout):
            return NotImplemented
        if self._canonical == other._canonical:
            return True
        # Without replicas equal layouts have equal canonical forms.
        if "*" not in self._canonical or "*" not in other._canonical:
            return False
        return bool(_tmem.is_equal(self._text, other._text))

    def __hash__(self) -> int:
        # With replicas layouts of one meaning may have several canonical forms.
        return hash(self._is_memory if "*" in self._canonical else self._canonical)
