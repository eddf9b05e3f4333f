# ===- test_ir.py - MLIR's bindings with the dialect -----------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""tmem.ir, tmem.passmanager and tmem.dialects."""

import importlib

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
            function = func.FuncOp("f", ([i32], [vector]))
            block = function.add_entry_block()
        with ir.InsertionPoint(block):
            mem = td.view(view, block.arguments[0])
            scope = ir.Attribute.parse("#tmem.scope<warpgroup>")
            row = td.read(vector, mem, scope=scope)
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
