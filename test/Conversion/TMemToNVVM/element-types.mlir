// RUN: tmem-opt %s --convert-tmem-to-nvvm | FileCheck %s

// Registers are words of 32 bits, whatever the elements are.

!f64 = !tmem.view<128x2xf64, #tmem.layout<(128, 2) : (1@tlane, 1@tcol)>>
#regs2 = #tmem.layout<(128, 2) : (1@tid, 1@reg)>

// CHECK-LABEL: func @two_words(
// CHECK-SAME: %{{.*}}: i32, %[[SRC:.*]]: vector<2xf64>)
// CHECK: %[[WORDS:.*]] = llvm.bitcast %[[SRC]] : vector<2xf64> to vector<4xi32>
// CHECK: "llvm.nvvm.tcgen05.st.32x32b.x4"(%{{.*}}, %[[WORDS]],
// CHECK: "llvm.nvvm.tcgen05.ld.32x32b.x4"
// CHECK: llvm.bitcast %{{.*}} : vector<4xi32> to vector<2xf64>
func.func @two_words(%base: i32, %src: vector<2xf64>) -> vector<2xf64> {
  %mem = tmem.view %base : !f64
  %t = tmem.store %src, %mem registers(#regs2) atom(<32x32b, x4>)
      scope(warpgroup) : vector<2xf64>, !f64
  tmem.wait_store %t
  %p = tmem.load %mem registers(#regs2) atom(<32x32b, x4>) scope(warpgroup)
      : !f64 -> !tmem.pending<vector<2xf64>>
  %v = tmem.wait_load %p : !tmem.pending<vector<2xf64>>
  return %v : vector<2xf64>
}

!i32 = !tmem.view<128x4xi32, #tmem.layout<(128, 4) : (1@tlane, 1@tcol)>>
#regs4 = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

// CHECK-LABEL: func @one_word(
// CHECK-SAME: %{{.*}}: i32, %[[SRC:.*]]: vector<4xi32>)
// CHECK-NOT: bitcast
// CHECK: "llvm.nvvm.tcgen05.st.32x32b.x4"(%{{.*}}, %[[SRC]],
// CHECK-NOT: bitcast
func.func @one_word(%base: i32, %src: vector<4xi32>) {
  %mem = tmem.view %base : !i32
  %t = tmem.store %src, %mem registers(#regs4) atom(<32x32b, x4>)
      scope(warpgroup) : vector<4xi32>, !i32
  tmem.wait_store %t
  return
}

!bf16 = !tmem.view<128x8xbf16, #tmem.layout<(128, 8) : (1@tlane, 1@tcol)>>
#regs8 = #tmem.layout<(128, 8) : (1@tid, 1@reg)>

// CHECK-LABEL: func @half_word(
// CHECK: llvm.bitcast %{{.*}} : vector<8xbf16> to vector<4xi32>
func.func @half_word(%base: i32, %src: vector<8xbf16>) {
  %mem = tmem.view %base : !bf16
  %t = tmem.store %src, %mem registers(#regs8) atom(<32x32b, x4>)
      scope(warpgroup) : vector<8xbf16>, !bf16
  tmem.wait_store %t
  return
}

// A vector that does not fill its last word is padded.

!f16 = !tmem.view<128x3xf16, #tmem.layout<(128, 3) : (1@tlane, 2@tcol)>>
#regs3 = #tmem.layout<(128, 3) : (1@tid, 2@reg)>

// CHECK-LABEL: func @padded(
// CHECK: llvm.shufflevector %{{.*}}, %{{.*}} [0, 1, 2, 3, 4, -1] : vector<5xf16>
// CHECK: llvm.bitcast %{{.*}} : vector<6xf16> to vector<3xi32>
// CHECK: llvm.bitcast %{{.*}} : vector<3xi32> to vector<6xf16>
// CHECK: llvm.shufflevector %{{.*}}, %{{.*}} [0, 1, 2, 3, 4] : vector<6xf16>
func.func @padded(%base: i32, %src: vector<5xf16>) -> vector<5xf16> {
  %mem = tmem.view %base : !f16
  %t = tmem.store %src, %mem registers(#regs3) atom(<32x32b, x2, x1>)
      scope(warpgroup) : vector<5xf16>, !f16
  tmem.wait_store %t
  %p = tmem.load %mem registers(#regs3) atom(<32x32b, x2, x1>) scope(warpgroup)
      : !f16 -> !tmem.pending<vector<5xf16>>
  %v = tmem.wait_load %p : !tmem.pending<vector<5xf16>>
  return %v : vector<5xf16>
}

// LLVM has no f8 and no f4: their vectors become vectors of integers, by a cast
// that goes when the rest is lowered.

!f8 = !tmem.view<128x16xf8E4M3FN, #tmem.layout<(128, 16) : (1@tlane, 1@tcol)>>
#regs16 = #tmem.layout<(128, 16) : (1@tid, 1@reg)>

// CHECK-LABEL: func @quarter_word(
// CHECK: %[[BYTES:.*]] = builtin.unrealized_conversion_cast %{{.*}} : vector<16xf8E4M3FN> to vector<16xi8>
// CHECK: llvm.bitcast %[[BYTES]] : vector<16xi8> to vector<4xi32>
// CHECK: %[[BYTES:.*]] = llvm.bitcast %{{.*}} : vector<4xi32> to vector<16xi8>
// CHECK: builtin.unrealized_conversion_cast %[[BYTES]] : vector<16xi8> to vector<16xf8E4M3FN>
func.func @quarter_word(%base: i32, %src: vector<16xf8E4M3FN>) -> vector<16xf8E4M3FN> {
  %mem = tmem.view %base : !f8
  %t = tmem.store %src, %mem registers(#regs16) atom(<32x32b, x4>)
      scope(warpgroup) : vector<16xf8E4M3FN>, !f8
  tmem.wait_store %t
  %p = tmem.load %mem registers(#regs16) atom(<32x32b, x4>) scope(warpgroup)
      : !f8 -> !tmem.pending<vector<16xf8E4M3FN>>
  %v = tmem.wait_load %p : !tmem.pending<vector<16xf8E4M3FN>>
  return %v : vector<16xf8E4M3FN>
}

!i4 = !tmem.view<128x32xi4, #tmem.layout<(128, 32) : (1@tlane, 1@tcol)>>
!f4 = !tmem.view<128x32xf4E2M1FN, #tmem.layout<(128, 32) : (1@tlane, 1@tcol)>>
#regs32 = #tmem.layout<(128, 32) : (1@tid, 1@reg)>

// CHECK-LABEL: func @eighth_of_a_word(
// CHECK: llvm.bitcast %{{.*}} : vector<32xi4> to vector<4xi32>
// CHECK: builtin.unrealized_conversion_cast %{{.*}} : vector<32xf4E2M1FN> to vector<32xi4>
func.func @eighth_of_a_word(%base: i32, %i: vector<32xi4>, %f: vector<32xf4E2M1FN>) {
  %i4 = tmem.view %base : !i4
  %t = tmem.store %i, %i4 registers(#regs32) atom(<32x32b, x4>)
      scope(warpgroup) : vector<32xi4>, !i4
  tmem.wait_store %t
  %f4 = tmem.view %base : !f4
  %u = tmem.store %f, %f4 registers(#regs32) atom(<32x32b, x4>)
      scope(warpgroup) : vector<32xf4E2M1FN>, !f4
  tmem.wait_store %u
  return
}

// So do integers with a sign.

!ui8 = !tmem.view<128x16xui8, #tmem.layout<(128, 16) : (1@tlane, 1@tcol)>>

// CHECK-LABEL: func @unsigned(
// CHECK: builtin.unrealized_conversion_cast %{{.*}} : vector<16xui8> to vector<16xi8>
func.func @unsigned(%base: i32, %src: vector<16xui8>) {
  %mem = tmem.view %base : !ui8
  %t = tmem.store %src, %mem registers(#regs16) atom(<32x32b, x4>)
      scope(warpgroup) : vector<16xui8>, !ui8
  tmem.wait_store %t
  return
}
