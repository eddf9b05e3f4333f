// RUN: tmem-opt %s --emulate-tcgen05 | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: @__tmem_emu_kernels_transfers(
  // CHECK-SAME: %[[THREAD:[^:]*]]: !llvm.ptr, %[[ADDRESS:[^:]*]]: i32, %[[F:[^:]*]]: f32,
  // CHECK-DAG: %[[PACK:.*]] = llvm.mlir.constant(1 : i32) : i32
  // CHECK-DAG: %[[OFFSET:.*]] = llvm.mlir.constant(16 : i64) : i64
  // CHECK-DAG: %[[FOUR:.*]] = llvm.mlir.constant(4 : i32) : i32
  // CHECK: %[[NEXT:.*]] = llvm.add %[[ADDRESS]], %[[FOUR]]
  // CHECK: llvm.call @tmemEmuLoad(%[[THREAD]], %{{.*}}, %{{.*}}, %{{.*}}, %[[PACK]], %[[NEXT]], %{{.*}}, %[[BUFFER:[^)]*]])
  // CHECK: %[[WORDS:.*]] = llvm.load %[[BUFFER]] {alignment = 16 : i64} : !llvm.ptr -> vector<2xi32>
  // CHECK: %[[FIRST:.*]] = llvm.extractelement %[[WORDS]]
  // CHECK: llvm.call @tmemEmuLoad({{.*}}, %[[OFFSET]],
  // CHECK: %[[BITS:.*]] = llvm.bitcast %[[F]] : f32 to i32
  // CHECK: llvm.store %[[BITS]], %[[BUFFER]] {alignment = 4 : i64}
  // CHECK: %[[SECOND:.*]] = llvm.getelementptr %[[BUFFER]][1]
  // CHECK: llvm.store %[[FIRST]], %[[SECOND]] {alignment = 4 : i64}
  // CHECK: llvm.call @tmemEmuStore(
  // CHECK: llvm.call @tmemEmuWaitStore(
  llvm.func @transfers(%address: i32, %f: f32, %out: !llvm.ptr) attributes {gpu.kernel} {
    %v = llvm.inline_asm has_side_effects "tcgen05.ld.sync.aligned.32x32b.x2.pack::16b.b32 {$0, $1}, [$2 + 4];", "=r,=r,r" %address : (i32) -> !llvm.struct<(i32, i32)>
    %a = llvm.extractvalue %v[0] : !llvm.struct<(i32, i32)>
    %w = llvm.inline_asm has_side_effects "tcgen05.ld.sync.aligned.16x32bx2.x1.b32 {$0}, [$1], 16;", "=r,r" %address : (i32) -> i32
    llvm.inline_asm has_side_effects "tcgen05.wait::ld.sync.aligned;", "~{memory}" : () -> ()
    llvm.inline_asm has_side_effects "tcgen05.st.sync.aligned.32x32b.x2.b32 [$0], {$1, $2}; tcgen05.wait::st.sync.aligned;", "r,f,r" %address, %f, %a : (i32, f32, i32) -> ()
    llvm.return
  }

  // Flags of ld.red: 2 min, 4 max, 8 u32, 16 s32, 32 abs, 64 NaN. The reduced
  // value stands behind the registers.

  // CHECK-LABEL: @__tmem_emu_kernels_reduce(
  // CHECK-DAG: %[[MAX_S32:.*]] = llvm.mlir.constant(20 : i32) : i32
  // CHECK-DAG: %[[MIN_ABS_NAN:.*]] = llvm.mlir.constant(98 : i32) : i32
  // CHECK-DAG: %[[BUFFER:.*]] = llvm.alloca %{{.*}} x !llvm.array<3 x i32>
  // CHECK: llvm.call @tmemEmuLoad({{.*}}, %[[MAX_S32]], %{{.*}}, %{{.*}}, %[[BUFFER]])
  // CHECK: llvm.load %[[BUFFER]] {{.*}} -> vector<2xi32>
  // CHECK: %[[LAST:.*]] = llvm.getelementptr %[[BUFFER]][2]
  // CHECK: %[[REDUCED:.*]] = llvm.load %[[LAST]]
  // CHECK: llvm.call @tmemEmuWaitLoad
  // CHECK: llvm.store %[[REDUCED]]
  // CHECK: llvm.call @tmemEmuLoad({{.*}}, %[[MIN_ABS_NAN]],
  llvm.func @reduce(%address: i32, %out: !llvm.ptr) attributes {gpu.kernel} {
    %v = llvm.inline_asm has_side_effects "tcgen05.ld.red.sync.aligned.32x32b.x2.max.s32 {$0, $1}, $2, [$3];", "=r,=r,=r,r" %address : (i32) -> !llvm.struct<(i32, i32, i32)>
    llvm.inline_asm has_side_effects "tcgen05.wait::ld.sync.aligned;", "" : () -> ()
    %r = llvm.extractvalue %v[2] : !llvm.struct<(i32, i32, i32)>
    llvm.store %r, %out : i32, !llvm.ptr
    %w = llvm.inline_asm has_side_effects "tcgen05.ld.red.sync.aligned.16x32bx2.x2.min.abs.NaN.f32 {$0, $1}, $2, [$3], 0;", "=f,=f,=f,r" %address : (i32) -> !llvm.struct<(f32, f32, f32)>
    llvm.return
  }

  // CHECK-LABEL: @__tmem_emu_kernels_moves(
  // CHECK-SAME: %{{.*}}, %[[A:[^:]*]]: i32, %[[B:[^:]*]]: i32, %[[P:[^:]*]]: i1,
  // CHECK-DAG: %[[SEVEN:.*]] = llvm.mlir.constant(7 : i32) : i32
  // CHECK-DAG: %[[TRUE:.*]] = llvm.mlir.constant(true) : i1
  // CHECK: %[[C:.*]] = llvm.select %[[P]], %[[A]], %[[B]] : i1, i32
  // CHECK: llvm.store %[[C]]
  // CHECK: %[[NOT:.*]] = llvm.xor %[[P]], %[[TRUE]]
  // CHECK: %[[D:.*]] = llvm.select %[[NOT]], %[[SEVEN]], %[[A]]
  // CHECK: llvm.store %[[D]]
  // CHECK: %[[WIDE:.*]] = llvm.or
  // CHECK: llvm.store %[[WIDE]], %{{.*}} : i64
  // CHECK: %[[LESS:.*]] = llvm.icmp "slt" %[[A]], %[[B]] : i32
  // CHECK: llvm.select %[[LESS]]
  llvm.func @moves(%a: i32, %b: i32, %p: i1, %out: !llvm.ptr) attributes {gpu.kernel} {
    %c = llvm.inline_asm "selp.b32 $0, $1, $2, $3;", "=r,r,r,b" %a, %b, %p : (i32, i32, i1) -> i32
    llvm.store %c, %out : i32, !llvm.ptr
    %d = llvm.inline_asm "mov.b32 $0, $1; @!$2 mov.b32 $0, 7;", "=&r,r,b" %a, %p : (i32, i1) -> i32
    llvm.store %d, %out : i32, !llvm.ptr
    %e = llvm.inline_asm "mov.b64 $0, {$1, $2};", "=l,r,r" %a, %b : (i32, i32) -> i64
    llvm.store %e, %out : i64, !llvm.ptr
    %f = llvm.inline_asm "{\0A .reg .pred q; // a comment\0A setp.lt.s32 q, $1, $2; selp.s32 $0, 1, 0, q; }", "=r,r,r" %a, %b : (i32, i32) -> i32
    llvm.store %f, %out : i32, !llvm.ptr
    llvm.return
  }

  // CHECK-LABEL: @__tmem_emu_kernels_synchronization(
  // CHECK-SAME: %[[THREAD:[^:]*]]: !llvm.ptr, %[[ID:[^:]*]]: i32, %[[N:[^:]*]]: i32, %[[P:[^:]*]]: i1,
  // CHECK-DAG: %[[ALIGNED:.*]] = llvm.mlir.constant(1 : i32) : i32
  // CHECK-DAG: %[[ARRIVE:.*]] = llvm.mlir.constant(3 : i32) : i32
  // CHECK: llvm.call @tmemEmuBarrier(%[[THREAD]], %{{.*}}, %[[ID]], %[[N]], %[[ARRIVE]],
  // CHECK: llvm.call @__tmem_emu_if_tmemEmuBarrier(%[[P]], %[[THREAD]], %{{.*}}, %[[ID]], %{{.*}}, %[[ALIGNED]],
  // CHECK: llvm.call @tmemEmuWarpSync(
  // CHECK: %[[R:.*]] = llvm.call @tmemEmuElect(
  // CHECK: llvm.lshr %[[R]]
  llvm.func @synchronization(%id: i32, %n: i32, %p: i1, %out: !llvm.ptr) attributes {gpu.kernel} {
    llvm.inline_asm has_side_effects "bar.arrive $0, $1;", "r,r" %id, %n : (i32, i32) -> ()
    llvm.inline_asm has_side_effects "@$1 bar.sync $0;", "r,b" %id, %p : (i32, i1) -> ()
    llvm.inline_asm has_side_effects "bar.warp.sync 0xffffffff;", "" : () -> ()
    %e = llvm.inline_asm has_side_effects "{ .reg .pred q; elect.sync _|q, 0xffffffff; selp.b32 $0, 1, 0, q; }", "=r" : () -> i32
    llvm.store %e, %out : i32, !llvm.ptr
    llvm.return
  }
}
