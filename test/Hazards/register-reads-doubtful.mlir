// Reads of registers that a compiler drops, and those of which it is not known whether it
// does.

// RUN: not tmem-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tmem-check-hazards{mode=register-dependence report=warning undecided=error})))' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!out = memref<256x8xi32>

module {
  gpu.module @kernels {
    gpu.func @right_shift(%out: !out) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %n16 = arith.constant 16 : i32
      %n96 = arith.constant 96 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %t32 = arith.index_cast %tid : index to i32
      %lane = arith.remui %tid, %c32 : index
      %warp = arith.divui %tid, %c32 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %address = arith.addi %base, %slab : i32
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      scf.if %b {
        %v = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
        %cw = arith.constant dense<31> : vector<8xi32>
        %w = arith.shrui %v, %cw : vector<8xi32>
        vector.store %w, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      } else {
        nvvm.tcgen05.wait <load>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H3_stored_for_nobody(%out: !out) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %n16 = arith.constant 16 : i32
      %n96 = arith.constant 96 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %t32 = arith.index_cast %tid : index to i32
      %lane = arith.remui %tid, %c32 : index
      %warp = arith.divui %tid, %c32 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %address = arith.addi %base, %slab : i32
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      scf.if %b {
        %v = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
        %own = memref.alloca() : memref<8xi32>
        vector.store %v, %own[%c0] : memref<8xi32>, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %a {
        // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected the load of another warp to be waited for before the barrier or arrive
        // CHECK: note: rule H3:
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      } else {
        nvvm.tcgen05.wait <load>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H3_never_below_zero(%out: !out) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %n16 = arith.constant 16 : i32
      %n96 = arith.constant 96 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %t32 = arith.index_cast %tid : index to i32
      %lane = arith.remui %tid, %c32 : index
      %warp = arith.divui %tid, %c32 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %address = arith.addi %base, %slab : i32
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      scf.if %b {
        %v = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
        %zero = arith.constant dense<0> : vector<8xi32>
        %never = arith.cmpi ult, %v, %zero : vector<8xi32>
        %w = arith.select %never, %values, %zero : vector<8xi1>, vector<8xi32>
        vector.store %w, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %a {
        // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected the load of another warp to be waited for before the barrier or arrive
        // CHECK: note: rule H3:
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      } else {
        nvvm.tcgen05.wait <load>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @not_selected(%out: !out) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %n16 = arith.constant 16 : i32
      %n96 = arith.constant 96 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %t32 = arith.index_cast %tid : index to i32
      %lane = arith.remui %tid, %c32 : index
      %warp = arith.divui %tid, %c32 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %address = arith.addi %base, %slab : i32
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      scf.if %b {
        %v = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
        %false = arith.constant false
        %w = arith.select %false, %v, %values : vector<8xi32>
        vector.store %w, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %a {
        // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}undecided: whether a compiler keeps what reads the registers before: expected the load of another warp
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      } else {
        nvvm.tcgen05.wait <load>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @two_shifts(%out: !out) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %n16 = arith.constant 16 : i32
      %n96 = arith.constant 96 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %t32 = arith.index_cast %tid : index to i32
      %lane = arith.remui %tid, %c32 : index
      %warp = arith.divui %tid, %c32 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %address = arith.addi %base, %slab : i32
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      scf.if %b {
        %v = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
        %cw = arith.constant dense<31> : vector<8xi32>
        %w = arith.shrui %v, %cw : vector<8xi32>
        %cx = arith.constant dense<1> : vector<8xi32>
        %x = arith.shrui %w, %cx : vector<8xi32>
        vector.store %x, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %a {
        // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}undecided: whether a compiler keeps what reads the registers before: expected the load of another warp
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      } else {
        nvvm.tcgen05.wait <load>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @through_memory(%out: !out) workgroup(%slot: !slot) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %n16 = arith.constant 16 : i32
      %n96 = arith.constant 96 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %t32 = arith.index_cast %tid : index to i32
      %lane = arith.remui %tid, %c32 : index
      %warp = arith.divui %tid, %c32 : index
      %first = arith.cmpi ult, %tid, %c32 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      %rows = arith.andi %t32, %n96 : i32
      %slab = arith.shli %rows, %n16 : i32
      %address = arith.addi %base, %slab : i32
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      scf.if %b {
        %v = nvvm.tcgen05.ld %p {shape = #s} : vector<8xi32>
        %own = memref.alloca() : memref<8xi32>
        vector.store %v, %own[%c0] : memref<8xi32>, vector<8xi32>
        %back = memref.load %own[%tid] : memref<8xi32>
        memref.store %back, %out[%tid, %c0] : !out
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %a {
        // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}undecided: whether a compiler keeps what reads the registers before: expected the load of another warp
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      } else {
        nvvm.tcgen05.wait <load>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }
  }
}
