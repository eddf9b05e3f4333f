// Where an mbarrier is: in its variable, and aligned.

// RUN: tmem-opt %s --tmem-check-hazards='report=warning undecided=error' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=run_H22_misaligned --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H22_past_the_end --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H22_ring_past_the_end --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2

// E0: error: expected an mbarrier aligned to 8 bytes
// E1: error: expected an mbarrier in the {{[0-9]+}} bytes of shared memory of the block
// E2: error: expected an mbarrier in the {{[0-9]+}} bytes of shared memory of the block
// RIGHT: 7

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!object = memref<4xi64, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!out = memref<256x8xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @H22_misaligned(%out: !out)
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
      %off = arith.constant 12 : i64
      %o = arith.index_cast %i : index to i64
      %i64 = arith.addi %o, %off : i64
      %bar = llvm.inttoptr %i64 : i64 to !llvm.ptr<3>
      %n128 = arith.constant 128 : i32
      %ticks = arith.constant 1000 : i32
      scf.if %thread0 {
        // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected an mbarrier aligned to 8 bytes, but got byte 12 of its variable
        // CHECK: note: rule H22:
        nvvm.mbarrier.init %bar, %n128 : !llvm.ptr<3>, i32
      }
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
        tmem.fence before
        %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      }
      scf.if %b {
        nvvm.mbarrier.try_wait.parity %bar, %i0, %ticks : !llvm.ptr<3>, i32, i32
        tmem.fence after
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @right_H22_misaligned(%out: !out)
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
      %off = arith.constant 16 : i64
      %o = arith.index_cast %i : index to i64
      %i64 = arith.addi %o, %off : i64
      %bar = llvm.inttoptr %i64 : i64 to !llvm.ptr<3>
      %n128 = arith.constant 128 : i32
      %ticks = arith.constant 1000 : i32
      scf.if %thread0 {
        nvvm.mbarrier.init %bar, %n128 : !llvm.ptr<3>, i32
      }
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
        tmem.fence before
        %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      }
      scf.if %b {
        nvvm.mbarrier.try_wait.parity %bar, %i0, %ticks : !llvm.ptr<3>, i32, i32
        tmem.fence after
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H22_past_the_end(%out: !out)
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
      %off = arith.constant 32 : i64
      %o = arith.index_cast %i : index to i64
      %i64 = arith.addi %o, %off : i64
      %bar = llvm.inttoptr %i64 : i64 to !llvm.ptr<3>
      %n128 = arith.constant 128 : i32
      %ticks = arith.constant 1000 : i32
      scf.if %thread0 {
        // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected an mbarrier in the 32 bytes of its variable, but got byte 32
        // CHECK: note: rule H22:
        nvvm.mbarrier.init %bar, %n128 : !llvm.ptr<3>, i32
      }
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
        tmem.fence before
        %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      }
      scf.if %b {
        nvvm.mbarrier.try_wait.parity %bar, %i0, %ticks : !llvm.ptr<3>, i32, i32
        tmem.fence after
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @right_H22_past_the_end(%out: !out)
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
      %off = arith.constant 24 : i64
      %o = arith.index_cast %i : index to i64
      %i64 = arith.addi %o, %off : i64
      %bar = llvm.inttoptr %i64 : i64 to !llvm.ptr<3>
      %n128 = arith.constant 128 : i32
      %ticks = arith.constant 1000 : i32
      scf.if %thread0 {
        nvvm.mbarrier.init %bar, %n128 : !llvm.ptr<3>, i32
      }
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
        tmem.fence before
        %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      }
      scf.if %b {
        nvvm.mbarrier.try_wait.parity %bar, %i0, %ticks : !llvm.ptr<3>, i32, i32
        tmem.fence after
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H22_ring_past_the_end(%out: !out)
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
      %o = arith.index_cast %i : index to i64
      %bar = llvm.inttoptr %o : i64 to !llvm.ptr<3>
      %n128 = arith.constant 128 : i32
      %ticks = arith.constant 1000 : i32
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %count = arith.constant 5 : index
      scf.if %thread0 {
        scf.for %k = %c0 to %count step %c1 {
          %bytes = arith.muli %k, %c8 : index
          %offset = arith.index_cast %bytes : index to i64
          %sum = arith.addi %o, %offset : i64
          %each = llvm.inttoptr %sum : i64 to !llvm.ptr<3>
          // CHECK: :[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}expected an mbarrier in the 32 bytes of its variable, but got byte 32
          // CHECK: note: rule H22:
          nvvm.mbarrier.init %each, %n128 : !llvm.ptr<3>, i32
        }
      }
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
        tmem.fence before
        %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      }
      scf.if %b {
        nvvm.mbarrier.try_wait.parity %bar, %i0, %ticks : !llvm.ptr<3>, i32, i32
        tmem.fence after
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %first {
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @right_H22_ring_past_the_end(%out: !out)
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
      %o = arith.index_cast %i : index to i64
      %bar = llvm.inttoptr %o : i64 to !llvm.ptr<3>
      %n128 = arith.constant 128 : i32
      %ticks = arith.constant 1000 : i32
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %count = arith.constant 4 : index
      scf.if %thread0 {
        scf.for %k = %c0 to %count step %c1 {
          %bytes = arith.muli %k, %c8 : index
          %offset = arith.index_cast %bytes : index to i64
          %sum = arith.addi %o, %offset : i64
          %each = llvm.inttoptr %sum : i64 to !llvm.ptr<3>
          nvvm.mbarrier.init %each, %n128 : !llvm.ptr<3>, i32
        }
      }
      scf.if %first {
        tmem.alloc %slot, 32 : !slot
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !view
      scf.if %a {
        tmem.write %values, %mem scope(warpgroup) : vector<8xi32>, !view
        tmem.fence before
        %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
      }
      scf.if %b {
        nvvm.mbarrier.try_wait.parity %bar, %i0, %ticks : !llvm.ptr<3>, i32, i32
        tmem.fence after
        %v = tmem.read %mem scope(warpgroup) : !view -> vector<8xi32>
        vector.store %v, %out[%tid, %c0] : !out, vector<8xi32>
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

  func.func @run_H22_misaligned() {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H22_misaligned blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1) args(%out : !out)
    return
  }
  func.func @run_H22_past_the_end() {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H22_past_the_end blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1) args(%out : !out)
    return
  }
  func.func @run_H22_ring_past_the_end() {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H22_ring_past_the_end blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1) args(%out : !out)
    return
  }
  func.func @right() {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@right_H22_misaligned blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1) args(%out : !out)
    gpu.launch_func @kernels::@right_H22_past_the_end blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1) args(%out : !out)
    gpu.launch_func @kernels::@right_H22_ring_past_the_end blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1) args(%out : !out)
    %c255 = arith.constant 255 : index
    %word = memref.load %out[%c255, %c1] : !out
    vector.print %word : i32
    return
  }
}
