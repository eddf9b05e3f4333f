// RUN: tmem-opt %s --tmem-tile-transfers=max-live-registers=40 -split-input-file -verify-diagnostics -o /dev/null
// RUN: tmem-opt %s --tmem-tile-transfers=max-live-registers=40 -split-input-file 2>/dev/null | FileCheck %s

// What cannot be cut stays as it is.
// CHECK-LABEL: func @reduction(
// CHECK: tmem.load {{.*}} -> !tmem.pending<vector<64xf32>>
// CHECK-NOT: tmem.subview
#row = #tmem.layout<(128, 64) : (1@tid, 1@reg)>
!d = !tmem.view<128x64xf32, #tmem.datapath<D>>
func.func @reduction(%view: !d) -> f32 {
  // expected-remark@+1 {{keeps 64 registers live at once: expected consumers that work element by element or store the vector, but got 'vector.reduction'}}
  %p = tmem.load %view registers(#row) scope(warpgroup)
      : !d -> !tmem.pending<vector<64xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<64xf32>>
  // expected-note@+1 {{load windows of the view (tmem.subview) and combine what comes of them}}
  %max = vector.reduction <maximumf>, %v : vector<64xf32> into f32
  return %max : f32
}

// -----

#row = #tmem.layout<(128, 64) : (1@tid, 1@reg)>
!d = !tmem.view<128x64xf32, #tmem.datapath<D>>
func.func @barrier(%view: !d, %out: memref<128x64xf32>, %row: index) {
  %c0 = arith.constant 0 : index
  // expected-remark@+1 {{keeps 64 registers live at once: expected nothing that may order or change memory between the load and the last store, but got 'gpu.barrier'}}
  %p = tmem.load %view registers(#row) scope(warpgroup)
      : !d -> !tmem.pending<vector<64xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<64xf32>>
  // expected-note@+1 {{move it before the load or behind the last store}}
  gpu.barrier
  vector.store %v, %out[%row, %c0] : memref<128x64xf32>, vector<64xf32>
  return
}

// -----

#row = #tmem.layout<(128, 64) : (1@tid, 1@reg)>
!d = !tmem.view<128x64xf32, #tmem.datapath<D>>
func.func @fence(%view: !d) {
  // expected-remark@+1 {{but got 'tmem.fence'}}
  %p = tmem.load %view registers(#row) scope(warpgroup)
      : !d -> !tmem.pending<vector<64xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<64xf32>>
  // expected-note@+1 {{move it before}}
  tmem.fence before
  %t = tmem.store %v, %view registers(#row) scope(warpgroup)
      : vector<64xf32>, !d
  tmem.wait_store %t
  return
}

// -----

// The load would move behind a store to its cells.
#row = #tmem.layout<(128, 64) : (1@tid, 1@reg)>
!d = !tmem.view<128x64xf32, #tmem.datapath<D>>
func.func @store_between(%view: !d, %src: vector<64xf32>,
                         %out: memref<128x64xf32>, %row: index) {
  %c0 = arith.constant 0 : index
  // expected-remark@+1 {{expected no store that may change the cells between the load and the last store, but got one}}
  %p = tmem.load %view registers(#row) scope(warpgroup)
      : !d -> !tmem.pending<vector<64xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<64xf32>>
  // expected-note@+3 {{move it out of the way}}
  // expected-remark@+2 {{keeps 64 registers live at once: expected two chunks in 40 registers, but got an argument in 64 registers beside them}}
  // expected-note@+1 {{allow more registers, or read the vector from memory beside the tile}}
  %t = tmem.store %src, %view registers(#row) scope(warpgroup)
      : vector<64xf32>, !d
  vector.store %v, %out[%row, %c0] : memref<128x64xf32>, vector<64xf32>
  tmem.wait_store %t
  return
}

// -----

// The first chunk's store would change what the second chunk loads.
#row = #tmem.layout<(128, 64) : (1@tid, 1@reg)>
!low = !tmem.view<128x64xf32, #tmem.layout<(128, 64) : (1@tlane, 1@tcol)>>
!high = !tmem.view<128x64xf32, #tmem.layout<(128, 64) : (1@tlane, 1@tcol) + (16@tcol)>>
func.func @shifted(%base: i32) {
  %low = tmem.view %base : !low
  %high = tmem.view %base : !high
  // expected-remark@+1 {{expected stores that leave the cells of later chunks alone, but got one that changes them}}
  %p = tmem.load %low registers(#row) scope(warpgroup)
      : !low -> !tmem.pending<vector<64xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<64xf32>>
  // expected-note@+1 {{store the tile where it was, or somewhere else}}
  %t = tmem.store %v, %high registers(#row) scope(warpgroup)
      : vector<64xf32>, !high
  tmem.wait_store %t
  return
}

// -----

#row = #tmem.layout<(128, 64) : (1@tid, 1@reg)>
!d = !tmem.view<128x64xf32, #tmem.datapath<D>>
func.func @other_base(%from: !d, %to: !d) {
  // expected-remark@+1 {{expected tiles of which is known whether they overlap, but got one that may overlap with another one}}
  %p = tmem.load %from registers(#row) scope(warpgroup)
      : !d -> !tmem.pending<vector<64xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<64xf32>>
  // expected-note@+1 {{take both as windows of one view}}
  %t = tmem.store %v, %to registers(#row) scope(warpgroup)
      : vector<64xf32>, !d
  tmem.wait_store %t
  return
}

// -----

#row = #tmem.layout<(128, 64) : (1@tid, 1@reg)>
!d = !tmem.view<128x64xf32, #tmem.datapath<D>>
func.func @two_memories(%view: !d, %a: memref<128x64xf32>,
                        %b: memref<128x64xf32>, %row: index) {
  %c0 = arith.constant 0 : index
  // expected-remark@+1 {{expected stores to memory that does not overlap, but got two that may}}
  %p = tmem.load %view registers(#row) scope(warpgroup)
      : !d -> !tmem.pending<vector<64xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<64xf32>>
  vector.store %v, %a[%row, %c0] : memref<128x64xf32>, vector<64xf32>
  // expected-note@+1 {{load the tile once for each}}
  vector.store %v, %b[%row, %c0] : memref<128x64xf32>, vector<64xf32>
  return
}

// -----

#row = #tmem.layout<(128, 64) : (1@tid, 1@reg)>
!d = !tmem.view<128x64xf32, #tmem.datapath<D>>
func.func @access_between_stores(%view: !d, %out: memref<128x64xf32>,
                                 %row: index) -> f32 {
  %c0 = arith.constant 0 : index
  // expected-remark@+1 {{expected no other access to memory between the stores, but got 'memref.load'}}
  %p = tmem.load %view registers(#row) scope(warpgroup)
      : !d -> !tmem.pending<vector<64xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<64xf32>>
  vector.store %v, %out[%row, %c0] : memref<128x64xf32>, vector<64xf32>
  // expected-note@+1 {{move it before the first store or behind the last one}}
  %f = memref.load %out[%row, %c0] : memref<128x64xf32>
  %t = tmem.store %v, %view registers(#row) scope(warpgroup)
      : vector<64xf32>, !d
  tmem.wait_store %t
  return %f : f32
}

// -----

#row = #tmem.layout<(128, 64) : (1@tid, 1@reg)>
!d = !tmem.view<128x64xf32, #tmem.datapath<D>>
func.func @returned_token(%view: !d, %if: i1) {
  // expected-remark@+1 {{expected a wait for the store, but got 'cf.br'}}
  %p = tmem.load %view registers(#row) scope(warpgroup)
      : !d -> !tmem.pending<vector<64xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<64xf32>>
  %t = tmem.store %v, %view registers(#row) scope(warpgroup)
      : vector<64xf32>, !d
  // expected-note@+1 {{wait for the store before its token goes elsewhere}}
  cf.br ^next(%t : !tmem.token)
^next(%token: !tmem.token):
  tmem.wait_store %token
  return
}

// -----

// The wait stands elsewhere, and so the vector.
#row = #tmem.layout<(128, 64) : (1@tid, 1@reg)>
!d = !tmem.view<128x64xf32, #tmem.datapath<D>>
func.func @pending_elsewhere(%view: !d, %out: memref<128x64xf32>, %row: index) {
  %c0 = arith.constant 0 : index
  // expected-remark@+1 {{expected a wait in the block of the load, but got 'cf.br'}}
  %p = tmem.load %view registers(#row) scope(warpgroup)
      : !d -> !tmem.pending<vector<64xf32>>
  // expected-note@+1 {{wait in the same block, or load windows by hand}}
  cf.br ^next(%p : !tmem.pending<vector<64xf32>>)
^next(%q: !tmem.pending<vector<64xf32>>):
  %v = tmem.wait_load %q : !tmem.pending<vector<64xf32>>
  vector.store %v, %out[%row, %c0] : memref<128x64xf32>, vector<64xf32>
  return
}

// -----

!d = !tmem.view<128x64xf32, #tmem.datapath<D>>
func.func @unselected(%view: !d, %out: memref<128x64xf32>, %row: index) {
  %c0 = arith.constant 0 : index
  // expected-remark@+2 {{expected loads with registers, but got one without}}
  // expected-note@+1 {{run tmem-select-atoms before}}
  %p = tmem.load %view scope(warpgroup) : !d -> !tmem.pending<vector<64xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<64xf32>>
  vector.store %v, %out[%row, %c0] : memref<128x64xf32>, vector<64xf32>
  return
}

// -----

// 16x256b moves 8 columns at once. Beside 33 registers from outside only two
// chunks of 4 fit.
#quad = #tmem.layout<(4, 2, 8, 8, 4, 2) : (1@warp, 2@reg, 4@lane, 4@reg, 1@lane, 1@reg)>
!half = !tmem.view<64x64xf32, #tmem.datapath<F>>
func.func @too_narrow(%view: !half, %bias: vector<32xf32>, %if: vector<32xi1>,
                      %out: memref<128x32xf32>, %row: index) {
  %c0 = arith.constant 0 : index
  // expected-remark@+2 {{expected a window of the view for each chunk of the registers, but got columns 0 to 3 in registers 0 to 3, not 0 to 1}}
  // expected-note@+1 {{choose registers in which columns lie one after the other}}
  %p = tmem.load %view registers(#quad) scope(warpgroup)
      : !half -> !tmem.pending<vector<32xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<32xf32>>
  %a = arith.select %if, %v, %bias : vector<32xi1>, vector<32xf32>
  vector.store %a, %out[%row, %c0] : memref<128x32xf32>, vector<32xf32>
  return
}

// -----

#row = #tmem.layout<(128, 64) : (1@tid, 1@reg)>
!d = !tmem.view<128x64xf32, #tmem.datapath<D>>
func.func @much_outside(%view: !d, %bias: vector<64xf32>,
                        %out: memref<128x64xf32>, %row: index) {
  %c0 = arith.constant 0 : index
  // expected-remark@+2 {{expected two chunks in 40 registers, but got an argument in 64 registers beside them}}
  // expected-note@+1 {{allow more registers, or read the vector from memory}}
  %p = tmem.load %view registers(#row) scope(warpgroup)
      : !d -> !tmem.pending<vector<64xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<64xf32>>
  %a = arith.addf %v, %bias : vector<64xf32>
  vector.store %a, %out[%row, %c0] : memref<128x64xf32>, vector<64xf32>
  return
}

// -----

// One bit takes a byte in a memref, but not in a vector.
#row = #tmem.layout<(128, 64) : (1@tid, 1@reg)>
!d = !tmem.view<128x64xf32, #tmem.datapath<D>>
func.func @bits(%view: !d, %out: memref<128x64xi1>, %row: index) {
  %c0 = arith.constant 0 : index
  // expected-remark@+1 {{expected a store of elements of 8 to 64 bits along the last dimension of a memref, without mask, but got another one}}
  %p = tmem.load %view registers(#row) scope(warpgroup)
      : !d -> !tmem.pending<vector<64xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<64xf32>>
  %less = arith.cmpf olt, %v, %v : vector<64xf32>
  // expected-note@+1 {{convert the elements, or store in such a way}}
  vector.store %less, %out[%row, %c0] : memref<128x64xi1>, vector<64xi1>
  return
}

// -----

// Bases that are 16 columns apart: the first chunk's store would change what
// the second chunk loads.
#row = #tmem.layout<(128, 64) : (1@tid, 1@reg)>
!d = !tmem.view<128x64xf32, #tmem.datapath<D>>
func.func @constants_apart(%base: i32) {
  %c16 = arith.constant 16 : i32
  %next = arith.addi %base, %c16 : i32
  %from = tmem.view %base : !d
  %to = tmem.view %next : !d
  // expected-remark@+1 {{expected stores that leave the cells of later chunks alone, but got one that changes them}}
  %p = tmem.load %from registers(#row) scope(warpgroup)
      : !d -> !tmem.pending<vector<64xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<64xf32>>
  // expected-note@+1 {{store the tile where it was, or somewhere else}}
  %t = tmem.store %v, %to registers(#row) scope(warpgroup)
      : vector<64xf32>, !d
  tmem.wait_store %t
  return
}

// -----

// A write between, 63 columns further: one column is of both.
#row = #tmem.layout<(128, 64) : (1@tid, 1@reg)>
!d = !tmem.view<128x64xf32, #tmem.datapath<D>>
func.func @write_between(%base: i32, %src: vector<64xf32>,
                         %out: memref<128x64xf32>, %row: index) {
  %c0 = arith.constant 0 : index
  %c63 = arith.constant 63 : i32
  %next = arith.addi %base, %c63 : i32
  %from = tmem.view %base : !d
  %to = tmem.view %next : !d
  // expected-remark@+1 {{expected no store that may change the cells between the load and the last store, but got one}}
  %p = tmem.load %from registers(#row) scope(warpgroup)
      : !d -> !tmem.pending<vector<64xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<64xf32>>
  // expected-note@+3 {{move it out of the way}}
  // expected-remark@+2 {{keeps 64 registers live at once: expected stores with waits, but got 'tmem.write'}}
  // expected-note@+1 {{run tmem-insert-waits before}}
  tmem.write %src, %to registers(#row) scope(warpgroup) : vector<64xf32>, !d
  vector.store %v, %out[%row, %c0] : memref<128x64xf32>, vector<64xf32>
  return
}

// -----

// Waits come first: plain vectors are not cut.
#row = #tmem.layout<(128, 64) : (1@tid, 1@reg)>
!d = !tmem.view<128x64xf32, #tmem.datapath<D>>
func.func @plain_vectors(%view: !d) {
  // expected-remark@+2 {{keeps 64 registers live at once: expected loads with waits, but got 'tmem.read'}}
  // expected-note@+1 {{run tmem-insert-waits before}}
  %v = tmem.read %view registers(#row) scope(warpgroup)
      : !d -> vector<64xf32>
  // expected-remark@+2 {{keeps 64 registers live at once: expected stores with waits, but got 'tmem.write'}}
  // expected-note@+1 {{run tmem-insert-waits before}}
  tmem.write %v, %view registers(#row) scope(warpgroup) : vector<64xf32>, !d
  return
}

// -----

#row = #tmem.layout<(128, 64) : (1@tid, 1@reg)>
!d = !tmem.view<128x64xf32, #tmem.datapath<D>>
func.func @plain_consumer(%view: !d) {
  // expected-remark@+1 {{keeps 64 registers live at once: expected consumers that work element by element or store the vector, but got 'tmem.write'}}
  %p = tmem.load %view registers(#row) scope(warpgroup)
      : !d -> !tmem.pending<vector<64xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<64xf32>>
  // expected-remark@+2 {{expected stores with waits, but got 'tmem.write'}}
  // expected-note@+1 {{run tmem-insert-waits before}}
  tmem.write %v, %view registers(#row) scope(warpgroup) : vector<64xf32>, !d
  return
}

// -----

// Other windows of the view may be stored to in between; memory may be read.
// CHECK-LABEL: func @out_of_the_way(
#row = #tmem.layout<(128, 64) : (1@tid, 1@reg)>
!low = !tmem.view<128x64xf32, #tmem.layout<(128, 64) : (1@tlane, 1@tcol)>>
!high = !tmem.view<128x64xf32, #tmem.layout<(128, 64) : (1@tlane, 1@tcol) + (64@tcol)>>
func.func @out_of_the_way(%base: i32, %src: vector<64xf32>,
                          %out: memref<128x64xf32>, %row: index) {
  %c0 = arith.constant 0 : index
  %low = tmem.view %base : !low
  %high = tmem.view %base : !high
  // CHECK: tmem.view
  // CHECK: tmem.view
  // CHECK-NEXT: memref.load
  // CHECK-NEXT: tmem.store {{.*}} vector<64xf32>
  // CHECK-NEXT: tmem.wait_store
  // CHECK-COUNT-4: tmem.load {{.*}} -> !tmem.pending<vector<16xf32>>
  %p = tmem.load %low registers(#row) scope(warpgroup)
      : !low -> !tmem.pending<vector<64xf32>>
  %f = memref.load %out[%row, %c0] : memref<128x64xf32>
  // expected-remark@+2 {{expected two chunks in 40 registers, but got an argument}}
  // expected-note@+1 {{allow more registers}}
  %t = tmem.store %src, %high registers(#row) scope(warpgroup)
      : vector<64xf32>, !high
  tmem.wait_store %t
  %v = tmem.wait_load %p : !tmem.pending<vector<64xf32>>
  %all = vector.broadcast %f : f32 to vector<64xf32>
  %a = arith.addf %v, %all : vector<64xf32>
  vector.store %a, %out[%row, %c0] : memref<128x64xf32>, vector<64xf32>
  return
}

// -----

// A read of 64 registers points at what stays whole: the memory is written before
// the last store.
#row = #tmem.layout<(128, 64) : (1@tid, 1@reg)>
!d = !tmem.view<128x64xf32, #tmem.datapath<D>>
func.func @bias_changes(%view: !d, %bias: memref<64xf32>, %one: f32) {
  %c0 = arith.constant 0 : index
  // expected-note@+1 {{read it in the block of the tile, in consecutive elements, where nothing up to the last store may change that memory}}
  %b = vector.load %bias[%c0] : memref<64xf32>, vector<64xf32>
  // expected-remark@+1 {{keeps 64 registers live at once: expected two chunks in 40 registers, but got the result of 'vector.load' in 64 registers beside them}}
  %p = tmem.load %view registers(#row) scope(warpgroup)
      : !d -> !tmem.pending<vector<64xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<64xf32>>
  memref.store %one, %bias[%c0] : memref<64xf32>
  %a = arith.addf %v, %b : vector<64xf32>
  %t = tmem.store %a, %view registers(#row) scope(warpgroup)
      : vector<64xf32>, !d
  tmem.wait_store %t
  return
}

// -----

!d = !tmem.view<128x128xf32, #tmem.datapath<D>>
func.func @reduced_on_the_way(%m: !d) -> vector<2xf32> {
  // expected-remark@+2 {{keeps 128 registers live at once: expected a load, but got 'tmem.load_reduce'}}
  // expected-note@+1 {{reduce windows of the view (tmem.subview)}}
  %p, %r = tmem.load_reduce maxnumf %m atom(<32x32b, x64>) scope(warpgroup)
      : !d -> !tmem.pending<vector<128xf32>>, !tmem.pending<vector<2xf32>>
  %v, %s = tmem.wait_load %p, %r
      : !tmem.pending<vector<128xf32>>, !tmem.pending<vector<2xf32>>
  return %s : vector<2xf32>
}
