// A fence is one of the thread that executes it: whether those of some lanes count for the
// other ones is not decided. One of all lanes beside it is enough.

// RUN: tmem-opt %s --tmem-check-hazards -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!out = memref<256x8xi32>

module {
  gpu.module @kernels {
    gpu.func @before_on_lane_0(%out: !out) workgroup(%slot: !slot) kernel
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
      %lane0 = arith.cmpi eq, %lane, %c0 : index
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
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}undecided: whether a fence before that some lanes of a warp execute counts for what the others have accessed
      scf.if %lane0 {
        tmem.fence before
      }
      gpu.barrier
      tmem.fence after
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @after_on_lane_0(%out: !out) workgroup(%slot: !slot) kernel
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
      %lane0 = arith.cmpi eq, %lane, %c0 : index
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
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      scf.if %lane0 {
        tmem.fence after
      }
      scf.if %a {
        // CHECK: :[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}undecided: whether a fence after that some lanes of a warp execute counts for the others
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @right_fences(%out: !out) workgroup(%slot: !slot) kernel
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
      %lane0 = arith.cmpi eq, %lane, %c0 : index
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
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      scf.if %lane0 {
        tmem.fence before
      }
      gpu.barrier
      scf.if %lane0 {
        tmem.fence after
      }
      tmem.fence after
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
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
