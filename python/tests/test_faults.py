# ===- test_faults.py - What kernels may not do, and when it is found -------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Faults as exceptions with fields; seeds and races; threads and Ctrl-C."""

import os
import pickle
import signal
import threading
import time
from typing import Any

import numpy as np
import pytest
import tmem
from tmem import ir

# A kernel of one block, as the body of a function that is given its arguments.
PROGRAM = """module attributes {{gpu.container_module}} {{
gpu.module @kernels {{
gpu.func @kernel(%out: memref<4xi32>) kernel
    attributes {{known_block_size = array<i32: {threads}, 1, 1>}} {{
{body}
gpu.return
}}
}}
func.func @main(%out: memref<4xi32>) -> i32 {{
%one = arith.constant 1 : index
%threads = arith.constant {threads} : index
gpu.launch_func @kernels::@kernel blocks in (%one, %one, %one)
    threads in (%threads, %one, %one) args(%out : memref<4xi32>)
%zero = arith.constant 0 : i32
return %zero : i32
}}
}}"""

# Loads columns that nobody allocated.
UNALLOCATED = PROGRAM.format(
    threads=128,
    body="""%base = arith.constant 64 : i32
%mem = tmem.view %base : !tmem.view<128x32xf32, #tmem.datapath<D>>
%pending = tmem.load %mem scope(warpgroup)
    : !tmem.view<128x32xf32, #tmem.datapath<D>> -> !tmem.pending<vector<32xf32>>
%row = tmem.wait_load %pending : !tmem.pending<vector<32xf32>>""",
)

# The last of two warps to arrive wins.
ORDERED = PROGRAM.format(
    threads=64,
    body="""%zero = arith.constant 0 : index
%warp_size = arith.constant 32 : index
%tid = gpu.thread_id x
%warp = arith.divui %tid, %warp_size : index
%value = arith.index_cast %warp : index to i32
memref.store %value, %out[%zero] : memref<4xi32>""",
)

ENDLESS = PROGRAM.format(
    threads=32,
    body="""%zero = arith.constant 0 : index
scf.while : () -> () {
  %true = arith.constant true
  scf.condition(%true)
} do {
  %value = memref.load %out[%zero] : memref<4xi32>
  memref.store %value, %out[%zero] : memref<4xi32>
  scf.yield
}""",
)

ABORTS = """func.func @main(%ok: i1) {
  cf.assert %ok, "as asked"
  return
}"""


def run_to_fault(source: str, *arguments: Any, **options: Any) -> tmem.EmulationFault:
    with pytest.raises(tmem.EmulationFault) as raised:
        tmem.run(source, *arguments, **options)
    return raised.value


def test_fields_of_a_fault_of_a_thread():
    fault = run_to_fault(UNALLOCATED, np.zeros(4, np.int32))
    line = 1 + UNALLOCATED[: UNALLOCATED.index("%pending")].count("\n")
    assert fault.kind == "kernel" and fault.kernel == "kernel"
    assert fault.message == "column 64 is not allocated"
    assert fault.location and fault.location.line == line
    assert fault.operation and "tcgen05.ld" in fault.operation
    assert fault.block == (0, 0, 0) and fault.thread
    assert fault.thread[0] < 128 and fault.thread[1:] == (0, 0)
    assert fault.seed == 0
    assert f"{fault.location}: {fault.operation}: error: {fault.message}" in str(fault)


def test_notes_have_places():
    source = UNALLOCATED.replace(
        "%base = arith.constant 64 : i32\n",
        """%zero = arith.constant 0 : index
%warp_size = arith.constant 32 : index
%tid = gpu.thread_id x
%first = arith.cmpi ult, %tid, %warp_size : index
scf.if %first { tmem.alloc %slot, 32 : !slot }
gpu.barrier
%base = memref.load %slot[%zero] : !slot
""",
    ).replace("128x32x", "128x64x").replace("<32xf32>", "<64xf32>")
    source = "!slot = memref<1xi32, #gpu.address_space<workgroup>>\n" + source.replace(
        ") kernel", ") workgroup(%slot: !slot) kernel"
    )
    fault = run_to_fault(source, np.zeros(4, np.int32))
    (note,) = fault.notes
    line = 1 + source[: source.index("tmem.alloc")].count("\n")
    assert note.message == "allocated here" and note.location
    assert note.location.line == line and "alloc" in str(note.operation)
    assert f"{note.location}: {note.operation}: note: allocated here" in str(fault)


def test_a_fault_of_host_code():
    fault = run_to_fault(ABORTS, False)
    assert fault.kind == "host" and fault.message == "assertion failed: as asked"
    assert fault.location and (fault.location.line, fault.operation) == (2, "cf.assert")
    assert fault.kernel is None and fault.block is None and fault.thread is None
    assert tmem.run(ABORTS, True) == 0


# Adds the second row to the first in host code, and to the third in a kernel.
TOO_FAR = """module attributes {gpu.container_module} {
gpu.module @kernels {
gpu.func @kernel(%rows: memref<?x8xf32>, %from: index, %to: index) kernel {
%i = gpu.thread_id x
%a = memref.load %rows[%from, %i] : memref<?x8xf32>
%b = memref.load %rows[%to, %i] : memref<?x8xf32>
%c = arith.addf %a, %b : f32
memref.store %c, %rows[%to, %i] : memref<?x8xf32>
gpu.return
}
}
func.func @main(%rows: memref<?x8xf32>, %threads: index) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%a = vector.load %rows[%c0, %c0] : memref<?x8xf32>, vector<8xf32>
%b = vector.load %rows[%c1, %c0] : memref<?x8xf32>, vector<8xf32>
%c = arith.addf %a, %b : vector<8xf32>
vector.store %c, %rows[%c0, %c0] : memref<?x8xf32>, vector<8xf32>
gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1)
    threads in (%threads, %c1, %c1)
    args(%rows : memref<?x8xf32>, %c1 : index, %c2 : index)
return
}
}"""


@pytest.mark.parametrize(
    "rows, threads, line, operation",
    [(0, 8, 16, "vector.load"), (1, 8, 17, "vector.load"), (2, 8, 6, None), (3, 9, 5, None)],
)
def test_arrays_that_are_too_small(rows, threads, line, operation):
    array = np.arange(8 * rows, dtype=np.float32).reshape(rows, 8)
    fault = run_to_fault(TOO_FAR, array, threads)
    assert fault.location and fault.location.line == line
    assert "the memref<?x8xf32>, but got" in fault.message
    if operation:
        assert (fault.kind, fault.operation) == ("host", operation)
    else:
        assert (fault.kind, fault.operation) == ("kernel", "memref.load")
        where = "the size in dimension 0" if rows == 2 else "8 in dimension 1"
        assert fault.message.startswith(f"expected an index below {where} of")
        assert fault.thread == ((0 if rows == 2 else 8), 0, 0)


def test_arrays_that_are_large_enough():
    array = np.ones((3, 8), np.float32)
    assert tmem.run(TOO_FAR, array, 8) == 0
    assert (array == [[2] * 8, [1] * 8, [2] * 8]).all()


def test_a_fault_survives_pickling():
    fault = run_to_fault(UNALLOCATED, np.zeros(4, np.int32))
    again = pickle.loads(pickle.dumps(fault))
    assert (str(again), again.location, again.thread) == (
        str(fault),
        fault.location,
        fault.thread,
    )
    with pytest.raises(tmem.RuleError) as raised:
        tmem.Layout("(64, 64) : (1@tlane)")
    assert pickle.loads(pickle.dumps(raised.value)).rule == "L2"


def test_a_seed_with_other_results():
    out = np.array([7, 8, 9, 10], np.int32)
    fault = run_to_fault(ORDERED, out, seeds=64)
    assert fault.kind == "difference" and fault.seed
    assert "seed 0" in fault.message and "at (0,), not" in fault.message
    # The arrays are those of the first seed.
    expected = np.array([7, 8, 9, 10], np.int32)
    tmem.run(ORDERED, expected)
    np.testing.assert_array_equal(out, expected)
    # The seed alone does the same again.
    other = np.array([7, 8, 9, 10], np.int32)
    tmem.run(ORDERED, other, seed=fault.seed)
    assert other[0] != out[0]


def test_seeds_start_at_the_first_and_from_the_same_arrays():
    program = tmem.Program(
        PROGRAM.format(
            threads=1,
            body="""%zero = arith.constant 0 : index
%one = arith.constant 1 : i32
%value = memref.load %out[%zero] : memref<4xi32>
%next = arith.addi %value, %one : i32
memref.store %next, %out[%zero] : memref<4xi32>""",
        )
    )
    out = np.zeros(4, np.int32)
    assert program(out, seed=5, seeds=9, race=True) == 0
    assert out.tolist() == [1, 0, 0, 0]
    with pytest.raises(ValueError, match="at least one seed, but got 0"):
        program(out, seeds=0)


def test_a_fault_names_its_seed():
    fault = run_to_fault(UNALLOCATED, np.zeros(4, np.int32), seed=3, seeds=2)
    assert fault.seed == 3 and str(fault).startswith("seed 3: ")


def test_a_kernel_that_never_ends_has_a_bound():
    fault = run_to_fault(ENDLESS, np.zeros(4, np.int32), max_steps=1000)
    assert "never ends" in fault.message


def test_threads_run_meanwhile():
    program = tmem.Program(ENDLESS)
    count = 0
    stop = threading.Event()

    def work() -> None:
        nonlocal count
        while not stop.is_set():
            count += 1
            time.sleep(0.001)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        before = count
        with pytest.raises(tmem.EmulationFault):
            program(np.zeros(4, np.int32), max_steps=30_000_000)
        during = count - before
    finally:
        stop.set()
        thread.join()
    assert during > 2


def test_compiling_lets_threads_run():
    body = "\n".join(
        f"""%i{n} = arith.constant {n} : index
%m{n} = tmem.buffer : !tmem.view<128x32xf32, #tmem.datapath<D>>
%r{n} = tmem.read %m{n} scope(warpgroup)
    : !tmem.view<128x32xf32, #tmem.datapath<D>> -> vector<32xf32>
tmem.write %r{n}, %m{n} scope(warpgroup)
    : vector<32xf32>, !tmem.view<128x32xf32, #tmem.datapath<D>>"""
        for n in range(8)
    )
    module = tmem.load(PROGRAM.format(threads=128, body=body))
    ticks = []
    done = threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.monotonic()
    tmem.compile(module, format="ptx")
    end = time.monotonic()
    done.set()
    thread.join()
    # With the lock held there would be none.
    inside = [t for t in ticks if begin < t < end]
    assert len(inside) > 2


def test_threads_with_a_context_each():
    results: dict[int, str | None] = {}

    def work(number: int) -> None:
        with ir.Context(), ir.Location.unknown():
            module = ir.Module.parse(PROGRAM.format(threads=32, body=""))
            out = np.zeros(4, np.int32)
            tmem.run(module, out)
            results[number] = tmem.compile(module, format="ptx")[0].ptx

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4 and len(set(results.values())) == 1


def test_threads_with_one_module_and_one_program():
    module = tmem.load(PROGRAM.format(threads=32, body=""))
    program = tmem.Program(UNALLOCATED)
    errors: list[str] = []

    def work() -> None:
        for _ in range(3):
            tmem.compile(module, format="ptx")
            try:
                program(np.zeros(4, np.int32))
            except tmem.EmulationFault as fault:
                errors.append(fault.message)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == ["column 64 is not allocated"] * 12


# Bounds what goes wrong; a kernel takes minutes for it.
MANY_STEPS = 2 * 10**9


@pytest.fixture
def interruptible():
    """Where SIGINT is ignored, as in the background of a shell, it would be here."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("seeds", [1, 3])
def test_ctrl_c_ends_a_kernel(interruptible, seeds):
    program = tmem.Program(ENDLESS)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        program(np.zeros(4, np.int32), max_steps=MANY_STEPS, seeds=seeds)
    timer.join()
    # What comes after is not interrupted.
    with pytest.raises(tmem.EmulationFault, match="never ends"):
        program(np.zeros(4, np.int32), max_steps=1000)


def test_a_handler_of_ctrl_c_that_raises_nothing(interruptible):
    program = tmem.Program(ENDLESS)
    calls = []
    signal.signal(signal.SIGINT, lambda *_: calls.append(1))
    done = threading.Event()

    def send() -> None:
        # Again, if the first comes before the kernel runs.
        while not done.wait(0.3):
            os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=send)
    thread.start()
    with pytest.raises(tmem.EmulationFault) as raised:
        program(np.zeros(4, np.int32), max_steps=MANY_STEPS)
    done.set()
    thread.join()
    assert raised.value.kind == "interrupted" and calls


def test_a_child_process_compiles_and_runs():
    out = np.zeros(4, np.int32)
    tmem.run(PROGRAM.format(threads=32, body=""), out)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            with pytest.raises(tmem.EmulationFault):
                tmem.run(UNALLOCATED, out)
            tmem.compile(UNALLOCATED, format="ptx")
            status = 0
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
