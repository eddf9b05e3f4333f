// RUN: tmem-opt %s --convert-tmem-to-nvvm | FileCheck %s

#regs4 = #tmem.layout<(128, 4) : (1@tid, 1@reg)>
#regs32 = #tmem.layout<(128, 32) : (1@tid, 1@reg)>
!four = !tmem.view<128x4xf32, #tmem.datapath<D>>
!thirty_two = !tmem.view<128x32xf32, #tmem.datapath<D>>

// The words of a load are pinned where they are loaded. Copies follow the wait:
// what reads the vector reads them.

// CHECK-LABEL: func @pin_wait_copy(
// CHECK: %[[LD:.*]] = llvm.call_intrinsic "llvm.nvvm.tcgen05.ld.32x32b.x4"
// CHECK: %[[W0:.*]] = llvm.extractelement %[[LD]]
// CHECK: %[[W1:.*]] = llvm.extractelement %[[LD]]
// CHECK: %[[W2:.*]] = llvm.extractelement %[[LD]]
// CHECK: %[[W3:.*]] = llvm.extractelement %[[LD]]
// CHECK: %[[PIN:.*]] = llvm.inline_asm has_side_effects "", "=r,=r,=r,=r,0,1,2,3" %[[W0]], %[[W1]], %[[W2]], %[[W3]]
// CHECK: %[[P0:.*]] = llvm.extractvalue %[[PIN]][0]
// CHECK: %[[P1:.*]] = llvm.extractvalue %[[PIN]][1]
// CHECK: %[[P2:.*]] = llvm.extractvalue %[[PIN]][2]
// CHECK: %[[P3:.*]] = llvm.extractvalue %[[PIN]][3]
// CHECK: gpu.barrier
// CHECK-NEXT: llvm.call_intrinsic "llvm.nvvm.tcgen05.wait.ld"()
// CHECK-NEXT: %[[COPY:.*]] = llvm.inline_asm has_side_effects "mov.b32 $0, $4;mov.b32 $1, $5;mov.b32 $2, $6;mov.b32 $3, $7;", "=&r,=&r,=&r,=&r,r,r,r,r,~{memory}" %[[P0]], %[[P1]], %[[P2]], %[[P3]]
// CHECK: %[[C0:.*]] = llvm.extractvalue %[[COPY]][0]
// CHECK: llvm.insertelement %[[C0]]
// CHECK-NOT: %[[P0]]
func.func @pin_wait_copy(%base: i32) -> vector<4xf32> {
  %mem = tmem.view %base : !four
  %pending = tmem.load %mem registers(#regs4) atom(<32x32b, x4>)
      scope(warpgroup) : !four -> !tmem.pending<vector<4xf32>>
  gpu.barrier
  %dst = tmem.wait_load %pending : !tmem.pending<vector<4xf32>>
  return %dst : vector<4xf32>
}

// One instruction for all operands; at most 16 words to each copy.

// CHECK-LABEL: func @several_loads(
// CHECK-COUNT-2: "llvm.nvvm.tcgen05.ld
// CHECK: "llvm.nvvm.tcgen05.wait.ld"
// CHECK: llvm.inline_asm has_side_effects "mov.b32 $0, $16;{{.*}}mov.b32 $15, $31;"
// CHECK: llvm.inline_asm has_side_effects "mov.b32 $0, $16;{{.*}}mov.b32 $15, $31;"
// CHECK: llvm.inline_asm has_side_effects "mov.b32 $0, $4;mov.b32 $1, $5;mov.b32 $2, $6;mov.b32 $3, $7;"
// CHECK-NOT: inline_asm
// CHECK-NOT: wait.ld
func.func @several_loads(%base: i32) -> (vector<32xf32>, vector<4xf32>) {
  %wide = tmem.view %base : !thirty_two
  %p = tmem.load %wide registers(#regs32) atom(<32x32b, x32>) scope(warpgroup)
      : !thirty_two -> !tmem.pending<vector<32xf32>>
  %mem = tmem.view %base : !four
  %q = tmem.load %mem registers(#regs4) atom(<32x32b, x4>) scope(warpgroup)
      : !four -> !tmem.pending<vector<4xf32>>
  %v, %w = tmem.wait_load %p, %q
      : !tmem.pending<vector<32xf32>>, !tmem.pending<vector<4xf32>>
  return %v, %w : vector<32xf32>, vector<4xf32>
}

// No two waits are alike, so that MLIR does not merge the blocks they stand in.

// CHECK-LABEL: func @numbered(
// CHECK: "llvm.nvvm.tcgen05.wait.ld"() {wait_number = [[FIRST:[0-9]+]] : i32}
// CHECK-NOT: wait_number = [[FIRST]] :
// CHECK: "llvm.nvvm.tcgen05.wait.ld"() {wait_number = {{[0-9]+}} : i32}
func.func @numbered(%base: i32) -> (vector<4xf32>, vector<4xf32>) {
  %mem = tmem.view %base : !four
  %p = tmem.load %mem registers(#regs4) atom(<32x32b, x4>) scope(warpgroup)
      : !four -> !tmem.pending<vector<4xf32>>
  %v = tmem.wait_load %p : !tmem.pending<vector<4xf32>>
  %q = tmem.load %mem registers(#regs4) atom(<32x32b, x4>) scope(warpgroup)
      : !four -> !tmem.pending<vector<4xf32>>
  %w = tmem.wait_load %q : !tmem.pending<vector<4xf32>>
  return %v, %w : vector<4xf32>, vector<4xf32>
}

// LLVM's memory model does not order stores and their wait: the empty asm does.

// CHECK-LABEL: func @stores(
// CHECK-COUNT-2: "llvm.nvvm.tcgen05.st
// CHECK-NEXT: llvm.inline_asm has_side_effects "", "~{memory}"
// CHECK-NEXT: llvm.call_intrinsic "llvm.nvvm.tcgen05.wait.st"() : () -> ()
// CHECK-NEXT: llvm.inline_asm has_side_effects "", "~{memory}"
// CHECK-NEXT: return
func.func @stores(%base: i32, %src: vector<4xf32>) {
  %mem = tmem.view %base : !four
  %t = tmem.store %src, %mem registers(#regs4) atom(<32x32b, x4>)
      scope(warpgroup) : vector<4xf32>, !four
  %u = tmem.store %src, %mem registers(#regs4) atom(<32x32b, x4>)
      scope(warpgroup) : vector<4xf32>, !four
  tmem.wait_store %t, %u
  return
}
