// An epilogue to 8-bit floats, cut into chunks: a tile of f32 goes through TMEM and
// becomes f8E4M3FN and f8E5M2, two formats in a row of the output. The numbers are
// all ties, borders and oddities; what each becomes is searched in Python among all
// 256 numbers of the format.

// RUN: %python %S/Inputs/float8.py input > %t.in
// RUN: tmem-opt %s --pass-pipeline='builtin.module(gpu.module(tmem-select-atoms,tmem-tile-transfers{columns=16}))' -o %t.tiled.mlir
// RUN: tmem-run %t.tiled.mlir < %t.in > %t.out
// RUN: %python %S/Inputs/float8.py check %t.in %t.out | FileCheck %s

// CHECK: 8192 compared, 0 wrong

!acc = !tmem.view<128x32xf32, #tmem.datapath<D>>
!slot = memref<1xi32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @narrow(%in: memref<128x32xf32>, %out: memref<256x32xi8>)
        workgroup(%slot: !slot)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %tid = gpu.thread_id x
      %first_warp = arith.cmpi ult, %tid, %c32 : index
      scf.if %first_warp {
        tmem.alloc %slot, 32 : !slot
      }
      gpu.barrier
      %base = memref.load %slot[%c0] : !slot
      %mem = tmem.view %base : !acc
      %src = vector.load %in[%tid, %c0] : memref<128x32xf32>, vector<32xf32>
      %t = tmem.store %src, %mem scope(warpgroup) : vector<32xf32>, !acc
      tmem.wait_store %t

      %p = tmem.load %mem scope(warpgroup)
          : !acc -> !tmem.pending<vector<32xf32>>
      %v = tmem.wait_load %p : !tmem.pending<vector<32xf32>>
      %e4m3 = arith.truncf %v : vector<32xf32> to vector<32xf8E4M3FN>
      %bytes = arith.bitcast %e4m3 : vector<32xf8E4M3FN> to vector<32xi8>
      vector.store %bytes, %out[%tid, %c0]
          : memref<256x32xi8>, vector<32xi8>

      %q = tmem.load %mem scope(warpgroup)
          : !acc -> !tmem.pending<vector<32xf32>>
      %w = tmem.wait_load %q : !tmem.pending<vector<32xf32>>
      %e5m2 = arith.truncf %w : vector<32xf32> to vector<32xf8E5M2>
      %others = arith.bitcast %e5m2 : vector<32xf8E5M2> to vector<32xi8>
      %row = arith.addi %tid, %c128 : index
      vector.store %others, %out[%row, %c0]
          : memref<256x32xi8>, vector<32xi8>
      gpu.barrier
      scf.if %first_warp {
        tmem.dealloc %base, 32
      }
      gpu.return
    }
  }

  llvm.func @read(i32, !llvm.ptr, i64) -> i64
  llvm.func @write(i32, !llvm.ptr, i64) -> i64
  func.func @main() -> i32 {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %stdin = arith.constant 0 : i32
    %stdout = arith.constant 1 : i32
    %size_in = arith.constant 16384 : i64
    %size_out = arith.constant 8192 : i64
    %in = memref.alloc() {alignment = 64} : memref<128x32xf32>
    %out = memref.alloc() {alignment = 64} : memref<256x32xi8>
    %in_any = memref.cast %in : memref<128x32xf32> to memref<*xf32>
    %out_any = memref.cast %out : memref<256x32xi8> to memref<*xi8>
    gpu.host_register %in_any : memref<*xf32>
    gpu.host_register %out_any : memref<*xi8>
    %in_index = memref.extract_aligned_pointer_as_index %in
        : memref<128x32xf32> -> index
    %in_int = arith.index_cast %in_index : index to i64
    %in_ptr = llvm.inttoptr %in_int : i64 to !llvm.ptr
    %out_index = memref.extract_aligned_pointer_as_index %out
        : memref<256x32xi8> -> index
    %out_int = arith.index_cast %out_index : index to i64
    %out_ptr = llvm.inttoptr %out_int : i64 to !llvm.ptr
    %got = llvm.call @read(%stdin, %in_ptr, %size_in)
        : (i32, !llvm.ptr, i64) -> i64
    gpu.launch_func @kernels::@narrow blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1)
        args(%in : memref<128x32xf32>, %out : memref<256x32xi8>)
    %put = llvm.call @write(%stdout, %out_ptr, %size_out)
        : (i32, !llvm.ptr, i64) -> i64
    %bad_in = arith.cmpi ne, %got, %size_in : i64
    %bad_out = arith.cmpi ne, %put, %size_out : i64
    %bad = arith.ori %bad_in, %bad_out : i1
    %status = arith.extui %bad : i1 to i32
    return %status : i32
  }
}
