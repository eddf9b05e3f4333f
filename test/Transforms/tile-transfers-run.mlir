// What is moved in chunks is what is moved whole, element by element: each
// kernel writes a tile of distinct values, changes it in TMEM or on its way to
// memory, and the host compares all of it with what it calculates itself.

// RUN: tmem-run %s | FileCheck %s
// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(tmem-select-atoms,tmem-tile-transfers{columns=32}))' -o %t.32.mlir
// RUN: tmem-run %t.32.mlir | FileCheck %s
// RUN: tmem-run %t.32.mlir --race --seed=1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=TILED --input-file=%t.32.mlir
// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(tmem-select-atoms,tmem-tile-transfers{columns=56}))' -o %t.56.mlir
// RUN: tmem-run %t.56.mlir | FileCheck %s
// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(tmem-select-atoms,tmem-tile-transfers{max-live-registers=32}))' -o %t.r32.mlir
// RUN: tmem-run %t.r32.mlir | FileCheck %s

// RUN: tmem-opt %s --pass-pipeline='builtin.module(tmem-emulate{tile-columns=32})' --mlir-print-ir-after=tmem-tile-transfers -o /dev/null 2> %t.pipeline
// RUN: FileCheck %s --check-prefix=TILED --input-file=%t.pipeline

// CHECK: in_place: 16384 compared, wrong: 0{{$}}
// CHECK: meeting: 16384 compared, wrong: 0{{$}}
// CHECK: halves: 8192 compared, wrong: 0{{$}}
// CHECK: packed: 16384 compared, wrong: 0{{$}}

// TILED-LABEL: gpu.func @in_place
// TILED-COUNT-4: tmem.store {{.*}} vector<32xf32>
// TILED-LABEL: gpu.func @meeting
// TILED-COUNT-8: tmem.load {{.*}} -> !tmem.pending<vector<32xf32>>
// TILED-LABEL: gpu.func @halves
// TILED-COUNT-4: tmem.load {{.*}} -> !tmem.pending<vector<16xf32>>
// TILED-LABEL: gpu.func @packed
// TILED-COUNT-4: tmem.load {{.*}} -> !tmem.pending<vector<32xf16>>

!acc = !tmem.view<128x128xf32, #tmem.datapath<D>>
!next = !tmem.view<128x128xf32, #tmem.layout<(128, 128) : (1@tlane, 1@tcol) + (128@tcol)>>
!half = !tmem.view<64x128xf32, #tmem.datapath<F, half = 1>>
!short = !tmem.view<128x128xf16, #tmem.layout<(128, 128) : (1@tlane, 2@tcol)>>
#row = #tmem.layout<(128, 128) : (1@tid, 1@reg)>
#quad = #tmem.layout<(4, 2, 8, 16, 4, 2) : (1@warp, 2@reg, 4@lane, 4@reg, 1@lane, 1@reg)>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // y = 2 x + bias, written where x was, then read whole.
    gpu.func @in_place(%in: memref<128x128xf32>, %out: memref<128x128xf32>)
        workgroup(%slot: memref<1xi32, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %first_warp = arith.cmpi ult, %tid, %c32 : index
      scf.if %first_warp {
        tmem.alloc %slot, 128 : memref<1xi32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %base = memref.load %slot[%c0]
          : memref<1xi32, #gpu.address_space<workgroup>>
      %mem = tmem.view %base : !acc
      %src = vector.load %in[%tid, %c0] : memref<128x128xf32>, vector<128xf32>
      %t = tmem.store %src, %mem registers(#row) scope(warpgroup)
          : vector<128xf32>, !acc
      tmem.wait_store %t

      %two = arith.constant dense<2.0> : vector<128xf32>
      %p = tmem.load %mem registers(#row) scope(warpgroup)
          : !acc -> !tmem.pending<vector<128xf32>>
      %bias = vector.load %in[%c0, %c0] : memref<128x128xf32>, vector<128xf32>
      %v = tmem.wait_load %p : !tmem.pending<vector<128xf32>>
      %w = math.fma %v, %two, %bias : vector<128xf32>
      %u = tmem.store %w, %mem registers(#row) scope(warpgroup)
          : vector<128xf32>, !acc
      tmem.wait_store %u

      %q = tmem.load %mem registers(#row) scope(warpgroup)
          : !acc -> !tmem.pending<vector<128xf32>>
      %r = tmem.wait_load %q : !tmem.pending<vector<128xf32>>
      vector.store %r, %out[%tid, %c0]
          : memref<128x128xf32>, vector<128xf32>
      gpu.barrier
      scf.if %first_warp {
        tmem.dealloc %base, 128
      }
      gpu.return
    }

    // y = x + 2 x: both from TMEM; y goes to the second tile and to memory.
    gpu.func @meeting(%in: memref<128x128xf32>, %out: memref<128x128xf32>)
        workgroup(%slot: memref<1xi32, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %first_warp = arith.cmpi ult, %tid, %c32 : index
      scf.if %first_warp {
        tmem.alloc %slot, 256 : memref<1xi32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %base = memref.load %slot[%c0]
          : memref<1xi32, #gpu.address_space<workgroup>>
      %a = tmem.view %base : !acc
      %b = tmem.view %base : !next
      %src = vector.load %in[%tid, %c0] : memref<128x128xf32>, vector<128xf32>
      %double = arith.addf %src, %src : vector<128xf32>
      %ta = tmem.store %src, %a registers(#row) scope(warpgroup)
          : vector<128xf32>, !acc
      %tb = tmem.store %double, %b registers(#row) scope(warpgroup)
          : vector<128xf32>, !next
      tmem.wait_store %ta, %tb

      %pa = tmem.load %a registers(#row) scope(warpgroup)
          : !acc -> !tmem.pending<vector<128xf32>>
      %pb = tmem.load %b registers(#row) scope(warpgroup)
          : !next -> !tmem.pending<vector<128xf32>>
      %va, %vb = tmem.wait_load %pa, %pb
          : !tmem.pending<vector<128xf32>>, !tmem.pending<vector<128xf32>>
      %sum = arith.addf %va, %vb : vector<128xf32>
      %u = tmem.store %sum, %b registers(#row) scope(warpgroup)
          : vector<128xf32>, !next
      tmem.wait_store %u
      %less = arith.subf %sum, %va : vector<128xf32>
      vector.transfer_write %less, %out[%tid, %c0] {in_bounds = [true]}
          : vector<128xf32>, memref<128x128xf32>
      gpu.barrier
      scf.if %first_warp {
        tmem.dealloc %base, 256
      }
      gpu.return
    }

    // 64 rows in the upper halves of the slabs, as 16x256b holds them.
    gpu.func @halves(%in: memref<128x64xf32>, %out: memref<128x64xf32>)
        workgroup(%slot: memref<1xi32, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %first_warp = arith.cmpi ult, %tid, %c32 : index
      scf.if %first_warp {
        tmem.alloc %slot, 128 : memref<1xi32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %base = memref.load %slot[%c0]
          : memref<1xi32, #gpu.address_space<workgroup>>
      %mem = tmem.view %base : !half
      %src = vector.load %in[%tid, %c0] : memref<128x64xf32>, vector<64xf32>
      %t = tmem.store %src, %mem registers(#quad) atom(<16x256b, x16>)
          scope(warpgroup) : vector<64xf32>, !half
      tmem.wait_store %t
      %p = tmem.load %mem registers(#quad) atom(<16x256b, x16>)
          scope(warpgroup) : !half -> !tmem.pending<vector<64xf32>>
      %v = tmem.wait_load %p : !tmem.pending<vector<64xf32>>
      %negative = arith.negf %v : vector<64xf32>
      vector.store %negative, %out[%tid, %c0]
          : memref<128x64xf32>, vector<64xf32>
      gpu.barrier
      scf.if %first_warp {
        tmem.dealloc %base, 128
      }
      gpu.return
    }

    // One element of 16 bits in each cell, packed in registers.
    gpu.func @packed(%in: memref<128x128xf32>, %out: memref<128x128xf32>)
        workgroup(%slot: memref<1xi32, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %first_warp = arith.cmpi ult, %tid, %c32 : index
      scf.if %first_warp {
        tmem.alloc %slot, 128 : memref<1xi32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %base = memref.load %slot[%c0]
          : memref<1xi32, #gpu.address_space<workgroup>>
      %mem = tmem.view %base : !short
      %src = vector.load %in[%tid, %c0] : memref<128x128xf32>, vector<128xf32>
      %bits = arith.fptosi %src : vector<128xf32> to vector<128xi16>
      %narrow = arith.bitcast %bits : vector<128xi16> to vector<128xf16>
      %t = tmem.store %narrow, %mem scope(warpgroup) : vector<128xf16>, !short
      tmem.wait_store %t
      %p = tmem.load %mem scope(warpgroup)
          : !short -> !tmem.pending<vector<128xf16>>
      %v = tmem.wait_load %p : !tmem.pending<vector<128xf16>>
      %back = arith.bitcast %v : vector<128xf16> to vector<128xi16>
      %wide = arith.sitofp %back : vector<128xi16> to vector<128xf32>
      vector.store %wide, %out[%tid, %c0]
          : memref<128x128xf32>, vector<128xf32>
      gpu.barrier
      scf.if %first_warp {
        tmem.dealloc %base, 128
      }
      gpu.return
    }
  }

  func.func private @element(%i: index, %j: index, %columns: index) -> f32 {
    %row = arith.muli %i, %columns : index
    %number = arith.addi %row, %j : index
    %integer = arith.index_cast %number : index to i32
    %value = arith.sitofp %integer : i32 to f32
    return %value : f32
  }

  // Calls the function's kernel and compares each element; `kernel` says which
  // one and what it calculates.
  func.func private @run(%kernel: index, %columns: index) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %in = memref.alloc() {alignment = 64} : memref<16384xf32>
    %out = memref.alloc() {alignment = 64} : memref<16384xf32>
    %count = arith.muli %columns, %c128 : index
    scf.for %i = %c0 to %c128 step %c1 {
      scf.for %j = %c0 to %columns step %c1 {
        %value = func.call @element(%i, %j, %columns)
            : (index, index, index) -> f32
        %row = arith.muli %i, %columns : index
        %number = arith.addi %row, %j : index
        memref.store %value, %in[%number] : memref<16384xf32>
      }
    }
    %in_any = memref.cast %in : memref<16384xf32> to memref<*xf32>
    %out_any = memref.cast %out : memref<16384xf32> to memref<*xf32>
    gpu.host_register %in_any : memref<*xf32>
    gpu.host_register %out_any : memref<*xf32>
    %in2 = memref.reinterpret_cast %in to offset: [0], sizes: [128, 128],
        strides: [128, 1] : memref<16384xf32> to memref<128x128xf32>
    %out2 = memref.reinterpret_cast %out to offset: [0], sizes: [128, 128],
        strides: [128, 1] : memref<16384xf32> to memref<128x128xf32>
    %in1 = memref.reinterpret_cast %in to offset: [0], sizes: [128, 64],
        strides: [64, 1] : memref<16384xf32> to memref<128x64xf32>
    %out1 = memref.reinterpret_cast %out to offset: [0], sizes: [128, 64],
        strides: [64, 1] : memref<16384xf32> to memref<128x64xf32>
    scf.index_switch %kernel
    case 0 {
      gpu.launch_func @kernels::@in_place blocks in (%c1, %c1, %c1)
          threads in (%c128, %c1, %c1)
          args(%in2 : memref<128x128xf32>, %out2 : memref<128x128xf32>)
      scf.yield
    }
    case 1 {
      gpu.launch_func @kernels::@meeting blocks in (%c1, %c1, %c1)
          threads in (%c128, %c1, %c1)
          args(%in2 : memref<128x128xf32>, %out2 : memref<128x128xf32>)
      scf.yield
    }
    case 2 {
      gpu.launch_func @kernels::@halves blocks in (%c1, %c1, %c1)
          threads in (%c128, %c1, %c1)
          args(%in1 : memref<128x64xf32>, %out1 : memref<128x64xf32>)
      scf.yield
    }
    default {
      gpu.launch_func @kernels::@packed blocks in (%c1, %c1, %c1)
          threads in (%c128, %c1, %c1)
          args(%in2 : memref<128x128xf32>, %out2 : memref<128x128xf32>)
      scf.yield
    }

    %none = arith.constant 0 : i32
    %two = arith.constant 2.0 : f32
    %wrong = scf.for %n = %c0 to %count step %c1
        iter_args(%before = %none) -> (i32) {
      %x = memref.load %in[%n] : memref<16384xf32>
      %j = arith.remui %n, %columns : index
      %bias = func.call @element(%c0, %j, %columns)
          : (index, index, index) -> f32
      %expected = scf.index_switch %kernel -> f32
      case 0 {
        %y = math.fma %x, %two, %bias : f32
        scf.yield %y : f32
      }
      case 1 {
        %y = arith.mulf %x, %two : f32
        scf.yield %y : f32
      }
      case 2 {
        %y = arith.negf %x : f32
        scf.yield %y : f32
      }
      default {
        scf.yield %x : f32
      }
      %got = memref.load %out[%n] : memref<16384xf32>
      %differs = arith.cmpf une, %got, %expected : f32
      %one = arith.extui %differs : i1 to i32
      %after = arith.addi %before, %one : i32
      scf.yield %after : i32
    }
    return %wrong : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %a = func.call @run(%c0, %c128) : (index, index) -> i32
    vector.print str "in_place: 16384 compared, wrong: "
    vector.print %a : i32
    %b = func.call @run(%c1, %c128) : (index, index) -> i32
    vector.print str "meeting: 16384 compared, wrong: "
    vector.print %b : i32
    %c = func.call @run(%c2, %c64) : (index, index) -> i32
    vector.print str "halves: 8192 compared, wrong: "
    vector.print %c : i32
    %d = func.call @run(%c3, %c128) : (index, index) -> i32
    vector.print str "packed: 16384 compared, wrong: "
    vector.print %d : i32
    %zero = arith.constant 0 : i32
    return %zero : i32
  }
}
