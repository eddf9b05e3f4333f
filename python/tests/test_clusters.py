# ===- test_clusters.py - Clusters of blocks on the emulator ----------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Clusters of blocks on the emulator, and a fault in one of them."""

import numpy as np
import pytest
import tmem

SOURCE = """
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!out = memref<?xi32>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel(%out: !out, %meets: i1) workgroup(%slot: !slot) kernel {
      %zero = arith.constant 0 : index
      %block = gpu.block_id x
      %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
      memref.store %rank, %out[%block] : !out
      tmem.alloc %slot, 32 cta_group(2) : !slot
      gpu.barrier
      %base = memref.load %slot[%zero] : !slot
      scf.if %meets {
        nvvm.cluster.arrive
        nvvm.cluster.wait
      }
      tmem.dealloc %base, 32 cta_group(2)
      gpu.return
    }
  }
  func.func @main(%out: !out, %blocks: index, %cluster: index, %meets: i1) {
    %one = arith.constant 1 : index
    %threads = arith.constant 32 : index
    gpu.launch_func @kernels::@kernel clusters in (%cluster, %one, %one)
        blocks in (%blocks, %one, %one) threads in (%threads, %one, %one)
        args(%out : !out, %meets : i1)
    return
  }
}
"""


@pytest.mark.parametrize("cluster", [2, 4])
def test_ranks(cluster: int) -> None:
    ranks = np.full(8, -1, np.int32)
    assert tmem.run(SOURCE, ranks, 8, cluster, True, race=True) == 0
    assert ranks.tolist() == list(range(cluster)) * (8 // cluster)


def test_a_fault_names_the_block():
    with pytest.raises(tmem.EmulationFault) as raised:
        tmem.run(SOURCE, np.zeros(2, np.int32), 2, 2, False)
    fault = raised.value
    assert fault.kind == "kernel" and fault.block in {(0, 0, 0), (1, 0, 0)}
    peer = f"block {1 - fault.block[0]},0,0"
    assert fault.message.startswith(f"dealloc is not ordered after the alloc of the peer, {peer}")
    (note,) = fault.notes
    assert note.message == f"allocated here by {peer}"


def test_a_grid_of_part_of_a_cluster():
    with pytest.raises(ValueError, match="a multiple of 2 blocks in x, but got 3"):
        tmem.run(SOURCE, np.zeros(3, np.int32), 3, 2, True)
