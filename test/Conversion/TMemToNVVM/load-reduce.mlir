// RUN: tmem-opt %s --convert-tmem-to-nvvm=chip=sm_103a | FileCheck %s

!floats = !tmem.view<32x8xf32, #tmem.layout<(32, 8) : (1@tlane, 1@tcol)>>
!integers = !tmem.view<32x2xi32, #tmem.layout<(2, 16, 2) : (4@tcol, 1@tlane, 1@tcol)>>
#row = #tmem.layout<(32, 8) : (1@lane, 1@reg)>
#pair = #tmem.layout<(32, 2) : (1@lane, 1@reg)>

// Convergent, since all lanes execute it together; then the words and what they
// reduce to are pinned at once, as the words of other loads are.
// CHECK-LABEL: @two_issues
// CHECK: %[[ALL:.*]] = llvm.inline_asm has_side_effects
// CHECK-SAME: {tmem.convergent}
// CHECK-SAME: "tcgen05.ld.red.sync.aligned.32x32b.x4.max.abs.NaN.f32 {$0, $1, $2, $3}, $4, [$5];"
// CHECK-SAME: "=r,=r,=r,=r,=r,r,~{memory}" %arg0 : (i32) -> !llvm.struct<(i32, i32, i32, i32, i32)>
// CHECK: llvm.inline_asm has_side_effects "", "=r,=r,=r,=r,=r,0,1,2,3,4"
// CHECK: %[[NEXT:.*]] = llvm.add %arg0, %{{.*}} : i32
// CHECK: "tcgen05.ld.red.sync.aligned.32x32b.x4.max.abs.NaN.f32 {$0, $1, $2, $3}, $4, [$5];"
// CHECK-SAME: %[[NEXT]]
// CHECK: "llvm.nvvm.tcgen05.wait.ld"
func.func @two_issues(%base: i32) -> (vector<8xf32>, vector<2xf32>) {
  %mem = tmem.view %base : !floats
  %p, %r = tmem.load_reduce maximumf abs %mem registers(#row) atom(<32x32b, x4>)
      scope(warp 0) : !floats -> !tmem.pending<vector<8xf32>>, !tmem.pending<vector<2xf32>>
  %v, %max = tmem.wait_load %p, %r : !tmem.pending<vector<8xf32>>, !tmem.pending<vector<2xf32>>
  return %v, %max : vector<8xf32>, vector<2xf32>
}

// The second access is 4 columns after the first.
// CHECK-LABEL: @split
// CHECK: "tcgen05.ld.red.sync.aligned.16x32bx2.x2.min.u32 {$0, $1}, $2, [$3], 4;"
func.func @split(%base: i32) -> (vector<2xi32>, vector<1xi32>) {
  %mem = tmem.view %base : !integers
  %p, %r = tmem.load_reduce minui %mem registers(#pair) atom(<16x32bx2, x2>)
      scope(warp 0) : !integers -> !tmem.pending<vector<2xi32>>, !tmem.pending<vector<1xi32>>
  %v, %min = tmem.wait_load %p, %r : !tmem.pending<vector<2xi32>>, !tmem.pending<vector<1xi32>>
  return %v, %min : vector<2xi32>, vector<1xi32>
}
