// Instructions of the tensor core become calls, whichever way they are written.

// RUN: tmem-opt %s --pass-pipeline='builtin.module(emulate-tcgen05{mode=host})' | FileCheck %s

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // The flags are 1 for cta_group::2, and 2 where A lies in Tensor Memory.
    // CHECK-LABEL: @__tmem_emu_kernels_operations(
    // CHECK-SAME:    %[[T:.*]]: !llvm.ptr, %[[D:.*]]: i32, %[[A:.*]]: i64, %[[B:.*]]: i64, %[[I:.*]]: i32, %[[P:.*]]: i1, %[[M:.*]]: !llvm.ptr)
    llvm.func @operations(%d: !llvm.ptr<6>, %a: i64, %b: i64, %i: i32, %p: i1, %m: !llvm.ptr<3>) attributes {gpu.kernel} {
      %s = llvm.mlir.constant(5 : i64) : i64
      // CHECK-DAG: %[[C0:.*]] = llvm.mlir.constant(0 : i32) : i32
      // CHECK-DAG: %[[C1:.*]] = llvm.mlir.constant(1 : i32) : i32
      // CHECK-DAG: %[[C2:.*]] = llvm.mlir.constant(2 : i32) : i32
      // CHECK-DAG: %[[C3:.*]] = llvm.mlir.constant(3 : i32) : i32
      // CHECK: %[[ADD:.*]] = llvm.zext %[[P]] : i1 to i32
      // CHECK: llvm.call @tmemEmuMma(%[[T]], %{{.*}}, %[[C0]], %[[C0]], %[[D]], %[[A]], %[[B]], %[[I]], %[[ADD]], %[[C0]])
      nvvm.tcgen05.mma %d, %a, %b, %i, %p {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
      // CHECK: %[[SCALE:.*]] = llvm.trunc %{{.*}} : i64 to i32
      // CHECK: llvm.call @tmemEmuMma(%[[T]], %{{.*}}, %[[C1]], %[[C1]], %[[D]], %[[A]], %[[B]], %[[I]], %{{.*}}, %[[SCALE]])
      nvvm.tcgen05.mma %d, %a, %b, %i, %p scale = %s {kind = #nvvm.tcgen05_mma_kind<tf32>, ctaGroup = #nvvm.cta_group<cta_2>, collectorOp = #nvvm.tcgen05_mma_collectorop<fill>} : (!llvm.ptr<6>, i64, i64, i32, i1, i64)
      // CHECK: %[[TENSOR_A:.*]] = llvm.zext %[[D]] : i32 to i64
      // CHECK: llvm.call @tmemEmuMma(%[[T]], %{{.*}}, %[[C3]], %[[C2]], %[[D]], %[[TENSOR_A]], %[[B]], %[[I]], %{{.*}}, %[[C0]])
      nvvm.tcgen05.mma %d, %d, %b, %i, %p {kind = #nvvm.tcgen05_mma_kind<i8>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1)
      // CHECK: llvm.call @tmemEmuTensorCopy(%[[T]], %{{.*}}, %[[C3]], %[[C0]], %[[D]], %[[A]])
      nvvm.tcgen05.cp %d, %a {shape = #nvvm.tcgen05_cp_shape<shape_64x128b>, multicast = #nvvm.tcgen05_cp_multicast<warpx2_01_23>}
      // CHECK: llvm.call @tmemEmuTensorShift(%[[T]], %{{.*}}, %[[C1]], %[[D]])
      nvvm.tcgen05.shift %d {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>
      // CHECK: llvm.call @tmemEmuCommit(%[[T]], %{{.*}}, %[[M]], %[[C0]])
      nvvm.tcgen05.commit %m : !llvm.ptr<3>
      llvm.return
    }

    // CHECK-LABEL: @__tmem_emu_kernels_intrinsics(
    llvm.func @intrinsics(%d: !llvm.ptr<6>, %a: i64, %i: i32, %p: i1, %g: !llvm.ptr) attributes {gpu.kernel} {
      // CHECK-DAG: %[[C0:.*]] = llvm.mlir.constant(0 : i32) : i32
      // CHECK-DAG: %[[C1:.*]] = llvm.mlir.constant(1 : i32) : i32
      // CHECK-DAG: %[[C2:.*]] = llvm.mlir.constant(2 : i32) : i32
      %f8 = llvm.mlir.constant(2 : i32) : i32
      %pair = llvm.mlir.constant(2 : i32) : i32
      // CHECK: llvm.call @tmemEmuMma(%{{.*}}, %{{.*}}, %[[C2]], %[[C1]],
      llvm.call_intrinsic "llvm.nvvm.tcgen05.mma.shared"(%d, %a, %a, %i, %p, %f8, %pair, %f8) : (!llvm.ptr<6>, i64, i64, i32, i1, i32, i32, i32) -> ()
      // CHECK: llvm.call @tmemEmuTensorCopy(%{{.*}}, %{{.*}}, %[[C2]], %[[C1]],
      llvm.call_intrinsic "llvm.nvvm.tcgen05.cp.64x128b_warpx2_02_13.cg2"(%d, %a) : (!llvm.ptr<6>, i64) -> ()
      // CHECK: llvm.call @tmemEmuTensorShift(%{{.*}}, %{{.*}}, %[[C0]],
      llvm.call_intrinsic "llvm.nvvm.tcgen05.shift.down.cg1"(%d) : (!llvm.ptr<6>) -> ()
      // CHECK: llvm.call @tmemEmuCommit(%{{.*}}, %{{.*}}, %{{.*}}, %[[C1]])
      llvm.call_intrinsic "llvm.nvvm.tcgen05.commit.cg2"(%g) : (!llvm.ptr) -> ()
      llvm.return
    }

    // A predicate guards the call.
    // CHECK-LABEL: @__tmem_emu_kernels_ptx(
    llvm.func @ptx(%d: i32, %a: i64, %p: i32) attributes {gpu.kernel} {
      // CHECK: %[[P:.*]] = llvm.icmp "ne"
      // CHECK: llvm.call @__tmem_emu_if_tmemEmuMma(%[[P]],
      // CHECK: llvm.call @__tmem_emu_if_tmemEmuCommit(%[[P]],
      llvm.inline_asm has_side_effects "{ .reg .pred p; setp.ne.b32 p, $3, 0; @p tcgen05.mma.cta_group::1.kind::f16.collector::a::lastuse [$0], $1, $1, $2, 1; @p tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$2]; }", "r,l,r,r" %d, %a, %d, %p : (i32, i64, i32, i32) -> ()
      // CHECK: %[[AT:.*]] = llvm.add %{{.*}}
      // CHECK: llvm.call @tmemEmuTensorCopy(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[AT]],
      llvm.inline_asm has_side_effects "tcgen05.cp.cta_group::1.32x128b.warpx4 [$0 + 4], $1;", "r,l" %d, %a : (i32, i64) -> ()
      llvm.return
    }

    // Fences of the proxy through which shared memory is read.
    // CHECK-LABEL: @__tmem_emu_kernels_proxies(
    llvm.func @proxies() attributes {gpu.kernel} {
      // CHECK: %[[PROXY:.*]] = llvm.mlir.constant(3 : i32) : i32
      // CHECK-COUNT-5: llvm.call @tmemEmuFence(%{{.*}}, %{{.*}}, %[[PROXY]])
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      llvm.call_intrinsic "llvm.nvvm.fence.proxy.async"() : () -> ()
      llvm.call_intrinsic "llvm.nvvm.fence.proxy.async.shared_cta"() : () -> ()
      llvm.inline_asm has_side_effects "fence.proxy.async.shared::cta;", "" : () -> ()
      // CHECK-NOT: call
      // CHECK: llvm.return
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.global>}
      llvm.call_intrinsic "llvm.nvvm.fence.proxy.alias"() : () -> ()
      llvm.inline_asm has_side_effects "fence.proxy.async.global;", "" : () -> ()
      llvm.return
    }

    // The fields of a descriptor, as NVVM puts them together.
    // CHECK-LABEL: @__tmem_emu_kernels_descriptor(
    llvm.func @descriptor(%s: i32, %l: i32, %t: i32, %o: i8, %m: i1, %w: i8) -> i64 {
      // CHECK-DAG: llvm.mlir.constant(70368744177664 : i64)
      // CHECK: llvm.shl
      // CHECK-NOT: mma_smem_desc
      // CHECK: llvm.return
      %d = nvvm.tcgen05.mma_smem_desc(%s, %l, %t, %o, %m, %w) : (i32, i32, i32, i8, i1, i8) -> i64
      llvm.return %d : i64
    }
  }
}
