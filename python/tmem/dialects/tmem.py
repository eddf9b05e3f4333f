# ===- tmem.py - The tmem dialect -------------------------------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Operations, types and attributes of the tmem dialect."""

from ._tmem_enum_gen import *
from ._tmem_ops_gen import *
from ._tmem_ops_gen import _Dialect
