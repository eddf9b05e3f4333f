// RUN: tmem-opt %s --emulate-tcgen05 | FileCheck %s

// Flags: 1 aligned, 2 arrive, 4 popc, 8 and, 16 or.

gpu.module @kernels {
  // CHECK-LABEL: @__tmem_emu_kernels_operations(
  // CHECK-SAME: %[[THREAD:[^:]*]]: !llvm.ptr, %[[ID:[^:]*]]: i32, %[[N:[^:]*]]: i32, %[[TEST:[^:]*]]: i32,
  // CHECK-DAG: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32) : i32
  // CHECK-DAG: %[[ALIGNED:.*]] = llvm.mlir.constant(1 : i32) : i32
  // CHECK-DAG: %[[POPC:.*]] = llvm.mlir.constant(5 : i32) : i32
  // CHECK-DAG: %[[ARRIVE:.*]] = llvm.mlir.constant(3 : i32) : i32
  // CHECK: llvm.call @tmemEmuBarrier(%[[THREAD]], %{{.*}}, %[[ZERO]], %[[ZERO]], %[[ALIGNED]], %[[ZERO]])
  // CHECK: llvm.call @tmemEmuBarrier(%[[THREAD]], %{{.*}}, %[[ID]], %[[N]], %[[ALIGNED]], %[[ZERO]])
  // CHECK: %[[BIT:.*]] = llvm.icmp "ne" %[[TEST]], %[[ZERO]] : i32
  // CHECK: %[[WIDE:.*]] = llvm.zext %[[BIT]] : i1 to i32
  // CHECK: %[[COUNT:.*]] = llvm.call @tmemEmuBarrier(%[[THREAD]], %{{.*}}, %[[ZERO]], %[[ZERO]], %[[POPC]], %[[WIDE]])
  // CHECK: llvm.store %[[COUNT]]
  // CHECK: llvm.call @tmemEmuBarrier(%[[THREAD]], %{{.*}}, %[[ID]], %[[N]], %[[ARRIVE]], %[[ZERO]])
  llvm.func @operations(%id: i32, %n: i32, %test: i32, %out: !llvm.ptr) attributes {gpu.kernel} {
    nvvm.barrier0
    nvvm.barrier id = %id number_of_threads = %n
    %count = nvvm.barrier #nvvm.reduction<popc> %test -> i32
    llvm.store %count, %out : i32, !llvm.ptr
    nvvm.barrier.arrive id = %id number_of_threads = %n
    llvm.return
  }

  // CHECK-LABEL: @__tmem_emu_kernels_intrinsics(
  // CHECK-SAME: %{{.*}}, %[[ID:[^:]*]]: i32, %[[N:[^:]*]]: i32, %[[TEST:[^:]*]]: i1,
  // CHECK-DAG: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32) : i32
  // CHECK-DAG: %[[ALIGNED:.*]] = llvm.mlir.constant(1 : i32) : i32
  // CHECK-DAG: %[[ARRIVE:.*]] = llvm.mlir.constant(2 : i32) : i32
  // CHECK-DAG: %[[AND:.*]] = llvm.mlir.constant(9 : i32) : i32
  // CHECK-DAG: %[[OR:.*]] = llvm.mlir.constant(16 : i32) : i32
  // CHECK: llvm.call @tmemEmuBarrier({{.*}}, %[[ID]], %[[ZERO]], %[[ALIGNED]], %[[ZERO]])
  // CHECK: llvm.call @tmemEmuBarrier({{.*}}, %[[ID]], %[[N]], %[[ZERO]], %[[ZERO]])
  // CHECK: llvm.call @tmemEmuBarrier({{.*}}, %[[ID]], %[[N]], %[[ARRIVE]], %[[ZERO]])
  // CHECK: %[[WIDE:.*]] = llvm.zext %[[TEST]] : i1 to i32
  // CHECK: %[[ALL:.*]] = llvm.call @tmemEmuBarrier({{.*}}, %[[ID]], %[[ZERO]], %[[AND]], %[[WIDE]])
  // CHECK: llvm.icmp "ne" %[[ALL]], %[[ZERO]] : i32
  // CHECK: llvm.call @tmemEmuBarrier({{.*}}, %[[ID]], %[[N]], %[[OR]], %{{.*}})
  llvm.func @intrinsics(%id: i32, %n: i32, %test: i1, %out: !llvm.ptr) attributes {gpu.kernel} {
    llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.all"(%id) : (i32) -> ()
    llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.count"(%id, %n) : (i32, i32) -> ()
    llvm.call_intrinsic "llvm.nvvm.barrier.cta.arrive.count"(%id, %n) : (i32, i32) -> ()
    %all = llvm.call_intrinsic "llvm.nvvm.barrier.cta.red.and.aligned.all"(%id, %test) : (i32, i1) -> i1
    llvm.store %all, %out : i1, !llvm.ptr
    %any = llvm.call_intrinsic "llvm.nvvm.barrier.cta.red.or.count"(%id, %n, %test) : (i32, i32, i1) -> i1
    llvm.return
  }

  // CHECK-LABEL: @__tmem_emu_kernels_fences(
  // CHECK-DAG: %[[MEMORY:.*]] = llvm.mlir.constant(2 : i32) : i32
  // CHECK-COUNT-6: llvm.call @tmemEmuFence(%{{.*}}, %{{.*}}, %[[MEMORY]])
  // CHECK-NOT: call @
  // CHECK: llvm.return
  llvm.func @fences() attributes {gpu.kernel} {
    nvvm.memory.barrier #nvvm.mem_scope<gpu>
    nvvm.fence.sc.cluster
    nvvm.fence.mbarrier.init
    llvm.call_intrinsic "llvm.nvvm.membar.cta"() : () -> ()
    llvm.inline_asm has_side_effects "fence.acq_rel.cluster;", "" : () -> ()
    llvm.fence syncscope("block") seq_cst
    // Proxies are not emulated, nor are the hints.
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<alias>}
    nvvm.griddepcontrol wait
    nvvm.setmaxregister increase 80
    llvm.return
  }

  // CHECK-LABEL: @__tmem_emu_kernels_warps_and_clusters(
  // CHECK-SAME: %{{.*}}, %[[MASK:[^:]*]]: i32)
  // Flags: 1 wait, 2 relaxed, 4 aligned.
  // CHECK-DAG: %[[ARRIVE:.*]] = llvm.mlir.constant(0 : i32) : i32
  // CHECK-DAG: %[[WAIT:.*]] = llvm.mlir.constant(1 : i32) : i32
  // CHECK-DAG: %[[RELAXED:.*]] = llvm.mlir.constant(2 : i32) : i32
  // CHECK-DAG: %[[ALIGNED:.*]] = llvm.mlir.constant(4 : i32) : i32
  // CHECK-DAG: %[[ALIGNED_WAIT:.*]] = llvm.mlir.constant(5 : i32) : i32
  // CHECK-DAG: %[[ALIGNED_RELAXED:.*]] = llvm.mlir.constant(6 : i32) : i32
  // CHECK: llvm.call @tmemEmuWarpSync(%{{.*}}, %{{.*}}, %[[MASK]])
  // CHECK: llvm.call @tmemEmuWarpSync(%{{.*}}, %{{.*}}, %[[MASK]])
  // CHECK: llvm.call @tmemEmuClusterBarrier(%{{.*}}, %{{.*}}, %[[ALIGNED]])
  // CHECK: llvm.call @tmemEmuClusterBarrier(%{{.*}}, %{{.*}}, %[[ALIGNED_WAIT]])
  // CHECK: llvm.call @tmemEmuClusterBarrier(%{{.*}}, %{{.*}}, %[[RELAXED]])
  // CHECK: llvm.call @tmemEmuClusterBarrier(%{{.*}}, %{{.*}}, %[[WAIT]])
  // CHECK: llvm.call @tmemEmuClusterBarrier(%{{.*}}, %{{.*}}, %[[ALIGNED_RELAXED]])
  // CHECK: llvm.call @tmemEmuClusterBarrier(%{{.*}}, %{{.*}}, %[[ALIGNED_WAIT]])
  // CHECK: llvm.call @tmemEmuClusterBarrier(%{{.*}}, %{{.*}}, %[[ARRIVE]])
  // CHECK: llvm.call @tmemEmuClusterBarrier(%{{.*}}, %{{.*}}, %[[WAIT]])
  // CHECK: llvm.call @tmemEmuYield(
  // CHECK: llvm.call @tmemEmuExit(
  llvm.func @warps_and_clusters(%mask: i32) attributes {gpu.kernel} {
    nvvm.bar.warp.sync %mask : i32
    llvm.call_intrinsic "llvm.nvvm.bar.warp.sync"(%mask) : (i32) -> ()
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    nvvm.cluster.arrive.relaxed
    nvvm.cluster.wait
    llvm.call_intrinsic "llvm.nvvm.barrier.cluster.arrive.relaxed.aligned"() : () -> ()
    llvm.call_intrinsic "llvm.nvvm.barrier.cluster.wait.aligned"() : () -> ()
    llvm.inline_asm has_side_effects "barrier.cluster.arrive.release;", "" : () -> ()
    llvm.inline_asm has_side_effects "barrier.cluster.wait.acquire;", "" : () -> ()
    nvvm.nanosleep %mask
    nvvm.exit
    llvm.return
  }
}
