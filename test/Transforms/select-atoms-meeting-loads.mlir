// RUN: tmem-opt %s --tmem-select-atoms -verify-diagnostics -split-input-file

// Loads that name different registers, whose vectors are added: slot 1 holds
// column 1 of the one and column 32 of the other.

!d = !tmem.view<128x64xf32, #tmem.datapath<D>>
#rows = #tmem.layout<(128, 64) : (1@tid, 1@reg)>
#pairs = #tmem.layout<(128, 2, 32) : (1@tid, 1@reg, 2@reg)>
func.func @added(%a: !d, %b: !d, %c: !d) -> vector<64xf32> {
  // expected-note @below {{the other load, with #tmem.layout<(128, 64) : (1@tid, 1@reg)> instead of #tmem.layout<(128, 2, 32) : (1@tid, 1@reg, 2@reg)>}}
  %0 = tmem.load %a registers(#rows) scope(warpgroup) : !d -> !tmem.pending<vector<64xf32>>
  // expected-remark @below {{names other registers than a load whose vector meets this one's: elements of different places of the tiles are combined}}
  %1 = tmem.load %b registers(#pairs) scope(warpgroup) : !d -> !tmem.pending<vector<64xf32>>
  %2 = tmem.load %c registers(#rows) scope(warpgroup) : !d -> !tmem.pending<vector<64xf32>>
  %v:3 = tmem.wait_load %0, %1, %2 : !tmem.pending<vector<64xf32>>, !tmem.pending<vector<64xf32>>, !tmem.pending<vector<64xf32>>
  %s = arith.addf %v#0, %v#1 : vector<64xf32>
  %t = arith.addf %s, %v#2 : vector<64xf32>
  return %t : vector<64xf32>
}

// -----

// The same registers, written in two ways; and loads that do not meet.

!d = !tmem.view<128x64xf32, #tmem.datapath<D>>
#rows = #tmem.layout<(128, 64) : (1@tid, 1@reg)>
#same = #tmem.layout<(4, 32, 64) : (1@warp, 1@lane, 1@reg)>
#pairs = #tmem.layout<(128, 2, 32) : (1@tid, 1@reg, 2@reg)>
func.func @alike_or_apart(%a: !d, %b: !d, %c: !d) -> (vector<64xf32>, vector<64xf32>) {
  %0 = tmem.load %a registers(#rows) scope(warpgroup) : !d -> !tmem.pending<vector<64xf32>>
  %1 = tmem.load %b registers(#same) scope(warpgroup) : !d -> !tmem.pending<vector<64xf32>>
  %2 = tmem.load %c registers(#pairs) scope(warpgroup) : !d -> !tmem.pending<vector<64xf32>>
  %v:3 = tmem.wait_load %0, %1, %2 : !tmem.pending<vector<64xf32>>, !tmem.pending<vector<64xf32>>, !tmem.pending<vector<64xf32>>
  %s = arith.addf %v#0, %v#1 : vector<64xf32>
  return %s, %v#2 : vector<64xf32>, vector<64xf32>
}

// -----

// A store may move elements on purpose.

!d = !tmem.view<128x64xf32, #tmem.datapath<D>>
#rows = #tmem.layout<(128, 64) : (1@tid, 1@reg)>
#pairs = #tmem.layout<(128, 2, 32) : (1@tid, 1@reg, 2@reg)>
func.func @moved(%a: !d, %b: !d) {
  %0 = tmem.load %a registers(#rows) scope(warpgroup) : !d -> !tmem.pending<vector<64xf32>>
  %v = tmem.wait_load %0 : !tmem.pending<vector<64xf32>>
  %t = tmem.store %v, %b registers(#pairs) scope(warpgroup) : vector<64xf32>, !d
  tmem.wait_store %t
  return
}
