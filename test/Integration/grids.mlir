// Grids and blocks of one, two and three dimensions. Each CTA has Tensor Memory and
// shared memory of its own; each thread stores its number in the whole grid, loads
// it, and writes it where it belongs.

// RUN: tmem-run %s | FileCheck %s
// RUN: tmem-run %s --host-threads=1 | FileCheck %s
// RUN: tmem-run %s --host-threads=7 --race --seed=3 | FileCheck %s

// CHECK:      grid 1x1x1, block 128x1x1: 128 threads, 0 wrong
// CHECK-NEXT: grid 3x2x2, block 128x1x1: 1536 threads, 0 wrong
// CHECK-NEXT: grid 5x1x1, block 64x2x1: 640 threads, 0 wrong
// CHECK-NEXT: grid 2x3x1, block 8x4x4: 768 threads, 0 wrong
// CHECK-NEXT: grid 1x1x4, block 16x16x4: 4096 threads, 0 wrong
// CHECK-NEXT: grid 700x1x1, block 32x1x1: 22400 threads, 0 wrong

#s32x32b = #nvvm.tcgen05_ldst_shape<shape_32x32b>
!slot = memref<1xi32, #gpu.address_space<workgroup>>
!out = memref<?xi32>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // The number of a thread in its block, and of the block in the grid.
    func.func @thread() -> i32 {
      %x = gpu.thread_id x
      %y = gpu.thread_id y
      %z = gpu.thread_id z
      %nx = gpu.block_dim x
      %ny = gpu.block_dim y
      %a = arith.muli %z, %ny : index
      %b = arith.addi %a, %y : index
      %c = arith.muli %b, %nx : index
      %d = arith.addi %c, %x : index
      %number = arith.index_cast %d : index to i32
      return %number : i32
    }

    func.func @block() -> i32 {
      %x = gpu.block_id x
      %y = gpu.block_id y
      %z = gpu.block_id z
      %nx = gpu.grid_dim x
      %ny = gpu.grid_dim y
      %a = arith.muli %z, %ny : index
      %b = arith.addi %a, %y : index
      %c = arith.muli %b, %nx : index
      %d = arith.addi %c, %x : index
      %number = arith.index_cast %d : index to i32
      return %number : i32
    }

    gpu.func @number(%out: !out) workgroup(%slot : !slot, %shared : !slot) kernel {
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0 : i32
      %c16 = arith.constant 16 : i32
      %c32 = arith.constant 32 : i32
      %c96 = arith.constant 96 : i32
      %c128 = arith.constant 128 : i32
      %thread = func.call @thread() : () -> i32
      %block = func.call @block() : () -> i32
      %nx = gpu.block_dim x
      %ny = gpu.block_dim y
      %nz = gpu.block_dim z
      %nxy = arith.muli %nx, %ny : index
      %n = arith.muli %nxy, %nz : index
      %threads = arith.index_cast %n : index to i32
      %first = arith.cmpi eq, %thread, %zero : i32
      scf.if %first {
        memref.store %block, %shared[%c0] : !slot
      }
      %first_warp = arith.cmpi ult, %thread, %c32 : i32
      scf.if %first_warp {
        tmem.alloc %slot, 32 : !slot
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      %of_block = memref.load %shared[%c0] : !slot

      // Warpgroup g has column g.
      %lane = arith.andi %thread, %c96 : i32
      %slab = arith.shli %lane, %c16 : i32
      %row = arith.addi %base, %slab : i32
      %column = arith.divui %thread, %c128 : i32
      %address = arith.addi %row, %column : i32
      %p = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      %before = arith.muli %of_block, %threads : i32
      %number = arith.addi %before, %thread : i32
      nvvm.tcgen05.st %p, %number {shape = #s32x32b} : i32
      nvvm.tcgen05.wait <store>
      %loaded = nvvm.tcgen05.ld %p {shape = #s32x32b} : i32
      nvvm.tcgen05.wait <load>
      %place = arith.muli %block, %threads : i32
      %mine = arith.addi %place, %thread : i32
      %i = arith.index_cast %mine : i32 to index
      memref.store %loaded, %out[%i] : !out
      gpu.barrier
      scf.if %first_warp {
        tmem.dealloc %base, 32
      }
      gpu.return
    }
  }

  func.func @check(%gx: index, %gy: index, %gz: index, %bx: index, %by: index,
                   %bz: index) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %none = arith.constant -1 : i32
    vector.print str "grid "
    vector.print %gx : index punctuation <no_punctuation>
    vector.print str "x"
    vector.print %gy : index punctuation <no_punctuation>
    vector.print str "x"
    vector.print %gz : index punctuation <no_punctuation>
    vector.print str ", block "
    vector.print %bx : index punctuation <no_punctuation>
    vector.print str "x"
    vector.print %by : index punctuation <no_punctuation>
    vector.print str "x"
    vector.print %bz : index punctuation <no_punctuation>
    vector.print str ": "
    %gxy = arith.muli %gx, %gy : index
    %blocks = arith.muli %gxy, %gz : index
    %bxy = arith.muli %bx, %by : index
    %threads = arith.muli %bxy, %bz : index
    %n = arith.muli %blocks, %threads : index
    %out = memref.alloc(%n) : !out
    scf.for %i = %c0 to %n step %c1 {
      memref.store %none, %out[%i] : !out
    }
    %unranked = memref.cast %out : !out to memref<*xi32>
    gpu.host_register %unranked : memref<*xi32>
    gpu.launch_func @kernels::@number blocks in (%gx, %gy, %gz)
        threads in (%bx, %by, %bz) args(%out : !out)
    %wrong = scf.for %i = %c0 to %n step %c1 iter_args(%m = %zero) -> i32 {
      %is = memref.load %out[%i] : !out
      %should = arith.index_cast %i : index to i32
      %differs = arith.cmpi ne, %is, %should : i32
      %difference = arith.extui %differs : i1 to i32
      %next = arith.addi %m, %difference : i32
      scf.yield %next : i32
    }
    vector.print %n : index punctuation <no_punctuation>
    vector.print str " threads, "
    vector.print %wrong : i32 punctuation <no_punctuation>
    vector.print str " wrong\n"
    gpu.host_unregister %unranked : memref<*xi32>
    memref.dealloc %out : !out
    return %wrong : i32
  }

  func.func @main() -> i32 {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c700 = arith.constant 700 : index
    %a = call @check(%c1, %c1, %c1, %c128, %c1, %c1)
        : (index, index, index, index, index, index) -> i32
    %b = call @check(%c3, %c2, %c2, %c128, %c1, %c1)
        : (index, index, index, index, index, index) -> i32
    %c = call @check(%c5, %c1, %c1, %c64, %c2, %c1)
        : (index, index, index, index, index, index) -> i32
    %d = call @check(%c2, %c3, %c1, %c8, %c4, %c4)
        : (index, index, index, index, index, index) -> i32
    %e = call @check(%c1, %c1, %c4, %c16, %c16, %c4)
        : (index, index, index, index, index, index) -> i32
    %f = call @check(%c700, %c1, %c1, %c32, %c1, %c1)
        : (index, index, index, index, index, index) -> i32
    %ab = arith.addi %a, %b : i32
    %cd = arith.addi %c, %d : i32
    %ef = arith.addi %e, %f : i32
    %abcd = arith.addi %ab, %cd : i32
    %all = arith.addi %abcd, %ef : i32
    return %all : i32
  }
}
