// Named barriers that are used once, and of which the number of threads is not that of
// who comes: a fault that is there in some order of the warps is found; else it is not
// decided which of them meet. Each wrong kernel faults on the emulator.

// RUN: tmem-opt %s --tmem-check-hazards -verify-diagnostics -o /dev/null
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=run_two_counts --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E
// RUN: %exits_1 tmem-run %s --entry=run_both_too_few --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E
// RUN: %exits_1 tmem-run %s --entry=run_all_come_for_fewer --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E
// RUN: %exits_1 tmem-run %s --entry=run_H2_freed_by_too_few --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E

// E: error: {{.*}}{{deadlock|race|is not allocated|threads at barrier}}
// RIGHT: 3 seeds: 3 clean, 0 with a fault

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!out = memref<256x8xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @two_counts(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %id1 = arith.constant 1 : i32
      %n128 = arith.constant 128 : i32
      %n256 = arith.constant 256 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 64 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      scf.if %a {
        tmem.fence before
        // expected-warning @+1 {{undecided: which warps meet at the barrier: others come to it than its number of threads says}}
        nvvm.barrier.arrive id = %id1 number_of_threads = %n128
      }
      scf.if %b {
        // expected-warning @+1 {{undecided: which warps meet at the barrier: others come to it than its number of threads says}}
        nvvm.barrier id = %id1 number_of_threads = %n256
        tmem.fence after
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    gpu.func @both_too_few(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %id1 = arith.constant 1 : i32
      %n192 = arith.constant 192 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 64 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      scf.if %a {
        tmem.fence before
        // expected-warning @+1 {{undecided: which warps meet at the barrier: others come to it than its number of threads says}}
        nvvm.barrier.arrive id = %id1 number_of_threads = %n192
      }
      scf.if %b {
        // expected-warning @+1 {{undecided: which warps meet at the barrier: others come to it than its number of threads says}}
        nvvm.barrier id = %id1 number_of_threads = %n192
        tmem.fence after
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    gpu.func @right_handoff(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %id1 = arith.constant 1 : i32
      %n256 = arith.constant 256 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 64 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      scf.if %a {
        tmem.fence before
        nvvm.barrier.arrive id = %id1 number_of_threads = %n256
      }
      scf.if %b {
        nvvm.barrier id = %id1 number_of_threads = %n256
        tmem.fence after
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    gpu.func @all_come_for_fewer(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %id1 = arith.constant 1 : i32
      %n192 = arith.constant 192 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 64 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      // expected-warning @+1 {{undecided: which warps meet at the barrier: others come to it than its number of threads says}}
      nvvm.barrier id = %id1 number_of_threads = %n192
      tmem.fence after
      scf.if %b {
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    gpu.func @right_all_come(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %id1 = arith.constant 1 : i32
      %n256 = arith.constant 256 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 64 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      nvvm.barrier id = %id1 number_of_threads = %n256
      tmem.fence after
      scf.if %b {
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    gpu.func @H2_freed_by_too_few(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %id1 = arith.constant 1 : i32
      %n128 = arith.constant 128 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 64 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %b {
        // expected-note @+1 {{accessed here by another warp}}
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
        nvvm.barrier.arrive id = %id1 number_of_threads = %n128
      }
      scf.if %first {
        nvvm.barrier id = %id1 number_of_threads = %n128
      }
      scf.if %first {
        // expected-error @+3 {{expected a barrier between this and the load of another warp}}
        // expected-note @+2 {{rule H2:}}
        // expected-note @+1 {{to fix it, put a barrier of all warps in front of the dealloc}}
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    gpu.func @right_freed(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %id1 = arith.constant 1 : i32
      %n160 = arith.constant 160 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 64 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %b {
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
        nvvm.barrier.arrive id = %id1 number_of_threads = %n160
      }
      scf.if %first {
        nvvm.barrier id = %id1 number_of_threads = %n160
      }
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }
  }

  func.func @run_two_counts() {
    %c1 = arith.constant 1 : index
    %n = arith.constant 4 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    %threads0 = arith.constant 256 : index
    %flag0 = arith.constant false
    gpu.launch_func @kernels::@two_counts blocks in (%c1, %c1, %c1)
        threads in (%threads0, %c1, %c1) args(%out : !out, %n : index, %flag0 : i1)
    return
  }

  func.func @run_both_too_few() {
    %c1 = arith.constant 1 : index
    %n = arith.constant 4 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    %threads0 = arith.constant 256 : index
    %flag0 = arith.constant false
    gpu.launch_func @kernels::@both_too_few blocks in (%c1, %c1, %c1)
        threads in (%threads0, %c1, %c1) args(%out : !out, %n : index, %flag0 : i1)
    return
  }

  func.func @run_all_come_for_fewer() {
    %c1 = arith.constant 1 : index
    %n = arith.constant 4 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    %threads0 = arith.constant 256 : index
    %flag0 = arith.constant false
    gpu.launch_func @kernels::@all_come_for_fewer blocks in (%c1, %c1, %c1)
        threads in (%threads0, %c1, %c1) args(%out : !out, %n : index, %flag0 : i1)
    return
  }

  func.func @run_H2_freed_by_too_few() {
    %c1 = arith.constant 1 : index
    %n = arith.constant 4 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    %threads0 = arith.constant 256 : index
    %flag0 = arith.constant false
    gpu.launch_func @kernels::@H2_freed_by_too_few blocks in (%c1, %c1, %c1)
        threads in (%threads0, %c1, %c1) args(%out : !out, %n : index, %flag0 : i1)
    return
  }

  func.func @right() {
    %c1 = arith.constant 1 : index
    %n = arith.constant 4 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    %threads0 = arith.constant 256 : index
    %flag0 = arith.constant false
    gpu.launch_func @kernels::@right_handoff blocks in (%c1, %c1, %c1)
        threads in (%threads0, %c1, %c1) args(%out : !out, %n : index, %flag0 : i1)
    %threads1 = arith.constant 256 : index
    %flag1 = arith.constant false
    gpu.launch_func @kernels::@right_all_come blocks in (%c1, %c1, %c1)
        threads in (%threads1, %c1, %c1) args(%out : !out, %n : index, %flag1 : i1)
    %threads2 = arith.constant 256 : index
    %flag2 = arith.constant false
    gpu.launch_func @kernels::@right_freed blocks in (%c1, %c1, %c1)
        threads in (%threads2, %c1, %c1) args(%out : !out, %n : index, %flag2 : i1)
    return
  }
}
