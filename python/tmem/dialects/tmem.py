# ===- tmem.py - The tmem dialect -------------------------------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Operations, types and attributes of the tmem dialect.

Builders take what is usual without saying it: the scope is the warpgroup, and a
result's type follows from the operands. Layouts, atoms and scopes may be text.

>>> from tmem import ir
>>> from tmem.dialects import func
>>> from tmem.dialects import tmem as td
>>> with ir.Context(), ir.Location.unknown():
...     module = ir.Module.create()
...     f32, i32 = ir.F32Type.get(), ir.IntegerType.get_signless(32)
...     tile = td.ViewType.get((128, 64), f32, td.DatapathAttr.get("D"))
...     with ir.InsertionPoint(module.body):
...         function = func.FuncOp("f", ([i32], []))
...     with ir.InsertionPoint(function.add_entry_block()):
...         acc = td.view(tile, function.arguments[0])
...         part = td.subview(acc, (0, 32), (128, 32))
...         pending = td.load(part)
...         row = td.wait_load(pending)
...         _ = td.write(row, part, atom="32x32b, x32")
...         _ = func.ReturnOp([])
...     print(row.type)
vector<32xf32>
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import ir
from .._layouts import Layout
from .._mlir_libs import _tmem
from .._mlir_libs._tmem import (
    AtomAttr,
    DatapathAttr,
    LayoutAttr,
    PendingType,
    ScopeAttr,
    TokenType,
    ViewType,
)
from .._transfers import plan as _plan
from . import _tmem_ops_gen as _ops
from ._tmem_enum_gen import *
from ._tmem_ops_gen import *
from ._tmem_ops_gen import _Dialect

#: An offset of a window that is a value.
DYNAMIC = ir.ShapedType.get_dynamic_size()


# ===----------------------------------------------------------------------===#
# Attributes from text
# ===----------------------------------------------------------------------===#


def _location(context: ir.Context) -> ir.Location:
    return ir.Location.unknown(context)


@ir.register_attribute_builder("TMem_LayoutAttrInterface")
def _build_layout(layout: str | Layout, context: ir.Context) -> ir.Attribute:
    text = str(layout)
    if text.startswith("#"):
        return ir.Attribute.parse(text, context)
    return LayoutAttr.get(text, _location(context))


@ir.register_attribute_builder("TMem_AtomAttr")
def _build_atom(atom: str, context: ir.Context) -> ir.Attribute:
    return AtomAttr.get(atom, _location(context))


@ir.register_attribute_builder("TMem_ScopeAttr")
def _build_scope(scope: str, context: ir.Context) -> ir.Attribute:
    return ScopeAttr.get(scope, _location(context))


# ===----------------------------------------------------------------------===#
# Types of results
# ===----------------------------------------------------------------------===#


def get_layout(view: ViewType) -> Layout:
    """The layout of a view, as tmem.plan takes it."""
    return Layout(LayoutAttr(view.expanded_layout).text)


def get_vector_type(
    views: Sequence[ir.Value],
    registers: Any = None,
    atom: Any = None,
    scope: Any = "warpgroup",
    direction: str = "load",
) -> ir.VectorType:
    """The vector that a thread holds of a tile, by the register layout or, where
    there is none, by that of the atom, or of the cheapest one."""
    types = [ViewType(view.type) for view in views]
    element, shape = types[0].element_type, types[0].shape
    if registers is None:
        found = _plan(
            shape if len(types) == 1 else (2, *shape),
            get_layout(types[0]) if len(types) == 1 else [*map(get_layout, types)],
            element_type=str(element),
            scope=ScopeAttr(scope).text if isinstance(scope, ir.Attribute) else scope,
            atom=None if atom is None else _get_shape(atom),
            direction=direction,
        )
        size = found.vector_size
    else:
        text = str(registers)
        size = _tmem.vector_size(text)
    return ir.VectorType.get([size], element, loc=_location(element.context))


def _get_shape(atom: Any) -> str:
    """"16x64b" of "16x64b, x4" or of the attribute."""
    text = str(atom)
    return text.removeprefix("#tmem.atom<").rstrip(">").split(",")[0].strip()


# ===----------------------------------------------------------------------===#
# Allocation
# ===----------------------------------------------------------------------===#


def alloc(
    slot: ir.Value,
    columns: int | ir.Value,
    *,
    exclusive: bool = False,
    cta_group: int = 1,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> AllocOp:
    """tmem.alloc of a number of columns, or of a value."""
    return _ops.alloc(
        slot, exclusive=exclusive, cta_group=cta_group, loc=loc, ip=ip, **_count(columns)
    )


def dealloc(
    base: ir.Value,
    columns: int | ir.Value,
    *,
    exclusive: bool = False,
    cta_group: int = 1,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> DeallocOp:
    """tmem.dealloc of as many columns as were allocated."""
    return _ops.dealloc(
        base, exclusive=exclusive, cta_group=cta_group, loc=loc, ip=ip, **_count(columns)
    )


def _count(columns: int | ir.Value) -> dict[str, Any]:
    if isinstance(columns, int):
        return {"static_columns": columns}
    return {"columns": columns}


def fence(
    kind: str | FenceKind,
    *,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> FenceOp:
    """tmem.fence "before" or "after" a thread synchronization."""
    if isinstance(kind, str):
        kinds = {str(k): k for k in FenceKind}
        if kind not in kinds:
            raise ValueError(f"expected the fence before or after, but got {kind!r}")
        kind = kinds[kind]
    return _ops.fence(kind, loc=loc, ip=ip)


# ===----------------------------------------------------------------------===#
# Views
# ===----------------------------------------------------------------------===#


def subview(
    source: ir.Value,
    offsets: Sequence[int | ir.Value],
    sizes: Sequence[int],
    *,
    result: ir.Type | None = None,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> ir.OpResult:
    """tmem.subview: a window from numbers or values on."""
    static = [o if isinstance(o, int) else DYNAMIC for o in offsets]
    if result is None:
        view = ViewType(source.type)
        known = [o if isinstance(o, int) else 0 for o in offsets]
        layout = _tmem.slice_layout(
            LayoutAttr(view.expanded_layout).text, view.shape, known, list(sizes)
        )
        result = _get_view(view, list(sizes), layout)
    values = [o for o in offsets if not isinstance(o, int)]
    return _ops.subview(result, source, values, static, list(sizes), loc=loc, ip=ip)


def rearrange(
    source: ir.Value,
    pattern: str,
    *,
    result: ir.Type | None = None,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
    **sizes: int,
) -> ir.OpResult:
    """tmem.rearrange: `rearrange(v, "(a b) c -> a b c", b=32)`."""
    context = source.type.context
    if result is None:
        view = ViewType(source.type)
        layout, shape = _tmem.rearrange_layout(
            LayoutAttr(view.expanded_layout).text, view.shape, pattern, sizes
        )
        result = _get_view(view, shape, layout)
    i64 = ir.IntegerType.get_signless(64, context)
    attrs = {name: ir.IntegerAttr.get(i64, size) for name, size in sizes.items()}
    return _ops.rearrange(
        result, source, pattern, sizes=ir.DictAttr.get(attrs, context), loc=loc, ip=ip
    )


def _get_view(view: ViewType, shape: Sequence[int], layout: str) -> ViewType:
    loc = _location(view.context)
    attr = LayoutAttr.get(layout, loc)
    return ViewType.get(list(shape), view.element_type, attr, loc)


# ===----------------------------------------------------------------------===#
# Transfers
# ===----------------------------------------------------------------------===#


def load(
    view: ir.Value,
    *,
    registers: Any = None,
    atom: Any = None,
    scope: Any = "warpgroup",
    result: ir.Type | None = None,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> ir.OpResult:
    """tmem.load: the registers before their wait."""
    if result is None:
        vector = get_vector_type([view], registers, atom, scope)
        result = PendingType.get(vector, _location(vector.context))
    return _ops.load(
        result, view, scope, registers=registers, atom=atom, loc=loc, ip=ip
    )


def store(
    source: ir.Value,
    view: ir.Value,
    *,
    registers: Any = None,
    atom: Any = None,
    scope: Any = "warpgroup",
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> ir.OpResult:
    """tmem.store: a token to wait for."""
    return _ops.store(
        source, view, scope, registers=registers, atom=atom, loc=loc, ip=ip
    )


def read(
    view: ir.Value,
    *,
    registers: Any = None,
    atom: Any = None,
    scope: Any = "warpgroup",
    result: ir.Type | None = None,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> ir.OpResult:
    """tmem.read: the registers; a pass puts the wait."""
    if result is None:
        result = get_vector_type([view], registers, atom, scope)
    return _ops.read(
        result, view, scope, registers=registers, atom=atom, loc=loc, ip=ip
    )


def write(
    source: ir.Value,
    view: ir.Value,
    *,
    registers: Any = None,
    atom: Any = None,
    scope: Any = "warpgroup",
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> WriteOp:
    """tmem.write: a pass puts the wait."""
    return _ops.write(
        source, view, scope, registers=registers, atom=atom, loc=loc, ip=ip
    )


def load_split(
    low: ir.Value,
    high: ir.Value,
    *,
    registers: Any = None,
    atom: Any = None,
    immediate: int | None = None,
    scope: Any = "warpgroup",
    result: ir.Type | None = None,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> ir.OpResult:
    """tmem.load_split: two views at once, by 16x32bx2."""
    if result is None:
        vector = get_vector_type([low, high], registers, atom, scope)
        result = PendingType.get(vector, _location(vector.context))
    return _ops.load_split(
        result,
        low,
        high,
        scope,
        registers=registers,
        atom=atom,
        immediate=immediate,
        loc=loc,
        ip=ip,
    )


def store_split(
    source: ir.Value,
    low: ir.Value,
    high: ir.Value,
    *,
    registers: Any = None,
    atom: Any = None,
    immediate: int | None = None,
    scope: Any = "warpgroup",
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> ir.OpResult:
    """tmem.store_split: to two views at once, by 16x32bx2."""
    return _ops.store_split(
        source,
        low,
        high,
        scope,
        registers=registers,
        atom=atom,
        immediate=immediate,
        loc=loc,
        ip=ip,
    )


def read_split(
    low: ir.Value,
    high: ir.Value,
    *,
    registers: Any = None,
    atom: Any = None,
    immediate: int | None = None,
    scope: Any = "warpgroup",
    result: ir.Type | None = None,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> ir.OpResult:
    """tmem.read_split: as load_split, waited for by a pass."""
    if result is None:
        result = get_vector_type([low, high], registers, atom, scope)
    return _ops.read_split(
        result,
        low,
        high,
        scope,
        registers=registers,
        atom=atom,
        immediate=immediate,
        loc=loc,
        ip=ip,
    )


def write_split(
    source: ir.Value,
    low: ir.Value,
    high: ir.Value,
    *,
    registers: Any = None,
    atom: Any = None,
    immediate: int | None = None,
    scope: Any = "warpgroup",
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> WriteSplitOp:
    """tmem.write_split: as store_split, waited for by a pass."""
    return _ops.write_split(
        source,
        low,
        high,
        scope,
        registers=registers,
        atom=atom,
        immediate=immediate,
        loc=loc,
        ip=ip,
    )


def wait_load(
    *pending: ir.Value,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> ir.OpResult | ir.OpResultList:
    """tmem.wait_load: the vectors of one or more loads."""
    return _ops.wait_load(_flatten(pending), loc=loc, ip=ip)


def wait_store(
    *tokens: ir.Value,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> WaitStoreOp:
    """tmem.wait_store of one or more stores."""
    return _ops.wait_store(_flatten(tokens), loc=loc, ip=ip)


def _flatten(values: Sequence[Any]) -> list[ir.Value]:
    """Values that stand one by one, or in one list."""
    if len(values) == 1 and not isinstance(values[0], ir.Value):
        return list(values[0])
    return list(values)
