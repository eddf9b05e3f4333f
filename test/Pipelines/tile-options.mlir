// The options of the pipelines that cut wide tiles; without them none is cut.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{format=isa tile-columns=16})' --mlir-print-ir-before=convert-vector-to-scf -o /dev/null 2>&1 | FileCheck %s --check-prefix=C16
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-emulate{tile-columns=16})' --mlir-print-ir-before=convert-vector-to-scf -o /dev/null 2>&1 | FileCheck %s --check-prefix=C16
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{format=isa max-live-registers=40})' --mlir-print-ir-before=convert-vector-to-scf -o /dev/null 2>&1 | FileCheck %s --check-prefix=C16
// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-to-cubin{format=isa})' --mlir-print-ir-before=convert-vector-to-scf -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHOLE

// C16-COUNT-4: tmem.load {{.*}} -> !tmem.pending<vector<16xf32>>
// C16-NOT: tmem.load
// WHOLE: tmem.load {{.*}} -> !tmem.pending<vector<64xf32>>
// WHOLE-NOT: tmem.load

!acc = !tmem.view<128x64xf32, #tmem.datapath<D>>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%base: i32, %out: memref<128x64xf32>)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %mem = tmem.view %base : !acc
      %p = tmem.load %mem scope(warpgroup)
          : !acc -> !tmem.pending<vector<64xf32>>
      %v = tmem.wait_load %p : !tmem.pending<vector<64xf32>>
      vector.store %v, %out[%tid, %c0] {alignment = 32}
          : memref<128x64xf32>, vector<64xf32>
      gpu.return
    }
  }
}
