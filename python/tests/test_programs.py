# ===- test_programs.py - tmem.compile and tmem.run ------------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Kernels compiled, and run on arrays."""

import numpy as np
import pytest
import tmem

# Doubles rows of 128x32 words through Tensor Memory, in the first warpgroup.
KERNEL = """
!tile = !tmem.view<128x32x{element}, #tmem.layout<(128, 32) : (1@tlane, 1@tcol)>>
!rows = memref<128x32x{element}>
module attributes {{gpu.container_module}} {{
  gpu.module @kernels {{
    gpu.func @double(%rows: !rows) kernel
        attributes {{known_block_size = array<i32: 128, 1, 1>}} {{
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %row = vector.load %rows[%tid, %c0] : !rows, vector<32x{element}>
      %mem = tmem.buffer : !tile
      tmem.write %row, %mem scope(warpgroup) : vector<32x{element}>, !tile
      %back = tmem.read %mem scope(warpgroup) : !tile -> vector<32x{element}>
      %sum = {add} %back, %back : vector<32x{element}>
      vector.store %sum, %rows[%tid, %c0] : !rows, vector<32x{element}>
      gpu.return
    }}
  }}
  func.func @double(%rows: !rows, %times: index) -> i32 {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    scf.for %i = %c0 to %times step %c1 {{
      gpu.launch_func @kernels::@double blocks in (%c1, %c1, %c1)
          threads in (%c128, %c1, %c1) args(%rows : !rows)
    }}
    %seven = arith.constant 7 : i32
    return %seven : i32
  }}
}}
"""
FLOATS = KERNEL.format(element="f32", add="arith.addf")
WORDS = KERNEL.format(element="i32", add="arith.addi")

# Reads cells that nobody has written.
UNWRITTEN = FLOATS.replace("tmem.write %row, %mem scope(warpgroup) : vector<32xf32>, !tile", "")


def test_floats():
    rows = np.arange(128 * 32, dtype=np.float32).reshape(128, 32) - 1000
    expected = rows * 8
    assert tmem.run(FLOATS, rows, 3, entry="double") == 7
    np.testing.assert_array_equal(rows, expected)


def test_words_above_2_to_the_31():
    rows = np.arange(128 * 32, dtype=np.uint32).reshape(128, 32) + 2**31 - 5
    expected = rows * np.uint32(2)
    tmem.run(WORDS, rows, 1, entry="double", race=True, seed=3)
    np.testing.assert_array_equal(rows, expected)


def test_a_program_runs_more_than_once():
    program = tmem.Program(WORDS, entry="double")
    assert program.argument_types == ["memref<128x32xi32>", "index"]
    for n in range(3):
        rows = np.full((128, 32), n + 1, np.int32)
        program(rows, 1)
        assert (rows == 2 * n + 2).all()


def test_a_fault_is_an_exception_with_a_place():
    rows = np.zeros((128, 32), np.float32)
    with pytest.raises(tmem.EmulationFault, match="never") as error:
        tmem.run(UNWRITTEN, rows, 1, entry="double")
    assert "kernel double, block 0,0,0, thread" in str(error.value)
    assert isinstance(error.value, tmem.MLIRError)
    tmem.run(FLOATS, rows, 1, entry="double")


@pytest.mark.parametrize(
    "arguments, error, message",
    [
        ((), ValueError, "expected 2 arguments, but got 0"),
        (([1.0], 1), TypeError, "expected a numpy array"),
        ((np.zeros((128, 32)), 1), TypeError, "expected elements of float32"),
        ((np.zeros((128, 31), np.float32), 1), ValueError, "expected memref<128x32xf32>"),
        ((np.zeros((32, 128), np.float32).T, 1), ValueError, "contiguous"),
        ((np.zeros(4096, np.float32), 1), ValueError, "but got an array of 4096"),
    ],
)
def test_arguments_that_do_not_fit(arguments, error, message):
    program = tmem.Program(FLOATS, entry="double")
    with pytest.raises(error, match=message):
        program(*arguments)


def test_an_array_that_may_not_be_written():
    rows = np.zeros((128, 32), np.float32)
    rows.flags.writeable = False
    with pytest.raises(ValueError, match="written"):
        tmem.run(FLOATS, rows, 1, entry="double")


def test_no_such_entry():
    with pytest.raises(tmem.MLIRError, match="nowhere"):
        tmem.run(FLOATS, entry="nowhere")


def test_ptx():
    (binary,) = tmem.compile(FLOATS, chip="sm_103a", format="ptx")
    assert binary.name == "kernels" and binary.cubin is None
    assert binary.ptx and ".target sm_103a" in binary.ptx
    assert "tcgen05.ld.sync.aligned.32x32b.x32.b32" in binary.ptx


def test_cubin():
    try:
        (binary,) = tmem.compile(FLOATS)
    except tmem.MLIRError as error:
        pytest.skip(f"no ptxas: {error}")
    assert binary.cubin and binary.cubin.startswith(b"\x7fELF")
    (kernel,) = binary.kernels
    assert kernel.name == "double" and kernel.registers > 32
    assert kernel.spill_load_bytes == 0


@pytest.mark.parametrize("chip", ["sm_90", "sm_120a", "gpu"])
def test_a_wrong_chip(chip):
    with pytest.raises(tmem.MLIRError, match="expected a chip"):
        tmem.compile(FLOATS, chip=chip, format="ptx")


def test_a_wrong_format():
    with pytest.raises(ValueError, match="ptx or cubin"):
        tmem.compile(FLOATS, format="elf")


@pytest.mark.parametrize("module", [None, 4, np.zeros(3)])
def test_no_module(module):
    with pytest.raises(TypeError, match="expected a tmem.ir.Module"):
        tmem.compile(module)


def test_a_module_with_errors_says_where():
    with pytest.raises(tmem.MLIRError, match="rule C3") as error:
        tmem.load("func.func @f(%s: memref<1xi32, 3>) { tmem.alloc %s, 33 : memref<1xi32, 3> return }")
    assert error.value.error_diagnostics


@pytest.mark.parametrize("function", [tmem.compile, tmem.run])
@pytest.mark.parametrize("value", [100, None])
def test_a_chip_that_is_no_text(function, value):
    with pytest.raises(TypeError, match=f"chip: expected a text, but got {value}"):
        function(FLOATS, chip=value)


def test_chips():
    assert "sm_100a" in tmem.chips() and "sm_110f" in tmem.chips()
