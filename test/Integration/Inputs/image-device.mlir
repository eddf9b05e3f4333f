  // Device code of every module of images.py. @begin allocates all of Tensor
  // Memory and, with %fill, writes every cell past the instructions.

  memref.global "private" @slot : !slot
  llvm.func @tmem_emulation_write_cell(i32, i32)
  llvm.func @tmem_emulation_read_cell(i32) -> i32

  func.func @cell_address(%base: i32, %lane: index, %column: index) -> i32 {
    %c16 = arith.constant 16 : i32
    %l = arith.index_cast %lane : index to i32
    %c = arith.index_cast %column : index to i32
    %high = arith.shli %l, %c16 : i32
    %low = arith.addi %base, %c : i32
    %address = arith.addi %low, %high : i32
    return %address : i32
  }

  func.func @begin(%cells: !cells, %fill: i1) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %lanes = arith.constant 128 : index
    %columns = arith.constant 512 : index
    %slot = memref.get_global @slot : !slot
    %tid = gpu.thread_id x
    %threads = gpu.block_dim x
    %first_warp = arith.cmpi ult, %tid, %c32 : index
    scf.if %first_warp {
      tmem.alloc %slot, 512 : !slot
    }
    gpu.barrier
    %base = memref.load %slot[%c0] : !slot
    scf.if %fill {
      scf.for %lane = %tid to %lanes step %threads {
        scf.for %column = %c0 to %columns step %c1 {
          %address = func.call @cell_address(%base, %lane, %column)
              : (i32, index, index) -> i32
          %value = memref.load %cells[%lane, %column] : !cells
          llvm.call @tmem_emulation_write_cell(%address, %value)
              : (i32, i32) -> ()
        }
      }
    }
    gpu.barrier
    return %base : i32
  }

  func.func @dump(%base: i32, %cells: !cells) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %lanes = arith.constant 128 : index
    %columns = arith.constant 512 : index
    %tid = gpu.thread_id x
    %threads = gpu.block_dim x
    gpu.barrier
    scf.for %lane = %tid to %lanes step %threads {
      scf.for %column = %c0 to %columns step %c1 {
        %address = func.call @cell_address(%base, %lane, %column)
            : (i32, index, index) -> i32
        %value = llvm.call @tmem_emulation_read_cell(%address) : (i32) -> i32
        memref.store %value, %cells[%lane, %column] : !cells
      }
    }
    return
  }

  func.func @end(%base: i32) {
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %first_warp = arith.cmpi ult, %tid, %c32 : index
    gpu.barrier
    scf.if %first_warp {
      tmem.dealloc %base, 512
    }
    return
  }
