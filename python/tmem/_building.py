# ===- _building.py - What builders of operations find out -----------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Arguments of the builders of the dialect tmem, and the types of what they make."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from typing import Any, ParamSpec, SupportsIndex, TypeVar

from . import ir
from ._checks import I32, read_integer
from ._layouts import Layout
from ._mlir_libs import _tmem
from ._mlir_libs._tmem import LayoutAttr, ScopeAttr, ViewType
from ._transfers import Plan
from ._transfers import plan as _plan

Value = ir.Value[Any]


# ===----------------------------------------------------------------------===#
# Values that are still there
# ===----------------------------------------------------------------------===#

_Parameters = ParamSpec("_Parameters")
_Built = TypeVar("_Built")


def _check_alive(arguments: Iterable[Any]) -> None:
    for argument in arguments:
        if isinstance(argument, ir.Value):
            try:
                argument.owner
            except RuntimeError:
                raise ValueError(
                    "expected a value of an operation, but got one of an operation "
                    "that has been erased"
                ) from None
        elif isinstance(argument, (list, tuple)):
            _check_alive(argument)


def takes_values(build: Callable[_Parameters, _Built]) -> Callable[_Parameters, _Built]:
    """MLIR's bindings follow values of operations that have been erased."""

    @wraps(build)
    def checked(*args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Built:
        _check_alive(args)
        _check_alive(kwargs.values())
        return build(*args, **kwargs)

    return checked


# ===----------------------------------------------------------------------===#
# Types of results
# ===----------------------------------------------------------------------===#


def get_layout(view: ViewType) -> Layout:
    """The layout of a view, as tmem.plan takes it."""
    return Layout(LayoutAttr(view.expanded_layout).text)


@takes_values
def get_vector_type(
    views: Sequence[Value],
    registers: Any = None,
    atom: Any = None,
    scope: Any = "warpgroup",
    direction: str = "load",
) -> ir.VectorType:
    """The vector that a thread holds of a tile, by the register layout or, where
    there is none, by that of the atom, or of the cheapest one.

    An atom counts with all that it says: `pack`, and the repetition counts."""
    element = ViewType(views[0].type).element_type
    registers = read_registers(views, registers)
    if registers is None:
        size = plan_views(views, scope, atom=atom, direction=direction).vector_size
    else:
        size = _tmem.vector_size(str(registers), get_tile(views))
    return ir.VectorType.get([size], element, loc=make_location(element.context))


def get_tile(views: Sequence[Value]) -> list[int]:
    """The shape of what one view holds, or both of a split transfer."""
    shape = ViewType(views[0].type).shape
    return shape if len(views) == 1 else [2, *shape]


def plan_views(
    views: Sequence[Value], scope: Any, *, atom: Any = None, **options: Any
) -> Plan:
    """The plan of a transfer of one view, or of a split one of two."""
    types = [ViewType(view.type) for view in views]
    layouts = [*map(get_layout, types)]
    return _plan(
        get_tile(views),
        layouts[0] if len(types) == 1 else layouts,
        element_type=str(types[0].element_type),
        scope=ScopeAttr(scope).text if isinstance(scope, ir.Attribute) else scope,
        atom=None if atom is None else get_atom(atom),
        **options,
    )


def get_atom(atom: Any) -> str:
    """"16x64b, x4" of that or of the attribute."""
    if not isinstance(atom, (str, ir.Attribute)):
        raise TypeError(f"atom: expected an atom such as '32x32b, x64', but got {atom!r}")
    text = str(atom).strip()
    whole = re.fullmatch(r"#tmem\.atom<(.*)>", text)
    return whole[1] if whole else text


def read_registers(views: Sequence[Value], registers: Any) -> Any:
    """A layout that is written in the notation of CuTe or Triton needs the shape of
    the tile, which its attribute does not have."""
    if registers is None or isinstance(registers, (Layout, ir.Attribute)):
        return registers
    if not isinstance(registers, str):
        raise TypeError(f"registers: expected a layout, but got {registers!r}")
    if registers.lstrip().startswith("#"):
        return ir.Attribute.parse(registers, views[0].type.context)
    return Layout(_tmem.parse_registers(registers, get_tile(views)))


def make_location(context: ir.Context) -> ir.Location:
    return ir.Location.unknown(context)


def make_view(view: ViewType, shape: Sequence[int], layout: str) -> ViewType:
    loc = make_location(view.context)
    attr = LayoutAttr.get(layout, loc)
    return ViewType.get(list(shape), view.element_type, attr, loc)


# ===----------------------------------------------------------------------===#
# Arguments
# ===----------------------------------------------------------------------===#


def read_columns(columns: SupportsIndex | Value) -> dict[str, Any]:
    if isinstance(columns, ir.Value):
        return {"columns": columns}
    return {"static_columns": read_integer("columns", columns, I32)}


_Enum = TypeVar("_Enum", bound=enum.IntEnum)


def read_kind(kinds: type[_Enum], name: Any, what: str) -> _Enum | ir.Attribute:
    """A member by the name that the dialect prints."""
    if isinstance(name, (kinds, ir.Attribute)):
        return name
    found = {str(kind): kind for kind in kinds}
    wanted = f"expected the {what} {' or '.join(found)}, but got {name!r}"
    if not isinstance(name, str):
        raise TypeError(wanted)
    if name not in found:
        raise ValueError(wanted)
    return found[name]


def read_axes(sizes: Any, axes: dict[str, SupportsIndex]) -> dict[str, int]:
    if not isinstance(sizes, (Mapping, type(None))):
        raise TypeError(
            f"sizes: expected a dict of the sizes of axes, such as {{'sizes': {sizes!r}}}, "
            f"but got {sizes!r}"
        )
    given = dict(sizes or {})
    for name in given:
        if not isinstance(name, str):
            raise TypeError(f"sizes: expected names of axes, but got {name!r}")
        if name in axes:
            raise TypeError(f"sizes: expected each axis once, but got {name!r} again")
    return {name: read_integer(name, size) for name, size in {**given, **axes}.items()}


def read_immediate(immediate: SupportsIndex | None) -> int | None:
    return None if immediate is None else read_integer("immediate", immediate)


def flatten(values: Sequence[Any]) -> list[Value]:
    """Values that stand one by one, or in one list."""
    if len(values) == 1 and not isinstance(values[0], ir.Value):
        return list(values[0])
    return list(values)
