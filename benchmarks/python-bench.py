#!/usr/bin/env python3
# ===- python-bench.py - What the Python package costs ---------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Times the import of tmem, and tmem.plan against the same question in C++."""

import ctypes
import pathlib
import subprocess
import sys
import time
import timeit


def time_import():
    command = [sys.executable, "-c", "import tmem"]
    times = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run(command, check=True)
        times.append(time.perf_counter() - start)
    empty = [sys.executable, "-c", ""]
    start = time.perf_counter()
    subprocess.run(empty, check=True)
    return min(times) - (time.perf_counter() - start)


class Transfer(ctypes.Structure):
    """TMemTransfer of the C API."""

    _fields_ = [
        ("view", ctypes.c_void_p),
        ("second_view", ctypes.c_void_p),
        ("registers", ctypes.c_void_p),
        ("vector_size", ctypes.c_int64),
        ("scope", ctypes.c_void_p),
        ("num_warps", ctypes.c_uint32),
        ("is_store", ctypes.c_bool),
        ("split_immediate", ctypes.c_int64),
    ]


def time_cpp(tmem, type_text, count):
    """What the same question costs in C++, asked through the C API."""
    folder = pathlib.Path(tmem.__file__).parent / "_mlir_libs"
    library = ctypes.CDLL(str(folder / "libTMemCAPI.so"))
    library.tmemExplain.restype = ctypes.c_void_p
    library.tmemExplain.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    library.tmemExplanationDestroy.argtypes = [ctypes.c_void_p]
    get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
    get_pointer.restype = ctypes.c_void_p
    get_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    with tmem.ir.Context():
        view = tmem.ir.Type.parse(type_text)
        transfer = Transfer(get_pointer(view._CAPIPtr, b"tmem.ir.Type._CAPIPtr"))

        def ask():
            library.tmemExplanationDestroy(
                library.tmemExplain(ctypes.byref(transfer), None)
            )

        return min(timeit.repeat(ask, number=count)) / count


def main():
    import tmem

    print(f"import tmem: {time_import() * 1e3:.0f} ms")
    count = 500
    for letter, shape in [("B", (64, 128)), ("D", (128, 512)), ("F", (64, 96))]:
        memory = tmem.Layout.datapath(letter, shape)
        whole = min(timeit.repeat(lambda: tmem.plan(shape, memory), number=count))
        whole /= count
        tile = "x".join(map(str, shape))
        cpp = time_cpp(tmem, f"!tmem.view<{tile}xf32, #tmem.datapath<{letter}>>", count)
        print(
            f"tmem.plan of {tile}xf32, {letter}: {whole * 1e6:.0f} us a call, "
            f"of which {(whole - cpp) * 1e6:.0f} us beyond C++"
        )


if __name__ == "__main__":
    main()
