#!/usr/bin/env python3
# ===- limits.py - Kernels at the limits of the hazard checker -------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""limits.py KIND N...: prints a kernel of which something grows with N.

loads N: N loads of Tensor Memory, with one wait behind them all.
calls N DEPTH: N barriers in a function that is called 10 ** DEPTH times.
nest N: an arrival at an mbarrier within N regions.
slots N: N allocations, with a word of shared memory for each address.
turns N: a loop of N turns beside an mbarrier.
ring N: N warps that hand over cells in a ring, against the order of the text; each
does so in a loop of its own within a loop of all."""

import sys

HEAD = """#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
gpu.module @kernels {"""
TAIL = """    gpu.return
  }
}"""
MBARRIER = """  llvm.mlir.global internal @bar() {addr_space = 3 : i32} : i64
  gpu.func @k() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0 : i32
    %n32 = arith.constant 32 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %t0 = arith.cmpi eq, %tid, %zero : i32
    scf.if %t0 {
      nvvm.mbarrier.init %bar, %n32 : !llvm.ptr<3>, i32
    }
    nvvm.barrier0
    nvvm.tcgen05.wait <load>"""
ARRIVE = "%s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64"


def loads(count):
    print("""  gpu.func @k(%p: !llvm.ptr<6>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {""")
    for i in range(count):
        print(f"    %v{i} = nvvm.tcgen05.ld %p {{shape = #s}} : vector<8xi32>")
    print("    nvvm.tcgen05.wait <load>")


def calls(count, depth):
    bodies = [["nvvm.barrier0"] * count]
    for i in range(depth):
        bodies.append([f"func.call @f{i}() : () -> ()"] * 10)
    for i, body in enumerate(bodies):
        print(f"  func.func @f{i}() {{")
        print("\n".join(body))
        print("    return\n  }")
    print(f"""  gpu.func @k() kernel
      attributes {{known_block_size = array<i32: 32, 1, 1>}} {{
    nvvm.tcgen05.wait <load>
    func.call @f{depth}() : () -> ()""")


def nest(count):
    print(MBARRIER)
    print("scf.execute_region {\n" * count + ARRIVE)
    print("scf.yield }\n" * count)


def slots(count):
    for i in range(count):
        print(f"  llvm.mlir.global internal @slot{i}() {{addr_space = 3 : i32}} : i32")
    print("""  gpu.func @k() kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {""")
    for i in range(count):
        print(f"""    %s{i} = llvm.mlir.addressof @slot{i} : !llvm.ptr<3>
    tmem.alloc %s{i}, 32 : !llvm.ptr<3>
    nvvm.barrier0
    %b{i} = llvm.load %s{i} : !llvm.ptr<3> -> i32
    tmem.dealloc %b{i}, 32""")


def turns(count):
    print(MBARRIER)
    print(f"""    {ARRIVE}
    %n1 = arith.constant 1 : i32
    %n = arith.constant {count} : i32
    scf.for %i = %zero to %n step %n1 : i32 {{
      nvvm.bar.warp.sync %n32 : i32
    }}""")


def ring(warps):
    for i in range(warps):
        print(f"  llvm.mlir.global internal @bar{i}() {{addr_space = 3 : i32}} : i64")
    print(f"""  gpu.func @k(%base: i32, %n: i32, %parity: i32) kernel
      attributes {{known_block_size = array<i32: {32 * warps}, 1, 1>}} {{
    %zero = arith.constant 0 : i32
    %n1 = arith.constant 1 : i32
    %n32 = arith.constant 32 : i32
    %v = arith.constant dense<7> : vector<8xi32>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %warp = arith.divui %tid, %n32 : i32
    %n8 = arith.constant 8 : i32
    %column = arith.muli %warp, %n8 : i32
    %mine = arith.addi %base, %column : i32
    %p = llvm.inttoptr %mine : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %p, %v {{shape = #s}} : vector<8xi32>
    nvvm.tcgen05.wait <store>""")
    for i in range(warps):
        print(f"""    %b{i} = llvm.mlir.addressof @bar{i} : !llvm.ptr<3>
    %i{i} = arith.constant {i} : i32
    %w{i} = arith.cmpi eq, %warp, %i{i} : i32""")
    print("    scf.for %turn = %zero to %n step %n1 : i32 {")
    for i in reversed(range(warps)):
        print(f"""      scf.for %j{i} = %zero to %n step %n1 : i32 {{
        scf.if %w{i} {{
          nvvm.mbarrier.try_wait.parity %b{(i - 1) % warps}, %parity, %n32
              : !llvm.ptr<3>, i32, i32
          %s = nvvm.mbarrier.arrive %b{i} : !llvm.ptr<3> -> i64
        }}
      }}""")
    print("    }")


print(HEAD)
kinds = {f.__name__: f for f in (loads, calls, nest, slots, turns, ring)}
kinds[sys.argv[1]](*map(int, sys.argv[2:]))
print(TAIL)
