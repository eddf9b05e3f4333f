// RUN: tmem-opt %s --tmem-select-atoms --mlir-print-local-scope | FileCheck %s

// Accumulators of every data path.

// CHECK-LABEL: func @path_a_64(
func.func @path_a_64(%view: !tmem.view<128x64xf32, #tmem.datapath<A>>) -> vector<64xf32> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 64) : (1@tid, 1@reg)>) atom(<32x32b, x64>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<128x64xf32, #tmem.datapath<A>> -> !tmem.pending<vector<64xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<64xf32>>
  return %1 : vector<64xf32>
}

// CHECK-LABEL: func @path_b_128(
func.func @path_b_128(%view: !tmem.view<64x128xf32, #tmem.datapath<B>>) -> vector<64xf32> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(64, 2, 64) : (1@tid, 64@tid, 1@reg)>) atom(<32x32b, x64>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<64x128xf32, #tmem.datapath<B>> -> !tmem.pending<vector<64xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<64xf32>>
  return %1 : vector<64xf32>
}

// CHECK-LABEL: func @path_c_64(
func.func @path_c_64(%view: !tmem.view<64x64xf32, #tmem.datapath<C>>) -> vector<32xf32> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(4, 2, 8, 32, 2) : (32@tid, 1@tid, 4@tid, 1@reg, 2@tid)>) atom(<16x64b, x32>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<64x64xf32, #tmem.datapath<C>> -> !tmem.pending<vector<32xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<32xf32>>
  return %1 : vector<32xf32>
}

// CHECK-LABEL: func @path_c_half_1_64(
func.func @path_c_half_1_64(%view: !tmem.view<64x64xf32, #tmem.datapath<C, half = 1>>) -> vector<32xf32> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(4, 2, 8, 32, 2) : (32@tid, 1@tid, 4@tid, 1@reg, 2@tid)>) atom(<16x64b, x32>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<64x64xf32, #tmem.datapath<C, half = 1>> -> !tmem.pending<vector<32xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<32xf32>>
  return %1 : vector<32xf32>
}

// CHECK-LABEL: func @path_d_64(
func.func @path_d_64(%view: !tmem.view<128x64xf32, #tmem.datapath<D>>) -> vector<64xf32> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 64) : (1@tid, 1@reg)>) atom(<32x32b, x64>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<128x64xf32, #tmem.datapath<D>> -> !tmem.pending<vector<64xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<64xf32>>
  return %1 : vector<64xf32>
}

// CHECK-LABEL: func @path_e_96(
func.func @path_e_96(%view: !tmem.view<64x96xf32, #tmem.datapath<E>>) -> vector<48xf32> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(64, 2, 48) : (1@tid, 64@tid, 1@reg)>) atom(<32x32b, x32, x16>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<64x96xf32, #tmem.datapath<E>> -> !tmem.pending<vector<48xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<48xf32>>
  return %1 : vector<48xf32>
}

// CHECK-LABEL: func @path_f_64(
func.func @path_f_64(%view: !tmem.view<64x64xf32, #tmem.datapath<F>>) -> vector<32xf32> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(4, 2, 8, 32, 2) : (32@tid, 1@tid, 4@tid, 1@reg, 2@tid)>) atom(<16x64b, x32>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<64x64xf32, #tmem.datapath<F>> -> !tmem.pending<vector<32xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<32xf32>>
  return %1 : vector<32xf32>
}

// CHECK-LABEL: func @path_f_half_1_24(
func.func @path_f_half_1_24(%view: !tmem.view<64x24xf32, #tmem.datapath<F, half = 1>>) -> vector<12xf32> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(4, 2, 8, 12, 2) : (32@tid, 1@tid, 4@tid, 1@reg, 2@tid)>) atom(<16x64b, x8, x4>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<64x24xf32, #tmem.datapath<F, half = 1>> -> !tmem.pending<vector<12xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<12xf32>>
  return %1 : vector<12xf32>
}

// CHECK-LABEL: func @path_f_2(
func.func @path_f_2(%view: !tmem.view<64x2xf32, #tmem.datapath<F>>) -> vector<1xf32> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(4, 2, 16) : (32@tid, 1@tid, 2@tid)>) atom(<16x64b, x1>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<64x2xf32, #tmem.datapath<F>> -> !tmem.pending<vector<1xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<1xf32>>
  return %1 : vector<1xf32>
}

// CHECK-LABEL: func @path_g_128(
func.func @path_g_128(%view: !tmem.view<32x128xf32, #tmem.datapath<G>>) -> vector<32xf32> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(32, 4, 32) : (1@tid, 32@tid, 1@reg)>) atom(<32x32b, x32>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<32x128xf32, #tmem.datapath<G>> -> !tmem.pending<vector<32xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<32xf32>>
  return %1 : vector<32xf32>
}

// CHECK-LABEL: func @path_g_512(
func.func @path_g_512(%view: !tmem.view<32x512xf32, #tmem.datapath<G>>) -> vector<128xf32> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(32, 4, 128) : (1@tid, 32@tid, 1@reg)>) atom(<32x32b, x128>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<32x512xf32, #tmem.datapath<G>> -> !tmem.pending<vector<128xf32>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<128xf32>>
  return %1 : vector<128xf32>
}

// 16-bit accumulators stand one in each cell, and are packed.

// CHECK-LABEL: func @packed_a_64(
func.func @packed_a_64(%view: !tmem.view<128x64xf16, #tmem.datapath<A>>) -> vector<64xf16> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 64) : (1@tid, 1@reg)>) atom(<32x32b, x32, pack>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<128x64xf16, #tmem.datapath<A>> -> !tmem.pending<vector<64xf16>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<64xf16>>
  return %1 : vector<64xf16>
}

// CHECK-LABEL: func @packed_b_128(
func.func @packed_b_128(%view: !tmem.view<64x128xf16, #tmem.datapath<B>>) -> vector<64xf16> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(64, 2, 64) : (1@tid, 64@tid, 1@reg)>) atom(<32x32b, x32, pack>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<64x128xf16, #tmem.datapath<B>> -> !tmem.pending<vector<64xf16>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<64xf16>>
  return %1 : vector<64xf16>
}

// CHECK-LABEL: func @packed_c_half_1_64(
func.func @packed_c_half_1_64(%view: !tmem.view<64x64xf16, #tmem.datapath<C, half = 1>>) -> vector<32xf16> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(4, 2, 8, 16, 2, 2) : (32@tid, 1@tid, 4@tid, 2@reg, 2@tid, 1@reg)>) atom(<16x64b, x16, pack>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<64x64xf16, #tmem.datapath<C, half = 1>> -> !tmem.pending<vector<32xf16>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<32xf16>>
  return %1 : vector<32xf16>
}

// CHECK-LABEL: func @packed_d_96(
func.func @packed_d_96(%view: !tmem.view<128x96xbf16, #tmem.datapath<D>>) -> vector<96xbf16> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 96) : (1@tid, 1@reg)>) atom(<32x32b, x32, x16, pack>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<128x96xbf16, #tmem.datapath<D>> -> !tmem.pending<vector<96xbf16>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<96xbf16>>
  return %1 : vector<96xbf16>
}

// CHECK-LABEL: func @packed_e_96(
func.func @packed_e_96(%view: !tmem.view<64x96xf16, #tmem.datapath<E>>) -> vector<48xf16> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(64, 2, 48) : (1@tid, 64@tid, 1@reg)>) atom(<32x32b, x16, x8, pack>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<64x96xf16, #tmem.datapath<E>> -> !tmem.pending<vector<48xf16>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<48xf16>>
  return %1 : vector<48xf16>
}

// CHECK-LABEL: func @packed_f_64(
func.func @packed_f_64(%view: !tmem.view<64x64xf16, #tmem.datapath<F>>) -> vector<32xf16> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(4, 2, 8, 16, 2, 2) : (32@tid, 1@tid, 4@tid, 2@reg, 2@tid, 1@reg)>) atom(<16x64b, x16, pack>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<64x64xf16, #tmem.datapath<F>> -> !tmem.pending<vector<32xf16>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<32xf16>>
  return %1 : vector<32xf16>
}

// CHECK-LABEL: func @packed_g_64(
func.func @packed_g_64(%view: !tmem.view<32x64xf16, #tmem.datapath<G>>) -> vector<16xf16> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(32, 4, 16) : (1@tid, 32@tid, 1@reg)>) atom(<32x32b, x8, pack>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<32x64xf16, #tmem.datapath<G>> -> !tmem.pending<vector<16xf16>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<16xf16>>
  return %1 : vector<16xf16>
}

// Unless the vector has a word for each.

// CHECK-LABEL: func @a_word_each(
func.func @a_word_each(%view: !tmem.view<128x8xf16, #tmem.datapath<D>>) -> vector<16xf16> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 8) : (1@tid, 2@reg)>) atom(<32x32b, x8>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<128x8xf16, #tmem.datapath<D>> -> !tmem.pending<vector<16xf16>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<16xf16>>
  return %1 : vector<16xf16>
}
