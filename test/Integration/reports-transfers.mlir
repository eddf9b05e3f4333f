// What other projects were reported to get wrong in single transfers: found, and
// right results for what is right. (Row 14 is in ld-red.test.)

// RUN: tmem-run %s --entry=right | FileCheck %s --check-prefix=RIGHT
// RUN: %exits_1 tmem-run %s --entry=row10_words_at_the_place_of_elements | FileCheck %s --check-prefix=ROW10
// RUN: %exits_1 tmem-run %s --entry=row12_distance_0 2>&1 | FileCheck %s --check-prefix=ROW12-0
// RUN: %exits_1 tmem-run %s --entry=row12_distance_1_unpacked 2>&1 | FileCheck %s --check-prefix=ROW12-1
// RUN: %exits_1 tmem-run %s --entry=row15_no_slab_in_the_address 2>&1 | FileCheck %s --check-prefix=ROW15

#s32x32b = #nvvm.tcgen05_ldst_shape<shape_32x32b>
#s16x32bx2 = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!out = memref<32x48xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    memref.global "private" @slot : !slot

    func.func @begin() -> i32 {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %slot = memref.get_global @slot : !slot
      %first_warp = arith.cmpi ult, %tid, %c32 : index
      scf.if %first_warp {
        tmem.alloc %slot, 64 : !slot
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      return %base : i32
    }

    func.func @end(%base: i32) {
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %first_warp = arith.cmpi ult, %tid, %c32 : index
      gpu.barrier
      scf.if %first_warp {
        tmem.dealloc %base, 64
      }
      return
    }

    func.func @at(%base: i32, %column: i32) -> !llvm.ptr<6> {
      %address = arith.addi %base, %column : i32
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      return %p : !llvm.ptr<6>
    }

    // tile-ai/tilelang PR 2952: 96 columns of 16 bits are 48 words. They are stored
    // as 16 words three times and loaded as 32 and 16, where the second load puts
    // its words at %place of the thread's 48: 32, and not half of that.
    gpu.func @row10(%place: index, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : i32
      %c32 = arith.constant 32 : i32
      %c48 = arith.constant 48 : i32
      %zero = arith.constant 0 : i32
      %tid = gpu.thread_id x
      %lane = arith.index_cast %tid : index to i32
      %base = func.call @begin() : () -> i32
      %number = arith.muli %lane, %c48 : i32
      %all = vector.broadcast %number : i32 to vector<16xi32>
      %step = arith.constant dense<16> : vector<16xi32>
      %j = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
        15]> : vector<16xi32>
      %v0 = arith.addi %all, %j : vector<16xi32>
      %v1 = arith.addi %v0, %step : vector<16xi32>
      %v2 = arith.addi %v1, %step : vector<16xi32>
      %p0 = func.call @at(%base, %zero) : (i32, i32) -> !llvm.ptr<6>
      %p1 = func.call @at(%base, %c16) : (i32, i32) -> !llvm.ptr<6>
      %p2 = func.call @at(%base, %c32) : (i32, i32) -> !llvm.ptr<6>
      nvvm.tcgen05.st %p0, %v0 {shape = #s32x32b} : vector<16xi32>
      nvvm.tcgen05.st %p1, %v1 {shape = #s32x32b} : vector<16xi32>
      nvvm.tcgen05.st %p2, %v2 {shape = #s32x32b} : vector<16xi32>
      nvvm.tcgen05.wait <store>
      %w0 = nvvm.tcgen05.ld %p0 {shape = #s32x32b} : vector<32xi32>
      %w1 = nvvm.tcgen05.ld %p2 {shape = #s32x32b} : vector<16xi32>
      nvvm.tcgen05.wait <load>
      vector.store %w0, %out[%tid, %c0] : !out, vector<32xi32>
      vector.store %w1, %out[%tid, %place] : !out, vector<16xi32>
      func.call @end(%base) : (i32) -> ()
      gpu.return
    }

    // triton-lang/triton PR 10321: the second half of the warp goes to the same
    // cells, or shares one of two when words are spread.
    gpu.func @row12_0() kernel {
      %value = arith.constant 7 : i32
      %distance = arith.constant 0 : i64
      %base = func.call @begin() : () -> i32
      %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      // ROW12-0: reports-transfers.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.st: error: expected an immediate other than 0
      nvvm.tcgen05.st %p, %value, %distance {shape = #s16x32bx2} : i32
      nvvm.tcgen05.wait <store>
      func.call @end(%base) : (i32) -> ()
      gpu.return
    }
    gpu.func @row12_1_unpacked() kernel {
      %value = arith.constant 7 : i32
      %distance = arith.constant 1 : i64
      %base = func.call @begin() : () -> i32
      %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      // ROW12-1: reports-transfers.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.st: error: expected an immediate of an even number of columns{{.*}}but got 1
      nvvm.tcgen05.st %p, %value, %distance unpack {shape = #s16x32bx2} : i32
      nvvm.tcgen05.wait <store>
      func.call @end(%base) : (i32) -> ()
      gpu.return
    }

    // The right ones: 1, and 2 with unpack. Lane l stores l * 65537 + 1, and finds
    // its word by another instruction: lanes 16 to 31 in the column %distance.
    gpu.func @row12(%out: !out) kernel {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %one = arith.constant 1 : i32
      %factor = arith.constant 65537 : i32
      %d1 = arith.constant 1 : i64
      %d2 = arith.constant 2 : i64
      %four = arith.constant 4 : i32
      %tid = gpu.thread_id x
      %lane = arith.index_cast %tid : index to i32
      %product = arith.muli %lane, %factor : i32
      %value = arith.addi %product, %one : i32
      %base = func.call @begin() : () -> i32
      %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      %q = func.call @at(%base, %four) : (i32, i32) -> !llvm.ptr<6>
      nvvm.tcgen05.st %p, %value, %d1 {shape = #s16x32bx2} : i32
      nvvm.tcgen05.st %q, %value, %d2 unpack {shape = #s16x32bx2} : i32
      nvvm.tcgen05.wait <store>
      // 16x64b.x1: row l / 4 + 8 (l mod 2), column (l / 2) mod 2.
      %v = nvvm.tcgen05.ld %p {shape = #nvvm.tcgen05_ldst_shape<shape_16x64b>} : i32
      %w = nvvm.tcgen05.ld %q pack {shape = #nvvm.tcgen05_ldst_shape<shape_16x64b>} : i32
      nvvm.tcgen05.wait <load>
      memref.store %v, %out[%tid, %c0] : !out
      memref.store %w, %out[%tid, %c2] : !out
      func.call @end(%base) : (i32) -> ()
      gpu.return
    }

    // deepseek-ai/DeepGEMM PR 341.
    gpu.func @row15(%mask: i32) kernel {
      %c16 = arith.constant 16 : i32
      %values = arith.constant dense<7> : vector<4xi32>
      %tid = gpu.thread_id x
      %thread = arith.index_cast %tid : index to i32
      %base = func.call @begin() : () -> i32
      %lane = arith.andi %thread, %mask : i32
      %slab = arith.shli %lane, %c16 : i32
      %p = func.call @at(%base, %slab) : (i32, i32) -> !llvm.ptr<6>
      // ROW15: reports-transfers.mlir:[[@LINE+1]]:{{[0-9]+}}: nvvm.tcgen05.st: error: {{.*}}slab
      nvvm.tcgen05.st %p, %values {shape = #s32x32b} : vector<4xi32>
      nvvm.tcgen05.wait <store>
      func.call @end(%base) : (i32) -> ()
      gpu.return
    }
  }

  func.func @row10_of(%place: index) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c48 = arith.constant 48 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    scf.for %lane = %c0 to %c32 step %c1 {
      scf.for %j = %c0 to %c48 step %c1 {
        %none = arith.constant -1 : i32
        memref.store %none, %out[%lane, %j] : !out
      }
    }
    gpu.launch_func @kernels::@row10 blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%place : index, %out : !out)
    %counts:2 = scf.for %lane = %c0 to %c32 step %c1
        iter_args(%n = %zero, %m = %zero) -> (i32, i32) {
      %row:2 = scf.for %j = %c0 to %c48 step %c1
          iter_args(%a = %n, %b = %m) -> (i32, i32) {
        %is = memref.load %out[%lane, %j] : !out
        %differs = arith.cmpi ne, %is, %a : i32
        %difference = arith.extui %differs : i1 to i32
        %next = arith.addi %a, %one : i32
        %wrong = arith.addi %b, %difference : i32
        scf.yield %next, %wrong : i32, i32
      }
      scf.yield %row#0, %row#1 : i32, i32
    }
    vector.print %counts#0 : i32 punctuation <no_punctuation>
    vector.print str " words, "
    vector.print %counts#1 : i32 punctuation <no_punctuation>
    vector.print str " wrong\n"
    return %counts#1 : i32
  }

  // ROW10: 1536 words, 1024 wrong
  func.func @row10_words_at_the_place_of_elements() -> i32 {
    %c16 = arith.constant 16 : index
    %wrong = call @row10_of(%c16) : (index) -> i32
    return %wrong : i32
  }
  func.func @row12_distance_0() {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@row12_0 blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1)
    return
  }
  func.func @row12_distance_1_unpacked() {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@row12_1_unpacked blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1)
    return
  }
  func.func @row15_of(%mask: i32) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@row15 blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%mask : i32)
    return
  }
  func.func @row15_no_slab_in_the_address() {
    %zero = arith.constant 0 : i32
    call @row15_of(%zero) : (i32) -> ()
    return
  }

  // RIGHT: 1536 words, 0 wrong
  // RIGHT-NEXT: distance 1: 0 wrong
  // RIGHT-NEXT: distance 2: 0 wrong
  func.func @right() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %place = arith.constant 32 : index
    %slab = arith.constant 96 : i32
    %wrong10 = call @row10_of(%place) : (index) -> i32
    %c32 = arith.constant 32 : index
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@row12 blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%out : !out)
    vector.print str "distance 1: "
    %wrong1 = call @count_row12(%out, %c0) : (!out, index) -> i32
    vector.print str "distance 2: "
    %wrong2 = call @count_row12(%out, %c2) : (!out, index) -> i32
    call @row15_of(%slab) : (i32) -> ()
    %a = arith.addi %wrong10, %wrong1 : i32
    %b = arith.addi %a, %wrong2 : i32
    return %b : i32
  }

  // Row r of the first column was stored by lane r, of the second by lane 16 + r.
  func.func @count_row12(%out: !out, %j: index) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c65537 = arith.constant 65537 : index
    %zero = arith.constant 0 : i32
    %wrong = scf.for %lane = %c0 to %c32 step %c1 iter_args(%n = %zero) -> i32 {
      %block = arith.divui %lane, %c4 : index
      %odd = arith.remui %lane, %c2 : index
      %below = arith.muli %odd, %c8 : index
      %row = arith.addi %block, %below : index
      %pair = arith.divui %lane, %c2 : index
      %column = arith.remui %pair, %c2 : index
      %second = arith.muli %column, %c16 : index
      %source = arith.addi %row, %second : index
      %product = arith.muli %source, %c65537 : index
      %number = arith.addi %product, %c1 : index
      %should = arith.index_cast %number : index to i32
      %is = memref.load %out[%lane, %j] : !out
      %differs = arith.cmpi ne, %is, %should : i32
      %difference = arith.extui %differs : i1 to i32
      %next = arith.addi %n, %difference : i32
      scf.yield %next : i32
    }
    vector.print %wrong : i32 punctuation <no_punctuation>
    vector.print str " wrong\n"
    return %wrong : i32
  }
}
