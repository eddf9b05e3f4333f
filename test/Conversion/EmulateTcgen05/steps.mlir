// RUN: tmem-opt %s --emulate-tcgen05 | FileCheck %s

// A branch that closes a loop counts a step.

gpu.module @kernels {
  // CHECK-LABEL: @__tmem_emu_kernels_loops(
  // CHECK-SAME: %[[THREAD:[^:]*]]: !llvm.ptr,
  // CHECK-NOT: step
  // CHECK: ^[[OUTER:bb1]](
  // CHECK: llvm.br ^[[INNER:bb2]]
  // CHECK: ^[[INNER]]:
  // CHECK: llvm.call @__tmem_emu_step(%[[THREAD]], %{{.*}})
  // CHECK-NEXT: llvm.cond_br %{{.*}}, ^[[INNER]], ^bb3
  // CHECK: ^bb3:
  // CHECK: llvm.call @__tmem_emu_step(%[[THREAD]], %{{.*}})
  // CHECK-NEXT: llvm.cond_br %{{.*}}, ^[[OUTER]](%{{.*}} : i32), ^bb4
  // CHECK-NOT: step
  // CHECK: llvm.return
  llvm.func @loops(%n: i32, %c: i1) attributes {gpu.kernel} {
    llvm.br ^bb1(%n : i32)
  ^bb1(%i: i32):
    llvm.br ^bb2
  ^bb2:
    llvm.cond_br %c, ^bb2, ^bb3
  ^bb3:
    llvm.cond_br %c, ^bb1(%i : i32), ^bb4
  ^bb4:
    llvm.return
  }

  // Two entries, so that no block dominates the loop.

  // CHECK-LABEL: @__tmem_emu_kernels_irreducible(
  // CHECK: llvm.call @__tmem_emu_step(
  // CHECK-NOT: step
  // CHECK: llvm.return
  llvm.func @irreducible(%c: i1) attributes {gpu.kernel} {
    llvm.cond_br %c, ^bb1, ^bb2
  ^bb1:
    llvm.cond_br %c, ^bb2, ^bb3
  ^bb2:
    llvm.br ^bb1
  ^bb3:
    llvm.return
  }
}

// CHECK: llvm.func internal @__tmem_emu_step(%[[T:.*]]: !llvm.ptr, %[[S:.*]]: !llvm.ptr) attributes {always_inline}
// CHECK: %[[OLD:.*]] = llvm.load
// CHECK: %[[NEW:.*]] = llvm.sub %[[OLD]],
// CHECK: llvm.store %[[NEW]]
// CHECK: %[[OUT:.*]] = llvm.icmp "sle" %[[NEW]],
// CHECK: llvm.cond_br %[[OUT]], ^[[CALL:.*]], ^
// CHECK: ^[[CALL]]:
// CHECK: llvm.call @tmemEmuYield(%[[T]], %[[S]])
