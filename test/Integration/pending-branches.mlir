// Loads that are under way across branches, and stores: every chunk of 8 columns
// arrives once, in its place.

// RUN: tmem-run %s 2>/dev/null | FileCheck %s
// RUN: tmem-run %s -O0 2>/dev/null | FileCheck %s
// RUN: tmem-run %s --race --seeds=3 2>/dev/null | FileCheck %s

// CHECK:      branches: 4 chunks, 0 wrong
// CHECK-NEXT: select: 2 chunks, 0 wrong
// CHECK-NEXT: switch: 3 chunks, 0 wrong
// CHECK-NEXT: stores: 5 chunks, 0 wrong

#regs = #tmem.layout<(128, 8) : (1@tid, 1@reg)>
!tile = !tmem.view<128x64xi32, #tmem.datapath<D>>
!view = !tmem.view<128x8xi32, #tmem.layout<(128, 8) : (1@tlane, 1@tcol)>>
!pending = !tmem.pending<vector<8xi32>>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!out = memref<8x128x8xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    memref.global "private" @slot : !slot
    llvm.func @tmem_emulation_write_cell(i32, i32)

    // 64 columns; the cell of lane l and column c holds 64 l + c.
    func.func @begin() -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %n64 = arith.constant 64 : i32
      %c16 = arith.constant 16 : i32
      %slot = memref.get_global @slot : !slot
      %tid = gpu.thread_id x
      %first_warp = arith.cmpi ult, %tid, %c32 : index
      scf.if %first_warp {
        tmem.alloc %slot, 64 : !slot
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      %lane = arith.index_cast %tid : index to i32
      %down = arith.shli %lane, %c16 : i32
      %row = arith.addi %base, %down : i32
      %first = arith.muli %lane, %n64 : i32
      scf.for %j = %c0 to %c64 step %c1 {
        %column = arith.index_cast %j : index to i32
        %address = arith.addi %row, %column : i32
        %value = arith.addi %first, %column : i32
        llvm.call @tmem_emulation_write_cell(%address, %value) : (i32, i32) -> ()
      }
      gpu.barrier
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

    func.func @column(%chunk: index) -> index {
      %c8 = arith.constant 8 : index
      %column = arith.muli %chunk, %c8 : index
      return %column : index
    }

    // Every second iteration takes a chunk.
    gpu.func @branches(%n: index, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %tid = gpu.thread_id x
      %base = func.call @begin() : () -> i32
      %mem = tmem.view %base : !tile
      %w0 = tmem.subview %mem[0, %c0] [128, 8] : !tile to !view
      %first = tmem.load %w0 registers(#regs) atom(<32x32b, x8>) scope(warpgroup)
          : !view -> !pending
      %last:2 = scf.for %i = %c0 to %n step %c1
          iter_args(%p = %first, %k = %c0) -> (!pending, index) {
        %odd = arith.andi %i, %c1 : index
        %takes = arith.cmpi eq, %odd, %c1 : index
        %q:2 = scf.if %takes -> (!pending, index) {
          %v = tmem.wait_load %p : !pending
          vector.store %v, %out[%k, %tid, %c0] : !out, vector<8xi32>
          %next = arith.addi %k, %c1 : index
          %column = func.call @column(%next) : (index) -> index
          %w = tmem.subview %mem[0, %column] [128, 8] : !tile to !view
          %r = tmem.load %w registers(#regs) atom(<32x32b, x8>) scope(warpgroup)
              : !view -> !pending
          scf.yield %r, %next : !pending, index
        } else {
          scf.yield %p, %k : !pending, index
        }
        scf.yield %q#0, %q#1 : !pending, index
      }
      %v = tmem.wait_load %last#0 : !pending
      vector.store %v, %out[%last#1, %tid, %c0] : !out, vector<8xi32>
      func.call @end(%base) : (i32) -> ()
      gpu.return
    }

    // Chunk 0 or n - 1 becomes chunk n - 1 or 0.
    gpu.func @select(%n: index, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %tid = gpu.thread_id x
      %base = func.call @begin() : () -> i32
      %mem = tmem.view %base : !tile
      %last = arith.subi %n, %c1 : index
      %column = func.call @column(%last) : (index) -> index
      scf.for %i = %c0 to %c2 step %c1 {
        %w0 = tmem.subview %mem[0, %c0] [128, 8] : !tile to !view
        %w1 = tmem.subview %mem[0, %column] [128, 8] : !tile to !view
        %a = tmem.load %w0 registers(#regs) atom(<32x32b, x8>) scope(warpgroup)
            : !view -> !pending
        %b = tmem.load %w1 registers(#regs) atom(<32x32b, x8>) scope(warpgroup)
            : !view -> !pending
        %first = arith.cmpi eq, %i, %c0 : index
        %p = arith.select %first, %a, %b : !pending
        %place = arith.select %first, %c0, %last : index
        %v = tmem.wait_load %p : !pending
        vector.store %v, %out[%place, %tid, %c0] : !out, vector<8xi32>
      }
      func.call @end(%base) : (i32) -> ()
      gpu.return
    }

    gpu.func @switch(%n: index, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %tid = gpu.thread_id x
      %base = func.call @begin() : () -> i32
      %mem = tmem.view %base : !tile
      scf.for %i = %c0 to %n step %c1 {
        %column = func.call @column(%i) : (index) -> index
        %w = tmem.subview %mem[0, %column] [128, 8] : !tile to !view
        %p = tmem.load %w registers(#regs) atom(<32x32b, x8>) scope(warpgroup)
            : !view -> !pending
        %q = scf.index_switch %i -> !pending
        case 1 {
          %v = tmem.wait_load %p : !pending
          vector.store %v, %out[%c0, %tid, %c0] : !out, vector<8xi32>
          %again = tmem.load %w registers(#regs) atom(<32x32b, x8>)
              scope(warpgroup) : !view -> !pending
          scf.yield %again : !pending
        }
        default {
          scf.yield %p : !pending
        }
        %v = tmem.wait_load %q : !pending
        vector.store %v, %out[%i, %tid, %c0] : !out, vector<8xi32>
      }
      // Chunk 0 was overwritten by chunk 1.
      %w0 = tmem.subview %mem[0, %c0] [128, 8] : !tile to !view
      %p0 = tmem.load %w0 registers(#regs) atom(<32x32b, x8>) scope(warpgroup)
          : !view -> !pending
      %v0 = tmem.wait_load %p0 : !pending
      vector.store %v0, %out[%c0, %tid, %c0] : !out, vector<8xi32>
      func.call @end(%base) : (i32) -> ()
      gpu.return
    }

    // Stores under way: chunk i goes to chunk i by way of chunk 7.
    gpu.func @stores(%n: index, %out: !out) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c56 = arith.constant 56 : index
      %tid = gpu.thread_id x
      %base = func.call @begin() : () -> i32
      %mem = tmem.view %base : !tile
      %stage = tmem.subview %mem[0, %c56] [128, 8] : !tile to !view
      %none = arith.constant dense<0> : vector<8xi32>
      %first = tmem.store %none, %stage registers(#regs) atom(<32x32b, x8>)
          scope(warpgroup) : vector<8xi32>, !view
      %last = scf.for %i = %c0 to %n step %c1 iter_args(%t = %first)
          -> (!tmem.token) {
        %column = func.call @column(%i) : (index) -> index
        %w = tmem.subview %mem[0, %column] [128, 8] : !tile to !view
        %p = tmem.load %w registers(#regs) atom(<32x32b, x8>) scope(warpgroup)
            : !view -> !pending
        %v = tmem.wait_load %p : !pending
        tmem.wait_store %t
        %u = tmem.store %v, %stage registers(#regs) atom(<32x32b, x8>)
            scope(warpgroup) : vector<8xi32>, !view
        tmem.wait_store %u
        %q = tmem.load %stage registers(#regs) atom(<32x32b, x8>)
            scope(warpgroup) : !view -> !pending
        %r = tmem.wait_load %q : !pending
        vector.store %r, %out[%i, %tid, %c0] : !out, vector<8xi32>
        %next = tmem.store %none, %stage registers(#regs) atom(<32x32b, x8>)
            scope(warpgroup) : vector<8xi32>, !view
        scf.yield %next : !tmem.token
      }
      tmem.wait_store %last
      func.call @end(%base) : (i32) -> ()
      gpu.return
    }
  }

  func.func @fill(%out: !out) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c128 = arith.constant 128 : index
    %none = arith.constant -1 : i32
    scf.for %chunk = %c0 to %c8 step %c1 {
      scf.for %lane = %c0 to %c128 step %c1 {
        scf.for %j = %c0 to %c8 step %c1 {
          memref.store %none, %out[%chunk, %lane, %j] : !out
        }
      }
    }
    return
  }

  // Counts the chunks that arrived, and their elements that are not 64 l + c.
  func.func @compare(%out: !out) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %none = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %counts:2 = scf.for %chunk = %c0 to %c8 step %c1
        iter_args(%n = %zero, %m = %zero) -> (i32, i32) {
      %mark = memref.load %out[%chunk, %c0, %c0] : !out
      %any = arith.cmpi ne, %mark, %none : i32
      %one = arith.extui %any : i1 to i32
      %chunks = arith.addi %n, %one : i32
      %wrong = scf.for %lane = %c0 to %c128 step %c1 iter_args(%a = %m) -> i32 {
        %b = scf.for %j = %c0 to %c8 step %c1 iter_args(%c = %a) -> i32 {
          %is = memref.load %out[%chunk, %lane, %j] : !out
          %row = arith.muli %lane, %c64 : index
          %first = arith.muli %chunk, %c8 : index
          %column = arith.addi %first, %j : index
          %number = arith.addi %row, %column : index
          %value = arith.index_cast %number : index to i32
          %should = arith.select %any, %value, %none : i32
          %differs = arith.cmpi ne, %is, %should : i32
          %difference = arith.extui %differs : i1 to i32
          %d = arith.addi %c, %difference : i32
          scf.yield %d : i32
        }
        scf.yield %b : i32
      }
      scf.yield %chunks, %wrong : i32, i32
    }
    vector.print %counts#0 : i32 punctuation <no_punctuation>
    vector.print str " chunks, "
    vector.print %counts#1 : i32 punctuation <no_punctuation>
    vector.print str " wrong\n"
    return %counts#1 : i32
  }

  func.func @main() -> i32 {
    %c1 = arith.constant 1 : index
    %threads = arith.constant 128 : index
    %sum0 = arith.constant 0 : i32
    %out = memref.alloc() : !out
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>

    %n0 = arith.constant 6 : index
    vector.print str "branches: "
    call @fill(%out) : (!out) -> ()
    gpu.launch_func @kernels::@branches blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%n0 : index, %out : !out)
    %wrong0 = call @compare(%out) : (!out) -> i32
    %sum1 = arith.addi %sum0, %wrong0 : i32

    %n1 = arith.constant 6 : index
    vector.print str "select: "
    call @fill(%out) : (!out) -> ()
    gpu.launch_func @kernels::@select blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%n1 : index, %out : !out)
    %wrong1 = call @compare(%out) : (!out) -> i32
    %sum2 = arith.addi %sum1, %wrong1 : i32

    %n2 = arith.constant 3 : index
    vector.print str "switch: "
    call @fill(%out) : (!out) -> ()
    gpu.launch_func @kernels::@switch blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%n2 : index, %out : !out)
    %wrong2 = call @compare(%out) : (!out) -> i32
    %sum3 = arith.addi %sum2, %wrong2 : i32

    %n3 = arith.constant 5 : index
    vector.print str "stores: "
    call @fill(%out) : (!out) -> ()
    gpu.launch_func @kernels::@stores blocks in (%c1, %c1, %c1)
        threads in (%threads, %c1, %c1) args(%n3 : index, %out : !out)
    %wrong3 = call @compare(%out) : (!out) -> i32
    %sum4 = arith.addi %sum3, %wrong3 : i32
    return %sum4 : i32
  }
}
