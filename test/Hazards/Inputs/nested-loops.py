"""nested-loops.py N: a kernel of N loops within each other, which carry two values each and
test what the loop inside of them gives. It is right."""

import sys

depth = int(sys.argv[1])
print("""gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 16 : i64} : i32""")
print(f"""  gpu.func @nested(%n: index) kernel
      attributes {{known_block_size = array<i32: 256, 1, 1>}} {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %n32 = arith.constant 32 : i32
    %tid = gpu.thread_id x
    %warp0 = arith.cmpi ult, %tid, %c32 : index
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    scf.if %warp0 {{
      nvvm.tcgen05.alloc %slot, %n32 : !llvm.ptr<3>, i32
    }}""")
x, y = "%c0", "%c1"
for i in range(depth):
    print(f"""    %r{i}:2 = scf.for %i{i} = %c0 to %n step %c1
        iter_args(%x{i} = {x}, %y{i} = {y}) -> (index, index) {{""")
    x, y = f"%x{i}", f"%y{i}"
print(f"""    nvvm.barrier0
    %sum = arith.addi {y}, %i{depth - 1} : index
    scf.yield %sum, {x} : index, index
    }}""")
for i in reversed(range(depth - 1)):
    print(f"""    %less{i} = arith.cmpi ult, %r{i + 1}#0, %n : index
    %pick{i} = arith.select %less{i}, %r{i + 1}#1, %i{i} : index
    scf.yield %pick{i}, %r{i + 1}#0 : index, index
    }}""")
print("""    %is_last = arith.cmpi eq, %r0#0, %n : index
    scf.if %is_last {
      nvvm.barrier0
    }
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    nvvm.barrier0
    scf.if %warp0 {
      nvvm.tcgen05.dealloc %p, %n32 : !llvm.ptr<6>, i32
    }
    gpu.return
  }""")
print("}")
