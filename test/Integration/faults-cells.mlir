// Cells that hold nothing yet, or no longer.

// RUN: tmem-run %s --entry=right | FileCheck %s --check-prefix=RIGHT
// RUN: tmem-run %s --entry=right --race --seeds=3 | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=never_written 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: %exits_1 tmem-run %s --entry=one_column_more 2>&1 | FileCheck %s --check-prefix=COLUMN
// RUN: %exits_1 tmem-run %s --entry=other_rows 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: %exits_1 tmem-run %s --entry=high_halves 2>&1 | FileCheck %s --check-prefix=HALVES
// RUN: %exits_1 tmem-run %s --entry=allocated_again 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: %exits_1 tmem-run %s --entry=no_such_cell 2>&1 | FileCheck %s --check-prefix=CELL
// RUN: %exits_1 tmem-run %s --entry=next_block --host-threads=1 2>&1 | FileCheck %s --check-prefix=BLOCK

#s32x32b = #nvvm.tcgen05_ldst_shape<shape_32x32b>
#s16x64b = #nvvm.tcgen05_ldst_shape<shape_16x64b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!out = memref<32x8xi32>

module attributes {gpu.container_module} {
  // Every CTA is one warp.
  gpu.module @kernels {
    memref.global "private" @slot : !slot
    llvm.func @tmem_emulation_write_cell(i32, i32)

    func.func @alloc() -> i32 {
      %c0 = arith.constant 0 : index
      %slot = memref.get_global @slot : !slot
      gpu.barrier
      tmem.alloc %slot, 512 : !slot
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      return %base : i32
    }

    // Stores %written columns of 8, one by one, and loads %first to %first + 3.
    gpu.func @columns(%written: index, %first: i32, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %tid = gpu.thread_id x
      %seven = arith.constant 7 : i32
      %base = func.call @alloc() : () -> i32
      scf.for %i = %c0 to %written step %c1 {
        %column = arith.index_cast %i : index to i32
        %address = arith.addi %base, %column : i32
        %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
        nvvm.tcgen05.st %p, %seven {shape = #s32x32b} : i32
      }
      nvvm.tcgen05.wait <store>
      %address = arith.addi %base, %first : i32
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      // NEVER: faults-cells.mlir:[[@LINE+2]]:{{[0-9]+}}: nvvm.tcgen05.ld: error: {{.*}}lane 0, column 0{{.*}}never written
      // COLUMN: faults-cells.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.ld: error: {{.*}}lane 0, column 7{{.*}}never written
      %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<4xi32>
      nvvm.tcgen05.wait <load>
      vector.store %v, %out[%tid, %c0] : !out, vector<4xi32>
      tmem.dealloc %base, 512
      gpu.return
    }

    // Stores 16 rows and loads 16 rows from %lane on.
    gpu.func @rows(%lane: i32, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : i32
      %tid = gpu.thread_id x
      %values = arith.constant dense<7> : vector<4xi32>
      %base = func.call @alloc() : () -> i32
      %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      nvvm.tcgen05.st %p, %values {shape = #s16x64b} : vector<4xi32>
      nvvm.tcgen05.wait <store>
      %down = arith.shli %lane, %c16 : i32
      %address = arith.addi %base, %down : i32
      %q = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      // ROWS: faults-cells.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.ld: error: {{.*}}lane 16, column 0{{.*}}never written
      %v = nvvm.tcgen05.ld %q {shape = #s16x64b} : vector<4xi32>
      nvvm.tcgen05.wait <load>
      vector.store %v, %out[%tid, %c0] : !out, vector<4xi32>
      tmem.dealloc %base, 512
      gpu.return
    }

    // After .unpack::16b only the low halves of the cells are defined.
    gpu.func @halves(%packed: i1, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %values = arith.constant dense<0x12345678> : vector<2xi32>
      %base = func.call @alloc() : () -> i32
      %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      nvvm.tcgen05.st %p, %values unpack {shape = #s32x32b} : vector<2xi32>
      nvvm.tcgen05.wait <store>
      scf.if %packed {
        %v = nvvm.tcgen05.ld %p pack {shape = #s32x32b} : vector<2xi32>
        nvvm.tcgen05.wait <load>
        vector.store %v, %out[%tid, %c0] : !out, vector<2xi32>
      } else {
        // HALVES: faults-cells.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.ld: error: {{.*}}lane 0, column 0
        %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<4xi32>
        nvvm.tcgen05.wait <load>
        vector.store %v, %out[%tid, %c0] : !out, vector<4xi32>
      }
      tmem.dealloc %base, 512
      gpu.return
    }

    // What was stored before dealloc is gone.
    gpu.func @again(%stores: i1, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %values = arith.constant dense<7> : vector<4xi32>
      %before = func.call @alloc() : () -> i32
      %p = llvm.inttoptr %before : i32 to !llvm.ptr<6>
      nvvm.tcgen05.st %p, %values {shape = #s32x32b} : vector<4xi32>
      nvvm.tcgen05.wait <store>
      gpu.barrier
      tmem.dealloc %before, 512
      %base = func.call @alloc() : () -> i32
      %q = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      scf.if %stores {
        nvvm.tcgen05.st %q, %values {shape = #s32x32b} : vector<4xi32>
        nvvm.tcgen05.wait <store>
      }
      // AGAIN: faults-cells.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.ld: error: {{.*}}never written
      %v = nvvm.tcgen05.ld %q {shape = #s32x32b} : vector<4xi32>
      nvvm.tcgen05.wait <load>
      vector.store %v, %out[%tid, %c0] : !out, vector<4xi32>
      gpu.barrier
      tmem.dealloc %base, 512
      gpu.return
    }

    // Only blocks below %stores store; what another block left is not there.
    gpu.func @blocks(%stores: index, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %block = gpu.block_id x
      %values = arith.constant dense<7> : vector<4xi32>
      %base = func.call @alloc() : () -> i32
      %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      %this = arith.cmpi ult, %block, %stores : index
      scf.if %this {
        nvvm.tcgen05.st %p, %values {shape = #s32x32b} : vector<4xi32>
        nvvm.tcgen05.wait <store>
      }
      // BLOCK: faults-cells.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.ld: error: {{.*}}never written{{.*}}block 2,0,0
      %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : vector<4xi32>
      nvvm.tcgen05.wait <load>
      vector.store %v, %out[%tid, %c0] : !out, vector<4xi32>
      gpu.barrier
      tmem.dealloc %base, 512
      gpu.return
    }

    // What tmem_emulation_write_cell wrote counts as written.
    gpu.func @past_the_rules(%first: i32, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : i32
      %tid = gpu.thread_id x
      %number = arith.index_cast %tid : index to i32
      %lane = arith.addi %number, %first : i32
      %base = func.call @alloc() : () -> i32
      %down = arith.shli %lane, %c16 : i32
      %address = arith.addi %base, %down : i32
      // CELL: faults-cells.mlir:[[@LINE+1]]:{{[0-9]+}}: {{.*}}: error: expected lane 0 to 127 and column 0 to 511, but got {{.*}}lane 128
      llvm.call @tmem_emulation_write_cell(%address, %lane) : (i32, i32) -> ()
      gpu.barrier
      %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      %v = nvvm.tcgen05.ld %p {shape = #s32x32b} : i32
      nvvm.tcgen05.wait <load>
      memref.store %v, %out[%tid, %c0] : !out
      tmem.dealloc %base, 512
      gpu.return
    }
  }

  func.func @columns_of(%written: index, %first: i32) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@columns blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%written : index, %first : i32, %out : !out)
    return
  }
  func.func @rows_of(%lane: i32) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@rows blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%lane : i32, %out : !out)
    return
  }
  func.func @halves_of(%packed: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@halves blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%packed : i1, %out : !out)
    return
  }
  func.func @again_of(%stores: i1) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@again blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%stores : i1, %out : !out)
    return
  }
  func.func @blocks_of(%stores: index) {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %threads = arith.constant 32 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@blocks blocks in (%c3, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%stores : index, %out : !out)
    return
  }
  func.func @past_the_rules_of(%first: i32) {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 32 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@past_the_rules blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%first : i32, %out : !out)
    return
  }
  func.func @no_such_cell() {
    %c97 = arith.constant 97 : i32
    call @past_the_rules_of(%c97) : (i32) -> ()
    return
  }
  func.func @never_written() {
    %i0 = arith.constant 0 : index
    %c0 = arith.constant 0 : i32
    call @columns_of(%i0, %c0) : (index, i32) -> ()
    return
  }
  func.func @one_column_more() {
    %i7 = arith.constant 7 : index
    %c4 = arith.constant 4 : i32
    call @columns_of(%i7, %c4) : (index, i32) -> ()
    return
  }
  func.func @other_rows() {
    %c16 = arith.constant 16 : i32
    call @rows_of(%c16) : (i32) -> ()
    return
  }
  func.func @high_halves() {
    %false = arith.constant false
    call @halves_of(%false) : (i1) -> ()
    return
  }
  func.func @allocated_again() {
    %false = arith.constant false
    call @again_of(%false) : (i1) -> ()
    return
  }
  func.func @next_block() {
    %i2 = arith.constant 2 : index
    call @blocks_of(%i2) : (index) -> ()
    return
  }

  // RIGHT: no fault
  func.func @right() {
    %i8 = arith.constant 8 : index
    %c4 = arith.constant 4 : i32
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    %i3 = arith.constant 3 : index
    call @columns_of(%i8, %c4) : (index, i32) -> ()
    call @rows_of(%c0) : (i32) -> ()
    call @halves_of(%true) : (i1) -> ()
    call @again_of(%true) : (i1) -> ()
    call @blocks_of(%i3) : (index) -> ()
    call @past_the_rules_of(%c0) : (i32) -> ()
    vector.print str "no fault\n"
    return
  }
}
