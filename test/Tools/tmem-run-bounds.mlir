// Accesses outside of memrefs are faults that name the operation, in host code and
// in kernels, whatever is there.

// RUN: %exits_1 tmem-run %s --entry=host_load 2>&1 | FileCheck %s --check-prefix=LOAD
// RUN: %exits_1 tmem-run %s --entry=host_store 2>&1 | FileCheck %s --check-prefix=STORE
// RUN: %exits_1 tmem-run %s --entry=host_vector 2>&1 | FileCheck %s --check-prefix=VECTOR
// RUN: %exits_1 tmem-run %s --entry=kernel_wild 2>&1 | FileCheck %s --check-prefix=WILD
// RUN: %exits_1 tmem-run %s --entry=kernel_near 2>&1 | FileCheck %s --check-prefix=NEAR
// RUN: %exits_1 tmem-run %s --entry=kernel_before 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: tmem-run %s --entry=inside | FileCheck %s --check-prefix=INSIDE

!row = memref<?xf32>
!table = memref<4x?xf32>

func.func private @make(%columns: index) -> !table {
  %table = memref.alloc(%columns) : !table
  return %table : !table
}

func.func @host_load() {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %table = call @make(%c8) : (index) -> !table
  // LOAD: tmem-run-bounds.mlir:[[#@LINE+1]]:{{[0-9]+}}: memref.load: error: expected an index below 4 in dimension 0 of the memref<4x?xf32>, but got 4 [host code]
  %v = memref.load %table[%c4, %c4] : !table
  vector.print %v : f32
  return
}

func.func @host_store() {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %far = arith.constant -1000000000000 : index
  %f = arith.constant 1.0 : f32
  %table = call @make(%c8) : (index) -> !table
  // STORE: tmem-run-bounds.mlir:[[#@LINE+1]]:{{[0-9]+}}: memref.store: error: expected an index below the size in dimension 1 of the memref<4x?xf32>, but got -1000000000000
  memref.store %f, %table[%c0, %far] : !table
  return
}

// A vector may go on in the next row, but not after the last one.
func.func @host_vector() {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  %table = call @make(%c8) : (index) -> !table
  %v = vector.load %table[%c2, %c6] : !table, vector<4xf32>
  vector.store %v, %table[%c2, %c6] : !table, vector<4xf32>
  // VECTOR: tmem-run-bounds.mlir:[[#@LINE+1]]:{{[0-9]+}}: vector.load: error: expected all elements of the vector<4xf32> in the memref<4x?xf32>
  %w = vector.load %table[%c3, %c6] : !table, vector<4xf32>
  vector.print %w : vector<4xf32>
  return
}

func.func private @launch(%row: !row, %scale: index, %shift: index) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %scaled = arith.muli %tx, %scale : index
    %i = arith.addi %scaled, %shift : index
    // WILD: tmem-run-bounds.mlir:[[#@LINE+3]]:{{[0-9]+}}: memref.load: error: expected an index below the size in dimension 0 of the memref<?xf32>, but got another one [{{.*}}thread 1,0,0
    // NEAR: tmem-run-bounds.mlir:[[#@LINE+2]]:{{[0-9]+}}: memref.load: error: expected an index below the size in dimension 0 of the memref<?xf32>, but got another one [{{.*}}thread 31,0,0
    // BEFORE: tmem-run-bounds.mlir:[[#@LINE+1]]:{{[0-9]+}}: memref.load: error: expected an index below the size in dimension 0 of the memref<?xf32>, but got another one [{{.*}}thread 0,0,0
    %v = memref.load %row[%i] : !row
    %w = arith.addf %v, %v : f32
    memref.store %w, %row[%i] : !row
    gpu.terminator
  }
  return
}

func.func private @run(%scale: index, %shift: index) {
  %c32 = arith.constant 32 : index
  %row = memref.alloc(%c32) : !row
  %f = arith.constant 1.5 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c32 step %c1 {
    memref.store %f, %row[%i] : !row
  }
  call @launch(%row, %scale, %shift) : (!row, index, index) -> ()
  %c31 = arith.constant 31 : index
  %v = memref.load %row[%c31] : !row
  vector.print %v : f32
  memref.dealloc %row : !row
  return
}

func.func @kernel_wild() {
  %scale = arith.constant 1000000000 : index
  %c0 = arith.constant 0 : index
  call @run(%scale, %c0) : (index, index) -> ()
  return
}

func.func @kernel_near() {
  %c1 = arith.constant 1 : index
  call @run(%c1, %c1) : (index, index) -> ()
  return
}

func.func @kernel_before() {
  %c1 = arith.constant 1 : index
  %before = arith.constant -1 : index
  call @run(%c1, %before) : (index, index) -> ()
  return
}

func.func @inside() {
  // INSIDE: 3
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  call @run(%c1, %c0) : (index, index) -> ()
  return
}
