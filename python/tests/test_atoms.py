# ===- test_atoms.py - Atoms that are named with their counts ----------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""What builders infer of a named atom is what tmem-select-atoms wants."""

from typing import Any

import pytest
import tmem
from tmem import ir, passmanager
from tmem.dialects import func
from tmem.dialects import tmem as td


def select(columns, element, make):
    """The types of what `make` builds of a view, for which atoms can be selected."""
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.create()
        tile = td.ViewType.get((128, columns), ir.Type.parse(element), td.DatapathAttr.get("D"))
        i32 = ir.IntegerType.get_signless(32)
        with ir.InsertionPoint(module.body):
            function: Any = func.FuncOp("f", ([i32], []))
        with ir.InsertionPoint(function.add_entry_block()):
            made = make(td.view(tile, function.arguments[0]))
            types = [str(value.type) for value in made]
            func.ReturnOp([])
        module.operation.verify()
        passes = "builtin.module(tmem-insert-waits,tmem-select-atoms)"
        passmanager.PassManager.parse(passes).run(module.operation)
        return types


@pytest.mark.parametrize(
    "columns, element, atom, size",
    [
        (64, "f16", "32x32b, x64", 128),
        (64, "f16", "32x32b, x32", 128),
        (64, "f16", "32x32b, x32, pack", 64),
        (64, "f16", "16x64b, x16", 128),
        (64, "f16", "16x64b, x16, pack", 64),
        (64, "bf16", "16x128b, x16", 128),
        (64, "f16", "#tmem.atom<16x256b, x4, pack>", 64),
        (64, "f32", "32x32b, x8", 64),
        (96, "f32", "32x32b, x32", 96),
        (96, "f32", "16x256b, x4", 96),
    ],
)
def test_vectors_of_named_atoms(columns, element, atom, size):
    for build in (td.load, td.read):

        def make(view):
            value = build(view, atom=td.AtomAttr.get(atom) if "#" not in atom else atom)
            if build is td.load:
                value = td.wait_load(value)
            return [value]

        assert select(columns, element, make) == [f"vector<{size}x{element}>"]


@pytest.mark.parametrize(
    "columns, element, atom, values",
    [
        (96, "f32", None, 2),
        (96, "f32", "32x32b", 2),
        (96, "f32", "32x32b, x32", 3),
        (96, "f32", "32x32b, x64, x32", 2),
        (96, "f32", "32x32b, x64, x16", 3),
        (96, "f32", "32x32b, x2, x64", 17),
        (96, "i32", "32x32b, x8, x64", 5),
        (96, "i32", "32x32b, x2", 48),
        (64, "f32", "16x32bx2, x32", 2),
        (64, "f32", "16x32bx2, x8, x16", 4),
    ],
)
@pytest.mark.parametrize("registers", [None, "(128, {0}) : (1@tid, 1@reg)"])
def test_one_value_of_each_reduction(columns, element, atom, values, registers):
    if atom and "bx2" in atom:
        registers = None
    if registers:
        registers = registers.format(columns)

    def make(view):
        kind = "minnumf" if element == "f32" else "minsi"
        return td.wait_load(*td.load_reduce(kind, view, atom=atom, registers=registers))

    types = select(columns, element, make)
    assert types == [f"vector<{columns}x{element}>", f"vector<{values}x{element}>"]


@pytest.mark.parametrize(
    "atom", ["32x32b, x64", "32x32b, x64, x16", "16x64b, x4", "16x128b, x16, x8, x4", "16x256b, x8"]
)
def test_plans_build_from_exactly_these_counts(atom):
    columns = 128 if atom == "32x32b, x64" else 96
    if atom == "16x256b, x8":
        columns = 64
    plan = tmem.plan((128, columns), "#tmem.datapath<D>", atom=atom)
    shape, *counts = atom.split(", ")
    assert plan.atom.split(",")[0] == shape
    assert {f"x{issue.repeat}" for issue in plan.issues} <= set(counts)
    # What a plan prints, it is asked for.
    assert tmem.plan((128, columns), "#tmem.datapath<D>", atom=plan.atom) == plan


def test_plans_with_packing():
    packed = tmem.plan((128, 64), "#tmem.datapath<D>", element_type="f16", atom="16x64b, x8, pack")
    plain = tmem.plan((128, 64), "#tmem.datapath<D>", element_type="f16", atom="16x64b, x8")
    assert packed.atom == "16x64b, x8, pack" and packed.vector_size == 64
    assert plain.atom == "16x64b, x8" and plain.vector_size == 128
    assert len(plain.issues) == 2 * len(packed.issues)


def test_counts_that_do_not_fit():
    answer = tmem.explain((128, 96), "#tmem.datapath<D>", atom="32x32b, x64")
    assert answer.plan is None and "column 96" in answer.reasons["32x32b"]
    assert "expected a shape of 32x32b" in answer.reasons["16x64b"]
    options: dict[str, Any] = dict(atom="32x32b, x64", max_registers_per_issue=32)
    with pytest.raises(tmem.RuleError, match="at most 32 registers per issue, but got 64 for 32x32b.x64"):
        tmem.plan((128, 128), "#tmem.datapath<D>", **options)


@pytest.mark.parametrize(
    "atom, message",
    [
        ("32x32b, x3", "expected a power of two from x1 to x128 for 32x32b, but got x3"),
        ("16x256b, x64", "expected a power of two from x1 to x32 for 16x256b, but got x64"),
        ("32x32b, x64, x64", "expected each repetition count once, but got x64 again"),
        ("32x32b, xx", "expected a repetition count such as x4, pack or unpack, but got xx"),
        ("32x32b, x4294967300", "expected a repetition count .* but got x4294967300"),
        ("32x32b, x4, 16x64b", "expected a repetition count .* but got 16x64b"),
        ("32x32b, x4,", "expected a repetition count .* but got nothing"),
        ("32x32b, pack, x4", "expected nothing after the packing, but got x4"),
        ("32x32b, pack", "expected a repetition count, such as x4"),
        ("x4", "expected a shape of .* but got x4"),
        ("32x31b", "expected a shape of .* but got 32x31b"),
        ("32x32b,,16x64b", "expected a shape of .* but got nothing"),
    ],
)
def test_no_atoms(atom, message):
    with pytest.raises(tmem.RuleError, match=f"^atom: {message}"):
        tmem.plan((128, 64), "#tmem.datapath<D>", atom=atom)


def test_only_reasons_of_what_was_asked_for():
    with pytest.raises(tmem.RuleError) as raised:
        tmem.plan((64, 64), "#tmem.datapath<F>", atom="32x32b")
    assert str(raised.value).splitlines() == [
        "expected an atom that moves the tile",
        "32x32b: 32x32b.x1 at column 0 from element (0, 0) on would touch TMEM lane 16, "
        "column 0, which holds no element",
        "rule T3: an issue touches only cells that hold an element",
    ]
    assert raised.value.rule == "T3"


@pytest.mark.parametrize("registers", ["cute:(128,64):(1,128)", "(128, 64) : (1@tid, 1@reg)"])
def test_registers_in_other_notations(registers):
    def make(view):
        row = td.wait_load(td.load(view, registers=registers))
        td.wait_store(td.store(row, view, registers=registers))
        td.write(td.read(view, registers=tmem.Layout("(128, 64) : (1@tid, 1@reg)")), view)
        td.write(row, view, registers=registers)
        return [row, *td.wait_load(*td.load_reduce("maxnumf", view, registers=registers))]

    types = select(64, "f32", make)
    assert types == ["vector<64xf32>", "vector<64xf32>", "vector<1xf32>"]


@pytest.mark.parametrize(
    "arguments, error, message",
    [
        (dict(registers=5), TypeError, "registers: expected a layout, but got 5"),
        (dict(atom=5), TypeError, "atom: expected an atom such as '32x32b, x64', but got 5"),
        (dict(scope=5), TypeError, "scope: expected a text, but got 5"),
        (dict(scope=""), ValueError, "scope: expected a text, but got an empty one"),
        (dict(atom=""), ValueError, "atom: expected a text, but got an empty one"),
        (dict(atom="32x32b, x3"), tmem.RuleError, "expected a power of two"),
        (dict(atom="32x32b"), tmem.MLIRError, "expected a repetition count, such as x4"),
        (dict(registers="#tmem.datapath<D>"), tmem.RuleError, "the axes of a memory layout"),
        (dict(registers="(128, 64) : (1@tlane, 1@tcol)"), tmem.RuleError, "rule L5"),
        (dict(atom="#tmem.scope<cta>"), tmem.RuleError, "but got #tmem.scope<cta>"),
        (dict(registers="cute:(128,63):(1,128)"), tmem.RuleError, "expected a shape of 8064 elements"),
    ],
)
def test_what_is_no_transfer(arguments, error, message):
    with pytest.raises(error, match=message):
        select(64, "f32", lambda view: [td.load(view, **arguments)])
