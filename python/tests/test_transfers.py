# ===- test_transfers.py - tmem.plan, explain and draw ---------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Plans against the native image of 32x32b, reasons, pictures."""

import xml.etree.ElementTree as ET
from typing import Any

import numpy as np
import pytest
import tmem
from hypothesis import given, settings
from hypothesis import strategies as st

ROW = "(128, {0}) : (1@tid, 1@reg)"
COLUMNS = "(128, {0}) : (1@tlane, 1@tcol)"


@given(st.integers(1, 512))
@settings(max_examples=60, deadline=None)
def test_a_row_to_a_thread_takes_as_many_issues_as_there_are_ones(columns):
    """With 32x32b.x1 to x128, register r of an issue holds column r of its row."""
    plan = tmem.plan((128, columns), COLUMNS.format(columns), ROW.format(columns))
    assert len(plan.issues) == columns // 128 + bin(columns % 128).count("1")
    columns_of = np.full(columns, -1)
    for issue in plan.issues:
        assert issue.half == 0 and len(issue.registers) == issue.repeat
        assert (columns_of[list(issue.registers)] == -1).all()
        columns_of[list(issue.registers)] = issue.column + np.arange(issue.repeat)
    np.testing.assert_array_equal(columns_of, np.arange(columns))


def test_registers_are_inferred():
    plan = tmem.plan((64, 64), tmem.Layout.datapath("F", (64, 64)))
    assert plan.atom == "16x64b, x32"
    assert plan.vector_size == 32
    places = plan.registers.to_numpy()
    assert len(np.unique(places, axis=0)) == 64 * 64


def test_a_named_shape():
    plan = tmem.plan((128, 48), "#tmem.datapath<D>", atom="16x256b")
    assert plan.atom == "16x256b, x4, x2"
    assert plan.cost["issues"] == 4


def test_a_split_transfer():
    low = "(4, 16, 8) : (32@tlane, 1@tlane, 1@tcol)"
    high = low + " + (16@tlane, 8@tcol)"
    plan = tmem.plan((2, 64, 8), (low, high))
    assert plan.atom.startswith("16x32bx2")


def test_reasons():
    answer = tmem.explain((128, 96), "#tmem.datapath<D>")
    assert answer.plan == tmem.plan((128, 96), "#tmem.datapath<D>")
    assert answer.reasons["16x64b"].startswith("costs 4 issues")
    assert str(answer).startswith("load of 128x96xf32")


def test_nothing_is_legal():
    crossed = "(2, 64, 8) : (1@tid, 2@tid, 1@reg)"
    answer = tmem.explain((128, 8), COLUMNS.format(8), crossed)
    assert answer.plan is None
    assert "element" in answer.reasons["32x32b"]
    with pytest.raises(tmem.RuleError, match="expected an atom that moves the tile"):
        tmem.plan((128, 8), COLUMNS.format(8), crossed)


@pytest.mark.parametrize(
    "options, message",
    [
        (dict(scope="warp 4"), "expected a warp from 0 to 3"),
        (dict(direction="up"), "expected load or store"),
        (dict(atom="32x31b"), "expected a shape"),
        (dict(element_type="f7"), "f7"),
        (dict(max_registers_per_issue=0), "expected 1 to 128 registers"),
        (dict(vector_size=3), "^vector_size: expected registers with vector_size, but got none"),
        (dict(warps=3), "^warps: expected scope=cta with warps, but got warpgroup"),
        (dict(max_registers_per_issue=129), "^max_registers_per_issue: expected 1 to 128"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(tmem.RuleError, match=message):
        tmem.plan((128, 8), "#tmem.datapath<D>", **options)


@pytest.mark.parametrize("shape", [(), (0, 4), (-1, 4), (2**31, 2)])
def test_bad_shapes(shape):
    with pytest.raises(tmem.RuleError):
        tmem.plan(shape, "#tmem.datapath<D>")


@pytest.mark.parametrize("shape", [128, "128x8", (None, 8)])
def test_shapes_of_wrong_types(shape):
    with pytest.raises((TypeError, ValueError, tmem.RuleError)):
        tmem.plan(shape, "#tmem.datapath<D>")


def test_a_picture(tmp_path):
    drawing = tmem.draw((128, 96), "#tmem.datapath<D>", color_by="issue", mark=(8, 70))
    root = ET.fromstring(drawing._repr_svg_())
    assert root.tag.endswith("svg")
    drawing.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text().startswith("<!DOCTYPE html>")
    drawing.save(tmp_path / "picture.svg")
    assert (tmp_path / "picture.svg").read_text() == drawing.svg


def test_a_picture_of_registers_alone():
    svg = tmem.draw((128, 8), registers=ROW.format(8)).svg
    assert ET.fromstring(svg).tag.endswith("svg")


def test_a_wrong_colour():
    with pytest.raises(tmem.RuleError, match="color_by"):
        tmem.draw((128, 8), "#tmem.datapath<D>", color_by="taste")


@pytest.mark.parametrize("name", ["x.svg", "x.SVG", "x.html", "x.HTML"])
def test_names_of_files(tmp_path, name):
    drawing = tmem.draw((128, 96), "#tmem.datapath<D>")
    drawing.save(tmp_path / name)
    text = (tmp_path / name).read_bytes().decode("utf-8")
    assert text.startswith("<svg" if "svg" in name.lower() else "<!DOCTYPE html>")


@pytest.mark.parametrize("name", ["x.png", "x", "x.svg.gz"])
def test_names_of_other_files(tmp_path, name):
    drawing = tmem.draw((128, 96), "#tmem.datapath<D>")
    with pytest.raises(ValueError, match=r"expected a name ending in \.svg or \.html"):
        drawing.save(tmp_path / name)
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("show", ["foo", "", "Memory", 5])
def test_nothing_else_is_shown(show):
    with pytest.raises(ValueError, match="expected to show transfer, memory or registers"):
        tmem.draw((128, 96), "#tmem.datapath<D>", show=show)


@pytest.mark.parametrize("shape", [(128.9, "96"), ("128", "96"), (128.0, 96), "12"])
def test_extents_are_integers(shape):
    with pytest.raises(TypeError, match="expected a sequence of integers as a shape"):
        tmem.plan(shape, "#tmem.datapath<D>")


def test_extents_of_numpy():
    shape: Any = np.array([128, 96])
    assert tmem.plan(shape, "#tmem.datapath<D>").atom == "32x32b, x64, x32"


def test_no_element_type():
    nothing: Any = None
    with pytest.raises(TypeError, match="expected an element type"):
        tmem.plan((128, 96), "#tmem.datapath<D>", element_type=nothing)


def test_the_text_of_a_drawing_is_short():
    assert repr(tmem.draw((64, 128), "#tmem.datapath<B>")) == "Drawing()"


@pytest.mark.parametrize("name", ["96xf32", "x", "4xf32", "", " f32", "f32 ", "f32x", "8x16xbf16"])
def test_element_types_are_no_tiles(name):
    with pytest.raises((TypeError, tmem.RuleError), match="expected an element type"):
        tmem.plan((128,), "#tmem.datapath<D>", element_type=name)


@pytest.mark.parametrize("ask", [tmem.plan, tmem.explain, tmem.draw])
@pytest.mark.parametrize("name", ["scope", "direction", "atom"])
@pytest.mark.parametrize("text", ["", "  ", 5, b"cta"])
def test_texts_that_say_nothing(ask, name, text):
    error = ValueError if isinstance(text, str) else TypeError
    with pytest.raises(error, match=f"^{name}: expected a text, but got"):
        ask((128, 96), "#tmem.datapath<D>", **{name: text})


@pytest.mark.parametrize("ask", [tmem.plan, tmem.explain, tmem.draw])
@pytest.mark.parametrize(
    "arguments, error, message",
    [
        (dict(warps=-1), ValueError, "^warps: expected an integer from 0 to .*, but got -1$"),
        (dict(warps=2**32 + 4), ValueError, "^warps: .* but got 4294967300$"),
        (dict(warps="8"), TypeError, "^warps: expected an integer, but got '8'"),
        (dict(warps=8.0), TypeError, "^warps: expected an integer, but got 8.0"),
        (dict(vector_size=2**32 + 96), ValueError, "^vector_size: .* but got 4294967392$"),
        (dict(vector_size=np.float32(9.5)), TypeError, "^vector_size: expected an integer"),
        (dict(max_registers_per_issue=2**32 + 64), ValueError, "^max_registers_per_issue: "),
        (dict(max_registers_per_issue="64"), TypeError, "^max_registers_per_issue: "),
    ],
)
def test_numbers_that_would_be_cut(ask, arguments, error, message):
    with pytest.raises(error, match=message):
        ask((128, 96), "#tmem.datapath<D>", scope="cta", **arguments)


@pytest.mark.parametrize("mark", [8, "8", ("8", 70), (8.5, 70), (2**64, 0), None])
def test_marks_are_integers(mark):
    with pytest.raises((TypeError, ValueError), match="^mark: expected"):
        tmem.draw((128, 96), "#tmem.datapath<D>", mark=mark)


def test_integers_of_numpy():
    size: Any = np.int64(8)
    options: dict[str, Any] = dict(scope="cta", warps=size, max_registers_per_issue=size)
    plan = tmem.plan((128, 96), "#tmem.datapath<D>", **options)
    assert plan.vector_size == 48 and {issue.repeat for issue in plan.issues} == {8}


def test_a_picture_of_a_cta_of_8_warps():
    tile = (128, 96), "#tmem.datapath<D>"
    plan = tmem.plan(*tile, scope="cta", warps=8)
    options: dict[str, Any] = dict(scope="cta", color_by="warp")
    drawing = tmem.draw(*tile, warps=8, **options)
    assert "warp 7" in drawing.svg
    assert drawing.svg == tmem.draw(*tile, plan.registers, **options).svg
    assert "warp 7" not in tmem.draw(*tile, **options).svg


def test_a_picture_of_small_instructions():
    tile = (128, 96), "#tmem.datapath<D>"
    small = tmem.draw(*tile, color_by="issue", max_registers_per_issue=16).svg
    assert small == tmem.draw(*tile, color_by="issue", atom="32x32b, x16").svg
    assert small != tmem.draw(*tile, color_by="issue").svg
    registers = "(128, 96) : (1@tid, 1@reg)"
    longer = tmem.explain(*tile, registers, vector_size=100)
    assert "100 elements a thread" in str(longer)
    assert tmem.draw(*tile, registers, vector_size=100).svg.startswith("<svg")
