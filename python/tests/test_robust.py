# ===- test_robust.py - What must not end Python ---------------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Code that LLVM cannot make, host code that fails, objects that are gone."""

import gc
import os
import pickle
import threading
from typing import Any

import numpy as np
import pytest
import tmem
from tmem import ir
from tmem.dialects import func
from tmem.dialects import tmem as td

KERNEL = "gpu.module @a {{ gpu.func @{name} kernel {{ {body}\ngpu.return }} }}"


def make_kernel(body, name="k()"):
    return KERNEL.format(name=name, body=body)


@pytest.mark.parametrize(
    "source, message",
    [
        (make_kernel("", '"dou-ble"()'), "expected a name of letters"),
        (make_kernel("", '"do uble"()'), "expected a name of letters"),
        (make_kernel("", '"a\\00b"()'), "expected a name of letters"),
        (make_kernel("", '"\\C3\\A9"()'), "expected a name of letters"),
        (
            make_kernel('%a = llvm.inline_asm has_side_effects "foo $0", "=zz" : () -> f32'),
            "expected constraints",
        ),
        (
            make_kernel('%a = llvm.inline_asm has_side_effects "foo $0", "=r,r" : () -> i32'),
            "expected constraints that fit",
        ),
        (
            make_kernel('%a = llvm.inline_asm has_side_effects "foo $5;", "=r" : () -> i32'),
            "expected assembly that names 1 operands",
        ),
        (
            make_kernel(
                "%y = arith.divf %x, %x : f128\nmemref.store %y, %m[] : memref<f128>",
                "k(%m: memref<f128>, %x: f128)",
            ),
            "expected floats of at most 64 bits",
        ),
        (
            make_kernel(
                "%a = arith.constant dense<1.0> : vector<100000xf32>\n"
                "llvm.store %a, %p : vector<100000xf32>, !llvm.ptr",
                "k(%p: !llvm.ptr)",
            ),
            "expected values of at most 16384 elements",
        ),
        (
            make_kernel(
                'llvm.inline_asm has_side_effects "foo $0;", "i" %x : (i32) -> ()', "k(%x: i32)"
            ),
            "expected code that LLVM can compile",
        ),
    ],
)
def test_kernels_that_llvm_cannot_compile(source, message, capfd):
    with pytest.raises(tmem.MLIRError, match=message):
        tmem.compile(source, format="ptx")
    assert capfd.readouterr().err == ""
    (binary,) = tmem.compile(make_kernel(""), format="ptx")
    assert binary.ptx and ".entry k" in binary.ptx


@pytest.mark.parametrize(
    "assembly, constraints, result, message",
    [
        ("foo", "", "()", "foo"),
        ("foo $0", "=zz", "i32", "expected code that LLVM can compile"),
        ("nop $3", "", "()", "expected assembly that names 0 operands"),
    ],
)
def test_host_assembly(assembly, constraints, result, message, capfd):
    name = "" if result == "()" else "%r = "
    source = f"""func.func @main() {{
      {name}llvm.inline_asm has_side_effects "{assembly}", "{constraints}" : () -> {result}
      return
    }}"""
    with pytest.raises(tmem.MLIRError, match=message):
        tmem.run(source)
    assert capfd.readouterr().err == ""
    assert tmem.run(source.replace(assembly, "nop").replace("=zz", "=r")) == 0


# Every call has a frame that it needs after the next.
ENDLESS = """
module attributes {gpu.container_module} {
func.func @recurse(%n: i32, %m: memref<4xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i32
  %z = arith.constant 0 : i32
  %a = memref.alloca() : memref<256xi32>
  %v = memref.load %m[%c0] : memref<4xi32>
  %t = arith.cmpi eq, %v, %z : i32
  %r = scf.if %t -> (i32) {
    %j = arith.andi %n, %c1 : i32
    %ji = arith.index_cast %j : i32 to index
    memref.store %n, %a[%ji] : memref<256xi32>
    func.call @touch(%a) : (memref<256xi32>) -> ()
    %n1 = arith.addi %n, %c1 : i32
    %q = func.call @recurse(%n1, %m) : (i32, memref<4xi32>) -> i32
    %w = memref.load %a[%ji] : memref<256xi32>
    %s = arith.muli %q, %w : i32
    %s2 = arith.addi %s, %n : i32
    scf.yield %s2 : i32
  } else { scf.yield %z : i32 }
  return %r : i32
}
func.func private @touch(%a: memref<256xi32>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %v = memref.load %a[%c0] : memref<256xi32>
  %o = arith.constant 7 : i32
  %x = arith.xori %v, %o : i32
  memref.store %x, %a[%c0] : memref<256xi32>
  return
}
func.func @main(%n: i32, %m: memref<4xi32>) -> i32 {
  %r = call @recurse(%n, %m) : (i32, memref<4xi32>) -> i32
  return %r : i32
}
}"""


def test_a_stack_overflow_of_host_code():
    program = tmem.Program(ENDLESS)
    found = []

    def run():
        try:
            program(1, np.zeros(4, np.int32))
        except tmem.EmulationFault as fault:
            found.append(fault)

    run()
    run()
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert [fault.kind for fault in found] == ["host"] * 3
    assert all("stack overflow" in fault.message for fault in found), found
    assert program(1, np.ones(4, np.int32)) == 0


CALL = """func.func private @{name}({types})
func.func @main() {{
  %status = arith.constant 3 : i32
  call @{name}({arguments}) : ({types}) -> ()
  return
}}"""


ENDING = """
exit _exit _Exit quick_exit thrd_exit pthread_exit pthread_cancel daemon
err errx verr verrx errc verrc error error_at_line
execl execle execlp execv execve execvp execvpe execveat fexecve
raise kill killpg tgkill pthread_kill sigqueue pthread_sigqueue
""".split()


@pytest.mark.parametrize("name", ENDING)
def test_host_code_that_would_end_python(name):
    source = CALL.format(name=name, types="i32", arguments="%status")
    with pytest.raises(tmem.MLIRError, match=f"got the function @{name}, which can end"):
        tmem.run(source)


def test_host_code_that_prints_and_exits():
    source = """
    llvm.mlir.global internal constant @text("gone\\00")
    llvm.func @error_at_line(i32, i32, !llvm.ptr, i32, !llvm.ptr, ...)
    func.func @main(%status: i32) {
      %text = llvm.mlir.addressof @text : !llvm.ptr
      llvm.call @error_at_line(%status, %status, %text, %status, %text)
          vararg(!llvm.func<void (i32, i32, ptr, i32, ptr, ...)>)
          : (i32, i32, !llvm.ptr, i32, !llvm.ptr) -> ()
      return
    }"""
    with pytest.raises(tmem.MLIRError, match="got the function @error_at_line, which can end"):
        tmem.run(source, 3)


@pytest.mark.parametrize(
    "symbol",
    [
        "func.func @exit() { return }",
        "llvm.mlir.global internal @exit(3 : i32) : i32",
        "memref.global @exit : memref<3xf32>",
        "gpu.module @exit {}",
    ],
)
def test_other_symbols_of_these_names(symbol):
    assert tmem.run(f"{symbol}\nfunc.func @main() {{ return }}") == 0


@pytest.mark.parametrize("name", ["abort", "__stack_chk_fail"])
def test_host_code_that_aborts(name):
    with pytest.raises(tmem.EmulationFault, match="ended by signal 6") as raised:
        tmem.run(CALL.format(name=name, types="", arguments=""))
    assert raised.value.kind == "host"


@pytest.mark.parametrize(
    "function",
    ["func.func @{0}(%a: i32) -> i32 {{ return %a : i32 }}", "func.func private @{0}(!llvm.ptr)"],
)
@pytest.mark.parametrize("name", ["free", "malloc"])
def test_functions_that_lowered_code_needs(function, name):
    source = function.format(name) + """
    func.func @main(%n: index) {
      %c0 = arith.constant 0 : index
      %f = arith.constant 1.0 : f32
      %m = memref.alloc(%n) : memref<?xf32>
      memref.store %f, %m[%c0] : memref<?xf32>
      %v = memref.load %m[%n] : memref<?xf32>
      memref.store %v, %m[%c0] : memref<?xf32>
      memref.dealloc %m : memref<?xf32>
      return
    }"""
    if name == "malloc":
        function = function.replace("(!llvm.ptr)", "(i32)")
    with pytest.raises(tmem.MLIRError, match=f"expected no function {name} in the module, whose"):
        tmem.run(source, 4)


def test_functions_of_numbers_that_are_nowhere():
    source = CALL.format(name="nosuch_0", types="", arguments="") + "\nfunc.func @nosuch() { return }"
    with pytest.raises(tmem.MLIRError, match="expected a function nosuch_0 in the module or"):
        tmem.run(source)


def test_host_code_that_calls_nothing(capfd):
    source = CALL.format(name="nosuchfunction", types="", arguments="")
    with pytest.raises(tmem.MLIRError, match="expected a function nosuchfunction"):
        tmem.run(source)
    assert capfd.readouterr().err == ""
    source = CALL.format(name="srand", types="i32", arguments="%status")
    assert tmem.run(source) == 0


def test_an_address_that_is_none():
    source = """
    gpu.module @a {
      gpu.func @k(%m: memref<?xf32>, %i: index) kernel {
        %c0 = arith.constant 0 : index
        %huge = arith.constant 1152921504606846976 : index
        %all = memref.reinterpret_cast %m to offset: [0], sizes: [%huge], strides: [1]
            : memref<?xf32> to memref<?xf32>
        %v = memref.load %all[%i] : memref<?xf32>
        memref.store %v, %m[%c0] : memref<?xf32>
        gpu.return
      }
    }
    func.func @main(%m: memref<?xf32>, %i: index) {
      %c1 = arith.constant 1 : index
      gpu.launch_func @a::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
          args(%m : memref<?xf32>, %i : index)
      return
    }"""
    source = f"module attributes {{gpu.container_module}} {{ {source} }}"
    with pytest.raises(tmem.EmulationFault, match="an address that no memory can have"):
        tmem.run(source, np.zeros(4, np.float32), 2**59)


def test_types_of_two_contexts():
    first, second = ir.Context(), ir.Context()
    here, there = ir.Location.unknown(first), ir.Location.unknown(second)
    layout = td.LayoutAttr.get("(4, 4) : (1@tlane, 1@tcol)", here)
    other = td.LayoutAttr.get("(4, 4) : (1@tlane, 1@tcol)", there)
    number, vector = ir.F32Type.get(first), ir.VectorType.get([4], ir.F32Type.get(first), loc=here)
    for element, attribute, loc in [
        (number, layout, there),
        (number, other, here),
        (number, other, there),
    ]:
        with pytest.raises(tmem.MLIRError, match="one context"):
            td.ViewType.get([4, 4], element, attribute, loc)
    with pytest.raises(tmem.MLIRError, match="context"):
        td.PendingType.get(vector, there)
    view = td.ViewType.get([4, 4], number, layout, here)
    del first, here, number, layout
    gc.collect()
    assert view.num_columns == 4


def test_values_of_erased_operations():
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.create()
        f32, i32 = ir.F32Type.get(), ir.IntegerType.get_signless(32)
        tile = td.ViewType.get((128, 64), f32, td.DatapathAttr.get("D"))
        with ir.InsertionPoint(module.body):
            function: Any = func.FuncOp("f", ([i32], []))
        with ir.InsertionPoint(function.add_entry_block()):
            view = td.view(tile, function.arguments[0])
            view.owner.erase()
            for use in (
                lambda: td.load(view),
                lambda: td.subview(view, (0, 32), (128, 32)),
                lambda: td.rearrange(view, "a b -> b a"),
                lambda: td.read(view, result=ir.VectorType.get([64], f32)),
                lambda: td.wait_load([view]),
                lambda: td.load_split(low=view, high=view),
            ):
                with pytest.raises(ValueError, match="that has been erased"):
                    use()


def test_errors_are_pickled():
    with pytest.raises(tmem.MLIRError) as raised:
        tmem.load("func.func @f(%s: memref<1xi32, 3>) { tmem.alloc %s, 33 : memref<1xi32, 3> return }")
    copy = pickle.loads(pickle.dumps(raised.value))
    assert type(copy) is tmem.MLIRError and "rule C3" in str(copy)
    with pytest.raises(tmem.RuleError) as raised:
        tmem.Layout("(4, 4) : (1@tlane)")
    copy = pickle.loads(pickle.dumps(raised.value))
    assert copy.rule == "L2" and str(copy) == str(raised.value)


BLOCK = """
module attributes {gpu.container_module} {
  gpu.module @a {
    gpu.func @k() kernel attributes {known_block_size = array<i32: 128, 1, 1>} { gpu.return }
  }
  func.func @main(%n: index) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @a::@k blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
    return
  }
}"""


def test_a_block_of_another_size():
    assert tmem.run(BLOCK, 128) == 0
    with pytest.raises(ValueError, match="expected blocks of 128,1,1 threads"):
        tmem.run(BLOCK, 64)


@pytest.mark.parametrize("level", [0, 4, None, "3", True, 3.0, 2**32 + 3])
def test_optimization_levels(level):
    with pytest.raises(ValueError, match="expected an optimization level from 1 to 3"):
        tmem.compile(make_kernel(""), format="ptx", opt_level=level)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_module_in_a_fork():
    kernels = "\n".join(f"gpu.func @k{n}() kernel {{ gpu.return }}" for n in range(8))
    module = tmem.load(f"gpu.module @a {{ {kernels} }}\nfunc.func @main() {{ return }}")
    tmem.compile(module, format="ptx")
    child = os.fork()
    if child == 0:
        try:
            tmem.compile(module, format="ptx")
            os._exit(tmem.run(module))
        finally:
            os._exit(1)
    deadline = threading.Timer(60, os.kill, (child, 9))
    deadline.start()
    _, status = os.waitpid(child, 0)
    deadline.cancel()
    assert status == 0
