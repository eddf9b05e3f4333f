# ===- _transfers.py - Plans, explanations and pictures --------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""tmem.plan, tmem.explain and tmem.draw: what tmem-explain answers."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from . import ir
from ._checks import U32, read_integer, read_integers, read_text
from ._errors import RuleError
from ._layouts import Layout, read_sizes
from ._mlir_libs import _tmem

LayoutLike = Layout | str | ir.Attribute

# Not a tile of more dimensions.
_ELEMENT_TYPE = re.compile(r"[A-Za-z]\w*")


@dataclass(frozen=True)
class Issue:
    """One tcgen05.ld or st of each warp. Columns are 32-bit cells."""

    repeat: int
    half: int
    column: int
    registers: tuple[int, ...]


@dataclass(frozen=True)
class Plan:
    """The instructions that move a tile."""

    atom: str
    issues: tuple[Issue, ...]
    registers: Layout
    vector_size: int
    cost: dict[str, int] = field(compare=False)


@dataclass(frozen=True)
class Explanation:
    """What was chosen, and one reason for each shape that was not.

    `str` gives the report for people; `plan` is None when nothing is legal.
    """

    text: str
    plan: Plan | None
    reasons: dict[str, str]

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Drawing:
    """A picture, which Jupyter shows."""

    svg: str = field(repr=False)
    _make_page: Callable[[], str] = field(repr=False, compare=False)

    @cached_property
    def html(self) -> str:
        """A page to explore it."""
        return self._make_page()

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | pathlib.Path) -> None:
        """Writes a page to a name that ends in .html, an SVG to one in .svg."""
        path = pathlib.Path(path)
        suffix = path.suffix.lower()
        if suffix not in (".html", ".svg"):
            raise ValueError(f"expected a name ending in .svg or .html, but got {path.name!r}")
        path.write_text(self.html if suffix == ".html" else self.svg, encoding="utf-8")


def _get_text(name: str, layout: Any) -> str:
    """A layout as it is written; raises TypeError for what is none."""
    if not isinstance(layout, (Layout, str, ir.Attribute)):
        raise TypeError(f"{name}: expected a layout, but got {layout!r}")
    return str(layout)


def _describe(
    shape: Sequence[int],
    memory: LayoutLike | Sequence[LayoutLike] | None,
    registers: LayoutLike | None,
    *,
    element_type: str,
    scope: str,
    direction: str,
    atom: str | None,
    vector_size: int | None,
    warps: int | None,
    max_registers_per_issue: int,
    registers_alone: bool = False,
) -> Any:
    """The transfer as the extension has it."""
    if memory is None and not registers_alone:
        raise TypeError("memory: expected a layout, but got None")
    if not isinstance(element_type, str) or not _ELEMENT_TYPE.fullmatch(element_type):
        raise TypeError(f"expected an element type such as 'f32', but got {element_type!r}")
    if isinstance(memory, Sequence) and not isinstance(memory, str):
        if len(memory) != 2:
            raise TypeError(f"expected a memory layout or two, but got {memory!r}")
        low, high = (_get_text("memory", layout) for layout in memory)
    else:
        low, high = "" if memory is None else _get_text("memory", memory), ""
    return _tmem.Query(
        tile="x".join([*map(str, read_sizes(shape)), element_type]),
        memory=low,
        second_memory=high,
        registers="" if registers is None else _get_text("registers", registers),
        scope=read_text("scope", scope),
        direction=read_text("direction", direction),
        atoms="" if atom is None else read_text("atom", atom),
        warps=_read_count("warps", warps),
        max_registers_per_issue=read_integer(
            "max_registers_per_issue", max_registers_per_issue, U32
        ),
        vector_size=_read_count("vector_size", vector_size),
        registers_alone=registers_alone,
    )


def _read_count(name: str, value: int | None) -> int | None:
    return None if value is None else read_integer(name, value, U32)


def _make_plan(transfer: Any) -> Plan | None:
    found = transfer.plan()
    if found is None:
        return None
    name, issues, layout, size, cost = found
    costs = dict(zip(("issues", "moves", "registers"), cost, strict=True))
    return Plan(name, tuple(Issue(*i) for i in issues), Layout(layout), size, costs)


def _make_error(reasons: list[tuple[str, str, str, str]]) -> RuleError:
    """Each reason once, with the atoms that it is against; the rule, where all
    break one."""
    atoms: dict[str, list[str]] = {}
    for atom, why, *_ in reasons:
        atoms.setdefault(why, []).append(atom)
    lines = [
        f"{'every atom' if 1 < len(names) == len(reasons) else '; '.join(names)}: {why}"
        for why, names in atoms.items()
    ]
    message = "\n".join(["expected an atom that moves the tile", *lines])
    rules = {(rule, text) for *_, rule, text in reasons}
    return RuleError(message, *(rules.pop() if len(rules) == 1 else ()))


def explain(
    shape: Sequence[int],
    memory: LayoutLike | Sequence[LayoutLike],
    registers: LayoutLike | None = None,
    *,
    element_type: str = "f32",
    scope: str = "warpgroup",
    direction: str = "load",
    atom: str | None = None,
    vector_size: int | None = None,
    warps: int | None = None,
    max_registers_per_issue: int = 128,
) -> Explanation:
    """Chooses the instructions for a transfer, and says why.

    `registers` is inferred when it is left out; `atom` restricts the shapes
    ("32x32b,16x256b"), or is the one to use with its repetition counts, as
    tmem.Plan.atom has it ("32x32b, x64, x32"); two memory layouts make a split
    transfer.

    >>> answer = explain((64, 64), "#tmem.datapath<F>")
    >>> answer.plan.atom
    '16x64b, x32'
    >>> answer.reasons["16x32bx2"]
    'costs 2 issues, where 16x64b, x32 costs 1'

    Raises tmem.RuleError for what is no transfer.
    """
    transfer = _describe(
        shape,
        memory,
        registers,
        element_type=element_type,
        scope=scope,
        direction=direction,
        atom=atom,
        vector_size=vector_size,
        warps=warps,
        max_registers_per_issue=max_registers_per_issue,
    )
    reasons = {atom: why for atom, why, *_ in transfer.reasons(with_excluded=True)}
    return Explanation(transfer.text(), _make_plan(transfer), reasons)


def plan(
    shape: Sequence[int],
    memory: LayoutLike | Sequence[LayoutLike],
    registers: LayoutLike | None = None,
    *,
    element_type: str = "f32",
    scope: str = "warpgroup",
    direction: str = "load",
    atom: str | None = None,
    vector_size: int | None = None,
    warps: int | None = None,
    max_registers_per_issue: int = 128,
) -> Plan:
    """The cheapest instructions for a transfer.

    >>> found = plan((128, 96), "#tmem.datapath<D>")
    >>> [issue.repeat for issue in found.issues]
    [64, 32]
    >>> plan((128, 64), "#tmem.datapath<D>", atom="32x32b, x16").cost["issues"]
    4

    Arguments are those of tmem.explain.

    Raises tmem.RuleError where nothing is legal.
    """
    transfer = _describe(
        shape,
        memory,
        registers,
        element_type=element_type,
        scope=scope,
        direction=direction,
        atom=atom,
        vector_size=vector_size,
        warps=warps,
        max_registers_per_issue=max_registers_per_issue,
    )
    found = _make_plan(transfer)
    if found is None:
        raise _make_error(transfer.reasons(with_excluded=False))
    return found


def draw(
    shape: Sequence[int],
    memory: LayoutLike | Sequence[LayoutLike] | None = None,
    registers: LayoutLike | None = None,
    *,
    element_type: str = "f32",
    scope: str = "warpgroup",
    direction: str = "load",
    atom: str | None = None,
    vector_size: int | None = None,
    warps: int | None = None,
    max_registers_per_issue: int = 128,
    color_by: str = "element",
    mark: Sequence[int] = (),
    show: str | None = None,
) -> Drawing:
    """Draws a transfer, or with `show="memory"` or "registers" one layout.

    >>> draw((128, 96), "#tmem.datapath<D>", color_by="issue").svg[:4]
    '<svg'
    """
    if show is None:
        show = "registers" if memory is None else "transfer"
    if show not in ("transfer", "memory", "registers"):
        raise ValueError(f"expected to show transfer, memory or registers, but got {show!r}")
    marked = read_integers("mark", mark)
    color_by = read_text("color_by", color_by)
    transfer = _describe(
        shape,
        memory,
        registers,
        element_type=element_type,
        scope=scope,
        direction=direction,
        atom=atom,
        vector_size=vector_size,
        warps=warps,
        max_registers_per_issue=max_registers_per_issue,
        registers_alone=show == "registers",
    )
    svg, html = (
        partial(transfer.draw, format, color_by, marked, show)
        for format in ("svg", "html")
    )
    return Drawing(svg(), html)
