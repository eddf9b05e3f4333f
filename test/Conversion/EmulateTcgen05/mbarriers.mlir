// RUN: tmem-opt %s --emulate-tcgen05 | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: @__tmem_emu_kernels_init(
  // CHECK-SAME: %[[THREAD:[^:]*]]: !llvm.ptr, %[[BAR:[^:]*]]: !llvm.ptr, %[[N:[^:]*]]: i32, %[[P:[^:]*]]: i1)
  // CHECK: llvm.call @tmemEmuMBarrierInit(%[[THREAD]], %{{.*}}, %[[BAR]], %[[N]])
  // CHECK: llvm.call @__tmem_emu_if_tmemEmuMBarrierInit(%[[P]], %[[THREAD]], %{{.*}}, %[[BAR]], %[[N]])
  // CHECK: llvm.call @__tmem_emu_if_tmemEmuMBarrierInit(%[[P]], %[[THREAD]], %{{.*}}, %[[BAR]], %[[N]])
  // CHECK: llvm.call @tmemEmuMBarrierInval(%[[THREAD]], %{{.*}}, %[[BAR]])
  llvm.func @init(%bar: !llvm.ptr<3>, %n: i32, %p: i1) attributes {gpu.kernel} {
    nvvm.mbarrier.init %bar, %n : !llvm.ptr<3>, i32
    nvvm.mbarrier.init %bar, %n, predicate = %p : !llvm.ptr<3>, i32, i1
    // What convert-nvvm-to-llvm makes of the same.
    llvm.inline_asm has_side_effects asm_dialect = att "@$2 mbarrier.init.shared.b64 [$0], $1;", "r,r,b" %bar, %n, %p : (!llvm.ptr<3>, i32, i1) -> ()
    nvvm.mbarrier.inval %bar : !llvm.ptr<3>
    llvm.return
  }

  // Flags: 1 drop, 2 noComplete, 4 relaxed, 8 of another block, 16 the state is used.

  // CHECK-LABEL: @__tmem_emu_kernels_arrive(
  // CHECK-SAME: %{{.*}}, %[[BAR:[^:]*]]: !llvm.ptr, %[[N:[^:]*]]: i32,
  // CHECK-DAG: %[[ONE:.*]] = llvm.mlir.constant(1 : i32) : i32
  // CHECK-DAG: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32) : i32
  // CHECK-DAG: %[[STATE_USED:.*]] = llvm.mlir.constant(16 : i32) : i32
  // CHECK-DAG: %[[NOCOMPLETE:.*]] = llvm.mlir.constant(18 : i32) : i32
  // CHECK-DAG: %[[RELAXED:.*]] = llvm.mlir.constant(4 : i32) : i32
  // CHECK: %[[STATE:.*]] = llvm.call @tmemEmuMBarrierArrive(%{{.*}}, %{{.*}}, %[[BAR]], %[[ONE]], %[[ZERO]], %[[STATE_USED]])
  // CHECK: llvm.store %[[STATE]]
  // CHECK: llvm.call @tmemEmuMBarrierArrive(%{{.*}}, %{{.*}}, %[[BAR]], %[[N]], %[[ZERO]], %[[RELAXED]])
  // CHECK: llvm.call @tmemEmuMBarrierArrive(%{{.*}}, %{{.*}}, %[[BAR]], %[[N]], %[[ZERO]], %[[ONE]])
  // CHECK: llvm.call @tmemEmuMBarrierArrive(%{{.*}}, %{{.*}}, %[[BAR]], %[[N]], %[[ZERO]], %[[NOCOMPLETE]])
  // CHECK: llvm.call @tmemEmuMBarrierArrive(%{{.*}}, %{{.*}}, %[[BAR]], %[[ONE]], %[[N]], %[[ZERO]])
  // CHECK: llvm.call @tmemEmuMBarrierExpect(%{{.*}}, %{{.*}}, %[[BAR]], %[[N]])
  // CHECK: llvm.call @tmemEmuMBarrierComplete(%{{.*}}, %{{.*}}, %[[BAR]], %[[N]])
  llvm.func @arrive(%bar: !llvm.ptr<3>, %n: i32, %out: !llvm.ptr) attributes {gpu.kernel} {
    %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    llvm.store %s, %out : i64, !llvm.ptr
    %t = nvvm.mbarrier.arrive %bar, %n {relaxed = true} : !llvm.ptr<3> -> i64
    %u = nvvm.mbarrier.arrive_drop %bar, %n : !llvm.ptr<3> -> i64
    %v = nvvm.mbarrier.arrive.nocomplete %bar, %n : !llvm.ptr<3>, i32 -> i64
    nvvm.mbarrier.arrive.expect_tx %bar, %n : !llvm.ptr<3>, i32
    nvvm.mbarrier.expect_tx %bar, %n : !llvm.ptr<3>, i32
    nvvm.mbarrier.complete_tx %bar, %n : !llvm.ptr<3>, i32
    llvm.return
  }

  // CHECK-LABEL: @__tmem_emu_kernels_intrinsics(
  // CHECK-SAME: %{{.*}}, %[[BAR:[^:]*]]: !llvm.ptr, %[[N:[^:]*]]: i32, %[[STATE:[^:]*]]: i64)
  // CHECK-DAG: %[[ONE:.*]] = llvm.mlir.constant(1 : i32) : i32
  // CHECK-DAG: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32) : i32
  // CHECK-DAG: %[[DROP_RELAXED:.*]] = llvm.mlir.constant(5 : i32) : i32
  // CHECK: llvm.call @tmemEmuMBarrierInit(%{{.*}}, %{{.*}}, %[[BAR]], %[[N]])
  // CHECK: llvm.call @tmemEmuMBarrierArrive(%{{.*}}, %{{.*}}, %[[BAR]], %[[ONE]], %[[ZERO]], %[[ZERO]])
  // CHECK: llvm.call @tmemEmuMBarrierArrive(%{{.*}}, %{{.*}}, %[[BAR]], %[[ONE]], %[[N]], %[[DROP_RELAXED]])
  // CHECK: llvm.call @tmemEmuMBarrierWait(%{{.*}}, %{{.*}}, %[[BAR]], %[[STATE]], %[[ZERO]])
  llvm.func @intrinsics(%bar: !llvm.ptr<3>, %n: i32, %state: i64) attributes {gpu.kernel} {
    llvm.call_intrinsic "llvm.nvvm.mbarrier.init.shared"(%bar, %n) : (!llvm.ptr<3>, i32) -> ()
    %a = llvm.call_intrinsic "llvm.nvvm.mbarrier.arrive.shared"(%bar) : (!llvm.ptr<3>) -> i64
    %b = llvm.call_intrinsic "llvm.nvvm.mbarrier.arrive.drop.expect.tx.relaxed.scope.cta.space.cta"(%bar, %n) : (!llvm.ptr<3>, i32) -> i64
    %c = llvm.call_intrinsic "llvm.nvvm.mbarrier.test.wait.shared"(%bar, %state) : (!llvm.ptr<3>, i64) -> i1
    llvm.return
  }

  // CHECK-LABEL: @__tmem_emu_kernels_of_another_block(
  // CHECK-SAME: %{{.*}}, %[[BAR:[^:]*]]: !llvm.ptr, %[[GENERIC:[^:]*]]: !llvm.ptr, %[[N:[^:]*]]: i32)
  // CHECK-DAG: %[[ONE:.*]] = llvm.mlir.constant(1 : i32) : i32
  // CHECK-DAG: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32) : i32
  // CHECK-DAG: %[[CLUSTER:.*]] = llvm.mlir.constant(8 : i32) : i32
  // CHECK: llvm.call @tmemEmuMBarrierArrive(%{{.*}}, %{{.*}}, %[[BAR]], %[[ONE]], %[[ZERO]], %[[CLUSTER]])
  // CHECK: llvm.call @tmemEmuMBarrierArrive(%{{.*}}, %{{.*}}, %[[BAR]], %[[ONE]], %[[N]], %[[CLUSTER]])
  // CHECK: llvm.call @tmemEmuMBarrierArrive(%{{.*}}, %{{.*}}, %[[GENERIC]], %[[ONE]], %[[ZERO]], %[[CLUSTER]])
  // CHECK: llvm.call @tmemEmuMBarrierArrive(%{{.*}}, %{{.*}}, %{{.*}}, %[[ONE]], %[[ZERO]], %[[CLUSTER]])
  // CHECK: llvm.call @tmemEmuMBarrierArrive(%{{.*}}, %{{.*}}, %{{.*}}, %[[ONE]], %[[ZERO]], %[[ZERO]])
  llvm.func @of_another_block(%bar: !llvm.ptr<7>, %generic: !llvm.ptr, %n: i32) attributes {gpu.kernel} {
    nvvm.mbarrier.arrive %bar : !llvm.ptr<7>
    nvvm.mbarrier.arrive.expect_tx %bar, %n : !llvm.ptr<7>, i32
    %a = nvvm.mbarrier.arrive %generic : !llvm.ptr -> i64
    llvm.inline_asm has_side_effects "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [$0];", "r" %n : (i32) -> ()
    llvm.inline_asm has_side_effects "mbarrier.arrive.shared::cta.b64 _, [$0];", "r" %n : (i32) -> ()
    llvm.return
  }

  // Flags: 1 parity, 2 until it is complete, 4 try_wait.

  // CHECK-LABEL: @__tmem_emu_kernels_wait(
  // CHECK-SAME: %{{.*}}, %[[BAR:[^:]*]]: !llvm.ptr, %[[PHASE:[^:]*]]: i32, %[[STATE:[^:]*]]: i64,
  // CHECK-DAG: %[[LOOP:.*]] = llvm.mlir.constant(7 : i32) : i32
  // CHECK-DAG: %[[TRY:.*]] = llvm.mlir.constant(4 : i32) : i32
  // CHECK-DAG: %[[PARITY:.*]] = llvm.mlir.constant(1 : i32) : i32
  // CHECK: %[[WIDE:.*]] = llvm.zext %[[PHASE]] : i32 to i64
  // CHECK: llvm.call @tmemEmuMBarrierWait(%{{.*}}, %{{.*}}, %[[BAR]], %[[WIDE]], %[[LOOP]])
  // CHECK: %[[DONE:.*]] = llvm.call @tmemEmuMBarrierWait(%{{.*}}, %{{.*}}, %[[BAR]], %[[STATE]], %[[TRY]])
  // CHECK: %[[BIT:.*]] = llvm.icmp "ne" %[[DONE]], %{{.*}} : i32
  // CHECK: llvm.store %[[BIT]]
  // CHECK: llvm.call @tmemEmuMBarrierWait(%{{.*}}, %{{.*}}, %[[BAR]], %{{.*}}, %[[PARITY]])
  llvm.func @wait(%bar: !llvm.ptr<3>, %phase: i32, %state: i64, %out: !llvm.ptr) attributes {gpu.kernel} {
    nvvm.mbarrier.try_wait.parity %bar, %phase, %phase : !llvm.ptr<3>, i32, i32
    %a = nvvm.mbarrier.try_wait %bar, %state : !llvm.ptr<3>, i64 -> i1
    llvm.store %a, %out : i1, !llvm.ptr
    %b = nvvm.mbarrier.test.wait %bar, %phase : !llvm.ptr<3>, i32 -> i1
    llvm.store %b, %out : i1, !llvm.ptr
    llvm.return
  }

  // Loops around a wait in PTX block as well, in both of their shapes.

  // CHECK-LABEL: @__tmem_emu_kernels_loops(
  // CHECK-DAG: %[[LOOP:.*]] = llvm.mlir.constant(7 : i32) : i32
  // CHECK-DAG: %[[ONCE:.*]] = llvm.mlir.constant(5 : i32) : i32
  // CHECK: llvm.call @tmemEmuMBarrierWait({{.*}}, %[[LOOP]])
  // CHECK: llvm.call @tmemEmuMBarrierWait({{.*}}, %[[LOOP]])
  // CHECK: %[[DONE:.*]] = llvm.call @tmemEmuMBarrierWait({{.*}}, %[[ONCE]])
  // CHECK: %[[BIT:.*]] = llvm.icmp "ne" %[[DONE]],
  // CHECK: %[[WORD:.*]] = llvm.select %[[BIT]],
  // CHECK: llvm.store %[[WORD]]
  llvm.func @loops(%bar: !llvm.ptr<3>, %phase: i32, %out: !llvm.ptr) attributes {gpu.kernel} {
    llvm.inline_asm has_side_effects asm_dialect = att "{\0A\09.reg .pred       P1; \0A\09LAB_WAIT: \0A\09mbarrier.try_wait.parity.shared.b64 P1, [$0], $1, $2; \0A\09@P1 bra.uni DONE; \0A\09bra.uni     LAB_WAIT; \0A\09DONE: \0A\09}", "r,r,r" %bar, %phase, %phase : (!llvm.ptr<3>, i32, i32) -> ()
    llvm.inline_asm has_side_effects "{ .reg .pred p; again: mbarrier.try_wait.parity.shared::cta.b64 p, [$0], $1; @!p bra again; }", "r,r" %bar, %phase : (!llvm.ptr<3>, i32) -> ()
    %a = llvm.inline_asm has_side_effects "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [$1], $2; selp.b32 $0, 1, 0, p; }", "=r,r,r" %bar, %phase : (!llvm.ptr<3>, i32) -> i32
    llvm.store %a, %out : i32, !llvm.ptr
    llvm.return
  }
}

// CHECK: llvm.func internal @__tmem_emu_if_tmemEmuMBarrierInit(%[[P:.*]]: i1, %[[A:.*]]: !llvm.ptr, %[[B:.*]]: !llvm.ptr, %[[C:.*]]: !llvm.ptr, %[[D:.*]]: i32) attributes {always_inline}
// CHECK: llvm.cond_br %[[P]], ^[[CALL:.*]], ^
// CHECK: ^[[CALL]]:
// CHECK: llvm.call @tmemEmuMBarrierInit(%[[A]], %[[B]], %[[C]], %[[D]])
