// The word that alloc writes, written over by a generic address.

// RUN: tmem-opt %s --tmem-check-hazards='report=warning undecided=warn' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=run_H4_generic_overwritten --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %exits_1 tmem-run %s --entry=run_H4_generic_overwritten_beside_mbarrier --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %exits_1 tmem-run %s --entry=run_H4_generic_data_over_it --race --seeds=3 2>&1 | FileCheck %s --check-prefix=E2

// E0: error: race: load of warp
// E1: error: race: load of warp
// E2: error: race: load of warp
// RIGHT: 7

#s = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!object = memref<4xi64, #gpu.address_space<workgroup>>
!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!out = memref<256x8xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.mlir.global internal @word() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4 x i32>

    gpu.func @H4_generic_overwritten(%out: !out)
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
      %word = llvm.mlir.addressof @word : !llvm.ptr<3>
      %c32i = arith.constant 32 : i32
      scf.if %first {
        nvvm.tcgen05.alloc %word, %c32i : !llvm.ptr<3>, i32
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = llvm.load %word : !llvm.ptr<3> -> i32
      %generic = llvm.addrspacecast %word : !llvm.ptr<3> to !llvm.ptr
      // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected a barrier between the read of the address by another warp and this write over it
      // CHECK: note: rule H4:
      scf.if %thread0 {
        llvm.store %i0, %generic : i32, !llvm.ptr
      }
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
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @right_H4_generic_overwritten(%out: !out)
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
      %word = llvm.mlir.addressof @word : !llvm.ptr<3>
      %c32i = arith.constant 32 : i32
      scf.if %first {
        nvvm.tcgen05.alloc %word, %c32i : !llvm.ptr<3>, i32
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = llvm.load %word : !llvm.ptr<3> -> i32
      %generic = llvm.addrspacecast %word : !llvm.ptr<3> to !llvm.ptr
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %thread0 {
        llvm.store %i0, %generic : i32, !llvm.ptr
      }
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
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @H4_generic_overwritten_beside_mbarrier(%out: !out)
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
      %n128 = arith.constant 128 : i32
      %ticks = arith.constant 1000 : i32
      scf.if %thread0 {
        nvvm.mbarrier.init %bar, %n128 : !llvm.ptr<3>, i32
      }
      %word = llvm.mlir.addressof @word : !llvm.ptr<3>
      %c32i = arith.constant 32 : i32
      scf.if %first {
        nvvm.tcgen05.alloc %word, %c32i : !llvm.ptr<3>, i32
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = llvm.load %word : !llvm.ptr<3> -> i32
      %generic = llvm.addrspacecast %word : !llvm.ptr<3> to !llvm.ptr
      // CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: {{.*}}expected a barrier between the read of the address by another warp and this write over it
      // CHECK: note: rule H4:
      scf.if %thread0 {
        llvm.store %i0, %generic : i32, !llvm.ptr
      }
      // Which of the two the address is that was read is not known.
      // CHECK-COUNT-3: warning: {{.*}}undecided: which allocation it {{accesses|frees}}: its address may be one of several
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

    gpu.func @right_H4_generic_overwritten_beside_mbarrier(%out: !out)
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
      %n128 = arith.constant 128 : i32
      %ticks = arith.constant 1000 : i32
      scf.if %thread0 {
        nvvm.mbarrier.init %bar, %n128 : !llvm.ptr<3>, i32
      }
      %word = llvm.mlir.addressof @word : !llvm.ptr<3>
      %c32i = arith.constant 32 : i32
      scf.if %first {
        nvvm.tcgen05.alloc %word, %c32i : !llvm.ptr<3>, i32
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = llvm.load %word : !llvm.ptr<3> -> i32
      %generic = llvm.addrspacecast %word : !llvm.ptr<3> to !llvm.ptr
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %thread0 {
        llvm.store %i0, %generic : i32, !llvm.ptr
      }
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

    gpu.func @H4_generic_data_over_it(%out: !out)
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
      %word = llvm.mlir.addressof @word : !llvm.ptr<3>
      %c32i = arith.constant 32 : i32
      scf.if %first {
        nvvm.tcgen05.alloc %word, %c32i : !llvm.ptr<3>, i32
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = llvm.load %word : !llvm.ptr<3> -> i32
      %generic = llvm.addrspacecast %word : !llvm.ptr<3> to !llvm.ptr
      // CHECK: :[[@LINE+4]]:{{[0-9]+}}: warning: {{.*}}expected a barrier between the read of the address by another warp and this write over it
      // CHECK: note: rule H4:
      scf.if %thread0 {
        %one = arith.constant 1.0 : f64
        llvm.store %one, %generic : f64, !llvm.ptr
      }
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
        tmem.dealloc %base, 32
      }
      gpu.return
    }

    gpu.func @right_H4_generic_data_over_it(%out: !out)
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
      %word = llvm.mlir.addressof @word : !llvm.ptr<3>
      %c32i = arith.constant 32 : i32
      scf.if %first {
        nvvm.tcgen05.alloc %word, %c32i : !llvm.ptr<3>, i32
      }
      tmem.fence before
      gpu.barrier
      tmem.fence after
      %base = llvm.load %word : !llvm.ptr<3> -> i32
      %generic = llvm.addrspacecast %word : !llvm.ptr<3> to !llvm.ptr
      tmem.fence before
      gpu.barrier
      tmem.fence after
      scf.if %thread0 {
        %one = arith.constant 1.0 : f64
        llvm.store %one, %generic : f64, !llvm.ptr
      }
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
        tmem.dealloc %base, 32
      }
      gpu.return
    }
  }

  func.func @run_H4_generic_overwritten() {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H4_generic_overwritten blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1) args(%out : !out)
    return
  }
  func.func @run_H4_generic_overwritten_beside_mbarrier() {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H4_generic_overwritten_beside_mbarrier blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1) args(%out : !out)
    return
  }
  func.func @run_H4_generic_data_over_it() {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@H4_generic_data_over_it blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1) args(%out : !out)
    return
  }
  func.func @right() {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@right_H4_generic_overwritten blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1) args(%out : !out)
    gpu.launch_func @kernels::@right_H4_generic_overwritten_beside_mbarrier blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1) args(%out : !out)
    gpu.launch_func @kernels::@right_H4_generic_data_over_it blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1) args(%out : !out)
    %c255 = arith.constant 255 : index
    %word = memref.load %out[%c255, %c1] : !out
    vector.print %word : i32
    return
  }
}
