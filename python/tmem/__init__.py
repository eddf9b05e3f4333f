# ===- __init__.py - The Python package of tmem-mlir -----------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Tensor Memory in MLIR: layouts, transfers, kernels.

`tmem.ir`, `tmem.passmanager` and `tmem.dialects` are MLIR's own bindings, with the
dialect tmem among the dialects. Beside them, in one line each:

>>> import tmem
>>> acc = tmem.Layout("(64, 2, 64) : (1@tlane, 64@tlane, 1@tcol)")
>>> plan = tmem.plan((64, 128), acc)
>>> plan.atom
'32x32b, x64'
"""

from . import _guards, ir
from ._errors import EmulationFault, FaultNote, RuleError, SourceLocation
from ._layouts import Layout
from ._programs import Binary, Kernel, Program, chips, compile, load, run
from ._transfers import Drawing, Explanation, Issue, Plan, draw, explain, plan
from .ir import MLIRError

__all__ = [
    "Binary",
    "Drawing",
    "EmulationFault",
    "Explanation",
    "FaultNote",
    "Issue",
    "Kernel",
    "Layout",
    "MLIRError",
    "Plan",
    "Program",
    "RuleError",
    "SourceLocation",
    "chips",
    "compile",
    "draw",
    "explain",
    "ir",
    "load",
    "plan",
    "run",
]
