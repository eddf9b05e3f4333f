# ===- test_bounds.py - Accesses outside of memrefs -------------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Every operation that is checked, in host code and in kernels."""

import numpy as np
import pytest
import tmem

CONSTANTS = """%c0 = arith.constant 0 : index
%c4 = arith.constant 4 : index
%f = arith.constant 1.0 : f32
%v = vector.broadcast %f : f32 to vector<4xf32>
%three = arith.constant 3 : index
%mask = vector.create_mask %three : vector<4xi1>"""

HOST = f"""func.func @main(%a: !a, %n: index) {{
{CONSTANTS}
BODY
return
}}"""

KERNEL = f"""module attributes {{gpu.container_module}} {{
gpu.module @kernels {{
gpu.func @kernel(%a: !a, %n: index) kernel {{
{CONSTANTS}
BODY
gpu.return
}}
}}
func.func @main(%a: !a, %n: index) {{
%one = arith.constant 1 : index
gpu.launch_func @kernels::@kernel blocks in (%one, %one, %one)
    threads in (%one, %one, %one) args(%a : !a, %n : index)
return
}}
}}"""

FLAT = "memref<8x32xf32>"
STRIDED = "memref<8x32xf32, strided<[?, 1], offset: ?>>"
VIEW = "memref<4x4xf32, strided<[32, 1], offset: ?>>"

STORE = "vector.store %v, %a[%c4, %n] : !a, vector<4xf32>"
LOAD = "%w = vector.load %a[%c4, %n] : !a, vector<4xf32>\n" + STORE.replace(
    "%v", "%w"
).replace("%n", "%c0")
MASKED = "vector.maskedstore %a[%c4, %n], %mask, %v : !a, vector<4xi1>, vector<4xf32>"
TRANSFER = (
    "vector.transfer_write %v, %a[%c4, %n] {in_bounds = [true]} : vector<4xf32>, !a"
)
SUBVIEW = f"""%s = memref.subview %a[4, %n] [4, 4] [1, 1] : !a to {VIEW}
memref.store %f, %s[%c0, %c0] : {VIEW}"""
SIZED = f"""%s = memref.subview %a[4, 0] [4, %n] [1, 1] : !a
    to memref<4x?xf32, strided<[32, 1], offset: 128>>
%d = memref.dim %s, %c0 : memref<4x?xf32, strided<[32, 1], offset: 128>>
memref.store %f, %s[%c0, %c0] : memref<4x?xf32, strided<[32, 1], offset: 128>>"""
SCATTER = """%i = arith.index_cast %n : index to i32
%offsets = vector.broadcast %i : i32 to vector<4xi32>
vector.scatter %a[%c4, %c0] [%offsets], %mask, %v
    : !a, vector<4xi32>, vector<4xi1>, vector<4xf32>"""

# The operation, the largest index that is right, and the first that is not.
CASES = [
    ("memref.store", FLAT, "memref.store %f, %a[%c4, %n] : !a", 31, 32),
    ("memref.store", FLAT, "memref.store %f, %a[%c4, %n] : !a", 0, -1),
    ("vector.load", FLAT, LOAD, 31, 32),
    ("vector.store", FLAT, STORE, 31, 32),
    ("vector.load", STRIDED, LOAD, 28, 29),
    ("vector.store", STRIDED, STORE, 28, 29),
    ("vector.store", STRIDED, STORE, 0, -1),
    ("vector.maskedstore", FLAT, MASKED, 125, 126),
    ("vector.maskedstore", STRIDED, MASKED, 29, 30),
    ("vector.transfer_write", FLAT, TRANSFER, 28, 29),
    ("vector.transfer_write", STRIDED, TRANSFER, 28, 29),
    ("vector.scatter", FLAT, SCATTER, 127, 128),
    ("vector.scatter", FLAT, SCATTER, -128, -129),
    ("memref.subview", FLAT, SUBVIEW, 28, 29),
    ("memref.subview", FLAT, SUBVIEW, 0, -1),
    ("memref.subview", FLAT, SIZED, 32, 33),
]


@pytest.mark.parametrize("frame", [HOST, KERNEL], ids=["host", "kernel"])
@pytest.mark.parametrize("operation, type, body, right, wrong", CASES)
def test_bounds(frame, operation, type, body, right, wrong):
    program = tmem.Program(frame.replace("BODY", body).replace("!a", type))
    # Rows of other memory around, so that what is wrong would be seen nowhere.
    memory = np.zeros((24, 32), np.float32)
    array = memory[8:16]
    program(array, right)
    assert np.count_nonzero(memory) == np.count_nonzero(array) > 0 or "load" in operation
    memory[:] = 0
    with pytest.raises(tmem.EmulationFault) as raised:
        program(array, wrong)
    fault = raised.value
    assert fault.operation == operation and fault.message.startswith("expected ")
    assert "assertion" not in str(fault)
    assert not memory.any()
