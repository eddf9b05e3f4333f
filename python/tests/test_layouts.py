# ===- test_layouts.py - tmem.Layout ---------------------------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Layouts against an enumeration of their text in Python alone."""

import itertools
import math
import re
from typing import Any

import numpy as np
import pytest
import tmem
from hypothesis import given, settings
from hypothesis import strategies as st

MODE = re.compile(r"(-?\d+)@(\w+)")


def enumerate_places(text):
    """(lane, column) or (warp, lane, register) of each element, by definition."""
    extents, rest = text.split(" : ")
    extents = [int(n) for n in re.findall(r"\d+", extents)]
    strides, _, offsets = rest.partition(" + ")
    strides = [(int(n), axis) for n, axis in MODE.findall(strides)]
    offsets = [(int(n), axis) for n, axis in MODE.findall(offsets)]
    places = []
    for digits in itertools.product(*map(range, extents)):
        at = dict.fromkeys(["tlane", "tcol", "warp", "lane", "reg", "tid"], 0)
        for digit, (stride, axis) in zip(digits, strides, strict=True):
            at[axis] += digit * stride
        for value, axis in offsets:
            at[axis] += value
        if "tlane" in text or "tcol" in text:
            places.append([at["tlane"], at["tcol"]])
        else:
            tid = at["tid"]
            places.append([at["warp"] + tid // 32, at["lane"] + tid % 32, at["reg"]])
    return np.array(places)


@st.composite
def layout_texts(draw, axes):
    extents = draw(st.lists(st.integers(1, 6), min_size=1, max_size=4))
    modes = [
        f"{draw(st.integers(0, 40))}@{draw(st.sampled_from(axes))}" for _ in extents
    ]
    text = f"({', '.join(map(str, extents))}) : ({', '.join(modes)})"
    if draw(st.booleans()):
        text += f" + ({draw(st.integers(1, 9))}@{draw(st.sampled_from(axes))})"
    return text


ANY_LAYOUT = st.one_of(
    layout_texts(["tlane", "tcol"]),
    layout_texts(["warp", "lane", "reg"]),
    layout_texts(["tid", "reg"]),
)


@given(ANY_LAYOUT)
@settings(max_examples=300, deadline=None)
def test_places_are_those_of_the_definition(text):
    np.testing.assert_array_equal(tmem.Layout(text).to_numpy(), enumerate_places(text))


@given(ANY_LAYOUT, ANY_LAYOUT)
@settings(max_examples=300, deadline=None)
def test_equal_exactly_when_the_places_are(left, right):
    a, b = tmem.Layout(left), tmem.Layout(right)
    if a.is_memory != b.is_memory:
        return
    same = np.array_equal(enumerate_places(left), enumerate_places(right))
    assert (a == b) == same
    assert not same or hash(a) == hash(b)


@given(ANY_LAYOUT)
@settings(max_examples=100, deadline=None)
def test_a_mode_split_in_two_means_the_same(text):
    extents, rest = text.split(" : ")
    first = int(re.findall(r"\d+", extents)[0])
    split = text.replace(f"({first}", f"({first}, 1", 1)
    stride = MODE.search(rest)
    assert stride
    split = split.replace(f": ({stride[0]}", f": ({stride[0]}, 0@{stride[2]}", 1)
    assert tmem.Layout(split) == tmem.Layout(text)


def test_prints_as_it_is_read():
    text = "(64, 2, 64) : (1@tid, 64@tid, 1@reg)"
    layout = tmem.Layout(f"#tmem.layout<{text}>")
    assert str(layout) == text
    assert repr(layout) == f"Layout('{text}')"
    assert not layout.is_memory


@pytest.mark.parametrize("letter, rows", list(zip("ABCDEFG", [128, 64, 64, 128, 64, 64, 32])))
def test_datapaths_are_one_to_one(letter, rows):
    places = tmem.Layout.datapath(letter, (rows, 64)).to_numpy((rows, 64))
    assert places.shape == (rows, 64, 2)
    assert len(np.unique(places.reshape(-1, 2), axis=0)) == rows * 64


def test_the_upper_half_is_16_lanes_on():
    low, high = (tmem.Layout.datapath("F", (64, 8), half=h).to_numpy() for h in (0, 1))
    np.testing.assert_array_equal(high - low, np.tile([16, 0], (512, 1)))


def test_other_notations():
    memory = tmem.Layout("cute:(64,(64,2)):(65536,(1,4194304))", shape=(64, 128))
    assert memory == tmem.Layout.datapath("B", (64, 128))
    registers = tmem.Layout("cute:((64,2),64):((1,4096),64)", shape=(64, 128))
    assert registers == tmem.Layout("(64, 2, 64) : (1@tid, 64@tid, 1@reg)")


@pytest.mark.parametrize(
    "text, rule, message",
    [
        ("(0) : (1@tlane)", "L1", "extent"),
        ("(64, 64) : (1@tlane)", "L2", "strides"),
        ("(65536, 65536) : (1@tlane, 1@tcol)", "L3", "2^31"),
        ("(4, 4) : (1@tlane, 1@reg)", "L5", "axes"),
        ("#tmem.datapath<F, half = 2>", "D3", "half"),
    ],
)
def test_what_breaks_a_rule(text, rule, message):
    with pytest.raises(tmem.RuleError, match=re.escape(message)) as error:
        tmem.Layout(text, shape=(64, 64))
    assert error.value.rule == rule
    assert error.value.notes[0].startswith(f"rule {rule}: ")
    assert isinstance(error.value, tmem.MLIRError)


@pytest.mark.parametrize("text", ["", "(", "(4) : (1@nowhere)", "\0", "(4)" * 1000])
def test_what_is_no_layout(text):
    with pytest.raises(tmem.RuleError):
        tmem.Layout(text)


@pytest.mark.parametrize("value", [None, 4, b"(4) : (1@tlane)", ["(4) : (1@tlane)"]])
def test_wrong_types(value):
    with pytest.raises(TypeError, match="expected the text of a layout"):
        tmem.Layout(value)


@pytest.mark.parametrize("text", ["cute:(64,64):(65536,1)", "linear:{row = []}", "#tmem.datapath<B>"])
def test_notations_that_need_the_shape_of_the_tile(text):
    with pytest.raises(TypeError, match="expected shape=, the shape of the tile, with the layout"):
        tmem.Layout(text)


def test_a_wrong_shape():
    layout = tmem.Layout("(4, 4) : (1@tlane, 1@tcol)")
    with pytest.raises(ValueError):
        layout.to_numpy((5, 5))
    assert math.prod(layout.to_numpy().shape) == 32


@pytest.mark.parametrize(
    "left, right, same",
    [
        ("(4) : (1@tlane) * (4 : 32@tlane)", "(4) : (1@tlane) * (2 : 64@tlane, 2 : 32@tlane)", True),
        ("(4) : (1@tlane) * (2 : 3@tlane, 3 : 1@tlane)", "(4) : (1@tlane) * (6 : 1@tlane)", True),
        ("(4) : (1@tlane) * (1 : 5@tlane)", "(4) : (1@tlane)", True),
        ("(4) : (1@tlane) * (3 : 0@tlane)", "(4) : (1@tlane)", True),
        ("(4) : (1@tlane) * (4 : 32@tlane)", "(4) : (1@tlane)", False),
    ],
)
def test_replicas_are_sets_of_places(left, right, same):
    a, b = tmem.Layout(left), tmem.Layout(right)
    assert (a == b) == same
    assert not same or hash(a) == hash(b)


@pytest.mark.parametrize("name", ["banana32", "x32", "f32x", "f", "", "f8", "i128", "32", None])
def test_no_element_types(name):
    with pytest.raises(TypeError, match="expected an element type"):
        tmem.Layout("#tmem.datapath<D>", shape=(128, 64), element_type=name)


@pytest.mark.parametrize("name", ["f32", "i32", "ui32", "si32", "bf16", "f16"])
def test_element_types(name):
    layout = tmem.Layout("#tmem.datapath<D>", shape=(128, 64), element_type=name)
    assert layout.is_memory


@pytest.mark.parametrize("half", ["1", None, 1.0])
def test_no_halves(half):
    with pytest.raises(TypeError, match="half: expected an integer"):
        tmem.Layout.datapath("F", (64, 64), half=half)


@pytest.mark.parametrize(
    "columns, message",
    [
        (-128, "expected dimensions of at least 1, but got -128"),
        (0, "expected dimensions of at least 1, but got 0"),
        (2**40, "expected a tile of less than 2^31 elements, but got 64x1099511627776"),
        (2**62, "expected a tile of less than 2^31 elements, but got 64x4611686018427387904"),
    ],
)
def test_columns_that_no_layout_has(columns, message):
    with pytest.raises(tmem.RuleError, match=re.escape(message)):
        tmem.Layout("#tmem.datapath<B>", shape=(64, columns))


def test_large_numbers_are_shown():
    with pytest.raises(tmem.RuleError, match="99999999999999999999:1"):
        tmem.Layout("cute:99999999999999999999:1", shape=(4,))


@pytest.mark.parametrize(
    "text, shape, rule, message",
    [
        ("(4) : (1@tlane)", (99,), "V3", "a memory layout of 99 elements, but got 4"),
        ("(4, 4) : (1@tlane, 1@tcol)", (4, 4, 2), "V3", "of 32 elements, but got 16"),
        ("(128, 8) : (1@tid, 1@reg)", (128, 4), "R1", "a register layout of 512 elements"),
        ("(4) : (1@tlane)", (2**62, 4), "V3", "more than 2^63 elements, but got 4"),
        ("(4) : (1@tlane)", (0,), "V3", "of 0 elements, but got 4"),
    ],
)
def test_layouts_of_other_tiles(text, shape, rule, message):
    with pytest.raises(tmem.RuleError, match=re.escape(message)) as error:
        tmem.Layout(text, shape=shape)
    assert error.value.rule == rule
    with pytest.raises(tmem.RuleError):
        tmem.Layout(f"#tmem.layout<{text}>", shape=shape)


def test_layouts_of_their_tiles():
    assert tmem.Layout("(4, 4) : (1@tlane, 1@tcol)", shape=(2, 8)) == tmem.Layout(
        "(4, 4) : (1@tlane, 1@tcol)"
    )


@pytest.mark.parametrize("letter, got", [("", "none"), ("DD", "DD"), ("é", "é"), ("D, half = 1", "D,")])
def test_letters_that_are_none(letter, got):
    with pytest.raises(tmem.RuleError, match=f"expected a datapath from A to G, but got {got}") as error:
        tmem.Layout.datapath(letter, (128, 64))
    assert error.value.rule == "D5"


def test_a_letter_that_is_no_text():
    letter: Any = 4
    with pytest.raises(TypeError, match="letter: expected a text, but got 4"):
        tmem.Layout.datapath(letter, (128, 64))


def test_halves_of_numpy():
    halves: list[Any] = [1, np.int64(1), np.uint8(1), True]
    layouts = {tmem.Layout.datapath("F", (64, 64), half=half) for half in halves}
    assert len(layouts) == 1
    with pytest.raises(ValueError, match="half: .* but got 18446744073709551617"):
        tmem.Layout.datapath("F", (64, 64), half=2**64 + 1)
