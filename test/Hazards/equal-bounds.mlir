// Loops of equal bounds run both, or neither. The kernel that is right has a twin in
// which the bounds differ; that is found, and faults on the emulator.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tmem-check-hazards{mode=strict report=warning undecided=error})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(convert-scf-to-cf),gpu.module(gpu.func(tmem-check-hazards{mode=strict report=warning undecided=error})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=run_H12_other_bound --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0

#regs = #tmem.layout<(128, 8) : (1@tid, 1@reg)>
#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!pending = !tmem.pending<vector<8xi32>>
!out = memref<128x8xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @right_loops(%out: !out, %n: index, %m: index, %flag: i1)
        workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      %true = arith.constant true
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %values = arith.constant dense<7> : vector<8xi32>
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      %t0 = tmem.store %values, %mem registers(#regs) atom(<32x32b, x8>) scope(warpgroup) : vector<8xi32>, !view
      tmem.wait_store %t0
      %thread = arith.index_cast %tid : index to i32
      %c96 = arith.constant 96 : i32
      %c16 = arith.constant 16 : i32
      %rows = arith.andi %thread, %c96 : i32
      %slab = arith.shli %rows, %c16 : i32
      %address = arith.addi %base, %slab : i32
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      scf.for %i = %c0 to %n step %c1 {
        %v = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
      }
      scf.for %i = %c0 to %n step %c1 {
        nvvm.tcgen05.wait <load>
      }
      nvvm.tcgen05.st %p, %values {shape = #s} : vector<8xi32>
      nvvm.tcgen05.wait <store>
      nvvm.tcgen05.wait <load>
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H12_other_bound(%out: !out, %n: index, %m: index, %flag: i1)
        workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      %true = arith.constant true
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %values = arith.constant dense<7> : vector<8xi32>
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      %t0 = tmem.store %values, %mem registers(#regs) atom(<32x32b, x8>) scope(warpgroup) : vector<8xi32>, !view
      tmem.wait_store %t0
      %thread = arith.index_cast %tid : index to i32
      %c96 = arith.constant 96 : i32
      %c16 = arith.constant 16 : i32
      %rows = arith.andi %thread, %c96 : i32
      %slab = arith.shli %rows, %c16 : i32
      %address = arith.addi %base, %slab : i32
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      scf.for %i = %c0 to %n step %c1 {
        %v = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
      }
      scf.for %i = %c0 to %m step %c1 {
        nvvm.tcgen05.wait <load>
      }
      // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected a wait::ld between this and the load of the same cells
      // CHECK: note: rule H12:
      // E0: error: {{.*}}
      nvvm.tcgen05.st %p, %values {shape = #s} : vector<8xi32>
      nvvm.tcgen05.wait <store>
      nvvm.tcgen05.wait <load>
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }
  }

  func.func @run_H12_other_bound() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 128 : index
    %n0 = arith.constant 0 : index
    %n1 = arith.constant 1 : index
    %n2 = arith.constant 2 : index
    %n3 = arith.constant 3 : index
    %true = arith.constant true
    %false = arith.constant false
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H12_other_bound blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
        args(%out : !out, %n2 : index, %n0 : index, %true : i1)
    return
  }
  func.func @right() {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 128 : index
    %n0 = arith.constant 0 : index
    %n1 = arith.constant 1 : index
    %n2 = arith.constant 2 : index
    %n3 = arith.constant 3 : index
    %true = arith.constant true
    %false = arith.constant false
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@right_loops blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
        args(%out : !out, %n2 : index, %n0 : index, %true : i1)
    gpu.launch_func @kernels::@right_loops blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
        args(%out : !out, %n0 : index, %n2 : index, %false : i1)
    // RIGHT: no fault
    vector.print str "no fault\n"
    return
  }
}
