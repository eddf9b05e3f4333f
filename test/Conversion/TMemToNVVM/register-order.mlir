// RUN: tmem-opt %s --convert-tmem-to-nvvm | FileCheck %s

!four = !tmem.view<128x4xf32, #tmem.layout<(128, 4) : (1@tlane, 1@tcol)>>

// Words that are all there and in order need no shuffle.

// CHECK-LABEL: func @in_order(
// CHECK-NOT: shufflevector
// CHECK: %[[WORDS:.*]] = llvm.bitcast %{{.*}} : vector<4xf32> to vector<4xi32>
// CHECK-NOT: shufflevector
// CHECK: "llvm.nvvm.tcgen05.st.32x32b.x4"(%{{.*}}, %[[WORDS]],
#in_order = #tmem.layout<(128, 4) : (1@tid, 1@reg)>
func.func @in_order(%base: i32, %src: vector<4xf32>) {
  %mem = tmem.view %base : !four
  %t = tmem.store %src, %mem registers(#in_order) atom(<32x32b, x4>)
      scope(warpgroup) : vector<4xf32>, !four
  tmem.wait_store %t
  return
}

// Columns 0, 1, 2, 3 are in registers 0, 2, 1, 3.

#swapped = #tmem.layout<(128, 2, 2) : (1@tid, 1@reg, 2@reg)>

// CHECK-LABEL: func @permuted_store(
// CHECK: %[[WORDS:.*]] = llvm.shufflevector %{{.*}}, %{{.*}} [0, 2, 1, 3] : vector<4xi32>
// CHECK-NOT: shufflevector
// CHECK: "llvm.nvvm.tcgen05.st.32x32b.x4"(%{{.*}}, %[[WORDS]],
func.func @permuted_store(%base: i32, %src: vector<4xf32>) {
  %mem = tmem.view %base : !four
  %t = tmem.store %src, %mem registers(#swapped) atom(<32x32b, x4>)
      scope(warpgroup) : vector<4xf32>, !four
  tmem.wait_store %t
  return
}

// A load only takes its words in another order.

// CHECK-LABEL: func @permuted_load(
// CHECK: %[[PIN:.*]] = llvm.inline_asm has_side_effects ""
// CHECK: %[[P0:.*]] = llvm.extractvalue %[[PIN]][0]
// CHECK: %[[P1:.*]] = llvm.extractvalue %[[PIN]][1]
// CHECK: %[[P2:.*]] = llvm.extractvalue %[[PIN]][2]
// CHECK: %[[P3:.*]] = llvm.extractvalue %[[PIN]][3]
// CHECK: llvm.inline_asm {{.*}} %[[P0]], %[[P2]], %[[P1]], %[[P3]] :
// CHECK-NOT: shufflevector
func.func @permuted_load(%base: i32) -> vector<4xf32> {
  %mem = tmem.view %base : !four
  %p = tmem.load %mem registers(#swapped) atom(<32x32b, x4>) scope(warpgroup)
      : !four -> !tmem.pending<vector<4xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<4xf32>>
  return %v : vector<4xf32>
}

// Two instructions take every other word each.

!eight = !tmem.view<128x8xf32, #tmem.layout<(128, 8) : (1@tlane, 1@tcol)>>
#interleaved = #tmem.layout<(128, 2, 4) : (1@tid, 1@reg, 2@reg)>

// CHECK-LABEL: func @interleaved(
// CHECK: llvm.shufflevector %{{.*}}, %{{.*}} [0, 2, 4, 6] : vector<8xi32>
// CHECK: "llvm.nvvm.tcgen05.st.32x32b.x4"
// CHECK: llvm.shufflevector %{{.*}}, %{{.*}} [1, 3, 5, 7] : vector<8xi32>
// CHECK: "llvm.nvvm.tcgen05.st.32x32b.x4"
func.func @interleaved(%base: i32, %src: vector<8xf32>) {
  %mem = tmem.view %base : !eight
  %t = tmem.store %src, %mem registers(#interleaved) atom(<32x32b, x4>)
      scope(warpgroup) : vector<8xf32>, !eight
  tmem.wait_store %t
  return
}

// Registers that no element is in: a load leaves them poison, a store skips them.

#gaps = #tmem.layout<(128, 4) : (1@tid, 2@reg)>

// CHECK-LABEL: func @gaps_in_load(
// CHECK: %[[P3:.*]] = llvm.extractvalue %{{.*}}[3]
// CHECK: %[[POISON:.*]] = llvm.mlir.poison : i32
// CHECK: llvm.inline_asm {{.*}} %{{.*}}, %[[POISON]], %{{.*}}, %[[POISON]], %{{.*}}, %[[POISON]], %[[P3]], %[[POISON]] :
func.func @gaps_in_load(%base: i32) -> vector<8xf32> {
  %mem = tmem.view %base : !four
  %p = tmem.load %mem registers(#gaps) atom(<32x32b, x4>) scope(warpgroup)
      : !four -> !tmem.pending<vector<8xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<8xf32>>
  return %v : vector<8xf32>
}

// CHECK-LABEL: func @gaps_in_store(
// CHECK: %[[WORDS:.*]] = llvm.shufflevector %{{.*}}, %{{.*}} [0, 2, 4, 6] : vector<8xi32>
// CHECK: "llvm.nvvm.tcgen05.st.32x32b.x4"(%{{.*}}, %[[WORDS]],
func.func @gaps_in_store(%base: i32, %src: vector<8xf32>) {
  %mem = tmem.view %base : !four
  %t = tmem.store %src, %mem registers(#gaps) atom(<32x32b, x4>)
      scope(warpgroup) : vector<8xf32>, !four
  tmem.wait_store %t
  return
}
