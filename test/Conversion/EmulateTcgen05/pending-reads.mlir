// RUN: tmem-opt %s --emulate-tcgen05 | FileCheck %s

// A read that may come before the wait is checked by the number of its load.

gpu.module @kernels {
  // CHECK-LABEL: @__tmem_emu_kernels_no_wait(
  // CHECK-SAME: %[[THREAD:[^:]*]]: !llvm.ptr,
  // CHECK: %[[NUMBER:.*]] = llvm.call @tmemEmuLoad(
  // CHECK: %[[VALUE:.*]] = llvm.load
  // CHECK: %[[SITE:.*]] = llvm.getelementptr inbounds %{{.*}}[[[ADD_SITE:[0-9]+]]] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x i32>
  // CHECK: llvm.call @__tmem_emu_check_pending(%[[THREAD]], %[[SITE]], %[[NUMBER]])
  // CHECK-NEXT: llvm.add %[[VALUE]], %[[VALUE]]
  // CHECK-NOT: check_pending
  llvm.func @no_wait(%address: !llvm.ptr<6>, %out: !llvm.ptr) attributes {gpu.kernel} {
    %v = nvvm.tcgen05.ld %address {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32
    // Both reads are one check; the sum is no register of the load.
    %sum = llvm.add %v, %v : i32
    nvvm.tcgen05.wait <load>
    llvm.store %sum, %out : i32, !llvm.ptr
    llvm.return
  }

  // CHECK-LABEL: @__tmem_emu_kernels_wait_on_one_path(
  // CHECK: %[[NUMBER:.*]] = llvm.call @tmemEmuLoad(
  // CHECK: llvm.cond_br
  // CHECK: llvm.call @tmemEmuWaitLoad
  // CHECK: llvm.br
  // CHECK: llvm.call @__tmem_emu_check_pending(%{{.*}}, %{{.*}}, %[[NUMBER]])
  // CHECK-NEXT: llvm.store
  llvm.func @wait_on_one_path(%address: !llvm.ptr<6>, %out: !llvm.ptr, %c: i1) attributes {gpu.kernel} {
    %v = nvvm.tcgen05.ld %address {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32
    llvm.cond_br %c, ^bb1, ^bb2
  ^bb1:
    nvvm.tcgen05.wait <load>
    llvm.br ^bb2
  ^bb2:
    llvm.store %v, %out : i32, !llvm.ptr
    llvm.return
  }

  // A wait that only some threads execute is none.

  // CHECK-LABEL: @__tmem_emu_kernels_wait_with_predicate(
  // CHECK: llvm.call @__tmem_emu_if_tmemEmuWaitLoad(
  // CHECK: llvm.call @__tmem_emu_check_pending(
  llvm.func @wait_with_predicate(%address: !llvm.ptr<6>, %out: !llvm.ptr, %c: i1) attributes {gpu.kernel} {
    %v = nvvm.tcgen05.ld %address {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32
    llvm.inline_asm has_side_effects "@$0 tcgen05.wait::ld.sync.aligned;", "b" %c : (i1) -> ()
    llvm.store %v, %out : i32, !llvm.ptr
    llvm.return
  }

  // Elements of one vector may be from different loads: each has its number.

  // CHECK-LABEL: @__tmem_emu_kernels_elements(
  // CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i64) : i64
  // CHECK: %[[FIRST:.*]] = llvm.call @tmemEmuLoad(
  // CHECK: llvm.call @tmemEmuWaitLoad
  // CHECK: %[[NUMBER:.*]] = llvm.call @tmemEmuLoad(
  // CHECK: %[[ONE:.*]] = llvm.insertelement %[[NUMBER]], %{{.*}} : vector<2xi64>
  // CHECK: %[[ALL:.*]] = llvm.shufflevector %[[ONE]], %[[ONE]] [0, 0] : vector<2xi64>
  // CHECK: %[[MIXED:.*]] = llvm.insertelement %[[ZERO]], %[[ALL]]
  // CHECK: %[[LATEST:.*]] = "llvm.intr.vector.reduce.umax"(%[[MIXED]])
  // CHECK: llvm.call @__tmem_emu_check_pending(%{{.*}}, %{{.*}}, %[[LATEST]])
  // CHECK-NEXT: llvm.store
  llvm.func @elements(%address: !llvm.ptr<6>, %out: !llvm.ptr) attributes {gpu.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %a = nvvm.tcgen05.ld %address {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32
    nvvm.tcgen05.wait <load>
    %b = nvvm.tcgen05.ld %address {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<2xi32>
    %v = llvm.insertelement %a, %b[%c0 : i32] : vector<2xi32>
    llvm.store %v, %out : vector<2xi32>, !llvm.ptr
    llvm.return
  }

  // Two words in one element: the later load counts. One in two: it counts twice.

  // CHECK-LABEL: @__tmem_emu_kernels_bitcasts(
  // CHECK: %[[LOW:.*]] = llvm.shufflevector %[[ALL:.*]], %[[ALL]] [0, 2] : vector<4xi64>
  // CHECK: %[[HIGH:.*]] = llvm.shufflevector %[[ALL]], %[[ALL]] [1, 3] : vector<4xi64>
  // CHECK: %[[WIDE:.*]] = llvm.intr.umax(%[[LOW]], %[[HIGH]])
  // CHECK: %[[NARROW:.*]] = llvm.shufflevector %[[WIDE]], %[[WIDE]] [0, 0, 0, 0, 1, 1, 1, 1] : vector<2xi64>
  // CHECK: llvm.intr.vector.reduce.umax"(%[[NARROW]])
  llvm.func @bitcasts(%address: !llvm.ptr<6>, %out: !llvm.ptr) attributes {gpu.kernel} {
    %v = nvvm.tcgen05.ld %address {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>
    %wide = llvm.bitcast %v : vector<4xi32> to vector<2xi64>
    %narrow = llvm.bitcast %wide : vector<2xi64> to vector<8xi16>
    llvm.store %narrow, %out : vector<8xi16>, !llvm.ptr
    llvm.return
  }

  // CHECK-LABEL: @__tmem_emu_kernels_structs(
  // CHECK: %[[NUMBER:.*]] = llvm.call @tmemEmuLoad(
  // CHECK: %[[PAIR:.*]] = llvm.insertvalue %[[NUMBER]], %{{.*}}[1] : !llvm.struct<(i64, i64)>
  // CHECK: %[[BACK:.*]] = llvm.extractvalue %[[PAIR]][1] : !llvm.struct<(i64, i64)>
  // CHECK: %[[CHOSEN:.*]] = llvm.select %{{.*}}, %[[BACK]], %{{.*}} : i1, i64
  // CHECK: llvm.call @__tmem_emu_check_pending(%{{.*}}, %{{.*}}, %[[CHOSEN]])
  llvm.func @structs(%address: !llvm.ptr<6>, %out: !llvm.ptr, %c: i1, %other: i32) attributes {gpu.kernel} {
    %v = nvvm.tcgen05.ld %address {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32
    %none = llvm.mlir.undef : !llvm.struct<(i32, i32)>
    %pair = llvm.insertvalue %v, %none[1] : !llvm.struct<(i32, i32)>
    %back = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i32)>
    %frozen = llvm.freeze %back : i32
    %chosen = llvm.select %c, %frozen, %other : i1, i32
    llvm.store %chosen, %out : i32, !llvm.ptr
    llvm.return
  }

  // An instruction that copies a register reads it.

  // CHECK-LABEL: @__tmem_emu_kernels_copy(
  // CHECK: llvm.getelementptr inbounds %{{.*}}[[[MOVE_SITE:[0-9]+]]] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x i32>
  // CHECK: llvm.call @__tmem_emu_check_pending(
  // CHECK: llvm.call @tmemEmuWaitLoad
  // CHECK-NOT: check_pending
  // CHECK: llvm.return
  llvm.func @copy(%address: !llvm.ptr<6>, %out: !llvm.ptr) attributes {gpu.kernel} {
    %v = nvvm.tcgen05.ld %address {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32
    %copy = llvm.inline_asm "mov.b32 $0, $1;", "=r,r" %v : (i32) -> i32
    nvvm.tcgen05.wait <load>
    llvm.store %copy, %out : i32, !llvm.ptr
    llvm.return
  }

  // Calls, stores of Tensor Memory, conditions and results are reads.

  // CHECK-LABEL: @__tmem_emu_kernels_readers(
  // CHECK: llvm.call @__tmem_emu_check_pending(
  // CHECK-NEXT: llvm.call @__tmem_emu_kernels_callee(
  // CHECK: llvm.call @__tmem_emu_check_pending(
  // CHECK-NEXT: llvm.store
  // CHECK-NEXT: llvm.getelementptr
  // CHECK-NEXT: llvm.call @tmemEmuStore(
  // CHECK: llvm.call @__tmem_emu_check_pending(
  // CHECK-NEXT: llvm.switch
  // CHECK: llvm.call @__tmem_emu_check_pending(
  // CHECK-NEXT: llvm.return
  llvm.func @callee(%v: i32) {
    llvm.return
  }
  llvm.func @readers(%address: !llvm.ptr<6>) -> i32 {
    %a = nvvm.tcgen05.ld %address {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32
    llvm.call @callee(%a) : (i32) -> ()
    %b = nvvm.tcgen05.ld %address {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32
    nvvm.tcgen05.st %address, %b {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32
    %c = nvvm.tcgen05.ld %address {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32
    llvm.switch %c : i32, ^bb1 [
      0: ^bb1
    ]
  ^bb1:
    %d = nvvm.tcgen05.ld %address {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32
    llvm.return %d : i32
  }
}

// CHECK: @__tmem_emu_sites_0([{{.*}}\00llvm.add\00{{.*}}\00mov.b32\00
// CHECK: llvm.func internal @__tmem_emu_check_pending(%[[T:.*]]: !llvm.ptr, %[[S:.*]]: !llvm.ptr, %[[N:.*]]: i64) attributes {always_inline}
// CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[T]][0, 0]
// CHECK: %[[DONE:.*]] = llvm.load %[[P]] : !llvm.ptr -> i64
// CHECK: %[[EARLY:.*]] = llvm.icmp "ugt" %[[N]], %[[DONE]]
// CHECK: llvm.cond_br %[[EARLY]], ^[[CALL:.*]], ^
// CHECK: ^[[CALL]]:
// CHECK: llvm.call @tmemEmuPendingRead(%[[T]], %[[S]], %[[N]])
