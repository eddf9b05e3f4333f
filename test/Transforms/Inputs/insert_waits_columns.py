# ===- insert_waits_columns.py - The tiles of wait programs ----------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""What insert-waits-optimum.py and insert-waits-paths.py load and store."""

WIDTH, COLUMNS = 4, 12


def view(column):
    return (
        f"!tmem.view<128x{WIDTH}xi32, #tmem.layout<(128, {WIDTH})"
        f" : (1@tlane, 1@tcol) + ({column}@tcol)>>"
    )


def overlap(a, b):
    return abs(a - b) < WIDTH
