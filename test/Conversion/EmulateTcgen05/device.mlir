// RUN: tmem-opt %s --pass-pipeline='builtin.module(emulate-tcgen05{mode=device})' | FileCheck %s

// On a GPU only what needs Tensor Memory is rewritten.

// CHECK: gpu.module @kernels {
gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  // CHECK: llvm.mlir.global internal @slot() {addr_space = 3 : i32} : i32
  llvm.mlir.global internal @slot() {addr_space = 3 : i32} : i32

  // CHECK: llvm.func @kernel(%[[P:[^:]*]]: !llvm.ptr<1>, %[[A:[^:]*]]: i32) attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 1024>} {
  // CHECK: %[[SITES:.*]] = llvm.mlir.addressof @__tmem_emu_sites_0 : !llvm.ptr<1>
  // CHECK: %[[ANY:.*]] = llvm.addrspacecast %[[SITES]] : !llvm.ptr<1> to !llvm.ptr
  // CHECK: %[[BUFFER:.*]] = llvm.alloca %{{.*}} x !llvm.array<4 x i32>
  // CHECK: %[[THREAD:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(i64, i64, i64, i64, i64, i64, array<40 x i32>)> {alignment = 8 : i64}
  // CHECK: %[[COLUMNS:.*]] = llvm.mlir.constant(512 : i32) : i32
  // CHECK: %[[EXCLUSIVE:.*]] = llvm.mlir.constant(512 : i32) : i32
  // CHECK: %[[GENERIC:.*]] = llvm.getelementptr inbounds %[[ANY]][{{[0-9]+}}]
  // CHECK: llvm.call @tmemEmuEnter(%[[THREAD]], %[[GENERIC]], %[[COLUMNS]], %[[EXCLUSIVE]]) {convergent}
  // CHECK: %[[SLOT:.*]] = llvm.mlir.addressof @slot : !llvm.ptr<3>
  // CHECK: %[[SLOT_ANY:.*]] = llvm.addrspacecast %[[SLOT]] : !llvm.ptr<3> to !llvm.ptr
  // CHECK: llvm.call @tmemEmuAlloc(%[[THREAD]], %{{.*}}, %[[SLOT_ANY]], %{{.*}}, %{{.*}}) {convergent}
  // CHECK: nvvm.barrier0
  // CHECK: llvm.load %[[SLOT]] : !llvm.ptr<3> -> i32
  // CHECK: nvvm.read.ptx.sreg.tid.x
  // CHECK: llvm.call @tmemEmuLoad(%[[THREAD]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[A]], %{{.*}}, %[[BUFFER]]) {convergent}
  // CHECK: %[[V:.*]] = llvm.load %[[BUFFER]]
  // CHECK: llvm.call @__tmem_emu_check_pending(%[[THREAD]],
  // CHECK-NEXT: llvm.store %[[V]], %[[P]] : vector<4xi32>, !llvm.ptr<1>
  // CHECK: llvm.call @callee(%[[THREAD]], %[[A]])
  // CHECK: llvm.call @vprintf(
  // CHECK: llvm.inline_asm has_side_effects "cp.async.wait_all;"
  // CHECK: llvm.call @tmemEmuLeave(%[[THREAD]], %{{.*}}) {convergent}
  // CHECK-NEXT: llvm.return
  llvm.func @kernel(%p: !llvm.ptr<1>, %a: !llvm.ptr<6>) attributes {gpu.kernel, nvvm.kernel} {
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    nvvm.tcgen05.alloc %slot, %c32 : !llvm.ptr<3>, i32
    nvvm.barrier0
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %v = nvvm.tcgen05.ld %a {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>
    llvm.store %v, %p : vector<4xi32>, !llvm.ptr<1>
    llvm.call @callee(%a) : (!llvm.ptr<6>) -> ()
    %g = llvm.addrspacecast %p : !llvm.ptr<1> to !llvm.ptr
    %n = llvm.call @vprintf(%g, %g) : (!llvm.ptr, !llvm.ptr) -> i32
    llvm.inline_asm has_side_effects "cp.async.wait_all;", "" : () -> ()
    llvm.return
  }

  // Pins and copies around a wait say nothing any more.

  // CHECK: llvm.func @callee(%[[THREAD:[^:]*]]: !llvm.ptr, %[[A:[^:]*]]: i32) {
  // CHECK: %[[V:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i32
  // CHECK: llvm.call @tmemEmuWaitLoad(%[[THREAD]], %{{.*}}) {convergent}
  // CHECK-NOT: inline_asm
  // CHECK: llvm.call @tmemEmuWriteCell(%[[THREAD]], %{{.*}}, %[[A]], %[[V]])
  // CHECK: llvm.call @tmemEmuLeave(%[[THREAD]],
  // CHECK-NEXT: nvvm.exit
  // CHECK-NEXT: llvm.return
  llvm.func @callee(%a: !llvm.ptr<6>) {
    %v = nvvm.tcgen05.ld %a {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32
    %pin = llvm.inline_asm has_side_effects "", "=r,0" %v : (i32) -> i32
    nvvm.tcgen05.wait <load>
    %w = llvm.inline_asm has_side_effects "mov.b32 $0, $1;", "=&r,r,~{memory}" %pin : (i32) -> i32
    %i = llvm.ptrtoint %a : !llvm.ptr<6> to i32
    llvm.call @tmem_emulation_write_cell(%i, %w) : (i32, i32) -> ()
    nvvm.exit
    llvm.return
  }
  llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
  llvm.func @tmem_emulation_write_cell(i32, i32)
}

// CHECK-NOT: @tmem_emulation_write_cell
// CHECK: llvm.mlir.global internal constant @__tmem_emu_sites_0([{{.*}}"kernel entry\00{{.*}}]) {addr_space = 1 : i32, alignment = 8 : i64}
// CHECK: llvm.func @tmemEmuEnter(!llvm.ptr, !llvm.ptr, i32, i32) attributes {convergent}

// Inline PTX with registers of its own, or that this pass cannot read, stays.

// CHECK: gpu.module @ptx {
// CHECK: llvm.inline_asm "mov.u32 $0, %laneid;"
// CHECK: llvm.inline_asm "mov.f32 $0, 0f3F800000;"
// CHECK: llvm.inline_asm "add.u32 $0, $1, $1;"
gpu.module @ptx {
  llvm.func @callee(%x: i32) {
    %a = llvm.inline_asm "mov.u32 $0, %laneid;", "=r" : () -> i32
    %b = llvm.inline_asm "mov.f32 $0, 0f3F800000;", "=f" : () -> f32
    %c = llvm.inline_asm "add.u32 $0, $1, $1;", "=r,r" %x : (i32) -> i32
    llvm.return
  }
}

// Other targets stay.

// CHECK: gpu.module @targets [#nvvm.target<chip = "sm_90">] {
gpu.module @targets [#nvvm.target<chip = "sm_100a">, #nvvm.target<chip = "sm_90">] {
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    llvm.return
  }
}
