// Vectors of shared memory: each thread stores one as a whole and takes it apart, and
// puts one together and loads it as a whole, of its neighbour's row. Bit for bit.

// RUN: tmem-run %s | FileCheck %s --implicit-check-not=error
// RUN: tmem-run %s --race --seeds=2 2>&1 | FileCheck %s --implicit-check-not=error
// RUN: tmem-opt %s --tmem-to-cubin="chip=sm_100a format=isa" 2>&1 | FileCheck %s --check-prefix=PTX --implicit-check-not=error:

// CHECK: wrong 0
// PTX-DAG: st.shared
// PTX-DAG: ld.shared


func.func @f32() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %scattered = memref.alloc() : memref<64x8xi32>
  %gathered = memref.alloc() : memref<64x8xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
      workgroup(%rows: memref<64x8xf32, #gpu.address_space<workgroup>>,
                %copies: memref<64x8xf32, #gpu.address_space<workgroup>>) {
    %factor = arith.constant -1640531535 : i32
    %none = arith.constant dense<0> : vector<8xi32>
    %bits = scf.for %j = %c0 to %c8 step %c1 iter_args(%v = %none) -> (vector<8xi32>) {
      %row = arith.muli %tx, %c8 : index
      %at = arith.addi %row, %j : index
      %number = arith.index_cast %at : index to i32
      %mixed = arith.muli %number, %factor : i32
      %bit = arith.addi %mixed, %number : i32
      %w = vector.insert %bit, %v[%j] : i32 into vector<8xi32>
      scf.yield %w : vector<8xi32>
    }
    %values = arith.bitcast %bits : vector<8xi32> to vector<8xf32>
    vector.store %values, %rows[%tx, %c0] : memref<64x8xf32, #gpu.address_space<workgroup>>, vector<8xf32>
    gpu.barrier
    %next = arith.addi %tx, %c1 : index
    %other = arith.remui %next, %c64 : index
    scf.for %j = %c0 to %c8 step %c1 {
      %value = memref.load %rows[%other, %j] : memref<64x8xf32, #gpu.address_space<workgroup>>
      %bit = arith.bitcast %value : f32 to i32
      memref.store %bit, %scattered[%other, %j] : memref<64x8xi32>
      memref.store %value, %copies[%other, %j] : memref<64x8xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %whole = vector.load %copies[%tx, %c0] : memref<64x8xf32, #gpu.address_space<workgroup>>, vector<8xf32>
    %back = arith.bitcast %whole : vector<8xf32> to vector<8xi32>
    vector.store %back, %gathered[%tx, %c0] : memref<64x8xi32>, vector<8xi32>
    gpu.terminator
  }
  %factor = arith.constant -1640531535 : i32
  %wrong = scf.for %i = %c0 to %c64 step %c1 iter_args(%n = %zero) -> (i32) {
    %sum = scf.for %j = %c0 to %c8 step %c1 iter_args(%m = %n) -> (i32) {
      %row = arith.muli %i, %c8 : index
      %at = arith.addi %row, %j : index
      %number = arith.index_cast %at : index to i32
      %mixed = arith.muli %number, %factor : i32
      %bit = arith.addi %mixed, %number : i32
      %a = memref.load %scattered[%i, %j] : memref<64x8xi32>
      %b = memref.load %gathered[%i, %j] : memref<64x8xi32>
      %isA = arith.cmpi ne, %a, %bit : i32
      %isB = arith.cmpi ne, %b, %bit : i32
      %isWrong = arith.ori %isA, %isB : i1
      %more = arith.extui %isWrong : i1 to i32
      %total = arith.addi %m, %more : i32
      scf.yield %total : i32
    }
    scf.yield %sum : i32
  }
  memref.dealloc %scattered : memref<64x8xi32>
  memref.dealloc %gathered : memref<64x8xi32>
  return %wrong : i32
}

func.func @f16() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %scattered = memref.alloc() : memref<64x8xi16>
  %gathered = memref.alloc() : memref<64x8xi16>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
      workgroup(%rows: memref<64x8xf16, #gpu.address_space<workgroup>>,
                %copies: memref<64x8xf16, #gpu.address_space<workgroup>>) {
    %factor = arith.constant -1640531535 : i32
    %none = arith.constant dense<0> : vector<8xi16>
    %bits = scf.for %j = %c0 to %c8 step %c1 iter_args(%v = %none) -> (vector<8xi16>) {
      %row = arith.muli %tx, %c8 : index
      %at = arith.addi %row, %j : index
      %number = arith.index_cast %at : index to i32
      %mixed = arith.muli %number, %factor : i32
      %bit = arith.trunci %mixed : i32 to i16
      %w = vector.insert %bit, %v[%j] : i16 into vector<8xi16>
      scf.yield %w : vector<8xi16>
    }
    %values = arith.bitcast %bits : vector<8xi16> to vector<8xf16>
    vector.store %values, %rows[%tx, %c0] : memref<64x8xf16, #gpu.address_space<workgroup>>, vector<8xf16>
    gpu.barrier
    %next = arith.addi %tx, %c1 : index
    %other = arith.remui %next, %c64 : index
    scf.for %j = %c0 to %c8 step %c1 {
      %value = memref.load %rows[%other, %j] : memref<64x8xf16, #gpu.address_space<workgroup>>
      %bit = arith.bitcast %value : f16 to i16
      memref.store %bit, %scattered[%other, %j] : memref<64x8xi16>
      memref.store %value, %copies[%other, %j] : memref<64x8xf16, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %whole = vector.load %copies[%tx, %c0] : memref<64x8xf16, #gpu.address_space<workgroup>>, vector<8xf16>
    %back = arith.bitcast %whole : vector<8xf16> to vector<8xi16>
    vector.store %back, %gathered[%tx, %c0] : memref<64x8xi16>, vector<8xi16>
    gpu.terminator
  }
  %factor = arith.constant -1640531535 : i32
  %wrong = scf.for %i = %c0 to %c64 step %c1 iter_args(%n = %zero) -> (i32) {
    %sum = scf.for %j = %c0 to %c8 step %c1 iter_args(%m = %n) -> (i32) {
      %row = arith.muli %i, %c8 : index
      %at = arith.addi %row, %j : index
      %number = arith.index_cast %at : index to i32
      %mixed = arith.muli %number, %factor : i32
      %bit = arith.trunci %mixed : i32 to i16
      %a = memref.load %scattered[%i, %j] : memref<64x8xi16>
      %b = memref.load %gathered[%i, %j] : memref<64x8xi16>
      %isA = arith.cmpi ne, %a, %bit : i16
      %isB = arith.cmpi ne, %b, %bit : i16
      %isWrong = arith.ori %isA, %isB : i1
      %more = arith.extui %isWrong : i1 to i32
      %total = arith.addi %m, %more : i32
      scf.yield %total : i32
    }
    scf.yield %sum : i32
  }
  memref.dealloc %scattered : memref<64x8xi16>
  memref.dealloc %gathered : memref<64x8xi16>
  return %wrong : i32
}

func.func @i8() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %scattered = memref.alloc() : memref<64x8xi8>
  %gathered = memref.alloc() : memref<64x8xi8>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
      workgroup(%rows: memref<64x8xi8, #gpu.address_space<workgroup>>,
                %copies: memref<64x8xi8, #gpu.address_space<workgroup>>) {
    %factor = arith.constant -1640531535 : i32
    %none = arith.constant dense<0> : vector<8xi8>
    %bits = scf.for %j = %c0 to %c8 step %c1 iter_args(%v = %none) -> (vector<8xi8>) {
      %row = arith.muli %tx, %c8 : index
      %at = arith.addi %row, %j : index
      %number = arith.index_cast %at : index to i32
      %mixed = arith.muli %number, %factor : i32
      %bit = arith.trunci %mixed : i32 to i8
      %w = vector.insert %bit, %v[%j] : i8 into vector<8xi8>
      scf.yield %w : vector<8xi8>
    }
    vector.store %bits, %rows[%tx, %c0] : memref<64x8xi8, #gpu.address_space<workgroup>>, vector<8xi8>
    gpu.barrier
    %next = arith.addi %tx, %c1 : index
    %other = arith.remui %next, %c64 : index
    scf.for %j = %c0 to %c8 step %c1 {
      %value = memref.load %rows[%other, %j] : memref<64x8xi8, #gpu.address_space<workgroup>>
      memref.store %value, %scattered[%other, %j] : memref<64x8xi8>
      memref.store %value, %copies[%other, %j] : memref<64x8xi8, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %whole = vector.load %copies[%tx, %c0] : memref<64x8xi8, #gpu.address_space<workgroup>>, vector<8xi8>
    vector.store %whole, %gathered[%tx, %c0] : memref<64x8xi8>, vector<8xi8>
    gpu.terminator
  }
  %factor = arith.constant -1640531535 : i32
  %wrong = scf.for %i = %c0 to %c64 step %c1 iter_args(%n = %zero) -> (i32) {
    %sum = scf.for %j = %c0 to %c8 step %c1 iter_args(%m = %n) -> (i32) {
      %row = arith.muli %i, %c8 : index
      %at = arith.addi %row, %j : index
      %number = arith.index_cast %at : index to i32
      %mixed = arith.muli %number, %factor : i32
      %bit = arith.trunci %mixed : i32 to i8
      %a = memref.load %scattered[%i, %j] : memref<64x8xi8>
      %b = memref.load %gathered[%i, %j] : memref<64x8xi8>
      %isA = arith.cmpi ne, %a, %bit : i8
      %isB = arith.cmpi ne, %b, %bit : i8
      %isWrong = arith.ori %isA, %isB : i1
      %more = arith.extui %isWrong : i1 to i32
      %total = arith.addi %m, %more : i32
      scf.yield %total : i32
    }
    scf.yield %sum : i32
  }
  memref.dealloc %scattered : memref<64x8xi8>
  memref.dealloc %gathered : memref<64x8xi8>
  return %wrong : i32
}

func.func @main() -> i32 {
  %a = call @f32() : () -> i32
  %b = call @f16() : () -> i32
  %c = call @i8() : () -> i32
  %ab = arith.addi %a, %b : i32
  %wrong = arith.addi %ab, %c : i32
  vector.print str "wrong "
  vector.print %wrong : i32
  return %wrong : i32
}
