# ===- right-calls.py - What type checkers know of the package -------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Checked, not run: types are those that are written here."""

import numpy as np
import tmem
from tmem import ir
from tmem.dialects import tmem as td
from typing_extensions import assert_type


def ask(layout: tmem.Layout) -> None:
    plan = tmem.plan((64, 128), layout, "(64, 2, 64) : (1@tid, 64@tid, 1@reg)")
    assert_type(plan, tmem.Plan)
    assert_type(plan.issues[0].column, int)
    assert_type(tmem.explain((64, 64), layout).plan, tmem.Plan | None)
    assert_type(tmem.draw((64, 128), layout, mark=(8, 70)).svg, str)


def compile(module: ir.Module) -> None:
    assert_type(tmem.compile(module)[0].kernels[0].registers, int)
    try:
        assert_type(tmem.run(module, np.zeros(3), race=True, seeds=8), int)
    except tmem.EmulationFault as fault:
        assert_type(fault.location, tmem.SourceLocation | None)
        assert_type(fault.thread, tuple[int, int, int] | None)
        assert_type(fault.notes[0].message, str)
    except tmem.MLIRError as error:
        assert_type(error.error_diagnostics, list[ir.DiagnosticInfo])


def build(base: ir.Value[ir.IntegerType]) -> None:
    with ir.Context() as context, ir.Location.unknown() as loc:
        assert_type(context, ir.Context)
        tile = td.ViewType.get((128, 64), ir.F32Type.get(), td.DatapathAttr.get("D"))
        assert_type(tile.num_columns, int)
        acc = td.view(tile, base, loc=loc)
        part = td.subview(acc, (0, 32), (128, 32))
        td.write(td.read(part, atom="32x32b, x32"), part, scope="warpgroup")
