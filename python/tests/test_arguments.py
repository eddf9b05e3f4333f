# ===- test_arguments.py - What host functions take ------------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Scalars and arrays that fit, and those that do not."""

import math
import re
from typing import Any

import numpy as np
import pytest
import tmem

DTYPES: dict[str, Any] = {
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "index": np.int64,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
}


def store(type, value):
    """What a program sees of a scalar."""
    source = f"""func.func @main(%s: {type}, %a: memref<1x{type}>) {{
      %c0 = arith.constant 0 : index
      memref.store %s, %a[%c0] : memref<1x{type}>
      return
    }}"""
    array: Any = np.zeros(1, DTYPES[type])
    tmem.run(source, value, array)
    return array[0]


@pytest.mark.parametrize(
    "type, value, expected",
    [
        ("i32", -5, -5),
        ("i32", 2**32 - 1, -1),
        ("i32", np.uint32(3000000000), 3000000000 - 2**32),
        ("i32", np.array(7), 7),
        ("i32", True, 1),
        ("i8", 255, -1),
        ("i8", -128, -128),
        ("i16", 65535, -1),
        ("i64", -(2**63), -(2**63)),
        ("i64", 2**64 - 2, -2),
        ("index", -5, -5),
        ("i1", True, True),
        ("i1", np.bool_(False), False),
        ("i1", 1, True),
        ("f16", 2.5, 2.5),
        ("f32", np.float64(1.5), 1.5),
        ("f32", 3, 3.0),
        ("f32", np.array(0.25, np.float16), 0.25),
        ("f32", math.inf, math.inf),
        ("f64", 1e300, 1e300),
    ],
)
def test_scalars(type, value, expected):
    assert store(type, value) == expected


def test_a_scalar_that_is_no_number():
    assert np.isnan(store("f32", math.nan))


ARRAYS: list[Any] = [np.array([]), np.array([2**40]), np.array([1, 2])]
NO_INTEGERS: list[Any] = [[], (), [5], None, "5", b"5", 1.7, np.float32(2), 3 + 0j, *ARRAYS]
NO_FLOATS: list[Any] = [[], None, "1.5", [1.0], 1j, True, np.array([7.0])]
NO_BOOLS: list[Any] = [None, "False", [], 0.0]


@pytest.mark.parametrize(
    "type, value",
    [
        *(("i32", value) for value in NO_INTEGERS),
        *(("f32", value) for value in NO_FLOATS),
        *(("i1", value) for value in NO_BOOLS),
    ],
)
def test_no_scalars(type, value):
    with pytest.raises(TypeError, match="argument 0: expected"):
        store(type, value)


@pytest.mark.parametrize(
    "type, value",
    [
        ("i1", 5),
        ("i8", 256),
        ("i8", -129),
        ("i32", 2**32),
        ("i32", np.int64(2**40)),
        ("i64", 2**64),
        ("index", -(2**63) - 1),
        ("f16", 1e9),
        ("f32", 1e300),
        ("f64", 2**2000),
    ],
)
def test_scalars_out_of_range(type, value):
    with pytest.raises(ValueError, match="argument 0: expected"):
        store(type, value)


WRITE = """func.func @main(%a: memref<?xf32, strided<[?]>>) {
  %c1 = arith.constant 1 : index
  %f = arith.constant 5.0 : f32
  memref.store %f, %a[%c1] : memref<?xf32, strided<[?]>>
  return
}"""


def test_strides_of_no_whole_elements():
    records = np.zeros(4, dtype=[("a", "f4"), ("b", "i2")])
    records["b"] = 7
    with pytest.raises(ValueError, match="4 bytes each, but got a stride of 6"):
        tmem.run(WRITE, records["a"])
    assert (records["b"] == 7).all() and (records["a"] == 0).all()


@pytest.mark.parametrize("step", [1, 2, -1, -3])
def test_strides(step):
    whole = np.zeros(16, np.float32)
    tmem.run(WRITE, whole[::step])
    assert whole[::step][1] == 5 and whole.sum() == 5


@pytest.mark.parametrize("offset", ["", ", offset: ?", ", offset: 3", ", offset: -2"])
def test_two_dimensions_and_offsets(offset):
    type = f"memref<3x4xf32, strided<[1, ?]{offset}>>"
    source = f"""func.func @main(%a: {type}, %i: index, %j: index) {{
      %v = memref.load %a[%i, %j] : {type}
      %w = arith.addf %v, %v : f32
      memref.store %w, %a[%i, %j] : {type}
      return
    }}"""
    whole = np.arange(40, dtype=np.float32).reshape(5, 8)
    part = whole[1:5, 2:5].T
    expected = whole.copy()
    expected[3, 4] *= 2
    tmem.run(source, part, 2, 2)
    assert (whole == expected).all()
    wanted = re.escape(f"expected {type}, but got the strides 8, 1")
    with pytest.raises(ValueError, match=wanted):
        tmem.run(source, whole[1:4, 2:6], 0, 0)


@pytest.mark.parametrize("map", ["(d0, d1) -> (d0 mod 2, d1)", "(d0, d1) -> (d0, d1, d0)"])
def test_maps_that_are_no_strides(map):
    type = f"memref<4x4xf32, affine_map<{map}>>"
    with pytest.raises(tmem.MLIRError, match="expected memrefs whose elements have strides"):
        tmem.run(f"func.func @main(%a: {type}) {{ return }}", np.zeros((4, 4), np.float32))


def test_a_map_that_is_strides():
    type = "memref<3x4xf32, affine_map<(d0, d1) -> (d0 + d1 * 3)>>"
    array = np.zeros((4, 3), np.float32).T
    source = f"""func.func @main(%a: {type}, %i: index, %j: index) {{
      %f = arith.constant 5.0 : f32
      memref.store %f, %a[%i, %j] : {type}
      return
    }}"""
    tmem.run(source, array, 1, 2)
    assert array[1, 2] == 5 and array.sum() == 5


def test_an_array_that_is_not_aligned():
    array = np.zeros(17, np.uint8)[1:].view(np.float32)
    with pytest.raises(ValueError, match="aligned"):
        tmem.run(WRITE, array)


@pytest.mark.parametrize(
    "type, array",
    [
        ("memref<1x4xf32>", np.arange(4, dtype=np.float32)[None, :]),
        ("memref<4x1xf32>", np.arange(4, dtype=np.float32)[:, None]),
        ("memref<1x4xf32>", np.zeros((4, 8), np.float32)[:1, :4]),
        ("memref<?x?xf32>", np.zeros((4, 8), np.float32)[:1, :4]),
        ("memref<?xf32>", np.zeros(0, np.float32)),
        ("memref<0xf32>", np.zeros(0, np.float32)),
        ("memref<4x?xf32>", np.zeros((4, 0), np.float32)),
        ("memref<1xf32, strided<[3]>>", np.zeros(1, np.float32)),
        ("memref<f32>", np.zeros((), np.float32)),
        ("memref<4xui8>", np.zeros(4, np.uint8)),
        ("memref<4xbf16>", np.zeros(4, np.uint16)),
        ("memref<4xf8E4M3FNUZ>", np.zeros(4, np.uint8)),
    ],
)
def test_arrays(type, array):
    assert tmem.run(f"func.func @main(%a: {type}) {{ return }}", array) == 0


@pytest.mark.parametrize("type", ["memref<4xi4>", "memref<4xf6E3M2FN>", "memref<4xi128>"])
def test_elements_that_numpy_has_not(type):
    with pytest.raises(ValueError, match="argument 0: expected memrefs of f64.*but the program"):
        tmem.Program(f"func.func @main(%a: {type}) {{ return }}")


@pytest.mark.parametrize("type", ["i0", "i7", "i33", "f80", "i16777215"])
def test_scalars_that_nobody_can_pass(type):
    with pytest.raises(tmem.MLIRError, match="expected memrefs whose elements have strides, integers of 1, 8"):
        tmem.Program(f"func.func @main(%a: {type}) {{ return }}")


def test_an_array_with_a_mask():
    array = np.ma.masked_array(np.zeros(4, np.float32), mask=[True, False, False, False])
    with pytest.raises(TypeError, match="expected an array without a mask, but got a masked one"):
        tmem.run("func.func @main(%a: memref<4xf32>) { return }", array)
    assert tmem.run("func.func @main(%a: memref<4xf32>) { return }", array.data) == 0


@pytest.mark.parametrize(
    "arguments, error, message",
    [
        (dict(seed="3"), TypeError, "^seed: expected an integer, but got '3'"),
        (dict(seed=1.5), TypeError, "^seed: expected an integer, but got 1.5"),
        (dict(seed=-1), ValueError, "^seed: expected an integer from 0 to .* but got -1"),
        (dict(seed=2**64), ValueError, "^seed: .* but got 18446744073709551616"),
        (dict(seed=2**64 - 1, seeds=2), ValueError, "^seeds: .* but got 18446744073709551616"),
        (dict(seeds="2"), TypeError, "^seeds: expected an integer, but got '2'"),
        (dict(seeds=0), ValueError, "expected at least one seed, but got 0"),
        (dict(max_steps=-1), ValueError, "^max_steps: expected an integer from 0 to"),
        (dict(max_steps=np.float32(5)), TypeError, "^max_steps: expected an integer"),
        (dict(race="no"), TypeError, "^race: expected a bool, but got 'no'"),
        (dict(race=1), TypeError, "^race: expected a bool, but got 1"),
    ],
)
def test_no_settings(arguments, error, message):
    with pytest.raises(error, match=message):
        tmem.run("func.func @main() { return }", **arguments)


def test_settings_of_numpy():
    settings: dict[str, Any] = dict(seed=np.int64(3), seeds=np.uint8(2), race=np.bool_(True))
    assert tmem.run("func.func @main() { return }", **settings) == 0
