// Named barriers that are used once, and at which several groups of warps
// come together: a fault that is there in some order of the warps is found; else it is not
// decided which of them meet. Each wrong kernel faults on the emulator.

// RUN: tmem-opt %s --tmem-check-hazards -verify-diagnostics -o /dev/null
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=run_H11_pairs_at_one_barrier --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E
// RUN: %exits_1 tmem-run %s --entry=run_barrier_of_the_block --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E

// E: error: {{.*}}{{deadlock|race|is not allocated|threads at barrier}}
// RIGHT: 3 seeds: 3 clean, 0 with a fault

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!out = memref<256x8xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @H11_pairs_at_one_barrier(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
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
      %c64 = arith.constant 64 : index
      %c192 = arith.constant 192 : index
      %lower = arith.cmpi ult, %tid, %c64 : index
      %upper0 = arith.cmpi uge, %tid, %c64 : index
      %upper = arith.andi %upper0, %a : i1
      %third0 = arith.cmpi ult, %tid, %c192 : index
      %third = arith.andi %third0, %b : i1
      %last = arith.cmpi uge, %tid, %c192 : index
      scf.if %a {
        // expected-note @+1 {{accessed here by another warp}}
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
        tmem.fence before
      }
      scf.if %lower {
        nvvm.barrier.arrive id = %id1 number_of_threads = %n128
      }
      scf.if %upper {
        nvvm.barrier.arrive id = %id1 number_of_threads = %n128
      }
      scf.if %third {
        nvvm.barrier id = %id1 number_of_threads = %n128
      }
      scf.if %last {
        nvvm.barrier id = %id1 number_of_threads = %n128
      }
      scf.if %b {
        tmem.fence after
        // expected-error @+3 {{expected a barrier between this and the store of another warp of the same cells}}
        // expected-note @+2 {{rule H11:}}
        // expected-note @+1 {{to fix it, put tmem.fence before, a barrier and tmem.fence after between the two}}
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

    gpu.func @right_pairs(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %id1 = arith.constant 1 : i32
      %id2 = arith.constant 2 : i32
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
      %c64 = arith.constant 64 : index
      %c192 = arith.constant 192 : index
      %lower = arith.cmpi ult, %tid, %c64 : index
      %upper0 = arith.cmpi uge, %tid, %c64 : index
      %upper = arith.andi %upper0, %a : i1
      %third0 = arith.cmpi ult, %tid, %c192 : index
      %third = arith.andi %third0, %b : i1
      %last = arith.cmpi uge, %tid, %c192 : index
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
        tmem.fence before
      }
      scf.if %lower {
        nvvm.barrier.arrive id = %id1 number_of_threads = %n128
      }
      scf.if %upper {
        nvvm.barrier.arrive id = %id2 number_of_threads = %n128
      }
      scf.if %third {
        nvvm.barrier id = %id1 number_of_threads = %n128
      }
      scf.if %last {
        nvvm.barrier id = %id2 number_of_threads = %n128
      }
      scf.if %b {
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

    gpu.func @barrier_of_the_block(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
      %id0 = arith.constant 0 : i32
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
      scf.if %a {
        // expected-warning @+1 {{undecided: which warps meet at the barrier}}
        nvvm.barrier id = %id0 number_of_threads = %n128
      }
      tmem.fence before
      gpu.barrier
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

    gpu.func @right_other_barrier(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
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
      scf.if %a {
        nvvm.barrier id = %id1 number_of_threads = %n128
      }
      tmem.fence before
      gpu.barrier
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

    gpu.func @right_others_have_ended(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c128 = arith.constant 128 : index
      %c160 = arith.constant 160 : index
      %c32 = arith.constant 32 : index
      %id0 = arith.constant 0 : i32
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
      tmem.fence before
      gpu.barrier
      tmem.fence after
      cf.cond_br %a, ^end, ^goes_on
      ^goes_on:
      tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      nvvm.barrier id = %id0 number_of_threads = %n128
      %last = arith.cmpi ult, %tid, %c160 : index
      scf.if %last {
        tmem.dealloc %base, 64
      }
      cf.br ^end
      ^end:
      gpu.return
    }
  }

  func.func @run_H11_pairs_at_one_barrier() {
    %c1 = arith.constant 1 : index
    %n = arith.constant 4 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    %threads0 = arith.constant 256 : index
    %flag0 = arith.constant false
    gpu.launch_func @kernels::@H11_pairs_at_one_barrier blocks in (%c1, %c1, %c1)
        threads in (%threads0, %c1, %c1) args(%out : !out, %n : index, %flag0 : i1)
    return
  }

  func.func @run_barrier_of_the_block() {
    %c1 = arith.constant 1 : index
    %n = arith.constant 4 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    %threads0 = arith.constant 256 : index
    %flag0 = arith.constant false
    gpu.launch_func @kernels::@barrier_of_the_block blocks in (%c1, %c1, %c1)
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
    gpu.launch_func @kernels::@right_pairs blocks in (%c1, %c1, %c1)
        threads in (%threads0, %c1, %c1) args(%out : !out, %n : index, %flag0 : i1)
    %threads1 = arith.constant 256 : index
    %flag1 = arith.constant false
    gpu.launch_func @kernels::@right_other_barrier blocks in (%c1, %c1, %c1)
        threads in (%threads1, %c1, %c1) args(%out : !out, %n : index, %flag1 : i1)
    %threads2 = arith.constant 256 : index
    %flag2 = arith.constant false
    gpu.launch_func @kernels::@right_others_have_ended blocks in (%c1, %c1, %c1)
        threads in (%threads2, %c1, %c1) args(%out : !out, %n : index, %flag2 : i1)
    return
  }
}
