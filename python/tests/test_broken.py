# ===- test_broken.py - Modules with errors, and operations that are gone ---===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""What is built in Python need not be right: exceptions, never a crash."""

import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tmem
from tmem import ir, passmanager
from tmem.dialects import arith, func


# MLIR redefines the generated class, which type checkers do not see.
make_constant: Any = arith.ConstantOp


def make_module(fill: Callable[[], Any], *, terminate: bool = True) -> ir.Module:
    """A module with a function @main, which nobody verifies."""
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            function: Any = func.FuncOp("main", ([], []))
        with ir.InsertionPoint(function.add_entry_block()):
            fill()
            if terminate:
                func.ReturnOp([])
    return module


def add_wrong_operands() -> None:
    value = make_constant(ir.F32Type.get(), 1.0).result
    ir.Operation.create("tmem.wait_load", operands=[value], results=[value.type])


def add_wrong_attribute() -> None:
    ir.Operation.create("tmem.fence", attributes={"kind": ir.StringAttr.get("x")})


def add_wrong_result() -> None:
    i32 = ir.IntegerType.get_signless(32)
    base = make_constant(i32, 0).result
    ir.Operation.create("tmem.view", operands=[base], results=[i32])


def add_nothing() -> None:
    pass


def add_empty_operations() -> None:
    for name in ("gpu.launch_func", "tmem.alloc", "tmem.load", "tmem.wait_store"):
        ir.Operation.create(name)


@pytest.mark.parametrize(
    "fill, terminate, message",
    [
        (add_wrong_operands, True, "'tmem.wait_load' op operand #0"),
        (add_wrong_attribute, True, "'tmem.fence' op"),
        (add_wrong_result, True, "'tmem.view' op result #0"),
        (add_nothing, False, "terminator"),
        (add_empty_operations, True, "expected 6 or more operands"),
    ],
)
def test_modules_are_verified_first(fill, terminate, message):
    module = make_module(fill, terminate=terminate)
    passes = passmanager.PassManager.parse(
        "builtin.module(convert-tmem-to-nvvm)", context=module.context
    )
    for use in (
        lambda: tmem.compile(module, format="ptx"),
        lambda: tmem.run(module),
        lambda: tmem.Program(module),
        lambda: passes.run(module.operation),
    ):
        with pytest.raises(tmem.MLIRError, match=message) as raised:
            use()
        assert raised.value.error_diagnostics


def test_a_module_whose_context_nobody_holds():
    module = make_module(add_nothing)
    gc.collect()
    assert tmem.run(module) == 0
    assert tmem.compile(module, format="ptx") == []


SOURCE = """func.func @f(%a: i32) -> i32 {
  %b = arith.addi %a, %a : i32
  return %b : i32
}"""


def test_operations_keep_their_module():
    """Ways to an operation, after which nothing else holds the module."""
    ways = [
        lambda module: module.body.operations[0],
        lambda module: next(iter(module.body.operations)),
        lambda module: module.body.operations[0].regions[0].blocks[0].operations[1],
        lambda module: module.body.operations[0].parent,
        lambda module: module.body.operations[0].regions[0].blocks[0].arguments[0],
        lambda module: module.operation,
        lambda module: module.body,
    ]
    for way in ways:
        found = way(ir.Module.parse(SOURCE, ir.Context()))
        for _ in range(3):
            gc.collect()
            ir.Module.parse(SOURCE, ir.Context())
        assert "i32" in str(found)


def test_the_operation_of_a_module_is_not_erased():
    module = make_module(add_nothing)
    with pytest.raises(ValueError, match="which its module|its module owns"):
        module.operation.erase()
    assert tmem.run(module) == 0


def test_operations_with_uses_are_not_erased():
    made = []

    def fill() -> None:
        one = make_constant(ir.F32Type.get(), 1.0)
        made.extend([one, arith.AddFOp(one.result, one.result)])

    module = make_module(fill)
    one, total = made
    with pytest.raises(ValueError, match="without uses to erase, but got arith.constant"):
        one.operation.erase()
    total.operation.erase()
    one.operation.erase()
    assert tmem.run(module) == 0
    with pytest.raises(RuntimeError, match="invalidated"):
        str(one.operation)


def test_detached_operations_are_erased():
    with ir.Context(), ir.Location.unknown():
        ir.Operation.create("tmem.relinquish_alloc_permit").erase()
        ir.Operation.create("builtin.module", regions=1).erase()


def test_subinterpreters_are_refused():
    try:
        import _interpreters as interpreters  # type: ignore[import-not-found]
    except ImportError:
        interpreters = pytest.importorskip("_xxsubinterpreters")
    other = interpreters.create()
    source = """try:
    import tmem
except ImportError as error:
    assert "expected the main interpreter" in str(error)
else:
    raise AssertionError"""
    try:
        # Older ones raise, newer ones return what was raised.
        assert interpreters.run_string(other, source) is None
    finally:
        interpreters.destroy(other)


SCALARS = "func.func @main(%a: i8, %b: i1, %c: f16, %d: index, %e: f32) { return }"


@pytest.mark.parametrize(
    "position, value, error",
    [
        (0, 2**70, ValueError),
        (0, 256, ValueError),
        (0, -129, ValueError),
        (0, 1.5, TypeError),
        (0, "1", TypeError),
        (0, b"\0", TypeError),
        (1, 2, ValueError),
        (2, "1", TypeError),
        (3, -(2**63) - 1, ValueError),
        (4, None, TypeError),
        (4, [1.0, 2.0], TypeError),
        (4, 1j, TypeError),
        (4, 10**400, ValueError),
    ],
)
def test_scalars_that_do_not_fit(position, value, error):
    arguments: list[Any] = [1, True, 1.0, 1, 1.0]
    program = tmem.Program(SCALARS)
    assert program(*arguments) == 0
    arguments[position] = value
    with pytest.raises(error):
        program(*arguments)


@pytest.mark.parametrize(
    "type, value, expected",
    [
        ("i8", 200, 200 - 256),
        ("i8", -128, -128),
        ("i16", np.uint16(65535), -1),
        ("i32", 2**31 + 5, 5 - 2**31),
        ("index", 2**64 - 7, -7),
        ("i1", True, -1),
        ("i1", np.bool_(False), 0),
    ],
)
def test_integers_are_signed_or_not(type, value, expected):
    cast = {"i32": "arith.addi %a, %zero", "index": "arith.index_cast %a"}.get(
        type, "arith.extsi %a"
    )
    types = "i32" if type == "i32" else f"{type} to i32"
    source = f"""func.func @main(%a: {type}) -> i32 {{
      %zero = arith.constant 0 : i32
      %r = {cast} : {types}
      return %r : i32
    }}"""
    assert tmem.run(source, value) == expected


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((4, 6), np.float32)[::2, ::2],
        np.zeros((2, 3), ">f4"),
        np.zeros((2, 3), object),
        np.broadcast_to(np.float32(1), (2, 3)),
        np.frombuffer(b"x" * 24, np.float32).reshape(2, 3),
        np.zeros(0, np.float32),
        np.zeros((2, 3), np.complex64),
    ],
)
def test_arrays_that_do_not_fit(array):
    with pytest.raises((TypeError, ValueError), match="argument 0: expected"):
        tmem.run("func.func @main(%a: memref<2x3xf32>) { return }", array)


@pytest.mark.parametrize("text", ["", "\0", "a\0b", "\ud800", "module {" * 3])
def test_texts_that_are_no_modules(text):
    if not text:
        # An empty module, without the entry.
        with pytest.raises(tmem.MLIRError, match="expected a function @main"):
            tmem.run(text)
        return
    with pytest.raises((tmem.MLIRError, UnicodeError, TypeError, RuntimeError)):
        tmem.run(text)


@pytest.mark.parametrize("numbers", [(2**63, 1), (10**40,), (-1, 4), (), (1.5, 2)])
def test_shapes_of_no_tile(numbers):
    with pytest.raises((tmem.MLIRError, TypeError, ValueError)):
        tmem.plan(numbers, "#tmem.datapath<D>")
    with pytest.raises((tmem.MLIRError, TypeError, ValueError)):
        tmem.Layout("#tmem.datapath<D>", shape=numbers)
