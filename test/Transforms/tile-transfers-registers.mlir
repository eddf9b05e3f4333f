// RUN: tmem-opt %s --tmem-tile-transfers=max-live-registers=128 | FileCheck %s --check-prefix=R128
// RUN: tmem-opt %s --tmem-tile-transfers=max-live-registers=100 | FileCheck %s --check-prefix=R100
// RUN: tmem-opt %s --tmem-tile-transfers='max-live-registers=128 columns=24' | FileCheck %s --check-prefix=BOTH
// RUN: not tmem-opt %s --tmem-tile-transfers 2>&1 | FileCheck %s --check-prefix=NEITHER

// NEITHER: error: expected columns or max-live-registers, but got neither

#regs128 = #tmem.layout<(128, 128) : (1@tid, 1@reg)>
#regs192 = #tmem.layout<(128, 192) : (1@tid, 1@reg)>

// 128 registers fit. One less does not: two chunks of 32 do.
// R128-LABEL: func @fits(
// R128: tmem.load {{.*}} -> !tmem.pending<vector<128xf32>>
// R100-LABEL: func @fits(
// R100-COUNT-4: tmem.load {{.*}} -> !tmem.pending<vector<32xf32>>
// BOTH-LABEL: func @fits(
// BOTH-COUNT-5: tmem.load {{.*}} -> !tmem.pending<vector<24xf32>>
// BOTH: tmem.load {{.*}} -> !tmem.pending<vector<8xf32>>
func.func @fits(%view: !tmem.view<128x128xf32, #tmem.datapath<D>>,
                %out: memref<128x128xf32>, %row: index) {
  %c0 = arith.constant 0 : index
  %p = tmem.load %view registers(#regs128) scope(warpgroup)
      : !tmem.view<128x128xf32, #tmem.datapath<D>>
      -> !tmem.pending<vector<128xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<128xf32>>
  vector.store %v, %out[%row, %c0] : memref<128x128xf32>, vector<128xf32>
  return
}

// R128-LABEL: func @no_power_of_two(
// R128-COUNT-3: tmem.load {{.*}} -> !tmem.pending<vector<64xf32>>
// R128-NOT: tmem.load
// R100-LABEL: func @no_power_of_two(
// R100-COUNT-6: tmem.load {{.*}} -> !tmem.pending<vector<32xf32>>
func.func @no_power_of_two(%view: !tmem.view<128x192xf32, #tmem.datapath<D>>,
                           %out: memref<128x192xf16>, %row: index) {
  %c0 = arith.constant 0 : index
  %p = tmem.load %view registers(#regs192) scope(warpgroup)
      : !tmem.view<128x192xf32, #tmem.datapath<D>>
      -> !tmem.pending<vector<192xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<192xf32>>
  %h = arith.truncf %v : vector<192xf32> to vector<192xf16>
  vector.store %h, %out[%row, %c0] : memref<128x192xf16>, vector<192xf16>
  return
}

// Elements of 16 bits take half the registers. Widened ones that go to TMEM are
// collected beside the loaded ones, and count: 16 of a chunk, 16 of the next one's
// load, and 32 to store.
// R128-LABEL: func @widened(
// R128: tmem.load {{.*}} -> !tmem.pending<vector<128xf16>>
// R100-LABEL: func @widened(
// R100-COUNT-4: tmem.load {{.*}} -> !tmem.pending<vector<32xf16>>
!half = !tmem.view<128x128xf16, #tmem.layout<(128, 128) : (1@tlane, 1@tcol)>>
!full = !tmem.view<128x128xf32, #tmem.layout<(128, 128) : (1@tlane, 1@tcol) + (64@tcol)>>
func.func @widened(%base: i32) {
  %from = tmem.view %base : !half
  %to = tmem.view %base : !full
  %p = tmem.load %from registers(#regs128) scope(warpgroup)
      : !half -> !tmem.pending<vector<128xf16>>
  %v = tmem.wait_load %p : !tmem.pending<vector<128xf16>>
  %f = arith.extf %v : vector<128xf16> to vector<128xf32>
  %t = tmem.store %f, %to registers(#regs128) scope(warpgroup)
      : vector<128xf32>, !full
  tmem.wait_store %t
  return
}

// A vector from outside stays whole: 64 registers of it leave 36.
// R128-LABEL: func @outside(
// R128: tmem.load {{.*}} -> !tmem.pending<vector<64xf32>>
// R100-LABEL: func @outside(
// R100-COUNT-4: tmem.load {{.*}} -> !tmem.pending<vector<16xf32>>
func.func @outside(%view: !tmem.view<128x64xf32, #tmem.datapath<D>>,
                   %bias: vector<64xf32>, %out: memref<128x64xf32>, %row: index) {
  %c0 = arith.constant 0 : index
  %p = tmem.load %view registers(#tmem.layout<(128, 64) : (1@tid, 1@reg)>)
      scope(warpgroup) : !tmem.view<128x64xf32, #tmem.datapath<D>>
      -> !tmem.pending<vector<64xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<64xf32>>
  %a = arith.addf %v, %bias : vector<64xf32>
  vector.store %a, %out[%row, %c0] : memref<128x64xf32>, vector<64xf32>
  return
}
