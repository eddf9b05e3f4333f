# ===- test_faults_after.py - What comes after a fault, and in a fork -------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Crashes after runs that were left in the middle, and runs in a fork."""

import os
import signal
import subprocess
import sys

import pytest
import tmem

CRASH = """%null = arith.constant 64 : i64
%pointer = llvm.inttoptr %null : i64 to !llvm.ptr
%value = arith.constant 1 : i32
llvm.store volatile %value, %pointer : i32, !llvm.ptr"""

KERNEL = """module attributes {{gpu.container_module}} {{
gpu.module @kernels {{
gpu.func @kernel(%out: memref<4xi32>) kernel {{
%zero = arith.constant 0 : index
{body}
gpu.return
}}
}}
func.func @main() {{
%out = memref.alloc() : memref<4xi32>
%one = arith.constant 1 : index
gpu.launch_func @kernels::@kernel blocks in (%one, %one, %one)
    threads in (%one, %one, %one) args(%out : memref<4xi32>)
return
}}
}}"""

CRASHING_KERNEL = KERNEL.format(body=CRASH)
TRAPPING_KERNEL = KERNEL.format(body="llvm.intr.trap")
CRASHING_HOST = f"func.func @main() {{ {CRASH}\nreturn }}"
ENDLESS_KERNEL = KERNEL.format(
    body="""scf.while : () -> () {
  %true = arith.constant true
  scf.condition(%true)
} do {
  %value = memref.load %out[%zero] : memref<4xi32>
  memref.store %value, %out[%zero] : memref<4xi32>
  scf.yield
}"""
)


@pytest.mark.parametrize("kernel", [CRASHING_KERNEL, TRAPPING_KERNEL])
def test_host_code_that_crashes_after_a_kernel(kernel):
    for source, kind in [(kernel, "kernel"), (CRASHING_HOST, "host")] * 2:
        with pytest.raises(tmem.EmulationFault) as raised:
            tmem.run(source)
        assert raised.value.kind == kind


def run_python(program: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60
    )


@pytest.mark.parametrize("kernel", [CRASHING_KERNEL, TRAPPING_KERNEL])
def test_a_crash_of_others_after_a_kernel(kernel):
    result = run_python(
        f"""import ctypes, faulthandler, tmem
faulthandler.enable()
try:
    tmem.run({kernel!r})
except tmem.EmulationFault:
    print("fault", flush=True)
ctypes.string_at(0)
"""
    )
    assert result.stdout == "fault\n"
    assert "Fatal Python error: Segmentation fault" in result.stderr
    assert result.returncode == -signal.SIGSEGV


def test_a_crash_of_others_after_an_interrupt():
    result = run_python(
        f"""import ctypes, faulthandler, os, signal, threading, tmem
faulthandler.enable()
signal.signal(signal.SIGINT, signal.default_int_handler)  # who starts us may ignore it
program = tmem.Program({ENDLESS_KERNEL!r})
try:
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    program(max_steps=2**40)
except KeyboardInterrupt:
    print("interrupted", flush=True)
ctypes.string_at(0)
"""
    )
    assert result.stdout == "interrupted\n"
    assert "Fatal Python error: Segmentation fault" in result.stderr
    assert result.returncode == -signal.SIGSEGV


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_fork_while_another_thread_runs_a_program():
    result = run_python(
        f"""import os, signal, threading, time, tmem
program = tmem.Program({ENDLESS_KERNEL!r})
threading.Thread(target=program, kwargs=dict(max_steps=2**40), daemon=True).start()
time.sleep(0.5)
child = os.fork()
if child == 0:
    signal.alarm(30)
    try:
        tmem.run({CRASHING_KERNEL!r})
    except tmem.EmulationFault:
        os._exit(tmem.run("func.func @main() {{ return }}"))
    os._exit(1)
print(os.waitpid(child, 0)[1], flush=True)
os._exit(0)
"""
    )
    assert (result.stdout, result.returncode) == ("0\n", 0), result.stderr
