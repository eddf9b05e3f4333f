# ===- test_numbers.py - Numbers that builders and getters take --------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Integers of every kind arrive as they are, or are refused: none is cut."""

from typing import Any

import numpy as np
import pytest
import tmem
from tmem import ir
from tmem.dialects import arith, func
from tmem.dialects import tmem as td

TOO_LARGE_32 = [2**31, 2**32 + 64, 64 - 2**32, 2**40, -(2**31) - 1]
TOO_LARGE_64 = [2**63, 2**64 + 4, 4 - 2**64, -(2**63) - 1]
NO_INTEGERS: list[Any] = ["4", 4.0, None, np.float32(4), [4], b"4", 1j]


def build(make):
    """Verifies a function that `make` fills, given a view, an address and a slot."""
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.create()
        i32 = ir.IntegerType.get_signless(32)
        space = ir.Attribute.parse("#gpu.address_space<workgroup>")
        slot = ir.MemRefType.get([1], i32, memory_space=space)
        with ir.InsertionPoint(module.body):
            function: Any = func.FuncOp("f", ([i32, slot], []))
        with ir.InsertionPoint(function.add_entry_block()):
            base, slot = function.arguments
            tile = td.ViewType.get((128, 64), ir.F32Type.get(), td.DatapathAttr.get("D"))
            make(td.view(tile, base), base, slot)
            func.ReturnOp([])
        module.operation.verify()
        return str(module)


PENDING = "!tmem.pending<vector<64xf32>>"
# The name of the argument, what takes it, a number that is right, and the rest.
ARGUMENTS: dict[str, tuple[str, Any, int, list[int]]] = {
    "alloc": ("columns", lambda v, b, s, n: td.alloc(s, n), 64, TOO_LARGE_32),
    "dealloc": ("columns", lambda v, b, s, n: td.dealloc(b, n), 64, TOO_LARGE_32),
    "alloc of a group": (
        "cta_group",
        lambda v, b, s, n: td.alloc(s, 64, cta_group=n),
        2,
        [*TOO_LARGE_32, 2**32 + 2],
    ),
    "dealloc of a group": (
        "cta_group",
        lambda v, b, s, n: td.dealloc(b, 64, cta_group=n),
        2,
        [*TOO_LARGE_32, 2**32 + 2],
    ),
    "relinquish_alloc_permit": (
        "cta_group",
        lambda v, b, s, n: td.relinquish_alloc_permit(cta_group=n),
        2,
        [*TOO_LARGE_32, 2**32 + 2],
    ),
    "buffer": (
        "alignment",
        lambda v, b, s, n: td.buffer(v.type, alignment=n),
        16,
        TOO_LARGE_64,
    ),
    "offsets": (
        "offsets",
        lambda v, b, s, n: td.subview(v, (0, n), (128, 32)),
        32,
        TOO_LARGE_64,
    ),
    "offsets of a type": (
        "offsets",
        lambda v, b, s, n: td.subview(v, (n, 0), (128, 64), result=v.type),
        0,
        TOO_LARGE_64,
    ),
    "sizes": ("sizes", lambda v, b, s, n: td.subview(v, (0, 0), (128, n)), 32, TOO_LARGE_64),
    "axes": (
        "b",
        lambda v, b, s, n: td.rearrange(v, "a (b c) -> a b c", b=n),
        4,
        TOO_LARGE_64,
    ),
    "shape": (
        "shape",
        lambda v, b, s, n: td.ViewType.get(
            (128, n), ir.F32Type.get(), td.DatapathAttr.get("D")
        ),
        64,
        TOO_LARGE_64,
    ),
    "half": ("half", lambda v, b, s, n: td.DatapathAttr.get("F", n), 1, TOO_LARGE_64),
}
for _name in ("load_split", "read_split"):
    _result = PENDING if _name == "load_split" else PENDING[14:-1]
    ARGUMENTS[_name] = (
        "immediate",
        lambda v, b, s, n, build=getattr(td, _name), result=_result: build(
            v, v, immediate=n, result=ir.Type.parse(result)
        ),
        64,
        TOO_LARGE_64,
    )
for _name in ("store_split", "write_split"):
    ARGUMENTS[_name] = (
        "immediate",
        lambda v, b, s, n, build=getattr(td, _name): build(
            td.read_split(v, v, result=ir.Type.parse("vector<64xf32>")), v, v, immediate=n
        ),
        64,
        TOO_LARGE_64,
    )


@pytest.mark.parametrize("name", ARGUMENTS)
def test_integers_of_every_kind_are_the_same(name):
    _, make, right, _ = ARGUMENTS[name]
    kinds: list[Any] = [right, np.int64(right), np.uint8(right), np.array(right)]
    texts = {build(lambda v, b, s: make(v, b, s, number)) for number in kinds}
    assert len(texts) == 1


@pytest.mark.parametrize(
    "name, number", [(name, number) for name in ARGUMENTS for number in ARGUMENTS[name][3]]
)
def test_integers_that_would_be_cut(name, number):
    argument, make, _, _ = ARGUMENTS[name]
    match = f"^{argument}: expected an integer from -.*, but got {number}$"
    with pytest.raises(ValueError, match=match):
        build(lambda v, b, s: make(v, b, s, number))


@pytest.mark.parametrize("name", ARGUMENTS)
@pytest.mark.parametrize("value", NO_INTEGERS)
def test_no_integers(name, value):
    if value is None and (name in ("buffer", "half") or "split" in name):
        pytest.skip("None leaves it out, or is refused as None")
    argument, make, _, _ = ARGUMENTS[name]
    with pytest.raises(TypeError, match=f"^{argument}: expected an integer, but got"):
        build(lambda v, b, s: make(v, b, s, value))


@pytest.mark.parametrize("columns", [0, -64, 48, 1024])
def test_numbers_of_columns_that_are_not_right_are_named(columns):
    with pytest.raises(tmem.MLIRError, match=f"but got {columns}\n"):
        build(lambda view, base, slot: td.alloc(slot, columns))


@pytest.mark.parametrize("sizes", [64, None, "12", {128, 64}])
def test_sizes_that_are_no_sequence(sizes):
    with pytest.raises(TypeError, match="^sizes: expected a sequence of integers"):
        build(lambda view, base, slot: td.subview(view, (0, 0), sizes))


@pytest.mark.parametrize("offsets", [0, None, "00"])
def test_offsets_that_are_no_sequence(offsets):
    with pytest.raises(TypeError, match="^offsets: expected a sequence of integers"):
        build(lambda view, base, slot: td.subview(view, offsets, (128, 32)))


@pytest.mark.parametrize(
    "type, low, high",
    [
        ("i32", -(2**31), 2**32 - 1),
        ("si32", -(2**31), 2**31 - 1),
        ("ui32", 0, 2**32 - 1),
        ("i1", -1, 1),
    ],
)
def test_attributes_of_integers(type, low, high):
    with ir.Context(), ir.Location.unknown():
        integer = ir.Type.parse(type)
        bits = ir.IntegerType(integer).width
        for right in (low, high, 0):
            assert (ir.IntegerAttr.get(integer, right).value - right) % 2**bits == 0
        for wrong in (low - 1, high + 1):
            with pytest.raises(ValueError, match=f"^{type}: expected .*, but got {wrong}"):
                ir.IntegerAttr.get(integer, wrong)


def test_classes_of_operations_cut_nothing():
    def make(view, base, slot):
        td.AllocOp(slot, staticColumns=2**32 + 64)

    with pytest.raises(ValueError, match=f"but got {2**32 + 64}"):
        build(make)


def test_constants_cut_nothing():
    constant: Any = arith.ConstantOp
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.create()
        i32 = ir.IntegerType.get_signless(32)
        with ir.InsertionPoint(module.body):
            assert "-1 : i32" in str(constant(i32, 2**32 - 1))
            with pytest.raises(ValueError, match=f"but got {2**32}"):
                constant(i32, 2**32)


@pytest.mark.parametrize("letter", ["DD", "", "é", "D, half = 1", "Z", "d"])
def test_letters_that_are_none_are_named(letter):
    with ir.Context(), ir.Location.unknown():
        with pytest.raises(tmem.MLIRError, match=f"a datapath from A to G, but got '{letter}'"):
            td.DatapathAttr.get(letter)
