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

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex, cast, overload

from .. import _building, _checks, ir
from .._building import get_layout as get_layout, get_vector_type as get_vector_type
from .._layouts import Layout
from .._mlir_libs import _tmem
from .._mlir_libs._tmem import (
    AtomAttr as AtomAttr,
    DatapathAttr as DatapathAttr,
    LayoutAttr as LayoutAttr,
    PendingType as PendingType,
    ScopeAttr as ScopeAttr,
    TokenType as TokenType,
    ViewType as ViewType,
)
from . import _tmem_ops_gen as _ops
from ._tmem_enum_gen import Datapath as Datapath
from ._tmem_enum_gen import FenceKind as FenceKind
from ._tmem_enum_gen import ReduceKind as ReduceKind
from ._tmem_ops_gen import (
    _Dialect as _Dialect,
    AllocOp as AllocOp,
    BufferOp as BufferOp,
    DeallocOp as DeallocOp,
    FenceOp as FenceOp,
    LoadOp as LoadOp,
    LoadReduceOp as LoadReduceOp,
    LoadSplitOp as LoadSplitOp,
    ReadOp as ReadOp,
    ReadSplitOp as ReadSplitOp,
    RearrangeOp as RearrangeOp,
    RelinquishAllocPermitOp as RelinquishAllocPermitOp,
    StoreOp as StoreOp,
    StoreSplitOp as StoreSplitOp,
    SubviewOp as SubviewOp,
    ViewOp as ViewOp,
    WaitLoadOp as WaitLoadOp,
    WaitStoreOp as WaitStoreOp,
    WriteOp as WriteOp,
    WriteSplitOp as WriteSplitOp,
)

if not TYPE_CHECKING:
    # Builders that nothing below replaces; a checker would take them for all.
    from ._tmem_enum_gen import *
    from ._tmem_ops_gen import *

_Value = ir.Value[Any]
_Result = ir.OpResult[Any]

#: An offset of a window that is a value.
DYNAMIC = ir.ShapedType.get_dynamic_size()


# ===----------------------------------------------------------------------===#
# Attributes from text
# ===----------------------------------------------------------------------===#


@ir.register_attribute_builder("TMem_LayoutAttrInterface")  # type: ignore[no-untyped-call, untyped-decorator]
def _build_layout(layout: str | Layout, context: ir.Context) -> ir.Attribute:
    text = str(layout)
    if text.startswith("#"):
        return ir.Attribute.parse(text, context)
    return LayoutAttr.get(text, _building.make_location(context))


@ir.register_attribute_builder("TMem_AtomAttr")  # type: ignore[no-untyped-call, untyped-decorator]
def _build_atom(atom: str, context: ir.Context) -> ir.Attribute:
    return AtomAttr.get(atom, _building.make_location(context))


@ir.register_attribute_builder("TMem_ScopeAttr")  # type: ignore[no-untyped-call, untyped-decorator]
def _build_scope(scope: str, context: ir.Context) -> ir.Attribute:
    return ScopeAttr.get(scope, _building.make_location(context))


# ===----------------------------------------------------------------------===#
# Allocation
# ===----------------------------------------------------------------------===#


@_building.takes_values
def alloc(
    slot: _Value,
    columns: SupportsIndex | _Value,
    *,
    exclusive: bool = False,
    cta_group: SupportsIndex = 1,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> AllocOp:
    """tmem.alloc of a number of columns, or of a value."""
    return _ops.alloc(
        slot,
        exclusive=_checks.read_bool("exclusive", exclusive),
        cta_group=_checks.read_integer("cta_group", cta_group, _checks.I32),
        loc=loc,
        ip=ip,
        **_building.read_columns(columns),
    )


@_building.takes_values
def dealloc(
    base: _Value,
    columns: SupportsIndex | _Value,
    *,
    exclusive: bool = False,
    cta_group: SupportsIndex = 1,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> DeallocOp:
    """tmem.dealloc of as many columns as were allocated."""
    return _ops.dealloc(
        base,
        exclusive=_checks.read_bool("exclusive", exclusive),
        cta_group=_checks.read_integer("cta_group", cta_group, _checks.I32),
        loc=loc,
        ip=ip,
        **_building.read_columns(columns),
    )


def buffer(
    view: ir.Type,
    *,
    alignment: SupportsIndex | None = None,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> _Result:
    """tmem.buffer: a tile whose columns a pass finds."""
    if alignment is not None:
        alignment = _checks.read_integer("alignment", alignment)
    return _ops.buffer(view, alignment=alignment, loc=loc, ip=ip)


def relinquish_alloc_permit(
    *,
    cta_group: SupportsIndex = 1,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> RelinquishAllocPermitOp:
    """tmem.relinquish_alloc_permit: the CTA allocates no more."""
    group = _checks.read_integer("cta_group", cta_group, _checks.I32)
    return _ops.relinquish_alloc_permit(cta_group=group, loc=loc, ip=ip)


def fence(
    kind: str | FenceKind | ir.Attribute,
    *,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> FenceOp:
    """tmem.fence "before" or "after" a thread synchronization."""
    return _ops.fence(_building.read_kind(FenceKind, kind, "fence"), loc=loc, ip=ip)


# ===----------------------------------------------------------------------===#
# Views
# ===----------------------------------------------------------------------===#


@_building.takes_values
def view(
    view: ir.Type,
    base: _Value,
    *,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> _Result:
    """tmem.view: declares a view at an address."""
    return _ops.view(view, base, loc=loc, ip=ip)


@_building.takes_values
def subview(
    source: _Value,
    offsets: Sequence[SupportsIndex | _Value],
    sizes: Sequence[SupportsIndex],
    *,
    result: ir.Type | None = None,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> _Result:
    """tmem.subview: a window from numbers or values on."""
    if isinstance(offsets, str) or not isinstance(offsets, Iterable):
        raise TypeError(f"offsets: expected a sequence of integers and values, but got {offsets!r}")
    values = [offset for offset in offsets if isinstance(offset, ir.Value)]
    known = [
        None if isinstance(offset, ir.Value) else _checks.read_integer("offsets", offset)
        for offset in offsets
    ]
    extents = _checks.read_integers("sizes", sizes)
    if result is None:
        view = ViewType(source.type)
        layout = _tmem.slice_layout(
            LayoutAttr(view.expanded_layout).text,
            view.shape,
            [offset or 0 for offset in known],
            extents,
        )
        result = _building.make_view(view, extents, layout)
    static = [DYNAMIC if offset is None else offset for offset in known]
    return _ops.subview(result, source, values, static, extents, loc=loc, ip=ip)


@_building.takes_values
def rearrange(
    source: _Value,
    pattern: str,
    sizes: Mapping[str, SupportsIndex] | None = None,
    *,
    result: ir.Type | None = None,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
    **axes: SupportsIndex,
) -> _Result:
    """tmem.rearrange: `rearrange(v, "(a b) c -> a b c", b=32)`, or `{"b": 32}` for
    axes whose names are those of arguments."""
    context = source.type.context
    numbers = _building.read_axes(sizes, axes)
    for name, value, kind in (
        ("result", result, ir.Type),
        ("loc", loc, ir.Location),
        ("ip", ip, ir.InsertionPoint),
    ):
        if value is not None and not isinstance(value, kind):
            raise TypeError(
                f"{name}: expected an ir.{kind.__name__}, or the size of an axis of this "
                f"name in sizes={{{name!r}: {value!r}}}, but got {value!r}"
            )
    if result is None:
        view = ViewType(source.type)
        layout, shape = _tmem.rearrange_layout(
            LayoutAttr(view.expanded_layout).text, view.shape, pattern, numbers
        )
        result = _building.make_view(view, shape, layout)
    i64 = ir.IntegerType.get_signless(64, context)
    attrs = {name: ir.IntegerAttr.get(i64, size) for name, size in numbers.items()}
    return _ops.rearrange(
        result, source, pattern, sizes=ir.DictAttr.get(attrs, context), loc=loc, ip=ip
    )


# ===----------------------------------------------------------------------===#
# Transfers
# ===----------------------------------------------------------------------===#


@_building.takes_values
def load(
    view: _Value,
    *,
    registers: Any = None,
    atom: Any = None,
    scope: Any = "warpgroup",
    result: ir.Type | None = None,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> _Result:
    """tmem.load: the registers before their wait."""
    registers = _building.read_registers([view], registers)
    if result is None:
        vector = get_vector_type([view], registers, atom, scope)
        result = PendingType.get(vector, _building.make_location(vector.context))
    return _ops.load(
        result, view, scope, registers=registers, atom=atom, loc=loc, ip=ip
    )


@_building.takes_values
def load_reduce(
    kind: str | ReduceKind | ir.Attribute,
    view: _Value,
    *,
    abs: bool = False,
    registers: Any = None,
    atom: Any = None,
    scope: Any = "warpgroup",
    result: ir.Type | None = None,
    reduced: ir.Type | None = None,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> ir.OpResultList:
    """tmem.load_reduce: the registers, and the "minsi", "maxnumf", ... of each
    instruction's, before their wait. Chooses the atom."""
    found = _building.read_kind(ReduceKind, kind, "reduction")
    text = "32x32b" if atom is None else _building.get_atom(atom)
    registers = _building.read_registers([view], registers)
    plan = _building.plan_views([view], scope, registers=registers, atom=text)
    element = ViewType(view.type).element_type
    loc_of_types = _building.make_location(element.context)

    def make_type(size: int) -> PendingType:
        vector = ir.VectorType.get([size], element, loc=loc_of_types)
        return PendingType.get(vector, loc_of_types)

    return _ops.load_reduce(
        result or make_type(plan.vector_size),
        reduced or make_type(len(plan.issues)),
        found,
        view,
        scope,
        abs=_checks.read_bool("abs", abs),
        registers=registers,
        atom=atom if "," in text else plan.atom,
        loc=loc,
        ip=ip,
    )


@_building.takes_values
def store(
    source: _Value,
    view: _Value,
    *,
    registers: Any = None,
    atom: Any = None,
    scope: Any = "warpgroup",
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> _Result:
    """tmem.store: a token to wait for."""
    registers = _building.read_registers([view], registers)
    return _ops.store(
        source, view, scope, registers=registers, atom=atom, loc=loc, ip=ip
    )


@_building.takes_values
def read(
    view: _Value,
    *,
    registers: Any = None,
    atom: Any = None,
    scope: Any = "warpgroup",
    result: ir.Type | None = None,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> _Result:
    """tmem.read: the registers; a pass puts the wait."""
    registers = _building.read_registers([view], registers)
    if result is None:
        result = get_vector_type([view], registers, atom, scope)
    return _ops.read(
        result, view, scope, registers=registers, atom=atom, loc=loc, ip=ip
    )


@_building.takes_values
def write(
    source: _Value,
    view: _Value,
    *,
    registers: Any = None,
    atom: Any = None,
    scope: Any = "warpgroup",
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> WriteOp:
    """tmem.write: a pass puts the wait."""
    registers = _building.read_registers([view], registers)
    return _ops.write(
        source, view, scope, registers=registers, atom=atom, loc=loc, ip=ip
    )


@_building.takes_values
def load_split(
    low: _Value,
    high: _Value,
    *,
    registers: Any = None,
    atom: Any = None,
    immediate: SupportsIndex | None = None,
    scope: Any = "warpgroup",
    result: ir.Type | None = None,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> _Result:
    """tmem.load_split: two views at once, by 16x32bx2."""
    registers = _building.read_registers([low, high], registers)
    if result is None:
        vector = get_vector_type([low, high], registers, atom, scope)
        result = PendingType.get(vector, _building.make_location(vector.context))
    return _ops.load_split(
        result,
        low,
        high,
        scope,
        registers=registers,
        atom=atom,
        immediate=_building.read_immediate(immediate),
        loc=loc,
        ip=ip,
    )


@_building.takes_values
def store_split(
    source: _Value,
    low: _Value,
    high: _Value,
    *,
    registers: Any = None,
    atom: Any = None,
    immediate: SupportsIndex | None = None,
    scope: Any = "warpgroup",
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> _Result:
    """tmem.store_split: to two views at once, by 16x32bx2."""
    registers = _building.read_registers([low, high], registers)
    return _ops.store_split(
        source,
        low,
        high,
        scope,
        registers=registers,
        atom=atom,
        immediate=_building.read_immediate(immediate),
        loc=loc,
        ip=ip,
    )


@_building.takes_values
def read_split(
    low: _Value,
    high: _Value,
    *,
    registers: Any = None,
    atom: Any = None,
    immediate: SupportsIndex | None = None,
    scope: Any = "warpgroup",
    result: ir.Type | None = None,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> _Result:
    """tmem.read_split: as load_split, waited for by a pass."""
    registers = _building.read_registers([low, high], registers)
    if result is None:
        result = get_vector_type([low, high], registers, atom, scope)
    return _ops.read_split(
        result,
        low,
        high,
        scope,
        registers=registers,
        atom=atom,
        immediate=_building.read_immediate(immediate),
        loc=loc,
        ip=ip,
    )


@_building.takes_values
def write_split(
    source: _Value,
    low: _Value,
    high: _Value,
    *,
    registers: Any = None,
    atom: Any = None,
    immediate: SupportsIndex | None = None,
    scope: Any = "warpgroup",
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> WriteSplitOp:
    """tmem.write_split: as store_split, waited for by a pass."""
    registers = _building.read_registers([low, high], registers)
    return _ops.write_split(
        source,
        low,
        high,
        scope,
        registers=registers,
        atom=atom,
        immediate=_building.read_immediate(immediate),
        loc=loc,
        ip=ip,
    )


@overload
def wait_load(
    pending: _Value,
    /,
    *,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> _Result: ...
@overload
def wait_load(
    first: _Value,
    second: _Value,
    /,
    *more: _Value,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> ir.OpResultList: ...
@overload
def wait_load(
    pending: Sequence[_Value],
    /,
    *,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> _Result | ir.OpResultList: ...
@_building.takes_values
def wait_load(
    *pending: Any,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> _Result | ir.OpResultList:
    """tmem.wait_load: the vectors of one or more loads."""
    vectors = _ops.wait_load(_building.flatten(pending), loc=loc, ip=ip)
    return cast("_Result | ir.OpResultList", vectors)


@_building.takes_values
def wait_store(
    *tokens: _Value | Sequence[_Value],
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> WaitStoreOp:
    """tmem.wait_store of one or more stores."""
    return _ops.wait_store(_building.flatten(tokens), loc=loc, ip=ip)
