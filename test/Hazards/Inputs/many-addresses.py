"""many-addresses.py N: a kernel that reads N views, each selected from the two
before it, so that no two of their addresses are known to be the same; and behind them
one with a store that nothing waits for, of an address that is known."""

import sys

print("""!b = !tmem.view<128x8xi32, #tmem.datapath<D>>
!v = vector<8xi32>
#r = #tmem.layout<(128, 8) : (1@tid, 1@reg)>
gpu.module @kernels {
  gpu.func @k(%out: memref<256x8xi32>, %flag: i1) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %tid = gpu.thread_id x
    %i0 = arith.constant 0 : i32
    %i8 = arith.constant 8 : i32
    %s0 = tmem.view %i0 : !b
    %s1 = tmem.view %i8 : !b""")
for i in range(2, int(sys.argv[1])):
    print(f"""    %s{i} = arith.select %flag, %s{i-1}, %s{i-2} : !b
    %r{i} = tmem.read %s{i} registers(#r) scope(warpgroup) : !b -> !v
    vector.store %r{i}, %out[%tid, %c0] : memref<256x8xi32>, !v""")
print("""    %values = arith.constant dense<7> : !v
    %t = tmem.store %values, %s1 registers(#r) atom(<32x32b, x8>) scope(warpgroup)
        : !v, !b
    %p = tmem.load %s1 registers(#r) atom(<32x32b, x8>) scope(warpgroup)
        : !b -> !tmem.pending<!v>
    tmem.wait_store %t
    %w = tmem.wait_load %p : !tmem.pending<!v>
    vector.store %w, %out[%tid, %c0] : memref<256x8xi32>, !v
    gpu.return
  }
}""")
