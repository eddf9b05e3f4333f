// RUN: tmem-opt %s --emulate-tcgen05 | FileCheck %s

// A read needs no check where a wait stands between the load and it on every
// path, whatever carries the value.

// CHECK-NOT: __tmem_emu_check_pending

gpu.module @kernels {
  // CHECK-LABEL: @__tmem_emu_kernels_straight_line(
  // CHECK: llvm.call @tmemEmuWaitLoad
  // CHECK: llvm.fadd
  llvm.func @straight_line(%address: !llvm.ptr<6>, %out: !llvm.ptr) attributes {gpu.kernel} {
    %v = nvvm.tcgen05.ld %address {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>
    // Only passed on before the wait.
    %f = llvm.bitcast %v : vector<4xi32> to vector<4xf32>
    %s = llvm.shufflevector %f, %f [3, 2, 1, 0] : vector<4xf32>
    nvvm.tcgen05.wait <load>
    %sum = llvm.fadd %s, %s : vector<4xf32>
    llvm.store %sum, %out : vector<4xf32>, !llvm.ptr
    llvm.return
  }

  // CHECK-LABEL: @__tmem_emu_kernels_pins(
  // CHECK: %[[WORDS:.*]] = llvm.load %{{.*}} -> vector<2xi32>
  // CHECK: %[[E:.*]] = llvm.extractelement %[[WORDS]]
  // CHECK: llvm.call @tmemEmuWaitLoad
  // CHECK-NOT: inline_asm
  // CHECK: llvm.store %[[E]]
  llvm.func @pins(%address: !llvm.ptr<6>, %out: !llvm.ptr) attributes {gpu.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %v = nvvm.tcgen05.ld %address {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<2xi32>
    %e = llvm.extractelement %v[%c0 : i32] : vector<2xi32>
    %pin = llvm.inline_asm has_side_effects "", "=r,0" %e : (i32) -> i32
    nvvm.tcgen05.wait <load>
    %copy = llvm.inline_asm has_side_effects "mov.b32 $0, $1;", "=&r,r,~{memory}" %pin : (i32) -> i32
    llvm.store %copy, %out : i32, !llvm.ptr
    llvm.return
  }

  // CHECK-LABEL: @__tmem_emu_kernels_before_a_branch(
  // CHECK: llvm.cond_br
  llvm.func @before_a_branch(%address: !llvm.ptr<6>, %out: !llvm.ptr, %c: i1) attributes {gpu.kernel} {
    %v = nvvm.tcgen05.ld %address {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32
    nvvm.tcgen05.wait <load>
    llvm.cond_br %c, ^bb1, ^bb2
  ^bb1:
    llvm.store %v, %out : i32, !llvm.ptr
    llvm.br ^bb2
  ^bb2:
    llvm.store %v, %out : i32, !llvm.ptr
    llvm.return
  }

  // What a block argument carries was loaded before the block was entered.

  // CHECK-LABEL: @__tmem_emu_kernels_pipelined(
  // CHECK: llvm.br ^[[HEADER:.*]](%{{.*}}, %{{.*}} : i32, i32)
  // CHECK: ^[[HEADER]](%{{.*}}: i32, %{{.*}}: i32):
  llvm.func @pipelined(%address: !llvm.ptr<6>, %out: !llvm.ptr, %n: i32) attributes {gpu.kernel} {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %v = nvvm.tcgen05.ld %address {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32
    llvm.br ^bb1(%v, %n : i32, i32)
  ^bb1(%p: i32, %i: i32):
    nvvm.tcgen05.wait <load>
    %next = nvvm.tcgen05.ld %address {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32
    llvm.store %p, %out : i32, !llvm.ptr
    %less = llvm.sub %i, %c1 : i32
    %more = llvm.icmp "ne" %less, %c1 : i32
    llvm.cond_br %more, ^bb1(%next, %less : i32, i32), ^bb2(%next : i32)
  ^bb2(%last: i32):
    nvvm.tcgen05.wait <load>
    llvm.store %last, %out : i32, !llvm.ptr
    llvm.return
  }

  // CHECK-LABEL: @__tmem_emu_kernels_ptx(
  // CHECK: llvm.call @tmemEmuLoad
  // CHECK: llvm.call @tmemEmuWaitLoad
  // CHECK: llvm.store
  llvm.func @ptx(%address: i32, %out: !llvm.ptr) attributes {gpu.kernel} {
    %v = llvm.inline_asm has_side_effects "tcgen05.ld.sync.aligned.32x32b.x1.b32 {$0}, [$1]; tcgen05.wait::ld.sync.aligned;", "=r,r" %address : (i32) -> i32
    llvm.store %v, %out : i32, !llvm.ptr
    llvm.return
  }
}
