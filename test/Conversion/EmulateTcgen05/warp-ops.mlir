// RUN: tmem-opt %s --emulate-tcgen05 | FileCheck %s

gpu.module @kernels {
  // Kinds: 0 idx, 1 up, 2 down, 3 bfly. The predicate is bit 32.

  // CHECK-LABEL: @__tmem_emu_kernels_shuffles(
  // CHECK-SAME: %[[THREAD:[^:]*]]: !llvm.ptr, %[[M:[^:]*]]: i32, %[[V:[^:]*]]: i32, %[[F:[^:]*]]: f32, %[[O:[^:]*]]: i32, %[[C:[^:]*]]: i32,
  // CHECK-DAG: %[[BFLY:.*]] = llvm.mlir.constant(3 : i32) : i32
  // CHECK-DAG: %[[UP:.*]] = llvm.mlir.constant(1 : i32) : i32
  // CHECK-DAG: %[[IDX:.*]] = llvm.mlir.constant(0 : i32) : i32
  // CHECK-DAG: %[[C32:.*]] = llvm.mlir.constant(32 : i64) : i64
  // CHECK: %[[R:.*]] = llvm.call @tmemEmuShuffle(%[[THREAD]], %{{.*}}, %[[BFLY]], %[[M]], %[[V]], %[[O]], %[[C]])
  // CHECK: %[[LOW:.*]] = llvm.trunc %[[R]] : i64 to i32
  // CHECK: llvm.store %[[LOW]]
  // CHECK: %[[BITS:.*]] = llvm.bitcast %[[F]] : f32 to i32
  // CHECK: %[[R:.*]] = llvm.call @tmemEmuShuffle(%[[THREAD]], %{{.*}}, %[[UP]], %[[M]], %[[BITS]], %[[O]], %[[C]])
  // CHECK: %[[LOW:.*]] = llvm.trunc %[[R]] : i64 to i32
  // CHECK: %[[BACK:.*]] = llvm.bitcast %[[LOW]] : i32 to f32
  // CHECK: %[[HIGH:.*]] = llvm.lshr %[[R]], %[[C32]]
  // CHECK: %[[P:.*]] = llvm.trunc %[[HIGH]] : i64 to i1
  // CHECK: %[[S:.*]] = llvm.insertvalue %[[BACK]], %{{.*}}[0]
  // CHECK: llvm.insertvalue %[[P]], %[[S]][1] : !llvm.struct<(f32, i1)>
  // CHECK: llvm.call @tmemEmuShuffle(%[[THREAD]], %{{.*}}, %[[IDX]], %[[M]], %[[V]], %[[O]], %[[C]])
  llvm.func @shuffles(%m: i32, %v: i32, %f: f32, %o: i32, %c: i32, %out: !llvm.ptr) attributes {gpu.kernel} {
    %a = nvvm.shfl.sync bfly %m, %v, %o, %c : i32 -> i32
    llvm.store %a, %out : i32, !llvm.ptr
    %b = nvvm.shfl.sync up %m, %f, %o, %c {return_value_and_is_valid} : f32 -> !llvm.struct<(f32, i1)>
    llvm.store %b, %out : !llvm.struct<(f32, i1)>, !llvm.ptr
    %i = llvm.call_intrinsic "llvm.nvvm.shfl.sync.idx.i32p"(%m, %v, %o, %c) : (i32, i32, i32, i32) -> !llvm.struct<(i32, i1)>
    llvm.return
  }

  // Kinds: 0 any, 1 all, 2 ballot, 3 uni.

  // CHECK-LABEL: @__tmem_emu_kernels_votes(
  // CHECK-SAME: %{{.*}}, %[[M:[^:]*]]: i32, %[[P:[^:]*]]: i1,
  // CHECK-DAG: %[[BALLOT:.*]] = llvm.mlir.constant(2 : i32) : i32
  // CHECK-DAG: %[[ANY:.*]] = llvm.mlir.constant(0 : i32) : i32
  // CHECK-DAG: %[[UNI:.*]] = llvm.mlir.constant(3 : i32) : i32
  // CHECK: %[[WIDE:.*]] = llvm.zext %[[P]] : i1 to i32
  // CHECK: %[[R:.*]] = llvm.call @tmemEmuVote(%{{.*}}, %{{.*}}, %[[BALLOT]], %[[M]], %[[WIDE]])
  // CHECK: llvm.store %[[R]]
  // CHECK: %[[R:.*]] = llvm.call @tmemEmuVote(%{{.*}}, %{{.*}}, %[[ANY]], %[[M]], %{{.*}})
  // CHECK: llvm.icmp "ne" %[[R]], %{{.*}} : i32
  // CHECK: llvm.call @tmemEmuVote(%{{.*}}, %{{.*}}, %[[UNI]], %[[M]], %{{.*}})
  llvm.func @votes(%m: i32, %p: i1, %out: !llvm.ptr) attributes {gpu.kernel} {
    %a = nvvm.vote.sync ballot %m, %p -> i32
    llvm.store %a, %out : i32, !llvm.ptr
    %b = nvvm.vote.sync any %m, %p -> i1
    llvm.store %b, %out : i1, !llvm.ptr
    %c = llvm.call_intrinsic "llvm.nvvm.vote.uni.sync"(%m, %p) : (i32, i1) -> i1
    llvm.return
  }

  // CHECK-LABEL: @__tmem_emu_kernels_election(
  // CHECK-DAG: %[[ALL:.*]] = llvm.mlir.constant(-1 : i32) : i32
  // CHECK: llvm.call @tmemEmuElect(%{{.*}}, %{{.*}}, %[[ALL]])
  // CHECK: %[[R:.*]] = llvm.call @tmemEmuElect(%{{.*}}, %{{.*}}, %[[M:[^)]*]])
  // CHECK: llvm.trunc %[[R]] : i64 to i32
  // CHECK: llvm.insertvalue %{{.*}}[1] : !llvm.struct<(i32, i1)>
  llvm.func @election(%m: i32, %out: !llvm.ptr) attributes {gpu.kernel} {
    %a = nvvm.elect.sync -> i1
    llvm.store %a, %out : i1, !llvm.ptr
    %b = llvm.call_intrinsic "llvm.nvvm.elect.sync"(%m) : (i32) -> !llvm.struct<(i32, i1)>
    llvm.store %b, %out : !llvm.struct<(i32, i1)>, !llvm.ptr
    llvm.return
  }

  // CHECK-LABEL: @__tmem_emu_kernels_matches(
  // CHECK-SAME: %{{.*}}, %[[M:[^:]*]]: i32, %[[V:[^:]*]]: i32, %[[W:[^:]*]]: i64,
  // CHECK-DAG: %[[ANY:.*]] = llvm.mlir.constant(0 : i32) : i32
  // CHECK-DAG: %[[ALL:.*]] = llvm.mlir.constant(1 : i32) : i32
  // CHECK: %[[WIDE:.*]] = llvm.zext %[[V]] : i32 to i64
  // CHECK: llvm.call @tmemEmuMatch(%{{.*}}, %{{.*}}, %[[ANY]], %[[M]], %[[WIDE]])
  // CHECK: llvm.call @tmemEmuMatch(%{{.*}}, %{{.*}}, %[[ALL]], %[[M]], %[[W]])
  // CHECK: llvm.insertvalue %{{.*}}[1] : !llvm.struct<(i32, i1)>
  llvm.func @matches(%m: i32, %v: i32, %w: i64, %out: !llvm.ptr) attributes {gpu.kernel} {
    %a = nvvm.match.sync any %m, %v : i32 -> i32
    llvm.store %a, %out : i32, !llvm.ptr
    %b = nvvm.match.sync all %m, %w : i64 -> !llvm.struct<(i32, i1)>
    llvm.store %b, %out : !llvm.struct<(i32, i1)>, !llvm.ptr
    llvm.return
  }

  // Kinds: 1 umin, 8 fmin.

  // CHECK-LABEL: @__tmem_emu_kernels_reductions(
  // CHECK-SAME: %{{.*}}, %[[M:[^:]*]]: i32, %[[V:[^:]*]]: i32, %[[F:[^:]*]]: f32,
  // CHECK-DAG: %[[NO:.*]] = llvm.mlir.constant(0 : i32) : i32
  // CHECK-DAG: %[[ONE:.*]] = llvm.mlir.constant(1 : i32) : i32
  // CHECK-DAG: %[[FMIN:.*]] = llvm.mlir.constant(8 : i32) : i32
  // CHECK: llvm.call @tmemEmuRedux(%{{.*}}, %{{.*}}, %[[ONE]], %[[M]], %[[V]], %[[NO]], %[[NO]])
  // CHECK: %[[BITS:.*]] = llvm.bitcast %[[F]] : f32 to i32
  // CHECK: %[[R:.*]] = llvm.call @tmemEmuRedux(%{{.*}}, %{{.*}}, %[[FMIN]], %[[M]], %[[BITS]], %[[ONE]], %[[NO]])
  // CHECK: llvm.bitcast %[[R]] : i32 to f32
  // CHECK: llvm.call @tmemEmuRedux(%{{.*}}, %{{.*}}, %[[FMIN]], %[[M]], %{{.*}}, %[[ONE]], %[[ONE]])
  llvm.func @reductions(%m: i32, %v: i32, %f: f32, %out: !llvm.ptr) attributes {gpu.kernel} {
    %a = nvvm.redux.sync umin %v, %m : i32 -> i32
    llvm.store %a, %out : i32, !llvm.ptr
    %b = nvvm.redux.sync fmin %f, %m {abs = true} : f32 -> f32
    llvm.store %b, %out : f32, !llvm.ptr
    %c = llvm.call_intrinsic "llvm.nvvm.redux.sync.fmin.abs.NaN"(%f, %m) : (f32, i32) -> f32
    llvm.return
  }
}
