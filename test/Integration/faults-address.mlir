// Accesses of cells that a warp may not touch, and beside each the right one.

// RUN: tmem-run %s --entry=right | FileCheck %s --check-prefix=RIGHT
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=other_slab 2>&1 | FileCheck %s --check-prefix=OTHER-SLAB
// RUN: %exits_1 tmem-run %s --entry=unallocated 2>&1 | FileCheck %s --check-prefix=UNALLOCATED
// RUN: %exits_1 tmem-run %s --entry=past_the_allocation 2>&1 | FileCheck %s --check-prefix=PAST-ALLOCATION
// RUN: %exits_1 tmem-run %s --entry=past_the_memory 2>&1 | FileCheck %s --check-prefix=PAST-MEMORY
// RUN: %exits_1 tmem-run %s --entry=two_allocations 2>&1 | FileCheck %s --check-prefix=TWO-ALLOCATIONS
// RUN: %exits_1 tmem-run %s --entry=regions_in_two_allocations 2>&1 | FileCheck %s --check-prefix=TWO-REGIONS
// RUN: %exits_1 tmem-run %s --entry=regions_8_lanes_apart 2>&1 | FileCheck %s --check-prefix=LANES-APART
// RUN: %exits_1 tmem-run %s --entry=regions_overlap 2>&1 | FileCheck %s --check-prefix=OVERLAP
// RUN: %exits_1 tmem-run %s --entry=start_lane 2>&1 | FileCheck %s --check-prefix=START-LANE
// RUN: %exits_1 tmem-run %s --entry=half_slab 2>&1 | FileCheck %s --check-prefix=HALF-SLAB
// RUN: %exits_1 tmem-run %s --entry=lanes_disagree 2>&1 | FileCheck %s --check-prefix=DISAGREE
// RUN: %exits_1 tmem-run %s --entry=after_dealloc 2>&1 | FileCheck %s --check-prefix=AFTER-DEALLOC

#s32x32b = #nvvm.tcgen05_ldst_shape<shape_32x32b>
#s16x64b = #nvvm.tcgen05_ldst_shape<shape_16x64b>
#s16x32bx2 = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>
!slot = memref<1xi32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    memref.global "private" @slot : !slot

    func.func @is_first_warp() -> i1 {
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %is_first = arith.cmpi ult, %tid, %c32 : index
      return %is_first : i1
    }

    func.func @alloc(%columns: i32) -> i32 {
      %c0 = arith.constant 0 : index
      %slot = memref.get_global @slot : !slot
      %is_first = func.call @is_first_warp() : () -> i1
      scf.if %is_first {
        tmem.alloc %slot, %columns : !slot
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      gpu.barrier
      return %base : i32
    }

    func.func @dealloc(%base: i32, %columns: i32) {
      %is_first = func.call @is_first_warp() : () -> i1
      gpu.barrier
      scf.if %is_first {
        tmem.dealloc %base, %columns
      }
      return
    }

    // The address in the warp's slab.
    func.func @in_slab(%base: i32) -> i32 {
      %c96 = arith.constant 96 : i32
      %c16 = arith.constant 16 : i32
      %tid = gpu.thread_id x
      %thread = arith.index_cast %tid : index to i32
      %lane = arith.andi %thread, %c96 : i32
      %slab = arith.shli %lane, %c16 : i32
      %address = arith.addi %base, %slab : i32
      return %address : i32
    }

    gpu.func @other_slab(%skip: i32) kernel {
      %c32 = arith.constant 32 : i32
      %values = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
      %base = func.call @alloc(%c32) : (i32) -> i32
      %slab = func.call @in_slab(%base) : (i32) -> i32
      %add = arith.subi %slab, %base : i32
      %part = arith.muli %add, %skip : i32
      %address = arith.addi %base, %part : i32
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      // OTHER-SLAB: faults-address.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.st: error: {{.*}}lane 0 {{.*}}outside the slab of warp 1{{.*}}32 to 63
      nvvm.tcgen05.st %p, %values {shape = #s32x32b} : vector<4xi32>
      nvvm.tcgen05.wait <store>
      func.call @dealloc(%base, %c32) : (i32, i32) -> ()
      gpu.return
    }

    // 32 columns are allocated, and one is stored, or some.
    gpu.func @column(%column: i32) kernel {
      %c32 = arith.constant 32 : i32
      %value = arith.constant 7 : i32
      %base = func.call @alloc(%c32) : (i32) -> i32
      %slab = func.call @in_slab(%base) : (i32) -> i32
      %address = arith.addi %slab, %column : i32
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      // UNALLOCATED: faults-address.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.st: error: {{.*}}column 32{{.*}}not allocated
      nvvm.tcgen05.st %p, %value {shape = #s32x32b} : i32
      nvvm.tcgen05.wait <store>
      func.call @dealloc(%base, %c32) : (i32, i32) -> ()
      gpu.return
    }

    gpu.func @columns(%allocated: i32, %column: i32) kernel {
      %values = arith.constant dense<7> : vector<8xi32>
      %base = func.call @alloc(%allocated) : (i32) -> i32
      %slab = func.call @in_slab(%base) : (i32) -> i32
      %address = arith.addi %slab, %column : i32
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      // PAST-ALLOCATION: faults-address.mlir:[[@LINE+2]]:{{[0-9]+}}: nvvm.tcgen05.st: error: {{.*}}columns 28 to 35
      // PAST-MEMORY: faults-address.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.st: error: {{.*}}columns 508 to 515
      nvvm.tcgen05.st %p, %values {shape = #s32x32b} : vector<8xi32>
      nvvm.tcgen05.wait <store>
      func.call @dealloc(%base, %allocated) : (i32, i32) -> ()
      gpu.return
    }

    // Two allocations side by side are two.
    gpu.func @two_allocations(%column: i32) kernel {
      %c32 = arith.constant 32 : i32
      %values = arith.constant dense<7> : vector<8xi32>
      %a = func.call @alloc(%c32) : (i32) -> i32
      %b = func.call @alloc(%c32) : (i32) -> i32
      %first = arith.minui %a, %b : i32
      %slab = func.call @in_slab(%first) : (i32) -> i32
      %address = arith.addi %slab, %column : i32
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      // TWO-ALLOCATIONS: faults-address.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.st: error: {{.*}}allocation
      nvvm.tcgen05.st %p, %values {shape = #s32x32b} : vector<8xi32>
      nvvm.tcgen05.wait <store>
      func.call @dealloc(%a, %c32) : (i32, i32) -> ()
      func.call @dealloc(%b, %c32) : (i32, i32) -> ()
      gpu.return
    }

    // The second access of 16x32bx2 is 32 columns on: in the same allocation only
    // if that has 64.
    gpu.func @two_regions(%columns: i32) kernel {
      %values = arith.constant dense<7> : vector<4xi32>
      %c32 = arith.constant 32 : i64
      %a = func.call @alloc(%columns) : (i32) -> i32
      %b = func.call @alloc(%columns) : (i32) -> i32
      %first = arith.minui %a, %b : i32
      %slab = func.call @in_slab(%first) : (i32) -> i32
      %p = llvm.inttoptr %slab : i32 to !llvm.ptr<6>
      // TWO-REGIONS: faults-address.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.st: error: {{.*}}allocation
      nvvm.tcgen05.st %p, %values, %c32 {shape = #s16x32bx2} : vector<4xi32>
      nvvm.tcgen05.wait <store>
      func.call @dealloc(%a, %columns) : (i32, i32) -> ()
      func.call @dealloc(%b, %columns) : (i32, i32) -> ()
      gpu.return
    }

    // The instruction takes 0 or 16 lanes, and stores must not meet.
    gpu.func @lanes_apart() kernel {
      %c32 = arith.constant 32 : i32
      %values = arith.constant dense<7> : vector<4xi32>
      %distance = arith.constant 524288 : i64
      %base = func.call @alloc(%c32) : (i32) -> i32
      %slab = func.call @in_slab(%base) : (i32) -> i32
      %p = llvm.inttoptr %slab : i32 to !llvm.ptr<6>
      // LANES-APART: faults-address.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.st: error: expected an immediate of 0 or 16 lanes
      nvvm.tcgen05.st %p, %values, %distance {shape = #s16x32bx2} : vector<4xi32>
      nvvm.tcgen05.wait <store>
      func.call @dealloc(%base, %c32) : (i32, i32) -> ()
      gpu.return
    }
    gpu.func @overlap() kernel {
      %c32 = arith.constant 32 : i32
      %values = arith.constant dense<7> : vector<4xi32>
      %distance = arith.constant 3 : i64
      %base = func.call @alloc(%c32) : (i32) -> i32
      %slab = func.call @in_slab(%base) : (i32) -> i32
      %p = llvm.inttoptr %slab : i32 to !llvm.ptr<6>
      // OVERLAP: faults-address.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.st: error: expected an immediate by which the halves of the warp store to different cells
      nvvm.tcgen05.st %p, %values, %distance {shape = #s16x32bx2} : vector<4xi32>
      nvvm.tcgen05.wait <store>
      func.call @dealloc(%base, %c32) : (i32, i32) -> ()
      gpu.return
    }

    gpu.func @start_lane(%lane: i32) kernel {
      %c32 = arith.constant 32 : i32
      %c16 = arith.constant 16 : i32
      %values = arith.constant dense<7> : vector<4xi32>
      %base = func.call @alloc(%c32) : (i32) -> i32
      %slab = func.call @in_slab(%base) : (i32) -> i32
      %shifted = arith.shli %lane, %c16 : i32
      %address = arith.addi %slab, %shifted : i32
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      // START-LANE: faults-address.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.st: error: {{.*}}lane {{.*}}0 or 16{{.*}}8
      nvvm.tcgen05.st %p, %values {shape = #s16x64b} : vector<4xi32>
      nvvm.tcgen05.wait <store>
      func.call @dealloc(%base, %c32) : (i32, i32) -> ()
      gpu.return
    }

    gpu.func @half_slab(%lane: i32) kernel {
      %c32 = arith.constant 32 : i32
      %c16 = arith.constant 16 : i32
      %values = arith.constant dense<7> : vector<4xi32>
      %base = func.call @alloc(%c32) : (i32) -> i32
      %slab = func.call @in_slab(%base) : (i32) -> i32
      %shifted = arith.shli %lane, %c16 : i32
      %address = arith.addi %slab, %shifted : i32
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      // HALF-SLAB: faults-address.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.st: error: {{.*}}lane
      nvvm.tcgen05.st %p, %values {shape = #s32x32b} : vector<4xi32>
      nvvm.tcgen05.wait <store>
      func.call @dealloc(%base, %c32) : (i32, i32) -> ()
      gpu.return
    }

    // An address that adds its own thread's lane, instead of that of the slab.
    gpu.func @lanes_disagree(%mask: i32) kernel {
      %c32 = arith.constant 32 : i32
      %c16 = arith.constant 16 : i32
      %tid = gpu.thread_id x
      %thread = arith.index_cast %tid : index to i32
      %values = arith.constant dense<7> : vector<4xi32>
      %base = func.call @alloc(%c32) : (i32) -> i32
      %lane = arith.andi %thread, %mask : i32
      %shifted = arith.shli %lane, %c16 : i32
      %address = arith.addi %base, %shifted : i32
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      // DISAGREE: faults-address.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.st: error: {{.*}}address
      nvvm.tcgen05.st %p, %values {shape = #s32x32b} : vector<4xi32>
      nvvm.tcgen05.wait <store>
      func.call @dealloc(%base, %c32) : (i32, i32) -> ()
      gpu.return
    }

    gpu.func @after_dealloc(%early: i1) kernel {
      %c32 = arith.constant 32 : i32
      %true = arith.constant true
      %late = arith.xori %early, %true : i1
      %values = arith.constant dense<7> : vector<4xi32>
      %base = func.call @alloc(%c32) : (i32) -> i32
      %slab = func.call @in_slab(%base) : (i32) -> i32
      %p = llvm.inttoptr %slab : i32 to !llvm.ptr<6>
      scf.if %early {
        func.call @dealloc(%base, %c32) : (i32, i32) -> ()
        gpu.barrier
      }
      // AFTER-DEALLOC: faults-address.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.st: error: {{.*}}not allocated
      nvvm.tcgen05.st %p, %values {shape = #s32x32b} : vector<4xi32>
      nvvm.tcgen05.wait <store>
      scf.if %late {
        func.call @dealloc(%base, %c32) : (i32, i32) -> ()
      }
      gpu.return
    }
  }

  func.func @other_slab_of(%skip: i32) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@other_slab blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%skip : i32)
    return
  }
  func.func @column_of(%column: i32) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@column blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%column : i32)
    return
  }
  func.func @columns_of(%allocated: i32, %column: i32) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@columns blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%allocated : i32, %column : i32)
    return
  }
  func.func @two_allocations_of(%column: i32) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@two_allocations blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%column : i32)
    return
  }
  func.func @two_regions_of(%columns: i32) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@two_regions blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%columns : i32)
    return
  }
  func.func @start_lane_of(%lane: i32) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@start_lane blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%lane : i32)
    return
  }
  func.func @half_slab_of(%lane: i32) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@half_slab blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%lane : i32)
    return
  }
  func.func @lanes_disagree_of(%mask: i32) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@lanes_disagree blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%mask : i32)
    return
  }
  func.func @after_dealloc_of(%early: i1) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@after_dealloc blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%early : i1)
    return
  }

  func.func @other_slab() {
    %c0 = arith.constant 0 : i32
    call @other_slab_of(%c0) : (i32) -> ()
    return
  }
  func.func @unallocated() {
    %c32 = arith.constant 32 : i32
    call @column_of(%c32) : (i32) -> ()
    return
  }
  func.func @past_the_allocation() {
    %c32 = arith.constant 32 : i32
    %c28 = arith.constant 28 : i32
    call @columns_of(%c32, %c28) : (i32, i32) -> ()
    return
  }
  func.func @past_the_memory() {
    %c512 = arith.constant 512 : i32
    %c508 = arith.constant 508 : i32
    call @columns_of(%c512, %c508) : (i32, i32) -> ()
    return
  }
  func.func @two_allocations() {
    %c28 = arith.constant 28 : i32
    call @two_allocations_of(%c28) : (i32) -> ()
    return
  }
  func.func @regions_in_two_allocations() {
    %c32 = arith.constant 32 : i32
    call @two_regions_of(%c32) : (i32) -> ()
    return
  }
  func.func @regions_8_lanes_apart() {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@lanes_apart blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1)
    return
  }
  func.func @regions_overlap() {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@overlap blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1)
    return
  }
  func.func @start_lane() {
    %c8 = arith.constant 8 : i32
    call @start_lane_of(%c8) : (i32) -> ()
    return
  }
  func.func @half_slab() {
    %c16 = arith.constant 16 : i32
    call @half_slab_of(%c16) : (i32) -> ()
    return
  }
  func.func @lanes_disagree() {
    %all = arith.constant 127 : i32
    call @lanes_disagree_of(%all) : (i32) -> ()
    return
  }
  func.func @after_dealloc() {
    %true = arith.constant true
    call @after_dealloc_of(%true) : (i1) -> ()
    return
  }

  // RIGHT: no fault
  func.func @right() {
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c16 = arith.constant 16 : i32
    %c24 = arith.constant 24 : i32
    %c31 = arith.constant 31 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %c96 = arith.constant 96 : i32
    %c504 = arith.constant 504 : i32
    %c512 = arith.constant 512 : i32
    call @other_slab_of(%c1) : (i32) -> ()
    call @column_of(%c31) : (i32) -> ()
    call @columns_of(%c32, %c24) : (i32, i32) -> ()
    call @columns_of(%c512, %c504) : (i32, i32) -> ()
    call @two_allocations_of(%c24) : (i32) -> ()
    call @two_regions_of(%c64) : (i32) -> ()
    call @start_lane_of(%c0) : (i32) -> ()
    call @start_lane_of(%c16) : (i32) -> ()
    call @half_slab_of(%c0) : (i32) -> ()
    call @lanes_disagree_of(%c96) : (i32) -> ()
    call @after_dealloc_of(%false) : (i1) -> ()
    vector.print str "no fault\n"
    return
  }
}
