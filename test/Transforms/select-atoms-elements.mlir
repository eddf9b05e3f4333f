// RUN: tmem-opt %s --tmem-select-atoms --mlir-print-local-scope | FileCheck %s

// Elements of 4, 8, 16 and 64 bits.

// Dense: several in a cell.

// CHECK-LABEL: func @dense_f16_64(
func.func @dense_f16_64(%view: !tmem.view<128x64xf16, #tmem.layout<(128, 64) : (1@tlane, 1@tcol)>>) -> vector<64xf16> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 64) : (1@tid, 1@reg)>) atom(<32x32b, x32>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<128x64xf16, #tmem.layout<(128, 64) : (1@tlane, 1@tcol)>> -> !tmem.pending<vector<64xf16>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<64xf16>>
  return %1 : vector<64xf16>
}

// CHECK-LABEL: func @dense_bf16_127(
func.func @dense_bf16_127(%view: !tmem.view<128x127xbf16, #tmem.layout<(128, 127) : (1@tlane, 1@tcol)>>) -> vector<127xbf16> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 127) : (1@tid, 1@reg)>) atom(<32x32b, x64>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<128x127xbf16, #tmem.layout<(128, 127) : (1@tlane, 1@tcol)>> -> !tmem.pending<vector<127xbf16>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<127xbf16>>
  return %1 : vector<127xbf16>
}

// CHECK-LABEL: func @dense_f16_1(
func.func @dense_f16_1(%view: !tmem.view<128x1xf16, #tmem.layout<(128, 1) : (1@tlane, 1@tcol)>>) -> vector<1xf16> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128) : (1@tid)>) atom(<32x32b, x1>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<128x1xf16, #tmem.layout<(128, 1) : (1@tlane, 1@tcol)>> -> !tmem.pending<vector<1xf16>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<1xf16>>
  return %1 : vector<1xf16>
}

// CHECK-LABEL: func @dense_i8_64(
func.func @dense_i8_64(%view: !tmem.view<128x64xi8, #tmem.layout<(128, 64) : (1@tlane, 1@tcol)>>) -> vector<64xi8> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 64) : (1@tid, 1@reg)>) atom(<32x32b, x16>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<128x64xi8, #tmem.layout<(128, 64) : (1@tlane, 1@tcol)>> -> !tmem.pending<vector<64xi8>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<64xi8>>
  return %1 : vector<64xi8>
}

// CHECK-LABEL: func @dense_f8e4m3fn_6(
func.func @dense_f8e4m3fn_6(%view: !tmem.view<128x6xf8E4M3FN, #tmem.layout<(128, 6) : (1@tlane, 1@tcol)>>) -> vector<6xf8E4M3FN> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 6) : (1@tid, 1@reg)>) atom(<32x32b, x2>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<128x6xf8E4M3FN, #tmem.layout<(128, 6) : (1@tlane, 1@tcol)>> -> !tmem.pending<vector<6xf8E4M3FN>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<6xf8E4M3FN>>
  return %1 : vector<6xf8E4M3FN>
}

// CHECK-LABEL: func @dense_i4_64(
func.func @dense_i4_64(%view: !tmem.view<128x64xi4, #tmem.layout<(128, 64) : (1@tlane, 1@tcol)>>) -> vector<64xi4> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 64) : (1@tid, 1@reg)>) atom(<32x32b, x8>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<128x64xi4, #tmem.layout<(128, 64) : (1@tlane, 1@tcol)>> -> !tmem.pending<vector<64xi4>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<64xi4>>
  return %1 : vector<64xi4>
}

// CHECK-LABEL: func @dense_i4_3(
func.func @dense_i4_3(%view: !tmem.view<128x3xi4, #tmem.layout<(128, 3) : (1@tlane, 1@tcol)>>) -> vector<3xi4> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 3) : (1@tid, 1@reg)>) atom(<32x32b, x1>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<128x3xi4, #tmem.layout<(128, 3) : (1@tlane, 1@tcol)>> -> !tmem.pending<vector<3xi4>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<3xi4>>
  return %1 : vector<3xi4>
}

// CHECK-LABEL: func @dense_f4e2m1fn_96(
func.func @dense_f4e2m1fn_96(%view: !tmem.view<128x96xf4E2M1FN, #tmem.layout<(128, 96) : (1@tlane, 1@tcol)>>) -> vector<96xf4E2M1FN> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 96) : (1@tid, 1@reg)>) atom(<32x32b, x8, x4>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<128x96xf4E2M1FN, #tmem.layout<(128, 96) : (1@tlane, 1@tcol)>> -> !tmem.pending<vector<96xf4E2M1FN>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<96xf4E2M1FN>>
  return %1 : vector<96xf4E2M1FN>
}

// Two cells each.

// CHECK-LABEL: func @wide_i64_16(
func.func @wide_i64_16(%view: !tmem.view<128x16xi64, #tmem.layout<(128, 16) : (1@tlane, 1@tcol)>>) -> vector<16xi64> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 16) : (1@tid, 1@reg)>) atom(<32x32b, x32>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<128x16xi64, #tmem.layout<(128, 16) : (1@tlane, 1@tcol)>> -> !tmem.pending<vector<16xi64>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<16xi64>>
  return %1 : vector<16xi64>
}

// CHECK-LABEL: func @wide_f64_5(
func.func @wide_f64_5(%view: !tmem.view<128x5xf64, #tmem.layout<(128, 5) : (1@tlane, 1@tcol)>>) -> vector<5xf64> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 5) : (1@tid, 1@reg)>) atom(<32x32b, x8, x2>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<128x5xf64, #tmem.layout<(128, 5) : (1@tlane, 1@tcol)>> -> !tmem.pending<vector<5xf64>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<5xf64>>
  return %1 : vector<5xf64>
}

// CHECK-LABEL: func @wide_i64_64(
func.func @wide_i64_64(%view: !tmem.view<128x64xi64, #tmem.layout<(128, 64) : (1@tlane, 1@tcol)>>) -> vector<64xi64> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 64) : (1@tid, 1@reg)>) atom(<32x32b, x128>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<128x64xi64, #tmem.layout<(128, 64) : (1@tlane, 1@tcol)>> -> !tmem.pending<vector<64xi64>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<64xi64>>
  return %1 : vector<64xi64>
}

// One in each cell: 16 bits of it are packed.

// CHECK-LABEL: func @i8_in_16_bits(
func.func @i8_in_16_bits(%view: !tmem.view<128x8xi8, #tmem.layout<(128, 8) : (1@tlane, 4@tcol)>>) -> vector<16xi8> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 8) : (1@tid, 2@reg)>) atom(<32x32b, x4, pack>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<128x8xi8, #tmem.layout<(128, 8) : (1@tlane, 4@tcol)>> -> !tmem.pending<vector<16xi8>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<16xi8>>
  return %1 : vector<16xi8>
}

// CHECK-LABEL: func @i8_in_32_bits(
func.func @i8_in_32_bits(%view: !tmem.view<128x8xi8, #tmem.layout<(128, 8) : (1@tlane, 4@tcol)>>) -> vector<32xi8> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 8) : (1@tid, 4@reg)>) atom(<32x32b, x8>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<128x8xi8, #tmem.layout<(128, 8) : (1@tlane, 4@tcol)>> -> !tmem.pending<vector<32xi8>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<32xi8>>
  return %1 : vector<32xi8>
}

// CHECK-LABEL: func @two_i8_in_16_bits(
func.func @two_i8_in_16_bits(%view: !tmem.view<128x8xi8, #tmem.layout<(128, 4, 2) : (1@tlane, 4@tcol, 1@tcol)>>) -> vector<8xi8> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 8) : (1@tid, 1@reg)>) atom(<32x32b, x2, pack>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<128x8xi8, #tmem.layout<(128, 4, 2) : (1@tlane, 4@tcol, 1@tcol)>> -> !tmem.pending<vector<8xi8>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<8xi8>>
  return %1 : vector<8xi8>
}

// In the high half of each cell.

// CHECK-LABEL: func @high_f16(
func.func @high_f16(%view: !tmem.view<128x7xf16, #tmem.layout<(128, 7) : (1@tlane, 2@tcol) + (1@tcol)>>) -> vector<14xf16> {
  // CHECK: tmem.load %{{.*}} registers(#tmem.layout<(128, 7) : (1@tid, 2@reg) + (1@reg)>) atom(<32x32b, x4, x2, x1>)
  %0 = tmem.load %view scope(warpgroup) : !tmem.view<128x7xf16, #tmem.layout<(128, 7) : (1@tlane, 2@tcol) + (1@tcol)>> -> !tmem.pending<vector<14xf16>>
  %1 = tmem.wait_load %0 : !tmem.pending<vector<14xf16>>
  return %1 : vector<14xf16>
}
