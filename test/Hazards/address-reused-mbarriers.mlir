// One word of shared memory for two allocs, where mbarriers alone order the second one
// behind the reads of the first: runs tell what each load gives.

// RUN: tmem-opt %s --tmem-check-hazards='report=warning undecided=error' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=run_H7_by_mbarriers --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0

// E0: error: expected 32 columns, as allocated, but got 64
// RIGHT: 7

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!object = memref<4xi64, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!out = memref<256x8xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @right_by_mbarriers(%out: !out)
        workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %i0 = arith.constant 0 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %thread0 = arith.cmpi eq, %tid, %c0 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %i = memref.extract_aligned_pointer_as_index %object : !object -> index
      %i64 = arith.index_cast %i : index to i64
      %bar = llvm.inttoptr %i64 : i64 to !llvm.ptr<3>
      %eight = arith.constant 8 : i64
      %next = arith.addi %i64, %eight : i64
      %full = llvm.inttoptr %next : i64 to !llvm.ptr<3>
      %n256 = arith.constant 256 : i32
      %n32 = arith.constant 32 : i32
      %ticks = arith.constant 1000 : i32
      scf.if %thread0 {
        nvvm.mbarrier.init %bar, %n256 : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %full, %n32 : !llvm.ptr<3>, i32
      }
      scf.if %first {
        tmem.alloc %slot, 64 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      // All have read the first address before the second one is written.
      %read = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      scf.if %first {
        nvvm.mbarrier.try_wait.parity %bar, %i0, %ticks : !llvm.ptr<3>, i32, i32
        tmem.alloc %slot, 32 : !slot
        %written = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
      }
      nvvm.mbarrier.try_wait.parity %full, %i0, %ticks : !llvm.ptr<3>, i32, i32
      %second = memref.load %slot[%c0] : !slot
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
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %second, 32
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    gpu.func @H7_by_mbarriers(%out: !out)
        workgroup(%slot: !slot, %object: !object) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %i0 = arith.constant 0 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %tid = gpu.thread_id x
      %first = arith.cmpi ult, %tid, %c32 : index
      %thread0 = arith.cmpi eq, %tid, %c0 : index
      %a = arith.cmpi ult, %tid, %c128 : index
      %b = arith.cmpi uge, %tid, %c128 : index
      %i = memref.extract_aligned_pointer_as_index %object : !object -> index
      %i64 = arith.index_cast %i : index to i64
      %bar = llvm.inttoptr %i64 : i64 to !llvm.ptr<3>
      %eight = arith.constant 8 : i64
      %next = arith.addi %i64, %eight : i64
      %full = llvm.inttoptr %next : i64 to !llvm.ptr<3>
      %n256 = arith.constant 256 : i32
      %n32 = arith.constant 32 : i32
      %ticks = arith.constant 1000 : i32
      scf.if %thread0 {
        nvvm.mbarrier.init %bar, %n256 : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %full, %n32 : !llvm.ptr<3>, i32
      }
      scf.if %first {
        tmem.alloc %slot, 64 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      // All have read the first address before the second one is written.
      %read = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      scf.if %first {
        nvvm.mbarrier.try_wait.parity %bar, %i0, %ticks : !llvm.ptr<3>, i32, i32
        tmem.alloc %slot, 32 : !slot
        %written = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
      }
      nvvm.mbarrier.try_wait.parity %full, %i0, %ticks : !llvm.ptr<3>, i32, i32
      %second = memref.load %slot[%c0] : !slot
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
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected the 32 columns that were allocated, but got 64
        // CHECK: note: rule H7:
        tmem.dealloc %second, 64
        tmem.dealloc %base, 64
      }
      gpu.return
    }
  }

  func.func @run_H7_by_mbarriers() {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H7_by_mbarriers blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1) args(%out : !out)
    return
  }
  func.func @right() {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@right_by_mbarriers blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1) args(%out : !out)
    %c255 = arith.constant 255 : index
    %word = memref.load %out[%c255, %c1] : !out
    vector.print %word : i32
    return
  }
}
