# ===- test_ir.py - MLIR's bindings with the dialect -----------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""tmem.ir, tmem.passmanager and tmem.dialects."""

import importlib
from typing import Any

import pytest
import tmem
from tmem import ir, passmanager

VIEW = "!tmem.view<128x64xf32, #tmem.datapath<D>>"


def test_operations_are_built():
    from tmem.dialects import func
    from tmem.dialects import tmem as td

    with ir.Context(), ir.Location.unknown():
        module = ir.Module.create()
        view, i32 = ir.Type.parse(VIEW), ir.IntegerType.get_signless(32)
        vector = ir.Type.parse("vector<64xf32>")
        with ir.InsertionPoint(module.body):
            function: Any = func.FuncOp("f", ([i32], [vector]))
            block = function.add_entry_block()
        with ir.InsertionPoint(block):
            mem = td.view(view, block.arguments[0])
            row = td.read(mem)
            assert row.type == vector
            func.ReturnOp([row])
        assert module.operation.verify()
        passmanager.PassManager.parse("builtin.module(tmem-insert-waits,tmem-select-atoms)").run(
            module.operation
        )
        assert "atom(<32x32b, x64>)" in str(module)
        assert "tmem.wait_load" in str(module)


@pytest.mark.parametrize(
    "name",
    "arith builtin cf func gpu index llvm math memref nvvm scf tmem ub vector".split(),
)
def test_dialects_import(name):
    assert importlib.import_module(f"tmem.dialects.{name}")


def test_a_type_that_breaks_a_rule():
    with ir.Context(), pytest.raises(tmem.MLIRError, match="datapath|rows"):
        ir.Type.parse("!tmem.view<7x7xf32, #tmem.datapath<D>>")


def test_a_pass_that_fails():
    with ir.Context():
        module = ir.Module.parse(
            f"func.func @f(%m: {VIEW}) -> vector<64xf32> {{"
            f"  %v = tmem.read %m registers(#tmem.layout<(64, 2, 64) : (1@tid, 64@tid, 1@reg)>)"
            f" scope(warpgroup) : {VIEW} -> vector<64xf32>"
            "  return %v : vector<64xf32> }"
        )
        manager = passmanager.PassManager.parse("builtin.module(tmem-select-atoms)")
        with pytest.raises(tmem.MLIRError, match="element"):
            manager.run(module.operation)


def test_a_module_outlives_what_it_was_made_with():
    def make():
        with ir.Context():
            return ir.Module.parse("func.func private @f()")

    assert "@f" in str(make())


def test_no_context():
    with pytest.raises(Exception, match="[Cc]ontext"):
        ir.Type.parse(VIEW)


def build(make):
    """Verifies a function that `make` fills, given an address; returns its text."""
    from tmem.dialects import func

    with ir.Context(), ir.Location.unknown():
        module = ir.Module.create()
        i32 = ir.IntegerType.get_signless(32)
        with ir.InsertionPoint(module.body):
            function: Any = func.FuncOp("f", ([i32], []))
        with ir.InsertionPoint(function.add_entry_block()):
            make(function.arguments[0])
            func.ReturnOp([])
        assert module.operation.verify()
        return str(module)


def test_builders_infer_results_and_take_text():
    from tmem.dialects import tmem as td

    def make(base):
        f32 = ir.F32Type.get()
        tile = td.ViewType.get((128, 64), f32, td.DatapathAttr.get("D"))
        window = td.subview(td.view(tile, base), (0, 32), (128, 32))
        regs = tmem.Layout("(128, 32) : (1@tid, 1@reg)")
        row = td.wait_load(td.load(window, registers=regs, atom="32x32b, x32"))
        assert str(row.type) == "vector<32xf32>"
        td.wait_store(td.store(row, window, atom=td.AtomAttr.get("32x32b, x32")))
        grouped = td.rearrange(window, "(w r) c -> w r c", r=32)
        assert td.ViewType(grouped.type).shape == [4, 32, 32]
        td.write(td.read(grouped), grouped)
        td.fence("before")
        td.dealloc(base, 64)

    text = build(make)
    assert "tmem.load" in text and "cta_group" not in text


def test_builders_of_split_transfers():
    from tmem.dialects import tmem as td

    def make(base):
        f32 = ir.F32Type.get()
        places = "(4, 16, 8) : (32@tlane, 1@tlane, 1@tcol)"
        views = [
            td.view(td.ViewType.get((64, 8), f32, td.LayoutAttr.get(text)), base)
            for text in (places, places + " + (16@tlane, 8@tcol)")
        ]
        row = td.wait_load(td.load_split(*views))
        assert str(row.type) == "vector<8xf32>"
        td.wait_store(td.store_split(row, *views))
        td.write_split(td.read_split(*views), *views)

    build(make)


def test_types_and_attributes():
    from tmem.dialects import tmem as td

    with ir.Context(), ir.Location.unknown():
        view = td.ViewType(ir.Type.parse(VIEW))
        assert isinstance(ir.Type.parse(VIEW), td.ViewType)
        assert view.shape == [128, 64] and view.num_columns == 64
        assert str(view.element_type) == "f32"
        layout, expanded = view.layout, view.expanded_layout
        assert isinstance(layout, td.DatapathAttr)
        assert layout.letter == "D" and layout.half == 0
        assert isinstance(expanded, td.LayoutAttr)
        assert tmem.Layout(expanded.text) == td.get_layout(view)
        atom = td.AtomAttr.get("16x128b, x8, x2, pack")
        assert (atom.shape, atom.repeats, atom.packing) == ("16x128b", [8, 2], "pack")
        assert td.ScopeAttr.get("warp 2").text == "warp 2"
        vector = ir.Type.parse("vector<4xf32>")
        assert td.PendingType.get(vector).payload == vector
        assert str(td.TokenType.get()) == "!tmem.token"


def test_types_and_attributes_that_break_rules():
    from tmem.dialects import tmem as td

    with ir.Context(), ir.Location.unknown():
        f32, d = ir.F32Type.get(), td.DatapathAttr.get("D")
        for make in (
            lambda: td.ViewType.get((7, 7), f32, d),
            lambda: td.ViewType.get((), f32, d),
            lambda: td.DatapathAttr.get("Z"),
            lambda: td.DatapathAttr.get("DD"),
            lambda: td.AtomAttr.get("32x32b, x3"),
            lambda: td.ScopeAttr.get("warp 4"),
            lambda: td.LayoutAttr.get("(4) : (1@nowhere)"),
            lambda: td.PendingType.get(f32),
        ):
            with pytest.raises(tmem.MLIRError):
                make()
        with pytest.raises(ValueError, match="expected an attribute #tmem.atom"):
            td.AtomAttr.get("#tmem.scope<cta>")
        with pytest.raises(ValueError):
            td.ViewType(f32)
        with pytest.raises(TypeError):
            td.ViewType.get("64", f32, d)  # type: ignore[arg-type]


def test_examples_of_the_dialect():
    import doctest

    results = doctest.testmod(importlib.import_module("tmem.dialects.tmem"))
    assert results.attempted and not results.failed


def build_of_view(make):
    """As build, of a view of 128x64 f32."""
    from tmem.dialects import tmem as td

    def make_of_view(base):
        tile = td.ViewType.get((128, 64), ir.F32Type.get(), td.DatapathAttr.get("D"))
        make(td.view(tile, base), base)

    return build(make_of_view)


@pytest.mark.parametrize("value", ["no", 1, None, "True"])
def test_flags_are_bools(value):
    from tmem.dialects import tmem as td

    for name, make in {
        "exclusive": lambda view, base: td.dealloc(base, 64, exclusive=value),
        "abs": lambda view, base: td.load_reduce("minnumf", view, abs=value),
    }.items():
        with pytest.raises(TypeError, match=f"^{name}: expected a bool, but got {value!r}"):
            build_of_view(make)


def test_flags_of_numpy():
    import numpy as np
    from tmem.dialects import tmem as td

    texts = []
    for flag in (True, False, np.bool_(True), np.bool_(False)):
        exclusive: Any = flag
        texts.append(build_of_view(lambda view, base: td.dealloc(base, 64, exclusive=exclusive)))
    assert texts[:2] == texts[2:] and ["exclusive" in text for text in texts[:2]] == [True, False]


def test_kinds():
    from tmem.dialects import tmem as td

    def make(view, base):
        for kind in ("before", td.FenceKind.Before, ir.Attribute.parse("#tmem<fence_kind before>")):
            td.fence(kind)

    assert build_of_view(make).count("tmem.fence before") == 3
    kinds: list[Any] = [0, None, 1.5, ["before"]]
    for kind in kinds:
        with pytest.raises(TypeError, match="expected the fence before or after, but got"):
            build_of_view(lambda view, base: td.fence(kind))
        with pytest.raises(TypeError, match="expected the reduction minsi or .*, but got"):
            build_of_view(lambda view, base: td.load_reduce(kind, view))
    with pytest.raises(ValueError, match="expected the fence before or after, but got 'x'"):
        td.fence("x")


AXES = ["result", "loc", "ip", "sizes", "source", "pattern"]


@pytest.mark.parametrize("axis", AXES)
def test_axes_that_are_called_as_arguments(axis):
    from tmem.dialects import tmem as td

    def make(view, base):
        pattern = f"({axis} b) c -> {axis} b c"
        split = td.rearrange(view, pattern, {axis: 4})
        assert td.ViewType(split.type).shape == [4, 32, 64]
        split = td.rearrange(view, f"({axis} b) c -> {axis} b c", sizes={axis: 4}, b=32)
        assert td.ViewType(split.type).shape == [4, 32, 64]

    assert f"{axis} = 4" in build_of_view(make)


@pytest.mark.parametrize(
    "arguments, message",
    [
        (dict(result=4), "result: expected an ir.Type, or the size of an axis of this name in "),
        (dict(loc=4), "loc: expected an ir.Location, or the size of an axis"),
        (dict(ip=4), "ip: expected an ir.InsertionPoint, or the size of an axis"),
        (dict(sizes=4), "sizes: expected a dict of the sizes of axes, such as {'sizes': 4}"),
        (dict(sizes={"b": 4}, b=4), "sizes: expected each axis once, but got 'b' again"),
        (dict(sizes={4: 4}), "sizes: expected names of axes, but got 4"),
        (dict(sizes={"b": "4"}), "b: expected an integer, but got '4'"),
    ],
)
def test_axes_that_are_none(arguments, message):
    from tmem.dialects import tmem as td

    with pytest.raises(TypeError, match=f"^{message}"):
        build_of_view(lambda view, base: td.rearrange(view, "(a b) c -> a b c", **arguments))
