// The last warp of a block that is no multiple of 32 threads: it has too few lanes for
// what all lanes execute, and may come to barriers.

// RUN: tmem-opt %s --tmem-check-hazards=undecided=error -verify-diagnostics -o /dev/null
// RUN: %exits_1 tmem-run %s --entry=run_H13_short_warp --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT

// RIGHT: 3 seeds: 3 clean, 0 with a fault

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!out = memref<256x8xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // E0: error: missing lanes: expected all 32 lanes of warp 4
    gpu.func @H13_short_warp(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 144, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
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
      %q = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      scf.if %b {
        // expected-error @+3 {{expected all 32 lanes of warp 4 to execute it, but the warp has only 16}}
        // expected-note @+2 {{rule H13:}}
        // expected-note @+1 {{to fix it, launch a multiple of 32 threads}}
        %v = nvvm.tcgen05.ld %q {shape = #s} : vector<8xi32>
        // expected-error @+3 {{expected all 32 lanes of warp 4 to execute it, but the warp has only 16}}
        // expected-note @+2 {{rule H13:}}
        // expected-note @+1 {{to fix it, launch a multiple of 32 threads}}
        nvvm.tcgen05.wait <load>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    gpu.func @right_H13_short_warp(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 160, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
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
      %q = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      scf.if %b {
        %v = nvvm.tcgen05.ld %q {shape = #s} : vector<8xi32>
        nvvm.tcgen05.wait <load>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    gpu.func @right_idle_short_warp(%out: !out, %n: index, %flag: i1) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 144, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c128 = arith.constant 128 : index
      %c32 = arith.constant 32 : index
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
      scf.if %first {
        tmem.dealloc %base, 64
      }
      gpu.return
    }
  }

  func.func @run_H13_short_warp() {
    %c1 = arith.constant 1 : index
    %n = arith.constant 4 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    %threads0 = arith.constant 144 : index
    %flag0 = arith.constant false
    gpu.launch_func @kernels::@H13_short_warp blocks in (%c1, %c1, %c1)
        threads in (%threads0, %c1, %c1) args(%out : !out, %n : index, %flag0 : i1)
    return
  }

  func.func @right() {
    %c1 = arith.constant 1 : index
    %n = arith.constant 4 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    %threads0 = arith.constant 160 : index
    %flag0 = arith.constant false
    gpu.launch_func @kernels::@right_H13_short_warp blocks in (%c1, %c1, %c1)
        threads in (%threads0, %c1, %c1) args(%out : !out, %n : index, %flag0 : i1)
    %threads1 = arith.constant 144 : index
    %flag1 = arith.constant false
    gpu.launch_func @kernels::@right_idle_short_warp blocks in (%c1, %c1, %c1)
        threads in (%threads1, %c1, %c1) args(%out : !out, %n : index, %flag1 : i1)
    return
  }
}
