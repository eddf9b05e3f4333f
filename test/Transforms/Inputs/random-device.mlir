  // Device code of every module of random-transfers.py: @begin allocates columns
  // and fills them past the instructions, @dump reads them so.

  llvm.func @tmem_emulation_write_cell(i32, i32)
  llvm.func @tmem_emulation_read_cell(i32) -> i32
  memref.global "private" @slot : !slot

  func.func @cell_address(%base: i32, %lane: index, %column: index) -> i32 {
    %c16 = arith.constant 16 : i32
    %l = arith.index_cast %lane : index to i32
    %c = arith.index_cast %column : index to i32
    %high = arith.shli %l, %c16 : i32
    %low = arith.addi %base, %c : i32
    %address = arith.addi %low, %high : i32
    return %address : i32
  }

  func.func @fill(%base: i32, %in: !in, %columns: index, %first: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %lanes = arith.constant 128 : index
    %tid = gpu.thread_id x
    %threads = gpu.block_dim x
    scf.for %lane = %tid to %lanes step %threads {
      scf.for %column = %c0 to %columns step %c1 {
        %address = func.call @cell_address(%base, %lane, %column)
            : (i32, index, index) -> i32
        %row = arith.muli %lane, %columns : index
        %cell = arith.addi %row, %column : index
        %at = arith.addi %cell, %first : index
        %value = memref.load %in[%at] : !in
        llvm.call @tmem_emulation_write_cell(%address, %value)
            : (i32, i32) -> ()
      }
    }
    gpu.barrier
    return
  }

  func.func @dump(%base: i32, %out: !out, %columns: index, %first: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %lanes = arith.constant 128 : index
    %tid = gpu.thread_id x
    %threads = gpu.block_dim x
    gpu.barrier
    scf.for %lane = %tid to %lanes step %threads {
      scf.for %column = %c0 to %columns step %c1 {
        %address = func.call @cell_address(%base, %lane, %column)
            : (i32, index, index) -> i32
        %row = arith.muli %lane, %columns : index
        %cell = arith.addi %row, %column : index
        %at = arith.addi %cell, %first : index
        %value = llvm.call @tmem_emulation_read_cell(%address) : (i32) -> i32
        memref.store %value, %out[%at] : !out
      }
    }
    gpu.barrier
    return
  }

  // For each number of columns:
  func.func @beginCOLUMNS(%in: !in, %columns: index, %first: index) -> i32 {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %slot = memref.get_global @slot : !slot
    %tid = gpu.thread_id x
    %first_warp = arith.cmpi ult, %tid, %c32 : index
    scf.if %first_warp {
      tmem.alloc %slot, COLUMNS : !slot
    }
    gpu.barrier
    %base = memref.load %slot[%c0] : !slot
    func.call @fill(%base, %in, %columns, %first)
        : (i32, !in, index, index) -> ()
    return %base : i32
  }

  func.func @endCOLUMNS(%base: i32) {
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %first_warp = arith.cmpi ult, %tid, %c32 : index
    gpu.barrier
    scf.if %first_warp {
      tmem.dealloc %base, COLUMNS
    }
    return
  }
