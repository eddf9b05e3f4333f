// RUN: tmem-opt %s --emulate-tcgen05 | FileCheck %s

// Numbers go through block arguments where a value is read before any wait
// there, and only for values that are.

gpu.module @kernels {
  // CHECK-LABEL: @__tmem_emu_kernels_second_iteration(
  // CHECK: %[[NONE:.*]] = llvm.mlir.constant(0 : i64) : i64
  // CHECK: llvm.call @tmemEmuWaitLoad
  // CHECK: llvm.br ^[[LOOP:.*]](%{{.*}}, %{{.*}}, %[[NONE]] : i32, i32, i64)
  // CHECK: ^[[LOOP]](%[[P:.*]]: i32, %{{.*}}: i32, %[[NUMBER:.*]]: i64):
  // CHECK: llvm.call @__tmem_emu_check_pending(%{{.*}}, %{{.*}}, %[[NUMBER]])
  // CHECK-NEXT: llvm.store %[[P]],
  // CHECK: %[[NEXT:.*]] = llvm.call @tmemEmuLoad(
  // CHECK: llvm.cond_br %{{.*}}, ^[[LOOP]](%{{.*}}, %{{.*}}, %[[NEXT]] : i32, i32, i64), ^
  llvm.func @second_iteration(%address: !llvm.ptr<6>, %out: !llvm.ptr, %n: i32) attributes {gpu.kernel} {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %v = nvvm.tcgen05.ld %address {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32
    nvvm.tcgen05.wait <load>
    llvm.br ^bb1(%v, %n : i32, i32)
  ^bb1(%p: i32, %i: i32):
    llvm.store %p, %out : i32, !llvm.ptr
    %next = nvvm.tcgen05.ld %address {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32
    %less = llvm.sub %i, %c1 : i32
    %more = llvm.icmp "ne" %less, %c1 : i32
    llvm.cond_br %more, ^bb1(%next, %less : i32, i32), ^bb2
  ^bb2:
    nvvm.tcgen05.wait <load>
    llvm.return
  }

  // The two arms of a conditional branch may lead to one block, and a switch
  // may lead there several times.

  // CHECK-LABEL: @__tmem_emu_kernels_edges(
  // CHECK: %[[A:.*]] = llvm.call @tmemEmuLoad(
  // CHECK: %[[B:.*]] = llvm.call @tmemEmuLoad(
  // CHECK: llvm.cond_br %{{.*}}, ^[[JOIN:.*]](%{{.*}}, %[[A]] : i32, i64), ^[[JOIN]](%{{.*}}, %[[B]] : i32, i64)
  // CHECK: ^[[JOIN]](%{{.*}}: i32, %[[N:.*]]: i64):
  // CHECK: llvm.switch %{{.*}} : i32, ^[[END:.*]](%{{.*}}, %{{.*}} : i32, i64) [
  // CHECK-NEXT: 0: ^[[END]](%{{.*}}, %[[N]] : i32, i64),
  // CHECK-NEXT: 1: ^[[END]](%{{.*}}, %[[N]] : i32, i64)
  // CHECK: ^[[END]](%{{.*}}: i32, %[[LAST:.*]]: i64):
  // CHECK: llvm.call @__tmem_emu_check_pending(%{{.*}}, %{{.*}}, %[[LAST]])
  llvm.func @edges(%address: !llvm.ptr<6>, %out: !llvm.ptr, %c: i1, %n: i32) attributes {gpu.kernel} {
    %a = nvvm.tcgen05.ld %address {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32
    %b = nvvm.tcgen05.ld %address {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32
    llvm.cond_br %c, ^bb1(%a : i32), ^bb1(%b : i32)
  ^bb1(%v: i32):
    llvm.switch %n : i32, ^bb2(%n : i32) [
      0: ^bb2(%v : i32),
      1: ^bb2(%v : i32)
    ]
  ^bb2(%w: i32):
    llvm.store %w, %out : i32, !llvm.ptr
    llvm.return
  }

  // A value that is waited for on the way needs no number on that edge.

  // CHECK-LABEL: @__tmem_emu_kernels_waited_edge(
  // CHECK: %[[NONE:.*]] = llvm.mlir.constant(0 : i64) : i64
  // CHECK: %[[N:.*]] = llvm.call @tmemEmuLoad(
  // CHECK: llvm.cond_br %{{.*}}, ^{{.*}}, ^[[JOIN:.*]](%{{.*}}, %[[N]] : i32, i64)
  // CHECK: llvm.call @tmemEmuWaitLoad
  // CHECK: llvm.br ^[[JOIN]](%{{.*}}, %[[NONE]] : i32, i64)
  llvm.func @waited_edge(%address: !llvm.ptr<6>, %out: !llvm.ptr, %c: i1) attributes {gpu.kernel} {
    %v = nvvm.tcgen05.ld %address {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32
    llvm.cond_br %c, ^bb1, ^bb2(%v : i32)
  ^bb1:
    nvvm.tcgen05.wait <load>
    llvm.br ^bb2(%v : i32)
  ^bb2(%w: i32):
    llvm.store %w, %out : i32, !llvm.ptr
    llvm.return
  }

  // CHECK-LABEL: @__tmem_emu_kernels_vector_in_loop(
  // CHECK: ^{{.*}}(%{{.*}}: vector<2xi32>, %[[N:.*]]: vector<2xi64>):
  // CHECK: %[[E:.*]] = llvm.extractelement %[[N]]
  // CHECK: llvm.call @__tmem_emu_check_pending(%{{.*}}, %{{.*}}, %[[E]])
  llvm.func @vector_in_loop(%address: !llvm.ptr<6>, %out: !llvm.ptr, %c: i1) attributes {gpu.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %v = nvvm.tcgen05.ld %address {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<2xi32>
    llvm.br ^bb1(%v : vector<2xi32>)
  ^bb1(%p: vector<2xi32>):
    %e = llvm.extractelement %p[%c0 : i32] : vector<2xi32>
    llvm.store %e, %out : i32, !llvm.ptr
    llvm.cond_br %c, ^bb1(%p : vector<2xi32>), ^bb2
  ^bb2:
    llvm.return
  }
}
