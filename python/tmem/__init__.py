# ===- __init__.py - The Python package of tmem-mlir ------------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Tensor Memory in MLIR: layouts, transfers, kernels."""
