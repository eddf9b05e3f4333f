// RUN: tmem-opt %s --emulate-tcgen05 | FileCheck %s

gpu.module @kernels {
  // Addresses in other blocks, from operations, intrinsics and PTX.

  // CHECK-LABEL: @__tmem_emu_kernels_addresses(
  // CHECK-SAME: %{{[^:]*}}: !llvm.ptr, %[[SHARED:[^:]*]]: !llvm.ptr, %[[GENERIC:[^:]*]]: !llvm.ptr, %[[RANK:[^:]*]]: i32,
  // CHECK: %[[A:.*]] = llvm.ptrtoint %[[SHARED]] : !llvm.ptr to i64
  // CHECK: %[[B:.*]] = llvm.call @tmemEmuMapShared(%{{.*}}, %{{.*}}, %[[A]], %[[RANK]])
  // CHECK: %[[C:.*]] = llvm.inttoptr %[[B]] : i64 to !llvm.ptr
  // CHECK: llvm.store %[[C]]
  // CHECK: %[[A:.*]] = llvm.ptrtoint %[[GENERIC]] : !llvm.ptr to i64
  // CHECK: llvm.call @tmemEmuMapShared(%{{.*}}, %{{.*}}, %[[A]], %[[RANK]])
  // CHECK: llvm.call @tmemEmuMapShared(
  // CHECK: llvm.call @tmemEmuMapShared(
  // CHECK: %[[WIDE:.*]] = llvm.call @tmemEmuMapShared(
  // CHECK: %[[LOW:.*]] = llvm.trunc %[[WIDE]] : i64 to i32
  // CHECK: llvm.store %[[LOW]]
  // CHECK: %[[WIDE:.*]] = llvm.call @tmemEmuMapShared(
  // CHECK: llvm.store %[[WIDE]]
  llvm.func @addresses(%shared: !llvm.ptr<3>, %generic: !llvm.ptr, %rank: i32, %out: !llvm.ptr<1>) attributes {gpu.kernel} {
    %a = nvvm.mapa %shared, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    llvm.store %a, %out : !llvm.ptr<7>, !llvm.ptr<1>
    %b = nvvm.mapa %generic, %rank : !llvm.ptr -> !llvm.ptr
    llvm.store %b, %out : !llvm.ptr, !llvm.ptr<1>
    %c = llvm.call_intrinsic "llvm.nvvm.mapa.shared.cluster"(%shared, %rank) : (!llvm.ptr<3>, i32) -> !llvm.ptr<7>
    llvm.store %c, %out : !llvm.ptr<7>, !llvm.ptr<1>
    %d = llvm.call_intrinsic "llvm.nvvm.mapa"(%generic, %rank) : (!llvm.ptr, i32) -> !llvm.ptr
    llvm.store %d, %out : !llvm.ptr, !llvm.ptr<1>
    %e = llvm.inline_asm "mapa.shared::cluster.u32 $0, $1, $2;", "=r,r,r" %shared, %rank : (!llvm.ptr<3>, i32) -> i32
    llvm.store %e, %out : i32, !llvm.ptr<1>
    %f = llvm.inline_asm "mapa.u64 $0, $1, $2;", "=l,l,r" %generic, %rank : (!llvm.ptr, i32) -> i64
    llvm.store %f, %out : i64, !llvm.ptr<1>
    llvm.return
  }

  // CHECK-LABEL: @__tmem_emu_kernels_questions(
  // CHECK-DAG: %[[WINDOW:.*]] = llvm.mlir.constant(262144 : i64) : i64
  // CHECK: %[[RANK:.*]] = llvm.call @tmemEmuGetCtaRank(
  // CHECK: llvm.store %[[RANK]]
  // CHECK: %[[RANK:.*]] = llvm.call @tmemEmuGetCtaRank(
  // CHECK: llvm.store %[[RANK]]
  // CHECK: llvm.getelementptr inbounds %{{.*}}[0, 6, 34]
  // CHECK: %[[YES:.*]] = llvm.icmp "ne"
  // CHECK: llvm.store %[[YES]]
  // CHECK: llvm.icmp "ult" %{{.*}}, %[[WINDOW]] : i64
  // CHECK: llvm.getelementptr inbounds %{{.*}}[0, 4]
  llvm.func @questions(%cluster: !llvm.ptr<7>, %generic: !llvm.ptr, %out: !llvm.ptr<1>) attributes {gpu.kernel} {
    %a = llvm.call_intrinsic "llvm.nvvm.getctarank.shared.cluster"(%cluster) : (!llvm.ptr<7>) -> i32
    llvm.store %a, %out : i32, !llvm.ptr<1>
    %b = llvm.inline_asm "getctarank.u64 $0, $1;", "=r,l" %generic : (!llvm.ptr) -> i32
    llvm.store %b, %out : i32, !llvm.ptr<1>
    %c = llvm.call_intrinsic "llvm.nvvm.is_explicit_cluster"() : () -> i1
    llvm.store %c, %out : i1, !llvm.ptr<1>
    %d = llvm.call_intrinsic "llvm.nvvm.isspacep.shared"(%generic) : (!llvm.ptr) -> i1
    llvm.store %d, %out : i1, !llvm.ptr<1>
    %e = llvm.call_intrinsic "llvm.nvvm.isspacep.shared.cluster"(%generic) : (!llvm.ptr) -> i1
    llvm.store %e, %out : i1, !llvm.ptr<1>
    llvm.return
  }

  // Flags: 1 write, 2 atomic, 4 .shared::cta, 8 .shared::cluster.

  // CHECK-LABEL: @__tmem_emu_kernels_accesses(
  // CHECK-SAME: %{{[^:]*}}: !llvm.ptr, %[[CTA:[^:]*]]: !llvm.ptr, %[[CLUSTER:[^:]*]]: !llvm.ptr,
  // CHECK-DAG: %[[OWN:.*]] = llvm.mlir.constant(4 : i32) : i32
  // CHECK-DAG: %[[LOAD:.*]] = llvm.mlir.constant(8 : i32) : i32
  // CHECK-DAG: %[[STORE:.*]] = llvm.mlir.constant(9 : i32) : i32
  // CHECK-DAG: %[[ATOMIC:.*]] = llvm.mlir.constant(11 : i32) : i32
  // CHECK: llvm.call @__tmem_emu_check_shared({{.*}}, %[[OWN]])
  // CHECK: llvm.load volatile %[[CTA]]
  // CHECK: llvm.call @__tmem_emu_check_shared({{.*}}, %[[LOAD]])
  // CHECK: llvm.load volatile %[[CLUSTER]]
  // CHECK: llvm.call @__tmem_emu_check_shared({{.*}}, %[[STORE]])
  // CHECK: llvm.store %{{.*}}, %[[CLUSTER]]
  // CHECK: llvm.call @__tmem_emu_check_shared({{.*}}, %[[ATOMIC]])
  // CHECK: llvm.atomicrmw add %[[CLUSTER]]
  llvm.func @accesses(%cta: !llvm.ptr<3>, %cluster: !llvm.ptr<7>, %value: i32) attributes {gpu.kernel} {
    %a = llvm.load volatile %cta : !llvm.ptr<3> -> i32
    %b = llvm.load volatile %cluster : !llvm.ptr<7> -> i32
    llvm.store %value, %cluster : i32, !llvm.ptr<7>
    %c = llvm.atomicrmw add %cluster, %value monotonic : !llvm.ptr<7>, i32
    llvm.return
  }
}
