  // Host code of every module of images.py.

  // A value for every cell, whose low halves differ too: among them subnormals,
  // negatives, values above 2^31, and quiet and signalling NaNs when taken as
  // f32.
  memref.global "private" constant @top_halves : memref<8xi32> = dense<[
    0x0000, 0x7F81, 0xFFC2, 0x8000, 0x3F80, 0xBF80, 0x7FFF, 0xFFFF]>

  func.func @value(%lane: i32, %column: i32) -> i32 {
    %columns = arith.constant 512 : i32
    %odd = arith.constant 40503 : i32
    %half = arith.constant 0xFFFF : i32
    %c7 = arith.constant 7 : i32
    %c16 = arith.constant 16 : i32
    %tops = memref.get_global @top_halves : memref<8xi32>
    %line = arith.muli %lane, %columns : i32
    %id = arith.addi %line, %column : i32
    %product = arith.muli %id, %odd : i32
    %low = arith.andi %product, %half : i32
    %mixed = arith.xori %lane, %column : i32
    %which = arith.andi %mixed, %c7 : i32
    %index = arith.index_cast %which : i32 to index
    %top = memref.load %tops[%index] : memref<8xi32>
    %high = arith.shli %top, %c16 : i32
    %value = arith.ori %high, %low : i32
    return %value : i32
  }

  func.func @value_at(%address: i32) -> i32 {
    %c16 = arith.constant 16 : i32
    %half = arith.constant 0xFFFF : i32
    %lane = arith.shrui %address, %c16 : i32
    %column = arith.andi %address, %half : i32
    %value = func.call @value(%lane, %column) : (i32, i32) -> i32
    return %value : i32
  }

  // The register word of a cell, or of the low halves of it and the next.
  func.func @word_at(%address: i32, %packed: i1) -> i32 {
    %c1 = arith.constant 1 : i32
    %c16 = arith.constant 16 : i32
    %half = arith.constant 0xFFFF : i32
    %first = func.call @value_at(%address) : (i32) -> i32
    %word = scf.if %packed -> i32 {
      %next = arith.addi %address, %c1 : i32
      %second = func.call @value_at(%next) : (i32) -> i32
      %low = arith.andi %first, %half : i32
      %high = arith.shli %second, %c16 : i32
      %both = arith.ori %low, %high : i32
      scf.yield %both : i32
    } else {
      scf.yield %first : i32
    }
    return %word : i32
  }

  // What cells hold before a kernel: their values, or with %flip -1 others.
  func.func @fill_cells(%cells: !cells, %flip: i32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %lanes = arith.constant 128 : index
    %columns = arith.constant 512 : index
    scf.for %lane = %c0 to %lanes step %c1 {
      scf.for %column = %c0 to %columns step %c1 {
        %l = arith.index_cast %lane : index to i32
        %c = arith.index_cast %column : index to i32
        %value = func.call @value(%l, %c) : (i32, i32) -> i32
        %flipped = arith.xori %value, %flip : i32
        memref.store %flipped, %cells[%lane, %column] : !cells
      }
    }
    return
  }

  // Registers are 0 before a load.
  func.func @clear_registers(%regs: !regs) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %threads = memref.dim %regs, %c0 : !regs
    %words = memref.dim %regs, %c1 : !regs
    scf.for %thread = %c0 to %threads step %c1 {
      scf.for %word = %c0 to %words step %c1 {
        memref.store %zero, %regs[%thread, %word] : !regs
      }
    }
    return
  }

  // Registers of an image. Those of no cell, with the address -1, are 0.
  func.func @fill_registers(%regs: !regs, %image: !image, %words: index,
                            %offset: i32, %packed: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %none = arith.constant -1 : i32
    func.call @clear_registers(%regs) : (!regs) -> ()
    %threads = memref.dim %image, %c0 : !image
    scf.for %thread = %c0 to %threads step %c1 {
      scf.for %word = %c0 to %words step %c1 {
        %relative = memref.load %image[%thread, %word] : !image
        %any = arith.cmpi ne, %relative, %none : i32
        scf.if %any {
          %address = arith.addi %relative, %offset : i32
          %value = func.call @word_at(%address, %packed) : (i32, i1) -> i32
          memref.store %value, %regs[%thread, %word] : !regs
        }
      }
    }
    return
  }

  // Adds %elements to the first counter, and wrong ones to the second.
  func.func @count(%counts: !counts, %elements: i64, %is: i32, %should: i32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %all = memref.load %counts[%c0] : !counts
    %more = arith.addi %all, %elements : i64
    memref.store %more, %counts[%c0] : !counts
    %differs = arith.cmpi ne, %is, %should : i32
    %difference = arith.extui %differs : i1 to i64
    %wrong = memref.load %counts[%c1] : !counts
    %next = arith.addi %wrong, %difference : i64
    memref.store %next, %counts[%c1] : !counts
    return
  }

  func.func @compare_registers(%regs: !regs, %image: !image, %words: index,
                               %offset: i32, %packed: i1, %counts: !counts) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %none = arith.constant -1 : i32
    %half = arith.constant 0xFFFF : i32
    %c16 = arith.constant 16 : i32
    %expected = memref.alloc() : !regs
    func.call @fill_registers(%expected, %image, %words, %offset, %packed)
        : (!regs, !image, index, i32, i1) -> ()
    %threads = memref.dim %image, %c0 : !image
    scf.for %thread = %c0 to %threads step %c1 {
      scf.for %word = %c0 to %words step %c1 {
        %relative = memref.load %image[%thread, %word] : !image
        %any = arith.cmpi ne, %relative, %none : i32
        %elements = arith.extui %any : i1 to i64
        %is = memref.load %regs[%thread, %word] : !regs
        %should = memref.load %expected[%thread, %word] : !regs
        scf.if %packed {
          %is_low = arith.andi %is, %half : i32
          %should_low = arith.andi %should, %half : i32
          func.call @count(%counts, %elements, %is_low, %should_low)
              : (!counts, i64, i32, i32) -> ()
          %is_high = arith.shrui %is, %c16 : i32
          %should_high = arith.shrui %should, %c16 : i32
          func.call @count(%counts, %elements, %is_high, %should_high)
              : (!counts, i64, i32, i32) -> ()
        } else {
          func.call @count(%counts, %elements, %is, %should)
              : (!counts, i64, i32, i32) -> ()
        }
      }
    }
    memref.dealloc %expected : !regs
    return
  }

  // The bits of each cell that the image covers.
  func.func @mark_cells(%marks: !cells, %image: !image, %words: index,
                        %offset: i32, %packed: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %none = arith.constant -1 : i32
    %c16 = arith.constant 16 : i32
    %half = arith.constant 0xFFFF : i32
    %threads = memref.dim %image, %c0 : !image
    scf.for %thread = %c0 to %threads step %c1 {
      scf.for %word = %c0 to %words step %c1 {
        %relative = memref.load %image[%thread, %word] : !image
        %any = arith.cmpi ne, %relative, %none : i32
        scf.if %any {
          %address = arith.addi %relative, %offset : i32
          %high = arith.shrui %address, %c16 : i32
          %low = arith.andi %address, %half : i32
          %lane = arith.index_cast %high : i32 to index
          %column = arith.index_cast %low : i32 to index
          %bits = arith.select %packed, %half, %none : i32
          memref.store %bits, %marks[%lane, %column] : !cells
          scf.if %packed {
            %next = arith.addi %column, %c1 : index
            memref.store %half, %marks[%lane, %next] : !cells
          }
        }
      }
    }
    return
  }

  // Covered cells have their values in the bits of the mark, the others the one
  // that they had before the store.
  func.func @compare_cells(%cells: !cells, %image: !image, %words: index,
                           %offset: i32, %packed: i1, %covered: !counts,
                           %others: !counts) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1 : i64
    %zero = arith.constant 0 : i32
    %minus1 = arith.constant -1 : i32
    %lanes = arith.constant 128 : index
    %columns = arith.constant 512 : index
    %marks = memref.alloc() : !cells
    scf.for %lane = %c0 to %lanes step %c1 {
      scf.for %column = %c0 to %columns step %c1 {
        memref.store %zero, %marks[%lane, %column] : !cells
      }
    }
    func.call @mark_cells(%marks, %image, %words, %offset, %packed)
        : (!cells, !image, index, i32, i1) -> ()
    scf.for %lane = %c0 to %lanes step %c1 {
      scf.for %column = %c0 to %columns step %c1 {
        %l = arith.index_cast %lane : index to i32
        %c = arith.index_cast %column : index to i32
        %value = func.call @value(%l, %c) : (i32, i32) -> i32
        %is = memref.load %cells[%lane, %column] : !cells
        %mark = memref.load %marks[%lane, %column] : !cells
        %is_covered = arith.cmpi ne, %mark, %zero : i32
        scf.if %is_covered {
          %is_bits = arith.andi %is, %mark : i32
          %should_bits = arith.andi %value, %mark : i32
          func.call @count(%covered, %one, %is_bits, %should_bits)
              : (!counts, i64, i32, i32) -> ()
        } else {
          %before = arith.xori %value, %minus1 : i32
          func.call @count(%others, %one, %is, %before)
              : (!counts, i64, i32, i32) -> ()
        }
      }
    }
    memref.dealloc %marks : !cells
    return
  }

  func.func @print_counts(%counts: !counts, %are_elements: i1) -> i64 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i64
    %all = memref.load %counts[%c0] : !counts
    %wrong = memref.load %counts[%c1] : !counts
    memref.store %zero, %counts[%c0] : !counts
    memref.store %zero, %counts[%c1] : !counts
    vector.print %all : i64 punctuation <no_punctuation>
    scf.if %are_elements {
      vector.print str " elements, "
    } else {
      vector.print str " others, "
    }
    vector.print %wrong : i64 punctuation <no_punctuation>
    vector.print str " wrong"
    return %wrong : i64
  }
