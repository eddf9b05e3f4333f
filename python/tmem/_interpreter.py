# ===- _interpreter.py - Where the package can be imported -----------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""MLIR's bindings live once in a process: in a second interpreter they abort."""

import ctypes


def _require_main() -> None:
    states = []
    for name in ("PyInterpreterState_Get", "PyInterpreterState_Main"):
        function = getattr(ctypes.pythonapi, name)
        function.restype = ctypes.c_void_p
        states.append(function())
    if states[0] != states[1]:
        raise ImportError("expected the main interpreter for tmem, but got a subinterpreter")


_require_main()
