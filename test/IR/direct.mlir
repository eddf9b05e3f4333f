// RUN: tmem-opt %s --verify-roundtrip | FileCheck %s
// RUN: tmem-opt %s --mlir-print-op-generic | tmem-opt | FileCheck %s
// RUN: tmem-opt %s --cse --loop-invariant-code-motion --canonicalize | FileCheck %s --check-prefix=EFFECTS

#regs = #tmem.layout<(128, 64) : (1@tid, 1@reg)>
!acc = !tmem.view<128x64xf32, #tmem.layout<(128, 64) : (1@tlane, 1@tcol)>>
!vec = vector<64xf32>
!low = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol)>>
!high = !tmem.view<16x4xf32, #tmem.layout<(16, 4) : (1@tlane, 1@tcol) + (16@tlane)>>
!both = !tmem.view<32x4xf32, #tmem.layout<(32, 4) : (1@tlane, 1@tcol)>>

// CHECK-LABEL: func.func @forms(
// CHECK: tmem.read %{{.*}} registers(#{{.*}}) atom(<32x32b, x64>) scope(warpgroup) : !{{.*}} -> vector<64xf32>
// CHECK: tmem.read %{{.*}} scope(warpgroup) {mine} : !{{.*}} -> vector<64xf32>
// CHECK: tmem.write %{{.*}}, %{{.*}} registers(#{{.*}}) atom(<32x32b, x64>) scope(warpgroup) : vector<64xf32>, !
// CHECK: tmem.write %{{.*}}, %{{.*}} scope(warpgroup) : vector<64xf32>, !
// CHECK: tmem.read_split %{{.*}}, %{{.*}} atom(<16x32bx2, x4>) immediate(1048576) scope(warp 0) : !{{.*}}, !{{.*}} -> vector<4xf32>
// CHECK: tmem.write_split %{{.*}}, %{{.*}}, %{{.*}} atom(<16x32bx2, x4>) scope(warp 0) : vector<4xf32>, !{{.*}}, !
func.func @forms(%mem: !acc, %tile: !both) -> (!vec, !vec) {
  %a = tmem.read %mem registers(#regs) atom(<32x32b, x64>) scope(warpgroup) : !acc -> !vec
  %b = tmem.read %mem scope(warpgroup) {mine} : !acc -> !vec
  tmem.write %a, %mem registers(#regs) atom(<32x32b, x64>) scope(warpgroup) : !vec, !acc
  tmem.write %b, %mem scope(warpgroup) : !vec, !acc
  %low = tmem.subview %tile[0, 0] [16, 4] : !both to !low
  %high = tmem.subview %tile[16, 0] [16, 4] : !both to !high
  %c = tmem.read_split %low, %high atom(<16x32bx2, x4>) immediate(1048576) scope(warp 0) : !low, !high -> vector<4xf32>
  tmem.write_split %c, %low, %high atom(<16x32bx2, x4>) scope(warp 0) : vector<4xf32>, !low, !high
  return %a, %b : !vec, !vec
}

// A vector may be merged with an equal one, but not past a write or a barrier;
// what nobody uses goes; nothing leaves a loop.
// EFFECTS-LABEL: func.func @effects(
// EFFECTS-NEXT: %[[A:.*]] = tmem.read
// EFFECTS-NEXT: gpu.barrier
// EFFECTS-NEXT: %[[B:.*]] = tmem.read
// EFFECTS-NEXT: tmem.write %[[B]]
// EFFECTS-NEXT: %[[C:.*]] = tmem.read
// EFFECTS-NEXT: return %[[A]], %[[A]], %[[B]], %[[C]]
func.func @effects(%mem: !acc) -> (!vec, !vec, !vec, !vec) {
  %a = tmem.read %mem scope(warpgroup) : !acc -> !vec
  %a2 = tmem.read %mem scope(warpgroup) : !acc -> !vec
  %dead = tmem.read %mem scope(warpgroup) : !acc -> !vec
  gpu.barrier
  %b = tmem.read %mem scope(warpgroup) : !acc -> !vec
  tmem.write %b, %mem scope(warpgroup) : !vec, !acc
  %c = tmem.read %mem scope(warpgroup) : !acc -> !vec
  return %a, %a2, %b, %c : !vec, !vec, !vec, !vec
}

// EFFECTS-LABEL: func.func @loop(
// EFFECTS: scf.for
// EFFECTS-NEXT: tmem.read
// EFFECTS-NEXT: tmem.write
func.func @loop(%mem: !acc, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = tmem.read %mem scope(warpgroup) : !acc -> !vec
    tmem.write %a, %mem scope(warpgroup) : !vec, !acc
  }
  return
}
