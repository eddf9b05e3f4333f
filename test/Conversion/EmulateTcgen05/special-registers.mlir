// RUN: tmem-opt %s --emulate-tcgen05 | FileCheck %s

gpu.module @kernels {
  // Operations, intrinsics and PTX read the same field of the thread.

  // CHECK-LABEL: @__tmem_emu_kernels_spellings(
  // CHECK-SAME: %[[THREAD:[^:]*]]: !llvm.ptr,
  // CHECK-COUNT-4: llvm.getelementptr inbounds %[[THREAD]][0, 6, 7] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64, i64, i64, i64, i64, array<40 x i32>)>
  llvm.func @spellings(%out: !llvm.ptr) attributes {gpu.kernel} {
    %a = nvvm.read.ptx.sreg.ctaid.y : i32
    llvm.store %a, %out : i32, !llvm.ptr
    %b = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.ctaid.y"() : () -> i32
    llvm.store %b, %out : i32, !llvm.ptr
    %c = llvm.inline_asm "mov.u32 $0, %ctaid.y;", "=r" : () -> i32
    llvm.store %c, %out : i32, !llvm.ptr
    // Upstream's printer of PTX turns the '%' into a '$'.
    %d = nvvm.inline_ptx "mov.u32 $0, %ctaid.y;" -> i32
    llvm.store %d, %out : i32, !llvm.ptr
    llvm.return
  }

  // CHECK-LABEL: @__tmem_emu_kernels_names(
  // CHECK: [0, 6, 0]
  // CHECK: [0, 6, 12]
  // CHECK: [0, 6, 24]
  // CHECK: [0, 6, 24]
  // CHECK: [0, 6, 30]
  // CHECK: [0, 6, 33]
  // CHECK: [0, 6, 33]
  llvm.func @names(%out: !llvm.ptr) attributes {gpu.kernel} {
    %a = nvvm.read.ptx.sreg.tid.x range <i32, 0, 128> : i32
    llvm.store %a, %out : i32, !llvm.ptr
    %b = nvvm.read.ptx.sreg.laneid : i32
    llvm.store %b, %out : i32, !llvm.ptr
    %c = nvvm.read.ptx.sreg.cluster.ctaid.x : i32
    llvm.store %c, %out : i32, !llvm.ptr
    %d = llvm.inline_asm "mov.u32 $0, %cluster_ctaid.x;", "=r" : () -> i32
    llvm.store %d, %out : i32, !llvm.ptr
    %e = nvvm.read.ptx.sreg.cluster.ctarank : i32
    llvm.store %e, %out : i32, !llvm.ptr
    %f = nvvm.read.ptx.sreg.dynamic.smem.size : i32
    llvm.store %f, %out : i32, !llvm.ptr
    %g = llvm.inline_asm "mov.u32 $0, %dynamic_smem_size;", "=r" : () -> i32
    llvm.store %g, %out : i32, !llvm.ptr
    llvm.return
  }

  // CHECK-LABEL: @__tmem_emu_kernels_computed(
  // CHECK-DAG: %[[C32:.*]] = llvm.mlir.constant(32 : i32) : i32
  // CHECK-DAG: %[[ONE:.*]] = llvm.mlir.constant(1 : i32) : i32
  // CHECK-DAG: %[[ALL:.*]] = llvm.mlir.constant(-1 : i32) : i32
  // CHECK: llvm.store %[[C32]]
  // CHECK: %[[LANE:.*]] = llvm.load %{{.*}} invariant : !llvm.ptr -> i32
  // CHECK: %[[BIT:.*]] = llvm.shl %[[ONE]], %[[LANE]]
  // CHECK: %[[BELOW:.*]] = llvm.sub %[[BIT]], %[[ONE]]
  // CHECK: llvm.store %[[BELOW]]
  // CHECK: %[[BIT:.*]] = llvm.shl %[[ONE]],
  // CHECK: %[[BELOW:.*]] = llvm.sub %[[BIT]], %[[ONE]]
  // CHECK: %[[UPTO:.*]] = llvm.or %[[BELOW]], %[[BIT]]
  // CHECK: %[[ABOVE:.*]] = llvm.xor %[[UPTO]], %[[ALL]]
  // CHECK: llvm.store %[[ABOVE]]
  llvm.func @computed(%out: !llvm.ptr) attributes {gpu.kernel} {
    %a = nvvm.read.ptx.sreg.warpsize : i32
    llvm.store %a, %out : i32, !llvm.ptr
    %b = nvvm.read.ptx.sreg.lanemask.lt : i32
    llvm.store %b, %out : i32, !llvm.ptr
    %c = nvvm.read.ptx.sreg.lanemask.gt : i32
    llvm.store %c, %out : i32, !llvm.ptr
    llvm.return
  }

  // CHECK-LABEL: @__tmem_emu_kernels_timers(
  // CHECK-DAG: %[[CLOCK:.*]] = llvm.mlir.constant(0 : i32) : i32
  // CHECK-DAG: %[[GLOBAL:.*]] = llvm.mlir.constant(1 : i32) : i32
  // CHECK: %[[A:.*]] = llvm.call @tmemEmuReadTimer(%{{[^,]*}}, %[[CLOCK]]) : (!llvm.ptr, i32) -> i64
  // CHECK: llvm.store %[[A]]
  // CHECK: %[[B:.*]] = llvm.call @tmemEmuReadTimer(%{{[^,]*}}, %[[CLOCK]])
  // CHECK: llvm.trunc %[[B]] : i64 to i32
  // CHECK: llvm.call @tmemEmuReadTimer(%{{[^,]*}}, %[[GLOBAL]])
  llvm.func @timers(%out: !llvm.ptr) attributes {gpu.kernel} {
    %a = nvvm.read.ptx.sreg.clock64 : i64
    llvm.store %a, %out : i64, !llvm.ptr
    %b = nvvm.read.ptx.sreg.clock : i32
    llvm.store %b, %out : i32, !llvm.ptr
    %c = nvvm.read.ptx.sreg.globaltimer : i64
    llvm.store %c, %out : i64, !llvm.ptr
    llvm.return
  }
}
