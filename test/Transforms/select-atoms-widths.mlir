// RUN: tmem-opt %s --tmem-select-atoms --mlir-print-local-scope | FileCheck %s

// Widths of a warpgroup's tile: as few instructions as there are, whatever the
// number of columns. Halves of a slab, gaps, and warps of a CTA.

// CHECK-LABEL: func @width_1(
func.func @width_1(%view: !tmem.view<128x1xf32, #tmem.datapath<D>>) -> vector<1xf32> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128) : (1@tid)>) atom(<32x32b, x1>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<128x1xf32, #tmem.datapath<D>> -> !tmem.pending<vector<1xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<1xf32>>
  return %1 : vector<1xf32>
}

// CHECK-LABEL: func @width_2(
func.func @width_2(%view: !tmem.view<128x2xf32, #tmem.datapath<D>>) -> vector<2xf32> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 2) : (1@tid, 1@reg)>) atom(<32x32b, x2>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<128x2xf32, #tmem.datapath<D>> -> !tmem.pending<vector<2xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<2xf32>>
  return %1 : vector<2xf32>
}

// CHECK-LABEL: func @width_24(
func.func @width_24(%view: !tmem.view<128x24xf32, #tmem.datapath<D>>) -> vector<24xf32> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 24) : (1@tid, 1@reg)>) atom(<32x32b, x16, x8>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<128x24xf32, #tmem.datapath<D>> -> !tmem.pending<vector<24xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<24xf32>>
  return %1 : vector<24xf32>
}

// CHECK-LABEL: func @width_48(
func.func @width_48(%view: !tmem.view<128x48xf32, #tmem.datapath<D>>) -> vector<48xf32> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 48) : (1@tid, 1@reg)>) atom(<32x32b, x32, x16>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<128x48xf32, #tmem.datapath<D>> -> !tmem.pending<vector<48xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<48xf32>>
  return %1 : vector<48xf32>
}

// CHECK-LABEL: func @width_96(
func.func @width_96(%view: !tmem.view<128x96xf32, #tmem.datapath<D>>) -> vector<96xf32> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 96) : (1@tid, 1@reg)>) atom(<32x32b, x64, x32>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<128x96xf32, #tmem.datapath<D>> -> !tmem.pending<vector<96xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<96xf32>>
  return %1 : vector<96xf32>
}

// CHECK-LABEL: func @width_127(
func.func @width_127(%view: !tmem.view<128x127xf32, #tmem.datapath<D>>) -> vector<127xf32> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 127) : (1@tid, 1@reg)>) atom(<32x32b, x64, x32, x16, x8, x4, x2, x1>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<128x127xf32, #tmem.datapath<D>> -> !tmem.pending<vector<127xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<127xf32>>
  return %1 : vector<127xf32>
}

// CHECK-LABEL: func @width_128(
func.func @width_128(%view: !tmem.view<128x128xf32, #tmem.datapath<D>>) -> vector<128xf32> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 128) : (1@tid, 1@reg)>) atom(<32x32b, x128>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<128x128xf32, #tmem.datapath<D>> -> !tmem.pending<vector<128xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<128xf32>>
  return %1 : vector<128xf32>
}

// CHECK-LABEL: func @width_160(
func.func @width_160(%view: !tmem.view<128x160xf32, #tmem.datapath<D>>) -> vector<160xf32> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 160) : (1@tid, 1@reg)>) atom(<32x32b, x128, x32>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<128x160xf32, #tmem.datapath<D>> -> !tmem.pending<vector<160xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<160xf32>>
  return %1 : vector<160xf32>
}

// CHECK-LABEL: func @width_512(
func.func @width_512(%view: !tmem.view<128x512xf32, #tmem.datapath<D>>) -> vector<512xf32> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 512) : (1@tid, 1@reg)>) atom(<32x32b, x128>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<128x512xf32, #tmem.datapath<D>> -> !tmem.pending<vector<512xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<512xf32>>
  return %1 : vector<512xf32>
}

// One warp.

// CHECK-LABEL: func @warp_96(
func.func @warp_96(%view: !tmem.view<32x96xf32, #tmem.layout<(32, 96) : (1@tlane, 1@tcol) + (64@tlane)>>) -> vector<96xf32> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(32, 96) : (1@tid, 1@reg)>) atom(<32x32b, x64, x32>)
  %0 = tmem.load %view scope(warp 2) : !tmem.view<32x96xf32, #tmem.layout<(32, 96) : (1@tlane, 1@tcol) + (64@tlane)>> -> !tmem.pending<vector<96xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<96xf32>>
  return %1 : vector<96xf32>
}

// Half a slab: two columns at a time.

// CHECK-LABEL: func @lower_half_160(
func.func @lower_half_160(%view: !tmem.view<16x160xf32, #tmem.layout<(16, 160) : (1@tlane, 1@tcol)>>) -> vector<80xf32> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(2, 8, 80, 2) : (1@tid, 4@tid, 1@reg, 2@tid)>) atom(<16x64b, x64, x16>)
  %0 = tmem.load %view scope(warp 0) : !tmem.view<16x160xf32, #tmem.layout<(16, 160) : (1@tlane, 1@tcol)>> -> !tmem.pending<vector<80xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<80xf32>>
  return %1 : vector<80xf32>
}

// CHECK-LABEL: func @upper_half_24(
func.func @upper_half_24(%view: !tmem.view<16x24xf32, #tmem.layout<(16, 24) : (1@tlane, 1@tcol) + (48@tlane)>>) -> vector<12xf32> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(2, 8, 12, 2) : (1@tid, 4@tid, 1@reg, 2@tid)>) atom(<16x64b, x8, x4>)
  %0 = tmem.load %view scope(warp 1) : !tmem.view<16x24xf32, #tmem.layout<(16, 24) : (1@tlane, 1@tcol) + (48@tlane)>> -> !tmem.pending<vector<12xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<12xf32>>
  return %1 : vector<12xf32>
}

// CHECK-LABEL: func @half_of_6(
func.func @half_of_6(%view: !tmem.view<16x6xf32, #tmem.layout<(16, 6) : (1@tlane, 1@tcol)>>) -> vector<3xf32> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(2, 8, 3, 2) : (1@tid, 4@tid, 1@reg, 2@tid)>) atom(<16x64b, x2, x1>)
  %0 = tmem.load %view scope(warp 0) : !tmem.view<16x6xf32, #tmem.layout<(16, 6) : (1@tlane, 1@tcol)>> -> !tmem.pending<vector<3xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<3xf32>>
  return %1 : vector<3xf32>
}

// Columns that a tile leaves out.

// CHECK-LABEL: func @gap_48(
func.func @gap_48(%view: !tmem.view<128x48xf32, #tmem.layout<(128, 3, 16) : (1@tlane, 32@tcol, 1@tcol)>>) -> vector<48xf32> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 48) : (1@tid, 1@reg)>) atom(<32x32b, x16>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<128x48xf32, #tmem.layout<(128, 3, 16) : (1@tlane, 32@tcol, 1@tcol)>> -> !tmem.pending<vector<48xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<48xf32>>
  return %1 : vector<48xf32>
}

// Rows of the tile in columns.

// CHECK-LABEL: func @transposed(
func.func @transposed(%view: !tmem.view<16x128xf32, #tmem.layout<(16, 128) : (1@tcol, 1@tlane)>>) -> vector<16xf32> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(16, 128) : (1@reg, 1@tid)>) atom(<32x32b, x16>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<16x128xf32, #tmem.layout<(16, 128) : (1@tcol, 1@tlane)>> -> !tmem.pending<vector<16xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<16xf32>>
  return %1 : vector<16xf32>
}

// In CTA scope the vector says how many warps there are.

// CHECK-LABEL: func @cta_of_8_warps(
func.func @cta_of_8_warps(%view: !tmem.view<128x64xf32, #tmem.datapath<D>>) -> vector<32xf32> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 2, 32) : (1@tid, 128@tid, 1@reg)>) atom(<32x32b, x32>)
  %0 = tmem.load %view scope(cta) : !tmem.view<128x64xf32, #tmem.datapath<D>> -> !tmem.pending<vector<32xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<32xf32>>
  return %1 : vector<32xf32>
}

// CHECK-LABEL: func @cta_of_4_warps(
func.func @cta_of_4_warps(%view: !tmem.view<128x64xf32, #tmem.datapath<D>>) -> vector<64xf32> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 64) : (1@tid, 1@reg)>) atom(<32x32b, x64>)
  %0 = tmem.load %view scope(cta) : !tmem.view<128x64xf32, #tmem.datapath<D>> -> !tmem.pending<vector<64xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<64xf32>>
  return %1 : vector<64xf32>
}

// CHECK-LABEL: func @cta_of_2_warps(
func.func @cta_of_2_warps(%view: !tmem.view<64x64xf32, #tmem.layout<(64, 64) : (1@tlane, 1@tcol)>>) -> vector<64xf32> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(64, 64) : (1@tid, 1@reg)>) atom(<32x32b, x64>)
  %0 = tmem.load %view scope(cta) : !tmem.view<64x64xf32, #tmem.layout<(64, 64) : (1@tlane, 1@tcol)>> -> !tmem.pending<vector<64xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<64xf32>>
  return %1 : vector<64xf32>
}
