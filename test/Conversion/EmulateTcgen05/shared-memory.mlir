// RUN: tmem-opt %s --emulate-tcgen05 | FileCheck %s

// Shared variables lie in a window; every access through a pointer that may
// point there is guarded. Flags: 1 write, 2 atomic, 4 through a shared pointer.

gpu.module @kernels {
  llvm.mlir.global internal @first() {addr_space = 3 : i32} : !llvm.array<3 x i8>
  llvm.mlir.global internal @second() {addr_space = 3 : i32} : i64

  // CHECK-LABEL: @__tmem_emu_kernels_pointers(
  // CHECK-SAME: %[[THREAD:[^:]*]]: !llvm.ptr,
  // CHECK-DAG: %[[OFFSET:.*]] = llvm.mlir.constant(8 : i64) : i64
  // CHECK-DAG: %[[READ:.*]] = llvm.mlir.constant(4 : i32) : i32
  // CHECK-DAG: %[[WRITE:.*]] = llvm.mlir.constant(5 : i32) : i32
  // CHECK-DAG: %[[BYTES:.*]] = llvm.mlir.constant(16 : i64) : i64
  // CHECK: %[[FIELD:.*]] = llvm.getelementptr inbounds %[[THREAD]][0, 2]
  // CHECK: %[[BEGIN:.*]] = llvm.load %[[FIELD]] invariant : !llvm.ptr -> i64
  // CHECK: %[[ADDRESS:.*]] = llvm.add %[[BEGIN]], %[[OFFSET]]
  // CHECK: %[[P:.*]] = llvm.inttoptr %[[ADDRESS]] : i64 to !llvm.ptr
  // CHECK: %[[A:.*]] = llvm.ptrtoint %[[P]] : !llvm.ptr to i64
  // CHECK: llvm.call @__tmem_emu_check_shared(%[[THREAD]], %{{.*}}, %[[A]], %[[OFFSET]], %[[READ]])
  // CHECK: %[[V:.*]] = llvm.load %[[P]] : !llvm.ptr -> i64
  // A 32-bit address leads back to the same place.
  // CHECK: %[[NARROW:.*]] = llvm.ptrtoint %[[P]] : !llvm.ptr to i32
  // CHECK: %[[BACK:.*]] = llvm.inttoptr %[[NARROW]] : i32 to !llvm.ptr
  // CHECK: llvm.call @__tmem_emu_check_shared(%[[THREAD]], %{{.*}}, %{{.*}}, %[[BYTES]], %[[WRITE]])
  // CHECK: llvm.store %{{.*}}, %[[BACK]]
  llvm.func @pointers(%v: vector<4xi32>, %out: !llvm.ptr) attributes {gpu.kernel} {
    %p = llvm.mlir.addressof @second : !llvm.ptr<3>
    %w = llvm.load %p : !llvm.ptr<3> -> i64
    llvm.store %w, %out : i64, !llvm.ptr
    %narrow = llvm.ptrtoint %p : !llvm.ptr<3> to i32
    %back = llvm.inttoptr %narrow : i32 to !llvm.ptr<3>
    llvm.store %v, %back : vector<4xi32>, !llvm.ptr<3>
    llvm.return
  }

  // Generic pointers of unknown origin have a test of their own; what is known
  // to be a thread's own or the host's has none.

  // CHECK-LABEL: @__tmem_emu_kernels_generic(
  // CHECK: llvm.call @__tmem_emu_check_generic(
  // CHECK-NEXT: llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
  // CHECK: llvm.call @__tmem_emu_check_generic(
  // CHECK-NEXT: llvm.store
  // CHECK: llvm.call @__tmem_emu_check_shared(
  // CHECK-NEXT: llvm.store
  // CHECK-NOT: check_
  // CHECK: llvm.return
  llvm.func @generic(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %v: i32) {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %q = llvm.load %p : !llvm.ptr -> !llvm.ptr
    llvm.store %v, %q : i32, !llvm.ptr
    %sg = llvm.addrspacecast %s : !llvm.ptr<3> to !llvm.ptr
    %si = llvm.getelementptr %sg[%v] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %v, %si : i32, !llvm.ptr
    %gg = llvm.addrspacecast %g : !llvm.ptr<1> to !llvm.ptr
    llvm.store %v, %gg : i32, !llvm.ptr
    llvm.store %v, %g : i32, !llvm.ptr<1>
    %own = llvm.alloca %c1 x i32 : (i32) -> !llvm.ptr
    llvm.store %v, %own : i32, !llvm.ptr
    llvm.return
  }

  // CHECK-LABEL: @__tmem_emu_kernels_kernel_arguments(
  // CHECK-NOT: check_
  // CHECK: llvm.return
  llvm.func @kernel_arguments(%p: !llvm.ptr, %v: i32) attributes {gpu.kernel} {
    %q = llvm.getelementptr %p[%v] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %v, %q : i32, !llvm.ptr
    llvm.return
  }

  // Atomics stay; those that order other accesses have fences around.

  // CHECK-LABEL: @__tmem_emu_kernels_atomics(
  // CHECK-DAG: %[[ATOMIC:.*]] = llvm.mlir.constant(7 : i32) : i32
  // CHECK-DAG: %[[MEMORY:.*]] = llvm.mlir.constant(2 : i32) : i32
  // CHECK: llvm.call @__tmem_emu_check_shared({{.*}}, %[[ATOMIC]])
  // CHECK-NEXT: llvm.atomicrmw volatile add %{{.*}}, %{{.*}} monotonic : !llvm.ptr, i32
  // CHECK: llvm.call @__tmem_emu_check_shared({{.*}}, %[[ATOMIC]])
  // CHECK: llvm.call @tmemEmuFence(%{{.*}}, %{{.*}}, %[[MEMORY]])
  // CHECK-NEXT: llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} acq_rel monotonic : !llvm.ptr, i32
  // CHECK: llvm.call @tmemEmuFence(%{{.*}}, %{{.*}}, %[[MEMORY]])
  // CHECK: llvm.call @tmemEmuFence(
  // CHECK-NEXT: llvm.load %{{.*}} atomic acquire {alignment = 4 : i64} : !llvm.ptr -> i32
  // CHECK: llvm.call @tmemEmuFence(
  llvm.func @atomics(%s: !llvm.ptr<3>, %v: i32, %out: !llvm.ptr) attributes {gpu.kernel} {
    %a = llvm.atomicrmw volatile add %s, %v syncscope("block") monotonic : !llvm.ptr<3>, i32
    %b = llvm.cmpxchg %s, %a, %v syncscope("block") acq_rel monotonic : !llvm.ptr<3>, i32
    %c = llvm.load %s atomic syncscope("device") acquire {alignment = 4 : i64} : !llvm.ptr<3> -> i32
    llvm.store %c, %out : i32, !llvm.ptr
    llvm.return
  }

  // CHECK-LABEL: @__tmem_emu_kernels_blocks(
  // CHECK-SAME: %{{.*}}, %[[N:[^:]*]]: i32)
  // CHECK-DAG: %[[READ:.*]] = llvm.mlir.constant(4 : i32) : i32
  // CHECK-DAG: %[[WRITE:.*]] = llvm.mlir.constant(5 : i32) : i32
  // CHECK: %[[BYTES:.*]] = llvm.zext %[[N]] : i32 to i64
  // CHECK: llvm.call @__tmem_emu_check_shared(%{{.*}}, %{{.*}}, %{{.*}}, %[[BYTES]], %[[READ]])
  // CHECK: llvm.call @__tmem_emu_check_shared(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[WRITE]])
  // CHECK: "llvm.intr.memcpy"
  // CHECK: llvm.call @__tmem_emu_check_shared(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[WRITE]])
  // CHECK: "llvm.intr.memset"
  llvm.func @blocks(%to: !llvm.ptr<3>, %from: !llvm.ptr<3>, %n: i32) attributes {gpu.kernel} {
    %c0 = llvm.mlir.constant(0 : i8) : i8
    "llvm.intr.memcpy"(%to, %from, %n) <{isVolatile = false}> : (!llvm.ptr<3>, !llvm.ptr<3>, i32) -> ()
    "llvm.intr.memset"(%to, %c0, %n) <{isVolatile = false}> : (!llvm.ptr<3>, i8, i32) -> ()
    llvm.return
  }

  // Lanes that are off access no bytes.

  // CHECK-LABEL: @__tmem_emu_kernels_masked(
  // CHECK-DAG: %[[NONE:.*]] = llvm.mlir.constant(0 : i64) : i64
  // CHECK-DAG: %[[FOUR:.*]] = llvm.mlir.constant(4 : i64) : i64
  // CHECK: %[[ON:.*]] = llvm.extractelement %{{.*}} : vector<2xi1>
  // CHECK: %[[A:.*]] = llvm.select %[[ON]],
  // CHECK: %[[N:.*]] = llvm.select %[[ON]], %[[FOUR]], %[[NONE]] : i1, i64
  // CHECK: llvm.call @__tmem_emu_check_shared(%{{.*}}, %{{.*}}, %[[A]], %[[N]],
  // CHECK: llvm.call @__tmem_emu_check_shared(
  // CHECK: llvm.intr.masked.store
  llvm.func @masked(%s: !llvm.ptr<3>, %v: vector<2xi32>, %m: vector<2xi1>) attributes {gpu.kernel} {
    llvm.intr.masked.store %v, %s, %m {alignment = 4 : i32} : vector<2xi32>, vector<2xi1> into !llvm.ptr<3>
    llvm.return
  }
}

// CHECK-LABEL: llvm.func internal @__tmem_emu_check_generic(
// CHECK-SAME: %[[T:.*]]: !llvm.ptr, %[[S:.*]]: !llvm.ptr, %[[A:.*]]: i64, %[[N:.*]]: i64, %[[F:.*]]: i32) attributes {always_inline}
// CHECK: getelementptr inbounds %[[T]][0, 4]
// CHECK: %[[ZONE:.*]] = llvm.sub %[[A]],
// CHECK: getelementptr inbounds %[[T]][0, 5]
// CHECK: %[[IN:.*]] = llvm.icmp "ult" %[[ZONE]],
// CHECK: llvm.cond_br %[[IN]], ^[[WINDOW:.*]], ^[[DONE:.*]]
// CHECK: ^[[WINDOW]]:
// CHECK: getelementptr inbounds %[[T]][0, 3]
// CHECK: %[[UNCHECKED:.*]] = llvm.load
// CHECK: getelementptr inbounds %[[T]][0, 2]
// CHECK: %[[OFFSET:.*]] = llvm.sub %[[A]],
// CHECK: %[[FITS:.*]] = llvm.icmp "ule" %[[N]], %[[UNCHECKED]]
// CHECK: %[[MOST:.*]] = llvm.sub %[[UNCHECKED]], %[[N]]
// CHECK: %[[INSIDE:.*]] = llvm.icmp "ule" %[[OFFSET]], %[[MOST]]
// CHECK: %[[PASSES:.*]] = llvm.and %[[FITS]], %[[INSIDE]]
// CHECK: llvm.cond_br %[[PASSES]], ^[[DONE]], ^
// CHECK: llvm.call @tmemEmuSharedAccess(%[[T]], %[[S]], %[[A]], %[[N]], %[[F]])
