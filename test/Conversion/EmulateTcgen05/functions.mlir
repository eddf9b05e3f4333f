// RUN: tmem-opt %s --emulate-tcgen05 | FileCheck %s

// Functions and variables move under new names, without what holds on a GPU
// only. Definitions get the thread as their first argument.

gpu.module @kernels {
  // CHECK-DAG: llvm.mlir.global internal constant @__tmem_emu_kernels_table(dense<[1, 2]> : tensor<2xi32>) {{.*}}: !llvm.array<2 x i32>
  // CHECK-DAG: llvm.mlir.global internal @__tmem_emu_kernels_counter(0 : i32)
  // CHECK-DAG: llvm.mlir.global internal @__tmem_emu_kernels_pointer()
  // CHECK-DAG: llvm.mlir.addressof @__tmem_emu_kernels_counter : !llvm.ptr
  // CHECK-DAG: llvm.func @__nv_sinf(f32) -> f32
  // CHECK-DAG: llvm.func @malloc(i64) -> !llvm.ptr
  // CHECK-NOT: addr_space
  llvm.mlir.global internal constant @table(dense<[1, 2]> : tensor<2xi32>) {addr_space = 4 : i32} : !llvm.array<2 x i32>
  llvm.mlir.global external @counter(0 : i32) {addr_space = 1 : i32} : i32
  llvm.mlir.global internal @pointer() {addr_space = 1 : i32} : !llvm.ptr {
    %a = llvm.mlir.addressof @counter : !llvm.ptr<1>
    %g = llvm.addrspacecast %a : !llvm.ptr<1> to !llvm.ptr
    llvm.return %g : !llvm.ptr
  }
  llvm.func @__nv_sinf(f32) -> f32 attributes {target_cpu = "sm_100a"}
  llvm.func @malloc(i64) -> !llvm.ptr
  llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
  llvm.func @__assertfail(!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, i64)

  // CHECK-LABEL: llvm.func internal @__tmem_emu_kernels_callee(
  // CHECK-SAME: %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr {llvm.noundef}, %{{.*}}: f32) -> f32 {
  // CHECK: llvm.call @__nv_sinf(%{{.*}}) : (f32) -> f32
  // CHECK: llvm.call @malloc(
  llvm.func @callee(%p: !llvm.ptr<3> {llvm.noundef}, %x: f32) -> f32 attributes {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, target_cpu = "sm_100a"} {
    %y = llvm.call @__nv_sinf(%x) : (f32) -> f32
    %c8 = llvm.mlir.constant(8 : i64) : i64
    %m = llvm.call @malloc(%c8) : (i64) -> !llvm.ptr
    llvm.return %y : f32
  }

  // CHECK-LABEL: llvm.func internal @__tmem_emu_kernels_caller(
  // CHECK-SAME: %[[THREAD:[^:]*]]: !llvm.ptr,
  // CHECK: llvm.call @__tmem_emu_kernels_callee(%[[THREAD]], %{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr {llvm.noundef}, f32) -> f32
  // CHECK: llvm.mlir.addressof @__tmem_emu_kernels_counter : !llvm.ptr
  // CHECK: llvm.atomicrmw
  // CHECK: %[[F:.*]] = llvm.mlir.addressof @__tmem_emu_kernels_callee : !llvm.ptr
  // CHECK: llvm.call %[[F]](%[[THREAD]], %{{.*}}, %{{.*}}) : !llvm.ptr, (!llvm.ptr, !llvm.ptr, f32) -> f32
  llvm.func @caller(%p: !llvm.ptr<3>, %x: f32, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, passthrough = ["nounwind"]} {
    %y = llvm.call @callee(%p, %x) : (!llvm.ptr<3> {llvm.noundef}, f32) -> f32
    llvm.store %y, %out : f32, !llvm.ptr
    %a = llvm.mlir.addressof @counter : !llvm.ptr<1>
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %old = llvm.atomicrmw add %a, %c1 monotonic : !llvm.ptr<1>, i32
    %f = llvm.mlir.addressof @callee : !llvm.ptr
    %z = llvm.call %f(%p, %x) : !llvm.ptr, (!llvm.ptr<3>, f32) -> f32
    llvm.return
  }

  // CHECK-LABEL: llvm.func internal @__tmem_emu_kernels_host_calls(
  // CHECK-SAME: %[[THREAD:[^:]*]]: !llvm.ptr, %[[FORMAT:[^:]*]]: !llvm.ptr, %[[ARGS:[^:]*]]: !llvm.ptr, %[[LINE:[^:]*]]: i32,
  // CHECK: llvm.call @tmemEmuPrintf(%[[THREAD]], %[[FORMAT]], %[[ARGS]]) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  // CHECK: llvm.call @tmemEmuAssertFail(%[[THREAD]], %{{.*}}, %[[FORMAT]], %[[FORMAT]], %[[LINE]], %[[FORMAT]])
  // CHECK: llvm.call @tmemEmuTrap(%[[THREAD]],
  // CHECK-NOT: llvm.intr.trap
  // CHECK: llvm.call @tmemEmuTrap(%[[THREAD]],
  // CHECK-NEXT: llvm.unreachable
  llvm.func @host_calls(%format: !llvm.ptr, %args: !llvm.ptr, %line: i32, %size: i64) attributes {gpu.kernel} {
    %n = llvm.call @vprintf(%format, %args) : (!llvm.ptr, !llvm.ptr) -> i32
    llvm.call @__assertfail(%format, %format, %line, %format, %size) : (!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, i64) -> ()
    "llvm.intr.trap"() : () -> ()
    llvm.unreachable
  }

  // An address of Tensor Memory is an i32 wherever it goes.

  // CHECK-LABEL: llvm.func internal @__tmem_emu_kernels_addresses(
  // CHECK-SAME: %{{.*}}: !llvm.ptr, %[[A:[^:]*]]: i32, %[[W:[^:]*]]: i64, %[[C:[^:]*]]: i1, %[[OUT:[^:]*]]: !llvm.ptr)
  // CHECK: %[[NULL:.*]] = llvm.mlir.constant(0 : i32) : i32
  // CHECK: %[[N:.*]] = llvm.trunc %[[W]] : i64 to i32
  // CHECK: %[[S:.*]] = llvm.select %[[C]], %[[A]], %[[N]] : i1, i32
  // CHECK: llvm.store %[[S]], %[[OUT]] : i32, !llvm.ptr
  // CHECK: llvm.icmp "eq" %[[A]], %[[NULL]] : i32
  // CHECK: llvm.zext %[[A]] : i32 to i64
  llvm.func @addresses(%a: !llvm.ptr<6>, %w: i64, %c: i1, %out: !llvm.ptr) attributes {gpu.kernel} {
    %null = llvm.mlir.zero : !llvm.ptr<6>
    %n = llvm.inttoptr %w : i64 to !llvm.ptr<6>
    %s = llvm.select %c, %a, %n : i1, !llvm.ptr<6>
    llvm.store %s, %out : !llvm.ptr<6>, !llvm.ptr
    %e = llvm.icmp "eq" %a, %null : !llvm.ptr<6>
    %i = llvm.ptrtoint %a : !llvm.ptr<6> to i64
    llvm.return
  }
}
