// RUN: tmem-opt %s --tmem-select-atoms --mlir-print-local-scope | FileCheck %s

// Eleven tiles meet. Ten have a canonical layout in which the last one's does not
// fit; the last one's own, which comes to be tried last, fits all.

!t1 = !tmem.view<128x8xf32, #tmem.layout<(128, 8) : (1@tlane, 1@tcol)>>
!t2 = !tmem.view<128x8xf32, #tmem.layout<(128, 8) : (1@tlane, 2@tcol)>>
!t3 = !tmem.view<128x8xf32, #tmem.layout<(128, 8) : (1@tlane, 3@tcol)>>
!t4 = !tmem.view<128x8xf32, #tmem.layout<(128, 8) : (1@tlane, 4@tcol)>>
!t5 = !tmem.view<128x8xf32, #tmem.layout<(128, 8) : (1@tlane, 5@tcol)>>
!t6 = !tmem.view<128x8xf32, #tmem.layout<(128, 8) : (1@tlane, 6@tcol)>>
!t7 = !tmem.view<128x8xf32, #tmem.layout<(128, 8) : (1@tlane, 7@tcol)>>
!t8 = !tmem.view<128x8xf32, #tmem.layout<(128, 8) : (1@tlane, 8@tcol)>>
!t9 = !tmem.view<128x8xf32, #tmem.layout<(128, 8) : (1@tlane, 9@tcol)>>
!t10 = !tmem.view<128x8xf32, #tmem.layout<(128, 8) : (1@tlane, 10@tcol)>>
!h = !tmem.view<128x8xf16, #tmem.layout<(128, 2, 4) : (1@tlane, 1@tcol, 2@tcol)>>
!p = !tmem.pending<vector<8xf32>>

// CHECK-LABEL: func @many(
// CHECK-COUNT-10: tmem.load {{.*}} registers(#tmem.layout<(128, 2, 4) : (1@tid, 1@reg, 2@reg)>)
// CHECK: tmem.store {{.*}} registers(#tmem.layout<(128, 2, 4) : (1@tid, 1@reg, 2@reg)>)
func.func @many(%v1: !t1, %v2: !t2, %v3: !t3, %v4: !t4, %v5: !t5, %v6: !t6, %v7: !t7, %v8: !t8, %v9: !t9, %v10: !t10, %h: !h) {
  %p1 = tmem.load %v1 scope(warpgroup) : !t1 -> !p
  %w1 = tmem.wait_load %p1 : !p
  %p2 = tmem.load %v2 scope(warpgroup) : !t2 -> !p
  %w2 = tmem.wait_load %p2 : !p
  %s2 = arith.addf %w1, %w2 : vector<8xf32>
  %p3 = tmem.load %v3 scope(warpgroup) : !t3 -> !p
  %w3 = tmem.wait_load %p3 : !p
  %s3 = arith.addf %s2, %w3 : vector<8xf32>
  %p4 = tmem.load %v4 scope(warpgroup) : !t4 -> !p
  %w4 = tmem.wait_load %p4 : !p
  %s4 = arith.addf %s3, %w4 : vector<8xf32>
  %p5 = tmem.load %v5 scope(warpgroup) : !t5 -> !p
  %w5 = tmem.wait_load %p5 : !p
  %s5 = arith.addf %s4, %w5 : vector<8xf32>
  %p6 = tmem.load %v6 scope(warpgroup) : !t6 -> !p
  %w6 = tmem.wait_load %p6 : !p
  %s6 = arith.addf %s5, %w6 : vector<8xf32>
  %p7 = tmem.load %v7 scope(warpgroup) : !t7 -> !p
  %w7 = tmem.wait_load %p7 : !p
  %s7 = arith.addf %s6, %w7 : vector<8xf32>
  %p8 = tmem.load %v8 scope(warpgroup) : !t8 -> !p
  %w8 = tmem.wait_load %p8 : !p
  %s8 = arith.addf %s7, %w8 : vector<8xf32>
  %p9 = tmem.load %v9 scope(warpgroup) : !t9 -> !p
  %w9 = tmem.wait_load %p9 : !p
  %s9 = arith.addf %s8, %w9 : vector<8xf32>
  %p10 = tmem.load %v10 scope(warpgroup) : !t10 -> !p
  %w10 = tmem.wait_load %p10 : !p
  %s10 = arith.addf %s9, %w10 : vector<8xf32>
  %x = arith.truncf %s10 : vector<8xf32> to vector<8xf16>
  %t = tmem.store %x, %h scope(warpgroup) : vector<8xf16>, !h
  tmem.wait_store %t
  return
}
