// Rules of tcgen05.alloc, dealloc and relinquish_alloc_permit, broken and kept.

// RUN: tmem-run %s --entry=right | FileCheck %s --check-prefix=RIGHT
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=columns_33 2>&1 | FileCheck %s --check-prefix=COLUMNS-33
// RUN: %exits_1 tmem-run %s --entry=columns_16 2>&1 | FileCheck %s --check-prefix=COLUMNS-16
// RUN: %exits_1 tmem-run %s --entry=columns_1024 2>&1 | FileCheck %s --check-prefix=COLUMNS-1024
// RUN: %exits_1 tmem-run %s --entry=growing 2>&1 | FileCheck %s --check-prefix=GROWING
// RUN: %exits_1 tmem-run %s --entry=after_relinquish 2>&1 | FileCheck %s --check-prefix=RELINQUISH
// RUN: %exits_1 tmem-run %s --entry=other_address 2>&1 | FileCheck %s --check-prefix=ADDRESS
// RUN: %exits_1 tmem-run %s --entry=other_size 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: %exits_1 tmem-run %s --entry=twice 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: %exits_1 tmem-run %s --entry=leak 2>&1 | FileCheck %s --check-prefix=LEAK
// RUN: %exits_1 tmem-run %s --entry=not_exclusive 2>&1 | FileCheck %s --check-prefix=NOT-EXCLUSIVE
// RUN: %exits_1 tmem-run %s --entry=exclusive_48 2>&1 | FileCheck %s --check-prefix=EXCLUSIVE-48
// RUN: %exits_1 tmem-run %s --entry=exclusive_544 2>&1 | FileCheck %s --check-prefix=EXCLUSIVE-544
// RUN: %exits_1 tmem-run %s --entry=waits_for_columns 2>&1 | FileCheck %s --check-prefix=WAITS
// RUN: %exits_1 tmem-run %s --entry=waits_for_exclusive 2>&1 | FileCheck %s --check-prefix=WAITS-EXCLUSIVE
// RUN: %exits_1 tmem-run %s --entry=lanes_disagree 2>&1 | FileCheck %s --check-prefix=DISAGREE
// RUN: %exits_1 tmem-run %s --entry=groups 2>&1 | FileCheck %s --check-prefix=GROUPS

!slot = memref<1xi32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {
  // Every CTA is one warp.
  gpu.module @kernels {
    memref.global "private" @slot : !slot
    memref.global "private" @other_slot : !slot

    func.func @read(%slot: !slot) -> i32 {
      %c0 = arith.constant 0 : index
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      gpu.barrier
      return %base : i32
    }

    gpu.func @sizes(%columns: i32, %next: i32) kernel {
      %zero = arith.constant 0 : i32
      %slot = memref.get_global @slot : !slot
      // COLUMNS-33: faults-allocation.mlir:[[@LINE+3]]:{{[0-9]+}}: {{.*}}tcgen05.alloc{{.*}}: error: {{.*}}power of two{{.*}}32{{.*}}512{{.*}}but got 33
      // COLUMNS-16: faults-allocation.mlir:[[@LINE+2]]:{{[0-9]+}}: {{.*}}tcgen05.alloc{{.*}}: error: {{.*}}but got 16
      // COLUMNS-1024: faults-allocation.mlir:[[@LINE+1]]:{{[0-9]+}}: {{.*}}tcgen05.alloc{{.*}}: error: {{.*}}but got 1024
      tmem.alloc %slot, %columns : !slot
      %base = func.call @read(%slot) : (!slot) -> i32
      tmem.dealloc %base, %columns
      // Freed or not, no allocation may be larger than the one before.
      %other_slot = memref.get_global @other_slot : !slot
      // GROWING: faults-allocation.mlir:[[@LINE+1]]:{{[0-9]+}}: {{.*}}tcgen05.alloc{{.*}}: error: {{.*}}at most 32{{.*}}but got 64
      tmem.alloc %other_slot, %next : !slot
      %other = func.call @read(%other_slot) : (!slot) -> i32
      tmem.dealloc %other, %next
      gpu.return
    }

    gpu.func @relinquish(%early: i1) kernel {
      %slot = memref.get_global @slot : !slot
      scf.if %early {
        tmem.relinquish_alloc_permit
      }
      // RELINQUISH: faults-allocation.mlir:[[@LINE+2]]:{{[0-9]+}}: {{.*}}tcgen05.alloc{{.*}}: error: {{.*}}relinquish
      // RELINQUISH: faults-allocation.mlir:[[@LINE-3]]:{{[0-9]+}}: {{.*}}relinq{{.*}}: note:
      tmem.alloc %slot, 32 : !slot
      tmem.relinquish_alloc_permit
      %base = func.call @read(%slot) : (!slot) -> i32
      tmem.dealloc %base, 32
      gpu.return
    }

    gpu.func @free(%add: i32, %columns: i32) kernel {
      %slot = memref.get_global @slot : !slot
      tmem.alloc %slot, 64 : !slot
      %base = func.call @read(%slot) : (!slot) -> i32
      %address = arith.addi %base, %add : i32
      // ADDRESS: faults-allocation.mlir:[[@LINE+2]]:{{[0-9]+}}: {{.*}}tcgen05.dealloc{{.*}}: error: {{.*}}column 0), but got {{.*}}column 32) inside that allocation
      // SIZE: faults-allocation.mlir:[[@LINE+1]]:{{[0-9]+}}: {{.*}}tcgen05.dealloc{{.*}}: error: {{.*}}64{{.*}}32
      tmem.dealloc %address, %columns
      gpu.return
    }

    gpu.func @twice(%twice: i1) kernel {
      %slot = memref.get_global @slot : !slot
      tmem.alloc %slot, 64 : !slot
      %base = func.call @read(%slot) : (!slot) -> i32
      tmem.dealloc %base, 64
      scf.if %twice {
        // TWICE: faults-allocation.mlir:[[@LINE+2]]:{{[0-9]+}}: {{.*}}tcgen05.dealloc{{.*}}: error: {{.*}}deallocated already
        // TWICE: faults-allocation.mlir:[[@LINE-3]]:{{[0-9]+}}: {{.*}}tcgen05.dealloc{{.*}}: note:
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    gpu.func @leak(%free: i1) kernel {
      %slot = memref.get_global @slot : !slot
      // LEAK: faults-allocation.mlir:[[@LINE+1]]:{{[0-9]+}}: {{.*}}tcgen05.alloc{{.*}}: error: {{.*}}64 columns{{.*}}
      tmem.alloc %slot, 64 : !slot
      %base = func.call @read(%slot) : (!slot) -> i32
      scf.if %free {
        tmem.dealloc %base, 64
      }
      gpu.return
    }

    gpu.func @exclusive(%right: i1, %columns: i32) kernel {
      %slot = memref.get_global @slot : !slot
      tmem.alloc exclusive %slot, 64 : !slot
      %base = func.call @read(%slot) : (!slot) -> i32
      scf.if %right {
        tmem.dealloc exclusive %base, 64
      } else {
        // NOT-EXCLUSIVE: faults-allocation.mlir:[[@LINE+1]]:{{[0-9]+}}: {{.*}}tcgen05.dealloc{{.*}}: error: {{.*}}exclusive
        tmem.dealloc %base, %columns
      }
      gpu.return
    }

    gpu.func @exclusive_sizes(%columns: i32) kernel {
      %slot = memref.get_global @slot : !slot
      // EXCLUSIVE-48: faults-allocation.mlir:[[@LINE+2]]:{{[0-9]+}}: tcgen05.alloc: error: {{.*}}multiple of 32 from 32 to 512 columns, but got 48
      // EXCLUSIVE-544: faults-allocation.mlir:[[@LINE+1]]:{{[0-9]+}}: tcgen05.alloc: error: {{.*}}multiple of 32 from 32 to 512 columns, but got 544
      tmem.alloc exclusive %slot, %columns : !slot
      %base = func.call @read(%slot) : (!slot) -> i32
      tmem.dealloc exclusive %base, %columns
      gpu.return
    }

    // No columns are free, and nobody is there to free any.
    gpu.func @two(%columns: i32) kernel {
      %slot = memref.get_global @slot : !slot
      %other_slot = memref.get_global @other_slot : !slot
      tmem.alloc %slot, %columns : !slot
      // WAITS: faults-allocation.mlir:[[@LINE+1]]:{{[0-9]+}}: {{.*}}tcgen05.alloc{{.*}}: error: deadlock:
      tmem.alloc %other_slot, 32 : !slot
      %base = func.call @read(%slot) : (!slot) -> i32
      %other = func.call @read(%other_slot) : (!slot) -> i32
      tmem.dealloc %other, 32
      tmem.dealloc %base, %columns
      gpu.return
    }

    // Two warps want all columns: the second gets them once the first is done.
    gpu.func @turns() kernel {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %all = arith.constant -1 : i32
      %tid = gpu.thread_id x
      %warp = arith.divui %tid, %c32 : index
      %first = arith.cmpi eq, %warp, %c0 : index
      scf.if %first {
        %slot = memref.get_global @slot : !slot
        tmem.alloc %slot, 512 : !slot
        nvvm.bar.warp.sync %all : i32
        %base = memref.load %slot[%c0] : !slot
        tmem.dealloc %base, 512
      } else {
        %slot = memref.get_global @other_slot : !slot
        tmem.alloc %slot, 512 : !slot
        nvvm.bar.warp.sync %all : i32
        %base = memref.load %slot[%c0] : !slot
        tmem.dealloc %base, 512
      }
      gpu.return
    }

    gpu.func @exclusive_beside(%free_first: i1) kernel {
      %true = arith.constant true
      %free_last = arith.xori %free_first, %true : i1
      %slot = memref.get_global @slot : !slot
      %other_slot = memref.get_global @other_slot : !slot
      tmem.alloc %slot, 128 : !slot
      %base = func.call @read(%slot) : (!slot) -> i32
      scf.if %free_first {
        tmem.dealloc %base, 128
      }
      // WAITS-EXCLUSIVE: faults-allocation.mlir:[[@LINE+1]]:{{[0-9]+}}: {{.*}}tcgen05.alloc{{.*}}: error: deadlock:
      tmem.alloc exclusive %other_slot, 96 : !slot
      %other = func.call @read(%other_slot) : (!slot) -> i32
      tmem.dealloc exclusive %other, 96
      scf.if %free_last {
        tmem.dealloc %base, 128
      }
      gpu.return
    }

    gpu.func @disagree(%mask: i32) kernel {
      %c32 = arith.constant 32 : i32
      %tid = gpu.thread_id x
      %lane = arith.index_cast %tid : index to i32
      %bit = arith.andi %lane, %mask : i32
      %columns = arith.shli %c32, %bit : i32
      %slot = memref.get_global @slot : !slot
      // DISAGREE: faults-allocation.mlir:[[@LINE+1]]:{{[0-9]+}}: {{.*}}tcgen05.alloc{{.*}}: error: {{.*}}columns
      tmem.alloc %slot, %columns : !slot
      %base = func.call @read(%slot) : (!slot) -> i32
      tmem.dealloc %base, %columns
      gpu.return
    }

    gpu.func @groups(%mixed: i1) kernel {
      %slot = memref.get_global @slot : !slot
      tmem.alloc %slot, 32 : !slot
      scf.if %mixed {
        // GROUPS: faults-allocation.mlir:[[@LINE+1]]:{{[0-9]+}}: {{.*}}relinq{{.*}}: error: {{.*}}cta_group
        tmem.relinquish_alloc_permit cta_group(2)
      } else {
        tmem.relinquish_alloc_permit cta_group(1)
      }
      %base = func.call @read(%slot) : (!slot) -> i32
      tmem.dealloc %base, 32
      gpu.return
    }
  }

  func.func @sizes_of(%columns: i32, %next: i32) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@sizes blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%columns : i32, %next : i32)
    return
  }
  func.func @relinquish_of(%early: i1) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@relinquish blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%early : i1)
    return
  }
  func.func @free_of(%add: i32, %columns: i32) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@free blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%add : i32, %columns : i32)
    return
  }
  func.func @twice_of(%twice: i1) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@twice blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%twice : i1)
    return
  }
  func.func @leak_of(%free: i1) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@leak blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%free : i1)
    return
  }
  func.func @exclusive_of(%right: i1) {
    %c64 = arith.constant 64 : i32
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@exclusive blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%right : i1, %c64 : i32)
    return
  }
  func.func @exclusive_sizes_of(%columns: i32) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@exclusive_sizes blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%columns : i32)
    return
  }
  func.func @two_of(%columns: i32) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@two blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%columns : i32)
    return
  }
  func.func @turns() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@turns blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1)
    return
  }
  func.func @exclusive_beside_of(%free_first: i1) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@exclusive_beside blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%free_first : i1)
    return
  }
  func.func @disagree_of(%mask: i32) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@disagree blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%mask : i32)
    return
  }
  func.func @groups_of(%mixed: i1) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@groups blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%mixed : i1)
    return
  }

  func.func @columns_33() {
    %c33 = arith.constant 33 : i32
    call @sizes_of(%c33, %c33) : (i32, i32) -> ()
    return
  }
  func.func @columns_16() {
    %c16 = arith.constant 16 : i32
    call @sizes_of(%c16, %c16) : (i32, i32) -> ()
    return
  }
  func.func @columns_1024() {
    %c1024 = arith.constant 1024 : i32
    call @sizes_of(%c1024, %c1024) : (i32, i32) -> ()
    return
  }
  func.func @growing() {
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    call @sizes_of(%c32, %c64) : (i32, i32) -> ()
    return
  }
  func.func @after_relinquish() {
    %true = arith.constant true
    call @relinquish_of(%true) : (i1) -> ()
    return
  }
  func.func @other_address() {
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    call @free_of(%c32, %c64) : (i32, i32) -> ()
    return
  }
  func.func @other_size() {
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    call @free_of(%c0, %c32) : (i32, i32) -> ()
    return
  }
  func.func @twice() {
    %true = arith.constant true
    call @twice_of(%true) : (i1) -> ()
    return
  }
  func.func @leak() {
    %false = arith.constant false
    call @leak_of(%false) : (i1) -> ()
    return
  }
  func.func @not_exclusive() {
    %false = arith.constant false
    call @exclusive_of(%false) : (i1) -> ()
    return
  }
  func.func @exclusive_48() {
    %c48 = arith.constant 48 : i32
    call @exclusive_sizes_of(%c48) : (i32) -> ()
    return
  }
  func.func @exclusive_544() {
    %c544 = arith.constant 544 : i32
    call @exclusive_sizes_of(%c544) : (i32) -> ()
    return
  }
  func.func @waits_for_columns() {
    %c512 = arith.constant 512 : i32
    call @two_of(%c512) : (i32) -> ()
    return
  }
  func.func @waits_for_exclusive() {
    %false = arith.constant false
    call @exclusive_beside_of(%false) : (i1) -> ()
    return
  }
  func.func @lanes_disagree() {
    %c1 = arith.constant 1 : i32
    call @disagree_of(%c1) : (i32) -> ()
    return
  }
  func.func @groups() {
    %true = arith.constant true
    call @groups_of(%true) : (i1) -> ()
    return
  }

  // RIGHT: no fault
  func.func @right() {
    %false = arith.constant false
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %c256 = arith.constant 256 : i32
    %c512 = arith.constant 512 : i32
    call @sizes_of(%c512, %c512) : (i32, i32) -> ()
    call @sizes_of(%c64, %c32) : (i32, i32) -> ()
    call @relinquish_of(%false) : (i1) -> ()
    call @free_of(%c0, %c64) : (i32, i32) -> ()
    call @twice_of(%false) : (i1) -> ()
    call @leak_of(%true) : (i1) -> ()
    call @exclusive_of(%true) : (i1) -> ()
    %c96 = arith.constant 96 : i32
    call @exclusive_sizes_of(%c96) : (i32) -> ()
    call @exclusive_sizes_of(%c512) : (i32) -> ()
    call @two_of(%c256) : (i32) -> ()
    call @turns() : () -> ()
    call @exclusive_beside_of(%true) : (i1) -> ()
    call @disagree_of(%c0) : (i32) -> ()
    call @groups_of(%false) : (i1) -> ()
    vector.print str "no fault\n"
    return
  }
}
