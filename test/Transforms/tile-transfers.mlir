// RUN: tmem-opt %s --tmem-tile-transfers=columns=32 --mlir-print-local-scope | FileCheck %s

#row = #tmem.layout<(128, 64) : (1@tid, 1@reg)>
!d = !tmem.view<128x64xf32, #tmem.datapath<D>>

// Loads run one chunk ahead of the arithmetic; the second chunk is stored where
// the first one ends, which is all that is known of its alignment.
// CHECK-LABEL: func @to_memory(
// CHECK-SAME: %[[VIEW:.*]]: !tmem.view<128x64xf32, #tmem.datapath<D>>, %[[OUT:.*]]: memref<128x64xf16>, %[[ROW:.*]]: index)
func.func @to_memory(%view: !d, %out: memref<128x64xf16>, %row: index) {
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : index
  %c0 = arith.constant 0 : index
  // CHECK-NEXT: %[[W0:.*]] = tmem.subview %[[VIEW]][0, 0] [128, 32]
  // CHECK-NEXT: %[[P0:.*]] = tmem.load %[[W0]] registers(#tmem.layout<(128, 32) : (1@tid, 1@reg)>) atom(<32x32b, x32>) scope(warpgroup) {{.*}} -> !tmem.pending<vector<32xf32>>
  // CHECK-NEXT: %[[V0:.*]] = tmem.wait_load %[[P0]]
  // CHECK-NEXT: %[[W1:.*]] = tmem.subview %[[VIEW]][0, 32] [128, 32] {{.*}} to !tmem.view<128x32xf32, #tmem.layout<(128, 32) : (1@tlane, 1@tcol) + (32@tcol)>>
  // CHECK-NEXT: %[[P1:.*]] = tmem.load %[[W1]]
  // CHECK-NEXT: %[[H0:.*]] = arith.truncf %[[V0]] : vector<32xf32> to vector<32xf16>
  // CHECK-NEXT: vector.store %[[H0]], %[[OUT]][%[[ROW]], %[[ZERO]]] {alignment = 128 : i64} : memref<128x64xf16>, vector<32xf16>
  // CHECK-NEXT: %[[V1:.*]] = tmem.wait_load %[[P1]]
  // CHECK-NEXT: %[[H1:.*]] = arith.truncf %[[V1]]
  // CHECK-NEXT: %[[C32:.*]] = arith.constant 32 : index
  // CHECK-NEXT: vector.store %[[H1]], %[[OUT]][%[[ROW]], %[[C32]]] {alignment = 64 : i64} : memref<128x64xf16>, vector<32xf16>
  // CHECK-NEXT: return
  %p = tmem.load %view registers(#row) atom(<32x32b, x64>) scope(warpgroup)
      : !d -> !tmem.pending<vector<64xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<64xf32>>
  %h = arith.truncf %v : vector<64xf32> to vector<64xf16>
  vector.store %h, %out[%row, %c0] {alignment = 128}
      : memref<128x64xf16>, vector<64xf16>
  return
}

// In place; the last chunk is what is left. Loads run ahead here, too: no chunk
// has a cell of another one. Constants and broadcasts are made for each chunk, of
// another vector a slice is taken.
// CHECK-LABEL: func @in_place(
// CHECK-SAME: %[[VIEW:.*]]: !tmem.view<128x80xf32, #tmem.datapath<D>>, %[[SCALE:.*]]: f32, %[[BIAS:.*]]: vector<80xf32>)
func.func @in_place(%view: !tmem.view<128x80xf32, #tmem.datapath<D>>,
                    %scale: f32, %bias: vector<80xf32>) {
  %two = arith.constant dense<2.0> : vector<80xf32>
  %scales = vector.broadcast %scale : f32 to vector<80xf32>
  // CHECK: tmem.load
  // CHECK-NEXT: %[[V0:.*]] = tmem.wait_load
  // CHECK-NEXT: tmem.subview %[[VIEW]][0, 32] [128, 32]
  // CHECK-NEXT: tmem.load
  // CHECK-NEXT: %[[TWO:.*]] = arith.constant dense<2.000000e+00> : vector<32xf32>
  // CHECK-NEXT: %[[A0:.*]] = arith.mulf %[[V0]], %[[TWO]] fastmath<contract> : vector<32xf32>
  // CHECK-NEXT: %[[S0:.*]] = vector.broadcast %[[SCALE]] : f32 to vector<32xf32>
  // CHECK-NEXT: %[[B0:.*]] = vector.extract_strided_slice %[[BIAS]] {offsets = [0], sizes = [32], strides = [1]}
  // CHECK-NEXT: %[[F0:.*]] = math.fma %[[A0]], %[[S0]], %[[B0]] : vector<32xf32>
  // CHECK-NEXT: %[[T0:.*]] = tmem.store %[[F0]], %{{.*}} registers(#tmem.layout<(128, 32) : (1@tid, 1@reg)>) scope(warpgroup)
  // CHECK-NEXT: tmem.wait_load
  // CHECK-NEXT: tmem.subview %[[VIEW]][0, 64] [128, 16]
  // CHECK-NEXT: tmem.load %{{.*}} registers(#tmem.layout<(128, 16) : (1@tid, 1@reg)>) scope(warpgroup)
  // CHECK: vector.extract_strided_slice %[[BIAS]] {offsets = [32], sizes = [32], strides = [1]}
  // CHECK: %[[T1:.*]] = tmem.store
  // CHECK-NEXT: tmem.wait_load
  // CHECK: vector.extract_strided_slice %[[BIAS]] {offsets = [64], sizes = [16], strides = [1]}
  // CHECK: %[[T2:.*]] = tmem.store {{.*}} : vector<16xf32>
  // CHECK-NEXT: tmem.wait_store %[[T0]], %[[T1]], %[[T2]]
  %p = tmem.load %view registers(#tmem.layout<(128, 80) : (1@tid, 1@reg)>)
      scope(warpgroup) : !tmem.view<128x80xf32, #tmem.datapath<D>>
      -> !tmem.pending<vector<80xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<80xf32>>
  %a = arith.mulf %v, %two fastmath<contract> : vector<80xf32>
  %f = math.fma %a, %scales, %bias : vector<80xf32>
  %t = tmem.store %f, %view registers(#tmem.layout<(128, 80) : (1@tid, 1@reg)>)
      scope(warpgroup)
      : vector<80xf32>, !tmem.view<128x80xf32, #tmem.datapath<D>>
  tmem.wait_store %t
  return
}

// Two tiles that meet, two stores, and a wait for the first that comes too
// early for its last chunk.
// CHECK-LABEL: func @two_tiles(
func.func @two_tiles(%both: !tmem.view<128x128xf32, #tmem.datapath<D>>,
                     %out: memref<128x64xi8>, %row: index) {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : vector<64xf32>
  %a = tmem.subview %both[0, 0] [128, 64]
      : !tmem.view<128x128xf32, #tmem.datapath<D>>
      to !tmem.view<128x64xf32, #tmem.layout<(128, 64) : (1@tlane, 1@tcol)>>
  %b = tmem.subview %both[0, 64] [128, 64]
      : !tmem.view<128x128xf32, #tmem.datapath<D>>
      to !tmem.view<128x64xf32, #tmem.layout<(128, 64) : (1@tlane, 1@tcol) + (64@tcol)>>
  // CHECK: %[[PA0:.*]] = tmem.load
  // CHECK: %[[PB0:.*]] = tmem.load
  // CHECK-NEXT: %[[VA:.*]], %[[VB:.*]] = tmem.wait_load %[[PA0]], %[[PB0]]
  // CHECK: %[[PA1:.*]] = tmem.load
  // CHECK: %[[PB1:.*]] = tmem.load
  // CHECK-NEXT: arith.addf %[[VA]], %[[VB]] : vector<32xf32>
  // CHECK-NEXT: %[[T0:.*]] = tmem.store
  // CHECK: arith.cmpf olt, {{.*}} : vector<32xf32>
  // CHECK-NEXT: arith.extui {{.*}} : vector<32xi1> to vector<32xi8>
  // CHECK-NEXT: vector.transfer_write {{.*}} {in_bounds = [true]} : vector<32xi8>
  // CHECK-NEXT: tmem.wait_load %[[PA1]], %[[PB1]]
  // CHECK: %[[T1:.*]] = tmem.store
  // CHECK: vector.transfer_write
  // CHECK-NEXT: tmem.wait_store %[[T0]], %[[T1]]
  // CHECK-NEXT: return
  %pa = tmem.load %a registers(#row) scope(warpgroup)
      : !tmem.view<128x64xf32, #tmem.layout<(128, 64) : (1@tlane, 1@tcol)>>
      -> !tmem.pending<vector<64xf32>>
  %pb = tmem.load %b registers(#row) scope(warpgroup)
      : !tmem.view<128x64xf32, #tmem.layout<(128, 64) : (1@tlane, 1@tcol) + (64@tcol)>>
      -> !tmem.pending<vector<64xf32>>
  %va, %vb = tmem.wait_load %pa, %pb
      : !tmem.pending<vector<64xf32>>, !tmem.pending<vector<64xf32>>
  %sum = arith.addf %va, %vb : vector<64xf32>
  %t = tmem.store %sum, %a registers(#row) scope(warpgroup) : vector<64xf32>,
      !tmem.view<128x64xf32, #tmem.layout<(128, 64) : (1@tlane, 1@tcol)>>
  tmem.wait_store %t
  %less = arith.cmpf olt, %sum, %one : vector<64xf32>
  %byte = arith.extui %less : vector<64xi1> to vector<64xi8>
  vector.transfer_write %byte, %out[%row, %c0] {in_bounds = [true]}
      : vector<64xi8>, memref<128x64xi8>
  return
}

// Bit casts scale chunks. Constants that differ are cut.
// CHECK-LABEL: func @bit_casts(
func.func @bit_casts(%view: !d, %out: memref<128x64xi64>, %row: index) {
  %c0 = arith.constant 0 : index
  // CHECK: vector.bitcast {{.*}} : vector<32xf32> to vector<16xi64>
  // CHECK-NEXT: arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : vector<16xi64>
  // CHECK: vector.bitcast {{.*}} : vector<32xf32> to vector<16xi64>
  // CHECK-NEXT: arith.constant dense<[16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]> : vector<16xi64>
  // CHECK: arith.constant 16 : index
  // CHECK: vector.store {{.*}} : memref<128x64xi64>, vector<16xi64>
  %numbers = arith.constant dense<[
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
      21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]> : vector<32xi64>
  %p = tmem.load %view registers(#row) scope(warpgroup)
      : !d -> !tmem.pending<vector<64xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<64xf32>>
  %pairs = vector.bitcast %v : vector<64xf32> to vector<32xi64>
  %mixed = arith.xori %pairs, %numbers : vector<32xi64>
  vector.store %mixed, %out[%row, %c0] : memref<128x64xi64>, vector<32xi64>
  return
}

// Narrow enough: nothing changes.
// CHECK-LABEL: func @narrow(
func.func @narrow(%view: !tmem.view<128x32xf32, #tmem.datapath<D>>,
                  %out: memref<128x32xf32>, %row: index) {
  // CHECK-NOT: tmem.subview
  // CHECK: return
  %c0 = arith.constant 0 : index
  %p = tmem.load %view registers(#tmem.layout<(128, 32) : (1@tid, 1@reg)>)
      scope(warpgroup) : !tmem.view<128x32xf32, #tmem.datapath<D>>
      -> !tmem.pending<vector<32xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<32xf32>>
  vector.store %v, %out[%row, %c0] : memref<128x32xf32>, vector<32xf32>
  return
}

// Data path B has its right half in lanes of its own. A chunk takes of both halves
// what is in its registers: 16 columns each.
// CHECK-LABEL: func @path_b(
// CHECK-SAME: %[[VIEW:.*]]: !tmem.view<64x64xf32, #tmem.datapath<B>>
// CHECK: %[[CUT:.*]] = tmem.rearrange %[[VIEW]] "f0 (f1 f2) -> f0 f1 f2" sizes(f1 = 2)
// CHECK-NEXT: %[[W0:.*]] = tmem.subview %[[CUT]][0, 0, 0] [64, 2, 16]
// CHECK-NEXT: tmem.load %[[W0]] registers(#tmem.layout<(64, 2, 16) : (1@tid, 64@tid, 1@reg)>) atom(<32x32b, x16>)
// CHECK: %[[W1:.*]] = tmem.subview %[[CUT]][0, 0, 16] [64, 2, 16]
// CHECK-NEXT: tmem.load %[[W1]]
// CHECK-NOT: tmem.rearrange
!b = !tmem.view<64x64xf32, #tmem.datapath<B>>
func.func @path_b(%view: !b, %out: memref<128x32xf32>, %row: index) {
  %c0 = arith.constant 0 : index
  %p = tmem.load %view
      registers(#tmem.layout<(64, 2, 32) : (1@tid, 64@tid, 1@reg)>)
      atom(<32x32b, x32>) scope(warpgroup)
      : !b -> !tmem.pending<vector<32xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<32xf32>>
  vector.store %v, %out[%row, %c0] : memref<128x32xf32>, vector<32xf32>
  return
}

// Even columns come before odd ones: a chunk has every second column.
// CHECK-LABEL: func @two_runs(
// CHECK: tmem.rearrange {{.*}} "f0 (f1 f2) -> f0 f1 f2" sizes(f1 = 32)
// CHECK-NEXT: tmem.subview {{.*}}[0, 0, 0] [128, 32, 1]
// CHECK: tmem.load {{.*}} -> !tmem.pending<vector<32xf32>>
// CHECK: tmem.subview {{.*}}[0, 0, 1] [128, 32, 1]
!spread = !tmem.view<128x64xf32, #tmem.layout<(128, 32, 2) : (1@tlane, 1@tcol, 32@tcol)>>
func.func @two_runs(%view: !spread, %out: memref<128x64xf32>, %row: index) {
  %c0 = arith.constant 0 : index
  %p = tmem.load %view
      registers(#tmem.layout<(128, 32, 2) : (1@tid, 1@reg, 32@reg)>)
      scope(warpgroup) : !spread -> !tmem.pending<vector<64xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<64xf32>>
  vector.store %v, %out[%row, %c0] : memref<128x64xf32>, vector<64xf32>
  return
}

// Bases that are constants apart: the stored tile lies behind the loaded one.
// CHECK-LABEL: func @constants_apart(
// CHECK-COUNT-2: tmem.store {{.*}} vector<32xf32>
func.func @constants_apart(%base: i32) {
  %c64 = arith.constant 64 : i32
  %next = arith.addi %base, %c64 : i32
  %from = tmem.view %base : !d
  %to = tmem.view %next : !d
  %p = tmem.load %from registers(#row) scope(warpgroup)
      : !d -> !tmem.pending<vector<64xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<64xf32>>
  %t = tmem.store %v, %to registers(#row) scope(warpgroup)
      : vector<64xf32>, !d
  tmem.wait_store %t
  return
}
