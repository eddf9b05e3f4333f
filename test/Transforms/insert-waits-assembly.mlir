// Inline assembly that tells other threads something, or may: with side effects, with a
// clobber of memory, or by its text. MLIR takes the last two for pure, LLVM and the
// hardware do not. Other assembly has no wait before it.

// RUN: tmem-opt %s --tmem-insert-waits | FileCheck %s --implicit-check-not=tmem.wait_

!view = !tmem.view<128x8xi32, #tmem.datapath<D>>
!vec = vector<8xi32>
!out = memref<128x8xi32>

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @arrive_that_clobbers(
  // CHECK: tmem.load
  // CHECK-NEXT: tmem.wait_load
  // CHECK-NEXT: llvm.inline_asm
  gpu.func @arrive_that_clobbers(%mem: !view, %out: !out, %bar: !llvm.ptr<3>, %n: i32) {
    %c0 = arith.constant 0 : index
    %v = tmem.read %mem scope(warpgroup) : !view -> !vec
    %s = llvm.inline_asm "mbarrier.arrive.shared::cta.b64 $0, [$1];", "=l,r,~{memory}" %bar : (!llvm.ptr<3>) -> i64
    vector.store %v, %out[%c0, %c0] : !out, !vec
    gpu.return
  }

  // CHECK-LABEL: gpu.func @arrive(
  // CHECK: tmem.load
  // CHECK-NEXT: tmem.wait_load
  // CHECK-NEXT: llvm.inline_asm
  gpu.func @arrive(%mem: !view, %out: !out, %bar: !llvm.ptr<3>, %n: i32) {
    %c0 = arith.constant 0 : index
    %v = tmem.read %mem scope(warpgroup) : !view -> !vec
    %s = llvm.inline_asm "mbarrier.arrive.shared::cta.b64 $0, [$1];", "=l,r" %bar : (!llvm.ptr<3>) -> i64
    vector.store %v, %out[%c0, %c0] : !out, !vec
    gpu.return
  }

  // CHECK-LABEL: gpu.func @arrive_under_predicate(
  // CHECK: tmem.load
  // CHECK-NEXT: tmem.wait_load
  // CHECK-NEXT: llvm.inline_asm
  gpu.func @arrive_under_predicate(%mem: !view, %out: !out, %bar: !llvm.ptr<3>, %n: i32) {
    %c0 = arith.constant 0 : index
    %v = tmem.read %mem scope(warpgroup) : !view -> !vec
    llvm.inline_asm "{ .reg .pred p; setp.ne.b32 p, $1, 0; @p mbarrier.arrive.shared::cta.b64 _, [$0]; }", "r,r" %bar, %n : (!llvm.ptr<3>, i32) -> ()
    vector.store %v, %out[%c0, %c0] : !out, !vec
    gpu.return
  }

  // CHECK-LABEL: gpu.func @counts_at_barrier(
  // CHECK: tmem.load
  // CHECK-NEXT: tmem.wait_load
  // CHECK-NEXT: llvm.inline_asm
  gpu.func @counts_at_barrier(%mem: !view, %out: !out, %bar: !llvm.ptr<3>, %n: i32) {
    %c0 = arith.constant 0 : index
    %v = tmem.read %mem scope(warpgroup) : !view -> !vec
    %s = llvm.inline_asm "{ .reg .pred p; setp.ne.b32 p, $1, 0; DONE:barrier.cta.red.popc.u32 $0, 0, p; }", "=r,r" %n : (i32) -> i32
    vector.store %v, %out[%c0, %c0] : !out, !vec
    gpu.return
  }

  // CHECK-LABEL: gpu.func @atomic(
  // CHECK: tmem.load
  // CHECK-NEXT: tmem.wait_load
  // CHECK-NEXT: llvm.inline_asm
  gpu.func @atomic(%mem: !view, %out: !out, %bar: !llvm.ptr<3>, %n: i32) {
    %c0 = arith.constant 0 : index
    %v = tmem.read %mem scope(warpgroup) : !view -> !vec
    %s = llvm.inline_asm "atom.shared::cta.add.u32 $0, [$1], 1;", "=r,r" %bar : (!llvm.ptr<3>) -> i32
    vector.store %v, %out[%c0, %c0] : !out, !vec
    gpu.return
  }

  // CHECK-LABEL: gpu.func @clobbers(
  // CHECK: tmem.load
  // CHECK-NEXT: tmem.wait_load
  // CHECK-NEXT: llvm.inline_asm
  gpu.func @clobbers(%mem: !view, %out: !out, %bar: !llvm.ptr<3>, %n: i32) {
    %c0 = arith.constant 0 : index
    %v = tmem.read %mem scope(warpgroup) : !view -> !vec
    %s = llvm.inline_asm "ld.shared::cta.b32 $0, [$1];", "=r,r,~{memory}" %bar : (!llvm.ptr<3>) -> i32
    vector.store %v, %out[%c0, %c0] : !out, !vec
    gpu.return
  }

  // CHECK-LABEL: gpu.func @loads(
  // CHECK: tmem.load
  // CHECK-NEXT: llvm.inline_asm
  // CHECK: tmem.wait_load
  gpu.func @loads(%mem: !view, %out: !out, %bar: !llvm.ptr<3>, %n: i32) {
    %c0 = arith.constant 0 : index
    %v = tmem.read %mem scope(warpgroup) : !view -> !vec
    %s = llvm.inline_asm "ld.shared::cta.b32 $0, [$1];", "=r,r" %bar : (!llvm.ptr<3>) -> i32
    vector.store %v, %out[%c0, %c0] : !out, !vec
    gpu.return
  }

  // CHECK-LABEL: gpu.func @tests(
  // CHECK: tmem.load
  // CHECK-NEXT: llvm.inline_asm
  // CHECK: tmem.wait_load
  gpu.func @tests(%mem: !view, %out: !out, %bar: !llvm.ptr<3>, %n: i32) {
    %c0 = arith.constant 0 : index
    %v = tmem.read %mem scope(warpgroup) : !view -> !vec
    %s = llvm.inline_asm "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [$1], $2; selp.b32 $0, 1, 0, p; }", "=r,r,r" %bar, %n : (!llvm.ptr<3>, i32) -> i32
    vector.store %v, %out[%c0, %c0] : !out, !vec
    gpu.return
  }

  // CHECK-LABEL: gpu.func @calculates(
  // CHECK: tmem.load
  // CHECK-NEXT: llvm.inline_asm
  // CHECK: tmem.wait_load
  gpu.func @calculates(%mem: !view, %out: !out, %bar: !llvm.ptr<3>, %n: i32) {
    %c0 = arith.constant 0 : index
    %v = tmem.read %mem scope(warpgroup) : !view -> !vec
    %s = llvm.inline_asm "{ .reg .u32 bars; add.u32 bars, $1, %laneid; mov.u32 $0, bars; }", "=r,r" %n : (i32) -> i32
    vector.store %v, %out[%c0, %c0] : !out, !vec
    gpu.return
  }
}
