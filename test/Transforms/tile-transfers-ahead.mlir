// In PTX a chunk's load stands before the arithmetic of the chunk in front of it,
// in place too: what is said of each chunk here is loads, waits, multiplications
// and stores, in their order.

// DEFINE: %{columns} =
// DEFINE: %{run} = tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{format=isa tile-columns=%{columns}})' \
// DEFINE:   | %python %tmem_src_root/utils/ptx-of.py -o %t.ptx \
// DEFINE:   && grep -oE 'minnctapersm 1|\.entry [a-z_]*|tcgen05\.(ld|st|wait::ld)|mul\.' %t.ptx | uniq \
// DEFINE:   | FileCheck %s
// REDEFINE: %{columns} = 64
// RUN: %{run}
// REDEFINE: %{columns} = 32
// RUN: %{run}
// REDEFINE: %{columns} = 16
// RUN: %{run}

// RUN: tmem-opt %s --tmem-select-atoms --tmem-tile-transfers=columns=128 | FileCheck %s --check-prefix=TURNS

!acc = !tmem.view<128x256xf32, #tmem.datapath<D>>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // CHECK:      .entry to_memory
    // CHECK-NEXT: tcgen05.ld
    // CHECK-NEXT: tcgen05.wait::ld
    // CHECK-NEXT: tcgen05.ld
    // CHECK-NEXT: mul.
    // CHECK-NEXT: tcgen05.wait::ld
    // CHECK-NEXT: tcgen05.ld
    // CHECK-NEXT: mul.
    // CHECK-NEXT: tcgen05.wait::ld
    // CHECK-NEXT: tcgen05.ld
    // CHECK-NEXT: mul.
    // CHECK-NEXT: tcgen05.wait::ld
    // CHECK:      mul.
    // TURNS: gpu.func @to_memory
    // TURNS-NOT: nvvm.minctasm
    gpu.func @to_memory(%base: i32, %out: memref<128x256xf32>)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %three = arith.constant dense<3.0> : vector<256xf32>
      %mem = tmem.view %base : !acc
      %p = tmem.load %mem scope(warpgroup)
          : !acc -> !tmem.pending<vector<256xf32>>
      %v = tmem.wait_load %p : !tmem.pending<vector<256xf32>>
      %w = arith.mulf %v, %three : vector<256xf32>
      vector.store %w, %out[%tid, %c0] {alignment = 32}
          : memref<128x256xf32>, vector<256xf32>
      gpu.return
    }

    // ptxas is told not to save registers for a second CTA, and does not spill.
    // CHECK:      .entry in_place
    // CHECK-NEXT: minnctapersm 1
    // CHECK-NEXT: tcgen05.ld
    // CHECK-NEXT: tcgen05.wait::ld
    // CHECK-NEXT: tcgen05.ld
    // CHECK-NEXT: mul.
    // CHECK-NEXT: tcgen05.st
    // CHECK-NEXT: tcgen05.wait::ld
    // CHECK-NEXT: tcgen05.ld
    // CHECK-NEXT: mul.
    // CHECK-NEXT: tcgen05.st
    // CHECK-NEXT: tcgen05.wait::ld
    // CHECK-NEXT: tcgen05.ld
    // CHECK-NEXT: mul.
    // CHECK-NEXT: tcgen05.st
    // CHECK-NEXT: tcgen05.wait::ld

    // Two chunks of 128 registers do not fit beside each other, so that the
    // second load waits for the first store.
    // TURNS: gpu.func @in_place
    // TURNS-NOT: nvvm.minctasm
    // TURNS: tmem.load
    // TURNS-NEXT: tmem.wait_load
    // TURNS-NEXT: arith.constant
    // TURNS-NEXT: arith.mulf
    // TURNS-NEXT: tmem.store
    // TURNS-NEXT: tmem.subview
    // TURNS-NEXT: tmem.load
    // TURNS-NEXT: tmem.wait_load
    gpu.func @in_place(%base: i32)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %three = arith.constant dense<3.0> : vector<256xf32>
      %mem = tmem.view %base : !acc
      %p = tmem.load %mem scope(warpgroup)
          : !acc -> !tmem.pending<vector<256xf32>>
      %v = tmem.wait_load %p : !tmem.pending<vector<256xf32>>
      %w = arith.mulf %v, %three : vector<256xf32>
      %t = tmem.store %w, %mem scope(warpgroup) : vector<256xf32>, !acc
      tmem.wait_store %t
      gpu.return
    }

    // Its registers are known already. Division takes temporary ones, so that
    // 64 columns are stored before the next are loaded.
    // CHECK-LABEL: .entry bounded
    // CHECK-NOT: minnctapersm
    gpu.func @bounded(%base: i32, %x: f32)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>,
                           nvvm.maxnreg = 168 : i32} {
      %mem = tmem.view %base : !acc
      %by = vector.broadcast %x : f32 to vector<256xf32>
      %p = tmem.load %mem scope(warpgroup)
          : !acc -> !tmem.pending<vector<256xf32>>
      %v = tmem.wait_load %p : !tmem.pending<vector<256xf32>>
      %w = arith.divf %v, %by : vector<256xf32>
      %t = tmem.store %w, %mem scope(warpgroup) : vector<256xf32>, !acc
      tmem.wait_store %t
      gpu.return
    }
  }
}
