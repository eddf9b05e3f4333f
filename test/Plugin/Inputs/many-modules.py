"""Writes as many gpu.modules as the argument says, all alike."""

import sys

KERNELS = """
    gpu.func @merging(%base: i32, %c: i1, %out: !llvm.ptr) kernel {
      %mem = tmem.view %base : !view
      %a = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
          : !view -> !pending
      %b = tmem.load %mem registers(#regs) atom(<32x32b, x2>) scope(warpgroup)
          : !view -> !pending
      %p = scf.if %c -> (!pending) {
        scf.yield %a : !pending
      } else {
        scf.yield %b : !pending
      }
      %v = tmem.wait_load %p : !pending
      llvm.store %v, %out : vector<2xf32>, !llvm.ptr
      gpu.return
    }
    gpu.func @fresh(%base: i32, %c: i1, %out: !llvm.ptr) kernel {
      %mem = tmem.view %base : !view
      %p = scf.if %c -> (!pending) {
        %a = tmem.load %mem registers(#regs) atom(<32x32b, x2>)
            scope(warpgroup) : !view -> !pending
        scf.yield %a : !pending
      } else {
        %b = tmem.load %mem registers(#regs) atom(<32x32b, x2>)
            scope(warpgroup) : !view -> !pending
        scf.yield %b : !pending
      }
      %v = tmem.wait_load %p : !pending
      llvm.store %v, %out : vector<2xf32>, !llvm.ptr
      gpu.return
    }
"""

print("!view = !tmem.view<128x2xf32, #tmem.datapath<D>>")
print("!pending = !tmem.pending<vector<2xf32>>")
print("#regs = #tmem.layout<(128, 2) : (1@tid, 1@reg)>")
for i in range(int(sys.argv[1])):
    kernels = KERNELS.replace("gpu.func", "llvm.func").replace(" kernel {", " {")
    print(f"gpu.module @m{i} {{{kernels.replace('gpu.return', 'llvm.return')}}}")
