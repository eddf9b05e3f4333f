// The dialect plugin alone makes stock --convert-to-llvm lower tmem. A plugin
// that fails to load leaves mlir-opt's exit status 0: FileCheck comes last.

// RUN: mlir-opt %s --load-dialect-plugin=%tmem_plugin --convert-scf-to-cf --convert-to-llvm --reconcile-unrealized-casts | FileCheck %s

// Before scf is lowered, too.

// RUN: mlir-opt %s --load-dialect-plugin=%tmem_plugin --convert-to-llvm --convert-scf-to-cf --convert-to-llvm --reconcile-unrealized-casts | FileCheck %s

// And without the rollback of patterns.

// RUN: mlir-opt %s --load-dialect-plugin=%tmem_plugin --convert-scf-to-cf --convert-to-llvm=allow-pattern-rollback=false --reconcile-unrealized-casts | FileCheck %s

!view = !tmem.view<128x4xf32, #tmem.layout<(128, 4) : (1@tlane, 1@tcol)>>
!pending = !tmem.pending<vector<4xf32>>
#regs = #tmem.layout<(128, 4) : (1@tid, 1@reg)>

// CHECK-LABEL: llvm.func @pipelined(
// CHECK-NOT: {{tmem\.|scf\.|cf\.|builtin\.}}
// CHECK: "llvm.nvvm.tcgen05.ld.32x32b.x4"
// CHECK: llvm.br ^[[LOOP:.*]](%{{.*}} : i64, i32, i32, i32, i32)
// CHECK: ^[[LOOP]](%{{.*}}: i64, %[[A:.*]]: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32):
// CHECK: llvm.cond_br
// CHECK: "llvm.nvvm.tcgen05.wait.ld"
// CHECK: llvm.inline_asm has_side_effects "mov.b32 {{.*}} %[[A]],
// CHECK: "llvm.nvvm.tcgen05.ld.32x32b.x4"
// CHECK: llvm.br ^[[LOOP]]
// CHECK: "llvm.nvvm.tcgen05.wait.ld"
// CHECK: llvm.return
func.func @pipelined(%base: i32, %n: index, %out: memref<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %mem = tmem.view %base : !view
  %first = tmem.load %mem registers(#regs) atom(<32x32b, x4>) scope(warpgroup)
      : !view -> !pending
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%p = %first) -> (!pending) {
    %v = tmem.wait_load %p : !pending
    vector.store %v, %out[%i, %c0] : memref<?x4xf32>, vector<4xf32>
    %next = tmem.load %mem registers(#regs) atom(<32x32b, x4>)
        scope(warpgroup) : !view -> !pending
    scf.yield %next : !pending
  }
  %v = tmem.wait_load %last : !pending
  vector.store %v, %out[%n, %c0] : memref<?x4xf32>, vector<4xf32>
  return
}

// CHECK-LABEL: llvm.func @allocation(
// CHECK-NOT: {{tmem\.alloc|memref\.|builtin\.}}
// CHECK: llvm.call_intrinsic "llvm.nvvm.tcgen05.alloc.shared.cg1"(%{{.*}}, %{{.*}}) : (!llvm.ptr<3>, i32) -> ()
// CHECK: {tmem.convergent} "tcgen05.alloc.exclusive
// CHECK: llvm.return
func.func @allocation(%slot: memref<1xi32, #gpu.address_space<workgroup>>,
                      %second: memref<1xi32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>) {
  tmem.alloc %slot, 64 : memref<1xi32, #gpu.address_space<workgroup>>
  tmem.alloc exclusive %second, 96
      : memref<1xi32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
  return
}

// Views become integers in signatures; f8 vectors vectors of bytes.

!f8 = !tmem.view<128x16xf8E4M3FN, #tmem.layout<(128, 16) : (1@tlane, 1@tcol)>>
#regs16 = #tmem.layout<(128, 16) : (1@tid, 1@reg)>

// CHECK-LABEL: llvm.func @view_argument(%{{.*}}: i32, %{{.*}}: vector<16xi8>)
// CHECK-NOT: builtin.
// CHECK: "llvm.nvvm.tcgen05.st.32x32b.x4"
func.func @view_argument(%mem: !f8, %src: vector<16xf8E4M3FN>) {
  %t = tmem.store %src, %mem registers(#regs16) atom(<32x32b, x4>)
      scope(warpgroup) : vector<16xf8E4M3FN>, !f8
  tmem.wait_store %t
  return
}
